"""Recordings of people as training data: a folder with `labels.tsv`, in Common Voice's layout, or with both.

`labels.tsv` has a line per recording, file and text separated by a tab (a first line "file<TAB>text" is
allowed); the files are relative to the folder. Common Voice's layout is `clips/` beside `validated.tsv` with
the columns `path` and `sentence`.
"""

from __future__ import annotations

import csv
import hashlib
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import numpy as np

from assistant.errors import HectorError, UsageError, visible
from models.training.audio import LONGEST, RATE, level, read
from models.training.judging import Judge
from models.training.lexicon import Lexicon
from models.training.pools import Utterance

_LETTERS = {"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"} | dict.fromkeys("’‘ʼ´`", "'")
_BETWEEN_WORDS = re.compile(r"[-‐‑–—\s]+")
_SPOKEN_SIGNS = "&%@#*§"
"""Punctuation by Unicode's categories, but read aloud."""
_OTHER_SPELLINGS = {
    "en passant": "enpassant",
    "j'adoube": "jadoube",
    "nehme an": "nehmean",
    "umwandlung in": "umwandlungin",
    "caesar": "cesar",
    "zesar": "cesar",
    "hektor": "hector",
}


@dataclass(frozen=True)
class Recording:
    """A file and the words said in it."""

    path: Path
    words: tuple[str, ...]


def tokens(text: str) -> tuple[str, ...]:
    """A transcript as words of the lexicon are spelt: lower-case ASCII, no punctuation.

    What cannot be spelt so stays as it is, a word that is in no lexicon.
    """
    # macOS writes an umlaut as two characters
    text = unicodedata.normalize("NFC", text).casefold()
    for letter, ascii_letters in _LETTERS.items():
        text = text.replace(letter, ascii_letters)
    text = _BETWEEN_WORDS.sub(" ", text)
    for spelling, word in _OTHER_SPELLINGS.items():
        text = re.sub(rf"\b{spelling}\b", word, text)
    return tuple(re.findall(r"[0-9]+|[^\s0-9]+", "".join(map(_written, text))))


def _written(sign: str) -> str:
    """A sign of a transcript, a blank for what only parts words, nothing for what is not seen."""
    category = unicodedata.category(sign)
    if category == "Cf":
        return ""
    parts = category[0] in "PZC" and sign not in _SPOKEN_SIGNS
    return " " if parts else sign


def _rows(folder: Path) -> list[tuple[str, str]]:
    plain, common = folder / "labels.tsv", folder / "validated.tsv"
    try:
        read = [rows(path) for path, rows in ((plain, _plain), (common, _common_voice)) if path.is_file()]
    except UnicodeDecodeError as error:
        raise UsageError(f"The transcripts in {folder} are not UTF-8 text: save them as UTF-8.") from error
    except csv.Error as error:
        raise UsageError(f"{common} is not a table as Common Voice has them: {error}.") from error
    except OSError as error:
        raise UsageError(f"The transcripts in {folder} cannot be read: {error.strerror}.") from error
    if not read:
        raise UsageError(
            f"{folder} has neither labels.tsv nor validated.tsv: the recordings need transcripts."
        )
    return list(chain(*read))


def _plain(path: Path) -> list[tuple[str, str]]:
    # not splitlines: a file's name or a text may have one of Unicode's other line ends
    lines = path.read_text(encoding="utf-8-sig").split("\n")
    cells = [line.split("\t") for line in lines if line.strip()]
    if cells and [cell.strip().lower() for cell in cells[0][:2]] == ["file", "text"]:
        cells = cells[1:]
    return [(row[0].strip(), row[1].strip() if len(row) > 1 else "") for row in cells]


def _common_voice(path: Path) -> list[tuple[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as stream:
        table = csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE)
        if not {"path", "sentence"} <= set(table.fieldnames or ()):
            raise UsageError(f"{path} has no columns path and sentence: it is not Common Voice's.")
        return [(f"clips/{row['path']}", (row["sentence"] or "").strip()) for row in table]


def _is_there(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:
        # no right to look, or a name that no file can have
        return False


def find(folder: Path, lexicon: Lexicon, say: Callable[[str], None]) -> list[Recording]:
    """The recordings whose words are all in the lexicon; `say` gets one sentence about each kind left out.

    Raises UsageError when the folder is no such folder or names no recordings.
    """
    if not folder.is_dir():
        if _is_there(folder):
            raise UsageError(f"{folder} is a file: name the folder of the recordings, as {folder.parent}.")
        raise UsageError(f"The folder of recordings {folder} does not exist.")
    out: dict[Path, set[Recording]] = {}
    silent = 0
    strangers: Counter[str] = Counter()
    foreign = 0
    absent: list[str] = []
    rows = _rows(folder)
    if not rows:
        raise UsageError(f"The transcripts in {folder} name no recordings.")
    for name, text in rows:
        words = tokens(text)
        unknown = [word for word in words if word not in lexicon.words]
        if not words:
            silent += 1
        elif unknown:
            foreign += 1
            strangers.update(unknown)
        elif not _is_there(folder / name):
            absent.append(name)
        else:
            out.setdefault(folder / name, set()).add(Recording(folder / name, words))
    doubtful = sum(len(of) > 1 for of in out.values())
    if doubtful:
        say(f"{doubtful} recordings of {folder} have several transcripts and were left out.")
    if silent:
        say(f"{silent} recordings of {folder} have no transcript and were left out.")
    if absent:
        first = visible(absent[0])
        say(f"{len(absent)} recordings that the transcripts in {folder} name are not there, as {first}.")
    if foreign:
        often = ", ".join(word for word, _ in strangers.most_common(5))
        say(f"{foreign} recordings of {folder} have words that are not in the lexicon (most often {often}).")
    return [recording for of in out.values() if len(of) == 1 for recording in of]


def fingerprint(found: list[Recording]) -> str:
    """A name for these recordings with these words: other files, and corrected ones, have another."""
    digest = hashlib.sha256()
    for recording in found:
        file = recording.path.stat()
        digest.update(
            repr((str(recording.path.resolve()), file.st_size, file.st_mtime_ns, recording.words)).encode()
        )
    return digest.hexdigest()[:16]


def utterances(found: list[Recording], judge: Judge, say: Callable[[str], None]) -> Iterator[Utterance]:
    """The recordings with labels by forced alignment; `say` gets a sentence for each that cannot be used."""
    for recording in found:
        try:
            wave = read(recording.path)
        except HectorError as error:
            say(f"Left out: {error}")
            continue
        if float(np.abs(wave).max()) < 30:
            say(f"Left out: {recording.path} is silent.")
            continue
        if len(wave) > LONGEST * RATE:
            say(f"Left out: {recording.path} is longer than {LONGEST:.0f} seconds: cut it into its phrases.")
            continue
        labelled = judge.label(level(wave), recording.words, recording.path.name)
        if labelled is None:
            say(f"Left out: {recording.path} does not sound like its transcript.")
        else:
            yield labelled

"""Recordings of people who speak other languages, as phones: Debian's packages of spoken prompts.

Nobody says German chess words in them, but people say the sounds that German words are made of, and the
players' German has the colour of these languages. espeak-ng turns what is said into IPA, `ipa.txt` into the
phones of the network, and forced alignment tells when each was said. Sounds that German does not have teach
nothing. Italian and Dutch, and one German, are left out: they measure.
"""

from __future__ import annotations

import gzip
import re
import shutil
import subprocess
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from assistant.errors import HectorError
from models.training.align import WORST, Aligner, Trace
from models.training.audio import FRAME, RATE, Wave, level, read
from models.training.lexicon import HERE, IGNORE, Lexicon, Pronunciation, Sound, data_lines
from models.training.network import STRIDE
from models.training.pools import Utterance

SHARE = Path("/usr/share")
_TELEPHONE = ".g722"
_LONGEST = 40.0
"""Seconds; what is longer are menus."""
_PAUSE = 25
"""Frames of silence in which a recording is cut."""
_FEWEST = 2
"""Sounds of a piece: a single one is easily found in anything."""
_LONG_ENOUGH = 60.0
"""Seconds after which a program that reads one recording or one text is given up."""
_FAINT = 100.0
"""Peak below which a recording is taken for empty."""
_MARKS = re.compile('[ˈˌːʲʰ̩̯̪̊̚?"-]')
_NOTES = re.compile(r"[\[\](){}<>…]")
_GERMAN = {"ae": "ä", "oe": "ö", "ue": "ü", "sz": "ß"}


@dataclass(frozen=True)
class Speaker:
    """Who speaks espeak-ng's `language`, where below /usr/share, and how it is found what is said."""

    name: str
    language: str
    folder: str
    reads: Callable[[Speaker, Path], Iterator[tuple[Path, str]]]

    def texts(self, share: Path) -> Iterator[tuple[Path, str]]:
        """Each recording with what is said in it; nothing where it is not installed."""
        return self.reads(self, share)


def _named(speaker: Speaker, share: Path) -> Iterator[tuple[Path, str]]:
    """The name of a file is what is said, as klettres has it."""
    for path in sorted((share / speaker.folder).rglob("*.ogg")):
        text = path.stem.lstrip("0123456789-")
        if speaker.language == "de":
            for letters, letter in _GERMAN.items():
                text = text.replace(letters, letter)
        yield path, text


def _listed(speaker: Speaker, share: Path) -> Iterator[tuple[Path, str]]:
    """Asterisk's packages have a list with lines `name: text`."""
    sounds = f"core-sounds-{speaker.language[:2]}"
    texts = share / "doc" / f"asterisk-{sounds}" / f"{sounds}.txt.gz"
    if not texts.is_file():
        return
    with gzip.open(texts, "rt", encoding="utf-8-sig", errors="replace") as stream:
        for line in stream:
            name, colon, text = line.partition(":")
            path = share / speaker.folder / f"{name.strip()}{_TELEPHONE}"
            if colon and not line.startswith(";") and not _NOTES.search(text) and path.is_file():
                yield path, text.strip()


def _described(speaker: Speaker, share: Path) -> Iterator[tuple[Path, str]]:
    """Beside each stamp of Tux Paint lies a text with lines `language.utf8=description`."""
    ending, start = f"_desc_{speaker.language}.ogg", f"{speaker.language}.utf8="
    for path in sorted((share / speaker.folder).rglob(f"*{ending}")):
        texts = path.with_name(path.name.removesuffix(ending) + ".txt")
        if texts.is_file():
            lines = texts.read_text(encoding="utf-8", errors="replace").splitlines()
            text = next((line.removeprefix(start) for line in lines if line.startswith(start)), "")
            if text and not _NOTES.search(text):
                yield path, text.strip()


def _written(speaker: Speaker, share: Path) -> Iterator[tuple[Path, str]]:
    """What KTuberling's German says is not written in it: `german-words.txt` tells."""
    for _, line in data_lines(HERE / "german-words.txt"):
        name, _, text = (part.strip() for part in line.partition("="))
        path = share / speaker.folder / f"{name}.ogg"
        if path.is_file():
            yield path, text


def _asterisk(language: str, who: str) -> Speaker:
    return Speaker(f"asterisk-{who}", language, f"asterisk/sounds/{who}", _listed)


def _klettres(language: str, folder: str = "") -> Speaker:
    folder = folder or language
    return Speaker(f"klettres-{folder}", language, f"klettres/{folder}", _named)


def _tuxpaint(language: str) -> Speaker:
    return Speaker(f"tuxpaint-{language}", language, "tuxpaint/stamps", _described)


SPEAKERS = (
    _asterisk("es-419", "es_MX_f_Allison"),
    _asterisk("en-us", "en_US_f_Allison"),
    _asterisk("fr", "fr_CA_f_June"),
    _asterisk("ru", "ru_RU_f_IvrvoiceRU"),
    *map(_klettres, ("de", "es", "fr", "cs", "da", "hu", "lt")),
    _klettres("en-us", "en"),
    _klettres("en", "en_GB"),
    _klettres("pt-br", "pt_BR"),
    *map(_tuxpaint, ("es", "fr", "ca", "ro", "ru", "bg", "el", "da")),
)
"""Asterisk's announcements (asterisk-core-sounds-*-g722), the letters and syllables of klettres-data and what
volunteers say to the pictures of tuxpaint-stamps-default (not in Belarusian: Debian's espeak-ng cannot)."""


STRANGERS = (
    _asterisk("it", "it_IT_m_Carlo"),
    _klettres("it"),
    _klettres("nl"),
    _tuxpaint("nl"),
    Speaker("ktuberling-de", "de", "ktuberling/sounds/de", _written),
)
"""Of these no training hears: they measure."""


@dataclass(frozen=True)
class Unit:
    """One sound: the ways in which it may be written in phones, and whether German has it."""

    forms: tuple[Pronunciation, ...]
    teaches: bool


def installed(share: Path = SHARE, speakers: Sequence[Speaker] = SPEAKERS) -> list[Speaker]:
    """Those whose recordings and texts are on this machine, with ffmpeg if the recordings need it."""
    found = []
    for speaker in speakers:
        first = next(speaker.texts(share), None)
        if first is not None and (first[0].suffix != _TELEPHONE or shutil.which("ffmpeg") is not None):
            found.append(speaker)
    return found


def load_sounds(lexicon: Lexicon, path: Path = HERE / "ipa.txt") -> dict[str, Unit]:
    """The table of foreign sounds; HectorError names the line of the first mistake."""
    sounds: dict[str, Unit] = {}
    for number, line in data_lines(path):
        symbol, equals, right = (part.strip() for part in line.partition("="))
        if not equals or not symbol:
            raise HectorError(f'{path}, line {number}: "{line}" is not "sound = phones".')
        written = [right_hand.replace("?", "").split() for right_hand in right.split("|")]
        unknown = [phone for form in written for phone in form if phone not in lexicon.phones[1:]]
        if unknown:
            raise HectorError(f'{path}, line {number}: "{unknown[0]}" is not a phone of phones.txt.')
        forms = tuple(tuple(Sound(phone) for phone in form) for form in written if form)
        sounds[symbol] = Unit(forms, "?" not in right)
    return sounds


def units(ipa: str, sounds: Mapping[str, Unit]) -> list[Unit] | None:
    """What espeak-ng writes, sounds separated by "_"; None if one of them is not in the table."""
    found: list[Unit] = []
    for token in re.split(r"[_\s]+", ipa):
        spelt = token.lstrip("ˈˌ")
        plain = _MARKS.sub("", spelt)
        symbols = [spelt] if spelt in sounds else [plain] if plain in sounds else list(plain)
        if any(symbol not in sounds for symbol in symbols):
            return None
        found += [sounds[symbol] for symbol in symbols if sounds[symbol].forms]
    return found


def _output(command: Sequence[str | Path]) -> bytes:
    """What a program prints; nothing if it fails or hangs: no recording ends a training."""
    try:
        return subprocess.run(command, capture_output=True, check=False, timeout=_LONG_ENOUGH).stdout
    except subprocess.TimeoutExpired:
        return b""


def ipa(text: str, language: str) -> str:
    """What espeak-ng writes for a text, sounds separated by "_", a line for each clause."""
    command = ["espeak-ng", "-q", "-v", language, "--ipa", "--sep=_", "--", text]
    return _output(command).decode(errors="replace")


def _read(path: Path) -> Wave:
    """The samples, by ffmpeg what only telephones use; none if they cannot be read."""
    if path.suffix != _TELEPHONE:
        try:
            return read(path)
        except HectorError:
            return np.zeros(0, np.float32)
    raw = ["-f", "s16le", "-ac", "1", "-ar", str(RATE), "-"]
    samples = _output(["ffmpeg", "-v", "error", "-nostdin", "-i", path, *raw])
    return np.frombuffer(samples[: len(samples) // 2 * 2], "<i2").astype(np.float32)


def spoken(
    speaker: Speaker, said: Iterable[tuple[Path, str]], sounds: Mapping[str, Unit]
) -> Iterator[tuple[NDArray[np.int16], list[Unit]]]:
    """The recordings that can be used, with their sounds: not silent, not too long, not too short."""
    for path, text in said:
        found = units(ipa(text, speaker.language), sounds) if text else None
        if not found:
            continue
        wave = _read(path)
        fits = STRIDE * len(found) <= len(wave) // FRAME <= _LONGEST * RATE / FRAME
        if fits and float(np.abs(wave).max(initial=0)) >= _FAINT:
            yield level(wave), found


def utterances(
    lexicon: Lexicon, speaker: Speaker, aligner: Aligner, share: Path = SHARE
) -> Iterator[Utterance]:
    """The speaker's recordings in pieces between pauses, less what does not sound like its text."""
    for wave, found in spoken(speaker, speaker.texts(share), load_sounds(lexicon)):
        yield from pieces(wave, found, aligner, speaker.name)


def taught(trace: Trace, said: Sequence[Unit]) -> NDArray[np.bool_]:
    """The frames of sounds that German has."""
    teaches = np.array([unit.teaches for unit in said])
    return np.asarray((trace.owners >= 0) & teaches[trace.owners])


def pieces(
    wave: NDArray[np.int16], said: Sequence[Unit], aligner: Aligner, voice: str
) -> Iterator[Utterance]:
    """A recording of these sounds, with labels and cut in its pauses; what sounds otherwise is left out."""
    trace = aligner.trace(wave, [unit.forms for unit in said])
    spoken = trace.owners >= 0
    labels = np.where(spoken & ~taught(trace, said), IGNORE, trace.labels).astype(np.uint8)
    for first, last in _between_pauses(spoken):
        piece = Trace(labels[first:last], trace.owners[first:last], trace.losses[first:last])
        if len(set(piece.owners.tolist()) - {-1}) >= _FEWEST and piece.loss() < WORST:
            yield Utterance(wave[first * FRAME : last * FRAME], piece.labels, (), voice)


def _between_pauses(spoken: NDArray[np.bool_]) -> Iterator[tuple[int, int]]:
    """First frame and end of each piece; pauses are cut in the middle."""
    at = np.flatnonzero(spoken)
    long = np.flatnonzero(np.diff(at) > _PAUSE)
    cuts = [(int(at[k]) + int(at[k + 1])) // 2 for k in long]
    yield from zip([0, *cuts], [*cuts, len(spoken)], strict=True)

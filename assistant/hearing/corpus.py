"""A folder of recordings with what is said in them, from which the ear itself can be trained.

Its layout is the plain one that the training takes with `--recordings`: `labels.tsv`, in UTF-8, with a line
"file<TAB>text" for each recording, and the recordings beside it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from assistant.errors import HectorError
from assistant.files import replace_file
from assistant.hearing.archive import write_flac
from assistant.hearing.engine import Samples

LABELS: Final = "labels.tsv"
_HEAD: Final = "file\ttext\n"


class Corpus:
    """A folder of recordings and its labels, which may hold some already.

    :raises HectorError: if the labels cannot be read, or are no text.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._path = folder / LABELS
        self._labels = _labels_in(self._path)

    def add(self, said: Iterable[tuple[Sequence[str], Samples]]) -> int:
        """Add announcements to the folder, which is made if it is not there; return how many are new in it.

        A recording is named by its words and its sound, so what lies there already is not added again. The
        labels are written last and as a whole: whatever goes wrong, they name only recordings that are there.

        :param said: words of the lexicon, and their sound: 16 kHz, mono.
        :raises HectorError: if something cannot be written.
        """
        known = {line.split("\t")[0].strip() for line in self._labels.split("\n")}
        labels, count = self._labels, 0
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            for words, samples in said:
                name = _name(words, samples)
                if name not in known or not (self._folder / name).exists():
                    write_flac(self._folder / name, samples)
                    count += 1
                if name not in known:
                    known.add(name)
                    labels += f"{name}\t{' '.join(words)}\n"
            if count:
                replace_file(self._path, labels.encode())
        except (ImportError, OSError, RuntimeError) as error:
            raise HectorError(
                "The recordings cannot be kept in {folder}: {reason}.", folder=self._folder, reason=error
            ) from error
        self._labels = labels
        return count


def _labels_in(path: Path) -> str:
    """Return the lines of a folder's labels, to which others can be added."""
    try:
        # Not as text is read by default: only "\n" ends a line here, and what is kept stays as it was.
        labels = path.read_bytes().decode("utf-8")
    except FileNotFoundError:
        return _HEAD
    except UnicodeDecodeError:
        raise HectorError("{path} is not UTF-8 text: name another folder.", path=path) from None
    except OSError as error:
        raise HectorError("{path} cannot be read: {reason}.", path=path, reason=error) from error
    return labels if labels.endswith("\n") else f"{labels}\n"


def _name(words: Sequence[str], samples: Samples) -> str:
    sound = hashlib.sha256(samples.tobytes()).hexdigest()[:12]
    return f"{'-'.join(words)}-{sound}.flac"

"""The recorded announcements: evidence, as the rules for play by the blind allow it (2023 D.2.7)."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from assistant.errors import HectorError
from assistant.hearing.engine import Samples
from assistant.sound import SAMPLE_RATE

_NAME: Final = re.compile(r"(\d{3,})-(\d+)-([a-z]+)-?.*\.flac", re.ASCII)


@dataclass(frozen=True, slots=True)
class Kept:
    """One utterance of an archive."""

    ply: int
    """The half-move that it is about, counted from 1; of what was not accepted, the one before it."""
    attempt: int
    """Which utterance of that half-move it is, counted from 1."""
    is_accepted: bool
    path: Path


def kept_in(folder: Path) -> list[Kept]:
    """Return the utterances of an archive as they were said; other files, and no folder, are none.

    :raises HectorError: if the folder cannot be looked into.
    """
    try:
        paths = sorted(folder.iterdir()) if folder.is_dir() else []
        # Older games counted the utterances of each wording alone: there the time tells.
        paths.sort(key=lambda path: path.stat().st_mtime)
    except OSError as error:
        raise HectorError("{path} cannot be read: {reason}.", path=folder, reason=error) from error
    names = [(path, _NAME.fullmatch(path.name)) for path in paths]
    kept = [Kept(int(name[1]), int(name[2]), name[3] == "accept", path) for path, name in names if name]
    return sorted(kept, key=lambda each: (each.ply, each.attempt))


def write_flac(path: Path, samples: Samples) -> None:
    """Write samples into a file.

    :raises ImportError: if the library that does it is missing.
    :raises OSError: if it cannot be written; or a `RuntimeError`, which that library makes of it.
    """
    import soundfile

    soundfile.write(os.fsencode(path), samples, SAMPLE_RATE, format="FLAC", subtype="PCM_16")


class Archive:
    """A folder of FLAC files, one for each utterance."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def keep(self, samples: Samples, ply: int, what: str) -> None:
        """Write one utterance.

        Files are named by the half-move that they are about, counted from 1, and a number for each try.

        :param what: `accept`, `ask` or `reject`, and what was understood.
        :raises HectorError: if it cannot be written; the cause is the error, whichever it is.
        """
        plain = re.sub(r"[^a-z0-9]+", "-", what.lower()).strip("-")[:60]
        try:
            # Not what it is in: a game's folder that was moved away could not be put back.
            self._folder.mkdir(exist_ok=True)
            number = 1
            while any(self._folder.glob(f"{ply:03}-{number}-*.flac")):
                number += 1
            path = self._folder / f"{ply:03}-{number}-{plain}.flac"
            write_flac(path, samples)
        except (ImportError, OSError, RuntimeError) as error:
            raise HectorError("The announcements cannot be recorded: {reason}.", reason=error) from error

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

_NAME: Final = re.compile(r"(\d{3,})-(\d+)-.*\.flac", re.ASCII)


@dataclass(frozen=True, slots=True)
class Kept:
    """One utterance of an archive."""

    ply: int
    """The half-move that it is about, or after which it was passed over or asked about."""
    path: Path


def kept_in(folder: Path) -> list[Kept]:
    """Return the utterances of an archive by half-move and try; other files, and no folder, are none.

    :raises HectorError: if the folder cannot be looked into.
    """
    try:
        names = [path.name for path in folder.iterdir()] if folder.is_dir() else []
    except OSError as error:
        raise HectorError("{path} cannot be read: {reason}.", path=folder, reason=error) from error
    found = [(int(match[1]), int(match[2]), name) for name in names if (match := _NAME.fullmatch(name))]
    return [Kept(ply, folder / name) for ply, _, name in sorted(found)]


class Archive:
    """A folder of FLAC files, one for each utterance."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def keep(self, samples: Samples, ply: int, what: str) -> None:
        """Write one utterance.

        Files are named by the half-move that they are about, counted from 1, and a number for each try.

        :raises HectorError: if it cannot be written; the cause is the error, whichever it is.
        """
        plain = re.sub(r"[^a-z0-9]+", "-", what.lower()).strip("-")[:60] or "unknown"
        try:
            import soundfile

            # Not what it is in: a game's folder that was moved away could not be put back.
            self._folder.mkdir(exist_ok=True)
            number = 1
            while (path := self._folder / f"{ply:03}-{number}-{plain}.flac").exists():
                number += 1
            soundfile.write(os.fsencode(path), samples, SAMPLE_RATE, format="FLAC", subtype="PCM_16")
        except (ImportError, OSError, RuntimeError) as error:
            raise HectorError("The announcements cannot be recorded: {reason}.", reason=error) from error

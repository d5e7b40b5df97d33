"""Room on the disk: what a long game needs, what is kept back for its journal, and when recording stops."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Final

from assistant.announcements import Decision
from assistant.errors import HectorError
from assistant.files import open_own
from assistant.hearing import Archive, Samples
from assistant.sound import SAMPLE_RATE
from assistant.speaking import told
from assistant.table.folder import HEARD, Where
from assistant.table.game import Table
from assistant.table.terminal import warn
from assistant.utterance import Utterance

LONGEST_GAME: Final = 7.0
"""Hours of the longest game that is provided for."""
_SPEECH: Final = 0.6
"""The share of a game in which somebody speaks near enough to be recorded; a noisy hall has about that."""
_REST: Final = 15_000_000
"""Bytes of journal, sheets, said.txt and what they take while they are written anew."""
FLOOR: Final = 32_000_000
"""Bytes that recordings leave free: the journal is worth more."""
RESERVE: Final = 1_000_000
"""Bytes that are taken at the start and given to the journal when the disk is full: three long games."""


def needed(hours: float = LONGEST_GAME) -> int:
    """Return the bytes that a game of so many hours may take.

    FLAC takes no more than the samples themselves (16 bits at 16 kHz): noise does not shrink.
    """
    return round(hours * 3600 * _SPEECH * 2 * SAMPLE_RATE) + _REST


def free(folder: Path) -> int:
    """Return the bytes that are free for a game's folder, which need not exist yet."""
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    return shutil.disk_usage(folder).free


class Reserve:
    """A file that holds room for the journal, until the disk is full."""

    def __init__(self, folder: Path) -> None:
        """Take the room; where there is none, there is no reserve."""
        self.folder = folder
        """Where it is, although somebody may have moved it."""
        try:
            descriptor = open_own(self._path, os.O_WRONLY)
            try:
                os.posix_fallocate(descriptor, 0, RESERVE)
            finally:
                os.close(descriptor)
        except OSError:
            self.spend()
        except BaseException:
            self.spend()
            raise

    @property
    def _path(self) -> Path:
        return self.folder / ".reserve"

    def spend(self) -> bool:
        """Give the room to whoever needs it; return whether there was any."""
        try:
            self._path.unlink()
        except OSError:
            return False
        return True

    def close(self) -> None:
        """Give the room back."""
        self.spend()


class Evidence:
    """Keeps what was heard, each utterance under the half-move that it is about, until the disk is full.

    A game does not stop because its recording does: nothing is raised.
    """

    def __init__(self, table: Table, where: Where, warn: Callable[[str], None] = warn) -> None:
        self._table = table
        self._where = where
        self._warn = warn
        self._has_failed = False

    def __call__(self, utterance: Utterance, decision: Decision, samples: Samples) -> None:
        """Keep one utterance; the first that cannot be kept is told of. A move to be sealed is never kept."""
        if self._table.course.sealing:
            return
        is_full, error = self._keep(decision, samples)
        had_failed, self._has_failed = self._has_failed, is_full or error is not None
        if self._has_failed and not had_failed:
            if error is not None:
                self._warn(told(error))
            teller = self._table.course.teller
            teller.say(teller.equipment.not_recorded_any_more(is_full=is_full))

    def _keep(self, decision: Decision, samples: Samples) -> tuple[bool, HectorError | None]:
        """Return whether the disk was too full, and what else went wrong, if anything did."""
        what = f"{decision.kind}-{' '.join(decision.words)}"
        try:
            folder = self._where()
            if free(folder) < FLOOR:
                return True, None
            Archive(folder / HEARD).keep(samples, max(1, self._table.plies), what)
        except HectorError as error:
            return False, error
        except OSError as error:
            return False, HectorError("The room on the disk is not known: {reason}.", reason=error)
        return False, None

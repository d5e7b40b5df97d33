"""A game that another program plays, as its folder tells of it: nothing of it is ever changed from here."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any, Final

from assistant.announcements import Thresholds, load_vocabulary
from assistant.errors import HectorError
from assistant.journal import FILE_NAME, read
from assistant.table.game import Table
from assistant.table.pulse import EVERY, Beat, last_beat
from assistant.table.record import NoRecord, check_lines, setup_in
from assistant.table.voices import PaperVoice

SILENCE: Final = 3 * EVERY
"""Seconds without a pulse after which the other program is not taken to play any more."""
LATE: Final = 3.0
"""Seconds by which a line may be written later than it happened: what is understood late counts from when it
was said. No flag is taken to have fallen before."""


class Watched:
    """Follows the journal and the pulse of a game as they grow.

    `table` is the game as it stands and must not be acted on. It is a new one, and `told` counts one more,
    when the journal says something about a time that had been taken to have passed.
    """

    def __init__(self, folder: Path) -> None:
        """:raises HectorError: if the folder holds no game, or its journal is damaged."""
        self._folder = folder
        self._stamp: tuple[int, int] | None = None
        self._lines: tuple[dict[str, Any], ...] = ()
        self._taken = self._checked = 0
        self._beat: Beat | None = None
        record = read(folder)
        if not record.lines:
            raise HectorError("The game in {folder} has not begun. Start its clock first.", folder=folder)
        self._last = record.lines[-1]
        self._setup = setup_in(folder, record.lines)
        self.told = 0
        self._tell_anew()
        self.look()

    @property
    def is_played(self) -> bool:
        """Whether the other program gives signs of life."""
        return self._beat is not None and 0 <= time.time() - self._beat.time < SILENCE

    def now(self) -> float:
        """Return the game's time, by the last pulse; from any thread."""
        beat = self._beat
        at = 0.0
        if beat is not None:
            passed = time.time() - beat.time
            at = beat.at + (passed if 0 <= passed < SILENCE else 0.0)
        return max(at, self.table.now)

    def look(self) -> None:
        """Take in what has happened since the last look.

        :raises HectorError: if the journal cannot be read any more.
        """
        self._beat = last_beat(self._folder, self._last) or self._beat
        try:
            status = (self._folder / FILE_NAME).stat()
        except OSError as error:
            raise HectorError(
                "The game in {folder} is gone: {reason}.", folder=self._folder, reason=error
            ) from error
        stamp = (status.st_size, status.st_mtime_ns)
        if stamp != self._stamp:
            lines = read(self._folder).lines
            check_lines(self._folder, lines, min(self._checked, len(lines)))
            self._lines, self._stamp, self._checked = lines[1:], stamp, len(lines)
            self._last = lines[-1]
            new = self._lines[self._taken :]
            if len(self._lines) < self._taken or any(float(line["at"]) < self.table.now for line in new[:1]):
                self._tell_anew()
            for line in self._lines[self._taken :]:
                self.table.course.apply(line)
            self._taken = len(self._lines)
        self._let_time_pass()

    def _tell_anew(self) -> None:
        self.table = Table(self._setup, load_vocabulary("de"), Thresholds(), PaperVoice(), NoRecord())
        self._taken = 0
        self.told += 1

    def _let_time_pass(self) -> None:
        """Let a flag fall that must have fallen: the journal tells of it only with the next line."""
        beat = self._beat
        if beat is None or self.table.over or not self._taken:
            return
        to = beat.at - LATE if self.is_played else beat.at
        if to > self.table.now:
            self.table.course.advance(to)

"""What is watched over while a game lasts: the computer's clocks, the disk, and the game's own pulse."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from assistant.errors import HectorError
from assistant.table.game import Table
from assistant.table.pulse import Beat, Clocks, ClockWatch, Pulse, read_clocks
from assistant.table.record import GameRecord, written_at
from assistant.table.storage import free, needed

LOOK_EVERY: Final = 1.0
"""Seconds between two looks at the clocks and the disk."""
STOOD: Final = 3.0
"""Seconds between two visits from which on the program stood still: in a game they are some 50 ms apart."""
TRY_EVERY: Final = 5.0
"""Seconds between two attempts to write what a disk refused."""
MEGABYTE: Final = 1_000_000


class Vigil:
    """Keeps watch over one live game. One thread calls it: the one that plays the game."""

    def __init__(
        self,
        table: Table,
        record: GameRecord,
        folder: Path,
        now: Callable[[], float],
        read: Callable[[], Clocks] = read_clocks,
    ) -> None:
        """Begin to watch; `now` returns the game's time, `read` the computer's clocks."""
        self._table = table
        self._teller = table.course.teller
        self._record = record
        self._folder = self._home = folder
        self._now = now
        self._clocks = ClockWatch(read)
        self._pulse = Pulse(folder, now)
        self._looked = self._tried = self._visited = now()

    def welcome(self) -> None:
        """Tell before the game when the disk may not hold all of it, where it tells what room it has."""
        try:
            room = free(self._folder)
        except OSError:
            return
        if room < needed():
            self._teller.say(self._teller.equipment.little_room(room // MEGABYTE, needed() // MEGABYTE))

    def interrupted(self, beat: Beat | None, lines: Sequence[Mapping[str, Any]]) -> None:
        """Note for the arbiter that the game was interrupted, since when, and for how long if that is known.

        `lines` are those of the journal, without its first.
        """
        facts: dict[str, Any] = {"last_line": lines[-1]["at"]}
        if beat is not None:
            passed = round(time.time() - beat.time, 3)
            if passed < 0:
                # The time of day was set back meanwhile, by that much at least.
                self._note("time-of-day", {"seconds": passed})
            elif _may_be_true(beat, lines):
                facts["seconds"] = passed
        self._note("interruption", facts)
        # The time up to the interruption may have brought the end.
        self._table.refresh()

    def attend(self) -> None:
        """Look at what has to be looked at, if it is time; to be called before time is ruled on."""
        now = self._now()
        stood, self._visited = now - self._visited, now
        if stood >= STOOD and self._table.course.referee.running is not None:
            # The clock ran on, as it does while a computer has too much to do: that gives nobody time. The
            # arbiter, who may set it (6.10), finds this before the flag that may have fallen by it.
            self._note("stopped", {"seconds": round(stood, 3)})
            self._teller.say(self._teller.equipment.stood_still(round(stood * 1000)))
        if now - self._looked < LOOK_EVERY:
            return
        self._looked = now
        for jump in self._clocks.look():
            self._note(jump.about, {"seconds": jump.seconds})
            if jump.about == "sleep":
                self._teller.say(self._teller.equipment.slept(round(jump.seconds * 1000)))
        if self._has_its_place() and now - self._tried >= TRY_EVERY:
            self._tried = now
            if self._record.catch_up():
                self._table.course.keeper.tell_saved()

    def _has_its_place(self) -> bool:
        """Return whether the journal is where the game's folder names it; tell if it is not, or has moved."""
        try:
            self._record.look()
        except HectorError as error:
            self._table.course.keeper.tell_unsaved(error)
            return False
        if self._record.folder != self._folder:
            self._folder = self._record.folder
            is_home = self._home.exists() and self._home.samefile(self._folder)
            say_in = self._teller.equipment
            self._teller.say(say_in.back_in_place() if is_home else say_in.moved())
        return True

    def _note(self, about: str, facts: Mapping[str, Any]) -> None:
        # As far as the table's time has come: somebody may be speaking, and his words count from their end.
        # What time alone has brought since the last line, a fallen flag say, comes with it and is told.
        self._table.course.rule({"at": self._table.now, "do": "note", "about": about, **facts})

    def close(self) -> None:
        """End with a last pulse."""
        self._pulse.close()


def _may_be_true(beat: Beat, lines: Sequence[Mapping[str, Any]]) -> bool:
    """Return whether the time of day of a pulse is not before any line that was written before it.

    A computer whose battery is empty begins in another year.
    """
    return all((written := written_at(line)) is None or written <= beat.time for line in lines)

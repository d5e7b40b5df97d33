"""How the game's clock survives: a pulse on the disk, and a watch over the computer's own clocks.

The rule: the game's clock is the time that the program was awake. What it showed at its last pulse before a
crash or a power failure, at most a second old, it shows again when the game goes on; while the program was
not running, or the computer slept, the game was interrupted and no clock ran (6.11 of the Laws), and what the
time of day was set to never touches it. The arbiter finds each of these in the journal and may set the clocks
otherwise (6.10).
"""

from __future__ import annotations

import contextlib
import json
import math
import os
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from assistant.files import open_own, read_file
from assistant.table.record import written_at
from assistant.threads import begin_thread

FILE_NAME: Final = "pulse.json"
EVERY: Final = 1.0
"""Seconds between two pulses: the most that a power failure gives back to the player on the move."""
_LONGEST: Final = 10_000_000.0
"""Seconds that no game lasts: almost four months during which the program was awake."""
_LATE: Final = 15.0
"""Seconds by which a line may at most be written later than it happened: it waits for what is being said."""
_SIZE: Final = 128
"""Bytes of the file: one sector, always written as a whole."""
NOTICED: Final = 0.5
"""Seconds of sleep, or of a jump of the time of day, from which on they are told of: slewing never gets
that far between two looks."""


@dataclass(frozen=True, slots=True)
class Beat:
    """The last sign of life of a game."""

    at: float
    """The game's time, in seconds."""
    time: float
    """The time of day, in seconds since 1970."""


class Pulse:
    """Keeps the game's time on the disk, every second, from a thread of its own: a slow disk delays nobody.

    A pulse that cannot be written is left out; the journal tells of a disk that refuses.
    """

    def __init__(self, folder: Path, now: Callable[[], float]) -> None:
        """Begin; `now` returns the game's time and is called by the pulse's thread."""
        self._path = folder / FILE_NAME
        self._now = now
        self._ends = threading.Event()
        self._thread = threading.Thread(target=self._run, name="pulse", daemon=True)
        begin_thread(self._thread.start)

    def _run(self) -> None:
        descriptor = -1
        try:
            while True:
                is_last = self._ends.is_set()
                descriptor = self._anew_if_missing(descriptor)
                descriptor = self._write(descriptor)
                if is_last:
                    return
                self._ends.wait(EVERY)
        finally:
            with contextlib.suppress(OSError):
                os.close(descriptor)

    def _open(self) -> int:
        return open_own(self._path, os.O_WRONLY)

    def _anew_if_missing(self, descriptor: int) -> int:
        """Return where to write: a new file if none could be made yet, or somebody has removed it."""
        with contextlib.suppress(OSError):
            if descriptor < 0:
                return self._open()
            if not os.fstat(descriptor).st_nlink:
                anew = self._open()
                # What cannot be closed is closed all the same, and its number may be another file's next.
                with contextlib.suppress(OSError):
                    os.close(descriptor)
                return anew
        return descriptor

    def _write(self, descriptor: int) -> int:
        """Write a pulse; return where the next one belongs."""
        beat = json.dumps({"at": round(self._now(), 3), "time": round(time.time(), 3)})
        # Overwritten in place: a full disk has no say in it, and one sector is never torn.
        try:
            os.pwrite(descriptor, beat.encode().ljust(_SIZE - 1) + b"\n", 0)
            os.fdatasync(descriptor)
        except OSError:
            # The disk may be there again, but never under a descriptor from before: see `GrowingFile`.
            with contextlib.suppress(OSError):
                os.close(descriptor)
            return -1
        return descriptor

    def close(self) -> None:
        """Write the last pulse."""
        self._ends.set()
        self._thread.join()


def last_beat(folder: Path, last: Mapping[str, Any]) -> Beat | None:
    """Return the last sign of life of the game in a folder; `None` if there is none that can be read.

    `last` is the last line of its journal, which is the record: it alone tells where the game stood if the
    pulse cannot be true, or not this game's. No game's time goes on longer than the time of day does.
    """
    try:
        kept = json.loads(read_file(folder / FILE_NAME))
        beat = Beat(float(kept["at"]), float(kept["time"]))
    except (OSError, ValueError, KeyError, TypeError, OverflowError, RecursionError):
        return None
    if not (0 <= beat.at <= _LONGEST and math.isfinite(beat.time)):
        return None
    written = written_at(last)
    passed = math.inf if written is None else beat.time - written
    return beat if beat.at - float(last.get("at", 0.0)) <= passed + _LATE else None


@dataclass(frozen=True, slots=True)
class Jump:
    """Something has happened to the computer's clocks."""

    about: Literal["sleep", "time-of-day"]
    seconds: float
    """How long it slept; by how much the time of day was set forward."""


Clocks = tuple[float, float, float]
"""Monotonic time, the same with the time of sleep, the time of day; in seconds."""


def read_clocks() -> Clocks:
    """Read the clocks of the computer. Where none counts the sleep, none is ever noticed."""
    monotonic = time.monotonic()
    boot = time.clock_gettime(time.CLOCK_BOOTTIME) if hasattr(time, "CLOCK_BOOTTIME") else monotonic
    return monotonic, boot, time.time()


class ClockWatch:
    """Compares the computer's clocks with each other from look to look."""

    def __init__(self, read: Callable[[], Clocks] = read_clocks) -> None:
        self._read = read
        self._slept, self._day = self._offsets()

    def _offsets(self) -> tuple[float, float]:
        monotonic, boot, day = self._read()
        return boot - monotonic, day - boot

    def look(self) -> list[Jump]:
        """Return what has happened since the last look."""
        slept, day = self._offsets()
        found = []
        if slept - self._slept >= NOTICED:
            found.append(Jump("sleep", round(slept - self._slept, 3)))
        if abs(day - self._day) >= NOTICED:
            found.append(Jump("time-of-day", round(day - self._day, 3)))
        self._slept, self._day = slept, day
        return found

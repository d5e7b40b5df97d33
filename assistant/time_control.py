"""Time controls in PGN style: periods of play, each with an increment or a delay, in whole microseconds."""

from __future__ import annotations

import re
from dataclasses import dataclass

from assistant.errors import ScriptError

Microseconds = int

SECOND = 1_000_000
LONGEST = 100_000_000 * SECOND
"""Three years: no game and no time on a clock is longer."""

_PERIOD = re.compile(
    r"(?:(?P<moves>\d{1,4})/)?(?P<time>\d{1,9}(?:\.\d{1,6})?)"
    r"(?:(?P<mode>[+d])(?P<extra>\d{1,6}(?:\.\d{1,6})?))?",
    re.ASCII,
)


@dataclass(frozen=True, slots=True)
class Period:
    """One period: how many moves it asks for (None: all the rest), its time, and the time for each move."""

    moves: int | None
    time: Microseconds
    increment: Microseconds = 0
    delay: Microseconds = 0


@dataclass(frozen=True, slots=True)
class TimeControl:
    """The periods in order; none means a game without a clock. A last period with moves repeats itself."""

    periods: tuple[Period, ...]

    def __bool__(self) -> bool:
        return bool(self.periods)

    def period(self, index: int) -> Period:
        return self.periods[min(index, len(self.periods) - 1)]

    def moves_before(self, index: int) -> int:
        """Return how many moves have been asked for before the period with this index."""
        return sum(self.period(each).moves or 0 for each in range(index))

    def index_after(self, moves: int) -> int:
        """Return the period in which a player is who has completed so many moves."""
        index = 0
        while True:
            asked = self.period(index).moves
            if asked is None or moves < asked:
                return index
            moves -= asked
            index += 1

    def is_last(self, index: int) -> bool:
        """Is this the period in which all the remaining moves must be made?"""
        return self.period(index).moves is None

    def has_extra(self) -> bool:
        return any(period.increment or period.delay for period in self.periods)

    def allotted(self) -> Microseconds:
        """Return the time a player has for sixty moves, each with its increment or delay (A.1, B.1)."""
        total = 0
        reached: set[int] = set()
        for number in range(60):
            index = self.index_after(number)
            period = self.period(index)
            if index not in reached:
                reached.add(index)
                total += period.time
            total += period.increment + period.delay
        return total


def parse_time_control(text: object) -> TimeControl:
    """Read a time control such as `40/5400+30:1800+30`, `300d3` or `-` (no clock); see PGN, `TimeControl`.

    :raises ScriptError: with one sentence if it is none.
    """
    if text == "-":
        return TimeControl(())
    periods: list[Period] = []
    for part in text.split(":") if isinstance(text, str) else ("",):
        match = _PERIOD.fullmatch(part)
        if match is None:
            raise ScriptError(
                "The time control {text!r} cannot be read: write [MOVES/]SECONDS[+INCREMENT], "
                "for example 5400+30 or 40/5400:1800.",
                text=text,
            )
        moves = int(match["moves"]) if match["moves"] else None
        time = _exact(match["time"])
        extra = _exact(match["extra"]) if match["extra"] else 0
        if moves == 0 or time + extra == 0 or time > LONGEST or len(periods) >= 16:
            raise ScriptError(
                "The time control {text!r} cannot be played: write [MOVES/]SECONDS[+INCREMENT], "
                "for example 5400+30 or 40/5400:1800.",
                text=text,
            )
        mode = match["mode"]
        periods.append(
            Period(moves, time, increment=extra if mode == "+" else 0, delay=extra if mode == "d" else 0)
        )
    if any(period.moves is None for period in periods[:-1]):
        raise ScriptError(
            "In the time control {text!r} only the last period may lack its number of moves.", text=text
        )
    return TimeControl(tuple(periods))


def _exact(text: str) -> Microseconds:
    whole, _, fraction = text.partition(".")
    return int(whole) * SECOND + int(fraction.ljust(6, "0") or 0) if fraction else int(whole) * SECOND

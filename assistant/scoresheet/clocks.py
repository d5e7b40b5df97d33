"""Clock times of two numbers that a person has typed, such as 1:29: in hours and minutes, or in minutes.

A clock shows hours and minutes while there is much time and minutes and seconds later, and people write what
they see. Hector itself always writes h:mm:ss, as PGN does. What may be either is decided by the time control
and by the same player's other times, as a clock only goes down but for what the time control adds; what that
leaves open is nobody's guess.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from assistant.errors import HectorError
from assistant.time_control import TimeControl, parse_time_control

_MINUTE = 60_000
_HOUR = 60 * _MINUTE
_MOST = 5 * _HOUR // 2
"""As much as a player ever has when the first time is written; blitz begins with 3:00 or 5:00."""
_SLACK = 5 * _MINUTE
"""What an arbiter may have added, and what a time without seconds leaves open."""
_LATER_PERIOD = 30
"""No usual time control adds the time of a second period before this move."""
_EARLY = 20
"""Within so many moves no player uses nearly all of an hour or more."""
_IN_SECONDS = 20 * _MINUTE
"""Below this a digital clock shows seconds and no hours."""
_DOUBTFUL = 120_000_000
"""Microseconds up to which a time control is no game in seconds: somebody means minutes, as in 90+30."""


@dataclass(frozen=True, slots=True)
class ShortTime:
    """A clock time of two numbers: `first`:`second`, as it stands on the sheet."""

    first: int
    second: int

    def __str__(self) -> str:
        return f"{self.first}:{self.second:02}"

    @property
    def in_hours(self) -> int:
        """Milliseconds if it is hours and minutes."""
        return self.first * _HOUR + self.second * _MINUTE

    @property
    def in_minutes(self) -> int:
        """Milliseconds if it is minutes and seconds."""
        return self.first * _MINUTE + self.second * 1000


def decide(times: Mapping[int, ShortTime | int], time_control: str) -> dict[int, int]:
    """Return the milliseconds of those short times of one player that are decided.

    `times` has the player's clock times by the numbers of his moves, those that are certain in milliseconds;
    `time_control` is what the sheet says of it, be that nothing or no time control of PGN. It counts if the
    moves are numbered from the first one of the game.
    """
    control = _control(time_control)
    certain = {move: time for move, time in times.items() if isinstance(time, int)}
    gains = _Gains(control, max(times, default=0))
    found: dict[int, int] = {}
    last = (0, control.period(0).time // 1000) if control else None
    was_in_hours: bool | None = None
    for move, time in sorted(times.items()):
        if isinstance(time, int):
            last = (move, time)
            continue
        most = last[1] + gains.between(last[0], move) if last else _MOST
        following = min((each for each in certain if each > move), default=None)
        least = certain[following] - gains.between(move, following) if following else 0
        can_be = [
            least <= each + _SLACK and each <= most + _SLACK for each in (time.in_hours, time.in_minutes)
        ]
        if all(can_be):
            is_in_hours = _likely(time, move, last, was_in_hours)
        else:
            is_in_hours = can_be[0] if any(can_be) else None
        if is_in_hours is not None:
            was_in_hours = is_in_hours
            found[move] = time.in_hours if is_in_hours else time.in_minutes
            last = (move, found[move])
    return found


def _likely(
    time: ShortTime, move: int, last: tuple[int, int] | None, was_in_hours: bool | None
) -> bool | None:
    """Return whether a time that may be both is in hours, like the one before; None if nobody knows."""
    if was_in_hours is not None:
        if time.first:
            return was_in_hours or None
        return was_in_hours if not was_in_hours or time.in_hours >= _IN_SECONDS else None
    early = last is not None and last[1] >= _HOUR and move - last[0] <= _EARLY
    if early and (time.first or time.in_hours >= _IN_SECONDS):
        return True
    return None


def _control(text: str) -> TimeControl | None:
    try:
        control = parse_time_control(text)
    except HectorError:
        return None
    return control if control and control.period(0).time > _DOUBTFUL else None


class _Gains:
    """What a time control can add to a clock during so many moves."""

    def __init__(self, control: TimeControl | None, moves: int) -> None:
        self._control = control
        self._periods = [control.index_after(move) for move in range(moves + 1)] if control else []

    def between(self, since: int, move: int) -> int:
        """Return the most milliseconds from one move to another."""
        if self._control is None:
            return (move - since) * _MINUTE + (_HOUR if move > _LATER_PERIOD else 0)
        # The time of a period is added after its moves or, on some clocks, when the one before is used up.
        later = set(self._periods[: move + 1]) - {0}
        gained = sum(self._control.period(index).time for index in later)
        gained += sum(self._control.period(index).increment for index in self._periods[since : move + 1])
        return gained // 1000

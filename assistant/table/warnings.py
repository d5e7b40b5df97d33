"""A player's warnings of his own time, which he switched on before the game; nobody else's, and once each.

The duties of an assistant let a player be told his time at his request (2023 D.2.10.4); agreeing on a warning
before the game is such a request. Whoever did not ask for one is never told.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from assistant.laws import Event
from assistant.sides import SIDES, Side, other
from assistant.table.course import Course
from assistant.table.moving import Moves

ABOUT = "warning"
"""What the journal's note of a warning is about."""
LATE = 2
"""Seconds by which a warning may come late and still name the time that was agreed."""
WAITS = 1.5
"""Seconds that a warning waits for somebody who is speaking: in a hall there may be no end of it."""
_GIVING = frozenset({"clock-set", "penalty", "position-restored"})
"""Events by which the arbiter may give time back."""


@dataclass(slots=True)
class _Waiting:
    """What one player is still to be warned of."""

    agreed: tuple[int, ...]
    seconds: list[int] = field(default_factory=list)
    """Of what was agreed, what is still to come."""


class Warnings:
    """Warns the players of one game.

    An increment brings no warning back; another period, and time that the arbiter gives, bring those of less.
    """

    def __init__(self, course: Course, moves: Moves) -> None:
        self._course = course
        self._moves = moves
        persons = {side: course.setup.person(side) for side in SIDES}
        self._waiting = {side: _Waiting(who.warnings) for side, who in persons.items() if who.warnings}
        self._seen = 0
        self._due_at = 0.0
        for side in self._waiting:
            self._renew(side)

    def attend(self, now: float, *, quiet: bool) -> None:
        """Say what is due, if no clock waits for Hector's silence and nobody speaks (`quiet`), or too long.

        While somebody speaks the game's time stands, and the player's own goes on: it is `now`.
        """
        course = self._course
        if not self._waiting or (len(course.events) == self._seen and now < self._due_at):
            return
        self._follow()
        side = course.referee.running
        waiting = None if side is None else self._waiting.get(side)
        left = None if side is None else course.referee.time_left(side)
        if side is None or waiting is None or left is None or course.over:
            # Every change of whose clock runs is an event.
            self._due_at = math.inf
            return
        left -= max(0.0, now - course.now - course.referee.delay_left)
        due = [seconds for seconds in waiting.seconds if left <= seconds]
        if due and left > 0:
            is_kept_back = not quiet and left > due[0] - WAITS
            if is_kept_back or self._moves.press_due() is not None:
                self._due_at = now
                return
            self._warn(side, waiting, due[-1], left)
        self._due_at = now + left - waiting.seconds[0] if waiting.seconds else math.inf

    def recall(self, line: Mapping[str, Any]) -> None:
        """Take a line of the journal, ruled on anew: a warning is not given again after a break."""
        self._follow()
        if line.get("do") == "note" and line.get("about") == ABOUT:
            side, seconds = line.get("side"), line.get("seconds")
            waiting = self._waiting.get(side) if side in SIDES else None
            if waiting is not None and isinstance(seconds, int | float):
                waiting.seconds = [each for each in waiting.seconds if each < seconds]

    def _follow(self) -> None:
        """Look at what has happened since the last time: time that was given brings warnings back."""
        events = self._course.events
        for event in events[self._seen :]:
            for side in self._waiting:
                if self._may_give_time(event, side):
                    self._renew(side)
        self._seen = len(events)

    def _may_give_time(self, event: Event, side: Side) -> bool:
        """Return whether a player may have more time by an event, and not by his own press."""
        about = event.keys.get("side")
        if event.event == "period-reached":
            return about == side
        if event.event == "illegal-move":
            return about == other(side) and bool(event.keys.get("seconds"))
        return event.event in _GIVING

    def _renew(self, side: Side) -> None:
        """Wait for everything that was agreed and that is less than the player has now, and for what is due.

        Where he has no more than before, what he was warned of is not less and does not come back.
        """
        left = self._course.referee.time_left(side)
        waiting = self._waiting[side]
        still = waiting.seconds
        waiting.seconds = [
            each for each in waiting.agreed if left is not None and (each < left or each in still)
        ]

    def _warn(self, side: Side, waiting: _Waiting, agreed: int, left: float) -> None:
        """Name a time that was agreed, or what is left if it comes late: that stands for all that is near."""
        course = self._course
        told = agreed if left > agreed - LATE else int(left)
        said = [each for each in waiting.seconds if each >= (agreed if told == agreed else told - LATE)]
        waiting.seconds = waiting.seconds[len(said) :]
        course.rule({"at": course.now, "do": "note", "about": ABOUT, "side": side, "seconds": said[-1]})
        if told > 0 and not course.over:
            course.teller.say(course.teller.sentences.warning(told * 1000, side))

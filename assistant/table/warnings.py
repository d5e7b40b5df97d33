"""A player's warnings of his own time, which he switched on before the game; nobody else's, and once each.

The duties of an assistant let a player be told his time at his request (2023 D.2.10.4); agreeing on a warning
before the game is such a request. Whoever did not ask for one is never told.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from assistant.sides import SIDES, Side
from assistant.table.course import Course

ABOUT = "warning"
"""What the journal's note of a warning is about."""
LATE = 2
"""Seconds by which a warning may come late and still name the time that was agreed."""


@dataclass(slots=True)
class _Waiting:
    """What one player is still to be warned of."""

    agreed: tuple[int, ...]
    seconds: list[int] = field(default_factory=list)
    """Of what was agreed, what is still to come."""


class Warnings:
    """Warns the players of one game. An increment brings no warning back; another period brings them all."""

    def __init__(self, course: Course) -> None:
        self._course = course
        persons = {side: course.setup.person(side) for side in SIDES}
        self._waiting = {side: _Waiting(who.warnings) for side, who in persons.items() if who.warnings}
        self._seen = 0
        self._due_at = 0.0
        for side in self._waiting:
            self._renew(side)

    def attend(self, *, quiet: bool) -> None:
        """Say what is due, if nobody is speaking (`quiet`) and no clock waits for Hector's silence."""
        course = self._course
        if not self._waiting or (len(course.events) == self._seen and course.now < self._due_at):
            return
        self._follow()
        side = course.referee.running
        waiting = None if side is None else self._waiting.get(side)
        left = None if side is None else course.referee.time_left(side)
        if side is None or waiting is None or left is None or course.over:
            # Every change of whose clock runs is an event.
            self._due_at = math.inf
            return
        due = [seconds for seconds in waiting.seconds if left <= seconds]
        if due and left > 0:
            pressing = course.setup.press == "auto" and course.memory.pending is not None
            if pressing or not quiet:
                self._due_at = course.now
                return
            waiting.seconds = waiting.seconds[len(due) :]
            self._warn(side, due[-1], left)
        self._due_at = course.now + left - waiting.seconds[0] if waiting.seconds else math.inf

    def recall(self, line: Mapping[str, Any]) -> None:
        """Take a line of the journal, ruled on anew: a warning is not given again after a break."""
        self._follow()
        if line.get("do") == "note" and line.get("about") == ABOUT:
            side, seconds = line.get("side"), line.get("seconds")
            waiting = self._waiting.get(side) if side in SIDES else None
            if waiting is not None and isinstance(seconds, int | float):
                waiting.seconds = [each for each in waiting.seconds if each < seconds]

    def _follow(self) -> None:
        """Look at what has happened since the last time: a period that began gives new time."""
        events = self._course.events
        for event in events[self._seen :]:
            if event.event == "period-reached" and event.keys.get("side") in self._waiting:
                self._renew(event.keys["side"])
        self._seen = len(events)

    def _renew(self, side: Side) -> None:
        """Wait for everything that was agreed and that is less than the player has now."""
        left = self._course.referee.time_left(side)
        waiting = self._waiting[side]
        waiting.seconds = [] if left is None else [each for each in waiting.agreed if each < left]

    def _warn(self, side: Side, agreed: int, left: float) -> None:
        course = self._course
        line = {"at": course.now, "do": "note", "about": ABOUT, "side": side, "seconds": agreed}
        course.rule(line)
        told = agreed if left > agreed - LATE else int(left)
        if told > 0 and not course.over:
            course.say(course.sentences.warning(told * 1000, side))

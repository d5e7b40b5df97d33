"""The chess clock on passed-in time: two displays of which at most one runs (article 6)."""

from __future__ import annotations

from dataclasses import dataclass, field

from assistant.laws.events import Microseconds
from assistant.sides import Side, other
from assistant.time_control import TimeControl


@dataclass(slots=True)
class Display:
    """One side of the clock.

    `left` is the main time in microseconds, `delay` what is left of this move's delay, `completed` the
    moves completed, `credited` the last period whose time was added, `fallen` when the flag fell (None: it
    is up), `used` how long the side has run. Where nobody calls a flag it may be down while time of the next
    period is left: the control was reached too late, and the opponent may still claim.
    """

    left: Microseconds
    delay: Microseconds = 0
    completed: int = 0
    period: int = 0
    credited: int = 0
    fallen: Microseconds | None = None
    used: Microseconds = 0


def _use(display: Display, time: Microseconds) -> None:
    display.used += time
    from_delay = min(time, display.delay)
    display.delay -= from_delay
    display.left = max(0, display.left - (time - from_delay))


@dataclass(slots=True)
class Clock:
    """Both displays. All times are microseconds; `now` is the moment the clock was last brought up to.

    `order_known` turns false when the arbiter sets both times to zero: nobody can tell then which flag fell
    first, until one of them is put up again.
    """

    control: TimeControl
    white: Display = field(default_factory=lambda: Display(0))
    black: Display = field(default_factory=lambda: Display(0))
    running: Side | None = None
    now: Microseconds = 0
    order_known: bool = True

    @classmethod
    def at_start(cls, control: TimeControl) -> Clock:
        clock = cls(control)
        if control:
            first = control.period(0)
            for display in (clock.white, clock.black):
                display.left = first.time + first.increment
        return clock

    def display(self, side: Side) -> Display:
        return self.white if side == "white" else self.black

    def next_fall(self) -> Microseconds | None:
        """Return the moment at which the running clock's flag will fall, None if none can."""
        if self.running is None or not self.control:
            return None
        display = self.display(self.running)
        if display.fallen is not None:
            return None
        return self.now + display.delay + display.left

    def advance(self, to: Microseconds) -> Side | None:
        """Let time pass until `to`, or until a flag falls before; return the side whose flag fell.

        A flag falls at the very moment the main time reaches zero.
        """
        fall = self.next_fall()
        until = to if fall is None else min(to, fall)
        if self.running is not None and self.control:
            _use(self.display(self.running), until - self.now)
        self.now = until
        if fall is not None and fall <= to and self.running is not None:
            self._fall(self.display(self.running), fall)
            return self.running
        return None

    def start(self, side: Side) -> None:
        """Run this side's clock and stop the other; the delay of a new turn begins."""
        self.running = side
        if self.control:
            display = self.display(side)
            display.delay = self.control.period(display.period).delay

    def stop(self) -> None:
        self.running = None

    def complete(self, side: Side, moves: int, *, pressed: bool, carry_over_with_delay: bool) -> bool:
        """Count completed moves; credit the increment of a press and the time of a new period.

        No press takes back that a flag has fallen; without time left it brings no increment either.

        :returns: whether a new period has begun.
        """
        display = self.display(side)
        display.completed += moves
        if not self.control:
            return False
        reached = False
        index = self.control.index_after(display.completed)
        while display.period < index:
            delayed = self.control.period(display.period).delay
            display.period += 1
            reached = True
            if display.period <= display.credited:
                continue  # A move was taken back after the control: its time has been added already.
            if delayed and not carry_over_with_delay:
                display.left = 0
            display.left += self.control.period(display.period).time
            display.credited = display.period
        if pressed and (display.fallen is None or display.left):
            display.left += self.control.period(display.period).increment
        return reached

    def grant(self, side: Side, time: Microseconds) -> None:
        """Add time to a side's clock; a flag is up again, unless it fell in an earlier period."""
        display = self.display(side)
        if time > 0 and display.left == 0:
            display.fallen = None
        display.left += time

    def deduct(self, side: Side, time: Microseconds) -> bool:
        """Take time from a side's clock, never below zero; return whether that made the flag fall."""
        display = self.display(side)
        display.left = max(0, display.left - time)
        if display.left == 0 and display.fallen is None:
            self._fall(display, self.now)
            return True
        return False

    def _fall(self, display: Display, at: Microseconds) -> None:
        """Let a flag fall that was up: if the other is down, it fell before."""
        display.fallen = at
        self.order_known = True

    def charge(self, side: Side, time: Microseconds) -> bool:
        """Let a side use time as if its clock had run on; return whether that made the flag fall."""
        display = self.display(side)
        _use(display, time)
        return self.deduct(side, 0)

    def set_times(self, white: Microseconds | None, black: Microseconds | None) -> list[Side]:
        """Set the displays that are given; return the sides whose flags are down because of it."""
        down: list[Side] = []
        sides: tuple[tuple[Side, Microseconds | None], ...] = (("white", white), ("black", black))
        for side, time in sides:
            if time is None:
                continue
            display = self.display(side)
            display.left = time
            display.credited = display.period
            if time:
                display.fallen = None
                continue
            down.append(side)
            if display.fallen is None:
                display.fallen = self.now
        if len(down) == 2 or not self.are_both_down:
            self.order_known = len(down) < 2
        return down

    def set_moves(self, having_the_move: Side, moves: int, other_moves: int) -> None:
        """Set the move counters of the player who has the move and of his opponent."""
        self.display(having_the_move).completed = moves
        self.display(other(having_the_move)).completed = other_moves
        for display in (self.white, self.black):
            if self.control:
                display.period = self.control.index_after(display.completed)
                display.credited = max(display.credited, display.period)

    @property
    def are_both_down(self) -> bool:
        """Whether both flags are down."""
        return self.white.fallen is not None and self.black.fallen is not None

    def first_down(self) -> Side | None:
        """Return the side whose flag fell first, None if no flag is down."""
        white, black = self.white.fallen, self.black.fallen
        if white is None:
            return None if black is None else "black"
        return "white" if black is None or white <= black else "black"

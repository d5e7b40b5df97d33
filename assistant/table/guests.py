"""Whoever takes part in a game beside the players at the board: the arbiter, an opponent elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeAlias

from assistant.table.folder import Where
from assistant.table.game import Table

InOrder: TypeAlias = Callable[[float, Callable[[], None]], None]
"""Does something at its time: after what was being said then, and in order with all else that was done."""


def at_once(_at: float, act: Callable[[], None]) -> None:
    """Do something now, where nobody speaks whose words could come before it."""
    act()


class Guest(Protocol):
    """Takes part in a live game. Every method is called by the thread that the table lives in."""

    def open(self, table: Table, where: Where, now: Callable[[], float]) -> None:
        """Come to the table, before its clock starts; `now` returns the game's time, to any thread.

        :raises HectorError: if he cannot.
        """

    def attend(self, in_order: InOrder = at_once) -> None:
        """Carry out what was sent since the last time, and show what has changed. Never waits."""

    @property
    def starts(self) -> bool:
        """Whether he wants the clock started."""

    @property
    def stays(self) -> bool:
        """Whether he still has something to do when the game is over."""

    def close(self) -> None:
        """Leave the table."""


class Clerk(Protocol):
    """Takes lines typed at the table that are no player's."""

    def open(self, table: Table, where: Where, show: Callable[[str], None]) -> None:
        """Come to the table, before its clock starts; `show` gets each line that he has to say."""

    def is_his(self, line: str) -> bool:
        """Return whether a line is for him."""

    def take(self, line: str, at: float) -> bool:
        """Act on a line if it is for him, and return whether it is. `at` is when it was typed."""


class Company:
    """Several guests at one table, each attended to in turn."""

    def __init__(self, *guests: Guest) -> None:
        self._guests = guests
        self._seated: list[Guest] = []

    def open(self, table: Table, where: Where, now: Callable[[], float]) -> None:
        """Let everybody come.

        :raises HectorError: if one of them cannot; then nobody is left.
        """
        try:
            for guest in self._guests:
                guest.open(table, where, now)
                self._seated.append(guest)
        except BaseException:
            self.close()
            raise

    def attend(self, in_order: InOrder = at_once) -> None:
        for guest in self._seated:
            guest.attend(in_order)

    @property
    def starts(self) -> bool:
        return any(guest.starts for guest in self._seated)

    @property
    def stays(self) -> bool:
        return any(guest.stays for guest in self._seated)

    def close(self) -> None:
        while self._seated:
            self._seated.pop().close()

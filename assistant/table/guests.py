"""Somebody who takes part in a game from elsewhere: the arbiter and the opponent on their page."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from assistant.table.game import Table


class Guest(Protocol):
    """Takes part in a live game. Every method is called by the thread that the table lives in."""

    def open(self, table: Table, folder: Path, now: Callable[[], float]) -> None:
        """Come to the table, before its clock starts; `now` returns the game's time, to any thread.

        :raises HectorError: if he cannot.
        """

    def attend(self) -> None:
        """Carry out what was sent since the last time, and show what has changed. Never waits."""

    @property
    def starts(self) -> bool:
        """Whether he wants the clock started."""

    @property
    def stays(self) -> bool:
        """Whether he still has something to do when the game is over."""

    def close(self) -> None:
        """Leave the table."""

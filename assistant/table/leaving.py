"""The last that is told of a game at this table: where it is kept, or that it is not."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from assistant.called import command
from assistant.interrupts import Ending
from assistant.quiet import Printer
from assistant.scoresheet import render
from assistant.table.game import Table
from assistant.table.record import GameRecord
from assistant.table.terminal import ELSEWHERE, KEPT, LOST, OLDER_SHEETS, STOPPED, show, show_all


def leave(
    table: Table,
    record: GameRecord,
    folder: Path,
    screen: Printer | None = None,
    *,
    is_stopped: bool,
    again: Sequence[str] = ("resume",),
) -> int:
    """Tell where the game is that was begun in `folder`, and how it goes on if it was stopped.

    `again` is the command that continues it as it was played, and its options.

    Return the exit status: 1 if that folder has not taken all of it, its sheets included. What no folder
    takes stands on the screen, and no promise that the game goes on. It comes after what `screen` shows of
    the game, by which it is shown too; without one, at once. A signal interrupts when all is kept and told.
    """
    with Ending():
        return _leave(table, record, folder, screen, is_stopped=is_stopped, again=again)


def _leave(
    table: Table,
    record: GameRecord,
    folder: Path,
    screen: Printer | None,
    *,
    is_stopped: bool,
    again: Sequence[str],
) -> int:
    tell = show if screen is None else screen.show
    language = table.setup.language
    if record.lacks_sheets:
        record.make_room()
        table.course.keeper.write_sheets()
    missing = record.settle()
    if missing:
        teller = table.course.teller
        teller.say(teller.equipment.not_recorded())
        show_all(LOST, language, by=tell, count=missing)
        for line in render(table.sheet, "pgn", language).decode().split("\n"):
            if line:
                tell(line)
        return 1
    if record.has_left:
        show_all(ELSEWHERE, language, by=tell, folder=folder)
        table.course.keeper.write_sheets()
    if is_stopped:
        show_all(STOPPED, language, by=tell, command=command(again[0], record.folder, *again[1:]))
    else:
        show_all(KEPT, language, by=tell, folder=record.folder)
    if record.lacks_sheets:
        show_all(OLDER_SHEETS, language, by=tell, command=command(again[0], record.folder, *again[1:]))
    return int(record.has_left or record.lacks_sheets)

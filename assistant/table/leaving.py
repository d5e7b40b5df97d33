"""The last that is told of a game at this table: where it is kept, or that it is not."""

from __future__ import annotations

from pathlib import Path

from assistant.scoresheet import render
from assistant.table.game import Table
from assistant.table.record import GameRecord
from assistant.table.terminal import ELSEWHERE, KEPT, LOST, Screen, show, show_all, show_stopped


def leave(
    table: Table, record: GameRecord, folder: Path, screen: Screen | None = None, *, is_stopped: bool
) -> int:
    """Tell where the game is that was begun in `folder`, and how it goes on if it was stopped.

    Return the exit status: 1 if that folder has not taken all of it. What no folder takes stands on the
    screen, and no promise that the game goes on. It comes after what `screen` shows of the game.
    """
    language = table.setup.language
    missing = record.settle()
    if missing:
        table.course.say(table.course.sentences.not_recorded())
    if screen is not None:
        screen.finish()
    if missing:
        show_all(LOST, language, count=missing)
        for line in render(table.sheet, "pgn", language).decode().split("\n"):
            if line:
                show(line)
        return 1
    is_elsewhere = record.has_left
    if is_elsewhere:
        show_all(ELSEWHERE, language, folder=folder)
        table.course.write_sheets()
    if is_stopped:
        show_stopped(record.folder, language)
    else:
        show_all(KEPT, language, folder=record.folder)
    return int(is_elsewhere)

"""What a game leaves behind: the journal, what was said, and the sheets, all derived from the events."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from assistant.errors import HectorError
from assistant.journal import Journal
from assistant.scoresheet import Game, render
from assistant.speaking import Sentence
from assistant.table.folder import SheetWriter
from assistant.table.setup import Setup, SheetStyle
from assistant.table.storage import Reserve

VIEWS = {"game.pgn": "pgn", "sheet.txt": "unicode", "sheet.brf": "brf", "sheet.pef": "pef"}
"""Each view of a game's folder, and its format."""


class GameRecord:
    """Keeps a live game in its folder. The journal is the state; everything else is a view of it."""

    def __init__(
        self, folder: Path, journal: Journal, warn: Callable[[str], None], *, has_game: bool = False
    ) -> None:
        self.folder = folder
        self.has_game = has_game
        self._journal = journal
        self._waiting: list[dict[str, Any]] = []
        self._reserve = Reserve(folder)
        self._sheets = SheetWriter(folder, warn)
        self._warn = warn
        self._said_fails = False
        self._written: Game | None = None

    def line(self, line: dict[str, Any]) -> None:
        """Write a line of the script through, with the time of day for the arbiter.

        What the disk refuses is kept, and written before the next line, or by `catch_up`: a journal with a
        hole would be another game's.

        :raises HectorError: if it cannot be written now.
        """
        self._waiting.append({**line, "time": time.strftime("%Y-%m-%dT%H:%M:%S%z")})
        self._write()

    def _write(self) -> None:
        try:
            self._journal.append(*self._waiting)
        except HectorError:
            if not self._reserve.spend():
                raise
            self._journal.append(*self._waiting)
        self._waiting.clear()

    @property
    def is_behind(self) -> bool:
        """Whether lines are waiting for the disk."""
        return bool(self._waiting)

    def catch_up(self) -> bool:
        """Try again to write the lines that wait; return whether none does any more."""
        if self._waiting:
            try:
                self._write()
            except HectorError:
                return False
        return True

    def said(self, sentence: Sentence, at: float) -> None:
        """Note a sentence in said.txt with the game's time and its audience."""
        minutes, seconds = divmod(at, 60)
        hours, minutes = divmod(int(minutes), 60)
        line = f"{hours}:{minutes:02}:{seconds:06.3f} {sentence.audience}: {sentence.text}\n"
        try:
            with (self.folder / "said.txt").open("a", encoding="utf-8") as file:
                file.write(line)
        except OSError as error:
            if not self._said_fails:
                self._warn(f"said.txt could not be written: {error.strerror}")
            self._said_fails = True

    def views(self, game: Game, language: str, style: SheetStyle) -> None:
        """Write the PGN and the sheets anew; what cannot be written is told once."""
        if game == self._written:
            return
        how = asdict(style.writable(language))
        written = [
            self._sheets.write(name, lambda kind=kind: render(game, kind, language, **how))  # type: ignore[misc]
            for name, kind in VIEWS.items()
        ]
        self._written = game if all(written) else None

    def close(self) -> None:
        self.catch_up()
        self._reserve.close()
        self._journal.close()


class NoRecord:
    """Keeps nothing: for a game that is only tried."""

    has_game = False

    def line(self, line: dict[str, Any]) -> None:
        pass

    def said(self, sentence: Sentence, at: float) -> None:
        pass

    def views(self, game: Game, language: str, style: SheetStyle) -> None:
        pass


def open_record(folder: Path, warn: Callable[[str], None]) -> GameRecord:
    """Begin the record of a new game.

    :raises HectorError: if the folder cannot be written or holds a game.
    """
    return GameRecord(folder, Journal.create(folder), warn)


def reopen_record(
    folder: Path, warn: Callable[[str], None]
) -> tuple[GameRecord, Setup, list[dict[str, Any]]]:
    """Continue the record of a game: return it, the setup, and the script lines so far.

    :raises HectorError: if the folder holds no game that can be read.
    """
    journal, kept = Journal.reopen(folder)
    try:
        first, *lines = kept.lines
        setup = Setup.from_journal(first["game"], first.get("table", {}))
    except (ValueError, KeyError, TypeError) as error:
        journal.close()
        raise HectorError(f"{folder} holds a journal without a game; nothing was changed.") from error
    return GameRecord(folder, journal, warn, has_game=True), setup, lines

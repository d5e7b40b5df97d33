"""What a game leaves behind: the journal, what was said, and the sheets, all derived from the events."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import chess

from assistant.errors import HectorError
from assistant.journal import Journal
from assistant.laws import Event
from assistant.scoresheet import Game, Ply, new_game, render
from assistant.speaking import Sentence
from assistant.table.folder import SheetWriter
from assistant.table.setup import Setup

if TYPE_CHECKING:
    from assistant.table.game import Table

VIEWS = {"game.pgn": "pgn", "sheet.txt": "unicode", "sheet.brf": "brf", "sheet.pef": "pef"}
"""Each view of a game's folder, and its format."""


def sheet_of(events: Iterable[Event], setup: Setup, board: chess.Board) -> Game:
    """Return the game as it stands on the scoresheet after these events; `board` is the start position."""
    plies: list[Ply] = []
    result = "*"
    for event in events:
        keys = event.keys
        match event.event:
            case "move-made":
                del plies[int(keys["ply"]) - 1 :]
                plies.append(Ply(chess.Move.from_uci(str(keys["uci"]))))
            case "move-completed":
                _note_clock(plies, keys)
            case "draw-offered" if plies:
                _note_offer(plies, (keys["side"] == "white") == board.turn)
            case "position-restored":
                del plies[int(keys["ply"]) :]
            case "game-over":
                result = str(keys["result"])
    tags = {
        "Event": setup.event,
        "Site": setup.site,
        "Date": setup.date,
        "Round": setup.round,
        "White": setup.white.name,
        "Black": setup.black.name,
        "TimeControl": setup.time_control,
    }
    game = new_game(tags, plies=tuple(plies), result="*" if result == "annulled" else result)
    return replace(game, start_fen=board.fen(), chess960=board.chess960, edition=setup.laws)


def _note_clock(plies: list[Ply], keys: Any) -> None:
    index = int(keys["ply"]) - 1
    left = keys.get(keys["side"])
    if 0 <= index < len(plies) and left is not None:
        # As a clock shows it: whole seconds, the one that is running down not counted.
        plies[index] = replace(plies[index], clock_ms=int(left) * 1000)


def _note_offer(plies: list[Ply], by_first_player: bool) -> None:
    """Put the sign (=) to the last move of the player who offered; both sheets have it (8.1, 9.1)."""
    for index in range(len(plies) - 1, -1, -1):
        if (index % 2 == 0) == by_first_player:
            plies[index] = replace(plies[index], offer=True)
            return


class GameRecord:
    """Keeps a live game in its folder. The journal is the state; everything else is a view of it."""

    def __init__(self, folder: Path, journal: Journal, warn: Callable[[str], None]) -> None:
        self.folder = folder
        self._journal = journal
        self._sheets = SheetWriter(folder, warn)
        self._warn = warn
        self._said_fails = False
        self._written: Game | None = None

    def line(self, line: dict[str, Any]) -> None:
        """Write a line of the script through, with the time of day for the arbiter.

        :raises HectorError: if it cannot be written.
        """
        self._journal.append({**line, "time": time.strftime("%Y-%m-%dT%H:%M:%S%z")})

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

    def views(self, table: Table) -> None:
        """Write the PGN and the sheets anew; what cannot be written is told once."""
        game = sheet_of(table.events, table.setup, table.start_board)
        if game == self._written:
            return
        language = table.setup.language
        written = [
            self._sheets.write(name, lambda kind=kind: render(game, kind, language))  # type: ignore[misc]
            for name, kind in VIEWS.items()
        ]
        self._written = game if all(written) else None

    def close(self) -> None:
        self._journal.close()


class NoRecord:
    """Keeps nothing: for a game that is only tried."""

    def line(self, line: dict[str, Any]) -> None:
        pass

    def said(self, sentence: Sentence, at: float) -> None:
        pass

    def views(self, table: Table) -> None:
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
    return GameRecord(folder, journal, warn), setup, lines

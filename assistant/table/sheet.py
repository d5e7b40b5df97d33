"""The scoresheet of a live game, derived from what the referee decided."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import chess

from assistant.laws import Event
from assistant.scoresheet import Game, Ply, new_game
from assistant.table.setup import Setup


def sheet_of(events: Iterable[Event], setup: Setup, board: chess.Board) -> Game:
    """Return the game as it stands on the scoresheet after these events; `board` is the start position."""
    plies: list[Ply] = []
    erased: dict[int, Ply] = {}
    result = "*"
    offering: set[str] = set()
    for event in events:
        keys = event.keys
        match event.event:
            case "move-made":
                del plies[int(keys["ply"]) - 1 :]
                plies.append(Ply(chess.Move.from_uci(str(keys["uci"])), offer=keys["side"] in offering))
                offering.discard(keys["side"])
            case "move-completed":
                _note_clock(plies, keys)
            case "draw-offered":
                by_first = (keys["side"] == "white") == board.turn
                if by_first == (len(plies) % 2 == 0):
                    # He has the move: the sign belongs to the one that he makes next.
                    offering.add(keys["side"])
                else:
                    _note_offer(plies, by_first)
            case "position-restored":
                offering.clear()
                kept = int(keys["ply"])
                erased |= dict(enumerate(plies[kept:], kept))
                del plies[kept:]
                for stands in keys.get("moves", ()):
                    _put_otherwise(plies, stands, erased)
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


def _put_otherwise(plies: list[Ply], stands: Mapping[str, Any], erased: dict[int, Ply]) -> None:
    """Write the move that stands in place of the one that was made; its time and its sign (=) remain.

    A move that comes back, because the ruling that erased it was taken back, has its sign again.
    """
    index, move = int(stands["ply"]) - 1, chess.Move.from_uci(str(stands["uci"]))
    if index < len(plies):
        plies[index] = replace(plies[index], move=move)
    else:
        before = erased.get(index)
        plies.append(before if before is not None and before.move == move else Ply(move))
    _note_clock(plies, stands)


def _note_clock(plies: list[Ply], keys: Mapping[str, Any]) -> None:
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

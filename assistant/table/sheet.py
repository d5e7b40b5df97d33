"""The scoresheet of a live game, derived from what the referee decided."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import chess

from assistant.laws import Event, Referee
from assistant.offers import OFFER
from assistant.scoresheet import Game, Ply, move_number, new_game
from assistant.sides import side_of
from assistant.table.setup import Setup
from assistant.table.steps import is_refused


class Standing:
    """What the lines that count have brought; what a withdrawn one had brought is on no sheet."""

    def __init__(self, referee: Referee) -> None:
        self._referee = referee
        self._brought: list[tuple[Mapping[str, Any] | None, tuple[Event, ...]]] = []

    def apply(self, line: Mapping[str, Any]) -> list[Event]:
        """Let the referee rule on a line; return what he decides."""
        withdrawn = self._withdrawn_by(line)
        events = self._referee.apply(line)
        if withdrawn is None or is_refused(events):
            self._keep(line, events)
        else:
            self._brought = [each for each in self._brought if each[0] is not withdrawn]
            # What has come back was never gone.
            self._keep(line, [each for each in events if each.event != "position-restored"])
        return events

    def advance(self, at: float) -> list[Event]:
        """Let time pass; return what it brings."""
        events = self._referee.advance(at)
        self._keep(None, events)
        return events

    def _keep(self, line: Mapping[str, Any] | None, events: Sequence[Event]) -> None:
        if events:
            # Time is let pass many times a second, for hours, and hardly ever brings anything.
            self._brought.append((line, tuple(events)))

    def _withdrawn_by(self, line: Mapping[str, Any]) -> Mapping[str, Any] | None:
        last = self._referee.last_line if line.get("do") == "undo" else None
        return None if last is None else self._referee.lines[last]

    def __iter__(self) -> Iterator[Event]:
        return (event for _line, events in self._brought for event in events)


def sheet_of(events: Iterable[Event], setup: Setup, board: chess.Board) -> Game:
    """Return the game as it stands on the scoresheet after these events, those of the lines that count.

    `board` is the start position.
    """
    plies: list[Ply] = []
    result = "*"
    offering: set[str] = set()
    for event in events:
        keys = event.keys
        match event.event:
            case "move-made":
                index = int(keys["ply"]) - 1
                # A slip of the tongue was mended: what was offered after it stands (D.2.8).
                is_offered = keys["side"] in offering or (index < len(plies) and plies[index].offer)
                plies[index:] = [Ply(chess.Move.from_uci(str(keys["uci"])), offer=is_offered)]
                offering.discard(keys["side"])
            case "move-completed":
                _note_clock(plies, keys)
            case "draw-offered":
                by_first = (keys["side"] == "white") == board.turn
                has_the_move = by_first == (len(plies) % 2 == 0)
                if has_the_move or not _note_offer(plies, by_first):
                    # The sign belongs to the move that he makes next.
                    offering.add(keys["side"])
            case "position-restored":
                kept = int(keys["ply"])
                if kept == len(plies) - 1 and plies[kept].offer:
                    # He makes another move in place of this one, and what he offered with it stands.
                    offering.add(side_of((kept % 2 == 0) == board.turn))
                del plies[kept:]
                for stands in keys.get("moves", ()):
                    _put_otherwise(plies, stands)
            case "game-over":
                result = str(keys["result"])
    remark = ""
    if result != "*":
        # The move that a sign waits for does not come any more.
        for side in sorted(offering, reverse=True):
            remark = _note_last_offer(plies, board, by_white=side == "white") or remark
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
    return replace(game, start_fen=board.fen(), chess960=board.chess960, edition=setup.laws, remark=remark)


def _put_otherwise(plies: list[Ply], stands: Mapping[str, Any]) -> None:
    """Write the move that stands in place of the one that was made; its time and its sign (=) remain."""
    index = int(stands["ply"]) - 1
    plies[index] = replace(plies[index], move=chess.Move.from_uci(str(stands["uci"])))
    _note_clock(plies, stands)


def _note_clock(plies: list[Ply], keys: Mapping[str, Any]) -> None:
    index = int(keys["ply"]) - 1
    left = keys.get(keys["side"])
    if 0 <= index < len(plies) and left is not None:
        # As a clock shows it: whole seconds, the one that is running down not counted.
        plies[index] = replace(plies[index], clock_ms=int(left) * 1000)


def _note_offer(plies: list[Ply], by_first_player: bool) -> bool:
    """Put the sign (=) to the last move of the player who offered; both sheets have it (8.1, 9.1).

    Return whether he has made one.
    """
    for index in range(len(plies) - 1, -1, -1):
        if (index % 2 == 0) == by_first_player:
            plies[index] = replace(plies[index], offer=True)
            return True
    return False


def _note_last_offer(plies: list[Ply], board: chess.Board, *, by_white: bool) -> str:
    """Note an offer that was the player's last word in a game that is over, made before he moved again.

    Where he has made no move, the sign stands as a remark with the number of the one that was due, such as
    "1... (=)"; return it if there is no move at all that it could stand behind.
    """
    if _note_offer(plies, by_white == board.turn):
        return ""
    # Where Black moves first, White's first move is the next one by its number.
    number = board.fullmove_number + (by_white and not board.turn)
    remark = f"{move_number(number, white=by_white)} {OFFER}"
    if not plies:
        return remark
    plies[-1] = replace(plies[-1], remark=remark)
    return ""

"""How a game ends: by itself after a move, or by a decision; and the score that is written down."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Final, NamedTuple

import chess

from assistant.laws.mating import (
    Ability,
    can_still_mate,
    has_enough_material,
    has_mating_potential,
    is_dead,
)
from assistant.laws.position import is_whole, natural_end
from assistant.laws.state import Game, Ply
from assistant.sides import Side, other

HALF = Decimal("0.5")
_RESULTS: Final[Mapping[tuple[Decimal, Decimal], str]] = {
    (Decimal(1), Decimal(0)): "1-0",
    (Decimal(0), Decimal(1)): "0-1",
    (HALF, HALF): "1/2-1/2",
    (Decimal(0), Decimal(0)): "0-0",
    (HALF, Decimal(0)): "1/2-0",
    (Decimal(0), HALF): "0-1/2",
}
_RAISED: Final[Mapping[tuple[Decimal, Decimal], str]] = {
    (Decimal(1), HALF): "1-1/2",
    (HALF, Decimal(1)): "1/2-1",
    (Decimal(1), Decimal(1)): "1-1",
}
"""Where a penalty may raise the opponent's points and leave the offender his (12.9.d of 2014)."""
_SCORES = {result: scores for scores, result in _RESULTS.items()}


def score_for(side: Side, own: Decimal, opponents: Decimal) -> str | None:
    """Return the result by one side's points and the opponent's, None if there is no such result."""
    return _RESULTS.get((own, opponents) if side == "white" else (opponents, own))


def win_for(side: Side) -> str:
    return "1-0" if side == "white" else "0-1"


def forfeit_by(side: Side) -> str:
    """Return the result of an unplayed game that this side loses."""
    return "-/+" if side == "white" else "+/-"


def end_game(game: Game, result: str, reason: str, kind: str | None, **keys: Any) -> None:
    """End the game: the clocks stop, nothing changes any more; points set by penalties are applied."""
    assert game.result is None, "a game ends once"
    game.result = _with_penalties(game, result)
    game.clock.stop()
    game.halted = True
    game.waiting.clear()
    game.draw_offers.clear()
    game.emit("game-over", kind, result=game.result, reason=reason, **keys)


def _with_penalties(game: Game, result: str) -> str:
    """Return the result with the points given and taken; the arbiter is told where there is none such.

    Since 2018 both together are no more than a win (10.2); before, the offender keeps his.
    """
    scores = _SCORES.get(result)
    if scores is None or not any(game.points.values()):
        return result
    white = min(Decimal(1), max(Decimal(0), scores[0] + game.points["white"]))
    black = min(Decimal(1), max(Decimal(0), scores[1] + game.points["black"]))
    given = score_for("white", white, black)
    if given is None and not game.rules.score_sum_capped:
        given = _RAISED.get((white, black))
    if given is None:
        game.emit("arbiter-asked", "score-sum", about="score", proposal=result)
    return given or result


class End(NamedTuple):
    """How a move has ended the game: the result, the reason, and the kind of ruling with its keys."""

    result: str
    reason: str
    kind: str
    keys: Mapping[str, Any] = {}


def end_after_move(game: Game, ply: Ply, *, in_time: bool = False) -> bool:
    """End the game if a lawful move has ended it; see `ending_of`."""
    end = ending_of(game, ply, in_time=in_time)
    if end is not None:
        end_game(game, end.result, end.reason, end.kind, **end.keys)
    return end is not None


def ending_of(game: Game, ply: Ply, *, in_time: bool = False) -> End | None:
    """Return how a lawful move has ended the game: mate, stalemate, a dead or fivefold position; None if not.

    `in_time`: it was made before the flag fell that is down now.
    """
    if ply.offence is not None:
        return None
    flag_down = game.clock.display(ply.side).fallen is not None and not in_time
    ending = natural_end(ply.board)
    if ending is not None and ending.winner is not None:
        if flag_down and not game.rules.mate_after_flag_counts:
            return None
        return End(win_for(ending.winner), ending.reason, "checkmate")
    if ending is not None:
        return End("1/2-1/2", "stalemate", "stalemate")
    goes_by = game.board_before(len(game.plies) - 1).has_legal_en_passant()
    if is_dead(ply.board, thorough=len(game.plies) <= 2 or goes_by):
        return End("1/2-1/2", "dead-position", "dead-position")
    if _is_fivefold(game):
        return End("1/2-1/2", "fivefold", "fivefold", {"plies": game.occurrences()})
    if game.rules.seventy_five == "made" and ply.board.halfmove_clock >= 150:
        return End("1/2-1/2", "seventy-five-moves", "seventy-five")
    return None


def _is_fivefold(game: Game) -> bool:
    if game.rules.fivefold == "off" or game.board.halfmove_clock < 16:
        return False
    if game.rules.fivefold == "any":
        return len(game.occurrences()) >= 5
    last = len(game.plies)
    return set(range(last, last - 17, -4)) <= set(game.occurrences())


def judged_board(game: Game) -> chess.Board:
    """Return the position by which it is judged what a player could still do.

    A move that is not completed counts only if it is lawful and one can say which it is: not an illegal one,
    nor a blind player's that was announced otherwise than placed.
    """
    board = game.board
    for index in range(len(game.plies) - 1, -1, -1):
        ply = game.plies[index]
        if ply.completed:
            break
        if ply.offence is not None or is_doubtful(game, ply):
            board = game.board_before(index)
    return board


def is_doubtful(game: Game, ply: Ply) -> bool:
    """Can nobody but the arbiter say which move it is: a blind player's, placed otherwise than announced?"""
    return not ply.completed and ply.differs and game.player(ply.side).blind


def ability(game: Game, side: Side, board: chess.Board, *, on_time: bool) -> Ability:
    """Return whether this side could still mate, by the edition's own measure.

    A position that no legal moves lead to, say with a pawn left on the last rank, is judged by the last
    lawful one before it: no series of legal moves goes on from anywhere else.
    """
    if not is_whole(board):
        board = _last_whole(game, board)
    needs = game.rules.flag_win_needs
    if needs == "mating_potential":
        return has_mating_potential(board, side)
    if needs == "material" and on_time:
        return has_enough_material(board, side)
    return can_still_mate(board, side)


def _last_whole(game: Game, board: chess.Board) -> chess.Board:
    earlier = [game.start_board, *(ply.board for ply in game.plies)]
    ends = next((index for index, each in enumerate(earlier) if each is board), len(earlier))
    return next(each for each in reversed(earlier[:ends]) if is_whole(each))


def lose(
    game: Game, loser: Side, reason: str, kinds: tuple[str, str], board: chess.Board, *, on_time: bool = False
) -> None:
    """End the game against `loser`; drawn if the opponent could not mate him in `board`.

    Where the search for a mate remains undecided the opponent is presumed able, and the arbiter is told.
    """
    winner = other(loser)
    can = ability(game, winner, board, on_time=on_time)
    if can == "no":
        end_game(game, "1/2-1/2", reason, kinds[1])
        return
    if can == "unknown":
        game.emit(
            "arbiter-asked", kinds[1], side=winner, about="score", proposal=win_for(winner), presumed=True
        )
        end_game(game, win_for(winner), reason, kinds[0], presumed=True)
        return
    end_game(game, win_for(winner), reason, kinds[0])

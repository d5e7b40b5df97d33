"""A move as the game keeps it: the one the men stand by, and what is wrong with it."""

from __future__ import annotations

import chess

from assistant.board import after, is_legal
from assistant.laws.position import key, notation
from assistant.laws.state import Game, Ply, Turn
from assistant.laws.voiding import void_what_is_sealed
from assistant.sides import Side


def ply_of(
    game: Game,
    side: Side,
    stands: chess.Move,
    announced: chess.Move | None,
    placed: chess.Move | None,
    *,
    by_line: bool,
) -> Ply:
    board = game.board
    result = after(board, stands)
    captured = board.piece_at(stands.to_square)
    return Ply(
        side=side,
        move=stands,
        board=result,
        uci=stands.uci(),
        san=notation(board, stands),
        announced=announced,
        placed=placed,
        placed_by_line=by_line,
        offence=offence_of(board, stands),
        key=key(result),
        white=game.clock.white.left,
        black=game.clock.black.left,
        turn=game.turn_state,
        takes_king=captured is not None and captured.piece_type == chess.KING,
    )


def offence_of(board: chess.Board, move: chess.Move) -> str | None:
    """Return what is wrong with a move: nothing, `pawn-left` on the last rank, or `illegal`."""
    if is_legal(board, move):
        return None
    queen = chess.Move(move.from_square, move.to_square, chess.QUEEN)
    return "pawn-left" if move.promotion is None and is_legal(board, queen) else "illegal"


def stand_as_placed(game: Game) -> Ply:
    """Let the last move be the one that was placed, not the one that was announced."""
    ply = game.plies.pop()
    assert ply.placed is not None
    last = ply_of(game, ply.side, ply.placed, ply.placed, ply.placed, by_line=True)
    last.completed, last.white, last.black = ply.completed, ply.white, ply.black
    last.turn = ply.turn
    game.plies.append(last)
    game.turn_state = Turn()
    game.emit_position("boards-differ", game.clock_times(), changed=len(game.plies) - 1)
    void_what_is_sealed(game)
    return last

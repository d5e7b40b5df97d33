"""Moves as the page writes them."""

from __future__ import annotations

import chess

from assistant.moves import is_way_of_moving
from assistant.scoresheet import Signs, Style, write

_SHORT, _LONG = Signs(), Signs(mate="", check=False)


def written(board: chess.Board, move: chess.Move, language: str, *, neutral: bool) -> str:
    """Return a move in the letters of a language.

    `neutral` writes it so that nobody can tell from it whether it is legal: from square to square, without
    check and mate. A scoresheet's own way would tell, because an illegal move has no short form.
    """
    man = board.piece_at(move.from_square)
    if man is None:
        return move.uci()
    if not neutral:
        return write(board, move, Style(language, signs=_SHORT))
    across = chess.square_file(move.to_square) - chess.square_file(move.from_square)
    own_rook = board.piece_at(move.to_square) == chess.Piece(chess.ROOK, man.color)
    on_rank = chess.square_rank(move.to_square) == chess.square_rank(move.from_square)
    may_castle = man.piece_type == chess.KING and on_rank and (abs(across) == 2 or own_rook)
    # It is castling where the men stand for it, legal or not.
    if may_castle and is_way_of_moving(board, move):
        return "0-0" if across > 0 else "0-0-0"
    return write(board, move, Style(language, "long", _LONG))

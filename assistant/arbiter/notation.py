"""Moves as the page writes them, and as people write them down."""

from __future__ import annotations

import re

import chess

from assistant.scoresheet import Signs, Style, write
from assistant.scoresheet.tokens import is_result

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
    if man.piece_type == chess.KING and on_rank and (abs(across) == 2 or own_rook):
        return "0-0" if across > 0 else "0-0-0"
    return write(board, move, Style(language, "long", _LONG))


_COMMENT = re.compile(r"\{[^}]*\}|;[^\n]*|^\s*\[[^\]\n]*\]\s*$|\[%[^\]]*\]", re.MULTILINE)
_NO_MOVE = re.compile(r"\d+|\([=!]\)|\$\d+|[\[(]\d+:\d\d(?::\d\d)?[\])]")
_NUMBER = re.compile(r"^\d*[.…]+")


def moves_of(sheet: str) -> list[str]:
    """Return the moves of a scoresheet as somebody typed them in, or of a PGN file, in order."""
    words = _COMMENT.sub(" ", sheet).split()
    moves = (_NUMBER.sub("", word) for word in words)
    return [move for move in moves if move and not _NO_MOVE.fullmatch(move) and not is_result(move)]

"""The default reader of moves: English algebraic notation, short and long form."""

from __future__ import annotations

import re

import chess

from assistant.laws.position import legal_moves

_LETTERS = {"K": chess.KING, "Q": chess.QUEEN, "R": chess.ROOK, "B": chess.BISHOP, "N": chess.KNIGHT}
_MOVE = re.compile(
    r"(?P<piece>[KQRBNP]?)(?P<file>[a-h])?(?P<rank>[1-8])?[-x:]?(?P<to>[a-h][1-8])"
    r"(?:[=/(]?(?P<promotion>[QRBNqrbn])\)?)?"
)
_SIGNS = re.compile(r"(\+\+|\+|#|!|\?|e\.?p\.?|\(=\)|\s)+$")


def read_algebraic(board: chess.Board, text: str, language: str = "en") -> list[chess.Move]:
    """Return the legal moves that a text in English algebraic notation fits.

    With a departure square a move that fits no legal one is returned as it was meant, illegal as it is.
    """
    text = _SIGNS.sub("", text.strip())
    if text in ("0-0", "O-O", "o-o", "0-0-0", "O-O-O", "o-o-o"):
        wing = chess.Board.is_queenside_castling if len(text) == 5 else chess.Board.is_kingside_castling
        return [move for move in legal_moves(board) if board.is_castling(move) and wing(board, move)]
    match = _MOVE.fullmatch(text)
    if match is None:
        return []
    to_square = chess.parse_square(match["to"])
    promotion = _LETTERS[match["promotion"].upper()] if match["promotion"] else None
    full = bool(match["file"] and match["rank"])
    kind = _LETTERS.get(match["piece"])
    if kind is None and not full:
        kind = chess.PAWN
    found = [
        move
        for move in legal_moves(board)
        if move.to_square == to_square
        and (kind is None or board.piece_type_at(move.from_square) == kind)
        and (not match["file"] or chess.FILE_NAMES[chess.square_file(move.from_square)] == match["file"])
        and (not match["rank"] or chess.RANK_NAMES[chess.square_rank(move.from_square)] == match["rank"])
        and (promotion is None or move.promotion == promotion)
        and not (board.chess960 and board.is_castling(move))
    ]
    if not found and full:
        from_square = chess.parse_square(match["file"] + match["rank"])
        if from_square != to_square and kind in (None, board.piece_type_at(from_square)):
            return [chess.Move(from_square, to_square, promotion)]
    return found

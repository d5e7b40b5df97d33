"""What is wrong with a FEN, in words of our own: those of the chess library are English."""

from __future__ import annotations

import re
from typing import Final

import chess

from assistant.errors import Phrase, marked

_IMPOSSIBLE: Final = (
    (chess.STATUS_EMPTY, marked("the board is empty")),
    (chess.STATUS_NO_WHITE_KING, marked("White has no king")),
    (chess.STATUS_NO_BLACK_KING, marked("Black has no king")),
    (chess.STATUS_TOO_MANY_KINGS, marked("a side has more than one king")),
    (chess.STATUS_PAWNS_ON_BACKRANK, marked("a pawn stands on the first or last rank")),
    (chess.STATUS_OPPOSITE_CHECK, marked("the side that is not to move is in check")),
    (chess.STATUS_TOO_MANY_WHITE_PAWNS, marked("White has more than eight pawns")),
    (chess.STATUS_TOO_MANY_BLACK_PAWNS, marked("Black has more than eight pawns")),
    (chess.STATUS_TOO_MANY_WHITE_PIECES, marked("White has more than sixteen men")),
    (chess.STATUS_TOO_MANY_BLACK_PIECES, marked("Black has more than sixteen men")),
    (chess.STATUS_BAD_CASTLING_RIGHTS, marked("castling rights are given without king and rook in place")),
    (chess.STATUS_INVALID_EP_SQUARE, marked("no pawn can just have passed the square given for en passant")),
    (chess.STATUS_TOO_MANY_CHECKERS, marked("more men give check than one move can bring about")),
    (chess.STATUS_IMPOSSIBLE_CHECK, marked("no last move can have led to this check")),
)
"""What makes a position impossible, worst first."""

_COUNTER: Final = (r"\d+", marked("the fifth and sixth parts are whole numbers"))
_PARTS: Final = (
    (r"[wb]", marked("the second part is w or b, the player to move")),
    (
        r"-|[KQA-H]{0,2}[kqa-h]{0,2}",
        marked("the third part is -, or the castling rights in the letters K, Q, k, q"),
    ),
    (r"-|[a-h][1-8]", marked("the fourth part is -, or the square that a pawn has passed, such as e3")),
    _COUNTER,
    _COUNTER,
)
"""How each part of a FEN after the board is written, and what to tell where it is not."""


def why_impossible(status: chess.Status) -> Phrase | None:
    """Return why a position cannot arise in a game; `None` if nothing speaks against it."""
    return next((reason for flag, reason in _IMPOSSIBLE if status & flag), None)


def why_no_fen(text: str) -> Phrase:
    """Return why a text that the library has refused is no FEN."""
    board, *parts = text.split() or [""]
    ranks = board.split("/")
    if len(ranks) != 8:
        return marked("a board has 8 ranks, not {count}", count=len(ranks))
    for number, rank in zip(range(8, 0, -1), ranks, strict=True):
        wrong = re.search(r"[^pnbrqkPNBRQK1-8]", rank)
        if wrong is not None:
            return marked("{sign!r} is no man and no number of empty squares", sign=wrong[0])
        count = sum(int(sign) if sign.isdigit() else 1 for sign in rank)
        if count != 8:
            return marked("rank {number} has 8 squares, not {count}", number=number, count=count)
        if re.search(r"\d\d", rank):
            return marked("in rank {number} two numbers stand side by side: add them", number=number)
    for part, (pattern, reason) in zip(parts, _PARTS, strict=False):
        if not re.fullmatch(pattern, part, re.ASCII):
            return reason
    return marked("it has more than six parts")

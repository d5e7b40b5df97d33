"""A move as anybody may write or say it: UCI, algebraic in any language, long form, German announcement."""

from __future__ import annotations

import re

import chess

from assistant.announcements import load_vocabulary, parse
from assistant.errors import HectorError
from assistant.scoresheet import NotationError, languages, read

_UCI = re.compile(r"[a-h][1-8][a-h][1-8][qrbnQRBN]?")


def read_move(board: chess.Board, text: str, language: str = "en") -> list[chess.Move]:
    """Return the moves that a text names in a position, legal ones only if any is.

    One move: it is that. Several: the text fits them all. None: no text of a move, or one that fits no legal
    move and names no from-square. An illegal move from square to square is returned as it was said.
    `language` says whose letters are meant where a letter has two readings.
    """
    text = text.strip()
    if _UCI.fullmatch(text):
        return [_castling_as_the_board_has_it(board, chess.Move.from_uci(text.lower()))]
    written = _written(board, text, language)
    if written:
        return written
    reading = parse(board, text, load_vocabulary("de"))
    if reading.moves:
        return list(reading.moves)
    return [reading.stated] if reading.stated is not None else []


def _written(board: chess.Board, text: str, language: str) -> list[chess.Move]:
    """Read algebraic notation, in the given language first: `Dd4` is a queen to a German alone."""
    for name in (language, *(other for other in languages() if other != language)):
        try:
            moves = list(read(text, board, name))
        except (NotationError, HectorError):
            continue
        if moves:
            return moves
    return []


def _castling_as_the_board_has_it(board: chess.Board, move: chess.Move) -> chess.Move:
    """Return castling written as the king's two squares in the way that this board writes it."""
    try:
        return board.parse_uci(move.uci())
    except ValueError:
        return move

"""Writing moves in algebraic notation: in the letters of a language, with the signs of an edition.

Sources: FIDE Laws of Chess, Appendix C (2005 to 2023) and E (1997).
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import chess

from assistant.board import is_legal, play, rook_castled
from assistant.errors import UsageError
from assistant.scoresheet.notation import FIGURINES, notation
from assistant.scoresheet.record import Game

FORMS = ("short", "long", "figurine")
_SAN = re.compile(r"([KQRBN]?)([a-h]?[1-8]?)(x?)([a-h][1-8])(?:=([QRBN]))?([+#]?)")
_KINDS = {"K": chess.KING, "Q": chess.QUEEN, "R": chess.ROOK, "B": chess.BISHOP, "N": chess.KNIGHT}


@dataclass(frozen=True, slots=True)
class Signs:
    """Which of the optional signs are written, and how mate is written (Laws C.13)."""

    mate: str = "#"
    capture: bool = True
    check: bool = True
    en_passant: bool = False


@cache
def _edition_table() -> Mapping[str, Mapping[str, Any]]:
    return tomllib.loads(Path(__file__).with_name("editions.toml").read_text(encoding="utf-8"))


def signs_of(edition: str) -> Signs:
    """Return the signs of an edition of the Laws; today's for one that says nothing about notation."""
    table = _edition_table()
    return Signs(**table.get(edition, table["2023"]))


@dataclass(frozen=True, slots=True)
class Style:
    """How moves are written: the language's letters, the form and the signs."""

    language: str = "en"
    form: str = "short"
    """"short" (Nf3), "long" (Ng1-f3) or "figurine" (♘f3)."""
    signs: Signs = Signs()
    illegal_in_full: bool = True
    """Whether an illegal move is in the long form whatever `form` says, so that it reads back. Otherwise
    nothing but the squares tells that it is illegal."""

    def __post_init__(self) -> None:
        notation(self.language)
        if self.form not in FORMS:
            raise UsageError(
                "There is no notation {form!r}: choose {forms}.", form=self.form, forms=", ".join(FORMS)
            )


def write(board: chess.Board, move: chess.Move, style: Style) -> str:
    """Return the move in the given style, a null move as "--"."""
    copy = board.copy(stack=False)
    return _write_and_push(copy, move, style)


@lru_cache(maxsize=32)
def write_moves(game: Game, style: Style) -> tuple[str, ...]:
    """Return every half-move of a game in the given style."""
    board = game.board()
    return tuple(_write_and_push(board, ply.move, style) for ply in game.plies)


def _write_and_push(board: chess.Board, move: chess.Move, style: Style) -> str:
    if not move:
        board.push(move)
        return "--"
    letters = FIGURINES if style.form == "figurine" else notation(style.language).letters
    if not is_legal(board, move):
        return _write_illegal_and_push(board, move, letters, style)
    passing = style.signs.en_passant and board.is_en_passant(move)
    long = _squares(board, move, letters, style) if style.form == "long" else ""
    san = board.san_and_push(move)
    suffix = _suffix(san, style.signs)
    if san.startswith("O"):
        return san.rstrip("+#").replace("O", "0") + suffix
    match = _SAN.fullmatch(san)
    assert match, san
    piece, origin, capture, target, promotion, _ = match.groups()
    text = long or (
        (letters[_KINDS[piece]] if piece else "")
        + origin
        + (capture if style.signs.capture else "")
        + target
        + (letters[_KINDS[promotion]] if promotion else "")
    )
    return text + suffix + (f" {notation(style.language).en_passant}" if passing else "")


def _write_illegal_and_push(
    board: chess.Board, move: chess.Move, letters: Mapping[int, str], style: Style
) -> str:
    text = _squares(board, move, letters, style)
    if style.illegal_in_full:
        play(board, move)
        return text
    castling = castling_meant(board, move)
    passing = style.signs.en_passant and board.is_en_passant(move)
    text = castling or (text if style.form == "long" else _target(board, move, letters, style))
    play(board, move)
    # A move that is not legal cannot be mate (1.4.1).
    check = "+" if style.signs.check and board.is_check() else ""
    return text + check + (f" {notation(style.language).en_passant}" if passing else "")


def castling_meant(board: chess.Board, move: chess.Move) -> str:
    """Return the sign of a castling that is not legal but moves both men, empty for any other move."""
    rook = rook_castled(board, move)
    if rook is None:
        return ""
    return "0-0-0" if rook < move.from_square else "0-0"


def _target(board: chess.Board, move: chess.Move, letters: Mapping[int, str], style: Style) -> str:
    """Return an illegal move in the short form, told apart from the legal ones as a legal one would be.

    Where none is legal and it would only leave the king in check, it is told apart from such moves of others.
    """
    kind = board.piece_type_at(move.from_square) or chess.PAWN
    captures = board.is_capture(move)
    others = board.pieces_mask(kind, board.turn) & ~chess.BB_SQUARES[move.from_square]
    target = chess.BB_SQUARES[move.to_square]
    found = list(board.generate_legal_moves(others, target))
    if not found and board.is_pseudo_legal(move):
        found = list(board.generate_pseudo_legal_moves(others, target))
    rivals = [each.from_square for each in found if not board.is_castling(each)]
    file, rank = tuple(chess.square_name(move.from_square))
    same_file = any(chess.square_file(rival) == chess.square_file(move.from_square) for rival in rivals)
    same_rank = any(chess.square_rank(rival) == chess.square_rank(move.from_square) for rival in rivals)
    if kind == chess.PAWN:
        origin = file if captures or rivals else ""
    elif same_file:
        origin = (file if same_rank else "") + rank
    else:
        origin = file if rivals else ""
    return (
        letters.get(kind, "")
        + origin
        + ("x" if captures and style.signs.capture else "")
        + chess.square_name(move.to_square)
        + (letters[move.promotion] if move.promotion else "")
    )


def _suffix(san: str, signs: Signs) -> str:
    if not signs.check or san[-1] not in "+#":
        return ""
    return signs.mate if san[-1] == "#" else "+"


def _squares(board: chess.Board, move: chess.Move, letters: Mapping[int, str], style: Style) -> str:
    kind = board.piece_type_at(move.from_square)
    joint = "x" if board.is_capture(move) and style.signs.capture else "-"
    return (
        (letters[kind] if kind and kind != chess.PAWN else "")
        + chess.square_name(move.from_square)
        + joint
        + chess.square_name(move.to_square)
        + (letters[move.promotion] if move.promotion else "")
    )

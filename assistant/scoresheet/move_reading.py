"""Reading a move that a person wrote in algebraic notation, with the letters and signs of a language.

Sources: FIDE Laws of Chess, Appendix C (2005 to 2023) and E (1997).
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

import chess

from assistant.errors import UsageError
from assistant.scoresheet.move_writing import castling_meant
from assistant.scoresheet.notation import notation

_BLACK_FIGURINES = {"♚": "♔", "♛": "♕", "♜": "♖", "♝": "♗", "♞": "♘", "♟": "", "♙": "", "\ufe0e": ""}
_CASTLING = re.compile(r"[0Oo](-?[0Oo]){1,2}")


class NotationError(UsageError):
    """A token that is no move in the notation of the language."""

    def __init__(self, token: str, language: str) -> None:
        super().__init__(
            "{token!r} cannot be read as a move (algebraic notation, letters of {language}).",
            token=token,
            language=language,
        )


@dataclass(frozen=True, slots=True)
class Written:
    """What a written move says, whatever the position; `None` for what it leaves open."""

    man: chess.PieceType | None = None
    """The man whose letter is written."""
    from_file: int | None = None
    from_rank: int | None = None
    target: chess.Square | None = None
    """`None` for castling alone."""
    promotion: chess.PieceType | None = None
    is_capture: bool = False
    zeros: int = 0
    """With how many zeros castling is written, 0 for any other move."""


def taken_apart(text: str, language: str) -> Written | None:
    """Return what a move says that is written to a whole square, or castling; `None` for any other text."""
    token = _normal(text)
    if zeros := _castling_zeros(token):
        return Written(zeros=zeros)
    try:
        match = _parse(token, text, language)
    except NotationError:
        return None
    if not match["to"]:
        return None
    readable = notation(language).readable
    return Written(
        man=readable[match["piece"]] if match["piece"] else None,
        from_file=chess.FILE_NAMES.index(match["file"]) if match["file"] else None,
        from_rank=int(match["rank"]) - 1 if match["rank"] else None,
        target=chess.parse_square(match["to"].lower()),
        promotion=_promotion(match, language),
        is_capture=match["capture"] not in (None, "-") or match["taken"] is not None,
    )


def read(text: str, board: chess.Board, language: str) -> tuple[chess.Move, ...]:
    """Return the legal moves that a written move may mean: one, none, or several if it is ambiguous.

    Short, long and figurine forms are understood, signs may be missing, and the capture, check, mate and
    en passant signs may be any that players of the language use.
    :raises NotationError: if the text is no move in this notation at all.
    """
    token = _normal(text)
    if zeros := _castling_zeros(token):
        return _castling(board, zeros)
    match = _parse(token, text, language)
    readable = notation(language).readable
    kind = readable[match["piece"]] if match["piece"] else chess.PAWN
    from_mask = board.pieces_mask(kind, board.turn)
    if match["file"]:
        from_mask &= chess.BB_FILES[chess.FILE_NAMES.index(match["file"])]
    elif kind == chess.PAWN and match["to"] and not match["capture"]:
        # e4 is a step of the e-pawn; a capture names its file.
        from_mask &= chess.BB_FILES[chess.FILE_NAMES.index(match["to"][0].lower())]
    if match["rank"]:
        from_mask &= chess.BB_RANKS[int(match["rank"]) - 1]
    if match["to"]:
        to_mask = chess.BB_SQUARES[chess.parse_square(match["to"].lower())]
    elif kind == chess.PAWN and match["file"] and not match["rank"]:
        to_mask = chess.BB_FILES[chess.FILE_NAMES.index(match["to_file"])]
    else:
        raise NotationError(text.strip(), language)
    promotion = _promotion(match, language)
    found = [
        move
        for move in board.generate_legal_moves(from_mask, to_mask)
        if (promotion is None or move.promotion == promotion) and not board.is_castling(move)
    ]
    if kind == chess.KING and match["file"] and match["rank"] and not board.chess960:
        squares = from_mask | to_mask
        found += [
            move
            for move in board.generate_castling_moves()
            if squares == chess.BB_SQUARES[move.from_square] | chess.BB_SQUARES[move.to_square]
        ]
    return tuple(found)


def read_squares(text: str, language: str) -> chess.Move | None:
    """Return the move between the two squares of a long form, legal or not; None for any other text."""
    token = _normal(text)
    if token == "--":
        return chess.Move.null()
    match = notation(language).pattern.fullmatch(token)
    if not match or not (match["file"] and match["rank"] and match["to"]):
        return None
    promotion = _promotion(match, language)
    start, end = chess.parse_square(match["file"] + match["rank"]), chess.parse_square(match["to"].lower())
    return None if start == end else chess.Move(start, end, promotion)


def means(text: str, move: chess.Move, board: chess.Board, language: str) -> bool:
    """Return whether a written move may be this one, legal or not, in the short or the long form."""
    token = _normal(text)
    if not move:
        return token == "--"
    if zeros := _castling_zeros(token):
        return zeros == castling_meant(board, move).count("0")
    said = _said(text, board, language)
    if said is None:
        return False
    kind, from_file, from_rank, *target, promotion = said
    file, rank = tuple(chess.square_name(move.from_square))
    return (
        kind == board.piece_type_at(move.from_square)
        and from_file in (None, file)
        and from_rank in (None, rank)
        and target == [*chess.square_name(move.to_square)]
        and promotion == move.promotion
    )


def may_be_one(one: tuple[str, str], other: tuple[str, str], board: chess.Board) -> bool:
    """Return whether two written moves may mean one, legal or not.

    Each comes with the language of its letters. Signs say nothing, and what one of them leaves open
    may be what the other has.
    """
    said = [_said(text, board, language) for text, language in (one, other)]
    if None in said:
        return _normal(one[0]) == _normal(other[0])
    first, second = said
    assert first and second
    return all(a == b or not (a and b) for a, b in zip(first, second, strict=True))


def _said(text: str, board: chess.Board, language: str) -> tuple[int | str | None, ...] | None:
    """Return what a written move says: man, file and rank of its origin and target, promotion."""
    token = _normal(text)
    if zeros := _castling_zeros(token):
        return chess.KING, None, None, "c" if zeros == 3 else "g", "1" if board.turn else "8", None
    match = notation(language).pattern.fullmatch(token)
    if not match:
        return None
    readable = notation(language).readable
    kind = readable[match["piece"]] if match["piece"] else chess.PAWN
    target = (match["to"] or match["to_file"]).lower()
    if not match["piece"] and match["file"] and match["rank"] and match["to"]:
        # Two squares without a letter: whatever man stands on the first.
        kind = board.piece_type_at(chess.parse_square(match["file"] + match["rank"])) or 0
    promotion = _promotion(match, language)
    return kind, match["file"], match["rank"], target[0], target[1:], promotion


def _promotion(match: re.Match[str], language: str) -> chess.PieceType | None:
    """Return what a pawn becomes, if that is written."""
    return notation(language).promoted[match["promotion"]] if match["promotion"] else None


def _castling_zeros(token: str) -> int:
    """Return with how many zeros a sign of castling is written, 0 for any other word."""
    return len(re.findall(r"[0Oo]", token)) if _CASTLING.fullmatch(token.rstrip("+#!?")) else 0


def is_move_like(text: str, language: str) -> bool:
    """Return whether a word could be a move in the language, whatever the position."""
    token = _normal(text)
    return bool(_castling_zeros(token) or notation(language).pattern.fullmatch(token))


def _normal(text: str) -> str:
    token = "".join(_BLACK_FIGURINES.get(char, char) for char in unicodedata.normalize("NFC", text))
    token = re.sub(r"[\u2010-\u2015\u2212]", "-", token).replace("×", "x")
    return re.sub(r"\s+", "", token)


def _parse(token: str, text: str, language: str) -> re.Match[str]:
    match = notation(language).pattern.fullmatch(token)
    if not match or (match["capture"] == "-" and not (match["piece"] or match["file"])):
        raise NotationError(text.strip(), language)
    return match


def _castling(board: chess.Board, zeros: int) -> tuple[chess.Move, ...]:
    wanted = board.is_queenside_castling if zeros == 3 else board.is_kingside_castling
    return tuple(move for move in board.generate_castling_moves() if wanted(move))

"""Algebraic notation in the letters of a language: writing a move and reading what a person wrote.

Sources: FIDE Laws of Chess, Appendix C (2005 to 2023) and E (1997).
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import chess

from assistant.board import landing_squares, play, rook_of_castling
from assistant.errors import UsageError
from assistant.resources import data_path
from assistant.scoresheet.record import Game

FORMS = ("short", "long", "figurine")
_PIECES = {
    "king": chess.KING,
    "queen": chess.QUEEN,
    "rook": chess.ROOK,
    "bishop": chess.BISHOP,
    "knight": chess.KNIGHT,
}
_FIGURINES = {chess.KING: "♔", chess.QUEEN: "♕", chess.ROOK: "♖", chess.BISHOP: "♗", chess.KNIGHT: "♘"}
_BLACK_FIGURINES = {"♚": "♔", "♛": "♕", "♜": "♖", "♝": "♗", "♞": "♘", "♟": "", "♙": "", "\ufe0e": ""}
_SAN = re.compile(r"([KQRBN]?)([a-h]?[1-8]?)(x?)([a-h][1-8])(?:=([QRBN]))?([+#]?)")
_CASTLING = re.compile(r"[0Oo](-?[0Oo]){1,2}")


class NotationError(UsageError):
    """A token that is no move in the notation of the language; `token` is what was written."""

    def __init__(self, token: str, language: str) -> None:
        self.token = token
        super().__init__(
            "{token!r} cannot be read as a move (algebraic notation, letters of {language}).",
            token=token,
            language=language,
        )


@dataclass(frozen=True, slots=True)
class Notation:
    """The letters, the signs and the words of one language, from its notation.toml."""

    language: str
    name: str
    letters: Mapping[int, str]
    """Piece type to the letters that stand for it; the pawn has none (Laws C.4)."""
    en_passant: str
    labels: Mapping[str, str]
    """PGN tag name to the label of that line on the sheet."""
    comparison: Mapping[str, str]
    diagram: Mapping[str, Any]
    pattern: re.Pattern[str]
    readable: Mapping[str, int]
    """Every spelling of a piece that is understood, to its type."""


@cache
def languages() -> tuple[str, ...]:
    """Return the languages that have a notation, sorted."""
    return tuple(sorted(path.parent.name for path in data_path("locales").glob("*/notation.toml")))


@cache
def notation(language: str) -> Notation:
    """Load the notation of a language.

    :raises UsageError: if there is none for that language.
    """
    if language not in languages():
        raise UsageError(
            "There is no chess notation for {language!r}: choose {languages}.",
            language=language,
            languages=", ".join(languages()),
        )
    data = tomllib.loads(data_path("locales", language, "notation.toml").read_text(encoding="utf-8"))
    letters = {kind: data["pieces"][name] for name, kind in _PIECES.items()}
    readable = _readable(data, letters)
    return Notation(
        language=language,
        name=data["name"],
        letters=letters,
        en_passant=data["signs"]["en_passant"],
        labels=data["labels"],
        comparison=data["comparison"],
        diagram=data["diagram"],
        pattern=_pattern(data["signs"], readable),
        readable=readable,
    )


def _readable(data: Mapping[str, Any], letters: Mapping[int, str]) -> dict[str, int]:
    readable = {figurine: kind for kind, figurine in _FIGURINES.items()}
    for name, kind in _PIECES.items():
        for spelling in (letters[kind], *data["pieces"].get(f"read_{name}", ())):
            readable[spelling] = kind
    if pawn := data["pieces"]["pawn"]:
        readable.setdefault(pawn, chess.PAWN)
    for spelling, kind in tuple(readable.items()):
        # A small a to h is a file and never a piece: a wrong move in the record is worse than a question.
        small = spelling.lower()
        if small not in "abcdefgh":
            readable.setdefault(small, kind)
    return readable


def _pattern(signs: Mapping[str, Any], readable: Mapping[str, int]) -> re.Pattern[str]:
    def one_of(words: list[str]) -> str:
        return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))

    piece = one_of(list(readable))
    capture = one_of(["x", "X", ":", *signs["read_capture"]])
    suffix = one_of(["+", "++", "#", *signs["read_check"], *signs["read_mate"]])
    return re.compile(
        rf"(?P<piece>{piece})?"
        rf"(?P<file>[a-h])?(?P<rank>[1-8])?(?P<capture>{capture}|-)?"
        rf"(?:(?P<to>[a-hA-H][1-8])|(?P<to_file>[a-h]))"
        rf"(?:[=/(:]?(?P<promotion>{piece})\)?)?"
        rf"(?P<passing>\(?(?:e\.?p\.?|a\.?p\.?|i\.?p\.?)\)?)?"
        rf"(?:\(?(?:{suffix})\)?)*[!?]*",
    )


# -- Signs and styles ----------------------------------------------------------------------------------


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
    letters = _FIGURINES if style.form == "figurine" else notation(style.language).letters
    if not board.is_legal(move):
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
    castling = _castling_meant(board, move)
    passing = style.signs.en_passant and board.is_en_passant(move)
    text = castling or (text if style.form == "long" else _target(board, move, letters, style))
    play(board, move)
    # A move that is not legal cannot be mate (1.4.1).
    check = "+" if style.signs.check and board.is_check() else ""
    return text + check + (f" {notation(style.language).en_passant}" if passing else "")


def _castling_meant(board: chess.Board, move: chess.Move) -> str:
    """Return the sign of a castling that is not legal but moves both men, empty for any other move."""
    rook = rook_of_castling(board, move)
    others = board.occupied & ~chess.BB_SQUARES[move.from_square]
    if rook is None or (rook != move.to_square and others & landing_squares(move, rook)):
        return ""
    return "0-0-0" if rook < move.from_square else "0-0"


def _target(board: chess.Board, move: chess.Move, letters: Mapping[int, str], style: Style) -> str:
    """Return an illegal move in the short form, told apart from the legal ones as a legal one would be."""
    kind = board.piece_type_at(move.from_square) or chess.PAWN
    captures = board.is_capture(move)
    others = board.pieces_mask(kind, board.turn) & ~chess.BB_SQUARES[move.from_square]
    rivals = [
        legal.from_square
        for legal in board.generate_legal_moves(others, chess.BB_SQUARES[move.to_square])
        if not board.is_castling(legal)
    ]
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


_KINDS = {"K": chess.KING, "Q": chess.QUEEN, "R": chess.ROOK, "B": chess.BISHOP, "N": chess.KNIGHT}


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


# -- Reading -------------------------------------------------------------------------------------------


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
        from_mask &= chess.BB_FILES["abcdefgh".index(match["file"])]
    elif kind == chess.PAWN and match["to"] and not match["capture"]:
        # e4 is a step of the e-pawn; a capture names its file.
        from_mask &= chess.BB_FILES["abcdefgh".index(match["to"][0].lower())]
    if match["rank"]:
        from_mask &= chess.BB_RANKS[int(match["rank"]) - 1]
    if match["to"]:
        to_mask = chess.BB_SQUARES[chess.parse_square(match["to"].lower())]
    elif kind == chess.PAWN and match["file"] and not match["rank"]:
        to_mask = chess.BB_FILES["abcdefgh".index(match["to_file"])]
    else:
        raise NotationError(text.strip(), language)
    promotion = readable[match["promotion"]] if match["promotion"] else None
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


def read_squares(text: str, board: chess.Board, language: str) -> chess.Move | None:
    """Return the move between the two squares of a long form, legal or not; None for any other text."""
    token = _normal(text)
    if token == "--":
        return chess.Move.null()
    match = notation(language).pattern.fullmatch(token)
    if not match or not (match["file"] and match["rank"] and match["to"]):
        return None
    readable = notation(language).readable
    promotion = readable[match["promotion"]] if match["promotion"] else None
    start, end = chess.parse_square(match["file"] + match["rank"]), chess.parse_square(match["to"].lower())
    return None if start == end else chess.Move(start, end, promotion)


def means(text: str, move: chess.Move, board: chess.Board, language: str) -> bool:
    """Return whether a written move may be this one, legal or not, in the short or the long form."""
    token = _normal(text)
    if not move:
        return token == "--"
    if zeros := _castling_zeros(token):
        return zeros == _castling_meant(board, move).count("0")
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
    promotion = readable[match["promotion"]] if match["promotion"] else None
    return kind, match["file"], match["rank"], target[0], target[1:], promotion


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

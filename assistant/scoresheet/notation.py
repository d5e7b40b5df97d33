"""The chess notation of a language: its letters, its signs and the words on its sheets.

Sources: FIDE Laws of Chess, Appendix C (2005 to 2023) and E (1997).
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import chess

from assistant.errors import UsageError
from assistant.resources import data_path

_PIECES = {
    "king": chess.KING,
    "queen": chess.QUEEN,
    "rook": chess.ROOK,
    "bishop": chess.BISHOP,
    "knight": chess.KNIGHT,
}
FIGURINES = {chess.KING: "♔", chess.QUEEN: "♕", chess.ROOK: "♖", chess.BISHOP: "♗", chess.KNIGHT: "♘"}


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
    check: re.Pattern[str]
    """The signs and words of check and mate, where they stand apart from their move."""
    readable: Mapping[str, int]
    """Every spelling of a piece that is understood, to its type."""
    promoted: Mapping[str, int]
    """The same for what a pawn becomes, small letters a to h too: there no file can be meant."""
    men: Mapping[int, tuple[str, ...]]
    """Piece type, the pawn's too, to its names in words; empty where announcements have them."""
    phrases: Mapping[str, tuple[str, ...]]
    """The other words of a move: `capture`, `origin`, `target`, `promotion`, en `passing`, `short` and `long`
    castling, `castling` to whichever side, `check`, `mate`."""


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
    words, men = data.get("words", {}), {**_PIECES, "pawn": chess.PAWN}
    small = {letter.lower(): kind for kind, letter in letters.items() if letter.lower() in chess.FILE_NAMES}
    return Notation(
        language=language,
        name=data["name"],
        letters=letters,
        en_passant=data["signs"]["en_passant"],
        labels=data["labels"],
        comparison=data["comparison"],
        diagram=data["diagram"],
        pattern=_pattern(data["signs"], readable, small),
        check=re.compile(rf"\(?(?:{_check(data['signs'])})\)?[!?]*"),
        readable=readable,
        promoted=readable | small,
        men={kind: tuple(words[name]) for name, kind in men.items() if name in words},
        phrases={what: tuple(each) for what, each in words.items() if what not in men},
    )


def _readable(data: Mapping[str, Any], letters: Mapping[int, str]) -> dict[str, int]:
    readable = {figurine: kind for kind, figurine in FIGURINES.items()}
    for name, kind in _PIECES.items():
        for spelling in (letters[kind], *data["pieces"].get(f"read_{name}", ())):
            readable[spelling] = kind
    if pawn := data["pieces"]["pawn"]:
        readable.setdefault(pawn, chess.PAWN)
    for spelling, kind in tuple(readable.items()):
        # A small a to h is a file and never a piece: a wrong move in the record is worse than a question.
        small = spelling.lower()
        if small not in chess.FILE_NAMES:
            readable.setdefault(small, kind)
    return readable


def _one_of(words: list[str]) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))


def _check(signs: Mapping[str, Any]) -> str:
    read = ["".join(sign.split()) for sign in (*signs["read_check"], *signs["read_mate"])]
    return _one_of(["+", "++", "#", *read])


def _pattern(
    signs: Mapping[str, Any], readable: Mapping[str, int], small: Mapping[str, int]
) -> re.Pattern[str]:
    piece = _one_of(list(readable))
    # Behind the last rank or a sign of promotion; elsewhere a small letter is a file.
    promoted = rf"{piece}|(?<=[18=/(:])(?:{_one_of(list(small))})" if small else piece
    capture = _one_of(["x", "X", ":", *signs["read_capture"]])
    suffix = _check(signs)
    return re.compile(
        rf"(?P<piece>{piece})?"
        rf"(?P<file>[a-h])?(?P<rank>[1-8])?(?P<capture>{capture}|-)?"
        rf"(?:(?P<to>[a-hA-H][1-8])|(?<![18])(?P<to_file>[a-h]))"
        # Older German sheets have the capture last: "Sd5:", "ed:". Behind a pawn's square alone, as behind a
        # rank before a man, it is something else.
        rf"(?P<taken>(?(piece):|(?(file):|(?!)))(?!{promoted}))?"
        # A sign may begin as a man does: "sch" is check and no knight.
        rf"(?:(?!(?:{suffix})\)?[!?]*$)[=/(:]?(?P<promotion>{promoted})\)?)?"
        rf"(?P<passing>\(?(?:e\.?p\.?|a\.?p\.?|i\.?p\.?)\)?)?"
        rf"(?:\(?(?:{suffix})\)?)*[!?]*",
    )

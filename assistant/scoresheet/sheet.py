"""What stands on a scoresheet, line by line, whatever it is written in.

Sources: Laws of Chess 8.1 (what a sheet may hold), 8.7 (result and signatures), C.12 (the draw offer).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

import chess

from assistant.offers import OFFER
from assistant.scoresheet.layout import Gap, Item, MoveRow, Paragraph, Together
from assistant.scoresheet.move_writing import Style, write_moves
from assistant.scoresheet.notation import notation
from assistant.scoresheet.record import UNKNOWN, Game, clock_text, move_number

ILLEGAL = "(!)"
_NUMERIC = re.compile(r"[0-9.:+/*?-]+")
_NUMERIC_TAGS = ("Date", "Round", "Board", "WhiteElo", "BlackElo", "TimeControl", "Laws", "Result")
SIGNATURES = ("sign_white", "sign_black", "sign_arbiter")


class Code(Protocol):
    """How words are written: print or a braille profile."""

    @property
    def rule(self) -> str:
        """What a signature line is drawn with."""

    def tokens(self, tokens: Sequence[str]) -> tuple[str, ...]:
        """Write tokens of the game."""

    def read_tokens(self, words: Sequence[str]) -> tuple[str, ...]:
        """Read them back."""

    def prose(self, text: str) -> tuple[str, ...]:
        """Write a label, a name or a remark as words."""

    def read_prose(self, words: Sequence[str]) -> str:
        """Read it back."""

    def spelled(self, text: str) -> tuple[str, ...]:
        """Write a text sign by sign; it reads back as prose."""

    def remark_mark(self) -> str:
        """Return the word that a remark starts with."""


def items_of(game: Game, style: Style, code: Code) -> list[Item]:
    """Return the lines of a sheet: header, moves, result and the lines for the signatures."""
    labels = notation(style.language).labels
    items: list[Item] = [Paragraph(words) for words in _header(game, labels, code)]
    items.append(Gap())
    if game.remark:
        items.append(Paragraph((code.remark_mark(), *code.prose(game.remark))))
    items += _moves(game, style, code)
    items.append(Gap())
    result = Paragraph(labelled("Result", game.result, labels, code))
    signatures = (Paragraph((*code.prose(labels[name] + ":"), code.rule)) for name in SIGNATURES)
    items.append(Together((result, *signatures)))
    return items


def _header(game: Game, labels: Mapping[str, str], code: Code) -> Iterator[tuple[str, ...]]:
    tags = list(game.tags)
    if game.edition:
        tags.append(("Laws", game.edition))
    if game.chess960:
        tags.append(("Variant", "Chess960"))
    if game.start_fen != chess.STARTING_FEN:
        tags.append(("FEN", game.start_fen))
    for name, value in tags:
        # An unknown tag of the seven says nothing; the reader knows its place without it.
        if value != UNKNOWN.get(name):
            yield labelled(name, value, labels, code)


def labelled(name: str, value: str, labels: Mapping[str, str], code: Code) -> tuple[str, ...]:
    """Return the words of a line of the header: the label of a tag, or else its name, and the value."""
    if name not in labels:
        return code.prose(f"{name}: {value}".strip())
    label = code.prose(labels[name] + ":")
    if not value:
        return label
    return (*label, *_value_words(name, value, code))


def _value_words(name: str, value: str, code: Code) -> tuple[str, ...]:
    if name not in _NUMERIC_TAGS:
        return code.prose(value)
    words = code.tokens([value]) if _NUMERIC.fullmatch(value) else code.prose(value)
    # Numbers and prose share cells: what would be read as the other is spelled.
    return words if value_of(name, words, code) == value else code.spelled(value)


def value_of(name: str, words: tuple[str, ...], code: Code) -> str:
    """Return the value of a tag from its words, read as a number or as prose."""
    tokens = code.read_tokens(words) if name in _NUMERIC_TAGS and len(words) == 1 else ()
    is_numeric = len(tokens) == 1 and _NUMERIC.fullmatch(tokens[0])
    return tokens[0] if is_numeric else code.read_prose(words)


def _moves(game: Game, style: Style, code: Code) -> Iterator[Item]:
    texts = write_moves(game, style)
    board = game.board()
    number, turn, illegal = board.fullmove_number, board.turn, game.illegal_plies()
    white: list[str] = []
    for index, (ply, text) in enumerate(zip(game.plies, texts, strict=True)):
        words = [*text.split(" "), *([ILLEGAL] if index in illegal else [])]
        words += [OFFER] if ply.offer else []
        words += [f"[{clock_text(ply.clock_ms)}]"] if ply.clock_ms is not None else []
        if turn == chess.WHITE:
            white = words
        if turn == chess.BLACK or ply.remark or index == len(texts) - 1:
            black = words if turn == chess.BLACK else []
            yield _row(number, white, black, code)
            white = []
        if ply.remark:
            yield Paragraph((code.remark_mark(), *code.prose(ply.remark)))
        number += turn == chess.BLACK
        turn = not turn


def _row(number: int, white: list[str], black: list[str], code: Code) -> MoveRow:
    head, *rest = code.tokens([move_number(number, white=bool(white)), *white, *black])
    first = len(white or black)
    return MoveRow(head, tuple(rest[:first]), tuple(rest[first:]))

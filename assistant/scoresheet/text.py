"""The printed sheet: header, two columns of moves, result and signature lines in plain text."""

from __future__ import annotations

import re
from collections.abc import Sequence

from assistant.scoresheet.layout import INDENT, Shape, blocks_of, words_of
from assistant.scoresheet.move_writing import Style
from assistant.scoresheet.reading import Reading, fitting, read_paragraphs
from assistant.scoresheet.record import Game
from assistant.scoresheet.sheet import items_of

WIDTH = 64
"""Characters in a line unless another width is asked for."""


class PrintCode:
    """Writes every word as it is."""

    rule = "_" * 24

    def tokens(self, tokens: Sequence[str]) -> tuple[str, ...]:
        """Return the tokens."""
        return tuple(tokens)

    def read_tokens(self, words: Sequence[str]) -> tuple[str, ...]:
        """Return the words."""
        return tuple(words)

    def prose(self, text: str) -> tuple[str, ...]:
        """Return the words of a text."""
        return tuple(text.split())

    def read_prose(self, words: Sequence[str]) -> str:
        """Return the text of words."""
        return " ".join(words)

    def spelled(self, text: str) -> tuple[str, ...]:
        """Return the words of a text: print has no other signs for prose."""
        return self.prose(text)

    def remark_mark(self) -> str:
        """Return the sign that a remark starts with."""
        return "—"


def to_text(game: Game, style: Style, width: int = WIDTH, two_columns: bool = True) -> str:
    """Return the sheet as text; words are never broken, so a long one may pass the width.

    Tags that a sheet cannot hold are left out.
    """
    game, _notes = fitting(game, style.language, PrintCode())
    items = items_of(game, style, PrintCode())
    blocks = blocks_of(items, Shape(width, two_columns=two_columns))
    return "".join(f"{line}\n" for block in blocks for line in block)


def from_text(text: str, language: str, beside: Game | None) -> Reading:
    """Read a sheet in text, written by this program or by a person, and tell what somebody must know of it.

    `beside` is the other player's sheet.
    :raises UsageError: naming the first thing that cannot be read.
    """
    lines = (re.sub(r"\s", " ", line.expandtabs(INDENT)) for line in text.splitlines())
    return read_paragraphs(words_of(lines, Shape(WIDTH)), language, PrintCode(), beside)

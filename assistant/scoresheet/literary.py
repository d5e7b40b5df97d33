"""Names and remarks in the literary braille of a language, written so that they can be read back.

A literary table is made for reading by touch: several signs of print may share a cell, and what liblouis
reads back is then not what was written. So each text is read back before it is used; where that fails in the
sheet's own language, it is written in another language's braille or spelled, and a mark says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from string import ascii_letters, digits

from assistant.scoresheet import louis
from assistant.scoresheet.louis import BLANK
from assistant.scoresheet.profiles import literary_table, literary_tables, marks, spelled_table

_ESCAPE = re.compile(r"\\([0-9a-f]+);")
_CLOSING = {"(": ")", "[": "]", "{": "}"}


def to_cells(text: str, language: str, grade: str) -> str:
    """Return one line of text as cells; `to_text` gives exactly that text back.

    :raises HectorError: if liblouis is missing.
    """
    for other in (language, *(name for name in literary_tables() if name != language)):
        table = literary_table(other, grade)
        try:
            cells = louis.to_cells(table, text)
        except louis.UntranslatableError:
            continue
        prefix = "" if other == language else _foreign_mark(other) + BLANK
        if cells and not cells.startswith(marks().foreign) and _plain_text(cells, other, grade) == text:
            return prefix + cells
    return marks().spelled + BLANK + louis.to_cells(spelled_table(), _escape(text))


def to_text(cells: str, language: str, grade: str) -> str:
    """Return the text of a line of cells, whatever code its mark announces."""
    mark, _, rest = cells.partition(BLANK)
    if mark == marks().spelled:
        return _ESCAPE.sub(lambda match: chr(int(match[1], 16)), louis.to_text(spelled_table(), rest))
    for other in literary_tables():
        if mark == _foreign_mark(other):
            return _plain_text(rest, other, grade)
    return _plain_text(cells, language, grade)


@cache
def _foreign_mark(language: str) -> str:
    return marks().foreign + louis.to_cells(spelled_table(), language)


def _escape(text: str) -> str:
    blanks = text != " ".join(text.split())
    out = []
    for char in text:
        keep = (char != " " or not blanks) and char != "\\" and _is_spellable(char)
        out.append(char if keep else f"\\{ord(char):x};")
    return "".join(out)


@cache
def _is_spellable(char: str) -> bool:
    try:
        cells = louis.to_cells(spelled_table(), f"a{char}b")
    except louis.UntranslatableError:
        return False
    return louis.to_text(spelled_table(), cells) == f"a{char}b"


# -- Reading literary braille back ---------------------------------------------------------------------


def _plain_text(cells: str, language: str, grade: str) -> str:
    table = literary_table(language, grade)
    # Letter by letter first: of the readings that share their cells it takes the likeliest.
    words = " ".join(_word(table, language, word) for word in cells.split(BLANK))
    direct = louis.to_text(table, cells)
    for text in (words, direct, _close_brackets(direct)):
        if _writes(table, text, cells):
            return text
    return direct


def _writes(table: str, text: str, cells: str) -> bool:
    try:
        return louis.to_cells(table, text) == cells
    except louis.UntranslatableError:
        return False


def _close_brackets(text: str) -> str:
    return re.sub(r"(?<=\S)([(\[{])(?!\w)", lambda match: _CLOSING[match[1]], text)


@cache
def _word(table: str, language: str, cells: str) -> str:
    """Return a word that is written with these cells, found by trying letter after letter."""
    for text in _spellings(table, language, cells, "", 0):
        if _writes(table, text, cells):
            return text
    shout = _capitals_mark(table)
    if shout and cells.startswith(shout):
        for text in _spellings(table, language, cells[len(shout) :], "", 0):
            if _writes(table, text.upper(), cells):
                return text.upper()
    return louis.to_text(table, cells)


def _spellings(table: str, language: str, cells: str, before: str, depth: int) -> Iterator[str]:
    if not cells:
        yield before
        return
    if depth > 60:
        return
    for piece, char in _codebook(table, language, _context(before)):
        if cells.startswith(piece):
            yield from _spellings(table, language, cells[len(piece) :], before + char, depth + 1)


def _context(before: str) -> str:
    if not before:
        return ""
    last = before[-1]
    if last.isdigit():
        return "1"
    if last.isalpha():
        return "B" if last.isupper() else "b"
    # A digit may keep the number going across a sign such as 3.1.
    return ("1" if len(before) > 1 and before[-2].isdigit() else "b") + last


@cache
def _codebook(table: str, language: str, context: str) -> tuple[tuple[str, str], ...]:
    """Return (cells, character) for what may follow in a context, the likeliest reading first."""
    start = _cells_or_none(table, context) if context else ""
    pairs = []
    letters = literary_letters(language)
    for char in dict.fromkeys(letters + letters.upper() + ascii_letters + digits + ".,-'/:+()?!;&\"*=#@%"):
        whole = _cells_or_none(table, context + char)
        if whole and start is not None and whole.startswith(start) and len(whole) > len(start):
            pairs.append((whole[len(start) :], char))
    return tuple(sorted(pairs, key=lambda pair: -len(pair[0])))


def literary_letters(language: str) -> str:
    """Return the letters of a language beyond a to z."""
    return literary_tables()[language]["letters"]


@cache
def _capitals_mark(table: str) -> str:
    shout, quiet = _cells_or_none(table, "AB"), _cells_or_none(table, "ab")
    return shout[: -len(quiet)] if shout and quiet and shout.endswith(quiet) else ""


def _cells_or_none(table: str, text: str) -> str | None:
    try:
        return louis.to_cells(table, text)
    except louis.UntranslatableError:
        return None

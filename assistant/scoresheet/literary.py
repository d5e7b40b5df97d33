"""Names and remarks in the literary braille of a language, written so that they can be read back.

A literary table is made for reading by touch: several signs of print may share a cell, and what liblouis
reads back is then not what was written. So each text is read back before it is used; where that fails in the
sheet's own language, it is written in another language's braille or spelled, and a mark says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from string import ascii_letters, digits, printable

from assistant.scoresheet import louis
from assistant.scoresheet.louis import BLANK
from assistant.scoresheet.profiles import literary_table, literary_tables, marks, spelled_table

_ESCAPE = re.compile(r"\\([0-9a-f]+);")
_MOST_STEPS = 400
_LONGEST_WORD = 40
_CLOSING = {"(": ")", "[": "]", "{": "}"}


def to_cells(text: str, language: str, grade: str) -> str:
    """Return one line of text as cells; `to_text` gives exactly that text back.

    :raises HectorError: if liblouis is missing.
    """
    for other in (language, *(name for name in literary_tables() if name != language)):
        cells = _literary_cells(text, other, grade)
        if cells and not _looks_marked(cells) and _literary_text(cells, other, grade) == text:
            return cells if other == language else _foreign_mark(other) + BLANK + cells
    return spelled_cells(text)


def spelled_cells(text: str) -> str:
    """Return one line of text sign by sign, after the mark that says so; `to_text` gives it back."""
    return marks().spelled + BLANK + _by_word(_escape(text), " ", spelled_table())


def _looks_marked(cells: str) -> bool:
    broken = marks().broken
    return cells.startswith(marks().foreign) or any(word.endswith(broken) for word in cells.split(BLANK))


def _literary_cells(text: str, language: str, grade: str) -> str:
    """Return the line in the language's own table, or nothing if that lacks a sign of it."""
    if not set(text) <= _repertoire(language) or max(map(len, text.split(" "))) > _LONGEST_WORD:
        return ""
    try:
        return _by_word(text, " ", literary_table(language, grade))
    except louis.UntranslatableError:
        return ""


def _by_word(text: str, blank: str, table: str) -> str:
    # Never a whole line: on some long ones liblouis' German tables do not come to an end.
    return BLANK.join(louis.to_cells(table, word) for word in text.split(blank))


@cache
def _repertoire(language: str) -> frozenset[str]:
    table = literary_tables()[language]
    letters = table["letters"] + table.get("more", "") + table.get("alone", "")
    return frozenset(printable[:-5] + letters + letters.upper())


def to_text(cells: str, language: str, grade: str) -> str:
    """Return the text of a line of cells, whatever code its mark announces."""
    mark, _, rest = cells.partition(BLANK)
    if mark == marks().spelled:
        spelled = " ".join(louis.to_text(spelled_table(), word) for word in rest.split(BLANK))
        return _ESCAPE.sub(lambda match: chr(int(match[1], 16)), spelled)
    for other in literary_tables():
        if mark == _foreign_mark(other):
            return _literary_text(rest, other, grade)
    return _literary_text(cells, language, grade)


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
    if char > "ÿ":
        return False
    cells = _cells_or_none(spelled_table(), f"a{char}")
    if cells is None or cells.endswith(marks().broken):
        return False
    return louis.to_text(spelled_table(), cells) == f"a{char}"


# -- Reading literary braille back ---------------------------------------------------------------------


def _literary_text(cells: str, language: str, grade: str) -> str:
    table = literary_table(language, grade)
    return " ".join(_word(table, language, word) for word in cells.split(BLANK))


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
    alone: str = literary_tables()[language].get("alone", "")
    for sign in alone:
        if _writes(table, sign, cells):
            return sign
    for text in _spellings(table, language, cells):
        if _writes(table, text, cells):
            return text
    shout = _capitals_mark(table)
    if shout and cells.startswith(shout):
        for text in _spellings(table, language, cells[len(shout) :]):
            if _writes(table, text.upper(), cells):
                return text.upper()
    direct = louis.to_text(table, cells)
    guesses = (_well_read(direct, language), _close_brackets(direct))
    return next((guess for guess in guesses if guess != direct and _writes(table, guess, cells)), direct)


def _well_read(text: str, language: str) -> str:
    """Return a word with the signs that liblouis takes for others before a letter."""
    for misread, sign in literary_tables()[language].get("misread", {}).items():
        text = re.sub(rf"{re.escape(misread)}(?=\w)", sign, text)
    return text


def _spellings(table: str, language: str, cells: str) -> Iterator[str]:
    """Yield readings of the cells, the likeliest first; it gives up where too many are possible."""
    steps = _MOST_STEPS
    trail = [("", cells)]
    while trail and steps:
        before, rest = trail.pop()
        steps -= 1
        if not rest:
            yield before
            continue
        pairs = _codebook(table, language, _context(before))
        trail += [
            (before + char, rest[len(piece) :]) for piece, char in reversed(pairs) if rest.startswith(piece)
        ]


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
    letters = literary_tables()[language]["letters"]
    for char in dict.fromkeys(digits + letters + letters.upper() + ascii_letters + ".,-'/:+()?!;&\"*=#@%"):
        whole = _cells_or_none(table, context + char)
        if whole and start is not None and whole.startswith(start) and len(whole) > len(start):
            pairs.append((whole[len(start) :], char))
    return tuple(sorted(pairs, key=lambda pair: -len(pair[0])))


@cache
def _capitals_mark(table: str) -> str:
    shout, quiet = _cells_or_none(table, "AB"), _cells_or_none(table, "ab")
    return shout[: -len(quiet)] if shout and quiet and shout.endswith(quiet) else ""


def _cells_or_none(table: str, text: str) -> str | None:
    try:
        return louis.to_cells(table, text)
    except louis.UntranslatableError:
        return None

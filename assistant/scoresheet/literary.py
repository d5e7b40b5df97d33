"""Names and remarks in the literary braille of a language, written so that they can be read back.

A literary table is made for reading by touch: several signs of print may share a cell, and what liblouis
reads back is then not what was written. So each text is read back before it is used; where that fails in the
sheet's own language, it is written in another language's braille or spelled, and a mark says so. Quotes,
dashes and dots of a printer may come back as those of a typewriter: for the fingers they are the same.

What is read back is a whole word, but a finger comes from the left: in some tables e4e5 is e45 up to the
next sign for numbers, and 12.e4 begins as 12.5 does. Such a word is not written in these either.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from itertools import product
from string import ascii_letters, digits, printable
from sys import maxunicode

from assistant.scoresheet import louis
from assistant.scoresheet.louis import BLANK
from assistant.scoresheet.profiles import GRADES, literary_table, literary_tables, marks, spelled_table
from assistant.scoresheet.typography import likelier_sign, plain

_ESCAPE = re.compile(r"\\([0-9a-f]+);")
_THREE_DOTS = re.compile(r"\. \. \.|[…\x85]")
"""How liblouis reads them, in one table or another."""
_WITHIN_WORDS = ".,-'/:+=()"
"""Signs that may have other cells where a word or number goes on behind them."""
_LETTER_BEHIND_NUMBER = re.compile(r"[0-9](?:([\W_]+)(?![¼½¾]))?([^\W\d_])")
"""Behind a sign, a fraction may begin with its own digit."""
_WITHIN_NUMBERS = frozenset(".,")
"""Signs behind which a number goes on without a second sign for numbers, to a reader of any language."""
_MOST_STEPS = 400
_LONGEST_WORD = 40


def to_cells(text: str, language: str, grade: str) -> str:
    """Return one line of text as cells; `to_text` gives exactly that text back, or it in `plain` signs.

    :raises HectorError: if liblouis is missing.
    """
    for other in (language, *(name for name in literary_tables() if name != language)):
        if cells := _faithful_cells(text, other, grade):
            return cells if other == language else _foreign_mark(other) + BLANK + cells
    return spelled_cells(text)


def shown_cells(text: str, language: str, grade: str) -> str:
    """Return one line of text as cells for a reader alone: nothing has to read them back.

    They are in the language's own braille where that has all the signs, and else as `to_cells` writes them.
    :raises HectorError: if liblouis is missing.
    """
    if cells := _faithful_cells(text, language, grade):
        return cells
    table = literary_table(language, grade)
    for each in (plain(text), text):
        if all(louis.has(table, sign) for sign in set(each) - {" "}):
            cells = _cells_by_word(each, table)
            if cells and not _looks_marked(cells):
                return cells
    return to_cells(text, language, grade)


def _faithful_cells(text: str, language: str, grade: str) -> str:
    """Return the line in one language's braille, or nothing if it would not be read back from that.

    Only a text with signs of a printer may come back with others of their kind.
    """
    for each in dict.fromkeys((text, plain(text))):
        cells = _literary_cells(each, language, grade)
        if cells and not _looks_marked(cells):
            back = _literary_text(cells, language, grade)
            if back == text or (text != plain(text) == plain(back)):
                return cells
    return ""


def spelled_cells(text: str) -> str:
    """Return one line of text sign by sign, after the mark that says so; `to_text` gives it back."""
    return marks().spelled + BLANK + _by_word(_escape(text), spelled_table())


def _looks_marked(cells: str) -> bool:
    words = cells.split(BLANK)
    return words[0] in _line_marks() or any(word.endswith(marks().broken) for word in words)


@cache
def _line_marks() -> frozenset[str]:
    """Return the words that a line in another code may begin with; a letter of some languages is as full."""
    return frozenset((marks().spelled, marks().remark, *map(_foreign_mark, literary_tables())))


def _literary_cells(text: str, language: str, grade: str) -> str:
    """Return the line in the language's own table, or nothing if that lacks a sign of it."""
    if not set(text) <= _repertoire(language):
        return ""
    return _cells_by_word(text, literary_table(language, grade))


def _cells_by_word(text: str, table: str) -> str:
    """Return the line in a table, or nothing if a word is too long, misleads or has no cells in it."""
    words = text.split(" ")
    if max(map(len, words)) > _LONGEST_WORD:
        return ""
    try:
        return "" if any(_misleads(table, word) for word in words) else _by_word(text, table)
    except louis.UntranslatableError:
        return ""


@lru_cache(maxsize=4096)
def _misleads(table: str, word: str) -> bool:
    """Return whether a letter of a word is felt as one more digit of the number that stands before it."""
    cells = _word_cells(table, word)
    return any(
        cells.startswith(number)
        for match in _LETTER_BEHIND_NUMBER.finditer(word)
        for number in _longer_numbers(table, word[: match.start(2)], match[1])
    )


def _longer_numbers(table: str, before: str, sign: str) -> Iterator[str]:
    """Yield the cells of a number, and of what stands before it, with each digit that it may go on with."""
    for digit in digits:
        number = _cells_or_none(table, before + digit)
        if number is None:
            continue
        yield number
        alone = _word_cells(table, digit)
        if sign in _WITHIN_NUMBERS and number.endswith(alone):
            within = _word_cells(table, digit * 2).removeprefix(alone)
            yield number.removesuffix(alone) + within


def _by_word(text: str, table: str) -> str:
    # Never a whole line: on some long ones liblouis' German tables do not come to an end.
    return BLANK.join(_word_cells(table, word) for word in text.split(" "))


def _word_cells(table: str, word: str) -> str:
    """Return the cells of a word, written in pieces where liblouis would write another sign for two."""
    seams = _seams().get(table)
    pieces = seams.split(word) if seams else (word,)
    return "".join(louis.to_cells(table, piece) for piece in pieces)


@cache
def _seams() -> Mapping[str, re.Pattern[str]]:
    """Return by their names the tables of a language where words have seams, and what those are."""
    return {
        literary_table(language, grade): re.compile(entry["seams"])
        for language, entry in literary_tables().items()
        for grade in GRADES
        if "seams" in entry
    }


@cache
def _repertoire(language: str) -> frozenset[str]:
    table = literary_tables()[language]
    others = (table.get(name, "") for name in ("more", "alone", "opening", "printed"))
    letters = table["letters"] + "".join(others)
    return frozenset(printable[:-5] + letters + letters.upper())


def to_text(cells: str, language: str, grade: str) -> str:
    """Return the text of a line of cells, whatever code its mark announces."""
    mark, _, rest = cells.partition(BLANK)
    if mark == marks().spelled:
        spelled = " ".join(louis.to_text(spelled_table(), word) for word in rest.split(BLANK))
        return _ESCAPE.sub(_escaped_sign, spelled)
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


def _escaped_sign(match: re.Match[str]) -> str:
    """Return the sign of a number; one that a damaged sheet has and that is no sign's stays as it stands."""
    number = int(match[1], 16)
    is_sign = number <= maxunicode and not 0xD800 <= number <= 0xDFFF
    return chr(number) if is_sign else match[0]


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
    words: list[str] = []
    last = ""
    for each in cells.split(BLANK):
        word = _word(table, language, each)
        both = last + BLANK + each
        # In German braille, a sign of arithmetic between two numbers has a blank before it.
        is_one = words and words[-1][-1:].isdigit() and not word[:1].isalnum() and word[1:2].isdigit()
        if is_one and _writes(table, words[-1] + word, both):
            words[-1] += word
            last = both
        else:
            words.append(word)
            last = each
    return " ".join(words)


def _writes(table: str, text: str, cells: str) -> bool:
    try:
        return len(text) <= _LONGEST_WORD and _word_cells(table, text) == cells
    except louis.UntranslatableError:
        return False


@cache
def _word(table: str, language: str, cells: str) -> str:
    """Return a word that is written with these cells, found by trying letter after letter."""
    alone: str = literary_tables()[language].get("alone", "")
    for sign in alone:
        if _writes(table, sign, cells):
            return sign
    for text in _spellings(table, language, cells):
        if _writes(table, text, cells):
            return _in_place(table, language, text, cells)
    shout = _capitals_mark(table)
    if shout and shout in cells:
        # Before it, there may be a bracket.
        for text in _spellings(table, language, cells.replace(shout, "", 1)):
            if _writes(table, text.upper(), cells):
                return _in_place(table, language, text.upper(), cells)
    direct = louis.word_to_text(table, cells)
    # What is written without a blank has none.
    joined = _THREE_DOTS.sub("...", direct).replace(" ", "")
    guesses = (_well_read(joined, language), joined)
    text = next((guess for guess in guesses if _writes(table, guess, cells)), direct)
    return _in_place(table, language, text, cells)


def _in_place(table: str, language: str, text: str, cells: str) -> str:
    """Return a word with each sign replaced that shares its cells with one that is likelier in its place.

    What is longer than any word that is written has no likelier reading.
    """
    if len(text) > _LONGEST_WORD:
        return text
    beside_digits = literary_tables()[language].get("beside_digits", {})
    for index, sign in enumerate(text):
        before, after = text[:index], text[index + 1 :]
        other = likelier_sign(before, sign, after)
        if before[-1:].isdigit() or after[:1].isdigit():
            other = beside_digits.get(sign, other)
        if other and other in _repertoire(language) and _writes(table, before + other + after, cells):
            # What a sign is may depend on those behind it.
            return _in_place(table, language, before + other + after, cells)
    return text


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
        pairs = _codebook(table, language, _context(before, language))
        trail += [
            (before + char, rest[len(piece) :]) for piece, char in reversed(pairs) if rest.startswith(piece)
        ]


def _context(before: str, language: str) -> str:
    if not before:
        return ""
    last = before[-1]
    if last.isdigit():
        return "1"
    if last.isalpha():
        return _letter_like(last)
    # A digit may keep the number going across a sign such as 3.1.
    is_number = len(before) > 1 and before[-2].isdigit()
    return ("1" if is_number else _letter_like(literary_tables()[language]["letters"][0])) + last


def _letter_like(letter: str) -> str:
    """Return a usual letter of the same alphabet and case: between two alphabets some tables have a sign."""
    usual = "л" if "\u0400" <= letter <= "\u04ff" else "l"
    return usual.upper() if letter.isupper() else usual


@cache
def _codebook(table: str, language: str, context: str) -> tuple[tuple[str, str], ...]:
    """Return (cells, character) for what may follow in a context, the likeliest reading first."""
    starts = _ways_to_write(table, context) if context else ("",)
    pairs: dict[tuple[str, str], None] = {}
    letters = literary_tables()[language]["letters"]
    signs = digits + letters + letters.upper() + ascii_letters + ".,-'/:+()?!;&\"*=#@%"
    # Some tables have cells for three dots that are not those of one.
    for char in dict.fromkeys((*signs, "...")):
        for whole, start in product(_ways_to_write(table, context + char), starts):
            if whole.startswith(start) and len(whole) > len(start):
                pairs[whole[len(start) :], char] = None
    return tuple(sorted(pairs, key=lambda pair: -len(pair[0])))


def _ways_to_write(table: str, text: str) -> tuple[str, ...]:
    """Return the cells of a text, and those that it has where a word goes on behind its last sign.

    Behind a capital there may be a small letter, and a sign such as a colon may stand between two digits.
    """
    ways = [_cells_or_none(table, text)]
    if text[-1].isupper():
        ways.append(_cells_before(table, text, _letter_like(text[-1].lower())))
    elif text[-1] in _WITHIN_WORDS:
        last_letter = next(filter(str.isalpha, reversed(text)), "l")
        ways += [_cells_before(table, text, each) for each in ("1", _letter_like(last_letter.lower()))]
    return tuple(dict.fromkeys(filter(None, ways)))


def _cells_before(table: str, text: str, following: str) -> str | None:
    """Return the cells of a text where a letter or digit follows, if they can be told from those of that."""
    whole, alone = _cells_or_none(table, text + following), _cells_or_none(table, following)
    twice = _cells_or_none(table, following * 2)
    if not (whole and alone and twice):
        return None
    # Within a number, a digit may have no sign for numbers.
    lasts = (alone, twice.removeprefix(alone)) if following.isdigit() else (alone,)
    return next((whole.removesuffix(last) for last in lasts if whole.endswith(last)), None)


@cache
def _capitals_mark(table: str) -> str:
    shout, quiet = _cells_or_none(table, "AB"), _cells_or_none(table, "ab")
    return shout[: -len(quiet)] if shout and quiet and shout.endswith(quiet) else ""


def _cells_or_none(table: str, text: str) -> str | None:
    try:
        return _word_cells(table, text)
    except louis.UntranslatableError:
        return None

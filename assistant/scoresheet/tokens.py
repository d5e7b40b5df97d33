"""The words of a sheet's line of moves: which they are, and where one ends."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from assistant.offers import OFFER
from assistant.scoresheet.move_reading import is_move_like
from assistant.scoresheet.notation import languages
from assistant.scoresheet.results import result_of

NUMBER = re.compile(r"(\d{1,9})\.(\.\.|…)?")
CLOCK = re.compile(r"[\[(]?(?:(\d{1,9}):)?(\d{1,2}):(\d{2}(?:\.\d+)?)[\])]?")
"""Hector sets a clock time in brackets, few people do; a result such as 1:0 has no second with two digits."""
PASSING = re.compile(r"\(?[eai]\.?\s?p\.?\)?")
_WHITES_NUMBER = re.compile(r"\d{1,9}\.")
_WITHOUT_DOT = re.compile(r"\d{1,3}")
_DOTS = re.compile(r"\.\.\.?|…")
_HYPHEN = r"[-\u2010-\u2015\u2212:]"
_SPACED = re.compile(rf"(?P<castling>[0Oo](?: {_HYPHEN} [0Oo]){{1,2}})|\S+ {_HYPHEN} \S+")
_GLUED = re.compile(r"(\d+\.(?:\.\.|…)?)([^.…].*)")
_NOTES = r"\{[^}]*\}|^\s*\[[^\]\n]*\]\s*$|\[%[^\]]*\]"
_VARIATION = re.compile(r"\((?![=!]\)|[eai]\.?\s?p)[^()]*\)")
_ANY_NUMBER = re.compile(r"^\d*[.…]+")
_PROSE = re.compile(r"\s*(?:[^\W\d][^:\d]*:(?:\s|$)|—\s)")
"""A line with a label, and a remark."""
_NO_MOVE = re.compile(rf"\d+|\([=!]\)|\$\d+|{CLOCK.pattern}|{PASSING.pattern}|{_HYPHEN}")


def is_result(token: str) -> bool:
    """Return whether a word is a result.

    Among moves 0-0 is castling; that both players lose stands on the line of the result alone.
    """
    return result_of(token) not in (None, "0-0")


def is_move_text(tokens: Sequence[str], language: str) -> bool:
    """Return whether a line goes on with moves."""
    first = tokens[0] if tokens else ""
    if NUMBER.fullmatch(first) or _GLUED.fullmatch(first) or result_of(first):
        return True
    return is_move_like(first, language)


def typed(tokens: Sequence[str], language: str) -> Iterator[str]:
    """Yield tokens as Hector writes them.

    People set semicolons between moves, and blanks before the dots of Black and around hyphens, and leave out
    White's dot.
    """
    words = list(_closed_up([token.removesuffix(";") for token in tokens]))
    number = ""
    for token, following in zip(words, [*words, ""][1:], strict=True):
        if _WITHOUT_DOT.fullmatch(token) and is_move_like(following, language):
            token = f"{token}."
        if number:
            is_blacks = _DOTS.fullmatch(token) is not None
            yield f"{number}.." if is_blacks else number
            number = ""
            if is_blacks:
                continue
        if _WHITES_NUMBER.fullmatch(token):
            number = token
        elif token:
            yield token
    if number:
        yield number


def _closed_up(words: Sequence[str]) -> Iterator[str]:
    """Yield words, a result or castling as one that stands with blanks around its hyphens: "1 - 0"."""
    at = 0
    while at < len(words):
        length = next((each for each in (5, 3) if _is_spaced(words[at : at + each])), 1)
        yield "".join(words[at : at + length])
        at += length


def _is_spaced(words: Sequence[str]) -> bool:
    found = _SPACED.fullmatch(" ".join(words))
    return found is not None and (found["castling"] is not None or is_result("".join(words)))


def split(tokens: Sequence[str]) -> Iterator[str]:
    """Yield tokens of which numbers and offers stand apart from moves."""
    for token in tokens:
        glued = None if is_result(token) else _GLUED.fullmatch(token)
        number, rest = glued.groups() if glued else ("", token)
        if number:
            yield number
        if rest.endswith(OFFER) and rest != OFFER:
            yield rest[: -len(OFFER)]
            yield OFFER
        else:
            yield rest


def moves_in(text: str) -> list[str]:
    """Return the moves of a scoresheet as somebody has typed it, or of a PGN, in order and as written.

    What a PGN has of other moves, in parentheses within parentheses, is left out, and so are the header, the
    remarks and the lines to sign on of a whole sheet.
    """
    behind = "" if parts_moves_by_semicolons(text) else r"[^\n]*"
    text = "\n".join(_lines_of_moves(re.sub(rf"{_NOTES}|;{behind}", " ", text, flags=re.M)))
    left_out = 1
    while left_out:
        text, left_out = _VARIATION.subn(" ", text)
    words = (word for word in _closed_up(text.split()) if not is_result(word))
    moves = (_ANY_NUMBER.sub("", word) for word in words)
    return [move for move in moves if move and not _NO_MOVE.fullmatch(move) and not is_result(move)]


def _lines_of_moves(text: str) -> Iterator[str]:
    """Yield the lines of a text but those of prose, and those that are indented and go on with such a one."""
    is_prose = False
    for line in text.split("\n"):
        goes_on = is_prose and line[:1].isspace() and not _begins_with_move(line)
        is_prose = _PROSE.match(line) is not None or goes_on
        if not is_prose:
            yield line


def _begins_with_move(line: str) -> bool:
    return any(is_move_text(line.split(), language) for language in languages())


def parts_moves_by_semicolons(text: str) -> bool:
    """Return whether a text without tags goes on with moves after a semicolon: PGN has a comment there."""
    if re.search(r"^[^\S\n]*\[", text, re.M):
        return False
    behind = re.findall(r";[^\S\n]*(\d*)([^\s;]+)", re.sub(r"\{[^}]*\}?", " ", text))
    return any(
        (number and rest[0] in ".…") or is_move_like(number + rest, language)
        for number, rest in behind
        for language in languages()
    )

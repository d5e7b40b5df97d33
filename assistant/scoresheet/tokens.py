"""The words of a sheet's line of moves: which they are, and where one ends."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from assistant.scoresheet.move_reading import is_move_like
from assistant.scoresheet.record import OFFER
from assistant.scoresheet.results import result_of

NUMBER = re.compile(r"(\d{1,9})\.(\.\.|…)?")
_WHITES_NUMBER = re.compile(r"\d{1,9}\.")
_DOTS = re.compile(r"\.\.\.?|…")
_GLUED = re.compile(r"(\d+\.(?:\.\.|…)?)([^.…].*)")


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


def typed(tokens: Sequence[str]) -> Iterator[str]:
    """Yield tokens without what people set between moves: semicolons, and blanks before the dots of Black."""
    number = ""
    for token in tokens:
        token = token.removesuffix(";")
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

"""A move in the words of a language, as somebody types it: "caballo por f3", "e8=dama", "petit roque"."""

from __future__ import annotations

import re
import unicodedata
from functools import cache

from assistant.scoresheet.move_reading import taken_apart
from assistant.scoresheet.notation import Notation, notation

_BEFORE_A_SQUARE = r"(?=\s+[a-hA-H][1-8])"
"""What must follow a small word: "a" is also a file."""
_SIGNS = {"capture": "x", "promotion": "=", "short": "0-0", "long": "0-0-0", "check": "+", "mate": "#"}
_SMALL = ("origin", "target")
_NO_NAMES = ("promotion", "check", "mate")
"""With these alone no move has been put in words: "exd5 mate" is written in letters."""


def in_letters(text: str, words: str, language: str) -> str | None:
    """Return a move that is put in one language's words as it is written in the letters of another.

    Letters, squares and signs may stand among the words, as in "e8=dama". `None` if no man, no capture and no
    castling is named in words, or what they say is no move to a whole square.
    """
    phrases = _phrases(words, language)
    if not phrases:
        return None
    named = False

    def letters(found: re.Match[str]) -> str:
        nonlocal named
        sign, is_name = phrases[found[0].casefold()]
        named = named or is_name
        return sign

    written = "".join(_pattern(words, language).sub(letters, _plain(text)).split())
    return written if named and taken_apart(written, language) is not None else None


def _plain(text: str) -> str:
    """Return a text without accents, with single blanks, its capitals kept."""
    apart = unicodedata.normalize("NFD", text.replace("ł", "l").replace("Ł", "L"))
    return " ".join("".join(sign for sign in apart if not unicodedata.combining(sign)).split())


@cache
def _phrases(words: str, language: str) -> dict[str, tuple[str, bool]]:
    """Return what stands for each phrase in letters, and whether it is enough to make a text one of words."""
    named: Notation = notation(words)
    letters = notation(language).letters
    found: dict[str, tuple[str, bool]] = {}
    for kind, man in named.men.items():
        for phrase in man:
            found[_plain(phrase).casefold()] = letters.get(kind, ""), True
    for what, phrases in named.phrases.items():
        for phrase in phrases:
            found[_plain(phrase).casefold()] = _SIGNS.get(what, ""), what not in _NO_NAMES
    return found


@cache
def _pattern(words: str, language: str) -> re.Pattern[str]:
    small = {_plain(phrase).casefold() for what in _SMALL for phrase in notation(words).phrases.get(what, ())}
    phrases = sorted(_phrases(words, language), key=len, reverse=True)
    parts = [re.escape(phrase) + (_BEFORE_A_SQUARE if phrase in small else "") for phrase in phrases]
    return re.compile(rf"(?<![^\W\d_])(?:{'|'.join(parts)})(?![^\W_])", re.IGNORECASE)

"""A move in the words of a language, as somebody types it: "caballo por f3", "e8=dama", "petit roque"."""

from __future__ import annotations

import re
from functools import cache

import chess

from assistant.announcements import load_vocabulary, without_accents
from assistant.scoresheet import languages, taken_apart
from assistant.scoresheet.notation import notation

_BEFORE_A_SQUARE = r"(?=\s+[a-hA-H][1-8])"
"""What must follow a small word: "a" is also a file."""
_SIGNS = {
    "capture": "x",
    "promotion": "=",
    "short": "0-0",
    "long": "0-0-0",
    # Without its side it is written nowhere: what stands beside it makes no move of it.
    "castling": "0",
    "check": "+",
    "mate": "#",
    "passing": "e.p.",
}
_BETWEEN = ",;!"
"""What may stand between a move and the words about check behind it."""
_GLUED = re.compile(r"\b[a-z]{2,}\s+\S*\d")
"""A small word that nothing was read for, before a square: "na b5" is no knight from the a-file."""
_LENGTHS = (3, 2, 1)
"""How many words a phrase at the end has: "échec et mat"."""
_SMALL = ("origin", "target")
_IN_LETTERS_TOO = ("promotion", "passing", "check", "mate")
"""With these alone no move has been put in words: "exd5 mate" is written in letters."""


def in_letters(text: str, words: str, language: str) -> str | None:
    """Return a move that is put in one language's words as it is written in the letters of another.

    Letters, squares and signs may stand among the words, as in "e8=dama" and "N to f3". `None` if no word
    tells of more than what the move leads to (a new man, check, mate), or the whole is no move to a whole
    square.
    """
    means = _meanings(words)
    if not means:
        return None
    plain, pattern = _plain(text), _pattern(words)
    if all(means[_spelt(phrase)] in _IN_LETTERS_TOO for phrase in pattern.findall(plain)):
        return None
    letters = notation(language).letters

    def sign(phrase: re.Match[str]) -> str:
        meaning = means[_spelt(phrase[0])]
        return _SIGNS.get(meaning, "") if isinstance(meaning, str) else letters.get(meaning, "")

    signs = pattern.sub(sign, plain)
    written = "".join(signs.split())
    return None if _GLUED.search(signs) or taken_apart(written, language) is None else written


def names_target(text: str, words: str) -> bool:
    """Return whether a small word before a square may say in a language where a man goes: "dame a e7"."""
    means = _meanings(words)
    return any(means.get(_spelt(word)) == "target" for word in re.findall(rf"\w+{_BEFORE_A_SQUARE}", text))


def man_named(text: str, words: str) -> chess.PieceType | None:
    """Return the man whose name in one language a text is, if it is one."""
    meaning = _meanings(words).get(_spelt(text))
    return None if isinstance(meaning, str) else meaning


def without_check(text: str) -> str:
    """Return a text without what it says of check and mate at its end, in the words of any language."""
    return _without(text, _phrases("check", "mate"))


def without_passing(text: str) -> str:
    """Return a text without the words for en passant at its end, in any language."""
    return _without(text, _phrases("passing"))


def _without(text: str, phrases: frozenset[tuple[str, ...]]) -> str:
    words = text.split()
    spelt = [_spelt(word.strip(_BETWEEN)) for word in words]
    left = len(words)
    while size := next((n for n in _LENGTHS if n < left and tuple(spelt[left - n : left]) in phrases), 0):
        left -= size
    return text if left == len(words) else " ".join(words[:left]).rstrip(_BETWEEN)


def names_castling(text: str) -> bool:
    """Return whether a text is any language's word for castling, on whichever side."""
    return _spelt(text) in _castling()


@cache
def _castling() -> frozenset[str]:
    means = (item for words in languages() for item in _meanings(words).items())
    return frozenset(phrase for phrase, meaning in means if meaning == "castling")


@cache
def _phrases(*meanings: str) -> frozenset[tuple[str, ...]]:
    """Return the words of all languages for some of `check`, `mate` and `passing`, of announcements too."""
    vocabulary = load_vocabulary("de")
    tokens = {"check": vocabulary.check, "mate": vocabulary.mate, "passing": vocabulary.en_passant}
    named = {tokens[what] for what in meanings}
    spoken = {words for words, means in vocabulary.spellings.items() if named.issuperset(means)}
    typed = [notation(name).phrases.get(what, ()) for name in languages() for what in meanings]
    return frozenset(tuple(_spelt(phrase).split()) for phrase in spoken.union(*typed))


def _plain(text: str) -> str:
    """Return a text without accents, with single blanks, its capitals kept."""
    return " ".join(without_accents(text).split())


def _spelt(phrase: str) -> str:
    """Return a phrase as it is looked up, however it is typed."""
    return _plain(phrase).casefold()


@cache
def _meanings(words: str) -> dict[str, chess.PieceType | str]:
    """Return what each phrase of a language stands for: a man, or the name of a sign or small word."""
    named = notation(words)
    men = {_spelt(name): man for man, names in named.men.items() for name in names}
    return men | {_spelt(phrase): what for what, phrases in named.phrases.items() for phrase in phrases}


@cache
def _pattern(words: str) -> re.Pattern[str]:
    means = _meanings(words)
    phrases = sorted(means, key=len, reverse=True)
    parts = [re.escape(phrase) + (_BEFORE_A_SQUARE if means[phrase] in _SMALL else "") for phrase in phrases]
    return re.compile(rf"(?<![^\W\d_])(?:{'|'.join(parts)})(?![^\W_])", re.IGNORECASE)

"""The words of a locale: what they do in an announcement, how they are printed, how they may be spelt."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

import chess

Words: TypeAlias = tuple[str, ...]
"""Tokens of the vocabulary, lower-case ASCII: ("springer", "felix", "drei")."""

Wing: TypeAlias = Literal["short", "long"]
"""The side of a castling: towards the h-file or towards the a-file."""

ANSWERS = ("yes", "no")
"""Of `HEADS`, those behind which what answers a question between moves may follow too: "Nein, von Bella"."""

HEADS = ("correction", *ANSWERS)
"""The commands behind which a move may follow in the same breath, where they make sense: "Korrektur Springer
Felix drei", and to a question "Nein, Springer Felix drei"."""

_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})
_STROKES = str.maketrans("łŁ", "lL")
"""What Unicode does not take apart into a letter and a mark."""
_PARTS = re.compile(r"\d|[^\W\d_]+")
_PUNCTUATION = str.maketrans("’‘`´–—−‐‑", "''''-----")


def optional(words: Words) -> list[Words]:
    """Return what may stand where one of these words can be said and need not: nothing, or one of them."""
    return [(), *((word,) for word in words)]


@dataclass(frozen=True, slots=True)
class Command:
    """What a player says to steer the game, with its argument."""

    name: str
    """`repeat`, `correction`, `times`, `claim` ...: the names in the locale's vocabulary."""
    of: str | None = None
    """What is claimed, in the words of the game script; `None` for a claim that is not named."""
    square: chess.Square | None = None
    """The square that `square` asks about."""
    piece: chess.PieceType | None = None
    """The kind of man that `piece` asks about."""
    confirm: bool = False
    """Has to be asked back before it counts, however clearly it was heard."""


@dataclass(frozen=True, slots=True)
class CommandPhrase:
    """One wording of a command; `{square}` and `{piece}` stand for its argument."""

    pattern: Words
    command: Command


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """Everything language-dependent about announcements. Made by `load_vocabulary`.

    Where several words or wordings stand, Hector itself speaks the first.
    """

    written_forms: Mapping[str, str]
    """Token to printed form, for every token."""
    spellings: Mapping[str, Words]
    """Folded spelling to the tokens that it stands for; every token is its own spelling."""
    fillers: frozenset[str]
    """Folded words that a text may contain and that mean nothing."""
    files: Words
    ranks: tuple[Words, ...]
    pieces: Mapping[chess.PieceType, str]
    castling: Mapping[Wing, tuple[Words, ...]]
    capture: Words
    after_capture: Words
    from_words: Words
    to_words: Words
    promotion: Words
    en_passant: str
    check: str
    mate: str
    commands: tuple[CommandPhrase, ...]

    file_of: Mapping[str, int] = field(init=False, repr=False)
    rank_of: Mapping[str, int] = field(init=False, repr=False)
    piece_of: Mapping[str, chess.PieceType] = field(init=False, repr=False)
    role_of: Mapping[str, str] = field(init=False, repr=False)
    """Token to the letter of its role in an announcement (see `reading`); words of commands have none."""
    squares: tuple[tuple[Words, ...], ...] = field(init=False, repr=False)
    """For each square every way to say it, Hector's own first."""
    check_tails: tuple[tuple[Words, ...], ...] = field(init=False, repr=False)
    """What may be said of check and mate after a move: without check, with check, with mate."""
    _scanner: re.Pattern[str] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        rank_of = {word: rank for rank, words in enumerate(self.ranks) for word in words}
        roles = {
            **dict.fromkeys(self.files, "F"),
            **dict.fromkeys(rank_of, "R"),
            **dict.fromkeys(self.pieces.values(), "P"),
            **dict.fromkeys(self.capture, "x"),
            **dict.fromkeys(self.from_words, "v"),
            **dict.fromkeys((*self.after_capture, *self.to_words), "t"),
            **dict.fromkeys(self.promotion, "w"),
            self.en_passant: "e",
            self.check: "s",
            self.mate: "m",
        }
        derived = {
            "file_of": {word: file for file, word in enumerate(self.files)},
            "rank_of": rank_of,
            "piece_of": {word: piece for piece, word in self.pieces.items()},
            "role_of": roles,
            "squares": tuple(
                tuple((self.files[chess.square_file(square)], word) for word in self.ranks[square >> 3])
                for square in chess.SQUARES
            ),
            "check_tails": (
                ((),),
                ((), (self.check,)),
                ((), (self.check,), (self.mate,), (self.check, self.mate)),
            ),
            "_scanner": _scanner(self.spellings),
        }
        for name, value in derived.items():
            object.__setattr__(self, name, value)

    @property
    def tokens(self) -> frozenset[str]:
        """Every word that can be said: what an acoustic lexicon has to know."""
        return frozenset(self.written_forms)

    @property
    def about_check(self) -> frozenset[str]:
        """The words about check and mate: an announcement is complete without them (D.2.1)."""
        return frozenset((self.check, self.mate))

    def without_check(self, words: Words) -> Words:
        """Return an announcement without what it says of check and mate, be it true or not."""
        while words and words[-1] in self.about_check:
            words = words[:-1]
        return words

    def written(self, words: Iterable[str]) -> str:
        """Return the words as they are printed: "Springer Felix drei".

        A word that is no token stays as it is.
        """
        return " ".join(self.written_forms.get(word, word) for word in words)

    def wordings(self, *names: str) -> list[CommandPhrase]:
        """Return the wordings of some commands."""
        return [phrase for phrase in self.commands if phrase.command.name in names]

    def behind(self, words: Words, *names: str) -> Words:
        """Return what is said behind a wording of one of these commands; empty if nothing, or none, is."""
        heads = [phrase.pattern for phrase in self.wordings(*names)]
        return next((words[len(head) :] for head in heads if words[: len(head)] == head), ())

    def without_head(self, words: Words) -> Words:
        """Return what is said, without the one of `HEADS` that a move may follow."""
        return self.behind(words, *HEADS) or words

    def square(self, square: chess.Square) -> Words:
        """Return the tokens of a square as Hector speaks them."""
        return self.squares[square][0]

    def is_filler(self, word: str) -> bool:
        """Return whether a word says nothing, in whatever case."""
        folded = fold(word)
        return folded in self.fillers or without_accents(folded) in self.fillers

    def read(self, text: str) -> tuple[Words, Words]:
        """Return the tokens in a text, and the words that are neither tokens nor fillers.

        Squares may also be written as letter or name and digit, together or apart, and joined by a hyphen:
        "e2-e4", "Eva4". A letter with an accent is no file: "à" is a Frenchman's word. A picture is an
        unknown word: a horse before a square is no pawn's move. Punctuation is no word.
        """
        tokens: list[str] = []
        folded = fold(text)
        unknown = [sign for sign in folded if unicodedata.category(sign) == "So"]
        for word in self._scanner.findall(folded):
            found = self._spelt(word)
            if not found and self.is_filler(word):
                continue
            if not found and _has_digit(word):
                found = self._in_parts(word)
            if not found:
                unknown.append(word)
            tokens += found
        return tuple(tokens), tuple(unknown)

    def _spelt(self, word: str) -> Words:
        """Return the tokens that a word stands for; empty if it is none."""
        if len(word) == 1:
            return self.spellings.get(word, ())
        return self.spellings.get(word) or self.spellings.get(without_accents(word), ())

    def _in_parts(self, word: str) -> Words:
        """Return the tokens of words, letters and digits written as one word; empty if others are in it.

        "ab4" is a pawn that takes, whatever word its letters make.
        """
        tokens: list[str] = []
        for part in _PARTS.findall(word):
            found = [self._spelt(sign) for sign in part]
            if not all(each and each[0] in self.file_of for each in found) and self._spelt(part):
                found = [self._spelt(part)]
            if () in found:
                return ()
            tokens += [token for words in found for token in words]
        return tuple(tokens)


def fold(text: str) -> str:
    """Return a text as spellings are compared: composed, lower case, plain hyphens and blanks."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(unicodedata.normalize("NFC", folded).translate(_PUNCTUATION).split())


def without_accents(text: str) -> str:
    """Return a text without the marks on its letters: "könig" becomes "konig", "długa" "dluga"."""
    if text.isascii():
        return text
    apart = unicodedata.normalize("NFD", text).translate(_STROKES)
    return "".join(sign for sign in apart if not unicodedata.combining(sign))


def spelling_variants(spelling: str) -> set[str]:
    """Return a spelling folded, with its umlauts written as two letters, and without its accents."""
    folded = fold(spelling)
    return {folded, folded.translate(_UMLAUTS), without_accents(folded)}


def _has_digit(word: str) -> bool:
    return any(sign.isdigit() for sign in word)


def _scanner(spellings: Mapping[str, Sequence[str]]) -> re.Pattern[str]:
    """Compile the pattern that cuts a text into words, spellings with signs or blanks first."""
    special = sorted((key for key in spellings if not key.isalnum()), key=len, reverse=True)
    parts = []
    for key in special:
        before = r"(?<![^\W_])" if key[0].isalnum() else ""
        after = r"(?![^\W_])" if key[-1].isalnum() else ""
        parts.append(before + re.escape(key) + after)
    return re.compile("|".join([*parts, r"[^\W_]+"]))

"""A braille profile at work: tokens of the game and lines of prose to cells and back, checked as they go."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from assistant.errors import HectorError, Phrase, marked
from assistant.scoresheet import british, literary, louis
from assistant.scoresheet.layout import Shape
from assistant.scoresheet.louis import BLANK
from assistant.scoresheet.profiles import GRADES, Profile, literary_tables, marks

_RULE = "⠤" * 8


class LossError(HectorError):
    """Braille that would not read back as what was written; nothing is written then."""

    def __init__(self, profile: str, loss: Phrase | Exception) -> None:
        super().__init__(
            "The braille profile {profile} would lose something, so no sheet is written: {loss}",
            profile=profile,
            loss=loss,
        )


def comes_back(written: str, read: str) -> Phrase:
    """Return how a loss is told."""
    return marked("{written!r} comes back as {read!r}.", written=written, read=read)


@dataclass(frozen=True, slots=True)
class BrailleCode:
    """Writes words as cells in a profile, with the language's literary braille for prose."""

    profile: Profile
    language: str
    grade: str = "basic"
    rule: str = _RULE

    def tokens(self, tokens: Sequence[str]) -> tuple[str, ...]:
        """Return the words of cells for tokens of the game.

        :raises LossError: if the cells would not read back as the same tokens.
        """
        tokens = tuple(tokens)
        words = _write_tokens(self.profile, self.language, tokens)
        back = _read_tokens(self.profile, self.language, words)
        # A rewriting profile may drop what says nothing, such as the hyphen of a long form; the game that is
        # read back from the whole sheet must be the same all the same.
        if back != tokens and not self.profile.rewriting:
            raise LossError(self.profile.name, comes_back(" ".join(tokens), " ".join(back)))
        return words

    def read_tokens(self, words: Sequence[str]) -> tuple[str, ...]:
        """Return the tokens that words of cells stand for, without what was rubbed out."""
        return _read_tokens(self.profile, self.language, tuple(_not_erased(words)))

    def prose(self, text: str) -> tuple[str, ...]:
        """Return the words of cells for a label, a name or a remark."""
        return _prose(text, self.language, self.grade)

    def message(self, text: str) -> tuple[str, ...]:
        """Return the words of cells for a sentence that is only shown: it is never read back from them."""
        return _words(literary.shown_cells(text, self.language, self.grade))

    def read_prose(self, words: Sequence[str]) -> str:
        """Return the text that words of cells stand for."""
        return literary.to_text(BLANK.join(words), self.language, self.grade)

    def spelled(self, text: str) -> tuple[str, ...]:
        """Return the words of cells for a text that is spelled sign by sign, and marked so."""
        return tuple(literary.spelled_cells(text).split(BLANK))

    def remark_mark(self) -> str:
        """Return the cells that a remark starts with."""
        return marks().remark


def braille_code(profile: Profile, language: str, grade: str = "basic") -> BrailleCode:
    """Return the code for a profile in a language.

    :raises UsageError: if the profile is not made for the language.
    :raises HectorError: if liblouis is missing.
    """
    profile.table_for(language)
    literary.to_cells("a", language, grade)
    # A line in another language's braille is in the sheet's grade: whoever reads it knows of no other.
    return BrailleCode(profile, language, grade if grade in literary_tables()[language] else GRADES[0])


def braille_shape(width: int, two_columns: bool = True) -> Shape:
    """Return the shape of lines of cells."""
    return Shape(width, BLANK, marks().broken, two_columns)


@lru_cache(maxsize=4096)
def _prose(text: str, language: str, grade: str) -> tuple[str, ...]:
    return _words(literary.to_cells(text, language, grade))


def _words(cells: str) -> tuple[str, ...]:
    return tuple(word for word in cells.split(BLANK) if word)


def _not_erased(words: Sequence[str]) -> Iterator[str]:
    """Yield the words without the cells that a person has filled with all six dots, as one does on paper.

    One or two of them may begin a line as a mark of its code.
    """
    full = marks().erased
    for index, word in enumerate(words):
        is_mark = index == 0 and word.startswith(full) and not word.startswith(full * 3)
        if kept := word if is_mark else word.replace(full, ""):
            yield kept


def _write_tokens(profile: Profile, language: str, tokens: tuple[str, ...]) -> tuple[str, ...]:
    table = profile.table_for(language)
    if profile.rewriting:
        return british.to_words(tokens, profile, table)
    return tuple(_cells(table, token) for token in tokens)


def _read_tokens(profile: Profile, language: str, words: tuple[str, ...]) -> tuple[str, ...]:
    table = profile.table_for(language)
    if profile.rewriting:
        return british.to_tokens(words, profile, table)
    return tuple(_token(table, word) for word in words)


@cache
def _cells(table: str, token: str) -> str:
    return louis.to_cells(table, token)


@cache
def _token(table: str, word: str) -> str:
    # en-ueb-g1 reads three full stops as one sign.
    return louis.word_to_text(table, word).replace("…", "...")

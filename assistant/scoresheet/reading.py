"""Reading a scoresheet back, line by line, whatever it is written in and whoever wrote it.

Sources: Laws of Chess 8.1 (what a sheet may hold), 8.7 (result and signatures).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise

from assistant.errors import Phrase, UsageError, marked
from assistant.scoresheet.move_reading import is_move_like
from assistant.scoresheet.notation import notation
from assistant.scoresheet.record import TAG_NAME, Game, new_game
from assistant.scoresheet.replaying import Replay
from assistant.scoresheet.sheet import SIGNATURES, Code, labelled, value_of
from assistant.scoresheet.tokens import NUMBER, is_move_text, split, typed

Reading = tuple[Game, tuple[Phrase, ...]]
"""A game, and sentences that tell what was left out of it or may be missing."""
_RULE = r"[-_.…–—\s]{3,}"
"""The line to sign on, as Hector draws it or a person types it."""
_LABEL_WORDS = 4
"""Words that a label may have: the longest has three, and its colon may stand apart."""
_OTHER_TAG = re.compile(r"(\w+):(?: (.*))?")
_TOLD_WORDS = 64
"""Words of a line that are more than a sentence shows of it."""


def read_paragraphs(
    paragraphs: Iterable[Sequence[str]], language: str, code: Code, beside: Game | None = None
) -> Reading:
    """Read a sheet from the words of its paragraphs and rows, and tell what somebody must know of it.

    `beside` is the other player's sheet of the game: an illegal move of it is known here in any form.
    :raises UsageError: naming the first thing that cannot be read.
    """
    reader = _Reader(language, code, beside)
    try:
        for words in paragraphs:
            reader.take(words)
        game = reader.game()
        return game, reader.notes()
    except UsageError as error:
        stopped = (reader.game(), reader.moves.illegal) if reader.moves.illegal else None
        raise UnreadSheetError(
            error.phrase, reader.moves.depth, stopped, is_sheet=reader.is_sheet, language=language
        ) from error


def fitting(game: Game, language: str, code: Code) -> Reading:
    """Return the game with the tags that a sheet can hold, and a sentence for each other one.

    PGN allows more names than can be told from the rest of a sheet; and some are the label of another line.
    """
    labels = notation(language).labels
    fit: list[tuple[str, str]] = []
    notes: list[Phrase] = []
    for name, value in game.tags:
        # The arbiter's name may look like the line on which he signs.
        is_usual = name in labels and name not in (*SIGNATURES, "Arbiter")
        if is_usual or _comes_back(name, value, language, code):
            fit.append((name, value))
        else:
            notes.append(
                marked(
                    "The tag {name} is left out: {line!r} would not be read back from a sheet in {language}.",
                    name=name,
                    line=f"{name}: {value}".strip(),
                    language=language,
                )
            )
    return replace(game, tags=tuple(fit)), tuple(notes)


def _comes_back(name: str, value: str, language: str, code: Code) -> bool:
    reader = _Reader(language, code)
    try:
        reader.take(labelled(name, value, notation(language).labels, code))
    except UsageError:
        return False
    return reader.tag_names == (name,)


class UnreadSheetError(UsageError):
    """A sheet that cannot be read to its end.

    `depth` tells how far it was, in moves, and `is_sheet` whether it is surely one: a line of its header
    stood as Hector writes it. `stopped` is the game before a move that is not legal, and that move as it is
    written, where this is why; `languages` are those whose letters it may have.
    """

    def __init__(
        self,
        phrase: Phrase,
        depth: int,
        stopped: tuple[Game, str] | None = None,
        *,
        is_sheet: bool,
        language: str,
    ) -> None:
        super().__init__(phrase)
        self.depth = depth
        self.stopped = stopped
        self.is_sheet = is_sheet
        self.languages: tuple[str, ...] = (language,)


class _Reader:
    def __init__(self, language: str, code: Code, beside: Game | None = None) -> None:
        self._language = language
        self._code = code
        self._tags: dict[str, str] = {}
        self.moves = Replay(self._tags, language, beside)
        self._signed: list[str] = []
        """Lines with signatures, which a game has no place for."""
        self._swallowed = ""
        """The label of the first line of the header that goes on with moves, as an indented line does."""
        self._known = False
        """Whether a line of the header was understood."""
        self.is_sheet = False
        """Whether one was that stands as Hector writes it: what is read is surely this kind of sheet."""
        labels = notation(language).labels
        self._labels = {code.prose(label + ":"): name for name, label in labels.items()}
        self._typed_labels = {label.casefold(): name for name, label in labels.items()}

    @property
    def tag_names(self) -> tuple[str, ...]:
        """The names of the tags that were read."""
        return tuple(self._tags)

    def take(self, words: Sequence[str]) -> None:
        """Read one paragraph or row."""
        words = tuple(words)
        for label, name in self._labels.items():
            if words[: len(label)] == label:
                self._known = self.is_sheet = True
                self._value(name, words[len(label) :])
                return
        if words[0] == self._code.remark_mark():
            self.moves.remark_on(self._code.read_prose(words[1:]))
            return
        tokens = tuple(typed(self._code.read_tokens(words), self._language))
        if not tokens:
            # The whole line was rubbed out.
            return
        if is_move_text(tokens, self._language):
            self.moves.take(tokens)
            return
        if label_and_value := self._typed_label(words):
            self._known = True
            self._value(*label_and_value)
            return
        # A whole book may stand in one line, and it is tried in every language.
        text = self._code.read_prose(words[:_TOLD_WORDS])
        if len(words) > _TOLD_WORDS and _OTHER_TAG.fullmatch(text):
            text = self._code.read_prose(words)
        match = _OTHER_TAG.fullmatch(text)
        if not match or self.moves.has_begun:
            raise UsageError("A line of the sheet cannot be read: {text!r}.", text=text)
        if not TAG_NAME.fullmatch(match[1]):
            raise UsageError(
                "The label of the line {text!r} is unknown on a sheet in {language} and is no tag of "
                "PGN: correct it, or write it with the letters A to Z, digits and _ alone.",
                text=text,
                language=self._language,
            )
        # No language has a label of its own for it.
        self._note("Variant" if match[1].casefold() == "variant" else match[1], match[2] or "")

    def _typed_label(self, words: tuple[str, ...]) -> tuple[str, tuple[str, ...]] | None:
        """Return the tag of a label that a person has written in other letters or blanks, and its value."""
        for end in range(1, min(len(words), _LABEL_WORDS) + 1):
            label, colon, glued = self._code.read_prose(words[:end]).partition(":")
            if colon:
                name = self._typed_labels.get(label.strip().casefold())
                rest = words[end:]
                return (name, (*self._code.prose(glued), *rest) if glued else rest) if name else None
        return None

    def _value(self, name: str, words: tuple[str, ...]) -> None:
        if not (self.moves.has_begun or self._swallowed) and self._hold_moves(words):
            self._swallowed = notation(self._language).labels[name]
        if name in (*SIGNATURES, "Arbiter"):
            self._sign(name, words)
            return
        value = value_of(name, words, self._code) if words else ""
        if name == "Result":
            self.moves.end(value)
        else:
            self._note(name, value)

    def _hold_moves(self, words: tuple[str, ...]) -> bool:
        tokens = split(tuple(typed(self._code.read_tokens(words), self._language)))
        return any(
            NUMBER.fullmatch(number) and is_move_like(move, self._language)
            for number, move in pairwise(tokens)
        )

    def _sign(self, name: str, words: Sequence[str]) -> None:
        """Take what stands on a line to sign on, or the arbiter's name, which has the same label.

        Hector leaves the line empty; a person may have written on it.
        """
        in_header = not (self.moves.plies or self.moves.result)
        # A braille table may read the cells of the line as something else than what it writes with them. A
        # line at the end may be cut, but a name in the header may well be a dash.
        rule = self._code.rule
        is_line = words == (rule,) or (not in_header and set("".join(words)) <= set(rule))
        value = self._code.read_prose(words) if words and not is_line else ""
        is_arbiters = name in ("Arbiter", "sign_arbiter")
        if is_arbiters and in_header and not (is_line or re.fullmatch(_RULE, value)):
            self._note("Arbiter", value)
            return
        signed = re.sub(rf"\A{_RULE}|{_RULE}\Z", "", value).strip()
        if not any(map(str.isalnum, signed)) or (
            is_arbiters and self._tags.setdefault("Arbiter", signed) == signed
        ):
            return
        self._signed.append(f"{notation(self._language).labels[name]}: {signed}")

    def _note(self, name: str, value: str) -> None:
        if name == "FEN" and self.moves.has_begun and self._tags.get(name) != value:
            raise UsageError(
                "The start position {fen!r} stands below the moves: write it above them.", fen=value
            )
        if self._tags.get(name, value) != value:
            raise UsageError(
                "The sheet says {first!r} and then {second!r} in the same line of its header: leave one out.",
                first=self._tags[name],
                second=value,
            )
        self._tags[name] = value

    def game(self) -> Game:
        """Return what was read."""
        if not (self.moves.plies or self._known or self.moves.illegal):
            raise UsageError("This is no scoresheet: it has neither a header nor moves.")
        self.moves.decide_times()
        return new_game(
            self._tags,
            plies=tuple(self.moves.plies),
            result=self.moves.result or "*",
            start_fen=self.moves.start_fen(),
            chess960=self.moves.is_chess960(),
            edition=self._tags.get("Laws", ""),
            remark=self.moves.remark,
        )

    def notes(self) -> tuple[Phrase, ...]:
        """Return what was left out of the game that `game` has returned, and what may be missing.

        A sheet of Hector's has a line for its result, be that unknown.
        """
        notes = [
            marked("The line {text!r} is left out: a signature is no part of the game.", text=text)
            for text in self._signed
        ]
        notes += self.moves.notes()
        if self._swallowed and not self.moves.plies:
            notes.append(
                marked(
                    "The line {label!r} goes on with moves, which are not read: begin them on a line of "
                    "their own, without blanks before it.",
                    label=self._swallowed,
                )
            )
        if self.is_sheet and not self.moves.result:
            notes.append(
                marked(
                    "The sheet has no result and ends after {where}: its end may be missing.",
                    where=self.moves.last(),
                )
                if self.moves.plies
                else marked("The sheet has neither moves nor a result: its end may be missing.")
            )
        return tuple(notes)

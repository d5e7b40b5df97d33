"""The phrasebook of a position: everything that may be said now, and what it means."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

import chess

from assistant.announcements.forms import NO_CHECK, check_state, plain_forms
from assistant.announcements.grammar import command_phrases
from assistant.announcements.vocabulary import Command, Vocabulary, Words
from assistant.announcements.wordgraphs import graph_of_phrases
from assistant.utterance import WordGraph


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a phrase does: a legal move, a command, or both: a move behind the word for a correction."""

    move: chess.Move | None = None
    command: Command | None = None

    @property
    def confirm(self) -> bool:
        """Whether it has to be asked back, however clearly it was heard."""
        return self.command is not None and self.command.confirm


@dataclass(frozen=True, slots=True, eq=False)
class Phrasebook:
    """The phrases of one position. Made by `build_phrasebook`."""

    board: chess.Board
    """A copy of the position."""
    vocabulary: Vocabulary
    phrases: Mapping[Words, tuple[Meaning, ...]]
    """Every phrase with what it can mean; several meanings where it does not tell two moves apart."""
    commands: frozenset[str] | None = field(default=None)
    """The names of the commands that may be given now; `None`: all."""

    def word_graph(self) -> WordGraph:
        """Return the smallest graph of the phrases: a tenth of their prefix tree."""
        return graph_of_phrases(self.phrases)


def build_phrasebook(
    board: chess.Board,
    vocabulary: Vocabulary,
    *,
    commands: Collection[str] | None = None,
    moves: Iterable[chess.Move] | None = None,
    mending: bool = False,
) -> Phrasebook:
    """Return the phrasebook of a position.

    `commands`: names of the commands that may be given now, `None` for all. `moves`: the legal moves that
    may be announced, `None` for all; a phrase that also fits another legal move is then no ambiguity.
    `mending`: each may also follow the word for a correction in the same breath.

    A phrase that fits several moves names them all. A word about check never tells two moves apart,
    because no law asks for it. The promotion of a pawn without the man that it becomes is in the book too,
    with all four: whoever forgets it is asked for it instead of being heard as saying something else.
    """
    board = board.copy(stack=False)
    phrases: dict[Words, tuple[Meaning, ...]] = {}
    tailed: list[tuple[list[Words], tuple[Words, ...]]] = []
    for move in board.legal_moves if moves is None else moves:
        forms = plain_forms(board, move, vocabulary)
        if move.promotion:
            forms += _without_promotion(forms, vocabulary.promotion)
        meaning = (Meaning(move),)
        for form in forms:
            if phrases.setdefault(form, meaning) is not meaning:
                phrases[form] += meaning
        state = check_state(board, move)
        if state != NO_CHECK:
            tailed.append((forms, vocabulary.check_tails[state][1:]))
    for forms, tails in tailed:
        for form in forms:
            meanings = phrases[form]
            for tail in tails:
                phrases[form + tail] = meanings
    if mending:
        phrases |= _mended(phrases, vocabulary)
    for words, command in command_phrases(vocabulary, commands):
        phrases[words] = (*phrases.get(words, ()), Meaning(command=command))
    return Phrasebook(board, vocabulary, phrases, None if commands is None else frozenset(commands))


def _mended(
    phrases: Mapping[Words, tuple[Meaning, ...]], vocabulary: Vocabulary
) -> dict[Words, tuple[Meaning, ...]]:
    """Return the phrases of moves behind each wording of the command that takes an announcement back."""
    mended: dict[Words, tuple[Meaning, ...]] = {}
    for phrase in vocabulary.corrections:
        # Hundreds of phrases share the meanings of a move.
        known: dict[int, tuple[Meaning, ...]] = {}
        for words, meanings in phrases.items():
            found = known.get(id(meanings))
            if found is None:
                found = known[id(meanings)] = tuple(Meaning(each.move, phrase.command) for each in meanings)
            mended[phrase.pattern + words] = found
    return mended


def _without_promotion(forms: list[Words], promotion_words: Words) -> list[Words]:
    """Return the forms of a promotion, each without the name of the new man, each once."""
    return [form[:-1] for form in forms if form[-2] not in promotion_words]

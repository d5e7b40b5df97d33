"""The phrasebook of a position: everything that may be said now, and what it means."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import chess

from assistant.announcements.forms import NO_CHECK, check_state, plain_forms
from assistant.announcements.grammar import command_phrases, open_grammar
from assistant.announcements.vocabulary import Command, Vocabulary, Words
from assistant.announcements.wordgraphs import graph_of_phrases
from assistant.utterance import WordGraph


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a phrase does: a legal move, a command, or both: a move behind the word for a correction."""

    move: chess.Move | None = None
    command: Command | None = None


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
    heads: tuple[str, ...] = ()
    """Of `HEADS`, those behind which a move may follow now."""

    def open_grammar(self) -> WordGraph:
        """Return the graph of everything that can be said with these heads, legal in some position or not."""
        return _open_grammar(self.vocabulary, self.heads)

    def word_graph(self) -> WordGraph:
        """Return the smallest graph of the phrases: a tenth of their prefix tree."""
        return graph_of_phrases(self.phrases)


def build_phrasebook(
    board: chess.Board,
    vocabulary: Vocabulary,
    *,
    commands: Collection[str] | None = None,
    moves: Iterable[chess.Move] | None = None,
    heads: Sequence[str] = (),
) -> Phrasebook:
    """Return the phrasebook of a position.

    `commands`: names of the commands that may be given now, `None` for all. `moves`: the legal moves that
    may be announced, `None` for all; a phrase that also fits another legal move is then no ambiguity.
    `heads`: of `HEADS`, those behind which each may follow too. Behind the word for a correction it means
    both; behind a yes or a no, the answer to a question, it means itself.

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
    if heads:
        phrases |= behind(phrases, heads, vocabulary)
    for words, command in command_phrases(vocabulary, commands):
        phrases[words] = (*phrases.get(words, ()), Meaning(command=command))
    named = None if commands is None else frozenset(commands)
    return Phrasebook(board, vocabulary, phrases, named, tuple(heads))


def behind(
    phrases: Mapping[Words, tuple[Meaning, ...]], heads: Sequence[str], vocabulary: Vocabulary
) -> dict[Words, tuple[Meaning, ...]]:
    """Return the phrases of moves behind each wording of some of `HEADS`."""
    found: dict[Words, tuple[Meaning, ...]] = {}
    for head in vocabulary.wordings(*heads):
        # Hundreds of phrases share the meanings of a move.
        known: dict[int, tuple[Meaning, ...]] = {}
        for words, meanings in phrases.items():
            meant = known.get(id(meanings))
            if meant is None:
                is_correction = head.command.name == "correction"
                corrects = (
                    tuple(Meaning(each.move, head.command) for each in meanings) if is_correction else ()
                )
                meant = known[id(meanings)] = corrects or meanings
            found[head.pattern + words] = meant
    return found


@lru_cache(maxsize=16)
def _open_grammar(vocabulary: Vocabulary, heads: tuple[str, ...]) -> WordGraph:
    return open_grammar(vocabulary, heads=heads)


def _without_promotion(forms: list[Words], promotion_words: Words) -> list[Words]:
    """Return the forms of a promotion, each without the name of the new man, each once."""
    return [form[:-1] for form in forms if form[-2] not in promotion_words]

"""The open grammar: any announcement and any command, whatever the position; and samples of it."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator

import chess

from assistant.announcements.forms import PROMOTIONS
from assistant.announcements.vocabulary import Command, CommandPhrase, Vocabulary, Words, optional
from assistant.announcements.wordgraphs import Alternatives, PhraseGraph
from assistant.utterance import WordGraph

_ENDING = 0.75


def open_grammar(
    vocabulary: Vocabulary,
    *,
    announcements: bool = True,
    commands: Collection[str] | None = None,
    heads: Collection[str] = (),
) -> WordGraph:
    """Return the graph of everything that can be said, legal in some position or not.

    It is no looser than it has to be: a man is named in full words, only a pawn goes unnamed without a
    from-square, only a pawn on its last rank becomes something, only a pawn captures en passant.

    `announcements`: with the moves. `commands`: names of the commands that belong to it, `None` for all.
    `heads`: of `HEADS`, those behind which a move may follow. Where none can, any of them makes sense of talk
    before an announcement.
    """
    graph = PhraseGraph()
    if announcements:
        begun = graph.state()
        _moves(graph, vocabulary, begun)
        graph.chain(graph.start, [[(), *(phrase.pattern for phrase in vocabulary.wordings(*heads))]], begun)
    for phrase in vocabulary.commands:
        if commands is None or phrase.command.name in commands:
            graph.chain(graph.start, _pattern_parts(phrase, vocabulary), graph.end)
    return graph.word_graph()


def command_phrases(vocabulary: Vocabulary, names: Collection[str] | None) -> Iterator[tuple[Words, Command]]:
    """Yield every phrase of the named commands (`None`: of all) with the command, arguments filled in."""
    for phrase in vocabulary.commands:
        command = phrase.command
        if names is not None and command.name not in names:
            continue
        if "{square}" in phrase.pattern:
            for square in chess.SQUARES:
                filled = Command(command.name, command.of, square=square, confirm=command.confirm)
                for words in vocabulary.squares[square]:
                    yield _filled(phrase.pattern, "{square}", words), filled
        elif "{piece}" in phrase.pattern:
            for piece, word in vocabulary.pieces.items():
                filled = Command(command.name, command.of, piece=piece, confirm=command.confirm)
                yield _filled(phrase.pattern, "{piece}", (word,)), filled
        else:
            yield phrase.pattern, command


def sample(
    vocabulary: Vocabulary, count: int, *, seed: int, commands: float = 0.1
) -> Iterator[tuple[str, ...]]:
    """Yield `count` random phrases of the open grammar, the same for the same seed.

    In an announcement each word is drawn evenly from those that can follow; where it can end, it does so
    three times in four. `commands` is the share of commands, 0 to 1, drawn evenly from their wordings.
    """
    rng = random.Random(seed)
    moves = open_grammar(vocabulary, commands=())
    for _ in range(count):
        if rng.random() >= commands:
            yield _walk(moves, rng)
            continue
        parts = _pattern_parts(rng.choice(vocabulary.commands), vocabulary)
        yield tuple(word for part in parts for word in rng.choice(part))


def _moves(graph: PhraseGraph, vocabulary: Vocabulary, start: int) -> None:
    pawn = [(vocabulary.pieces[chess.PAWN],)]
    officers = [(word,) for piece, word in vocabulary.pieces.items() if piece != chess.PAWN]
    files = [(word,) for word in vocabulary.files]
    ranks = [(word,) for words in vocabulary.ranks for word in words]
    squares = [square for ways in vocabulary.squares for square in ways]
    von = optional(vocabulary.from_words)
    takes = [
        (*word, *way) for word in _each(vocabulary.capture) for way in optional(vocabulary.after_capture)
    ]
    between = [*optional(vocabulary.to_words), *takes]

    # Every move ends in a target; what may follow it depends on whether a pawn can stand there.
    to_officer, to_pawn = graph.state(), graph.state()
    _targets(graph, vocabulary, to_officer, pawn=False)
    _targets(graph, vocabulary, to_pawn, pawn=True)

    for name, target in ((officers, to_officer), (pawn, to_pawn)):
        graph.chain(start, [name, between], target)
        graph.chain(start, [name, von, files, between], target)
        graph.chain(start, [name, von, ranks, between], target)
        graph.chain(start, [name, von, squares, between], target)
    graph.chain(start, [von, squares, between], to_pawn)
    graph.chain(start, [files, between], to_pawn)
    graph.chain(start, [], to_pawn)
    castling = [phrase for phrases in vocabulary.castling.values() for phrase in phrases]
    graph.chain(start, [castling, vocabulary.check_tails[-1]], graph.end)


def _targets(graph: PhraseGraph, vocabulary: Vocabulary, start: int, *, pawn: bool) -> None:
    """Lead from `start` through a target square and what may follow it to the end of the phrase."""
    files = _each(vocabulary.files)
    promotions = [
        (*word, vocabulary.pieces[piece]) for word in optional(vocabulary.promotion) for piece in PROMOTIONS
    ]
    after_file = graph.chain(start, [files])
    for rank, words in enumerate(vocabulary.ranks):
        endings: list[Words] = [()]
        if pawn and rank in (0, 7):
            # A promotion left unsaid is grammatical: the player can then be asked for it.
            endings += promotions
        if pawn and rank in (2, 5):
            endings.append((vocabulary.en_passant,))
        graph.chain(after_file, [_each(words), endings, vocabulary.check_tails[-1]], graph.end)


def _each(words: Words) -> list[Words]:
    return [(word,) for word in words]


def _pattern_parts(phrase: CommandPhrase, vocabulary: Vocabulary) -> list[Alternatives]:
    arguments: dict[str, Alternatives] = {
        "{square}": [square for ways in vocabulary.squares for square in ways],
        "{piece}": _each(tuple(vocabulary.pieces.values())),
    }
    return [arguments.get(word, [(word,)]) for word in phrase.pattern]


def _filled(pattern: Words, placeholder: str, words: Words) -> Words:
    at = pattern.index(placeholder)
    return (*pattern[:at], *words, *pattern[at + 1 :])


def _walk(graph: WordGraph, rng: random.Random) -> Words:
    following: dict[int, list[tuple[str, int]]] = {}
    for source, word, target in graph.arcs:
        following.setdefault(source, []).append((word, target))
    state = 0
    words: list[str] = []
    while state not in graph.finals or (state in following and rng.random() > _ENDING):
        word, state = rng.choice(following[state])
        words.append(word)
    return tuple(words)

"""Phrases by which a player teaches Hector his voice: which they are, and whether one was really said."""

from __future__ import annotations

from collections import Counter

import chess

from assistant.announcements import Vocabulary, build_phrasebook, sample
from assistant.utterance import Utterance

COUNT = 30
"""Phrases of a lesson."""
TRIES = 3
"""Times that a phrase is asked for before it is skipped."""
CONFUSED = ["anna", "bella", "cesar", "david", "eva", "zwei", "drei", "vier", "fuenf", "sieben", "acht"]
"""Words that are taken for one another most: each is wanted four times, another word of a move twice."""
_CANDIDATES = 600
_SHORTEST, _LONGEST = 2, 5
_STRAY = 12.0
"""What the phrase may lose against the best announcement, in log score: a single wrong word loses more."""
_STRANGE = 1.5
"""What it may lose against the free phone loop, in log score per 30 ms."""


def phrases_to_learn(vocabulary: Vocabulary) -> list[tuple[str, ...]]:
    """Return announcements and commands with every sound in them, and the words that are confused often."""
    moves = {*vocabulary.files, *(word for words in vocabulary.ranks for word in words)}
    moves |= set(vocabulary.pieces.values())
    wanted = Counter(dict.fromkeys(vocabulary.tokens, 1))
    wanted.update(moves)
    wanted.update({word: 2 for word in CONFUSED if word in vocabulary.tokens})
    candidates = [
        words
        for words in dict.fromkeys(sample(vocabulary, _CANDIDATES, seed=30, commands=0.3))
        if _SHORTEST <= len(words) <= _LONGEST
    ]
    chosen: list[tuple[str, ...]] = []
    while candidates and len(chosen) < COUNT:
        best = max(candidates, key=lambda words: sum(wanted[word] for word in set(words)) - 0.5 * len(words))
        chosen.append(best)
        candidates.remove(best)
        for word in best:
            wanted[word] = max(0, wanted[word] - 1)
    return chosen


def was_said(utterance: Utterance, words: tuple[str, ...]) -> bool:
    """Return whether an utterance can be the phrase that was asked for.

    It need not have been understood: whoever is understood badly has most to teach.
    """
    score = next((each.score for each in utterance.legal if each.words == words), None)
    if score is None:
        return False
    best = max((each.score for each in utterance.grammatical), default=score)
    return best - score <= _STRAY and utterance.filler - score <= _STRANGE * utterance.frames


def which_was_said(utterance: Utterance) -> tuple[str, ...] | None:
    """Return the likeliest of the phrases that were expected which was said, `None` if none was."""
    return next((each.words for each in utterance.legal if was_said(utterance, each.words)), None)


def ways_to_say(move: chess.Move, board: chess.Board, vocabulary: Vocabulary) -> list[tuple[str, ...]]:
    """Return every way to announce a legal move, and nothing else."""
    return list(build_phrasebook(board, vocabulary, moves=[move], commands=()).phrases)

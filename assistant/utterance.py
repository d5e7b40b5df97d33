"""What hearing hands to announcements: plain data, known to both rooms and owned by neither."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

SHORT = 2
"""Words of a phrase that noise, or a part of another, is easily heard as."""
LONG = 5
"""Words of a phrase that talk does not happen to sound like."""


@dataclass(frozen=True, slots=True)
class Transcript:
    """One reading of an utterance."""

    words: tuple[str, ...]
    """Words of the lexicon, lower-case ASCII: ("springer", "gustav", "eins", "felix", "drei")."""
    score: float
    """Log score of the best path, acoustics and graph, divided by the acoustic scale; higher is better.
    Scores of one utterance compare across graphs; scores of two utterances do not."""


def _not_again() -> Iterable[Utterance]:
    return ()


@dataclass(frozen=True, slots=True)
class Utterance:
    """One stretch of speech with everything that a decision about it needs."""

    start: float
    """Seconds from the start of the source to the first sound."""
    end: float
    """Seconds from the start of the source to the last sound: when the player stopped speaking."""
    legal: tuple[Transcript, ...]
    """Readings by the graph of the phrases valid now, best first; empty if none was found."""
    grammatical: tuple[Transcript, ...]
    """Readings by the open announcement grammar (any announcement, legal or not), best first."""
    filler: float
    """Score of the free phone loop, which fits any speech; what a grammar loses against it is foreign."""
    frames: int
    """Number of 30 ms output frames that were scored."""
    latency_ms: float
    """Milliseconds from `end` until these readings were there; 0 where the source has no clock."""
    stands_out: float = math.inf
    """Decibels by which its words are louder than what was heard before and after them."""
    is_cut: bool = False
    """Whether it is a part of what was said: that was too long for an announcement and was ended inside,
    maybe in a word, or it is what came then."""
    again: Callable[[], Iterable[Utterance]] = field(default=_not_again, compare=False, repr=False)
    """Listens once more to the same sound played a little slower, and then a little faster, by the phrases
    that were valid then, and yields each time what it is read as; no more once other phrases are valid."""


@dataclass(frozen=True, slots=True)
class WordGraph:
    """A finite grammar of words: what may be said, as a graph that starts in state 0."""

    arcs: tuple[tuple[int, str, int], ...]
    """(from state, word, to state), states counted from 0."""
    finals: frozenset[int]
    """States in which an announcement may end."""

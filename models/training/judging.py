"""Whether a recording says its transcript: none of its words fits badly, and no other words fit much better.

How sure a network is of what strangers say depends on how long it has learnt. So its limits are what it
makes of voices whose words are known for certain, with room for people, who are further from it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from assistant.hearing.alignment import NEVER, VARIANT
from models.training.align import NOT_THERE, Aligner, Heard, Trace
from models.training.audio import FRAME
from models.training.lexicon import Lexicon
from models.training.pools import Utterance, load, shards

_CERTAIN = ("stock", "random", "uvular", "accents")
"""Pools whose words are known for certain."""
_ENOUGH, _TOO_FEW = 120, 30
"""Utterances of them that are looked at; fewer say nothing."""
_KEPT = 0.95
"""Share of them that is within what the limits make room for."""
_WORD = 5.0
"""Log likelihood that a word costs, so that a noise is no word."""
_BEGUN = 0.5
"""Seconds added to those of speech: chance weighs more in a short word."""
_MARGIN = 50
"""Frames that stay before and after the words."""


@dataclass(frozen=True)
class Doubt:
    """What speaks against a transcript, the more the worse."""

    word: float
    """Mean loss against the best phones of the word that fits worst."""
    rival: float
    """By how much other words are likelier: log likelihood per second of speech."""

    def exceeds(self, limit: Doubt) -> bool:
        return self.word >= limit.word or self.rival >= limit.rival


MOST = Doubt(3.6, 30.0)
"""No network is believed beyond this."""


@dataclass(frozen=True)
class Judge:
    """Labels recordings with the words that they are said to hold, if they do."""

    aligner: Aligner
    limit: Doubt = MOST

    def label(self, wave: NDArray[np.int16], words: tuple[str, ...], voice: str) -> Utterance | None:
        """The recording with its labels, cut to its words; None if it does not sound like them."""
        judged = self._judge(wave, words)
        if judged is None or judged[1].exceeds(self.limit):
            return None
        trace, _ = judged
        spoken = np.flatnonzero(trace.owners >= 0)
        first, end = max(0, int(spoken[0]) - _MARGIN), int(spoken[-1]) + 1 + _MARGIN
        return Utterance(wave[first * FRAME : end * FRAME], trace.labels[first:end], words, voice)

    def doubt(self, wave: NDArray[np.int16], words: Sequence[str]) -> Doubt:
        """What speaks against these words of the lexicon."""
        judged = self._judge(wave, words)
        return Doubt(NOT_THERE, NOT_THERE) if judged is None else judged[1]

    def taught_by(self, certain: Iterable[Utterance]) -> Judge:
        """With the limits of this network, found by utterances whose words are known for certain."""
        doubts = [self.doubt(each.wave, each.words) for each in certain]
        if len(doubts) < _TOO_FEW:
            return self
        word, rival = np.quantile([(each.word, each.rival) for each in doubts], _KEPT, axis=0)
        limit = Doubt(min(MOST.word, float(word) + 1.3), min(MOST.rival, 1.5 * float(rival) + 10.0))
        return Judge(self.aligner, limit)

    def _judge(self, wave: NDArray[np.int16], words: Sequence[str]) -> tuple[Trace, Doubt] | None:
        forms = [self.aligner.lexicon.words[word] for word in words]
        if self.aligner.is_too_short(wave, forms):
            return None
        heard = self.aligner.hear(wave)
        trace = self.aligner.follow(heard, forms)
        seconds = float((trace.owners >= 0).sum()) / 100 + _BEGUN
        ahead = self._any_words.likelihood(heard) - (trace.likelihood - _WORD * len(words))
        return trace, Doubt(trace.worst_word(), ahead / seconds)

    @cached_property
    def _any_words(self) -> _AnyWords:
        return _AnyWords.of(self.aligner.lexicon)


def certain(pools: Path) -> Iterator[Utterance]:
    """Some utterances whose words are known for certain, of each pool that has them.

    :raises HectorError: if a shard is damaged.
    """
    paths = [path for path in shards(pools) if path.name.partition("@")[0] in _CERTAIN]
    for path in paths:
        shard = load(path)
        wanted = -(-_ENOUGH // len(paths))
        for k in range(0, len(shard), max(1, len(shard) // wanted)):
            if shard[k].words:
                yield shard[k]


@dataclass(frozen=True)
class _AnyWords:
    """States of all pronunciations in a row, silence first: words of the lexicon in any order."""

    labels: NDArray[np.int64]
    first: NDArray[np.int64]
    last: NDArray[np.int64]
    cost: NDArray[np.float64]
    """Of entering each pronunciation."""

    @classmethod
    def of(cls, lexicon: Lexicon) -> _AnyWords:
        labels, first, last, cost = [0], [], [], []
        for forms in lexicon.words.values():
            for rank, form in enumerate(forms):
                first.append(len(labels))
                labels += [lexicon.number(sound.phone) for sound in form]
                last.append(len(labels) - 1)
                cost.append(-_WORD - (VARIANT if rank else 0.0))
        return cls(np.array(labels), np.array(first), np.array(last), np.array(cost))

    def likelihood(self, heard: Heard) -> float:
        """Log likelihood of the words that fit best, each at the cost of a word."""
        emit = heard.emitted(self.labels, np.arange(len(self.labels)) > 0)
        best = np.full(len(self.labels), NEVER)
        best[0] = emit[0, 0]
        entered = np.empty_like(best)
        for step in emit[1:]:
            ended = best[self.last].max()
            entered[1:] = best[:-1]
            entered[self.first] = max(best[0], ended) + self.cost
            entered[0] = ended
            best = np.maximum(best, entered) + step
        return float(max(best[0], best[self.last].max()))

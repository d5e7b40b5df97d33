"""Forced alignment: where each phone of known words lies in a recording, told by a trained network."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from models.training import features
from models.training.audio import FRAME
from models.training.lexicon import Lexicon, Pronunciation
from models.training.network import STRIDE, Network
from models.training.pools import Utterance

PAD = 24
"""Frames of near silence that are put around the recording: synthesisers begin and end abruptly."""

WORST = 2.2
"""Mean loss per speech frame against the best phones, above which an alignment is not believed."""

_VARIANT = 1.0
_NEVER = -1e30


@dataclass(frozen=True)
class Trace:
    """Per 10 ms frame: phone number, index of the word (-1: silence), loss against the best phone."""

    labels: NDArray[np.uint8]
    owners: NDArray[np.int64]
    losses: NDArray[np.float64]

    def loss(self) -> float:
        """Mean loss of the speech frames."""
        spoken = self.owners >= 0
        return float(self.losses[spoken].mean()) if spoken.any() else 99.0


@dataclass(frozen=True)
class _Chain:
    """States of words in a row with optional silence between."""

    labels: NDArray[np.int64]
    owners: NDArray[np.int64]
    before: NDArray[np.int64]
    """Predecessors of every state, itself first, -1 where there are no more."""
    cost: NDArray[np.float64]
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]


@dataclass(frozen=True)
class Aligner(ABC):
    """Follows known words through a recording, by scores that a subclass computes."""

    lexicon: Lexicon

    @abstractmethod
    def scores(self, wave: NDArray[np.float32]) -> NDArray[np.float64]:
        """Scaled log likelihoods of the phones every 30 ms."""

    def trace(self, wave: NDArray[np.int16], words: Sequence[Sequence[Pronunciation]]) -> Trace:
        """Follow the words through the recording; each comes with its possible pronunciations."""
        rng = np.random.default_rng(len(wave))
        pad = PAD * FRAME
        padded = rng.standard_normal(len(wave) + 2 * pad).astype(np.float32) * 2
        padded[pad : pad + len(wave)] += wave
        scores = self.scores(padded)
        chain = _chain(self.lexicon, words)
        states = _best_path(scores, chain)
        path = chain.labels[states]
        loss = scores.max(1) - scores[np.arange(len(path)), path]
        # output k stands for input frames 3k-1 .. 3k+1
        count = len(wave) // FRAME
        at = np.minimum((np.arange(count) + PAD + 1) // STRIDE, len(path) - 1)
        return Trace(path[at].astype(np.uint8), chain.owners[states][at], loss[at])

    def label(
        self,
        wave: NDArray[np.int16],
        forms: Sequence[Sequence[Pronunciation]],
        words: tuple[str, ...],
        voice: str,
    ) -> Utterance | None:
        """The recording with its labels, or None if it does not sound like the words."""
        states = sum(min(len(form) for form in alternatives) for alternatives in forms)
        if len(wave) // FRAME < STRIDE * states:
            return None
        trace = self.trace(wave, forms)
        return Utterance(wave, trace.labels, words, voice) if trace.loss() < WORST else None

    def split(
        self,
        wave: NDArray[np.int16],
        phrases: Sequence[tuple[tuple[str, ...], Sequence[Pronunciation]]],
        voice: str,
    ) -> list[Utterance]:
        """Cut a recording of several phrases into its phrases, in the middle of the silences between them."""
        forms = [[form] for _, spoken in phrases for form in spoken]
        if len(wave) // FRAME < STRIDE * sum(len(form[0]) for form in forms):
            return []
        trace = self.trace(wave, forms)
        out: list[Utterance] = []
        first = 0
        cut = 0
        for words, _ in phrases:
            last = first + len(words) - 1
            mine = np.flatnonzero((trace.owners >= first) & (trace.owners <= last))
            later = np.flatnonzero(trace.owners > last)
            if not len(mine):
                return out
            end = (int(mine[-1]) + int(later[0])) // 2 + 1 if len(later) else len(trace.labels)
            piece = Trace(trace.labels[cut:end], trace.owners[cut:end], trace.losses[cut:end])
            if piece.loss() < WORST:
                out.append(Utterance(wave[cut * FRAME : end * FRAME], piece.labels, words, voice))
            first, cut = last + 1, end
        return out


@dataclass(frozen=True)
class NetworkAligner(Aligner):
    """By a network in training, with what its scores need."""

    network: Network
    mean: torch.Tensor
    log_priors: NDArray[np.float64]

    def scores(self, wave: NDArray[np.float32]) -> NDArray[np.float64]:
        """See `Aligner.scores`."""
        with torch.no_grad():
            raw = features.mfcc(wave)[None]
            # the mean of the whole recording as history: the phrase is known in full
            x = features.normalise(raw, self.mean, raw.mean(1), torch.tensor([300.0]))
            out = torch.log_softmax(self.network(x)[0], -1).double().numpy()
        return np.asarray(np.maximum(out, -12.0) - self.log_priors)


def _chain(lexicon: Lexicon, words: Sequence[Sequence[Pronunciation]]) -> _Chain:
    labels, owners, before, cost = [0], [-1], [[]], [0.0]  # type: list[int], list[int], list[list[int]], list[float]
    starts, ends = [0], [0]
    for number, alternatives in enumerate(words):
        word_ends: list[int] = []
        for rank, form in enumerate(alternatives):
            previous = list(ends)
            for k, sound in enumerate(form):
                labels.append(lexicon.number(sound.phone))
                owners.append(number)
                before.append(previous)
                cost.append(-_VARIANT if rank and k == 0 else 0.0)
                previous = [len(labels) - 1]
                if number == 0 and k == 0:
                    starts.append(previous[0])
            word_ends.extend(previous)
        labels.append(0)
        owners.append(-1)
        before.append(word_ends)
        cost.append(0.0)
        ends = [*word_ends, len(labels) - 1]
    table = np.full((len(labels), max(map(len, before)) + 1), -1, np.int64)
    for k, b in enumerate(before):
        table[k, 0] = k
        table[k, 1 : 1 + len(b)] = b
    return _Chain(np.array(labels), np.array(owners), table, np.array(cost), np.array(starts), np.array(ends))


def _best_path(scores: NDArray[np.float64], chain: _Chain) -> NDArray[np.int64]:
    """Viterbi: the state of every step."""
    emit = scores[:, chain.labels]
    # the last place stands for "no predecessor"
    best = np.full(len(chain.labels) + 1, _NEVER)
    best[chain.starts] = emit[0, chain.starts] + chain.cost[chain.starts]
    came = np.zeros((len(scores), len(chain.labels)), np.int64)
    rows = np.arange(len(chain.labels))
    for t in range(1, len(scores)):
        candidates = best[chain.before]
        candidates[:, 1:] += chain.cost[:, None]
        pick = candidates.argmax(1)
        came[t] = chain.before[rows, pick]
        best[:-1] = candidates[rows, pick] + emit[t]
    path = np.zeros(len(scores), np.int64)
    path[-1] = int(chain.ends[best[chain.ends].argmax()])
    for t in range(len(scores) - 1, 0, -1):
        path[t - 1] = came[t, path[t]]
    return path

"""Forced alignment: where each phone of known words lies in a recording, told by a trained network."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from assistant.hearing.alignment import NEVER, best_path, chain_of
from models.training import features
from models.training.audio import FRAME
from models.training.checkpoint import State
from models.training.export import flatten
from models.training.lexicon import Lexicon, Pronunciation, load_lexicon
from models.training.network import STRIDE, Network, summed
from models.training.owned import Outputs
from models.training.pools import Utterance

PAD = 24
"""Frames of near silence that are put around the recording: synthesisers begin and end abruptly."""

WORST = 2.2
"""Mean loss per speech frame against the best phones, above which an alignment is not believed."""

NOT_THERE = 99.0
"""The loss of what has no frames."""


@dataclass(frozen=True)
class Trace:
    """Per 10 ms frame: phone number, index of the word (-1: silence), loss against the best phone."""

    labels: NDArray[np.uint8]
    owners: NDArray[np.int64]
    losses: NDArray[np.float64]
    likelihood: float = 0.0
    """Log likelihood of the whole path."""

    def loss(self) -> float:
        """Mean loss of the speech frames."""
        spoken = self.owners >= 0
        return float(self.losses[spoken].mean()) if spoken.any() else NOT_THERE

    def worst_word(self) -> float:
        """Mean loss of the word that fits worst."""
        if not len(self.owners):
            return NOT_THERE
        words = range(int(self.owners.max()) + 1)
        mine = (self.losses[self.owners == word] for word in words)
        return max((float(of.mean()) if len(of) else NOT_THERE for of in mine), default=NOT_THERE)


@dataclass(frozen=True)
class Heard:
    """Scores of the phones every 30 ms of a recording with `PAD` around it, and its frames of 10 ms."""

    scores: NDArray[np.float64]
    frames: int

    def emitted(self, labels: NDArray[np.int64], spoken: NDArray[np.bool_]) -> NDArray[np.float64]:
        """The scores of states, of which those that are spoken can only be in the recording.

        In the silence around it there would be room for words that nobody said.
        """
        emit = self.scores[:, labels]
        first, end = PAD // STRIDE - 1, -(-(PAD + self.frames) // STRIDE) + 1
        emit[:first, spoken] = NEVER
        emit[end:, spoken] = NEVER
        return np.asarray(emit)


@dataclass(frozen=True)
class Aligner(ABC):
    """Follows known words through a recording, by scores that a subclass computes."""

    lexicon: Lexicon

    @abstractmethod
    def scores(self, wave: NDArray[np.float32]) -> NDArray[np.float64]:
        """Scaled log likelihoods of the phones every 30 ms."""

    def hear(self, wave: NDArray[np.int16]) -> Heard:
        """The scores of a recording with near silence around it."""
        rng = np.random.default_rng(len(wave))
        pad = PAD * FRAME
        padded = rng.standard_normal(len(wave) + 2 * pad).astype(np.float32) * 2
        padded[pad : pad + len(wave)] += wave
        return Heard(self.scores(padded), len(wave) // FRAME)

    def trace(self, wave: NDArray[np.int16], words: Sequence[Sequence[Pronunciation]]) -> Trace:
        """Follow the words through the recording; each comes with its possible pronunciations."""
        return self.follow(self.hear(wave), words)

    def follow(self, heard: Heard, words: Sequence[Sequence[Pronunciation]]) -> Trace:
        """Follow the words through what was heard, see `trace`."""
        numbers = [[[self.lexicon.number(each.phone) for each in form] for form in forms] for forms in words]
        chain = chain_of(numbers, silence=0)
        emit = heard.emitted(chain.outputs, chain.owners >= 0)
        states, _likelihood = best_path(emit, chain)
        steps = np.arange(len(states))
        loss = heard.scores.max(1) - heard.scores[steps, chain.outputs[states]]
        likelihood = float(emit[steps, states].sum() + chain.cost[states[1:]][np.diff(states) != 0].sum())
        # output k stands for input frames 3k-1 .. 3k+1
        at = np.minimum((np.arange(heard.frames) + PAD + 1) // STRIDE, len(states) - 1)
        labels = chain.outputs[states][at].astype(np.uint8)
        return Trace(labels, chain.owners[states][at], loss[at], likelihood)

    def is_too_short(self, wave: NDArray[np.int16], words: Sequence[Sequence[Pronunciation]]) -> bool:
        """Whether a recording has not even a step for each phone."""
        return len(wave) // FRAME < STRIDE * sum(min(map(len, forms)) for forms in words)

    def split(
        self,
        wave: NDArray[np.int16],
        phrases: Sequence[tuple[tuple[str, ...], Sequence[Pronunciation]]],
        voice: str,
    ) -> list[Utterance]:
        """Cut a recording of several phrases into its phrases, in the middle of the silences between them."""
        forms = [[form] for _, spoken in phrases for form in spoken]
        if self.is_too_short(wave, forms):
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
    """By a network in training, with what its scores need; outputs for words count for their phones."""

    network: Network
    mean: torch.Tensor
    log_priors: NDArray[np.float64]
    """Of the phones."""
    phones: torch.Tensor
    """The phone of each output."""

    @classmethod
    def of(cls, state: State) -> NetworkAligner:
        """By the network that a training has reached."""
        lexicon = load_lexicon()
        phones = Outputs.counting(lexicon, state.shape.outputs).of_outputs
        log_priors = np.log(np.bincount(phones, flatten(state.priors, phones)))
        return cls(lexicon, state.averaged.eval(), state.mean, log_priors, torch.from_numpy(phones))

    def scores(self, wave: NDArray[np.float32]) -> NDArray[np.float64]:
        """See `Aligner.scores`."""
        with torch.no_grad():
            raw = features.mfcc(wave)[None]
            # the mean of the whole recording as history: the phrase is known in full
            x = features.normalise(raw, self.mean, raw.mean(1), torch.tensor([300.0]))
            out = summed(torch.log_softmax(self.network(x)[0], -1), self.phones).double().numpy()
        return np.asarray(np.maximum(out, -12.0) - self.log_priors)

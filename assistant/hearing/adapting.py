"""One player's voice: the last layer of the network is turned a little towards the sounds that he makes.

What the layers before it make of a sound serves every voice; which phone that is, the last one says, and it
is wrong where a player says a phone in his own way. It is learnt from phrases whose words are known, aligned
by the network itself, in quiet and with noise mixed in, so that it holds in a hall too, and is kept near to
no change at all (Li and Bilmes, "Regularized adaptation of discriminative classifiers", 2006). Only the last
layer moves, so nothing is computed twice, and Vosk knows nothing of it: its weights are exchanged.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from assistant.hearing.alignment import NEVER, Ints, best_path, chain_of
from assistant.hearing.engine import Samples
from assistant.hearing.features import Floats
from assistant.hearing.lexicon import SILENCE, Lexicon
from assistant.hearing.network import Affine, LogSoftmax
from assistant.hearing.scoring import Scorer

STEPS = 40
"""Steps of the descent, each over everything that was said."""
RATE = 0.02
"""Length of the first step, in weights of a value that deviates by 1; the steps fall to nothing."""
RESTRAINT = 0.05
"""What the square of a departure from no change costs, against one frame of speech."""
_QUIETEST, _LOUDEST = 20.0, 5.0
"""Speech over the noise that is mixed in, in dB."""
_SOFTMAX = LogSoftmax()


@dataclass(frozen=True)
class Change:
    """What is added to the weights and the bias of the last layer; a row of weights for each output."""

    weights: Floats
    bias: Floats


@dataclass(frozen=True)
class Spoken:
    """A phrase as it was said: what the last layer sees of it, and the output that each 30 ms belong to."""

    seen: Floats
    outputs: Ints
    weights: Floats
    """How much each of them counts: silence little, for there is so much of it."""


def aligned(
    scorer: Scorer,
    lexicon: Lexicon,
    samples: Samples,
    words: Sequence[str],
) -> Ints | None:
    """Return the output that each 30 ms of known words belong to; None if they are too short to hold them.

    :raises KeyError: if the lexicon lacks a word.
    """
    scores = scorer.scores(samples).astype(float)
    phones = scorer.phones.phones
    spelt = [[[phones[each + "_S"].output for each in form] for form in lexicon[word]] for word in words]
    chain = chain_of(spelt, phones[SILENCE].output)
    path, likelihood = best_path(scores[:, chain.outputs], chain)
    return None if likelihood < NEVER / 2 else chain.outputs[path]


def spoken(scorer: Scorer, samples: Samples, outputs: Ints) -> Spoken:
    """Return what the network's last layer sees of aligned samples.

    :raises ValueError: if the network does not end in a layer of weights before its probabilities.
    """
    seen = scorer.network.forward(scorer.features(samples)).inputs[scorer.network.last.name]
    silence = scorer.phones.phones[SILENCE].output
    return Spoken(seen, outputs, np.where(outputs == silence, np.float32(0.2), np.float32(1.0)))


def with_noise(samples: Samples, rng: np.random.Generator) -> Samples:
    """Return speech with noise between white and brown in it, at a random level."""
    steepness, decibels = rng.uniform(0, 1), rng.uniform(_LOUDEST, _QUIETEST)
    spectrum = np.fft.rfft(rng.standard_normal(samples.size))
    noise = np.fft.irfft(spectrum / (np.arange(spectrum.size) + 1.0) ** steepness, samples.size)
    wave = samples.astype(float)
    loud = wave[np.abs(wave) >= np.quantile(np.abs(wave), 0.5)]
    noise *= np.sqrt(np.mean(loud**2) / max(np.mean(noise**2), 1e-9) / 10 ** (decibels / 10))
    return np.asarray(np.clip(np.round(wave + noise), -32768, 32767), np.int16)


def loss(last: Affine, said: Sequence[Spoken], change: Change | None = None) -> float:
    """Return the mean of -log p(the right output) over the frames, by their weights."""
    seen, outputs, weights = _together(said)
    values = last.forward(seen)
    if change is not None:
        values = values + (seen @ change.weights.T + change.bias)
    right = _SOFTMAX.forward(values)[np.arange(len(outputs)), outputs]
    return -float(right @ weights) / float(weights.sum())


def learn(last: Affine, said: Sequence[Spoken]) -> Change:
    """Return the change under which the network knows these phrases best, near to no change.

    The steps are Adam's (Kingma and Ba, 2015), each value in units of its own deviation.

    :raises ValueError: if nothing was said.
    """
    if not said:
        raise ValueError("nothing to learn from")
    seen, outputs, weights = _together(said)
    unit = np.append(seen.std(0) + np.float32(1e-3), np.float32(1))
    values = np.asarray(np.column_stack([seen, np.ones(len(seen), np.float32)]) / unit, np.float32)
    base = last.forward(seen)
    change = np.zeros((len(last.bias), values.shape[1]), np.float32)
    mean, square = np.zeros_like(change), np.zeros_like(change)
    for step in range(1, STEPS + 1):
        slope = _slope(base, values, outputs, weights, change)
        mean += 0.1 * (slope - mean)
        square += 0.01 * (slope * slope - square)
        rate = RATE * (1 - (step - 1) / STEPS) / (1 - 0.9**step)
        change -= np.float32(rate) * mean / (np.sqrt(square / (1 - 0.99**step)) + np.float32(1e-8))
    change /= unit
    return Change(change[:, :-1], change[:, -1])


def _slope(base: Floats, values: Floats, outputs: Ints, weights: Floats, change: Floats) -> Floats:
    """Return the slope of the loss, restraint included, by the change; everything in units of deviations."""
    error = np.exp(_SOFTMAX.forward(base + values @ change.T))
    error[np.arange(len(outputs)), outputs] -= 1
    error *= (weights / weights.sum())[:, None]
    return np.asarray(error.T @ values + np.float32(2 * RESTRAINT) * change, np.float32)


def _together(said: Sequence[Spoken]) -> tuple[Floats, Ints, Floats]:
    return (
        np.concatenate([each.seen for each in said]),
        np.concatenate([each.outputs for each in said]),
        np.concatenate([each.weights for each in said]),
    )

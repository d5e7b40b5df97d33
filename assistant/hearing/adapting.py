"""One player's voice: the last layer of the network is turned a little towards the sounds that he makes.

What the layers before it make of a sound serves every voice; which phone that is, the last one says, and it
is wrong where a player says a phone in his own way. It is learnt from phrases whose words are known, aligned
by the network itself, in quiet and with noise mixed in, so that it holds in a hall too, and is kept near to
no change at all (Li and Bilmes, "Regularized adaptation of discriminative classifiers", 2006). Only the last
layer moves, so nothing is computed twice, and Vosk knows nothing of it: its weights are exchanged.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assistant.hearing.engine import Samples
from assistant.hearing.features import Floats
from assistant.hearing.lexicon import SILENCE, Pronunciation
from assistant.hearing.network import Affine, LogSoftmax
from assistant.hearing.scoring import Scorer

Ints = NDArray[np.int64]

STEPS = 40
"""Steps of the descent, each over everything that was said."""
RATE = 0.02
"""Length of the first step, in weights of a value that deviates by 1; the steps fall to nothing."""
RESTRAINT = 0.05
"""What the square of a departure from no change costs, against one frame of speech."""
_QUIETEST, _LOUDEST = 20.0, 5.0
"""Speech over the noise that is mixed in, in dB."""
_VARIANT = 1.0
_NEVER = -1e30
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
    lexicon: Mapping[str, Sequence[Pronunciation]],
    samples: Samples,
    words: Sequence[str],
) -> Ints | None:
    """Return the output that each 30 ms of known words belong to; None if they are too short to hold them.

    :raises KeyError: if the lexicon lacks a word.
    """
    scores = scorer.scores(samples).astype(float)
    outputs, before, price, ends = _chain(scorer, [lexicon[word] for word in words])
    path = _best_path(scores[:, outputs], before, price, ends)
    return None if path is None else outputs[path]


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


def _chain(
    scorer: Scorer, words: Sequence[Sequence[Pronunciation]]
) -> tuple[Ints, list[list[int]], NDArray[np.float64], list[int]]:
    """Return the states of words with silence between them: outputs, predecessors, prices, last ones."""
    phones = scorer.phones.phones
    silence = phones[SILENCE].output
    outputs, before, price, ends = [silence], [[0]], [0.0], [0]
    for pronunciations in words:
        last: list[int] = []
        for rank, pronunciation in enumerate(pronunciations):
            previous = list(ends)
            for k, phone in enumerate(pronunciation):
                outputs.append(phones[phone + "_S"].output)
                before.append([len(outputs) - 1, *previous])
                price.append(_VARIANT if rank and k == 0 else 0.0)
                previous = [len(outputs) - 1]
            last += previous
        outputs.append(silence)
        before.append([len(outputs) - 1, *last])
        price.append(0.0)
        ends = [*last, len(outputs) - 1]
    return np.array(outputs), before, np.array(price), ends


def _best_path(
    emitted: NDArray[np.float64], before: Sequence[Sequence[int]], price: NDArray[np.float64], ends: list[int]
) -> Ints | None:
    """Return the state of every 30 ms, from the first silence to one of the ends."""
    width = max(map(len, before))
    table = np.array([[*each, *[len(before)] * (width - len(each))] for each in before])
    best = np.full(len(before) + 1, _NEVER)
    first = [0, *(k for k, each in enumerate(before) if 0 in each[1:])]
    best[first] = emitted[0, first] - price[first]
    came = np.zeros(emitted.shape, np.int64)
    rows = np.arange(len(before))
    for t in range(1, len(emitted)):
        candidates = best[table]
        candidates[:, 1:] -= price[:, None]
        pick = candidates.argmax(1)
        came[t] = table[rows, pick]
        best[:-1] = candidates[rows, pick] + emitted[t]
    last = max(ends, key=lambda end: float(best[end]))
    if best[last] < _NEVER / 2:
        return None
    path = np.zeros(len(emitted), np.int64)
    path[-1] = last
    for t in range(len(emitted) - 1, 0, -1):
        path[t - 1] = came[t, path[t]]
    return path


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

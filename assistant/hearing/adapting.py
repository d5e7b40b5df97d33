"""One player's voice: what the network sees of it is turned a little towards the voices that it knows.

An affine map of the features (x' = A x + c, the same at all times) is what differs most between two throats
and two microphones (Gales, "Maximum likelihood linear transformations for HMM-based speech recognition",
1998, does it for another kind of model). It is learnt by descending through the network from phrases whose
words are known, aligned by the network itself, and is held near to no change at all; then it is folded into
the weights that read the features, so that Vosk knows nothing of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assistant.hearing.engine import Samples
from assistant.hearing.features import Floats
from assistant.hearing.lexicon import SILENCE, Pronunciation
from assistant.hearing.network import INPUT, Network
from assistant.hearing.scoring import Scorer

Ints = NDArray[np.int64]

ROUNDS = 8
"""Times that every phrase is gone through."""
BATCH = 5
"""Phrases of one step."""
RATE = 0.004
"""Length of a step at the beginning, in deviations of a feature; it falls to nothing."""
RESTRAINT = 0.02
"""What a departure from no change costs, against one frame of speech."""
_VARIANT = 1.0
_NEVER = -1e30


@dataclass(frozen=True)
class Transform:
    """x' = matrix x + shift, on normalised features."""

    matrix: Floats
    shift: Floats

    def __call__(self, features: Floats) -> Floats:
        return np.asarray(features @ self.matrix.T + self.shift, np.float32)


@dataclass(frozen=True)
class Spoken:
    """A phrase as it was said: what the network sees of it, and the output that each 30 ms belong to."""

    features: Floats
    outputs: Ints
    weights: Floats
    """How much each of them counts: silence little, for there is so much of it."""


def aligned(
    scorer: Scorer,
    lexicon: Mapping[str, Sequence[Pronunciation]],
    samples: Samples,
    words: Sequence[str],
) -> Spoken | None:
    """Find the phones of known words in an utterance; None if it is too short to hold them.

    :raises KeyError: if the lexicon lacks a word.
    """
    features = scorer.features(samples)
    scores = scorer.network.scores(features).astype(float)
    outputs, before, price, ends = _chain(scorer, [lexicon[word] for word in words])
    path = _best_path(scores[:, outputs], before, price, ends)
    if path is None:
        return None
    labels = outputs[path]
    silence = scorer.phones.phones[SILENCE].output
    return Spoken(features, labels, np.where(labels == silence, np.float32(0.2), np.float32(1.0)))


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


def loss(network: Network, spoken: Sequence[Spoken], transform: Transform | None = None) -> float:
    """Return the mean of -log p(the right output) over the frames, by their weights."""
    total = weight = 0.0
    for each in spoken:
        features = each.features if transform is None else transform(each.features)
        posteriors = network.forward(features).outputs[network.posteriors]
        right = posteriors[np.arange(len(posteriors)), each.outputs]
        total -= float(right @ each.weights)
        weight += float(each.weights.sum())
    return total / weight


def learn(network: Network, spoken: Sequence[Spoken], *, seed: int = 0) -> Transform:
    """Return the map under which the network knows these phrases best, near to no change.

    The steps are Adam's (Kingma and Ba, 2015), each feature in units of its own deviation.

    :raises ValueError: if the network has no probabilities to descend from, or there is no phrase.
    """
    if not network.posteriors or not spoken:
        raise ValueError("nothing to learn from")
    deviation = np.concatenate([each.features for each in spoken]).std(0).astype(np.float32) + np.float32(
        1e-3
    )
    size = len(deviation)
    change = np.zeros((size, size + 1), np.float32)
    mean, square = np.zeros_like(change), np.zeros_like(change)
    rng = np.random.default_rng(seed)
    batches = -(-len(spoken) // BATCH)
    steps = ROUNDS * batches
    for step in range(steps):
        if step % batches == 0:
            order = rng.permutation(len(spoken))
        chosen = order[step % batches * BATCH : (step % batches + 1) * BATCH]
        slope = np.zeros_like(change)
        weight = 0.0
        for k in chosen:
            slope += _slope(network, spoken[k], change, deviation)
            weight += float(spoken[k].weights.sum())
        slope = slope / np.float32(weight) + np.float32(2 * RESTRAINT) * change
        mean += 0.1 * (slope - mean)
        square += 0.01 * (slope * slope - square)
        swing = np.sqrt(square / (1 - 0.99 ** (step + 1))) + 1e-8
        rate = RATE * (1 - step / steps)
        change -= np.float32(rate) * (mean / (1 - 0.9 ** (step + 1)) / swing)
    return _transform(change, deviation)


def _transform(change: Floats, deviation: Floats) -> Transform:
    """Return the map in the features' own units; `change` is in deviations."""
    size = len(deviation)
    matrix = np.eye(size, dtype=np.float32) + deviation[:, None] * change[:, :size] / deviation
    return Transform(np.asarray(matrix, np.float32), np.asarray(deviation * change[:, size], np.float32))


def _slope(network: Network, spoken: Spoken, change: Floats, deviation: Floats) -> Floats:
    """Return the slope of a phrase's summed loss by the change."""
    size = len(deviation)
    values = network.forward(_transform(change, deviation)(spoken.features))
    posteriors = values.outputs[network.posteriors]
    slope = np.zeros_like(posteriors)
    slope[np.arange(len(slope)), spoken.outputs] = -spoken.weights
    by_input = network.backward(values, slope, network.posteriors) * deviation
    rows = np.clip(values.times[INPUT], 0, len(spoken.features) - 1)
    seen = spoken.features[rows] / deviation
    out = np.empty((size, size + 1), np.float32)
    out[:, :size] = by_input.T @ seen
    out[:, size] = by_input.sum(0)
    return out

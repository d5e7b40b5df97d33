"""Forced alignment: known words in a row, and the path through their sounds that fits best what was heard."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]

NEVER = -1e30
"""The score of what cannot be."""
VARIANT = 1.0
"""Log likelihood that a pronunciation other than the canonical one costs."""


@dataclass(frozen=True)
class Chain:
    """States of words in a row with optional silence between."""

    outputs: Ints
    """The network's output by which each state is scored."""
    owners: Ints
    """The number of the word that each state belongs to, -1: silence."""
    before: Ints
    """Predecessors of every state, itself first, -1 where there are no more."""
    cost: NDArray[np.float64]
    """What entering a state adds to the log likelihood."""
    starts: Ints
    ends: Ints


def chain_of(words: Sequence[Sequence[Sequence[int]]], silence: int) -> Chain:
    """Return the states of words, each in all its pronunciations, the canonical one first."""
    outputs, owners, before, cost = [silence], [-1], [[]], [0.0]  # type: list[int], list[int], list[list[int]], list[float]
    starts, ends = [0], [0]
    for number, pronunciations in enumerate(words):
        word_ends: list[int] = []
        for rank, pronunciation in enumerate(pronunciations):
            previous = list(ends)
            for k, output in enumerate(pronunciation):
                outputs.append(output)
                owners.append(number)
                before.append(previous)
                cost.append(-VARIANT if rank and k == 0 else 0.0)
                previous = [len(outputs) - 1]
                if number == 0 and k == 0:
                    starts.append(previous[0])
            word_ends.extend(previous)
        outputs.append(silence)
        owners.append(-1)
        before.append(word_ends)
        cost.append(0.0)
        ends = [*word_ends, len(outputs) - 1]
    table = np.full((len(outputs), max(map(len, before)) + 1), -1, np.int64)
    for k, states in enumerate(before):
        table[k, 0] = k
        table[k, 1 : 1 + len(states)] = states
    return Chain(np.array(outputs), np.array(owners), table, np.array(cost), np.array(starts), np.array(ends))


def best_path(emitted: NDArray[np.float64], chain: Chain) -> tuple[Ints, float]:
    """Return the state of every 30 ms by the states' scores, and the path's log likelihood (Viterbi).

    The likelihood is near `NEVER` or below where there is no room for the words.
    """
    # the last place stands for "no predecessor"
    best = np.full(len(chain.outputs) + 1, NEVER)
    best[chain.starts] = emitted[0, chain.starts] + chain.cost[chain.starts]
    came = np.zeros(emitted.shape, np.int64)
    rows = np.arange(len(chain.outputs))
    for t in range(1, len(emitted)):
        candidates = best[chain.before]
        candidates[:, 1:] += chain.cost[:, None]
        pick = candidates.argmax(1)
        came[t] = chain.before[rows, pick]
        best[:-1] = candidates[rows, pick] + emitted[t]
    last = int(chain.ends[best[chain.ends].argmax()])
    path = np.zeros(len(emitted), np.int64)
    path[-1] = last
    for t in range(len(emitted) - 1, 0, -1):
        path[t - 1] = came[t, path[t]]
    return path, float(best[last])

"""The second objective of the training: what was said against everything else that could have been said.

Frame cross-entropy teaches the phones one frame at a time. Decoding chooses among whole phone sequences, so
the last part of the training maximises the probability of the labelled sequence among all of them, as in
lattice-free MMI (Povey et al. 2016, "Purely sequence-trained neural networks for ASR based on lattice-free
MMI"): both sums are taken over one phone model, that of the labels over the paths through them alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from assistant.errors import HectorError
from models.training.export import FLOOR, MODEL
from models.training.kaldi import STAY
from models.training.lexicon import IGNORE
from models.training.owned import Outputs
from models.training.pools import labels_of, phones_said, shards

HISTORIES = 512
"""Histories of two and three phones that are told apart: those that occur most."""
_DISCOUNT = 0.7
_UNSEEN = 0.02
"""Share of all phones alike in the distribution of a single phone."""
_SHARDS = 60
"""Beyond so many shards, only every second, third ... utterance counts: the model is the same."""
_SCALE = float(MODEL["acoustic-scale"])
_LEAST = 1e-30

History = tuple[int, ...]


@dataclass(frozen=True)
class PhoneModel:
    """A phone n-gram as a hidden Markov model with one state per history."""

    phones: Tensor
    """The phone that each state emits."""
    moves: Tensor
    """(states, states): probability of the next state, 30 ms later."""
    starts: Tensor
    """Probability of beginning in each state: a phrase may be cut anywhere."""

    @classmethod
    def count(cls, sequences: Iterable[Sequence[int]], phones: int) -> PhoneModel:
        """Make one of phone sequences in which no phone follows itself.

        A longer history takes what it has seen, less a discount; the rest comes from the one shorter by one.
        """
        counts: dict[History, Counter[int]] = {}
        for sequence in sequences:
            for k in range(1, len(sequence)):
                for length in range(min(k, 3) + 1):
                    counts.setdefault(tuple(sequence[k - length : k]), Counter())[sequence[k]] += 1
        often = sorted((h for h in counts if len(h) > 1), key=lambda h: (-counts[h].total(), h))
        kept = [*((phone,) for phone in range(phones)), *often[:HISTORIES]]
        number = {history: k for k, history in enumerate(kept)}
        moves = np.zeros((len(kept), len(kept)))
        for history, k in number.items():
            following = _following(history, counts, phones)
            following[history[-1]] = 0.0
            following /= following.sum()
            for phone in np.flatnonzero(following):
                longest = (*history, int(phone))[-3:]
                while longest not in number:
                    longest = longest[1:]
                moves[k, number[longest]] += (1 - STAY) * following[phone]
            moves[k, k] += STAY
        starts = np.ones(len(kept))
        for _ in range(200):
            starts = starts @ moves
            starts /= starts.sum()
        return cls(
            torch.tensor([history[-1] for history in kept]),
            torch.from_numpy(moves).float(),
            torch.from_numpy(starts).float(),
        )

    def total(self, scores: Tensor) -> Tensor:
        """Log of the summed probability of all paths, per utterance; `scores` (batch, steps, phones)."""
        total: Tensor = _Total.apply(scores, self)
        return total


class _Total(torch.autograd.Function):  # type: ignore[misc]
    """The forward algorithm; its gradient is what the backward algorithm says each output was."""

    @staticmethod
    def forward(ctx: Any, scores: Tensor, model: PhoneModel) -> Tensor:
        best = scores.amax(2, keepdim=True)
        likely = (scores - best).exp().transpose(0, 1).index_select(2, model.phones)
        alphas, sums = torch.empty_like(likely), torch.empty(likely.shape[:2])
        reached = model.starts
        for step, emitted in enumerate(likely):
            alpha = reached * emitted
            sums[step] = alpha.sum(1).clamp_min(_LEAST)
            alphas[step] = alpha / sums[step, :, None]
            reached = alphas[step] @ model.moves
        ctx.save_for_backward(likely, alphas, sums)
        ctx.model = model
        return sums.log().sum(0) + best[:, :, 0].sum(1)

    @staticmethod
    def backward(ctx: Any, above: Tensor) -> tuple[Tensor, None]:
        likely, alphas, sums = ctx.saved_tensors
        model: PhoneModel = ctx.model
        beta = torch.ones_like(alphas[0])
        back = model.moves.T.contiguous()
        shares = torch.empty_like(alphas)
        for step in range(len(likely) - 1, -1, -1):
            shares[step] = alphas[step] * beta
            beta = ((beta * likely[step] / sums[step, :, None]) @ back) if step else beta
        shares /= shares.sum(2, keepdim=True).clamp_min(_LEAST)
        phone_of = torch.nn.functional.one_hot(model.phones).float()
        return (shares @ phone_of).transpose(0, 1) * above[:, None, None], None


def _following(history: History, counts: dict[History, Counter[int]], phones: int) -> NDArray[np.float64]:
    """Probability of each phone after a history."""
    seen = counts.get(history, Counter())
    if not history:
        numbers = np.array([seen[phone] for phone in range(phones)], float)
        return np.asarray((1 - _UNSEEN) * numbers / max(1.0, numbers.sum()) + _UNSEEN / phones)
    shorter = _following(history[1:], counts, phones)
    if not seen:
        return shorter
    known = np.zeros(phones)
    for phone, count in seen.items():
        known[phone] = count - _DISCOUNT
    return np.asarray((known + _DISCOUNT * len(seen) * shorter) / seen.total())


def phone_model(pools: Path, outputs: Outputs) -> PhoneModel:
    """The phone model of all that is said in the pools, less what is neutral.

    :raises HectorError: if there is nothing in them.
    """
    paths = shards(pools)
    if not paths:
        raise HectorError(f"There is no speech in {pools}.")
    every = 1 + len(paths) // _SHARDS
    said = (
        phones_said(outputs.labelled(labels, words, path))
        for path in paths
        for labels, words in labels_of(path, every)
    )
    return PhoneModel.count((one for one in said if max(one, default=0) < len(outputs)), len(outputs))


def loss(out: Tensor, labels: Tensor, model: PhoneModel, log_priors: Tensor) -> Tensor:
    """Mean loss per output of the labelled sequences among all.

    :param out: the network's outputs (batch, steps, phones), without softmax.
    :param labels: a phone per output; a boundary may lie an output earlier or later. Where one is to be
        ignored, any phone will do.
    :param log_priors: logarithms of what decoding divides by, see `export.flatten`.
    """
    scores = torch.log_softmax(out, -1).clamp_min(-FLOOR) - log_priors
    scores = _SCALE * scores
    allowed = _allowed(labels, scores.shape[2])
    # far below everything that is allowed, and still a number
    barred = scores.detach().amin() - 60.0
    said, every = model.total(torch.cat([torch.where(allowed, scores, barred), scores])).chunk(2)
    return (every - said).sum() / labels.numel()


def _allowed(labels: Tensor, phones: int) -> Tensor:
    """The phones that each output may be, from the labels around it."""
    free = labels == IGNORE
    mine = torch.nn.functional.one_hot(labels.masked_fill(free, 0), phones).bool()
    mine = mine | free[..., None]
    near = mine.clone()
    near[:, 1:] |= mine[:, :-1]
    near[:, :-1] |= mine[:, 1:]
    return near

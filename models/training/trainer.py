"""Trains the network for a given time, with checkpoints from which it goes on after an interruption."""

from __future__ import annotations

import errno
import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812

from models.training import CHECKPOINT
from models.training.batches import Batch, Batches, made_aside, statistics
from models.training.checkpoint import State, going_on, new_state, optimiser, save_checkpoint
from models.training.export import flatten
from models.training.lexicon import IGNORE, load_lexicon
from models.training.network import Network, Shape, divided, laced, summed, widened
from models.training.owned import Outputs
from models.training.sequence import PhoneModel, phone_model
from models.training.sequence import loss as sequence_loss

_FRAMES = 0.2
"""Weight of frame cross-entropy beside the sequences: the outputs remain posteriors of phones."""

_FRAMES_TAUGHT = 0.1
"""The same where an earlier network teaches, which knows what frames sound alike."""

_SHORT_NUMBERS = bool(torch.cpu.get_capabilities().get("avx512_bf16"))
"""Whether this processor multiplies numbers of 16 bits."""

_MOST_THREADS = 4
"""Two take 0.6 to 0.8 of the time of one; more than these were never measured."""

_LOOKED_AT = 12
"""Batches that tell what the layers hear when they get waists, and which words a phone belongs to."""

_FEW_LABELS = 1e5
"""How many labels the priors are worth after a phone got several outputs: what comes tells more."""


@dataclass(frozen=True)
class Plan:
    """How long and how: `minutes` of training in all, interruptions not counted, or a number of `steps`."""

    minutes: float = 0.0
    steps: int = 0
    batch: int = 32
    rate: float = 2e-3
    seed: int = 1
    warmup_steps: int = 100
    constant: float = 0.35
    sequence_at: float = 0.75
    """Share of the training after which whole sequences count, and frames only a little."""
    checkpoint_seconds: float = 180.0
    average: float = 0.999
    noise_seconds: int = 20
    """Length of each of the prepared noises."""
    counted: int = 400
    """Utterances whose features are counted for the mean that each stream begins with."""
    uneven: float = 0.0
    """Each value of a layer is multiplied by a number from 1 - uneven to 1 + uneven that stays for the
    utterance: no value is relied on alone (Kaldi's continuous dropout). From half of the time on it is less
    and less, and nothing near the end."""
    threads: int = 0
    """That compute the steps; 0: one for each processor, for the batches keep less than half of one busy."""

    def share(self, step: int, seconds: float) -> float:
        """How much of the plan is done, 0 to 1."""
        return step / self.steps if self.steps else seconds / (60 * self.minutes)

    def learning_rate(self, step: int, share: float) -> float:
        """Up for a few steps, constant, then down to nothing at the end of the time."""
        warm = min(1.0, (step + 1) / self.warmup_steps)
        down = 1.0 if share < self.constant else (1 - share) / (1 - self.constant)
        return self.rate * warm * max(0.01, down)

    def uneven_at(self, share: float) -> float:
        """What `uneven` is when that much of the plan is done."""
        return self.uneven * min(1.0, max(0.0, (0.95 - share) / 0.5))


def _as(state: State, shape: Shape, plan: Plan, seen: Sequence[Batch], outputs: Outputs) -> State:
    """Go on with a network of that shape: wider, with waists, or with outputs for words.

    Its optimiser has seen nothing yet.
    """
    heard = _side_by_side([x for x, _ in seen])
    networks, labels = [], state.labels
    phones = torch.from_numpy(outputs.of_outputs)
    if state.shape.outputs < shape.outputs:
        found = torch.cat([y.flatten() for _, y in seen])
        counts = torch.bincount(found[found < len(outputs)], minlength=len(outputs)).double() + 1
        shares = counts / torch.bincount(phones, counts)[phones]
        labels = (labels / labels.sum())[phones] * shares * _FEW_LABELS
    for network in (state.network, state.averaged):
        torch.manual_seed(plan.seed)
        if network.shape.width < shape.width:
            network = widened(network, shape.width)
        if network.shape.outputs < shape.outputs:
            network = divided(network, phones, shares)
        networks.append(laced(network, shape.waists, heard) if network.shape != shape else network)
    network, averaged = networks
    return replace(
        state, shape=shape, network=network, averaged=averaged, optimiser=optimiser(network), labels=labels
    )


def _average(state: State, decay: float) -> None:
    weight = min(decay, (1 + state.step) / (10 + state.step))
    with torch.no_grad():
        for mine, its in zip(
            state.averaged.state_dict().values(), state.network.state_dict().values(), strict=True
        ):
            if mine.is_floating_point():
                mine.lerp_(its, 1 - weight)
            else:
                mine.copy_(its)


class _Told:
    """What the next line about the training says."""

    def __init__(self) -> None:
        self._loss = self._right = self._frames = self.waited = 0.0

    def add(self, loss: torch.Tensor, right: torch.Tensor) -> None:
        self._loss += loss.item() * len(right)
        self._right += int(right.sum())
        self._frames += len(right)

    def __str__(self) -> str:
        return (
            f"loss {self._loss / self._frames:.3f}  frames right {100 * self._right / self._frames:.1f} %  "
            f"waiting for data {self.waited:.0f} s"
        )


@contextmanager
def _without_denormals() -> Iterator[None]:
    """Take numbers below 1e-38 as nothing meanwhile; threads that begin meanwhile go on to do so.

    The sequences have many of them, and each takes a processor a hundred cycles: without them a step takes
    four fifths of the time.
    """
    torch.set_flush_denormal(True)
    try:
        yield
    finally:
        torch.set_flush_denormal(False)


@_without_denormals()
def train(
    pools: Path,
    work: Path,
    shape: Shape,
    plan: Plan,
    resume: bool = False,
    say: Callable[[str], None] = lambda line: print(line, flush=True),
    stop_at: float = 1.0,
    teacher: Network | None = None,
) -> State:
    """Train until `stop_at` of the plan's time; returns the last state, also written as a checkpoint.

    A checkpoint's network that is narrower than `shape`, has fewer outputs or no waists, is changed first.
    What ends the training too early leaves a checkpoint of the state reached. What a `teacher` hears counts
    beside the labels (Hinton et al., "Distilling the knowledge in a neural network", 2015).
    """
    torch.set_num_threads(plan.threads or min(_MOST_THREADS, os.cpu_count() or 1))
    path = work / CHECKPOINT
    state = (
        going_on(path, shape)
        if resume
        else new_state(shape, statistics(pools, plan.seed, plan.noise_seconds, plan.counted), plan.seed)
    )
    outputs = Outputs.counting(load_lexicon(), shape.outputs)
    data = Batches(pools, state.mean, plan.batch, plan.seed * 1000 + state.step, plan.noise_seconds, outputs)
    batches = made_aside(data)
    if state.shape != shape:
        state = _as(state, shape, plan, [next(batches) for _ in range(_LOOKED_AT)], outputs)
    if state.step == 0:
        first = torch.cat([next(batches)[0].reshape(-1, shape.inputs) for _ in range(4)])
        for network in (state.network, state.averaged):
            network.mean.copy_(first.mean(0))
            network.deviation.copy_(first.std(0) + 1e-3)
    try:
        _take_steps(state, batches, _Lesson(pools, plan, outputs, teacher), plan, path, say, stop_at)
    finally:
        if state.step:
            _try_to_save(path, state, say)
    return state


def _side_by_side(batches: Sequence[torch.Tensor]) -> torch.Tensor:
    """The beginnings of all, as long as the shortest."""
    frames = min(x.shape[1] for x in batches)
    return torch.cat([x[:, :frames] for x in batches])


def _take_steps(
    state: State,
    batches: Iterator[Batch],
    lesson: _Lesson,
    plan: Plan,
    checkpoint: Path,
    say: Callable[[str], None],
    stop_at: float,
) -> None:
    begun, before = time.monotonic(), state.seconds
    saved = begun
    told = _Told()
    state.network.train()
    while (share := plan.share(state.step, state.seconds)) < stop_at:
        for group in state.optimiser.param_groups:
            group["lr"] = plan.learning_rate(state.step, share)
        state.network.uneven = plan.uneven_at(share)
        asked = time.monotonic()
        batch = next(batches)
        told.waited += time.monotonic() - asked
        loss, right = lesson.of(batch, state, share)
        state.optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(state.network.parameters(), 5.0)
        state.optimiser.step()
        _average(state, plan.average)
        state.step += 1
        told.add(loss, right)
        now = time.monotonic()
        state.seconds = before + now - begun
        if state.step % 100 == 0:
            say(f"step {state.step}  {state.seconds / 60:.1f} min  {told}")
            told = _Told()
        if now - saved > plan.checkpoint_seconds:
            saved = now
            _try_to_save(checkpoint, state, say)


class _Lesson:
    """What a batch teaches: frames, from `Plan.sequence_at` on sequences, and what a teacher says of it."""

    def __init__(self, pools: Path, plan: Plan, outputs: Outputs, teacher: Network | None) -> None:
        self._pools, self._plan, self._outputs, self._teacher = pools, plan, outputs, teacher
        self._phones = torch.from_numpy(outputs.by_phone)
        self._sequences: tuple[PhoneModel, torch.Tensor] | None = None

    def of(self, batch: Batch, state: State, share: float) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the loss, and of which labelled frames the phone is heard; their labels are counted.

        :param share: how much of the training is done, 0 to 1.
        """
        x, y = batch
        every = _heard(state.network, x)
        known = y != IGNORE
        out, target = every[known], y[known]
        wanted = torch.from_numpy(self._outputs.wanted(state.priors))[target]
        state.labels += wanted.sum(0)
        losses = F.cross_entropy(out, wanted.float(), reduction="none")
        if share < self._plan.sequence_at:
            loss = losses.mean()
        else:
            loss = self._of_sequences(every, y, losses, state)
        if self._teacher is not None:
            loss = loss + _unlike(self._teacher, x, every, y, self._phones[: len(self._outputs)])
        return loss, self._phones[out.argmax(1)] == self._phones[target]

    def _of_sequences(
        self, every: torch.Tensor, y: torch.Tensor, losses: torch.Tensor, state: State
    ) -> torch.Tensor:
        """Return the loss by whole sequences; `losses` of the labelled frames count a little beside it."""
        if self._sequences is None:
            priors = np.log(flatten(state.priors, self._outputs.of_outputs))
            self._sequences = phone_model(self._pools, self._outputs), torch.from_numpy(priors).float()
        # of what is neutral nobody knows which outputs follow each other
        placed = ((y < len(self._outputs)) | (y == IGNORE)).all(1)
        frames = _FRAMES if self._teacher is None else _FRAMES_TAUGHT
        weights = torch.where(placed, frames, 1.0)[:, None].expand_as(y)[y != IGNORE]
        loss = (weights * losses).mean()
        if placed.any():
            loss = loss + placed.float().mean() * sequence_loss(every[placed], y[placed], *self._sequences)
        return loss


def _heard(network: Network, x: torch.Tensor) -> torch.Tensor:
    """Return the outputs; a processor that multiplies numbers of 16 bits does so in half the time."""
    with torch.autocast("cpu", torch.bfloat16, enabled=_SHORT_NUMBERS):
        out: torch.Tensor = network(x)
    return out.float()


def _unlike(
    teacher: Network, x: torch.Tensor, every: torch.Tensor, labels: torch.Tensor, phones: torch.Tensor
) -> torch.Tensor:
    """The Kullback-Leibler divergence of the outputs from the teacher's, mean over what was recorded.

    :param phones: the phone of each output: of a teacher who knows phones only, no more is learnt.
    """
    with torch.no_grad():
        wanted = _heard(teacher, x).log_softmax(-1)
    own = every.log_softmax(-1)
    if own.shape[2] > wanted.shape[2]:
        own = summed(own, phones)
    apart = F.kl_div(own, wanted, reduction="none", log_target=True).sum(-1)
    # behind the last label the shorter ones are only filled up
    return apart[(labels != IGNORE).flip(1).cumsum(1).flip(1) > 0].mean()


def _try_to_save(path: Path, state: State, say: Callable[[str], None]) -> None:
    """A full disk must not end an hour of training: say so and go on."""
    try:
        save_checkpoint(path, state)
    except OSError as error:
        why = "the disk is full" if error.errno == errno.ENOSPC else str(error)
        say(
            f"The checkpoint {path} could not be written ({why}): make room, "
            "for an interruption now loses what was learnt since the last one."
        )

"""Trains the network for a given time, with checkpoints from which it goes on after an interruption."""

from __future__ import annotations

import copy
import errno
import os
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812
from numpy.typing import NDArray

from assistant.errors import HectorError
from models.training import CHECKPOINT
from models.training.batches import Batch, Batches, made_aside, statistics
from models.training.export import flatten
from models.training.lexicon import IGNORE
from models.training.network import Network, Shape, laced, widened
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
"""Batches that tell what the layers hear when they get waists."""


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


@dataclass
class State:
    """Everything a checkpoint holds."""

    shape: Shape
    network: Network
    averaged: Network
    optimiser: torch.optim.Optimizer
    labels: torch.Tensor
    stats: NDArray[np.float64]
    step: int = 0
    seconds: float = 0.0

    @property
    def priors(self) -> NDArray[np.float64]:
        counts = self.labels.double().numpy() + 1
        return np.asarray(counts / counts.sum())


def new_state(shape: Shape, stats: NDArray[np.float64], plan: Plan) -> State:
    torch.manual_seed(plan.seed)
    network = Network(shape)
    # single precision would stop counting at 17 million
    labels = torch.zeros(shape.outputs, dtype=torch.float64)
    return State(shape, network, copy.deepcopy(network), optimiser(network), labels, stats)


def optimiser(network: Network) -> torch.optim.Optimizer:
    """Its learning rate is the plan's, set anew for each step."""
    return torch.optim.AdamW(network.parameters(), weight_decay=1e-3)


def _as(state: State, shape: Shape, plan: Plan, heard: torch.Tensor) -> State:
    """Go on with a network of that shape, wider or with waists; its optimiser has seen nothing yet."""
    networks = []
    for network in (state.network, state.averaged):
        torch.manual_seed(plan.seed)
        if network.shape.width < shape.width:
            network = widened(network, shape.width)
        networks.append(laced(network, shape.waists, heard) if network.shape != shape else network)
    network, averaged = networks
    return replace(state, shape=shape, network=network, averaged=averaged, optimiser=optimiser(network))


def save_checkpoint(path: Path, state: State) -> None:
    """Write beside, then rename: an interruption leaves the old checkpoint."""
    part = path.with_suffix(".part")
    content = {
        "shape": state.shape.as_dict(),
        "network": state.network.state_dict(),
        "averaged": state.averaged.state_dict(),
        "optimiser": state.optimiser.state_dict(),
        "labels": state.labels,
        "stats": torch.from_numpy(state.stats),
        "step": state.step,
        "seconds": state.seconds,
    }
    try:
        torch.save(content, part)
    except (OSError, RuntimeError):
        # PyTorch's writer reports a full disk as a RuntimeError
        part.unlink(missing_ok=True)
        raise
    part.replace(path)


def load_checkpoint(path: Path) -> State:
    """HectorError when there is none or it is cut."""
    if not path.is_file():
        raise HectorError(f"There is no checkpoint {path}: start without --resume.")
    try:
        content: dict[str, Any] = torch.load(path, map_location="cpu", weights_only=True)
        # a checkpoint from before there were waists does not tell of any
        sizes: dict[str, Any] = {"waists": (), **content["shape"]}
        shape = Shape(**sizes)
        network, averaged = Network(shape), Network(shape)
        network.load_state_dict(content["network"])
        averaged.load_state_dict(content["averaged"])
        before = optimiser(network)
        before.load_state_dict(content["optimiser"])
        return State(
            shape,
            network,
            averaged,
            before,
            content["labels"].double(),
            content["stats"].numpy(),
            int(content["step"]),
            float(content["seconds"]),
        )
    except Exception as error:
        # a cut file fails in a dozen ways inside PyTorch's unpickler
        raise HectorError(
            f"The checkpoint {path} is damaged: delete it and start without --resume."
        ) from error


def going_on(path: Path, shape: Shape) -> State:
    """The state of a checkpoint whose network can become one of this shape: narrower, or without waists.

    :raises HectorError: if there is none, or it is cut or of another kind of network.
    """
    state = load_checkpoint(path)
    if not becomes(state.shape, shape):
        raise HectorError(
            f"The checkpoint {path} is of a network with other layers, as --quick makes one: "
            "start without --resume, or in another --work folder."
        )
    return state


def becomes(has: Shape, shape: Shape) -> bool:
    """Whether a network can be changed into one of that shape, which says the same."""
    return (
        replace(has, width=shape.width, waists=has.waists or shape.waists) == shape
        and has.width <= shape.width
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

    def add(self, loss: torch.Tensor, out: torch.Tensor, target: torch.Tensor) -> None:
        self._loss += loss.item() * len(target)
        self._right += int((out.argmax(1) == target).sum())
        self._frames += len(target)

    def __str__(self) -> str:
        return (
            f"loss {self._loss / self._frames:.3f}  frames right {100 * self._right / self._frames:.1f} %  "
            f"waiting for data {self.waited:.0f} s"
        )


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

    A checkpoint's network that is narrower than `shape`, or has no waists, is changed first. What ends the
    training too early leaves a checkpoint of the state reached. What a `teacher` hears counts beside the
    labels (Hinton et al., "Distilling the knowledge in a neural network", 2015).
    """
    torch.set_num_threads(plan.threads or min(_MOST_THREADS, os.cpu_count() or 1))
    path = work / CHECKPOINT
    state = (
        going_on(path, shape)
        if resume
        else new_state(shape, statistics(pools, plan.seed, plan.noise_seconds), plan)
    )
    mean = torch.from_numpy(state.stats[0, :-1] / state.stats[0, -1])
    data = Batches(pools, mean, plan.batch, plan.seed * 1000 + state.step, plan.noise_seconds)
    batches = made_aside(data)
    if state.shape != shape:
        state = _as(state, shape, plan, _side_by_side([next(batches)[0] for _ in range(_LOOKED_AT)]))
    if state.step == 0:
        first = torch.cat([next(batches)[0].reshape(-1, shape.inputs) for _ in range(4)])
        for network in (state.network, state.averaged):
            network.mean.copy_(first.mean(0))
            network.deviation.copy_(first.std(0) + 1e-3)
    try:
        _take_steps(state, batches, pools, plan, path, say, stop_at, teacher)
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
    pools: Path,
    plan: Plan,
    checkpoint: Path,
    say: Callable[[str], None],
    stop_at: float,
    teacher: Network | None,
) -> None:
    begun, before = time.monotonic(), state.seconds
    saved = begun
    told = _Told()
    phones: PhoneModel | None = None
    outputs = state.shape.outputs
    state.network.train()
    while (share := plan.share(state.step, state.seconds)) < stop_at:
        for group in state.optimiser.param_groups:
            group["lr"] = plan.learning_rate(state.step, share)
        asked = time.monotonic()
        x, y = next(batches)
        told.waited += time.monotonic() - asked
        every = _heard(state.network, x)
        known = y != IGNORE
        out, target = every[known], y[known]
        state.labels += torch.bincount(target, minlength=outputs)
        loss = F.cross_entropy(out, target)
        if share >= plan.sequence_at:
            if phones is None:
                phones = phone_model(pools, outputs)
                priors = torch.from_numpy(np.log(flatten(state.priors))).float()
            frames = _FRAMES if teacher is None else _FRAMES_TAUGHT
            loss = frames * loss + sequence_loss(every, y, phones, priors)
        if teacher is not None:
            loss = loss + _unlike(teacher, x, every, y)
        state.optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(state.network.parameters(), 5.0)
        state.optimiser.step()
        _average(state, plan.average)
        state.step += 1
        told.add(loss, out, target)
        now = time.monotonic()
        state.seconds = before + now - begun
        if state.step % 100 == 0:
            say(f"step {state.step}  {state.seconds / 60:.1f} min  {told}")
            told = _Told()
        if now - saved > plan.checkpoint_seconds:
            saved = now
            _try_to_save(checkpoint, state, say)


def _heard(network: Network, x: torch.Tensor) -> torch.Tensor:
    """Return the outputs; a processor that multiplies numbers of 16 bits does so in half the time."""
    with torch.autocast("cpu", torch.bfloat16, enabled=_SHORT_NUMBERS):
        out: torch.Tensor = network(x)
    return out.float()


def _unlike(teacher: Network, x: torch.Tensor, every: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    """The Kullback-Leibler divergence of the outputs from the teacher's, mean over what was recorded."""
    with torch.no_grad():
        wanted = _heard(teacher, x).log_softmax(-1)
    apart = F.kl_div(every.log_softmax(-1), wanted, reduction="none", log_target=True).sum(-1)
    # behind the last label the shorter ones are only filled up
    return apart[(labels != IGNORE).flip(1).cumsum(1).flip(1) > 0].mean()


def _try_to_save(path: Path, state: State, say: Callable[[str], None]) -> None:
    """A full disk must not end an hour of training: say so and go on."""
    try:
        save_checkpoint(path, state)
    except (OSError, RuntimeError) as error:
        full = isinstance(error, RuntimeError) or error.errno == errno.ENOSPC
        why = "the disk is full" if full else str(error)
        say(
            f"The checkpoint {path} could not be written ({why}): make room, "
            "for an interruption now loses what was learnt since the last one."
        )

"""Training batches: augmented phrases as normalised features and labels, made in a process of their own."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.utils.data import DataLoader, IterableDataset

from assistant.errors import HectorError
from assistant.hearing.features import frames_of
from models.training import features, killed
from models.training.audio import FRAME
from models.training.augment import FASTEST, Labels, Places, augment, equaliser, noise_only
from models.training.lexicon import IGNORE
from models.training.network import STRIDE
from models.training.owned import Outputs
from models.training.pools import Shard, Utterance, load, shards

WEIGHTS: Mapping[str, float] = {
    "stock": 1.0,
    "random": 1.8,
    "uvular": 2.5,
    "accents": 3.8,
    "invented": 1.2,
    "festival": 2.8,
    "pico": 1.8,
    "flite": 2.0,
    "rhvoice": 2.8,
    "revoiced": 6.0,
    "prompts": 4.5,
    "counted": 1.0,
    "recounted": 1.5,
    "recordings": 8.0,
    "talk": 3.0,
}
"""How often a pool is drawn from, whatever its size; a recording of a person is worth most."""

NOISE_ONLY = 0.05
MAX_SECONDS = 6.0
_LOOK_FOR_POOLS = 60.0
_GROUP = 6
"""Batches that are drawn together and sorted by length."""
_LOOKS = 2
"""Ways in which each recording is seen: making one costs more than looking again."""
_BANKS = 300
"""Vocal tracts prepared at the start."""

Batch = tuple[Tensor, Tensor]
"""Normalised features (batch, frames, 40) and the labels of every third frame, see `Outputs`."""


@dataclass
class Pools:
    """The shards in memory; `look` takes in those that were made in the meantime."""

    folder: Path
    outputs: Outputs | None = None
    """What their labels shall name; phones if `None`."""
    loaded: dict[str, Shard] = field(default_factory=dict)
    _looked: float = 0.0

    def look(self) -> None:
        if time.monotonic() - self._looked < _LOOK_FOR_POOLS and self.loaded:
            return
        self._looked = time.monotonic()
        for path in shards(self.folder):
            if path.name not in self.loaded:
                shard = load(path)
                self.loaded[path.name] = self.outputs.shard(shard, path) if self.outputs else shard

    def draw(self, rng: np.random.Generator) -> Utterance:
        by_pool: dict[str, list[Shard]] = {}
        for shard in self.loaded.values():
            by_pool.setdefault(shard.pool, []).append(shard)
        names = sorted(by_pool)
        weights = np.array([WEIGHTS.get(name, 1.0) for name in names])
        of = by_pool[names[rng.choice(len(names), p=weights / weights.sum())]]
        sizes = np.array([len(shard) for shard in of], float)
        shard = of[rng.choice(len(of), p=sizes / sizes.sum())]
        return shard[int(rng.integers(len(shard)))]


@dataclass(frozen=True)
class Example:
    wave: NDArray[np.float32]
    labels: Labels


def example(pools: Pools, places: Places, rng: np.random.Generator) -> Example:
    """One augmented recording."""
    if rng.random() < NOISE_ONLY:
        wave, labels = noise_only(rng, places, rng.uniform(0.8, 4.0))
    else:
        drawn = pools.draw(rng)
        # what will be cut off need not be augmented, even where the piece becomes quicker
        piece, labels = _piece(drawn.wave, drawn.labels, FASTEST * MAX_SECONDS, rng)
        wave, labels = augment(piece.astype(np.float32), labels, rng, places, lambda: pools.draw(rng).wave)
    return Example(*_piece(wave, labels, MAX_SECONDS, rng))


def _piece(
    wave: NDArray[Any], labels: Labels, seconds: float, rng: np.random.Generator
) -> tuple[NDArray[Any], Labels]:
    """The recording, or a random piece of it where it is longer."""
    frames = int(seconds * 100)
    if len(wave) <= frames * FRAME:
        return wave, labels
    first = int(rng.integers(0, len(wave) // FRAME - frames + 1))
    return wave[first * FRAME : (first + frames) * FRAME], labels[first : first + frames]


@dataclass(frozen=True)
class Recorded:
    """Examples side by side: power spectra (batch, frames, 257), labels and number of frames of each."""

    power: Tensor
    labels: Tensor
    counts: Tensor


def record(examples: list[Example]) -> Recorded:
    counts = torch.tensor([frames_of(len(e.wave)) for e in examples])
    longest = max(len(e.wave) for e in examples)
    waves = torch.zeros(len(examples), longest)
    labels = torch.full((len(examples), int(counts.max())), IGNORE, dtype=torch.int64)
    for k, e in enumerate(examples):
        waves[k, : len(e.wave)] = torch.from_numpy(e.wave)
        have = min(int(counts[k]), len(e.labels))
        labels[k, :have] = torch.from_numpy(e.labels[:have].astype(np.int64))
    return Recorded(features.power(waves), labels, counts)


def look(recorded: Recorded, banks: Tensor, rng: np.random.Generator) -> tuple[Tensor, Tensor, Tensor]:
    """One way to see a recording, as MFCCs, labels, counts: equaliser, vocal tract, tempo, SpecAugment."""
    size = len(recorded.counts)
    gains = torch.ones(size, 1, 257)
    chosen = torch.empty(size, features.BINS, 257)
    for k in range(size):
        if rng.random() < 0.8:
            gains[k, 0] = torch.from_numpy(equaliser(rng))
        chosen[k] = banks[rng.integers(len(banks))] if rng.random() < 0.85 else features.mel_bank()
    # the equaliser acts before the microphone's own noise, of which half a unit stays
    mel = features.log_mel(recorded.power * gains + 0.5, chosen)
    mel, labels, counts = _in_other_time(mel, recorded.labels, recorded.counts, rng)
    for k in range(size):
        count, mean = int(counts[k]), mel[k, : counts[k]].mean()
        for _ in range(rng.integers(0, 3)):
            low = int(rng.integers(0, 36))
            mel[k, :, low : low + int(rng.integers(1, 6))] = mean
        for _ in range(rng.integers(0, 3)):
            start = int(rng.integers(0, max(1, count - 8)))
            mel[k, start : start + int(rng.integers(1, 9))] = mean
    return mel @ features.cepstrum().T, labels, counts


def _in_other_time(
    mel: Tensor, labels: Tensor, counts: Tensor, rng: np.random.Generator
) -> tuple[Tensor, Tensor, Tensor]:
    """Some of them slower or quicker, unevenly, without a change of pitch or formants."""
    clocks = []
    for count in counts.tolist():
        if rng.random() < 0.5:
            clocks.append(np.arange(count, dtype=np.float32))
            continue
        turns = np.arange(0, count + 25, 25)
        pace = np.exp(rng.uniform(-0.2, 0.2) + rng.uniform(-0.15, 0.15, len(turns)))
        passed = np.concatenate([[0.0], np.cumsum(np.interp(np.arange(count), turns, pace))])[:count]
        clocks.append(np.interp(np.arange(int(passed[-1]) + 1), passed, np.arange(count)).astype(np.float32))
    lengths = torch.tensor([len(clock) for clock in clocks])
    at = torch.zeros(len(clocks), int(lengths.max()))
    for k, clock in enumerate(clocks):
        at[k, : len(clock)] = torch.from_numpy(clock)
    low = at.long().clamp(max=mel.shape[1] - 1)
    high = (low + 1).clamp(max=mel.shape[1] - 1)
    index = low[..., None].expand(-1, -1, mel.shape[2])
    first = torch.gather(mel, 1, index)
    second = torch.gather(mel, 1, high[..., None].expand_as(index))
    moved = torch.gather(labels, 1, at.round().long().clamp(max=labels.shape[1] - 1))
    moved[torch.arange(at.shape[1])[None] >= lengths[:, None]] = IGNORE
    return torch.lerp(first, second, (at - low)[..., None]), moved, lengths


def raw_features(examples: list[Example], rng: np.random.Generator) -> tuple[Tensor, Tensor, Tensor]:
    """MFCCs without normalisation; labels per frame; number of frames of each."""
    return look(record(examples), _banks(rng, 16), rng)


def _banks(rng: np.random.Generator, count: int) -> Tensor:
    return torch.stack([features.bent_bank(rng) for _ in range(count)])


def with_history(x: Tensor, labels: Tensor, counts: Tensor, mean: Tensor, rng: np.random.Generator) -> Tensor:
    """Normalise by the running mean as if the stream had begun with speech, silence, both, or nothing."""
    size = len(x)
    history, heard = torch.zeros(size, x.shape[2]), torch.zeros(size)
    means = torch.stack([x[k, : counts[k]].mean(0) for k in range(size)])
    for k in range(size):
        kind = rng.random()
        if kind >= 0.65:
            continue
        heard[k] = int(rng.integers(30, 600))
        silence = x[k, : counts[k]][labels[k, : counts[k]] == 0]
        quiet = silence.mean(0) if len(silence) else x[k, :5].mean(0)
        if kind < 0.28:
            history[k] = means[k]
        elif kind < 0.48:
            history[k] = quiet
        elif kind < 0.58:
            share = rng.random()
            history[k] = share * quiet + (1 - share) * means[k]
        else:
            # somebody else in another place: the loudspeaker, the opponent
            history[k] = means[rng.integers(size)]
    return features.normalise(x, mean, history, heard)


def batch(seen: tuple[Tensor, Tensor, Tensor], mean: Tensor, rng: np.random.Generator) -> Batch:
    """What has been seen, with its history and padded."""
    x, labels, counts = seen
    y = with_history(x, labels, counts, mean, rng)
    for k, count in enumerate(counts.tolist()):
        y[k, count:] = y[k, count - 1]
    return y, labels[:, ::STRIDE]


class Batches(IterableDataset[Batch | HectorError]):  # type: ignore[misc]
    """Endless batches; phrases of similar length come together, so that little is padding.

    A damaged shard ends them, and its error is the last that comes: PyTorch makes a page of one that is
    raised in another process.
    """

    def __init__(
        self, folder: Path, mean: Tensor, size: int, seed: int, noise_seconds: int, outputs: Outputs
    ) -> None:
        self.folder, self.mean, self.size, self.seed = folder, mean, size, seed
        self.noise_seconds, self.outputs = noise_seconds, outputs

    def __iter__(self) -> Iterator[Batch | HectorError | MemoryError]:
        try:
            yield from self._make()
        except (HectorError, MemoryError) as error:
            yield error

    def _make(self) -> Iterator[Batch]:
        torch.set_num_threads(1)
        info = torch.utils.data.get_worker_info()
        number = info.id if info else 0
        pools = Pools(self.folder, self.outputs)
        pools.look()
        rng = np.random.default_rng((self.seed, number))
        places = Places.make(self.seed * 100 + number, self.noise_seconds)
        banks = _banks(rng, _BANKS)
        parent = os.getppid()
        while info is None or os.getppid() == parent:
            pools.look()
            drawn = [example(pools, places, rng) for _ in range(self.size * _GROUP)]
            drawn.sort(key=lambda e: len(e.wave))
            recorded = [record(drawn[k * self.size : (k + 1) * self.size]) for k in range(_GROUP)]
            for k in rng.permutation(_GROUP * _LOOKS):
                yield batch(look(recorded[k % _GROUP], banks, rng), self.mean, rng)


def made_aside(batches: Batches) -> Iterator[Batch]:
    """The batches, made in a process of their own.

    :raises HectorError: if a shard is damaged.
    :raises MemoryError: if the other process has not enough memory.
    :raises ChildProcessError: if it was killed.
    """
    loader = _begun(batches)
    while True:
        try:
            one = next(loader)
        except (RuntimeError, ConnectionError, EOFError) as error:
            if isinstance(error, RuntimeError) and not str(error).startswith("DataLoader worker (pid"):
                raise
            raise killed() from error
        if isinstance(one, HectorError | MemoryError):
            raise one
        yield one


def _begun(batches: Batches) -> Iterator[Batch | HectorError | MemoryError]:
    """Begin the other process. That it has died is found where a batch is asked for.

    PyTorch's handler of the signal would raise it anywhere, in the midst of writing a checkpoint too.
    """
    before = signal.getsignal(signal.SIGCHLD)
    loader: Iterator[Batch | HectorError | MemoryError] = iter(
        DataLoader(batches, batch_size=None, num_workers=1, prefetch_factor=8)
    )
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGCHLD, before)
    return loader


def statistics(folder: Path, seed: int, noise_seconds: int, count: int) -> NDArray[np.float64]:
    """The global statistics for the running mean, as Kaldi stores them (2 x 41): sums, frames; squares, 0."""
    rng = np.random.default_rng((seed, 977))
    places = Places.make(seed, min(8, noise_seconds), rounds=1, rooms=60)
    pools = Pools(folder)
    pools.look()
    stats = np.zeros((2, features.BINS + 1))
    for _ in range(0, count, 20):
        x, _, counts = raw_features([example(pools, places, rng) for _ in range(20)], rng)
        for k, frames in enumerate(counts.tolist()):
            values = x[k, :frames].double().numpy()
            stats[0, :-1] += values.sum(0)
            stats[1, :-1] += np.square(values).sum(0)
            stats[0, -1] += frames
    return stats

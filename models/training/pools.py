"""Pools of labelled speech on disk: one `.npz` per shard, written whole or not at all."""

from __future__ import annotations

import errno
import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from assistant.errors import HectorError
from models.training.lexicon import IGNORE

LABEL_DELAY = 1.2
"""A frame's middle lies 12.5 ms after its start: a sound from second t on labels frames from 100 t - 1.2."""


class Utterance(NamedTuple):
    """One piece of speech: int16 samples at 16 kHz, a label per 10 ms frame, what was said, by whom."""

    wave: NDArray[np.int16]
    labels: NDArray[np.uint8]
    words: tuple[str, ...]
    voice: str


def frame_labels(
    spans: Iterable[tuple[float, float, int]], samples: int, rate: int = 16000
) -> NDArray[np.uint8]:
    """Labels of 10 ms frames from (start, end, label) in seconds; silence (0) where nothing is given."""
    labels = np.zeros(int(samples / rate * 100), np.uint8)
    for start, end, label in spans:
        first = max(0, round(start * 100 - LABEL_DELAY))
        labels[first : max(first, round(end * 100 - LABEL_DELAY))] = label
    return labels


@dataclass(frozen=True)
class Shard:
    """A loaded shard."""

    pool: str
    waves: NDArray[np.int16]
    wave_ends: NDArray[np.int64]
    labels: NDArray[np.uint8]
    label_ends: NDArray[np.int64]
    said: tuple[tuple[str, tuple[str, ...]], ...]

    def __len__(self) -> int:
        return len(self.wave_ends) - 1

    def __getitem__(self, k: int) -> Utterance:
        voice, words = self.said[k]
        return Utterance(
            self.waves[self.wave_ends[k] : self.wave_ends[k + 1]],
            self.labels[self.label_ends[k] : self.label_ends[k + 1]],
            words,
            voice,
        )


def shard_path(folder: Path, pool: str, shard: str) -> Path:
    return folder / f"{pool}@{shard}.npz"


def save(folder: Path, pool: str, shard: str, utterances: list[Utterance], wanted: int = 0) -> Path:
    """Write one shard `POOL@SHARD.npz`; HectorError when the disk is full.

    :param wanted: how many utterances were asked for, of which some may have failed.
    """
    folder.mkdir(parents=True, exist_ok=True)
    path, part = shard_path(folder, pool, shard), folder / f".{pool}@{shard}.part"
    ends = np.cumsum([0] + [len(u.wave) for u in utterances])
    label_ends = np.cumsum([0] + [len(u.labels) for u in utterances])
    said = json.dumps([[u.voice, list(u.words)] for u in utterances])
    try:
        with part.open("wb") as stream:
            np.savez(
                stream,
                waves=np.concatenate([u.wave for u in utterances]),
                wave_ends=ends,
                labels=np.concatenate([u.labels for u in utterances]),
                label_ends=label_ends,
                said=np.frombuffer(said.encode(), np.uint8),
                wanted=np.int64(max(wanted, len(utterances))),
            )
        part.replace(path)
    except OSError as error:
        part.unlink(missing_ok=True)
        if error.errno == errno.ENOSPC:
            raise HectorError(
                f"The disk with {folder} is full: make room and run the same command again."
            ) from error
        raise
    return path


@contextmanager
def _opened(path: Path) -> Iterator[Any]:
    try:
        with np.load(path) as data:
            yield data
    except (OSError, ValueError, KeyError, EOFError, BadZipFile) as error:
        raise HectorError(f"{path} is damaged: delete it, and it will be made again.") from error


def load(path: Path) -> Shard:
    """Read a shard; HectorError when the file is damaged."""
    with _opened(path) as data:
        said = json.loads(data["said"].tobytes().decode())
        return Shard(
            path.name.partition("@")[0],
            data["waves"],
            data["wave_ends"],
            data["labels"],
            data["label_ends"],
            tuple((voice, tuple(words)) for voice, words in said),
        )


def is_there(path: Path, wanted: int = 0) -> bool:
    """Whether a shard is there, made when as many utterances were asked for as are wanted now, or more.

    :raises HectorError: if the file is damaged.
    """
    if not path.exists():
        return False
    with _opened(path) as data:
        return wanted <= int(data["wanted"] if "wanted" in data else len(data["label_ends"]) - 1)


def count_of(path: Path) -> int:
    """How many utterances a shard holds; HectorError when the file is damaged."""
    with _opened(path) as data:
        return len(data["label_ends"]) - 1


def labels_of(path: Path, every: int = 1) -> Iterator[tuple[NDArray[np.uint8], tuple[str, ...]]]:
    """Labels and words of each utterance of a shard, or of every second, third ..., without the sound.

    :raises HectorError: if the file is damaged.
    """
    with _opened(path) as data:
        labels, ends = data["labels"], data["label_ends"]
        said = json.loads(data["said"].tobytes().decode())
    for k in range(0, len(said), every):
        yield labels[ends[k] : ends[k + 1]], tuple(said[k][1])


def phones_said(labels: NDArray[np.uint8]) -> list[int]:
    """The phones, or outputs, of an utterance in order."""
    first = np.concatenate([[True], labels[1:] != labels[:-1]])
    return [int(label) for label in labels[first] if label != IGNORE]


def shards(folder: Path) -> list[Path]:
    return sorted(folder.glob("*@*.npz"))

"""Somebody from whom a voice can be learnt: hard to understand, and always the same."""

from __future__ import annotations

import io
import shutil
import subprocess
from functools import cache
from pathlib import Path

import numpy as np
import pytest
import soundfile
import soxr
from numpy.typing import NDArray

from assistant.announcements import load_vocabulary

RATE = 16_000


@cache
def say(words: tuple[str, ...]) -> NDArray[np.int16]:
    """A voice with a vocal tract that is longer than anybody's, with a pause of a quiet room around it."""
    if not shutil.which("espeak-ng"):
        pytest.skip("NOT TESTED: espeak-ng is missing (apt install espeak-ng)")
    text = load_vocabulary("de").written(words)
    command = ["espeak-ng", "-v", "de+m3", "-s", "180", "--stdout", text]
    wave, hz = soundfile.read(io.BytesIO(subprocess.run(command, capture_output=True, check=True).stdout))
    wave = soxr.resample(wave, hz / 1.15, RATE)
    wave *= 12_000 / np.abs(wave).max()
    room = np.random.default_rng(0).standard_normal(round(0.9 * RATE)) * 2
    return np.concatenate([room, wave, room]).round().astype(np.int16)


def record(file: Path, phrases: list[tuple[str, ...]]) -> Path:
    """Record phrases one after the other."""
    soundfile.write(file, np.concatenate([say(words) for words in phrases]), RATE)
    return file

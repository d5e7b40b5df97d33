"""Samples: resampling, levels, files. Waves are float32 at int16 scale and 16 kHz unless said otherwise."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import soundfile
import soxr
from numpy.typing import NDArray

from assistant.errors import HectorError
from assistant.hearing.sources import Mixer

RATE = 16000
FRAME = 160
"""Samples from one feature frame to the next (10 ms)."""
LOWEST_RATE, HIGHEST_RATE = 4_000, 384_000
"""Of files: below there is no speech, and what a damaged header says beyond would fill the memory."""
LONGEST = 40.0
"""Seconds of a recording; what is longer holds more than a phrase."""

Wave = NDArray[np.float32]


def resample(wave: Wave, rate: int) -> Wave:
    """The wave at 16 kHz, from `rate` samples a second; what is shorter than one sample becomes none."""
    return np.asarray(soxr.resample(wave, rate, RATE))


def level(wave: Wave, peak: float = 12000.0) -> NDArray[np.int16]:
    """The wave at a fixed peak, as pools store it."""
    highest = float(np.abs(wave).max(initial=1e-9))
    return np.asarray(np.round(wave * (peak / highest)), np.int16)


@contextmanager
def _opened(path: Path) -> Iterator[soundfile.SoundFile]:
    try:
        with soundfile.SoundFile(str(path)) as file:
            yield file
    except (OSError, RuntimeError, TypeError, ValueError) as error:
        # a TypeError where the name promises samples without a header
        raise HectorError(
            f"{path} is not an audio file that can be read; WAV, FLAC, Ogg, Opus and MP3 can."
        ) from error


def is_audio(path: Path) -> bool:
    """Whether a file begins as one that `read` may take."""
    try:
        with _opened(path):
            return True
    except HectorError:
        return False


def read(path: Path) -> Wave:
    """Any audio file as mono at 16 kHz, mixed as the program does; HectorError when it is not one.

    What is longer than `LONGEST` is read a little further than that, and no more.
    """
    with _opened(path) as file:
        rate = file.samplerate
        # a damaged header may promise more than the memory holds
        most = round((LONGEST + 1) * min(rate, HIGHEST_RATE))
        data = file.read(most, dtype="float32", always_2d=True)
    if not LOWEST_RATE <= rate <= HIGHEST_RATE:
        raise HectorError(
            f"{path} has a sampling rate of {rate} Hz: it is damaged, or no recording of speech."
        )
    if len(data) * RATE < rate:
        raise HectorError(f"{path} holds no sound.")
    with np.errstate(over="ignore", invalid="ignore"):
        # one channel may be heard alone, whatever the other holds
        wave = Mixer().mixed(data) * 32768 if np.isfinite(data).all() else data
    if not np.isfinite(wave).all():
        raise HectorError(f"{path} is damaged: some of its samples are no numbers.")
    return resample(wave, int(rate))

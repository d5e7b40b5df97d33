"""The features that Vosk computes from a whole utterance, without Vosk: what its network sees.

Kaldi's MFCCs with "hires" settings and its running mean (OnlineCmvn: mean only, window of 600 frames, global
statistics worth up to 200), with the quiet-frame rule of Vosk's Kaldi: a frame whose C0 is at most 50 keeps
the statistics that the frame before it left. The training does the same in batches with PyTorch, which is not
there at the table (models/training/features.py), and takes its window, filters and cosines from here; a test
compares both with Vosk itself.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from assistant.sound import SAMPLE_RATE

Floats = NDArray[np.float32]

LENGTH, SHIFT, FFT = 400, 160, 512
WINDOW, GLOBAL, QUIET = 600, 200, 50.0
"""Frames of the running mean, frames that the global statistics count for, and the C0 of a quiet frame."""
_EMPHASIS, _LIFTER = 0.97, 22.0
_TINIEST = 1.1920929e-07
"""Kaldi's floor of an energy: single precision's epsilon."""

_KNOWN = {"use-energy", "sample-frequency", "num-mel-bins", "num-ceps", "low-freq", "high-freq", "dither"}


@dataclass(frozen=True)
class FrontEnd:
    """MFCCs of one configuration."""

    bins: int = 23
    cepstra: int = 13
    low: float = 20.0
    high: float = 0.0
    """At most 0: so much below half the sample rate."""

    @classmethod
    def of(cls, options: Mapping[str, str]) -> FrontEnd:
        """Return what the options of a conf/mfcc.conf ask for.

        :raises ValueError: if they ask for anything that is not done here, such as energy in place of C0.
        """
        unknown = sorted(options.keys() - _KNOWN)
        if unknown:
            raise ValueError(f"the option {unknown[0]} of mfcc.conf")
        if options.get("use-energy", "true") != "false" or float(options.get("dither", "1")) != 0:
            raise ValueError("a front end with energy or dither")
        if float(options.get("sample-frequency", SAMPLE_RATE)) != SAMPLE_RATE:
            raise ValueError("another sample rate")
        return cls(
            int(options.get("num-mel-bins", 23)),
            int(options.get("num-ceps", 13)),
            float(options.get("low-freq", 20)),
            float(options.get("high-freq", 0)),
        )

    def mfcc(self, samples: NDArray[np.int16]) -> Floats:
        """Return the features of an utterance, one row for each 10 ms; edges are not padded."""
        count = frames_of(samples.size)
        wave = samples.astype(np.float32)
        cut = np.lib.stride_tricks.sliding_window_view(wave, LENGTH)[::SHIFT] if count else wave[:0, None]
        cut = cut - cut.mean(1, keepdims=True)
        before = np.concatenate([cut[:, :1], cut[:, :-1]], 1)
        spectrum = np.fft.rfft((cut - np.float32(_EMPHASIS) * before) * self.window, FFT)
        power = np.square(spectrum.real) + np.square(spectrum.imag)
        mel = np.log(np.maximum(power.astype(np.float32) @ self._bank, _TINIEST))
        return np.asarray(mel @ self.cosines, np.float32)

    @cached_property
    def window(self) -> Floats:
        """Kaldi's "povey" window."""
        k = np.arange(LENGTH)
        return np.asarray((0.5 - 0.5 * np.cos(2 * np.pi * k / (LENGTH - 1))) ** 0.85, np.float32)

    @cached_property
    def _bank(self) -> Floats:
        return self.filters()

    def filters(self, warp: Callable[[float], float] | None = None) -> Floats:
        """Return Kaldi's triangular filters as columns, 257 x bins.

        :param warp: to which frequency (Hz) an edge of a filter moves; None where all stay.
        """
        high = self.high if self.high > 0 else SAMPLE_RATE / 2 + self.high
        low, top = _mel(self.low), _mel(high)
        step = (top - low) / (self.bins + 1)
        mels = np.array([_mel(SAMPLE_RATE / FFT * k) for k in range(FFT // 2)])
        bank = np.zeros((FFT // 2 + 1, self.bins), np.float32)
        for k in range(self.bins):
            edges = [low + step * (k + j) for j in range(3)]
            if warp is not None:
                edges = [_mel(warp(700.0 * (math.exp(edge / 1127.0) - 1.0))) for edge in edges]
            left, centre, right = edges
            rise, fall = (mels - left) / (centre - left), (right - mels) / (right - centre)
            bank[: FFT // 2, k] = np.clip(np.minimum(rise, fall), 0.0, None)
        return bank

    @cached_property
    def cosines(self) -> Floats:
        """The cosine transform and the lifter, as one matrix from log energies to cepstra."""
        k, c = np.arange(self.bins)[:, None], np.arange(self.cepstra)[None, :]
        matrix = np.sqrt(2.0 / self.bins) * np.cos(np.pi / self.bins * (k + 0.5) * c)
        matrix[:, 0] = np.sqrt(1.0 / self.bins)
        return np.asarray(matrix * (1 + 0.5 * _LIFTER * np.sin(np.pi * c / _LIFTER)), np.float32)


def frames_of(samples: int) -> int:
    """Return the number of feature frames of so many samples."""
    return max(0, 1 + (samples - LENGTH) // SHIFT)


def _mel(frequency: float) -> float:
    return 1127.0 * math.log(1.0 + frequency / 700.0)


def normalised(features: Floats, global_mean: NDArray[np.float64]) -> Floats:
    """Subtract the running mean that Vosk has in the first utterance of a recogniser."""
    x = features.astype(np.float64)
    step = np.arange(1, len(x) + 1)
    sums = np.cumsum(x, 0)
    if len(x) > WINDOW:
        sums[WINDOW:] -= sums[:-WINDOW].copy()
    counts = np.minimum(step, WINDOW)
    loud = np.where(x[:, 0] > QUIET, step - 1, -1)
    last = np.maximum.accumulate(loud) if loud.size else loud
    run = step - 1 - last
    sums = np.where(last[:, None] < 0, 0.0, sums[np.maximum(last, 0)])
    counts = np.where(last < 0, 0, counts[np.maximum(last, 0)])
    smoothing = np.minimum(GLOBAL * (run + 1), np.maximum(WINDOW - counts, 0))
    mean = (sums + smoothing[:, None] * global_mean) / (counts + smoothing)[:, None]
    return np.asarray(x - mean, np.float32)

"""The features that vosk computes, in batches: Kaldi's MFCCs and vosk's running mean normalisation.

MFCC: 40 mel bins from 20 to 7600 Hz, 40 cepstra, no energy, no dither (conf/mfcc.conf). The mean is Kaldi's
OnlineCmvn (mean only, 600 frames, global statistics worth 200) with the quiet-frame rule of vosk's Kaldi: a
frame whose C0 is at most 50 takes the statistics that the frame before it left.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from assistant.hearing.features import FFT, GLOBAL, LENGTH, QUIET, SHIFT, WINDOW, FrontEnd

BINS = 40
LOW, HIGH = 20.0, 7600.0
FRONT_END = FrontEnd(bins=BINS, cepstra=BINS, low=LOW, high=HIGH)


def filters(warp: Callable[[float], float] | None = None) -> Tensor:
    """Kaldi's triangular mel filters, 40 x 257; `warp` says to which frequency (Hz) an edge moves."""
    return torch.from_numpy(FRONT_END.filters(warp).T.copy())


@cache
def mel_bank() -> Tensor:
    """The filters as Kaldi has them, without a warp."""
    return filters()


def bent_bank(rng: np.random.Generator) -> Tensor:
    """Filters for a random vocal tract: longer or shorter as a whole by up to a fifth, and each formant
    region a little by itself, as between people; both ends stay."""
    whole = rng.uniform(-0.2, 0.2)
    knots = [LOW, 500.0, 1500.0, 3000.0, HIGH]
    moved = [f * math.exp(whole + 0.06 * rng.normal()) for f in knots[1:-1]]
    moved[-1] = min(moved[-1], 4500.0)
    return filters(lambda f: float(np.interp(f, knots, [LOW, *moved, HIGH])))


@cache
def _window() -> Tensor:
    return torch.from_numpy(FRONT_END.window)


@cache
def cepstrum() -> Tensor:
    """The 40 x 40 matrix from log mel energies to cepstra (orthonormal DCT, lifter 22)."""
    return torch.from_numpy(FRONT_END.cosines.T.copy())


def power(waves: Tensor) -> Tensor:
    """Power spectra (..., frames, 257) of waves (..., samples) at int16 scale."""
    cut = waves.unfold(-1, LENGTH, SHIFT)
    cut = cut - cut.mean(-1, keepdim=True)
    emphasised = torch.cat([cut[..., :1] * (1 - 0.97), cut[..., 1:] - 0.97 * cut[..., :-1]], -1) * _window()
    spectrum = torch.fft.rfft(emphasised, FFT)
    return spectrum.real.square() + spectrum.imag.square()


def log_mel(spectra: Tensor, bank: Tensor) -> Tensor:
    """Log mel energies; `bank` is 40 x 257 or one such per wave."""
    return torch.log(torch.clamp(spectra @ bank.transpose(-1, -2), min=1.1920929e-07))


def mfcc(wave: NDArray[np.float32] | Tensor) -> Tensor:
    """Features (frames, 40) of one wave, without normalisation."""
    return log_mel(power(torch.as_tensor(wave, dtype=torch.float32)), mel_bank()) @ cepstrum().T


def normalise(
    features: Tensor,
    global_mean: Tensor,
    history: Tensor | None = None,
    heard: Tensor | None = None,
) -> Tensor:
    """Subtract vosk's running mean from features (batch, frames, 40).

    history: (batch, 40) mean of the frames that the same stream heard before, heard: (batch,) how many.
    """
    x = features.double()
    batch, count, _ = x.shape
    step = torch.arange(1, count + 1, dtype=torch.float64)
    sums = torch.cumsum(x, 1)
    if count > WINDOW:
        sums = torch.cat([sums[:, :WINDOW], sums[:, WINDOW:] - sums[:, :-WINDOW]], 1)
    counts = torch.clamp(step, max=WINDOW)[None].repeat(batch, 1)
    before = torch.zeros(batch, dtype=torch.float64) if heard is None else heard.double().clamp(max=WINDOW)
    past = torch.zeros(batch, x.shape[2], dtype=torch.float64) if history is None else history.double()
    # frames of the past that are still inside the window
    left = torch.minimum(torch.clamp(WINDOW - step, min=0)[None], before[:, None])
    sums = sums + left[..., None] * past[:, None]
    counts = counts + left

    index = torch.arange(count)[None].repeat(batch, 1)
    last = torch.where(x[:, :, 0] > QUIET, index, torch.full_like(index, -1)).cummax(1).values
    quiet_run = (index - last).double()
    at = last.clamp(min=0)
    sums = torch.gather(sums, 1, at[..., None].expand(-1, -1, x.shape[2]))
    counts = torch.gather(counts, 1, at)
    nothing_yet = last < 0
    sums = torch.where(nothing_yet[..., None], (before[:, None] * past)[:, None], sums)
    counts = torch.where(nothing_yet, before[:, None], counts)

    smoothing = torch.minimum(GLOBAL * (quiet_run + 1), torch.clamp(WINDOW - counts, min=0))
    mean = (sums + smoothing[..., None] * global_mean.double()) / (counts + smoothing)[..., None]
    return (x - mean).float()

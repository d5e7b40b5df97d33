"""Other mouths from the voices of people: the same speech with another pitch, vocal tract and tempo.

A vocoder of three parts, each changed on its own. The envelope is the "true envelope" (Röbel and Rodet, 2005:
cepstral smoothing, repeated until it lies on the peaks), its frequencies bent at four places, so that the
formants move apart as they do between people. The source is a train of pulses and noise with a new melody.
The tempo changes along the way, and the labels with it.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from scipy.fft import irfft, rfft

from models.training.audio import FRAME, RATE, Wave, level
from models.training.pools import Shard, Utterance

POOLS = ("festival", "flite", "pico", "rhvoice", "prompts")
"""Pools whose envelopes come from people."""

HOP, SIZE = 80, 512
LOWEST, HIGHEST = 60.0, 420.0
_KNOTS = (0.0, 500.0, 1500.0, 3000.0, 8000.0)
_VOICED = 0.45
_ITERATIONS = 6
_FLOOR = 1e-3

Rng = np.random.Generator
Array = NDArray[np.float32]


def _cut(wave: Wave) -> Array:
    """Frames of 32 ms, one every 5 ms, the first around the beginning."""
    padded = np.pad(wave, (SIZE // 2, SIZE))
    count = len(wave) // HOP + 1
    at = np.arange(count)[:, None] * HOP + np.arange(SIZE)[None]
    return np.asarray(padded[at], np.float32)


def melody(wave: Wave) -> Array:
    """Fundamental frequency in Hz every 5 ms, 0 where there is no voice (peak of the autocorrelation)."""
    frames = _cut(wave) * np.hanning(SIZE).astype(np.float32)
    frames = frames - frames.mean(1, keepdims=True)
    window = irfft(np.abs(rfft(np.hanning(SIZE), 2 * SIZE)) ** 2)
    spectrum = rfft(frames, 2 * SIZE)
    correlation = irfft(spectrum.real**2 + spectrum.imag**2)[:, :SIZE]
    power = correlation[:, :1] + 1e-3
    first, last = int(RATE / HIGHEST), int(RATE / LOWEST)
    inside = correlation[:, first:last] / power / (window[first:last] / window[0])
    # the shortest lag that is nearly as good is the period, not its double
    best = inside.max(1)
    lag = (inside > 0.85 * best[:, None]).argmax(1)
    ahead = np.minimum(lag[:, None] + np.arange(8)[None], inside.shape[1] - 1)
    lag = lag + np.take_along_axis(inside, ahead, 1).argmax(1)
    loud = power[:, 0] > 1e-4 * power.max()
    return np.asarray(np.where((best > _VOICED) & loud, RATE / (first + lag), 0.0), np.float32)


def envelope(wave: Wave, pitch: float) -> Array:
    """Log magnitude (frames, 257) that lies on the peaks of the spectrum of a voice of this pitch."""
    magnitude = np.abs(rfft(_cut(wave) * np.hanning(SIZE).astype(np.float32)))
    target = np.log(magnitude + _FLOOR * (magnitude.max() + 1e-6)).astype(np.float32)
    order = int(np.clip(0.5 * RATE / pitch, 24, 70))
    keep = np.zeros(SIZE, np.float32)
    keep[: order + 1] = keep[-order:] = 1
    smooth = target
    for _ in range(_ITERATIONS):
        smooth = rfft(irfft(np.maximum(target, smooth)) * keep).real
    return np.asarray(smooth, np.float32)


def bend(spectra: Array, rng: Rng) -> Array:
    """Another vocal tract: longer or shorter as a whole, and each formant region a little by itself."""
    whole = rng.uniform(-0.2, 0.2)
    moved = [f * np.exp(whole + rng.normal() * 0.05) for f in _KNOTS[1:-1]]
    knots = np.array([0.0, *np.maximum.accumulate(moved), 8000.0])
    # where in the old spectrum a bin of the new one comes from
    at = np.interp(np.arange(257) * 31.25, knots, _KNOTS) / 31.25
    low = np.minimum(at.astype(int), 255)
    rest = (at - low).astype(np.float32)
    return np.asarray(spectra[:, low] * (1 - rest) + spectra[:, low + 1] * rest, np.float32)


def _filters(spectra: Array) -> NDArray[np.complex64]:
    """Minimum-phase filters with these log magnitudes."""
    cepstra = irfft(spectra)
    cepstra[:, 1 : SIZE // 2] *= 2
    cepstra[:, SIZE // 2 + 1 :] = 0
    return np.asarray(np.exp(rfft(cepstra)), np.complex64)


def _source(pitch: Array, rng: Rng) -> Wave:
    """Pulses where there is a voice, noise elsewhere, and a breath of noise in the voice's treble."""
    samples = len(pitch) * HOP
    at = np.arange(samples) / HOP
    voiced = np.repeat(pitch > 0, HOP)
    known = np.flatnonzero(pitch > 0)
    noise = rng.standard_normal(samples, dtype=np.float32)
    if not len(known):
        return noise
    f0 = np.interp(at, known, pitch[known]) * (1 + 0.01 * np.repeat(rng.standard_normal(len(pitch)), HOP))
    beats = np.floor(np.cumsum(f0 / RATE))
    struck = np.flatnonzero(np.diff(beats) > 0)
    pulses = np.zeros(samples, np.float32)
    pulses[struck] = np.sqrt(RATE / f0[struck])
    spectrum, air = rfft(pulses), rfft(noise)
    f = np.arange(len(spectrum)) / len(spectrum) * RATE / 2
    edge, breath = rng.uniform(2500, 8000), rng.uniform(0, 0.35)
    share = np.clip(breath + 1 / (1 + np.exp((edge - f) / 400)), 0, 1)
    voice = irfft(spectrum * np.sqrt(1 - share) + air * np.sqrt(share), samples)
    return np.asarray(np.where(voiced, voice, noise), np.float32)


def revoice(utterance: Utterance, rng: Rng) -> Utterance:
    """The utterance from another mouth, with its labels."""
    wave = utterance.wave.astype(np.float32)
    pitch = melody(wave)
    known = pitch[pitch > 0]
    middle = float(np.median(known)) if len(known) else 140.0
    spectra = bend(envelope(wave, middle), rng)

    count = len(spectra)
    tempo = np.exp(rng.uniform(-0.22, 0.22))
    turns = np.arange(0, count + 40, 40)
    wander = np.interp(np.arange(count), turns, rng.uniform(-0.15, 0.15, len(turns)))
    clock = np.concatenate([[0.0], np.cumsum(tempo * np.exp(wander))])[:count]
    at = np.interp(np.arange(0, clock[-1]), clock, np.arange(count))
    frame = np.minimum(at.round().astype(int), count - 1)
    spectra, pitch = spectra[frame], pitch[frame]

    # a new voice is between 75 and 330 Hz, livelier or flatter than the old one
    wanted = float(np.exp(rng.uniform(np.log(75), np.log(330))))
    lively = rng.choice((0.0, rng.uniform(0.3, 2.0)), p=(0.1, 0.9))
    new = np.where(pitch > 0, wanted * (np.maximum(pitch, 1.0) / middle) ** lively, 0.0)
    if rng.random() < 0.04:
        new[:] = 0
    new = np.where(new > 0, np.clip(new, 55, 500), 0).astype(np.float32)

    source = _source(new, rng)[: len(new) * HOP]
    window = np.hanning(SIZE).astype(np.float32)
    pieces = irfft(rfft(_cut(source)[: len(new)] * window) * _filters(spectra)) * window
    out = np.zeros(len(new) * HOP + 2 * SIZE, np.float32)
    for k, piece in enumerate(pieces):
        out[k * HOP : k * HOP + SIZE] += piece
    out = out[SIZE // 2 : SIZE // 2 + len(new) * HOP]

    frames = len(out) // FRAME
    from_old = np.minimum((at[: 2 * frames : 2] / 2).astype(int), len(utterance.labels) - 1)
    return Utterance(level(out), utterance.labels[from_old], utterance.words, f"{utterance.voice}*")


def utterances(shard: Shard, seed: int) -> Iterator[Utterance]:
    """Every utterance of the shard from another mouth; the same seed gives the same speech."""
    rng = np.random.default_rng((seed, len(shard)))
    for k in range(len(shard)):
        if len(shard[k].labels) >= 10:
            yield revoice(shard[k], rng)

"""Makes one clean phrase into one of thousands of recordings: rooms, noises, microphones, distances."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.fft import irfft, next_fast_len, rfft

from models.training.audio import FRAME, RATE, Wave

Rng = np.random.Generator
Labels = NDArray[np.uint8]

FASTEST = 1.2
"""How much quicker a phrase may become."""

_FULL = 32000.0
_WINDOW = 400
"""Samples of a window for the spectrum of a whisper: 25 ms."""
_BREATHED = 0.12
"""Share of the phrases that are hoarse or whispered."""


def coloured(rng: Rng, samples: int) -> Wave:
    """Stationary noise with a random smooth spectrum, standard deviation 1: fans, traffic, microphones."""
    size = next_fast_len(samples, real=True)
    spectrum = rfft(rng.standard_normal(size, dtype=np.float32))
    f = np.linspace(0, 1, len(spectrum), dtype=np.float32)
    shape = rng.normal() * 14 * f - 20 * np.log10(1 + f * rng.choice((0, 20, 100)))
    for k in range(1, 5):
        shape = shape + rng.normal() * 5 * np.cos(np.pi * k * f + rng.uniform(0, 6.28))
    noise = irfft(spectrum * 10 ** (shape / 20), size)[:samples]
    return np.asarray(noise / (noise.std() + 1e-9), np.float32)


def _tilted(exponent: float) -> Callable[[Rng, int], Wave]:
    def make(rng: Rng, samples: int) -> Wave:
        spectrum = rfft(rng.standard_normal(samples, dtype=np.float32))
        spectrum /= (np.arange(len(spectrum)) + 1.0) ** exponent
        return np.asarray(irfft(spectrum, samples), np.float32)

    return make


def _hum(rng: Rng, samples: int) -> Wave:
    t = np.arange(samples, dtype=np.float32) / RATE
    base = rng.uniform(45, 130)
    wave = rng.standard_normal(samples, dtype=np.float32) * 0.05
    for k in range(1, 12):
        wave += (rng.uniform() / k * np.sin(2 * np.pi * base * k * t + rng.uniform(0, 6))).astype(np.float32)
    return wave


def _music(rng: Rng, samples: int) -> Wave:
    wave = np.zeros(samples, np.float32)
    for _ in range(rng.integers(1, 4)):
        at = 0
        while at < samples:
            length = int(rng.uniform(0.1, 0.7) * RATE)
            t = np.arange(min(length, samples - at), dtype=np.float32) / RATE
            base, fade = 110 * 2 ** (rng.integers(0, 36) / 12), np.exp(-t * rng.uniform(1, 8))
            for k in range(1, 7):
                wave[at : at + len(t)] += fade * rng.uniform() / k * np.sin(2 * np.pi * base * k * t)
            at += length
    return wave


def _applause(rng: Rng, samples: int) -> Wave:
    wave = coloured(rng, samples) * 0.02
    length = int(0.02 * RATE)
    shape = np.exp(-np.arange(length) / (RATE * rng.uniform(0.002, 0.006))).astype(np.float32)
    for at in rng.integers(0, samples - length, int(samples / RATE * rng.uniform(5, 200))):
        wave[at : at + length] += shape * rng.standard_normal(length, dtype=np.float32) * rng.uniform(0.1, 1)
    return wave


def _knocks(rng: Rng, samples: int) -> Wave:
    """Clocks, pieces put down, chairs, doors: damped resonances, in step or not."""
    wave = coloured(rng, samples) * 0.01
    beat = rng.uniform(0.2, 1.0) * RATE if rng.random() < 0.5 else 0.0
    at = 0.0
    while at < samples:
        length = int(rng.uniform(0.01, 0.15) * RATE)
        t = np.arange(length, dtype=np.float32) / RATE
        hit = np.zeros(length, np.float32)
        for _ in range(rng.integers(1, 5)):
            hit += (rng.uniform() * np.sin(2 * np.pi * rng.uniform(80, 5000) * t + rng.uniform(0, 6))).astype(
                np.float32
            )
        hit += rng.standard_normal(length, dtype=np.float32) * rng.uniform(0, 1)
        hit *= np.exp(-t * rng.uniform(20, 400)) * rng.uniform(0.2, 1)
        end = min(samples, int(at) + length)
        wave[int(at) : end] += hit[: end - int(at)]
        at += beat or rng.exponential(0.6) * RATE + 100
    return wave


def _squeak(rng: Rng, samples: int) -> Wave:
    """A chair pushed over the floor, a hinge: gliding tones in noise, on and off."""
    wave = coloured(rng, samples) * 0.02
    at = 0
    while at < samples:
        length = min(int(rng.uniform(0.1, 0.8) * RATE), samples - at)
        glide = np.cumsum(np.linspace(rng.uniform(150, 2500), rng.uniform(150, 2500), length) / RATE)
        body = sum(rng.uniform() / k * np.sin(2 * np.pi * k * glide) for k in range(1, 5))
        body = body + rng.standard_normal(length) * rng.uniform(0, 1)
        wave[at : at + length] += (body * np.hanning(length)).astype(np.float32)
        at += length + int(rng.uniform(0.1, 2) * RATE)
    return wave


_KINDS: tuple[tuple[Callable[[Rng, int], Wave], int], ...] = (
    (_tilted(0.0), 2),
    (_tilted(0.5), 4),
    (_tilted(1.0), 3),
    (coloured, 5),
    (_hum, 2),
    (_music, 4),
    (_applause, 2),
    (_knocks, 3),
    (_squeak, 1),
)


@dataclass(frozen=True)
class Places:
    """Noises and rooms, made once: a phrase takes a random piece of one and the response of another."""

    noises: tuple[Wave, ...]
    rooms: tuple[Wave, ...]
    steady: tuple[Wave, ...]
    """Stationary noises of many colours, standard deviation 1."""

    @classmethod
    def make(cls, seed: int, seconds: int = 20, rounds: int = 2, rooms: int = 400) -> Places:
        rng = np.random.default_rng(seed)
        noises = []
        for make, weight in _KINDS:
            for _ in range(weight * rounds):
                wave = make(rng, seconds * RATE)
                noises.append(np.asarray(wave / (wave.std() + 1e-9), np.float32))
        steady = tuple(coloured(rng, seconds * RATE) for _ in range(30 * rounds))
        return cls(tuple(noises), tuple(room(rng) for _ in range(rooms)), steady)

    def noise(self, rng: Rng, samples: int) -> Wave:
        return _piece(self.noises[rng.integers(len(self.noises))], rng, samples)

    def stationary(self, rng: Rng, samples: int) -> Wave:
        return _piece(self.steady[rng.integers(len(self.steady))], rng, samples)


def _piece(wave: Wave, rng: Rng, samples: int) -> Wave:
    """A random stretch of a noise, begun again at its end."""
    at = int(rng.integers(0, len(wave)))
    return np.resize(np.roll(wave, -at), samples) if samples > len(wave) - at else wave[at : at + samples]


def room(rng: Rng) -> Wave:
    """A room response: direct sound, early reflections, a coloured exponential tail (T60 0.08 to 0.9 s)."""
    t60 = rng.uniform(0.08, 0.5) if rng.random() < 0.7 else rng.uniform(0.4, 0.9)
    samples = int(min(t60, 0.5) * RATE)
    tail = rng.standard_normal(samples) * np.exp(-6.9 * np.arange(samples) / (t60 * RATE))
    tail[: int(rng.uniform(0.001, 0.012) * RATE)] = 0
    if rng.random() < 0.7:
        # walls and people swallow the treble
        pole = rng.uniform(0.1, 0.8)
        kernel = pole ** np.arange(24) * (1 - pole)
        tail = np.convolve(tail, kernel)[:samples]
    for _ in range(rng.integers(0, 6)):
        tail[rng.integers(8, max(9, int(0.03 * RATE)))] += rng.normal() * 2
    tail *= 10 ** (-rng.uniform(-3, 14) / 20) / np.sqrt((tail**2).sum() + 1e-9)
    tail[0] = 1.0
    return np.asarray(tail, np.float32)


def convolve(wave: Wave, response: Wave) -> Wave:
    size = next_fast_len(len(wave) + len(response), real=True)
    return np.asarray(irfft(rfft(wave, size) * rfft(response, size), size)[: len(wave)], np.float32)


def speed(wave: Wave, labels: Labels, factor: float) -> tuple[Wave, Labels]:
    """Play faster or slower (pitch and formants move along)."""
    at = np.arange(int(len(wave) / factor), dtype=np.float32) * np.float32(factor)
    low = np.minimum(at.astype(np.int64), len(wave) - 2)
    rest = at - low
    played = wave[low] * (1 - rest) + wave[low + 1] * rest
    index = np.minimum((np.arange(int(len(labels) / factor)) * factor).astype(int), len(labels) - 1)
    return played.astype(np.float32), labels[index]


def telephone(wave: Wave, rng: Rng) -> Wave:
    """8 kHz and few levels on a logarithmic scale, as telephone codecs and cheap Bluetooth do."""
    half = wave[::2]
    peak = float(np.abs(half).max()) + 1
    bent = np.sign(half) * np.log1p(255 * np.abs(half / peak)) / np.log(256)
    steps = rng.choice((16, 32, 128))
    bent = np.round(bent * steps) / steps
    out = np.sign(bent) * (256 ** np.abs(bent) - 1) / 255 * peak
    return np.asarray(np.interp(np.arange(len(wave)) * 0.5, np.arange(len(out)), out), np.float32)


def whispered(wave: Wave, rng: Rng) -> Wave:
    """Say the phrase without the voice: noise in place of the pulses, under the same smooth spectrum.

    A cepstrum cut off below the shortest pitch period keeps what the mouth does. A whisper has less bass.
    """
    hop = _WINDOW // 4
    window = np.hanning(_WINDOW + 1)[:-1].astype(np.float32)
    padded = np.pad(wave, (_WINDOW, _WINDOW + -len(wave) % hop))
    starts = np.arange(0, len(padded) - _WINDOW + 1, hop)
    frames = padded[starts[:, None] + np.arange(_WINDOW)] * window
    spectrum = np.log(np.abs(rfft(frames)) + 1.0)
    cepstrum = irfft(spectrum)
    kept = int(rng.integers(20, 36))
    cepstrum[:, kept : _WINDOW - kept + 1] = 0
    shape = np.exp(rfft(cepstrum).real)
    f = np.linspace(0, 1, shape.shape[1], dtype=np.float32)
    shape *= 10 ** ((rng.uniform(0, 14) * f - rng.uniform(0, 18) * np.exp(-f * rng.uniform(8, 16))) / 20)
    noise = rng.standard_normal(len(padded), dtype=np.float32)
    made = irfft(rfft(noise[starts[:, None] + np.arange(_WINDOW)] * window) * shape) * window
    out = np.zeros_like(padded)
    for quarter in range(4):
        part = made[quarter::4].reshape(-1)
        at = quarter * hop
        out[at : at + len(part)] += part[: len(out) - at]
    out = out[_WINDOW : _WINDOW + len(wave)]
    return np.asarray(out * (wave.std() / (out.std() + 1e-9)), np.float32)


def babble(rng: Rng, samples: int, other: Callable[[], NDArray[np.int16]]) -> Wave:
    """One to seven voices at different distances."""
    wave = np.zeros(samples, np.float32)
    for _ in range(rng.integers(1, 8)):
        voice = np.concatenate([other(), np.zeros(int(rng.integers(0, 6000)), np.int16)]).astype(np.float32)
        wave += np.roll(np.resize(voice, samples), int(rng.integers(samples))) * 10 ** (
            rng.uniform(-12, 0) / 20
        )
    return wave


def augment(
    wave: Wave, labels: Labels, rng: Rng, places: Places, other: Callable[[], NDArray[np.int16]]
) -> tuple[Wave, Labels]:
    """One recording of the phrase and its labels (10 ms frames, at least as many as the features)."""
    if rng.random() < 0.6:
        wave, labels = speed(wave, labels, rng.uniform(0.84, FASTEST))
    breathed = rng.random() < _BREATHED
    if breathed:
        # the half of them hoarse: some voice is left
        share = 1.0 if rng.random() < 0.5 else rng.uniform(0.3, 0.9)
        wave = (1 - share) * wave + share * whispered(wave, rng)
    head, tail = int(rng.integers(4, 45)), int(rng.integers(5, 60))
    zeros = np.zeros
    wave = np.concatenate([zeros(head * FRAME, np.float32), wave, zeros(tail * FRAME, np.float32)])
    labels = np.concatenate([zeros(head, np.uint8), labels, zeros(tail + 4, np.uint8)])
    samples = len(wave)
    if rng.random() < 0.5:
        wave = convolve(wave, places.rooms[rng.integers(len(places.rooms))])
    if rng.random() < 0.12:
        wave = telephone(wave, rng)
    if rng.random() < 0.75:
        people = rng.random() < 0.45
        noise = babble(rng, samples, other) if people else places.noise(rng, samples)
        # voices over the phrase are the hardest: most of them between 5 and 15 dB
        above = rng.uniform(5, 15) if people and rng.random() < 0.6 else rng.uniform(-1, 30)
        if breathed:
            # who whispers does so where it is quiet; under louder noise, noise would count as speech
            above = max(above, rng.uniform(10, 30))
        speech = float(np.mean(np.square(wave)))
        wave = wave + noise * np.float32(
            np.sqrt(speech / (float(np.mean(np.square(noise))) + 1e-9) / 10 ** (above / 10))
        )
    peak = float(np.abs(wave).max()) + 1
    if rng.random() < 0.6:
        wave = wave + places.stationary(rng, samples) * np.float32(peak * 10 ** (-rng.uniform(22, 62) / 20))
    if rng.random() < 0.45:
        _edges(wave, rng, head * FRAME, tail * FRAME, peak)
    return _microphone(wave, rng), labels


def _edges(wave: Wave, rng: Rng, head: int, tail: int, peak: float) -> None:
    """Breaths, coughs, clicks, thumps in the silence before and after the phrase."""
    for _ in range(rng.integers(1, 4)):
        length = min(int(rng.uniform(0.01, 0.4) * RATE), len(wave) // 2)
        before = rng.random() < 0.4
        room_left = (head if before else tail) - length
        at = int(rng.integers(0, max(1, room_left)))
        if not before:
            at += len(wave) - max(tail, length)
        at = min(at, len(wave) - length)
        shape = np.hanning(length) ** rng.uniform(0.3, 2) * (peak * 10 ** (-rng.uniform(12, 45) / 20))
        wave[at : at + length] += (coloured(rng, length) * shape).astype(np.float32)


def _microphone(wave: Wave, rng: Rng) -> Wave:
    wave = wave * np.float32(_FULL / (float(np.abs(wave).max()) + 1) * 10 ** (-rng.uniform(0, 32) / 20))
    if rng.random() < 0.1:
        wave = np.clip(wave * rng.uniform(1, 5), -32768, 32767)
    hiss = rng.standard_normal(len(wave), dtype=np.float32) * rng.uniform(0.3, 4)
    return np.round(np.clip(wave + hiss, -32768, 32767)).astype(np.float32)


def noise_only(rng: Rng, places: Places, seconds: float) -> tuple[Wave, Labels]:
    """No speech at all, at any level: whatever the mean normalisation makes of it, it is silence."""
    samples = int(seconds * RATE)
    wave = places.noise(rng, samples).copy()
    if rng.random() < 0.4:
        wave += places.noise(rng, samples) * np.float32(10 ** (rng.uniform(-20, 0) / 20))
    if rng.random() < 0.4:
        at = int(rng.integers(0, samples))
        wave[at:] *= np.float32(10 ** (rng.uniform(-30, 10) / 20))
    if rng.random() < 0.4:
        wave = convolve(wave, places.rooms[rng.integers(len(places.rooms))])
    if rng.random() < 0.5:
        _edges(wave, rng, samples // 2, samples // 2, float(np.abs(wave).max()) + 1)
    return _microphone(wave, rng), np.zeros(samples // FRAME + 4, np.uint8)


def equaliser(rng: Rng) -> Wave:
    """A random smooth gain per power-spectrum bin (257): microphones, rooms, band limits."""
    f = np.arange(257) / 256
    gain = rng.normal() * 6 * (f - 0.3)
    for k in range(1, 7):
        gain = gain + rng.normal() * 5 / k**0.5 * np.cos(np.pi * k * f + rng.uniform(0, 6.28))
    if rng.random() < 0.25:
        gain = gain - np.maximum(0, f - rng.uniform(3300, 7000) / 8000) * rng.uniform(60, 400)
    if rng.random() < 0.25:
        gain = gain - np.maximum(0, rng.uniform(80, 400) / 8000 - f) * rng.uniform(200, 1000)
    return np.asarray(10 ** (np.clip(gain, -60, 30) / 10), np.float32)

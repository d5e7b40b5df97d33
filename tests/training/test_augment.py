"""What is done to the sound of a phrase before the network hears it."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

pytest.importorskip("scipy", reason="the training extra is not installed: its tests are skipped")

from models.training.audio import RATE, Wave
from models.training.augment import Places, augment, whispered


def vowel(pitch: float = 120.0, seconds: float = 0.5) -> Wave:
    """A voiced sound with two formants: pulses through two resonances."""
    samples = int(seconds * RATE)
    pulses = np.zeros(samples)
    pulses[:: int(RATE / pitch)] = 1.0
    t = np.arange(800) / RATE
    mouth = sum(np.exp(-t * 300) * np.sin(2 * np.pi * f * t) for f in (600.0, 1400.0))
    wave = np.convolve(pulses, mouth)[:samples]
    return np.asarray(3000 * wave / wave.std(), np.float32)


def periodicity(wave: Wave, pitch: float) -> float:
    """Correlation of a sound with itself one pitch period later."""
    lag = int(RATE / pitch)
    return float(np.corrcoef(wave[lag:], wave[:-lag])[0, 1])


def bands(wave: Wave) -> np.ndarray:
    """Loudness in decibels of 24 bands of an eighth of an octave to an octave, over the whole sound."""
    power = np.abs(np.fft.rfft(wave)) ** 2
    edges = np.geomspace(200, 4000, 13) * len(wave) / RATE
    return np.array([10 * np.log10(power[int(a) : int(b)].mean()) for a, b in pairwise(edges)])


def test_a_whisper_has_no_voice_and_the_same_mouth() -> None:
    wave = vowel()
    whisper = whispered(wave, np.random.default_rng(1))
    assert whisper.shape == wave.shape
    assert periodicity(wave, 120) > 0.8
    assert periodicity(whisper, 120) < 0.3
    assert np.corrcoef(bands(wave), bands(whisper))[0, 1] > 0.8
    assert whisper.std() == pytest.approx(wave.std(), rel=0.01)


@pytest.mark.parametrize("samples", [1, 399, 400, 401, 5000])
def test_any_length_can_be_whispered(samples: int) -> None:
    whisper = whispered(vowel()[:samples], np.random.default_rng(1))
    assert whisper.shape == (samples,)
    assert np.isfinite(whisper).all()


def test_silence_stays_silence() -> None:
    assert np.abs(whispered(np.zeros(3000, np.float32), np.random.default_rng(1))).max() < 1


def test_the_same_seed_makes_the_same_recording_and_another_one_another() -> None:
    places = Places.make(1, seconds=1, rounds=1, rooms=3)
    wave, labels = vowel(), np.ones(54, np.uint8)

    def made(seed: int) -> Wave:
        rng = np.random.default_rng(seed)
        return augment(wave, labels, rng, places, lambda: np.zeros(100, np.int16))[0]

    assert np.array_equal(made(3), made(3))
    assert made(3).shape != made(4).shape or not np.array_equal(made(3), made(4))

"""Other mouths: pitch, formants and tempo change, the labels stay with their sounds."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("scipy", reason="the training extra is not installed: its tests are skipped")

from scipy.signal import lfilter

from models.training import revoice
from models.training.pools import Shard, Utterance

RATE = 16000


def vowel(pitch: float, formants: tuple[float, ...], seconds: float) -> np.ndarray:
    """Pulses through resonances."""
    pulses = np.zeros(int(seconds * RATE))
    pulses[(np.arange(0, seconds, 1 / pitch) * RATE).astype(int)] = 1
    for f in formants:
        radius = np.exp(-np.pi * 90 / RATE)
        pulses = lfilter([1], [1, -2 * radius * np.cos(2 * np.pi * f / RATE), radius**2], pulses)
    return np.asarray(12000 * pulses / np.abs(pulses).max(), np.float32)


def syllable() -> Utterance:
    """Hiss (label 5), then a vowel (label 9), between silences."""
    rng = np.random.default_rng(1)
    hiss = np.diff(rng.normal(size=4801)) * 1500
    wave = np.concatenate([np.zeros(3200), hiss, vowel(120, (700, 1200, 2500), 0.4), np.zeros(3200)])
    labels = np.repeat([0, 5, 9, 0], [20, 30, 40, 20]).astype(np.uint8)
    return Utterance(wave.astype(np.int16), labels, ("ah",), "someone")


@pytest.mark.parametrize("pitch", [80, 130, 210, 300])
def test_the_melody_of_a_steady_voice_is_its_pitch(pitch: int) -> None:
    found = revoice.melody(vowel(pitch, (500, 1500, 2500), 0.5))
    middle = found[10:-10]
    assert (middle > 0).mean() > 0.95
    assert abs(np.median(middle) / pitch - 1) < 0.02


def test_noise_has_no_melody() -> None:
    found = revoice.melody(np.random.default_rng(2).normal(size=8000).astype(np.float32) * 1000)
    assert (found == 0).mean() > 0.9


def test_the_envelope_peaks_at_the_formants_whatever_the_pitch() -> None:
    for pitch in (100, 180):
        spectra = revoice.envelope(vowel(pitch, (700, 2100), 0.4), pitch)
        mean = spectra[20:-20].mean(0)
        for formant in (700, 2100):
            near = mean[int((formant - 400) / 31.25) : int((formant + 400) / 31.25)]
            peak = formant - 400 + near.argmax() * 31.25
            assert abs(peak - formant) < 130


def test_the_labels_go_with_their_sounds() -> None:
    said = syllable()
    for seed in range(12):
        other = revoice.revoice(said, np.random.default_rng(seed))
        assert other.words == said.words
        assert abs(len(other.wave) // 160 - len(other.labels)) <= 1
        power = np.square(other.wave[: len(other.labels) * 160].reshape(-1, 160).astype(float)).mean(1)
        crossings = np.diff(np.sign(other.wave.astype(float))) != 0
        rate = crossings[: (len(other.labels) - 1) * 160].reshape(-1, 160).mean(1)
        labels = other.labels[: len(rate)]

        def inside(of: int, labels: np.ndarray = labels) -> np.ndarray:
            return np.flatnonzero(labels == of)[4:-4]

        assert power[inside(0)].mean() < 0.05 * power[inside(9)].mean()
        assert rate[inside(5)].mean() > 1.5 * rate[inside(9)].mean()


def test_the_same_seed_gives_the_same_speech_and_another_seed_another_mouth() -> None:
    said = syllable()
    shard = Shard(
        "pico",
        said.wave,
        np.array([0, len(said.wave)]),
        said.labels,
        np.array([0, len(said.labels)]),
        (("someone", said.words),),
    )
    first, again, another = (next(iter(revoice.utterances(shard, seed))) for seed in (1, 1, 2))
    assert np.array_equal(first.wave, again.wave)
    assert not np.array_equal(first.wave, another.wave)
    assert first.voice != said.voice

"""The features are those that Kaldi and vosk compute."""

from __future__ import annotations

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed: the training tests are skipped")

from exploring import examples  # noqa: E402
from hypothesis import given, settings  # noqa: E402
from hypothesis import strategies as st  # noqa: E402

from assistant.hearing.features import frames_of  # noqa: E402
from models.training import features  # noqa: E402


def tone_in_noise(samples: int) -> np.ndarray:
    rng = np.random.default_rng(0)
    return (rng.normal(size=samples) * 1000 + 3000 * np.sin(np.arange(samples) * 0.05)).astype(np.float32)


def options(knf, warp: float = 1.0):
    chosen = knf.MfccOptions()
    chosen.frame_opts.dither = 0
    chosen.frame_opts.samp_freq = 16000
    chosen.mel_opts.num_bins = chosen.num_ceps = 40
    chosen.mel_opts.low_freq, chosen.mel_opts.high_freq = 20, -400
    chosen.use_energy = False
    return chosen


def test_mfccs_equal_kaldi_native_fbank() -> None:
    knf = pytest.importorskip("kaldi_native_fbank")
    wave = tone_in_noise(32000)
    computer = knf.OnlineMfcc(options(knf))
    computer.accept_waveform(16000, wave.tolist())
    computer.input_finished()
    theirs = np.stack([computer.get_frame(k) for k in range(computer.num_frames_ready)])
    ours = features.mfcc(wave).numpy()
    assert ours.shape == theirs.shape == (frames_of(len(wave)), 40)
    assert np.abs(ours - theirs).max() < 1e-3


def plain_running_mean(x: np.ndarray, mean: np.ndarray, past: list[np.ndarray]) -> np.ndarray:
    """The rule frame by frame: `past` are the frames that the stream heard before, the last of them loud."""

    def smoothed(total: np.ndarray, count: float) -> tuple[np.ndarray, float]:
        added = min(200.0, max(0.0, 600.0 - count))
        return total + added * mean, count + added

    window = past[-600:]
    left = smoothed(np.sum(window, axis=0), len(window)) if window else (np.zeros(x.shape[1]), 0.0)
    out = []
    for frame in x:
        window = [*window, frame][-600:]
        left = smoothed(np.sum(window, axis=0), len(window)) if frame[0] > 50 else smoothed(*left)
        out.append(frame - left[0] / left[1])
    return np.array(out)


@settings(max_examples=examples(12))
@given(st.integers(0, 10**6), st.sampled_from([0, 1, 150, 700]), st.floats(0, 1))
def test_the_running_mean_equals_its_rule_frame_by_frame(seed: int, heard: int, quiet: float) -> None:
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(int(rng.integers(2, 680)), 3)) * 5
    x[:, 0] = np.where(rng.random(len(x)) < quiet, 20, 90)
    mean, past = rng.normal(size=3) * 10, rng.normal(size=3) * 30
    expected = plain_running_mean(x, mean, [past] * heard)
    found = features.normalise(
        torch.from_numpy(x).float()[None],
        torch.from_numpy(mean),
        torch.from_numpy(past)[None],
        torch.tensor([float(heard)]),
    )
    assert np.abs(found[0].numpy() - expected).max() < 1e-3


def test_no_warp_changes_nothing_and_others_move_the_filters() -> None:
    plain = features.mel_bank()
    assert torch.equal(plain, features.filters(lambda f: f))
    centre = (plain * torch.arange(257)).sum(1) / plain.sum(1)
    for factor in (1.2, 0.85):
        bank = features.filters(lambda f, by=factor: f * by if f < 5000 else f)  # type: ignore[misc]
        moved = (bank * torch.arange(257)).sum(1) / bank.sum(1)
        assert (np.sign(factor - 1) * (moved - centre)[10:30] > 0).all()


def test_a_random_vocal_tract_keeps_every_filter_and_both_ends() -> None:
    rng = np.random.default_rng(4)
    ends = features.mel_bank()
    for _ in range(30):
        bank = features.bent_bank(rng)
        # low filters are narrower than a bin: some are empty without a warp, too
        assert (bank[8:].sum(1) > 0).all()
        assert torch.equal(bank[:, :1], ends[:, :1])
        assert bank[-1].argmax() <= 256 * 7600 / 8000

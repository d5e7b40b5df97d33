"""What comes into a batch of one recording."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch", reason="PyTorch is not installed: the training tests are skipped")

from models.training import batches, pools
from models.training.augment import FASTEST


def test_of_a_long_recording_only_a_piece_is_augmented(monkeypatch: pytest.MonkeyPatch) -> None:
    wave = np.arange(60 * 16000, dtype=np.int32)
    labels = (np.arange(6000) % 200).astype(np.uint8)
    seen: list[tuple[Any, Any]] = []

    class Long(batches.Pools):
        def draw(self, rng: np.random.Generator) -> pools.Utterance:
            return pools.Utterance(wave, labels, (), "x")

    def unchanged(wave: Any, labels: Any, *_: object) -> tuple[Any, Any]:
        seen.append((wave, labels))
        return wave, labels

    monkeypatch.setattr(batches, "augment", unchanged)
    monkeypatch.setattr(batches, "NOISE_ONLY", 0.0)
    for seed in range(3):
        rng = np.random.default_rng(seed)
        drawn = batches.example(Long(wave, {}), None, rng)  # type: ignore[arg-type]
        assert len(drawn.wave) == 16000 * batches.MAX_SECONDS
        for cut, of in (*seen, (drawn.wave, drawn.labels)):
            assert len(of) == len(cut) // 160 <= 100 * batches.MAX_SECONDS * FASTEST
            assert of[0] == int(cut[0]) // 160 % 200

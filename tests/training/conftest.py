"""A network that knows what was said, so that alignment can be tested without training one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from models.training.lexicon import load_lexicon

LEXICON = load_lexicon()


def steps(*parts: tuple[str, int]) -> list[int]:
    return [LEXICON.number(phone) for phone, count in parts for _ in range(count)]


@dataclass(frozen=True)
class Speech:
    """Sounds as phone numbers of 30 ms steps, with `aligner(truth)` for any such list."""

    anna: tuple[int, ...] = tuple(steps(("SIL", 4), ("a", 3), ("n", 5), ("a", 2)))
    acht: tuple[int, ...] = tuple(steps(("SIL", 3), ("a", 2), ("k", 4), ("t", 3), ("SIL", 4)))
    in_a_row: tuple[int, ...] = tuple(
        steps(("SIL", 4), ("a", 3), ("n", 5), ("a", 4), ("k", 4), ("t", 3), ("SIL", 4))
    )
    """Both words without a pause between them."""
    zwei: tuple[int, ...] = tuple(steps(("SIL", 4), ("ts", 1), ("v", 1), ("ai", 5), ("SIL", 4)))
    no_word: tuple[int, ...] = tuple(steps(("SIL", 4), ("a", 2), ("l", 4), ("t", 3), ("SIL", 4)))
    pause: tuple[int, ...] = (0,) * 6

    @staticmethod
    def wave(truth: tuple[int, ...]) -> np.ndarray:
        return np.ones(len(truth) * 480, np.int16)

    @staticmethod
    def aligner(truth: tuple[int, ...]) -> Any:
        from models.training.align import PAD, Aligner

        class Clairvoyant(Aligner):
            """Knows the phone of every step, less surely than certainly."""

            def scores(self, wave: np.ndarray) -> np.ndarray:
                out = np.full((1 + (len(wave) - 400) // 480, 39), -6.0)
                out[:, 0] = -0.1
                for k, phone in enumerate(truth, PAD // 3):
                    out[k] = -6.0
                    out[k, phone] = -0.1
                return out

        return Clairvoyant(LEXICON)


@pytest.fixture
def speech() -> Speech:
    return Speech()

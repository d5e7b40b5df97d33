"""A microphone that is muted is told apart from a quiet room, and from one that suppresses noise."""

from __future__ import annotations

import numpy as np
import pytest

from assistant.hearing.engine import SAMPLE_RATE
from assistant.hearing.stillness import AT_FIRST, LATER, Stillness

BLOCK = SAMPLE_RATE // 50


def told(watch: Stillness, *parts: tuple[str, float]) -> list[float]:
    """Return the seconds at which it was told to be muted; the parts are "sound", "still" or "hiss"."""
    rng = np.random.default_rng(1)
    found, now = [], 0.0
    for kind, seconds in parts:
        for _ in range(round(seconds * 50)):
            loud = {"sound": 2000, "hiss": 1, "still": 0}[kind]
            now += 0.02
            samples = rng.integers(-loud, loud + 1, BLOCK).astype(np.int16)
            if watch.take(samples):
                found.append(round(now, 2))
    return found


def test_a_microphone_that_is_muted_from_the_beginning_is_told_once() -> None:
    assert told(Stillness(), ("still", 60.0)) == [AT_FIRST]


@pytest.mark.parametrize("level", [-1, 7])
def test_one_and_the_same_sample_is_nothing_whatever_it_is(level: int) -> None:
    watch = Stillness()
    blocks = [np.full(BLOCK, level, np.int16)] * 501
    assert [watch.take(block) for block in blocks].count(True) == 1


def test_the_quietest_room_is_not_muted() -> None:
    assert told(Stillness(), ("hiss", 60.0)) == []


def test_a_microphone_that_is_muted_in_the_game_is_told_each_time() -> None:
    after = 30.0 + LATER
    assert told(
        Stillness(), ("hiss", 30.0), ("still", 20.0), ("sound", 30.0), ("still", 20.0)
    ) == [after, 80.0 + LATER]  # fmt: skip


def test_a_headset_that_suppresses_noise_is_not_muted() -> None:
    talk = [("sound", 3.0), ("still", 1.0)] * 10
    assert told(Stillness(), *talk, ("sound", 30.0), ("still", 60.0)) == []


def test_a_moment_of_nothing_after_little_sound_proves_nothing() -> None:
    assert told(Stillness(), ("still", 2.0), ("sound", 5.0), ("still", 60.0)) == []

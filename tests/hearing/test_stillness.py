"""A microphone that is muted is told apart from a quiet room, and from one that suppresses noise."""

from __future__ import annotations

import numpy as np
import pytest

from assistant.hearing.stillness import AT_FIRST, LATER, SELDOM, Stillness


def told(*parts: tuple[str, float], rate: int = 16_000) -> list[tuple[str, float]]:
    """Return what was told of a microphone, and after how many seconds of "sound", "still" or "hiss"."""
    rng = np.random.default_rng(1)
    watch = Stillness()
    found, now = [], 0.0
    for kind, seconds in parts:
        for _ in range(round(seconds * 50)):
            loud = {"sound": 2000, "hiss": 1, "still": 0}[kind]
            now += 0.02
            samples = rng.integers(-loud, loud + 1, rate // 50).astype(np.int16)
            if change := watch.take(samples, rate):
                found.append((change, round(now, 2)))
    return found


@pytest.mark.parametrize("rate", [16_000, 44_100])
def test_a_microphone_that_is_muted_from_the_beginning_is_told_once(rate: int) -> None:
    assert told(("still", 60.0), rate=rate) == [("muted", AT_FIRST)]


@pytest.mark.parametrize("level", [-1, 7])
def test_one_and_the_same_sample_is_nothing_whatever_it_is(level: int) -> None:
    watch = Stillness()
    block = np.full(320, level, np.int16)
    assert [watch.take(block, 16_000) for _ in range(501)].count("muted") == 1
    assert not watch.has_heard


def test_the_quietest_room_is_not_muted() -> None:
    assert told(("hiss", 60.0)) == []


def test_a_microphone_that_is_muted_in_the_game_is_told_each_time_and_when_it_is_heard_again() -> None:
    assert told(("hiss", 30.0), ("still", 20.0), ("sound", 30.0), ("still", 20.0)) == [
        ("muted", 30.0 + LATER),
        ("heard", 53.0),
        ("muted", 80.0 + LATER),
    ]


def test_a_player_who_mutes_his_microphone_again_and_again_has_no_headset() -> None:
    parts = [("hiss", 25.0), ("still", 10.0)] * 5
    assert [now for change, now in told(*parts) if change == "muted"] == [
        35.0 * times + 25.0 + LATER for times in range(5)
    ]


def test_samples_that_were_lost_on_the_way_make_no_headset_of_it() -> None:
    """A busy machine drops some; what suppresses noise is still for longer."""
    lost = [("sound", 3.0), ("still", 0.3)] * 10
    assert told(*lost, ("hiss", 25.0), ("still", 20.0)) == [("muted", 58.0 + LATER)]


def test_nothing_before_the_first_sound_is_no_gap() -> None:
    talk = [("still", 2.0), *[("sound", 3.0), ("still", 1.0)] * 2]
    assert told(*talk, ("hiss", 30.0), ("still", 20.0)) == [("muted", 40.0 + LATER)]


def test_a_piece_without_a_sample_is_neither_sound_nor_a_fault() -> None:
    watch = Stillness()
    assert watch.take(np.zeros(0, np.int16), 16_000) == ""
    assert not watch.has_heard


def test_a_word_after_nothing_is_not_yet_told_of() -> None:
    """Hector would speak into it, and not hear its end."""
    assert told(("still", 20.0), ("sound", 2.5), ("still", 5.0)) == [("muted", AT_FIRST)]


def test_a_headset_that_suppresses_noise_is_not_muted() -> None:
    talk = [("sound", 3.0), ("still", 1.0)] * 10
    assert told(*talk, ("sound", 30.0), ("still", 60.0)) == []


def test_a_cough_behind_the_switch_makes_no_headset_of_it() -> None:
    parts = [("hiss", 60.0), ("still", 2.0), ("hiss", 300.0), ("still", 20.0)]
    assert told(*parts) == [("muted", 362.0 + LATER)]


def test_pauses_long_ago_count_no_more() -> None:
    talk = [("sound", 3.0), ("still", 1.0)] * 10
    assert told(*talk, ("hiss", 61.0), ("still", 20.0)) == [("muted", 101.0 + LATER)]


def test_nothing_for_long_after_little_sound_is_told_too() -> None:
    assert told(("hiss", 15.0), ("still", 60.0)) == [("muted", 15.0 + SELDOM)]


def test_nothing_after_a_word_or_two_proves_nothing() -> None:
    assert told(("still", 2.0), ("sound", 4.0), ("still", 600.0)) == []

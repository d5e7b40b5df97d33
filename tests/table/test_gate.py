"""The gate: when the microphone is deaf to what Hector says itself."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from assistant.table.gate import HOLD, Gate

BLOCK = 0.02
"""Seconds of a sound that is judged."""


def test_the_microphone_is_deaf_while_hector_speaks_and_until_the_room_is_quiet() -> None:
    gate = Gate()
    gate.shut(10.0)
    assert not gate.is_deaf(9.9, 9.98)
    assert gate.is_deaf(10.0, 10.02)
    gate.open(11.0)
    assert gate.is_deaf(11.0, 11.02)
    assert gate.is_deaf(11.0 + HOLD - 0.01, 11.0 + HOLD + 0.01)
    assert not gate.is_deaf(11.0 + HOLD, 11.0 + HOLD + BLOCK)


def test_a_sound_that_waited_to_be_looked_at_is_judged_by_when_it_was_taken() -> None:
    gate = Gate()
    gate.shut(10.0)
    gate.open(11.0)
    # Looked at much later, when Hector speaks again.
    gate.shut(20.0)
    assert not gate.is_deaf(9.0, 9.02)
    assert gate.is_deaf(10.5, 10.52)
    assert not gate.is_deaf(15.0, 15.02)
    assert gate.is_deaf(20.1, 20.12)


def test_a_sentence_that_could_not_be_spoken_leaves_nobody_deaf() -> None:
    gate = Gate()
    gate.shut(10.0)
    gate.open(0.0)
    assert not gate.is_deaf(10.0, 10.02)


@given(st.lists(st.tuples(st.floats(0.01, 3), st.floats(0.01, 3)), min_size=1, max_size=8))
def test_no_moment_of_hectors_voice_is_ever_heard(sentences: list[tuple[float, float]]) -> None:
    gate, at, spoken = Gate(), 0.0, []
    for pause, length in sentences:
        at += pause
        gate.shut(at)
        spoken.append((at, at + length))
        at += length
        gate.open(at)
    for number in range(int((at + 1) / BLOCK)):
        begin, end = number * BLOCK, (number + 1) * BLOCK
        voice = any(begin < until + HOLD and end > since for since, until in spoken)
        assert gate.is_deaf(begin, end) == voice

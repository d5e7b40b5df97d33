"""How much sounded before the detector knew the room, whose noise it may have taken for a voice."""

from __future__ import annotations

import ears
import numpy as np
import pytest
from ears import RATE, Samples, quiet, say

from assistant.hearing import Recogniser
from assistant.hearing.detector import sounding_blocks
from assistant.sound import BLOCK


@pytest.fixture
def recogniser() -> Recogniser:
    return ears.fresh_recogniser()


def tone(seconds: float, level: float, hertz: float) -> Samples:
    at = np.arange(round(seconds * RATE)) / RATE
    return (level * np.sin(2 * np.pi * hertz * at)).round().astype(np.int16)


def talk(seconds: float, level: float) -> Samples:
    """A noise in the voice's bands that is none of its sounds."""
    spectrum = np.fft.rfft(np.random.default_rng(3).standard_normal(round(seconds * RATE)))
    hertz = np.fft.rfftfreq(round(seconds * RATE), 1 / RATE)
    spectrum[(hertz < 400) | (hertz > 4000)] = 0
    noise = np.fft.irfft(spectrum, round(seconds * RATE))
    return (noise * level / noise.std()).round().astype(np.int16)


def heard(recogniser: Recogniser, stream: Samples) -> list[str]:
    return [" ".join(utterance.grammatical[0].words) for utterance in recogniser.accept(stream)]


@pytest.mark.parametrize("before", [0.0, 0.6, 1.5, 2.0])
def test_a_short_word_is_heard_before_the_noise_of_the_room_is_known(
    recogniser: Recogniser, before: float
) -> None:
    stream = np.concatenate([quiet(before), say("ja", "de"), quiet(3.0)])
    hiss = np.random.default_rng(2).standard_normal(len(stream)) * 60
    assert heard(recogniser, stream + hiss.round().astype(np.int16)) == ["ja"]


def test_what_hums_after_a_word_at_the_beginning_of_a_stream_is_no_more_of_it(recogniser: Recogniser) -> None:
    """It is loud, but far below any voice."""
    after = quiet(3.0) + tone(3.0, 3000, 40)
    assert heard(recogniser, np.concatenate([quiet(0.3), say("Springer"), after])) == ["springer"]


def test_a_word_in_talk_is_no_word_once_the_room_is_known(recogniser: Recogniser) -> None:
    """It hums so loudly that the talk does not stand out by its loudness."""
    stream = np.concatenate([quiet(3.0), say("ja", "de"), talk(1.5, 1000), quiet(2.0)])
    assert heard(recogniser, stream + tone(len(stream) / RATE, 3000, 60)) == []


@pytest.mark.parametrize(("louder_db", "blocks"), [(0, 0), (2, 0), (8, 55), (26, 59)])
@pytest.mark.parametrize("presumed", [0, 9600])
def test_what_sounds_stands_out_of_the_quietest_part_of_what_was_recorded(
    louder_db: float, blocks: int, presumed: int
) -> None:
    """A second of three, whatever silence is presumed before them."""
    hiss = np.random.default_rng(4).standard_normal(3 * RATE) * 60
    hiss[RATE : 2 * RATE] *= 10 ** (louder_db / 20)
    samples = np.concatenate([np.zeros(presumed), hiss]).round().astype(np.int16)
    assert sounding_blocks(samples) == pytest.approx(blocks, abs=2)


@pytest.mark.parametrize("blocks", [0, 5, 10])
def test_what_is_shorter_than_loudness_takes_does_not_sound(blocks: int) -> None:
    assert sounding_blocks(np.full(blocks * BLOCK, 1000, np.int16)) == 0

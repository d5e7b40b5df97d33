"""When a speaker only pauses: what was read so far is the beginning of something."""

from __future__ import annotations

import pytest

from assistant.hearing.graph import Walker, prefix_tree
from assistant.hearing.listening import Readings, is_unfinished
from assistant.utterance import Transcript

POSITION = Walker(
    prefix_tree([("springer", "bella", "drei"), ("bella", "drei"), ("eva", "zwei", "eva", "vier")])
)
LANGUAGE = Walker(
    prefix_tree([("springer", square, rank) for square in ("bella", "eva") for rank in ("drei", "acht")])
)
NEAR = 4.0


def pauses(*readings: tuple[str, float], legal: tuple[tuple[str, float], ...] = ()) -> bool:
    whole, every = (
        tuple(Transcript(tuple(words.split()), score) for words, score in each) for each in (legal, readings)
    )
    return is_unfinished(Readings(whole, every, 0.0, 1.0, 1.0), POSITION, LANGUAGE, NEAR)


@pytest.mark.parametrize("words", ["springer", "springer bella", "springer eva", "eva zwei"])
def test_the_beginning_of_a_phrase_goes_on(words: str) -> None:
    assert pauses((words, 100.0))


@pytest.mark.parametrize("words", ["springer bella drei", "bella drei", "springer eva drei"])
def test_a_whole_phrase_is_over(words: str) -> None:
    assert not pauses((words, 100.0))


def test_a_breath_that_is_heard_as_a_last_word_ends_nothing() -> None:
    assert pauses(("springer bella acht", 100.0), ("springer bella", 97.0))


def test_a_breath_ends_nothing_either_where_it_makes_a_whole_phrase_of_the_position() -> None:
    assert pauses(("springer bella drei", 100.0), ("springer bella", 97.0))
    assert not pauses(("springer bella drei", 100.0), ("springer bella", 95.0))


def test_what_is_clearly_another_phrase_is_over_although_one_of_the_position_begins_alike() -> None:
    assert not pauses(("springer bella acht", 100.0), ("springer bella", 95.0))


def test_where_a_whole_phrase_of_the_position_is_as_likely_it_is_over() -> None:
    readings = (("springer bella acht", 100.0), ("springer bella drei", 98.0), ("springer bella", 97.0))
    assert pauses(*readings)
    assert not pauses(*readings, legal=(("springer bella drei", 98.0),))
    assert pauses(*readings, legal=(("springer bella drei", 95.0),))


def test_nothing_heard_is_no_beginning() -> None:
    assert not pauses()
    assert not pauses(("", 100.0), ("springer", 99.0))

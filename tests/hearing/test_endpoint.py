"""The values beside a model that say when an utterance is over: all of them, and each a number."""

from __future__ import annotations

import math
from dataclasses import asdict

import numpy as np
import pytest

from assistant.errors import HectorError
from assistant.hearing.detector import DetectorSettings, SpeechDetector
from assistant.hearing.endpoint import settings_of

VALUES = asdict(DetectorSettings())


def test_numbers_of_either_kind_are_taken_as_they_are() -> None:
    table = VALUES | {"start_db": 5, "rise": 0.25, "faint_db": 0}
    assert asdict(settings_of(DetectorSettings, table)) == table


@pytest.mark.parametrize("value", [True, "0.3", -0.1, [0.3], math.nan, math.inf, 10**400])
def test_what_is_no_number_that_can_be_used_is_named(value: object) -> None:
    with pytest.raises(HectorError, match="“rise” must be a number"):
        settings_of(DetectorSettings, VALUES | {"rise": value})


def test_a_value_that_there_is_not_is_named() -> None:
    with pytest.raises(HectorError, match="“rising” is unknown"):
        settings_of(DetectorSettings, VALUES | {"rising": 1.0})


def test_a_value_that_is_missing_is_named() -> None:
    with pytest.raises(HectorError, match="“rise” is missing"):
        settings_of(DetectorSettings, {name: value for name, value in VALUES.items() if name != "rise"})


@pytest.mark.parametrize(
    ("name", "value", "least"), [("memory_blocks", 80.5, 8), ("memory_blocks", 7, 8), ("start_blocks", 0, 1)]
)
def test_a_number_of_blocks_is_whole_and_enough(name: str, value: float, least: int) -> None:
    with pytest.raises(HectorError, match=f"“{name}” must be a whole number from {least} on"):
        settings_of(DetectorSettings, VALUES | {name: value})


def test_the_fewest_blocks_are_enough_to_follow_a_room() -> None:
    detector = SpeechDetector(
        settings_of(DetectorSettings, VALUES | {"memory_blocks": 8, "presumed_blocks": 0})
    )
    assert [detector.accept(np.zeros(320, np.int16)) for _ in range(20)] == [False] * 20

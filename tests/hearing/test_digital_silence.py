"""A muted microphone delivers zeros, for as long as it is muted."""

from __future__ import annotations

import warnings

import numpy as np

from assistant.hearing.detector import SpeechDetector
from assistant.sound import BLOCK


def test_a_muted_microphone_is_silence_and_nothing_to_warn_of() -> None:
    """What numpy warns of would be read out by the player's screen reader."""
    detector = SpeechDetector()
    nothing = np.zeros(BLOCK, np.int16)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert not any(detector.accept(nothing) for _block in range(2000))

"""Notices a microphone that is muted: it works, and nothing comes from it but one and the same sample."""

from __future__ import annotations

import math
from typing import Final

from assistant.hearing.engine import SAMPLE_RATE, Samples

AT_FIRST: Final = 10.0
"""Seconds of nothing since the microphone was opened that prove that it is muted."""
LATER: Final = 4.0
"""Seconds of nothing after there was sound all the time."""
_LIVE: Final = 20.0
"""Seconds of sound without a gap after which nothing comes by chance."""
_GAP: Final = 0.5
"""Seconds of nothing that a microphone leaves which suppresses noise by itself, as headsets do: for it
silence is no sign of anything."""


class Stillness:
    """Follows the samples of one microphone. A room is never quite still: even the quietest one hisses."""

    def __init__(self) -> None:
        self._still = self._live = 0
        self._has_heard = self._suppresses = self._told = False

    def take(self, samples: Samples) -> bool:
        """Return whether it has become certain with these samples (16 kHz) that the microphone is muted."""
        if samples.min() != samples.max():
            has_paused = self._still >= _GAP * SAMPLE_RATE
            if has_paused and self._has_heard and not self._told:
                self._suppresses = True
            self._live = len(samples) + (0 if has_paused else self._live)
            self._still, self._has_heard, self._told = 0, True, False
            return False
        self._still += len(samples)
        if self._told or self._suppresses or self._still < self._enough * SAMPLE_RATE:
            return False
        self._told = True
        return True

    @property
    def _enough(self) -> float:
        """Seconds of nothing that prove something now."""
        if not self._has_heard:
            return AT_FIRST
        return LATER if self._live >= _LIVE * SAMPLE_RATE else math.inf

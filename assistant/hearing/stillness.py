"""Notices a microphone that is muted: it works, and nothing comes from it but one and the same sample."""

from __future__ import annotations

import math
from typing import Final, Literal

from assistant.hearing.engine import Samples

AT_FIRST: Final = 10.0
"""Seconds of nothing since the microphone was opened that prove that it is muted."""
LATER: Final = 4.0
"""Seconds of nothing after it was `_LIVE`."""
SELDOM: Final = 30.0
"""Seconds of nothing after it was `_BRIEFLY` so."""
_LIVE: Final = 20.0
"""Seconds of sound without a gap after which nothing comes by chance."""
_BRIEFLY: Final = 5.0
_GAP: Final = 0.5
"""Seconds of nothing that count as a gap."""
_GAPS: Final = 3
"""So many gaps are left by a microphone that suppresses noise by itself, as headsets do: for it silence is
no sign of anything."""
_NEVER_GAPS: Final = 60.0
"""After so many seconds of sound without a gap it is no such microphone after all."""
_BACK: Final = 3.0
"""Seconds of sound without a gap after which it is heard again: no announcement is so long, and Hector must
not speak into one."""


class Stillness:
    """Follows the samples of one microphone. A room is never quite still: even the quietest one hisses."""

    def __init__(self) -> None:
        self._still = self._live = 0.0
        self._gaps = 0
        self._is_told = False
        self.has_heard = False
        """Whether anything has come so far."""

    def take(self, samples: Samples, rate: int) -> Literal["muted", "heard", ""]:
        """Return what has become certain with these samples, as they come from the device.

        It is told once that the microphone is muted, and once that something comes from it again.
        """
        seconds = len(samples) / rate
        if not len(samples) or samples.min() == samples.max():
            self._still += seconds
            if self._is_told or round(self._still, 3) < self._enough:
                return ""
            self._is_told = True
            return "muted"
        if self._still >= _GAP:
            self._gaps += self.has_heard and not self._is_told
            self._live = 0.0
        self._still = 0.0
        self._live += seconds
        self.has_heard = True
        if self._live >= _NEVER_GAPS:
            self._gaps = 0
        if not self._is_told or round(self._live, 3) < _BACK:
            return ""
        self._is_told = False
        return "heard"

    @property
    def _enough(self) -> float:
        """Seconds of nothing that prove something now."""
        if not self.has_heard:
            return AT_FIRST
        if self._gaps >= _GAPS or self._live < _BRIEFLY:
            return math.inf
        return LATER if self._live >= _LIVE else SELDOM

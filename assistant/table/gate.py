"""The gate before the microphone: what Hector says itself is not to be heard as a player's."""

from __future__ import annotations

from collections import deque

HOLD = 0.3
"""Seconds after Hector's last audible sample in which the microphone stays deaf: the room's echo."""


class Gate:
    """When the microphone is deaf: while Hector speaks, and until the room has fallen silent.

    It judges by the time at which a sound was taken, not by when somebody comes to look at it: a busy
    program neither hears Hector's last word nor misses a player's first. Times are `time.monotonic()`.
    """

    def __init__(self, hold: float = HOLD) -> None:
        self.hold = hold
        """Seconds after the last audible sample until the room is silent."""
        self._shut_at: float | None = None
        self._past: deque[tuple[float, float]] = deque(maxlen=100)

    def shut(self, at: float) -> None:
        """Be deaf from `at` on, until further notice."""
        if self._shut_at is None:
            self._shut_at = at

    def open(self, last_sample: float) -> None:
        """Hear again after the hold, counted from the last audible sample."""
        if self._shut_at is not None:
            self._past.append((self._shut_at, last_sample + self.hold))
            self._shut_at = None

    def is_deaf(self, begin: float, end: float) -> bool:
        """Return whether some of a sound between two times may be Hector's own voice.

        Sounds have to be asked about in their order.
        """
        while self._past and self._past[0][1] <= begin:
            self._past.popleft()
        if any(begin < until and end > since for since, until in self._past):
            return True
        return self._shut_at is not None and end > self._shut_at

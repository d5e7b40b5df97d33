"""Signals that end a game are taken between two of its steps, where nothing is half done."""

from __future__ import annotations

import signal
import threading
import time
from types import FrameType
from typing import Any, Final

ENDING: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
PATIENCE: Final = 3.0
"""Seconds after which another signal breaks into a step that does not come to its end."""


class Ending:
    """While it is entered, a signal that would interrupt waits for the next `check`.

    A signal that is ignored stays ignored; in a thread that gets no signals nothing changes.
    """

    def __init__(self) -> None:
        self._usual: dict[signal.Signals, Any] = {}
        self._came: signal.Signals | None = None
        self._at = 0.0

    def __enter__(self) -> Ending:
        self._take()
        return self

    def __exit__(self, *_exception: object) -> None:
        self._restore()

    def check(self) -> None:
        """Interrupt as the signal that has come would have done.

        :raises KeyboardInterrupt: or whatever the handler raises that was there before.
        """
        if self._came is not None:
            came, self._came = self._came, None
            self._let_through(came, None)

    def _take(self) -> None:
        if threading.current_thread() is not threading.main_thread():
            return
        for number in ENDING:
            usual = signal.getsignal(number)
            if callable(usual):
                self._usual[number] = usual
                signal.signal(number, self._note)

    def _note(self, number: int, frame: FrameType | None) -> None:
        if self._came is None:
            self._came, self._at = signal.Signals(number), time.monotonic()
        elif time.monotonic() - self._at > PATIENCE:
            self._let_through(signal.Signals(number), frame)

    def _let_through(self, number: signal.Signals, frame: FrameType | None) -> None:
        usual = self._usual[number]
        self._restore()
        usual(number, frame)
        # Nobody was interrupted: the step goes on, and what comes next waits again.
        self._take()

    def _restore(self) -> None:
        while self._usual:
            number, usual = self._usual.popitem()
            signal.signal(number, usual)

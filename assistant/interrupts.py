"""What asks a process to end interrupts it as control and C do, so that it tidies up, between two steps."""

from __future__ import annotations

import math
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, Final

ENDING: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
PATIENCE: Final = 3.0
"""Seconds after which another signal breaks into what does not come to its end: a step, or the tidying up."""


class Ending:
    """While it is entered, a signal that would interrupt waits for the next `check`, or for its end.

    So nothing is left half done, and no interruption is lost in a function that a C library calls: nobody is
    above it who could take the exception. A signal that is ignored stays ignored; in a thread that gets no
    signals nothing changes.
    """

    def __init__(self) -> None:
        self._usual: dict[signal.Signals, Any] = {}
        self._came: signal.Signals | None = None
        self._at = 0.0

    def __enter__(self) -> Ending:
        self._take()
        return self

    def __exit__(self, *_exception: object) -> None:
        usual = self._restore()
        if self._came is not None:
            # It came after the last check, and nobody else knows of it.
            came, self._came = self._came, None
            usual[came](came, None)

    def check(self) -> None:
        """Interrupt as the signal that has come would have done.

        :raises KeyboardInterrupt: or whatever the handler raises that was there before.
        """
        if self._came is not None:
            self._let_through(self._came, None)

    def _take(self) -> None:
        if threading.current_thread() is not threading.main_thread():
            return
        try:
            for number in ENDING:
                usual = signal.getsignal(number)
                if callable(usual):
                    self._usual[number] = usual
                    signal.signal(number, self._note)
        except BaseException:
            # One interrupts whose own handler was still there: what is not entered is not left either.
            self._restore()
            self._came = None
            raise

    def _note(self, number: int, frame: FrameType | None) -> None:
        if self._came is None:
            self._came, self._at = signal.Signals(number), time.monotonic()
        elif time.monotonic() - self._at > PATIENCE:
            self._let_through(signal.Signals(number), frame)

    def _let_through(self, number: signal.Signals, frame: FrameType | None) -> None:
        usual = self._restore()
        self._came = None
        usual[number](number, frame)
        # Nobody was interrupted: the step goes on, and what comes next waits again.
        self._take()

    def _restore(self) -> dict[signal.Signals, Any]:
        usual = self._usual
        try:
            _handle(usual)
        except BaseException:
            # Another one came meanwhile and interrupts: what was there before is to be there for all of them.
            _handle(usual)
            self._came = None
            raise
        finally:
            self._usual = {}
        return usual


def _handle(handlers: dict[signal.Signals, Any]) -> None:
    for number, handler in handlers.items():
        signal.signal(number, handler)


@contextmanager
def signals_interrupt() -> Iterator[None]:
    """Let SIGTERM and SIGHUP raise KeyboardInterrupt; its argument is the exit status then.

    A signal that is ignored, as nohup has it, stays ignored.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    interrupt = _Interrupting()
    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGHUP)}
    for number, handler in before.items():
        if handler is not signal.SIG_IGN:
            signal.signal(number, interrupt)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def status_of(interrupt: KeyboardInterrupt) -> int:
    """Return the exit status of a process that was interrupted."""
    return int(interrupt.args[0]) if interrupt.args else 128 + signal.SIGINT


class _Interrupting:
    """A handler that interrupts, and passes over what comes within `PATIENCE` seconds after it.

    Whoever closes a terminal may send two, and the second must not break into the tidying up. But where an
    interruption was lost, because Python took it while an object was given up, the next one has to count.
    """

    def __init__(self) -> None:
        self._again_from = -math.inf

    def __call__(self, number: int, _frame: FrameType | None) -> None:
        now = time.monotonic()
        if now >= self._again_from:
            self._again_from = now + PATIENCE
            raise KeyboardInterrupt(128 + number)

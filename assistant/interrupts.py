"""What asks a process to end interrupts it as control and C do, so that it tidies up."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def signals_interrupt() -> Iterator[None]:
    """Let SIGTERM and SIGHUP raise KeyboardInterrupt; its argument is the exit status then.

    A signal that is ignored, as nohup has it, stays ignored.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGHUP)}
    for number, handler in before.items():
        if handler is not signal.SIG_IGN:
            signal.signal(number, _interrupt)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def status_of(interrupt: KeyboardInterrupt) -> int:
    """Return the exit status of a process that was interrupted."""
    return int(interrupt.args[0]) if interrupt.args else 128 + signal.SIGINT


def _interrupt(number: int, _frame: FrameType | None) -> None:
    # Whoever closes a terminal may send both, and the second must not break into the tidying up.
    for each in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(each) is _interrupt:
            signal.signal(each, _pass_over)
    raise KeyboardInterrupt(128 + number)


def _pass_over(_number: int, _frame: FrameType | None) -> None:
    pass

"""Silence for C libraries, whose words a screen reader would read out, and for streams without a reader."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

_lock = threading.Lock()
_depth = 0
_window: _Window | None = None


@contextmanager
def quiet_stderr(log: str = os.devnull) -> Iterator[None]:
    """Send what C libraries print to standard error to the file `log`.

    What Python prints to `sys.stderr` meanwhile, in any thread, still arrives. The redirection is the whole
    process's, so several threads may be inside at once; the last one out mends it. Keep the body short: open
    a device, no more.
    """
    global _depth, _window
    with _lock:
        if _depth == 0:
            _window = _open_window(log)
        _depth += 1
    try:
        yield
    finally:
        with _lock:
            _depth -= 1
            if _depth == 0 and _window is not None:
                _window.close()
                _window = None


def fill_standard_descriptors() -> None:
    """Open the null device as each of the descriptors 0, 1 and 2 that is closed.

    A file that was opened later would get such a number, and what is meant for the stream would go into it.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            # The lowest number that is free is taken; the programs that are started have it too.
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)


def give_up(stream: TextIO) -> None:
    """Let what is written to a stream of the process go nowhere from now on, what is left in it included.

    Its reader has gone or its disk is full: what could not be written would be tried once more at the end.
    """
    with contextlib.suppress(OSError), Path(os.devnull).open("wb") as nowhere:
        os.dup2(nowhere.fileno(), stream.fileno())


def report(line: str) -> None:
    """Print a line on standard error at once; where that is closed or takes nothing, nobody is told.

    So it changes neither what a command prints nor its exit status.
    """
    stream = sys.stderr
    if stream is None:
        # Standard output would get it.
        return
    try:
        print(line, file=stream, flush=True)
    except OSError:
        # Nobody reads it, or its disk is full: whatever goes on goes on.
        give_up(stream)


class _Window:
    """The time during which descriptor 2 points elsewhere."""

    def __init__(self, saved: int, target: int) -> None:
        self._saved = saved
        self._old = sys.stderr
        self._own: TextIO | None = None
        if _writes_to_descriptor_2(sys.stderr):
            sys.stderr.flush()
            # Another thread may hold this stream for longer than the window is open: it closes itself when
            # nobody holds it any more.
            self._own = os.fdopen(os.dup(saved), "w", 1, encoding="utf-8", errors="backslashreplace")
            sys.stderr = self._own
        os.dup2(target, 2)

    def close(self) -> None:
        os.dup2(self._saved, 2)
        os.close(self._saved)
        if self._own is not None:
            with contextlib.suppress(OSError):
                self._own.flush()
            if sys.stderr is self._own:
                sys.stderr = self._old


def _open_window(log: str) -> _Window | None:
    """Point descriptor 2 at `log`, or return `None` where it cannot be done."""
    try:
        saved = os.dup(2)
    except OSError:
        # Standard error is closed: nobody listens anyway.
        return None
    try:
        target = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
    except OSError:
        os.close(saved)
        return None
    try:
        return _Window(saved, target)
    finally:
        os.close(target)


def _writes_to_descriptor_2(stream: TextIO | None) -> bool:
    try:
        return stream is not None and stream.fileno() == 2
    except (OSError, ValueError):
        return False

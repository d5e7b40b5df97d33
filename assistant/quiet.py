"""Keeping C libraries silent: what they print would be read out by the player's screen reader."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

_lock = threading.Lock()
_depth = 0
_saved = -1


@contextmanager
def quiet_stderr(log: str = os.devnull) -> Iterator[None]:
    """Send everything that is printed to standard error, by C libraries too, to the file `log`.

    The redirection is the whole process's, so several threads may be inside at once; the last one out
    mends it. Keep the body short: open a device, no more.
    """
    global _depth, _saved
    with _lock:
        if _depth == 0:
            if sys.stderr is not None:
                sys.stderr.flush()
            _saved = _redirect(log)
        _depth += 1
    try:
        yield
    finally:
        with _lock:
            _depth -= 1
            if _depth == 0 and _saved >= 0:
                os.dup2(_saved, 2)
                os.close(_saved)


def _redirect(log: str) -> int:
    """Point descriptor 2 at `log` and return a copy of what it was, or -1 where it cannot be done."""
    try:
        saved = os.dup(2)
    except OSError:
        # Standard error is closed: nobody listens anyway.
        return -1
    try:
        target = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
    except OSError:
        os.close(saved)
        return -1
    os.dup2(target, 2)
    os.close(target)
    return saved

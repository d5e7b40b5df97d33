"""The environment, where a C library asks it for what no call of it takes."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

_one_at_a_time: Final = threading.Lock()


@contextmanager
def lent(name: str, value: str) -> Iterator[None]:
    """Let a variable have another value while the body runs; one thread at a time changes any of them."""
    with _one_at_a_time:
        before = os.environ.get(name)
        os.environ[name] = value
        try:
            yield
        finally:
            if before is None:
                del os.environ[name]
            else:
                os.environ[name] = before

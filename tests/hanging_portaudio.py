"""Calls of PortAudio that come to no end, as those of a sound server that hangs."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Iterator

import pytest

from assistant import portaudio

_PATIENCE = 20.0
"""Seconds for what may happen at once: only a test that fails waits for so long."""


@contextlib.contextmanager
def answering_nobody(answers: threading.Event) -> Iterator[None]:
    """Let no call be answered while the body runs: patience is short then, and only then."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(portaudio, "PATIENCE", 0.1)
        answers.clear()
        try:
            yield
        finally:
            answers.set()
            wait_until_portaudio_answers()


def wait_until_portaudio_answers() -> None:
    deadline = time.monotonic() + _PATIENCE
    while portaudio.hangs():
        assert time.monotonic() < deadline
        time.sleep(0.01)

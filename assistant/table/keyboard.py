"""Lines from the keyboard, without ever making the game wait for them."""

from __future__ import annotations

import queue
import sys
import threading
from typing import TextIO


class Keyboard:
    """Collects the lines of a terminal (or of a pipe) in a thread of its own.

    Line by line on purpose: a screen reader's own keys are never taken, and it works with TERM=dumb.
    """

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream if stream is not None else sys.stdin
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self.ended = False
        self._thread = threading.Thread(target=self._read, name="keyboard", daemon=True)
        self._thread.start()

    def _read(self) -> None:
        try:
            for line in self._stream:
                self._lines.put(line.rstrip("\r\n"))
        except (OSError, ValueError, UnicodeDecodeError):
            pass
        self._lines.put(None)

    def pending(self) -> list[str]:
        """Return the lines typed since the last call, oldest first."""
        lines: list[str] = []
        while True:
            try:
                line = self._lines.get_nowait()
            except queue.Empty:
                return lines
            if line is None:
                self.ended = True
                return lines
            lines.append(line)

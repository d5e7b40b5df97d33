"""Lines from the keyboard, without ever making the game wait for them."""

from __future__ import annotations

import codecs
import os
import queue
import sys
import termios
import threading


class Keyboard:
    """Collects the lines of a terminal (or of a pipe) in a thread of its own.

    Line by line on purpose: a screen reader's own keys are never taken, and it works with TERM=dumb. Bytes
    that are no UTF-8 become the replacement character: one bad line must not end the game's keyboard.
    """

    def __init__(self, descriptor: int | None = None) -> None:
        """Begin to read a file descriptor, standard input where none is given."""
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._hidden = False
        self.ended = False
        """Whether nothing more will come."""
        self._descriptor = _standard_input() if descriptor is None else descriptor
        self._thread = threading.Thread(target=self._read, name="keyboard", daemon=True)
        self._thread.start()

    def _read(self) -> None:
        # Not through Python's buffered stream: a thread that waits inside it cannot be left behind when the
        # program ends.
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        begun = ""
        while data := self._bytes():
            *lines, begun = (begun + decoder.decode(data)).replace("\r\n", "\n").split("\n")
            for line in lines:
                self._lines.put(line)
        begun += decoder.decode(b"", final=True)
        if begun:
            self._lines.put(begun)
        self._lines.put(None)

    def _bytes(self) -> bytes:
        if self._descriptor is None:
            return b""
        try:
            return os.read(self._descriptor, 4096)
        except OSError:
            return b""

    def hide(self, hidden: bool) -> None:
        """Let the terminal show what is typed, or not; a pipe shows nothing anyway."""
        if hidden == self._hidden or self._descriptor is None or not os.isatty(self._descriptor):
            return
        modes = termios.tcgetattr(self._descriptor)
        modes[3] = modes[3] & ~termios.ECHO if hidden else modes[3] | termios.ECHO
        termios.tcsetattr(self._descriptor, termios.TCSADRAIN, modes)
        self._hidden = hidden

    def close(self) -> None:
        """Let the terminal show again what is typed; what is being read goes on until the program ends."""
        self.hide(False)

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


def _standard_input() -> int | None:
    try:
        return sys.stdin.fileno() if sys.stdin is not None else None
    except (OSError, ValueError):
        return None

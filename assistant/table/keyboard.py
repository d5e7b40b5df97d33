"""Lines from the keyboard, without ever making the game wait for them."""

from __future__ import annotations

import codecs
import contextlib
import os
import queue
import select
import signal
import sys
import termios
import threading
import time
from collections.abc import Callable, Sequence
from functools import partial
from types import FrameType
from typing import Any, NamedTuple

from assistant.quiet import Printer
from assistant.table.lineeditor import PASTES_MARKED, PASTES_UNMARKED, SILENCING, LineEditor
from assistant.threads import begin_thread


def has_terminal() -> bool:
    """Return whether standard input is a terminal that the program may read now.

    One in the background may not: it would be stopped for trying.
    """
    descriptor = _standard_input()
    return descriptor is not None and os.isatty(descriptor) and _is_in_front(descriptor)


class Line(NamedTuple):
    """A line that somebody has typed."""

    text: str
    at: float
    """When it was complete, by `time.monotonic()`."""


class Keyboard:
    """Collects the lines of a terminal (or of a pipe) in a thread of its own.

    A screen reader's own keys are never taken, and it works with TERM=dumb and through ssh. Of a terminal
    every key is known at once: the space bar needs no Enter. Letters are written as the locale has it, and
    bytes that are none become the replacement character: one bad line must not end the game's keyboard.

    Nothing is taken or read before it is entered: a signal may interrupt between the end of a constructor
    and the beginning of what would leave the terminal as it was.
    """

    def __init__(
        self,
        descriptor: int | None = None,
        on_key: Callable[[], None] = lambda: None,
        on_silence: Callable[[], None] = lambda: None,
    ) -> None:
        """Be ready to read a file descriptor, standard input where none is given.

        `on_key` is called, by the reading thread, at every key of a terminal; of a pipe it is not.
        `on_silence` is called by it as soon as the line comes that silences Hector: that waits for nobody.
        """
        self._lines: queue.SimpleQueue[Line | None] = queue.SimpleQueue()
        self._kept: list[Line] = []
        self._on_key, self._on_silence = on_key, on_silence
        self.ended = False
        """Whether nothing more will come."""
        self.was_there = False
        """Whether anybody could type: at a terminal, or something has come from elsewhere."""
        self._descriptor = _standard_input() if descriptor is None else descriptor
        self._encoding = _encoding()
        self._modes: list[Any] | None = None
        self._editor: LineEditor | None = None
        self._echo: Printer | None = None
        self._marks_pastes = False
        self._usual_handler: Any = None
        self._thread = threading.Thread(target=self._read, name="keyboard", daemon=True)

    def __enter__(self) -> Keyboard:
        """Begin to read."""
        try:
            if self._descriptor is not None and os.isatty(self._descriptor):
                self.was_there = True
                self._take_keys(self._descriptor)
            if self._editor is not None:
                self._heed_waking()
            begin_thread(self._thread.start)
        except BaseException:
            self.close()
            raise
        # Nothing may be called from here on: signals interrupt behind a call.
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()

    def _take_keys(self, terminal: int) -> None:
        """Let the terminal hand over each key, without showing it: the line is edited here."""
        with contextlib.suppress(termios.error):
            self._modes = termios.tcgetattr(terminal)
            self._set_modes()
            self._editor = LineEditor()
            # A terminal that shows nothing any more keeps nobody's keys from being read.
            self._echo = Printer(partial(_write, terminal, self._encoding))
            self._mark_pastes()

    def _set_modes(self) -> None:
        """Set the terminal's modes, which a shell may have set otherwise while the program was stopped.

        :raises termios.error: if the terminal is gone.
        """
        if self._modes is None or self._descriptor is None or not _is_in_front(self._descriptor):
            return
        modes = [*self._modes[:6], list(self._modes[6])]
        # Control and S would let the program wait in the middle of a sentence while the clock runs.
        modes[0] &= ~termios.IXON
        modes[3] &= ~(termios.ICANON | termios.ECHO)
        modes[6][termios.VMIN], modes[6][termios.VTIME] = 1, 0
        # Nor may two keys stop a program whose clock players stop only to seek the arbiter (6.11.2).
        nothing = bytes([os.fpathconf(self._descriptor, "PC_VDISABLE")])
        modes[6][termios.VSUSP] = modes[6][termios.VQUIT] = nothing
        # At once: a terminal that takes no output would never have shown all of it. No mode changes output.
        termios.tcsetattr(self._descriptor, termios.TCSANOW, modes)

    def _mark_pastes(self) -> None:
        """Let the terminal tell what is pasted from what is typed, where it knows how to.

        A shell that the program was stopped in may have ended that.
        """
        is_known = os.environ.get("TERM", "dumb") != "dumb"
        if self._echo is not None and self._descriptor is not None and is_known:
            self._marks_pastes = _is_in_front(self._descriptor)
            if self._marks_pastes:
                self._echo.show(PASTES_MARKED)

    def _heed_waking(self) -> None:
        """Set the modes anew when the program goes on after it was stopped."""
        if threading.current_thread() is not threading.main_thread():
            return

        def wake(_number: int, _frame: FrameType | None) -> None:
            with contextlib.suppress(termios.error):
                self._set_modes()
            self._mark_pastes()

        self._usual_handler = signal.getsignal(signal.SIGCONT)
        signal.signal(signal.SIGCONT, wake)

    def _read(self) -> None:
        # Not through Python's buffered stream: a thread that waits inside it cannot be left behind when the
        # program ends.
        decoder = codecs.getincrementaldecoder(self._encoding)("replace")
        begun = ""
        while data := self._bytes():
            self.was_there = True
            text = decoder.decode(data)
            if self._editor is not None:
                self._edit(self._editor, text)
                continue
            *lines, begun = (begun + text).replace("\r\n", "\n").split("\n")
            self._put(lines)
        begun = (self._editor.rest() if self._editor is not None else begun) + decoder.decode(b"", final=True)
        if begun:
            self._lines.put(Line(begun, time.monotonic()))
        self._lines.put(None)

    def _edit(self, editor: LineEditor, keys: str) -> None:
        if keys:
            self._on_key()
        lines, shown = editor.take(keys)
        if shown and self._echo is not None:
            self._echo.show(shown)
        self._put(lines)

    def _put(self, lines: Sequence[str]) -> None:
        for line in lines:
            if line.strip().lower() in SILENCING:
                self._on_silence()
            # Here, and not when somebody comes to look: a busy program makes nobody's line later.
            self._lines.put(Line(line, time.monotonic()))

    def _bytes(self) -> bytes:
        if self._descriptor is None:
            return b""
        while True:
            try:
                return os.read(self._descriptor, 4096)
            except BlockingIOError:
                # Another program has left the terminal so that nobody waits at it (O_NONBLOCK): nothing has
                # been typed yet, and nothing has ended.
                select.select([self._descriptor], [], [])
            except OSError:
                return b""

    def hide(self, hidden: bool) -> None:
        """Let the terminal show what is typed, or not; a pipe shows nothing anyway."""
        if self._editor is not None:
            if hidden:
                with contextlib.suppress(termios.error):
                    self._set_modes()
            self._editor.hidden = hidden

    def close(self) -> None:
        """Leave the terminal as it was; what is being read goes on until the program ends."""
        try:
            if self._usual_handler is not None:
                signal.signal(signal.SIGCONT, self._usual_handler)
                self._usual_handler = None
        finally:
            # Before a terminal that shows nothing any more is waited for: a signal may break into that.
            if self._modes is not None and self._descriptor is not None:
                with contextlib.suppress(termios.error):
                    termios.tcsetattr(self._descriptor, termios.TCSANOW, self._modes)
        if self._marks_pastes and self._echo is not None:
            self._marks_pastes = False
            self._echo.show(PASTES_UNMARKED)
            self._echo.close()

    def pending(self) -> list[str]:
        """Return the lines typed since the last call, oldest first."""
        return [line.text for line in self.lines()]

    def lines(self) -> list[Line]:
        """Return the lines typed since the last call with their times, oldest first."""
        lines, self._kept = self._kept, []
        while True:
            try:
                line = self._lines.get_nowait()
            except queue.Empty:
                return lines
            if line is None:
                self.ended = True
                return lines
            lines.append(line)

    def put_back(self, lines: Sequence[Line]) -> None:
        """Give lines back that `lines` is to return once more, before any others."""
        self._kept[:0] = lines


def _write(terminal: int, encoding: str, shown: str) -> None:
    with contextlib.suppress(OSError):
        os.write(terminal, shown.encode(encoding, "replace"))


def _is_in_front(terminal: int) -> bool:
    """Return whether a terminal can be set now: a program in the background would be stopped for trying."""
    try:
        return os.tcgetpgrp(terminal) == os.getpgrp()
    except OSError:
        # It is not the terminal from which the program was started, and sends no signals.
        return True


def _standard_input() -> int | None:
    try:
        return sys.stdin.fileno() if sys.stdin is not None else None
    except (OSError, ValueError):
        return None


def _encoding() -> str:
    """Return how standard input writes letters; where that is ASCII, what is more than that is UTF-8."""
    name = codecs.lookup(getattr(sys.stdin, "encoding", None) or "utf-8").name
    return "utf-8" if name == "ascii" else name

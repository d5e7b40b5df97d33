"""Silence for C libraries, whose words a screen reader would read out, and for streams without a reader."""

from __future__ import annotations

import contextlib
import os
import queue
import select
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Final, TextIO

from assistant.errors import HectorError
from assistant.threads import begin_thread

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


def write_line(stream: TextIO, line: str) -> None:
    """Write a line to a stream of the process at once; one that takes nothing any more is given up.

    The stream itself is not held meanwhile: at a terminal that shows nothing the thread that writes waits
    without end, and the program, which flushes its streams before it ends, would wait for it.
    """
    try:
        descriptor = stream.fileno()
    except (OSError, ValueError):
        print(line, file=stream, flush=True)
        return
    try:
        stream.flush()
        rest = f"{line}\n".encode(stream.encoding, stream.errors or "strict")
        while rest:
            try:
                rest = rest[os.write(descriptor, rest) :]
            except BlockingIOError:
                # Another program has left the terminal so that nobody waits at it (O_NONBLOCK).
                select.select([], [descriptor], [])
    except OSError:
        # Whoever read along has gone, or the disk is full: whatever goes on goes on.
        give_up(stream)


class Printer:
    """Writes lines from a thread of its own: where that hangs on the way, no clock waits for it."""

    PATIENCE: Final = 3.0
    """Seconds without any line shown after which the end of the program waits no longer."""
    SOON: Final = 1.0
    """Seconds that `show_now` waits for its line."""

    def __init__(self, write: Callable[[str], None]) -> None:
        """:raises HectorError: if there is no room for the thread."""
        self._write = write
        self._lines: queue.SimpleQueue[str | threading.Event | None] = queue.SimpleQueue()
        self._shown = 0
        self._hangs = False
        self._thread = threading.Thread(target=self._run, name="printer", daemon=True)
        begin_thread(self._thread.start)

    def _run(self) -> None:
        while (line := self._lines.get()) is not None:
            if isinstance(line, threading.Event):
                self._hangs = False
                line.set()
            else:
                self._write(line)
                self._shown += 1

    def show(self, line: str) -> None:
        """Write a line after those before it, as soon as they are written."""
        self._lines.put(line)

    def show_now(self, line: str) -> None:
        """Write a line and wait a moment for it; where that is known to hang, not even that."""
        is_shown = threading.Event()
        self._lines.put(line)
        self._lines.put(is_shown)
        if not self._hangs and not is_shown.wait(self.SOON):
            self._hangs = True

    def close(self) -> None:
        """Wait until everything is shown, unless that hangs; nothing more is shown."""
        self._lines.put(None)
        shown = -1
        while self._thread.is_alive() and self._shown != shown:
            shown = self._shown
            self._thread.join(self.PATIENCE)


def report(line: str) -> None:
    """Print a line on standard error at once; where that is closed, takes nothing or hangs, nobody is told.

    So it changes neither what a command prints nor its exit status, and holds up no game.
    """
    try:
        printer = _reports()
    except HectorError:
        _report(line)
    else:
        printer.show_now(line)


@cache
def _reports() -> Printer:
    return Printer(_report)


def _report(line: str) -> None:
    # Where it is closed standard output would get it.
    if sys.stderr is not None:
        write_line(sys.stderr, line)


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

"""Calls of PortAudio, one after the other in a thread of their own: a sound server that hangs keeps them.

Stopped with SIGSTOP, PulseAudio lets neither `Pa_AbortStream` nor `Pa_CloseStream` return, and so none of
PortAudio's other calls that ask it. Whoever plays goes on without sound; what was given up is done when the
server goes on.
"""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import importlib
import os
import queue
import shlex
import subprocess
import sys
import threading
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, Final, Generic, TypeVar

from assistant.errors import HectorError, Phrase, marked
from assistant.quiet import quiet_stderr
from assistant.threads import begin_thread

_HANGS: Final = marked("The sound server does not answer. Start it again.")
PATIENCE: Final = 3.0
"""Seconds that a call may take: opening a device takes a tenth of one, looking for all devices one or two."""
_CLOSING: Final = 2.0
"""Seconds that closing one may take, a tenth as well: a game that waits longer for it counts as stopped."""

_DESCRIPTORS: Final = 32
"""Files that the sound libraries may open at once: where they cannot, some of them end the process."""

_JACK: Final = Path(f"/dev/shm/jack_db-{os.getuid()}")
"""Where JACK's library keeps a database and its locks. Those of a program that was killed stay for ever, and
PortAudio, which asks JACK too, waits for them."""
_ASKS_JACK: Final = "import ctypes; ctypes.CDLL('libjack.so.0').jack_client_open(b'hector', 1, None)"
"""Without starting a server: JackNoStartServer of its jack/types.h is 1."""

_Result = TypeVar("_Result")


class _Call(Generic[_Result]):
    """Something to be done, and what came of it."""

    def __init__(self, task: Callable[[], _Result], undo: Callable[[_Result], object] | None) -> None:
        self._task = task
        self._undo = undo
        self.result: _Result
        self.error: BaseException | None = None
        self.is_done = False
        self.is_given_up = False

    def run(self) -> None:
        """Do it, and undo it if nobody waits any more; called once more, only undo what is still to be."""
        if not self.is_done:
            try:
                self.result = self._task()
            except BaseException as error:
                self.error = error
            with _changed:
                self.is_done = True
                _changed.notify_all()
        if not self.is_given_up:
            return
        undo, self._undo = self._undo, None
        try:
            if self.error is None and undo is not None:
                undo(self.result)
        except Exception:
            # There is nobody left to tell.
            pass
        finally:
            with _changed:
                _given_up.discard(self)
                _changed.notify_all()

    def is_done_in_time(self, patience: float) -> bool:
        """Let the thread do it, and wait so many seconds; then give it up. `_changed` is held.

        :raises HectorError: if there is no room for the thread; nothing is done then.
        :raises KeyboardInterrupt: or whatever interrupts the waiting; then it is given up as well.
        """
        _see_to_the_thread()
        try:
            _waiting.put(self)
            if not _changed.wait_for(lambda: self.is_done, patience):
                self.give_up()
        except BaseException:
            self.give_up()
            # It may have been done just now, or not have been begun.
            _waiting.put(self)
            raise
        return not self.is_given_up

    def give_up(self) -> None:
        """Wait no longer. `_changed` is held."""
        self.is_given_up = True
        _given_up.add(self)
        _let_the_program_end()


def _let_the_program_end() -> None:
    """Undo what sounddevice does at the end, and what would wait for the server or pull it from under it."""
    library = sys.modules.get("sounddevice")
    ends, name = getattr(library, "_exit_handler", None), getattr(library, "_libname", None)
    if ends is not None:
        atexit.unregister(ends)
    if name is not None:
        # The interpreter unloads sounddevice's PortAudio, in which threads still are; ctypes unloads nothing.
        with contextlib.suppress(OSError):
            ctypes.CDLL(name)


_changed: Final = threading.Condition()
_given_up: Final[set[_Call[Any]]] = set()
_waiting: Final[queue.SimpleQueue[_Call[Any]]] = queue.SimpleQueue()
_threads: Final[list[threading.Thread]] = []


def _work() -> None:
    while True:
        _waiting.get().run()


def _see_to_the_thread() -> None:
    """Start the thread, if there is none. `_changed` is held."""
    if not _threads:
        thread = threading.Thread(target=_work, name="portaudio", daemon=True)
        # An interruption must leave no second one, which would call PortAudio beside it.
        _threads.append(thread)
        try:
            begin_thread(thread.start)
        except HectorError:
            _threads.clear()
            raise


def load() -> ModuleType:
    """Return sounddevice, which starts PortAudio while it is imported: the thread does that.

    :raises HectorError: if one of them is not installed, or PortAudio does not start.
    """
    with quiet_stderr():
        try:
            return importlib.import_module("sounddevice")
        except ImportError as error:
            raise HectorError(
                "The Python package sounddevice cannot be loaded ({reason}). Install it again.", reason=error
            ) from error
        except OSError as error:
            raise HectorError(
                "There is no sound: PortAudio is missing. Install it with: apt install libportaudio2"
            ) from error
        except Exception as error:
            # Its own errors cannot be named before it is there.
            raise HectorError(_HANGS) from error


def hangs() -> bool:
    """Return whether a call that was given up still goes on."""
    with _changed:
        return bool(_given_up)


def why_it_hangs() -> Phrase:
    """Return what to tell of sound that somebody has waited for in vain, and how it is mended."""
    if _JACK.is_dir() and _jack_hangs():
        return marked(
            "The sound waits for a program of JACK that was killed. End what uses JACK, then type: {command}",
            command=shlex.join(["rm", "-r", str(_JACK)]),
        )
    return _HANGS


@cache
def _jack_hangs() -> bool:
    """Return whether JACK lets nobody in: asked by a process of its own, which can be ended.

    It is asked once: while a game is played, each answer keeps the table waiting.
    """
    try:
        subprocess.run(
            [sys.executable, "-c", _ASKS_JACK],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=PATIENCE,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return True
    except OSError:
        return False
    return False


def prove_room() -> None:
    """Prove that the sound libraries can open what they need.

    :raises HectorError: if they cannot, because too many files are open.
    """
    held: list[int] = []
    try:
        while len(held) < _DESCRIPTORS:
            held.append(os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC))
    except OSError as error:
        raise HectorError("Nothing can be done with the sound: {reason}.", reason=error) from error
    finally:
        for descriptor in held:
            os.close(descriptor)


def ask(task: Callable[[], _Result], undo: Callable[[_Result], object] | None = None) -> _Result:
    """Do something with PortAudio and return what it returns; what it raises is raised here.

    If that takes too long, or is interrupted, it is given up: its result goes to `undo`, should it come after
    all.

    :raises TimeoutError: if it takes too long, or an earlier call that was given up still goes on.
    :raises HectorError: if too many files are open, or there is no room for the thread.
    """
    prove_room()
    call: _Call[_Result] = _Call(task, undo)
    with _changed:
        if _given_up or not call.is_done_in_time(PATIENCE):
            raise TimeoutError
    if call.error is not None:
        raise call.error
    return call.result


def let_go(task: Callable[[], object]) -> None:
    """Close something of PortAudio: at once if that can be, else as soon as it can be."""
    call: _Call[object] = _Call(task, None)
    with _changed:
        if _given_up:
            call.give_up()
            _waiting.put(call)
            return
        was_done = call.is_done_in_time(min(_CLOSING, PATIENCE))
    if was_done and call.error is not None:
        raise call.error

"""A file that only grows, is on the disk whenever a call returns, and is where its path says that it is."""

from __future__ import annotations

import contextlib
import fcntl
import os
import stat
from pathlib import Path

from assistant.errors import HectorError


class GrowingFile:
    """The file of a journal: what was appended to it is in it, whatever becomes of its folder.

    One thread at a time. What the disk refuses is raised as `OSError`.
    """

    def __init__(self, path: Path, descriptor: int) -> None:
        """Take over an open file, in which no complete line is known yet."""
        self.path = path
        self.appended = 0
        """How many lines `append` has added; a signal may interrupt it after that."""
        self.content = b""
        """The complete lines, whatever somebody may have done to the file."""
        self._descriptor = descriptor
        self._has_debris = False

    @property
    def is_open(self) -> bool:
        return self._descriptor >= 0

    def mend_end(self, size: int, *, is_torn: bool) -> None:
        """Go on after the first `size` bytes, the complete lines; a torn end behind them is removed."""
        self.content = _read_all(self._descriptor, size)
        if is_torn:
            self._clear_debris()
        if self.content and not self.content.endswith(b"\n"):
            self.append(b"\n", 0)

    def append(self, data: bytes, lines: int) -> None:
        """Write all of some lines and wait for the disk; on failure leave the file as it was."""
        if self._has_debris:
            self._clear_debris()
        content, appended = self.content + data, self.appended + lines
        # A failed or interrupted attempt must never stay in the middle of the file: if it cannot be removed
        # at once, it is removed before the next line is written.
        self._has_debris = True
        try:
            _write_all(self._descriptor, data)
        except OSError:
            with contextlib.suppress(OSError):
                self._clear_debris()
            raise
        # Without a call between them, no signal's handler comes between them either.
        self._has_debris, self.content, self.appended = False, content, appended

    def _clear_debris(self) -> None:
        os.ftruncate(self._descriptor, len(self.content))
        os.fsync(self._descriptor)
        self._has_debris = False

    def stay_in_place(self) -> None:
        """See to it that this is the file that its path names, and that it holds what was appended.

        :raises HectorError: if another file lies there, or somebody has written something else into this one.
        """
        try:
            self._stay_in_place()
        except OSError:
            # A stick that was pulled out or a file server that was started again is there once more under its
            # path, but never under a descriptor from before.
            if not self._open_anew():
                raise

    def _open_anew(self) -> bool:
        """Go on through a new descriptor; return whether that can be."""
        # As long as the old one lives, its own lock keeps the file from a second.
        with contextlib.suppress(OSError, HectorError):
            self._take_over()
            return True
        return False

    def _stay_in_place(self) -> None:
        # A descriptor goes on with a file that was removed or replaced, and so does its lock: all that was
        # written would be gone with the program, and another Hector could play the same game.
        own = os.fstat(self._descriptor)
        try:
            there = self.path.stat()
        except (FileNotFoundError, NotADirectoryError):
            if not self._follow(own):
                self._write_anew()
            return
        except OSError:
            # Nobody can look there now; the file itself may be written all the same.
            return
        if os.path.samestat(own, there):
            self._complete(self._descriptor)
        elif not stat.S_ISREG(there.st_mode):
            # A pipe would take the game, and whoever writes into a full one waits.
            raise self._another()
        else:
            self._take_over()

    def _follow(self, own: os.stat_result) -> bool:
        """Find out where the file's folder was moved; return whether it is there and the system tells it."""
        with contextlib.suppress(OSError, HectorError):
            found = Path(f"/proc/self/fd/{self._descriptor}").readlink()
            # Under another name nobody would find it, whoever gave it that: a file server does so, too.
            if found.name == self.path.name and os.path.samestat(own, found.stat()):
                self._complete(self._descriptor)
                self.path = found
                return True
        return False

    def _write_anew(self) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(
            self.path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_APPEND | os.O_CLOEXEC, 0o644
        )
        try:
            lock(descriptor)
            _write_all(descriptor, self.content)
        except BaseException:
            os.close(descriptor)
            self.path.unlink(missing_ok=True)
            raise
        self._go_on_in(descriptor)
        for directory in (self.path.parent, self.path.parent.parent):
            sync_folder(directory)

    def _take_over(self) -> None:
        """Go on in the file that lies in the journal's place, if it is a copy or the beginning of one.

        :raises HectorError: if it is anything else, or another Hector has it.
        """
        descriptor = os.open(self.path, os.O_RDWR | os.O_APPEND | os.O_CLOEXEC)
        try:
            if not lock(descriptor):
                raise self._another()
            self._complete(descriptor)
        except BaseException:
            os.close(descriptor)
            raise
        self._go_on_in(descriptor)

    def _complete(self, descriptor: int) -> None:
        """Write into a file what it lacks of what was appended, an older state of it say.

        :raises HectorError: if it holds anything else: two records are never mixed.
        """
        there = _read_all(descriptor, os.fstat(descriptor).st_size)
        if self._has_debris and there.startswith(self.content):
            # It is removed before the next line.
            return
        if not self.content.startswith(there):
            raise self._another()
        if there != self.content:
            _write_all(descriptor, self.content[len(there) :])

    def _another(self) -> HectorError:
        return HectorError(
            "The game cannot be recorded in {path}: another file lies there. "
            "Put that one elsewhere; the game is then written anew.",
            path=self.path,
        )

    def _go_on_in(self, descriptor: int) -> None:
        before, self._descriptor = self._descriptor, descriptor
        _let_go(before)

    def close(self) -> None:
        if self.is_open:
            before, self._descriptor = self._descriptor, -1
            _let_go(before)


def lock(descriptor: int) -> bool:
    """Keep every other Hector from a file; return whether none has it."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        # Some network file systems know no locks; a game can be played on them all the same.
        pass
    return True


def _let_go(descriptor: int) -> None:
    # A disk that refuses even this has taken every line, or has refused it before.
    with contextlib.suppress(OSError):
        os.close(descriptor)


def _write_all(descriptor: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]
    os.fsync(descriptor)


def _read_all(descriptor: int, size: int) -> bytes:
    data = b""
    while len(data) < size and (more := os.pread(descriptor, size - len(data), len(data))):
        data += more
    return data


def sync_folder(folder: Path) -> None:
    """Make a new file's name survive a power failure, where the file system can be asked to."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

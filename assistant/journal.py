"""The append-only record of one game: JSON Lines, on the disk before anyone is told.

A journal is a game script that grows. Each line is one JSON object; what has been appended is written,
flushed and synchronised with the disk when `append` returns. A line that a power failure tore is the last
one, and nobody was told of it: reading drops it. Anything else that cannot be read is damage, and is left
untouched.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

from assistant.called import command
from assistant.errors import HectorError

FILE_NAME = "journal.jsonl"


class BeingPlayedError(HectorError):
    """Another program holds the journal."""


@dataclass(frozen=True, slots=True)
class Record:
    """What a journal on the disk holds."""

    lines: tuple[dict[str, Any], ...]
    """Every complete line, in order."""
    torn: bytes
    """What follows them: the beginning of a line that was never finished; empty as a rule."""
    size: int
    """Bytes of the file that the complete lines take."""


def read(folder: Path) -> Record:
    """Read the journal of a game's folder.

    Only the end may be torn: a last line without its newline that is no complete object, or one that the
    file system left full of zeros. The file is not changed.

    :raises HectorError: if there is no journal, it cannot be read, or a line in its middle is damaged.
    """
    path = folder / FILE_NAME
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise HectorError(
            "{folder} holds no game: {file_name} is missing.", folder=folder, file_name=FILE_NAME
        ) from None
    except OSError as error:
        raise HectorError("{path} cannot be read: {reason}.", path=path, reason=error) from error
    lines: list[dict[str, Any]] = []
    size = 0
    while size < len(data):
        newline = data.find(b"\n", size)
        end = len(data) if newline < 0 else newline + 1
        raw = data[size:end]
        line = _parse(raw)
        if line is None:
            if _is_torn(raw, is_last=end == len(data)):
                break
            raise HectorError(
                "{path} is damaged in line {line}; nothing was changed. Restore it from a copy.",
                path=path,
                line=len(lines) + 1,
            )
        lines.append(line)
        size = end
    return Record(tuple(lines), data[size:], size)


def holds_game(folder: Path) -> bool:
    """Return whether a folder holds a journal with anything in it that may be a game, damaged or not."""
    if not (folder / FILE_NAME).exists():
        return False
    try:
        return bool(read(folder).lines)
    except HectorError:
        return True


def taken(folder: Path) -> HectorError:
    """Return what to tell whoever would begin a game in a folder that holds one."""
    return HectorError(
        "{folder} holds a game already. Continue it with: {command}",
        folder=folder,
        command=command("resume", folder),
    )


def _parse(raw: bytes) -> dict[str, Any] | None:
    try:
        line = json.loads(raw)
    except (ValueError, RecursionError):
        return None
    return line if isinstance(line, dict) else None


def _is_torn(raw: bytes, *, is_last: bool) -> bool:
    return is_last and (not raw.endswith(b"\n") or b"\0" in raw)


class Journal:
    """The journal of a game that is being played. Made by `create` or `reopen`; one writer at a time.

    Safe to be called from several threads; lines appended by one call stay together.
    """

    def __init__(self, path: Path, descriptor: int, size: int) -> None:
        self.path = path
        self._descriptor = descriptor
        self.appended = 0
        """How many lines `append` has added; a signal may interrupt it after that."""
        self._size = size
        self._has_debris = False
        self._lock = threading.Lock()

    @classmethod
    def create(cls, folder: Path) -> Journal:
        """Begin the journal of a new game in `folder`, which is made if it is missing.

        A journal without one complete line is no game: its power failed before anybody was told that it had
        begun, and it is begun again.

        :raises HectorError: if the folder holds a game already, or cannot be written.
        """
        path = folder / FILE_NAME
        try:
            folder.mkdir(parents=True, exist_ok=True)
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_APPEND | os.O_CLOEXEC, 0o644)
        except FileExistsError:
            return cls._begin_again(folder)
        except OSError as error:
            raise HectorError(
                "The game cannot be recorded in {path}: {reason}. Choose another folder with --save.",
                path=path,
                reason=error,
            ) from error
        journal = cls._lock_file(path, descriptor, 0)
        for directory in (folder, folder.parent):
            _sync_folder(directory)
        return journal

    @classmethod
    def _begin_again(cls, folder: Path) -> Journal:
        if not holds_game(folder):
            journal, record = cls.reopen(folder)
            if not record.lines:
                return journal
            journal.close()
        raise taken(folder)

    @classmethod
    def reopen(
        cls, folder: Path, check: Callable[[Record], object] = lambda record: None
    ) -> tuple[Journal, Record]:
        """Continue the journal of `folder`; a torn end is removed first. Returns it and what it holds.

        `check` looks at what it holds before; if it raises, the file is left as it is.

        :raises HectorError: as `read` does, or if it cannot be written, or somebody else plays this game.
        """
        path = folder / FILE_NAME
        read(folder)
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CLOEXEC)
        except OSError as error:
            raise _cannot_go_on(path, error) from error
        journal = cls._lock_file(path, descriptor, 0)
        try:
            # Read again now that nobody else can write.
            record = read(folder)
            check(record)
            journal._mend_end(record)
        except BaseException:
            journal.close()
            raise
        return journal, record

    @classmethod
    def _lock_file(cls, path: Path, descriptor: int, size: int) -> Journal:
        if not _lock(descriptor):
            os.close(descriptor)
            raise BeingPlayedError(
                "{parent} is being played by another Hector; close that one first.", parent=path.parent
            )
        return cls(path, descriptor, size)

    def _mend_end(self, record: Record) -> None:
        self._size = record.size
        try:
            if record.torn:
                os.ftruncate(self._descriptor, record.size)
                os.fsync(self._descriptor)
            if record.size and os.pread(self._descriptor, 1, record.size - 1) != b"\n":
                self._write(b"\n", 0)
        except OSError as error:
            raise _cannot_go_on(self.path, error) from error

    def append(self, *records: Mapping[str, Any]) -> None:
        """Add lines; when this returns they are on the disk, in the file that the game's folder names.

        :raises HectorError: if they cannot be written, for example because the disk is full, or another file
            lies in the journal's place. Everything that was there before is still there, and nothing of
            these lines.
        """
        data = b"".join(
            json.dumps(record, ensure_ascii=False, allow_nan=False, separators=(", ", ": ")).encode() + b"\n"
            for record in records
        )
        with self._lock:
            if self._descriptor < 0:
                raise HectorError("{path} is closed.", path=self.path)
            try:
                self._stay_in_place()
                self._write(data, len(records))
            except OSError as error:
                raise _cannot_write(self.path, error) from error

    def look(self) -> None:
        """See to it that the journal is the file that its path names, as `append` does before it writes.

        Where its folder was renamed, `path` names the new one afterwards. What was removed is written anew.
        A copy of it that somebody has put in its place is the journal from then on.

        :raises HectorError: if another file lies there, or the journal cannot be written anew.
        """
        with self._lock:
            if self._descriptor < 0:
                return
            try:
                self._stay_in_place()
            except OSError as error:
                raise _cannot_write(self.path, error) from error

    def content(self) -> Record:
        """Return what was appended so far, wherever it lies and even where no path names it any more.

        :raises HectorError: if it cannot be read.
        """
        with self._lock:
            try:
                data = self._own()
            except OSError as error:
                raise HectorError("{path} cannot be read: {reason}.", path=self.path, reason=error) from error
        return Record(tuple(json.loads(line) for line in data.splitlines()), b"", len(data))

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
        if not os.path.samestat(own, there):
            self._take_over()

    def _follow(self, own: os.stat_result) -> bool:
        """Find out where the file's folder was moved; return whether it is there and the system tells it."""
        with contextlib.suppress(OSError):
            found = Path(f"/proc/self/fd/{self._descriptor}").readlink()
            # Under another name nobody would find it, whoever gave it that: a file server does so, too.
            if found.name == self.path.name and os.path.samestat(own, found.stat()):
                self.path = found
                return True
        return False

    def _write_anew(self) -> None:
        data = self._own()
        self.path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(
            self.path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_APPEND | os.O_CLOEXEC, 0o644
        )
        try:
            _lock(descriptor)
            _write_all(descriptor, data)
        except BaseException:
            os.close(descriptor)
            self.path.unlink(missing_ok=True)
            raise
        self._go_on_in(descriptor)
        for directory in (self.path.parent, self.path.parent.parent):
            _sync_folder(directory)

    def _take_over(self) -> None:
        """Go on in the file that lies in the journal's place, if it is a copy or the beginning of one.

        :raises HectorError: if it is anything else: two records are never mixed.
        """
        descriptor = os.open(self.path, os.O_RDWR | os.O_APPEND | os.O_CLOEXEC)
        try:
            data, there = self._own(), _read_all(descriptor, os.fstat(descriptor).st_size)
            if not data.startswith(there) or not _lock(descriptor):
                raise HectorError(
                    "The game cannot be recorded in {path}: another file lies there. "
                    "Put that one elsewhere; the game is then written anew.",
                    path=self.path,
                )
            _write_all(descriptor, data[len(there) :])
        except BaseException:
            os.close(descriptor)
            raise
        self._go_on_in(descriptor)

    def _go_on_in(self, descriptor: int) -> None:
        before, self._descriptor, self._has_debris = self._descriptor, descriptor, False
        os.close(before)

    def _own(self) -> bytes:
        """Return the complete lines of the journal, whatever its path names now."""
        return _read_all(self._descriptor, self._size)

    def _write(self, data: bytes, lines: int) -> None:
        """Write all of `data` and wait for the disk; on failure leave the file as it was."""
        if self._has_debris:
            self._clear_debris()
        size, appended = self._size + len(data), self.appended + lines
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
        self._has_debris, self._size, self.appended = False, size, appended

    def _clear_debris(self) -> None:
        os.ftruncate(self._descriptor, self._size)
        os.fsync(self._descriptor)
        self._has_debris = False

    def close(self) -> None:
        """Let go of the file. Nothing is waiting to be written; a second call does nothing."""
        with self._lock:
            if self._descriptor >= 0:
                os.close(self._descriptor)
                self._descriptor = -1

    def __enter__(self) -> Journal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _lock(descriptor: int) -> bool:
    """Keep every other Hector from a file; return whether none has it."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        # Some network file systems know no locks; a game can be played on them all the same.
        pass
    return True


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


def _sync_folder(folder: Path) -> None:
    """Make a new file's name survive a power failure, where the file system can be asked to."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _cannot_write(path: Path, error: OSError) -> HectorError:
    return HectorError(
        "The game cannot be recorded in {path}: {reason}. Hector tries again; make room if the disk is full.",
        path=path,
        reason=error,
    )


def _cannot_go_on(path: Path, error: OSError) -> HectorError:
    return HectorError(
        "The game cannot be recorded in {path}: {reason}. Copy its folder to a place that you can write.",
        path=path,
        reason=error,
    )

"""The journal of a game that is being played."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

from assistant.errors import HectorError
from assistant.journal.file import GrowingFile, lock, sync_folder
from assistant.journal.reading import FILE_NAME, Record, as_line, holds_game, read, taken


class BeingPlayedError(HectorError):
    """Another program holds the journal."""


class Journal:
    """The journal of a game that is being played. Made by `create` or `reopen`; one writer at a time.

    Safe to be called from several threads; lines appended by one call stay together.
    """

    def __init__(self, file: GrowingFile) -> None:
        self._file = file
        self._lock = threading.Lock()

    @property
    def path(self) -> Path:
        """Where the journal lies: somebody may have moved its folder."""
        return self._file.path

    @property
    def appended(self) -> int:
        """How many lines `append` has added; a signal may interrupt it after that."""
        return self._file.appended

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
        journal = cls._take(path, descriptor)
        for directory in (folder, folder.parent):
            sync_folder(directory)
        return journal

    @classmethod
    def _begin_again(cls, folder: Path) -> Journal:
        # What a link leads to is another folder's.
        if not (holds_game(folder) or (folder / FILE_NAME).is_symlink()):
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
        journal = cls._take(path, descriptor)
        try:
            # Read again now that nobody else can write.
            record = read(folder)
            check(record)
            try:
                journal._file.mend_end(record.size, is_torn=bool(record.torn))
            except OSError as error:
                raise _cannot_go_on(path, error) from error
        except BaseException:
            journal.close()
            raise
        return journal, record

    @classmethod
    def _take(cls, path: Path, descriptor: int) -> Journal:
        if not lock(descriptor):
            os.close(descriptor)
            raise BeingPlayedError(
                "{parent} is being played by another Hector; close that one first.", parent=path.parent
            )
        return cls(GrowingFile(path, descriptor))

    def append(self, *records: Mapping[str, Any]) -> None:
        """Add lines; when this returns they are on the disk, in the file that the game's folder names.

        :raises HectorError: if they cannot be written, for example because the disk is full, or something
            else lies in the journal's place. Everything that was there before is still there, and nothing of
            these lines.
        """
        data = b"".join(map(as_line, records))
        with self._lock:
            if not self._file.is_open:
                raise HectorError("{path} is closed.", path=self.path)
            try:
                self._file.stay_in_place()
                self._file.append(data, len(records))
            except OSError as error:
                raise _cannot_write(self.path, error) from error

    def look(self) -> None:
        """See to it that the journal is the file that its path names, as `append` does before it writes.

        Where its folder was renamed, `path` names the new one afterwards. What was removed is written anew,
        from it too. A copy of it that somebody has put in its place is the journal from then on.

        :raises HectorError: if something else lies there, or the journal cannot be written anew.
        """
        with self._lock:
            if not self._file.is_open:
                return
            try:
                self._file.stay_in_place()
            except OSError as error:
                raise _cannot_write(self.path, error) from error

    def content(self) -> Record:
        """Return what was appended so far, whatever somebody may have done to the file."""
        with self._lock:
            data = self._file.content
        return Record(tuple(json.loads(line) for line in data.splitlines()), b"", len(data))

    def close(self) -> None:
        """Let go of the file. Nothing is waiting to be written; a second call does nothing."""
        with self._lock:
            self._file.close()

    def __enter__(self) -> Journal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def remove_unbegun(folder: Path) -> None:
    """Remove a journal in which nothing is, unless another Hector waits to begin his game in it.

    :raises OSError: if it cannot be removed.
    """
    path = folder / FILE_NAME
    if not path.is_file():
        return
    descriptor = os.open(path, os.O_RDWR | os.O_CLOEXEC)
    try:
        if lock(descriptor) and not os.fstat(descriptor).st_size:
            path.unlink()
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

"""Files that are there whole or not at all, read without waiting; and whether a folder can take any."""

from __future__ import annotations

import errno
import os
import stat
import tempfile
from pathlib import Path
from typing import Final

from assistant.errors import HectorError

_ROOM: Final = 300_000
"""Bytes for which there should be room in a folder."""
_MOST: Final = 100_000_000
"""Bytes of the longest file that is read whole: no game and no key comes near it."""
_NO_FILE: Final = "Not a regular file"
"""Why something is not read that has a file's name: a pipe is waited for, and some devices have no end."""


def read_file(path: Path) -> bytes:
    """Return what is in a file, and wait for nobody: while a game is played a clock runs.

    :raises OSError: if it cannot be read, is none, or would fill the memory.
    """
    status = path.stat()
    if not (stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode)):
        raise OSError(errno.EINVAL, _NO_FILE, str(path))
    if status.st_size > _MOST:
        raise OSError(errno.EFBIG, os.strerror(errno.EFBIG), str(path))
    return path.read_bytes()


def open_own(path: Path, flags: int) -> int:
    """Open a file of a game's folder to be written, made if it is missing, and wait for nobody.

    A link in its place gives way to a file: a folder that comes from somebody else must not lead to what
    belongs to its reader.

    :raises OSError: if it cannot be opened.
    """
    flags |= os.O_CREAT | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOFOLLOW
    try:
        return os.open(path, flags, 0o644)
    except OSError as error:
        if error.errno != errno.ELOOP:
            raise
    path.unlink()
    return os.open(path, flags, 0o644)


def create_file(path: Path, data: bytes, mode: int = 0o666) -> None:
    """Write a file that was not there, whole or not at all.

    :raises FileExistsError: if it was.
    :raises OSError: if it cannot be written.
    """
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    try:
        _write_whole(descriptor, data)
    except BaseException:
        path.unlink(missing_ok=True)
        raise


def replace_file(path: Path, data: bytes, mode: int = 0o644) -> None:
    """Write a file so that it holds either the old or the new content, whatever happens meanwhile.

    :raises OSError: if it cannot be written; the old content is still there.
    """
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")
    temporary = Path(name)
    try:
        _write_whole(descriptor, data)
        temporary.chmod(mode)
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _write_whole(descriptor: int, data: bytes) -> None:
    """Write what a new file holds through to the disk, and close it."""
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def prove_place(folder: Path) -> None:
    """Prove that something can be kept in a folder, which need not exist; it is not made.

    :raises HectorError: if nothing can.
    """
    place = next(each for each in (folder, *folder.parents) if each.exists())
    try:
        with tempfile.TemporaryFile(dir=place) as file:
            file.write(bytes(_ROOM))
            file.flush()
    except OSError as error:
        raise HectorError(
            "Nothing can be kept in {folder}: {reason}.", folder=folder, reason=error
        ) from error

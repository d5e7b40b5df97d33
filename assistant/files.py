"""Files that are there whole or not at all, and whether a folder can take any."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Final

from assistant.errors import HectorError

_ROOM: Final = 300_000
"""Bytes for which there should be room in a folder."""


def replace_file(path: Path, data: bytes, mode: int = 0o644) -> None:
    """Write a file so that it holds either the old or the new content, whatever happens meanwhile.

    :raises OSError: if it cannot be written; the old content is still there.
    """
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")
    temporary = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        temporary.chmod(mode)
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


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

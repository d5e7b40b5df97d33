"""What a journal on the disk holds, whole, torn or damaged."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assistant.called import command
from assistant.errors import HectorError, UsageError
from assistant.files import read_file

FILE_NAME = "journal.jsonl"


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

    :raises UsageError: if there is no such folder.
    :raises HectorError: if there is no journal, it cannot be read, or a line in its middle is damaged.
    """
    path = folder / FILE_NAME
    try:
        data = read_file(path)
    except (FileNotFoundError, NotADirectoryError):
        if folder.is_file():
            raise UsageError("{folder} is a file; name the folder of a game.", folder=folder) from None
        if not folder.is_dir():
            raise UsageError(
                "There is no folder {folder}. Name the folder of a game.", folder=folder
            ) from None
        raise HectorError(
            "{folder} holds no game: {file_name} is missing.", folder=folder, file_name=FILE_NAME
        ) from None
    except OSError as error:
        raise HectorError("{path} cannot be read: {reason}.", path=path, reason=error) from error
    lines: list[dict[str, Any]] = []
    size = 0
    # An editor's empty lines at the end hold nothing.
    filled = len(data.rstrip())
    while size < filled:
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
        record = read(folder)
    except HectorError:
        return True
    # What begins otherwise than a line of a journal is somebody's own.
    return bool(record.lines) or not _is_begun(record.torn)


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
        # JSON has escapes for halves of letters, and Python's has infinities: no file could hold them again.
        as_line(line)
    except (ValueError, RecursionError):
        return None
    return line if isinstance(line, dict) else None


def as_line(record: object) -> bytes:
    """Return how a journal holds a record.

    :raises ValueError: if it holds what is no text, or a number that is none.
    """
    written = json.dumps(record, ensure_ascii=False, allow_nan=False, separators=(", ", ": "))
    return written.encode() + b"\n"


def _is_begun(torn: bytes) -> bool:
    return not torn.strip(b"\0") or torn.startswith(b"{")


def _is_torn(raw: bytes, *, is_last: bool) -> bool:
    return is_last and (not raw.endswith(b"\n") or b"\0" in raw)

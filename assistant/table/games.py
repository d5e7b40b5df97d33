"""The games that were begun: which folder is meant, and which of them goes on."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path

from assistant.called import command
from assistant.errors import HectorError, UsageError
from assistant.journal import FILE_NAME, read
from assistant.speaking import told
from assistant.table.folder import games_directory
from assistant.table.record import check_lines, replayed


def named_folder(name: str) -> Path:
    """Return the folder of a game that is named as one writes a path, or as it is called among all games.

    :raises UsageError: if the name is empty; as a path it would be the current folder.
    """
    if not name:
        raise UsageError("{option} is empty: name a file or folder, or leave it out.", option="DIR")
    path = Path(name)
    if path.name == name and not path.exists() and (games_directory() / name).is_dir():
        return games_directory() / name
    return path


def newest_unfinished(warn: Callable[[str], None]) -> Path:
    """Return the folder, among all games, of the one that was played last and is not over.

    Of each newer one whose journal cannot be read, one sentence is told.

    :raises HectorError: if there is none.
    """
    for folder in _newest_first():
        try:
            if _goes_on(folder):
                return folder
        except HectorError as error:
            warn(told(error))
    raise HectorError(
        "There is no unfinished game in {folder}. Begin one with: {command}",
        folder=games_directory(),
        command=command("play"),
    )


def _newest_first() -> Iterator[Path]:
    """Yield the folders that hold a journal, the one last written to first."""
    try:
        folders = list(games_directory().iterdir())
    except FileNotFoundError:
        return
    except OSError as error:
        raise HectorError("{path} cannot be read: {reason}.", path=games_directory(), reason=error) from error
    written: list[tuple[float, Path]] = []
    for folder in folders:
        # What nobody may look into, or what is no folder, is no game of ours.
        with contextlib.suppress(OSError):
            written.append(((folder / FILE_NAME).stat().st_mtime, folder))
    yield from (folder for _time, folder in sorted(written, reverse=True))


def _goes_on(folder: Path) -> bool:
    """Return whether a folder holds a game that is not over; an empty journal is none.

    :raises HectorError: if its journal is damaged, or torn before its first line is complete.
    """
    kept = read(folder)
    lines = kept.lines
    if not lines and not kept.torn:
        return False
    check_lines(folder, lines)
    return replayed(lines).result == "*"

"""A game's folder: everything that outlives the program, complete after every move."""

from __future__ import annotations

import contextlib
import os
import re
import tempfile
import time
import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, TypeAlias

from assistant.errors import HectorError, UsageError, marked
from assistant.files import replace_file
from assistant.journal import FILE_NAME, holds_game, remove_unbegun, taken
from assistant.resources import user_data
from assistant.speaking import told
from assistant.table.setup import Setup

Where: TypeAlias = Callable[[], Path]
"""Returns where a game's folder is now: somebody may move it while the game is played."""

VIEWS: Final = {"game.pgn": "pgn", "sheet.txt": "unicode", "sheet.brf": "brf", "sheet.pef": "pef"}
"""Each view of a game's folder, and its format."""
_LETTERS: Final = {
    **{"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i"},
    **{"ħ": "h", "ŧ": "t", "ŋ": "ng", "ə": "e"},
    **dict(zip("абвгдезиклмнопрстуфхыэіјћ", "abvgdeziklmnoprstufhyeijc", strict=True)),
    **{"ж": "zh", "ц": "ts", "ч": "ch", "ш": "sh", "щ": "shch", "ю": "yu", "я": "ya", "ъ": "", "ь": ""},
    **{"є": "ye", "ґ": "g", "ђ": "dj", "љ": "lj", "њ": "nj", "џ": "dz", "ѓ": "g", "ќ": "k", "ѕ": "dz"},
    **dict(zip("αβγδεζηικλμνξοπρσςτυφω", "avgdeziiklmnxoprsstyfo", strict=True)),
    **{"θ": "th", "χ": "ch", "ψ": "ps"},
}
"""Letters that no accent parts from a plain one, and how they are written where there are only those."""
_PLAIN: Final = str.maketrans(
    _LETTERS | {"ẞ": "SS"} | {each.upper(): plain.title() for each, plain in _LETTERS.items() if each != "ß"}
)
_LONGEST_NAME: Final = 100
"""Letters of both players' names in the name of their game's folder: a name of 255 bytes is refused."""
SAID: Final = "said.txt"
"""What was said in a game."""
HEARD: Final = "heard"
"""The recorded announcements."""


def games_directory() -> Path:
    """Return the folder of all games: HECTOR_GAMES, or the user's data folder by the XDG rules."""
    named = os.environ.get("HECTOR_GAMES")
    return Path(named) if named else user_data("games")


def new_folder(setup: Setup, parent: Path | None = None) -> Path:
    """Return the path of a folder that does not exist yet, named by day, time and players."""
    parent = parent or games_directory()
    players = f"{setup.white.name}-{setup.black.name}"
    plain = unicodedata.normalize("NFKD", players).translate(_PLAIN).encode("ascii", "ignore").decode()
    slug = re.sub(r"[^A-Za-z0-9]+", "-", plain)[:_LONGEST_NAME].strip("-") or "game"
    return unused(parent / f"{time.strftime('%Y-%m-%d-%H%M%S')}-{slug}")


def unused(wanted: Path) -> Path:
    """Return a path, or one with a number after it, that does not exist yet."""
    path, number = wanted, 2
    while path.exists():
        path, number = wanted.with_name(f"{wanted.name}-{number}"), number + 1
    return path


def prepare(path: Path) -> Path:
    """Make the folder and prove that it can be written.

    :raises HectorError: if it cannot be made or written, or holds a game already.
    :raises UsageError: if a file that a game writes is there without a game, and holds something.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
        # Without a name, where the file system can do that: nothing of it is left, whatever happens.
        with tempfile.TemporaryFile(dir=path, prefix=".proof-"):
            pass
    except OSError as error:
        raise HectorError(
            "The folder {path} cannot be written: {reason}. Name another one with --save.",
            path=path,
            reason=error,
        ) from error
    if holds_game(path):
        raise taken(path)
    for file in (path / name for name in (*VIEWS, SAID)):
        if file.exists() and (not file.is_file() or file.stat().st_size):
            # It is somebody's own: only what a journal can bring back may be written over.
            raise UsageError("{path} exists already. Choose another folder with --save.", path=file)
    return path


@contextlib.contextmanager
def prepared(path: Path) -> Iterator[Path]:
    """Prepare a game's folder, and leave none behind if no game has been begun in it.

    :raises HectorError: as `prepare` does.
    """
    is_new = not path.exists()
    try:
        yield prepare(path)
    finally:
        with contextlib.suppress(OSError):
            remove_unbegun(path)
            if is_new and not (path / FILE_NAME).exists():
                path.rmdir()


def remove_leftovers(folder: Path) -> None:
    """Remove the files that a program was writing when it was killed; nobody else may be playing the game."""
    for name in (*VIEWS, "proof"):
        for path in folder.glob(f".{name}-????????"):
            with contextlib.suppress(OSError):
                path.unlink()


class SheetWriter:
    """Keeps the views of the game (PGN, sheets) on disk; a failure is told once and never stops the game.

    `render` makes the content of each file by name, on demand. The journal alone is the state: a view that
    could not be written now is written after the next move.
    """

    def __init__(self, warn: Callable[[str], None]) -> None:
        self._warn = warn
        self._failing: set[str] = set()

    def write(self, path: Path, render: Callable[[], bytes]) -> bool:
        """Write one view and return whether it is there."""
        name = path.name
        try:
            replace_file(path, render())
        except (HectorError, OSError) as error:
            if name not in self._failing:
                self._failing.add(name)
                self._warn(told(marked("{name} could not be written: {reason}", name=name, reason=error)))
            return False
        self._failing.discard(name)
        return True

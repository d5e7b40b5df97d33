"""Folders in which model directories are laid out for Vosk; who was killed leaves none for long."""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
import weakref
from collections.abc import Callable, Mapping
from pathlib import Path

from assistant.errors import HectorError
from assistant.hearing.engine import Decoder

_PREFIX = "hector-graphs-"
_LOCK = "in-use"


class Workshop:
    """A private folder in which model directories are laid out: the model's parts linked, a graph added."""

    def __init__(
        self,
        place: Path,
        parts: Mapping[str, Path | Callable[[], bytes]],
        *,
        configuration: str,
        words: str,
        boundaries: str,
    ) -> None:
        """Remember what every directory has in common.

        :param place: where the model itself is.
        :param parts: path inside the directory -> the file it stands for, or what returns its content.
        :raises HectorError: if the folder cannot be made.
        """
        self._place = place
        self._configuration = configuration
        self._words = words
        self._boundaries = boundaries
        self._given = parts
        try:
            _sweep()
            self._begin()
        except OSError as error:
            raise _unwritable(error) from error

    def _begin(self) -> None:
        root, lock = _own_folder()
        tidy = weakref.finalize(self, _give_up, root, lock)
        try:
            parts = {name: _file(root, name, part) for name, part in self._given.items()}
        except BaseException:
            tidy()
            raise
        self._root, self._tidy, self._parts = root, tidy, parts

    def lay_out(self, name: str, graph: bytes, *, extra: str = "") -> Path:
        """Return a directory with a graph, ready for Vosk; an earlier one of that name is used again.

        :param extra: options beside those that all directories have.
        :raises HectorError: if the folder cannot be written.
        """
        try:
            if not (self._root / _LOCK).exists():
                # Somebody has emptied the folder for temporary files.
                self._tidy()
                self._begin()
            directory = self._root / name
            if not directory.exists():
                self._fill(directory, extra)
            (directory / "graph" / "HCLG.fst").write_bytes(graph)
        except OSError as error:
            raise _unwritable(error) from error
        return directory

    def load(self, directory: Path, *, scale: float) -> Decoder:
        """Return a decoder for what is laid out in a directory.

        :raises HectorError: if Vosk refuses it, or it is gone.
        """
        if not directory.exists():
            raise HectorError(
                "The folder for temporary files, {parent}, was emptied. "
                "Type the next move; then Hector hears again.",
                parent=tempfile.gettempdir(),
            )
        return Decoder(directory, scale=scale, place=self._place)

    def _fill(self, whole: Path, extra: str) -> None:
        """Make a directory, which has its name only when nothing is missing in it."""
        directory = whole.with_name(f"{whole.name}-unfinished")
        shutil.rmtree(directory, ignore_errors=True)
        for name, original in self._parts.items():
            place = directory / name
            place.parent.mkdir(parents=True, exist_ok=True)
            try:
                # A link that leads to nothing would be noticed no sooner than by Vosk.
                place.symlink_to(original.resolve(strict=True))
            except OSError:
                shutil.copyfile(original, place)
        (directory / "graph" / "phones").mkdir(parents=True)
        (directory / "graph" / "words.txt").write_text(self._words, encoding="utf-8")
        (directory / "graph" / "phones" / "word_boundary.int").write_text(self._boundaries, encoding="utf-8")
        (directory / "conf").mkdir(exist_ok=True)
        (directory / "conf" / "model.conf").write_text(self._configuration + extra, encoding="utf-8")
        directory.rename(whole)


def _file(root: Path, name: str, part: Path | Callable[[], bytes]) -> Path:
    """Return where a part lies; what is no file yet is written once, for all directories."""
    if isinstance(part, Path):
        return part.resolve()
    path = root / name.replace("/", "-")
    path.write_bytes(part())
    return path


def _unwritable(error: OSError) -> HectorError:
    return HectorError(
        "The folder for temporary files, {parent}, cannot be written: {reason}.",
        parent=tempfile.gettempdir(),
        reason=error,
    )


def _own_folder() -> tuple[Path, int]:
    """A new folder with the descriptor of its lock, which ends with the process, however that ends."""
    while True:
        root = Path(tempfile.mkdtemp(prefix=_PREFIX))
        lock = os.open(root / _LOCK, os.O_WRONLY | os.O_CREAT, 0o600)
        _locked(lock, fcntl.LOCK_EX)
        # between its making and its locking another Hector may have taken it for one that is left
        if root.exists():
            return root, lock
        os.close(lock)


def _locked(lock: int, how: int) -> bool:
    try:
        fcntl.flock(lock, how)
    except OSError:
        return False
    return True


def _give_up(root: Path, lock: int) -> None:
    shutil.rmtree(root, ignore_errors=True)
    os.close(lock)


def _sweep() -> None:
    """Remove what processes that were killed have left: their locks ended with them."""
    for root in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        try:
            # everybody may put a folder there, and a pipe in it that nobody ever reads
            lock = os.open(root / _LOCK, os.O_WRONLY | os.O_NONBLOCK | os.O_NOFOLLOW)
        except OSError:
            # somebody else's, or so new that it has no lock yet
            continue
        if _locked(lock, fcntl.LOCK_EX | fcntl.LOCK_NB):
            _give_up(root, lock)
        else:
            os.close(lock)

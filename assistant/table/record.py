"""What a game leaves behind: the journal, what was said, and the sheets, all derived from the events."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from assistant.errors import HectorError, marked
from assistant.files import open_own
from assistant.journal import FILE_NAME, Journal, Record
from assistant.laws import Referee, ScriptError
from assistant.laws.script import moment_of, parse_line
from assistant.moves import read_move
from assistant.scoresheet import Game, render
from assistant.speaking import Sentence, told
from assistant.table.folder import SAID, VIEWS, SheetWriter, games_directory, remove_leftovers, unused
from assistant.table.setup import Setup, SheetStyle
from assistant.table.storage import Reserve

TIME_OF_DAY: Final = "%Y-%m-%dT%H:%M:%S%z"
"""How the journal has the time of day at which a line was written."""


class GameRecord:
    """Keeps a live game in its folder. The journal is the state; everything else is a view of it."""

    def __init__(self, journal: Journal, warn: Callable[[str], None], *, has_game: bool = False) -> None:
        self.has_game = has_game
        self.has_left = False
        """Whether all of the game is in another folder, as its own did not take it."""
        self.lacks_sheets = False
        """Whether the PGN or a sheet is older than the game, as it could not be written."""
        self._journal = journal
        self._waiting: list[dict[str, Any]] = []
        self._counted = journal.appended
        """How many lines the journal had taken when what waits was last looked at."""
        self._reserve = Reserve(self.folder)
        self._sheets = SheetWriter(warn)
        self._warn = warn
        self._said_fails = False
        self._written: Game | None = None

    @property
    def folder(self) -> Path:
        """Where the game is kept: where its journal lies, although somebody may have moved it."""
        return self._journal.path.parent

    def line(self, line: dict[str, Any]) -> None:
        """Write a line of the script through, with the time of day for the arbiter.

        What the disk refuses is kept, and written before the next line, or by `catch_up`: a journal with a
        hole would be another game's.

        :raises HectorError: if it cannot be written now.
        """
        self._waiting.append({**line, "time": time.strftime(TIME_OF_DAY, time.localtime(time.time()))})
        self._write()

    def _write(self) -> None:
        # A signal may have come when they were on the disk and before they were forgotten.
        self._forget_written()
        try:
            self._journal.append(*self._waiting)
        except HectorError:
            if not self._reserve.spend():
                raise
            self._journal.append(*self._waiting)
        self._forget_written()

    def _forget_written(self) -> None:
        """Wait no more for the lines that the journal has taken."""
        taken = self._journal.appended
        self._waiting, self._counted = self._waiting[taken - self._counted :], taken

    def catch_up(self) -> bool:
        """Try again to write the lines that wait; return whether none does any more."""
        if self._waiting:
            try:
                self._write()
            except HectorError:
                return False
        return True

    def settle(self) -> int:
        """Write what waits, before the game is left; what its folder does not take, into another one.

        A sheet that it did not take counts too: whoever asks for the game wants that. `folder` names the
        other one afterwards: it holds all of the game. Return how many lines nothing has taken.
        """
        missing = 0
        try:
            self.look()
        except HectorError:
            missing = len(self._journal.content().lines)
        if not missing and self.catch_up() and not self.lacks_sheets:
            return 0
        return 0 if self._go_elsewhere() else missing + len(self._waiting)

    def _go_elsewhere(self) -> bool:
        before, name = self.folder, f"{self.folder.name}-rescued"
        # Where no disk has room there is no temporary directory either: each is looked for in its turn.
        parents: tuple[Callable[[], Path], ...] = (
            lambda: before.parent,
            games_directory,
            lambda: Path(tempfile.gettempdir()),
        )
        for parent in parents:
            try:
                folder = unused(parent() / name)
                lines = self._journal.content().lines
                journal = Journal.create(folder)
            except (HectorError, OSError):
                continue
            try:
                journal.append(*lines, *self._waiting)
            except HectorError:
                journal.close()
                shutil.rmtree(folder, ignore_errors=True)
                continue
            self._journal.close()
            self._journal, self._waiting, self._counted = journal, [], journal.appended
            self._written, self.has_left = None, True
            _copy_rest(before, folder)
            return True
        return False

    def make_room(self) -> None:
        """Give up the room that is kept for the journal: no more lines come."""
        self._reserve.spend()

    def look(self) -> None:
        """See to it that the journal is where the game's folder names it, as before every line.

        :raises HectorError: if something else lies there, or it cannot be written anew.
        """
        self._journal.look()
        self._reserve.folder = self.folder

    def locate(self) -> Path:
        """Return where the game is kept now, as far as that can be seen. Safe to be called by any thread."""
        with contextlib.suppress(HectorError):
            self.look()
        return self.folder

    def said(self, sentence: Sentence, at: float) -> None:
        """Note a sentence in said.txt with the game's time and its audience."""
        minutes, seconds = divmod(at, 60)
        hours, minutes = divmod(int(minutes), 60)
        line = f"{hours}:{minutes:02}:{seconds:06.3f} {sentence.audience}: {sentence.text}\n"
        try:
            descriptor = open_own(self.folder / SAID, os.O_WRONLY | os.O_APPEND)
            with os.fdopen(descriptor, "a", encoding="utf-8") as file:
                file.write(line)
        except OSError as error:
            if not self._said_fails:
                lost = marked("{name} could not be written: {reason}", name=SAID, reason=error)
                self._warn(told(lost))
            self._said_fails = True

    def views(self, game: Game, language: str, style: SheetStyle) -> None:
        """Write the PGN and the sheets anew; what cannot be written is told once."""
        if game == self._written:
            return
        how = asdict(style.writable(language))
        written = [
            self._sheets.write(self.folder / name, lambda kind=kind: render(game, kind, language, **how))  # type: ignore[misc]
            for name, kind in VIEWS.items()
        ]
        self.lacks_sheets = not all(written)
        self._written = None if self.lacks_sheets else game

    def close(self) -> None:
        self.catch_up()
        self._reserve.close()
        self._journal.close()


def _copy_rest(before: Path, folder: Path) -> None:
    """Copy what lies beside a journal: the pulse, an envelope, the page's PINs; what can be had of it."""
    with contextlib.suppress(OSError):
        for path in before.iterdir():
            if path.is_file() and path.name != FILE_NAME and not path.name.startswith("."):
                # A link stays one: what it leads to may be no part of the game.
                with contextlib.suppress(OSError):
                    shutil.copy2(path, folder, follow_symlinks=False)


class NoRecord:
    """Keeps nothing: for a game that is only tried."""

    has_game = False

    def line(self, line: dict[str, Any]) -> None:
        pass

    def said(self, sentence: Sentence, at: float) -> None:
        pass

    def views(self, game: Game, language: str, style: SheetStyle) -> None:
        pass


def open_record(folder: Path, warn: Callable[[str], None]) -> GameRecord:
    """Begin the record of a new game.

    :raises HectorError: if the folder cannot be written or holds a game.
    """
    return GameRecord(Journal.create(folder), warn)


def reopen_record(
    folder: Path, warn: Callable[[str], None], check: Callable[[Setup], object] = lambda setup: None
) -> tuple[GameRecord, Setup, list[dict[str, Any]]]:
    """Continue the record of a game: return it, the setup, and the script lines so far.

    `check` looks at the setup before anything is written; if it raises, nothing has changed.

    :raises HectorError: if the folder holds no game that can be read; then nothing has changed.
    """

    def look_at(record: Record) -> None:
        check_lines(folder, record.lines)
        check(setup_in(folder, record.lines))

    journal, kept = Journal.reopen(folder, look_at)
    remove_leftovers(folder)
    record = GameRecord(journal, warn, has_game=True)
    return record, setup_in(folder, kept.lines), list(kept.lines[1:])


def written_at(line: Mapping[str, Any]) -> float | None:
    """Return the time of day at which a line of a journal was written, in whole seconds since 1970.

    None where it has none that can be read.
    """
    try:
        return datetime.strptime(line["time"], TIME_OF_DAY).timestamp()
    except (KeyError, TypeError, ValueError, OverflowError):
        return None


def setup_in(folder: Path, lines: Sequence[Mapping[str, Any]]) -> Setup:
    """Return what was agreed, from the first line of a journal.

    :raises HectorError: if it holds no game.
    """
    try:
        setup = Setup.from_journal(lines[0]["game"], lines[0].get("table", {}))
        Referee(setup.game(), read_move)
    except ScriptError as error:
        raise _damaged(folder, 1, error) from error
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        raise HectorError(
            "{folder} holds a journal without a game; nothing was changed.", folder=folder
        ) from error
    return setup


def replayed(lines: Sequence[Mapping[str, Any]]) -> Referee:
    """Return the referee of a game after the lines of its journal, the first of which has the game."""
    referee = Referee(lines[0]["game"], read_move=read_move)
    for line in lines[1:]:
        referee.apply(line)
    return referee


def check_lines(folder: Path, lines: Sequence[Mapping[str, Any]], taken: int = 0) -> None:
    """Check the lines of a journal, without the first `taken`, which have been checked.

    :raises HectorError: if the first has no game, or another is no line of a script; it names that line.
    """
    if not taken:
        setup_in(folder, lines)
    now = moment_of(lines[taken - 1], 0) if taken > 1 else 0
    for number, line in enumerate(lines[max(taken, 1) :], max(taken, 1) + 1):
        try:
            now = parse_line(line, now).at
        except ScriptError as error:
            raise _damaged(folder, number, error) from error


def _damaged(folder: Path, number: int, error: ScriptError) -> HectorError:
    return HectorError(
        "{folder} is damaged in line {number}; nothing was changed. {reason} Restore it from a copy.",
        folder=folder / FILE_NAME,
        number=number,
        reason=error,
    )

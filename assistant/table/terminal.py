"""What the terminal of a live game shows beside what Hector says: one fact a line, in the game's language."""

from __future__ import annotations

import queue
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Final

from assistant.quiet import give_up, report
from assistant.speaking import Message, _, translate
from assistant.threads import begin_thread

# Translators: before the game, on the terminal; one line for each fact. The letters are keys and stay.
BEFORE: Final = _("? and Enter: help.\nq and Enter: stop.")
# Translators: told when something needs the clock to be started first.
NOT_STARTED: Final = _("The clock has not been started.")
# Translators: before the game, when something that begins none was typed, and there is no clock.
NOT_BEGUN: Final = _("The game has not begun.")
# Translators: the game was stopped from the keyboard; {command} is what to type.
STOPPED: Final = _("Stopped. The game goes on with: {command}")
# Translators: the game is over, or nobody is left; {folder} is where it is kept.
KEPT: Final = _("The game is in {folder}")
# Translators: at the end; the disk is full, say. The line after it tells the other folder.
ELSEWHERE: Final = _("The game could not be kept in {folder}. All of it is in another folder.")
# Translators: at the end; no disk takes the last entries. The moves follow, as PGN.
LOST: Final = _("Entries of the game that are not kept: {count}.\nHow the game stands; write it down:")
# Translators: at the end; the disk is full, say. {command} is what to type when there is room.
OLDER_SHEETS: Final = _("PGN and scoresheets are older than the game. Make room, then: {command}")
# Translators: the answer when something is done after the end of the game.
OVER: Final = _("The game is over.")
# Translators: what can be typed, one line for each; the letters and the English words stay.
KEYS: Final = _(
    "Space bar, or Enter alone: press the clock.\n"
    "Escape: silence.\n"
    "The others with Enter:\n"
    "t: times.\n"
    "m: moves completed.\n"
    "c: moves to the control.\n"
    "l: last move.\n"
    "o: the opponent's last move.\n"
    "p: position, where it may be told.\n"
    "r: repeat.\n"
    "k: correct.\n"
    "s: silence.\n"
    "y: yes.\n"
    "n: no.\n"
    "draw, accept, decline, resign: words of the sighted player.\n"
    "arbiter: what waits for the arbiter. arbiter ?: what he can type.\n"
    "q: stop; the game is kept."
)


def lines(message: Message, language: str, **values: object) -> Iterator[str]:
    """Yield the lines of one of the messages above."""
    for line in translate(message, language).split("\n"):
        yield line.format(**values)


def show(line: str) -> None:
    """Print a line at once."""
    try:
        print(line, flush=True)
    except OSError:
        # Whoever read along has gone; the players have not.
        give_up(sys.stdout)


def is_at_terminal() -> bool:
    """Return whether standard input is a terminal: somebody could type. It may be closed."""
    return sys.stdin is not None and sys.stdin.isatty()


class Printer:
    """Writes to the terminal from a thread of its own: where that hangs on the way, no clock waits for it."""

    PATIENCE: Final = 3.0
    """Seconds without any line shown after which the end of the program waits no longer."""

    def __init__(self, write: Callable[[str], None] = show) -> None:
        self._write = write
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._shown = 0
        self._thread = threading.Thread(target=self._run, name="printer", daemon=True)
        begin_thread(self._thread.start)

    def _run(self) -> None:
        while (line := self._lines.get()) is not None:
            self._write(line)
            self._shown += 1

    def show(self, line: str) -> None:
        """Write a line after those before it, as soon as they are written."""
        self._lines.put(line)

    def close(self) -> None:
        """Wait until everything is shown, unless that hangs; nothing more is shown."""
        self._lines.put(None)
        shown = -1
        while self._thread.is_alive() and self._shown != shown:
            shown = self._shown
            self._thread.join(self.PATIENCE)


def show_all(message: Message, language: str, *, by: Callable[[str], None] = show, **values: object) -> None:
    """Print the lines of one of the messages above."""
    for line in lines(message, language, **values):
        by(line)


def warn(line: str) -> None:
    """Tell of what went wrong beside the game, on standard error."""
    report(f"hector: {line}")

"""What the terminal of a live game shows beside what Hector says: one fact a line, in the game's language."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Final

from assistant.quiet import report, write_line
from assistant.speaking import Message, _, translate

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
    if sys.stdout is not None:
        write_line(sys.stdout, line)


def is_at_terminal() -> bool:
    """Return whether standard input is a terminal: somebody could type. It may be closed."""
    return sys.stdin is not None and sys.stdin.isatty()


def show_all(message: Message, language: str, *, by: Callable[[str], None] = show, **values: object) -> None:
    """Print the lines of one of the messages above."""
    for line in lines(message, language, **values):
        by(line)


def warn(line: str) -> None:
    """Tell of what went wrong beside the game, on standard error."""
    report(f"hector: {line}")

"""Lines made of the keys of a terminal, each key known at once."""

from __future__ import annotations

import re
from typing import Final

ESCAPE: Final = "\x1b"
"""The key, and the line that it makes by itself: Hector falls silent. It answers no question."""
SILENCING: Final = frozenset({"s", ESCAPE})
"""The lines that silence Hector, in lower case."""
_SEQUENCE: Final = re.compile(r"\x1b(?:[\[O][0-?]*[ -/]*[@-~]|.)", re.DOTALL)
"""What a terminal sends for the keys that are no signs: arrows, function keys, a sign with Alt."""
_BACKSPACES: Final = "\x7f\b"
_KILL_WORD, _KILL_LINE = "\x17", "\x15"


def is_quit(line: str) -> bool:
    """Return whether whoever typed a line wants the program to end."""
    return line.strip().lower() == "q"


class LineEditor:
    """Edits one line as a terminal's driver would, at its end alone, and never draws anything anew.

    The space bar at the beginning of a line is a line of its own, an empty one; escape is one too. Control
    and D is no sign like the others of its kind: one slip must not end the keyboard of a game.
    """

    def __init__(self) -> None:
        self.hidden = False
        """Whether what is typed is not to be shown; then the space bar is nothing special."""
        self._line = ""
        self._escaped = False

    def take(self, keys: str) -> tuple[list[str], str]:
        """Take what was typed; return the lines that are complete, and what the terminal is to show."""
        if self._escaped and keys.startswith("["):
            # Through a slow line an arrow comes in two pieces; no line of a game begins like that.
            keys = ESCAPE + keys
        self._escaped = keys == ESCAPE
        if self._escaped:
            shown = self._erase(len(self._line))
            return [ESCAPE], shown
        lines: list[str] = []
        shown = ""
        for key in _SEQUENCE.sub("", keys):
            if key in "\r\n":
                lines.append(self._line)
                self._line = ""
                shown += "\n"
            elif key == " " and not self._line and not self.hidden:
                lines.append("")
            elif key in _BACKSPACES:
                shown += self._erase(1)
            elif key == _KILL_WORD:
                shown += self._erase(len(self._line) - len(_without_last_word(self._line)))
            elif key == _KILL_LINE:
                shown += self._erase(len(self._line))
            elif key.isprintable():
                self._line += key
                shown += "" if self.hidden else key
        return lines, shown

    def rest(self) -> str:
        """Return the line that was begun and never ended."""
        return self._line

    def _erase(self, count: int) -> str:
        count = min(count, len(self._line))
        self._line = self._line[: len(self._line) - count]
        return "" if self.hidden else "\b \b" * count


def _without_last_word(line: str) -> str:
    before, blank, _word = line.rstrip().rpartition(" ")
    return before + blank

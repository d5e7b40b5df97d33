"""Lines made of the keys of a terminal, each key known at once."""

from __future__ import annotations

import re
from typing import Final

ESCAPE: Final = "\x1b"
"""The key, and the line that it makes by itself: Hector falls silent. It answers no question."""
SILENCING: Final = frozenset({"s", ESCAPE})
"""The lines that silence Hector, in lower case."""
HELP: Final = "?"
"""The line that asks for the keys; F1 makes it by itself."""
PASTES_MARKED: Final = "\x1b[?2004h"
"""What lets a terminal put brackets around what is pasted."""
PASTES_UNMARKED: Final = "\x1b[?2004l"
_PASTE_BEGINS, _PASTE_ENDS = "\x1b[200~", "\x1b[201~"
_F1: Final = frozenset({"\x1bOP", "\x1b[11~", "\x1b[[A"})
"""The key as xterm, rxvt and the Linux console send it."""
_KEY: Final = re.compile(
    r"""
    (?P<special> \x1b+ (?:  # twice with Alt, in some terminals
        \[\[ [A-E]  # F1 to F5 of the Linux console
        | \[M [^\x00-\x1f]{3}  # an old mouse, with where it was
        | \[ [0-9;]* \$  # rxvt, with the shift key
        | \[ [0-?]* [\x20-/]* [@-Z\\-~]  # any other control sequence: arrows, F5, the brackets of a paste
        | O [0-9;]* [A-Za-z]  # F1 to F4, and the keypad
        | \[ \[?+ [0-?]*+ [\x20-/]*+ (?=.)  # one that nothing can complete any more
        | [^\[O\x1b]  # a sign with Alt
    ) )
    | (?P<begun> \x1b+ (?: \[ \[? [0-?]* [\x20-/]* | O [0-9;]* )? \Z )
    | (?P<sign> . )
    """,
    re.DOTALL | re.VERBOSE,
)
"""What a terminal sends for one key: a sign, or what is none, or the beginning of that."""
_AFTER_ESCAPE: Final = re.compile(r"\[|O[0-9;]*[A-DFHP-S]")
"""How the rest of a key's signs begins. Whoever answers "Oui" types a letter after the other."""
_BACKSPACES: Final = "\x7f\b"
_KILL_WORD, _KILL_LINE = "\x17", "\x15"


def is_quit(line: str) -> bool:
    """Return whether whoever typed a line wants the program to end."""
    return line.strip().lower() == "q"


class LineEditor:
    """Edits one line as a terminal's driver would, at its end alone, and never draws anything anew.

    The space bar at the beginning of a line is a line of its own, an empty one; escape and F1 are one too,
    and no other key that is no sign leaves anything on the line. What is pasted, where the terminal tells so,
    presses no clock: it makes no empty line. Control and D is no sign like the others of
    its kind: one slip must not end the keyboard of a game.
    """

    def __init__(self) -> None:
        self.hidden = False
        """Whether what is typed is not to be shown; then the space bar is nothing special."""
        self._line = ""
        self._is_pasted = False
        """Whether what comes is not typed but pasted."""
        self._begun = ""
        """What has come of a key whose signs come in pieces, as through a slow line."""

    def take(self, keys: str) -> tuple[list[str], str]:
        """Take what was typed; return the lines that are complete, and what the terminal is to show."""
        # A piece that is the escape key by itself has been that key already, and no line of a game begins so.
        is_rest = self._begun != ESCAPE or _AFTER_ESCAPE.match(keys)
        keys = self._begun + keys if is_rest else keys
        self._begun = ""
        lines: list[str] = []
        shown = ""
        for found in _KEY.finditer(keys):
            key = found[0]
            if found["begun"]:
                self._begun = key if key.strip(ESCAPE) else ESCAPE
                if self._begun == ESCAPE:
                    lines.append(ESCAPE)
                    shown += self._erase(len(self._line))
            elif found["special"]:
                if key in (_PASTE_BEGINS, _PASTE_ENDS):
                    self._is_pasted = key == _PASTE_BEGINS
                elif key in _F1 and not self.hidden:
                    lines.append(HELP)
            elif self._is_pasted and not self._line and (key in "\r\n" or (key == " " and not self.hidden)):
                # Neither a key nor a line: nobody presses his clock with a paste.
                pass
            elif key in "\r\n":
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

"""What a braille display shows, and how its keys change that. No device, no thread, no clock."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum, auto

import chess

from assistant.display.lines import Line, Word, cells_of, lines_of, move_line, number_line, windows
from assistant.errors import HectorError
from assistant.scoresheet import BrailleCode, Game, Ply, clock_text, new_game

MOST_MESSAGES = 20
"""Messages that wait at most; then the oldest that is not being read gives way."""


class Key(Enum):
    """What the keys of a display can ask for."""

    PAN_LEFT = auto()
    PAN_RIGHT = auto()
    LINE_UP = auto()
    LINE_DOWN = auto()
    FIRST_LINE = auto()
    LAST_LINE = auto()
    ACKNOWLEDGE = auto()
    """Away with the message; without one, back to the last move."""
    CLOCKS = auto()
    ROUTE = auto()
    """The key above one cell."""


@dataclass(frozen=True, slots=True)
class _Message:
    line: Line
    key: str | None


class Screen:
    """The window on a game: messages first, then the last move, and the running sheet above it.

    The last move follows the game by itself. Whoever has gone up into the sheet stays where he reads, and a
    message stays until it is acknowledged, whatever happens meanwhile.
    """

    def __init__(self, code: BrailleCode, width: int = 40) -> None:
        self.width = width
        """Cells of the display."""
        self._code = code
        self._game = new_game()
        self._waits = False
        """Whether the last half-move is announced and not completed."""
        self._sheet: tuple[Line, ...] = ()
        self._last: Line = number_line(self._game, code)
        self._messages: list[_Message] = []
        self._line: int | None = None
        self._pan = 0
        self._message_pan = 0

    # What there is to be shown

    def show_game(self, game: Game, announced: chess.Move | None = None) -> None:
        """Show a game as it stands; `announced` is a move that still waits for its press.

        It is shown without the sign for check or mate: he who may still mend it is not told which move gives
        it (11.3.1).

        :raises HectorError: if a move has no cells.
        """
        whole = game if announced is None else game.with_ply(Ply(announced))
        last = len(whole.plies) - 1
        self._waits = announced is not None
        line = self._move_line(whole, last) if last >= 0 else number_line(game, self._code)
        if game.result != "*" and announced is None:
            line += tuple(map(Word, self._code.tokens([game.result])))
        sheet = lines_of(game, self._code)
        if line != self._last and self._line is None:
            self._pan = 0
        self._game, self._sheet, self._last = whole, sheet, line
        if self._line is not None and self._line >= len(sheet):
            # The moves that were being read have been taken back.
            self._line, self._pan = None, 0

    def tell(self, text: str, key: str | None = None) -> None:
        """Show a message when those before it are acknowledged; one with the same key it replaces.

        :raises HectorError: if liblouis is missing.
        """
        self._add(_Message(tuple(map(Word, self._code.message(" ".join(text.split())))), key))

    def show_clocks(self, milliseconds: tuple[int, int]) -> None:
        """Show two clock times as a message, the reader's first.

        :raises HectorError: if a profile cannot write them.
        """
        first, second = (clock_text(time // 1000 * 1000) for time in milliseconds)
        self._add(_Message(tuple(map(Word, self._code.tokens([first, second]))), "clocks"))

    def _add(self, message: _Message) -> None:
        for place, other in enumerate(self._messages):
            if message.key is not None and other.key == message.key:
                self._messages[place] = message
                if place == 0:
                    self._message_pan = 0
                return
        if len(self._messages) == MOST_MESSAGES:
            del self._messages[1]
        self._messages.append(message)

    # What is shown

    @property
    def window(self) -> str:
        """The cells of the display, in Unicode braille, exactly as many as it has."""
        return cells_of(self._windows[self._place], self.width)

    @property
    def has_message(self) -> bool:
        return bool(self._messages)

    @property
    def _windows(self) -> tuple[tuple[tuple[int, Word], ...], ...]:
        if self._messages:
            return windows(self._messages[0].line, self.width)
        return windows(self._last if self._line is None else self._sheet[self._line], self.width)

    @property
    def _place(self) -> int:
        # A display of another size may have taken the place of the one before.
        wanted = self._message_pan if self._messages else self._pan
        return min(wanted, len(self._windows) - 1)

    # Keys

    def press(self, key: Key, cell: int = 0) -> bool:
        """Act on a key; `cell`, counted from 0, is a routing key's. Return whether it asks for the clocks."""
        match key:
            case Key.CLOCKS:
                return True
            case Key.PAN_LEFT | Key.PAN_RIGHT:
                self._pan_by(1 if key is Key.PAN_RIGHT else -1)
            case Key.ACKNOWLEDGE:
                self._acknowledge()
            case Key.ROUTE if self._messages:
                self._acknowledge()
            case Key.ROUTE:
                self._show_move_at(cell)
            case _ if not self._messages:
                self._go(key)
        return False

    def _pan_by(self, step: int) -> None:
        place = max(0, min(self._place + step, len(self._windows) - 1))
        if self._messages:
            self._message_pan = place
        else:
            self._pan = place

    def _acknowledge(self) -> None:
        if self._messages:
            del self._messages[0]
            self._message_pan = 0
        else:
            self._line, self._pan = None, 0

    def _go(self, key: Key) -> None:
        """Go to another line; below the last line of the sheet stands the last move."""
        end = len(self._sheet)
        here = end if self._line is None else self._line
        there = {Key.LINE_UP: here - 1, Key.LINE_DOWN: here + 1, Key.FIRST_LINE: 0, Key.LAST_LINE: end - 1}
        line = max(0, min(there[key], end))
        if line != here:
            self._line, self._pan = None if line == end else line, 0

    def _show_move_at(self, cell: int) -> None:
        """Show the move above whose cells the key was pressed in full, as a message."""
        for start, word in self._windows[self._place]:
            if start <= cell < start + len(word.cells) and word.ply is not None:
                self._add(_Message(self._in_full(word.ply), "move"))

    def _in_full(self, ply: int) -> Line:
        try:
            line = self._move_line(self._game, ply, "long")
        except HectorError:
            # A profile that has no cells for the long form has them for the short one.
            line = self._move_line(self._game, ply)
        return tuple(replace(word, ply=None) for word in line)

    def _move_line(self, game: Game, ply: int, form: str = "short") -> Line:
        waits = self._waits and ply == len(game.plies) - 1
        return move_line(game, ply, self._code, form, with_check=not waits)

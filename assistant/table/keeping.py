"""How a game is kept: its lines, written before anyone is told, and its sheets."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from assistant.errors import HectorError
from assistant.scoresheet import Game
from assistant.speaking import Sentence, told
from assistant.table.setup import Setup, SheetStyle
from assistant.table.telling import Teller


class Record(Protocol):
    """Where the game is kept: written before anyone is told."""

    @property
    def has_game(self) -> bool:
        """Whether what was agreed is on record already."""

    def line(self, line: dict[str, Any]) -> None:
        """Write a line of the script through to the disk.

        :raises HectorError: if it cannot be written.
        """

    def said(self, sentence: Sentence, at: float) -> None:
        """Note a sentence that was said."""

    def views(self, game: Game, language: str, style: SheetStyle) -> None:
        """Write the sheets anew."""


class Keeper:
    """Writes down what happens in one game, and tells when that cannot be done and when it can again."""

    def __init__(
        self,
        setup: Setup,
        record: Record,
        teller: Teller,
        show: Callable[[str], None],
        sheet: Callable[[], Game],
    ) -> None:
        """`sheet`: the game as it stands on the scoresheet."""
        self._setup = setup
        self._record = record
        self._teller = teller
        self._show = show
        self._sheet = sheet
        self._is_unsaved = False
        """Whether it was told that the game cannot be saved, and not yet that it is saved again."""

    def write_agreed(self) -> None:
        """Write down what was agreed, if it is not on record already."""
        if not self._record.has_game:
            self.write({"game": self._setup.game(), "table": self._setup.table()})

    def write(self, line: dict[str, Any]) -> None:
        """Write a line of the script down; tell if it cannot be, or can be again."""
        try:
            self._record.line(line)
        except HectorError as error:
            self.tell_unsaved(error)
        else:
            self.tell_saved()

    def write_sheets(self) -> None:
        """Bring the sheets up to date."""
        self._record.views(self._sheet(), self._setup.language, self._setup.sheet)

    def tell_unsaved(self, error: HectorError) -> None:
        """Tell, once until it is mended, that what happens cannot be written down.

        The game goes on: the board and the clock are the players', and the journal may yet recover.
        """
        if not self._is_unsaved:
            self._is_unsaved = True
            self._show(f"hector: {told(error)}")
            self._teller.say(self._teller.equipment.not_recorded())

    def tell_saved(self) -> None:
        """Tell that all is written down again, if it was told that it cannot be."""
        if self._is_unsaved:
            self._is_unsaved = False
            self._teller.say(self._teller.equipment.saved_again())
            self.write_sheets()

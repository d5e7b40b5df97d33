"""An announcement that broke off: what is said next may be the rest of it.

"Springer", a long look at the board, "Felix sechs": alone the rest is a pawn's move. Hearing holds an
announcement open for a while (`unfinished` in hearing/endpoint.toml); after that the words are put together
here, and the player is asked.
"""

from __future__ import annotations

from dataclasses import dataclass

import chess

from assistant.announcements import Decision, Phrasebook
from assistant.table.dialogue import Words

CONTINUES = 8.0
"""Seconds after a beginning within which what is said may be its rest."""


@dataclass(frozen=True, slots=True)
class _Beginning:
    words: Words
    board: chess.Board
    until: float


class BrokenOff:
    """The beginning that was heard last, as long as it may go on."""

    def __init__(self) -> None:
        self._begun: _Beginning | None = None

    def moves_with(self, decision: Decision, book: Phrasebook, start: float, end: float) -> list[chess.Move]:
        """Return the moves that the last beginning and what was heard now are together, and remember this.

        None where they are no phrase of the position, or the same move as without the beginning.

        :param start: when what was decided about began, in seconds of the game's time, and `end` when it was
            over.
        """
        begun, self._begun = self._begun, None
        if decision.kind == "ask" and _goes_on(decision.words, book):
            self._begun = _Beginning(decision.words, book.board, end + CONTINUES)
        if begun is None or start > begun.until or book.board != begun.board or decision.kind == "reject":
            return []
        moves = [meaning.move for meaning in book.phrases.get(begun.words + decision.words, ())]
        return [] if decision.move in moves else [move for move in moves if move is not None]


def _goes_on(words: Words, book: Phrasebook) -> bool:
    """Return whether a phrase begins with these words and goes on."""
    length = len(words)
    return any(len(each) > length and each[:length] == words for each in book.phrases)

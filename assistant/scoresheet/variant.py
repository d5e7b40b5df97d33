"""Which game the tags of a sheet or of a PGN name: chess, or Chess960 as people and programs spell it."""

from __future__ import annotations

import re

import chess
import chess.pgn

from assistant.errors import UsageError

_CHESS960 = re.compile(r"[^\W\d]*960|fischerr?andom\w*|freestyle\w*")


class Headers(chess.pgn.Headers):
    """Tags that know Chess960 by more names than the board library does."""

    def is_chess960(self) -> bool:
        spelling = "".join(filter(str.isalnum, self.get("Variant", ""))).casefold()
        return _CHESS960.fullmatch(spelling) is not None

    def check_variant(self) -> None:
        """Make sure that it is a game that Hector knows.

        :raises UsageError: if it is of another variant.
        """
        try:
            is_chess = self.variant() is chess.Board
        except ValueError:
            is_chess = False
        if not is_chess:
            raise UsageError(
                "Hector knows chess and Chess960, not the variant {variant!r}.", variant=self["Variant"]
            )

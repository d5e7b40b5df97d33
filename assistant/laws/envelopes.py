"""What holds a sealed move: the adjournment, and the second envelope of a reply (Guideline I)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

import chess

from assistant.board import is_legal
from assistant.errors import marked
from assistant.laws.events import Microseconds
from assistant.sides import Side

if TYPE_CHECKING:
    from assistant.laws.state import Game, Waiting

Entered: TypeAlias = Literal["", "lost", "read", "due"]
"""Which move the next announcement of a player who has sealed is: none while it lies sealed; the one that he
declares, its envelope being `lost` (I.12.1); the one that the arbiter has `read` in an open envelope (I.8.2);
one that is `due` instead of what he sealed (4.3, 7.5.1, 9.5.2)."""

IS_THE_SEALED_ONE: Final = marked("the move made on the board after the order must be the sealed one")


@dataclass(slots=True)
class Adjournment:
    """An adjournment from the order to seal to the sealed move's being made.

    `sealed` is the text that was written, `box` what hides it where it was enciphered, `fixed` the move made
    on the board after the order. `answers_offer`: it was sealed while an offer of the opponent's was open.
    `void`: the position has changed since the envelope was closed. `offers`: what was found in it ends with
    the sign (=) of a draw offer (8.1.5). `entered`: see `Entered`. `asked`: what
    the arbiter was asked about the move that was found, `late`: about players who came too late, `flagged`:
    about a flag that fell. `on_flag`: how a fallen flag is ruled on while the move is not made.
    """

    sealer: Side
    session_end: Microseconds | None
    resumption: str
    sealed: str | None = None
    box: str = ""
    fixed: chess.Move | None = None
    closed: bool = False
    resumed_at: Microseconds | None = None
    void: bool = False
    answers_offer: bool = False
    offers: bool = False
    entered: Entered = ""
    asked: Waiting | None = None
    late: list[Waiting] = field(default_factory=list)
    flagged: Waiting | None = None
    on_flag: Callable[[Game, Side], None] | None = None

    def stands(self, board: chess.Board) -> bool:
        """Has a lawful move been made on the board after the order to seal, which must be the sealed one?"""
        return self.fixed is not None and is_legal(board, self.fixed)


@dataclass(slots=True)
class SecondEnvelope:
    """The reply to an absent sealer's move, sealed in its turn (I.9.3), until it is made.

    `text` is what was written, `box` what hides it where it was enciphered; the rest as in `Adjournment`.
    """

    replier: Side
    text: str
    box: str
    offers: bool = False
    entered: Entered = ""
    asked: Waiting | None = None
    flagged: Waiting | None = None
    on_flag: Callable[[Game, Side], None] | None = None


Envelope: TypeAlias = Adjournment | SecondEnvelope
"""What holds a sealed move: the adjournment itself, or the second envelope with the reply."""

"""What `undo` withdraws: a person's own slip, and in a rated game nothing that binds him."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import chess

from assistant.errors import Phrase, marked
from assistant.laws.script import Line
from assistant.laws.setup import Mode
from assistant.laws.state import Game
from assistant.sides import Side, other

_NEVER_WITHDRAWN = {
    "claim": (marked("a claim cannot be withdrawn"), "claim-stands"),
    "offer-draw": (marked("an offer cannot be withdrawn"), "offer"),
}
"""What not even the arbiter withdraws in a rated game."""
_BINDS_THE_PLAYER = {
    "touch": (marked("a man that was touched is moved or captured"), "touch-own"),
    "decline-draw": (marked("an offer that was declined is declined"), "offer"),
}
"""What a player does not withdraw himself in a rated game, while the arbiter may have noted it by mistake."""


class Taken(NamedTuple):
    """A line that counts, and whether it stopped a clock that ran, put a man down, closed an envelope."""

    line: Line
    given: Mapping[str, Any]
    stops: bool
    places: bool
    closes: bool


def last_line(lines: Sequence[Taken]) -> int | None:
    """Return which of the lines that count `undo` is about, None if there is none.

    It is the last that is no question: that has been answered, and there is nothing in it to take back.
    """
    return next((at for at in reversed(range(len(lines))) if lines[at].line.do != "ask"), None)


def refusal_of_undo(
    lines: Sequence[Taken], side: Side | None, mode: Mode
) -> tuple[Phrase, str | None] | None:
    """Return why the line that `undo` is about stands, and the kind of ruling behind it; None if it goes.

    `side` is whose `undo` it is, None for the arbiter's.
    """
    at = last_line(lines)
    if at is None:
        return marked("there is nothing to withdraw"), None
    taken = lines[at]
    last = taken.line
    if last.do == "start":
        # A game that has not begun has no moves, and it begins once.
        return marked("the start of the clock cannot be withdrawn"), None
    if taken.closes:
        # Until the clock is stopped the sealed move may be changed, and no longer (I.1.1).
        return marked("the envelope is closed"), "seal"
    if last.do == "press" and mode == "rated":
        return marked("after the press nothing is withdrawn"), None
    if side is not None and _author(last) != side:
        return marked("the last line is somebody else's"), None
    if mode != "rated":
        return None
    stands = _NEVER_WITHDRAWN.get(last.do)
    if side is None or stands is not None:
        return stands
    if taken.places:
        return marked("the man has been released and stands"), "released"
    return _BINDS_THE_PLAYER.get(last.do)


def _author(line: Line) -> Side | None:
    """Return which player a line comes from, None for the arbiter: what it says of a player may be his."""
    if line.do == "penalty" or line.side is None:
        return None
    reported = line.do == "touch" and line.by_assistant
    return other(line.side) if reported else line.side


def put_down(game: Game) -> tuple[int, chess.Move | None]:
    """Return for which half-move a man was put down last, and as which move."""
    pause, made = game.adjournment, len(game.plies)
    waits = game.turn_state.placed if pause is None or pause.fixed is None else pause.fixed
    if waits is not None:
        return made + 1, waits
    return made, game.plies[-1].placed if game.plies else None

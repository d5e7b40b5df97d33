"""Who must write the moves, when he need not, and whose sheet may be asked for (articles 8.1, 8.4, 8.5, A.2).

Hector writes the blind player's sheet by itself; what is told here is for the player who writes his own.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from assistant.laws.events import SECOND, Microseconds
from assistant.sides import SIDES, Side
from assistant.time_control import Period

if TYPE_CHECKING:
    from assistant.laws.state import Game


@dataclass(slots=True)
class Recording:
    """What the referee knows of both sheets.

    `exempt` is the last period in which the player had too little time to be asked to write, `gaps` whose
    sheet lacked moves when the sheets were last compared, `requests` how often the arbiter's was asked for.
    """

    exempt: dict[Side, int] = field(default_factory=dict)
    gaps: set[Side] = field(default_factory=set)
    requests: dict[Side, int] = field(default_factory=lambda: {"white": 0, "black": 0})
    flag_fell: bool = False


def observe(game: Game) -> None:
    """Note who has too little time now; he is exempt to the end of the period (8.4)."""
    if not game.has_clock:
        return
    for side in SIDES:
        display = game.clock.display(side)
        if is_hurried(game, side, display.left):
            game.recording.exempt[side] = display.period


def is_hurried(game: Game, side: Side, left: Microseconds) -> bool:
    """Has a player with so much left too little time to write, or had he before in this period (8.4)?"""
    rules = game.rules
    if not rules.recording_duty or not game.has_clock:
        return False
    at = game.clock.display(side).period
    if game.recording.exempt.get(side) == at:
        return True
    if _extra(game.clock.control.period(at)) >= rules.recording_increment * SECOND:
        return False
    return left < rules.recording_exempt_below * SECOND


def _extra(period: Period) -> int:
    return max(period.increment, period.delay)


def duty(game: Game, side: Side) -> tuple[str, str]:
    """Return what a player must write, and the kind of ruling it rests on.

    `free`: nothing; `own-move`: his last move before he makes the next; `complete`: the whole sheet first.
    """
    if must_update(game, side):
        return "complete", "recording-update"
    if not game.rules.recording_duty:
        return "free", "recording-exempt"
    if game.has_clock and game.recording.exempt.get(side) == game.clock.display(side).period:
        return "free", "recording-exempt"
    return "own-move", "recording"


def must_update(game: Game, side: Side) -> bool:
    """Must this player complete his sheet before he moves: a flag has fallen and moves are missing (8.5)?"""
    known = game.recording
    return game.rules.update_sheet_after_flag and known.flag_fell and side in known.gaps


def compare_length(game: Game, side: Side, texts: tuple[str, ...]) -> None:
    """Note whether a sheet has an entry for every move that was made: a complete one has them all (8.5.2)."""
    written = sum(bool(text.strip()) for text in texts[: len(game.plies)])
    complete = written >= len(game.plies)
    (game.recording.gaps.discard if complete else game.recording.gaps.add)(side)

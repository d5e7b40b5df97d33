"""What the page shows of a game, as one value: taken by the table's thread, read by any other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

import chess

from assistant.board import play
from assistant.laws import OpenQuestion
from assistant.scoresheet import Game
from assistant.sides import SIDES, Side
from assistant.table import Setup, Step, Table

Followed: TypeAlias = Literal["", "played", "silent"]
Phase: TypeAlias = Literal["waiting", "playing", "stopped", "adjourned", "over"]


@dataclass(frozen=True, slots=True)
class Clocks:
    """Both clocks at the moment they were looked at; milliseconds, None without a clock."""

    white: int | None
    black: int | None
    running: Side | None
    delay: int
    """Milliseconds for which the running clock stands still."""


@dataclass(frozen=True, slots=True)
class Announcement:
    """A move that is announced and whose clock is not pressed."""

    side: Side
    move: chess.Move
    before: chess.Board


@dataclass(frozen=True, slots=True)
class Signature:
    """Somebody has signed the result."""

    who: Literal["white", "black", "arbiter"]
    result: str


@dataclass(frozen=True, slots=True)
class Scene:
    """A game at one moment. `steps` is its course so far and only grows: the first `count` are meant."""

    setup: Setup
    category: str
    phase: Phase
    sheet: Game
    plies: int
    """Half-moves announced or made: what a request says it has seen."""
    to_move: Side
    pending: Announcement | None
    clocks: Clocks
    offer: Side | None
    questions: tuple[OpenQuestion, ...]
    seals: Side | None
    """Whose move is being sealed."""
    result: str
    reason: str
    signatures: tuple[Signature, ...]
    steps: list[Step]
    count: int
    followed: Followed = ""
    """Whether another program plays the game, and gives signs of life."""

    def board_after(self, board: chess.Board) -> chess.Board:
        """Return the position with everything that was made or announced; `board` is that of the sheet."""
        pending = self.pending
        is_made = pending is None or len(self.sheet.plies) >= self.plies
        if pending is not None and not is_made and board.piece_at(pending.move.from_square) is not None:
            play(board, pending.move)
        return board


def clocks_of(table: Table, now: float, followed: Followed = "") -> Clocks:
    """Return what the clocks show at the game's time `now`, which may be a little after the table's own.

    Where the program that plays is silent nobody knows whether one runs: both stand.
    """
    referee = table.course.referee
    running = referee.running
    passed = max(0.0, now - table.now)
    delay = float(referee.delay_left)
    left: dict[str, int | None] = {}
    for side in SIDES:
        seconds = referee.time_left(side)
        if seconds is not None and side == running:
            seconds = max(0.0, seconds - max(0.0, passed - delay))
        left[side] = None if seconds is None else round(float(seconds) * 1000)
    shown = None if followed == "silent" else running
    return Clocks(left["white"], left["black"], shown, round(max(0.0, delay - passed) * 1000))


def scene_of(table: Table, now: float, followed: Followed = "") -> Scene:
    """Return what is to be seen of a game. For the table's own thread."""
    course = table.course
    clocks = clocks_of(table, now, followed)
    to_move = course.side_to_move
    pending = table.memory.pending
    over = next((event for event in reversed(course.events) if event.event == "game-over"), None)
    return Scene(
        setup=table.setup,
        category=course.referee.category,
        phase=_phase(table),
        sheet=table.sheet,
        plies=table.plies,
        to_move=to_move,
        pending=None if pending is None else Announcement(pending.side, pending.move, pending.before),
        clocks=clocks,
        offer=course.referee.draw_offer,
        questions=course.referee.questions,
        seals=to_move if course.sealing else None,
        result=course.referee.result,
        reason=str(over.keys["reason"]) if over is not None and table.over else "",
        signatures=_signatures(course.steps),
        steps=course.steps,
        count=len(course.steps),
        followed=followed,
    )


def _phase(table: Table) -> Phase:
    if table.over:
        return "over"
    referee = table.course.referee
    if not referee.has_started:
        return "waiting"
    if referee.is_sealing or (referee.is_adjourned and not referee.is_resumed):
        return "adjourned"
    return "stopped" if referee.is_halted else "playing"


def _signatures(steps: list[Step]) -> tuple[Signature, ...]:
    """Return who has signed; a signature is a note of the script, which is written after the end as well."""
    signed: dict[str, Signature] = {}
    for step in steps:
        line = step.line
        if line is not None and line["do"] == "note" and "signed" in line and "result" in line:
            signed[str(line["signed"])] = Signature(line["signed"], str(line["result"]))
    return tuple(signed.values())

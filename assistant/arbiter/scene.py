"""What the page shows of a game, as one value: taken by the table's thread, read by any other."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

import chess

from assistant.board import play
from assistant.laws import OpenQuestion
from assistant.scoresheet import Game
from assistant.sides import SIDES, Side
from assistant.table import Setup, Step, Table
from assistant.table.dialogue import after_announced

Followed: TypeAlias = Literal["", "played", "silent"]
Phase: TypeAlias = Literal["waiting", "playing", "stopped", "sealing", "adjourned", "over"]


@dataclass(frozen=True, slots=True)
class Clocks:
    """Both clocks at the moment they were looked at; milliseconds, None without a clock."""

    white: int | None
    black: int | None
    running: Side | None
    delay: int
    """Milliseconds for which the running clock stands still."""

    def after(self, seconds: float) -> Clocks:
        """Return what they show so much later, if nothing happens meanwhile."""
        passed = round(seconds * 1000)
        thinking = max(0, passed - self.delay)

        def left(side: Side, shown: int | None) -> int | None:
            return max(0, shown - thinking) if shown is not None and side == self.running else shown

        delay = max(0, self.delay - passed)
        return Clocks(left("white", self.white), left("black", self.black), self.running, delay)


@dataclass(frozen=True, slots=True)
class Announcement:
    """A move that is announced and whose clock is not pressed."""

    side: Side
    move: chess.Move
    before: chess.Board


@dataclass(frozen=True, slots=True)
class Call:
    """A player has called the arbiter, who has not come yet."""

    side: Side
    has_stopped: bool
    """Whether he has stopped the clocks for that."""


@dataclass(frozen=True, slots=True)
class Signature:
    """Somebody has signed the result."""

    who: Literal["white", "black", "arbiter"]
    result: str
    is_witnessed: bool
    """Whether he has confirmed it before the arbiter, who signed for him."""


@dataclass(frozen=True, slots=True)
class Scene:
    """A game at one moment. `steps` is its course so far and only grows: the first `count` are meant."""

    setup: Setup
    category: str
    phase: Phase
    is_halted: bool
    """Whether both clocks are stopped, or would be where the game has none."""
    sheet: Game
    plies: int
    """Half-moves announced or made."""
    mark: str
    """Names the position that is shown: a request says with it what it was made of."""
    completed: int
    """`Referee.last_completed`: it tells who has pressed, which is for the arbiter alone (12.6)."""
    to_move: Side
    pending: Announcement | None
    clocks: Clocks
    hurried: tuple[Side, ...]
    """Who has little time, as far as the Laws know that (8.4): the arbiter watches his game (12.3)."""
    offer: Side | None
    questions: tuple[OpenQuestion, ...]
    calls: tuple[Call, ...]
    """The oldest first."""
    seals: Side | None
    """Whose move is being sealed."""
    replied: Side | None
    """Whose reply lies sealed in the second envelope."""
    declares: Side | None
    """Who is to say which move he sealed."""
    result: str
    reason: str
    signatures: tuple[Signature, ...]
    steps: list[Step]
    count: int
    followed: Followed = ""
    """Whether another program plays the game, and gives signs of life."""

    @property
    def has_clock(self) -> bool:
        return self.clocks.white is not None

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

    def shown(side: Side) -> int | None:
        left = referee.time_left(side)
        return None if left is None else round(float(left) * 1000)

    delay = round(float(referee.delay_left) * 1000)
    clocks = Clocks(shown("white"), shown("black"), referee.running, delay).after(max(0.0, now - table.now))
    return replace(clocks, running=None) if followed == "silent" else clocks


def hurried_in(table: Table, clocks: Clocks) -> tuple[Side, ...]:
    """Return who has little time by these clocks while the game goes on."""
    if table.over:
        return ()
    left = {"white": clocks.white, "black": clocks.black}
    is_hurried = table.course.referee.is_hurried
    return tuple(side for side in SIDES if (time := left[side]) is not None and is_hurried(side, time / 1000))


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
        is_halted=course.referee.is_halted,
        sheet=table.sheet,
        plies=table.plies,
        mark=mark_of(table),
        completed=course.referee.last_completed,
        to_move=to_move,
        pending=None if pending is None else Announcement(pending.side, pending.move, pending.before),
        clocks=clocks,
        hurried=hurried_in(table, clocks),
        offer=course.referee.draw_offer,
        questions=course.referee.questions,
        calls=calls_of(table),
        seals=to_move if course.sealing else None,
        replied=course.referee.reply_in_envelope,
        declares=course.referee.declares,
        result=course.referee.result,
        reason=str(over.keys["reason"]) if over is not None and table.over else "",
        signatures=signatures_of(table),
        steps=course.steps,
        count=len(course.steps),
        followed=followed,
    )


def mark_of(table: Table) -> str:
    """Return the name of the position that is shown now, what was announced included.

    Another position has another name, be it one that was corrected or put back and has as many half-moves; so
    has one in which a move was sealed, or sealed anew: what was sent before that does not take its place.
    """
    pending, board = table.memory.pending, table.board
    if pending is not None and table.course.made < table.plies:
        board = after_announced(pending)
    mark = f"{table.plies}-{zlib.crc32(board.board_fen().encode()):08x}"
    return f"{mark}-{_count_sealed(table)}" if table.course.sealing else mark


def _count_sealed(table: Table) -> int:
    lines = (step.line for step in table.course.steps)
    return sum(line is not None and line["do"] == "seal" for line in lines)


def id_of(question: OpenQuestion) -> str:
    """Return the name of an open question: a ruling says with it which one it answers."""
    return f"{question.what}:{question.side}"


def _phase(table: Table) -> Phase:
    if table.over:
        return "over"
    referee = table.course.referee
    if not referee.has_started:
        return "waiting"
    if referee.is_sealing:
        return "sealing"
    if referee.is_adjourned and not referee.is_resumed:
        return "adjourned"
    return "stopped" if referee.is_halted else "playing"


def calls_of(table: Table) -> tuple[Call, ...]:
    """Return who has called the arbiter since he last came or the clocks last ran again."""
    if table.over:
        return ()
    # A stop of the clocks that was withdrawn, or refused, is no call.
    standing = {id(line) for line in table.course.referee.lines}
    calls: dict[Side, Call] = {}
    for step in table.course.steps:
        line = step.line
        if is_answer(line) or _goes_on(step):
            calls.clear()
        elif line is not None and (side := caller(step)) is not None:
            has_stopped = line["do"] == "stop-clock"
            if has_stopped and id(line) in standing:
                calls[side] = Call(side, has_stopped)
            elif not has_stopped:
                calls.setdefault(side, Call(side, has_stopped))
    return tuple(calls.values())


def _goes_on(step: Step) -> bool:
    """Return whether the arbiter has let the clocks run again; a ruling on another matter answers no call."""
    resumed = any(event.event == "clock-resumed" for event in step.events)
    return resumed and (step.line is None or step.line["do"] != "rule")


def caller(step: Step) -> Side | None:
    """Return who calls the arbiter with a line: by stopping the clocks, or without."""
    line = step.line
    if line is None:
        return None
    if line["do"] == "stop-clock" and not any("envelope" in event.keys for event in step.events):
        return _side_in(line, "by")
    if line["do"] == "note" and line["about"] == "arbiter":
        return _side_in(line, "side")
    return None


def is_answer(line: Mapping[str, Any] | None) -> bool:
    """Return whether a line says that the arbiter has come."""
    return line is not None and line["do"] == "note" and line["about"] == "arbiter" and "answered" in line


def _side_in(line: Mapping[str, Any], key: str) -> Side | None:
    return next((side for side in SIDES if line.get(key) == side), None)


def signatures_of(table: Table) -> tuple[Signature, ...]:
    """Return who has signed; a signature is a note of the script, which is written after the end as well."""
    signed: dict[str, Signature] = {}
    for step in table.course.steps:
        line = step.line
        if line is not None and line["do"] == "note" and "signed" in line and "result" in line:
            witnessed = "witness" in line
            signed[str(line["signed"])] = Signature(line["signed"], str(line["result"]), witnessed)
    return tuple(signed.values())

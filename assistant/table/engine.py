"""An engine as the opponent of a game at home: any program that speaks UCI.

It thinks on its own clock, in a process of its own, and nobody waits for it. Its moves come to the table by
lines of the script, like those of anybody who plays from elsewhere. It claims nothing, and seals its move
itself. When it fails, it is said once, and its side is played by keyboard.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

import chess
import chess.engine

from assistant.errors import HectorError, Phrase, marked
from assistant.laws import Event
from assistant.sides import other
from assistant.speaking import told
from assistant.table.adjourning import Adjournment
from assistant.table.course import Course
from assistant.table.folder import Where
from assistant.table.game import Table
from assistant.table.guests import InOrder, at_once
from assistant.table.setup import Opponent
from assistant.table.steps import is_refused, refused_in
from assistant.table.uci import Thought, start_engine
from assistant.table.vigil import STOOD
from assistant.time_control import parse_time_control

WITHOUT_CLOCK: Final = 3.0
"""Seconds for one move where neither a clock nor an option says more."""
PATIENCE: Final = 20.0
"""Seconds beyond its time for one move after which an engine is taken to hang."""
LONGEST_PART: Final = 0.5
"""The part of the time on its clock that an engine may spend on one move before it is taken to hang."""
EQUAL: Final = 20
"""Hundredths of a pawn: with no more than this it takes a draw."""
LOST: Final = -1000
"""Hundredths of a pawn: a game that is plainly lost, when it stays so for some moves."""
LOST_FOR: Final = 3
"""For how many of its own moves in a row."""


class EnginePlayer:
    """An engine as a guest at the table. All methods but the thinking are called by the table's thread."""

    def __init__(
        self,
        opponent: Opponent,
        warn: Callable[[str], None],
        *,
        starts: bool = False,
        is_asked_for: bool = False,
        is_chess960: bool = False,
    ) -> None:
        """Start the engine. With `starts` nobody has to start the clock.

        `warn` is told in one sentence what failed; without an engine its side is played by keyboard. Only
        where somebody names it now, `is_asked_for`, nothing begins without it.

        :raises UsageError: if there is no such engine that was asked for, none of that strength, or it does
            not know Chess960 and the game is one.
        :raises HectorError: if one that was asked for refuses what the game needs of it.
        """
        self._opponent = opponent
        self._warn = warn
        self._starts = starts
        self._engine: chess.engine.SimpleEngine | None = None
        try:
            self._engine = start_engine(opponent, is_chess960=is_chess960)
        except HectorError as error:
            if is_asked_for:
                raise
            warn(told(error))
        self._table: Table | None = None
        self._adjournment: Adjournment | None = None
        self._now: Callable[[], float] = lambda: 0.0
        self._visited = 0.0
        """When it was last attended to."""
        self._thought: Thought | None = None
        self._is_to_act = False
        """Whether what it does next waits for its turn."""
        self._at = 0.0
        """When it does what it is doing."""
        self._score: int | None = None
        """In hundredths of a pawn, what it thinks of its own side since its last move."""
        self._lost_for = 0
        self._sealed: chess.Move | None = None
        """What it has sealed last; an envelope of an earlier sitting it has forgotten."""

    def open(self, table: Table, where: Where, now: Callable[[], float]) -> None:
        """Take the seat."""
        self._table, self._now = table, now
        self._adjournment = Adjournment(table.course, where)
        if self._engine is None and not table.over:
            table.device("engine", lost=True)
        elif self._engine is not None:
            table.course.absent = self._opponent.side
            if table.course.events:
                # It listens already: for what is said at the table, not for the engine's moves. One that has
                # not begun may never be, and has no sheets.
                table.refresh()

    @property
    def starts(self) -> bool:
        return self._starts

    @property
    def stays(self) -> bool:
        return False

    def close(self) -> None:
        thought, self._thought = self._thought, None
        if thought is not None:
            # Before its engine: a question that nobody waits for would be complained about.
            thought.stop()
        if self._engine is not None:
            self._engine.close()
            self._engine = None

    def attend(self, in_order: InOrder = at_once) -> None:
        """Play when it is the engine's turn, and answer draw offers; never waits."""
        if self._engine is None or self._table is None or self._table.over or self._is_to_act:
            return
        thought, now = self._thought, self._now()
        stood, self._visited = now - self._visited, now
        if thought is not None and stood >= STOOD:
            # Whether Hector alone stood still or the engine too: its answer could not come meanwhile.
            thought.until += stood
        if thought is not None and not thought.is_done and now > thought.until:
            self._fail(
                marked("The engine {command!r} has not moved for too long.", command=self._opponent.command)
            )
        elif self._has_something_to_do():
            self._is_to_act = True
            in_order(now, lambda: self._do(now))
        elif thought is None and self._is_to_decide():
            self._think()

    def _has_something_to_do(self) -> bool:
        """Return whether something else than thinking is to be done."""
        if self._thought is not None and self._thought.is_done:
            return True
        if self._waits_for_its_press():
            return True
        return self._thought is None and not self._is_to_decide() and self._is_offered_a_draw()

    def _do(self, at: float) -> None:
        """Do what is to be done, if it still is."""
        self._is_to_act = False
        if self._engine is None or self._table is None or self._table.over:
            return
        thought, self._at = self._thought, at
        if thought is not None and thought.is_done:
            self._thought = None
            self._act_on(thought)
        elif self._waits_for_its_press():
            self._act_or_fail({"do": "press"})
        elif self._has_something_to_do():
            accept = self._score is not None and self._score <= EQUAL
            if not (accept and self._act({"do": "accept-draw"})):
                self._act({"do": "decline-draw"})

    # The game as the engine sees it

    @property
    def _course(self) -> Course:
        assert self._table is not None
        return self._table.course

    def _is_to_decide(self) -> bool:
        """Return whether it has a move to find: to be made, or to be sealed."""
        return self._has_the_move() or self._is_to_seal()

    def _has_the_move(self) -> bool:
        course, side = self._course, self._opponent.side
        if not course.events or course.memory.pending is not None or course.side_to_move != side:
            return False
        if not self._may_go_on():
            return False
        # Without a clock there is none to run, and beside a lost envelope none does.
        referee = course.referee
        return referee.running == side or not referee.has_clock or referee.declares == side

    def _is_to_seal(self) -> bool:
        """Return whether its move is to be sealed and is not yet (I.1.1)."""
        course, referee, side = self._course, self._course.referee, self._opponent.side
        is_ordered = course.sealing and not referee.has_sealed
        return is_ordered and course.side_to_move == side and referee.running == side

    def _waits_for_its_press(self) -> bool:
        """Return whether its move was announced and a power failure came before the press."""
        pending = self._course.memory.pending
        return pending is not None and pending.side == self._opponent.side and self._may_go_on()

    def _may_go_on(self) -> bool:
        """Return whether players may move and press now: the game is not interrupted, and nobody seals."""
        return not (self._course.sealing or self._course.referee.is_halted)

    def _is_offered_a_draw(self) -> bool:
        return self._course.referee.draw_offer == other(self._opponent.side)

    def _board(self) -> chess.Board:
        """Return the position with the moves that led to it: an engine has to know what was repeated."""
        board = self._course.start_board.copy(stack=False)
        for ply in self._course.sheet.plies:
            if ply.move not in board.legal_moves:
                return self._course.board
            board.push(ply.move)
        return board

    def _think(self) -> None:
        assert self._engine is not None
        limit, longest = self._limit()
        position = self._course.referee.position
        try:
            self._thought = Thought(self._engine, self._board(), limit, position, self._now() + longest)
        except RuntimeError as error:
            # Without memory no thread can be started.
            self._fail(marked("The engine has failed: {reason}.", reason=error))

    def _limit(self) -> tuple[chess.engine.Limit, float]:
        """Return the time for one move, and after how many seconds the engine is taken to hang."""
        referee, seconds = self._course.referee, self._opponent.seconds
        white, black = referee.time_left("white"), referee.time_left("black")
        if white is None or black is None:
            seconds = seconds or WITHOUT_CLOCK
            return chess.engine.Limit(time=seconds), seconds + PATIENCE
        left = white if self._opponent.side == "white" else black
        if seconds is not None:
            # Never all of what is on its clock.
            return chess.engine.Limit(time=min(seconds, left * LONGEST_PART)), seconds + PATIENCE
        control = parse_time_control(self._course.setup.time_control)
        completed = sum(1 for number in range(referee.made) if self._is_own(number))
        index = control.index_after(completed)
        period = control.period(index)
        extra = (period.increment + period.delay) / 1_000_000
        to_go = None if period.moves is None else control.moves_before(index + 1) - completed
        limit = chess.engine.Limit(
            white_clock=max(0.01, white),
            black_clock=max(0.01, black),
            white_inc=extra,
            black_inc=extra,
            remaining_moves=to_go,
        )
        return limit, max(PATIENCE, left * LONGEST_PART)

    def _is_own(self, number: int) -> bool:
        white_first = self._course.start_board.turn
        return (number % 2 == 0) == (white_first == (self._opponent.side == "white"))

    # What it does

    def _act_on(self, thought: Thought) -> None:
        """Carry out what was thought, if the position is still the one that was thought about."""
        if thought.error is not None:
            self._fail(thought.error)
            return
        if not self._is_to_decide() or self._course.referee.position != thought.fen:
            return
        assert thought.move is not None
        self._score = thought.score
        hopeless = thought.score is not None and thought.score <= LOST
        self._lost_for = self._lost_for + 1 if hopeless else 0
        offered = self._is_offered_a_draw() and thought.score is not None and thought.score <= EQUAL
        if offered and self._act({"do": "accept-draw"}):
            return
        if self._opponent.resigns and self._lost_for >= LOST_FOR:
            self._act({"do": "resign"})
            return
        if self._is_to_seal():
            self._seal(thought.move)
            return
        move = thought.move
        if self._course.referee.declares is not None and self._sealed is not None:
            # Whatever it would find now.
            move = self._sealed
        if self._act_or_fail({"do": "announce", "move": move.uci()}) and self._waits_for_its_press():
            self._act_or_fail({"do": "press"})

    def _seal(self, move: chess.Move) -> None:
        """Seal a move as its player would: nobody hears it, and the journal does not hold it in clear."""
        assert self._adjournment is not None and self._table is not None
        try:
            events = self._adjournment.seal(move.uci(), self._at)
        except HectorError as error:
            self._fail(error.phrase)
            return
        self._sealed = move
        self._table.refresh()
        self._check(events)

    def _act(self, line: dict[str, Any]) -> bool:
        """Return whether the referee took it."""
        return not is_refused(self._carry_out(line))

    def _act_or_fail(self, line: dict[str, Any]) -> bool:
        """Return whether the referee took what the engine would do again and again until he takes it."""
        return self._check(self._carry_out(line))

    def _check(self, events: Iterable[Event]) -> bool:
        """Return whether the referee took a line; where he did not, the engine has failed."""
        refused = refused_in(events)
        if refused is not None and not self._course.over:
            self._fail(marked("The engine's move is refused: {reason}.", reason=refused.keys["reason"]))
        return refused is None

    def _carry_out(self, line: dict[str, Any]) -> list[Event]:
        assert self._table is not None
        return self._table.act({"side": self._opponent.side, **line}, self._at)

    def _fail(self, reason: Phrase) -> None:
        """Leave the game: from now on this side is played by keyboard."""
        self._warn(told(reason))
        self.close()
        self._course.absent = None
        assert self._table is not None
        self._table.refresh()
        self._table.device("engine", lost=True)

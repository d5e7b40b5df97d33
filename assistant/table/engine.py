"""An engine as the opponent of a game at home: any program that speaks UCI.

It thinks on its own clock, in a process of its own, and nobody waits for it. Its moves come to the table by
lines of the script, like those of anybody who plays from elsewhere. It claims nothing. When it fails, it is
said once, and its side is played by keyboard.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import logging
import os
import shlex
import shutil
import subprocess
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Final

import chess
import chess.engine

from assistant.errors import HectorError, Phrase, UsageError, marked
from assistant.laws import Event, parse_time_control
from assistant.sides import other
from assistant.speaking import told
from assistant.table.course import Course
from assistant.table.game import Table
from assistant.table.guests import InOrder, at_once
from assistant.table.setup import Opponent

GAMES: Final = "/usr/games:/usr/local/games"
"""Where distributions put engines, also where that is not on the path."""
START: Final = 10.0
"""Seconds that an engine may take to say what it is."""
STOP: Final = 2.0
"""Seconds that leaving off to think may take."""
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
NICE: Final = 5
"""How much an engine steps back where the processor is scarce: hearing comes first."""

# What the library has to remark on a broken engine is no business of the screen reader's.
logging.getLogger("chess.engine").addHandler(logging.NullHandler())


def find_engine(command: str) -> list[str]:
    """Return the program and its arguments, the program with its path.

    :raises HectorError: if there is no such program.
    :raises UsageError: if the command cannot be read.
    """
    try:
        program, *arguments = shlex.split(command)
    except ValueError:
        raise UsageError(
            "The engine {command!r} cannot be read: a program, then its arguments.", command=command
        ) from None
    found = shutil.which(program) or shutil.which(program, path=GAMES)
    if found is None:
        raise HectorError(
            "There is no engine {program!r}. Install one, for example: apt install stockfish", program=program
        )
    return [found, *arguments]


def start_engine(opponent: Opponent) -> chess.engine.SimpleEngine:
    """Start an engine at the strength that was asked for.

    :raises UsageError: if it cannot play at that strength.
    :raises HectorError: if it is not there, or does not speak UCI.
    """
    command = find_engine(opponent.command)
    try:
        engine: chess.engine.SimpleEngine = chess.engine.run_in_background(
            partial(_run_engine, command), name="engine"
        )
    except (OSError, TimeoutError, chess.engine.EngineError) as error:
        raise HectorError(
            "The engine {command!r} does not answer as one. Is it a UCI engine?", command=opponent.command
        ) from error
    with contextlib.suppress(OSError):
        os.setpriority(os.PRIO_PROCESS, engine.transport.get_pid(), NICE)
    try:
        engine.configure(_options(opponent, engine))
    except BaseException as error:
        engine.close()
        if isinstance(error, chess.engine.EngineError):
            raise HectorError(
                "The engine {command!r} refuses its options: {reason}.",
                command=opponent.command,
                reason=error,
            ) from error
        raise
    return engine


async def _run_engine(
    command: list[str], ready: concurrent.futures.Future[chess.engine.SimpleEngine]
) -> None:
    """Run an engine to its end. What is no engine has ended too when that is told."""
    transport, protocol = await chess.engine.UciProtocol.popen(
        command, setpgrp=True, stderr=subprocess.DEVNULL
    )
    engine = chess.engine.SimpleEngine(transport, protocol, timeout=START)
    try:
        await asyncio.wait_for(protocol.initialize(), START)
    except BaseException:
        transport.close()
        await protocol.returncode
        raise
    ready.set_result(engine)
    engine.returncode.set_result(await protocol.returncode)
    # Whoever still waits for an answer is told that none comes, before the loop ends.
    waiting = asyncio.all_tasks() - {asyncio.current_task()}
    if waiting:
        await asyncio.wait(waiting, timeout=STOP)
    engine.close()
    await engine.shutdown_event.wait()


def _options(opponent: Opponent, engine: chess.engine.SimpleEngine) -> dict[str, Any]:
    options: dict[str, Any] = {}
    if opponent.elo is not None:
        _check(opponent, engine, "UCI_Elo", opponent.elo, "--engine-elo")
        options |= {"UCI_LimitStrength": True, "UCI_Elo": opponent.elo}
    if opponent.skill is not None:
        _check(opponent, engine, "Skill Level", opponent.skill, "--engine-skill")
        options["Skill Level"] = opponent.skill
    return options


def _check(opponent: Opponent, engine: chess.engine.SimpleEngine, name: str, value: int, option: str) -> None:
    known = engine.options.get(name)
    if known is None:
        raise UsageError(
            "The engine {command!r} cannot be weakened that way; leave out {option}.",
            command=opponent.command,
            option=option,
        )
    least, most = known.min, known.max
    if (least is not None and value < least) or (most is not None and value > most):
        raise UsageError(
            "The engine {command!r} takes {least} to {most} for {option}.",
            command=opponent.command,
            least=least,
            most=most,
            option=option,
        )


class EnginePlayer:
    """An engine as a guest at the table. All methods but the thinking are called by the table's thread."""

    def __init__(self, opponent: Opponent, warn: Callable[[str], None], *, starts: bool = False) -> None:
        """Start the engine. With `starts` nobody has to start the clock.

        `warn` is told in one sentence what failed; without an engine its side is played by keyboard.

        :raises UsageError: if it cannot play at the strength that was asked for.
        """
        self._opponent = opponent
        self._warn = warn
        self._starts = starts
        self._engine: chess.engine.SimpleEngine | None = None
        try:
            self._engine = start_engine(opponent)
        except UsageError:
            raise
        except HectorError as error:
            warn(told(error))
        self._table: Table | None = None
        self._now: Callable[[], float] = lambda: 0.0
        self._thought: _Thought | None = None
        self._is_to_act = False
        """Whether what it does next waits for its turn."""
        self._at = 0.0
        """When it does what it is doing."""
        self._score: int | None = None
        """In hundredths of a pawn, what it thinks of its own side since its last move."""
        self._lost_for = 0

    def open(self, table: Table, folder: Path, now: Callable[[], float]) -> None:
        """Take the seat."""
        self._table, self._now = table, now
        if self._engine is None:
            table.device("engine", lost=True)
        else:
            table.course.absent = self._opponent.side
            # A game that goes on already listens: for what is said at the table, not for the engine's moves.
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
        if thought is not None and not thought.is_done and now > thought.until:
            self._fail(
                marked("The engine {command!r} has not moved for too long.", command=self._opponent.command)
            )
        elif self._has_something_to_do():
            self._is_to_act = True
            in_order(now, lambda: self._do(now))
        elif thought is None and self._has_the_move():
            self._think()

    def _has_something_to_do(self) -> bool:
        """Return whether something else than thinking is to be done."""
        if self._thought is not None and self._thought.is_done:
            return True
        if self._waits_for_its_press():
            return True
        return self._thought is None and not self._has_the_move() and self._is_offered_a_draw()

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
            self._act({"do": "press"})
        elif self._has_something_to_do():
            accept = self._score is not None and self._score <= EQUAL
            if not (accept and self._act({"do": "accept-draw"})):
                self._act({"do": "decline-draw"})

    # The game as the engine sees it

    @property
    def _course(self) -> Course:
        assert self._table is not None
        return self._table.course

    def _has_the_move(self) -> bool:
        course, side = self._course, self._opponent.side
        if not course.events or course.memory.pending is not None or course.side_to_move != side:
            return False
        if course.sealing:
            return False
        # Without a clock there is none to run; with one, it stands still while the game is interrupted.
        return course.referee.running == side if course.referee.time_left(side) is not None else True

    def _waits_for_its_press(self) -> bool:
        """Return whether its move was announced and a power failure came before the press."""
        pending = self._course.memory.pending
        return pending is not None and pending.side == self._opponent.side

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
        self._thought = _Thought(self._engine, self._board(), limit, position, self._now() + longest)

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

    def _act_on(self, thought: _Thought) -> None:
        """Carry out what was thought, if the position is still the one that was thought about."""
        if thought.error is not None:
            self._fail(thought.error)
            return
        if not self._has_the_move() or self._course.referee.position != thought.fen:
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
        if self._act({"do": "announce", "move": thought.move.uci()}) and not self._course.over:
            self._act({"do": "press"})

    def _act(self, line: dict[str, Any]) -> bool:
        """Return whether the referee took it."""
        assert self._table is not None
        events: list[Event] = self._table.act({"side": self._opponent.side, **line}, self._at)
        return all(event.event != "refused" for event in events)

    def _fail(self, reason: Phrase) -> None:
        """Leave the game: from now on this side is played by keyboard."""
        self._warn(told(reason))
        self.close()
        self._course.absent = None
        assert self._table is not None
        self._table.refresh()
        self._table.device("engine", lost=True)


class _Thought:
    """One move being thought about, in a thread of its own."""

    def __init__(
        self,
        engine: chess.engine.SimpleEngine,
        board: chess.Board,
        limit: chess.engine.Limit,
        fen: str,
        until: float,
    ) -> None:
        self.fen = fen
        """The position that it is about."""
        self.until = until
        """When the engine is taken to hang, in the game's time."""
        self.move: chess.Move | None = None
        self.score: int | None = None
        self.error: Phrase | None = None
        self._engine = engine
        self._board = board
        self._limit = limit
        self._task: asyncio.Task[chess.engine.PlayResult] | None = None
        self._is_stopped = False
        self._thread = threading.Thread(target=self._run, name="thought", daemon=True)
        self._thread.start()

    @property
    def is_done(self) -> bool:
        return not self._thread.is_alive()

    def stop(self) -> None:
        """Leave off thinking; whatever would have come of it is dropped."""
        with contextlib.suppress(RuntimeError):
            # Without its loop the engine has ended, and the thought with it.
            self._engine.protocol.loop.call_soon_threadsafe(self._cancel)
        self._thread.join(STOP)

    def _cancel(self) -> None:
        self._is_stopped = True
        if self._task is not None:
            self._task.cancel()

    async def _play(self) -> chess.engine.PlayResult:
        if self._is_stopped:
            raise asyncio.CancelledError
        self._task = asyncio.current_task()
        longest = None if self._limit.time is None else START + self._limit.time
        question = self._engine.protocol.play(self._board, self._limit, info=chess.engine.INFO_SCORE)
        return await asyncio.wait_for(question, longest)

    def _run(self) -> None:
        question = self._play()
        try:
            played = asyncio.run_coroutine_threadsafe(question, self._engine.protocol.loop).result()
        except Exception as error:
            # Whatever a broken program answers: the game goes on without it.
            question.close()
            if self._is_stopped:
                return
            self.error = marked("The engine has failed: {reason}.", reason=str(error) or type(error).__name__)
            return
        self.move = played.move
        score = played.info.get("score")
        self.score = None if score is None else score.pov(self._board.turn).score(mate_score=100_000)
        if self.move is None:
            self.error = marked("The engine has answered without a move.")

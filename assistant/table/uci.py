"""A program that speaks UCI: found, started, asked for a move, and left in peace.

It runs in a process of its own, and its answers are waited for in a thread of its own.
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
from functools import partial
from pathlib import Path
from typing import Any, Final

import chess
import chess.engine

from assistant.errors import HectorError, Phrase, UsageError, marked
from assistant.table.setup import Opponent

GAMES: Final = "/usr/games:/usr/local/games"
"""Where distributions put engines, also where that is not on the path."""
START: Final = 10.0
"""Seconds that an engine may take to say what it is."""
STOP: Final = 2.0
"""Seconds that leaving off to think may take."""
NICE: Final = 5
"""How much an engine steps back where the processor is scarce: hearing comes first."""

_NO_MOVE: Final = marked("The engine has answered with no move that is possible here.")

# What the library has to remark on a broken engine is no business of the screen reader's.
logging.getLogger("chess.engine").addHandler(logging.NullHandler())


def words_of(command: str) -> list[str]:
    """Return a program and its arguments, as a shell would read them.

    :raises UsageError: if the command cannot be read.
    """
    words: list[str] = []
    with contextlib.suppress(ValueError):
        words = shlex.split(command)
    if not words or "\0" in command:
        raise UsageError(
            "The engine {command!r} cannot be read: a program, then its arguments.", command=command
        )
    return words


def lasting_command(command: str) -> str:
    """Return the command by which a program is found from every folder: its name alone, or a whole path.

    :raises UsageError: if the command cannot be read.
    """
    program, *arguments = words_of(command)
    if os.sep not in program or Path(program).is_absolute():
        return command
    return shlex.join([str(Path(program).absolute()), *arguments])


def find_engine(command: str) -> list[str]:
    """Return the program and its arguments, the program with its whole path.

    :raises UsageError: if the command cannot be read, or there is no such program.
    """
    program, *arguments = words_of(command)
    found = shutil.which(program) or shutil.which(program, path=GAMES)
    if found is None:
        raise UsageError(
            "There is no engine {program!r}. Install one, for example: apt install stockfish", program=program
        )
    return [str(Path(found).absolute()), *arguments]


def start_engine(opponent: Opponent, *, is_chess960: bool = False) -> chess.engine.SimpleEngine:
    """Start an engine at the strength that was asked for, for a game of Chess960 if it is one.

    :raises UsageError: if it is not there, does not speak UCI, or cannot play at that strength, or Chess960.
    :raises HectorError: if it refuses that strength.
    """
    command = find_engine(opponent.command)
    try:
        engine: chess.engine.SimpleEngine = chess.engine.run_in_background(
            partial(_run_engine, command), name="engine"
        )
    except (OSError, TimeoutError, chess.engine.EngineError) as error:
        raise UsageError(
            "The engine {command!r} does not answer as one. Is it a UCI engine?", command=opponent.command
        ) from error
    with contextlib.suppress(OSError):
        os.setpriority(os.PRIO_PROCESS, engine.transport.get_pid(), NICE)
    try:
        if is_chess960 and "UCI_Chess960" not in engine.options:
            raise UsageError(
                "The engine {command!r} does not play Chess960. Name another one, for example stockfish.",
                command=opponent.command,
            )
        engine.configure(_options(opponent, engine))
    except BaseException as error:
        engine.close()
        if isinstance(error, chess.engine.EngineError):
            given = {"--engine-elo": opponent.elo, "--engine-skill": opponent.skill}
            raise HectorError(
                "The engine {command!r} cannot be set to that strength: leave out {options}.",
                command=opponent.command,
                options=", ".join(option for option, value in given.items() if value is not None),
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


class Thought:
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
        return await self._engine.protocol.play(self._board, self._limit, info=chess.engine.INFO_SCORE)

    def _run(self) -> None:
        question = self._play()
        try:
            played = asyncio.run_coroutine_threadsafe(question, self._engine.protocol.loop).result()
        except Exception as error:
            # Whatever a broken program answers: the game goes on without it.
            question.close()
            if not self._is_stopped:
                self.error = self._failure(error)
            return
        self.move = played.move
        score = played.info.get("score")
        self.score = None if score is None else score.pov(self._board.turn).score(mate_score=100_000)
        if not self.move:
            # Neither "(none)" nor the null move "0000" is one.
            self.error = _NO_MOVE

    def _failure(self, error: Exception) -> Phrase:
        """Return what has failed, in words of our own where it is the engine."""
        # One that ended between two moves has no loop any more, of which the library has another error.
        if isinstance(error, chess.engine.EngineTerminatedError) or self._engine.returncode.done():
            return marked("The engine has ended by itself.")
        if isinstance(error, chess.engine.EngineError):
            return _NO_MOVE
        return marked("The engine has failed: {reason}.", reason=str(error) or type(error).__name__)

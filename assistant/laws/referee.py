"""The referee, a pure state machine: script lines in, events out, time passed in, nothing read or printed."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from copy import copy
from dataclasses import dataclass
from typing import Any

import chess

from assistant.laws import moves
from assistant.laws.events import SECOND, Event, Microseconds, ScriptError, seconds
from assistant.laws.irregularities import replaced
from assistant.laws.lines import carry_out, let_time_pass, whose
from assistant.laws.position import fen
from assistant.laws.recording import is_hurried
from assistant.laws.script import Line, moment_of, parse_line
from assistant.laws.sealed import owner, waiting_flag
from assistant.laws.setup import parse_setup
from assistant.laws.state import GAME_IS_OVER, Game, ReadMove, Refused
from assistant.laws.withdrawal import Taken, last_line, put_down, refusal_of_undo
from assistant.sides import Side


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """What waits for the arbiter's `rule`: a claim and its `of`, or a question and its `about`."""

    what: str
    is_claim: bool
    side: Side | None
    """Whose claim it is or whom the question is about, None for neither player alone."""


@dataclass(frozen=True, slots=True)
class OpenMove:
    """A move that is announced, or that a sighted player has placed, and not completed.

    What is only announced can still be corrected (D.2.8).
    """

    ply: int
    side: Side
    move: chess.Move
    before: chess.Board
    """The position in which it was announced; not to be changed."""


class Referee:
    """One game under the Laws.

    `game` is the value of `game` in a script's first line. `read_move(board, text, language)` returns the
    moves a text fits, an illegal one too if it names its departure square; it must be a pure function.
    `languages` are those it reads; without them any is taken.

    :raises ScriptError: if `game` describes no game.
    """

    def __init__(
        self,
        game: Mapping[str, Any],
        read_move: ReadMove,
        languages: Collection[str] | None = None,
    ) -> None:
        self._setup = parse_setup(game)
        for player in (self._setup.white, self._setup.black):
            if languages is not None and player.language not in languages:
                known = ", ".join(sorted(languages))
                raise ScriptError(
                    "There is no language {language!r} to write moves in; there are {known}.",
                    language=player.language,
                    known=known,
                )
        self._read_move = read_move
        self._game = Game(self._setup, read_move)
        self._lines: list[Taken] = []
        self._passed: Microseconds | None = None
        """Up to when time has passed since the last line that counts; None if none has been let pass."""
        self._stood: list[tuple[Microseconds, Microseconds]] = []
        """From when to when the clocks stood by a line that is withdrawn: nobody has used that time."""

    @property
    def position(self) -> str:
        """The FEN of the position with every move that has been made."""
        return fen(self._game.board)

    @property
    def board(self) -> chess.Board:
        """The position with every move that has been made; a copy."""
        return self._game.board.copy(stack=False)

    @property
    def lines(self) -> tuple[Mapping[str, Any], ...]:
        """The lines that count, as they were given: neither refused nor withdrawn, and no notes."""
        return tuple(taken.given for taken in self._lines)

    @property
    def last_line(self) -> int | None:
        """Which of `lines` an `undo` is about, None if there is none."""
        return last_line(self._lines)

    @property
    def announced(self) -> OpenMove | None:
        """The move that is announced, or that a sighted player has placed, and not completed."""
        game = self._game
        if game.result is not None:
            return None
        if game.turn_state.announced is not None and not self.is_adjourned:
            return OpenMove(len(game.plies) + 1, game.having_the_move, game.turn_state.announced, game.board)
        last = game.plies[-1] if game.plies else None
        if last is None or last.completed:
            return None
        move = last.announced or last.move
        return OpenMove(len(game.plies), last.side, move, game.board_before(len(game.plies) - 1))

    @property
    def due(self) -> chess.Move | None:
        """The move that was written for a wrong claim and is still to be made (9.5.3)."""
        return self._game.turn_state.must

    @property
    def moves(self) -> tuple[chess.Move, ...]:
        """The half-moves that stand, lawful or not."""
        return tuple(ply.move for ply in self._game.plies)

    @property
    def made(self) -> int:
        """How many half-moves have been made."""
        return len(self._game.plies)

    @property
    def last_completed(self) -> int:
        """The number of the half-move that was completed last.

        0 if none is, or while that one has been taken back and none is completed in its stead.
        """
        return 0 if replaced(self._game) is not None else self._game.last_completed

    @property
    def draw_offer(self) -> Side | None:
        """Whose draw offer stands."""
        return self._game.draw_offer

    @property
    def result(self) -> str:
        """The result as a PGN has it; * while the game goes on."""
        return self._game.result or "*"

    @property
    def category(self) -> str:
        """Standard, rapid or blitz, which decides the rules that apply."""
        return self._game.category

    def time_left(self, side: Side) -> int | float | None:
        """Return the seconds on a player's clock; None where there is none."""
        return self._game.clock_times()[side]

    def is_hurried(self, side: Side, left: float) -> bool:
        """Return whether so many seconds are too few for a player to write, or were in this period (8.4)."""
        return is_hurried(self._game, side, round(left * SECOND))

    @property
    def has_clock(self) -> bool:
        """Whether the game has a clock."""
        return self._game.has_clock

    @property
    def has_started(self) -> bool:
        """Whether the clock has been started, or the game where it has none."""
        return self._game.started_at is not None

    @property
    def running(self) -> Side | None:
        """Whose clock runs; nobody's while both are stopped, or where there is none."""
        return self._game.clock.running if self._game.has_clock else None

    @property
    def is_halted(self) -> bool:
        """Whether the clocks are stopped, or would be where the game has none: nobody may move."""
        return self._game.halted

    @property
    def is_sealing(self) -> bool:
        """Whether a move is to be sealed now: from the order until the clock is stopped."""
        pause = self._game.adjournment
        return pause is not None and not pause.closed and self._game.result is None

    @property
    def has_sealed(self) -> bool:
        """Whether a move has been sealed that can still be changed: to stop the clock closes the envelope."""
        pause = self._game.adjournment
        return self.is_sealing and pause is not None and pause.sealed is not None

    @property
    def is_adjourned(self) -> bool:
        """Whether the envelope is closed and its move not made yet."""
        pause = self._game.adjournment
        return pause is not None and pause.closed and self._game.result is None

    @property
    def has_envelope(self) -> bool:
        """Whether the game is adjourned and what lies in its envelope is still to be made."""
        return self.is_adjourned and not self.has_void_envelope

    @property
    def has_open_envelope(self) -> bool:
        """Whether an envelope lies open that is still to be ruled on; it may be opened once more."""
        envelope = self._game.envelope
        is_open = envelope is not None and envelope.asked is not None and not envelope.entered
        return is_open and self._game.result is None

    @property
    def sealed_by(self) -> Side | None:
        """Whose sealed move is still to be made, in its envelope or lost; nobody's once it is made out."""
        envelope = self._game.envelope
        if envelope is None or envelope.entered not in ("", "lost"):
            return None
        return owner(envelope) if self.has_envelope or self.reply_sealed_by is not None else None

    @property
    def has_void_envelope(self) -> bool:
        """Whether the position has changed since the last envelope was closed, so that it is void."""
        pause = self._game.adjournment or self._game.resumption
        return pause is not None and pause.void

    @property
    def has_flag_over_envelope(self) -> bool:
        """Whether a flag is down for which the arbiter may look into the envelope, whoever is there."""
        return waiting_flag(self._game) is not None

    @property
    def reply_sealed_by(self) -> Side | None:
        """Who has sealed his reply to an absent player's sealed move, until it is made (I.9.3)."""
        reply = self._game.second_envelope
        return None if reply is None or self._game.result is not None else reply.replier

    @property
    def reply_in_envelope(self) -> Side | None:
        """Whose reply lies in the second envelope: neither made, nor lost and to be declared (I.9.3)."""
        reply = self._game.second_envelope
        return None if reply is None or reply.entered else self.reply_sealed_by

    @property
    def declares(self) -> Side | None:
        """Who makes the move that he declares he sealed, because its envelope is lost (I.12.1)."""
        envelope = self._game.envelope
        if envelope is None or envelope.entered != "lost" or self._game.result is not None:
            return None
        return owner(envelope)

    @property
    def has_been_adjourned(self) -> bool:
        """Whether an envelope has ever been closed."""
        return self.is_adjourned or self._game.resumption is not None

    @property
    def is_resumed(self) -> bool:
        """Whether the agreed hour has come since the last envelope was closed."""
        pause = self._game.adjournment or self._game.resumption
        return pause is not None and pause.resumed_at is not None

    def is_present(self, side: Side) -> bool:
        """Whether a player is at the board."""
        return self._game.present[side]

    def apply(self, line: Mapping[str, Any]) -> list[Event]:
        """Apply one line of a script and return what the referee decides, in order.

        Time passes first: flags that fall before the line or at its very moment fall at theirs.

        :raises ScriptError: if it is no script line; then nothing has changed.
        """
        parsed = parse_line(line, self._game.now)
        if parsed.do == "note":
            return self.advance(line["at"])
        game, self._passed = self._game, parsed.at
        game.events = []
        let_time_pass(game, parsed.at)
        if game.result is not None:
            game.now = parsed.at
            game.emit("refused", None, do=parsed.do, **whose(parsed), reason=GAME_IS_OVER)
        elif parsed.do == "undo":
            self._undo(parsed)
        else:
            running, placed, was_adjourned = self.running, put_down(game), self.is_adjourned
            if carry_out(game, parsed):
                taken = Taken(
                    parsed,
                    line,
                    stops=running is not None and self.running is None,
                    places=parsed.do in ("place", "announce") and put_down(game) != placed,
                    closes=self.is_adjourned and not was_adjourned,
                )
                self._lines.append(taken)
                self._passed = None
        return self._game.events

    def foresee(self, *lines: Mapping[str, Any]) -> list[Event]:
        """Return what the last of some lines would bring. All is judged again; the game stays as it is.

        :raises ScriptError: as `apply` does.
        """
        twin = copy(self)
        twin._lines, twin._stood = list(self._lines), list(self._stood)
        twin._judge_again(self._passed)
        return [twin.apply(line) for line in lines][-1]

    def read(self, side: Side, text: str, board: chess.Board) -> chess.Move | None:
        """Read a player's move on a board as `apply` does; None if it cannot be read or fits several."""
        try:
            return moves.read(self._game, side, text, board)
        except Refused:
            return None

    def advance(self, at: Any) -> list[Event]:
        """Let time pass to `at` (seconds) with no line, and return what happened, for a live clock.

        :raises ScriptError: if time would go back.
        """
        moment = moment_of({"at": at}, self._game.now)
        game, self._passed = self._game, moment
        game.events = []
        if game.result is None:
            let_time_pass(game, moment)
        game.now = moment
        return game.events

    @property
    def questions(self) -> tuple[OpenQuestion, ...]:
        """What waits for the arbiter, in the order in which his rulings answer it."""
        claims = [each for each in self._game.waiting if each.is_claim]
        questions = [each for each in reversed(self._game.waiting) if not each.is_claim]
        return tuple(OpenQuestion(each.what, each.is_claim, each.side) for each in claims + questions)

    @property
    def delay_left(self) -> int | float:
        """How long (seconds) the clock that runs does not go down yet, in a time control with delay."""
        running = self._game.clock.running
        return 0 if running is None else seconds(self._game.clock.display(running).delay)

    def status(self) -> Event:
        """Return the state of the game, the last line of a script's output."""
        game = self._game
        return Event(
            game.now,
            "status",
            {
                "fen": fen(game.board),
                "ply": len(game.plies),
                "turn": game.having_the_move,
                "running": self.running or "none",
                **game.clock_times(),
                "category": game.category,
                "draw_offer": game.draw_offer or "none",
                "result": game.result or "*",
                "moves": [ply.san for ply in game.plies],
            },
        )

    def _undo(self, line: Line) -> None:
        """Withdraw the last line that is no question: the game is replayed without it up to now."""
        game = self._game
        refusal = refusal_of_undo(self._lines, line.side, self._setup.mode)
        if refusal is not None:
            reason, kind = refusal
            game.emit("refused", kind, do="undo", **whose(line), reason=reason)
            return
        happened, told = list(game.events), [ply.uci for ply in game.plies]
        at = last_line(self._lines)
        assert at is not None
        withdrawn = self._lines.pop(at)
        if withdrawn.stops:
            self._stood.append((withdrawn.line.at, line.at))
        replayed = self._judge_again(line.at)
        replayed.now = line.at  # A game that has ended by itself meanwhile stands at its end.
        since = [Event(line.at, event.event, event.keys, event.article) for event in replayed.events]
        replayed.events = happened
        kept = [one == other.uci for one, other in zip(told, replayed.plies, strict=False)]
        changed = kept.index(False) if False in kept else len(kept)
        replayed.emit_position(None, replayed.clock_times(), changed)
        replayed.events += since

    def _judge_again(self, to: Microseconds | None) -> Game:
        """Judge the lines that count anew and let time pass to `to`; the events left are those since them."""
        self._game = game = Game(self._setup, self._read_move)
        for taken in self._lines:
            self._let_time_pass_again(game, taken.line.at)
            carry_out(game, taken.line)
        game.events = []
        if to is not None:
            self._let_time_pass_again(game, to)
        return game

    def _let_time_pass_again(self, game: Game, to: Microseconds) -> None:
        for begin, end in sorted(self._stood):
            # A question may have been asked while they stood.
            if begin < to and game.now < end:
                let_time_pass(game, max(begin, game.now))
                running = game.clock.running
                game.clock.stop()
                let_time_pass(game, min(end, to))
                game.clock.running = running
        let_time_pass(game, to)

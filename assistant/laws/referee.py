"""The referee, a pure state machine: script lines in, events out, time passed in, nothing read or printed."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

import chess

from assistant.laws import (
    adjournment,
    arbiter,
    asking,
    claims,
    draws,
    moves,
    penalties,
    recording,
    sheets,
    touch,
)
from assistant.laws.events import Event, Microseconds, ScriptError, Side, other, quoted, seconds
from assistant.laws.flags import flag_falls
from assistant.laws.irregularities import restore_line
from assistant.laws.moves import AlreadyRefused
from assistant.laws.position import fen
from assistant.laws.reading import read_algebraic
from assistant.laws.script import Line, moment_of, parse_line, parse_setup
from assistant.laws.state import Game, ReadMove, Refused

Handler = Callable[[Game, Line], None]


def _move_line(handler: Handler) -> Handler:
    """Let a move during an adjournment go its own way: it is sealed, or declared after a lost envelope."""

    def handle(game: Game, line: Line) -> None:
        pause = game.adjournment
        if pause is None or line.side is None:
            handler(game, line)
            return
        if pause.closed and not pause.lost:
            raise Refused("the game is adjourned", "seal-order")
        move = moves.read(game, line.side, str(line.get("move")), game.board)
        if pause.lost:
            adjournment.declare_sealed_move(game, line.side, move)
        else:
            adjournment.make_after_order(game, line.side, move)

    return handle


def _arrive(game: Game, line: Line) -> None:
    """Come to the board: at the start of the game, or at a resumption."""
    adjourned = game.adjournment is not None and game.adjournment.closed
    resumed = adjourned or game.resumption is not None
    (adjournment.arrive if resumed else arbiter.arrive)(game, line)


_HANDLERS: Mapping[str, Handler] = {
    "start": arbiter.start,
    "arrive": _arrive,
    "touch": touch.touch,
    "adjust": touch.adjust,
    "place": _move_line(moves.place),
    "announce": _move_line(moves.announce),
    "repeat": moves.repeat,
    "correct": moves.correct,
    "press": moves.press,
    "offer-draw": draws.offer_draw,
    "accept-draw": draws.accept_draw,
    "decline-draw": draws.decline_draw,
    "resign": penalties.resign,
    "claim": claims.claim,
    "ask": asking.ask,
    "stop-clock": adjournment.stop,
    "resume": adjournment.resume,
    "rule": arbiter.rule,
    "set-clock": arbiter.set_clock,
    "penalty": penalties.penalty,
    "restore": restore_line,
    "sheets": sheets.sheets,
    "adjourn": adjournment.adjourn,
    "seal": adjournment.seal,
    "open-envelope": adjournment.open_envelope,
    "envelope-lost": adjournment.envelope_lost,
    "result": penalties.result,
}

_NEVER_WITHDRAWN = {
    "claim": ("a claim cannot be withdrawn", "claim-stands"),
    "offer-draw": ("an offer cannot be withdrawn", "offer"),
}

_DUTY = {
    "place": "a",
    "announce": "b",
    "correct": "b",
    "repeat": "b",
    "press": "c",
    "ask": "d",
    "touch": "e",
    "adjourn": "f",
    "seal": "f",
}


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """What waits for the arbiter's `rule`: a claim and its `of`, or a question and its `about`."""

    what: str
    is_claim: bool
    side: Side | None
    """Whose claim it is or whom the question is about, None for neither player alone."""
    can_be_postponed: bool


@dataclass(frozen=True, slots=True)
class OpenMove:
    """A move that is announced and not completed: it can still be corrected (D.2.8)."""

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
        read_move: ReadMove = read_algebraic,
        languages: Collection[str] | None = None,
    ) -> None:
        self._setup = parse_setup(game)
        for player in (self._setup.white, self._setup.black):
            if languages is not None and player.language not in languages:
                known = ", ".join(sorted(languages))
                raise ScriptError(
                    f"There is no language {quoted(player.language)} to write moves in; there are {known}."
                )
        self._read_move = read_move
        self._game = Game(self._setup, read_move)
        self._lines: list[tuple[Line, Mapping[str, Any]]] = []
        self._stood: list[tuple[Microseconds, Microseconds]] = []
        """From when to when the clocks stood by a stop that is withdrawn: nobody has used that time."""

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
        return tuple(given for _line, given in self._lines)

    @property
    def announced(self) -> OpenMove | None:
        """The move that is announced and not completed."""
        game = self._game
        if game.result is not None:
            return None
        if game.turn_state.announced is not None:
            return OpenMove(len(game.plies) + 1, game.having_the_move, game.turn_state.announced, game.board)
        last = game.plies[-1] if game.plies else None
        if last is None or last.completed or last.announced is None:
            return None
        return OpenMove(len(game.plies), last.side, last.announced, game.board_before(len(game.plies) - 1))

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
    def is_adjourned(self) -> bool:
        """Whether the envelope is closed and its move not made yet."""
        pause = self._game.adjournment
        return pause is not None and pause.closed and self._game.result is None

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
        game = self._game
        game.events = []
        if game.result is not None:
            game.now = parsed.at
            game.emit("refused", None, do=parsed.do, **_whose(parsed), reason="the game is over")
            return game.events
        _let_time_pass(game, parsed.at)
        if game.result is not None:
            game.now = parsed.at
            game.emit("refused", None, do=parsed.do, **_whose(parsed), reason="the game is over")
        elif parsed.do == "undo":
            self._undo(parsed)
        elif _carry_out(game, parsed):
            self._lines.append((parsed, line))
        return self._game.events

    def why_it_stands(self) -> str | None:
        """Return why the arbiter may not withdraw the last line; None if he may."""
        refusal = self._refusal_of_undo(None)
        return None if refusal is None else refusal[0]

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
        game = self._game
        game.events = []
        if game.result is None:
            _let_time_pass(game, moment)
        game.now = moment
        return game.events

    @property
    def questions(self) -> tuple[OpenQuestion, ...]:
        """What waits for the arbiter, in the order in which his rulings answer it."""
        claims = [each for each in self._game.waiting if each.is_claim]
        questions = [each for each in reversed(self._game.waiting) if not each.is_claim]
        return tuple(
            OpenQuestion(each.what, each.is_claim, each.side, each.postpone is not None or not each.is_claim)
            for each in claims + questions
        )

    @property
    def delay_left(self) -> int | float:
        """How long (seconds) the clock that runs does not go down yet, in a time control with delay."""
        running = self._game.clock.running
        return 0 if running is None else seconds(self._game.clock.display(running).delay)

    def next_moment(self) -> Microseconds | None:
        """Return when (microseconds) something will happen by itself, a flag's fall say; None if never."""
        return None if self._game.result is not None else _next_moment(self._game)

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
        """Withdraw the last line: the game is replayed without it up to now."""
        game = self._game
        refusal = self._refusal_of_undo(line.side)
        if refusal is not None:
            reason, kind = refusal
            game.emit("refused", kind, do="undo", **_whose(line), reason=reason)
            return
        happened, told = list(game.events), [ply.uci for ply in game.plies]
        withdrawn, _given = self._lines.pop()
        if withdrawn.do == "stop-clock":
            self._stood.append((withdrawn.at, line.at))
        self._game = replayed = Game(self._setup, self._read_move)
        for each, _given in self._lines:
            self._let_time_pass_again(replayed, each.at)
            _carry_out(replayed, each)
        replayed.events = []
        self._let_time_pass_again(replayed, line.at)
        since = [Event(line.at, event.event, event.keys, event.article) for event in replayed.events]
        replayed.events = happened
        kept = [one == other.uci for one, other in zip(told, replayed.plies, strict=False)]
        changed = kept.index(False) if False in kept else len(kept)
        replayed.emit_position(None, replayed.clock_times(), changed)
        replayed.events += since

    def _let_time_pass_again(self, game: Game, to: Microseconds) -> None:
        for begin, end in self._stood:
            if game.now <= begin and end <= to:
                _let_time_pass(game, begin)
                running = game.clock.running
                game.clock.stop()
                _let_time_pass(game, end)
                game.clock.running = running
        _let_time_pass(game, to)

    def _refusal_of_undo(self, side: Side | None) -> tuple[str, str | None] | None:
        """Return why the last line stands, and the ruling behind it if there is one; None if it goes."""
        if not self._lines:
            return "there is nothing to withdraw", None
        last, _given = self._lines[-1]
        if last.do == "start":
            # A game that has not begun has no moves, and it begins once.
            return "the start of the clock cannot be withdrawn", None
        if last.do == "press" and self._setup.mode == "rated":
            return "after the press nothing is withdrawn", None
        if side is not None and last.side != side:
            return "the last line is somebody else's", None
        return _NEVER_WITHDRAWN.get(last.do) if self._setup.mode == "rated" else None


def _whose(line: Line) -> dict[str, Any]:
    return {"side": line.get("side")} if "side" in line.keys else {}


def _next_moment(game: Game) -> Microseconds | None:
    moments = [each for each in (game.clock.next_fall(), arbiter.absence_deadline(game)) if each is not None]
    return min(moments, default=None)


def _let_time_pass(game: Game, to: Microseconds) -> None:
    """Bring the clock up to `to`; what happens by itself on the way happens at its own moment."""
    _run_to(game, to)
    recording.observe(game)


def _run_to(game: Game, to: Microseconds) -> None:
    while game.result is None:
        deadline = arbiter.absence_deadline(game)
        until = to if deadline is None else min(to, deadline)
        fallen = game.clock.advance(until)
        game.now = game.clock.now
        if fallen is not None:
            flag_falls(game, fallen)
        elif deadline is not None and deadline <= to:
            arbiter.both_absent(game)
        else:
            return


def _carry_out(game: Game, line: Line) -> bool:
    """Carry out one line; return whether it was not refused."""
    said = len(game.events)
    try:
        _check_assistant(game, line)
        _HANDLERS[line.do](game, line)
    except Refused as refused:
        del game.events[said:]
        game.emit("refused", refused.kind, do=line.do, **_whose(line), reason=refused.reason, **refused.keys)
        return False
    except AlreadyRefused:
        return True
    return True


def _check_assistant(game: Game, line: Line) -> None:
    """An assistant does only what is his: the duties a to f, each if it is switched on."""
    if not line.by_assistant:
        return
    duty = "e" if line.do == "claim" and line.get("of") == "flag" else _DUTY.get(line.do)
    if line.side is None or duty is None:
        raise Refused("that is not among the assistant's duties", "duties")
    if line.do == "touch":
        # It is the blind player's assistant who reports what his opponent has touched.
        reporter = game.player(other(line.side))
        if not reporter.blind or duty not in reporter.duties:
            raise Refused("only a blind player's assistant reports a touched man", "duty-e")
        return
    player, opponent = game.player(line.side), game.player(other(line.side))
    if not player.blind and opponent.blind:
        if opponent.duties or duty not in ("a", "b"):
            raise Refused("the opponent's assistant only moves and announces", "opponent-assistant")
        return
    if duty not in player.duties:
        raise Refused("this duty of the assistant is switched off", f"duty-{duty}")

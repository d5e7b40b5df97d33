"""The state of one game: what was placed, announced, made, completed, and what waits for the arbiter."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any, Final, TypeAlias

import chess

from assistant.errors import Phrase, marked
from assistant.laws.clock import Clock
from assistant.laws.editions import Edition, Rules, load_edition, with_options
from assistant.laws.envelopes import Adjournment, Envelope, SecondEnvelope
from assistant.laws.events import Article, Event, Microseconds, seconds
from assistant.laws.position import Key, fen, key, start_board
from assistant.laws.recording import Recording
from assistant.laws.setup import Player, Setup
from assistant.sides import Side, side_of

ReadMove: TypeAlias = Callable[[chess.Board, str, str], list[chess.Move]]
Ruling: TypeAlias = Callable[["Game", Microseconds | None], None]


GAME_IS_OVER: Final = marked("the game is over")
NO_MOVE_TO_SEAL: Final = marked("no move is to be sealed")


class Refused(Exception):  # noqa: N818 - a ruling, not an error
    """A line that may not be carried out now: why, the kind of ruling it rests on, and further keys."""

    def __init__(self, reason: Phrase, kind: str | None = None, **keys: Any) -> None:
        super().__init__(reason)
        self.reason = reason
        self.kind = kind
        self.keys = keys


@dataclass(slots=True, eq=False)
class Ply:
    """A move that has been made. `board` is the position after it, `move` the one the men stand by.

    `turn`: what its player had done of it, and what it had to be. `offence` says what is wrong with it
    (`illegal`, `pawn-left`), `ruled` whether that has been dealt with. `white`, `black`: the times noted when
    it was completed, or made.
    """

    side: Side
    move: chess.Move
    board: chess.Board
    uci: str
    san: str
    announced: chess.Move | None
    placed: chess.Move | None
    placed_by_line: bool
    offence: str | None
    key: Key
    white: Microseconds
    black: Microseconds
    turn: Turn
    completed: bool = False
    ruled: bool = False
    takes_king: bool = False
    two_hands: bool = False

    @property
    def differs(self) -> bool:
        """Was it announced otherwise than placed?"""
        return self.placed is not None and self.announced is not None and self.placed != self.announced


@dataclass(slots=True)
class Turn:
    """What the player having the move has done of it. `must`: the only move left to him.

    `offer_came_after`: his opponent has offered a draw since he touched a man, placed or announced it.
    `replaces`: the move that was taken back, in whose stead he makes this one. `exchanged_on`: the square of
    the last rank on which he has released the pawn that is still to be exchanged.
    """

    placed: chess.Move | None = None
    announced: chess.Move | None = None
    touched: list[chess.Square] = field(default_factory=list)
    order_unknown: bool = False
    adjusted: set[chess.Square] = field(default_factory=set)
    must: chess.Move | None = None
    offer_came_after: bool = False
    replaces: Ply | None = None
    exchanged_on: chess.Square | None = None

    @property
    def has_begun(self) -> bool:
        return bool(self.touched) or self.placed is not None or self.announced is not None

    def begun_again(self) -> Turn:
        """Return the turn as it is when its move is taken back: what bound the player binds him still."""
        return replace(self, placed=None, announced=None)


@dataclass(slots=True)
class Waiting:
    """A claim or question that waits for the arbiter; `what`: the claim's `of`, the question's `about`.

    `stops`: the clocks stand for it until it is ruled on. `about_flag`: it is moot once no flag is down.
    """

    what: str
    is_claim: bool
    side: Side | None
    accept: Ruling
    reject: Ruling | None = None
    postpone: Ruling | None = None
    stops: bool = False
    about_flag: bool = False


@dataclass(slots=True)
class IdlePress:
    """A press without a move (7.5.3): whose, after which ply, and whether he moved afterwards.

    It is over when his clock runs again: what he does then he presses for anew. `ruled`: as in a `Ply`.
    """

    side: Side
    plies: int
    moved_afterwards: bool = False
    ruled: bool = False


class Game:
    """One game. The rooms of the Laws change it; `emit` is the only way anything is said."""

    def __init__(self, setup: Setup, read_move: ReadMove) -> None:
        self.setup = setup
        self.read_move = read_move
        self.edition: Edition = load_edition(setup.laws)
        self.category = setup.category or self.edition.category(setup.control)
        self.play_class = self.edition.play_class(self.category, supervised=setup.supervised)
        self.rules: Rules = with_options(self.edition.rules[self.play_class], setup.options, self.edition)
        self.start_board = start_board(setup.fen, setup.chess960)
        self.start_key = key(self.start_board)
        self.first: Side = side_of(self.start_board.turn)
        self.plies: list[Ply] = []
        self.turn_state = Turn()
        self.clock = Clock.at_start(setup.control)
        self.now: Microseconds = 0
        self.started_at: Microseconds | None = None
        self.stopped: Side | None = None
        self.halted = False
        self.halted_until_resumed = False
        self.result: str | None = None
        self.draw_offers: list[Side] = []
        """Whose offers are open, the latest last: one does not answer the other (9.1.2.1)."""
        self.offer_plies: list[tuple[Side, int]] = []
        self.illegal_moves: dict[Side, int] = {"white": 0, "black": 0}
        self.idle_press: IdlePress | None = None
        self.waiting: list[Waiting] = []
        self.watched_from: int | None = None
        self.present: dict[Side, bool] = {"white": setup.white.present, "black": setup.black.present}
        self.points: dict[Side, Decimal] = {"white": Decimal(0), "black": Decimal(0)}
        self.adjournment: Adjournment | None = None
        self.resumption: Adjournment | None = None
        self.second_envelope: SecondEnvelope | None = None
        self.absence_asked = False
        self.five_seconds_granted = False
        self.recording = Recording()
        self.events: list[Event] = []
        self.initial_white, self.initial_black = self.clock.white.left, self.clock.black.left

    # The board

    @property
    def board(self) -> chess.Board:
        """The position with every move that has been made."""
        return self.plies[-1].board if self.plies else self.start_board

    @property
    def having_the_move(self) -> Side:
        return side_of(self.board.turn)

    def board_before(self, index: int) -> chess.Board:
        return self.plies[index - 1].board if index else self.start_board

    def occurrences(self) -> list[int]:
        """Return the plies after which the present position stood (article 9.2)."""
        present = self.plies[-1].key if self.plies else self.start_key
        found = [0] if self.start_key == present else []
        return found + [number for number, ply in enumerate(self.plies, 1) if ply.key == present]

    def last_ply_of(self, side: Side) -> Ply | None:
        return next((ply for ply in reversed(self.plies) if ply.side == side), None)

    @property
    def last_completed(self) -> int:
        """The number of the last half-move that is completed, 0 if none is."""
        return next((n for n in range(len(self.plies), 0, -1) if self.plies[n - 1].completed), 0)

    def moves_made(self, side: Side) -> int:
        return sum(ply.side == side for ply in self.plies)

    def player(self, side: Side) -> Player:
        return self.setup.player(side)

    @property
    def draw_offer(self) -> Side | None:
        """Whose draw offer is open, the later one's of two."""
        return self.draw_offers[-1] if self.draw_offers else None

    @property
    def envelope(self) -> Envelope | None:
        """What holds a sealed move that is still to be made."""
        return self.adjournment or self.second_envelope

    # The clock

    @property
    def has_clock(self) -> bool:
        return bool(self.clock.control)

    @property
    def has_begun(self) -> bool:
        return self.started_at is not None or not self.has_clock

    def check_clock(self) -> None:
        """:raises Refused: if the game has no clock."""
        if not self.has_clock:
            raise Refused(marked("this game has no clock"), "clock")

    def check_begun(self) -> None:
        """:raises Refused: if the game has a clock that has not been started."""
        if not self.has_begun:
            raise Refused(marked("the clock has not been started"), "start")

    def check_present(self, side: Side) -> None:
        """:raises Refused: if a player is not at the board."""
        if not self.present[side]:
            raise Refused(marked("the player is not at the board"), "default")

    def forget_question(self, envelope: Envelope) -> None:
        """Forget what the arbiter was asked about the move in an envelope: it is asked again, if at all."""
        self.waiting = [each for each in self.waiting if each is not envelope.asked]
        envelope.asked = None

    def run_clock(self, side: Side) -> None:
        self.halted = self.halted_until_resumed = False
        self.stopped = None
        if self.has_clock:
            self.clock.start(side)

    def halt_clock(self, *, until_resumed: bool = True) -> None:
        """Stop both clocks and remember which one ran, and whether a ruling alone lets it run again."""
        if not self.halted:
            self.stopped = self.clock.running
            self.halted_until_resumed = until_resumed
        self.halted = True
        self.clock.stop()

    def let_clock_stand(self, kind: str, by: str = "arbiter") -> None:
        """Stop the clock that runs, if any, while one player is still to do something: nobody is halted."""
        if self.clock.running is None:
            return
        self.clock.stop()
        self.emit("clock-stopped", kind, by=by, **self.clock_times())

    def is_flag_seen(self, side: Side) -> bool:
        """Has a player's flag been seen to fall? It stays down, whatever the ruling waits for (6.8)."""
        return self.rules.flag_seen_at_once and self.clock.display(side).fallen is not None

    def compensate(self, side: Side, time: Microseconds) -> Microseconds:
        """Give a player the time that his opponent's fault brings him; return how much it is.

        None without a clock, nor when his flag has been seen to fall: that stands, whatever it waits for
        (6.8, 6.9), and only the arbiter puts it up again.
        """
        if self.is_flag_seen(side) or not self.has_clock:
            return 0
        self.clock.grant(side, time)
        return time

    def clock_times(self) -> dict[str, int | float | None]:
        """Return both times in seconds, None without a clock."""
        return self.in_seconds(self.clock.white.left, self.clock.black.left)

    def times_used(self) -> dict[str, int | float | None]:
        """Return how long (seconds) each player's clock has run, None without a clock."""
        return self.in_seconds(self.clock.white.used, self.clock.black.used)

    def in_seconds(self, white: Microseconds, black: Microseconds) -> dict[str, int | float | None]:
        """Return a time of each player in seconds, None without a clock."""
        if not self.has_clock:
            return {"white": None, "black": None}
        return {"white": seconds(white), "black": seconds(black)}

    # What is said

    def article(self, kind: str | None) -> Article | None:
        return None if kind is None else self.edition.articles[self.play_class].get(kind)

    def emit(self, event: str, kind: str | None = None, /, **keys: Any) -> None:
        """Add an event at the present moment; `kind` names the ruling whose article it rests on."""
        self.events.append(Event(self.now, event, keys, self.article(kind)))

    def emit_position(
        self, kind: str | None, times: dict[str, int | float | None], changed: int | None = None
    ) -> None:
        """Say which position stands now; from the index `changed` on the plies are others than were told."""
        keys: dict[str, Any] = {"ply": len(self.plies), "fen": fen(self.board), **times}
        if changed is not None and changed < len(self.plies):
            numbered = list(enumerate(self.plies, 1))[changed:]
            keys["moves"] = [{"ply": number, **self._told_again(ply)} for number, ply in numbered]
        self.emit("position-restored", kind, **keys)

    def emit_period(self, side: Side, kind: str = "period") -> None:
        """Say that a player has reached the next period of his time control."""
        moves = self.clock.display(side).completed
        self.emit("period-reached", kind, side=side, moves=moves, **self.clock_times())

    def _told_again(self, ply: Ply) -> dict[str, Any]:
        """Return what `move-made` and, if it is completed, `move-completed` tell of a ply."""
        told: dict[str, Any] = {"side": ply.side, "uci": ply.uci, "san": ply.san}
        return told | self.in_seconds(ply.white, ply.black) if ply.completed else told

    def ask_arbiter(
        self,
        about: str,
        proposal: Any,
        kind: str,
        accept: Ruling,
        *,
        side: Side | None = None,
        reject: Ruling | None = None,
        stops: bool = False,
        about_flag: bool = False,
        **keys: Any,
    ) -> Waiting:
        """Put a question to the arbiter; accepting it carries the proposal out.

        `stops`: the game may be over by it, so that no clock runs until he has answered; with
        `about_flag` it may be so only while a flag is down.
        """
        if side is not None:
            keys = {"side": side, **keys}
        self.emit("arbiter-asked", kind, **keys, about=about, proposal=proposal)
        stops = stops and self.has_clock
        asked = Waiting(about, False, side, accept, reject, stops=stops, about_flag=about_flag)
        self.waiting.append(asked)
        if stops and not self.halted:
            self.halt_clock(until_resumed=False)
            self.emit("clock-stopped", "arbiter-stops", by="arbiter", **self.clock_times())
        return asked

    def drop_questions(self) -> None:
        """Forget what the arbiter was asked: he has answered otherwise.

        Where the game may be over by the answer, only his ruling is one, or time for whose flag is down. So
        it is where he is asked what was sealed: without an answer nobody can move.
        """
        self.waiting = [
            each
            for each in self.waiting
            if each.is_claim or self._may_end_by(each) or self._is_about_what_was_found(each)
        ]

    @property
    def may_be_over(self) -> bool:
        """Is a question open by whose answer the game has ended already?"""
        return any(self._may_end_by(each) for each in self.waiting)

    @property
    def asks_what_was_found(self) -> bool:
        """Is the arbiter asked about the move that was found in an opened envelope (I.8)?"""
        return any(self._is_about_what_was_found(each) for each in self.waiting)

    def _is_about_what_was_found(self, each: Waiting) -> bool:
        envelope = self.envelope
        return envelope is not None and each is envelope.asked and not each.about_flag

    def _may_end_by(self, each: Waiting) -> bool:
        return not each.is_claim and each.stops and not (each.about_flag and self.clock.first_down() is None)

    @property
    def quickplay_claim_waits(self) -> bool:
        return any(each.is_claim and each.what == "quickplay-finish" for each in self.waiting)

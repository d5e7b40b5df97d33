"""The course of one game: the referee, what has happened and what is remembered; what is kept and told."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import chess

from assistant.announcements import Vocabulary
from assistant.laws import Event, Referee
from assistant.moves import read_move
from assistant.scoresheet import Game
from assistant.sides import Side, side_of
from assistant.table.dialogue import Memory
from assistant.table.keeping import Keeper, Record
from assistant.table.recollection import Recollection
from assistant.table.setup import Setup
from assistant.table.sheet import Standing, sheet_of
from assistant.table.steps import (
    TIME,
    Step,
    announces,
    clocks,
    has_announced,
    has_gone_back,
    has_moved,
    has_only_bound,
    has_put_right,
    is_refused,
    without_secret,
)
from assistant.table.telling import Teller
from assistant.table.voices import Voice


class Course:
    """One game as far as it has gone. A line is ruled on, then written down, and only then told."""

    def __init__(
        self,
        setup: Setup,
        vocabulary: Vocabulary,
        voice: Voice,
        record: Record,
        show: Callable[[str], None],
    ) -> None:
        self.setup = setup
        self.referee = Referee(setup.game(), read_move=read_move)
        self.memory = Memory()
        self.events: list[Event] = []
        self._standing = Standing(self.referee)
        self.steps: list[Step] = []
        self.over = False
        self.absent: Side | None = None
        """Who plays from elsewhere: what is said or typed at the table is no move of his."""
        self.now = 0.0
        """Seconds since the clock was first started, as far as anything has happened."""
        self._recollection = Recollection(self.referee, self.memory, vocabulary)
        self.start_board = self.board
        self.teller = Teller(
            setup, self.referee, self.memory, vocabulary, voice, record.said, show, lambda: self.now
        )
        self.keeper = Keeper(setup, record, self.teller, show, lambda: self.sheet)

    @property
    def board(self) -> chess.Board:
        """The position with the last move that was made; a copy."""
        return self.referee.board

    @property
    def sealing(self) -> bool:
        """Whether a move is to be sealed now: nobody may hear or see it, and nothing of it is kept."""
        return self.referee.is_sealing

    @property
    def hears_two(self) -> bool:
        """Whether two blind players speak into the microphone: whose words they are, nobody can hear."""
        return self.absent is None and self.setup.white.blind and self.setup.black.blind

    @property
    def made(self) -> int:
        """How many half-moves were made."""
        return self.referee.made

    @property
    def mover_presses(self) -> bool:
        """Whether the last announcement came from the opponent's page, where he presses himself (6.2.1)."""
        return self._announcement.get("desk") == "opponent"

    @property
    def was_spoken(self) -> bool:
        """Whether the last announcement was said into the microphone: whoever made it speaks there."""
        line = self._announcement
        return "heard" in line or ("confirmed" in line and "typed" not in line)

    @property
    def _announcement(self) -> Mapping[str, Any]:
        """The line of the last announcement, or of its correction."""
        return next((line for line in reversed(self.referee.lines) if announces(line, self.setup)), {})

    @property
    def hector_presses(self) -> bool:
        """Whether Hector presses for both players: none of them plays from elsewhere."""
        return self.setup.press == "auto" and self.absent is None

    @property
    def side_to_move(self) -> Side:
        return side_of(self.board.turn)

    @property
    def sheet(self) -> Game:
        """The game as it stands on the scoresheet."""
        return sheet_of(self._standing, self.setup, self.start_board)

    def begin(self, at: float) -> None:
        """Write down what was agreed, and start the clock.

        The power may have failed between the two: a game is agreed on once.
        """
        self.keeper.write_agreed()
        self.rule({"at": at, "do": "start"})

    def rule(self, line: dict[str, Any], *, tell: bool = True) -> list[Event]:
        """Let the referee rule on a line, write it down, and only then tell."""
        events = self.apply(line)
        self.keeper.write(without_secret(line, events))
        if tell:
            self.teller.tell(events, line["at"])
        return events

    def carry_out(self, line: dict[str, Any]) -> list[Event]:
        """Rule on a line that was not said at the table, and tell what it brought.

        What is refused is told to nobody: whoever sent it can be told where he sent it from. A move that it
        brought is announced like any other; what has come back is no news.
        """
        with self.teller.together():
            return self._carry_out(line)

    def _carry_out(self, line: dict[str, Any]) -> list[Event]:
        last, stood, waited = self.memory.last, self._as_it_stands, self.memory.pending
        declared = self.referee.declares
        self.rule(line, tell=False)
        # With what a withdrawal has made of the clocks, of which the referee has no event.
        events = [*self.steps[-1].events]
        if is_refused(events):
            return events
        if line["do"] == "arrive" and not self.over:
            self.teller.say(self.teller.sentences.arrived(line["side"]))
        is_put_right = has_put_right(line, events, self.setup)
        before_it = {"envelope-opened", *(["position-restored"] if is_put_right else [])}
        self.teller.tell([event for event in events if event.event in before_it], self.now)
        is_news = is_put_right or (has_moved(line, events, self.setup) and not has_gone_back(line, events))
        if self.memory.last is not None and self.memory.last != last and is_news:
            text = self.teller.text_of(self.memory.last)
            self.teller.read_back(text, is_correction=line["do"] == "correct")
        if line["do"] == "undo" and self._as_it_stands == stood:
            # No move has changed: a position that was never left is nothing to come back to.
            events = [event for event in events if event.event != "position-restored"]
            self.teller.say(self.teller.sentences.withdrawn())
        # An answer is for the one who asked.
        told = [event for event in events if event.event not in {"answer", *before_it}]
        self.teller.tell(told, self.now, self.teller.text_of(self.memory.last) if self.memory.last else None)
        if waited is not None and self.memory.pending is None and has_only_bound(line, events):
            self.teller.tell_another_is_due(waited.side)
        if line["do"] == "undo" and waited is None and self._waits_unmade and self.memory.last is not None:
            # It counts again, and where Hector presses, he presses for it.
            self.teller.read_back(self.teller.text_of(self.memory.last), is_correction=False)
        if declared is None or line["do"] == "arrive":
            self.teller.tell_who_declares()
        if any("envelope" in event.keys for event in events):
            self._seat_engine()
        return events

    def go_on(self, at: float) -> None:
        """Go on after the lines of a journal, which have been applied, at a time of the game."""
        self.now = max(self.now, at)
        if self.referee.is_adjourned:
            # The power may have failed before that was written.
            self._seat_engine()

    def _seat_engine(self) -> None:
        """Note that an engine is there, which always is, when both players have left."""
        engine = self.setup.engine
        if engine is not None and not self.referee.is_present(engine.side):
            self.rule({"at": self.now, "do": "arrive", "side": engine.side}, tell=False)

    def foresee(self, line: Mapping[str, Any], at: float) -> list[Event]:
        """Return what the referee would say to a line at a time, or now if the game has gone on since."""
        return self.referee.foresee({"at": max(self.now, round(at, 3)), **line})

    def refusal(self, *lines: Mapping[str, Any]) -> list[Event]:
        """Return what the referee would say to the last of some lines if he would refuse it; else nothing."""
        events = self.referee.foresee(*lines)
        return events if is_refused(events) else []

    @property
    def _as_it_stands(self) -> tuple[int, chess.Move | None]:
        """What a player could feel of the game: how many moves are made, and the one that waits."""
        return self.made, self.memory.pending.move if self.memory.pending else None

    @property
    def _waits_unmade(self) -> bool:
        """Whether a move waits for its press that is announced and no more."""
        return self.memory.pending is not None and self.memory.pending.ply > self.made

    def apply(self, line: dict[str, Any]) -> list[Event]:
        """Let the referee rule on a line and keep the dialogue's memory in step with it."""
        board, made = self.board, self.made
        clocks_stood = self.teller.clocks_stood = self.referee.running is None
        events = self._standing.apply(line)
        line = without_secret(line, events)
        if has_announced(line, events, self.setup):
            line = self._recollection.announced(line, board, made)
        elif line["do"] == "repeat" and not is_refused(events):
            self._recollection.repeated(line)
        elif line["do"] != "place":
            # What is neither announced nor placed comes out of an envelope: by its opening, by the arbiter's
            # ruling on what it holds, or when the player comes whom a reply waits for.
            self._recollection.opened(events, board)
        # The arbiter's own remarks have a desk, whatever they are about.
        by_itself = line["do"] == "note" and line["about"] == TIME and "desk" not in line
        told = [*events]
        if line["do"] == "undo" and clocks_stood != (self.referee.running is None):
            # What was withdrawn had stopped the clocks, or let them go on.
            told.append(clocks(self.referee.running, line["at"]))
        self.steps.append(Step(None if by_itself else line, tuple(told)))
        self.follow(events, line["at"])
        if has_put_right(line, events, self.setup):
            self._recollection.gone_back(self.start_board, self.sheet)
            self._recollection.still_waits()
        elif line["do"] == "undo" and not is_refused(events):
            self._recollection.still_waits()
        elif line["do"] == "note":
            self._recollection.noted(line)
        return events

    def follow(self, events: Iterable[Event], at: float) -> None:
        """Note what has happened, by a line or by itself."""
        self.now = max(self.now, at)
        for event in events:
            self.events.append(event)
            pending = self.memory.pending
            if event.event in ("position-restored", "game-over") or "fixed" in event.keys:
                # A move made on the board after the order to seal is written, and waits for no press.
                self.memory.nothing_waits()
            elif self._recollection.is_completed_by(event):
                self.memory.pressed()
            if event.event == "draw-offered":
                # It asks for an answer too, and a yes would be that.
                self.memory.is_interrupted()
                self.memory.asked_at = at
            if event.event == "position-restored":
                self._recollection.gone_back(self.start_board, self.sheet)
            if event.event == "game-over":
                self.over = True
                if pending is not None and pending.ply > self.made:
                    self._nothing_is_announced()
            if event.event == "adjourned":
                # What is said from now on is about the move that is to be sealed.
                self.memory.asked = None
            if "envelope" in event.keys and self.referee.announced is None:
                # What was announced and not made gives way to the sealed move.
                self._nothing_is_announced()
        if self.memory.pending is not None and self.referee.announced is None:
            # Another move has become due: by a touch, or by a claim that was wrong.
            self._nothing_is_announced()

    def _nothing_is_announced(self) -> None:
        self.memory.nothing_waits()
        self._recollection.gone_back(self.start_board, self.sheet)

    def advance(self, to: float) -> None:
        """Let time pass to `to`: a flag may fall."""
        # The referee's time and the table's are the same to the last digit: the next line comes after both.
        to = round(to, 3)
        events = self._standing.advance(to)
        if events:
            self.steps.append(Step(None, tuple(events)))
            # Written before anyone is told: what time has brought, no other line of the journal would hold.
            self.keeper.write({"at": to, "do": "note", "about": TIME})
        self.follow(events, to)
        self.teller.tell(events, to)

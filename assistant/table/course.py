"""The course of one game: the referee, what has happened, what is remembered, and who is told."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Any, Protocol

import chess

from assistant.announcements import Vocabulary
from assistant.errors import HectorError
from assistant.laws import Event, Referee
from assistant.moves import read_move
from assistant.scoresheet import Game
from assistant.sides import Side, side_of
from assistant.speaking import (
    Audience,
    EquipmentSentences,
    Hearers,
    Priority,
    Sentence,
    Sentences,
    declaration,
    event_sentences,
    told,
    without_echoes,
)
from assistant.table.dialogue import Announced, Memory
from assistant.table.recalling import Recall
from assistant.table.recollection import Recollection
from assistant.table.setup import Setup, SheetStyle
from assistant.table.sheet import sheet_of
from assistant.table.steps import (
    TIME,
    Step,
    announces,
    has_announced,
    has_gone_back,
    has_put_right,
    is_refused,
    without_secret,
)
from assistant.table.voices import Voice
from assistant.table.wording import Wording


class Record(Protocol):
    """Where the game is kept: written before anyone is told."""

    @property
    def has_game(self) -> bool:
        """Whether what was agreed is on record already."""

    def line(self, line: dict[str, Any]) -> None:
        """Write a line of the script through to the disk.

        :raises HectorError: if it cannot be written.
        """

    def said(self, sentence: Sentence, at: float) -> None:
        """Note a sentence that was said."""

    def views(self, game: Game, language: str, style: SheetStyle) -> None:
        """Write the sheets anew."""


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
        self.steps: list[Step] = []
        self.over = False
        self._clocks_stood = False
        """Whether no clock ran before the last line."""
        self.absent: Side | None = None
        """Who plays from elsewhere: what is said or typed at the table is no move of his."""
        self.now = 0.0
        """Seconds since the clock was first started, as far as anything has happened."""
        # What is said between Hector and one blind player is for his ears; two share it.
        served: Audience = setup.served if setup.white.blind != setup.black.blind else "room"
        self.sentences = Sentences(setup.language, served)
        self.equipment = EquipmentSentences(setup.language, served)
        self.wording = Wording(vocabulary, self.sentences, tells_check=setup.mode != "rated")
        self._recollection = Recollection(self.referee, self.memory, vocabulary)
        self._recall = Recall()
        self.start_board = self.board
        self.voice = voice
        self._record = record
        self._is_unsaved = False
        """Whether it was told that the game cannot be saved, and not yet that it is saved again."""
        self._show = show
        self._hearers = Hearers(language=setup.language, mode=setup.mode, plies_before=self.start_board.ply())

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
        return sheet_of(self.events, self.setup, self.start_board)

    def begin(self, at: float) -> None:
        """Write down what was agreed, and start the clock.

        The power may have failed between the two: a game is agreed on once.
        """
        if not self._record.has_game:
            self._write({"game": self.setup.game(), "table": self.setup.table()})
        self.rule({"at": at, "do": "start"})

    def rule(self, line: dict[str, Any], *, tell: bool = True) -> list[Event]:
        """Let the referee rule on a line, write it down, and only then tell."""
        events = self.apply(line)
        self._write(without_secret(line, events))
        if tell:
            self.tell(events, line["at"])
        return events

    def carry_out(self, line: dict[str, Any]) -> list[Event]:
        """Rule on a line that was not said at the table, and tell what it brought.

        What is refused is told to nobody: whoever sent it can be told where he sent it from. A move that it
        brought is announced like any other; what has come back is no news.
        """
        with self.together():
            return self._carry_out(line)

    def _carry_out(self, line: dict[str, Any]) -> list[Event]:
        last, stood = self.memory.last, self._as_it_stands
        declared = self.referee.declares
        self.rule(line, tell=False)
        # With what a withdrawal has made of the clocks, of which the referee has no event.
        events = [*self.steps[-1].events]
        if is_refused(events):
            return events
        if line["do"] == "arrive" and not self.over:
            self.say(self.sentences.arrived(line["side"]))
        is_put_right = has_put_right(line, events, self.setup)
        before_it = {"envelope-opened", *(["position-restored"] if is_put_right else [])}
        self.tell([event for event in events if event.event in before_it], self.now)
        is_news = is_put_right or not has_gone_back(line, events)
        if self.memory.last is not None and self.memory.last != last and is_news:
            self.read_back(self.text_of(self.memory.last), is_correction=line["do"] == "correct")
        if line["do"] == "undo" and self._as_it_stands == stood:
            # No move has changed: a position that was never left is nothing to come back to.
            events = [event for event in events if event.event != "position-restored"]
            self.say(self.sentences.withdrawn())
        # An answer is for the one who asked.
        told = [event for event in events if event.event not in {"answer", *before_it}]
        self.tell(told, self.now, self.text_of(self.memory.last) if self.memory.last else None)
        if declared is None or line["do"] == "arrive":
            self.tell_who_declares()
        engine = self.setup.engine
        if engine is not None and any("envelope" in event.keys for event in events):
            # Both players have left, but an engine is always there.
            self.rule({"at": self.now, "do": "arrive", "side": engine.side}, tell=False)
        return events

    def tell_who_declares(self) -> None:
        """Tell who now says which move he sealed, if the envelope is lost."""
        side = self.referee.declares
        if side is not None:
            self.say(declaration(side, self.setup.language))

    def foresee(self, line: Mapping[str, Any], at: float) -> list[Event]:
        """Return what the referee would say to a line at a time, or now if the game has gone on since."""
        return self.referee.foresee({"at": max(self.now, round(at, 3)), **line})

    def refusal(self, line: Mapping[str, Any]) -> list[Event]:
        """Return what the referee would say to a line that he would refuse; nothing if he would not."""
        events = self.referee.foresee(line)
        return events if is_refused(events) else []

    @property
    def _as_it_stands(self) -> tuple[int, chess.Move | None]:
        """What a player could feel of the game: how many moves are made, and the one that waits."""
        return self.made, self.memory.pending.move if self.memory.pending else None

    def text_of(self, said: Announced) -> str:
        """Return an announcement as Hector says it now, its move completed or not."""
        pending = self.memory.pending
        waits = pending is not None and (said.move, said.before) == (pending.move, pending.before)
        return self.wording.move(said.before, said.move, is_completed=not waits)

    def read_back(self, text: str, *, is_correction: bool) -> None:
        """Say an announcement as it was understood."""
        ply = max(self.made, self.memory.pending.ply) if self.memory.pending else self.made
        say_in = self.sentences
        self.say(say_in.corrected(text, ply) if is_correction else say_in.readback(text, ply))

    def _write(self, line: dict[str, Any]) -> None:
        try:
            self._record.line(line)
        except HectorError as error:
            self.tell_unsaved(error)
        else:
            self.tell_saved()

    def tell_unsaved(self, error: HectorError) -> None:
        """Tell, once until it is mended, that what happens cannot be written down.

        The game goes on: the board and the clock are the players', and the journal may yet recover.
        """
        if not self._is_unsaved:
            self._is_unsaved = True
            self._show(f"hector: {told(error)}")
            self.say(self.equipment.not_recorded())

    def tell_saved(self) -> None:
        """Tell that all is written down again, if it was told that it cannot be."""
        if self._is_unsaved:
            self._is_unsaved = False
            self.say(self.equipment.saved_again())
            self.write_sheets()

    def apply(self, line: dict[str, Any]) -> list[Event]:
        """Let the referee rule on a line and keep the dialogue's memory in step with it."""
        board, made = self.board, self.made
        self._clocks_stood = self.referee.running is None
        events = self.referee.apply(line)
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
        if line["do"] == "undo" and self._clocks_stood != (self.referee.running is None):
            # What was withdrawn had stopped the clocks, or let them go on.
            told.append(self._clocks(line["at"]))
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

    def tell(self, events: Iterable[Event], at: float, announcement: str | None = None) -> None:
        sentences: list[Sentence] = []
        for event in without_echoes(events):
            if event.event == "clock-started" and at > 0:
                # Later on it would tell that somebody has pressed, which nobody may be told (12.6).
                continue
            text = announcement
            if "must" in event.keys:
                move = chess.Move.from_uci(event.keys["must"])
                text = self.wording.move(self.board, move, is_completed=False)
            sentences += event_sentences(event.as_dict(), self._hearers, text)
        is_running = self._clocks_stood and self.referee.running is not None
        if is_running and any(event.event == "move-made" for event in events):
            # A sealed move: nobody has pressed by whom its replier could know that his clock runs (I.9.1).
            # What he has repeated to him is the move.
            resumed = {"event": "clock-resumed", "running": self.referee.running}
            sentences += [replace(each, repeatable=False) for each in event_sentences(resumed, self._hearers)]
        self.say_together(sentences)

    def say_together(self, sentences: Iterable[Sentence]) -> None:
        """Say sentences that are recalled together, those of one ruling; the same one once."""
        once = dict.fromkeys(sentences)
        self._recall.note_together([sentence for sentence in once if self.say(sentence)])

    def together(self) -> AbstractContextManager[None]:
        """Let everything that is said meanwhile be recalled together: it tells one thing."""
        return self._recall.together()

    def ask(self, sentence: Sentence) -> None:
        """Say a question; when it is closed, what was said before it is recalled again."""
        self._recall.expect_answer(sentence)
        self.say(sentence)

    @property
    def last_said(self) -> Sentence | None:
        """What was said last and can be said again."""
        return self._recall.last

    @property
    def last_thing_said(self) -> str:
        """Everything that was said last of one thing, such as a ruling, and can be said again."""
        return self._recall.last_thing

    def say_again(self) -> None:
        """Say once more what was said last, and is not a question that nobody can answer any more."""
        asked = self.memory.asked
        again = self._recall.again(None if asked is None else asked.sentence)
        if again:
            self.say_together(again)
        else:
            self.say(self.sentences.nothing_to_repeat())

    def say_after_all(self, sentences: list[Sentence]) -> None:
        """Say what was written down and shown, and not heard."""
        for sentence in sentences:
            self.voice.say(sentence, self.now)
        self._recall.note_together(sentences)

    def tell_clocks(self) -> None:
        """Tell whose clock runs, or that both are stopped."""
        self.tell([self._clocks(self.now)], self.now)

    def _clocks(self, at: float) -> Event:
        running = self.referee.running
        kind = "clock-stopped" if running is None else "clock-resumed"
        return Event(round(at * 1_000_000), kind, {"running": running})

    def say(self, sentence: Sentence) -> bool:
        """Say a sentence, and return whether it can be recalled."""
        self.memory.stopped = False
        self._record.said(sentence, self.now)
        # What is for the arbiter stands on his screen; a player neither hears it nor has it repeated.
        is_heard = sentence.audience != "arbiter"
        is_news = is_heard and sentence.repeatable and sentence.priority is not Priority.CHATTER
        if is_news:
            self._recall.note(sentence)
        if is_heard:
            self.voice.say(sentence, self.now)
        self._show(f"Hector: {sentence.text}")
        return is_news

    def advance(self, to: float) -> None:
        """Let time pass to `to`: a flag may fall."""
        # The referee's time and the table's are the same to the last digit: the next line comes after both.
        to = round(to, 3)
        events = self.referee.advance(to)
        if events:
            self.steps.append(Step(None, tuple(events)))
            # Written before anyone is told: what time has brought, no other line of the journal would hold.
            self._write({"at": to, "do": "note", "about": TIME})
        self.follow(events, to)
        self.tell(events, to)

    def write_sheets(self) -> None:
        """Bring the sheets up to date."""
        self._record.views(self.sheet, self.setup.language, self.setup.sheet)

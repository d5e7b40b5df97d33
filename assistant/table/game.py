"""One live game: what is heard or typed becomes script lines, what the referee decides is told and written.

No threads, no devices and no clock of its own: utterances, typed lines and the passing of time come in with
their times, so that a recording and a microphone take exactly the same way.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, Protocol

import chess

from assistant.announcements import Decision, Phrasebook, Thresholds, Vocabulary, decide
from assistant.errors import HectorError
from assistant.laws import Event
from assistant.moves import read_move
from assistant.scoresheet import Game, signs_of
from assistant.sides import Side
from assistant.speaking import Device, Sentence, duration_in_words
from assistant.table.answering import Answers
from assistant.table.caution import is_correction, is_talk
from assistant.table.commands import Commands
from assistant.table.course import Course
from assistant.table.dialogue import expected
from assistant.table.keeping import Record
from assistant.table.missed import still_news
from assistant.table.moving import Moves
from assistant.table.questions import Questions
from assistant.table.setup import Setup
from assistant.table.steps import is_refused
from assistant.table.taking_up import tell_where_it_stands
from assistant.table.typist import Typist
from assistant.table.understanding import Understanding
from assistant.table.voices import Voice
from assistant.table.warnings import Warnings
from assistant.utterance import Utterance


class Ear(Protocol):
    """Whoever has to know what may be said now."""

    can_hear: bool
    """Whether what was expected last is listened for."""

    def expect(self, book: Phrasebook) -> None:
        """Listen for these phrases from now on; where that cannot be, to nothing until it can be again."""

    def give_up(self, why: HectorError) -> None:
        """Count as deaf until another `expect` succeeds, for what was expected cannot be listened for."""


class Table:
    """One game at the board. Every method takes times in seconds since the clock was first started."""

    def __init__(
        self,
        setup: Setup,
        vocabulary: Vocabulary,
        thresholds: Thresholds,
        voice: Voice,
        record: Record,
        ear: Ear | None = None,
        show: Callable[[str], None] = lambda line: None,
    ) -> None:
        self.setup = setup
        self.vocabulary = vocabulary
        self.thresholds = thresholds
        self.course = Course(setup, vocabulary, voice, record, show)
        self.memory = self.course.memory
        self._teller = self.course.teller
        self.utterances = 0
        """How many utterances have been decided on."""
        self._moves = Moves(self.course)
        self._questions = Questions(self.course, self._moves, vocabulary)
        self._commands = Commands(self.course, self._moves, self._questions)
        self._answers = Answers(self.course, self._moves, self._questions, vocabulary)
        self._typist = Typist(
            self.course, self._moves, self._questions, self._answers, self._commands, vocabulary, show
        )
        self._warnings = Warnings(self.course, self._moves)
        self._understanding = Understanding(
            self.course,
            self._moves,
            self._questions,
            self._answers,
            self._commands,
            vocabulary,
            thresholds,
            show,
        )
        self.confidant: Callable[[Decision, float], None] | None = None
        """Who takes what is said while a move is to be sealed, and when; without him it is lost."""
        self._ear = ear
        self._expected = expected(self.board, self.memory, vocabulary)

    # What others may know

    @property
    def board(self) -> chess.Board:
        """The position with the last move that was made; a copy."""
        return self.course.board

    @property
    def sheet(self) -> Game:
        """The game as it stands on the scoresheet."""
        return self.course.sheet

    @property
    def over(self) -> bool:
        return self.course.over

    @property
    def now(self) -> float:
        """The game's time, as far as anything has happened."""
        return self.course.now

    @property
    def plies(self) -> int:
        """How many half-moves were announced or made, the one that waits for its press included."""
        made = self.course.made
        return max(made, self.memory.pending.ply) if self.memory.pending else made

    @property
    def is_silent(self) -> bool:
        """Whether Hector has nothing more to say."""
        return self._teller.voice.silent_since(self.now) <= self.now

    @property
    def floor(self) -> Side:
        """The player whose move the next announcement is about: until the press still the one who moved."""
        return self._moves.floor

    def is_like_a_move(self, text: str) -> bool:
        """Return whether a line that was typed has the form of a move, in letters or in words."""
        return self._typist.is_like_a_move(text)

    def asks_again(self, text: str) -> bool:
        """Return whether a line that was typed asks for what was said last."""
        command = self._typist.command_in(text.strip())
        return command is not None and command.name == "repeat"

    def is_answer(self, text: str) -> bool:
        """Return whether one letter that was typed answers what Hector has asked."""
        return self._typist.is_answer(text.strip())

    # What happens

    def load(self) -> None:
        """Load what reads a move, writes it and answers a question, before a clock runs.

        Later the program's own files may be gone, or none can be opened any more.
        """
        read_move(self.board, "e4", self.setup.language)
        signs_of(self.setup.laws)
        duration_in_words(0, self.setup.language)

    def start(self, at: float = 0.0) -> None:
        """Start the clock of the player who has the move."""
        self.course.begin(at)
        self._listen()

    def resume(self, lines: Iterable[dict[str, Any]], at: float) -> None:
        """Take up a game from the lines of its journal; nothing of it is told again."""
        for line in lines:
            self.course.apply(line)
            self._warnings.recall(line)
        self.course.go_on(at)
        self._moves.heard_at = self.now
        self._moves.recall()
        tell_where_it_stands(self.course)
        self._finish()

    def hear(self, utterance: Utterance, zero: float = 0.0, until: float = math.inf) -> Decision:
        """Act on an utterance; `zero` is the source's time when the game's clock was started.

        What counts is when the player stopped speaking, not when he was understood. But what somebody did at
        the time `until`, and what waits for these words, is not to come later for them; and what was said to
        somebody else takes no time at all.
        """
        self.utterances += 1
        end = round(utterance.end - zero, 3)
        at = min(end, until)
        book, awaited = self._expected.book, self._understanding.awaits_answer
        decision = decide(utterance, book, self.thresholds)
        if not self.course.sealing:
            start, over = utterance.start - zero, utterance.end - zero
            decision = self._understanding.with_beginning(decision, book, start, over)
        if decision.kind != "reject" and decision.words in self._expected.replies:
            is_talk_perhaps = not self.course.hector_presses and decision.code == "doubtful"
            if is_talk_perhaps or not self._moves.are_replies(decision):
                # Nobody's clock is pressed for what may have been talk, or something else than an answer.
                self._questions.pardon(max(self.now, at))
                return decision
            asked = self.memory.asked
            if asked is not None and asked.holds_the_press(self.now) and not self._moves.can_be_answered:
                # Pressed for, who is asked would have lost his claim, or the move that he means.
                self._questions.again(asked, max(self.now, at))
                return decision
            # An opponent who answers shows that the move is made: his reply counts as begun when he began to
            # speak, and the mover's time ends there.
            if not self._moves.press(max(self.now, round(utterance.start - zero, 3))):
                # Why not has been told, and says why there is no answer either.
                self._finish()
                return decision
        at = max(self.now, at)
        if self._understanding.is_meant(decision, book):
            self.course.now = at
            self._moves.heard_at = max(at, end)
        if self.course.sealing and self._understanding.is_confidential(decision):
            if self.confidant is not None:
                self.confidant(decision, at)
            return decision
        if self._understanding.act_on(decision, book, at, awaited=awaited):
            self._finish()
        return decision

    def is_command(self, utterance: Utterance) -> bool:
        """Return whether words give a command, which counts when they are over, after what was done before.

        A move or an answer comes before the press that was typed as it ended: that is the press for it.
        """
        decision = decide(utterance, self._expected.book, self.thresholds)
        command = decision.command if decision.kind == "accept" else None
        return command is not None and decision.move is None and command.name not in ("yes", "no")

    def miss(self, utterance: Utterance, zero: float = 0.0, until: float = math.inf) -> None:
        """Ask again for what was said while nobody could hear all of it, if it was said to Hector.

        The times are those of `hear`.
        """
        decision = decide(utterance, self._expected.book, self.thresholds)
        if decision.kind == "reject" or is_talk(decision, self.thresholds):
            return
        is_taken_back = is_correction(decision, self._expected.book) and self.memory.pending is not None
        if decision.kind == "accept" and is_taken_back:
            # Nothing longer ends in this word, and a move that waits for its press must not be lost to it.
            self.hear(utterance, zero, until)
            return
        if self.memory.asked is None and not any(each.move is not None for each in decision.candidates):
            # What remains of a word is easily heard as one of the short commands.
            return
        end = round(utterance.end - zero, 3)
        self.course.now = at = max(self.now, min(end, until))
        self._moves.heard_at = max(at, end)
        self._questions.pardon(at)

    def was_talked_over(self, cut: Utterance) -> None:
        """Ask again for what Hector spoke into, if what was heard of it was said to him."""
        if self.over or self.course.sealing:
            return
        decision = decide(cut, self._expected.book, self.thresholds)
        if decision.kind != "reject" and not is_talk(decision, self.thresholds):
            self._questions.pardon(self.now)

    def type(self, text: str, at: float) -> None:
        """Act on a line that was typed: a move in any notation, a command's words, or one of the keys."""
        self.course.now = self._moves.heard_at = at = max(self.now, round(at, 3))
        self.memory.is_understood()
        self._typist.take(text.strip(), at)
        self._finish()

    def act(self, line: Mapping[str, Any], at: float) -> list[Event]:
        """Carry out a line of the game script that was neither said nor typed here; return what it brought.

        Its `side` is whoever acts; a `move` is UCI. What is refused is told to nobody aloud: whoever sent the
        line can be told where he sent it from.

        :raises ScriptError: if it is no line of a script; then nothing has changed.
        """
        line = {"at": max(self.now, round(at, 3)), **line}
        side, pending = line.get("side"), self.memory.pending
        if line["do"] in ("announce", "correct"):
            is_reply = line["do"] == "announce" and pending is not None and pending.side != side
            if is_reply and self.setup.press == "auto" and not self._moves.is_held:
                if refused := self._moves.refusal_of_reply(line):
                    return refused
                self._moves.press(line["at"])
            self._moves.heard_at = line["at"]
        elif line["do"] == "press" and pending is not None and pending.side == side:
            brought = self._moves.press_from_elsewhere(line)
            if is_refused(brought) or self.memory.pending is not pending:
                # The game is over, or the move is to be sealed.
                self._finish()
                return brought
        events = self.course.carry_out(line)
        self._finish()
        return events

    def tick(self, now: float, *, speech_since: float | None = None) -> None:
        """Let time pass up to `now`, but not beyond the beginning of an utterance that is going on."""
        if self.over:
            return
        due = self._moves.press_due(now)
        if due is not None and (speech_since is None or due <= speech_since):
            self.course.now = max(self.now, round(due, 3))
            self._moves.press(self.now)
            self._finish()
        if self._questions.attend(now, quiet=speech_since is None):
            self._listen()
        limit = now if speech_since is None else min(now, speech_since)
        if limit > self.now:
            self.course.advance(limit)
            if self.over:
                self._finish()
        self._warnings.attend(now, quiet=speech_since is None)

    def settle(self) -> None:
        """Press for a player whose move waits only for that; no more time than this takes passes."""
        due = self._moves.press_due()
        if due is not None and math.isfinite(due):
            self.tick(due)

    def refresh(self) -> None:
        """Bring everything up to date after lines that did not come through this table."""
        self._finish()

    def device(self, name: Device, *, lost: bool) -> None:
        """Say that a device has gone or is back."""
        say_in = self._teller.equipment
        self._teller.say(say_in.device_lost(name) if lost else say_in.device_back(name))

    def lose_hearing(self, why: HectorError) -> None:
        """Say that nobody is heard any longer; each new position tries again."""
        if self._ear is not None:
            self._ear.give_up(why)
            self.device("hearing", lost=True)

    def tell_missed(self, missed: Iterable[Sentence]) -> None:
        """Say what a dead voice did not say, as far as it is still news; it is recalled from now on."""
        is_asked = self.memory.asked is not None or self.memory.correcting
        self._teller.say_after_all(still_news(missed, is_asked=is_asked))

    def tell_missing(self, device: Literal["microphone", "voice"]) -> None:
        """Say that there has been no such device yet."""
        self._teller.say(self._teller.equipment.device_missing(device))

    def tell_muted(self) -> None:
        """Say that the microphone is there and nothing comes from it: nobody is heard."""
        self._teller.say(self._teller.equipment.microphone_muted())

    # What may be said next

    def _finish(self) -> None:
        """Bring everything up to date that hangs on the position and on what is being asked."""
        self._moves.note_taken_back()
        self.course.keeper.write_sheets()
        self._listen()

    def _listen(self) -> None:
        # A player who is to seal may be dictating, and is pressed for by nobody's words.
        presses = self.course.hector_presses and not self.course.sealing
        replies = presses or self._moves.can_be_answered
        absent = self.course.absent
        self._expected = expected(self.board, self.memory, self.vocabulary, replies=replies, absent=absent)
        if self._ear is None:
            return
        could_hear = self._ear.can_hear
        self._ear.expect(self._expected.book)
        if self._ear.can_hear != could_hear:
            self.device("hearing", lost=could_hear)

"""What follows from words that were heard: a move, a command, a question back, or nothing."""

from __future__ import annotations

from collections.abc import Callable

from assistant.announcements import Decision, Phrasebook, Thresholds, Vocabulary, mended
from assistant.sides import Side
from assistant.table.answering import Answers
from assistant.table.broken_off import BrokenOff
from assistant.table.caution import is_almost_understood, is_correction, is_talk
from assistant.table.commands import Commands
from assistant.table.course import Course
from assistant.table.dialogue import is_absents_turn
from assistant.table.heard import evidence, heard_line
from assistant.table.moving import Moves
from assistant.table.questions import Questions

_ABOUT_THE_SEALED = frozenset({"yes", "no", "press", "correction"})
"""Commands that are about the move which is being sealed, unless Hector has asked something else."""


class Understanding:
    """Acts on decisions in one game. Times are seconds since the clock was first started."""

    def __init__(
        self,
        course: Course,
        moves: Moves,
        questions: Questions,
        answers: Answers,
        commands: Commands,
        vocabulary: Vocabulary,
        thresholds: Thresholds,
        show: Callable[[str], None],
    ) -> None:
        self._course = course
        self._teller = course.teller
        self._memory = course.memory
        self._moves = moves
        self._questions = questions
        self._answers = answers
        self._commands = commands
        self._vocabulary = vocabulary
        self._thresholds = thresholds
        self._show = show
        self._broken_off = BrokenOff()

    def with_beginning(self, decision: Decision, book: Phrasebook, start: float, end: float) -> Decision:
        """Return the decision with what broke off before it, if the two belong together.

        :param start: when what was decided about began, in seconds of the game's time, and `end` when it was
            over.
        """
        return self._broken_off.whole(decision, book, start, end, is_talk=is_talk(decision, self._thresholds))

    @property
    def awaits_answer(self) -> bool:
        """Whether anything that is said may be the answer to a question."""
        return self._memory.asked is not None and not self._memory.asked.is_stale(self._course.now)

    def is_meant(self, decision: Decision, book: Phrasebook) -> bool:
        """Return whether what was said gives the player room for more before Hector presses for him.

        Talk of the hall does not: his time is running.
        """
        if decision.kind != "reject":
            return not is_talk(decision, self._thresholds)
        awaited = self.awaits_answer or is_correction(decision, book)
        return is_almost_understood(decision, book, self._thresholds, awaited=awaited)

    def is_confidential(self, decision: Decision) -> bool:
        """Return whether what was said while a move is to be sealed may have been that move."""
        command = decision.command if decision.kind == "accept" else None
        if command is None or decision.move is not None:
            return True
        return command.name in _ABOUT_THE_SEALED and self._memory.asked is None

    def act_on(self, decision: Decision, book: Phrasebook, at: float, *, awaited: bool) -> bool:
        """Show what was heard, and do what follows; return whether something else may be said from now on.

        :param awaited: whether an answer was, as it came.
        """
        whose = self._commands.whose_words(decision)
        self._show(heard_line(whose, decision, self._teller.wording, self._course.setup.language))
        if is_talk(decision, self._thresholds):
            return False
        if decision.kind == "reject":
            is_almost = is_almost_understood(decision, book, self._thresholds, awaited=awaited)
            if is_almost and not self._is_about_no_question(decision, at):
                self._questions.pardon(at)
            return False
        instead = mended(decision, self._vocabulary)
        if instead is None and decision.kind == "ask":
            return self._ask(decision, at, whose)
        if instead is None:
            self._accept(decision, at)
            return True
        self._attend_to_speaker()
        if not self._moves.take_back(self._commands.speaker, is_spoken=True):
            return True
        if instead.move is not None:
            self._moves.announce(instead.move, at, evidence(decision))
        elif self._moves.is_pending(instead.reading):
            self._announce_again(at, decision)
        else:
            self._questions.about(instead, at, whose)
        return True

    def _accept(self, decision: Decision, at: float) -> None:
        if decision.move is not None:
            self._attend_to_speaker()
            if self._moves.is_opponents(is_spoken=True) or self._answers_or_repeats(decision):
                self._answers.take(decision.text, at, evidence(decision))
            elif self._answers.may_repeat(decision.words):
                self._questions.whether_move(decision.move, at, said=decision.text, or_repeated=True)
            else:
                self._moves.announce(decision.move, at, evidence(decision))
        elif decision.command is not None and not self._commands.is_nobodys_answer(decision.command, at):
            self._attend_to_speaker()
            self._commands.give(decision.command, at, self._commands.speaker, is_spoken=True)

    def _ask(self, decision: Decision, at: float, whose: Side) -> bool:
        """Ask about what was not clear, or cannot be; return as `act_on`."""
        if self._is_about_no_question(decision, at):
            return False
        is_illegal = decision.code == "illegal"
        is_move = is_illegal or (bool(decision.candidates) and decision.candidates[0].move is not None)
        if is_move and is_absents_turn(self._course.board, self._memory, self._course.absent):
            # Talk about the position, or a slip: the move is somebody else's, and nothing is to be asked.
            return False
        if self._is_about_opponents_move(decision):
            if is_illegal:
                self._teller.voice.hush()
                self._answers.take(decision.text, at, evidence(decision))
            else:
                self._questions.pardon(at)
        elif is_illegal and (differs := self._moves.repetition_that_differs(decision.text)):
            assert self._memory.repeatable is not None
            self._teller.voice.hush()
            self._moves.repeat(self._memory.repeatable, at, evidence(decision), as_move=differs)
        elif is_illegal and self._broken_off.begins_with(decision.words):
            # Its rest may follow: it is not told that no move can be recorded of it.
            self._questions.pardon(at)
            return False
        elif is_illegal and self._moves.is_pending(decision.reading):
            self._teller.voice.hush()
            self._announce_again(at, decision)
        else:
            self._teller.voice.hush()
            self._questions.about(decision, at, whose)
        return True

    def _announce_again(self, at: float, decision: Decision) -> None:
        """Take the move that waits for its press as it is, legal or not, when it is said once more."""
        assert self._memory.pending is not None
        self._moves.announce(self._memory.pending.move, at, evidence(decision))

    def _attend_to_speaker(self) -> None:
        """Leave off answering and asking, as for a key: with headphones a player speaks while Hector does."""
        self._memory.is_understood()
        self._teller.voice.hush()

    def _is_about_opponents_move(self, decision: Decision) -> bool:
        """Return whether something that is no clear move would be asked about as the opponent's."""
        if not self._moves.is_opponents(is_spoken=True):
            return False
        first = decision.candidates[0] if decision.candidates else None
        return first is None or first.move is not None

    def _answers_or_repeats(self, decision: Decision) -> bool:
        """Return whether the same words answer the opponent's move that waits for its press and repeat it."""
        pending = self._memory.pending
        return self._moves.can_be_answered and pending is not None and decision.move == pending.move

    def _is_about_no_question(self, decision: Decision, at: float) -> bool:
        first = decision.candidates[0].command if decision.candidates else None
        return first is not None and self._commands.is_nobodys_answer(first, at)

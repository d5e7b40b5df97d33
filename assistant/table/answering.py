"""Words of a blind player while his opponent's move waits for its press: they answer it, or they repeat it.

He has the move when his opponent's is made (1.1), and to repeat the announcement is his duty (D.2.1). What he
says is never a correction of his opponent's move.
"""

from __future__ import annotations

from typing import Any

import chess

from assistant.announcements import Reading, Vocabulary, Words, can_be, parse
from assistant.moves import read_move
from assistant.table.course import Course
from assistant.table.dialogue import Pending, after_announced, forms, repeats
from assistant.table.moving import Moves
from assistant.table.questions import Questions


class Answers:
    """Tells answers from repetitions in one game. Times are seconds since the clock was first started."""

    def __init__(self, course: Course, moves: Moves, questions: Questions, vocabulary: Vocabulary) -> None:
        self._course = course
        self._teller = course.teller
        self._memory = course.memory
        self._moves = moves
        self._questions = questions
        self._vocabulary = vocabulary

    def is_answer(self, text: str) -> bool:
        """Return whether words are the answer to the move that waits for its press.

        Words that may as well repeat it are one as soon as the repetition is on record. In a rated game a
        move that is not legal answers as any other, or whoever gives it too early would learn that it is not.
        """
        pending = self._memory.pending
        if pending is None or not self._moves.can_be_answered or self._memory.correcting:
            return False
        answered = parse(after_announced(pending), text, self._vocabulary)
        if not answered.moves and self.illegal(pending, answered) is None:
            return False
        return self._memory.repeated or not self._repeats(pending, text)

    def illegal(self, pending: Pending, answered: Reading) -> chess.Move | None:
        """Return the move that is not legal and that a rated game takes as the answer all the same.

        What no man does in any position is none: to hear so tells nobody anything of this one.
        """
        if self._course.setup.mode == "club" or answered.moves:
            return None
        if answered.said is None or not can_be(answered.said):
            return None
        move = answered.as_said or next(iter(answered.but_for_check), None)
        own = after_announced(pending)
        is_own = move is not None and own.color_at(move.from_square) == own.turn
        return move if is_own else None

    def take(self, text: str, at: float, evidence: dict[str, Any]) -> None:
        """Act on words that are not, or not surely, the answer to the opponent's move."""
        pending = self._memory.pending
        assert pending is not None
        answered = parse(after_announced(pending), text, self._vocabulary)
        read = read_move(pending.before, text, self._course.setup.language)
        his = [move for move in read if pending.before.color_at(move.from_square) == pending.before.turn]
        if self._repeats(pending, text) and answered.move is not None and not self._memory.repeated:
            self._questions.whether_move(
                answered.move, at, said=text, or_repeated=True, is_typed="typed" in evidence
            )
        elif self._repeats(pending, text) or pending.move in his:
            self._moves.repeat_pending(at, evidence)
        elif (illegal := self.illegal(pending, answered)) is not None and "typed" not in evidence:
            if refused := self._course.refusal({"at": at, "do": "press", "side": pending.side}):
                # It is pressed for a legal answer too, and refused in the same words.
                self._teller.tell(refused, at)
            else:
                self._questions.whether_reply(illegal, at, said=self._vocabulary.written(answered.words))
        elif his:
            self._moves.repeat_pending(at, evidence, as_move=his[0])
        elif self._course.setup.mode == "club" and answered.said is not None and answered.reason is not None:
            self._teller.say(self._teller.wording.not_legal(answered.reason))
        elif answered.said is not None:
            self._teller.say(self._teller.sentences.not_a_move(self._vocabulary.written(answered.words)))
        elif "typed" in evidence:
            # Nobody types for somebody else's ears.
            self._teller.say(self._teller.sentences.pardon())
        else:
            self._questions.pardon(at)

    def may_repeat(self, words: Words) -> bool:
        """Return whether a move that Hector would press for may as well be the last announcement, repeated.

        Some moves can be answered with the same words: castling with castling, a capture with the recapture.
        """
        last, memory = self._memory.last, self._memory
        if not self._course.hector_presses or last is None or memory.repeated or memory.pending is not None:
            return False
        return words in forms(last.before, last.move, self._vocabulary)

    def _repeats(self, pending: Pending, text: str) -> bool:
        return repeats(pending, text, self._course.setup.language, self._vocabulary)

"""Moves at the table: announced, mended until the press, repeated by the opponent, placed, pressed for."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import chess

from assistant.announcements import Command, Decision, Reading
from assistant.laws import Event
from assistant.moves import read_typed
from assistant.sides import Side, other
from assistant.speaking import CLAIMS_WITH_A_MOVE
from assistant.table.course import Course
from assistant.table.dialogue import Announced, Pending, after_announced
from assistant.table.steps import TAKEN_BACK, is_refused

GRACE = 0.7
"""Seconds of silence after the read-back before Hector presses for the player: room for a correction."""

MATE_STANDS = 3.0
"""Seconds of silence after the read-back of a mate before the man counts as placed: room for a correction."""


class Moves:
    """The moves of one game. Every method takes times in seconds since the clock was first started."""

    def __init__(self, course: Course) -> None:
        self._course = course
        self._teller = course.teller
        self._memory = course.memory
        self._in_vain: Pending | None = None
        """The move that was pressed for and refused: Hector does not press for it again by himself."""
        self._recalled: Pending | None = None
        """The move that waited when the game was interrupted, until its player says it again."""
        self._noted: Pending | None = None
        """The move of which the journal has that it was taken back."""
        self.heard_at = 0.0
        """When somebody last said or typed something that was, or may have been, meant for Hector."""

    @property
    def floor(self) -> Side:
        """The player whose move the next announcement is about: until the press still the one who moved."""
        return self._memory.pending.side if self._memory.pending else self._course.side_to_move

    @property
    def mover(self) -> Side:
        """The player who has moved last, his clock pressed or not; before the first move, who has to."""
        if self._memory.pending is not None or not self._course.made:
            return self.floor
        return other(self._course.side_to_move)

    @property
    def position(self) -> chess.Board:
        """The position that the next announcement is about."""
        return self._memory.pending.before if self._memory.pending else self._course.board

    @property
    def others_position(self) -> chess.Board:
        """The position that the other player's words would be about, had he the move."""
        if self._memory.pending is not None:
            return after_announced(self._memory.pending)
        board = self._course.board
        board.turn, board.ep_square = not board.turn, None
        return board

    @property
    def can_be_answered(self) -> bool:
        """Whether a sighted player has made his move and not pressed yet: a blind one may reply already.

        A blind player's move is made with his press.
        """
        pending, setup = self._memory.pending, self._course.setup
        if pending is None or self._course.made < pending.ply:
            return False
        return setup.person(other(pending.side)).blind and not setup.person(pending.side).blind

    @property
    def is_held(self) -> bool:
        """Whether nobody presses for who has announced: he mends it, is asked, is to seal, or all stands.

        A press after the order to seal would say that the man is in its hole, and bind him to it (I.1.1).
        """
        asked = self._memory.asked
        if self._memory.correcting or self._course.sealing or self._course.referee.is_halted:
            return True
        return asked is not None and asked.holds_the_press(self._course.now)

    def are_replies(self, decision: Decision) -> bool:
        """Return whether all that may have been said answers the move which waits for its press."""
        pending = self._memory.pending
        if pending is None:
            return False
        legal = after_announced(pending).legal_moves
        return all(each.move is not None and each.move in legal for each in decision.candidates)

    def is_opponents(self, *, is_spoken: bool) -> bool:
        """Return whether the move that waits is the sighted opponent's, and words are the blind player's.

        He repeats that move and does not correct it. Where the opponent has spoken it into the microphone,
        nobody can hear who `is_spoken` now.
        """
        if self._memory.correcting or not self.can_be_answered:
            return False
        return not (is_spoken and self._course.was_spoken)

    def claimed_with(self, of: str | None, side: Side) -> chess.Move | None:
        """Return the move that a draw is claimed with, if it is (9.2.1, 9.3.1).

        It is the one that a blind player has announced and not made yet: he places it last (D.2.3). What he
        has taken back he does not claim with; when it is made he has not the move, and no claim is his.
        """
        pending = None if self._memory.correcting else self._memory.pending
        if of not in CLAIMS_WITH_A_MOVE or pending is None or pending.side != side:
            return None
        return pending.move

    def line_of(self, command: Command, at: float, side: Side) -> dict[str, Any]:
        """Return the line of a command that a player gives the referee; of a claim with its move."""
        line = {"at": at, "do": command.name, "side": side}
        if command.of is not None:
            line["of"] = command.of
        move = self.claimed_with(command.of, side)
        return line if move is None else {**line, "move": move.uci()}

    def words(self, move: chess.Move) -> str:
        """Return a move that is not completed as Hector announces it in the position that it is about."""
        return self._teller.wording.move(self.position, move)

    def words_of_answer(self, move: chess.Move) -> str:
        """Return a move that answers the one which waits for its press, as Hector announces it."""
        pending = self._memory.pending
        assert pending is not None
        return self._teller.wording.move(after_announced(pending), move)

    def announce(self, move: chess.Move, at: float, evidence: dict[str, Any], said: str = "") -> None:
        """Take an announcement: a new move, another one instead of it, or the same one said again.

        :param said: its words, which are told if it is refused.
        """
        course, memory = self._course, self._memory
        pending, text = memory.pending, self.words(move)
        asked = memory.asked
        was_asked = asked is not None and asked.is_about_a_move
        if asked is not None and asked.kind == "which" and move in asked.moves:
            # The answer names what differs alone; that it is mate was said before.
            evidence = {"confirmed": asked.text, **evidence}
        line = self._line(move.uci(), at) | evidence
        memory.asked = memory.differed = None
        if pending is not None and move == pending.move:
            if memory.correcting or was_asked:
                # It was no slip after all.
                self._recalled, memory.correcting = None, False
                self._teller.read_back(text, is_correction=False)
            else:
                self._recalled = None
                self.repeat_pending(at, evidence)
            return
        events = course.rule(line, tell=False)
        if is_refused(events):
            text = said or text
        else:
            assert memory.last is not None
            text = self._teller.text_of(memory.last)
            self._teller.read_back(text, is_correction=line["do"] == "correct")
        self._teller.tell(events, at, text)

    def refusal(self, move: str, at: float) -> list[Event]:
        """Return why a move, which may be illegal, cannot be noted as announced; nothing if it can."""
        return self._course.refusal(self._line(move, at))

    def _line(self, move: str, at: float) -> dict[str, Any]:
        """Return the line that announces a move, or corrects the announcement that waits for its press."""
        verb = "announce" if self._memory.pending is None else "correct"
        return {"at": at, "do": verb, "side": self.floor, "move": move}

    def is_pending(self, reading: Reading | None) -> bool:
        """Return whether words that are no legal move are those of the one that waits for its press."""
        pending = self._memory.pending
        if pending is None or reading is None:
            return False
        return pending.move in (reading.as_said, *reading.but_for_check)

    def repeat(
        self, said: Announced, at: float, evidence: dict[str, Any], *, as_move: chess.Move | None = None
    ) -> None:
        """Record that an announcement was repeated (D.2.1), or repeated wrongly, as another move."""
        if other(said.side) == self._course.absent:
            # Who plays from elsewhere repeats nothing at the table.
            return
        move = as_move or said.move
        line = {"at": at, "do": "repeat", "side": other(said.side), "move": move.uci(), **evidence}
        self._memory.differed = as_move
        self._teller.tell(self._course.rule(line, tell=False), at, self._teller.text_of(said))

    def repeat_pending(
        self, at: float, evidence: dict[str, Any], *, as_move: chess.Move | None = None
    ) -> None:
        """Record that the move which waits for its press was repeated, or wrongly, as another one."""
        pending = self._memory.pending
        assert pending is not None
        said = Announced(pending.side, pending.move, pending.before)
        self.repeat(said, at, evidence, as_move=as_move)

    def repetition_that_differs(self, text: str) -> chess.Move | None:
        """Return the move that a text makes of the last announcement, if it most likely repeats it wrongly.

        It is one if no move of the player who has the move now is meant, but one that the announcer could
        have made with the same kind of man and to the same file or rank. Said twice it is meant.
        """
        said = self._memory.repeatable
        if said is None or self._memory.pending is not None:
            return None
        moves = read_typed(said.before, text, self._course.setup.language)
        if len(moves) != 1 or moves[0] in (said.move, self._memory.differed):
            return None
        move, before = moves[0], said.before
        if move not in before.legal_moves or self._is_his_move(text):
            return None
        same_man = before.piece_type_at(move.from_square) == before.piece_type_at(said.move.from_square)
        here, there = move.to_square, said.move.to_square
        is_near = here & 7 == there & 7 or here >> 3 == there >> 3
        return move if same_man and is_near else None

    def _is_his_move(self, text: str) -> bool:
        """Return whether a text is a legal move of the player who has the move now."""
        board = self._course.board
        return any(move in board.legal_moves for move in read_typed(board, text, self._course.setup.language))

    def begin_correction(self, speaker: Side, *, is_spoken: bool) -> None:
        """Take back what can still be said anew, and ask for it (D.2.8)."""
        if self.take_back(speaker, is_spoken=is_spoken):
            self._teller.say(self._teller.sentences.ask_for_correction())

    def take_back(self, speaker: Side, *, is_spoken: bool) -> bool:
        """Take back the announcement that waits for its press, or is being asked about (D.2.8).

        Return whether there was one; else it is told that there is none.
        """
        memory = self._memory
        memory.correcting = memory.pending is not None and not self.is_opponents(is_spoken=is_spoken)
        if memory.correcting:
            memory.claim_is_dropped()
        if memory.correcting or (memory.asked is not None and memory.asked.is_about_a_move):
            memory.move_is_settled()
            return True
        if memory.last is None or (not self._course.hears_two and speaker == self._course.side_to_move):
            self._teller.say(self._teller.sentences.nothing_announced())
        else:
            self._teller.say(self._teller.sentences.nothing_to_correct())
        return False

    def press(self, at: float, speaker: Side | None = None) -> bool:
        """Press the clock of whoever has moved; where no move waits for it, that of `speaker`.

        Return whether it was not refused.
        """
        pending = self._memory.pending
        if pending is not None and self._is_in_doubt:
            # He took it back, or another one was asked about, and he presses for it after all.
            self._teller.read_back(self.words(pending.move), is_correction=False)
        side = pending.side if pending else speaker or self._course.side_to_move
        events = self.place(at)
        if is_refused(events):
            self._teller.tell(events, at)
        elif not self._course.over and self._memory.pending is pending:
            # A move that is to be sealed, as it was placed after the order, is not pressed for.
            events = self._course.rule({"at": at, "do": "press", "side": side})
        self._in_vain = pending if is_refused(events) else None
        return not is_refused(events)

    def press_from_elsewhere(self, line: Mapping[str, Any]) -> list[Event]:
        """Place the man whose move somebody presses for who is not at the table; return what that brought.

        Nobody has said that a move which was taken back stands: it is named, unless the press is refused.
        """
        pending, at = self._memory.pending, line["at"]
        if pending is not None and self._is_in_doubt and not self._course.refusal(*self._placing(at), line):
            self._teller.read_back(self.words(pending.move), is_correction=False)
        return self.place(at)

    @property
    def _is_in_doubt(self) -> bool:
        """Whether the move that waits was taken back, or another one is asked about."""
        asked = self._memory.asked
        return self._memory.correcting or (asked is not None and asked.puts_move_in_doubt)

    def note_taken_back(self) -> None:
        """Write down that a move is taken back, if no other has been announced in its stead at once.

        So is that it stands after all: else it would be taken back again when the game is taken up.
        """
        pending, noted = self._memory.pending, self._noted
        self._noted = pending if self._memory.correcting else None
        if pending is not None and (pending is noted) is not (pending is self._noted):
            line = {"at": self._course.now, "do": "note", "about": TAKEN_BACK, "side": pending.side}
            self._course.rule(line if self._memory.correcting else {**line, "stands": True})

    def recall(self) -> None:
        """Leave the press for a move that was announced before an interruption to its player.

        Nobody has heard what he has said meanwhile. A mate that he has stated stands all the same.
        """
        self._recalled = self._memory.pending
        self._noted = self._recalled if self._memory.correcting else None

    def refusal_of_reply(self, line: Mapping[str, Any]) -> list[Event]:
        """Return why the reply to the move which waits for its press is refused; nothing if it is not.

        It counts as pressed for then: a reply that is none presses nobody's clock.
        """
        pending, at = self._memory.pending, line["at"]
        assert pending is not None
        press = [*self._placing(at), {"at": at, "do": "press", "side": pending.side}]
        if self._course.refusal(*press):
            # The move would end the game, and has not yet: he who announced it may still mend it.
            press = []
        return self._course.refusal(*press, line)

    def _placing(self, at: float) -> list[dict[str, Any]]:
        """Return the line that places a blind player's man who is announced; none where it is in its hole."""
        pending = self._memory.pending
        blind = pending is not None and self._course.setup.person(pending.side).blind
        if pending is None or not blind or self._course.made >= pending.ply:
            return []
        return [{"at": at, "do": "place", "side": pending.side, "move": pending.move.uci()}]

    def place(self, at: float) -> list[Event]:
        """Note that a blind player has placed the man he announced; return what it brought.

        The announcement stands for the man in his hole, which no one but the player can feel; he says with
        the press that both are done (D.2.3). With that the game may be over. What is refused is not told.
        """
        brought: list[Event] = []
        for line in self._placing(at):
            brought = self._course.rule(line, tell=False)
            if not is_refused(brought):
                self._teller.tell(brought, at)
        return brought

    def press_due(self, now: float = math.inf) -> float | None:
        """Return when Hector presses for the player, if that time has come by `now`.

        Where the player presses himself, that is only where he has announced mate, and nobody contradicts:
        mate ends the game without a press (5.1.1, 6.2.1).
        """
        memory = self._memory
        if memory.pending is None or memory.pending is self._in_vain:
            return None
        if self.is_held or self._course.mover_presses:
            return None
        if self._course.setup.press == "auto" and memory.pending is not self._recalled:
            grace = GRACE
        elif memory.pending.is_mate:
            grace = MATE_STANDS
        else:
            return None
        due = max(self._teller.voice.silent_since(self._course.now), self.heard_at) + grace
        return due if due <= now else None

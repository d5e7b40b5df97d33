"""What a player says or types to steer the game, and whose words they are."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from assistant.announcements import Command, Decision
from assistant.sides import SIDES, Side, other
from assistant.table.course import Course
from assistant.table.dialogue import ANSWERS_TO_AN_OFFER, REPETITION, Asked
from assistant.table.lineeditor import SILENCING
from assistant.table.moving import Moves
from assistant.table.questions import Questions

KEYS = {
    "": Command("press"),
    "?": Command("help"),
    "t": Command("times"),
    "m": Command("moves-completed"),
    "c": Command("moves-to-control"),
    "l": Command("last-move"),
    "o": Command("opponents-move"),
    "p": Command("position"),
    "r": Command("repeat"),
    "k": Command("correction"),
    **dict.fromkeys(SILENCING, Command("stop")),
    "y": Command("yes"),
    "n": Command("no"),
    "draw": Command("offer-draw"),
    "accept": Command("accept-draw"),
    "decline": Command("decline-draw"),
    "resign": Command("resign", confirm=True),
}
"""What is typed instead of a phrase, in lower case."""

UNASKED = 60.0
"""Seconds after Hector's last question in which yes or no is still an answer, and told that it came too
late; after that it was said to somebody else."""

_OPPONENTS_KEYS = frozenset({"offer-draw", "accept-draw", "decline-draw", "resign"})
"""Keys of the sighted player; the others ask for what only a blind player is told (D.2.10.4)."""
_ONES_OWN = frozenset({"offer-draw", "resign"})
"""What of two blind players only the one does who says it: the question names him."""
_ASKED_OF_TWO = _ONES_OWN | {"accept-draw"}
"""What is asked back where two blind players share a keyboard, as it is where they say it."""


class Commands:
    """Carries out the commands of one game. Times are seconds since the clock was first started."""

    def __init__(self, course: Course, moves: Moves, questions: Questions) -> None:
        self._course = course
        self._teller = course.teller
        self._memory = course.memory
        self._moves = moves
        self._questions = questions

    # Whose words they are

    @property
    def speaker(self) -> Side:
        """Whose words a spoken command is: the blind player's; of two, the one's whose turn it is."""
        blind = [side for side in SIDES if self._course.setup.person(side).blind]
        return blind[0] if len(blind) == 1 else self._moves.floor

    def whose(self, command: Command, side: Side) -> Side:
        """Return whose a command is that was said by `side`, as far as anybody can hear.

        An answer to a draw offer is the other player's, whoever said it into the microphone, but not that of
        one who plays from elsewhere. Of two blind players, the one whose clock does not run claims the flag,
        and the one who has moved offers a draw (9.1.2.1); it is asked whether he did.
        """
        if command.name in ANSWERS_TO_AN_OFFER:
            answering = self._offered_to(side)
            return side if answering == self._course.absent else answering
        if command.of == "flag" and self._course.hears_two:
            return other(self._moves.floor)
        if command.name == "offer-draw" and self._course.hears_two:
            return self._moves.mover
        return side

    def whose_words(self, decision: Decision) -> Side:
        """Return whose words were heard, as far as anybody can hear."""
        first = decision.candidates[0].command if decision.candidates else None
        command = decision.command or first
        if command is not None:
            return self.whose(command, self.speaker)
        return self.speaker if self._moves.is_opponents(is_spoken=True) else self._moves.floor

    @property
    def _typist(self) -> Side | None:
        """Whose a key of the opponent's is: the sighted player's; of two, nobody knows."""
        if self._course.absent is not None:
            return other(self._course.absent)
        sighted = [side for side in SIDES if not self._course.setup.person(side).blind]
        return sighted[0] if len(sighted) == 1 else None

    def is_typists(self, asked: Asked | None) -> bool:
        """Whether a question is the sighted player's alone: whether he resigns, or accepts the draw."""
        if asked is None or asked.command is None or asked.side is None:
            return False
        return asked.is_typed and self._is_sighted_typist(asked.side)

    def _is_sighted_typist(self, side: Side) -> bool:
        return side == self._typist != self.speaker

    def is_nobodys_answer(self, command: Command, at: float) -> bool:
        """Return whether a yes or no was said to somebody else: people say both all the time.

        As long as a move waits for its press it may be about that. What his sighted opponent was asked, the
        blind player does not answer. A question between several things waits, but not for yes or no.
        """
        memory, asked = self._memory, self._memory.asked
        if command.name not in ("yes", "no"):
            return False
        if self.is_typists(asked):
            return True
        if asked is not None:
            return asked.is_between_several and asked.age(at) > UNASKED
        return memory.pending is None and at - memory.asked_at > UNASKED

    def _interrupted_by_typist(self, side: Side) -> Asked | None:
        """Return what the blind player still has to answer when his sighted opponent is asked something."""
        asked = self._memory.asked
        if not self._is_sighted_typist(side):
            return None
        return asked.interrupts if asked is not None and self.is_typists(asked) else asked

    def _offered_to(self, side: Side) -> Side:
        """Return who can answer the draw offer; without one, whoever wants to."""
        offered_by = self._course.referee.draw_offer
        return side if offered_by is None else other(offered_by)

    def _is_offered_a_draw(self, side: Side) -> bool:
        """Whether a player has an offer to answer, as far as anybody can tell."""
        return not self._course.hears_two and self._course.referee.draw_offer == other(side)

    def _is_answer_awaited(self) -> bool:
        """Return whether a draw is offered to whoever may have said yes or no: of two that can be either."""
        if self._course.hears_two:
            return self._course.referee.draw_offer is not None
        return self._is_offered_a_draw(self.speaker)

    def _as_answer(self, command: Command, side: Side) -> Command:
        """Return what a command means: who offers a draw while one is offered to him means that one."""
        if command.name == "offer-draw" and self._is_offered_a_draw(side):
            return replace(command, name="accept-draw", confirm=True)
        return command

    # What they bring about

    def key(self, command: Command, at: float) -> None:
        """Act on one of `KEYS`."""
        if command.name not in _OPPONENTS_KEYS:
            self.give(command, at, self.speaker)
        elif self._typist is None:
            self.give(command, at, self._moves.floor)
        else:
            self._act(command, at, self._typist)

    def give(self, command: Command, at: float, side: Side, *, is_spoken: bool = False) -> None:
        """Act on a command that was said or typed; what cannot be taken back is asked back first.

        Whoever types it has a side: an answer to an offer is his own.
        """
        if is_spoken or self._course.hears_two:
            side = self.whose(command, side)
        if is_spoken and command.name == "press" and not self._course.setup.word_presses:
            # Whoever says it finds out that his clock still runs.
            self._teller.say(self._teller.sentences.not_available())
            return
        self._act(command, at, side, is_spoken=is_spoken)

    def _act(self, command: Command, at: float, side: Side, *, is_spoken: bool = False) -> None:
        asked, command = self._memory.asked, self._as_answer(command, side)
        if command.name in ("yes", "no"):
            self._answer(command.name == "yes", at)
        elif command.confirm or (command.name in _ASKED_OF_TWO and self._course.hears_two):
            interrupts = None if is_spoken else self._interrupted_by_typist(side)
            self._questions.whether(command, at, side, interrupts=interrupts, is_typed=not is_spoken)
        else:
            if command.name == "correction":
                self._moves.begin_correction(side, is_spoken=is_spoken)
            else:
                self._carry_out(command, at, side)
            if asked is not None and self._memory.asked is asked:
                # Whoever asks something in between has not forgotten that he was asked.
                self._questions.keep(asked, at)

    def _must_be_answered(self, asked: Asked) -> bool:
        """Return whether a question goes before the press.

        Pressed without the answer, the clock would say that there was no move (7.5.3), or that it is the one
        that was taken back. One that waits and was not is made by the press, and named once more: the hall
        may have brought the question up.
        """
        return asked.puts_move_in_doubt and (self._memory.pending is None or self._memory.correcting)

    def _answer(self, yes: bool, at: float) -> None:
        asked = self._memory.asked
        if yes and asked is not None and asked.command is None and len(asked.moves) != 1:
            # Yes to "this or that?" is no answer, and the question stands.
            self._questions.again(asked, at)
            return
        self._memory.asked = still_open = None if asked is None else asked.interrupts
        sentences = self._teller.sentences
        if asked is None and self._memory.correcting:
            if yes:
                self._teller.say(sentences.ask_for_correction())
            else:
                self._memory.correcting = False
                self._teller.say(sentences.dropped())
        elif asked is None and self._is_answer_awaited():
            self._teller.say(self._teller.wording.how_to_answer_offer())
        elif asked is None:
            self._teller.say(sentences.nothing_to_answer())
        elif not yes:
            self._not_meant(asked, at)
        elif asked.command is not None:
            self._carry_out(asked.command, at, asked.side or self.speaker)
            if still_open is not None and self._memory.asked is still_open and not self._course.over:
                self._questions.again(still_open, at)
        else:
            evidence: dict[str, Any] = {"confirmed": asked.text, "heard_at": asked.heard_at}
            if asked.is_typed:
                evidence["typed"] = asked.text
            # It is the answer: the move that it answers is made.
            if asked.comes_after and self._memory.pending is not None and not self._moves.press(at):
                return
            self._moves.announce(asked.moves[0], at, evidence)

    def _not_meant(self, asked: Asked, at: float) -> None:
        """Go on after "no": what else may be meant is asked for, and nothing stays open unheard."""
        command, last = asked.command, self._memory.last
        if asked.or_repeated and last is not None:
            self._moves.repeat(last, at, {})
        if self._memory.correcting and asked.interrupts is None:
            self._teller.say(self._teller.sentences.ask_for_correction())
        elif (
            command is not None
            and command.name in _ONES_OWN
            and self._course.hears_two
            and not asked.is_second
        ):
            assert asked.side is not None
            self._questions.whether(command, at, other(asked.side), is_second=True)
        else:
            self._teller.say(self._teller.sentences.dropped())
            if asked.interrupts is not None:
                self._questions.again(asked.interrupts, at)

    def _carry_out(self, command: Command, at: float, side: Side) -> None:
        course, sentences = self._course, self._teller.sentences
        match command.name:
            case "press" if (asked := self._memory.asked) is not None and self._must_be_answered(asked):
                self._questions.again(asked, at)
            case "press":
                self._moves.press(at, side)
            case "times" | "moves-completed" | "moves-to-control":
                course.rule({"at": at, "do": "ask", "side": side, "about": command.name})
            case "last-move" | "opponents-move":
                self._ask_for_move(command.name, side, at)
            case "position" | "square" | "piece" if course.setup.tells_position:
                # It is the game's own position; what a player set up on another board nobody can tell.
                self._note_question("position", side, at)
                self._teller.say(self._teller.wording.about_the_board(command, course.board))
            case "position" | "square" | "piece":
                # In a rated game the board itself is there to be felt.
                self._teller.say(sentences.not_available())
            case "repeat" | "continue":
                self._teller.say_again()
            case "stop":
                self._teller.voice.cancel()
                self._memory.stopped = True
            case "adjust":
                # On record for the arbiter (4.2); the opponent has heard it himself.
                course.rule({"at": at, "do": "note", "about": "adjust", "side": side})
            case "help":
                setup, offered = course.setup, course.referee.draw_offer is not None
                self._teller.say(
                    self._teller.wording.help(
                        is_offered=offered,
                        tells_position=setup.tells_position,
                        word_presses=setup.word_presses,
                    )
                )
            case "arbiter":
                course.rule({"at": at, "do": "note", "about": "arbiter", "side": side})
                self._teller.say(sentences.arbiter_called())
            case "claim" if command.of is None:
                self._questions.which_claim(at)
            case "claim" | "resign" | "offer-draw" | "accept-draw" | "decline-draw":
                course.rule(self._moves.line_of(command, at, side))
            case name if name == REPETITION and self._memory.repeatable is not None:
                self._moves.repeat(self._memory.repeatable, at, {})

    def _ask_for_move(self, about: str, side: Side, at: float) -> None:
        """Tell the last move that was announced, whether or not its clock is pressed, or the opponent's."""
        self._note_question("last-move", side, at)
        announced = [each for each in (self._memory.last, self._memory.before_last) if each is not None]
        if about == "opponents-move":
            announced = [each for each in announced if each.side != side]
        sentences = self._teller.sentences
        if not announced and self._memory.last is not None:
            self._teller.say(sentences.opponent_has_not_moved())
        else:
            self._teller.say(sentences.last_move(self._teller.text_of(announced[0]) if announced else None))

    def _note_question(self, about: str, side: Side, at: float) -> None:
        """Put a question on record whose answer is not the referee's."""
        events = self._course.rule({"at": at, "do": "ask", "side": side, "about": about}, tell=False)
        self._teller.tell([each for each in events if each.event not in ("answer", "refused")], at)

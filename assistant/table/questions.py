"""Asking back: between moves, whether a move or a command was meant, and for what was not understood."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import chess

from assistant.announcements import (
    Command,
    Decision,
    Meaning,
    Reading,
    Reason,
    Vocabulary,
    Words,
    answer_phrasebook,
    can_be_asked,
    claim_answers,
    parse,
    what_differs,
)
from assistant.board import rook_of_castling
from assistant.sides import Side
from assistant.speaking import Sentence
from assistant.table.course import Course
from assistant.table.dialogue import Asked
from assistant.table.moving import Moves

MOST_RIVALS = 3
"""More moves that sound alike than this are not asked between: nobody keeps them in mind. What was said and
fits more moves is asked about whole, because the one that is meant must be among them."""

_OFFERS = frozenset({"offer-draw", "accept-draw"})
_CLAIMS = frozenset({"threefold", "fifty-moves", "flag"})
"""Claims that are refused, where they are, whatever the moves were: the refusal tells nothing of them."""


class Questions:
    """What Hector asks in one game; the answer is waited for in the dialogue's memory."""

    def __init__(self, course: Course, moves: Moves, vocabulary: Vocabulary) -> None:
        self._course = course
        self._teller = course.teller
        self._moves = moves
        self._vocabulary = vocabulary

    def about(self, decision: Decision, at: float, side: Side) -> None:
        """Ask about an utterance that cannot be accepted as it is; `side` is whose a command would be."""
        moves = [meaning.move for meaning in decision.candidates if meaning.move is not None]
        if decision.code == "rivals":
            moves = moves[:MOST_RIVALS]
        if decision.code == "illegal":
            self._illegal(decision, moves, at)
        elif len(moves) > 1:
            self.which(moves, at, decision.text)
        elif moves:
            self.whether_move(moves[0], at, said=decision.text)
        elif decision.candidates and decision.candidates[0].command is not None:
            self.whether(decision.candidates[0].command, at, side, decision.text)
        else:
            self.pardon(at)

    def _illegal(self, decision: Decision, likely: Sequence[chess.Move], at: float) -> None:
        """Deal with an announcement that is not legal.

        A club game refuses it. A rated one asks about it as about any other and then records it as announced;
        what no move can be recorded of is told to be understood, if it was clear, and else another move may
        have been meant.
        """
        reading = decision.reading
        if reading is None or (reading.stated is None and reading.said is None):
            self.pardon(at)
        elif self._course.setup.mode == "club":
            self.refuse(reading)
        elif len(several := reading.but_for_check) > 1 and self._are_recordable(several, at):
            self.which(several, at, decision.text)
        elif (stated := reading.as_said) is not None:
            if refused := self._moves.refusal(stated.uci(), at):
                # A legal move is refused in the same words, and nobody learns which of the two it was.
                self._teller.tell(refused, at, decision.text)
            else:
                asked = Asked("illegal", at, (stated,), heard_at=at, text=decision.text)
                self.ask(asked, self._teller.sentences.did_you_mean(decision.text))
        elif decision.is_plain:
            self._teller.say(self._teller.sentences.not_a_move(decision.text))
        elif likely:
            self.whether_move(likely[0], at)
        else:
            self.pardon(at)

    def refuse(self, reading: Reading) -> None:
        """Say why an announcement is no legal move: a club game tells it.

        Where the player who has not the move may have spoken, whose move it is not is told with it: it may
        be one of his.
        """
        if reading.reason is not None:
            side = self._moves.floor if self._may_be_others(reading, reading.reason) else None
            self._teller.say(self._teller.wording.not_legal(reading.reason, side))

    def _may_be_others(self, reading: Reading, reason: Reason) -> bool:
        if self._course.absent is not None:
            return False
        words = " ".join(reading.words)
        return reason.code == "opponents-man" or bool(
            parse(self._moves.others_position, words, self._vocabulary).moves
        )

    def _are_recordable(self, moves: Sequence[chess.Move], at: float) -> bool:
        return not any(self._moves.refusal(move.uci(), at) for move in moves)

    def which(self, moves: Sequence[chess.Move], at: float, text: str) -> None:
        """Ask between moves, naming only what differs."""
        moves = list(dict.fromkeys(moves))
        position = self._moves.position
        legal = [move for move in moves if move in position.legal_moves]
        # Which side is castled is asked in the same words whatever is legal: nobody has asked that.
        is_castling = all(rook_of_castling(position, move) is not None for move in moves)
        is_mixed = 0 < len(legal) < len(moves) and not is_castling
        if len(moves) == 1 or is_mixed or not can_be_asked(position, moves):
            self.whether_move(moves[0], at, said=text)
            return
        question = what_differs(position, moves, self._vocabulary)
        asked = Asked("which", at, tuple(moves), question=question, heard_at=at, text=text)
        self.ask(asked, self._teller.wording.which(question))

    def answered_with(self, words: Words) -> Sequence[Meaning]:
        """Return what words choose of the moves or claims which are asked between; empty if nothing."""
        asked = self._course.memory.asked
        if asked is not None and asked.kind == "claim":
            command = claim_answers(self._vocabulary).get(words)
            return () if command is None else (Meaning(command=command),)
        if asked is None or asked.question is None:
            return ()
        answers = answer_phrasebook(self._moves.position, asked.question, self._vocabulary, commands=())
        return answers.phrases.get(words, ())

    def whether_move(
        self,
        move: chess.Move,
        at: float,
        *,
        said: str = "",
        or_repeated: bool = False,
        is_typed: bool = False,
    ) -> None:
        """Ask whether a move is meant, before it counts; or whether the last announcement was repeated.

        `said`: what was understood, if it meant this move.
        """
        pending = self._course.memory.pending
        # What may repeat the move that waits for its press would be the answer to it.
        answers = or_repeated and pending is not None
        text = self._moves.words_of_answer(move) if answers else self._moves.words(move)
        asked = Asked(
            "this-move",
            at,
            (move,),
            heard_at=at,
            text=said or text,
            or_repeated=or_repeated,
            is_typed=is_typed,
        )
        self.ask(asked, self._teller.sentences.did_you_mean(text))

    def whether_reply(self, move: chess.Move, at: float, *, said: str) -> None:
        """Ask whether a move that is not legal answers the one which waits for its press.

        :param said: its words: they are asked about as they were understood.
        """
        asked = Asked("illegal", at, (move,), heard_at=at, text=said, is_reply=True)
        self.ask(asked, self._teller.sentences.did_you_mean(said))

    def whether(
        self,
        command: Command,
        at: float,
        side: Side,
        text: str = "",
        *,
        is_second: bool = False,
        interrupts: Asked | None = None,
        is_typed: bool = False,
    ) -> None:
        """Ask whether a command is meant, before it counts; `is_second`: by this player, if not by the other.

        Of two blind players who share a microphone, the question names the one who would resign or offer a
        draw, as it does the sighted one who typed it (`is_typed`); a draw that is claimed with a move names
        the move. An offer, an answer to one or a claim that the referee would refuse is refused at once:
        asked back, it would sound as if it could be. What was asked before and is no command waits for its
        answer meanwhile, as what it `interrupts` does.
        """
        course, sentences = self._course, self._teller.sentences
        is_refused_at_once = command.name in _OFFERS or command.of in _CLAIMS
        if is_refused_at_once and (refusal := course.refusal(self._moves.line_of(command, at, side))):
            self._teller.tell(refusal, at)
            if command.of is not None and course.memory.asked is not None:
                self._claimed(course.memory.asked, at)
            return
        move = self._moves.claimed_with(command.of, side)
        try:
            is_named = course.hears_two or not course.setup.person(side).blind
            if command.name == "resign" and is_named:
                sentence = sentences.confirm_resignation(side)
            elif command.name == "offer-draw" and is_named:
                sentence = sentences.confirm_offer(side)
            elif command.name == "accept-draw" and is_named and is_typed:
                sentence = sentences.confirm_acceptance(side)
            elif move is not None and command.of is not None:
                sentence = sentences.confirm_claim_with(command.of, self._moves.words(move))
            else:
                sentence = sentences.confirm(command.name, command.of)
        except KeyError:
            sentence = sentences.did_you_mean(text or command.name)
        asked = Asked(
            "command",
            at,
            moves=() if move is None else (move,),
            command=command,
            side=side,
            heard_at=at,
            text=text,
            is_second=is_second,
            is_typed=is_typed,
            interrupts=interrupts or self._outlasting(command),
        )
        self.ask(asked, sentence)

    def which_claim(self, at: float) -> None:
        """Ask what is claimed."""
        asked = Asked("claim", at, interrupts=self._outlasting(Command("claim")))
        self.ask(asked, self._teller.wording.which_claim())

    def _outlasting(self, command: Command) -> Asked | None:
        """Return what is still to be answered after a command: whether no other one, and what is claimed."""
        asked, closed = self._course.memory.asked, {"command"}
        if command.name == "claim":
            closed.add("claim")
        return None if asked is None else asked.without(lambda each: each.kind in closed)

    def _claimed(self, asked: Asked, at: float) -> None:
        """Close the question what is claimed, if it is the open one."""
        if asked.kind == "claim":
            self._course.memory.asked = None
            if asked.interrupts is not None:
                self.again(asked.interrupts, at)

    def again(self, asked: Asked, at: float) -> None:
        """Put a question once more."""
        assert asked.sentence is not None
        self.ask(replace(asked, at=at), asked.sentence)

    def ask(self, asked: Asked, sentence: Sentence) -> None:
        memory, asked = self._course.memory, replace(asked, sentence=sentence)
        memory.asked, memory.asked_at = asked, asked.at
        self._teller.ask(sentence)
        self.keep(asked, asked.at)

    def keep(self, asked: Asked, at: float) -> None:
        """Leave a question open; the patience with it begins when all is said that is to be said now."""
        told_at = self._teller.voice.silent_since(at)
        self._course.memory.asked = replace(asked, at=at, told_at=told_at)

    def attend(self, now: float, *, quiet: bool) -> bool:
        """Note when a question has been heard; return whether one was forgotten, as far as it is `quiet`."""
        memory, asked = self._course.memory, self._course.memory.asked
        if asked is not None and asked.told_at == math.inf:
            told_at = self._teller.voice.silent_since(now)
            memory.asked = asked = replace(asked, told_at=told_at)
        if asked is None or not quiet or not asked.is_forgotten(now):
            return False
        memory.asked = None
        if asked.interrupts is not None:
            self.again(asked.interrupts, now)
        elif memory.correcting:
            # The move that was taken back does not stand again because nobody has answered.
            self._teller.say(self._teller.sentences.ask_for_correction())
        elif asked.puts_move_in_doubt and memory.pending is not None:
            # Nobody knows any more which move waits for its press.
            self._teller.read_back(self._moves.words(memory.pending.move), is_correction=False)
        return True

    def pardon(self, at: float) -> None:
        """Ask for it to be said again, but not time and again."""
        if self._course.memory.may_pardon(at):
            self._teller.say(self._teller.sentences.pardon())

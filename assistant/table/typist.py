"""What is typed at the table: whose it is, and what it means there."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import chess

from assistant.announcements import ANSWERS, HEADS, Command, Meaning, Reading, Vocabulary, Words, parse
from assistant.errors import marked
from assistant.laws import Event
from assistant.moves import (
    EVERYBODYS,
    announcement_of,
    are_several,
    begins_with_pawn,
    in_letters,
    is_castling_to_any_side,
    is_in_words,
    promoted_to,
    read_typed,
)
from assistant.offers import offers_draw
from assistant.sides import other
from assistant.speaking import answer_of, told
from assistant.table.answering import Answers
from assistant.table.commands import KEYS, Commands
from assistant.table.course import Course
from assistant.table.dialogue import Pending, after_announced, is_absents_turn, repeats
from assistant.table.moving import Moves
from assistant.table.questions import Questions
from assistant.table.terminal import KEYS as KEYS_SHOWN
from assistant.table.terminal import lines
from assistant.worded import man_named


class Typist:
    """Takes the typed lines of one game. Times are seconds since the clock was first started."""

    def __init__(
        self,
        course: Course,
        moves: Moves,
        questions: Questions,
        answers: Answers,
        commands: Commands,
        vocabulary: Vocabulary,
        show: Callable[[str], None],
    ) -> None:
        self._course = course
        self._teller = course.teller
        self._memory = course.memory
        self._setup = course.setup
        self._moves = moves
        self._questions = questions
        self._answers = answers
        self._commands = commands
        self._vocabulary = vocabulary
        self._show = show

    def take(self, text: str, at: float) -> None:
        """Act on a line that was typed: a move in any notation, a command's words, or one of the keys."""
        is_letter = self.is_answer(text)
        key = None if is_letter else KEYS.get(text.lower())
        if key is not None:
            if key.name == "help":
                for line in lines(KEYS_SHOWN, self._setup.language):
                    self._show(line)
            self._commands.key(key, at)
            return
        answer = None if self._memory.asked is None or is_letter else answer_of(text)
        if answer is not None:
            self._answer(is_yes=answer, at=at)
            return
        if offers_draw(text):
            self._teller.say(self._teller.sentences.offer_apart())
            return
        reading = parse(self._moves.position, text, self._vocabulary)
        answered = self._answered_with(text, reading)
        chosen = [meaning.move for meaning in answered if meaning.move is not None]
        if len(chosen) == 1:
            self._moves.announce(chosen[0], at, {"typed": text})
            return
        if chosen:
            self._questions.which(chosen, at, text)
            return
        command = answered[0].command if answered else reading.command
        asked = self._memory.asked
        is_asked = asked is not None and asked.is_about_a_move
        # Before a yes or a no nobody has asked for, a move is none.
        head, rest = self._behind_head(text, HEADS if is_asked else ("correction",))
        if head == "correction":
            if self._moves.take_back(self._commands.speaker, is_spoken=False):
                self.take(rest, at)
        elif head:
            self.take(rest, at)
        elif command is not None:
            # Whoever types the words of the announcements cannot be heard: it is the blind player.
            self._commands.give(command, at, self._commands.speaker)
        else:
            self._take_move(text, at, reading)

    def _take_move(self, text: str, at: float, reading: Reading) -> None:
        """Act on what is neither a command nor an answer to Hector, but if anything a move.

        Whoever types the words of the announcements is the blind player; his opponent writes letters. The
        names of the men in another language are as good as letters.
        """
        in_words = is_in_words(in_letters(text, self._setup.language))
        is_for_opponent = in_words and self._moves.can_be_answered
        is_answer = self._answers.is_answer(text) if is_for_opponent else self._is_reply(text)
        if is_answer:
            # Who answers shows that the move is made.
            if not self._moves.press(at):
                # Why not has been told, and says why there is no answer either.
                return
            reading = parse(self._moves.position, text, self._vocabulary)
        elif in_words and self._moves.is_opponents(is_spoken=False):
            self._answers.take(text, at, {"typed": text})
            return
        elif not in_words and self._may_answer_too_early(text):
            self._teller.say(self._teller.wording.mend_or_press_first(word_presses=self._setup.word_presses))
            return
        if not in_words:
            reading = self._reading_of_letters(text)
        if is_absents_turn(self._course.board, self._memory, self._course.absent):
            is_move = bool(self._moves_in(text)) or reading.reason is not None
            say_in = self._teller.sentences
            self._teller.say(say_in.opponents_turn() if is_move else say_in.pardon())
        else:
            self._announce(text, at, reading, in_words=in_words, is_answer=is_answer)

    def _announce(self, text: str, at: float, reading: Reading, *, in_words: bool, is_answer: bool) -> None:
        """Announce the move that was typed, take it as a repetition, ask about it, or tell why it is none.

        What was known as an answer, and pressed for, repeats nothing.
        """
        position, moves = self._moves.position, self._moves_in(text)
        last = None if is_answer else self._memory.repeatable
        said = self._teller.wording.heard(reading.words)
        is_legal = any(move in position.legal_moves for move in moves)
        if last is not None and not is_legal and repeats(last, text, self._setup.language, self._vocabulary):
            self._moves.repeat(last, at, {"typed": text})
            return
        differs = None if is_answer else self._moves.repetition_that_differs(text)
        if last is not None and differs is not None:
            self._moves.repeat(last, at, {"typed": text}, as_move=differs)
        elif not is_legal and (standstill := self._standstill(text, at)):
            self._teller.tell(standstill, at)
        elif self._are_several(text, reading, moves):
            self._teller.say(self._teller.sentences.one_at_a_time())
        elif self._setup.mode == "club" and reading.reason is not None and not is_legal:
            if self._course.sealing:
                # Its words may be half the move that nobody may learn.
                self._teller.say(self._teller.sentences.pardon())
            else:
                self._questions.refuse(reading)
        elif not is_legal and len(reading.but_for_check) > 1:
            self._questions.which(reading.but_for_check, at, text)
        elif len(moves) == 1 and in_words and self._answers.may_repeat(reading.words):
            self._questions.whether_move(moves[0], at, said=text, or_repeated=True, is_typed=True)
        elif len(moves) == 1:
            self._moves.announce(moves[0], at, {"typed": text}, said)
        elif moves:
            self._questions.which(moves, at, text)
        elif (stated := reading.as_said) is not None:
            self._moves.announce(stated, at, {"typed": text}, said)
        elif reading.said is not None:
            self._teller.say(self._teller.sentences.not_a_move(said))
        else:
            self._teller.say(self._teller.sentences.pardon())

    def _are_several(self, text: str, reading: Reading, moves: Sequence[chess.Move]) -> bool:
        """Return whether a line is several moves, and none of a man from square to square."""
        as_one = [*moves, *reading.but_for_check, *([reading.as_said] if reading.as_said else [])]
        stands = self._moves.position.piece_type_at
        return are_several(text, self._setup.language) and not any(
            stands(each.from_square) for each in as_one
        )

    def _standstill(self, text: str, at: float) -> list[Event]:
        """Return why no move at all is made now, legal or not: the clocks stand, or the game is adjourned.

        The one that waits for its press can be repeated and mended all the same.
        """
        referee = self._course.referee
        stands = referee.is_halted or referee.is_adjourned
        if not stands or self._course.sealing or self._memory.pending is not None:
            return []
        return self._moves.refusal(text, at)

    def command_in(self, text: str) -> Command | None:
        """Return the command that a line is where nothing is asked, by its key or in words."""
        return KEYS.get(text.lower()) or parse(self._moves.position, text, self._vocabulary).command

    def is_like_a_move(self, text: str) -> bool:
        """Return whether a line has the form of a move, in letters or words, be it behind one of `HEADS`."""
        if self._moves_in(text) or self._reading_of_letters(text).said is not None:
            return True
        return bool(self._behind_head(text, HEADS)[0])

    def _moves_in(self, text: str) -> list[chess.Move]:
        """Return the moves that a line may be, legal or not."""
        return self._read(self._moves.position, text)

    def _read(self, board: chess.Board, text: str) -> list[chess.Move]:
        """Return the moves that a text may be in a position, legal or not.

        Which sides can be castled, a rated game does not tell who says only that he castles.
        """
        lawful = not self._leaves_side_open(text)
        return read_typed(board, text, self._setup.language, lawful=lawful)

    def _leaves_side_open(self, text: str) -> bool:
        return self._setup.mode == "rated" and is_castling_to_any_side(text, self._setup.language)

    def _reading_of_letters(self, text: str) -> Reading:
        """Return what is typed as if its words had been said: whether it is legal changes nothing in it."""
        position = self._moves.position
        words = announcement_of(position, text, self._setup.language, self._vocabulary)
        return parse(position, words, self._vocabulary)

    def _behind_head(self, text: str, heads: Sequence[str]) -> tuple[str, str]:
        """Return the one of these commands that a line begins with, and what is behind it; else nothing.

        Behind it is a move or, after a yes or a no, what chooses one of those that are asked between.
        """
        first, _, rest = text.partition(" ")
        words, unknown = self._vocabulary.read(first)
        found = [each.command.name for each in self._vocabulary.wordings(*heads) if each.pattern == words]
        if unknown:
            found = [name for name in _answer_in_words(first) if name in heads]
        head, rest = found[0] if found else "", rest.strip()
        is_head = head and (self.is_like_a_move(rest) or (head in ANSWERS and self._chooses_move(rest)))
        return (head, rest) if is_head else ("", "")

    def _chooses_move(self, text: str) -> bool:
        answered = self._answered_with(text, parse(self._moves.position, text, self._vocabulary))
        return any(meaning.move is not None for meaning in answered)

    def _answered_with(self, text: str, reading: Reading) -> Sequence[Meaning]:
        """Return what a line chooses of the moves or claims which are asked between; empty if nothing."""
        unknown = reading.reason is not None and reading.reason.code == "unknown-words"
        # "Keine Dame" does not choose the queen.
        words = self._letter(text) or (self._man_named(text) if unknown else reading.words)
        return self._questions.answered_with(words)

    def is_answer(self, text: str) -> bool:
        """Return whether one letter answers the open question, whatever else it does as a key."""
        return bool(self._questions.answered_with(self._letter(text)))

    def _letter(self, text: str) -> Words:
        """Return the announcements' word for a letter: a file, or in a capital what a pawn becomes."""
        asked = self._memory.asked
        if len(text) != 1 or asked is None or asked.question is None:
            return ()
        if asked.question.difference != "promotion":
            file = chess.FILE_NAMES.index(text.lower()) if text.lower() in chess.FILE_NAMES else None
            return () if file is None else (self._vocabulary.files[file],)
        man = promoted_to(text, self._setup.language)
        return () if man is None else (self._vocabulary.pieces[man],)

    def _man_named(self, text: str) -> Words:
        """Return the announcements' word for a man who is named in the player's language or in English."""
        for language in (self._setup.language, EVERYBODYS):
            man = man_named(text, language)
            if man is not None:
                return (self._vocabulary.pieces[man],)
        return ()

    def _answer(self, *, is_yes: bool, at: float) -> None:
        """Take yes or no, in whatever language, as the answer to the open question.

        A yes to what the sighted player was asked may be somebody else's.
        """
        if is_yes and self._commands.is_typists(self._memory.asked):
            self._show(told(marked("Type y for yes, n for no."), self._setup.language))
        else:
            self._commands.key(KEYS["y" if is_yes else "n"], at)

    def _is_reply(self, text: str) -> bool:
        """Return whether letters are the answer to a move that waits for its press, and to nothing else.

        What the one who waits may have meant instead of it is a correction. A sighted player's move is made
        before it is pressed for (1.1); a blind one's is made with his press, which in `auto` is Hector's.
        """
        pending, answers_blind = self._memory.pending, not self._moves.can_be_answered
        if pending is None or self._memory.correcting:
            return False
        if answers_blind and not self._hector_presses_for(pending):
            return False
        language = self._setup.language
        # A pawn has no letter (C.4): "Bb5" of a German is its move only where no bishop answers so.
        own = EVERYBODYS if begins_with_pawn(text, language) else language
        if any(move in pending.before.legal_moves for move in read_typed(pending.before, text, own)):
            return False
        return self._answers_with(text, pending)

    def _answers_with(self, text: str, pending: Pending) -> bool:
        """Return whether letters answer the move which waits; in a rated game a legal move or not."""
        answered, language = after_announced(pending), self._setup.language
        found = self._read(answered, text)
        if any(move in answered.legal_moves for move in found) or (found and self._leaves_side_open(text)):
            return True
        words = announcement_of(answered, text, language, self._vocabulary)
        return self._answers.illegal(pending, parse(answered, words, self._vocabulary)) is not None

    def _may_answer_too_early(self, text: str) -> bool:
        """Return whether letters may be a sighted player's answer to a blind one's move that is not made yet.

        The blind one may have typed them to mend his move: nobody can see whose they are. He alone mends it,
        until he presses (D.2.7), and only his press tells that the man is in his hole (D.2.3).
        """
        pending, setup = self._memory.pending, self._setup
        if pending is None or self._memory.correcting or self._course.absent is not None:
            return False
        if not setup.person(pending.side).blind or setup.person(other(pending.side)).blind:
            return False
        if pending.move in read_typed(pending.before, text, setup.language):
            return False
        return self._answers_with(text, pending)

    def _hector_presses_for(self, pending: Pending) -> bool:
        """Return whether Hector would press for a blind player whom a sighted one answers."""
        if self._memory.asked is not None or not self._course.hector_presses:
            return False
        if self._setup.person(other(pending.side)).blind or not self._setup.person(pending.side).blind:
            return False
        return pending.move in pending.before.legal_moves


def _answer_in_words(text: str) -> Sequence[str]:
    """Return the command that a yes or no in any language is; none for a letter, which may be a man's."""
    word = text.rstrip(",;.:!")
    answer = answer_of(word) if len(word) > 1 else None
    return () if answer is None else ("yes" if answer else "no",)

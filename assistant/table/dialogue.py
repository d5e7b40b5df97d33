"""What has been asked and not yet answered, and what may be said now: the dialogue's memory, and no more."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Literal

import chess

from assistant.announcements import (
    ANSWERS,
    COMMANDS,
    HEADS,
    Command,
    Meaning,
    Phrasebook,
    Question,
    Vocabulary,
    Words,
    announce,
    answer_phrasebook,
    behind,
    build_phrasebook,
    claim_answers,
    spoken_forms,
)
from assistant.board import after as position_after
from assistant.moves import announcement_of, read_move, read_typed
from assistant.sides import Side, side_of
from assistant.speaking import Sentence

ANSWERS_TO_AN_OFFER = frozenset({"accept-draw", "decline-draw"})
"""The commands that answer a draw offer."""

ABOUT_A_MOVE = frozenset({"which", "this-move", "illegal"})
"""Kinds of questions that are about the move which is announced now."""

REPETITION = "repetition"
"""The name of the meaning "the last announcement, said once more": the opponent's duty by D.2.1."""

PARDON_EVERY = 15.0
"""Seconds in which "Pardon?" is said at most once."""

PATIENCE = 20.0
"""Seconds after which a question that nobody answered is forgotten, if it was for a yes or a no: it may have
come from somebody else's words. Between several things that were said the player may think."""


@dataclass(frozen=True, slots=True)
class Pending:
    """A move that is announced and whose clock is not pressed yet: it can still be corrected (D.2.8)."""

    side: Side
    move: chess.Move
    before: chess.Board
    """The position in which it was announced."""
    ply: int
    is_mate: bool = False
    """Whether it was announced as mate, and is."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question that Hector has put."""

    kind: Literal["which", "this-move", "illegal", "command", "claim"]
    at: float
    """Seconds of the game's clock."""
    moves: tuple[chess.Move, ...] = ()
    """What is asked about, likeliest first; of a claim, the move that it would be made with."""
    command: Command | None = None
    side: Side | None = None
    """Whose the command is."""
    question: Question | None = None
    """How moves were told apart, for `which`."""
    heard_at: float = 0.0
    """When what is asked about was said, for the record; ruled on is the yes, at its own time."""
    text: str = ""
    """What was understood, as it is written."""
    is_reply: bool = False
    """Whether the move answers the one that waits for its press, and does not take its place."""
    is_second: bool = False
    """Whether the other of two players was asked first, and it was not he."""
    or_repeated: bool = False
    """Whether what was said may as well repeat the last announcement."""
    is_typed: bool = False
    """Whether what is asked about was typed."""
    sentence: Sentence | None = None
    """How it was put."""
    told_at: float = -math.inf
    """When all that was said with it had been heard; `inf` while that is not known."""
    interrupts: Asked | None = None
    """What was asked before this and is not answered: it is put again when this is closed."""

    @property
    def puts_move_in_doubt(self) -> bool:
        """Whether another move than the one that waits may be meant, by this or by what it interrupts."""
        if self.interrupts is not None and self.interrupts.puts_move_in_doubt:
            return True
        return self.is_about_a_move and not self.comes_after

    @property
    def comes_after(self) -> bool:
        """Whether a yes makes a move that comes after the one which waits for its press."""
        return self.or_repeated or self.is_reply

    @property
    def is_about_a_move(self) -> bool:
        """Whether it has lost its sense when that move is made."""
        return self.kind in ABOUT_A_MOVE

    @property
    def is_between_several(self) -> bool:
        """Whether it stays until it is answered, withdrawn or replaced."""
        return self.kind in ("which", "claim")

    def is_stale(self, now: float) -> bool:
        """Whether it was put so long ago that what is said now is hardly an answer."""
        return self.age(now) > PATIENCE

    def age(self, now: float) -> float:
        """Return for how many seconds it could have been answered; below zero before it has been heard."""
        return now - max(self.at, self.told_at)

    def is_forgotten(self, now: float) -> bool:
        """Whether nobody has answered it in time."""
        return not self.is_between_several and self.is_stale(now)

    def holds_the_press(self, now: float) -> bool:
        """Whether Hector presses for nobody before it is answered: the move itself may be in doubt.

        A claim is made before the press, but a question about it does not keep a clock running.
        """
        return self.puts_move_in_doubt or (not self.comes_after and not self.is_stale(now))

    def without(self, is_closed: Callable[[Asked], bool]) -> Asked | None:
        """Return the question that stays open when some are closed, and what it interrupts of the others."""
        below = None if self.interrupts is None else self.interrupts.without(is_closed)
        if is_closed(self):
            return below
        return self if below is self.interrupts else replace(self, interrupts=below)


@dataclass(frozen=True, slots=True)
class Announced:
    """A move that was announced: what may be repeated by the opponent, or asked for."""

    side: Side
    move: chess.Move
    before: chess.Board
    """The position in which it was announced."""


@dataclass(slots=True)
class Memory:
    """Everything the dialogue has to remember between two utterances."""

    pending: Pending | None = None
    asked: Asked | None = None
    correcting: bool = False
    """Whether "Korrektur" was said and the right move is still to come."""
    last: Announced | None = None
    """The last move announced."""
    before_last: Announced | None = None
    stopped: bool = False
    """Whether Hector was silenced and has said nothing since."""
    repeated: bool = False
    """Whether the last announcement has been repeated by the opponent."""
    differed: chess.Move | None = None
    """What the last repetition made of the announcement, where it was another move."""
    asked_at: float = -math.inf
    """When Hector last asked something, whatever became of it."""
    pardoned_at: float = -math.inf
    """When Hector last said "Pardon?"."""
    pardons: int = 0
    """How often, since he last understood something."""

    @property
    def repeatable(self) -> Announced | None:
        """The announcement that the opponent may be repeating (D.2.1): the last whose clock was pressed."""
        return self.last if self.pending is None else self.before_last

    def may_pardon(self, at: float) -> bool:
        """Return whether "Pardon?" may be said now, and take it as said.

        Whoever was asked twice knows that he is not understood; each further time comes after six times the
        silence, because in a hall it is more and more likely that nobody has spoken to Hector. So it is said
        four times in an hour at most in which nobody is understood.
        """
        if at - self.pardoned_at < PARDON_EVERY * 6 ** max(0, self.pardons - 1):
            return False
        self.pardoned_at = at
        self.pardons += 1
        return True

    def is_understood(self) -> None:
        """Note that somebody has been understood."""
        self.pardons = 0

    def nothing_waits(self) -> None:
        """Forget the move that waited for its press, and what was asked about it."""
        self.pending, self.correcting = None, False
        self.claim_is_dropped()
        self.move_is_settled()

    def pressed(self) -> None:
        """Forget the move that waited for its press; whether it was answered or repeated stays asked."""
        self.pending, self.correcting = None, False
        self.claim_is_dropped()
        self._close(lambda asked: asked.is_about_a_move and not asked.comes_after)

    def is_interrupted(self) -> None:
        """Forget whether a command was meant: a yes would be about what has come between."""
        self._close(lambda asked: asked.command is not None)

    def claim_is_dropped(self) -> None:
        """Forget a claim that was asked back with the move which waits no more: a yes would claim another."""
        self._close(lambda asked: asked.command is not None and bool(asked.moves))

    def move_is_settled(self) -> None:
        """Forget what was asked about a move: another answer would be about the next one."""
        self._close(lambda asked: asked.is_about_a_move)

    def _close(self, is_closed: Callable[[Asked], bool]) -> None:
        self.asked = None if self.asked is None else self.asked.without(is_closed)


@dataclass(frozen=True, slots=True)
class Expected:
    """What may be said now."""

    book: Phrasebook
    replies: frozenset[Words] = frozenset()
    """Those of its phrases that are the opponent's reply to a move that still waits for its press."""


def expected(
    board: chess.Board,
    memory: Memory,
    vocabulary: Vocabulary,
    *,
    replies: bool = False,
    absent: Side | None = None,
) -> Expected:
    """Return what may be said in a position; the moves of an `absent` player are not said at the table.

    While a move waits for its press the same player may say another one instead of it. With `replies` the
    opponent may answer it already, as he may by 1.1; what both could say is then the opponent's, because a
    player who means to mend a slip can say so, and the right move in the same breath. But words of the move
    itself repeat it (D.2.1), once. The last announcement may be repeated in any of its forms.
    """
    pending, asked = memory.pending, memory.asked
    position = board if pending is None else pending.before
    moves = () if absent == side_of(position.turn) else None
    commands = COMMANDS if memory.stopped else COMMANDS - {"continue"}
    heads = _heads(memory)
    is_reply_asked = _is_reply_asked(memory)
    own = () if is_reply_asked else heads
    book = build_phrasebook(position, vocabulary, commands=commands, moves=moves, heads=own)
    additions: dict[Words, tuple[Meaning, ...]] = {}
    answers: frozenset[Words] = frozenset()
    if asked is not None and asked.question is not None:
        answering = answer_phrasebook(position, asked.question, vocabulary).phrases
        chosen = {words: meant for words, meant in answering.items() if all(each.move for each in meant)}
        # Behind a no, a whole move is another one than those that are asked between.
        behind_answer = behind(chosen, ANSWERS, vocabulary).items()
        additions.update((words, meant) for words, meant in behind_answer if words not in book.phrases)
        additions.update(answering)
    elif replies and pending is not None and not memory.correcting:
        after = after_announced(pending)
        same = frozenset[Words]() if memory.repeated else forms(pending.before, pending.move, vocabulary)
        replied = heads if is_reply_asked else ()
        answered = build_phrasebook(after, vocabulary, commands=(), heads=replied).phrases
        additions.update((words, meanings) for words, meanings in answered.items() if words not in same)
        answers = frozenset(additions)
    if asked is not None and asked.kind == "claim":
        claims = claim_answers(vocabulary).items()
        additions.update((words, (Meaning(command=command),)) for words, command in claims)
    repeatable = memory.repeatable
    if repeatable is not None:
        repetition = (Meaning(command=Command(REPETITION)),)
        for words in forms(repeatable.before, repeatable.move, vocabulary):
            if words not in book.phrases:
                additions.setdefault(words, repetition)
    if additions:
        phrases: Mapping[Words, tuple[Meaning, ...]] = {**book.phrases, **additions}
        book = replace(book, phrases=phrases, heads=heads)
    return Expected(book, answers)


def _heads(memory: Memory) -> tuple[str, ...]:
    """Return the commands behind which a move may follow in the same breath: there is what it would mend."""
    if memory.asked is not None and memory.asked.is_about_a_move:
        return HEADS
    return ("correction",) if memory.pending is not None else ()


def _is_reply_asked(memory: Memory) -> bool:
    """Return whether it is the reply to the move which waits for its press that is asked about."""
    asked = memory.asked
    return memory.pending is not None and asked is not None and asked.is_about_a_move and asked.comes_after


def is_absents_turn(board: chess.Board, memory: Memory, absent: Side | None) -> bool:
    """Return whether the next move comes from elsewhere."""
    return absent is not None and memory.pending is None and absent == side_of(board.turn)


def after_announced(pending: Pending) -> chess.Board:
    """Return the position that the opponent of an announced move has before him."""
    return position_after(pending.before, pending.move)


def repeats(said: Announced | Pending, text: str, language: str, vocabulary: Vocabulary) -> bool:
    """Return whether a text repeats an announcement (D.2.1): the same move, or as Hector read it back."""
    read = read_move(said.before, text, language)
    if read == [said.move] or (not read and read_typed(said.before, text, language) == [said.move]):
        return True
    if said.before.piece_type_at(said.move.from_square) is None:
        return False
    words, unknown = vocabulary.read(announcement_of(said.before, text, language, vocabulary))
    # No law asks for the words about check: with them or without, it is the same announcement.
    bare = vocabulary.without_check(words)
    return not unknown and bare == announce(said.before, said.move, vocabulary, with_check=False)


def forms(board: chess.Board, move: chess.Move, vocabulary: Vocabulary) -> frozenset[Words]:
    """Return the forms of a move; of an illegal one what Hector reads back, and from square to square."""
    if move in board.legal_moves:
        return frozenset(spoken_forms(board, move, vocabulary))
    man = board.piece_type_at(move.from_square)
    if man is None:
        return frozenset()
    squares = vocabulary.square(move.from_square) + vocabulary.square(move.to_square)
    read_back = {announce(board, move, vocabulary, with_check=with_check) for with_check in (True, False)}
    return frozenset((*read_back, squares, (vocabulary.pieces[man], *squares)))

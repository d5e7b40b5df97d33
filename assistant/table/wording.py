"""Moves, squares and men in the words of the announcements, and the sentences that are made of them."""

from __future__ import annotations

import chess

from assistant.announcements import Command, Question, Reason, Vocabulary, Words, announce, claim_answers
from assistant.sides import Side
from assistant.speaking import Sentence, Sentences
from assistant.table.dialogue import ANSWERS_TO_AN_OFFER

_NAMED_IN_HELP = frozenset(
    {
        "times", "moves-completed", "moves-to-control", "last-move", "opponents-move", "repeat", "correction",
        "press", "stop", "offer-draw", "resign", "claim", "arbiter",
    }
)  # fmt: skip


class Wording:
    """Makes sentences of chess. Moves and squares stay German whatever the language of the sentence."""

    def __init__(self, vocabulary: Vocabulary, sentences: Sentences, *, tells_check: bool = True) -> None:
        """`tells_check`: whether a move that is not completed is announced with check and mate."""
        self._names = vocabulary
        self._say_in = sentences
        self._tells_check = tells_check

    @property
    def tells_why_asked(self) -> bool:
        """Whether what is shown may tell a move that is not legal from one that was not clear (7.5)."""
        return self._tells_check

    def move(self, board: chess.Board, move: chess.Move, *, is_completed: bool = False) -> str:
        """Return a move as Hector announces it.

        Of one that can still be mended a rated game does not tell whether it gives check or mate: he who may
        try every move would learn from it which does (11.3.1).
        """
        if board.piece_at(move.from_square) is None:
            return f"{self._square(move.from_square)} {self._square(move.to_square)}"
        with_check = is_completed or self._tells_check
        return self._names.written(announce(board, move, self._names, with_check=with_check))

    def heard(self, words: Words) -> str:
        """Return what was heard as it is shown, by the same rule: false words about check are not heard."""
        untold = frozenset() if self._tells_check else self._names.about_check
        return self._names.written(word for word in words if word not in untold)

    def which(self, question: Question) -> Sentence:
        """Ask between moves, naming only what differs."""
        written = self._names.written
        choices = dict.fromkeys(written(words) for _, words in question.choices)
        return self._say_in.which(list(choices), written(question.common))

    def which_claim(self) -> Sentence:
        """Ask what is claimed, naming only what differs."""
        return self._say_in.which_claim([self._names.written(words) for words in claim_answers(self._names)])

    def help(
        self, *, is_offered: bool = False, tells_position: bool = False, word_presses: bool = True
    ) -> Sentence:
        """Name what can be said, one phrase for each command.

        The answers to a draw offer are there while one stands, the board where it is told, the press where a
        word does it.
        """
        named = _NAMED_IN_HELP | (ANSWERS_TO_AN_OFFER if is_offered else frozenset())
        named |= frozenset({"position"}) if tells_position else frozenset()
        named -= frozenset() if word_presses else frozenset({"press"})
        return self._say_in.help([phrase for name, phrase in self._phrases().items() if name in named])

    def how_to_answer_offer(self) -> Sentence:
        """Name the words that answer a draw offer."""
        phrases = self._phrases()
        return self._say_in.how_to_answer_offer(*(phrases[name] for name in sorted(ANSWERS_TO_AN_OFFER)))

    def mend_or_press_first(self, *, word_presses: bool) -> Sentence:
        """Name the words that tell a correction from an answer which comes before the press."""
        phrases = self._phrases()
        return self._say_in.mend_or_press_first(
            phrases["correction"], phrases["press"] if word_presses else None
        )

    def _phrases(self) -> dict[str, str]:
        """Return the first phrase of each command."""
        first: dict[str, str] = {}
        for entry in self._names.commands:
            first.setdefault(entry.command.name, self._names.written(entry.pattern))
        return first

    def not_legal(self, reason: Reason, side: Side | None = None) -> Sentence:
        """Say why an announcement is refused; `side`: as whose move."""
        return self._say_in.not_legal(
            reason.code,
            square=self._square(reason.square),
            target=self._square(reason.target),
            piece="" if reason.piece is None else self._names.written((self._names.pieces[reason.piece],)),
            words=self._names.written(reason.words),
            side=side,
        )

    def about_the_board(self, command: Command, board: chess.Board) -> Sentence:
        """Say what stands on a square, where the men of a kind stand, or where all of them do."""
        if command.square is not None:
            man = board.piece_at(command.square)
            square = self._square(command.square)
            if man is None:
                return self._say_in.on_square(square)
            piece = self._names.written((self._names.pieces[man.piece_type],))
            return self._say_in.on_square(square, piece, "white" if man.color else "black")
        if command.piece is not None:
            white, black = (
                [self._square(square) for square in board.pieces(command.piece, color)]
                for color in chess.COLORS
            )
            return self._say_in.where_is(
                self._names.written((self._names.pieces[command.piece],)), white, black
            )
        white, black = (self._men(board, color) for color in chess.COLORS)
        return self._say_in.position(white, black)

    def key_of_seal(self, squares: str) -> Sentence:
        """Say the squares of the key that the moves of this game are sealed to: the players compare them."""
        groups = [map(chess.parse_square, group.split()) for group in squares.split(",")]
        return self._say_in.key_of_seal(". ".join(", ".join(map(self._square, group)) for group in groups))

    def _square(self, square: chess.Square | None) -> str:
        return "" if square is None else self._names.written(self._names.square(square))

    def _men(self, board: chess.Board, color: chess.Color) -> list[str]:
        """Return each kind of man with all its squares, the king first."""
        names = self._names
        return [
            names.written((names.pieces[kind], *(word for each in squares for word in names.square(each))))
            for kind in reversed(chess.PIECE_TYPES)
            if (squares := list(board.pieces(kind, color)))
        ]

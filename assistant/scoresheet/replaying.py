"""The moves of a sheet, played on a board as they are read, with their clock times, draw offers and remarks.

Sources: Laws of Chess 8.1 (what a sheet may hold), C.12 (the draw offer).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

import chess

from assistant.board import play, position
from assistant.errors import Phrase, UsageError, marked
from assistant.offers import OFFER
from assistant.scoresheet.clocks import ShortTime, decide
from assistant.scoresheet.move_reading import NotationError, means, read, read_squares
from assistant.scoresheet.notation import notation
from assistant.scoresheet.record import Game, Ply, clock_ms, the_move
from assistant.scoresheet.results import result_of
from assistant.scoresheet.sheet import ILLEGAL
from assistant.scoresheet.tokens import CLOCK, NUMBER, PASSING, is_result, split
from assistant.scoresheet.variant import Headers

_TWICE: Final = re.compile(r"([a-h])\1[1-8]")
"""A file's letter written twice before a rank."""


class Replay:
    """Plays the moves of a sheet as their words are read; `tags` are its header, which may go on growing."""

    def __init__(self, tags: Mapping[str, str], language: str, beside: Game | None = None) -> None:
        self._tags = tags
        self._language = language
        self._beside = beside
        self.plies: list[Ply] = []
        self.result = ""
        self.remark = ""
        """What is said before the first move."""
        self.illegal = ""
        """The move that is not legal and ends the reading."""
        self._board: chess.Board | None = None
        self._first_number = 0
        """The number of the first move, where the moves say it and the FEN does not; else 0."""
        self._is_over = False
        """Whether the result stands after the moves: no move comes any more."""
        self._short_times: dict[int, ShortTime] = {}
        """Clock times by the half-moves that have them, of which the whole sheet must tell what they are."""
        self._undecided: dict[int, ShortTime] = {}
        """Those of which it does not."""

    @property
    def depth(self) -> int:
        """How many moves were begun."""
        return (len(self.plies) + 1) // 2

    @property
    def has_begun(self) -> bool:
        """Whether a word of the moves was read."""
        return self._board is not None

    def take(self, tokens: Sequence[str]) -> None:
        """Read the words of one line.

        :raises UsageError: naming the first that cannot be read.
        """
        queue = list(split(tokens))
        for index, token in enumerate(queue):
            following = queue[index + 1] if index + 1 < len(queue) else ""
            self._take_token(token, following == ILLEGAL)

    def end(self, value: str) -> None:
        """Take the result, as a person may write it.

        :raises UsageError: if it is none, or another one than before.
        """
        result = result_of(value)
        if result is None:
            raise UsageError("The sheet has a result that cannot be read: {value!r}.", value=value)
        if self.result not in ("", "*", result) and result != "*":
            raise UsageError(
                "The sheet has the results {first} and {second}: correct one of them.",
                first=self.result,
                second=result,
            )
        self.result = result if result != "*" else self.result or result
        self._is_over = self._is_over or (bool(self.plies) and result != "*")

    def remark_on(self, text: str) -> None:
        """Take a remark on the last half-move, or on the game before the first."""
        if self.plies:
            ply = self.plies[-1]
            self.plies[-1] = Ply(ply.move, ply.clock_ms, ply.offer, f"{ply.remark} {text}".strip())
        else:
            self.remark = f"{self.remark} {text}".strip()

    def is_chess960(self) -> bool:
        """Return whether the header says that the game is of Chess960, in any of its usual spellings.

        So does a start position in which the players can castle in Chess960 alone, as in a PGN.

        :raises UsageError: if it is of another variant.
        """
        variant = self._tags.get("Variant", "")
        headers = Headers({"Variant": variant} if variant else {})
        headers.check_variant()
        if headers.is_chess960():
            return True
        try:
            return position(self._tags.get("FEN", chess.STARTING_FEN)).chess960
        except ValueError:
            return False

    def start_fen(self) -> str:
        """Return the position before the first half-move, with the number that the moves count from."""
        fen = self._tags.get("FEN", chess.STARTING_FEN)
        if self._first_number < 2:
            return fen
        board = chess.Board(fen, chess960=self.is_chess960())
        board.fullmove_number = self._first_number
        return board.fen()

    def decide_times(self) -> None:
        """Tell of each clock time of two numbers what it is, or leave it out.

        :raises UsageError: if the FEN of the header is no position.
        """
        first = self._first_half_move()
        # What a time control has given before a sheet begins cannot be known.
        control = self._tags.get("TimeControl", "") if first // 2 == 1 else ""
        for is_black in (0, 1) if self._short_times else ():
            times: dict[int, ShortTime | int] = {}
            for index, ply in enumerate(self.plies):
                time = self._short_times.get(index, ply.clock_ms)
                if time is not None and (first + index) % 2 == is_black:
                    times[(first + index) // 2] = time
            decided = decide(times, control)
            for number, time in times.items():
                if isinstance(time, ShortTime):
                    index = 2 * number + is_black - first
                    self.plies[index] = replace(self.plies[index], clock_ms=decided.get(number))
                    if number not in decided:
                        self._undecided[index] = time

    def notes(self) -> tuple[Phrase, ...]:
        """Return what `decide_times` has left out."""
        if not self._undecided:
            return ()
        first = min(self._undecided)
        left_out = marked(
            "Clock times that may be hours and minutes or minutes and seconds are left out "
            "({count}), the first {time} at {where}: write them as h:mm:ss, or the time control in "
            "seconds, such as 5400+30.",
            count=len(self._undecided),
            time=str(self._undecided[first]),
            where=self._place(first),
        )
        return (left_out,)

    def last(self) -> Phrase:
        """Return how a sentence names the last half-move."""
        return self._place(len(self.plies) - 1)

    def _take_token(self, token: str, illegal: bool) -> None:
        board = self._position()
        if match := NUMBER.fullmatch(token):
            if self._counts_freely(board):
                board.fullmove_number = self._first_number = int(match[1]) or 1
            if int(match[1]) != board.fullmove_number or (match[2] and board.turn):
                raise UsageError(
                    "The sheet has the number {token!r} where {where} must come.",
                    token=token,
                    where=the_move(board.fullmove_number, white=board.turn),
                )
        elif token == OFFER:
            self._amend(offer=True)
        elif match := CLOCK.fullmatch(token):
            self._take_time(match[1], match[2], match[3])
        elif token == ILLEGAL or (self.plies and self._is_sign(token)):
            return
        elif is_result(token):
            self.end(token)
        else:
            self.plies.append(Ply(self._move(token, board, illegal)))
            play(board, self.plies[-1].move)

    def _is_sign(self, token: str) -> bool:
        """Return whether a word only tells that the move before it gives check or captured en passant."""
        check = notation(self._language).check
        return PASSING.fullmatch(token) is not None or check.fullmatch(token) is not None

    def _counts_freely(self, board: chess.Board) -> bool:
        """Return whether the next number counts: a FEN of which nobody knows the move has the number 1."""
        is_first = not (self.plies or self._first_number)
        return is_first and "FEN" in self._tags and board.fullmove_number == 1

    def _move(self, token: str, board: chess.Board, illegal: bool) -> chess.Move:
        where = the_move(board.fullmove_number, white=board.turn)
        if self._is_over:
            raise UsageError(
                "The sheet goes on at {where} after its result {result}: {token!r}.",
                where=where,
                result=self.result,
                token=token,
            )
        if illegal:
            move = read_squares(token, self._language)
            move = self._stood(token, board) if move is None else move
            if move is None:
                self.illegal = token
                raise UsageError(
                    "At {where} the illegal move {token!r} cannot be read.", where=where, token=token
                )
            if move and board.piece_at(move.from_square) is None:
                square = chess.square_name(move.from_square)
                raise UsageError(
                    "At {where} the illegal move {token!r} begins on {square}, where no man stands.",
                    where=where,
                    token=token,
                    square=square,
                )
            return move
        try:
            moves = (*read(token, board, self._language), *self._of_small_letter(token, board))
        except NotationError as error:
            raise UsageError("At {where}: {reason}", where=where, reason=error) from error
        if len(moves) != 1:
            many = ", ".join(move.uci() for move in moves)
            if moves:
                raise UsageError(
                    "At {where} {token!r} fits several moves ({many}).", where=where, token=token, many=many
                )
            stood = self._stood(token, board)
            if stood is not None:
                return stood
            self.illegal = token
            raise UsageError("At {where} {token!r} is not legal there.", where=where, token=token)
        return moves[0]

    def _of_small_letter(self, token: str, board: chess.Board) -> tuple[chess.Move, ...]:
        """Return the moves of a man whose letter is written small, where it stands twice: "bb3".

        A pawn's advance needs its file but once: nobody knows which of the two was meant.
        """
        if not _TWICE.match(token):
            return ()
        try:
            return read(token[0].upper() + token[1:], board, self._language)
        except NotationError:
            return ()

    def _stood(self, token: str, board: chess.Board) -> chess.Move | None:
        """Return the illegal move that stands at this place of the other sheet, if a word may mean it."""
        done = len(self.plies)
        others = [ply.move for ply in self._beside.plies[: done + 1]] if self._beside else []
        if others[:done] != [ply.move for ply in self.plies] or len(others) <= done:
            return None
        return others[done] if means(token, others[done], board, self._language) else None

    def _take_time(self, hours: str | None, minutes: str, seconds: str) -> None:
        self._amend(clock=clock_ms(hours or "0", minutes, seconds))
        # A part of a second, or more than 59 of them, stand for no minutes; and none is none in any case.
        if hours is None and seconds.isdigit() and int(seconds) < 60 and int(minutes + seconds):
            self._short_times[len(self.plies) - 1] = ShortTime(int(minutes), int(seconds))

    def _amend(self, offer: bool = False, clock: int | None = None) -> None:
        if not self.plies:
            raise UsageError("The sheet has a clock time or a draw offer before the first move.")
        ply = self.plies[-1]
        if clock is not None and ply.clock_ms is not None:
            raise UsageError("At {where} there are two clock times: leave one out.", where=self.last())
        kept = ply.clock_ms if clock is None else clock
        self.plies[-1] = Ply(ply.move, kept, ply.offer or offer, ply.remark)

    def _place(self, index: int) -> Phrase:
        """Return how a sentence names the half-move with an index."""
        number, is_black = divmod(self._first_half_move() + index, 2)
        return the_move(number, white=not is_black)

    def _first_half_move(self) -> int:
        """Return twice the number of the first move, and one more if Black makes it."""
        board = self._position()
        return 2 * board.fullmove_number + (not board.turn) - len(self.plies)

    def _position(self) -> chess.Board:
        """Return the position that is reached, at first that of the FEN in the header."""
        if self._board is None:
            fen, chess960 = self._tags.get("FEN", chess.STARTING_FEN), self.is_chess960()
            try:
                self._board = chess.Board(fen, chess960=chess960)
            except ValueError as error:
                raise UsageError(
                    "The starting position of the sheet is not a position: {fen!r}.", fen=fen
                ) from error
        return self._board

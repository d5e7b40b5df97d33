"""The moves that are typed on the page: as whose, and in which position."""

from __future__ import annotations

import chess

from assistant.announcements import parse
from assistant.arbiter.forms import FormError
from assistant.arbiter.inbox import Sent
from assistant.arbiter.replies import Replies
from assistant.arbiter.texts import text
from assistant.moves import announcement_of, is_way_of_moving, read_typed
from assistant.offers import offers_draw
from assistant.sealing import LONGEST_MOVE
from assistant.table import Table
from assistant.table.dialogue import after_announced


class MoveReader:
    """Reads the moves of one game's page."""

    def __init__(self, table: Table, replies: Replies) -> None:
        self._table = table
        self._replies = replies

    def position(self, side: str) -> chess.Board:
        """Return the position in which a player's next words about a move are meant."""
        pending = self._table.memory.pending
        if pending is None:
            return self._table.board
        if pending.side == side:
            return pending.before
        return after_announced(pending)

    def meant(self, do: str, side: str) -> chess.Board:
        """Return the position in which a move is meant that the arbiter enters for a player."""
        memory = self._table.memory
        said = memory.pending or memory.last
        if said is not None and do == ("repeat" if said.side != side else "correct"):
            return said.before
        if do == "place" and memory.pending is not None:
            return memory.pending.before
        return self.position(side)

    def read(self, sent: Sent, side: str, given: str) -> chess.Move:
        """Return the move of a player that somebody enters.

        :raises FormError: as `one` does.
        """
        position = self.meant(sent.do, side)
        return self.one(self.all(position, given, sent), position, sent)

    def all(self, position: chess.Board, given: str, sent: Sent) -> list[chess.Move]:
        """Return the moves that a text fits; which of them are legal only those are told who may know it.

        :raises FormError: if a draw is offered with it, which no line about a move would carry out.
        """
        if offers_draw(given):
            raise FormError(text("offer-apart", sent.language), "move")
        return read_typed(position, given, sent.language, lawful=self._replies.may_know(sent))

    def can_be(self, position: chess.Board, move: chess.Move, sent: Sent) -> bool:
        """Return whether a move is possible, as far as whoever sends it may be told."""
        if self._replies.may_know(sent):
            return move in position.legal_moves
        return is_way_of_moving(position, move)

    def may_repeat(self, before: chess.Board, announced: chess.Move, given: str, sent: Sent) -> bool:
        """Return whether a text fits an announced move, for those who may not be told that it is illegal."""
        return not self._replies.may_know(sent) and announced in self.all(before, given, sent)

    def one(self, moves: list[chess.Move], position: chess.Board, sent: Sent) -> chess.Move:
        """Return the move that a text fits.

        :raises FormError: if it fits none, or naming those that it fits.
        """
        if len(moves) == 1:
            return moves[0]
        if moves:
            several = ", ".join(self._replies.written(position, move, sent, long=True) for move in moves)
            raise FormError(text("move-several", sent.language, moves=several), "move")
        raise FormError(text("move-unclear", sent.language), "move")

    def impossible(self, position: chess.Board, given: str, sent: Sent) -> chess.Move | None:
        """Return, from square to square, a move that no man makes who is meant: the referee says why not.

        Of several men it is one who would leave his king in check by it, if there is one.
        """
        vocabulary = self._table.vocabulary
        said = parse(position, announcement_of(position, given, sent.language, vocabulary), vocabulary).said
        if said is None or said.to_square is None or said.promotion in (chess.PAWN, chess.KING):
            return None
        moves = [
            move
            for square in position.pieces(said.piece or chess.PAWN, position.turn)
            if square != said.to_square
            and said.from_file in (None, chess.square_file(square))
            and said.from_rank in (None, chess.square_rank(square))
            and (move := chess.Move(square, said.to_square, said.promotion)) not in position.legal_moves
        ]
        return max(moves, key=lambda move: is_way_of_moving(position, move), default=None)

    def typed(self, sent: Sent, label: str) -> str:
        """Return what the opponent typed as his move, empty if nothing.

        :raises FormError: if it is no text or cannot be a move.
        """
        given = sent.values.get("move")
        if given is None:
            return ""
        if not isinstance(given, str) or len(given) > LONGEST_MOVE:
            raise FormError(text("refused-field", sent.language, field=text(label, sent.language)), "move")
        given = given.strip()
        if not given.isprintable():
            raise FormError(text("move-unclear", sent.language), "move")
        return given

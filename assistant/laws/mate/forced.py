"""Short exhaustive search: lines so narrow that every branch can be followed to its end.

NO is returned only when every branch ended in a position from which the winner provably cannot mate; YES
when a checkmate was met on the way. Both are exact, for the whole legal move list is tried at each step.
"""

from __future__ import annotations

from collections.abc import Callable

import chess

from assistant.laws.mate.verdict import Answer

WIDTH = 8
"""Positions with more legal moves than this are left to the later stages."""
DEPTH = 40


class Forced:
    """Follows forced lines on one board, at most `limit` positions."""

    def __init__(
        self, winner: chess.Color, limit: int, hopeless: Callable[[chess.Board, chess.Color], bool]
    ) -> None:
        self.winner = winner
        self.limit = limit
        self.hopeless = hopeless
        self.nodes = 0
        self.line: tuple[chess.Move, ...] = ()
        self.seen: set[tuple[object, ...]] = set()

    def explore(self, board: chess.Board, depth: int = DEPTH) -> Answer:
        """Decide `board` by trying every move; UNKNOWN as soon as some branch is too wide or too long."""
        moves = list(board.legal_moves)
        if not moves:
            if board.is_check() and board.turn != self.winner:
                self.line = ()
                return Answer.YES
            return Answer.NO
        if len(moves) > WIDTH or not depth:
            return Answer.UNKNOWN
        # A position met before adds nothing: a shortest way to mate passes no position twice, and the
        # first visit either explores all its moves or makes the whole answer UNKNOWN.
        key = position_key(board)
        if key in self.seen:
            return Answer.NO
        self.seen.add(key)
        if self.nodes + len(moves) > self.limit:
            return Answer.UNKNOWN
        self.nodes += len(moves)
        answer = Answer.NO
        for move in moves:
            changes = board.is_zeroing(move)
            board.push(move)
            try:
                if changes and self.hopeless(board, self.winner):
                    continue
                found = self.explore(board, depth - 1)
            finally:
                board.pop()
            if found is Answer.YES:
                self.line = (move, *self.line)
                return Answer.YES
            if found is Answer.UNKNOWN:
                answer = Answer.UNKNOWN
                if self.limit <= self.nodes or len(moves) == 1:
                    break
        return answer


def position_key(board: chess.Board) -> tuple[object, ...]:
    """What decides the legal moves of `board`, now and later.

    Unlike `laws.position.key` it takes castling rights and the en passant square as the board has them: two
    positions that are the same by article 9.2.3 may have different keys, never the other way round.
    """
    return (
        board.occupied_co[chess.WHITE],
        board.pawns,
        board.knights,
        board.bishops,
        board.rooks,
        board.queens,
        board.kings,
        board.occupied,
        board.turn,
        board.castling_rights,
        board.ep_square,
    )

"""Which layout looks closer to a mate: the order of the search, without influence on what is true."""

from __future__ import annotations

import chess

from assistant.laws.mate.men import Men

PAWN = (0, 18, 26, 34, 42, 50, 58, 0)
"""What a pawn of the winner is worth on each of its ranks: every step forward counts."""
ROOK, QUEEN, MINOR = 75, 90, 12
LONE_MINOR_HELPER = 25
"""What a man that can block a flight is worth where the winner has no more than minor pieces."""
CORNER_RINGS = tuple(
    tuple(
        sum(1 << square for square in chess.SQUARES if chess.square_distance(corner, square) == distance)
        for distance in range(8)
    )
    for corner in (chess.A1, chess.H1, chess.A8, chess.H8)
)


class Guide:
    """Scores layouts for a mate by `winner`; lower is searched earlier.

    With pawns or major pieces the winner should promote and clear the board. With minor pieces alone it
    needs the loser's men as walls: those should come to life by promotion and gather around a corner.
    """

    def __init__(self, winner: bool) -> None:
        self.own, self.other = (0, 5) if winner else (5, 0)
        ranks = chess.BB_RANKS
        self.own_ranks = ranks if winner else ranks[::-1]
        self.other_ranks = self.own_ranks[::-1]
        self.winner = winner

    def needs_helpers(self, men: Men) -> bool:
        """Whether the winner has minor pieces only."""
        own = self.own
        return not (men[own] or men[own + 3] or men[own + 4])

    def material(self, men: Men) -> int:
        """The part of the score that moves of pieces to empty squares leave as it is."""
        own, other = self.own, self.other
        pawns, theirs = men[own], men[other]
        helpers = men[other + 1] | men[other + 2] | men[other + 3]
        value = MINOR * (men[own + 1] | men[own + 2]).bit_count()
        if self.needs_helpers(men):
            for rank in range(1, 7):
                value += 3 * rank * (theirs & self.other_ranks[rank]).bit_count()
            return -value - LONE_MINOR_HELPER * helpers.bit_count()
        value += ROOK * men[own + 3].bit_count() + QUEEN * men[own + 4].bit_count()
        if pawns:
            for rank in range(1, 7):
                value += PAWN[rank] * (pawns & self.own_ranks[rank]).bit_count()
            value -= 6 * (front_fill(pawns, self.winner) & theirs).bit_count()
        return -value + theirs.bit_count() + 2 * (helpers | men[other + 4]).bit_count()

    def placement(self, men: Men) -> int:
        """The part of the score that depends on where the pieces stand."""
        if not self.needs_helpers(men):
            return 0
        other = self.other
        helpers = men[other + 1] | men[other + 2] | men[other + 3]
        return 2 * min(
            sum(distance * (ring[distance] & helpers).bit_count() for distance in range(1, 8))
            for ring in CORNER_RINGS
        )


def front_fill(pawns: int, white: bool) -> int:
    """The squares of `pawns` and all squares ahead of them on their files."""
    if white:
        pawns |= pawns << 8
        pawns |= pawns << 16
        pawns |= pawns << 32
    else:
        pawns |= pawns >> 8
        pawns |= pawns >> 16
        pawns |= pawns >> 32
    return pawns & chess.BB_ALL

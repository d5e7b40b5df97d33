"""Which layout looks closer to a mate: the order of the search, without influence on what is true."""

from __future__ import annotations

from collections.abc import Callable

import chess

Men = tuple[int, ...]
RANKS = chess.BB_RANKS


def towards_mate(winner: bool) -> Callable[[Men], int]:
    """Return a score for layouts, the lower the better for finding a mate by `winner`."""
    own, other = (0, 5) if winner else (5, 0)
    own_ranks = RANKS if winner else tuple(reversed(RANKS))
    other_ranks = tuple(reversed(own_ranks))

    def score(men: Men) -> int:
        pawns = men[own]
        heavy = men[own + 4].bit_count() * 60 + men[own + 3].bit_count() * 45
        value = heavy + 12 * (men[own + 1] | men[own + 2]).bit_count()
        if pawns:
            for rank in range(1, 7):
                value += (5 + 5 * rank) * (pawns & own_ranks[rank]).bit_count()
        theirs = men[other]
        if not pawns and not heavy:
            for rank in range(1, 7):
                value += 3 * rank * (theirs & other_ranks[rank]).bit_count()
            value += 25 * (men[other + 1] | men[other + 2] | men[other + 3]).bit_count()
        else:
            value -= 4 * theirs.bit_count()
            value -= 6 * (men[other + 1] | men[other + 2] | men[other + 3] | men[other + 4]).bit_count()
        return -value

    return score

"""Whether a player could still checkmate: the one place where the referee asks the search for mates."""

from __future__ import annotations

from typing import Literal

import chess

from assistant.laws.events import Side
from assistant.laws.position import color_of, is_whole

Ability = Literal["yes", "no", "unknown"]


def can_still_mate(board: chess.Board, side: Side) -> Ability:
    """Return whether this side can checkmate by any series of legal moves (articles 5.1.2, 6.9, 7.5.5).

    A position that legal moves cannot lead to (a king is gone, a pawn was left on the last rank) is unknown.
    """
    if not is_whole(board):
        return "unknown"
    return "no" if board.has_insufficient_material(color_of(side)) else "yes"


def is_dead(board: chess.Board) -> bool:
    """Return whether neither side can checkmate any more, as far as the quick proofs see (article 5.2.2)."""
    return is_whole(board) and board.is_insufficient_material()


def has_mating_potential(board: chess.Board, side: Side) -> Ability:
    """Return whether this side could reach a position where mate cannot be avoided (1997, C.4).

    Two knights cannot against a bare king, whatever the helpmates.
    """
    color = color_of(side)
    own, theirs = board.occupied_co[color], board.occupied_co[not color]
    men = own & ~board.kings
    if not theirs & ~board.kings and men and not men & ~board.knights and men.bit_count() <= 2:
        return "no"
    return can_still_mate(board, side)


def has_enough_material(board: chess.Board, side: Side) -> Ability:
    """Return whether this side has more than a bare king, a knight or a bishop (Colombian rule 12)."""
    men = board.occupied_co[color_of(side)] & ~board.kings
    minor = board.knights | board.bishops
    return "no" if not men or (men.bit_count() == 1 and not men & ~minor) else "yes"

"""Whether a player could still checkmate: the one place where the referee asks the search for mates."""

from __future__ import annotations

from itertools import islice
from typing import Literal

import chess

from assistant.laws.mate import Answer, can_mate
from assistant.laws.mate import is_dead as prove_dead
from assistant.laws.position import color_of, is_whole
from assistant.sides import Side

Ability = Literal["yes", "no", "unknown"]

_MANY_MEN = 16


def can_still_mate(board: chess.Board, side: Side) -> Ability:
    """Return whether this side can checkmate by any series of legal moves (articles 5.1.2, 6.9, 7.5.5).

    A position that legal moves cannot lead to (a king is gone, a pawn was left on the last rank) is unknown.
    """
    if not is_whole(board):
        return "unknown"
    answer = can_mate(board, color_of(side)).answer
    return "yes" if answer is Answer.YES else "no" if answer is Answer.NO else "unknown"


def is_dead(board: chess.Board, *, thorough: bool) -> bool:
    """Return whether neither side can checkmate any more, as far as the quick proofs see (article 5.2.2).

    `thorough` looks at any position. Otherwise only at those that the last move can have made dead: by too
    little material, by a capture or a pawn's move with no pawn of many free to step, or by leaving hardly a
    reply. A quiet move that leaves a choice takes no mate out of reach, unless it lets a capture en passant
    go by: then be `thorough`.
    """
    if not is_whole(board):
        return False
    if board.is_insufficient_material():
        return True
    if not thorough and not _is_forced(board):
        if board.halfmove_clock:
            return False
        if board.occupied.bit_count() > _MANY_MEN and _pawn_can_step(board):
            return False
    return prove_dead(board).answer is Answer.YES


def _is_forced(board: chess.Board) -> bool:
    replies = board.generate_legal_moves()
    return sum(1 for _ in islice(replies, 3)) <= 2


def _pawn_can_step(board: chess.Board) -> bool:
    white = board.pawns & board.occupied_co[chess.WHITE]
    black = board.pawns & board.occupied_co[chess.BLACK]
    return bool((white << 8 | black >> 8) & ~board.occupied & chess.BB_ALL)


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

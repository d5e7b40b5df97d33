"""The men of a position without the kings, as plain bitboards."""

from __future__ import annotations

from collections.abc import Iterator

import chess

Men = tuple[int, ...]
"""Bitboards of White's pawns, knights, bishops, rooks and queens, then Black's."""


def squares(mask: int) -> Iterator[int]:
    """Yield the squares of a bitboard."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def men_of(board: chess.Board) -> Men:
    """Return the bitboards of all men but the kings."""
    kinds = (board.pawns, board.knights, board.bishops, board.rooks, board.queens)
    return tuple(kind & board.occupied_co[colour] for colour in (True, False) for kind in kinds)


def lacks_material(men: Men, winner: bool) -> bool:
    """Whether `winner` cannot mate with these men whatever happens.

    That is so with a bare king; with one knight against queens at most, for a queen beside her king guards
    what the knight would have to; with bishops of one square colour while nobody has a knight, a pawn or a
    bishop of the other colour. No move leads out of these classes: men are only ever taken, and promotion
    needs a pawn. The conditions are those of `chess.Board.has_insufficient_material`.
    """
    own, other = (men[:5], men[5:]) if winner else (men[5:], men[:5])
    if own[0] or own[3] or own[4]:
        return False
    if own[1]:
        return not (own[1] & own[1] - 1 or own[2] or other[0] or other[1] or other[2] or other[3])
    if own[2]:
        bishops = own[2] | other[2]
        one_colour = not bishops & chess.BB_DARK_SQUARES or not bishops & chess.BB_LIGHT_SQUARES
        return one_colour and not (other[0] or other[1])
    return True

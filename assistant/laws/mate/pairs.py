"""Sets of king pairs as integers of 4,096 bits, so that one operation handles thousands of positions.

Bit `64 * white_king + black_king` stands for one placing of the two kings. A *row* is a white king square
with all black king squares, a *column* the other way round.
"""

from __future__ import annotations

import functools
import struct

import chess

from assistant.laws.mate.men import squares

EVERY_ROW = sum(1 << 64 * square for square in range(64))
EVERY_PAIR = (1 << 4096) - 1
ROW = chess.BB_ALL


def _spread_rank(bits: int) -> int:
    return sum(1 << 64 * file for file in range(8) if bits >> file & 1)


_SPREAD = tuple(_spread_rank(bits) for bits in range(256))


@functools.lru_cache(maxsize=4096)
def spread(mask: int) -> int:
    """Each square of `mask` as the first bit of its row."""
    wide = 0
    for rank in range(7, -1, -1):
        wide = wide << 512 | _SPREAD[mask >> 8 * rank & 255]
    return wide


def white_on(mask: int) -> int:
    """The pairs with the white king on `mask`."""
    return spread(mask) * ROW


def black_on(mask: int) -> int:
    """The pairs with the black king on `mask`."""
    return mask * EVERY_ROW


@functools.lru_cache(maxsize=4096)
def no_king_on(mask: int) -> int:
    """The pairs with no king on `mask`."""
    return EVERY_PAIR & ~(white_on(mask) | black_on(mask))


_W_NOT_H, _W_NOT_A = white_on(~chess.BB_FILE_H & ROW), white_on(~chess.BB_FILE_A & ROW)
_B_NOT_H, _B_NOT_A = black_on(~chess.BB_FILE_H & ROW), black_on(~chess.BB_FILE_A & ROW)
_B_NOT_8, _B_NOT_1 = black_on(~chess.BB_RANK_8 & ROW), black_on(~chess.BB_RANK_1 & ROW)

KINGS_APART = EVERY_PAIR & ~sum(
    (chess.BB_KING_ATTACKS[square] | chess.BB_SQUARES[square]) << 64 * square for square in range(64)
)


def white_king_steps(pairs: int) -> int:
    """All pairs one step of the white king away; bits beyond the board are left for the caller to mask."""
    east, west = (pairs & _W_NOT_H) << 64, (pairs & _W_NOT_A) >> 64
    rank = pairs | east | west
    return east | west | rank << 512 | rank >> 512


def black_king_steps(pairs: int) -> int:
    """All pairs one step of the black king away."""
    east, west = (pairs & _B_NOT_H) << 1, (pairs & _B_NOT_A) >> 1
    rank = pairs | east | west
    return east | west | (rank & _B_NOT_8) << 8 | (rank & _B_NOT_1) >> 8


@functools.cache
def beyond(start: int, via: int) -> int:
    """The squares behind `via` as seen from `start`; empty when the two share no line."""
    line = chess.ray(start, via)
    return line and sum(
        chess.BB_SQUARES[square] for square in squares(line) if chess.between(start, square) >> via & 1
    )


_ROWS = struct.Struct("<64Q")


def king_squares(pairs: int) -> tuple[int, int]:
    """The squares of the black and of the white king in `pairs`."""
    black = white = 0
    for square, row in enumerate(_ROWS.unpack(pairs.to_bytes(512, "little"))):
        if row:
            black |= row
            white |= 1 << square
    return black, white

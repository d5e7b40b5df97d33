"""Short proofs that can be read aloud at a chess board: a digest as twelve squares."""

from __future__ import annotations

from hashlib import blake2b

import chess

SQUARES = 12
_GROUP = 4


def squares_of(data: bytes) -> str:
    """Return a digest of `data` as twelve squares in three groups, 72 bits: "e4 a7 h1 c3, b2 ...".

    BLAKE2b of nine bytes, six bits a square (a1 is 0, h8 is 63), the first bits first.
    """
    number = int.from_bytes(blake2b(data, digest_size=SQUARES * 6 // 8).digest(), "big")
    names = [chess.SQUARE_NAMES[number >> 6 * place & 63] for place in reversed(range(SQUARES))]
    groups = [" ".join(names[start : start + _GROUP]) for start in range(0, SQUARES, _GROUP)]
    return ", ".join(groups)

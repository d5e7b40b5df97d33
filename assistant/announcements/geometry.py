"""What no man does on any board: it can be said, but hardly ever is, so it must be heard more clearly.

The open grammar has every square after every man. Whoever announces a move, legal or not, nearly always names
one that the man could make on some board: a wrong one is blocked, pinned, or another man's. "Bishop David
three Felix four" is more often a bishop to Felix five.
"""

from __future__ import annotations

from functools import lru_cache

import chess

from assistant.announcements.reading import Said, said_in
from assistant.announcements.vocabulary import Vocabulary, Words

_PRICE = 6.0
"""By how much better, as a log score, what no man does must fit. With an acoustic scale of 0.7 that is one
announcement in 66."""
_ENDS = chess.BB_RANK_1 | chess.BB_RANK_8
_CASTLED = chess.BB_FILE_C | chess.BB_FILE_G


def price_of(words: Words, vocabulary: Vocabulary) -> float:
    """Return by how much what the words say is to be believed less, as a log score; 0 for most phrases."""
    said = said_in(vocabulary.without_head(words), vocabulary)
    return 0.0 if said is None or can_be(said) else _PRICE


@lru_cache(4096)
def can_be(said: Said) -> bool:
    """Return whether there is a position, of either side to move, in which this can be done.

    Who names no man means a pawn, or, with a from-square, any man. A king who castles by going to the c- or
    the g-file counts. A pawn that reaches its last rank becomes something.

    Source: Laws of Chess 2023, articles 3.2 to 3.8.
    """
    if said.to_square is None:
        return True
    whole = said.from_square is not None
    men = (said.piece,) if said.piece else chess.PIECE_TYPES if whole else (chess.PAWN,)
    left = chess.BB_ALL
    if said.from_file is not None:
        left &= chess.BB_FILES[said.from_file]
    if said.from_rank is not None:
        left &= chess.BB_RANKS[said.from_rank]
    return any(left & _origins(man, said) for man in men)


def _origins(man: chess.PieceType, said: Said) -> chess.Bitboard:
    """Return the squares from which a man may go where it is said, with every other square empty."""
    assert said.to_square is not None
    target = chess.BB_SQUARES[said.to_square]
    if man == chess.PAWN:
        if bool(target & _ENDS) != (said.promotion is not None):
            return chess.BB_EMPTY
        captures = chess.BB_PAWN_ATTACKS[chess.WHITE][said.to_square]
        captures |= chess.BB_PAWN_ATTACKS[chess.BLACK][said.to_square]
        advances = chess.BB_EMPTY if said.capture else _behind(target)
        return (captures | advances) & ~_ENDS
    board = chess.BaseBoard.empty()
    board.set_piece_at(said.to_square, chess.Piece(man, chess.WHITE))
    origins = int(board.attacks(said.to_square))
    if man == chess.KING and target & _ENDS & _CASTLED:
        origins |= chess.BB_RANKS[chess.square_rank(said.to_square)]
    return origins


def _behind(target: chess.Bitboard) -> chess.Bitboard:
    """Return the squares from which a pawn of either side goes straight on to the target."""
    below, above = target >> 8, (target << 8) & chess.BB_ALL
    if target & chess.BB_RANK_4:
        below |= target >> 16
    if target & chess.BB_RANK_5:
        above |= target << 16
    return below | above

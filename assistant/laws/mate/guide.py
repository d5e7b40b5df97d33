"""Which layout looks closer to a mate: the order of the search, without influence on what is true."""

from __future__ import annotations

import functools

import chess

from assistant.laws.mate.men import Men, squares

PAWN = (0, 18, 26, 34, 42, 50, 58, 0)
"""What a pawn of the winner is worth on each of its ranks: every step forward counts."""
ROOK, QUEEN, MINOR = 75, 90, 12
LONE_MINOR = 30
"""How much worse it counts to have minor pieces only, which need a helper among the loser's men."""
MOVE = 12
"""What a move counts that a minor piece or its helper is away from a mate in a corner."""
FAR = 9
KNIGHT, BISHOP = 1, 2


class Guide:
    """Scores layouts for a mate by White or Black; lower is searched earlier.

    With pawns or major pieces the winner should promote and clear the board. A lone minor piece mates only a
    king in a corner with one of his own men beside him: there the score counts the moves that the piece and
    the nearest helper need to get there, over a promotion if need be.
    """

    def __init__(self, winner: bool) -> None:
        self.own, self.other = (0, 5) if winner else (5, 0)
        self.own_ranks = chess.BB_RANKS if winner else chess.BB_RANKS[::-1]
        self.winner = winner

    def needs_helper(self, men: Men) -> bool:
        """Whether the winner has minor pieces only."""
        own = self.own
        return not (men[own] or men[own + 3] or men[own + 4])

    def material(self, men: Men) -> int:
        """The part of the score that moves of pieces to empty squares leave as it is."""
        own, other = self.own, self.other
        theirs = men[other]
        pieces = men[other + 1] | men[other + 2] | men[other + 3] | men[other + 4]
        value = MINOR * (men[own + 1] | men[own + 2]).bit_count()
        if self.needs_helper(men):
            value -= LONE_MINOR
        else:
            value += ROOK * men[own + 3].bit_count() + QUEEN * men[own + 4].bit_count()
            pawns = men[own]
            if pawns:
                for rank in range(1, 7):
                    value += PAWN[rank] * (pawns & self.own_ranks[rank]).bit_count()
                value -= 6 * (front_fill(pawns, self.winner) & theirs).bit_count()
        return theirs.bit_count() + 2 * pieces.bit_count() - value

    def placement(self, men: Men) -> int:
        """The part of the score that depends on where the pieces stand."""
        return MOVE * self.moves_to_corner(men) if self.needs_helper(men) else 0

    def moves_to_corner(self, men: Men) -> int:
        """The least number of moves that brings one minor piece and one helper to a corner."""
        own, other = self.own, self.other
        best = 2 * FAR
        ways = corner_ways(self.winner)
        for kind in (KNIGHT, BISHOP):
            for square in squares(men[own + kind]):
                for helper in range(4):
                    for other_square in squares(men[other + helper]):
                        for piece_moves, helper_moves in ways[kind][helper]:
                            moves = piece_moves[square] + helper_moves[other_square]
                            if moves < best:
                                best = moves
        return best


Moves = tuple[int, ...]


@functools.cache
def corner_ways(winner: bool) -> dict[int, dict[int, list[tuple[Moves, Moves]]]]:
    """For each minor piece and kind of helper the mates in a corner, as moves to get there from each square.

    With the king on a1 a knight mates from c2 or b3 while the helper fills a2 or b1 without guarding the
    knight's square; the winner's king covers the rest. A bishop mates from the long diagonal beside a bishop
    or a pawn, which cannot step between, and from b2 beside a knight. No bishop mates beside rooks and
    queens, no knight beside queens: they can always take or step between.
    """
    ways: dict[int, dict[int, list[tuple[Moves, Moves]]]] = {
        kind: {helper: [] for helper in range(4)} for kind in (KNIGHT, BISHOP)
    }
    for turn in (0, 7, 56, 63):
        a2, b1, b2, c2, b3 = (square ^ turn for square in (chess.A2, chess.B1, chess.B2, chess.C2, chess.B3))
        diagonal = [square ^ turn for square in range(0, 64, 9)][1:]
        for mate_from, filled in ((c2, {0: a2, 1: b1, 2: a2, 3: b1}), (b3, {0: a2, 1: a2, 2: b1, 3: a2})):
            for helper, square in filled.items():
                ways[KNIGHT][helper].append(
                    (nearest(KNIGHT, [mate_from]), helper_moves(helper, square, winner))
                )
        for square in (a2, b1):
            ways[BISHOP][1].append((nearest(BISHOP, [b2]), helper_moves(1, square, winner)))
            ways[BISHOP][2].append((nearest(BISHOP, diagonal), helper_moves(2, square, winner)))
        ways[BISHOP][0].append((nearest(BISHOP, diagonal), helper_moves(0, a2, winner)))
    # A pawn helps in person or as what it promotes to.
    for kind in (KNIGHT, BISHOP):
        for helper in (1, 2, 3):
            for piece_moves, moves in ways[kind][helper]:
                ways[kind][0].append((piece_moves, promoted_moves(moves, winner)))
    return ways


@functools.cache
def distances(kind: int, target: int) -> Moves:
    """Moves of a piece to `target` on an empty board from each square; `FAR` if it can never get there."""
    far = [FAR] * 64
    far[target] = 0
    reached = seen = 1 << target
    for moves in range(1, FAR):
        fresh = 0
        for square in squares(reached):
            fresh |= _hits(kind, square)
        reached = fresh & ~seen
        seen |= fresh
        for square in squares(reached):
            far[square] = moves
    return tuple(far)


def _hits(kind: int, square: int) -> int:
    if kind == KNIGHT:
        return chess.BB_KNIGHT_ATTACKS[square]
    if kind == BISHOP:
        return chess.BB_DIAG_ATTACKS[square][0]
    return chess.BB_RANK_ATTACKS[square][0] | chess.BB_FILE_ATTACKS[square][0]


def nearest(kind: int, targets: list[int]) -> Moves:
    return tuple(map(min, zip(*(distances(kind, target) for target in targets), strict=True)))


def helper_moves(kind: int, target: int, winner: bool) -> Moves:
    """Moves of the loser's man to `target` from each square; pawns go straight on."""
    if kind:
        return nearest(kind, [target])
    forward = -1 if winner else 1
    return tuple(
        steps if start & 7 == target & 7 and (steps := ((target >> 3) - (start >> 3)) * forward) >= 0 else FAR
        for start in range(64)
    )


def promoted_moves(moves: Moves, winner: bool) -> Moves:
    """Moves from each square of a pawn that promotes on its file and goes on from there."""
    last = 0 if winner else 7
    return tuple(
        min(2 * FAR, abs((start >> 3) - last) + moves[8 * last + (start & 7)]) for start in range(64)
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

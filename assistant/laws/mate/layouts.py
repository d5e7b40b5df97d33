"""Boards without kings: their moves, and where the kings may legally stand on them."""

from __future__ import annotations

from collections.abc import Iterator

import chess

from assistant.laws.mate.men import Men, squares
from assistant.laws.mate.mobility import pawn_hits
from assistant.laws.mate.pairs import EVERY_ROW, KINGS_APART, beyond, no_king_on, spread, white_on

Step = tuple[int, int, int]
"""From square, to square, promotion piece type or 0."""
MenMove = tuple[Step, Men, int, list[tuple[Step, Men]]]
"""A step, the men after it, the squares on which no king may stand, the captures en passant it allows."""
PROMOTIONS = (chess.QUEEN, chess.KNIGHT, chess.ROOK, chess.BISHOP)
SIDES = (0, 1)


class Layout:
    """The men without the kings and what is known about the king pairs; index 1 is White to move.

    `known` holds the pairs reached, `pending` those not expanded yet, `deferred` those that still have to
    play the quiet moves. Where kings may stand (`legal`) is worked out when the layout is first expanded;
    until then `known` and `pending` may hold illegal pairs. `changed` says that a capture or a pawn move led
    here first, `hopeless` for which squares of the black and the white king no mate is conceivable.
    """

    __slots__ = (
        "arrivals", "attacked", "barren", "changed", "deferred", "ep_only", "hopeless", "known", "legal",
        "material", "men", "occupied", "pending", "queued", "quiet", "ready", "score", "zeroing",
    )  # fmt: skip

    occupied: tuple[int, int]
    attacked: tuple[int, int]
    legal: tuple[int, int]

    def __init__(self, men: Men, barren: bool, material: int) -> None:
        self.men = men
        self.barren = barren
        self.material = self.score = material
        self.ready = False
        self.changed = False
        self.hopeless = (0, 0)
        self.queued = [False, False]
        self.known = [0, 0]
        self.pending = [0, 0]
        self.deferred = [0, 0]
        self.ep_only = [0, 0]
        self.arrivals: tuple[list[Arrival], list[Arrival]] = ([], [])
        self.zeroing: list[list[Move] | None] = [None, None]
        self.quiet: list[list[Move] | None] = [None, None]

    def prepare(self) -> None:
        """Work out where the kings may stand."""
        men = self.men
        white = men[0] | men[1] | men[2] | men[3] | men[4]
        black = men[5] | men[6] | men[7] | men[8] | men[9]
        self.occupied = (black, white)
        self.attacked = (self._white_king_attacked(), self._black_king_attacked())
        bare = KINGS_APART & no_king_on(white | black)
        # With White to move the black king must not be attacked, and the other way round.
        self.legal = (bare & ~self.attacked[0], bare & ~self.attacked[1])
        for side in SIDES:
            legal = self.legal[side]
            self.known[side] &= legal
            self.pending[side] &= legal
            self.ep_only[side] &= legal
        self.ready = True

    # A king shields the squares behind him from his own sliders. No slider is shielded by the king it
    # attacks: moving along the line he leaves the square that would give shelter. Behind one square the lines
    # of different sliders never meet, so the shield saves just the squares that are attacked exactly once.

    def _black_king_attacked(self) -> int:
        attacked, once, sliders = self._attacks(True)
        shielded = 0
        for slider, hits in sliders:
            single = hits & once
            for king in squares(hits if single else 0):
                lost = beyond(slider, king) & single
                if lost:
                    shielded |= lost << 64 * king
        return (attacked * EVERY_ROW) & ~shielded

    def _white_king_attacked(self) -> int:
        attacked, once, sliders = self._attacks(False)
        shielded = 0
        for slider, hits in sliders:
            single = hits & once
            for king in squares(hits if single else 0):
                lost = beyond(slider, king) & single
                if lost:
                    shielded |= spread(lost) << king
        return white_on(attacked) & ~shielded

    def _attacks(self, white: bool) -> tuple[int, int, list[tuple[int, int]]]:
        """All squares one side attacks, those attacked exactly once, and each slider with its own."""
        men = self.men if white else self.men[5:]
        occupied = self.occupied[0] | self.occupied[1]
        attacked = pawn_hits(men[0], white)
        west, east = men[0] & ~chess.BB_FILE_A, men[0] & ~chess.BB_FILE_H
        twice = west << 7 & east << 9 if white else west >> 9 & east >> 7
        for square in squares(men[1]):
            hits = chess.BB_KNIGHT_ATTACKS[square]
            twice |= attacked & hits
            attacked |= hits
        sliders = []
        for kind in (2, 3, 4):
            for square in squares(men[kind]):
                hits = slider_hits(kind, square, occupied)
                twice |= attacked & hits
                attacked |= hits
                sliders.append((square, hits))
        return attacked, attacked & ~twice, sliders


Move = tuple[Step, Layout, int, list[tuple[Step, Layout]]]
"""A `MenMove` with layouts in place of men."""
Arrival = tuple[int, int, Layout | None, tuple[Step, ...]]
"""Serial number, pairs, the layout they came from, the steps that led here."""


def slider_hits(kind: int, square: int, occupied: int) -> int:
    """The squares attacked by a bishop (2), rook (3) or queen (4)."""
    hits = 0
    if kind != 3:
        hits = chess.BB_DIAG_ATTACKS[square][chess.BB_DIAG_MASKS[square] & occupied]
    if kind != 2:
        hits |= chess.BB_RANK_ATTACKS[square][chess.BB_RANK_MASKS[square] & occupied]
        hits |= chess.BB_FILE_ATTACKS[square][chess.BB_FILE_MASKS[square] & occupied]
    return hits


def quiet_moves(men: Men, white: bool) -> Iterator[MenMove]:
    """Yield the moves of pieces to empty squares, as if no king stood in the way."""
    own = 0 if white else 5
    occupied = 0
    for mask in men:
        occupied |= mask
    for kind in (1, 2, 3, 4):
        index = own + kind
        rest, mask, tail = men[:index], men[index], men[index + 1 :]
        for square in squares(mask):
            hits = chess.BB_KNIGHT_ATTACKS[square] if kind == 1 else slider_hits(kind, square, occupied)
            lifted = mask ^ 1 << square
            for target in squares(hits & ~occupied):
                way = 0 if kind == 1 else chess.between(square, target)
                yield (square, target, 0), (*rest, lifted | 1 << target, *tail), way, []


def zeroing_moves(men: Men, white: bool) -> Iterator[MenMove]:
    """Yield the captures and pawn moves of the men other than the king, as if no king stood in the way."""
    own, other = (0, 5) if white else (5, 0)
    theirs = men[other] | men[other + 1] | men[other + 2] | men[other + 3] | men[other + 4]
    occupied = theirs | men[own] | men[own + 1] | men[own + 2] | men[own + 3] | men[own + 4]

    def after(kind: int, square: int, target: int, becomes: int) -> Men:
        changed = list(men)
        bit = 1 << target
        changed[own + kind] ^= 1 << square
        changed[own + becomes] |= bit
        if bit & theirs:
            for index in range(other, other + 5):
                changed[index] &= ~bit
        return tuple(changed)

    forward = 8 if white else -8
    attacks = chess.BB_PAWN_ATTACKS[white]
    for square in squares(men[own]):
        passed = square + forward
        is_free = not occupied >> passed & 1
        targets = attacks[square] & theirs
        for target in squares(targets | 1 << passed if is_free else targets):
            if target < 8 or target >= 56:
                for kind in PROMOTIONS:
                    yield (square, target, kind), after(0, square, target, kind - 1), 0, []
            else:
                yield (square, target, 0), after(0, square, target, 0), 0, []
        target = passed + forward
        if is_free and square >> 3 == (1 if white else 6) and not occupied >> target & 1:
            landed = after(0, square, target, 0)
            replies = []
            # Where a pawn of this colour would hit from the square passed over, there the takers stand.
            for taker in squares(attacks[passed] & men[other]):
                taken = list(landed)
                taken[own] ^= 1 << target
                taken[other] ^= 1 << taker | 1 << passed
                replies.append(((taker, passed, 0), tuple(taken)))
            yield (square, target, 0), landed, 1 << passed, replies
    for kind in (1, 2, 3, 4):
        for square in squares(men[own + kind]):
            hits = chess.BB_KNIGHT_ATTACKS[square] if kind == 1 else slider_hits(kind, square, occupied)
            for target in squares(hits & theirs):
                way = 0 if kind == 1 else chess.between(square, target)
                yield (square, target, 0), after(kind, square, target, kind), way, []

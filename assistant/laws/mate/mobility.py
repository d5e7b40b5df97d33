"""Which squares can each man ever stand on? A fixpoint over single men, and what it rules out.

Every man starts with its own square; squares are added while some rule allows it, and nothing is ever taken
away. The rules only forbid a step when it is impossible in every game, so the sets are never too small:

    Take any game that starts from the position. Look at the first move by which some man arrives on a
    square outside its set. Every earlier arrival lies inside the sets. A square whose first occupant has
    never left and was never captured is still occupied by it; the rules close a square (`frozen`) only
    while the sets allow neither, so it is closed on the board too. The rules therefore allow that move as
    well: a contradiction.

Ignored on purpose, because ignoring them only makes the sets larger: whose move it is, checks and pins, move
counters, that a man captured on one square cannot be on another, that two men cannot share a square.

From the sets follows a necessary condition for mate (`mate_is_conceivable`). It is not a sufficient one.
"""

from __future__ import annotations

import chess

from assistant.laws.mate.men import Men, men_of, squares

KING, KNIGHT, PAWN = chess.KING, chess.KNIGHT, chess.PAWN
BISHOP, ROOK, QUEEN = chess.BISHOP, chess.ROOK, chess.QUEEN
FULL_BOARD = chess.BB_ALL
KING_STEPS = chess.BB_KING_ATTACKS
KNIGHT_STEPS = chess.BB_KNIGHT_ATTACKS
NOT_A, NOT_H = ~chess.BB_FILE_A & FULL_BOARD, ~chess.BB_FILE_H & FULL_BOARD
LAST_RANKS = (chess.BB_RANK_1, chess.BB_RANK_8)


def next_orthogonally(mask: int) -> int:
    """The squares that share an edge with one of `mask`."""
    return ((mask << 8) | (mask >> 8) | ((mask & NOT_H) << 1) | ((mask & NOT_A) >> 1)) & FULL_BOARD


def next_diagonally(mask: int) -> int:
    """The squares that share only a corner with one of `mask`."""
    east, west = (mask & NOT_H) << 1, (mask & NOT_A) >> 1
    return ((east | west) << 8 | (east | west) >> 8) & FULL_BOARD


def pawn_hits(mask: int, colour: bool) -> int:
    """The squares that pawns of `colour` standing on `mask` attack."""
    sideways = ((mask & NOT_H) << 1) | ((mask & NOT_A) >> 1)
    return (sideways << 8 if colour else sideways >> 8) & FULL_BOARD


def king_steps(mask: int) -> int:
    """The squares next to one of `mask`."""
    row = mask | ((mask & NOT_H) << 1) | ((mask & NOT_A) >> 1)
    return (row | row << 8 | row >> 8) & FULL_BOARD


def knight_steps(mask: int) -> int:
    """The squares a knight's move away from one of `mask`."""
    steps = 0
    for square in squares(mask):
        steps |= KNIGHT_STEPS[square]
    return steps


def slides(kind: int, mask: int, blockers: int) -> int:
    """The squares that men of `kind` on `mask` reach, up to and including the first of `blockers`."""
    reached = 0
    for square in squares(mask):
        if kind != ROOK:
            reached |= chess.BB_DIAG_ATTACKS[square][chess.BB_DIAG_MASKS[square] & blockers]
        if kind != BISHOP:
            reached |= chess.BB_RANK_ATTACKS[square][chess.BB_RANK_MASKS[square] & blockers]
            reached |= chess.BB_FILE_ATTACKS[square][chess.BB_FILE_MASKS[square] & blockers]
    return reached


class Man:
    """One man and the squares it may ever reach, as itself (`reach`) and after promotion (`promoted`)."""

    __slots__ = ("colour", "home", "kind", "promoted", "reach", "seen", "seen_promoted")

    def __init__(self, colour: bool, kind: int, start: int) -> None:
        self.colour = colour
        self.kind = kind
        # A man that may stand on one of several squares fills none of them for certain.
        self.home = 0 if start & start - 1 else start
        self.reach = start
        self.promoted = 0
        # What the last expansion started from: unchanged inputs need no second one.
        self.seen = (0, 0)
        self.seen_promoted = (0, 0)


class Mobility:
    """The fixpoint for one position. `men[colour]` has that side's men, `kings[colour]` its king."""

    def __init__(
        self, men: Men, kings: tuple[int, int], castling_rights: int = 0, ep_square: int | None = None
    ) -> None:
        """`kings` are the squares where the black and the white king may stand now, one or several."""
        self.men: tuple[list[Man], list[Man]] = ([], [])
        for index, mask in enumerate(men):
            colour, kind = index < 5, index % 5 + 1
            for square in squares(mask):
                self.men[colour].append(Man(colour, kind, 1 << square))
        self.kings = (Man(False, KING, kings[0]), Man(True, KING, kings[1]))
        for colour in (False, True):
            self.men[colour].append(self.kings[colour])
        self.start_castling(castling_rights)
        self.ep_target = 0 if ep_square is None else 1 << ep_square
        self.solve()

    @classmethod
    def of(cls, board: chess.Board) -> Mobility:
        """The fixpoint for a board."""
        ep_square = board.ep_square if board.has_pseudo_legal_en_passant() else None
        white, black = board.occupied_co[True] & board.kings, board.occupied_co[False] & board.kings
        return cls(men_of(board), (black, white), board.castling_rights, ep_square)

    def start_castling(self, rights: int) -> None:
        # Castling moves two men at once, in Chess960 even through each other: while the right is there,
        # both are granted their squares from the start.
        for colour in chess.COLORS:
            rank = chess.BB_RANK_1 if colour else chess.BB_RANK_8
            if not rights & rank:
                continue
            self.kings[colour].reach |= rank & (chess.BB_FILE_C | chess.BB_FILE_G)
            for man in self.men[colour]:
                if man.kind == ROOK and man.home & rights:
                    man.reach |= rank & (chess.BB_FILE_D | chess.BB_FILE_F)

    def solve(self) -> None:
        men = self.men[True] + self.men[False]
        while True:
            # visited[c]: squares where a man of colour c that may be captured can ever stand.
            visited = [0, 0]
            entered = [0, 0]
            for man in men:
                all_squares = man.reach | man.promoted
                entered[man.colour] |= all_squares
                if man.kind != KING:
                    visited[man.colour] |= all_squares
            frozen = [0, 0]
            guarded = [0, 0]  # next to a frozen enemy: no king may ever step there
            for man in men:
                if man.reach == man.home and not man.promoted:
                    if man.home & entered[not man.colour] and man.kind != KING:
                        continue
                    if self.ep_target and man.kind == PAWN and self.taken_en_passant(man):
                        continue
                    frozen[man.colour] |= man.home
                    guarded[not man.colour] |= self.contact(man)
            changed = False
            for man in men:
                changed |= self.grow(man, frozen, guarded, visited)
            if not changed:
                self.visited, self.frozen = visited, frozen
                return

    def taken_en_passant(self, man: Man) -> bool:
        return bool(self.ep_target & (man.home >> 8 if man.colour else man.home << 8))

    @staticmethod
    def contact(man: Man) -> int:
        """What a man that never leaves its square attacks whatever the others do."""
        if man.kind == PAWN:
            return pawn_hits(man.home, man.colour)
        if man.kind == KNIGHT:
            return knight_steps(man.home)
        if man.kind == BISHOP:
            return next_diagonally(man.home)
        if man.kind == ROOK:
            return next_orthogonally(man.home)
        return king_steps(man.home) & ~man.home

    def grow(self, man: Man, frozen: list[int], guarded: list[int], visited: list[int]) -> bool:
        colour, kind = man.colour, man.kind
        own, both = frozen[colour], frozen[0] | frozen[1]
        forbidden = own | (self.kings[not colour].home & both)
        before, before_promoted = man.reach, man.promoted
        if kind == PAWN:
            hits = (visited[not colour] | self.ep_target) & FULL_BOARD
            while True:
                step = (man.reach << 8 if colour else man.reach >> 8) & ~both & FULL_BOARD
                step |= pawn_hits(man.reach, colour) & hits & ~forbidden
                if not step & ~man.reach:
                    break
                man.reach |= step
            man.promoted |= man.reach & LAST_RANKS[colour]
            if man.promoted and man.seen_promoted != (man.promoted, both):
                man.promoted = self.spread(QUEEN, man.promoted, both, forbidden, knight=True)
                man.seen_promoted = (man.promoted, both)
        elif kind == KING:
            closed = forbidden | guarded[colour]
            while True:
                step = king_steps(man.reach) & ~closed & ~man.reach
                if not step:
                    break
                man.reach |= step
        elif man.seen != (man.reach, both):
            if kind == KNIGHT:
                fresh = man.reach
                while fresh:
                    fresh = knight_steps(fresh) & ~forbidden & ~man.reach
                    man.reach |= fresh
            else:
                man.reach = self.spread(kind, man.reach, both, forbidden)
            man.seen = (man.reach, both)
        return man.reach != before or man.promoted != before_promoted

    @staticmethod
    def spread(kind: int, reach: int, blockers: int, forbidden: int, knight: bool = False) -> int:
        fresh = reach
        while fresh:
            step = slides(kind, fresh, blockers)
            if knight:
                step |= knight_steps(fresh)
            fresh = step & ~forbidden & ~reach
            reach |= fresh
        return reach


def mate_is_conceivable(mobility: Mobility, winner: bool) -> bool:
    """False only if `winner` can never mate in any game from the position.

    In a mate the losing king stands on a square `q` of its set and is attacked by a man other than the
    king. A slider that attacks a square could also stand beside it on that line, for the squares between
    are empty; so attacks are looked for at contact only. Every neighbour of `q` holds one of the loser's men,
    or is attacked by the winner's men, or by the winner's king.
    """
    king, losing = mobility.kings[winner], mobility.kings[not winner]
    attacked = diagonal = orthogonal = 0
    for man in mobility.men[winner]:
        if man.kind == PAWN:
            attacked |= pawn_hits(man.reach, winner)
            if man.promoted:
                diagonal |= man.promoted
                orthogonal |= man.promoted
                attacked |= knight_steps(man.promoted)
        elif man.kind == KNIGHT:
            attacked |= knight_steps(man.reach)
        elif man.kind != KING:
            if man.kind != ROOK:
                diagonal |= man.reach
            if man.kind != BISHOP:
                orthogonal |= man.reach
    attacked |= next_diagonally(diagonal) | next_orthogonally(orthogonal)
    blockers = mobility.visited[not winner]
    blocker_count = len(mobility.men[not winner]) - 1
    for square in squares(losing.reach & attacked):
        flights = KING_STEPS[square]
        open_flights = flights & ~attacked
        if losing.reach == losing.home:
            # The line goes on through the king's own square, which nobody else can ever enter.
            beyond = 0
            for flight in squares(open_flights):
                opposite = 2 * square - flight
                if 0 <= opposite < 64 and KING_STEPS[square] & chess.BB_SQUARES[opposite]:
                    line = (
                        diagonal if (flight ^ square) & 1 and abs(flight - square) in (7, 9) else orthogonal
                    )
                    if line & chess.BB_SQUARES[opposite]:
                        beyond |= chess.BB_SQUARES[flight]
            open_flights &= ~beyond
        if not open_flights:
            return True
        unblockable = open_flights & ~blockers
        for post in squares(king.reach & ~flights & ~chess.BB_SQUARES[square]):
            guard = KING_STEPS[post]
            if not unblockable & ~guard and (open_flights & ~guard).bit_count() <= blocker_count:
                return True
    return False

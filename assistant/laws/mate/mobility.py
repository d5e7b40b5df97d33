"""Which squares can each man ever stand on? A fixpoint over single men, and what it rules out.

Every man starts with its own square; squares are added while some rule allows it, and nothing is ever taken
away. The rules only forbid a step when it is impossible in every game, so the sets are never too small:

    Take any game that starts from the position. Look at the first move by which some man arrives on a
    square outside its set. Every earlier arrival lies inside the sets. A square whose first occupant has
    never left and was never captured is still occupied by it; the rules close a square (`frozen`) only
    while the sets allow neither, so it is closed on the board too. The same holds for the order of pawns on
    a file (`shut`). The rules therefore allow that move as well: a contradiction.

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

    __slots__ = (
        "ahead", "blockers", "colour", "fresh", "fresh_promoted", "home", "kind", "promoted", "reach", "shut",
        "takes",
    )  # fmt: skip

    def __init__(self, colour: bool, kind: int, start: int) -> None:
        self.colour = colour
        self.kind = kind
        # A man that may stand on one of several squares fills none of them for certain.
        self.home = 0 if start & start - 1 else start
        self.reach = start
        self.promoted = 0
        # Of a pawn: where it arrives by capture, the pawns before it on its file, where they let it not push.
        self.takes = 0
        self.ahead: list[Man] = []
        self.shut = 0
        # Squares whose moves were not looked at yet, and what blocked when the others were.
        self.fresh = self.fresh_promoted = 0
        self.blockers = -1


class Mobility:
    """The sets of one position. `men[colour]` has that side's men, `kings[colour]` its king.

    They start small and grow by `step`; they are complete when it finds nothing more.
    """

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
        self.line_up_pawns()
        self.start_castling(castling_rights)
        self.ep_target = 0 if ep_square is None else 1 << ep_square
        self.survey()

    @classmethod
    def of(cls, board: chess.Board) -> Mobility:
        """The fixpoint for a board."""
        ep_square = board.ep_square if board.has_pseudo_legal_en_passant() else None
        white, black = board.occupied_co[True] & board.kings, board.occupied_co[False] & board.kings
        return cls(men_of(board), (black, white), board.castling_rights, ep_square)

    def line_up_pawns(self) -> None:
        pawns = [man for side in self.men for man in side if man.kind == PAWN]
        for pawn in pawns:
            file = chess.BB_FILES[(pawn.home.bit_length() - 1) & 7]
            front = file & (-pawn.home if pawn.colour else pawn.home - 1) & ~pawn.home
            pawn.ahead = [other for other in pawns if other.home & front]

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

    def survey(self) -> None:
        """Work out which squares are closed as long as the sets are what they are."""
        # visited: squares where a man of that colour that may be captured can ever stand. taking: squares on
        # which one of that colour may capture; a pawn's push takes nothing.
        self.visited, taking = [0, 0], [0, 0]
        men = self.men[True] + self.men[False]
        for man in men:
            if man.kind == PAWN:
                self.visited[man.colour] |= man.reach | man.promoted
                taking[man.colour] |= man.takes | man.promoted
            else:
                taking[man.colour] |= man.reach
                if man.kind != KING:
                    self.visited[man.colour] |= man.reach
        # guarded: next to an enemy that never leaves its square, where no king may ever step.
        self.frozen, self.guarded = [0, 0], [0, 0]
        for man in men:
            if man.ahead:
                man.shut = 0 if man.takes else self.shut_by_pawns(man, taking)
            if man.reach == man.home:
                if man.home & taking[not man.colour] and man.kind != KING:
                    continue
                if self.ep_target and man.kind == PAWN and self.taken_en_passant(man):
                    continue
                self.frozen[man.colour] |= man.home
                self.guarded[not man.colour] |= self.contact(man)

    def shut_by_pawns(self, man: Man, taking: list[int]) -> int:
        """The squares of its file that a pawn cannot push to for the pawns before it.

        Two pawns on one file stay in their order as long as neither captures nor is captured. So a pawn gets
        neither onto the first square of an enemy before it nor past it, and it stays behind the furthest
        square of a friend. Once it can capture itself none of this holds: it may come back from another file.
        """
        shut = 0
        for other in man.ahead:
            if other.takes or other.promoted or other.reach & taking[not other.colour]:
                continue
            if self.ep_target and self.taken_en_passant(other):
                continue
            if other.colour != man.colour:
                limit = other.home
            elif man.colour:
                limit = 1 << other.reach.bit_length() - 1
            else:
                limit = other.reach & -other.reach
            shut |= -limit if man.colour else 2 * limit - 1
        return shut

    def step(self) -> bool:
        """Let every man make one more move; False when nothing is new, so that the sets are complete."""
        changed = False
        for side in self.men:
            for man in side:
                changed |= self.grow(man)
        if changed:
            self.survey()
        return changed

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

    def grow(self, man: Man) -> bool:
        colour, kind = man.colour, man.kind
        blockers = self.frozen[0] | self.frozen[1]
        forbidden = self.frozen[colour] | (self.kings[not colour].home & blockers)
        if kind == KING:
            closed = forbidden | self.guarded[colour]
            before = reach = man.reach
            while fresh := king_steps(reach) & ~closed & ~reach:
                reach |= fresh
            man.reach = reach
            return reach != before
        if kind == PAWN:
            return self.grow_pawn(man, blockers, forbidden)
        if man.blockers != blockers:
            man.blockers = blockers
            man.fresh = man.reach
        if not man.fresh:
            return False
        hits = knight_steps(man.fresh) if kind == KNIGHT else slides(kind, man.fresh, blockers)
        man.fresh = hits & ~forbidden & ~man.reach
        man.reach |= man.fresh
        return bool(man.fresh)

    def grow_pawn(self, man: Man, blockers: int, forbidden: int) -> bool:
        colour = man.colour
        hits = (self.visited[not colour] | self.ep_target) & ~forbidden
        before = reach = man.reach
        closed = ~FULL_BOARD | blockers | man.shut
        while True:
            taken = pawn_hits(reach, colour) & hits
            man.takes |= taken
            fresh = ((reach << 8 if colour else reach >> 8) & ~closed | taken) & ~reach
            if not fresh:
                break
            reach |= fresh
        man.reach = reach
        arrived = reach & LAST_RANKS[colour] & ~man.promoted
        man.promoted |= arrived
        man.fresh_promoted |= arrived
        if man.blockers != blockers:
            man.blockers = blockers
            man.fresh_promoted = man.promoted
        if man.fresh_promoted:
            moves = slides(QUEEN, man.fresh_promoted, blockers) | knight_steps(man.fresh_promoted)
            man.fresh_promoted = moves & ~forbidden & ~man.promoted
            man.promoted |= man.fresh_promoted
        return reach != before or bool(arrived | man.fresh_promoted)


def mate_is_conceivable(mobility: Mobility, winner: bool) -> bool:
    """False only if `winner` can never mate in any game from the position; then the sets are complete.

    The sets are completed only as far as needed to see a mate.
    """
    while not _has_mate_pattern(mobility, winner):
        if not mobility.step():
            return False
    return True


def _has_mate_pattern(mobility: Mobility, winner: bool) -> bool:
    """Whether the sets allow a mate by `winner`.

    In a mate the losing king stands on a square `q` of its set and is attacked by a man other than the
    king. A slider that attacks a square could also stand beside it on that line, for the squares between
    are empty; so attacks are looked for at contact only. Every neighbour of `q` holds one of the loser's men,
    or is attacked by the winner's men, or by the winner's king.
    """
    losing = mobility.kings[not winner]
    attacked, diagonal, orthogonal = _contacts(mobility, winner)
    blockers = mobility.visited[not winner]
    blocker_count = len(mobility.men[not winner]) - 1
    posts = mobility.kings[winner].reach
    for square in squares(losing.reach & attacked):
        flights = KING_STEPS[square]
        open_flights = flights & ~attacked
        if open_flights and losing.reach == losing.home:
            open_flights &= ~_behind(square, open_flights, diagonal, orthogonal)
        if not open_flights:
            return True
        # The winner's king guards the flights that nothing can fill, and never stands beside the loser's.
        fitting = posts & ~flights & ~(1 << square)
        for flight in squares(open_flights & ~blockers):
            fitting &= KING_STEPS[flight]
        for post in squares(fitting):
            if (open_flights & ~KING_STEPS[post]).bit_count() <= blocker_count:
                return True
    return False


def _contacts(mobility: Mobility, winner: bool) -> tuple[int, int, int]:
    """What the winner's men but the king may attack, and where its sliders may stand, by direction."""
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
    return attacked, diagonal, orthogonal


def _behind(square: int, flights: int, diagonal: int, orthogonal: int) -> int:
    """The flights that a slider attacks through the king's square, which nobody else can ever enter."""
    behind = 0
    for flight in squares(flights):
        opposite = 2 * square - flight
        if 0 <= opposite < 64 and KING_STEPS[square] >> opposite & 1:
            line = diagonal if abs(flight - square) in (7, 9) else orthogonal
            if line >> opposite & 1:
                behind |= 1 << flight
    return behind

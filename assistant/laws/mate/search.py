"""Search over boards without kings; for each of them the set of all king pairs reached so far.

A position is split into a *layout* (every man but the kings) with the side to move, and the *pair* of king
squares. All pairs of a layout are handled together as one integer (see `pairs`). So long king walks around
locked pawns, the bulk of hard positions, cost one step instead of thousands.

The positions visited are exactly those reachable by legal moves:
- a move of a man other than a king leads to the new layout for all pairs with no king in its way;
- a king's step leads to the neighbouring pairs; onto an enemy, to the layout without that man;
- a move is legal if and only if after it the mover's king is not attacked; for which pairs that holds is
  worked out once for each layout, with the kings in the lines of the sliders;
- a capture en passant is played at once, together with the double step before it, and the pairs for which
  it is possible are not taken for mated;
- castling is not generated: `start_castling` hands over every position that castling rights lead to.
Layouts in which the winner lacks the material, and pairs from which the mobility of single men allows no
mate, are not expanded: they hold no mate and lead to none. So when nothing is left to expand, no mate can be
reached. A mate that is found is traced back into a line.
"""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Iterator

import chess

from assistant.laws.mate.forced import position_key
from assistant.laws.mate.guide import Guide
from assistant.laws.mate.layouts import SIDES, Layout, Move, Step, quiet_moves, zeroing_moves
from assistant.laws.mate.men import Men, lacks_material, men_of, squares
from assistant.laws.mate.mobility import Mobility, mate_is_conceivable
from assistant.laws.mate.pairs import (
    black_king_steps,
    black_on,
    king_squares,
    no_king_on,
    white_king_steps,
    white_on,
)

KING_STEPS = (black_king_steps, white_king_steps)
ON = (black_on, white_on)
BY_KING: tuple[Step, ...] = ((-1, -1, 0),)
"""Stands for a king's step, whose squares follow from the pairs before and after."""
QUIET_LATER = 6
"""How much worse a layout counts while only its quiet moves are left."""

OLDEST_EVERY = 4
HOPE_TESTS, HOPE_RATIO = 16, 6
"""Tests for hopeless layouts that are made in any case, and how many may fail for one that succeeds."""


class PairSearch:
    """Best-first search for a mate by `winner`; complete when it runs out of layouts."""

    def __init__(self, winner: bool) -> None:
        self.winner = winner
        self.guide = Guide(winner)
        self.layouts: dict[Men, Layout] = {}
        self.queue: list[tuple[int, int, int, Layout]] = []
        self.oldest: deque[tuple[int, Layout]] = deque()
        self.serial = 0
        self.nodes = 0
        self.mate_found = False
        self.tests = self.prunings = 0
        self.line: tuple[Step, ...] = ()

    def layout(self, men: Men, like: Layout | None = None) -> Layout:
        """The layout of `men`; `like` is one with the same material and pawns."""
        found = self.layouts.get(men)
        if found is None:
            if like is not None:
                barren, material = like.barren, like.material
            else:
                barren, material = lacks_material(men, self.winner), self.guide.material(men)
            found = Layout(men, barren, material)
            found.changed = like is None
            if not barren:
                found.score = material + self.guide.placement(men)
            self.layouts[men] = found
        return found

    def start(self, board: chess.Board, prefix: tuple[Step, ...] = ()) -> None:
        """Add one position, to which the steps in `prefix` lead; its castling rights are not used."""
        men = men_of(board)
        white = board.turn
        layout = self.layout(men)
        pair = 1 << 64 * (board.king(True) or 0) + (board.king(False) or 0)
        captures: list[tuple[Layout, tuple[Step, ...]]] = []
        if board.ep_square is not None:
            target = board.ep_square
            victim = target - 8 if white else target + 8
            own, other = (0, 5) if white else (5, 0)
            for taker in squares(chess.BB_PAWN_ATTACKS[not white][target] & men[own]):
                taken = list(men)
                taken[other] ^= 1 << victim
                taken[own] ^= 1 << taker | 1 << target
                after = self.layout(tuple(taken))
                if not after.ready:
                    after.prepare()
                if pair & after.legal[not white]:
                    captures.append((after, ((taker, target, 0),)))
        self.add(layout, white, pair, None, prefix, pair if captures else 0)
        for after, steps in captures:
            self.add(after, not white, pair, layout, steps)

    def add(
        self,
        layout: Layout,
        white: bool,
        pairs: int,
        source: Layout | None,
        steps: tuple[Step, ...],
        ep: int = 0,
    ) -> None:
        """Note that `pairs` are reached; `ep` are those where a capture en passant is possible now."""
        fresh = pairs & ~layout.known[white]
        again = layout.ep_only[white] and pairs & layout.ep_only[white] & ~ep
        if again:
            # Reached before only with a capture en passant at hand, which may have hidden a mate.
            layout.ep_only[white] &= ~again
            fresh |= again
        if not fresh or layout.barren:
            return
        if ep:
            layout.ep_only[white] |= ep & fresh
        layout.known[white] |= fresh
        layout.pending[white] |= fresh
        self.serial += 1
        layout.arrivals[white].append((self.serial, fresh, source, steps))
        if not layout.queued[0]:
            self.enqueue(layout, 0)

    def enqueue(self, layout: Layout, tier: int) -> None:
        layout.queued[tier] = True
        self.serial += 1
        # Among equals the newest: going on with one idea finds a mate sooner than trying all ideas a little.
        heapq.heappush(self.queue, (layout.score + QUIET_LATER * tier, -self.serial, tier, layout))
        self.oldest.append((tier, layout))

    @property
    def work(self) -> int:
        """What was done so far: to note a layout costs about half as much as to expand one."""
        return self.nodes + len(self.layouts) // 2

    def run(self, nodes: int, work: int) -> bool | None:
        """Expand up to `nodes` layouts, but no more once `work` is done.

        True: a mate was found (see `line`); False: there is none; None: undecided.
        """
        limit = self.nodes + nodes
        while self.queue and not self.mate_found:
            if self.nodes >= limit or self.work >= work:
                return None
            # Now and then the oldest instead of the best: no order of ours may starve a branch.
            if self.nodes % OLDEST_EVERY == 0 and self.oldest:
                tier, layout = self.oldest.popleft()
            else:
                _, _, tier, layout = heapq.heappop(self.queue)
            if not layout.queued[tier]:
                continue
            layout.queued[tier] = False
            self.nodes += 1
            if tier:
                self.play_quiet_moves(layout)
            elif self.expand(layout):
                self.mate_found = True
        return self.mate_found

    def expand(self, layout: Layout) -> bool:
        """Walk the kings, capture, move pawns; True when a mate was found."""
        if not layout.ready:
            layout.prepare()
        if layout.changed and self.is_hopeless(layout):
            layout.pending = [0, 0]
            return False
        fresh = self.walk_kings(layout)
        for white in SIDES:
            pairs = fresh[white]
            if not pairs:
                continue
            if white != self.winner and self.find_mate(layout, bool(white), pairs):
                return True
            for here, after in self.king_captures(layout, bool(white), pairs):
                self.add(after, not white, here, layout, BY_KING)
            self.play(layout, bool(white), pairs, self.zeroing(layout, bool(white)))
            layout.deferred[white] |= pairs
        if not layout.queued[1] and (layout.deferred[0] or layout.deferred[1]):
            self.enqueue(layout, 1)
        return False

    def is_hopeless(self, layout: Layout) -> bool:
        """Whether no mate is conceivable from the pairs waiting here, by the mobility of single men.

        Once most of these tests fail they are given up: it is not that kind of position.
        """
        pending = layout.pending[0] | layout.pending[1]
        if not pending:
            return False
        black, white = king_squares(pending)
        known_black, known_white = layout.hopeless
        if not (black & ~known_black or white & ~known_white):
            return True
        if self.tests >= HOPE_TESTS and self.tests > HOPE_RATIO * self.prunings:
            return False
        self.tests += 1
        mobility = Mobility(layout.men, (black | known_black, white | known_white))
        if mate_is_conceivable(mobility, self.winner):
            layout.changed = False
            return False
        self.prunings += 1
        layout.hopeless = (mobility.kings[0].reach, mobility.kings[1].reach)
        return True

    def play_quiet_moves(self, layout: Layout) -> None:
        for white in SIDES:
            pairs = layout.deferred[white]
            if pairs:
                layout.deferred[white] = 0
                self.play(layout, bool(white), pairs, self.quiet(layout, bool(white)))

    def walk_kings(self, layout: Layout) -> list[int]:
        """Let only the kings move until nothing new is reached; return the pairs not expanded before."""
        pending, known, legal, arrivals = layout.pending, layout.known, layout.legal, layout.arrivals
        ep_only = layout.ep_only
        fresh = [0, 0]
        white = 1 if pending[1] else 0
        while pending[0] or pending[1]:
            delta = pending[white]
            if delta:
                pending[white] = 0
                fresh[white] |= delta
                reached = KING_STEPS[white](delta) & legal[1 - white]
                new = reached & ~known[1 - white]
                if ep_only[1 - white]:
                    again = reached & ep_only[1 - white]
                    ep_only[1 - white] &= ~again
                    new |= again
                if new:
                    known[1 - white] |= new
                    pending[1 - white] |= new
                    self.serial += 1
                    arrivals[1 - white].append((self.serial, new, layout, BY_KING))
            white = 1 - white
        return fresh

    def play(self, layout: Layout, white: bool, pairs: int, moves: list[Move]) -> None:
        """Play moves of the men for all `pairs`."""
        for step, after, way, replies in moves:
            here = pairs & no_king_on(way) if way else pairs
            if after.ready:
                here &= after.legal[not white]
            if not here or after.barren:
                continue
            ep = 0
            for reply, beaten in replies:
                if not after.ready:
                    after.prepare()
                    here &= after.legal[not white]
                if not beaten.ready:
                    beaten.prepare()
                capture = here & beaten.legal[white]
                if capture:
                    ep |= capture
                    self.add(beaten, white, capture, layout, (step, reply))
            self.add(after, not white, here, layout, (step,), ep)

    def zeroing(self, layout: Layout, white: bool) -> list[Move]:
        moves = layout.zeroing[white]
        if moves is None:
            moves = layout.zeroing[white] = [
                (step, self.layout(men), way, [(reply, self.layout(taken)) for reply, taken in replies])
                for step, men, way, replies in zeroing_moves(layout.men, white)
            ]
        return moves

    def quiet(self, layout: Layout, white: bool) -> list[Move]:
        moves = layout.quiet[white]
        if moves is None:
            moves = layout.quiet[white] = [
                (step, self.layout(men, layout), way, [])
                for step, men, way, _ in quiet_moves(layout.men, white)
            ]
        return moves

    def king_captures(self, layout: Layout, white: bool, pairs: int) -> Iterator[tuple[int, Layout]]:
        """Yield, for each man the king can capture from some of `pairs`, the pairs after and the layout."""
        on = ON[white]
        reached = KING_STEPS[white](pairs) & on(layout.occupied[not white])
        if not reached:
            return
        first = 5 if white else 0
        for square in squares(layout.occupied[not white]):
            bit = 1 << square
            here = reached & on(bit)
            if here:
                men = list(layout.men)
                for index in range(first, first + 5):
                    men[index] &= ~bit
                after = self.layout(tuple(men))
                if not after.ready:
                    after.prepare()
                here &= after.legal[not white]
                if here:
                    yield here, after

    def find_mate(self, layout: Layout, white: bool, pairs: int) -> bool:
        """Whether the side to move is checkmated in some of `pairs`; then `line` leads there."""
        mated = pairs & layout.attacked[not white] & ~layout.ep_only[white]
        if mated:
            mated &= ~KING_STEPS[white](layout.legal[not white])
        if mated:
            for here, _ in self.king_captures(layout, white, mated):
                mated &= ~KING_STEPS[white](here)
        if not mated:
            return False
        for moves in (self.zeroing(layout, white), self.quiet(layout, white)):
            for _, after, way, _ in moves:
                here = mated & no_king_on(way) if way else mated
                if here:
                    if not after.ready:
                        after.prepare()
                    mated &= ~(here & after.legal[not white])
                    if not mated:
                        return False
        self.line = self.trace(layout, white, mated & -mated)
        return True

    def trace(self, layout: Layout, white: bool, pair: int) -> tuple[Step, ...]:
        """Follow the arrivals back from one pair to the start."""
        line: list[Step] = []
        before = self.serial + 1
        while True:
            # The last arrival in time: at an earlier one a capture en passant may have been possible.
            arrival = next(
                found for found in reversed(layout.arrivals[white]) if found[1] & pair and found[0] < before
            )
            before, _, source, steps = arrival
            if source is None:
                return steps + tuple(reversed(line))
            mover = not white
            if steps is BY_KING:
                origins = KING_STEPS[mover](pair) & source.legal[mover]
                origin = next(
                    found[1] & origins
                    for found in source.arrivals[mover]
                    if found[1] & origins and found[0] < before
                )
                origin &= -origin
                line.append(king_step(origin, pair))
                pair = origin
            else:
                line.extend(reversed(steps))
                if len(steps) == 2:
                    mover = white
            layout, white = source, mover


def step_of(move: chess.Move) -> Step:
    return move.from_square, move.to_square, move.promotion or 0


def moves_of(line: tuple[Step, ...]) -> tuple[chess.Move, ...]:
    return tuple(chess.Move(start, target, kind or None) for start, target, kind in line)


def king_step(origin: int, pair: int) -> Step:
    """The step between two pairs that differ in one king's square."""
    before, after = origin.bit_length() - 1, pair.bit_length() - 1
    if before >> 6 != after >> 6:
        return before >> 6, after >> 6, 0
    return before & 63, after & 63, 0


def start_castling(search: PairSearch, board: chess.Board, limit: int) -> bool:
    """Add to what started from `board` every position that follows from it while castling rights last.

    Positions with rights are followed one by one, castling included, at most `limit` of them. False: there
    are more, so that the search may still find a mate but cannot rule one out.
    """
    waiting: deque[tuple[chess.Board, tuple[Step, ...]]] = deque([(board, ())])
    seen = {position_key(board)}
    while waiting:
        here, prefix = waiting.popleft()
        for move in here.legal_moves:
            after = here.copy(stack=False)
            after.push(move)
            key = position_key(after)
            if key in seen:
                continue
            seen.add(key)
            steps = (*prefix, step_of(move))
            if after.castling_rights:
                if len(seen) > limit:
                    return False
                waiting.append((after, steps))
            search.start(after, steps)
    return True

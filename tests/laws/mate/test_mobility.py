"""The squares a man may ever reach: no game leaves them, and what they forbid never happens."""

from __future__ import annotations

import itertools
import random

import chess
import pytest
from closure import walls
from samples import games, tight

from assistant.laws.mate.mobility import Man, Mobility, mate_is_conceivable
from assistant.laws.mate.search import PairSearch


def solved(board: chess.Board) -> Mobility:
    mobility = Mobility.of(board)
    while mobility.step():
        pass
    return mobility


def men_by_square(mobility: Mobility) -> dict[int, Man]:
    return {man.home.bit_length() - 1: man for man in itertools.chain(*mobility.men)}


def move_men(board: chess.Board, move: chess.Move, where: dict[int, Man]) -> list[tuple[Man, int]]:
    """Move the men as `move` does and return who arrived on which square."""
    arrived: list[tuple[Man, int]] = []
    if board.is_castling(move):
        side = chess.BB_RANK_1 if board.turn else chess.BB_RANK_8
        kingside = board.is_kingside_castling(move)
        rook_from = move.to_square
        if not board.rooks & board.occupied_co[board.turn] & chess.BB_SQUARES[rook_from]:
            rights = board.castling_rights & side
            rook_from = chess.msb(rights) if kingside else chess.lsb(rights)
        king, rook = where.pop(move.from_square), where.pop(rook_from)
        rank = 0 if board.turn else 56
        for man, file in ((king, 6 if kingside else 2), (rook, 5 if kingside else 3)):
            where[rank + file] = man
            arrived.append((man, rank + file))
        return arrived
    if board.is_en_passant(move):
        where.pop(move.to_square + (-8 if board.turn else 8))
    man = where.pop(move.from_square)
    where[move.to_square] = man
    return [(man, move.to_square)]


@pytest.mark.parametrize("seed", range(3))
def test_no_man_ever_leaves_its_squares(seed: int) -> None:
    dice = random.Random(seed)
    for start in itertools.chain(tight(seed + 50, 130), games(seed + 50, 25, 80)):
        mobility = solved(start)
        where = men_by_square(mobility)
        board = start.copy(stack=False)
        for _ in range(60):
            moves = list(board.legal_moves)
            if not moves:
                break
            # Captures and pawn moves open a position: they come first half of the time.
            loud = [move for move in moves if board.is_zeroing(move)]
            move = dice.choice(loud if loud and dice.random() < 0.5 else moves)
            for man, square in move_men(board, move, where):
                assert (man.reach | man.promoted) >> square & 1, (start.fen(), board.fen(), move)
            board.push(move)


@pytest.mark.parametrize("seed", range(3))
def test_no_mate_is_ever_found_where_none_is_conceivable(seed: int) -> None:
    refused = 0
    for board in tight(seed, 220, (walls,)):
        for winner in chess.COLORS:
            if board.castling_rights or mate_is_conceivable(Mobility.of(board), winner):
                continue
            refused += 1
            search = PairSearch(winner)
            search.start(board)
            assert not search.run(60, 10**6), (board.fen(), winner)
    assert refused > 50


def test_rammed_pawns_never_move() -> None:
    board = chess.Board("4k3/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/8/4K3 w - - 0 1")
    mobility = solved(board)
    pawns = [man for man in itertools.chain(*mobility.men) if man.kind == chess.PAWN]
    assert all(man.reach == man.home and not man.promoted for man in pawns)


def test_a_pawn_that_a_king_can_take_frees_the_pawn_before_it() -> None:
    board = chess.Board("4k3/8/8/8/p7/P7/8/1K6 w - - 0 1")
    mobility = solved(board)
    assert men_by_square(mobility)[chess.A3].promoted


def test_a_king_never_enters_squares_that_a_locked_pawn_guards() -> None:
    # Every square of the fourth rank that the white king could use is covered or filled.
    board = chess.Board("4k3/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/4K3 w - - 0 1")
    mobility = solved(board)
    assert not mobility.kings[chess.WHITE].reach & (chess.BB_RANK_4 | chess.BB_RANK_5 | chess.BB_RANK_6)


def test_castling_counts_as_a_way_past_ones_own_men() -> None:
    granted = Mobility.of(chess.Board("4k3/8/8/8/8/8/8/4K2R w K - 0 1"))
    [rook] = [man for man in granted.men[chess.WHITE] if man.kind == chess.ROOK]
    assert granted.kings[chess.WHITE].reach >> chess.G1 & 1 and rook.reach >> chess.F1 & 1


def test_a_capture_en_passant_opens_a_locked_file() -> None:
    board = chess.Board("4k3/8/8/2pP4/2P5/8/8/4K3 w - c6 0 1")
    assert men_by_square(solved(board))[chess.D5].reach >> chess.C6 & 1

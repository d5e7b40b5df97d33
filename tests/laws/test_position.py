"""Positions that the board library does not know, and proof that those it knows are left alone."""

from __future__ import annotations

import chess
import pytest
from exploring import examples
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from assistant.board import after, is_legal, takes_in_passing
from assistant.laws.position import (
    fen,
    key,
    legal_moves,
    natural_end,
    notation,
    pawn_on_last_rank,
    read_uci,
    standing_in_the_way,
    start_board,
)
from assistant.moves import read_move

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


def perft(board: chess.Board, depth: int) -> int:
    moves = legal_moves(board)
    return len(moves) if depth == 1 else sum(perft(after(board, move), depth - 1) for move in moves)


@pytest.mark.parametrize(
    ("position", "chess960", "counts"),
    [
        (chess.STARTING_FEN, False, (20, 400, 8902)),
        (KIWIPETE, False, (48, 2039)),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", False, (14, 191, 2812)),
        ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", False, (6, 264, 9467)),
        ("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", True, (21, 528, 12189)),
        ("2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9", True, (21, 807)),
    ],
)
def test_no_move_is_lost_or_invented(position: str, chess960: bool, counts: tuple[int, ...]) -> None:
    board = start_board(position, chess960)
    for depth, count in enumerate(counts, 1):
        assert perft(board, depth) == count


@st.composite
def positions(draw: st.DrawFn) -> chess.Board:
    board = chess.Board() if draw(st.booleans()) else chess.Board.from_chess960_pos(draw(st.integers(0, 959)))
    for choice in draw(st.lists(st.integers(0, 200), max_size=40)):
        moves = list(board.legal_moves)
        if not moves:
            break
        board.push(moves[choice % len(moves)])
    return board.copy(stack=False)


@given(positions())
@settings(max_examples=examples(60), suppress_health_check=list(HealthCheck))
def test_a_legal_move_is_made_as_the_library_makes_it(board: chess.Board) -> None:
    for move in board.legal_moves:
        pushed = board.copy(stack=False)
        pushed.push(move)
        assert fen(after(board, move)) == fen(pushed)
        assert board.parse_san(notation(board, move)) == move
        assert read_uci(board, move.uci()) == move


@given(positions(), st.integers(0, 15), st.integers(0, 62))
@settings(max_examples=examples(200), suppress_health_check=list(HealthCheck))
def test_an_illegal_move_puts_the_men_where_it_says(board: chess.Board, man: int, square: int) -> None:
    own = list(chess.SquareSet(board.occupied_co[board.turn]))
    free = list(chess.SquareSet(~board.occupied_co[board.turn] & chess.BB_ALL))
    start, target = own[man % len(own)], free[square % len(free)]
    move = chess.Move(start, target)
    piece = board.piece_at(start)
    assume(not is_legal(board, move))
    assert piece is not None
    result = after(board, move)
    castled = piece.piece_type == chess.KING and result.piece_at(target) != piece
    assert castled or (result.piece_at(target) == piece and result.piece_at(start) is None)
    captured = board.piece_at(target) is not None
    assert result.occupied.bit_count() == board.occupied.bit_count() - captured
    assert result.turn != board.turn
    assert result.castling_rights == result.clean_castling_rights()
    assert read_move(board, chess.square_name(start) + chess.square_name(target)) == [move] or castled
    legal_moves(result), natural_end(result), key(result), notation(board, move)


def test_a_pawn_left_on_the_last_rank_does_not_move_and_gives_no_check() -> None:
    board = after(chess.Board("7k/4P3/8/8/8/8/8/4K3 w - - 0 1"), chess.Move.from_uci("e7e8"))
    assert pawn_on_last_rank(board)
    assert natural_end(board) is None
    mine = after(board, chess.Move.from_uci("h8h7"))
    assert all(move.from_square != chess.E8 for move in legal_moves(mine))


def test_a_king_is_never_captured_by_a_legal_move() -> None:
    board = chess.Board("4k3/8/8/8/8/8/4R3/4K3 w - - 0 1")
    capture = chess.Move(chess.E2, chess.E8)
    assert not is_legal(board, capture) and capture not in legal_moves(board)
    gone = after(board, capture)
    assert gone.king(chess.BLACK) is None
    assert natural_end(gone) is None


def test_illegal_castling_without_a_rook_moves_the_king_alone() -> None:
    board = after(chess.Board("4k3/8/8/8/8/8/8/4K3 w - - 0 1"), chess.Move.from_uci("e1g1"))
    assert board.board_fen() == "4k3/8/8/8/8/8/8/6K1"


def test_a_pinned_pawn_that_takes_en_passant_takes_the_pawn_from_the_board() -> None:
    board = after(chess.Board("4r1k1/3p4/8/4P3/8/8/8/4K3 b - - 0 1"), chess.Move.from_uci("d7d5"))
    capture = chess.Move.from_uci("e5d6")
    assert not is_legal(board, capture)
    assert after(board, capture).board_fen() == "4r1k1/8/3P4/8/8/8/8/4K3"


def test_a_pawn_that_takes_en_passant_too_late_takes_the_pawn_from_the_board() -> None:
    """3.7.3.2: the move is illegal, and the man is gone; beside no pawn nothing is taken."""
    late, alone = (chess.Board(f"4k3/8/8/{men}/8/8/8/4K3 w - - 0 1") for men in ("3pP3", "3nP3"))
    move = chess.Move.from_uci("e5d6")
    assert after(late, move).piece_at(chess.D5) is None
    assert after(alone, move).piece_at(chess.D5) == chess.Piece.from_symbol("n")
    assert [takes_in_passing(board, move) for board in (late, alone)] == [True, False]


def test_a_pawn_that_advanced_by_two_against_the_rules_can_be_taken_en_passant() -> None:
    """3.7.3.1 asks only whether it has just advanced two squares from its original square."""
    board = after(chess.Board("4r1k1/8/8/8/5p2/8/6P1/4K3 w - - 0 1"), chess.Move.from_uci("g2g4"))
    assert is_legal(board, chess.Move.from_uci("f4g3"))
    over = after(chess.Board("4r1k1/8/8/8/5p2/6n1/6P1/4K3 w - - 0 1"), chess.Move.from_uci("g2g4"))
    assert over.ep_square is None


def test_castling_where_another_man_stands_takes_nobody_from_the_board() -> None:
    castling = chess.Move.from_uci("e1g1")
    with_bishop = chess.Board("4k3/8/8/8/8/8/8/4KB1R w K - 0 1")
    assert standing_in_the_way(with_bishop, castling)
    assert after(with_bishop, castling).board_fen() == "4k3/8/8/8/8/8/8/5BKR"
    assert not standing_in_the_way(chess.Board("4k1r1/8/8/8/8/8/8/4K2R w K - 0 1"), castling)


@pytest.mark.parametrize(
    ("position", "same"),
    [
        # En passant counts only when that capture is legal.
        (("8/8/8/8/3pP3/8/8/k6K b - e3 0 1", "8/8/8/8/3pP3/8/8/k6K b - - 0 1"), False),
        (("8/8/8/8/4P3/8/8/k6K b - e3 0 1", "8/8/8/8/4P3/8/8/k6K b - - 0 1"), True),
        (("8/8/8/8/k2pP2R/8/8/7K b - e3 0 1", "8/8/8/8/k2pP2R/8/8/7K b - - 0 1"), True),
        # Castling rights count although castling is prevented for the moment.
        (("4kr2/8/8/8/8/8/8/4K2R w K - 0 1", "4kr2/8/8/8/8/8/8/4K2R w - - 0 1"), False),
        (("4k3/8/8/8/8/8/8/4K2R w - - 0 1", "4k3/8/8/8/8/8/8/4K2R w - - 40 70"), True),
        (("4k3/8/8/8/8/8/8/4K2R w - - 0 1", "4k3/8/8/8/8/8/8/4K2R b - - 0 1"), False),
    ],
)
def test_what_makes_two_positions_the_same(position: tuple[str, str], same: bool) -> None:
    one, two = (key(chess.Board(each)) for each in position)
    assert (one == two) is same

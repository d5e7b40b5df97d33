"""Articles 5.1.2, 5.2.2, 6.9 and 7.5.5: can this side still checkmate by any series of legal moves?"""

from __future__ import annotations

import itertools
import os
import random
import subprocess
import sys

import chess
import pytest
from samples import games, soups, tight

from assistant.laws.mate import CHEAP, FULL, Answer, Budget, can_mate, is_dead, proves_mate
from assistant.laws.mate.men import lacks_material, men_of

YES, NO = Answer.YES, Answer.NO
WHITE, BLACK = chess.WHITE, chess.BLACK

RULINGS = [
    # A bare king never mates; whoever has a pawn may.
    ("8/8/4k3/8/8/4K3/4P3/8 w - - 0 1", YES, NO),
    ("8/8/4k3/8/8/4K3/8/8 w - - 0 1", NO, NO),
    # One minor piece needs a man of the other side that can stand in its own king's way.
    ("8/8/4k3/8/8/4K3/4N3/8 w - - 0 1", NO, NO),
    ("8/8/4k3/4p3/8/4K3/4N3/8 w - - 0 1", YES, YES),
    ("8/8/4k3/4q3/8/4K3/4N3/8 w - - 0 1", NO, YES),
    ("8/8/4k3/4b3/8/4K3/4N3/8 w - - 0 1", YES, YES),
    ("8/8/4k3/4r3/8/4K3/4N3/8 w - - 0 1", YES, YES),
    ("8/8/3bk3/8/8/4K3/3B4/8 w - - 0 1", NO, NO),
    ("8/8/3bk3/8/8/3K4/4B3/8 w - - 0 1", YES, YES),
    ("8/8/3rk3/8/8/3K4/4B3/8 w - - 0 1", NO, YES),
    # Two knights cannot force it, but they can.
    ("8/8/4k3/8/8/3NK3/4N3/8 w - - 0 1", YES, NO),
    # Pawns locked from edge to edge, no way round.
    ("4k3/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/4K3 w - - 0 1", NO, NO),
    ("1b2k3/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/4KB2 w - - 0 1", NO, NO),
    # The same wall with a gap for the king, or with a piece that finds something to take.
    ("4k3/8/8/p1p3p1/PpP3Pp/1P5P/8/4K3 w - - 0 1", YES, YES),
    ("4k3/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/4KN2 w - - 0 1", YES, YES),
    # The only legal move takes the last man that could mate.
    ("6Rk/8/7K/8/8/8/8/8 b - - 0 1", NO, NO),
    ("8/8/8/8/8/5k2/7p/7K w - - 0 1", NO, NO),
    # It is mate already.
    ("8/8/8/8/8/6k1/7p/r6K w - - 0 1", NO, YES),
    ("k7/P7/K7/8/8/8/8/7B b - - 0 1", YES, NO),
    ("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", YES, NO),
    # It is stalemate already.
    ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", NO, NO),
    # Only a capture en passant opens the wall; without it the position is dead.
    ("4k3/8/8/p1p1p1pP/PpPpPpP1/1P1P1P2/8/4K3 b - - 0 1", YES, YES),
    ("4k3/8/5p2/p1p1pPp1/PpPpP1P1/1P1P4/8/4K3 w - g6 0 1", YES, YES),
    ("4k3/8/5p2/p1p1pPp1/PpPpP1P1/1P1P4/8/4K3 w - - 0 1", NO, NO),
    # Castling rights in Chess960 are no reason to give up an answer.
    ("1r1k4/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/1R1K4 w Bb - 0 1", YES, YES),
]


@pytest.mark.parametrize(("fen", "white", "black"), RULINGS)
def test_rulings(fen: str, white: Answer, black: Answer) -> None:
    board = chess.Board(fen, chess960=True)
    for side, answer in ((WHITE, white), (BLACK, black)):
        verdict = can_mate(board, side)
        assert verdict.answer is answer, verdict
        assert proves_mate(board, side, verdict.line) == (answer is YES)
        assert verdict.reason and verdict.stage


@pytest.mark.parametrize("seed", range(2))
def test_too_few_men_are_those_that_python_chess_knows(seed: int) -> None:
    """Its `has_insufficient_material` is the yardstick: sound, and known to be complete for single men."""
    dice = random.Random(seed)
    poor = 0
    for _ in range(3000):
        board = chess.Board("4k3/8/8/8/8/8/8/4K3 w - - 0 1")
        free = [square for square in chess.SQUARES if square not in (chess.E1, chess.E8)]
        for square in dice.sample(free, dice.randint(1, 4)):
            kind = dice.choice((1, 2, 2, 3, 3, 3, 4, 5))
            if kind > 1 or 8 <= square < 56:
                board.set_piece_at(square, chess.Piece(kind, dice.random() < 0.5))
        for side in chess.COLORS:
            poor += lacks_material(men_of(board), side)
            assert lacks_material(men_of(board), side) == board.has_insufficient_material(side), board.fen()
    assert poor > 1000


def test_the_start_of_a_game_is_open_for_both() -> None:
    for side in chess.COLORS:
        assert can_mate(chess.Board(), side).answer is YES


@pytest.mark.parametrize("seed", range(2))
def test_every_line_is_legal_and_ends_in_mate(seed: int) -> None:
    for board in (*games(seed, 25, 150), *soups(seed, 25)):
        for side in chess.COLORS:
            verdict = can_mate(board, side)
            assert verdict.answer is not Answer.UNKNOWN, board.fen()
            if verdict.answer is YES:
                assert proves_mate(board, side, verdict.line)


def test_the_same_question_has_the_same_answer() -> None:
    board = chess.Board("r1bq1rk1/pp2bppp/2n1pn2/3p4/3P4/2NBPN2/PP3PPP/R1BQ1RK1 w - - 0 9")
    assert can_mate(board, WHITE) == can_mate(board, WHITE)


def test_the_board_asked_about_is_left_alone() -> None:
    board = chess.Board()
    board.push_san("e4")
    before, stack = board.fen(), list(board.move_stack)
    can_mate(board, BLACK)
    assert (board.fen(), board.move_stack) == (before, stack)


def test_a_spent_budget_gives_no_answer_instead_of_a_wrong_one() -> None:
    verdict = can_mate(chess.Board(), WHITE, Budget(forced=0, playouts=0, sets=1))
    assert verdict.answer is Answer.UNKNOWN and not verdict.line


def test_move_counters_do_not_matter() -> None:
    board = chess.Board("8/8/4k3/8/8/4K3/4R3/8 w - - 149 200")
    assert can_mate(board, WHITE).answer is YES


@pytest.mark.parametrize(("fen", "white", "black"), RULINGS)
def test_dead_is_when_neither_can(fen: str, white: Answer, black: Answer) -> None:
    dead = is_dead(chess.Board(fen, chess960=True), FULL).answer
    assert dead is (YES if (white, black) == (NO, NO) else NO)


def test_the_cheap_stages_see_the_plain_cases() -> None:
    for fen in (
        "8/8/4k3/8/8/4K3/8/8 w - - 0 1",
        "4k3/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/4K3 w - - 0 1",
        "6Rk/8/7K/8/8/8/8/8 b - - 0 1",
        "8/8/8/8/8/5k2/7p/7K w - - 0 1",
    ):
        assert is_dead(chess.Board(fen), CHEAP).answer is YES
    assert is_dead(chess.Board(), CHEAP).answer is Answer.UNKNOWN


@pytest.mark.parametrize("seed", range(2))
def test_colours_exchanged_and_sides_mirrored_give_the_same_ruling(seed: int) -> None:
    budget = Budget(FULL.forced, FULL.playouts, 60)  # undecided positions have to stay undecided, too
    boards = [board for board in tight(seed + 9, 40) if not board.castling_rights]
    for board in (*boards, *soups(seed + 9, 15)):
        for side in chess.COLORS:
            answer = can_mate(board, side, budget).answer
            assert can_mate(board.mirror(), not side, budget).answer is answer, board.fen()
            mirrored = board.transform(chess.flip_horizontal)
            assert can_mate(mirrored, side, budget).answer is answer, board.fen()


COUNTED = """
import chess, sys
from assistant.laws.mate import can_mate
for fen in sys.stdin.read().splitlines():
    for side in chess.COLORS:
        verdict = can_mate(chess.Board(fen, chess960=True), side)
        print(verdict.answer.value, verdict.nodes, *(move.uci() for move in verdict.line))
"""


def test_the_work_and_the_proof_are_the_same_in_every_run() -> None:
    """Nothing hangs on the clock, on what was asked before, or on how a process orders its sets."""
    fens = [board.fen() for board in itertools.chain(games(9, 8, 100), tight(9, 4))]
    runs = [
        subprocess.run(
            [sys.executable, "-c", COUNTED],
            input="\n".join(order),
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.splitlines()
        for order, seed in ((fens, "1"), (fens[::-1], "2"))
    ]
    pairs = [tuple(runs[1][at : at + 2]) for at in range(0, len(runs[1]), 2)]
    assert [tuple(runs[0][at : at + 2]) for at in range(0, len(runs[0]), 2)] == pairs[::-1]

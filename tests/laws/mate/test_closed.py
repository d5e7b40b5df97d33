"""Rulings compared with visiting every position that can arise."""

from __future__ import annotations

import random

import chess
import pytest
from closure import TABLE, closure, key_of, mates, winners

from assistant.laws.mate import Answer, Budget, can_mate

ROWS = [line.split("\t") for line in TABLE.read_text(encoding="ascii").splitlines()[1:]]
SMALL = [fen for fen, _, _, size in ROWS if 8 <= int(size) <= 150]
LARGE = [fen for fen, _, _, size in ROWS if int(size) > 150]
BUDGET = Budget(forced=60, playouts=1, sets=400)


@pytest.mark.parametrize("chunk", range(6))
def test_rulings_agree_with_the_table_of_closed_positions(chunk: int) -> None:
    for fen, white, black, _ in ROWS[chunk::6]:
        board = chess.Board(fen, chess960=True)
        for side, word in ((chess.WHITE, white), (chess.BLACK, black)):
            verdict = can_mate(board, side, BUDGET)
            assert verdict.answer in (Answer(word), Answer.UNKNOWN), (fen, verdict)


def test_the_table_of_closed_positions_is_what_the_closure_says() -> None:
    for fen, white, black, size in random.Random(1).sample(ROWS, 20):
        reached = closure(chess.Board(fen, chess960=True), 2500)
        assert reached is not None and len(reached) == int(size)
        found = mates(reached)
        assert (found[chess.WHITE], found[chess.BLACK]) == (white == "yes", black == "yes")


def test_every_position_inside_small_closures_is_ruled_rightly() -> None:
    dice = random.Random(2)
    asked = 0
    for fen in (*SMALL[:40], *dice.sample(LARGE, 30)):
        reached = closure(chess.Board(fen, chess960=True), 2500)
        assert reached is not None
        can = winners(reached)
        for key in dice.sample(sorted(reached, key=str), min(30, len(reached))):
            for side in chess.COLORS:
                verdict = can_mate(reached[key], side, BUDGET)
                expected = Answer.YES if side in can[key] else Answer.NO
                assert verdict.answer in (expected, Answer.UNKNOWN), (reached[key].fen(), verdict)
                asked += 1
    assert asked > 2000


def test_tracing_back_gives_the_winners_of_the_first_position() -> None:
    for fen in SMALL[:10]:
        board = chess.Board(fen, chess960=True)
        reached = closure(board, 2500)
        assert reached is not None
        assert winners(reached)[key_of(board)] == {side for side, can in mates(reached).items() if can}

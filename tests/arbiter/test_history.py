"""What is kept of a game from one scene to the next is what would be worked out anew."""

from __future__ import annotations

import random

import chess
import pytest

from assistant.arbiter.history import History
from assistant.scoresheet import Ply, new_game


def fresh(moves: list[chess.Move]) -> History:
    history = History()
    history.follow(new_game(plies=map(Ply, moves)))
    return history


def same(one: History, other: History) -> bool:
    return (
        one.board == other.board
        and one.made == other.made
        and one.texts("de", neutral=True) == other.texts("de", neutral=True)
        and one.texts("en", neutral=False) == other.texts("en", neutral=False)
    )


@pytest.mark.parametrize("seed", range(5))
def test_moves_made_taken_back_and_made_otherwise(seed: int) -> None:
    chance = random.Random(seed)
    kept, moves, board = History(), [], chess.Board()
    for _ in range(30):
        if chance.random() < 0.2:
            # The arbiter restores a position.
            back = chance.randint(0, len(moves))
            for _ in range(back):
                board.pop()
            del moves[len(moves) - back :]
        for _ in range(chance.randint(1, 3)):
            if any(board.legal_moves):
                moves.append(chance.choice(list(board.legal_moves)))
                board.push(moves[-1])
        kept.follow(new_game(plies=map(Ply, moves)))
        kept.texts("de", neutral=True)
        assert same(kept, fresh(moves))


def test_another_start_begins_anew() -> None:
    kept = fresh([chess.Move.from_uci("e2e4")])
    kept.follow(
        new_game(start_fen="4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", plies=[Ply(chess.Move.from_uci("e2e4"))])
    )
    assert kept.made[0].before.piece_at(chess.D2) is None
    assert kept.texts("en", neutral=False) == ["e4"]


def test_the_capture_of_a_king_is_illegal() -> None:
    """1.2: python-chess alone would let it pass, for its own king is safe."""
    kept = fresh([])
    plies = [Ply(chess.Move.from_uci(each)) for each in ("h1h2", "e8e1")]
    kept.follow(new_game(start_fen="4r1k1/8/8/8/8/8/8/4K2R w K - 0 1", plies=plies))
    assert [made.is_illegal for made in kept.made] == [True, True]


def test_castling_captures_nothing() -> None:
    """II.3.2.5: in Chess960 the king's move is written to the square of his own rook."""
    history = History()
    plies = [Ply(chess.Move.from_uci("e1h1"))]
    history.follow(new_game(start_fen="4k3/8/8/8/8/8/8/4K2R w K - 0 1", plies=plies, chess960=True))
    assert (history.made[0].captured, history.made[0].is_illegal) == ("", False)


def test_an_illegal_move_and_a_capture_en_passant_are_known() -> None:
    moves = [chess.Move.from_uci(each) for each in ("e2e5", "d7d5", "e5d6")]
    history = fresh(moves)
    assert [made.is_illegal for made in history.made] == [True, False, False]
    assert [made.captured for made in history.made] == ["", "", "p"]
    assert history.texts("en", neutral=True)[0] == "e2-e5"

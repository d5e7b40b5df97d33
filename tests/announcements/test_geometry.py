"""What a man can do on some board costs nothing, and what none can do on any board has a price."""

from __future__ import annotations

import chess
import pytest
from announcement_positions import random_positions
from hypothesis import given
from hypothesis import strategies as st

from assistant.announcements import Said, can_be, load_vocabulary, price_of, spoken_forms
from assistant.announcements.forms import PROMOTIONS

DE = load_vocabulary("de")


def price(text: str) -> float:
    words, unknown = DE.read(text)
    assert not unknown
    return price_of(words, DE)


def test_no_form_of_a_legal_move_has_a_price() -> None:
    for board in random_positions(200, seed=11):
        for move in board.legal_moves:
            if board.chess960 and board.is_castling(move):
                # A king that takes his own rook is told from other kings by the position alone.
                continue
            for words in spoken_forms(board, move, DE):
                assert price_of(words, DE) == 0, (board.fen(), words)


@pytest.mark.parametrize(
    "text",
    [
        "Läufer David drei Felix vier",
        "Springer Gustav eins Felix zwei",
        "König Eva eins Eva drei",
        "Turm Anna eins schlägt Bella zwei",
        "Anna eins Cesar fünf",
        "Bauer Cesar zwei Eva drei",
        "Eva schlägt Gustav fünf",
        "Bauer Eva zwei schlägt Eva drei",
        "Bauer Eva drei Eva fünf",
        "Bauer Anna eins Anna zwei",
        "Läufer Eva nach Eva vier",
        "Springer Eva auf Hector drei",
        "König acht auf Eva sechs",
        "David acht",
        "Bauer Felix sieben Felix acht",
    ],
)
def test_what_no_man_does_on_any_board_has_a_price(text: str) -> None:
    assert price(text) > 0


@pytest.mark.parametrize(
    "text",
    [
        "Läufer David drei Felix fünf",
        "Dame Anna eins Hector acht Schach",
        "Anna eins Cesar zwei",
        "Cesar zwei Cesar vier",
        "Bauer Cesar sieben Cesar fünf",
        "Eva schlägt David drei",
        "Felix sieben Felix acht Dame",
        "Felix zwei schlägt Gustav eins Springer",
        "König Bella acht Gustav acht",
        "Turm eins Hector fünf",
        "Kurze Rochade",
        "Remis",
        "Springer Gustav",
    ],
)
def test_what_can_be_done_somewhere_and_what_is_no_move_have_none(text: str) -> None:
    assert price(text) == 0


squares = st.sampled_from(chess.SQUARES)
steps = st.one_of(st.none(), st.integers(0, 7))


@given(
    piece=st.one_of(st.none(), st.sampled_from(chess.PIECE_TYPES)),
    from_file=steps,
    from_rank=steps,
    target=squares,
    promotion=st.one_of(st.none(), st.sampled_from(PROMOTIONS)),
    capture=st.booleans(),
)
def test_it_can_be_exactly_if_a_lone_man_of_either_side_can_do_it(
    piece: chess.PieceType | None,
    from_file: int | None,
    from_rank: int | None,
    target: chess.Square,
    promotion: chess.PieceType | None,
    capture: bool,
) -> None:
    said = Said(piece, from_file, from_rank, target, promotion, capture=capture)
    if piece == chess.KING and chess.square_rank(target) in (0, 7):
        # The long form of castling takes more than a lone man.
        return
    men = [piece] if piece else chess.PIECE_TYPES if said.from_square is not None else [chess.PAWN]
    assert can_be(said) == any(
        _does(man, origin, said)
        for man in men
        for origin in chess.SQUARES
        if from_file in (None, chess.square_file(origin)) and from_rank in (None, chess.square_rank(origin))
    )


def _does(man: chess.PieceType, origin: chess.Square, said: Said) -> bool:
    assert said.to_square is not None
    promotion = said.promotion if man == chess.PAWN else None
    for side in chess.COLORS:
        for enemy in (True,) if said.capture else (True, False):
            board = chess.Board(None)
            board.turn = side
            if enemy:
                board.set_piece_at(said.to_square, chess.Piece(chess.QUEEN, not side))
            board.set_piece_at(origin, chess.Piece(man, side))
            if origin == said.to_square or (man == chess.PAWN and chess.square_rank(origin) in (0, 7)):
                continue
            if board.is_pseudo_legal(chess.Move(origin, said.to_square, promotion)):
                return True
    return False

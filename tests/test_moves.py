"""Whose letters a written move is read in."""

from __future__ import annotations

import chess
import pytest

from assistant.moves import read_move


def uci(text: str, language: str, fen: str = chess.STARTING_FEN) -> list[str]:
    return [move.uci() for move in read_move(chess.Board(fen), text, language)]


PAWN_TO_PROMOTE = "4k3/P7/8/8/8/8/8/4K3 w - - 0 1"


def test_a_letter_of_the_players_own_language_is_never_read_in_another() -> None:
    assert uci("Kf3", "en") == uci("Kf3", "de") == []


def test_the_same_letter_is_another_piece_to_a_player_of_another_language() -> None:
    assert uci("Re2", "es", PAWN_TO_PROMOTE) == ["e1e2"]
    assert uci("Re2", "en", PAWN_TO_PROMOTE) == []


def test_no_pawn_becomes_a_king_in_the_players_letters() -> None:
    assert uci("a8=K", "en", PAWN_TO_PROMOTE) == []
    assert uci("a8=R", "es", PAWN_TO_PROMOTE) == []


@pytest.mark.parametrize("text", ["Sf3", "Cf3", "Nf3", "Springer Gustav eins Felix drei"])
def test_a_letter_that_the_players_language_lacks_is_read_in_one_that_has_it(text: str) -> None:
    assert uci(text, "en") == ["g1f3"]


def test_an_illegal_move_from_square_to_square_is_read_as_it_was_meant() -> None:
    assert uci("e2-e5", "en") == ["e2e5"]


def test_two_times_the_same_square_is_no_move() -> None:
    assert read_move(chess.Board(), "e1e1") == []

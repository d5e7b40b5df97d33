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


AFTER_1_E4_E5_2_NF3 = "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2"


@pytest.mark.parametrize(
    "text",
    ["2...Nc6", "2... Nc6", "2. ... Sc6", "2…Nc6", "...Nc6", "2 Nc6", "2.Nc6", "12. b8c6",
     "2... Springer Bella acht Cesar sechs"],
)  # fmt: skip
def test_a_move_is_read_after_its_number(text: str) -> None:
    assert uci(text, "en", AFTER_1_E4_E5_2_NF3) == ["b8c6"]


@pytest.mark.parametrize(
    "text", ["Nc6.", "Nc6(=)", "Nc6 (=)", "Nc6 (=).", "Nc6. (=)", "b8c6.", "2... Nc6 (=)"]
)
def test_a_move_is_read_before_the_sign_of_a_draw_offer_and_a_full_stop(text: str) -> None:
    """C.12: the sign (=)."""
    assert uci(text, "en", AFTER_1_E4_E5_2_NF3) == ["b8c6"]


def test_a_move_is_read_behind_the_mark_that_some_editors_begin_a_file_with() -> None:
    assert uci("\ufeffNf3", "en") == uci("\ufeff1. Nf3", "en") == ["g1f3"]


def test_the_sign_of_en_passant_ends_in_a_full_stop_too() -> None:
    assert uci("3. exd6 e.p.", "en", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 3") == ["e5d6"]


@pytest.mark.parametrize("text", ["4 schlägt David 5", "4 xd5"])
def test_a_rank_before_a_capture_is_no_number(text: str) -> None:
    assert uci(text, "de", "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1") == ["e4d5"]


@pytest.mark.parametrize("text", ["2.", "2...", "...", ".", "(=)", "1-0", "0.0", "\ufeff"])
def test_a_number_or_a_sign_alone_is_no_move(text: str) -> None:
    assert read_move(chess.Board(), text) == []


def test_a_promotion_without_its_man_is_every_promotion() -> None:
    board = chess.Board("7k/P7/8/8/8/8/8/K7 w - - 0 1")
    assert {move.uci() for move in read_move(board, "a7a8")} == {"a7a8q", "a7a8r", "a7a8b", "a7a8n"}
    assert read_move(board, "a7a8n") == [chess.Move.from_uci("a7a8n")]

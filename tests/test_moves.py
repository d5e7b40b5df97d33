"""Whose letters a written move is read in."""

from __future__ import annotations

import chess
import pytest

from assistant.moves import is_way_of_moving, read_move, read_typed


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


BISHOP_OR_PAWN = "4k3/8/8/1p6/P7/3B4/8/4K3 w - - 0 1"
"""Both capture on b5."""


@pytest.mark.parametrize("language", ["en", "es", "fr", "pl"])
def test_the_letter_of_an_english_bishop_is_nobodys_pawn(language: str) -> None:
    assert uci("Bxb5", language, BISHOP_OR_PAWN) == ["d3b5"]
    assert uci("Ba5", language, BISHOP_OR_PAWN) == []


def test_the_letter_of_an_english_king_is_a_knights_to_russians_alone() -> None:
    fen = "4k3/8/8/8/8/4N3/4K3/8 w - - 0 1"
    assert uci("Kd1", "es", fen) == ["e2d1"]
    assert uci("Kd1", "ru", fen) == ["e3d1"]


def test_where_a_german_writes_it_for_a_pawn_the_bishop_is_not_passed_over() -> None:
    assert uci("Bxb5", "de", BISHOP_OR_PAWN) == ["a4b5", "d3b5"]


def test_a_letter_that_other_languages_disagree_on_is_all_that_they_read() -> None:
    """R: the rook of the English, the king of the French and the Spanish."""
    assert sorted(uci("Re2", "de", "4k3/8/8/8/8/8/R7/4K3 w - - 0 1")) == ["a2e2", "e1e2"]


def test_a_rooks_move_that_is_not_legal_is_not_the_kings_in_its_place() -> None:
    fen = "4k3/8/8/8/8/8/R7/4K3 w - - 0 1"
    assert uci("Rd1", "es", fen) == ["e1d1"]
    assert uci("Rd1", "de", fen) == []


@pytest.mark.parametrize(
    ("text", "move"),
    [("cf3", ["g1f3"]), ("cg1f3", ["g1f3"]), ("ca3", ["b1a3"]), ("cc3", ["c2c3"]), ("cd3", [])],
)
def test_a_small_letter_is_a_man_where_no_pawn_of_that_file_can_be_meant(text: str, move: list[str]) -> None:
    assert uci(text, "es") == move


@pytest.mark.parametrize("text", ["a8=d", "a8d", "a7a8d", "a8/d", "a8(d)", "a8=D"])
def test_the_man_that_a_pawn_becomes_may_be_a_small_letter(text: str) -> None:
    assert uci(text, "es", PAWN_TO_PROMOTE) == ["a7a8q"]


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


@pytest.mark.parametrize("text", ["\N{HORSE FACE}f3", "\N{HORSE FACE} Felix drei", "e4\N{GRINNING FACE}"])
def test_a_picture_beside_a_square_is_not_passed_over(text: str) -> None:
    """A horse is no pawn; the chess figures of Unicode are read as what they are."""
    assert uci(text, "de") == []
    assert uci("\N{WHITE CHESS KNIGHT}f3", "de") == ["g1f3"]


def test_a_promotion_without_its_man_is_every_promotion() -> None:
    board = chess.Board("7k/P7/8/8/8/8/8/K7 w - - 0 1")
    assert {move.uci() for move in read_move(board, "a7a8")} == {"a7a8q", "a7a8r", "a7a8b", "a7a8n"}
    assert read_move(board, "a7a8n") == [chess.Move.from_uci("a7a8n")]


def unjudged(text: str, fen: str, *, chess960: bool = False) -> list[str]:
    board = chess.Board(fen, chess960=chess960)
    return sorted(move.uci() for move in read_move(board, text, "en", lawful=False))


KNIGHTS = "4k3/8/4n3/2n5/8/8/8/4R1K1 b - - 0 30"
"""The knight on e6 is pinned."""


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("Nf4", ["e6f4"]),
        ("Nd4", ["e6d4"]),
        ("Nd3", ["c5d3"]),
        ("Nd8", ["e6d8"]),
        ("Kd7", ["e8d7"]),
        ("Ke7", ["e8e7"]),
        ("Springer David vier", ["e6d4"]),
        ("Nd5", []),
    ],
)
def test_a_short_form_can_be_read_without_regard_to_the_king(text: str, moves: list[str]) -> None:
    """3.10.2: whoever may not be told which moves are legal is not told by what can be read."""
    assert unjudged(text, KNIGHTS) == moves


def test_of_two_men_the_pinned_one_is_not_left_out() -> None:
    fen = "4k3/8/4n3/8/2n5/8/8/4R1K1 b - - 0 30"
    assert unjudged("Nd2", fen) == ["c4d2"]
    assert unjudged("Ne5", fen) == ["c4e5"]
    assert unjudged("Nd4", "4k3/8/4n3/8/8/5n2/8/4R1K1 b - - 0 30") == ["e6d4", "f3d4"]


CASTLING = "r3k2r/8/8/8/8/8/6n1/R3KN1R {} {} - 0 1"


@pytest.mark.parametrize(("turn", "rights"), [("w", "KQkq"), ("w", "-"), ("b", "KQkq"), ("b", "-")])
def test_castling_asks_only_where_the_men_stand(turn: str, rights: str) -> None:
    fen, rank = CASTLING.format(turn, rights), 1 if turn == "w" else 8
    board = chess.Board(fen)
    for text, uci in (("0-0-0", f"e{rank}c{rank}"), ("0-0", f"e{rank}g{rank}")):
        assert unjudged(text, fen) == [uci]
        in_the_way = uci == "e1g1"
        assert is_way_of_moving(board, chess.Move.from_uci(uci)) is not in_the_way


def test_in_chess960_the_king_castles_with_the_rook_that_has_the_right_or_the_outermost() -> None:
    fen = "1r2k1rr/8/8/8/8/8/8/4K3 b {} - 0 1"
    assert unjudged("0-0", fen.format("g"), chess960=True) == ["e8g8"]
    assert unjudged("0-0-0", fen.format("-"), chess960=True) == ["e8b8"]
    assert not is_way_of_moving(chess.Board(fen.format("-"), chess960=True), chess.Move.from_uci("e8h8"))


def test_a_promotion_without_its_man_fits_several_moves_pinned_or_not() -> None:
    pinned = "8/8/8/8/8/8/k2p3R/7K b - - 0 1"
    assert len(unjudged("d1", pinned)) == len(unjudged("d2d1", pinned)) == 4


@pytest.mark.parametrize("fen", [chess.STARTING_FEN, KNIGHTS, CASTLING.format("b", "KQkq")])
def test_every_legal_move_is_a_way_of_moving(fen: str) -> None:
    board = chess.Board(fen)
    assert all(is_way_of_moving(board, move) for move in board.legal_moves)
    assert board.fen() == fen


C_PAWN_OR_KNIGHT = "rnbqkb1r/ppp1pppp/5n2/3p4/2P5/2N5/PP1PPPPP/R1BQKBNR w KQkq - 0 3"
"""Both capture on d5."""


def typed(text: str, language: str, fen: str) -> list[str]:
    return [move.uci() for move in read_typed(chess.Board(fen), text, language)]


@pytest.mark.parametrize(
    ("text", "moves"),
    [("CXD5", ["c3d5", "c4d5"]), ("3. CD5.", ["c3d5", "c4d5"]), ("Cxd5", ["c3d5"]), ("cxd5", ["c4d5"]),
     ("CA4", ["c3a4"]), ("NXD5", ["c3d5"]), ("D4", ["d2d4"])],
)  # fmt: skip
@pytest.mark.parametrize("language", ["es", "fr", "de"])
def test_where_every_letter_is_a_capital_none_tells_a_man_from_a_file(
    text: str, moves: list[str], language: str
) -> None:
    """Caps Lock is on."""
    assert typed(text, language, C_PAWN_OR_KNIGHT) == moves


def test_a_pawns_capture_in_capitals_is_read_where_no_man_can_be_meant() -> None:
    fen = "4k3/8/8/4p3/3P4/8/8/4K3 w - - 0 1"
    assert typed("DXE5", "de", fen) == typed("DXE5", "en", fen) == ["d4e5"]


@pytest.mark.parametrize("text", ["E7E8Q", "E7-E8Q", "E7E8=Q", "E7E8D", "E7-E8=D", "1. E7E8Q"])
def test_a_promotion_from_square_to_square_may_be_in_capitals(text: str) -> None:
    assert uci(text, "de", "8/4P3/8/8/8/8/k6K/8 w - - 0 1") == ["e7e8q"]


def test_a_mans_letter_in_capitals_before_a_rank_is_still_his() -> None:
    assert uci("D2D1", "de", "3k4/8/8/8/8/8/3Q4/6K1 w - - 0 1") == ["d2d1"]


def test_a_capital_on_paper_is_the_mans() -> None:
    """C.2; and an ambiguous sealed move would lose the game (I.8)."""
    assert uci("CXD5", "es", C_PAWN_OR_KNIGHT) == ["c3d5"]

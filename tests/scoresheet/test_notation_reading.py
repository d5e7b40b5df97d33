"""Notation: what is written in nine languages, and what a person may write instead."""

from __future__ import annotations

import random

import chess
import pytest
from scoresheet_games import position_with, random_game

from assistant.errors import UsageError
from assistant.scoresheet import (
    FORMS,
    NotationError,
    Signs,
    Style,
    languages,
    read,
    read_squares,
    signs_of,
    taken_apart,
    write,
    write_moves,
)

LETTERS = {"de": "KDTLS", "en": "KQRBN", "es": "RDTAC", "fr": "RDTFC", "it": "RDTAC"} | {
    "nl": "KDTLP",
    "pl": "KHWGS",
    "pt": "RDTBC",
}
PROMOTING = "3n1k2/2P5/8/8/8/8/8/4K3 w - - 0 1"


def uci(moves: tuple[chess.Move, ...]) -> str:
    return " ".join(move.uci() for move in moves)


def test_nine_languages_are_known():
    assert languages() == ("de", "en", "es", "fr", "it", "nl", "pl", "pt", "ru")


@pytest.mark.parametrize(("language", "letters"), LETTERS.items())
def test_the_letters_of_a_language_are_its_own(language, letters):
    board = chess.Board("k7/8/8/8/8/8/8/2KQRBN1 w - - 0 1")
    written = [
        write(board, chess.Move.from_uci(move), Style(language, signs=Signs(check=False)))[0]
        for move in ("c1b1", "d1d2", "e1e2", "f1g2", "g1f3")
    ]
    assert "".join(written) == letters


def test_russian_pieces_are_cyrillic_and_squares_are_latin():
    assert write(chess.Board(), chess.Move.from_uci("g1f3"), Style("ru")) == "Кf3"
    king = write(position_with(chess.STARTING_FEN, "e4", "e5"), chess.Move.from_uci("e1e2"), Style("ru"))
    assert king == "Крe2"


@pytest.mark.parametrize("language", languages())
def test_every_legal_move_of_random_games_reads_back_in_every_form(language):
    rng = random.Random(language)
    game = random_game(120, seed=5)
    for board, ply in game.positions():
        chosen = [ply.move, *rng.sample(list(board.legal_moves), k=min(3, board.legal_moves.count()))]
        for move in chosen:
            for form in FORMS:
                text = write(board, move, Style(language, form, Signs(en_passant=True, mate="++")))
                assert read(text, board, language) == (move,), (text, board.fen())


@pytest.mark.parametrize("form", FORMS)
def test_a_whole_game_is_written_as_its_moves_are(form):
    game = random_game(60, seed=2)
    style = Style("de", form)
    assert write_moves(game, style) == tuple(write(board, ply.move, style) for board, ply in game.positions())


@pytest.mark.parametrize(
    "text",
    [
        "Sf3",
        "sf3",
        "Sg1f3",
        "Sg1-f3",
        "Sg1–f3",
        "S f3",
        "SF3",
        "Sf3!",
        "Sf3?!",
        "♘f3",
        "♞f3",
        "♘︎f3",
        "Sg1 - f3",
    ],
)
def test_a_german_knight_move_is_read_as_players_write_it(text):
    assert uci(read(text, chess.Board(), "de")) == "g1f3"


@pytest.mark.parametrize("text", ["e4", "E4", "e2e4", "e2-e4", "e2—e4", "Be4", "e4!!"])
def test_a_german_pawn_move_is_read_as_players_write_it(text):
    assert uci(read(text, chess.Board(), "de")) == "e2e4"


@pytest.mark.parametrize(
    "text", ["exd5", "ed5", "e:d5", "e×d5", "ed", "exd", "e4xd5", "e4d5", "exd5+", "exd5 e.p."]
)
def test_a_pawn_capture_is_read_with_and_without_its_signs(text):
    board = position_with(chess.STARTING_FEN, "e4", "d5")
    assert uci(read(text, board, "en")) == "e4d5"


@pytest.mark.parametrize(
    ("text", "move"),
    [("Sd5:", "c3d5"), ("Sd5:+", "c3d5"), ("S3d5:!", "c3d5"), ("ed5:", "e4d5"), ("ed:", "e4d5"),
     ("e4d5:", "e4d5"), ("ab8:D", "a7b8q"), ("a7b8:D+", "a7b8q"), ("ab8:=D", "a7b8q"), ("ab:D", "a7b8q")],
)  # fmt: skip
def test_the_sign_of_a_capture_may_stand_last_as_on_older_sheets(text, move):
    board = chess.Board("1r2k3/P7/8/3p4/4P3/2N5/8/4K3 w - - 0 1")
    assert uci(read(text, board, "de")) == move


@pytest.mark.parametrize(("text", "is_capture"), [("Sd5:", True), ("ed5:", True), ("e7e8:D", False)])
def test_a_colon_behind_the_square_is_a_capture_unless_a_new_man_follows(text, is_capture):
    said = taken_apart(text, "de")
    assert said is not None and said.is_capture == is_capture


@pytest.mark.parametrize("text", ["d5:", "e4:", ":", "Sd5::"])
def test_a_colon_behind_a_square_alone_is_no_capture(text):
    with pytest.raises(NotationError):
        read(text, chess.Board(), "de")


@pytest.mark.parametrize("text", ["e8Q", "e8=Q", "e8(Q)", "e8/Q", "e8q", "e7-e8Q", "e8=Q+", "e8Q#"])
def test_a_promotion_is_read_as_players_write_it(text):
    board = chess.Board("8/4P3/8/1k6/8/8/8/4K3 w - - 0 1")
    assert uci(read(text, board, "en")) == "e7e8q"


def test_a_promotion_without_a_piece_is_ambiguous():
    assert len(read("cxd8", chess.Board(PROMOTING), "en")) == 4


@pytest.mark.parametrize("text", ["0-0", "O-O", "o-o", "00", "OO", "0–0", "O-O+", "0-0!"])
def test_castling_is_read_as_players_write_it(text):
    board = chess.Board("4k2r/8/8/8/8/8/8/4K2R w Kk - 0 1")
    assert uci(read(text, board, "fr")) == "e1g1"


def test_long_castling_and_castling_by_the_two_squares():
    board = chess.Board("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1")
    assert uci(read("0-0-0", board, "en")) == uci(read("O-O-O", board, "en")) == "e1c1"
    assert uci(read("Ke1-c1", board, "en")) == "e1c1"
    assert read("Kc1", board, "en") == ()


def test_a_small_b_is_a_file_and_a_capital_one_is_the_bishop():
    board = chess.Board("4k3/8/8/8/8/2p5/1P1B4/4K3 w - - 0 1")
    assert uci(read("bxc3", board, "en")) == "b2c3"
    assert uci(read("Bxc3", board, "en")) == "d2c3"


@pytest.mark.parametrize(
    ("language", "text"),
    [("de", "Dh5++"), ("de", "Dh5 matt"), ("en", "Qh5 mate"), ("fr", "Dh5 mat"), ("ru", "Фh5X")],
)
def test_mate_is_read_in_the_sign_or_the_word_of_the_language(language, text):
    board = position_with(chess.STARTING_FEN, "e4", "f6", "d4", "g5")
    assert uci(read(text, board, language)) == "d1h5"


@pytest.mark.parametrize("text", ["Kf3", "Nf3"])
def test_latin_letters_that_look_cyrillic_are_the_pieces_they_look_like(text):
    expected = "g1f3" if text == "Kf3" else None
    if expected:
        assert uci(read(text, chess.Board(), "ru")) == expected
    else:
        with pytest.raises(NotationError):
            read(text, chess.Board(), "ru")


def test_two_knights_give_two_candidates_and_the_file_tells_them_apart():
    board = chess.Board("4k3/8/8/8/8/8/8/4NKN1 w - - 0 1")
    assert set(uci(read("Nf3", board, "en")).split()) == {"e1f3", "g1f3"}
    assert uci(read("Ngf3", board, "en")) == "g1f3"


@pytest.mark.parametrize("text", ["P-K4", "Yf3", "-f3", "e9", "Sf", "Sed", "", "foo", "R", "e2e4e5"])
def test_what_is_no_notation_is_named(text):
    with pytest.raises(NotationError) as error:
        read(text, chess.Board(), "de")
    assert repr(text) in str(error.value)


def test_an_illegal_move_has_no_candidate_but_its_squares_can_be_read():
    assert read("Sg1-g3", chess.Board(), "de") == ()
    assert read_squares("Sg1-g3", "de") == chess.Move.from_uci("g1g3")
    assert read_squares("Sg3", "de") is None


@pytest.mark.parametrize("text", ["S1g3", "Sgg3", "Sg3"])
def test_an_illegal_move_without_the_whole_square_it_came_from_cannot_be_read(text):
    assert read_squares(text, "de") is None


def test_an_illegal_move_is_written_in_the_long_form():
    assert write(chess.Board(), chess.Move.from_uci("g1g3"), Style("de")) == "Sg1-g3"
    assert write(chess.Board(), chess.Move.null(), Style("de")) == "--"


def test_the_signs_are_those_of_the_edition():
    mated = position_with(chess.STARTING_FEN, "f3", "e5", "g4")
    mate = chess.Move.from_uci("d8h4")
    assert write(mated, mate, Style("es", signs=signs_of("1997"))) == "Dh4++"
    assert write(mated, mate, Style("es", signs=signs_of("2023"))) == "Dh4#"
    passing = position_with(chess.STARTING_FEN, "b4", "a6", "b5", "c5")
    assert write(passing, chess.Move.from_uci("b5c6"), Style("es", signs=signs_of("1997"))) == "bxc6 a.p."
    assert write(passing, chess.Move.from_uci("b5c6"), Style("en", signs=signs_of("2014"))) == "bxc6"


def test_the_optional_signs_can_be_left_out():
    board = position_with(chess.STARTING_FEN, "e4", "d5")
    bare = Signs(capture=False, check=False)
    assert write(board, chess.Move.from_uci("e4d5"), Style("en", signs=bare)) == "ed5"
    board = position_with(chess.STARTING_FEN, "e4", "f5")
    assert write(board, chess.Move.from_uci("d1h5"), Style("en", signs=bare)) == "Qh5"


def test_a_language_or_form_that_does_not_exist_is_named():
    with pytest.raises(UsageError, match="no chess notation for 'xx'"):
        Style("xx")
    with pytest.raises(UsageError, match="no notation 'tiny'"):
        Style("de", "tiny")


@pytest.mark.parametrize(
    ("men", "text"),
    [
        ("8/8/8/rRK4k/8/8/8/8", "Rb3"),
        ("8/8/8/rRK4k/8/8/8/1R6", "R5b3"),
        ("8/8/8/rRK4k/8/3R4/8/8", "Rbb3"),
        ("7k/8/8/rQKQ4/8/8/8/1Q6", "Qb5b3"),
        ("7k/8/8/rQKQ4/8/8/8/8", "Qbb3"),
    ],
)
def test_an_illegal_move_in_the_short_form_is_told_apart_from_the_legal_ones_as_they_are(men, text):
    board, pinned = chess.Board(f"{men} w - - 0 1"), chess.Move.from_uci("b5b3")
    assert pinned not in board.legal_moves
    assert write(board, pinned, Style(illegal_in_full=False)) == text


def test_chess960_castling_reads_back_though_the_king_stays():
    board = chess.Board("4k3/8/8/8/8/8/8/6KR w H - 0 1", chess960=True)
    [short] = read("0-0", board, "de")
    assert board.is_kingside_castling(short)
    assert write(board, short, Style("de")) == "0-0"

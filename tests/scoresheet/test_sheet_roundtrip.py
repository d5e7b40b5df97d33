"""A whole game survives PGN, print and braille, in every language, profile, form and layout."""

from __future__ import annotations

import chess
import pytest
from exploring import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from scoresheet_games import chess960_game, game_with_illegal_moves, random_game

from assistant.scoresheet import (
    FORMATS,
    RESULTS,
    Game,
    Ply,
    Signs,
    from_pgn,
    languages,
    literary,
    new_game,
    profile,
    profile_names,
    read_sheet,
    render,
    to_pgn,
)
from assistant.scoresheet.typography import plain_game

PAIRS = [(name, language) for name in profile_names() for language in profile(name).languages]


@pytest.mark.parametrize(("name", "language"), PAIRS)
def test_pgn_to_braille_to_pgn_is_unchanged_with_clock_times_and_offers(name, language):
    pgn = to_pgn(random_game(126))
    for notation in ("short", "long"):
        brf = render(from_pgn(pgn), "brf", language, notation, profile=name)
        assert render(read_sheet(brf, language, name), "pgn").decode() == pgn


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("format", FORMATS)
def test_every_format_is_read_back_without_being_told_what_it_is(format, language):
    game = random_game(40, seed=3)
    assert read_sheet(render(game, format, language)) == game


@pytest.mark.parametrize("name", profile_names())
def test_the_profile_of_a_sheet_is_found_out(name):
    game = random_game(40, seed=4)
    assert read_sheet(render(game, "brf", profile(name).languages[0], profile=name)) == game


def test_the_full_grade_of_names_is_found_out():
    game = random_game(20, seed=4)
    assert read_sheet(render(game, "brf", "de", grade="full")) == game
    assert render(game, "brf", "de", grade="full") != render(game, "brf", "de")


@pytest.mark.parametrize("number", [0, 3, 518, 700, 959])
@pytest.mark.parametrize("format", ["text", "brf", "pgn"])
def test_a_chess960_game_with_its_castlings_survives(number, format):
    game = chess960_game(number)
    assert read_sheet(render(game, format, "de")) == game


@pytest.mark.parametrize(("name", "language"), PAIRS)
@pytest.mark.parametrize("format", ["text", "brf"])
def test_illegal_moves_that_stand_on_the_sheet_survive(format, name, language):
    game = game_with_illegal_moves()
    assert read_sheet(render(game, format, language, profile=name), language) == game


@pytest.mark.parametrize("half_moves", [0, 1, 2, 3, 126, 600])
@pytest.mark.parametrize("layout", ["columns", "running"])
def test_games_of_any_length_survive(half_moves, layout):
    game = random_game(half_moves, seed=half_moves)
    for format in ("text", "unicode", "pef"):
        assert read_sheet(render(game, format, "de", layout=layout)) == game


@pytest.mark.parametrize("result", RESULTS)
@pytest.mark.parametrize("format", FORMATS)
def test_every_result_survives(format, result):
    game = new_game({"White": "A"}, random_game(7).plies, result)
    assert read_sheet(render(game, format, "en")) == game


@pytest.mark.parametrize("signs", [Signs(capture=False, check=False), Signs(mate="++", en_passant=True)])
def test_the_choice_of_signs_does_not_change_what_is_read(signs):
    game = random_game(200, seed=11)
    assert read_sheet(render(game, "brf", "de", signs=signs), "de") == game
    assert read_sheet(render(game, "text", "de", "figurine", signs=signs), "de") == game


def test_a_game_from_a_position_with_black_to_move_survives():
    fen = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR b KQkq - 3 3"
    game = new_game({}, [Ply(chess.Move.from_uci("g8f6")), Ply(chess.Move.from_uci("d2d3"))], start_fen=fen)
    for format in FORMATS:
        assert read_sheet(render(game, format, "fr")) == game


NAMES = st.text(st.characters(exclude_categories=("Cc", "Cs", "Zl", "Zp", "Co", "Cn")), max_size=30).map(
    lambda text: " ".join(text.replace("{", "(").replace("}", ")").split())
)


@settings(max_examples=examples(40))
@given(
    white=NAMES,
    site=NAMES,
    remark=NAMES,
    language=st.sampled_from(languages()),
    cells=st.integers(18, 60),
    lines=st.integers(6, 40),
    layout=st.sampled_from(["columns", "running"]),
    format=st.sampled_from(["unicode", "brf", "eurobraille", "pef"]),
)
def test_any_name_site_and_remark_survive_braille_on_any_page(
    white, site, remark, language, cells, lines, layout, format
):
    base = random_game(30, seed=9)
    plies = (*base.plies[:4], Ply(base.plies[4].move, remark=remark), *base.plies[5:])
    game: Game = new_game({"White": white, "Site": site}, plies, "1-0")
    sheet = render(game, format, language, cells=cells, lines=lines, layout=layout)
    assert plain_game(read_sheet(sheet, language, format=format)) == plain_game(game)


@pytest.mark.parametrize(
    ("language", "profile", "value"),
    [
        ("it", "", "(=)"),
        ("en", "uk", "..."),
        ("en", "uk", "12..."),
        ("en", "uk", ":"),
        ("de", "de-comp6", "?!"),
    ],
)
def test_a_value_that_reads_as_another_number_is_spelled(language: str, profile: str, value: str) -> None:
    game = new_game({"Round": value})
    assert read_sheet(render(game, "brf", language, profile=profile), language, profile) == game


@pytest.mark.parametrize("format", ["text", "unicode"])
def test_a_clock_that_stands_at_nothing_is_on_the_sheet(format: str) -> None:
    game = new_game({}, [Ply(chess.Move.from_uci("e2e4"), 0)], result="0-1")
    assert read_sheet(render(game, format, "de"), "de").plies[0].clock_ms == 0


def test_behind_a_move_stands_the_offer_and_then_the_clock() -> None:
    game = new_game({}, [Ply(chess.Move.from_uci("e2e4"), 5_400_000, offer=True)])
    assert "e4 (=) [1:30:00]" in render(game, "text", "de").decode()


def test_a_tag_without_a_value_is_its_label_alone() -> None:
    sheet = render(new_game({"Event": ""}), "unicode", "de").decode().splitlines()
    assert literary.to_cells("Turnier:", "de", "basic") in sheet


@pytest.mark.parametrize("format", FORMATS)
def test_the_capture_of_a_king_that_was_left_in_check_is_no_legal_move_on_a_sheet(format):
    """1.2; both moves stand until they are claimed (7.5)."""
    made = ["e2e4", "e7e5", "f2f3", "d8h4", "a2a3", "h4e1", "g2g3"]
    game = new_game({"White": "Ana"}, [Ply(chess.Move.from_uci(uci)) for uci in made])
    assert game.illegal_plies() == {4, 5}
    assert "Dh4xe1 (!)" in render(game, "text", "de").decode()
    assert read_sheet(render(game, format, "de")) == game

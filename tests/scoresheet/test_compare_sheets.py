"""Where two sheets part (Laws D.2.8): the half-move, both readings and the position there."""

from __future__ import annotations

import chess
from scoresheet_games import random_game

from assistant.scoresheet import (
    Ply,
    compare_games,
    comparison_text,
    from_pgn,
    languages,
    new_game,
    read_sheet,
    render,
)

ONE = from_pgn("1. e4 e5 2. Nf3 Nc6 3. Bb5 *")


def test_the_first_half_move_that_differs_is_found_with_both_readings():
    other = from_pgn("1. e4 e5 2. Nf3 Nf6 3. Bb5 *")
    found = compare_games(ONE, other, "de")
    assert found is not None
    assert (found.kind, found.ply, found.number, found.first, found.second) == (
        "move",
        3,
        "2...",
        "Sc6",
        "Sf6",
    )
    assert found.fen == "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2"


def test_a_sheet_that_ends_early_differs_there():
    found = compare_games(from_pgn("1. e4 e5 *"), ONE, "en")
    assert found is not None
    assert (found.ply, found.number, found.first, found.second) == (2, "2.", "", "Nf3")


def test_a_sheet_in_german_braille_agrees_with_one_in_spanish_text():
    game = random_game(80)
    one = read_sheet(render(game, "brf", "de"))
    other = read_sheet(render(game, "text", "es"))
    assert compare_games(one, other) is None


def test_clock_times_may_differ():
    one = new_game({}, [Ply(chess.Move.from_uci("e2e4"), 1000)])
    assert compare_games(one, new_game({}, [Ply(chess.Move.from_uci("e2e4"))])) is None


def test_an_offer_only_one_player_noted_is_found_where_the_moves_agree():
    noted = from_pgn("1. e4 e5 {(=)} 2. Nf3 Nc6 3. Bb5 *")
    found = compare_games(ONE, noted)
    assert found is not None
    assert (found.kind, found.number, found.first, found.second) == ("offer", "1...", "e5", "e5 (=)")


def test_a_different_result_is_found_last():
    found = compare_games(from_pgn("1. e4 1-0"), from_pgn("1. e4 0-1"))
    assert found is not None
    assert (found.kind, found.first, found.second) == ("result", "1-0", "0-1")


def test_different_start_positions_cannot_be_compared_further():
    found = compare_games(ONE, new_game({}, start_fen="4k3/8/8/8/8/8/8/4K3 w - - 0 1"))
    assert found is not None and found.kind == "start"


def test_the_report_names_the_difference_line_by_line_in_every_language():
    other = from_pgn("1. e4 e5 2. Nf3 Nf6 *")
    report = comparison_text(ONE, other, "de").splitlines()
    assert report[:3] == ["Erster Unterschied: 2...", "Erstes Blatt: Sc6", "Zweites Blatt: Sf6"]
    assert report[3].startswith("Stellung davor: rnbqkbnr/")
    assert report[-1] == "Schwarz am Zug"
    for language in languages():
        assert comparison_text(ONE, ONE, language).count("\n") == 1
        assert len(comparison_text(ONE, other, language).splitlines()) == len(report)

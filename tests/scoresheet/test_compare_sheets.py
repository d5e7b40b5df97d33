"""Where two sheets part (Laws D.2.8): the half-move, both readings and the position there."""

from __future__ import annotations

import chess
import pytest
from scoresheet_games import random_game

from assistant.errors import UsageError
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
    assert (found.ply, found.number) == (1, "1...")


def test_an_offer_is_found_before_a_different_result():
    found = compare_games(from_pgn("1. e4 {(=)} 1/2-1/2"), from_pgn("1. e4 *"))
    assert found is not None
    assert (found.kind, found.number) == ("offer", "1.")


def test_different_start_positions_cannot_be_compared_further():
    found = compare_games(ONE, new_game({}, start_fen="4k3/8/8/8/8/8/8/4K3 w - - 0 1"))
    assert found is not None and found.kind == "start"


def test_different_start_positions_are_found_although_one_only_counts_from_1():
    late, counted = (f"4k3/8/8/8/8/8/{men}/4K3 w - - 0 {n}" for men, n in (("4R3", 34), ("4Q3", 1)))
    for starts in ((late, counted), (counted, late)):
        found = compare_games(*(new_game({}, start_fen=start) for start in starts))
        assert found is not None and found.kind == "start"


def test_a_start_position_of_chess960_is_shown_with_its_right_to_castle():
    start, other = (
        f"bqnrkrnb/pppppppp/8/8/8/8/PPPPPPPP/BQNRKRNB w {right} - 0 1" for right in ("FDfd", "Ff")
    )
    found = compare_games(*(new_game({}, start_fen=fen, chess960=True) for fen in (start, other)))
    assert found is not None
    assert chess.Board(found.fen, chess960=True) == chess.Board(start, chess960=True)


CASTLED = "1. e4 e5 2. Nf3 Nc6 3. Bb5 Nf6 4. O-O d6 5. d3 Bd7 6. Nc3 Qe7 7. a3 O-O-O {} *"


def test_chess960_from_the_usual_position_is_the_same_start_and_castling_the_same_move():
    plain, other = from_pgn(CASTLED.format("8. h3")), f'[Variant "Chess960"]\n\n{CASTLED}'
    for found in (
        compare_games(plain, from_pgn(other.format("8. h3"))),
        compare_games(from_pgn(other.format("8. h3")), plain),
    ):
        assert found is None
    found = compare_games(from_pgn(other.format("8. h4")), plain)
    assert found is not None
    assert (found.kind, found.number, found.first, found.second) == ("move", "8.", "h4", "h3")


def test_sheets_of_chess_and_of_chess960_part_in_the_position_after_their_castling():
    plain = from_pgn(CASTLED.format("8. h3"))
    other = from_pgn(f'[Variant "Chess960"]\n\n{CASTLED}'.format("8. h4"))
    for found in (compare_games(plain, other), compare_games(other, plain)):
        assert found is not None
        assert found.fen == "2kr1b1r/pppbqppp/2np1n2/1B2p3/4P3/P1NP1N2/1PP2PPP/R1BQ1RK1 w - - 1 8"


def test_sheets_that_begin_otherwise_are_told_so_and_shown_the_first_ones_position():
    one, other = (new_game({}, start_fen=f"4k3/8/8/8/8/8/{man}3/4K3 w - - 0 1") for man in ("4R", "4N"))
    head, first, second, *_ = comparison_text(one, other).splitlines()
    assert head == "The start positions differ."
    assert (first.split(": ")[1], second.split(": ")[1]) == (one.start_fen, other.start_fen)


def test_castling_that_only_one_sheet_has_differs_whatever_the_variant_is():
    short = from_pgn("1. e4 e5 2. Nf3 Nc6 3. Bb5 Nf6 4. Rg1 *")
    other = from_pgn('[Variant "Chess960"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 Nf6 4. O-O *')
    found = compare_games(short, other, "de")
    assert found is not None
    assert (found.number, found.first, found.second) == ("4.", "Tg1", "0-0")


@pytest.mark.parametrize("clocks", [(0, 7), (49, 0), (3, 3)])
def test_a_count_of_moves_without_a_capture_is_no_part_of_the_start(clocks):
    one, other = (new_game({}, start_fen=f"4k3/8/8/8/8/8/4R3/4K3 w - - {clock} 34") for clock in clocks)
    assert compare_games(one, other) is None


def test_other_castling_rights_are_another_start():
    one, other = (new_game({}, start_fen=f"4k3/8/8/8/8/8/8/4K2R w {right} - 0 1") for right in "K-")
    found = compare_games(one, other)
    assert found is not None and found.kind == "start"


FEN = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 {}"
RESUMED = '[SetUp "1"]\n[FEN "{fen}"]\n\n{one}. e4 Ke7 {two}. e5 {reply} *\n'


def resumed(number: int, written: int, reply: str = "Ke6") -> str:
    return RESUMED.format(fen=FEN.format(number), one=written, two=written + 1, reply=reply)


@pytest.mark.parametrize(("number", "written"), [(1, 34), (34, 34), (34, 1)])
def test_a_game_that_is_numbered_from_one_is_the_same_game(number, written):
    one, other = from_pgn(resumed(number, written)), from_pgn(resumed(1, 1))
    assert compare_games(one, other) is None
    assert compare_games(other, one) is None


def test_a_difference_has_the_number_of_the_sheet_that_knows_it():
    one, other = from_pgn(resumed(1, 34)), from_pgn(resumed(1, 1, "Kd7"))
    for found in (compare_games(one, other), compare_games(other, one)):
        assert found is not None
        assert (found.kind, found.number, found.fen.split()[-1]) == ("move", "35...", "35")


def test_two_numbers_that_somebody_knew_are_two_starts():
    found = compare_games(from_pgn(resumed(34, 34)), from_pgn(resumed(33, 33)))
    assert found is not None
    assert (found.kind, found.first, found.second) == ("start", FEN.format(34), FEN.format(33))


def test_a_typed_sheet_counts_as_its_first_number_where_its_fen_counts_from_one():
    typed = f"White: Ana\nFEN: {FEN.format(1)}\n" + "34. e4 Ke7\n35. e5 Ke6\n"
    game = read_sheet(typed.encode(), "en")
    assert game.start_fen == FEN.format(34)
    assert compare_games(game, from_pgn(resumed(1, 34))) is None
    assert read_sheet(render(game, "brf", "en"), "en") == game


def test_a_typed_sheet_of_black_to_move_counts_as_its_first_number():
    fen = "4k3/8/8/8/4P3/8/8/4K3 b - - 0 1"
    game = read_sheet(f"FEN: {fen}\n34... Ke7\n35. e5 Ke6\n".encode(), "en")
    assert (game.board().fullmove_number, len(game.plies)) == (34, 3)


@pytest.mark.parametrize(
    "typed",
    [
        "34. e4 e5\n",
        f"FEN: {FEN.format(1)}\n34. e4 Ke7\n36. e5 Ke6\n",
        f"FEN: {FEN.format(1)}\n1. 34. e4 Ke7\n",
        f"FEN: {FEN.format(1)}\ne4 Ke7\n35. e5 Ke6\n",
        f"FEN: {FEN.format(1)}\n0. e4 Ke7\n",
        f"FEN: {FEN.format(30)}\n34. e4 Ke7\n",
    ],
)
def test_any_other_number_of_a_typed_sheet_must_be_its_own(typed):
    with pytest.raises(
        UsageError, match=r"The sheet has the number '\d+\.' where move \d+ of White must come"
    ):
        read_sheet(typed.encode(), "en")


def test_the_report_names_the_difference_line_by_line_in_every_language():
    other = from_pgn("1. e4 e5 2. Nf3 Nf6 *")
    report = comparison_text(ONE, other, "de").splitlines()
    assert report[:3] == ["Erster Unterschied: 2...", "Erstes Formular: Sc6", "Zweites Formular: Sf6"]
    assert report[3].startswith("Stellung davor: rnbqkbnr/")
    assert report[-1] == "Schwarz am Zug"
    for language in languages():
        assert comparison_text(ONE, ONE, language).count("\n") == 1
        assert len(comparison_text(ONE, other, language).splitlines()) == len(report)


def test_the_report_says_where_only_the_results_differ():
    report = comparison_text(from_pgn("1. e4 1-0"), from_pgn("1. e4 0-1"), "de").splitlines()
    assert report[:3] == [
        "Erster Unterschied: Ergebnis, 1...",
        "Erstes Formular: 1-0",
        "Zweites Formular: 0-1",
    ]

"""A typed clock time such as 1:29 is hours and minutes, or minutes and seconds, as its sheet tells."""

from __future__ import annotations

import pytest

from assistant.scoresheet import from_pgn, parse_sheet, read_sheet, render
from assistant.scoresheet.clocks import ShortTime, decide

H, M, S = 3_600_000, 60_000, 1000


def times(*texts: str, control: str = "5400+30", first: int = 1) -> list[int | None]:
    """What each text is on one player's clock, after his moves from `first` on; "1:29:00" is certain."""
    given: dict[int, ShortTime | int] = {}
    for move, text in enumerate(texts, first):
        numbers = [int(number) for number in text.split(":")]
        given[move] = (
            ShortTime(*numbers) if len(numbers) == 2 else numbers[0] * H + numbers[1] * M + numbers[2] * S
        )
    decided = decide(given, control)
    return [decided.get(move) for move, time in given.items() if isinstance(time, ShortTime)]


def typed(clocks: str, header: str = "") -> tuple[list[int | None], list[str]]:
    """The times of the first four half-moves of a typed sheet, and what is told of it."""
    one, two, three, four = (clocks.split() + [""] * 4)[:4]
    sheet = f"{header}1. e4 {one} e5 {two}\n2. Nf3 {three} Nc6 {four}\n"
    game, notes = parse_sheet(sheet.encode(), "en")
    return [ply.clock_ms for ply in game.plies], [str(note) for note in notes]


def test_a_time_control_of_more_than_an_hour_makes_hours_of_it() -> None:
    found, notes = typed("[1:29] [1:30] [1:28] [1:26]", "Time control: 5400+30\n\n")
    assert found == [89 * M, 90 * M, 88 * M, 86 * M]
    assert not any("Clock times" in note for note in notes)


def test_a_blitz_game_makes_minutes_of_it() -> None:
    assert times("2:58", "2:40", "1:20", "0:03", control="180+2") == [178 * S, 160 * S, 80 * S, 3 * S]


def test_a_blitz_game_without_a_time_control_makes_minutes_of_it() -> None:
    assert times("3:00", "2:58", "0:40", control="") == [180 * S, 178 * S, 40 * S]


def test_a_game_of_an_hour_begins_below_the_hour() -> None:
    assert times("0:59", "0:58", "0:50", control="3600") == [59 * M, 58 * M, 50 * M]


def test_nobody_has_as_many_hours_as_his_clock_has_minutes() -> None:
    assert times("59:30", "25:10", control="") == [59 * M + 30 * S, 25 * M + 10 * S]


def test_a_clock_goes_from_hours_to_minutes() -> None:
    assert times("1:02", "0:58", "19:50", "4:10", "0:45", first=30, control="") == [None] * 2 + [
        19 * M + 50 * S,
        4 * M + 10 * S,
        45 * S,
    ]
    assert times("1:20", "1:02", "0:58", "19:50", "4:10", "0:45") == [
        80 * M,
        62 * M,
        58 * M,
        19 * M + 50 * S,
        4 * M + 10 * S,
        45 * S,
    ]


def test_a_later_period_adds_nothing_before_its_time() -> None:
    given = {10: ShortTime(1, 20), 50: 50 * M}
    assert decide(given, "40/3600:3600") == {10: 80 * S}


def test_a_time_between_two_certain_ones_is_what_lies_between() -> None:
    assert times("1:30:00", "1:20", "1:15:00", control="") == [80 * M]
    assert times("0:05:00", "1:20", "0:01:00", control="") == [80 * S]


def test_a_time_that_was_in_minutes_is_not_taken_for_hours_again_in_silence() -> None:
    control = "40/3600:3600"
    assert times("1:00", "59:30", control=control, first=1)[-1] == 59 * M + 30 * S
    assert times("0:50:00", "19:30", "1:15", control=control, first=39) == [19 * M + 30 * S, None]


def test_some_minutes_in_hours_may_be_seconds_where_clocks_show_them() -> None:
    assert times("1:20", "0:25", "0:15") == [80 * M, 25 * M, None]


@pytest.mark.parametrize("control", ["", "90+30", "90 min", "?", "-"])
def test_a_time_control_that_says_nothing_leaves_it_open(control: str) -> None:
    assert times("1:29", "1:28", control=control) == [None, None]


def test_an_early_time_in_hours_is_believed_and_a_late_one_is_not() -> None:
    assert times("1:05", first=20) == [65 * M]
    assert times("1:05", first=38) == [None]


def test_what_is_open_is_left_out_and_told() -> None:
    found, notes = typed("[1:29] [0:01:20] [1:28]")
    assert found == [None, 80_000, None, None]
    assert notes == [
        "Clock times that may be hours and minutes or minutes and seconds are left out (2), the first 1:29 "
        "at move 1 of White: write them as h:mm:ss, or the time control in seconds, such as 5400+30."
    ]


def test_the_first_open_time_is_named_by_its_move_where_black_begins() -> None:
    fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 7"
    _, [note, *_] = parse_sheet(f"Start position: {fen}\n\n7... e5\n8. Nf3 [1:20]\n".encode(), "en")
    assert "the first 1:20 at move 8 of White" in str(note)


def test_a_sheet_that_begins_late_or_absurdly_late_knows_no_time_control() -> None:
    fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 999999999"
    sheet = f"Start position: {fen}\nTime control: 5400+30\n\n999999999. e4 [1:20]\n"
    assert read_sheet(sheet.encode(), "en").plies[0].clock_ms is None


def test_each_player_has_his_own_clock() -> None:
    found, _ = typed("[1:29] [0:01:20] [1:28] [1:10]", "Time control: 5400+30\n\n")
    assert found == [89 * M, 80 * S, 88 * M, 70 * S]


@pytest.mark.parametrize(
    ("text", "expected"), [("[1:20.5]", 80_500), ("[1:75]", 135_000), ("(0:01:29)", 89_000), ("[0:00]", 0)]
)
def test_a_time_that_can_be_read_in_one_way_only_needs_no_help(text: str, expected: int) -> None:
    assert typed(text) == ([expected, None, None, None], [])


def test_a_time_needs_no_brackets() -> None:
    control = "Time control: 5400+30\n\n"
    bare, in_brackets = "1:29 1:30:05 1:28 0:59:07.5", "[1:29] [1:30:05] [1:28] [0:59:07.5]"
    assert typed(bare, control) == typed(in_brackets, control)
    assert typed(bare, control)[0][:2] == [89 * M, 90 * M + 5 * S]


def test_a_result_is_no_time() -> None:
    game = read_sheet(b"Time control: 5400+30\n\n1. e4 1:29 e5 1:30 1:0\n", "en")
    assert (game.result, [ply.clock_ms for ply in game.plies]) == ("1-0", [89 * M, 90 * M])


def test_a_short_time_and_another_at_one_move_are_still_one_too_many() -> None:
    with pytest.raises(ValueError, match="two clock times"):
        read_sheet(b"1. e4 [1:29] [1:28] e5\n", "en")


@pytest.mark.parametrize("format", ["text", "brf"])
def test_hectors_own_times_are_certain(format: str) -> None:
    game = from_pgn("1. e4 {[%clk 0:01:29]} e5 {[%clk 1:29:00]} 2. Nf3 {[%clk 0:00:03]} *\n")
    assert read_sheet(render(game, format, "en"), "en") == game

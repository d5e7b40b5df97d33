"""Article 6: the clock, and how each edition counts moves and flags."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ledger_rows import editions, family
from played import Events, Played, event, names, refused

from assistant.laws import ScriptError
from assistant.laws.clock import Clock
from assistant.laws.events import SECOND
from assistant.time_control import Period, TimeControl, parse_time_control

BARE = "8/8/8/8/8/2k5/7q/K7 b - - 0 1"
STALEMATES = "7k/8/6K1/8/8/8/8/5Q2 w - - 0 1"


def timed(edition: str, control: str = "5400", fen: str | None = None, **game: Any) -> Played:
    return Played(edition, fen, time_control=control, category="standard", **game)


def press(game: Played, side: str, at: float) -> Events:
    return game.do("press", side, at=at)


# -- How a clock runs --------------------------------------------------------------------------------------


@editions(*family("L14-6.1a", "L14-6.2a1"))
def test_the_press_completes_the_move_and_changes_the_clocks_in_one_instant(edition: str) -> None:
    game = timed(edition)
    game.announce("e2e4")
    assert (game.status["running"], game.status["turn"]) == ("white", "black")
    said = press(game, "white", 2)
    assert names(said) == ["move-completed"]
    assert (game.status["running"], game.status["white"], game.status["black"]) == ("black", 5398, 5400)


@editions("L14-6.2a2", "L18-6.2.1.1", "L23-6.2.1.1")
def test_a_move_that_ends_the_game_needs_no_press(edition: str) -> None:
    game = timed(edition, "3", STALEMATES)
    game.announce("f1f7")
    assert (game.result, game.reason) == ("1/2-1/2", "stalemate")
    game.do("ask", "arbiter", about="times", at=10)
    assert game.result == "1/2-1/2"


@editions(*family("L14-6.2a3"), "L18-6.2.1.2")
def test_a_move_is_completed_by_the_next_one(edition: str) -> None:
    game = timed(edition)
    game.announce("e2e4")
    game.announce("e7e5")
    said = game.announce("g1f3")
    assert names(said) == ["move-completed", "move-made"]
    assert (said[0]["ply"], said[0]["side"]) == (1, "white")


@editions("L09-6.7a2")
def test_in_2009_the_next_move_completes_nothing(edition: str) -> None:
    game = timed(edition, "1/5:60")
    game.announce("e2e4")
    game.announce("e7e5")
    assert names(game.announce("g1f3")) == ["move-made"]
    game.do("ask", "arbiter", about="times", at=5)
    assert (game.result, game.reason) == ("0-1", "flag")


@editions(*family("L14-6.2a4"))
def test_a_player_may_always_stop_his_clock_even_after_the_reply(edition: str) -> None:
    game = timed(edition)
    game.announce("e2e4")
    game.announce("e7e5")
    assert names(game.do("press", "white")) == ["move-completed"]
    assert names(game.do("press", "black")) == ["move-completed"]


@editions(*family("L14-6.2a5"))
def test_the_time_until_the_press_is_the_players_own(edition: str) -> None:
    game = timed(edition, "60")
    game.announce("e2e4", at=0)
    press(game, "white", 7)
    assert game.status["white"] == 53


@editions("L14-6.2a6", *family("L14-6.4"))
def test_the_last_move_of_a_period_counts_only_when_it_is_completed(edition: str) -> None:
    game = timed(edition, "2/10:60")
    game.moves("e2e4 e7e5")
    game.announce("g1f3", at=5)
    game.do("ask", "arbiter", about="times", at=30)
    assert (game.result, game.reason) == ("0-1", "flag")
    in_time = timed(edition, "2/10:60").moves("e2e4 e7e5 g1f3")
    reached = event(in_time.events, "period-reached")
    assert (reached["side"], reached["moves"], reached["white"]) == ("white", 2, 66)


def test_a_press_before_the_move_is_made_is_refused_to_a_blind_player() -> None:
    game = timed("2023", white={"blind": True})
    game.do("announce", "white", move="e2e4")
    assert refused(game.do("press", "white"))
    game.do("place", "white", move="e2e4")
    assert not refused(game.do("press", "white"))


@editions("L14-6.2c")
def test_in_2014_a_press_before_moving_is_rejected_and_the_arbiter_is_offered_a_penalty(edition: str) -> None:
    game = timed(edition)
    said = game.do("press", "white")
    assert names(said) == ["refused", "arbiter-asked"]
    assert said[1]["about"] == "conduct" and "add-opponent" in said[1]["penalties"]
    assert game.status["running"] == "white"


@editions("L23-6.2.4")
def test_pressing_first_and_moving_afterwards_is_bad_handling_and_no_illegal_move(edition: str) -> None:
    game = timed(edition)
    game.do("press", "white")
    said = game.announce("e2e4", "white")
    assert names(said) == ["move-made", "move-completed"]
    claimed = game.do("claim", "black", of="illegal-move")
    assert names(claimed) == ["refused", "arbiter-asked"]
    assert claimed[1]["about"] == "conduct"
    game.moves("e7e5")
    assert game.result == "*"


@editions(*family("L14-6.2d"))
def test_only_the_player_whose_clock_runs_may_adjust(edition: str) -> None:
    game = timed(edition).moves("e2e4")
    assert refused(game.do("adjust", "white", squares=["g1"]))
    assert not refused(game.do("adjust", "black", squares=["g8"]))


# -- Periods, increments, delay ----------------------------------------------------------------------------


@editions(*family("L14-6.3a"))
def test_periods_and_increments_are_kept_as_they_were_announced(edition: str) -> None:
    control = parse_time_control("40/5400+30:1800+30")
    assert control.periods == (
        Period(40, 5400 * SECOND, increment=30 * SECOND),
        Period(None, 1800 * SECOND, increment=30 * SECOND),
    )
    game = timed(edition, "40/5400+30:1800+30")
    assert game.do("ask", "arbiter", about="moves-to-control")[-1]["moves"] == 40


@editions(*family("L14-6.3b1"))
def test_unused_time_is_added_to_the_next_period(edition: str) -> None:
    game = timed(edition, "2/100:50").moves("e2e4 e7e5 g1f3")
    assert game.status["white"] == 100 - 4 + 50


@editions("L09-6.2b1")
def test_in_2009_unused_time_is_not_carried_over_in_delay_mode(edition: str) -> None:
    game = timed(edition, "2/100d1:50d1").moves("e2e4 e7e5 g1f3")
    assert game.status["white"] == 50
    assert timed("2014", "2/100d1:50d1").moves("e2e4 e7e5 g1f3").status["white"] == 148


@editions(*family("L14-6.3b2", "L14-GL.3"))
def test_the_main_time_runs_only_when_the_delay_is_used_up(edition: str) -> None:
    game = timed(edition, "300d3")
    game.announce("e2e4", at=2)
    press(game, "white", 2)
    assert game.status["white"] == 300
    game.announce("e7e5", at=2)
    press(game, "black", 2)
    game.announce("g1f3", at=6.5)
    press(game, "white", 6.5)
    assert game.status["white"] == 298.5


@editions(*family("L14-GL.1", "L14-GL.2"))
def test_an_increment_is_there_before_the_first_move(edition: str) -> None:
    game = timed(edition, "5400+30")
    assert (game.status["white"], game.status["black"]) == (5430, 5430)
    game.move("e2e4")
    assert game.status["white"] == 5458


@editions(*family("L14-GL.4"))
def test_the_clock_counts_the_moves_a_player_has_completed(edition: str) -> None:
    game = timed(edition)
    for _ in range(3):
        game.moves("g1f3 g8f6 f3g1 f6g8")
    assert game.do("ask", "arbiter", about="moves-completed")[-1]["moves"] == 6


# -- Starting, stopping, setting ---------------------------------------------------------------------------


@editions(*family("L14-6.6"))
def test_whites_clock_is_started_even_if_he_is_absent(edition: str) -> None:
    game = timed(edition, white={"present": False}, start=False)
    [started] = game.do("start", at=0)
    assert (started["event"], started["side"]) == ("clock-started", "white")
    assert game.do("ask", "arbiter", about="times", at=540)[-1]["white"] == 5400 - 540


@editions(*family("L14-6.10a"))
def test_a_defective_clock_is_replaced_with_the_arbiters_times(edition: str) -> None:
    game = timed(edition).moves("e2e4")
    game.do("stop-clock", by="arbiter", reason="defective")
    game.do("set-clock", white=1860, black=1710)
    game.do("resume")
    assert (game.status["white"], game.status["black"]) == (1860, 1710)


@editions(*family("L14-6.10b"))
def test_a_wrong_setting_is_corrected_with_times_and_move_counter(edition: str) -> None:
    game = timed(edition, "40/5400:1800").moves("e2e4 e7e5")
    assert names(game.do("stop-clock", by="black", reason="wrong setting")) == ["clock-stopped"]
    [clock] = game.do("set-clock", white=5000, black=5010, moves=9)
    assert clock["moves"] == 9
    assert game.do("ask", "arbiter", about="moves-to-control")[-1]["moves"] == 31


@editions(*family("L14-6.12a"))
def test_an_interruption_stops_both_clocks(edition: str) -> None:
    game = timed(edition).moves("e2e4")
    game.do("stop-clock", by="arbiter", reason="fire alarm")
    times = (game.status["white"], game.status["black"])
    game.do("ask", "arbiter", about="times", at=5000)
    assert (game.status["running"], game.status["white"], game.status["black"]) == ("none", *times)


@editions(*family("L14-6.12b"))
def test_a_player_stops_the_clocks_only_to_seek_help(edition: str) -> None:
    game = timed(edition)
    [stopped] = game.do("stop-clock", by="white", reason="a queen is missing")
    assert (stopped["by"], stopped["reason"]) == ("white", "a queen is missing")
    idle = timed(edition)
    assert names(idle.do("stop-clock", by="white")) == ["clock-stopped", "arbiter-asked"]


@editions(*family("L14-6.12c"))
def test_only_the_arbiter_restarts(edition: str) -> None:
    game = timed(edition)
    game.do("stop-clock", by="white", reason="help")
    assert refused(game.do("resume", by="white"))
    assert names(game.do("resume", by="arbiter")) == ["clock-resumed"]
    assert game.status["running"] == "white"


def test_the_clock_that_ran_runs_on_after_a_stop_even_if_the_move_was_made() -> None:
    game = timed("2023")
    game.announce("e2e4")
    game.do("stop-clock", by="arbiter")
    game.do("resume")
    assert game.status["running"] == "white"
    assert not refused(game.do("press", "white"))


# -- Flags -------------------------------------------------------------------------------------------------


@editions(*family("L14-6.8"))
def test_in_standard_play_a_fall_is_seen_without_any_claim(edition: str) -> None:
    game = timed(edition, "10")
    said = game.do("ask", "arbiter", about="times", at=60)
    assert names(said) == ["flag-fallen", "game-over", "refused"]
    assert said[0]["at"] == 10


@editions(*family("L14-6.9a"))
def test_who_oversteps_the_time_loses(edition: str) -> None:
    game = timed(edition, "40/10:60").moves("e2e4")
    game.do("ask", "arbiter", about="times", at=60)
    assert (game.result, game.reason) == ("1-0", "flag")


@editions(*family("L14-6.9b"))
def test_a_flag_is_a_draw_against_a_player_who_cannot_mate(edition: str) -> None:
    game = timed(edition, "10", BARE)
    game.do("ask", "arbiter", about="times", at=60)
    assert (game.result, game.reason) == ("1/2-1/2", "flag")


LAST_ROOK = "7k/8/8/8/8/8/1r6/R6K w - - 0 1"  # what the last rook on b2 takes away, Ra1xb2 does unlawfully


@editions(*family("L14-6.9a", "L14-6.9b"))
def test_an_illegal_capture_that_is_not_completed_takes_no_mate_from_the_opponent(edition: str) -> None:
    game = timed(edition, "10", LAST_ROOK)
    assert names(game.announce("a1b2", at=5)) == ["move-made"]
    game.do("ask", "arbiter", about="times", at=60)
    assert (game.result, game.reason) == ("0-1", "flag")


def test_a_reply_to_an_illegal_capture_that_is_not_completed_takes_no_mate_from_him_either() -> None:
    game = timed("2023", "10", LAST_ROOK)
    game.announce("a1b2", at=4)
    game.announce("h8g8", at=5)
    game.do("ask", "arbiter", about="times", at=60)
    assert (game.result, game.reason) == ("0-1", "flag")


def test_a_lawful_capture_counts_at_a_fall_without_the_press() -> None:
    game = timed("2023", "10", "7k/8/8/8/8/8/r5R1/7K w - - 0 1")
    game.announce("g2a2", at=5)
    game.do("ask", "arbiter", about="times", at=60)
    assert (game.result, game.reason) == ("1/2-1/2", "flag")


@editions(*family("L14-6.11a"))
def test_both_flags_in_an_earlier_period_play_goes_on_in_the_next(edition: str) -> None:
    game = timed(edition, "40/100:60", quickplay_finish=True)
    game.do("set-clock", white=0, black=0)
    assert game.result == "*"
    assert (game.status["white"], game.status["black"]) == (60, 60)
    assert game.do("ask", "arbiter", about="moves-completed")[-1]["moves"] == 40


@editions("L18-III.3.1")
def test_both_flags_in_the_last_period_are_a_draw_where_guideline_iii_was_announced(edition: str) -> None:
    game = timed(edition, "100", quickplay_finish=True)
    game.do("set-clock", white=0, black=0)
    assert (game.result, game.reason) == ("1/2-1/2", "both-flags")


@pytest.mark.parametrize("edition", ["2009", "2014", "2023"])
def test_a_flag_falls_before_what_happens_at_the_same_moment(edition: str) -> None:
    game = timed(edition, "10")
    game.announce("e2e4", at=5)
    assert names(press(game, "white", 10)) == ["flag-fallen", "game-over", "refused"]
    early = timed(edition, "10")
    early.announce("e2e4", at=5)
    assert names(press(early, "white", 9.99)) == ["move-completed"]


# -- The clock by itself -----------------------------------------------------------------------------------

periods = st.builds(
    Period,
    moves=st.integers(1, 5),
    time=st.integers(0, 100 * SECOND),
    increment=st.sampled_from((0, SECOND, 1)),
    delay=st.sampled_from((0, 0, 3 * SECOND)),
)
controls = st.builds(
    lambda first, last: TimeControl((*first, last)),
    st.lists(periods, max_size=3),
    st.builds(Period, moves=st.none(), time=st.integers(1, 100 * SECOND)),
)


@given(controls, st.lists(st.tuples(st.integers(0, 40 * SECOND), st.booleans()), max_size=30))
def test_every_microsecond_is_accounted_for(control: TimeControl, steps: list[tuple[int, bool]]) -> None:
    clock = Clock.at_start(control)
    clock.start("white")
    for pause, pressed in steps:
        running = clock.running
        assert running is not None
        before = clock.display(running)
        delay, left = before.delay, before.left
        other = clock.black.left if running == "white" else clock.white.left
        fallen = clock.advance(clock.now + pause)
        display = clock.display(running)
        if fallen is None and display.fallen is None:
            assert (delay + left) - (display.delay + display.left) == pause
        assert display.left >= 0 and display.delay >= 0
        assert (clock.black.left if running == "white" else clock.white.left) == other
        if pressed and display.fallen is None:
            spent = display.left
            clock.complete(running, 1, pressed=True, carry_over_with_delay=True)
            assert display.left >= spent
            clock.start("black" if running == "white" else "white")


@given(st.integers(1, 400), controls)
def test_a_period_begins_when_the_moves_of_those_before_it_are_made(moves: int, control: TimeControl) -> None:
    index = control.index_after(moves)
    assert control.moves_before(index) <= moves
    asked = control.period(index).moves
    assert asked is None or moves < control.moves_before(index) + asked


@pytest.mark.parametrize(
    "text", ["", "x", "40/", "60+", "60d", "1/0", "-5", "60:30", "60 + 3", "9" * 40, "٣٠٠"]
)
def test_a_wrong_time_control_is_one_sentence(text: str) -> None:
    with pytest.raises(ScriptError, match=r"\.$"):
        parse_time_control(text)


def test_a_flag_falls_when_the_delay_and_the_time_are_used_up() -> None:
    game = Played("2023", time_control="60d5")
    assert names(game.do("ask", "arbiter", about="times", at=64.9)) == ["answer"]
    assert event(game.do("ask", "arbiter", about="times", at=65), "flag-fallen")["at"] == 65


def test_every_period_brings_its_own_time() -> None:
    game = Played("2023", time_control="1/1000:1/2000:4000").moves("e2e4 e7e5")
    assert game.status["white"] == 1000 - 2 + 2000
    game.moves("g1f3")
    assert game.status["white"] == 1000 - 4 + 2000 + 4000


def test_a_control_that_was_reached_too_late_brings_its_time_and_the_increment() -> None:
    """Nobody has called the flag (A.5.3): it stays down, and the clock goes on."""
    game = Played("2023", time_control="1/60+5:60+5", category="rapid", supervised=False)
    game.announce("e2e4", at=100)
    game.do("press", "white")
    assert game.status["white"] == 65
    assert event(game.do("claim", "black", of="flag"), "game-over")["result"] == "0-1"


def test_without_a_clock_a_move_is_completed_and_no_period_reached() -> None:
    game = Played("2023", time_control="-").moves("e2e4")
    assert names(game.events) == ["clock-started", "move-made", "move-completed"]


def test_no_flag_is_claimed_without_a_clock_or_before_it_was_started() -> None:
    assert refused(Played("2023", time_control="-").do("claim", "white", of="flag"))
    assert refused(Played("2023", start=False).do("claim", "white", of="flag"))

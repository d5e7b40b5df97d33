"""Rapid play: categories, supervision, and what is claimed instead of seen, edition by edition."""

from __future__ import annotations

from typing import Any

import pytest
from ledger_rows import editions, family
from played import Played, article, event, names, refused

from assistant.laws import Referee
from assistant.moves import read_move

ILLEGAL = "f1f3"
BARE_CLAIMANT = "4k3/8/8/8/8/8/8/R3K3 w - - 0 1"


def rapid(edition: str, fen: str | None = None, *, supervised: bool = False, **game: Any) -> Played:
    game.setdefault("time_control", "1200")
    return Played(edition, fen, category="rapid", supervised=supervised, **game)


def category(edition: str, control: str) -> str:
    return str(Referee({"laws": edition, "time_control": control}, read_move).status().as_dict()["category"])


def offend(game: Played) -> Played:
    """White makes an illegal move and presses."""
    return game.moves(f"e2e4 e7e5 {ILLEGAL}")


# -- What is rapid -----------------------------------------------------------------------------------------


@editions(*family("L14-A.1", "L14-GL.5"))
def test_rapid_is_more_than_ten_and_less_than_sixty_minutes(edition: str) -> None:
    assert category(edition, "300+6") == "rapid"
    assert category(edition, "600") == "blitz"
    assert category(edition, "601") == "rapid"
    assert category(edition, "3600") == "standard"
    assert category(edition, "3540+59") == "standard"


@editions(*family("L09-A.1"))
def test_rapid_began_at_fifteen_minutes(edition: str) -> None:
    assert category(edition, "900") == "rapid"
    assert category(edition, "600+5") == "rapid"
    assert category(edition, "840") == "blitz"
    assert category(edition, "3600") == "standard"


@editions("L97-B.1")
def test_in_1997_sixty_minutes_are_rapid_too(edition: str) -> None:
    assert category(edition, "1800") == "rapid"
    assert category(edition, "3600") == "rapid"
    assert category(edition, "3601") == "standard"


# -- Supervision -------------------------------------------------------------------------------------------


@editions(*family("L14-A.3", "L09-A.3"), "L18-A.3.1", "L23-A.4")
def test_supervised_rapid_is_played_under_the_competition_rules(edition: str) -> None:
    game = offend(rapid(edition, supervised=True))
    events = game.do("claim", "arbiter", of="illegal-move")
    seconds = 60 if edition == "2023" else 120
    assert event(events, "illegal-move") | {"remedy": "time-to-opponent", "seconds": seconds} == event(
        events, "illegal-move"
    )
    fallen = rapid(edition, supervised=True)
    fallen.do("ask", "arbiter", about="times", at=1200)
    assert (fallen.result, fallen.reason) == ("0-1", "flag")


@editions("L97-B.2")
def test_in_1997_supervision_makes_no_difference(edition: str) -> None:
    game = rapid(edition, supervised=True)
    assert names(game.do("ask", "arbiter", about="times", at=1201)) == ["answer"]
    assert game.result == "*"


@editions(*family("L14-A.5"))
def test_a_game_says_for_itself_whether_it_is_supervised(edition: str) -> None:
    outcomes = {}
    for supervised in (True, False):
        game = rapid(edition, supervised=supervised)
        game.do("ask", "arbiter", about="times", at=1201)
        outcomes[supervised] = game.result
    assert outcomes == {True: "0-1", False: "*"}


# -- The set-up --------------------------------------------------------------------------------------------

SWAPPED = "rnbkqbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKQBNR w - - 0 1"
SHUFFLE = "b1c3 b8c6 c3b1 c6b8"


@editions(*family("L14-A.4a2"), "L18-A.4.1.2")
def test_after_ten_moves_each_the_set_up_stays_and_the_misplaced_king_does_not_castle(edition: str) -> None:
    # Knights that wander, so that no position comes a fifth time.
    line = "a2a3 a7a6 b2b3 b7b6 c2c3 c7c6 d2d3 d7d6 e2e3 e7e6 f2f3 f7f6 g2g3 g7g6 h2h3 h7h6 a3a4 a6a5"
    game = rapid(edition, SWAPPED).moves(line)
    early = rapid(edition, SWAPPED).moves(line)
    early.do("claim", "white", of="initial-position")
    assert early.result == "annulled"
    game.moves("b3b4 b6b5")
    assert refused(game.do("claim", "white", of="initial-position"))
    assert refused(game.announce("O-O", "white")) and refused(game.announce("O-O-O", "white"))
    assert game.result == "*"


@editions(*family("L09-A.4a1", "L09-A.4a2"))
def test_after_three_moves_each_nothing_is_claimed_about_the_set_up(edition: str) -> None:
    game = rapid(edition, SWAPPED).moves("a2a3 a7a6 b2b3 b7b6 c2c3")
    assert not refused(game.announce("c7c6"))
    assert names(rapid(edition, SWAPPED).moves("a2a3 a7a6").do("claim", "white", of="initial-position")) == [
        "claim-right",
        "game-over",
    ]
    game.do("press", "black")
    assert refused(game.do("claim", "white", of="initial-position"))
    assert refused(game.do("set-clock", white=600, reason="setting"))
    assert refused(game.announce("O-O", "white"))


@editions("L97-B.4")
def test_in_1997_the_three_moves_need_only_be_made(edition: str) -> None:
    game = rapid(edition, SWAPPED).moves("a2a3 a7a6 b2b3 b7b6 c2c3")
    game.announce("c7c6")
    assert refused(game.do("claim", "white", of="initial-position"))


@editions(*family("L14-A.4a1"), "L18-A.4.1.1")
def test_after_ten_moves_each_the_clock_setting_stays(edition: str) -> None:
    line = "a2a3 a7a6 b2b3 b7b6 c2c3 c7c6 d2d3 d7d6 e2e3 e7e6 f2f3 f7f6 g2g3 g7g6 h2h3 h7h6 a3a4 a6a5"
    game = rapid(edition).moves(line + " b3b4 b6b5")
    assert refused(game.do("set-clock", white=900, reason="setting"))
    assert not refused(game.do("set-clock", white=900, reason="schedule"))


# -- Illegal moves -----------------------------------------------------------------------------------------


@editions("L14-A.4b1")
def test_in_2014_the_arbiter_declares_the_first_illegal_move_lost(edition: str) -> None:
    game = offend(rapid(edition))
    game.do("claim", "arbiter", of="illegal-move")
    assert (game.result, game.reason) == ("0-1", "illegal-moves")


@editions("L14-A.4b2")
def test_in_2014_the_opponent_claims_the_win(edition: str) -> None:
    game = offend(rapid(edition))
    events = game.do("claim", "black", of="illegal-move")
    assert event(events, "illegal-move")["remedy"] == "game-lost"
    assert event(events, "game-over")["article"] == "2014 A.4.b"
    assert game.result == "0-1"


@editions("L18-A.4.2a", "L18-A.4.2b", "L23-A.5.2a", "L23-A.5.2b", "L23-A.3")
def test_the_first_illegal_move_costs_time_and_the_second_the_game(edition: str) -> None:
    seconds = {"2018": 120, "2023": 60}[edition]
    game = offend(rapid(edition))
    left = game.status["black"]
    events = game.do("claim", "arbiter", of="illegal-move", at=game.at)
    assert event(events, "illegal-move") | {"number": 1, "seconds": seconds} == event(events, "illegal-move")
    assert game.status["black"] == left + seconds
    game.moves(ILLEGAL)
    assert event(game.do("claim", "black", of="illegal-move"), "illegal-move")["number"] == 2
    assert game.result == "0-1"


@editions("L23-9.5.3a")
def test_a_wrong_claim_costs_one_minute_in_rapid_and_two_in_standard_play(edition: str) -> None:
    for game, seconds in ((rapid(edition), 60), (Played(edition, time_control="5400"), 120)):
        game.moves("g1f3 g8f6")
        left = game.status["black"]
        [wrong] = game.do("claim", "white", of="threefold", at=game.at)
        assert (wrong["event"], wrong["seconds"]) == ("claim-wrong", seconds)
        assert game.status["black"] == left + seconds


@editions(*family("L14-A.4b3"), "L18-A.4.2c")
def test_the_losing_illegal_move_is_a_draw_against_a_claimant_who_cannot_mate(edition: str) -> None:
    game = rapid(edition, BARE_CLAIMANT)
    for _ in range(2):
        if game.over:
            break
        game.moves("a1b3")
        game.do("claim", "black", of="illegal-move")
    assert (game.result, game.reason) == ("1/2-1/2", "illegal-moves")


@editions(*family("L14-A.4b4"))
def test_after_the_reply_the_illegal_move_stands(edition: str) -> None:
    game = offend(rapid(edition)).moves("b8c6")
    board = game.fen
    events = game.do("claim", "black", of="illegal-move")
    assert event(events, "illegal-move")["remedy"] == "stands"
    assert (game.fen, game.result) == (board, "*")


@editions(*family("L09-A.4c1"))
def test_the_arbiter_rules_only_on_a_claim_and_by_article_seven(edition: str) -> None:
    game = offend(rapid(edition))
    assert refused(game.do("claim", "arbiter", of="illegal-move"))
    events = game.do("claim", "black", of="illegal-move")
    assert event(events, "illegal-move") | {"remedy": "time-to-opponent", "seconds": 120} == event(
        events, "illegal-move"
    )


@editions(*family("L09-A.4c2"))
def test_the_arbiter_intervenes_where_a_pawn_was_left_on_the_last_rank(edition: str) -> None:
    game = rapid(edition, "8/7P/8/8/8/8/6k1/4K2Q w - - 0 1".replace("6k1", "k7"))
    game.move("h7h8")
    events = game.do("claim", "arbiter", of="illegal-move")
    assert event(events, "illegal-move")["side"] == "white"
    assert str(game.board.piece_at(55)) == "P"


@editions(*family("L14-A.4d"), "L18-A.4.4")
def test_both_kings_in_check_are_watched_until_the_next_move_and_drawn(edition: str) -> None:
    def watched() -> Played:
        game = rapid(edition, "4k3/p3r3/8/8/8/8/3R4/4K3 w - - 0 1")
        game.move("d2d8")  # White leaves his king in check and gives check: both kings are attacked
        assert names(game.do("claim", "arbiter", of="illegal-move")) == ["claim-waits"]
        return game

    stubborn = watched().moves("a7a6")
    assert (stubborn.result, stubborn.reason) == ("1/2-1/2", "illegal-moves")
    cured = watched().moves("e8d8")
    assert cured.result == "*"


@editions(*family("L09-A.4b"))
def test_no_touch_is_ruled_on_unless_somebody_reports_it(edition: str) -> None:
    game = rapid(edition).moves("e2e4 e7e5")
    assert not refused(game.announce("g1f3"))


@editions("L97-B.5")
def test_in_1997_no_touch_is_ruled_on_unless_it_is_reported(edition: str) -> None:
    game = rapid(edition).moves("e2e4 e7e5")
    assert not refused(game.announce("g1f3"))


# -- Flags -------------------------------------------------------------------------------------------------


def with_flag_down(edition: str, fen: str | None = None, **game: Any) -> Played:
    """White thinks until his flag falls; nobody has said so."""
    played = rapid(edition, fen, **game)
    assert played.do("ask", "arbiter", about="position", at=1300)[-1]["event"] == "answer"
    assert played.status["white"] == 0 and played.result == "*"
    return played


@editions(*family("L09-A.4d1"), "L97-B.6")
def test_a_flag_counts_as_fallen_only_when_a_player_claims_it(edition: str) -> None:
    game = with_flag_down(edition)
    assert refused(game.do("claim", "arbiter", of="flag"))
    assert not refused(game.announce("e2e4"))
    assert names(game.do("press", "white")) == ["move-completed"]


@editions(*family("L14-A.4c1", "L09-A.4d2"), "L97-B.7", "L18-A.4.3", "L23-A.5.3a")
def test_the_player_whose_opponents_flag_is_down_wins_by_claiming(edition: str) -> None:
    game = with_flag_down(edition)
    events = game.do("claim", "black", of="flag")
    assert names(events) == ["flag-claim", "claim-right", "flag-fallen", "game-over"]
    assert (game.result, game.reason) == ("0-1", "flag")


@editions(*family("L14-A.4c2"))
def test_a_claimant_who_cannot_mate_gets_a_draw(edition: str) -> None:
    game = with_flag_down(edition, BARE_CLAIMANT)
    game.do("claim", "black", of="flag")
    assert (game.result, game.reason) == ("1/2-1/2", "flag")


def overstepped(edition: str, **game: Any) -> Played:
    """White makes the last move of the first period in time and presses 49 seconds after his flag fell."""
    played = rapid(edition, time_control="2/700:1200", **game).moves("e2e4 e7e5")
    played.announce("d2d4")
    played.do("press", "white", at=751)
    assert (played.last["event"], played.status["white"]) == ("period-reached", 1200)
    return played


@editions(*family("L14-6.9a", "L14-A.4c1"))
def test_a_press_after_the_fall_reaches_the_control_too_late(edition: str) -> None:
    game = overstepped(edition)
    game.do("claim", "black", of="flag")
    assert (game.result, game.reason) == ("0-1", "flag")


@editions(*family("L14-6.9a", "L14-A.4c1"))
def test_time_that_a_player_is_given_later_takes_back_no_fall_in_an_earlier_period(edition: str) -> None:
    game = overstepped(edition)
    game.do("penalty", "black", kind="add-opponent", seconds=5)
    game.do("claim", "black", of="threefold")
    assert game.status["white"] > 1200
    game.do("claim", "black", of="flag")
    assert (game.result, game.reason) == ("0-1", "flag")


def test_a_flag_that_nobody_claims_leaves_the_next_period_its_time_and_increments() -> None:
    game = overstepped("2023").moves("e5d4")
    left = game.status["white"]
    game.announce("d1d4")
    assert names(game.do("press", "white")) == ["move-completed"]
    assert (game.status["white"], game.result) == (left - 2, "*")
    added = rapid("2023", time_control="1/700:1200+5")
    added.announce("e2e4")
    added.do("press", "white", at=751)
    assert added.status["white"] == 1205


def test_a_control_that_is_reached_once_more_after_the_fall_takes_no_flag_back() -> None:
    game = rapid("2023", time_control="1/700:60").moves("e2e4")
    game.do("restore", ply=0)
    game.announce("d2d4", at=1000)
    game.do("press", "white")
    assert game.status["white"] == 0
    game.do("claim", "black", of="flag")
    assert (game.result, game.reason) == ("0-1", "flag")


@editions("L14-6.11a")
def test_when_the_other_flag_falls_in_an_earlier_period_too_neither_can_be_claimed(edition: str) -> None:
    game = overstepped(edition, quickplay_finish=True)
    game.do("set-clock", black=0)
    assert names(game.do("claim", "white", of="flag"))[-1] == "period-reached"
    assert game.do("claim", "black", of="flag")[-1]["event"] == "claim-wrong"


def both_down(edition: str, **game: Any) -> Played:
    played = with_flag_down(edition, **game)
    played.announce("e2e4")
    played.do("press", "white")
    played.do("ask", "arbiter", about="position", at=4000)
    assert (played.status["white"], played.status["black"]) == (0, 0)
    return played


@editions(*family("L09-A.4d3"), "L97-B.8", *family("L14-6.11b"))
def test_both_flags_down_are_a_draw(edition: str) -> None:
    game = both_down(edition, quickplay_finish=edition == "2023")
    game.do("claim", "black", of="flag")
    assert (game.result, game.reason) == ("1/2-1/2", "both-flags")


@editions(*family("L09-A.4d3"), "L97-B.8")
def test_both_flags_down_are_a_draw_in_any_period(edition: str) -> None:
    game = Played(edition, time_control="2/900:900", supervised=False)
    game.do("set-clock", white=0, black=0)
    game.do("claim", "white", of="flag")
    assert (game.result, game.reason) == ("1/2-1/2", "both-flags")


@editions(*family("L09-A.4d3"), *family("L14-6.11b"))
def test_both_flags_down_are_a_draw_by_the_arbiters_ruling_too(edition: str) -> None:
    game = both_down(edition, quickplay_finish=edition == "2023")
    game.do("claim", "black", of="flag", wait=True)
    game.do("rule", claim="accept")
    assert (game.result, game.reason) == ("1/2-1/2", "both-flags")


@editions("L23-6.11x", "L18-6.11x")
def test_without_guideline_iii_the_arbiter_decides_on_both_flags(edition: str) -> None:
    game = both_down(edition)
    events = game.do("claim", "black", of="flag")
    assert event(events, "arbiter-asked")["about"] == "score"
    assert game.result == "*"
    game.do("result", white=0.5, black=0.5)
    assert game.result == "1/2-1/2"


@editions("L23-6.11x", "L18-6.11x")
def test_with_both_flags_down_nobody_mates_before_the_arbiter_has_decided(edition: str) -> None:
    game = rapid(edition, "7k/8/5KQ1/8/8/8/8/7r w - - 0 1")
    game.announce("g6c2", at=1300)
    game.do("press", "white")
    game.announce("h1h7", at=2600)
    game.do("press", "black")
    assert names(game.do("claim", "black", of="flag"))[-1] == "clock-stopped"
    assert refused(game.announce("c2c8")) and refused(game.do("resume"))
    game.do("rule", claim="reject")
    assert (game.status["running"], game.over) == ("white", False)
    game.do("claim", "black", of="flag")
    game.do("rule", claim="accept")
    assert (game.result, game.reason) == ("0-1", "both-flags")


def test_both_flags_decide_nothing_once_a_player_has_been_given_time() -> None:
    game = both_down("2023")
    game.do("claim", "black", of="flag")
    game.do("set-clock", white=60)
    game.do("rule", claim="accept")
    assert (game.status["running"], game.over) == ("black", False)


@editions("L23-6.11x", "L18-6.11x")
def test_whoever_claims_both_flags_again_asks_the_arbiter_nothing_new(edition: str) -> None:
    game = both_down(edition)
    game.do("claim", "black", of="flag")
    game.do("claim", "white", of="flag")
    game.do("rule", claim="reject")
    assert refused(game.do("rule", claim="reject"))


@editions("L18-A.4.5", "L23-A.5.5")
def test_the_arbiter_calls_a_flag_too(edition: str) -> None:
    game = with_flag_down(edition)
    events = game.do("claim", "arbiter", of="flag")
    assert article(events, "claim-right") in {"A.4.5", "A.5.5"}
    assert game.result == "0-1"


def test_a_claim_while_the_flag_is_up_is_wrong() -> None:
    game = rapid("2023").moves("e2e4")
    assert names(game.do("claim", "white", of="flag")) == ["flag-claim", "claim-wrong"]


# -- Scoresheets -------------------------------------------------------------------------------------------


@editions(*family("L14-A.2"), "L97-B.3")
def test_nobody_is_reminded_to_record(edition: str) -> None:
    game = rapid(edition).moves("e2e4 e7e5 g1f3 b8c6")
    assert set(names(game.events)) == {"clock-started", "move-made", "move-completed"}


@editions("L18-A.2a", "L23-A.2a")
def test_a_threefold_repetition_can_be_claimed_in_rapid(edition: str) -> None:
    game = rapid(edition).moves("g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8")
    events = game.do("claim", "white", of="threefold")
    assert event(events, "claim-right")["plies"] == [0, 4, 8]
    assert (game.result, game.reason) == ("1/2-1/2", "threefold")


@pytest.mark.parametrize("edition", ["2018", "2023"])
def test_a_flag_is_wrongly_claimed_by_the_player_whose_own_is_down(edition: str) -> None:
    game = with_flag_down(edition)
    assert "claim-wrong" in names(game.do("claim", "white", of="flag"))
    assert game.result == "*"

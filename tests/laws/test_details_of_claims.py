"""Claims, clocks and promotions in their last details: what has been ruled on, and what only looks so."""

from __future__ import annotations

import pytest
from played import Played, article, event, names, refused

TEN_MOVES = (
    "a2a3 a7a6 b2b3 b7b6 c2c3 c7c6 d2d3 d7d6 f2f3 f7f6 g2g3 g7g6 h2h3 h7h6 a3a4 a6a5 b3b4 b6b5 c3c4 c6c5"
)


def test_an_offer_that_a_wrong_claim_repeats_is_declined_once() -> None:
    """9.1.2.3: the claim is an offer too; there is one all the same."""
    game = Played("2023").moves("e2e4 e7e5 g1f3 b8c6")
    game.do("offer-draw", "white")
    assert "claim-wrong" in names(game.do("claim", "white", of="threefold"))
    game.do("decline-draw", "black")
    assert game.status["draw_offer"] == "none"
    assert refused(game.do("accept-draw", "black"))


@pytest.mark.parametrize("edition", ["2014", "2018", "2023"])
def test_since_2014_a_quickplay_claim_is_no_draw_offer(edition: str) -> None:
    game = Played(edition, time_control="110", category="standard", quickplay_finish=True).moves("e2e4 e7e5")
    assert "claim-waits" in names(game.do("claim", "white", of="quickplay-finish"))
    assert game.status["draw_offer"] == "none"


def test_a_default_time_that_2014_leaves_to_the_event_is_none() -> None:
    """6.7.1 of 2014: it is specified in advance; unstated, nobody is late."""
    game = Played("2014", black={"present": False}).moves("e2e4")
    assert game.do("arrive", "black", at=600) == []


def test_a_score_that_the_arbiter_declares_is_not_changed_by_penalties() -> None:
    game = Played("2023").moves("e2e4 e7e5")
    game.do("penalty", "white", kind="points-offender", points=0.5)
    game.do("result", white=1, black=0)
    assert game.result == "1-0"


def test_a_clock_set_to_nothing_ends_no_game_where_no_flag_is_seen() -> None:
    game = Played("2009", time_control="600", supervised=False).moves("e2e4 e7e5")
    assert names(game.do("set-clock", white=0, black=0)) == ["clock-set"]
    assert not game.over


@pytest.mark.parametrize("side", ["white", "black"])
def test_with_both_flags_down_a_player_who_needs_time_has_claimed_wrongly(side: str) -> None:
    game = Played("2009", time_control="600", supervised=False).moves("e2e4 e7e5")
    game.do("set-clock", white=0, black=0)
    said = game.do("claim", side, of="flag")
    assert names(said) == ["flag-claim", "claim-wrong", "game-over"]
    assert (said[0]["side"], said[1]["side"], game.result) == (side, side, "1/2-1/2")


def test_with_both_flags_down_the_arbiter_claims_nothing_wrongly() -> None:
    game = Played("2009", time_control="600", supervised=False).moves("e2e4 e7e5")
    game.do("set-clock", white=0, black=0)
    assert names(game.do("claim", "arbiter", of="flag")) == ["flag-claim", "game-over"]


@pytest.mark.parametrize("edition", ["2009", "2014", "2018", "2023"])
def test_a_clock_setting_is_changed_before_it_stands_and_not_after(edition: str) -> None:
    game = Played(edition, time_control="600", supervised=False).moves("e2e4 e7e5")
    assert names(game.do("set-clock", white=500, black=500, reason="setting")) == ["clock-set"]
    game.moves(TEN_MOVES)
    assert refused(game.do("set-clock", white=400, black=400, reason="setting"))
    assert names(game.do("set-clock", white=400, black=400)) == ["clock-set"]


def test_a_move_that_is_not_completed_does_not_let_the_clock_setting_stand() -> None:
    game = Played("2009", time_control="600", supervised=False)
    game.moves("g1f3 g8f6 f3g1 f6g8 g1f3")
    game.announce("g8f6")
    assert names(game.do("set-clock", white=500, black=500, reason="setting")) == ["clock-set"]


def test_the_times_set_before_the_start_are_those_of_the_first_position() -> None:
    game = Played("2023", time_control="5400", start=False)
    game.do("set-clock", white=3000, black=4000)
    game.do("start")
    game.moves("e2e4 e7e5")
    [restored] = game.do("restore", ply=0)
    assert (restored["white"], restored["black"]) == (3000, 4000)


def test_the_counter_set_after_a_press_counts_that_move_for_the_opponent() -> None:
    """6.10.2: White has completed as many moves as Black, and one more."""
    game = Played("2023", time_control="3/600:600").moves("e2e4")
    game.do("set-clock", moves=1)
    game.moves("e7e5")
    assert "period-reached" in names(game.move("g1f3"))


def test_the_opponent_s_counter_does_not_begin_at_one() -> None:
    game = Played("2023", time_control="1/600:600")
    game.do("set-clock", moves=0)
    game.moves("e2e4")
    assert event(game.move("e7e5"), "period-reached")["side"] == "black"


def test_black_promotes_too() -> None:
    game = Played("2023", "4k3/8/8/8/8/8/p7/4K3 b - - 0 1").moves("a2a1q")
    assert game.status["moves"] == ["a1=Q+"]


def test_after_the_press_the_announcement_of_a_placed_move_is_too_late() -> None:
    game = Played("2023")
    game.do("place", "white", move="e2e4")
    game.do("press", "white")
    assert refused(game.do("announce", "white", move="e2e4"))


def test_without_a_clock_nobody_presses_while_play_is_stopped() -> None:
    game = Played("2023", time_control="-").moves("e2e4")
    game.do("claim", "black", of="threefold", wait=True)
    game.do("rule", claim="reject")
    [refusal] = game.do("press", "white")
    assert refusal["reason"] == "the opponent has the move; the arbiter can be called"


def test_without_a_clock_no_move_is_completed_while_a_claim_waits() -> None:
    game = Played("2023", time_control="-")
    game.announce("e2e4", "white")
    game.do("claim", "black", of="threefold", wait=True)
    [refusal] = game.do("press", "white")
    assert refusal["reason"] == "a claim waits for the arbiter"


def test_who_was_granted_five_more_seconds_has_offered_no_draw_any_more() -> None:
    """III.4: the arbiter grants them where the offer was not accepted; from then on play goes on."""
    game = Played("2023", time_control="110", category="standard", quickplay_finish=True).moves("e2e4 e7e5")
    game.do("claim", "white", of="five-seconds")
    game.do("rule", claim="accept")
    assert game.status["draw_offer"] == "none"
    assert refused(game.do("accept-draw", "black"))


def test_the_arbiter_claims_no_draw() -> None:
    [refusal] = Played("2023").moves("e2e4 e7e5").do("claim", "arbiter", of="threefold")
    assert refusal["reason"] == "the arbiter does not claim; a player does"


def test_both_players_may_claim_the_same_before_the_arbiter_rules() -> None:
    game = Played("2023").moves("e2e4 e7e5")
    game.do("claim", "white", of="initial-position", wait=True)
    assert names(game.do("claim", "black", of="initial-position", wait=True)) == ["claim-waits"]
    [refusal] = game.do("claim", "black", of="initial-position", wait=True)
    assert refusal["reason"] == "this claim waits for the arbiter already"


def test_fifty_moves_are_not_claimed_with_an_illegal_move() -> None:
    game = Played("2023", "4k3/8/8/8/8/8/r7/R3K3 w - - 99 80")
    assert names(game.do("claim", "white", of="fifty-moves", move="a1b2")) == ["claim-wrong"]
    assert not game.over


@pytest.mark.parametrize("of", ["illegal-move", "two-hands", "initial-position", "flag"])
def test_the_arbiter_who_rejects_a_claim_may_give_the_opponent_time(of: str) -> None:
    game = Played("2023", time_control="600").moves("e2e4 b8b6")
    before = game.status["black"]
    game.do("claim", "white", of=of, wait=True)
    said = event(game.do("rule", claim="reject", seconds=30), "claim-wrong")
    assert (said["side"], said["of"], said["seconds"]) == ("white", of, 30)
    assert game.status["black"] == before + 30


def test_a_rejected_claim_of_an_illegal_move_may_be_made_again() -> None:
    """7.5.1: the move stands; it is no less illegal than it was."""
    game = Played("2023").moves("e2e4 b8b6")
    game.do("claim", "white", of="illegal-move", wait=True)
    game.do("rule", claim="reject")
    assert event(game.do("claim", "white", of="illegal-move"), "illegal-move")["number"] == 1


def test_a_press_that_was_ruled_no_offence_is_none_for_the_other_claim_that_waits_either() -> None:
    game = Played("2023").moves("e2e4")
    game.do("press", "black")
    game.do("claim", "white", of="illegal-move", wait=True)
    game.do("claim", "arbiter", of="illegal-move", wait=True)
    game.do("rule", claim="reject")
    [refusal] = game.do("rule", claim="accept")
    assert refusal["reason"] == "no illegal move has been completed; restore the position by its ply"


@pytest.mark.parametrize("claimant", ["white", "arbiter"])
def test_an_illegal_move_made_while_the_claim_waits_is_ruled_on_in_its_stead(claimant: str) -> None:
    game = Played("2023").moves("e2e4 e7e5")
    game.do("claim", claimant, of="illegal-move", wait=True)
    game.do("resume")
    game.moves("g1f3 b8b6")
    said = game.do("rule", claim="accept")
    assert event(said, "claim-right")["side"] == claimant
    assert (event(said, "illegal-move")["side"], game.status["ply"]) == ("black", 3)


@pytest.mark.parametrize("of", ["two-hands", "initial-position", "illegal-move"])
@pytest.mark.parametrize("claimant", ["black", "arbiter"])
def test_a_claim_that_is_accepted_is_that_of_the_claimant(of: str, claimant: str) -> None:
    game = Played("2023").moves("e2e4 e7e5 b1b3")
    waits = event(game.do("claim", claimant, of=of, wait=True), "claim-waits")
    assert (waits["side"], waits["of"], waits["seconds"]) == (claimant, of, 0)
    assert event(game.do("rule", claim="accept"), "claim-right")["side"] == claimant


def test_the_arbiter_who_rules_that_a_flag_is_down_names_the_first_that_fell() -> None:
    game = Played("2023", time_control="600", supervised=False).moves("e2e4 e7e5")
    game.announce("g1f3", at=1000)
    game.do("claim", "arbiter", of="flag", wait=True)
    said = game.do("rule", claim="accept")
    assert names(said) == ["claim-right", "flag-fallen", "game-over"]
    assert (said[0]["side"], said[1]["side"], game.result) == ("arbiter", "white", "0-1")


def test_the_arbiter_who_has_seen_a_flag_down_that_this_clock_has_not_means_the_running_one() -> None:
    game = Played("2023", time_control="600").moves("e2e4")
    game.do("claim", "arbiter", of="flag", wait=True)
    assert event(game.do("rule", claim="accept"), "flag-fallen")["side"] == "black"
    assert (game.result, game.reason) == ("1-0", "flag")


def test_a_claim_of_a_flag_that_is_rejected_leaves_the_flag_as_it_is() -> None:
    game = Played("2023", time_control="600").moves("e2e4 e7e5")
    game.do("claim", "black", of="flag", wait=True)
    assert names(game.do("rule", claim="reject")) == ["claim-wrong", "clock-resumed"]
    assert not game.over and game.status["running"] == "white"


def test_a_claim_that_waits_stops_no_clock_where_there_is_none() -> None:
    game = Played("2023", time_control="-").moves("e2e4 b8b6")
    assert names(game.do("claim", "white", of="illegal-move", wait=True)) == ["claim-waits"]


def test_a_second_claim_stops_no_clock_that_stands_already() -> None:
    game = Played("2023").moves("e2e4 b8b6")
    game.do("claim", "white", of="illegal-move", wait=True)
    assert names(game.do("claim", "white", of="two-hands", wait=True)) == ["claim-waits"]


def test_a_claim_that_both_flags_are_down_is_judged_though_it_waited() -> None:
    """6.11 of 2014: the arbiter who agrees finds the claimant's own flag down too."""
    game = Played("2014", time_control="600", supervised=False).moves("e2e4 e7e5")
    game.do("claim", "white", of="flag", wait=True)
    game.do("set-clock", white=0, black=0)
    game.do("rule", claim="accept")
    assert (game.result, game.reason) == ("1/2-1/2", "both-flags")


def test_before_the_start_no_draw_is_offered_or_claimed() -> None:
    game = Played("2023", "4k3/8/8/8/8/8/r7/R3K3 w - - 100 80", start=False)
    assert refused(game.do("offer-draw", "white"))
    assert refused(game.do("claim", "white", of="fifty-moves"))


def test_an_arbiter_who_has_named_the_time_for_a_wrong_claim_is_not_asked_about_it() -> None:
    """B.2 of 2023: of the two minutes that it gives by itself he is."""
    game = Played("2023", time_control="300", supervised=True).moves("e2e4 e7e5")
    assert "arbiter-asked" in names(game.do("claim", "white", of="threefold"))
    game.moves("g1f3")
    game.do("claim", "black", of="threefold", wait=True)
    said = game.do("rule", claim="reject", seconds=90)
    assert names(said) == ["claim-wrong", "clock-resumed"] and said[0]["seconds"] == 90


def test_an_offer_after_the_reply_is_improper_though_the_own_move_is_not_pressed() -> None:
    """9.1.b of 2009: it is made between making the move and stopping the clock."""
    game = Played("2009")
    game.announce("e2e4")
    game.announce("e7e5", "black")
    [offer] = game.do("offer-draw", "white")
    assert offer["improper"]


@pytest.mark.parametrize("side", ["white", "black"])
def test_an_event_that_forbids_draws_before_a_move_counts_the_one_that_is_thought_about(side: str) -> None:
    game = Played("2023", draw_offers=3).moves("e2e4 e7e5 g1f3" if side == "black" else "e2e4 e7e5")
    assert refused(game.do("offer-draw", side))
    game.moves("b8c6 f1b5" if side == "black" else "g1f3 b8c6")
    assert names(game.do("offer-draw", side)) == ["draw-offered"]


def test_a_claim_that_has_ended_the_game_offers_nothing() -> None:
    game = Played("2023", "4k3/8/8/8/8/8/r7/R3K3 w - - 100 80")
    game.do("claim", "white", of="fifty-moves")
    assert (game.result, game.status["draw_offer"]) == ("1/2-1/2", "none")


def test_a_blind_player_who_has_placed_a_man_claims_no_draw() -> None:
    """9.4: he has touched it, though he has not announced the move."""
    game = Played("2023", "4k3/8/8/8/8/8/r7/R3K3 w - - 100 80", white={"blind": True})
    game.do("place", "white", move="a1b1")
    assert game.do("claim", "white", of="fifty-moves")[-1]["reason"] == "a man has been touched"


def test_the_offers_of_two_players_are_not_counted_together() -> None:
    """11.5: three of one player within four moves; here it is two of one and one of the other."""
    game = Played("2023").moves("e2e4 e7e5")
    for side in ("white", "black", "white"):
        assert names(game.do("offer-draw", side)) == ["draw-offered"]
        game.do("decline-draw", "black" if side == "white" else "white")
    game.do("offer-draw", "black")
    assert names(game.do("offer-draw", "white")) == ["draw-offered", "arbiter-asked"]


def test_an_offer_at_the_wrong_moment_rests_on_the_rule_against_disturbing() -> None:
    game = Played("2023").moves("e2e4 e7e5")
    assert article(game.do("offer-draw", "white"), "draw-offered") == "11.5"
    game.announce("g1f3")
    game.do("decline-draw", "black")
    assert article(game.do("offer-draw", "white"), "draw-offered") == "9.1.2.1"


def test_points_that_a_penalty_takes_are_no_question_where_the_score_can_be_given() -> None:
    game = Played("2023").moves("e2e4 e7e5")
    game.do("penalty", "white", kind="points-offender", points=0.5)
    assert names(game.do("resign", "black")) == ["game-over"]
    assert game.result == "1/2-0"

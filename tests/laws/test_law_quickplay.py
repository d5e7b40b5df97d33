"""The quickplay finish: Article 10, Appendices D and G, Guideline III."""

from __future__ import annotations

from typing import Any

import pytest
from ledger_rows import editions, family
from played import Played, article, event, names, refused

ROOK_ENDING = "4k3/8/8/8/8/8/r7/R3K3 w - - 0 1"


def short_of_time(edition: str, white: float = 100, black: float = 300, **game: Any) -> Played:
    """White, on the move, has so many seconds left in the last period."""
    game.setdefault("time_control", "5400")
    game.setdefault("quickplay_finish", True)
    played = Played(edition, ROOK_ENDING, **game)
    played.do("set-clock", white=white, black=black, at=0)
    played.at = 0
    return played


def claimed(edition: str, **game: Any) -> Played:
    played = short_of_time(edition, **game)
    assert names(played.do("claim", "white", of="quickplay-finish", at=0)) == ["claim-waits"]
    return played


@editions(*family("L14-G.2"), "L09-10.2")
def test_the_quickplay_finish_applies_only_if_it_was_announced(edition: str) -> None:
    game = short_of_time(edition, quickplay_finish=False)
    assert refused(game.do("claim", "white", of="quickplay-finish"))
    assert not refused(short_of_time(edition).do("claim", "white", of="quickplay-finish"))


@editions(*family("L14-G.3"))
def test_it_never_applies_with_an_increment_nor_in_blitz(edition: str) -> None:
    for game in (
        short_of_time(edition, time_control="1500+10"),
        short_of_time(edition, time_control="300", category="blitz"),
        short_of_time(edition, time_control="300", category="blitz", supervised=False),
    ):
        assert refused(game.do("claim", "white", of="quickplay-finish"))
        assert article(game.events, "refused").endswith(("G.3", "III.2.2"))


@editions("L14-G.4", "L23-III.4")
def test_five_more_seconds_a_move_may_be_asked_for(edition: str) -> None:
    game = short_of_time(edition, 100, 360)
    assert names(game.do("claim", "white", of="five-seconds", at=0)) == ["claim-waits"]
    assert game.status["draw_offer"] == "white"
    game.do("decline-draw", "black", at=0)
    game.do("rule", claim="accept", at=0)
    assert (game.status["white"], game.status["black"]) == (100, 480)
    game.announce("a1b1")
    game.do("press", "white", at=1)
    assert game.status["white"] == 100 - 1 + 5
    game.do("set-clock", black=60)
    [refusal] = game.do("claim", "black", of="quickplay-finish")
    assert refusal["reason"] == "the quickplay finish does not apply in this kind of game"


def test_five_more_seconds_a_move_are_granted_once_though_both_players_have_asked_for_them() -> None:
    """III.4: they are for both."""
    game = short_of_time("2023", 100, 100)
    game.do("claim", "white", of="five-seconds")
    game.move("a1b1")
    game.do("claim", "black", of="five-seconds")
    game.do("rule", claim="accept")
    [refusal] = game.do("rule", claim="accept")
    assert refusal["reason"] == "more time for each move has been granted already"
    assert names(game.do("rule", claim="reject")) == ["claim-wrong"]
    left = game.status["black"]
    game.announce("a2a3", at=game.at)
    game.do("press", "black", at=game.at)
    assert game.status["black"] == left + 5


def test_the_clocks_are_told_when_five_seconds_a_move_are_granted() -> None:
    game = short_of_time("2023", 100, 360)
    game.do("claim", "white", of="five-seconds", at=0)
    said = event(game.do("rule", claim="accept", at=0), "clock-set")
    assert (said["white"], said["black"]) == (100, 480)


def test_the_request_for_five_seconds_is_an_offer_that_can_be_accepted() -> None:
    game = short_of_time("2014")
    game.do("claim", "white", of="five-seconds")
    game.do("accept-draw", "black")
    assert (game.result, game.reason) == ("1/2-1/2", "agreement")


@pytest.mark.parametrize("edition", ["1997", "2005", "2009"])
def test_older_editions_do_not_know_the_five_seconds(edition: str) -> None:
    assert refused(short_of_time(edition).do("claim", "white", of="five-seconds"))


@editions(*family("L14-G.5"))
def test_the_claim_needs_less_than_two_minutes_the_move_and_a_flag_that_is_up(edition: str) -> None:
    assert refused(short_of_time(edition, 120).do("claim", "white", of="quickplay-finish", at=0))
    assert not refused(short_of_time(edition, 119.99).do("claim", "white", of="quickplay-finish", at=0))
    [refusal] = short_of_time(edition, black=100).do("claim", "black", of="quickplay-finish", at=0)
    assert refusal["reason"] == "the claim is made by the player having the move"
    assert refused(short_of_time(edition).do("claim", "white", of="quickplay-finish", at=0, by="assistant"))


@pytest.mark.parametrize("edition", ["2009", "2014", "2018", "2023"])
def test_whose_flag_is_down_though_nobody_has_called_it_claims_no_quickplay_finish(edition: str) -> None:
    game = short_of_time(edition, time_control="1500", supervised=False)
    [refusal] = game.do("claim", "white", of="quickplay-finish", at=200)
    assert refusal["reason"] == "the flag has fallen"


@pytest.mark.parametrize("edition", ["1997", "2009", "2014", "2023"])
def test_before_the_last_period_nobody_claims_a_quickplay_finish(edition: str) -> None:
    game = short_of_time(edition, time_control="40/5400:1800")
    [refusal] = game.do("claim", "white", of="quickplay-finish", at=0)
    assert refusal["reason"] == "this is not the last period"


def test_with_an_increment_2009_knows_a_quickplay_finish_and_its_successors_do_not() -> None:
    for edition, event_ in (("2009", "claim-waits"), ("2014", "refused"), ("2023", "refused")):
        game = short_of_time(edition, time_control="1500+10")
        assert names(game.do("claim", "white", of="quickplay-finish", at=0)) == [event_]


def test_without_a_clock_or_before_the_start_nobody_claims_a_quickplay_finish() -> None:
    setup = {"quickplay_finish": True, "category": "rapid"}
    [refusal] = Played("2023", time_control="-", **setup).do("claim", "white", of="quickplay-finish")
    assert refusal["reason"] == "the quickplay finish does not apply in this kind of game"
    waiting = Played("2023", time_control="100", start=False, **setup)
    [refusal] = waiting.do("claim", "white", of="quickplay-finish")
    assert refusal["reason"] == "the claim is made by the player having the move"


@editions("L97-D.1")
def test_in_1997_exactly_two_minutes_are_enough(edition: str) -> None:
    assert not refused(short_of_time(edition, 120).do("claim", "white", of="quickplay-finish", at=0))
    assert refused(short_of_time(edition, 120.01).do("claim", "white", of="quickplay-finish", at=0))


@editions(*family("L14-G.5a"))
def test_the_arbiter_who_agrees_declares_a_draw(edition: str) -> None:
    game = claimed(edition)
    assert names(game.do("rule", claim="accept")) == ["claim-right", "game-over"]
    assert (game.result, game.reason) == ("1/2-1/2", "quickplay-finish")


@editions(*family("L14-G.5b"))
def test_a_postponed_claim_is_ruled_on_after_the_flag_has_fallen(edition: str) -> None:
    game = claimed(edition)
    assert "postponed" not in game.last
    assert names(game.do("rule", claim="postpone", seconds=120, at=0)) == ["claim-waits"]
    assert game.last["postponed"] is True
    assert game.status["black"] == 420
    assert names(game.do("ask", "arbiter", about="times", at=200)) == ["flag-fallen", "answer"]
    assert (game.result, game.status["white"]) == ("*", 0)
    accepted = game.do("rule", claim="accept")
    assert event(accepted, "game-over")["result"] == "1/2-1/2"


def test_five_seconds_a_move_put_no_flag_up_that_was_seen_to_fall() -> None:
    """It waits for the other claim alone, and stands (6.8)."""
    game = short_of_time("2023", white=100, black=100)
    game.do("claim", "white", of="five-seconds")
    game.do("claim", "white", of="quickplay-finish")
    game.move("a1b1")
    assert names(game.do("ask", "arbiter", about="times", at=300)) == ["flag-fallen", "answer"]
    granted = game.do("rule", claim="accept")
    assert event(granted, "claim-right")["seconds"] == 0
    assert event(game.do("rule", claim="reject"), "game-over")["reason"] == "flag"


def test_a_claim_rejected_after_the_flag_has_fallen_loses() -> None:
    game = claimed("2023")
    game.do("ask", "arbiter", about="times", at=200)
    game.do("rule", claim="reject")
    assert (game.result, game.reason) == ("0-1", "flag")


@editions(*family("L14-G.5c"))
def test_a_rejected_claim_gives_the_opponent_two_minutes(edition: str) -> None:
    game = claimed(edition, black=180)
    wrong = event(game.do("rule", claim="reject", at=0), "claim-wrong")
    assert wrong["seconds"] == 120
    assert game.status["black"] == 300


@editions(*family("L14-G.6a", "L14-G.6b", "L09-D.1x"), "L97-D.2", "L97-D.3", "L97-D.4")
def test_without_an_arbiter_the_claim_waits_with_the_position_and_the_whole_score(edition: str) -> None:
    game = short_of_time(edition)
    events = game.do("claim", "white", of="quickplay-finish", wait=True)
    assert event(events, "claim-waits")["fen"] == game.fen
    assert game.status["running"] == "none"
    sheets = game.do("sheets", white=[], black=[])
    assert names(sheets) == ["sheets-agree"]
    game.do("rule", claim="accept")
    assert game.result == "1/2-1/2"


def test_play_goes_on_while_the_claim_waits() -> None:
    game = claimed("2023")
    game.moves("a1b1")
    assert game.status["moves"] == ["Rb1"]


@editions(*family("L14-G.5c"))
def test_after_a_rejected_claim_play_goes_on(edition: str) -> None:
    game = claimed(edition)
    game.do("rule", claim="reject", at=0)
    assert game.result == "*"
    assert names(game.announce("a1b1")) == ["move-made"]


def test_no_flag_is_claimed_while_the_quickplay_finish_waits_for_the_arbiter() -> None:
    game = claimed("2023", time_control="1500", supervised=False)
    [refusal] = game.do("claim", "black", of="flag", at=200)
    assert refusal["reason"] == "the arbiter rules on the quickplay finish first"


def test_the_arbiter_who_rejects_or_grants_may_name_the_time_for_the_opponent() -> None:
    rejected = claimed("2023", black=180)
    assert event(rejected.do("rule", claim="reject", seconds=30, at=0), "claim-wrong")["seconds"] == 30
    granted = short_of_time("2023", 100, 360)
    granted.do("claim", "white", of="five-seconds", at=0)
    assert event(granted.do("rule", claim="accept", seconds=30, at=0), "claim-right")["seconds"] == 30

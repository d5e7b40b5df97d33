"""Articles 4.8 and 9: claims of a draw, when they may be made, and what a wrong one costs."""

from __future__ import annotations

from typing import Any

import pytest
from ledger_rows import editions, family
from played import Events, Played, article, event, names, refused

SHUTTLE = "g1f3 g8f6 f3g1 f6g8"
THREE_TIMES = f"{SHUTTLE} {SHUTTLE}"
AT_99 = "8/8/8/4k3/8/3K4/7R/r7 w - - 99 100"


def claim(game: Played, side: str, of: str, **keys: Any) -> Events:
    """A claim at the moment of the last line, so that no time passes."""
    return game.do("claim", side, at=game.at, of=of, **keys)


# -- The waiver -----------------------------------------------------------------------------------------


@editions(*family("L14-4.8"))
def test_who_touches_a_man_himself_can_no_longer_complain(edition: str) -> None:
    game = Played(edition).moves("e2e4 e7e5 g1f3 b8c6")
    game.do("touch", "white", squares=["f1"])
    said = claim(game, "white", "two-hands")
    assert refused(said) and article(said, "refused") in ("4.7", "4.8")
    fresh = Played(edition).moves("e2e4 e7e5 g1f3 b8c6")
    said = claim(fresh, "white", "two-hands")
    assert not any(str(event.get("article", "")).endswith((" 4.7", " 4.8")) for event in said)


# -- The same position ----------------------------------------------------------------------------------


@editions(*family("L14-9.2b"))
def test_the_third_occurrence_is_claimed_by_the_player_having_the_move(edition: str) -> None:
    game = Played(edition).moves(THREE_TIMES)
    assert refused(claim(game, "black", "threefold"))
    said = claim(game, "white", "threefold")
    assert (game.result, game.reason) == ("1/2-1/2", "threefold")
    assert said[0]["event"] == "claim-right"


@editions(*family("L14-9.2a"), "L18-9.2.1.1", "L23-9.2.1")
def test_the_move_that_brings_the_third_occurrence_is_written_not_made(edition: str) -> None:
    game = Played(edition).moves("g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1")
    said = claim(game, "black", "threefold", move="f6g8")
    assert (game.result, game.reason) == ("1/2-1/2", "threefold")
    assert game.status["ply"] == 7
    number = {"2018": "9.2.1.1", "2023": "9.2.1"}.get(edition, "9.2.a")
    assert article(said, "claim-right") == number
    other = Played(edition).moves("g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1")
    assert "claim-wrong" in names(claim(other, "black", "threefold", move="f6d5"))


@editions(*family("L14-9.2c"))
def test_with_the_other_side_to_move_it_is_another_position(edition: str) -> None:
    fen = "4k3/8/8/8/8/8/7R/4K3 w - - 0 1"
    game = Played(edition, fen).moves("h2h3 e8e7 h3h4 e7e8 h4h2 e8e7 h2h3 e7e8")
    assert "claim-wrong" in names(claim(game, "white", "threefold"))
    twice = Played(edition, fen).moves("h2h3 e8e7 h3h2 e7e8 h2h3 e8e7 h3h2 e7e8")
    claim(twice, "white", "threefold")
    assert twice.reason == "threefold"


@editions(*family("L14-9.2d"), "L09-9.2d")
def test_a_position_in_which_en_passant_was_possible_is_another(edition: str) -> None:
    game = Played(edition).moves(f"e2e4 a7a6 e4e5 d7d5 {THREE_TIMES}")
    assert "claim-wrong" in names(claim(game, "white", "threefold"))
    game.moves(SHUTTLE)
    claim(game, "white", "threefold")
    assert game.reason == "threefold"
    impossible = Played(edition).moves("e2e4 a7a6 g1f3 d7d5 f3g1 g8f6 g1f3 f6g8 f3g1 g8f6 g1f3 f6g8 f3g1")
    claim(impossible, "black", "threefold")
    assert impossible.reason == "threefold"


@editions(*family("L14-9.2e"))
def test_a_position_in_which_castling_was_possible_is_another(edition: str) -> None:
    fen = "4k3/7p/8/8/8/8/8/R3K3 w Q - 0 1"
    game = Played(edition, fen).moves("e1e2 e8e7 e2e1 e7e8 e1e2 e8e7 e2e1 e7e8")
    assert "claim-wrong" in names(claim(game, "white", "threefold"))
    game.moves("e1e2 e8e7 e2e1 e7e8")
    claim(game, "white", "threefold")
    assert game.reason == "threefold"
    hindered = Played(edition, fen).moves("a1a2 e8e7 a2a1 e7e8")
    assert "claim-wrong" in names(claim(hindered, "white", "threefold"))


@editions(*family("L14-9.2f"))
def test_the_occurrences_need_not_follow_each_other(edition: str) -> None:
    game = Played(edition).moves(f"{SHUTTLE} b1c3 b8c6 c3b1 c6b8")
    said = claim(game, "white", "threefold")
    assert said[0]["plies"] == [0, 4, 8]
    scattered = Played(edition).moves("g1f3 g8f6 b1c3 b8c6 c3b1 c6b8 f3g1 f6g8 b1a3 b8a6 a3b1 a6b8")
    said = claim(scattered, "white", "threefold")
    assert (said[0]["plies"], scattered.reason) == ([0, 8, 12], "threefold")


# -- Fifty moves ----------------------------------------------------------------------------------------


@editions(*family("L14-9.3b"))
def test_fifty_moves_of_each_without_pawn_or_capture_are_claimed(edition: str) -> None:
    early = Played(edition, AT_99)
    assert "claim-wrong" in names(claim(early, "white", "fifty-moves"))
    game = Played(edition, AT_99).moves("h2h3")
    claim(game, "black", "fifty-moves")
    assert (game.result, game.reason) == ("1/2-1/2", "fifty-moves")


@editions(*family("L14-9.3a"), "L18-9.3.1", "L23-9.3.1")
def test_the_move_that_completes_the_fifty_is_written(edition: str) -> None:
    game = Played(edition, AT_99)
    said = claim(game, "white", "fifty-moves", move="h2h3")
    assert (game.result, game.reason, game.status["ply"]) == ("1/2-1/2", "fifty-moves", 0)
    assert article(said, "claim-right") in ("9.3.a", "9.3.1")
    capture = Played(edition, "8/8/8/4k3/8/3K4/7R/r6n w - - 99 100")
    assert "claim-wrong" in names(claim(capture, "white", "fifty-moves", move="h2h1"))


# -- When, and what it costs ----------------------------------------------------------------------------


@editions(*family("L14-9.4"))
def test_who_has_touched_a_man_claims_only_at_his_next_move(edition: str) -> None:
    game = Played(edition, black={"blind": True}).moves("g1f3")
    for move in ["g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1", "f6g8", "g1f3"]:
        side = game.turn
        if side == "black":
            game.do("place", side, move=move)
            game.do("announce", side, move=move)
        else:
            game.announce(move)
        game.do("press", side)
    game.do("touch", "black", squares=["g8"])
    said = claim(game, "black", "threefold")
    assert refused(said) and article(said, "refused") == "9.4"
    assert not game.over


@editions("L09-9.4")
def test_a_claim_made_before_the_touch_stays_valid(edition: str) -> None:
    game = Played(edition).moves(THREE_TIMES)
    claim(game, "white", "threefold", wait=True)
    game.do("touch", "white", squares=["g1"])
    game.do("rule", claim="accept")
    assert game.reason == "threefold"


@editions(*family("L14-9.5"), "L09-9.5")
def test_a_claim_stops_the_clocks_and_cannot_be_withdrawn(edition: str) -> None:
    game = Played(edition).moves(THREE_TIMES)
    said = claim(game, "white", "threefold", wait=True)
    assert names(said) == ["claim-waits", "clock-stopped"]
    assert "arbiter-asked" not in names(said)
    assert refused(game.do("undo", "white"))
    assert game.status["running"] == "none"
    game.do("rule", claim="accept")
    assert game.reason == "threefold"


def test_a_ruling_starts_no_clock_while_another_claim_stops_it() -> None:
    """6.11.3: the arbiter decides when play goes on."""
    game = Played("2023", time_control="5400").moves("e2e4 e7e5 f1c5")
    claim(game, "black", "illegal-move", wait=True)
    claim(game, "black", "threefold", wait=True)
    assert names(game.do("rule", claim="reject")) == ["claim-wrong"]
    assert game.status["running"] == "none"
    assert names(game.do("rule", claim="reject")) == ["claim-wrong", "clock-resumed"]
    assert game.status["running"] == "black"


def test_a_ruling_starts_no_clock_that_was_stopped_before_the_claim() -> None:
    game = Played("2023", time_control="5400").moves("e2e4 e7e5")
    game.do("stop-clock", by="arbiter", reason="the hall is on fire")
    claim(game, "white", "threefold", wait=True)
    assert "clock-resumed" not in names(game.do("rule", claim="reject"))
    assert game.status["running"] == "none"
    assert names(game.do("resume")) == ["clock-resumed"]


def test_a_ruling_starts_no_clock_that_was_stopped_after_the_arbiter_had_let_it_run() -> None:
    game = Played("2023", time_control="5400").moves("e2e4 e7e5")
    claim(game, "white", "threefold", wait=True)
    game.do("resume")
    game.do("stop-clock", by="arbiter", reason="the hall is on fire")
    assert "clock-resumed" not in names(game.do("rule", claim="reject"))
    assert game.status["running"] == "none"


def test_a_ruling_starts_no_clock_that_the_arbiter_has_stopped_while_the_claim_waited() -> None:
    game = Played("2023", time_control="5400").moves("e2e4 e7e5")
    claim(game, "white", "threefold", wait=True)
    assert names(game.do("stop-clock", by="arbiter")) == ["clock-stopped"]
    assert refused(game.do("stop-clock", by="arbiter"))
    assert "clock-resumed" not in names(game.do("rule", claim="reject"))
    assert names(game.do("resume")) == ["clock-resumed"]


def test_a_ruling_while_a_move_is_sealed_lets_the_sealers_clock_run_again() -> None:
    """I.1.1: he seals in his own time."""
    game = Played("2023", time_control="5400").moves("e2e4 e7e5")
    game.do("adjourn")
    claim(game, "black", "initial-position", wait=True)
    assert names(game.do("rule", claim="reject"))[-1] == "clock-resumed"
    assert game.status["running"] == "white"


def test_a_ruling_on_a_claim_that_stopped_no_clock_leaves_the_one_that_did() -> None:
    game = Played("2023", time_control="5400").moves("e2e4 e7e5")
    claim(game, "white", "colours-reversed")
    claim(game, "white", "threefold", wait=True)
    assert names(game.do("rule", claim="reject")) == ["claim-wrong"]
    assert game.status["running"] == "none"
    assert names(game.do("rule", claim="reject")) == ["claim-wrong", "clock-resumed"]


@editions(*family("L14-9.5a"))
def test_a_right_claim_draws_at_once(edition: str) -> None:
    game = Played(edition).moves(THREE_TIMES)
    said = claim(game, "white", "threefold")
    assert names(said) == ["claim-right", "game-over"]
    assert article(said, "game-over") in ("9.5.a", "9.5.2")


@editions("L14-9.5b1", "L18-9.5.3", "L23-9.5.3a", "L09-9.5b")
def test_a_wrong_claim_gives_the_opponent_time_and_play_goes_on(edition: str) -> None:
    for category, control in (("standard", "5400"), ("rapid", "1500")):
        game = Played(edition, time_control=control, category=category).moves(SHUTTLE)
        before = float(game.status["black"])
        said = claim(game, "white", "threefold")
        given = {"2009": 180, "2014": 120, "2018": 120, "2023": 120 if category == "standard" else 60}[
            edition
        ]
        assert float(game.status["black"]) - before == given
        assert (said[0]["event"], said[0]["seconds"]) == ("claim-wrong", given)
        assert not game.over and game.status["running"] == "white"


@editions(*family("L14-9.5b2"), "L09-9.5b")
def test_the_move_written_for_a_wrong_claim_must_be_made(edition: str) -> None:
    game = Played(edition).moves(SHUTTLE)
    assert event(claim(game, "white", "threefold", move="g1f3"), "claim-wrong")["must"] == "g1f3"
    assert refused(game.announce("e2e4"))
    assert refused(claim(game, "white", "threefold"))
    assert not refused(game.announce("g1f3"))


def test_no_move_must_be_made_for_a_wrong_claim_without_one_or_with_an_illegal_one() -> None:
    for written in ({}, {"move": "g1g3"}):
        said = claim(Played("2023").moves(SHUTTLE), "white", "threefold", **written)
        assert "must" not in event(said, "claim-wrong")


@editions(*family("L14-9.1b3"))
def test_a_wrong_claim_is_still_a_draw_offer(edition: str) -> None:
    game = Played(edition).moves(SHUTTLE)
    claim(game, "white", "threefold")
    assert game.status["draw_offer"] == "white"
    game.do("accept-draw", "black")
    assert (game.result, game.reason) == ("1/2-1/2", "agreement")


@pytest.mark.ledger("L09-9.1b3")
def test_in_2009_a_quickplay_claim_is_a_draw_offer_too() -> None:
    game = Played("2009", time_control="100", category="standard", quickplay_finish=True).moves("e2e4 e7e5")
    claim(game, "white", "quickplay-finish")
    game.do("accept-draw", "black")
    assert (game.result, game.reason) == ("1/2-1/2", "agreement")


@pytest.mark.ledger("L14-9.5k")
def test_the_opponent_may_accept_before_the_claim_is_checked() -> None:
    game = Played("2014").moves(SHUTTLE)
    claim(game, "white", "threefold", wait=True)
    before = game.status["black"]
    game.do("accept-draw", "black")
    assert (game.result, game.reason, game.status["black"]) == ("1/2-1/2", "agreement", before)


@pytest.mark.ledger("L23-11.12")
def test_the_plies_of_the_equal_positions_are_named_so_that_the_players_can_check() -> None:
    game = Played("2023").moves(THREE_TIMES)
    said = claim(game, "white", "threefold")
    assert said[0]["plies"] == [0, 4, 8]

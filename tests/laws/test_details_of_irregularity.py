"""Irregularities in their last details: what is one fault, what is settled, and what is told again."""

from __future__ import annotations

from typing import Any

import pytest
from played import Played, article, event, names, refused

PAWN = "8/4P1k1/8/8/8/8/8/4K2Q w - - 0 1"


def rated(edition: str, fen: str | None = None, control: str = "5400", **game: Any) -> Played:
    return Played(edition, fen, time_control=control, **game)


def test_two_hands_in_an_illegal_move_are_one_fault_and_the_move_is_taken_back() -> None:
    """7.5.4, 7.5.1: two faults in one move count once."""
    game = rated("2023").moves("e2e4 e7e5 f1f3")
    said = game.do("claim", "black", of="two-hands")
    assert names(said) == ["claim-right", "illegal-move", "position-restored"]
    assert (said[0]["of"], said[1]["kind"], said[1]["number"]) == ("two-hands", "illegal", 1)
    assert game.status["moves"] == ["e4", "e5"]
    assert names(game.do("claim", "black", of="illegal-move")) == ["claim-wrong"]


def test_two_hands_that_lose_the_game_are_a_claim_that_is_right() -> None:
    game = rated("2023").moves("e2e4 e7e5 f1f3")
    game.do("claim", "black", of="illegal-move")
    game.moves("f1c4")
    said = game.do("claim", "black", of="two-hands")
    assert names(said) == ["claim-right", "illegal-move", "game-over"]
    assert (said[0]["side"], game.result, game.status["moves"][-1]) == ("black", "0-1", "Bc4")


def test_who_could_still_mate_is_judged_by_the_position_before_the_losing_offence() -> None:
    """7.5.5: Black had a rook when the game began, and none when White moved illegally."""
    game = rated("2023", "6rk/8/8/8/8/R7/6R1/4K3 w - - 0 1").moves("g2g8 h8g8 e1e3")
    game.do("claim", "black", of="illegal-move")
    game.moves("e1e2 g8f8 e2e4")
    said = game.do("claim", "black", of="illegal-move")
    assert event(said, "illegal-move")["remedy"] == "drawn"
    assert (game.result, game.reason) == ("1/2-1/2", "illegal-moves")


@pytest.mark.parametrize("edition", ["2018", "2023"])
def test_a_losing_move_with_two_hands_stands_and_so_it_is_judged_by_what_it_leaves(edition: str) -> None:
    """7.5.5: it takes Black's last man but the king."""
    game = rated(edition, "6k1/5r2/8/8/8/8/8/Q3K3 w - - 0 1").moves("a1a2")
    game.do("claim", "black", of="two-hands")
    game.moves("g8g7 a2f7")
    said = game.do("claim", "black", of="two-hands")
    assert event(said, "illegal-move")["remedy"] == "drawn"
    assert (game.result, game.status["moves"][-1]) == ("1/2-1/2", "Qxf7+")


@pytest.mark.parametrize("edition", ["2014", "2018", "2023"])
def test_a_losing_pawn_that_becomes_a_queen_is_judged_by_what_it_leaves(edition: str) -> None:
    """7.5.2, 7.5.5: it takes Black's last man but the king on its way."""
    game = rated(edition, "3r4/4P1k1/8/8/8/8/8/4K3 w - - 0 1").moves("e1e3")
    game.do("claim", "black", of="illegal-move")
    game.moves("e1e2 g7f7 e7d8")
    said = game.do("claim", "black", of="illegal-move")
    assert names(said) == ["claim-right", "illegal-move", "position-restored", "game-over"]
    assert event(said, "illegal-move")["remedy"] == "drawn"
    assert (game.result, game.status["moves"][-1]) == ("1/2-1/2", "exd8=Q")


@pytest.mark.parametrize("claimant", ["black", "arbiter"])
def test_a_press_before_the_next_move_hides_no_illegal_move_before(claimant: str) -> None:
    game = rated("2023").moves("e2e4 e7e5 f1f3 b8c6")
    game.do("press", "white")
    game.announce("g1e2", "white")
    said = game.do("claim", claimant, of="illegal-move")
    assert names(said)[:2] == ["claim-right", "illegal-move"]
    assert event(said, "position-restored")["ply"] == 2


@pytest.mark.parametrize("order", ["move, press", "press, move"])
def test_a_move_brings_its_increment_in_whatever_order_it_is_pressed_and_made(order: str) -> None:
    """6.2.1: what the clock has added at the press stays there."""
    game = rated("2023", control="300+10").moves("e2e4 e7e5")
    before = game.status["white"]
    for step in order.split(", "):
        if step == "press":
            game.do("press", "white", at=game.at)
        else:
            said = game.do("announce", "white", at=game.at, move="g1f3")
    if order == "press, move":
        assert (said[-1]["event"], said[-1]["white"]) == ("move-completed", before + 10)
    assert (game.status["white"], game.status["running"]) == (before + 10, "black")


@pytest.mark.parametrize("edition", ["2018", "2023"])
def test_an_illegal_move_that_stands_because_it_was_replied_to_is_not_claimed_again(edition: str) -> None:
    """A.4.2 of 2018: what was judged too late once is settled."""
    game = rated(edition, control="600", supervised=False).moves("e2e4 e7e5 f1f3 b8c6 g1e2")
    said = game.do("claim", "black", of="illegal-move")
    assert event(said, "illegal-move")["remedy"] == "stands"
    assert names(game.do("claim", "black", of="illegal-move")) == ["claim-wrong"]


def test_a_losing_pawn_that_would_mate_as_a_queen_asks_the_arbiter_nothing() -> None:
    game = rated("2023", "6k1/P4ppp/8/8/8/8/8/K7 w - - 0 1").moves("a1b1 g8h8 b1d4")
    game.do("claim", "black", of="illegal-move")
    game.moves("b1a1 h8g8 a7a8")
    said = game.do("claim", "black", of="illegal-move")
    assert names(said) == ["claim-right", "illegal-move", "position-restored", "game-over"]


def test_what_the_pawn_left_there_did_as_a_queen_is_no_illegal_move_once_it_is_one() -> None:
    """7.5.2: 1.e8 Kf6 2.e8-e2 was impossible for a pawn and is a move of the queen."""
    game = rated("2023", PAWN).moves("e7e8 g7f6 e8e2")
    said = game.do("claim", "black", of="illegal-move")
    assert game.status["moves"] == ["e8=Q", "Kf6", "Qe2"]
    told = event(said, "position-restored")["moves"]
    assert [(each["ply"], each["san"]) for each in told] == [(1, "e8=Q"), (2, "Kf6"), (3, "Qe2")]
    assert names(game.do("claim", "black", of="illegal-move")) == ["claim-wrong"]


def test_moves_that_are_told_again_bring_the_times_of_their_presses() -> None:
    game = rated("2023", "4k3/p6P/8/8/8/8/8/4K3 w - - 0 1").moves("h7h8 e8e7")
    restored = event(game.do("claim", "black", of="illegal-move"), "position-restored")
    assert [(each["white"], each["black"]) for each in restored["moves"]] == [(5398, 5400), (5398, 5398)]
    untimed = rated("2023", "4k3/p6P/8/8/8/8/8/4K3 w - - 0 1", "-").moves("h7h8 e8e7")
    restored = event(untimed.do("claim", "black", of="illegal-move"), "position-restored")
    assert [(each["white"], each["black"]) for each in restored["moves"]] == [(None, None), (None, None)]


def test_a_reply_that_is_not_pressed_is_told_again_without_times() -> None:
    game = rated("2023", "4k3/p6P/8/8/8/8/8/4K3 w - - 0 1").moves("h7h8")
    game.announce("e8e7")
    restored = event(game.do("claim", "arbiter", of="illegal-move"), "position-restored")
    assert ["white" in each for each in restored["moves"]] == [True, False]


def test_a_reply_that_goes_back_with_the_queen_leaves_the_queen_to_be_told_again() -> None:
    game = rated("2023", "4k3/p6P/8/8/8/8/8/4K3 w - - 0 1").moves("h7h8 a7a6")
    restored = event(game.do("claim", "black", of="illegal-move"), "position-restored")
    assert [each["san"] for each in restored["moves"]] == ["h8=Q+"]


def test_a_move_of_ones_own_that_was_taken_back_bars_no_claim_of_the_opponents_two_hands() -> None:
    game = rated("2023").moves("e2e4 e7e5 g1f3")
    game.do("restore", ply=2)
    said = game.do("claim", "white", of="two-hands")
    assert names(said) == ["claim-right", "illegal-move"] and said[1]["side"] == "black"


def test_a_restored_position_is_told_with_the_times_of_its_last_move() -> None:
    game = rated("2023").moves("e2e4 e7e5 g1f3 b8c6")
    [restored] = game.do("restore", ply=3)
    assert (restored["white"], restored["black"]) == (5396, 5398)
    untimed = rated("2023", control="-").moves("e2e4 e7e5 g1f3 b8c6")
    [restored] = untimed.do("restore", ply=3)
    assert (restored["white"], restored["black"]) == (None, None)


def test_a_move_that_stays_without_its_press_brings_no_increment() -> None:
    game = rated("2023", control="5400+30").moves("e2e4 e7e5")
    game.announce("g1f3")
    game.announce("b8c6")
    white = game.status["white"]
    game.do("restore", ply=3, at=game.at)
    assert game.status["white"] == white
    assert not refused(game.announce("b8c6", "black"))


def test_only_a_player_s_own_men_are_moved_illegally() -> None:
    """3.1: what nobody can have moved is refused and no illegal move."""
    game = rated("2023")
    [refusal] = game.announce("e7e5", "white")
    assert refusal["reason"] == "the man on e7 is the opponent's" and not game.status["moves"]


def test_a_ruling_that_cannot_be_postponed_waits_on() -> None:
    game = rated("2023").moves("e2e4 e7e5")
    game.do("claim", "white", of="threefold", wait=True)
    assert refused(game.do("rule", claim="postpone"))
    assert game.status["running"] == "none"
    assert names(game.do("rule", claim="reject")) == ["claim-wrong", "clock-resumed"]


def test_a_claim_of_a_wrong_start_that_waits_is_not_made_twice() -> None:
    game = rated("2023").moves("e2e4 e7e5")
    game.do("claim", "white", of="initial-position", wait=True)
    [refusal] = game.do("claim", "white", of="initial-position", wait=True)
    assert refusal["reason"] == "this claim waits for the arbiter already"


def test_the_arbiter_named_two_hands_are_told_by_the_claimant() -> None:
    game = rated("2023").moves("e2e4 e7e5 g1f3")
    assert game.do("claim", "black", of="two-hands")[0]["side"] == "black"


def test_what_the_arbiter_was_asked_cannot_be_postponed() -> None:
    """A flag that was seen to fall is ruled on (6.8, 6.9): the question stays, and the clocks stand."""
    game = Played("2023", time_control="60", white={"blind": True})
    game.do("place", "white", move="e2e4")
    game.announce("d2d4")
    assert "arbiter-asked" in names(game.do("rule", claim="postpone", at=61))
    assert game.events[-1]["reason"] == "this question cannot be postponed"
    assert game.status["running"] == "none"
    game.do("rule", claim="accept")
    assert (game.result, game.reason) == ("0-1", "flag")


@pytest.mark.parametrize(("line", "times"), [("e2e4 e7e5", (1199, 600)), ("e2e4 e7e5 g1f3", (1198, 1199))])
def test_a_move_that_stays_without_its_press_is_noted_with_the_time_it_brought(
    line: str, times: tuple[int, int]
) -> None:
    """6.3.2: the control is reached with the last move but one, White's or Black's."""
    game = rated("2023", control="1/600:600")
    *pressed, stays, taken_back = line.split()
    game.moves(" ".join(pressed))
    game.announce(stays)
    game.announce(taken_back)
    ply = len(pressed) + 1
    assert "period-reached" in names(game.do("restore", ply=ply))
    [restored] = game.do("restore", ply=ply)
    assert (restored["white"], restored["black"]) == times


def test_a_position_put_back_with_no_move_taken_back_leaves_what_binds_the_player() -> None:
    """7.4: the men stand as they stood; 4.3, 7.5.1 and 9.5.3 oblige as before."""
    touched = rated("2023")
    touched.do("touch", "white", squares=["g1"])
    claimed = rated("2023")
    claimed.do("claim", "white", of="threefold", move="g1f3")
    replacing = rated("2023").moves("g1f5")
    replacing.do("claim", "black", of="illegal-move")
    for game, article_of in ((touched, "4.3.1"), (claimed, "9.5.3"), (replacing, "4.3.1")):
        game.do("restore", ply=0)
        refusal = game.announce("e2e4")
        assert refused(refusal) and article(refusal, "refused") == article_of
        assert names(game.announce("g1f3")) == ["move-made"]


def test_a_position_put_back_with_a_move_frees_who_makes_another() -> None:
    """D.2.9: of touched men the arbiter decides then."""
    game = rated("2023").moves("e2e4")
    game.do("touch", "black", squares=["g8"])
    game.do("restore", ply=0)
    assert names(game.announce("g1f3")) == ["move-made"]

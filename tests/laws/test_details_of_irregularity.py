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


def test_two_hands_of_a_pawn_that_has_become_a_queen_are_the_same_fault() -> None:
    """7.5.2, 7.5.4: two faults in one move count once, though the move stands as a lawful one now."""
    game = rated("2023", PAWN).moves("e7e8")
    game.do("claim", "black", of="illegal-move")
    [refusal] = game.do("claim", "black", of="two-hands")
    assert refusal["reason"] == "two faults in one move count once" and not game.over


@pytest.mark.parametrize("other_claim", [("black", "illegal-move"), ("arbiter", "two-hands")])
def test_two_claims_that_wait_about_one_move_count_once(other_claim: tuple[str, str]) -> None:
    """7.5.4: the arbiter who has accepted one of them can only reject the other."""
    claimant, of = other_claim
    game = rated("2023", PAWN).moves("e7e8")
    game.do("claim", claimant, of=of, wait=True)
    game.do("claim", "black", of="two-hands", wait=True)
    assert event(game.do("rule", claim="accept"), "illegal-move")["number"] == 1
    [refusal] = game.do("rule", claim="accept")
    assert refusal["reason"] == "two faults in one move count once" and not game.over
    assert names(game.do("rule", claim="reject"))[0] == "claim-wrong"


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


@pytest.mark.parametrize("edition", ["2009", "2014", "2018", "2023"])
def test_who_claims_an_illegal_move_is_not_punished_for_one_of_his_own_before_it(edition: str) -> None:
    game = rated(edition).moves("b1b3 b8b6")
    said = event(game.do("claim", "white", of="illegal-move"), "illegal-move")
    assert (said["side"], said["remedy"], game.status["ply"]) == ("black", "time-to-opponent", 1)


def test_an_illegal_move_that_was_put_right_before_the_ruling_is_none_any_more() -> None:
    game = rated("2023").moves("e2e4 b8b6")
    game.do("claim", "white", of="illegal-move", wait=True)
    game.do("restore", ply=1)
    game.do("resume")
    game.moves("b8c6")
    [refusal] = game.do("rule", claim="accept")
    assert refusal["reason"] == "no illegal move has been completed; restore the position by its ply"
    assert game.status["moves"] == ["e4", "Nc6"]


def test_who_pressed_without_a_move_cannot_claim_that_himself() -> None:
    game = rated("2023").moves("e2e4")
    game.do("press", "black")
    assert names(game.do("claim", "black", of="illegal-move")) == ["claim-wrong"]
    assert names(game.do("claim", "white", of="illegal-move"))[:2] == ["claim-right", "illegal-move"]


def test_a_press_without_a_move_is_claimed_after_another_fault_has_been_ruled_on() -> None:
    game = rated("2023").moves("e2e4")
    game.do("press", "black")
    game.do("claim", "arbiter", of="two-hands", ply=1)
    said = event(game.do("claim", "white", of="illegal-move"), "illegal-move")
    assert (said["side"], said["kind"], said["number"]) == ("black", "press-without-move", 1)


def test_an_early_press_is_forgotten_once_the_opponent_has_replied() -> None:
    """Only the press right before the move may be told from one without it."""
    game = rated("2023").moves("e2e4")
    game.do("press", "black")
    game.announce("e7e5")
    game.moves("g1f3")
    assert names(game.do("claim", "white", of="illegal-move")) == ["claim-wrong"]


def test_an_edition_without_a_sanction_for_two_hands_says_so_of_a_replaced_move_too() -> None:
    game = rated("2014").moves("e2e4 b8b6")
    game.do("claim", "white", of="illegal-move")
    [refusal] = game.do("claim", "white", of="two-hands")
    assert refusal["reason"] == "this edition has no sanction for using two hands"


def test_a_position_that_was_put_right_is_watched_no_longer() -> None:
    """A.5.4: the arbiter has not seen the pawn that is left later, and the opponent may claim it."""
    game = rated("2023", "8/4P1k1/8/8/8/8/p7/4K2Q w - - 0 1", control="900", supervised=False).moves("e7e8")
    assert names(game.do("claim", "arbiter", of="illegal-move")) == ["claim-waits"]
    game.do("claim", "black", of="illegal-move")
    game.moves("g7f6 e1e2 a2a1")
    assert not game.over
    assert event(game.do("claim", "white", of="illegal-move"), "illegal-move")["kind"] == "pawn-left"


@pytest.mark.parametrize("edition", ["2018", "2023"])
def test_a_pawn_left_right_after_a_watched_one_became_a_queen_is_no_draw(edition: str) -> None:
    """A.5.4: the game is drawn if the illegal position is still there, and it was put right."""
    game = rated(edition, "8/4P1k1/8/8/8/8/p7/4K2Q w - - 0 1", control="900", supervised=False).moves("e7e8")
    game.do("claim", "arbiter", of="illegal-move")
    game.do("claim", "black", of="illegal-move")
    game.moves("a2a1")
    assert not game.over
    assert event(game.do("claim", "white", of="illegal-move"), "illegal-move")["kind"] == "pawn-left"


def test_a_pawn_that_stands_is_watched_on_although_another_became_a_queen() -> None:
    """A.5.4: it was claimed of one of two pawns on their last rank, and the other one is still there."""
    game = rated("2023", "7k/P3P2p/8/8/8/8/7P/K7 w - - 0 1", control="900", supervised=False)
    game.moves("a7a8 h7h6 e7e8")
    game.do("claim", "arbiter", of="illegal-move")
    game.do("claim", "black", of="illegal-move")
    game.moves("h8g7")
    assert (game.result, game.reason) == ("1/2-1/2", "illegal-moves")


def test_in_2009_a_losing_pawn_is_put_back_and_so_is_the_man_that_it_took() -> None:
    """7.4.a, 7.4.b: no queen takes its place, and what Black could mate with stands again."""
    game = rated("2009", "3r4/4P1k1/8/8/8/8/8/4K3 w - - 0 1")
    for _ in range(3):
        game.moves("e7d8")
        said = game.do("claim", "black", of="illegal-move")
        game.do("restore", ply=0)
    assert event(said, "illegal-move")["remedy"] == "game-lost"
    assert (game.result, game.fen.split()[0]) == ("0-1", "3r4/4P1k1/8/8/8/8/8/4K3")


@pytest.mark.parametrize("reply", ["announced", "completed"])
def test_who_has_replied_complains_of_two_hands_no_more(reply: str) -> None:
    """4.8: the reply was a touch of his own, and the opponent has the move."""
    game = rated("2023").moves("e2e4")
    game.announce("e7e5")
    if reply == "completed":
        game.do("press", "black")
    [refusal] = game.do("claim", "black", of="two-hands")
    assert refusal["reason"] == "whoever has touched a man himself can no longer complain"


def test_the_clock_runs_for_whose_reply_a_queen_does_not_allow() -> None:
    """7.5.2, 3.10: the reply is taken back, whoever had the move when the pawn was claimed."""
    game = rated("2023", "8/4P3/2k5/8/8/8/p7/K7 w - - 0 1").moves("e7e8 c6d7")
    assert game.status["running"] == "white"
    game.do("claim", "arbiter", of="illegal-move")
    assert (game.status["moves"], game.status["running"]) == (["e8=Q+"], "black")


def test_a_position_with_the_queen_that_the_arbiter_set_recurs() -> None:
    """9.2.2: what counts is the position that stood after the move, with the queen."""
    game = rated("2023", "8/P7/6k1/8/8/8/7P/K7 w - - 0 1").moves("a7a8")
    game.do("claim", "black", of="illegal-move")
    game.moves("g6g7 a8b8 g7g6 b8a8 g6g7 a8b8 g7g6 b8a8")
    assert event(game.do("claim", "black", of="threefold"), "claim-right")["plies"] == [1, 5, 9]


def test_the_arbiter_claims_no_illegal_move_that_can_still_be_mended() -> None:
    game = rated("2023")
    game.announce("b1b3")
    [refusal] = game.do("claim", "arbiter", of="illegal-move")
    assert refusal["reason"] == "the move has not been completed"


def test_a_claim_is_about_the_illegal_move_that_is_not_too_late() -> None:
    """A.5.2: the first one stands, for Black has replied; the second does not."""
    game = rated("2023", control="900", supervised=False).moves("b1b3 e7e5 g1g3")
    said = event(game.do("claim", "black", of="illegal-move"), "illegal-move")
    assert (said["remedy"], game.status["ply"]) == ("time-to-opponent", 2)


def test_no_clock_runs_after_a_ruling_while_another_claim_stops_it() -> None:
    game = rated("2023").moves("e2e4")
    game.do("press", "black")
    game.do("claim", "white", of="illegal-move", wait=True)
    game.do("claim", "white", of="flag", wait=True)
    game.do("rule", claim="accept")
    assert game.status["running"] == "none"
    game.do("rule", claim="reject")
    assert game.status["running"] == "black"


def test_a_queen_that_is_set_after_the_reply_was_made_leaves_its_clock_running_until_the_press() -> None:
    """7.5.2, 6.2.1: the reply stands and is not completed; its player presses for it."""
    game = rated("2023", PAWN).moves("e7e8")
    game.announce("g7f6")
    game.do("claim", "arbiter", of="illegal-move")
    assert (game.status["moves"], game.status["running"]) == (["e8=Q", "Kf6"], "black")
    assert names(game.do("press", "black")) == ["move-completed"]


@pytest.mark.parametrize("move", ["e2e4q", "g1f3q", "e2e4z", "e2e2"])
def test_what_no_man_can_do_is_no_move_and_no_illegal_one(move: str) -> None:
    """3.7.3.3: only a pawn on its last rank becomes another man."""
    game = rated("2023")
    assert refused(game.announce(move))
    assert (game.status["ply"], game.turn) == (0, "white")

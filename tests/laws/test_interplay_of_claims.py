"""Rulings that meet: a claim, a flag or a question of before, and what has happened since."""

from __future__ import annotations

import pytest
from ledger_rows import editions, family
from played import Played, article, event, names, refused

AWAY = {"present": False}
BLIND = {"blind": True}
WALL = "4k3/1p6/p1p1p1p1/P1PpPpPp/1P1P1P1P/8/8/4K3 w - - 0 1"
"""Black can still open it by b7-b5, which White may take in passing, or not."""


@editions("L14-5.2b", "L18-5.2.2", "L23-5.2.2")
def test_a_position_is_dead_when_the_only_capture_en_passant_is_let_go_by(edition: str) -> None:
    game = Played(edition, WALL).moves("e1e2 b7b5")
    assert not game.over
    game.announce("e2e1")
    assert (game.result, game.reason) == ("1/2-1/2", "dead-position")


@editions("L14-5.2b", "L18-5.2.2", "L23-5.2.2")
def test_a_position_lives_on_when_the_capture_en_passant_is_made(edition: str) -> None:
    game = Played(edition, WALL).moves("e1e2 b7b5 a5b6")
    assert not game.over


@editions(*family("L14-7.2a"))
@pytest.mark.parametrize("chess960", [False, True])
def test_another_array_is_a_wrong_start_except_in_chess960(edition: str, chess960: bool) -> None:
    turned = "rbnqknbr/pppppppp/8/8/8/8/PPPPPPPP/RBNQKNBR w KQkq - 0 1"
    game = Played(edition, turned, chess960=chess960).moves("e2e4")
    said = game.do("claim", "black", of="initial-position")
    assert names(said) == (["claim-wrong"] if chess960 else ["claim-right", "game-over"])


# -- Late players --------------------------------------------------------------------------------------------


@pytest.mark.ledger("L14-6.7a", "L23-6.7.1")
@pytest.mark.parametrize("edition", ["2014", "2023"])
def test_who_was_excused_when_nobody_was_there_does_not_lose_with_the_other(edition: str) -> None:
    game = Played(edition, white=AWAY, black=AWAY, default_time=1800)
    game.do("arrive", "white", at=1900)
    game.do("rule", claim="reject")
    game.move("e2e4")
    assert game.do("arrive", "black", at=2000)[-1]["proposal"] == "+/-"
    game.do("rule", claim="accept")
    assert game.result == "+/-"


def late_sealer(edition: str) -> Played:
    """White has sealed and comes an hour late; Black has sealed a reply that loses."""
    game = Played(edition, default_time=1800).moves("f2f3 e7e5")
    game.do("adjourn")
    game.do("seal", "white", move="g2g4")
    game.do("stop-clock", by="white")
    game.do("resume", at=100)
    game.do("arrive", "black")
    game.do("open-envelope")
    game.do("seal", "black", move="d8h5")
    game.do("arrive", "white", at=4500)
    return game


@pytest.mark.ledger("L14-E.10", "L23-I.10")
@pytest.mark.parametrize("edition", ["2009", "2014", "2023"])
def test_a_reply_waits_until_it_is_ruled_whether_the_sealer_came_too_late(edition: str) -> None:
    game = late_sealer(edition)
    assert (game.last["event"], game.last["proposal"], game.over) == ("arbiter-asked", "0-1", False)
    game.do("rule", claim="accept")
    assert (game.result, game.reason) == ("0-1", "default")


@pytest.mark.ledger("L14-E.10", "L23-I.10")
@pytest.mark.parametrize("edition", ["2009", "2014", "2023"])
def test_a_reply_is_opened_when_the_sealer_s_lateness_is_excused(edition: str) -> None:
    game = late_sealer(edition)
    said = game.do("rule", claim="reject")
    assert names(said) == ["envelope-opened", "game-over"]
    assert (game.result, game.reason) == ("1-0", "sealed-move")


# -- Illegal moves -------------------------------------------------------------------------------------------


@pytest.mark.ledger("L23-A.5.2b")
@pytest.mark.parametrize("edition", ["2009", "2018", "2023"])
def test_a_claim_made_before_the_reply_is_not_late_when_it_is_ruled_on_after_it(edition: str) -> None:
    game = Played(edition, time_control="900", supervised=False).moves("e2e4 b8b6")
    before = game.status["white"]
    game.do("claim", "white", of="illegal-move", wait=True)
    game.do("resume")
    game.announce("d2d4")
    said = event(game.do("rule", claim="accept"), "illegal-move")
    assert (said["number"], said["remedy"]) == (1, "time-to-opponent")
    assert game.status["white"] > before and game.status["moves"] == ["e4"]


@pytest.mark.parametrize("of", ["illegal-move", "two-hands"])
def test_what_was_claimed_is_ruled_on_and_not_a_later_illegal_move(of: str) -> None:
    """A.5.2: the one before the reply was claimed in time."""
    game = Played("2023", time_control="900", supervised=False).moves("e2e4 b8b6")
    game.do("claim", "white", of=of, wait=True)
    game.do("resume")
    game.moves("d2d4 g8g6")
    game.do("rule", claim="accept")
    assert game.status["moves"] == ["e4"]


def pressed_and_claimed() -> Played:
    """Black presses without a move, White claims, and Black gets his clock back before the ruling."""
    game = Played("2023").moves("e2e4")
    game.do("press", "black")
    game.do("claim", "white", of="illegal-move", wait=True)
    game.do("resume")
    game.announce("e7e5")
    return game


@pytest.mark.ledger("L23-7.5.3")
def test_a_press_without_a_move_is_one_although_the_move_was_made_before_the_ruling() -> None:
    game = pressed_and_claimed()
    said = event(game.do("rule", claim="accept"), "illegal-move")
    assert (said["side"], said["kind"], said["number"]) == ("black", "press-without-move", 1)
    assert game.status["running"] == "black"
    assert names(game.do("press", "black")) == ["move-completed"]
    assert game.do("claim", "white", of="illegal-move")[-1]["event"] == "claim-wrong"


@pytest.mark.ledger("L23-7.5.3")
def test_a_press_that_is_ruled_no_offence_forgives_no_later_one() -> None:
    game = pressed_and_claimed()
    game.do("press", "black")
    game.do("press", "white")
    game.do("rule", claim="reject")
    said = event(game.do("claim", "black", of="illegal-move"), "illegal-move")
    assert (said["side"], said["kind"], said["number"]) == ("white", "press-without-move", 1)


# -- Flags ---------------------------------------------------------------------------------------------------


def postponed(edition: str) -> Played:
    """White claims a quickplay finish, the arbiter postpones, and White's flag is seen to fall."""
    game = Played(edition, time_control="7200", quickplay_finish=True).moves("e2e4 e7e5")
    game.do("claim", "white", at=7150, of="quickplay-finish")
    game.do("rule", claim="postpone")
    game.announce("g1f3")
    said = game.do("press", "white", at=7250)
    assert "flag-fallen" in names(said) and not game.over
    return game


@pytest.mark.ledger("L09-10.2b", "L14-6.8", "L23-III.5.2")
@pytest.mark.parametrize("edition", ["2009", "2014", "2023"])
def test_a_flag_that_was_seen_to_fall_stays_down_whatever_the_opponent_claims(edition: str) -> None:
    game = postponed(edition)
    assert game.do("claim", "black", of="threefold")[-1]["seconds"] == 0
    assert game.status["white"] == 0
    game.do("rule", claim="reject")
    assert (game.result, game.reason) == ("0-1", "flag")


@pytest.mark.ledger("L09-10.2b", "L23-III.5.2")
@pytest.mark.parametrize("edition", ["2009", "2014", "2023"])
def test_a_flag_that_was_seen_to_fall_stays_down_when_the_opponent_moves_illegally(edition: str) -> None:
    game = postponed(edition)
    game.move("f8f6")
    said = game.do("claim", "white", of="illegal-move")
    assert event(said, "illegal-move")["seconds"] == 0
    game.do("rule", claim="reject")
    assert (game.result, game.reason) == ("0-1", "flag")


@pytest.mark.ledger("L09-10.2b", "L14-6.8", "L23-6.8")
@pytest.mark.parametrize("edition", ["2009", "2014", "2023"])
def test_whose_flag_was_seen_to_fall_accepts_no_draw_and_claims_none_but_his_opponent_may(
    edition: str,
) -> None:
    game = Played(edition, time_control="7200", quickplay_finish=True).moves("g1f3 g8f6 f3g1 f6g8 g1f3 g8f6")
    game.do("claim", "white", at=7150, of="quickplay-finish")
    game.do("rule", claim="postpone")
    game.moves("f3g1 f6g8")
    game.do("offer-draw", "black")
    for verb, keys in (("accept-draw", {}), ("claim", {"of": "threefold"})):
        said = game.do(verb, "white", at=7250, **keys)
        assert said[-1]["reason"] == "the flag has fallen" and not game.over
    game.do("offer-draw", "white")
    game.do("accept-draw", "black")
    assert (game.result, game.reason) == ("1/2-1/2", "agreement")


@pytest.mark.ledger("L09-10.2b", "L14-6.9a", "L23-6.9a")
@pytest.mark.parametrize("edition", ["2009", "2014", "2018", "2023"])
@pytest.mark.parametrize("move", ["g6g7", "g6f7"], ids=["mate", "stalemate"])
def test_whose_flag_was_seen_to_fall_moves_no_more_until_the_ruling(edition: str, move: str) -> None:
    game = Played(edition, "7k/8/5KQ1/8/8/p7/P7/8 w - - 0 1", time_control="4000", quickplay_finish=True)
    game.do("claim", "white", at=3900, of="quickplay-finish")
    game.do("rule", claim="postpone")
    game.announce("g6g5")
    said = game.do("correct", "white", at=4010, move=move)
    assert names(said) == ["flag-fallen", "refused"] and said[-1]["reason"] == "the flag has fallen"
    game.do("restore", ply=0)
    assert game.announce(move)[-1]["reason"] == "the flag has fallen" and not game.over
    game.do("rule", claim="reject")
    assert (game.result, game.reason) == ("0-1", "flag")


@pytest.mark.ledger("L09-10.2b", "L23-III.5.2")
@pytest.mark.parametrize("edition", ["2009", "2014", "2018", "2023"])
def test_a_ruling_is_not_postponed_beyond_the_fall_of_the_flag(edition: str) -> None:
    game = postponed(edition)
    assert game.do("rule", claim="postpone")[-1]["reason"] == "the flag has fallen"
    game.do("rule", claim="accept")
    assert (game.result, game.reason) == ("1/2-1/2", "quickplay-finish")


def test_a_flag_that_the_arbiter_rules_down_loses_although_this_clock_has_not_seen_it() -> None:
    """6.8, 6.9: which of two moves it was is asked first, for it may have ended the game in time."""
    game = Played("2023", time_control="600", white=BLIND)
    game.do("place", "white", move="e2e4")
    game.announce("d2d4")
    game.do("claim", "black", of="flag", wait=True)
    assert names(game.do("rule", claim="accept"))[-1] == "arbiter-asked"
    game.do("rule", claim="accept")
    assert (game.result, game.reason) == ("0-1", "flag")


# -- Claims of a draw ----------------------------------------------------------------------------------------


@pytest.mark.ledger("L14-9.1b1c", "L23-9.1.2.1c")
@pytest.mark.parametrize("edition", ["2014", "2023"])
def test_an_offer_that_was_declined_is_not_made_again_by_the_ruling_on_the_claim(edition: str) -> None:
    game = Played(edition).moves("e2e4 e7e5")
    game.do("claim", "white", of="fifty-moves", wait=True)
    game.do("decline-draw", "black")
    game.do("rule", claim="reject")
    assert refused(game.do("accept-draw", "black"))


@pytest.mark.ledger("L14-9.1b3", "L23-9.1.2.3")
@pytest.mark.parametrize("wait", [False, True])
def test_a_claim_that_is_rejected_stays_an_offer(wait: bool) -> None:
    game = Played("2023").moves("e2e4 e7e5")
    game.do("claim", "white", of="fifty-moves", wait=wait)
    if wait:
        game.do("rule", claim="reject")
    game.do("accept-draw", "black")
    assert (game.result, game.reason) == ("1/2-1/2", "agreement")


@pytest.mark.ledger("L23-9.5.3b")
@pytest.mark.parametrize(
    ("written", "due", "san"),
    [("d2d4", "d2d4", "d4"), pytest.param("b1b3", "b1c3", "Nc3", id="b1b3 is none: the knight must move")],
)
def test_what_was_announced_before_a_wrong_claim_is_not_made_in_place_of_what_is_due(
    written: str, due: str, san: str
) -> None:
    game = Played("2023", white=BLIND)
    game.announce("e2e4")
    game.do("claim", "white", of="threefold", move=written)
    game.do("place", "white", move=due)
    assert refused(game.do("press", "white"))
    game.announce(due)
    game.do("press", "white")
    assert game.status["moves"] == [san]


def lifted_and_placed(edition: str, move: str) -> Played:
    """A blind player announces e4 and lifts and places the man of `move`."""
    game = Played(edition, white=BLIND)
    game.announce("e2e4")
    game.do("touch", "white", squares=[move[:2]])
    game.do("place", "white", move=move)
    return game


@pytest.mark.ledger("L14-4.3a", "L23-4.3.1")
@pytest.mark.parametrize("edition", ["2014", "2023"])
def test_who_lifts_another_man_than_he_announced_announces_anew(edition: str) -> None:
    game = lifted_and_placed(edition, "d2d4")
    assert refused(game.do("press", "white"))
    game.announce("d2d4")
    game.do("press", "white")
    assert game.status["moves"] == ["d4"]


@pytest.mark.ledger("L14-4.3a", "L23-4.3.1")
@pytest.mark.parametrize("edition", ["2014", "2023"])
def test_who_lifts_the_man_he_announced_has_announced_it(edition: str) -> None:
    game = lifted_and_placed(edition, "e2e4")
    game.do("press", "white")
    assert game.status["moves"] == ["e4"]


@editions("L97-B.5")
def test_in_1997_the_arbiter_is_told_that_both_players_must_ask_for_a_quickplay_ruling(edition: str) -> None:
    game = Played(edition, time_control="1200", quickplay_finish=True).moves("e2e4 e7e5")
    said = game.do("claim", "white", at=1150, of="quickplay-finish")
    assert (names(said), article(said, "claim-waits"), said[0]["both"]) == (["claim-waits"], "B.5", True)


@pytest.mark.parametrize(("edition", "control"), [("1997", "7200"), ("2009", "1200")])
def test_elsewhere_one_player_asks_for_a_quickplay_ruling(edition: str, control: str) -> None:
    game = Played(edition, time_control=control, quickplay_finish=True).moves("e2e4 e7e5")
    [waits] = game.do("claim", "white", at=float(control) - 50, of="quickplay-finish")
    assert waits["event"] == "claim-waits" and "both" not in waits


# -- Illegal moves -------------------------------------------------------------------------------------------


@editions("L09-7.4a", "L09-4.6c")
def test_a_pawn_left_on_the_last_rank_is_exchanged_there_after_the_claim_too(edition: str) -> None:
    game = Played(edition, "3r3k/4P3/8/8/8/8/8/K7 w - - 0 1").moves("e7e8")
    game.do("claim", "black", of="illegal-move")
    said = game.announce("e7d8q")
    assert refused(said) and article(said, "refused") == "4.6"
    assert said[-1]["due"] == ["e7e8q", "e7e8r", "e7e8b", "e7e8n"]
    game.move("e7e8n")
    game.move("h8h7")
    game.move("a1a2")
    assert game.status["moves"] == ["e8=N", "Kh7", "Ka2"]


@editions("L14-A.4d", "L18-A.4.4", "L23-A.5.4")
def test_the_next_move_to_be_completed_may_be_one_that_was_made_already(edition: str) -> None:
    game = Played(edition, "7k/P6p/8/8/8/8/7P/K7 w - - 0 1", time_control="900", supervised=False).moves(
        "a7a8"
    )
    game.announce("h7h6")
    assert names(game.do("claim", "arbiter", of="illegal-move")) == ["claim-waits"]
    game.do("press", "black")
    assert (game.result, game.reason) == ("1/2-1/2", "illegal-moves")


@editions("L14-A.4d", "L18-A.4.4", "L23-A.5.4")
def test_a_pawn_on_the_last_rank_is_watched_although_a_player_claimed_it_too_late(edition: str) -> None:
    game = Played(edition, "7k/P6p/8/8/8/8/7P/K7 w - - 0 1", time_control="900", supervised=False)
    game.moves("a7a8 h7h6")
    assert event(game.do("claim", "black", of="illegal-move"), "illegal-move")["remedy"] == "stands"
    assert names(game.do("claim", "arbiter", of="illegal-move")) == ["claim-waits"]
    game.move("h2h3")
    assert (game.result, game.reason) == ("1/2-1/2", "illegal-moves")


@editions("L97-B.4")
def test_in_1997_the_three_moves_after_which_the_clock_setting_stands_need_only_be_made(edition: str) -> None:
    game = Played(edition, time_control="1200").moves("e2e4 e7e5 g1f3 b8c6 f1c4")
    game.announce("f8c5")
    assert refused(game.do("set-clock", white=1000, reason="setting"))


@editions("L18-9.2.1.2")
def test_a_threefold_that_stands_is_claimed_by_the_number_of_its_edition(edition: str) -> None:
    game = Played(edition).moves("g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8")
    assert article(game.do("claim", "white", of="threefold"), "claim-right") == "9.2.1.2"


@editions("L05-E.2.1b")
def test_the_piece_of_a_promotion_is_to_be_announced_in_2009_by_the_text_of_2005(edition: str) -> None:
    for laws, borrowed in ((edition, False), ("2009", True)):
        game = Played(laws, "7k/4P3/8/8/8/8/8/K7 w - - 0 1", white=BLIND)
        [said] = game.announce("e8")
        assert (said["event"], said["article"], bool(said.get("borrowed"))) == (
            "refused",
            "2005 E2.1",
            borrowed,
        )

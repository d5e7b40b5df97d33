"""Rulings that meet: lateness on both sides, a flag over an unlawful position, a control passed twice."""

from __future__ import annotations

import pytest
from played import Played, event, names

AWAY = {"present": False}
PROMOTION = "8/4P1k1/8/8/8/8/8/4K2Q w - - 0 1"


# -- Lateness of both --------------------------------------------------------------------------------------


@pytest.mark.ledger("L14-6.7a", "L23-6.7.1")
@pytest.mark.parametrize(("edition", "wait"), [("2014", 900), ("2023", 0)])
def test_two_players_who_come_too_late_have_both_lost(edition: str, wait: int) -> None:
    game = Played(edition, white=AWAY, black=AWAY, default_time=wait)
    first = game.do("arrive", "black", at=1000)
    second = game.do("arrive", "white", at=1001)
    for said in (first, second):
        assert said[-1]["proposal"] == "-/-"
    game.do("rule", claim="accept")
    assert (game.result, game.reason) == ("-/-", "default")


@pytest.mark.ledger("L14-6.7a", "L23-6.7.1")
@pytest.mark.parametrize("edition", ["2014", "2023"])
@pytest.mark.parametrize(
    ("first", "excused", "result"), [("white", "black", "-/+"), ("black", "white", "+/-")]
)
def test_of_two_players_who_come_too_late_the_excused_one_wins(
    edition: str, first: str, excused: str, result: str
) -> None:
    game = Played(edition, white=AWAY, black=AWAY, default_time=900)
    game.do("arrive", first, at=1000)
    game.do("arrive", excused, at=1001)
    [asked] = game.do("rule", claim="reject")
    assert (asked["about"], asked["side"], asked["proposal"]) == ("default", first, result)
    game.do("rule", claim="accept")
    assert (game.result, game.reason) == (result, "default")


@pytest.mark.ledger("L14-6.7a", "L23-6.7.1")
def test_two_players_who_come_too_late_and_are_both_excused_play() -> None:
    game = Played("2023", white=AWAY, black=AWAY, default_time=900)
    game.do("arrive", "white", at=1000)
    game.do("arrive", "black", at=1001)
    game.do("rule", claim="reject")
    assert game.do("rule", claim="reject") == []
    assert names(game.announce("e2e4")) == ["move-made"] and not game.referee.questions


@pytest.mark.ledger("L23-6.7.1")
def test_without_a_default_time_nobody_at_the_board_is_a_question_from_the_start() -> None:
    game = Played("2023", white=AWAY, black=AWAY)
    asked = event(game.do("ask", "arbiter", at=3, about="times"), "arbiter-asked")
    assert (asked["at"], asked["about"], asked["proposal"]) == (0, "default", "-/-")


@pytest.mark.ledger("L23-6.7.1")
def test_with_nobody_at_the_board_the_question_comes_at_the_default_time() -> None:
    game = Played("2023", white=AWAY, black=AWAY, default_time=900)
    assert names(game.do("ask", "arbiter", at=899, about="times")) == ["answer"]
    said = game.do("ask", "arbiter", at=1000, about="times")
    assert names(said) == ["arbiter-asked", "answer"]
    assert (said[0]["at"], said[0]["about"], said[0]["proposal"]) == (900, "default", "-/-")


@pytest.mark.ledger("L14-6.7a")
def test_a_player_whose_lateness_was_excused_does_not_lose_with_the_other() -> None:
    game = Played("2014", white=AWAY, default_time=900)
    game.do("arrive", "white", at=901)
    game.do("rule", claim="reject")
    game.move("e2e4")
    assert game.turn == "black" and not game.over


@pytest.mark.ledger("L14-E.10", "L23-I.10")
@pytest.mark.parametrize("edition", ["2009", "2014", "2023"])
def test_two_players_who_resume_too_late_have_both_lost(edition: str) -> None:
    game = Played(edition, time_control="20000", default_time=3600).moves("e2e4")
    game.do("adjourn", at=100)
    game.do("seal", "black", move="e7e5")
    game.do("stop-clock", by="black")
    game.do("resume", at=1000)
    assert game.do("arrive", "white", at=5000)[-1]["proposal"] == "0-1"
    assert game.do("arrive", "black", at=5001)[-1]["proposal"] == "0-0"


# -- A flag over a position that is none ---------------------------------------------------------------------


@pytest.mark.ledger("L14-6.9b", "L23-6.9b")
@pytest.mark.parametrize("edition", ["2009", "2014", "2018", "2023"])
def test_a_flag_falls_over_a_pawn_left_on_the_last_rank_against_a_bare_king(edition: str) -> None:
    game = Played(edition, PROMOTION, time_control="60", category="standard")
    game.announce("e7e8")
    said = game.do("press", "white", at=60)
    assert names(said) == ["flag-fallen", "game-over", "refused"]
    assert (game.result, game.reason) == ("1/2-1/2", "flag")


def test_a_flag_over_an_unlawful_position_is_judged_by_the_last_lawful_one() -> None:
    game = Played("2023", "r3k3/4P3/8/8/8/8/8/4K2Q w - - 0 1", time_control="60", category="standard")
    game.announce("e7e8")
    over = event(game.do("press", "white", at=60), "game-over")
    assert (over["result"], over.get("presumed")) == ("0-1", None)


@pytest.mark.ledger("COL-B2c", "COL-B17")
def test_a_king_taken_loses_without_any_presumption() -> None:
    game = Played("blitz-co", "4k3/8/8/8/8/8/4r3/R3K3 w - - 0 1", time_control="300")
    game.moves("a1a2 e2e1")
    said = game.do("claim", "white", of="illegal-move")
    assert "presumed" not in event(said, "game-over") and game.result == "1-0"


# -- A control passed twice ----------------------------------------------------------------------------------


def illegal_at_the_control(control: str) -> Played:
    """White's second move, which makes the control of two moves, is illegal and taken back."""
    game = Played("2014", time_control=control, category="standard").moves("e2e4 e7e5 b1b3")
    assert game.status["white"] > 100
    game.do("claim", "black", at=game.at, of="illegal-move")
    return game


@pytest.mark.ledger("L14-7.5b1", "L14-6.3b1")
def test_the_time_of_a_period_is_added_once_though_the_move_at_the_control_was_taken_back() -> None:
    game = illegal_at_the_control("2/100:50")
    before = float(game.status["white"])
    said = game.move("b1c3")
    assert event(said, "period-reached")["moves"] == 2
    assert game.status["white"] == before - 2


@pytest.mark.ledger("L14-7.5b1", "L14-6.10b")
def test_when_the_arbiter_has_set_the_noted_times_the_control_adds_its_time_again() -> None:
    game = illegal_at_the_control("2/100:50")
    noted = event(game.events, "position-restored")
    game.do("set-clock", white=noted["white"], black=noted["black"], at=game.at)
    game.move("b1c3")
    assert game.status["white"] == noted["white"] + 50 - 2


@pytest.mark.ledger("L09-6.2b1")
def test_in_delay_mode_a_control_passed_again_takes_nothing_away() -> None:
    game = Played("2009", time_control="2/100d1:50d1", category="standard").moves("e2e4 e7e5 b1b3")
    game.do("claim", "black", at=game.at, of="illegal-move")
    before = float(game.status["white"])
    game.move("b1c3")
    assert before - 2 <= game.status["white"] <= before


@pytest.mark.ledger("L14-6.10b")
def test_the_move_counter_set_between_a_move_and_its_press_counts_the_press_once() -> None:
    game = Played("2014", time_control="3/100:50", category="standard").moves("e2e4 e7e5")
    game.announce("g1f3")
    game.do("set-clock", moves=1)
    game.do("press", "white")
    game.move("b8c6")
    assert not [each for each in game.events if each["event"] == "period-reached"]
    assert names(game.move("f1c4"))[-1] == "period-reached"


# -- What a finished game shows ------------------------------------------------------------------------------


@pytest.mark.ledger("L23-5.2.3", "L23-9.1.2.1c")
def test_no_offer_is_left_when_a_draw_has_been_agreed() -> None:
    game = Played("2023").moves("e2e4 e7e5")
    game.do("offer-draw", "white")
    assert game.status["draw_offer"] == "white"
    game.do("accept-draw", "black")
    assert (game.result, game.status["draw_offer"]) == ("1/2-1/2", "none")


@pytest.mark.ledger("L23-10.2", "L23-12.9.4")
def test_points_that_would_add_up_to_more_than_a_win_are_shown_to_the_arbiter() -> None:
    game = Played("2023").moves("e2e4 e7e5")
    game.do("penalty", "white", kind="points-opponent", points=0.5)
    game.do("offer-draw", "white")
    said = game.do("accept-draw", "black")
    assert names(said) == ["arbiter-asked", "game-over"]
    assert (said[0]["about"], said[0]["proposal"], said[0]["article"]) == ("score", "1/2-1/2", "2023 10.2")
    assert game.result == "1/2-1/2"


@pytest.mark.parametrize("edition", ["2014", "2023"])
def test_an_offer_outlives_a_slip_of_the_tongue_that_is_mended_after_it(edition: str) -> None:
    """9.1: it ends when a man is touched or it is answered, and to speak otherwise is neither (D.2.8)."""
    game = Played(edition).moves("e2e4")
    game.announce("e7e5")
    game.do("offer-draw", "white")
    assert names(game.do("correct", "black", move="e7e6")) == ["slip-corrected", "move-made"]
    assert game.status["draw_offer"] == "white"


def test_an_offer_that_was_rejected_by_a_move_stays_so_when_its_slip_of_the_tongue_is_mended() -> None:
    game = Played("2023")
    game.announce("e2e4")
    game.do("offer-draw", "white")
    game.do("press", "white")
    game.announce("e7e5")
    game.do("correct", "black", move="e7e6")
    assert game.status["draw_offer"] == "none"


@pytest.mark.parametrize("move", ["e7e5", "e8e6"])
def test_no_claim_tells_whether_a_move_that_can_still_be_mended_is_legal(move: str) -> None:
    game = Played("2023").moves("e2e4")
    game.announce(move)
    said = game.do("claim", "white", of="illegal-move")
    assert [(each["event"], each.get("reason")) for each in said] == [
        ("refused", "the move has not been completed")
    ]


@pytest.mark.ledger("L14-9.1b1c", "L23-9.1.2.1c")
@pytest.mark.parametrize("edition", ["2014", "2023"])
def test_an_offer_outlives_the_illegal_move_it_was_made_with(edition: str) -> None:
    game = Played(edition)
    game.announce("b1b3")
    game.do("offer-draw", "white")
    game.do("press", "white")
    game.do("claim", "black", of="illegal-move")
    assert game.status["draw_offer"] == "white"
    game.move("b1c3")
    game.move("e7e5")
    assert game.status["draw_offer"] == "none"


# -- A ruling that comes after the position it is about ------------------------------------------------------


@pytest.mark.ledger("L23-9.5.3b")
@pytest.mark.parametrize("written", ["g1f3", "e1e3"])
def test_the_move_written_for_a_claim_that_is_rejected_later_binds_nobody_once_play_has_gone_on(
    written: str,
) -> None:
    game = Played("2023", time_control="5400").moves("e2e4 e7e5")
    game.do("claim", "white", of="threefold", move=written, wait=True)
    game.do("resume")
    game.move("g1f3")
    game.do("rule", claim="reject")
    assert game.move("b8c6")[-1]["event"] == "move-completed"
    assert game.move("f1c4")[-1]["event"] == "move-completed"


@pytest.mark.ledger("L23-9.5.3b")
def test_the_move_written_for_a_claim_is_due_when_the_clocks_run_again_before_the_ruling() -> None:
    game = Played("2023", time_control="5400").moves("e2e4 e7e5")
    game.do("claim", "white", of="threefold", move="g1f3", wait=True)
    game.do("resume")
    game.do("rule", claim="reject")
    assert game.announce("f1c4")[-1]["due"] == ["g1f3"]


@pytest.mark.ledger("L14-4.3a")
def test_a_man_whose_touching_is_confirmed_after_the_move_binds_no_later_move() -> None:
    blind = {"blind": True}
    game = Played("2014", white=blind, time_control="5400")
    game.announce("e2e4", placed=True)
    game.do("press", "white")
    game.do("touch", "black", squares=["b8"], by="assistant")
    game.move("e7e5")
    game.announce("d2d4", placed=True)
    game.do("press", "white")
    game.do("rule", claim="accept")
    assert game.announce("d7d5")[-1]["event"] == "move-made"


@pytest.mark.ledger("L23-I.1.1a")
def test_the_order_to_seal_follows_the_position_that_an_illegal_move_is_taken_back_to() -> None:
    game = Played("2023", time_control="5400").moves("e2e4 e7e5")
    game.move("e1e3")
    assert event(game.do("adjourn"), "adjourned")["side"] == "black"
    game.do("seal", "black", move="b8c6")
    ruled = game.do("claim", "black", of="illegal-move")
    assert names(ruled)[-2:] == ["sealed-void", "adjourned"]
    assert (ruled[-2]["side"], ruled[-1]["side"]) == ("black", "white")
    assert game.do("stop-clock", by="arbiter")[-1]["event"] == "refused", "what Black sealed is void"
    assert game.do("seal", "black", move="b8c6")[-1]["event"] == "refused"
    assert event(game.do("seal", "white", move="e1e2"), "sealed")["side"] == "white"


@pytest.mark.ledger("L23-6.9b")
def test_with_both_flags_down_the_score_that_is_proposed_is_a_draw_against_a_bare_king() -> None:
    fen = "4k3/8/8/8/8/8/1r6/4K3 w - - 0 1"
    game = Played("2023", fen, time_control="180", supervised=False)
    game.move("e1d1")
    game.announce("b2b8", "black")
    game.do("press", "black", at=190)
    asked = event(game.do("claim", "white", at=400, of="flag"), "arbiter-asked")
    assert asked["proposal"] == "1/2-1/2"


@pytest.mark.ledger("L23-6.9b")
def test_with_both_flags_down_the_first_to_fall_is_proposed_to_lose() -> None:
    game = Played("2023", time_control="180", supervised=False)
    game.announce("e2e4")
    game.do("press", "white", at=190)
    asked = event(game.do("claim", "white", at=400, of="flag"), "arbiter-asked")
    assert asked["proposal"] == "0-1"


@pytest.mark.ledger("L23-6.9b")
def test_with_both_flags_down_and_nobody_knowing_which_fell_first_a_draw_is_proposed() -> None:
    game = Played("2023", time_control="180", supervised=False).moves("e2e4 e7e5")
    game.do("set-clock", white=0, black=0)
    asked = event(game.do("claim", "white", of="flag"), "arbiter-asked")
    assert asked["proposal"] == "1/2-1/2"


@pytest.mark.ledger("L23-7.5.3")
def test_a_press_for_a_move_that_the_opponent_has_answered_and_pressed_for_is_a_press_without_move() -> None:
    game = Played("2023", time_control="180+2")
    for move in ("e2e4", "e7e5", "d2d4"):
        game.announce(move)
    game.do("press", "white")
    game.do("press", "black")
    assert event(game.do("claim", "white", of="illegal-move"), "illegal-move")["kind"] == "press-without-move"


@pytest.mark.ledger("L23-6.2.1.2")
def test_a_player_may_still_press_for_his_move_when_the_opponent_has_replied_and_not_pressed() -> None:
    game = Played("2023", time_control="180+2").moves("e2e4")
    game.announce("e7e5")
    game.announce("d2d4")
    said = game.do("press", "black")
    assert names(said) == ["move-completed"]
    assert game.status["running"] == "white"


@pytest.mark.parametrize("black", [{}, {"blind": True}])
def test_a_press_that_is_refused_completes_nothing(black: dict[str, bool]) -> None:
    game = Played("2023", time_control="180+2", mode="rated" if black else "club", black=black)
    for move in ("e2e4", "e7e5", "d2d4"):
        game.announce(move, placed=True)
    game.do("press", "white")
    assert names(game.do("press", "black")) == ["refused"]
    said = game.announce("d7d5", placed=True) + game.do("press", "black")
    assert [each["ply"] for each in said if each["event"] == "move-completed"] == [2, 4]


@pytest.mark.ledger("L23-I.1.2")
def test_time_up_to_the_end_of_the_session_is_the_one_s_who_seals_in_the_end() -> None:
    game = Played("2023", time_control="5400")
    game.moves("e2e4 e7e5 e1e3")
    game.do("adjourn", session_end=1000)
    game.do("claim", "black", of="illegal-move")
    game.do("seal", "white", move="e1e2")
    used = event(game.do("stop-clock"), "clock-stopped")["used"]
    assert used["white"] > 900 > 100 > used["black"]


ADJOURNING = ["1997", "2005", "2009", "2014", "2018", "2023"]


def adjourned_on_an_illegal_move(edition: str) -> Played:
    """Black's illegal Ke6 stands, White has sealed a knight's move, and both are away."""
    game = Played(edition, time_control="5400", default_time=None).moves("e2e4 e7e5 d2d4 e8e6")
    game.do("adjourn")
    game.do("seal", "white", move="g1f3")
    game.do("stop-clock", by="white")
    return game


def come_back(game: Played) -> None:
    game.do("arrive", "black")
    game.do("arrive", "white")
    game.do("resume")


@pytest.mark.ledger("L14-7.5a1", "L23-7.5.1")
@pytest.mark.parametrize("edition", ADJOURNING)
@pytest.mark.parametrize("who", ["white", "arbiter"])
@pytest.mark.parametrize("is_hour", [False, True])
def test_a_move_sealed_in_a_position_that_is_taken_back_is_void(
    edition: str, who: str, is_hour: bool
) -> None:
    game = adjourned_on_an_illegal_move(edition)
    if is_hour:
        come_back(game)
    ruled = game.do("claim", who, of="illegal-move")
    assert event(ruled, "position-restored")["ply"] == 3
    assert event(ruled, "sealed-void")["side"] == "white"
    if not is_hour:
        assert game.announce("e8e7", "black")[-1]["reason"] == "the game is adjourned"
    assert game.do("open-envelope")[-1]["reason"].endswith("what was sealed is void")
    assert game.do("envelope-lost")[-1]["reason"] == "there is no envelope"
    if is_hour:
        game.do("resume")
    else:
        come_back(game)
    assert (game.status["running"], game.turn) == ("black", "black")
    assert game.announce("b8c6", "black")[-1]["due"] == ["e8e7"]
    game.moves("e8e7 g1f3")
    assert game.status["running"] == "black" and not game.over


@pytest.mark.ledger("L14-7.1", "L23-7.1")
def test_a_position_that_the_arbiter_restores_voids_the_envelope_and_the_same_position_does_not() -> None:
    game = adjourned_on_an_illegal_move("2023")
    game.do("restore", ply=4)
    come_back(game)
    assert "move-made" in names(game.do("open-envelope"))
    other = adjourned_on_an_illegal_move("2023")
    other.do("restore", ply=2)
    assert other.do("open-envelope")[-1]["event"] == "refused"
    come_back(other)
    assert other.move("b1c3")[-1]["event"] == "move-completed"


@pytest.mark.ledger("L23-7.5.2")
def test_a_move_sealed_beside_a_pawn_on_the_last_rank_is_void_when_the_pawn_becomes_a_queen() -> None:
    game = Played("2023", "4k3/7P/8/8/3p4/4P3/8/4K3 w - - 0 1", time_control="5400", default_time=None)
    game.move("h7h8")
    game.do("adjourn")
    game.do("seal", "black", move="d4e3")
    game.do("stop-clock", by="black")
    game.do("claim", "black", of="illegal-move")
    game.do("rule", claim="reject")
    assert game.do("open-envelope")[-1]["event"] == "refused"
    come_back(game)
    assert game.move("e8d7")[-1]["event"] == "move-completed"


@pytest.mark.ledger("L14-E.12a", "L23-I.12.1")
def test_a_position_restored_while_the_sealed_move_is_to_be_declared_lets_the_other_one_move() -> None:
    game = adjourned_on_an_illegal_move("2023")
    come_back(game)
    game.do("envelope-lost")
    game.do("claim", "white", of="illegal-move")
    game.do("resume")
    assert game.move("e8e7")[-1]["event"] == "move-completed"


def replied_to_an_absent_sealer() -> Played:
    """White's sealed Nf3 is made after Black's illegal Ke6, and Black's reply lies in a second envelope."""
    game = adjourned_on_an_illegal_move("2023")
    game.do("arrive", "black")
    game.do("resume")
    game.do("open-envelope")
    game.do("seal", "black", move="b8c6")
    return game


@pytest.mark.ledger("L14-E.9c", "L23-I.9.3")
def test_a_reply_sealed_in_a_position_that_is_taken_back_is_void() -> None:
    game = replied_to_an_absent_sealer()
    assert event(game.do("claim", "arbiter", of="illegal-move"), "sealed-void")["side"] == "black"
    assert game.status["running"] == "black"
    assert names(game.do("arrive", "white")) == []
    assert game.announce("b8c6", "black")[-1]["due"] == ["e8e7"]
    assert game.move("e8e7")[-1]["event"] == "move-completed"


@pytest.mark.ledger("L14-E.9c", "L23-I.9.3")
def test_a_reply_outlives_the_order_back_to_the_position_it_was_sealed_in() -> None:
    game = replied_to_an_absent_sealer()
    game.do("restore", ply=5)
    assert game.status["running"] == "white"
    assert "move-made" in names(game.do("arrive", "white"))
    restored = replied_to_an_absent_sealer()
    restored.do("restore", ply=4)
    assert names(restored.do("arrive", "white")) == []
    assert (restored.turn, restored.status["running"]) == ("white", "white")


# -- A player who is not there -------------------------------------------------------------------------------


@pytest.mark.ledger("L23-7.5.3")
@pytest.mark.parametrize("edition", ["2014", "2018", "2023", "blitz-co"])
@pytest.mark.parametrize(("verb", "keys"), [("press", {}), ("touch", {"squares": ["a2"]})])
def test_for_who_is_not_there_yet_nobody_presses_or_touches(
    edition: str, verb: str, keys: dict[str, list[str]]
) -> None:
    game = Played(edition, white=AWAY, default_time=900, time_control="300")
    [said] = game.do(verb, "white", **keys)
    assert (said["event"], said["reason"]) == ("refused", "the player is not at the board")
    assert (game.status["running"], game.status["black"]) == ("white", 300)
    game.do("arrive", "white")
    assert names(game.announce("e2e4")) == ["move-made"]


@pytest.mark.ledger("L09-6.12d")
@pytest.mark.parametrize("edition", ["2009", "2014"])
def test_the_question_of_the_start_explains_no_stop_of_the_clocks(edition: str) -> None:
    game = Played(edition, white={"blind": True})
    said = game.do("stop-clock", by="white")
    assert names(said) == ["clock-stopped", "arbiter-asked"]
    assert (said[1]["about"], said[1]["side"]) == ("conduct", "white")

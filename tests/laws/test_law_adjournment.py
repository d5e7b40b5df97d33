"""Adjournment, from the order to seal to the resumption, in each edition's way."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import chess
import pytest
from ledger_rows import editions, family
from played import Events, Played, article, event, names, refused

TWO_KNIGHTS = "4k3/8/8/8/8/8/8/4NKN1 w - - 0 1"
MATE_IN_ONE = "7k/8/5KQ1/8/8/8/8/8 w - - 0 1"
STALEMATE_IN_ONE = "7k/8/6K1/8/8/8/8/5Q2 w - - 0 1"
DEAD_IN_ONE = "8/8/4k3/8/8/8/4n3/4K3 w - - 0 1"


def ordered(edition: str, fen: str | None = None, **game: Any) -> Played:
    """A game in which the player having the move has been told to seal."""
    game.setdefault("time_control", "5400")
    played = Played(edition, fen, **game)
    if fen is None:
        played.moves("e2e4 e7e5")
    assert names(played.do("adjourn", by="arbiter")) == ["adjourned"]
    return played


def sealed(edition: str, text: str = "g1f3", fen: str | None = None, **game: Any) -> Played:
    """A game adjourned with White's move in the envelope; both players are away."""
    played = ordered(edition, fen, **game)
    assert names(played.do("seal", "white", text=text)) == ["sealed"]
    assert names(played.do("stop-clock", by="white")) == ["clock-stopped"]
    return played


def resumed(edition: str, text: str = "g1f3", fen: str | None = None, **game: Any) -> Played:
    """The agreed hour, with both players at the board."""
    played = sealed(edition, text, fen, **game)
    come_back(played)
    return played


def come_back(game: Played) -> None:
    """Both players come, and the agreed hour with them."""
    game.do("arrive", "white")
    game.do("arrive", "black")
    assert not refused(game.do("resume", by="arbiter"))


@editions(*family("L14-E.1a1"), "L97-A.1a1")
def test_the_player_having_the_move_is_ordered_to_seal(edition: str) -> None:
    game = ordered(edition)
    assert event(game.events, "adjourned")["side"] == "white"
    assert refused(game.do("seal", "black", move="b8c6"))
    black = Played(edition, time_control="5400").moves("e2e4")
    assert event(black.do("adjourn"), "adjourned")["side"] == "black"


def test_a_game_without_a_clock_is_not_adjourned() -> None:
    """I.1.1: what ends the sealing is that the clock is stopped."""
    refusal = Played("2023", time_control="-").moves("e2e4").do("adjourn")
    assert refused(refusal)
    assert refusal[-1]["reason"] == "no clock is running"


@editions("L14-E.1a2", *family("L09-G.1a2"), "L23-I.1.1b")
def test_the_clock_is_stopped_only_when_the_move_is_sealed_and_then_none_runs(edition: str) -> None:
    game = ordered(edition)
    assert refused(game.do("stop-clock", by="white"))
    game.do("seal", "white", move="g1f3")
    game.do("stop-clock", by="white")
    assert game.status["running"] == "none"


@editions(*family("L14-E.1a3"))
def test_the_sealed_move_may_be_changed_until_the_clock_is_stopped(edition: str) -> None:
    game = ordered(edition)
    game.do("seal", "white", move="g1f3")
    assert not refused(game.do("seal", "white", move="b1c3"))
    game.do("stop-clock", by="white")
    assert refused(game.do("seal", "white", move="g1f3"))
    game.do("arrive", "black")
    game.do("resume")
    game.do("open-envelope")
    assert game.status["moves"] == ["e4", "e5", "Nc3"]


@editions(*family("L14-E.1a4"))
def test_a_move_made_on_the_board_after_the_order_must_be_the_sealed_one(edition: str) -> None:
    game = ordered(edition)
    game.announce("g1f3")
    assert game.status["ply"] == 2
    assert refused(game.do("seal", "white", move="b1c3"))
    assert not refused(game.do("seal", "white", move="Nf3"))


def test_a_move_made_on_the_board_after_the_order_is_still_to_be_sealed() -> None:
    """I.1.1: it is written as the sealed move; what was written before is not."""
    game = ordered("2023")
    [first] = game.announce("g1f3")
    assert (first["event"], first["side"], first["fixed"], first["article"]) == (
        "adjourned", "white", True, "2023 I.1.1",
    )  # fmt: skip


@pytest.mark.ledger("L23-I.1.1d", "L23-7.5.3")
@pytest.mark.parametrize(("how", "move"), [("announce", "g1f3"), ("announce", "e1e3"), ("seal", "g1f3")])
def test_a_move_made_or_sealed_after_the_order_waits_for_no_press(how: str, move: str) -> None:
    game = ordered("2023")
    game.do(how, "white", move=move)
    assert refused(game.do("press", "white"))
    assert game.status["running"] == "white"
    assert event(game.do("claim", "black", of="illegal-move"), "claim-wrong")["seconds"] == 0


def test_what_was_sealed_before_a_move_on_the_board_has_to_be_sealed_anew() -> None:
    game = ordered("2023")
    game.do("seal", "white", move="Nf3")
    assert names(game.announce("g1f3")) == ["adjourned", "sealed-void"]
    assert refused(game.do("stop-clock", by="white"))


def test_the_sealed_move_is_not_told_to_anybody() -> None:
    game = sealed("2023", "g1f3")
    assert not any("g1f3" in str(each) or "Nf3" in str(each) for each in game.events)


@editions(*family("L14-E.1b"))
def test_who_adjourns_early_is_charged_until_the_end_of_the_session(edition: str) -> None:
    game = Played(edition, time_control="5400")
    game.do("adjourn", by="white", session_end=610, at=9)
    game.do("seal", "white", move="e2e4", at=10)
    game.do("stop-clock", by="white", at=10)
    assert game.status["white"] == 5400 - 10 - 600


def adjourned_early(edition: str, **game: Any) -> Played:
    """White adjourns with 180 seconds left, 200 before the end of the session."""
    played = Played(edition, time_control="190", **game)
    played.do("adjourn", by="white", session_end=210, at=9)
    played.do("seal", "white", move="e2e4", at=10)
    played.do("stop-clock", by="white", at=10)
    return played


@editions(*family("L14-E.1b"))
def test_who_adjourns_early_loses_if_his_flag_falls_before_the_end_of_the_session(edition: str) -> None:
    game = adjourned_early(edition, category="standard")
    assert names(game.events)[-2:] == ["flag-fallen", "game-over"]
    assert (game.result, game.reason) == ("0-1", "flag")


@editions(*family("L14-E.1b"))
def test_who_adjourns_early_past_his_flag_can_be_claimed_where_nobody_calls_it(edition: str) -> None:
    game = adjourned_early(edition, category="rapid", supervised=False)
    assert (game.status["white"], game.result) == (0, "*")
    game.do("claim", "black", of="flag")
    assert (game.result, game.reason) == ("0-1", "flag")


def test_the_delay_of_the_move_is_used_first_when_a_player_adjourns_early() -> None:
    game = Played("2023", time_control="190d100", category="standard")
    game.do("adjourn", by="white", session_end=210, at=9)
    game.do("seal", "white", move="e2e4", at=10)
    game.do("stop-clock", by="white", at=10)
    assert (game.status["white"], game.result) == (190 - 110, "*")


@editions(*family("L14-E.2"), "L97-A.2", *family("L14-E.3", "L14-E.14", "L09-G.13"))
def test_the_envelope_bears_what_the_arbiter_checks(edition: str) -> None:
    game = Played(edition, time_control="5400", white={"name": "A"}, black={"name": "B"}).moves("e2e4 e7e5")
    game.do("offer-draw", "black")
    game.do("adjourn", resumption="tomorrow, 10:00 to 12:00, room 2")
    game.do("seal", "white", move="g1f3")
    [stopped] = game.do("stop-clock", by="white")
    label = stopped["envelope"]
    assert label == {
        "names": {"white": "A", "black": "B"},
        "fen": game.fen,
        "white": game.status["white"],
        "black": game.status["black"],
        "sealer": "white",
        "move_number": 2,
        "draw_offer": "black",
        "resumption": "tomorrow, 10:00 to 12:00, room 2",
    }


@editions(*family("L14-E.4"))
def test_an_offer_made_after_sealing_stays_open(edition: str) -> None:
    game = sealed(edition)
    assert not refused(game.do("offer-draw", "black"))
    game.do("arrive", "black")
    game.do("resume")
    assert game.status["draw_offer"] == "black"
    game.do("accept-draw", "white")
    assert (game.result, game.reason) == ("1/2-1/2", "agreement")


def offered_and_sealed(edition: str) -> Played:
    """Black has offered a draw, and White has sealed a move."""
    game = Played(edition, time_control="5400").moves("e2e4 e7e5")
    game.do("offer-draw", "black")
    game.do("adjourn", by="arbiter")
    game.do("seal", "white", text="g1f3")
    return game


def reopened(game: Played) -> Events:
    """Both have come back, and the envelope is opened."""
    come_back(game)
    return game.do("open-envelope")


@editions(*family("L14-E.4"))
def test_opening_the_envelope_is_no_answer_to_an_offer_made_after_sealing(edition: str) -> None:
    game = sealed(edition)
    game.do("offer-draw", "black")
    assert "draw-declined" not in names(reopened(game))
    assert game.status["draw_offer"] == "black"
    game.do("accept-draw", "white")
    assert (game.result, game.reason) == ("1/2-1/2", "agreement")


@editions(*family("L14-E.4"))
def test_sealing_a_move_answers_the_offer_that_was_open(edition: str) -> None:
    game = offered_and_sealed(edition)
    game.do("stop-clock", by="white")
    assert "draw-declined" in names(reopened(game))
    assert refused(game.do("accept-draw", "white"))


def test_an_offer_of_the_one_who_sealed_leaves_his_answer_to_the_other_one() -> None:
    game = offered_and_sealed("2023")
    game.do("offer-draw", "white")
    game.do("stop-clock", by="white")
    assert "draw-declined" in names(reopened(game))
    assert refused(game.do("accept-draw", "white"))


def test_an_offer_declined_and_made_again_after_the_sealing_is_not_answered_by_the_envelope() -> None:
    game = offered_and_sealed("2023")
    game.do("decline-draw", "white")
    assert not refused(game.do("offer-draw", "black"))
    game.do("stop-clock", by="white")
    assert "draw-declined" not in names(reopened(game))
    assert game.status["draw_offer"] == "black"


@editions(*family("L14-E.4"))
def test_an_offer_declined_while_the_game_is_adjourned_stays_declined(edition: str) -> None:
    game = ordered(edition)
    game.do("seal", "white", text="g1f3")
    game.do("offer-draw", "white")
    game.do("stop-clock", by="white")
    assert not refused(game.do("decline-draw", "black"))
    reopened(game)
    assert game.status["draw_offer"] == "none"
    assert refused(game.do("accept-draw", "black"))


@pytest.mark.parametrize("of", ["threefold", "fifty-moves"])
@pytest.mark.parametrize("side", ["white", "black"])
def test_no_draw_is_claimed_while_the_move_lies_in_the_envelope(of: str, side: str) -> None:
    """9.2, 9.3: a player claims who has the move, and the sealed one is made at the resumption."""
    game = sealed("2023", default_time=None)
    before = game.status
    for moment in ("adjourned", "resumed"):
        [refusal] = game.do("claim", side, of=of)
        assert "adjourned" in refusal["reason"], moment
        game.do("arrive", "black")
        game.do("resume")
    assert (game.status["black"], game.status["draw_offer"]) == (before["black"], "none")
    game.do("open-envelope")
    assert names(game.do("claim", "black", of=of)) == ["claim-wrong"]


def test_who_declares_the_move_of_a_lost_envelope_may_claim_before_it() -> None:
    game = sealed("2023")
    game.do("envelope-lost")
    assert names(game.do("claim", "white", of="threefold"))[0] == "claim-wrong"


@editions(*family("L14-E.5"))
def test_play_is_resumed_from_the_stored_position_and_times(edition: str) -> None:
    game = sealed(edition)
    stored = game.status
    game.do("arrive", "black", at=9000)
    game.do("resume", at=9000)
    assert {k: game.status[k] for k in ("fen", "white", "black")} == {
        k: stored[k] for k in ("fen", "white", "black")
    }


@editions(*family("L14-E.6"))
def test_a_game_can_end_before_the_resumption(edition: str) -> None:
    game = sealed(edition)
    game.do("resign", "black")
    assert (game.result, game.reason) == ("1-0", "resignation")


@editions(*family("L14-E.7"))
def test_the_envelope_stays_closed_until_the_agreed_hour(edition: str) -> None:
    game = sealed(edition)
    for side in ("white", "black"):
        game.do("arrive", side)
    said = game.do("open-envelope")
    assert refused(said) and "agreed hour" in str(event(said, "refused")["reason"])
    game.do("resume")
    assert not refused(game.do("open-envelope"))


@editions(*family("L14-E.7"))
def test_the_envelope_stays_closed_while_the_replier_is_absent(edition: str) -> None:
    game = sealed(edition)
    game.do("arrive", "white")
    game.do("resume")
    assert refused(game.do("open-envelope"))


@editions(*family("L14-E.8a"))
def test_an_ambiguous_sealed_move_loses(edition: str) -> None:
    game = resumed(edition, "Nf3", TWO_KNIGHTS + "", black={"name": "B"})
    events = game.do("open-envelope")
    assert game.reason == "sealed-move"
    # A bare king could not have mated: the exception of 6.9 makes it a draw.
    assert game.result == "1/2-1/2"
    armed = resumed(edition, "Nf3", "3rk3/8/8/8/8/8/8/4NKN1 w - - 0 1")
    events = armed.do("open-envelope")
    assert (armed.result, armed.reason) == ("0-1", "sealed-move")
    assert event(events, "game-over")["candidates"]


@editions(*family("L14-E.8b"), "L97-A.8b")
def test_a_sealed_text_that_nobody_can_read_is_ruled_on_by_the_arbiter(edition: str) -> None:
    game = resumed(edition, "K?x?")
    events = game.do("open-envelope")
    asked = event(events, "arbiter-asked")
    assert (asked["about"], asked["proposal"]) == ("which-move", "0-1")
    game.do("rule", claim="accept")
    assert (game.result, game.reason) == ("0-1", "sealed-move")


@editions(*family("L14-E.8c"))
def test_an_illegal_sealed_move_loses(edition: str) -> None:
    game = resumed(edition, "Kf2", "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1")
    game.do("open-envelope")
    assert (game.result, game.reason) == ("0-1", "sealed-move")


@editions(*family("L14-E.9a"))
def test_with_the_replier_present_the_sealed_move_is_made_and_his_clock_runs(edition: str) -> None:
    game = resumed(edition)
    assert game.status["running"] == "none"
    events = game.do("open-envelope")
    assert names(events) == ["envelope-opened", "move-made", "move-completed"]
    assert (game.status["moves"][-1], game.status["running"]) == ("Nf3", "black")


def test_a_press_without_a_move_before_the_sealing_does_not_count_the_sealed_move_twice() -> None:
    game = Played("2023", time_control="5400")
    game.do("press", "white")
    game.do("adjourn")
    game.do("seal", "white", move="e2e4")
    game.do("stop-clock", by="white")
    game.do("arrive", "black")
    game.do("resume")
    assert names(game.do("open-envelope")) == ["envelope-opened", "move-made", "move-completed"]
    assert event(game.do("ask", "arbiter", about="moves-completed"), "answer")["moves"] == 0
    game.move("e7e5")
    assert event(game.do("ask", "arbiter", about="moves-completed"), "answer")["moves"] == 1


@editions(*family("L14-E.9b", "L14-E.11"))
def test_an_absent_repliers_clock_runs_until_the_envelope_is_opened(edition: str) -> None:
    game = sealed(edition, default_time=3600)
    left = game.status["black"]
    game.do("resume", at=10_000)
    assert game.status["running"] == "black"
    game.do("arrive", "black", at=10_720)
    game.do("open-envelope", at=10_720)
    assert game.status["black"] == left - 720
    assert game.status["running"] == "black"


@editions("L97-A.9b")
def test_in_1997_the_late_replier_must_stop_his_clock(edition: str) -> None:
    game = sealed(edition)
    game.do("resume", at=10_000)
    assert names(game.do("arrive", "white", at=10_300)) == []
    assert names(game.do("arrive", "black", at=11_200)) == ["clock-stopped"]
    game.do("ask", "arbiter", about="times", at=11_900)
    assert game.status["black"] == 5400 - 2 - 1200
    game.do("open-envelope", at=11_900)
    assert game.status["running"] == "black"


def test_in_1997_a_late_replier_stops_no_clock_when_the_sealed_move_is_made_already() -> None:
    game = declared("1997")
    assert names(game.do("arrive", "black")) == []
    assert game.status["running"] == "black"


def test_in_1997_a_late_replier_stops_no_clock_that_the_arbiter_has_stopped() -> None:
    game = sealed("1997")
    game.do("resume")
    game.do("stop-clock")
    assert names(game.do("arrive", "black")) == []


@editions(*family("L14-E.9c"))
def test_the_reply_to_an_absent_sealer_waits_in_a_second_envelope(edition: str) -> None:
    game = sealed(edition, default_time=7200)
    game.do("arrive", "black")
    game.do("resume")
    game.do("open-envelope")
    assert names(game.do("seal", "black", move="Nc6")) == ["sealed", "clock-started"]
    assert (game.status["running"], game.status["ply"]) == ("white", 3)
    assert refused(game.do("seal", "black", move="d6"))
    game.do("arrive", "white")
    assert (game.status["moves"][-1], game.status["running"]) == ("Nc6", "white")


def opened(*present: str) -> Played:
    """White's sealed move is made at the agreed hour, with these players at the board; Black replies."""
    game = sealed("2023", default_time=7200)
    for side in present:
        game.do("arrive", side)
    game.do("resume")
    game.do("open-envelope")
    return game


def declared(edition: str = "2023") -> Played:
    """White has declared the move of a lost envelope; Black, for whom it is, is not back."""
    game = sealed(edition, default_time=7200)
    game.do("arrive", "white")
    game.do("resume")
    game.do("envelope-lost")
    game.announce("g1f3", "white")
    return game


def void() -> Played:
    """What White sealed is void, and the game goes on with Black's move while White is away."""
    game = Played("2023", time_control="5400", default_time=None).moves("e2e4 e7e4")
    game.do("adjourn")
    game.do("seal", "white", text="d2d3")
    game.do("stop-clock", by="arbiter")
    game.do("arrive", "black")
    game.do("claim", "arbiter", of="illegal-move")
    game.do("resume")
    assert (game.status["running"], game.referee.is_present("white")) == ("black", False)
    return game


def after(verb: str, *side: str, **keys: Any) -> Played:
    """The sealed move is made without the sealer, and this is done before Black replies."""
    game = opened("black")
    assert not refused(game.do(verb, *side, **keys))
    return game


NO_MOVE, NOT_HIS = "no move is to be sealed", "it is not this player who has a move to seal"


@pytest.mark.ledger("L23-I.9.3")
@pytest.mark.parametrize(
    ("prepared", "side", "reason"),
    [
        pytest.param(lambda: Played("2023", time_control="5400"), "white", NO_MOVE, id="never adjourned"),
        pytest.param(void, "black", NO_MOVE, id="void"),
        pytest.param(lambda: opened("white", "black"), "black", NO_MOVE, id="sealer back"),
        pytest.param(declared, "white", NO_MOVE, id="replier away"),
        pytest.param(lambda: after("announce", "black", move="b8c6"), "black", NOT_HIS, id="replied"),
        pytest.param(lambda: after("stop-clock"), "black", NOT_HIS, id="clock stands"),
        pytest.param(lambda: after("seal", "black", move="d7d6"), "black", NOT_HIS, id="sealed"),
    ],
)
def test_no_reply_is_sealed_but_his_who_has_the_move_while_the_sealer_is_away(
    prepared: Callable[[], Played], side: str, reason: str
) -> None:
    [refusal] = prepared().do("seal", side, move="Nc6")
    assert (refusal["event"], refusal["reason"]) == ("refused", reason)


@pytest.mark.ledger("L23-I.9.3", "L23-6.11.3")
@pytest.mark.parametrize("verbs", [("stop-clock",), ("arrive", "stop-clock"), ("stop-clock", "arrive")])
def test_the_sealers_clock_runs_on_when_the_arbiter_restarts_it_before_the_reply_is_opened(
    verbs: tuple[str, ...],
) -> None:
    game = after("seal", "black", envelope="BOX")
    for verb in verbs:
        assert not refused(game.do(verb, *(["white"] if verb == "arrive" else [])))
    assert names(game.do("resume")) == ["clock-resumed"]
    assert game.status["running"] == "white"
    if "arrive" not in verbs:
        game.do("arrive", "white")
    game.do("open-envelope", text="Nc6")
    assert (game.status["moves"][-1], game.status["running"]) == ("Nc6", "white")


def test_the_second_envelope_of_a_game_that_its_sealer_has_lost_stays_closed() -> None:
    game = sealed("1997")
    game.do("arrive", "black")
    game.do("resume", at=10_000)
    game.do("open-envelope")
    game.do("seal", "black", move="Nc6")
    said = game.do("arrive", "white", at=13_700)
    assert names(said) == ["game-over"]
    assert (game.result, game.reason, game.status["ply"]) == ("0-1", "default", 3)


@editions(*family("L14-E.10"))
def test_who_comes_after_the_default_time_loses_unless_the_sealed_move_ended_the_game(edition: str) -> None:
    late = sealed(edition, default_time=1800)
    late.do("resume", at=10_000)
    asked = event(late.do("arrive", "black", at=11_860), "arbiter-asked")
    assert (asked["about"], asked["proposal"]) == ("default", "1-0")
    for move, fen, result, reason in (
        ("g6g7", MATE_IN_ONE, "1-0", "checkmate"),
        ("e1e2", DEAD_IN_ONE, "1/2-1/2", "dead-position"),
    ):
        ends = sealed(edition, move, fen, default_time=1800)
        ends.do("arrive", "black")
        ends.do("resume", at=10_000)
        ends.do("arrive", "white", at=11_860)
        assert (ends.result, ends.reason) == (result, reason)


@editions(*family("L14-E.10"))
@pytest.mark.parametrize(
    ("text", "fen"),
    [
        pytest.param("g1f3", None, id="play goes on"),
        pytest.param("g6g7", "7k/8/5KQr/8/8/8/8/8 w - - 0 1", id="illegal"),
        pytest.param("Qg7", "7k/1Q6/7K/8/8/8/8/6Q1 w - - 0 1", id="ambiguous"),
    ],
)
def test_a_sealed_move_that_does_not_end_the_game_saves_no_late_sealer(
    edition: str, text: str, fen: str | None
) -> None:
    game = sealed(edition, text, fen, default_time=1800)
    game.do("arrive", "black")
    game.do("resume", at=10_000)
    asked = event(game.do("arrive", "white", at=11_860), "arbiter-asked")
    assert (asked["about"], asked["proposal"]) == ("default", "0-1")


@pytest.mark.ledger("L23-I.10")
def test_the_words_of_a_sealed_move_that_is_made_end_nothing_for_a_late_sealer() -> None:
    """The same words would mate in the position that he comes back to."""
    game = sealed("2023", "Rxe8", "3rr1k1/5ppp/8/8/8/8/4R3/4R1K1 w - - 0 1", default_time=1800)
    game.do("arrive", "black")
    game.do("resume", at=10_000)
    game.do("open-envelope")
    game.move("d8e8")
    assert names(game.do("arrive", "white", at=11_860)) == ["arbiter-asked"]
    assert game.status["ply"] == 2


@editions("L09-G.10", "L05-AA.10")
def test_more_than_an_hour_late_loses_except_for_a_sealer_whose_move_ended_the_game(edition: str) -> None:
    late = sealed(edition)
    late.do("resume", at=10_000)
    assert names(late.do("arrive", "black", at=13_600)) == []
    later = sealed(edition)
    later.do("resume", at=10_000)
    assert event(later.do("arrive", "black", at=13_601), "arbiter-asked")["proposal"] == "1-0"
    stalemate = sealed(edition, "f1f7", STALEMATE_IN_ONE)
    stalemate.do("arrive", "black")
    stalemate.do("resume", at=10_000)
    stalemate.do("arrive", "white", at=13_660)
    assert (stalemate.result, stalemate.reason) == ("1/2-1/2", "stalemate")
    mate = sealed(edition, "g6g7", MATE_IN_ONE)
    mate.do("arrive", "black")
    mate.do("resume", at=10_000)
    mate.do("arrive", "white", at=13_900)
    assert mate.result == "1-0"


@editions("L97-A.10")
def test_in_1997_more_than_an_hour_late_loses_without_discretion(edition: str) -> None:
    game = sealed(edition)
    game.do("resume", at=10_000)
    game.do("arrive", "black", at=13_660)
    assert (game.result, game.reason) == ("1-0", "default")


@editions(*family("L14-E.12a"), "L97-A.11a")
def test_with_the_envelope_lost_the_sealer_makes_the_move_he_declares(edition: str) -> None:
    game = sealed(edition)
    times = game.status
    game.do("arrive", "black")
    game.do("arrive", "white")
    game.do("resume")
    [restored] = game.do("envelope-lost")
    assert (restored["event"], restored["ply"]) == ("position-restored", 2)
    assert (game.status["white"], game.status["black"]) == (times["white"], times["black"])
    assert refused(game.announce("b8c6", "black"))
    assert names(game.announce("b1c3", "white")) == ["move-made", "move-completed"]
    assert (game.status["moves"][-1], game.status["running"]) == ("Nc3", "black")


@editions(*family("L14-E.12b"))
def test_a_position_that_cannot_be_restored_annuls_the_game(edition: str) -> None:
    game = sealed(edition)
    game.do("claim", "arbiter", of="initial-position")
    assert game.result == "annulled"


@editions(*family("L14-E.13", "L09-G.12"))
def test_a_wrong_time_is_corrected_by_the_arbiter_alone(edition: str) -> None:
    game = resumed(edition)
    [clock] = game.do("set-clock", white=5000, black=5100)
    assert (clock["event"], game.status["white"], game.status["black"]) == ("clock-set", 5000, 5100)
    game.do("open-envelope")
    game.moves("b8c6")
    times = (game.status["white"], game.status["black"])
    game.do("ask", "arbiter", about="times", at=game.at)
    assert (game.status["white"], game.status["black"]) == times
    game.do("set-clock", white=4800)
    assert game.status["white"] == 4800


@pytest.mark.parametrize("edition", ["1997", "2023"])
def test_an_article_of_the_edition_stands_under_every_step(edition: str) -> None:
    game = resumed(edition)
    prefix = {"1997": "A.", "2023": "I."}[edition]
    for step in ("adjourned", "sealed"):
        assert article(game.events, step).startswith(prefix)


def test_moves_are_refused_while_both_players_are_away() -> None:
    game = sealed("2023")
    assert refused(game.announce("b8c6", "black"))
    assert refused(game.announce("g1f3", "white"))
    assert refused(game.do("open-envelope"))


@pytest.mark.parametrize(("edition", "stands"), [("2009", False), ("2014", True), ("2023", True)])
def test_a_sealed_stalemate_saves_a_late_replier_since_2014(edition: str, stands: bool) -> None:
    game = sealed(edition, "f1f7", STALEMATE_IN_ONE, default_time=3600)
    game.do("arrive", "white")
    game.do("resume", at=10_000)
    said = game.do("arrive", "black", at=13_700)
    assert (game.result == "1/2-1/2") is stands
    assert ("arbiter-asked" in names(said)) is not stands


@pytest.mark.parametrize("edition", ["2014", "2023"])
def test_a_sealed_move_that_the_arbiter_makes_out_is_entered(edition: str) -> None:
    """I.8: only what cannot be established loses."""
    game = resumed(edition, "rubbish")
    assert "arbiter-asked" in names(game.do("open-envelope"))
    assert not refused(game.do("rule", claim="reject"))
    game.announce("g1f3", "white")
    assert game.status["moves"] == ["e4", "e5", "Nf3"]
    assert not game.over and game.status["running"] == "black"


@editions(*family("L14-E.1a4"))
@pytest.mark.parametrize("verb", ["announce", "place"])
def test_a_man_put_down_after_the_order_stands(edition: str, verb: str) -> None:
    game = ordered(edition)
    game.do(verb, "white", move="g1f3")
    [refusal] = game.announce("d2d4")
    assert refusal["reason"] == "the man has been released and stands"
    assert refused(game.do("seal", "white", move="d2d4"))
    assert not refused(game.do("seal", "white", move="g1f3"))


def test_a_move_placed_and_then_announced_after_the_order_leaves_the_box_as_it_is() -> None:
    game = ordered("2023", white={"blind": True}, fen="4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
    assert names(game.do("place", "white", move="e2e4")) == ["adjourned"]
    game.do("seal", "white", move="e2e4")
    assert game.do("announce", "white", move="e2e4") == []
    assert names(game.do("stop-clock", by="white")) == ["clock-stopped"]


@pytest.mark.ledger("L23-D.2.3.2", "L23-I.1.1d")
def test_what_a_blind_player_announces_after_the_order_is_sealed_when_his_man_is_placed() -> None:
    game = ordered("2023", chess.STARTING_FEN, white={"blind": True})
    game.do("seal", "white", move="b1c3")
    assert game.announce("g1f3") == []
    assert names(game.do("seal", "white", move="b1c3")) == ["sealed"]
    assert names(game.do("place", "white", move="g1f3")) == ["adjourned", "sealed-void"]
    assert refused(game.do("seal", "white", move="b1c3"))


@pytest.mark.ledger("L23-D.2.8")
def test_a_slip_after_the_order_to_seal_is_corrected() -> None:
    game = ordered("2023", chess.STARTING_FEN, white={"blind": True})
    game.announce("b1c3")
    assert refused(game.announce("g1f3")), "a slip is corrected"
    assert names(game.do("correct", "white", move="g1f3")) == ["slip-corrected"]
    assert names(game.do("place", "white", move="g1f3")) == ["adjourned"]


def test_a_mate_that_a_blind_player_announces_after_the_order_ends_the_game_when_it_is_placed() -> None:
    game = ordered("2023", MATE_IN_ONE, white={"blind": True})
    game.announce("g6g7")
    assert not game.over
    game.do("place", "white", move="g6g7")
    assert game.reason == "checkmate"


def test_a_move_placed_before_the_order_and_announced_after_it_is_made_by_that() -> None:
    game = Played("2023", white={"blind": True}, time_control="5400")
    game.do("place", "white", move="g1f3")
    game.do("adjourn")
    assert event(game.announce("g1f3"), "adjourned")["fixed"] is True


@pytest.mark.ledger("L14-7.5a1", "L23-7.5.1")
@pytest.mark.parametrize(("how", "event"), [("seal", "sealed"), ("announce", "adjourned")])
def test_an_illegal_move_made_after_the_order_is_put_right_with_the_same_man(how: str, event: str) -> None:
    game = ordered("2023", default_time=None)
    assert names(game.announce("e1e3")) == ["adjourned"]
    assert game.do(how, "white", move="g1f3")[-1]["due"] == ["e1e2"]
    assert names(game.do(how, "white", move="e1e2")) == [event]
    game.do("seal", "white", move="e1e2")
    game.do("stop-clock", by="white")
    come_back(game)
    game.do("open-envelope")
    assert game.status["moves"][-1] == "Ke2"


def test_an_illegal_move_made_and_sealed_after_the_order_loses() -> None:
    game = ordered("2023", default_time=None)
    game.announce("e1e3")
    assert names(game.do("seal", "white", move="e1e3")) == ["sealed"]
    game.do("stop-clock", by="white")
    come_back(game)
    assert event(game.do("open-envelope"), "game-over")["article"] == "2023 I.8.3"


def test_a_club_game_refuses_an_illegal_move_after_the_order_at_once() -> None:
    game = ordered("2023", mode="club")
    assert refused(game.announce("e1e3"))
    assert not refused(game.announce("g1f3"))


@editions(*family("L14-E.12a"))
def test_an_illegal_move_declared_for_a_lost_envelope_loses_as_it_does_inside(edition: str) -> None:
    game = resumed(edition)
    game.do("envelope-lost")
    over = event(game.announce("e1e3", "white"), "game-over")
    assert (over["result"], over["reason"]) == ("0-1", "sealed-move")


def test_a_club_game_refuses_an_illegal_move_that_is_declared() -> None:
    game = resumed("2023", mode="club")
    game.do("envelope-lost")
    assert refused(game.announce("e1e3", "white")) and not game.over


@pytest.mark.ledger("L23-4.3.1")
def test_a_move_declared_for_a_lost_envelope_keeps_to_what_was_touched() -> None:
    game = Played("2023", time_control="5400", default_time=None).moves("e2e4 e7e5")
    game.do("touch", "white", squares=["g1"])
    game.do("adjourn")
    game.do("seal", "white", envelope="a sealed box")
    game.do("stop-clock", by="white")
    come_back(game)
    game.do("envelope-lost")
    assert refused(game.announce("d2d4", "white"))
    assert names(game.announce("g1f3", "white")) == ["move-made", "move-completed"]

"""What an opened envelope holds, beside the arbiter's questions and a flag that is down."""

from __future__ import annotations

import pytest
from played import Played, event, names, refused


def opened(text: str, *before: tuple[str, dict[str, object]]) -> Played:
    """White's envelope is opened for Black, who came five seconds late and has not stopped his clock.

    `before`: what White did before, and after, he was ordered to seal.
    """
    game = Played("2023", time_control="60", default_time=6000).moves("e2e4 e7e5")
    for verb, keys in before:
        game.do(verb, **keys)
    game.do("seal", "white", envelope="a sealed box")
    game.do("stop-clock", at=20)
    game.do("resume", at=100)
    game.do("arrive", "black", at=105)
    game.do("open-envelope", text=text)
    return game


ORDER: tuple[str, dict[str, object]] = ("adjourn", {})
TOUCH: tuple[str, dict[str, object]] = ("touch", {"side": "white", "squares": ["g1"]})
MADE: tuple[str, dict[str, object]] = ("announce", {"side": "white", "move": "g1f3"})


@pytest.mark.ledger("L23-I.9.2", "L23-I.8.2")
@pytest.mark.parametrize(
    ("text", "before"),
    [
        pytest.param("scrawl", [ORDER], id="a scrawl"),
        pytest.param("d4", [TOUCH, ORDER], id="another man was touched"),
        pytest.param("d4", [ORDER, MADE], id="another move was made after the order"),
    ],
)
def test_the_replier_s_clock_stands_while_the_arbiter_rules_on_what_was_found(
    text: str, before: list[tuple[str, dict[str, object]]]
) -> None:
    game = opened(text, *before)
    asked, stopped = game.events[-2:]
    assert (asked["event"], asked["about"]) == ("arbiter-asked", "which-move")
    assert (stopped["event"], stopped["article"]) == ("clock-stopped", "2023 6.11.1")
    assert not game.referee.advance(500)
    assert game.status["running"] == "none"


@pytest.mark.ledger("L23-C.12")
@pytest.mark.parametrize(("text", "offers"), [("Nf3 (=)", True), ("2. Nf3(=).", True), ("Nf3", False)])
def test_a_draw_that_is_offered_with_the_sealed_move_is_offered_when_it_is_made(
    text: str, offers: bool
) -> None:
    game = opened(text, ORDER)
    said = names(game.events)
    assert said[-1] == "move-completed"
    assert ("draw-offered" in said) == offers
    game.do("accept-draw", "black")
    assert game.result == ("1/2-1/2" if offers else "*")


def test_an_offer_with_the_sealed_move_that_the_event_forbids_is_none() -> None:
    game = Played("2023", draw_offers="forbidden").moves("e2e4 e7e5")
    game.do("adjourn")
    game.do("seal", "white", move="Nf3 (=)")
    game.do("stop-clock", "white")
    game.do("resume")
    game.do("arrive", "black")
    said = names(game.do("open-envelope"))
    assert "move-completed" in said and "draw-offered" not in said


@pytest.mark.ledger("L23-I.9.2")
def test_the_replier_s_clock_runs_again_when_the_move_that_was_made_out_is_entered() -> None:
    game = opened("scrawl", ORDER)
    left = game.status["black"]
    game.do("rule", claim="reject", at=300)
    game.announce("g1f3", "white")
    game.referee.advance(game.at + 1)
    assert (game.status["running"], game.status["black"]) == ("black", left - 1)


@pytest.mark.ledger("L23-I.1.1d")
def test_the_sealed_move_is_made_where_the_arbiter_says_that_another_was_not_made_on_the_board() -> None:
    game = opened("d4", ORDER, MADE)
    assert names(game.do("rule", claim="reject")) == ["move-made", "move-completed"]
    assert game.status["moves"][-1] == "d4"


# -- The absent replier's flag -------------------------------------------------------------------------------

STALEMATE_IN_ONE = "7k/8/6K1/8/8/8/8/5Q2 w - - 0 1"


def flagged(fen: str | None = STALEMATE_IN_ONE, **sealed: str) -> Played:
    """White has sealed; Black, who must reply, is away until his flag falls."""
    game = Played("2023", fen, time_control="60", default_time=6000)
    game.do("adjourn")
    game.do("seal", "white", **sealed)
    game.do("stop-clock")
    game.do("arrive", "white")
    game.do("resume", at=100)
    game.do("ask", "arbiter", at=161, about="times")
    assert event(game.events, "flag-fallen")["at"] == 160
    return game


def boxed() -> Played:
    return flagged(envelope="a sealed box")


@pytest.mark.ledger("L23-6.9a", "L23-I.9.2")
def test_a_flag_that_falls_over_a_closed_box_is_the_arbiters_to_rule_on_and_no_clock_runs() -> None:
    game = boxed()
    asked = event(game.events, "arbiter-asked")
    assert (asked["about"], asked["proposal"], asked["article"]) == ("score", "1-0", "2023 6.9")
    assert (game.result, game.status["running"]) == ("*", "none")
    assert "the game may be over" in game.do("resume")[-1]["reason"]


@pytest.mark.ledger("L23-6.9a")
@pytest.mark.parametrize(
    ("text", "result", "reason"), [("Qf7", "1/2-1/2", "stalemate"), ("Qf5", "1-0", "flag")]
)
def test_what_the_box_holds_decides_whether_the_game_had_ended_before_the_flag_fell(
    text: str, result: str, reason: str
) -> None:
    game = boxed()
    game.do("open-envelope", text=text)
    assert (game.result, game.reason) == (result, reason)


@pytest.mark.ledger("L23-6.9a")
@pytest.mark.parametrize(
    ("text", "result", "reason"), [("Qf7", "1/2-1/2", "stalemate"), ("Qf5", "1-0", "flag")]
)
def test_what_is_sealed_in_plain_letters_is_looked_at_when_the_flag_falls(
    text: str, result: str, reason: str
) -> None:
    game = flagged(text=text)
    assert (game.result, game.reason) == (result, reason)


@pytest.mark.ledger("L23-6.9b")
def test_whether_the_sealer_could_mate_is_judged_after_the_sealed_move() -> None:
    """A knight cannot mate a king that has only a queen beside him."""
    game = flagged("7k/7q/8/8/8/1p6/3N4/4K3 w - - 0 1", text="Nxb3")
    assert (game.result, game.reason) == ("1/2-1/2", "flag")


@pytest.mark.parametrize("text", ["Qf9", "scrawl"])
def test_beside_a_flag_the_arbiter_alone_rules_on_a_sealed_text_that_is_no_lawful_move(text: str) -> None:
    game = boxed()
    assert names(game.do("open-envelope", text=text)) == ["envelope-opened"]
    assert refused(game.do("envelope-lost"))
    game.do("rule", claim="accept")
    assert (game.result, game.reason) == ("1-0", "flag")


def test_beside_a_flag_an_illegal_move_is_not_made_either() -> None:
    game = boxed()
    assert names(game.do("open-envelope", text="f1e3")) == ["envelope-opened"]
    assert (game.status["ply"], game.over) == (0, False)


@pytest.mark.parametrize("bound", ["touched", "moved"])
def test_beside_a_flag_no_move_is_made_that_its_player_was_not_free_to_seal(bound: str) -> None:
    """4.3, I.1.1: he had touched his king, or moved on the board; the queen's move may not save his game."""
    game = Played("2023", STALEMATE_IN_ONE, time_control="60", default_time=6000)
    if bound == "touched":
        game.do("touch", "white", squares=["g6"])
    game.do("adjourn")
    if bound == "moved":
        game.announce("f1f5", "white")
    game.do("seal", "white", envelope="a sealed box")
    game.do("stop-clock")
    game.do("arrive", "white")
    game.do("resume", at=100)
    game.do("ask", "arbiter", at=170, about="times")
    assert names(game.do("open-envelope", text="Qf7")) == ["envelope-opened"]
    assert (game.status["ply"], game.over) == (0, False)


def test_a_lost_envelope_is_declared_before_the_flag_decides() -> None:
    game = boxed()
    game.do("envelope-lost")
    assert game.status["running"] == "none"
    game.announce("f1f7", "white")
    assert (game.result, game.reason) == ("1/2-1/2", "stalemate")


def test_a_replier_who_is_given_time_is_waited_for_again() -> None:
    game = boxed()
    game.do("set-clock", black=30)
    assert "absent" in game.do("open-envelope", text="Qf5")[-1]["reason"]
    assert names(game.do("resume")) == ["clock-resumed"]
    assert game.status["running"] == "black"
    game.do("arrive", "black")
    game.do("open-envelope", text="Qf5")
    assert (game.result, game.status["running"]) == ("*", "black")
    assert not game.referee.questions


# -- The absent sealer's flag, over the reply in the second envelope -----------------------------------------


def reply_flagged(*meanwhile: str, **sealed: str) -> Played:
    """Black has sealed his reply to White, who is away until his flag falls; `meanwhile`: what was done."""
    game = Played("2023", "7k/8/8/8/8/8/3q4/1K6 w - - 0 1", time_control="60", default_time=6000)
    game.do("adjourn")
    game.do("seal", "white", text="Ka1")
    game.do("stop-clock")
    game.do("arrive", "black")
    game.do("resume", at=100)
    game.do("open-envelope", at=101)
    game.do("seal", "black", at=102, **sealed)
    for verb in meanwhile:
        game.do(verb)
    game.do("ask", "arbiter", at=200, about="times")
    return game


REPLIES = pytest.mark.parametrize(
    ("text", "result", "reason"), [("Qc2", "1/2-1/2", "stalemate"), ("Qd4", "0-1", "flag")]
)


@pytest.mark.ledger("L23-6.9a", "L23-I.9.3")
def test_a_flag_that_falls_over_a_reply_in_a_box_is_the_arbiters_to_rule_on() -> None:
    game = reply_flagged(envelope="a sealed box")
    asked = event(game.events, "arbiter-asked")
    assert (asked["about"], asked["proposal"], game.result) == ("score", "0-1", "*")
    assert "the game may be over" in game.do("resume")[-1]["reason"]


@pytest.mark.ledger("L23-6.9a", "L23-I.9.3")
@REPLIES
def test_what_the_box_with_the_reply_holds_decides_without_the_absent_player(
    text: str, result: str, reason: str
) -> None:
    game = reply_flagged(envelope="a sealed box")
    game.do("open-envelope", text=text)
    assert (game.result, game.reason) == (result, reason)


@pytest.mark.ledger("L23-6.9a", "L23-I.9.3")
@REPLIES
def test_a_reply_in_plain_letters_is_looked_at_when_the_flag_falls(
    text: str, result: str, reason: str
) -> None:
    game = reply_flagged(text=text)
    assert (game.result, game.reason) == (result, reason)


@pytest.mark.ledger("L23-6.9a", "L23-I.12.1")
@REPLIES
def test_a_lost_reply_is_declared_before_the_flag_decides(text: str, result: str, reason: str) -> None:
    game = reply_flagged("envelope-lost", envelope="a sealed box")
    assert game.result == "*"
    game.announce(text, "black")
    assert (game.result, game.reason) == (result, reason)


def test_an_absent_player_who_comes_to_a_reply_that_is_no_move_waits_for_the_ruling_on_his_flag() -> None:
    game = reply_flagged(text="scrawl")
    assert names(game.do("arrive", "white")) == ["envelope-opened"]
    game.do("rule", claim="accept")
    assert (game.result, game.reason) == ("0-1", "flag")


def test_an_absent_player_who_is_given_time_is_waited_for_again() -> None:
    game = reply_flagged(envelope="a sealed box")
    game.do("set-clock", white=30)
    assert "absent" in game.do("open-envelope", text="Qd4")[-1]["reason"]
    game.do("resume")
    assert game.status["running"] == "white"
    game.do("arrive", "white")
    game.do("open-envelope", text="Qd4")
    assert (game.result, game.status["running"]) == ("*", "white")

"""A lost envelope: who declares the move that he sealed, and what becomes of whoever is still away."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from played import Played, event, names, refused


def declaring(*present: str, edition: str = "2023", fen: str | None = None, move: str = "g1f3") -> Played:
    """White's envelope is lost, at the agreed hour, with these players at the board; he declares next."""
    game = Played(edition, fen, time_control="5400", default_time=3600)
    game.do("adjourn")
    game.do("seal", "white", move=move)
    game.do("stop-clock", by="white")
    for side in present:
        game.do("arrive", side)
    game.do("resume")
    game.do("envelope-lost")
    return game


@pytest.mark.ledger("L23-I.9.2", "L23-I.12.1")
def test_the_clock_of_an_absent_player_runs_when_the_move_to_him_is_declared() -> None:
    game = declaring("white")
    game.announce("g1f3", "white")
    assert not game.referee.is_present("black")
    assert game.status["running"] == "black"
    assert refused(game.announce("g8f6", "black"))
    game.do("arrive", "black")
    assert not refused(game.announce("g8f6", "black"))


@pytest.mark.ledger("L23-I.10", "L23-I.12.1")
def test_who_comes_too_late_to_a_declared_move_is_late() -> None:
    game = declaring("white")
    game.announce("g1f3", "white")
    asked = event(game.do("arrive", "black", at=4000), "arbiter-asked")
    assert (asked["about"], asked["proposal"]) == ("default", "1-0")


@pytest.mark.ledger("L23-I.12.1")
def test_nobody_else_declares_the_lost_move_of_a_player_who_is_away() -> None:
    game = declaring("black")
    [refusal] = game.announce("g1f3", "white")
    assert (refusal["reason"], refusal["article"]) == ("the player is not at the board", "2023 I.12.1")
    assert game.referee.declares == "white"
    game.do("arrive", "white")
    assert names(game.announce("g1f3", "white")) == ["move-made", "move-completed"]


def opened(text: str) -> Played:
    """White's envelope lies open before both, with this in it."""
    game = Played("2023", time_control="5400", default_time=None)
    game.do("touch", "white", squares=["g1"])
    game.do("adjourn")
    game.do("seal", "white", envelope="a sealed box")
    game.do("stop-clock", by="white")
    for side in ("white", "black"):
        game.do("arrive", side)
    game.do("resume")
    game.do("open-envelope", text=text)
    return game


def to_reply() -> Played:
    """White's sealed move is made without him: Black is to seal his reply."""
    game = Played("2023", time_control="5400", default_time=None)
    game.do("adjourn")
    game.do("seal", "white", move="g1f3")
    game.do("stop-clock", by="white")
    game.do("arrive", "black")
    game.do("resume")
    game.do("open-envelope")
    return game


def replied(text: str) -> Played:
    """Black's sealed reply lies open before both, with this in it."""
    game = to_reply()
    game.do("touch", "black", squares=["b8"])
    game.do("seal", "black", envelope="a sealed box")
    game.do("arrive", "white")
    game.do("open-envelope", text=text)
    return game


@pytest.mark.ledger("L23-I.8.2", "L23-I.12.1")
@pytest.mark.parametrize("made_out", [False, True], ids=["asked about", "made out"])
@pytest.mark.parametrize(
    "game", [lambda: opened("scrawl"), lambda: replied("scrawl")], ids=["the first", "the reply"]
)
def test_an_envelope_that_lies_open_is_not_lost(game: Callable[[], Played], made_out: bool) -> None:
    played = game()
    if made_out:
        played.do("rule", claim="reject")
    waiting = played.referee.questions
    [refusal] = played.do("envelope-lost")
    assert (refusal["reason"], refusal["article"]) == ("the envelope is open already", "2023 I.9.1")
    assert played.referee.questions == waiting and played.referee.declares is None


@pytest.mark.ledger("L23-4.3.1")
@pytest.mark.parametrize(
    "game", [lambda: opened("e4"), lambda: replied("d6")], ids=["the first", "the reply"]
)
def test_an_envelope_whose_move_gives_way_to_one_that_is_due_is_neither_lost_nor_opened_again(
    game: Callable[[], Played],
) -> None:
    played = game()
    played.do("rule", claim="accept")
    assert refused(played.do("envelope-lost")) and refused(played.do("open-envelope", text="Nf3"))
    assert not played.referee.questions


@pytest.mark.ledger("L23-I.8.2")
def test_nobody_declares_a_reply_that_the_arbiter_has_made_out() -> None:
    game = replied("scrawl")
    game.do("rule", claim="reject")
    assert game.referee.declares is None
    assert not refused(game.announce("b8c6", "black"))


@pytest.mark.ledger("L23-I.8.2")
def test_a_plain_reply_about_which_the_arbiter_is_asked_may_be_opened_again() -> None:
    game = to_reply()
    game.do("seal", "black", text="scrawl")
    game.do("arrive", "white")
    assert event(game.do("open-envelope"), "arbiter-asked")["about"] == "which-move"
    assert [question.what for question in game.referee.questions] == ["which-move"]


@pytest.mark.ledger("L23-I.8.2")
@pytest.mark.parametrize(
    ("verb", "keys"),
    [("penalty", {"side": "white", "kind": "warning"}), ("set-clock", {"white": 5000}), ("resume", {})],
    ids=["a warning", "other times", "a resumption"],
)
@pytest.mark.parametrize(
    "game", [lambda: opened("scrawl"), lambda: replied("scrawl")], ids=["the first", "the reply"]
)
def test_only_a_ruling_answers_which_move_an_open_envelope_holds(
    game: Callable[[], Played], verb: str, keys: dict[str, object]
) -> None:
    played = game()
    played.do(verb, **keys)
    assert [question.what for question in played.referee.questions] == ["which-move"]
    assert played.status["running"] == "none"


@pytest.mark.ledger("L23-6.11.3")
@pytest.mark.parametrize(
    "game", [lambda: opened("scrawl"), lambda: replied("scrawl")], ids=["the first", "the reply"]
)
def test_no_clock_is_said_to_run_while_the_arbiter_is_asked_what_an_open_envelope_holds(
    game: Callable[[], Played],
) -> None:
    assert game().do("resume")[-1]["reason"] == "the arbiter rules on the open question first"


@pytest.mark.ledger("L23-6.11.3")
def test_no_clock_is_said_to_run_while_a_reply_that_was_made_out_is_to_be_entered() -> None:
    game = replied("scrawl")
    game.do("rule", claim="reject")
    assert game.do("resume")[-1]["reason"] == "the player who sealed makes the move he sealed"


# -- The clock of whoever is away ----------------------------------------------------------------------------


@pytest.mark.ledger("L14-E.11", "L23-I.11", "L23-I.9.2")
def test_the_clock_of_an_absent_replier_runs_on_though_the_envelope_is_lost() -> None:
    game = declaring()
    assert game.status["running"] == "black"
    assert names(game.do("arrive", "black")) == ["clock-stopped"]
    game.do("arrive", "white")
    assert game.status["running"] == "none"
    game.announce("g1f3", "white")
    assert game.status["running"] == "black"


@pytest.mark.ledger("L23-I.9.2")
def test_before_the_agreed_hour_no_clock_runs_for_a_lost_envelope() -> None:
    game = Played("2023", time_control="5400", default_time=3600)
    game.do("adjourn")
    game.do("seal", "white", move="g1f3")
    game.do("stop-clock", by="white")
    game.do("envelope-lost")
    assert game.status["running"] == "none"
    assert names(game.do("resume")) == ["clock-resumed"]
    assert game.status["running"] == "black"


@pytest.mark.ledger("L23-I.12.1")
def test_the_clock_of_a_replier_who_has_come_is_told_to_stop_when_the_envelope_is_lost() -> None:
    game = Played("2023", time_control="5400", default_time=3600)
    game.do("adjourn")
    game.do("seal", "white", move="g1f3")
    game.do("stop-clock", by="white")
    game.do("resume")
    game.do("arrive", "black")
    assert names(game.do("envelope-lost")) == ["clock-stopped", "position-restored"]
    assert game.status["running"] == "none"


@pytest.mark.ledger("L23-I.12.1")
def test_a_lost_envelope_is_not_opened() -> None:
    game = declaring("white", "black")
    [refusal] = game.do("open-envelope")
    assert (refusal["reason"], refusal["article"]) == ("there is no envelope", "2023 I.12.1")
    assert game.referee.declares == "white"


def test_an_envelope_that_is_found_again_opens_when_the_arbiter_takes_its_loss_back() -> None:
    game = declaring("white", "black")
    game.do("undo")
    assert names(game.do("open-envelope")) == ["envelope-opened", "move-made", "move-completed"]


@pytest.mark.ledger("L97-A.10", "L23-I.10")
@pytest.mark.parametrize("edition", ["1997", "2023"])
def test_a_lost_envelope_is_not_looked_into_for_a_sealer_who_comes_too_late(edition: str) -> None:
    game = declaring("black", edition=edition, fen="7k/8/5KQ1/8/8/8/8/8 w - - 0 1", move="g6g7")
    asked = event(game.do("arrive", "white", at=4000), "arbiter-asked")
    assert (asked["about"], asked["proposal"]) == ("default", "0-1")
    over = event(game.announce("g6g7", "white"), "game-over")
    assert (over["result"], over["reason"]) == ("1-0", "checkmate")

"""A lost envelope: who declares the move that he sealed, and what becomes of whoever is still away."""

from __future__ import annotations

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


@pytest.mark.ledger("L23-I.8.2")
def test_nobody_declares_a_reply_that_the_arbiter_has_made_out_after_a_lost_first_envelope() -> None:
    game = declaring("black")
    assert game.referee.declares == "white"
    game.announce("g1f3", "white")
    game.do("seal", "black", text="scrawl")
    game.do("arrive", "white")
    game.do("rule", claim="reject")
    assert game.referee.declares is None
    assert not refused(game.announce("g8f6", "black"))


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

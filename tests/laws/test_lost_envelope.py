"""A lost envelope: who declares the move that he sealed, and what becomes of whoever is still away."""

from __future__ import annotations

import pytest
from played import Played, event, refused


def declaring(*present: str) -> Played:
    """White's envelope is lost, at the agreed hour, with these players at the board; he declares next."""
    game = Played("2023", time_control="5400", default_time=3600).moves("e2e4 e7e5")
    game.do("adjourn")
    game.do("seal", "white", move="g1f3")
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
    assert refused(game.announce("b8c6", "black"))
    game.do("arrive", "black")
    assert not refused(game.announce("b8c6", "black"))


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
    assert not refused(game.announce("b8c6", "black"))

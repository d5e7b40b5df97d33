"""An envelope whose position was taken back: what was sealed is void, and so is every question about it."""

from __future__ import annotations

import pytest
from played import Played, names, refused


def closed(game: Played, **sealed: str) -> Played:
    """The player having the move has sealed, and both are back at the agreed hour."""
    game.do("adjourn")
    game.do("seal", game.turn, **sealed)
    game.do("stop-clock", by="arbiter")
    for side in ("white", "black"):
        game.do("arrive", side)
    game.do("resume")
    return game


def void_scrawl() -> Played:
    """What White has sealed nobody can read; then the position before it is taken back."""
    game = closed(Played("2023", time_control="5400").moves("e2e5 d7d6"), text="scrawl")
    assert "arbiter-asked" in names(game.do("open-envelope"))
    assert "position-restored" in names(game.do("claim", "arbiter", of="illegal-move"))
    return game


@pytest.mark.ledger("L23-7.5.1")
@pytest.mark.parametrize("answer", ["accept", "reject"])
def test_a_void_envelope_that_nobody_could_read_is_no_question_any_more(answer: str) -> None:
    game = void_scrawl()
    assert game.referee.questions == ()
    assert refused(game.do("rule", claim=answer)) and not game.over


def test_after_an_opened_envelope_is_void_the_arbiter_lets_play_go_on() -> None:
    game = void_scrawl()
    assert names(game.do("resume", by="arbiter")) == ["clock-resumed"]
    assert game.status["running"] == "white"


@pytest.mark.ledger("L23-4.3.1", "L23-7.5.1")
def test_a_void_envelope_against_a_touched_man_is_not_made_out_of_turn() -> None:
    game = Played("2023", time_control="5400").moves("e2e4 e7e4")
    game.do("touch", "white", squares=["g1"])
    closed(game, envelope="a sealed box")
    assert "arbiter-asked" in names(game.do("open-envelope", text="d2d4"))
    game.do("claim", "white", of="illegal-move")
    assert refused(game.do("rule", claim="reject"))
    assert (game.turn, game.status["moves"]) == ("black", ["e4"])


@pytest.mark.ledger("L23-I.10", "L23-I.11")
def test_nobody_has_lost_from_the_start_after_a_resumption_to_which_nobody_came() -> None:
    """6.7.1 is about the hour at which a game begins."""
    game = Played("2023", time_control="5400", default_time=3600).moves("e2e5 d7d6")
    game.do("adjourn")
    game.do("seal", "white", envelope="a sealed box")
    game.do("stop-clock", by="arbiter")
    game.do("claim", "arbiter", of="illegal-move")
    assert names(game.do("resume")) == ["clock-resumed"]
    assert game.referee.advance(4000) == []
    assert (game.status["running"], game.referee.questions) == ("white", ())


def void_reply() -> Played:
    """White's move is made; Black's sealed reply nobody can read, and then the position is taken back."""
    game = Played("2023", time_control="5400", default_time=None).moves("e2e4 e7e4")
    game.do("adjourn")
    game.do("seal", "white", text="d2d3")
    game.do("stop-clock", by="arbiter")
    game.do("arrive", "black")
    game.do("resume")
    game.do("open-envelope")
    game.do("seal", "black", text="scrawl")
    assert "arbiter-asked" in names(game.do("arrive", "white"))
    assert "position-restored" in names(game.do("claim", "arbiter", of="illegal-move"))
    return game


def test_a_void_reply_that_nobody_could_read_is_no_question_any_more() -> None:
    assert refused(void_reply().do("rule", claim="accept"))


def test_after_an_opened_reply_is_void_the_arbiter_lets_play_go_on() -> None:
    game = void_reply()
    assert names(game.do("resume", by="arbiter")) == ["clock-resumed"]
    assert game.status["running"] == "black"


@pytest.mark.ledger("L23-7.5.5b")
@pytest.mark.parametrize("wrong", ["a2a4", "e7e8"], ids=["illegal", "pawn-left"])
def test_nobody_is_ordered_to_seal_in_a_game_that_is_decided(wrong: str) -> None:
    game = Played("2023", "8/4P1k1/8/8/8/8/8/K6R w - - 0 1", time_control="5400").moves("a1a3")
    game.do("claim", "black", of="illegal-move")
    game.moves(f"a1a2 g7g6 {wrong}").do("adjourn")
    said = names(game.do("claim", "arbiter", of="illegal-move"))
    assert "adjourned" not in said
    assert said[-2:] == ["position-restored", "game-over"]


def test_nobody_is_told_that_his_reply_is_void_in_a_game_that_is_decided() -> None:
    game = Played("2023", time_control="5400", default_time=None).moves("e2e5")
    game.do("claim", "black", of="illegal-move")
    game.moves("e2e4 d7d6 d2d5 e7e6").do("adjourn")
    game.do("seal", "white", text="e1e2")
    game.do("stop-clock", by="arbiter")
    game.do("arrive", "black")
    game.do("resume")
    game.do("open-envelope")
    game.do("seal", "black", envelope="a sealed box")
    said = names(game.do("claim", "arbiter", of="illegal-move"))
    assert said[-2:] == ["position-restored", "game-over"]

"""A sealed move in cipher: the script holds what hides it, and the text comes only when it is opened."""

from __future__ import annotations

from typing import Any

import pytest
from played import Played, event, names, refused

from assistant.laws import Referee, ScriptError

MATE_IN_ONE = "7k/8/5KQ1/8/8/8/8/8 w - - 0 1"
BOX = "a sealed box"


def boxed(edition: str = "2023", fen: str | None = None, **game: Any) -> Played:
    """A game adjourned with White's move in a sealed box; both players are away."""
    played = Played(edition, fen, time_control="5400", **game)
    if fen is None:
        played.moves("e2e4 e7e5")
    played.do("adjourn", by="arbiter")
    assert names(played.do("seal", "white", envelope=BOX)) == ["sealed"]
    played.do("stop-clock", by="white")
    return played


def back(played: Played) -> Played:
    """Both players are at the board at the agreed hour."""
    played.do("arrive", "white")
    played.do("arrive", "black")
    played.do("resume", by="arbiter")
    return played


def test_the_label_names_the_box_and_not_the_move() -> None:
    assert event(boxed().events, "clock-stopped")["envelope"]["contents"] == BOX


def test_a_box_opens_only_with_what_is_in_it() -> None:
    game = back(boxed())
    assert refused(game.do("open-envelope"))
    assert names(game.do("open-envelope", text="Nf3")) == ["envelope-opened", "move-made", "move-completed"]
    assert game.status["moves"] == ["e4", "e5", "Nf3"]
    assert game.status["running"] == "black"


@pytest.mark.parametrize("edition", ["1997", "2005", "2009", "2014", "2018", "2023"])
def test_an_illegal_move_in_the_box_loses_in_every_edition(edition: str) -> None:
    game = back(boxed(edition))
    assert event(game.do("open-envelope", text="Ng1g3"), "game-over")["result"] == "0-1"


@pytest.mark.parametrize("text", ["2. Qh5xh8", "2... Ng3", "2.Ng1g3.", "Ng3 (=)"])
def test_an_illegal_move_as_it_stands_on_a_sheet_is_an_illegal_move(text: str) -> None:
    assert event(back(boxed()).do("open-envelope", text=text), "game-over")["result"] == "0-1"


def test_a_text_that_is_no_move_is_the_arbiters_to_read() -> None:
    """I.8.2: a sealed move whose true significance cannot be established loses."""
    game = back(boxed())
    asked = event(game.do("open-envelope", text="the good one"), "arbiter-asked")
    assert (asked["about"], asked["article"]) == ("which-move", "2023 I.8.2")
    assert event(game.do("rule", claim="accept"), "game-over")["result"] == "0-1"


def test_the_last_box_counts_and_a_plain_move_may_replace_it() -> None:
    game = Played("2023", time_control="5400")
    game.do("adjourn")
    for keys in ({"envelope": "first"}, {"move": "d2d4"}, {"envelope": "last"}):
        assert not refused(game.do("seal", "white", **keys))
    [stopped] = game.do("stop-clock", by="white")
    assert stopped["envelope"]["contents"] == "last"


def test_a_move_made_on_the_board_after_the_order_must_be_in_the_box() -> None:
    """I.1.1: whoever makes a move on the board after the order must seal that move."""
    game = Played("2023", time_control="5400")
    game.do("adjourn")
    game.announce("e2e4")
    game.do("seal", "white", envelope=BOX)
    game.do("stop-clock", by="white")
    back(game)
    asked = event(game.do("open-envelope", text="d2d4"), "arbiter-asked")
    assert (asked["proposal"], asked["article"]) == ("e2e4", "2023 I.1.1")
    game.do("rule", claim="accept")
    assert game.status["moves"] == ["e4"]


@pytest.mark.parametrize("edition", ["1997", "2009"])
def test_a_late_player_does_not_lose_unseen_while_the_box_is_closed(edition: str) -> None:
    """1997 A.10, 2009 Guidelines 10: more than an hour late loses, unless the sealed move has mated."""
    game = boxed(edition, MATE_IN_ONE)
    game.do("arrive", "black")
    game.do("resume", by="arbiter")
    late = game.do("arrive", "white", at=4000)
    assert event(late, "arbiter-asked")["about"] == "default"
    assert game.status["result"] == "*"
    assert event(game.do("open-envelope", text="Qg7"), "game-over")["result"] == "1-0"


def test_a_late_player_whose_box_was_looked_into_wins_by_the_mate_in_it() -> None:
    game = boxed("2009", MATE_IN_ONE)
    game.do("arrive", "black")
    game.do("resume", by="arbiter")
    over = event(game.do("arrive", "white", at=4000, text="Qg7"), "game-over")
    assert (over["result"], over["reason"]) == ("1-0", "checkmate")


def test_a_late_player_whose_box_holds_no_end_loses() -> None:
    """1997 A.10: the arbiter has nothing to decide once he has looked."""
    game = boxed("1997", MATE_IN_ONE)
    game.do("arrive", "black")
    game.do("resume", by="arbiter")
    assert event(game.do("arrive", "white", at=4000, text="Qg5"), "game-over")["result"] == "0-1"


def test_a_reply_in_a_second_box_waits_for_the_absent_player() -> None:
    """I.9.3: the reply is sealed, and the clock of the absent player is started."""
    game = boxed()
    game.do("arrive", "black")
    game.do("resume")
    game.do("open-envelope", text="Nf3")
    assert "clock-started" in names(game.do("seal", "black", envelope="the reply"))
    assert refused(game.do("open-envelope", text="Nc6"))
    game.do("arrive", "white")
    assert game.status["ply"] == 3
    assert refused(game.do("open-envelope"))
    game.do("open-envelope", text="Nc6")
    assert game.status["moves"] == ["e4", "e5", "Nf3", "Nc6"]
    assert game.status["running"] == "white"


@pytest.mark.parametrize("box", ["", 7, "x" * 30_000])
def test_what_can_be_no_box_is_no_line_of_a_script(box: object) -> None:
    referee = Referee({"laws": "2023"})
    with pytest.raises(ScriptError, match="sealed box"):
        referee.apply({"at": 0, "do": "seal", "side": "white", "envelope": box})


def replied(edition: str = "2023") -> Played:
    """White's sealed Nf3 is made, White is absent, and Black's reply lies in a sealed box."""
    game = boxed(edition, default_time=None)
    game.do("arrive", "black")
    game.do("resume")
    game.do("open-envelope", text="Nf3")
    game.do("seal", "black", envelope=BOX)
    return game


def lost_reply() -> Played:
    """The box with Black's reply is lost, and White has come."""
    game = replied()
    game.do("arrive", "white")
    restored = event(game.do("envelope-lost"), "position-restored")
    assert (restored["ply"], restored["article"]) == (3, "2023 I.12.1")
    return game


@pytest.mark.ledger("L23-I.12.1")
def test_the_reply_in_a_second_envelope_that_is_lost_is_made_as_its_player_declares_it() -> None:
    game = lost_reply()
    assert game.status["running"] == "none"
    assert refused(game.do("open-envelope", text="Nc6")) and refused(game.do("envelope-lost"))
    assert refused(game.announce("d2d4", "white"))
    assert names(game.announce("b8c6", "black")) == ["move-made", "move-completed"]
    assert (game.status["moves"][-1], game.status["running"]) == ("Nc6", "white")


@pytest.mark.ledger("L23-I.8.3")
def test_an_illegal_reply_declared_for_a_lost_second_envelope_loses() -> None:
    over = event(lost_reply().announce("b8b6", "black"), "game-over")
    assert (over["result"], over["article"]) == ("1-0", "2023 I.8.3")


@pytest.mark.ledger("L23-I.9.3")
def test_the_absent_player_s_clock_runs_on_though_the_reply_to_him_is_lost() -> None:
    game = replied()
    game.do("envelope-lost")
    assert game.status["running"] == "white"
    assert names(game.do("arrive", "white")) == ["clock-stopped"]
    game.announce("b8c6", "black")
    assert game.status["running"] == "white"

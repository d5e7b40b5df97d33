"""Where Hector presses, he presses for those who announce, not for somebody who has a button of his own."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import pytest
from typed import Typed

from assistant.announcements import Thresholds, load_vocabulary
from assistant.table import NoRecord, PaperVoice, Person, Setup, Table
from assistant.table.steps import is_refused, refused_in


def table_where_hector_presses(mode: Literal["rated", "club"] = "rated", fen: str | None = None) -> Table:
    players = {"white": Person("Ana", True), "black": Person("Tom")}
    setup = Setup(**players, press="auto", time_control="300", mode=mode, fen=fen)
    table = Table(setup, load_vocabulary("de"), Thresholds(), PaperVoice(), NoRecord())
    table.start()
    return table


@pytest.mark.parametrize(("marks", "running"), [({"desk": "opponent"}, "black"), ({}, "white")])
def test_an_announcement_from_the_opponents_page_waits_for_his_own_press(
    marks: dict[str, str], running: str
) -> None:
    """6.2.1: each player presses his own clock."""
    table = table_where_hector_presses()
    table.type("e4", 1.0)
    table.tick(10.0)
    table.act({"do": "announce", "side": "black", "move": "e7e5", **marks}, 11.0)
    table.tick(30.0)
    assert table.course.referee.status().keys["running"] == running


def test_a_reply_before_hector_has_pressed_completes_the_move_that_it_answers() -> None:
    table = table_where_hector_presses()
    table.type("e4", 1.0)
    events = table.act({"do": "announce", "side": "black", "move": "e7e5"}, 1.2)
    assert [event.event for event in events] == ["move-made"]
    status = table.course.referee.status().keys
    assert (status["moves"], status["running"]) == (["e4", "e5"], "black")


def test_a_correction_from_the_page_presses_for_nobody() -> None:
    table = table_where_hector_presses()
    table.type("e4", 1.0)
    table.act({"do": "announce", "side": "black", "move": "e7e5"}, 1.2)
    table.act({"do": "correct", "side": "black", "move": "e7e6"}, 1.4)
    status = table.course.referee.status().keys
    assert (status["moves"], status["running"]) == (["e4", "e6"], "black")


@pytest.mark.parametrize("desk", ["opponent", "arbiter"])
def test_a_reply_that_is_refused_presses_for_nobody(desk: str) -> None:
    """4.7, D.2.8: until his clock is pressed he may mend his move; what is no reply does not take that."""
    table = table_where_hector_presses(mode="club")
    table.type("e4", 1.0)
    line = {"do": "announce", "side": "black", "move": "e7e4", "desk": desk}
    refused = refused_in(table.act(line, 1.2))
    assert refused is not None
    assert str(refused.keys["reason"]) == "the pawn does not move like that"
    status = table.course.referee.status().keys
    assert (status["moves"], status["running"]) == ([], "white")
    table.type("d4", 1.5)
    table.tick(10.0)
    assert table.course.referee.status().keys["moves"] == ["d4"]


@pytest.mark.parametrize(
    ("fen", "ending", "reply"),
    [
        ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "a1a8", "g8f8"),
        ("7k/5K2/8/8/8/8/6Q1/8 w - - 0 1", "g2g6", "h8h7"),
    ],
)
def test_a_reply_to_a_move_that_would_end_the_game_is_too_early_and_ends_nothing(
    fen: str, ending: str, reply: str
) -> None:
    """5.1.1, 5.2.1: the game is over when the move is made, and is not told to be before."""
    table = table_where_hector_presses(fen=fen)
    table.type(ending, 1.0)
    refused = refused_in(table.act({"do": "announce", "side": "black", "move": reply}, 1.2))
    assert refused is not None
    assert str(refused.keys["reason"]) == "it is the opponent who has the move"
    assert not table.over
    table.tick(10.0)
    assert table.over


def test_a_move_that_was_taken_back_is_named_when_the_arbiter_presses_for_it(tmp_path: Path) -> None:
    """D.2.8: whoever took it back hears that it stands after all, as when he presses himself."""
    game = Typed(tmp_path, white=Person("Ana", True), black=Person("Tom"))
    game.type("e4", "k")
    game.table.act({"do": "press", "side": "white", "desk": "arbiter"}, game.at)
    assert game.said[-1] == "Eva vier"
    assert game.table.course.referee.status().keys["running"] == "black"


def test_a_press_of_the_arbiters_that_is_refused_names_no_move(tmp_path: Path) -> None:
    """What was taken back is still to be mended."""
    game = Typed(tmp_path, white=Person("Ana", True), black=Person("Tom"))
    game.type("e4", "k")
    game.table.act({"do": "stop-clock", "by": "arbiter", "desk": "arbiter"}, game.at)
    said = len(game.said)
    assert is_refused(game.table.act({"do": "press", "side": "white", "desk": "arbiter"}, game.at))
    assert game.said[said:] == []
    assert game.table.memory.correcting


def test_a_claim_is_made_with_no_other_move_than_it_was_asked_about(tmp_path: Path) -> None:
    """9.2.1, 9.5.3: were it wrong, he would be bound to a move that the arbiter has entered meanwhile."""
    game = Typed(tmp_path, white=Person("Ana", True), black=Person("Tom"))
    game.type("e4", "Reklamation Stellungswiederholung")
    game.table.act({"do": "correct", "side": "white", "move": "d2d4", "desk": "arbiter"}, game.at)
    assert game.type("y") == "Hector: Keine Frage offen."
    assert game.table.course.referee.due is None

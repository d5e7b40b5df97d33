"""Where Hector presses, he presses for those who announce, not for somebody who has a button of his own."""

from __future__ import annotations

import pytest

from assistant.announcements import Thresholds, load_vocabulary
from assistant.table import NoRecord, PaperVoice, Person, Setup, Table


def table_where_hector_presses() -> Table:
    setup = Setup(white=Person("Ana", True), black=Person("Tom"), press="auto", time_control="300")
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

"""Where Hector presses, he presses for those who announce, not for somebody who has a button of his own."""

from __future__ import annotations

import pytest

from assistant.announcements import Thresholds, load_vocabulary
from assistant.table import NoRecord, PaperVoice, Person, Setup, Table


@pytest.mark.parametrize(("marks", "running"), [({"desk": "opponent"}, "black"), ({}, "white")])
def test_an_announcement_from_the_opponents_page_waits_for_his_own_press(
    marks: dict[str, str], running: str
) -> None:
    """6.2.1: each player presses his own clock."""
    setup = Setup(white=Person("Ana", True), black=Person("Tom"), press="auto", time_control="300")
    table = Table(setup, load_vocabulary("de"), Thresholds(), PaperVoice(), NoRecord())
    table.start()
    table.type("e4", 1.0)
    table.tick(10.0)
    table.act({"do": "announce", "side": "black", "move": "e7e5", **marks}, 11.0)
    table.tick(30.0)
    assert table.course.referee.status().keys["running"] == running

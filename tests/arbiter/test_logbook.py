"""The log writes the moves that stand, each in the position in which it was made."""

from __future__ import annotations

from typing import Any

from assistant.announcements import Thresholds, load_vocabulary
from assistant.arbiter.logbook import Logbook
from assistant.arbiter.scene import scene_of
from assistant.table import PaperVoice, Setup, Table
from assistant.table.record import NoRecord


def log_of(setup: Setup, *lines: dict[str, Any]) -> list[str]:
    table = Table(
        setup, load_vocabulary("de"), Thresholds(), PaperVoice(), NoRecord(), show=lambda text: None
    )
    table.start(0)
    for line in lines:
        table.act(line, line["at"])
    log = Logbook(setup, "arbiter", "en")
    log.follow(scene_of(table, table.now))
    return [entry["text"] for entry in log.entries]


def test_a_queen_that_replaced_a_pawn_is_written_and_moves_as_a_queen() -> None:
    """7.5.2."""
    log = log_of(
        Setup(fen="6k1/P4p1p/8/8/8/8/8/K7 w - - 0 1", language="en"),
        {"at": 1, "do": "announce", "side": "white", "move": "a7a8", "placed": True},
        {"at": 1, "do": "place", "side": "white", "move": "a7a8"},
        {"at": 2, "do": "press", "side": "white"},
        {"at": 3, "do": "claim", "side": "black", "of": "illegal-move"},
        {"at": 4, "do": "announce", "side": "black", "move": "g8g7"},
        {"at": 4, "do": "press", "side": "black"},
        {"at": 5, "do": "announce", "side": "white", "move": "a8e8"},
    )
    assert "White completed a8Q+." in log
    assert log[-1] == "White announced Qe8."

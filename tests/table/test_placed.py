"""A move that the arbiter notes as placed: of a sighted player Hector announces it (D.2.1, D.2.10.2)."""

from __future__ import annotations

from pathlib import Path

import pytest
from spoken import Spoken
from typed import Typed

TO_MOVE = "4k3/4p3/8/8/8/8/8/4K2R b K - 0 1"


def placed(game: Spoken | Typed, move: str, do: str = "place") -> list[str]:
    """What is said when the arbiter notes a move of Black's."""
    before = len(game.voice.sentences)
    game.table.act({"do": do, "side": "black", "move": move}, game.at)
    return [sentence.text for sentence in game.voice.sentences[before:]]


def test_a_sighted_player_s_placed_move_is_announced_and_waits_for_his_press(tmp_path: Path) -> None:
    typed = Typed(tmp_path / "game", fen=TO_MOVE)
    assert placed(typed, "e7e5") == ["Eva fünf"]
    assert [typed.type("l"), typed.type("o")] == ["Hector: Eva fünf", "Hector: Eva fünf"]
    assert typed.table.course.memory.pending is not None
    typed.table.act({"do": "press", "side": "black"}, typed.at)
    assert typed.table.course.memory.pending is None
    assert typed.type("0-0") == "Hector: Kurze Rochade"


def test_a_placed_move_is_not_corrected_as_a_slip_of_the_tongue(tmp_path: Path) -> None:
    typed = Typed(tmp_path / "game", fen=TO_MOVE)
    placed(typed, "e7e5")
    assert placed(typed, "e7e6", "correct") == []
    assert typed.moves == ["e7e5"]


def test_a_spoken_reply_to_a_placed_move_corrects_nothing() -> None:
    spoken = Spoken(fen="4k3/4p3/8/8/8/8/8/4K2R w K - 0 1")
    spoken.say("turm hector zwei", "gedrueckt")
    placed(spoken, "e7e5")
    spoken.say("turm hector drei")
    assert [move for do, move in spoken.done if do in ("announce", "correct")] == ["h1h2", "h2h3"]


@pytest.mark.parametrize("do", ["place", "announce"])
def test_what_an_illegal_move_is_put_right_to_is_announced_after_the_position(
    tmp_path: Path, do: str
) -> None:
    typed = Typed(tmp_path / "game", fen=TO_MOVE)
    placed(typed, "e7e4", do)
    assert placed(typed, "e7e5", do) == ["Zurück zur Anfangsstellung.", "Eva fünf"]
    assert typed.type("o") == "Hector: Eva fünf"
    typed.table.act({"do": "press", "side": "black"}, typed.at)
    assert typed.type("0-0") == "Hector: Kurze Rochade"


def test_a_mate_that_is_placed_is_announced(tmp_path: Path) -> None:
    typed = Typed(tmp_path / "game", fen="4k3/8/8/8/8/8/3r1r2/7K b - - 0 1")
    assert placed(typed, "f2f1") == ["Turm Felix eins matt", "Schwarz gewinnt: Schachmatt."]


def test_a_move_that_is_placed_to_be_sealed_is_announced_to_nobody(tmp_path: Path) -> None:
    typed = Typed(tmp_path / "game", fen=TO_MOVE)
    typed.table.act({"do": "adjourn"}, typed.at)
    assert "Eva fünf" not in placed(typed, "e7e5")
    assert typed.type("o") != "Hector: Eva fünf"


def test_a_placed_move_that_is_withdrawn_is_remembered_no_more(tmp_path: Path) -> None:
    typed = Typed(tmp_path / "game", fen=TO_MOVE)
    placed(typed, "e7e5")
    typed.table.act({"do": "undo"}, typed.at)
    assert typed.table.course.memory.pending is None
    assert typed.type("o") != "Hector: Eva fünf"

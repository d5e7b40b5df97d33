"""A page of a game that nobody begins: what it kept goes with it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from live_game import LiveGame
from page_game import Browser, Room

NOBODY = {"PULSE_SERVER": "unix:/nonexistent"}


@pytest.mark.parametrize("is_there", [False, True], ids=["new folder", "folder of the user's"])
def test_the_page_of_a_game_that_is_not_begun_leaves_nothing_behind(tmp_path: Path, is_there: bool) -> None:
    folder = tmp_path / "evening" / "game"
    if is_there:
        folder.mkdir(parents=True)
        (folder / "page.log").write_text("the user's own\n", encoding="utf-8")
    folder.parent.mkdir(exist_ok=True)
    command = ["serve", "--save", str(folder), "--speak-to", os.devnull, "--page-port", "0"]
    game = LiveGame(folder, command, NOBODY)
    port = int(game.expect("^Die Seite: ").rstrip("/").rpartition(":")[2])
    status, _ = Browser(port).sign_in("arbiter", "000 000")
    assert status == 403
    game.type("q")
    assert game.wait() == 0
    assert [path.name for path in folder.glob("*")] == (["page.log"] if is_there else [])
    assert folder.exists() == is_there


def test_the_page_of_a_game_that_was_begun_keeps_its_pins(room: Room) -> None:
    room.close()
    assert (room.folder / "page.json").exists()

"""A game that is taken up again is run as it was begun, unless its players say otherwise."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from typed import Typed

from assistant.cli import main
from assistant.table import Setup, live
from assistant.table.sitting import Room


@pytest.fixture
def taken_up(monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[Setup, bool, list[str]]]:
    """Take a game up: its setup now, whether a display is looked for, and what was said."""
    looked_for: list[Setup] = []
    rooms: list[Room] = []

    def sit(room: Room, *_more: object, **_options: object) -> int:
        rooms.append(room)
        return 0

    monkeypatch.setattr(live, "open_display", looked_for.append)
    monkeypatch.setattr(live, "_sit", sit)

    def take_up(folder: Path, *arguments: str, by: str = "resume") -> tuple[Setup, bool, list[str]]:
        del looked_for[:], rooms[:]
        (folder / "said.txt").write_text("")
        before = [] if by == "serve" else ["--keyboard"]
        after = ["--page-port", "0"] if by == "serve" else []
        assert main([by, str(folder), *before, "--speak-to", os.devnull, *after, *arguments]) == 0
        said = (folder / "said.txt").read_text(encoding="utf-8").splitlines()
        return rooms[0].table.setup, bool(looked_for), said

    return take_up


def begun(folder: Path, **setup: object) -> Path:
    game = Typed(folder, **setup)
    game.type("e4", "")
    game.record.close()
    return folder


@pytest.mark.parametrize("by", ["resume", "serve"])
@pytest.mark.parametrize("declined", [False, True])
def test_a_display_that_was_declined_stays_away(
    tmp_path: Path, taken_up: Callable[..., tuple[Setup, bool, list[str]]], by: str, declined: bool
) -> None:
    folder = begun(tmp_path / "game", braille_display=not declined)
    assert taken_up(folder, by=by)[1] is not declined
    assert taken_up(folder, "--braille-display", "off", by=by)[1] is False
    assert taken_up(folder, "--braille-display", "auto", by=by)[1] is True


@pytest.mark.parametrize("by", ["resume", "serve"])
def test_a_language_that_is_asked_for_is_the_games_until_it_is_left(
    tmp_path: Path, taken_up: Callable[..., tuple[Setup, bool, list[str]]], by: str
) -> None:
    folder = begun(tmp_path / "game", language="de")
    setup, _, said = taken_up(folder, "--lang", "es", by=by)
    assert setup.language == "es"
    assert said[-1].endswith("Partida reanudada. Juegan negras.")
    setup, _, said = taken_up(folder, by=by)
    assert setup.language == "de"
    assert said[-1].endswith("Partie fortgesetzt. Schwarz am Zug.")


def test_a_game_that_was_begun_without_a_display_keeps_that_on_record(tmp_path: Path) -> None:
    from assistant.journal import read

    game = begun(tmp_path / "game", braille_display=False)
    first = read(game).lines[0]
    assert Setup.from_journal(first["game"], first["table"]).braille_display is False
    del first["table"]["braille_display"]
    assert Setup.from_journal(first["game"], first["table"]).braille_display is True

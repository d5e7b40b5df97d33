"""A game's folder from somebody else may hold links: nothing that they lead to is ever written."""

from __future__ import annotations

from pathlib import Path

import pytest
from typed import Typed

from assistant.arbiter.audit import Audit
from assistant.errors import HectorError
from assistant.journal import FILE_NAME, Journal
from assistant.table import record as recording
from assistant.table.pulse import Pulse, last_beat
from assistant.table.storage import Reserve


@pytest.fixture
def precious(tmp_path: Path) -> Path:
    """A file of the reader's own, outside the folder of the game."""
    path = tmp_path / "precious"
    path.write_text("line 1\nline 2")
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "game"
    path.mkdir()
    return path


def test_what_is_said_goes_into_the_folder_and_not_where_a_link_leads(precious: Path, folder: Path) -> None:
    (folder / "said.txt").symlink_to(precious)
    game = Typed(folder)
    game.type("e4")
    game.record.close()
    assert precious.read_text() == "line 1\nline 2"
    assert "room: Eva vier" in (folder / "said.txt").read_text(encoding="utf-8")
    assert game.shown[-1] == "Hector: Eva vier"


def test_the_pulse_beats_in_the_folder_and_not_where_a_link_leads(precious: Path, folder: Path) -> None:
    (folder / "pulse.json").symlink_to(precious)
    Pulse(folder, lambda: 12.5).close()
    assert precious.read_text() == "line 1\nline 2"
    beat = last_beat(folder, {})
    assert beat is not None
    assert beat.at == 12.5


def test_the_reserve_takes_its_room_in_the_folder_and_not_where_a_link_leads(
    precious: Path, folder: Path
) -> None:
    (folder / ".reserve").symlink_to(precious)
    assert Reserve(folder).spend()
    assert precious.read_text() == "line 1\nline 2"


def test_what_the_page_refuses_is_noted_in_the_folder_and_not_where_a_link_leads(
    precious: Path, folder: Path
) -> None:
    (folder / "page.log").symlink_to(precious)
    Audit(lambda: folder).note("pin", "wrong")
    assert precious.read_text() == "line 1\nline 2"
    assert '"refused": "pin"' in (folder / "page.log").read_text()


@pytest.mark.parametrize("content", ["", "a password", '{"key": '])
def test_no_game_begins_where_a_link_of_a_journal_leads(precious: Path, folder: Path, content: str) -> None:
    precious.write_text(content)
    (folder / FILE_NAME).symlink_to(precious)
    with pytest.raises(HectorError, match="holds a game already"):
        Journal.create(folder)
    assert precious.read_text() == content


def test_a_file_that_only_has_a_journals_name_is_not_emptied(folder: Path) -> None:
    (folder / FILE_NAME).write_text("my notes, in one line")
    with pytest.raises(HectorError, match="holds a game already"):
        Journal.create(folder)
    assert (folder / FILE_NAME).read_text() == "my notes, in one line"


def test_a_game_that_is_rescued_takes_nothing_along_from_where_a_link_leads(
    precious: Path, folder: Path, tmp_path: Path
) -> None:
    rescued = tmp_path / "rescued"
    rescued.mkdir()
    (folder / "page.json").write_text("{}")
    (folder / "notes").symlink_to(precious)
    recording._copy_rest(folder, rescued)
    assert (rescued / "page.json").read_text() == "{}"
    assert (rescued / "notes").is_symlink()

"""The engine of a journal is started only if this user has named it himself on this computer."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from test_engine import TINY, tiny
from typed import Typed

from assistant.cli import build_parser, main
from assistant.cli.ways import again_by
from assistant.errors import HectorError
from assistant.journal import FILE_NAME
from assistant.resources import user_data
from assistant.table import live
from assistant.table import named_engines as known
from assistant.table.named_engines import is_remembered, remember_engine
from assistant.table.setup import Opponent, Setup
from assistant.table.sitting import Room


@pytest.fixture(autouse=True)
def own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A computer on which nobody has named an engine yet."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return user_data(known.FILE_NAME)


@pytest.fixture
def program(tmp_path: Path) -> Callable[[str], Path]:
    """Make an engine that leaves a file beside it when it is started."""

    def make(name: str) -> Path:
        path = tmp_path / name
        path.write_text(f'#!/bin/sh\ntouch "$0.started"\nexec {shlex.quote(sys.executable)} {TINY} "$@"\n')
        path.chmod(0o755)
        return path

    return make


def has_started(program: Path) -> bool:
    return program.with_name(f"{program.name}.started").exists()


@pytest.fixture
def resumed(rooms: list[Room]) -> Callable[..., tuple[int, list[Setup]]]:
    """Call `hector resume`, or `serve`: its status, and what is agreed in the game that it takes up."""

    def resume(folder: Path, *options: str, by: str = "resume") -> tuple[int, list[Setup]]:
        del rooms[:]
        typed = ["--keyboard"] if by == "resume" else ["--page-port", "0"]
        silent = ["--speak-to", os.devnull, "--braille-display", "off"]
        status = main(["--lang", "en", by, str(folder), *typed, *silent, *options])
        return status, [room.table.setup for room in rooms]

    return resume


def from_elsewhere(folder: Path, engine: str | None) -> Path:
    """A game whose journal somebody else has written, and a power failure has torn."""
    opponent = None if engine is None else Opponent(engine)
    game = Typed(folder, mode="club", time_control="300+5", engine=opponent)
    game.type("e4", "")
    game.record.close()
    with (folder / FILE_NAME).open("a") as journal:
        journal.write('{"at": 12.5, "do":')
    return folder


def content(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize(
    ("by", "command"),
    [
        ("resume", "hector resume {folder} --keyboard --engine '{engine}'"),
        ("serve", "hector resume {folder} --keyboard --page --page-port 0 --engine '{engine}'"),
    ],
)
def test_the_engine_of_a_folder_from_somebody_else_is_not_started(
    tmp_path: Path,
    program: Callable[[str], Path],
    resumed: Callable[..., tuple[int, list[Setup]]],
    capsys: pytest.CaptureFixture[str],
    by: str,
    command: str,
) -> None:
    engine = program("harmless")
    folder = from_elsewhere(tmp_path / "game", f"{engine} e7e5")
    before = content(folder)
    assert resumed(folder, by=by) == (2, [])
    typed = command.format(folder=folder, engine=f"{engine} e7e5")
    assert capsys.readouterr().err == (
        f"hector: The engine '{engine}' was never named on this computer, and is not started. "
        f"If you trust it, type: {typed}\n"
    )
    assert not has_started(engine)
    assert content(folder) == before


def test_whoever_names_it_goes_on_with_it_and_need_not_name_it_again(
    tmp_path: Path, program: Callable[[str], Path], resumed: Callable[..., tuple[int, list[Setup]]]
) -> None:
    engine = program("trusted")
    folder = from_elsewhere(tmp_path / "game", f"{engine} e7e5")
    assert resumed(folder, "--engine", f"{engine} e7e5")[0] == 0
    assert has_started(engine)
    assert resumed(folder)[0] == 0


def test_an_engine_that_was_named_for_a_game_begun_here_goes_on(
    tmp_path: Path, program: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch,
    resumed: Callable[..., tuple[int, list[Setup]]],
) -> None:  # fmt: skip
    """By its name alone, too: it is the same program."""
    engine = program("trusted")
    monkeypatch.setenv("PATH", f"{engine.parent}:{os.environ['PATH']}")
    options = ["--keyboard", "--save", str(tmp_path / "begun"), "--speak-to", os.devnull]
    monkeypatch.setattr(live, "_wait_for_start", lambda *_more: True)
    assert main(["play", "--engine", "trusted", "--braille-display", "off", *options]) == 0
    assert resumed(from_elsewhere(tmp_path / "game", str(engine)))[0] == 0


def test_with_other_arguments_it_is_another_engine(
    tmp_path: Path, program: Callable[[str], Path], resumed: Callable[..., tuple[int, list[Setup]]]
) -> None:
    engine = program("interpreter")
    remember_engine(f"{engine} mine")
    assert resumed(from_elsewhere(tmp_path / "game", f"{engine} theirs")) == (2, [])
    assert not has_started(engine)


def test_the_engine_may_be_elsewhere_on_this_computer(
    tmp_path: Path, program: Callable[[str], Path], resumed: Callable[..., tuple[int, list[Setup]]]
) -> None:
    here, there = program("here"), program("there")
    folder = from_elsewhere(tmp_path / "game", str(there))
    status, [setup] = resumed(folder, "--engine", f"{here} d7d5")
    assert (status, setup.engine) == (0, Opponent(f"{here} d7d5"))
    assert (has_started(here), has_started(there)) == (True, False)
    assert resumed(folder) == (2, [])


def test_an_engine_that_is_named_and_cannot_play_leaves_the_game_for_another_try(
    tmp_path: Path, resumed: Callable[..., tuple[int, list[Setup]]], capsys: pytest.CaptureFixture[str]
) -> None:
    folder = from_elsewhere(tmp_path / "game", tiny())
    assert resumed(folder, "--engine", "stokfish") == (2, [])
    assert "There is no engine 'stokfish'." in capsys.readouterr().err
    assert resumed(folder, "--engine", "true") == (2, [])
    assert "Is it a UCI engine?" in capsys.readouterr().err
    assert not is_remembered("true")


def test_a_game_of_two_people_gets_no_engine(
    tmp_path: Path, resumed: Callable[..., tuple[int, list[Setup]]], capsys: pytest.CaptureFixture[str]
) -> None:
    folder = from_elsewhere(tmp_path / "game", None)
    before = content(folder)
    assert resumed(folder, "--engine", tiny()) == (2, [])
    assert capsys.readouterr().err == f"hector: No engine plays in {folder}: leave out --engine.\n"
    assert content(folder) == before


@pytest.mark.parametrize("engine", ["no-such-engine", "'", "no\0program"])
def test_what_cannot_be_started_at_all_is_played_by_keyboard_as_ever(
    tmp_path: Path,
    resumed: Callable[..., tuple[int, list[Setup]]],
    capsys: pytest.CaptureFixture[str],
    engine: str,
) -> None:
    assert resumed(from_elsewhere(tmp_path / "game", engine))[0] == 0
    assert "engine" in capsys.readouterr().err


def test_no_engine_steers_the_terminal_on_which_it_is_named(
    tmp_path: Path,
    program: Callable[[str], Path],
    resumed: Callable[..., tuple[int, list[Setup]]],
    capsys: pytest.CaptureFixture[str],
) -> None:
    engine = program("evil")
    resumed(from_elsewhere(tmp_path / "game", f"{engine} 'a\x1b[2Jb\nc'"))
    told = capsys.readouterr().err
    assert told.endswith("'\n")
    assert told.removesuffix("\n").isprintable()


@pytest.mark.parametrize("damaged", ["{", "7", "[7]", "[[]]", '[["a", 7]]', "[" * 100_000, '["stockfish"]'])
def test_a_damaged_list_stays_as_it_is_and_holds_nothing(
    own_data: Path, tmp_path: Path, resumed: Callable[..., tuple[int, list[Setup]]],
    capsys: pytest.CaptureFixture[str], damaged: str,
) -> None:  # fmt: skip
    """The game goes on; only that its engine was named is not kept."""
    folder = from_elsewhere(tmp_path / "game", tiny())
    own_data.parent.mkdir(parents=True)
    own_data.write_text(damaged)
    assert not is_remembered(tiny())
    assert resumed(folder, "--engine", tiny())[0] == 0
    told = capsys.readouterr().err
    assert told.startswith(f"hector: The engine cannot be noted in {own_data}: it is no list of engines. ")
    assert told.endswith(" When this game is resumed, name it again with --engine.\n")
    assert own_data.read_text() == damaged


def test_where_nothing_can_be_kept_the_game_goes_on(
    own_data: Path, tmp_path: Path, resumed: Callable[..., tuple[int, list[Setup]]]
) -> None:
    folder = from_elsewhere(tmp_path / "game", tiny())
    own_data.parent.parent.write_text("no folder")
    assert resumed(folder, "--engine", tiny())[0] == 0


def test_two_programs_that_note_engines_at_once_lose_none() -> None:
    note = (
        "import sys; from assistant.table.named_engines import remember_engine\n"
        "for number in range(25): remember_engine(f'true {sys.argv[1]} {number}')"
    )
    both = [subprocess.Popen([sys.executable, "-c", note, name]) for name in ("a", "b")]
    assert [each.wait() for each in both] == [0, 0]
    commands = (f"true {name} {number}" for name in ("a", "b") for number in range(25))
    assert all(map(is_remembered, commands))


def test_an_engine_is_noted_once(own_data: Path) -> None:
    for _time in range(2):
        remember_engine(tiny("e7e5"))
    assert json.loads(own_data.read_text()) == [[sys.executable, str(TINY), "e7e5"]]


def test_what_is_no_program_is_not_noted(own_data: Path) -> None:
    with pytest.raises(HectorError, match="There is no engine"):
        remember_engine("no-such-engine")
    assert not own_data.exists()


def test_a_stopped_game_goes_on_by_a_command_with_the_engine_that_was_named() -> None:
    arguments = build_parser().parse_args(["resume", "game", "--keyboard", "--engine", "lc0 a"])
    assert again_by(arguments) == ("resume", "--keyboard", "--engine", "lc0 a")

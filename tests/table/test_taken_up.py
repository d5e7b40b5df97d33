"""A game that is taken up again is run as it was begun, unless its players say otherwise."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from typed import Typed

from assistant.cli import build_parser, main
from assistant.cli.play import setup_of
from assistant.errors import HectorError
from assistant.hearing import find_model
from assistant.journal import FILE_NAME
from assistant.table import Setup, live
from assistant.table.sitting import Room


@pytest.fixture
def taken_up(
    rooms: list[Room], monkeypatch: pytest.MonkeyPatch
) -> Callable[..., tuple[Setup, bool, list[str]]]:
    """Take a game up: its setup now, whether a display is looked for, and what was said."""
    looked_for: list[Setup] = []
    monkeypatch.setattr(live, "open_display", looked_for.append)

    def take_up(
        folder: Path, *arguments: str, by: str = "resume", heard: bool = False
    ) -> tuple[Setup, bool, list[str]]:
        del looked_for[:], rooms[:]
        (folder / "said.txt").write_text("")
        before = [] if by == "serve" or heard else ["--keyboard"]
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


@pytest.mark.parametrize(
    ("microphone", "option", "looked_for"),
    [(True, (), True), (True, ("--keyboard",), False), (False, (), False), (False, ("--microphone",), True)],
)
def test_whether_there_is_a_microphone_is_as_the_game_was_begun_and_as_is_asked(
    tmp_path: Path,
    taken_up: Callable[..., tuple[Setup, bool, list[str]]],
    monkeypatch: pytest.MonkeyPatch,
    microphone: bool,
    option: tuple[str, ...],
    looked_for: bool,
) -> None:
    found = []

    def none(**_options: object) -> None:
        found.append(True)
        raise HectorError("There is no microphone.")

    monkeypatch.setattr("assistant.table.devices.Microphone", none)
    taken_up(begun(tmp_path / "game", microphone=microphone), *option, heard=True)
    assert bool(found) is looked_for


@pytest.mark.parametrize(("option", "microphone"), [((), True), (("--keyboard",), False)])
def test_a_game_by_keyboard_is_kept_as_one(option: tuple[str, ...], microphone: bool) -> None:
    setup = setup_of(build_parser().parse_args(["play", *option]), "word")
    assert Setup.from_journal(setup.game(), setup.table()).microphone is microphone


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


def test_what_devices_lack_is_told_in_the_language_of_the_game(
    tmp_path: Path,
    taken_up: Callable[..., tuple[Setup, bool, list[str]]],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def no_microphone(**_options: object) -> None:
        raise HectorError("No sound comes from the microphone. Plug it in anew.")

    monkeypatch.setenv("LC_ALL", "C")
    monkeypatch.setattr("assistant.table.devices.Microphone", no_microphone)
    folder = begun(tmp_path / "game", language="de")
    taken_up(folder, heard=True)
    assert capsys.readouterr().err == "hector: Das Mikrofon liefert nichts. Stecken Sie es neu an.\n"
    taken_up(folder, "--lang", "en", heard=True)
    assert capsys.readouterr().err == "hector: No sound comes from the microphone. Plug it in anew.\n"


def limit_of(room: Room) -> float:
    """A limit that lies beside the model which hears in a room."""
    return room.devices.ears.thresholds.impossible


@pytest.fixture
def other_model(tmp_path: Path) -> Path:
    """Another model than the embedded one, known by one of its limits."""
    place = tmp_path / "model"
    shutil.copytree(find_model(), place)
    limits = (place / "decision.toml").read_text(encoding="utf-8")
    (place / "decision.toml").write_text(limits.replace("impossible = 20.0", "impossible = 33.0"))
    return place


@pytest.mark.parametrize("by", ["resume", "serve"])
def test_a_game_goes_on_with_the_model_that_it_was_begun_with(
    tmp_path: Path,
    other_model: Path,
    taken_up: Callable[..., tuple[Setup, bool, list[str]]],
    rooms: list[Room],
    by: str,
) -> None:
    folder = begun(tmp_path / "game", model=str(other_model))
    taken_up(folder, by=by)
    assert limit_of(rooms[0]) == 33.0


def test_the_model_of_the_command_line_goes_before_that_of_the_game(
    tmp_path: Path,
    other_model: Path,
    taken_up: Callable[..., tuple[Setup, bool, list[str]]],
    rooms: list[Room],
) -> None:
    taken_up(begun(tmp_path / "game", model=str(other_model)), "--model", str(find_model()))
    assert limit_of(rooms[0]) == 20.0


def test_a_game_whose_model_has_gone_is_heard_by_the_usual_one_and_that_is_told(
    tmp_path: Path,
    taken_up: Callable[..., tuple[Setup, bool, list[str]]],
    rooms: list[Room],
    capsys: pytest.CaptureFixture[str],
) -> None:
    folder = begun(tmp_path / "game", model=str(tmp_path / "gone"), language="en")
    taken_up(folder, heard=True)
    assert limit_of(rooms[0]) == 20.0
    told = capsys.readouterr().err
    assert f"hector: The model {tmp_path / 'gone'} does not exist;" in told
    assert "Until then the usual model hears." in told


def test_who_only_types_is_not_told_which_model_would_hear(
    tmp_path: Path,
    taken_up: Callable[..., tuple[Setup, bool, list[str]]],
    capsys: pytest.CaptureFixture[str],
) -> None:
    taken_up(begun(tmp_path / "game", model=str(tmp_path / "gone"), language="en"))
    assert "model" not in capsys.readouterr().err


def test_a_new_game_keeps_the_folder_of_its_model_as_it_is_found_from_everywhere(
    other_model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(other_model.parent)
    setup = setup_of(build_parser().parse_args(["play", "--model", other_model.name]), "word")
    assert setup.model == str(other_model)
    assert Setup.from_journal(setup.game(), setup.table()).model == setup.model


def test_a_new_game_keeps_the_name_of_a_fetched_model(
    other_model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HECTOR_MODELS", str(other_model.parent))
    setup = setup_of(build_parser().parse_args(["play", "--model", other_model.name]), "word")
    assert setup.model == other_model.name


def test_a_new_game_keeps_the_name_of_the_embedded_model(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    setup = setup_of(build_parser().parse_args(["play", "--model", "de"]), "word")
    assert setup.model == "de"


def test_a_game_that_was_begun_without_a_display_keeps_that_on_record(tmp_path: Path) -> None:
    from assistant.journal import read

    game = begun(tmp_path / "game", braille_display=False)
    first = read(game).lines[0]
    assert Setup.from_journal(first["game"], first["table"]).braille_display is False
    del first["table"]["braille_display"]
    assert Setup.from_journal(first["game"], first["table"]).braille_display is True


@pytest.fixture
def resumed(
    rooms: list[Room], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Callable[..., tuple[int, list[Path]]]:
    """Call `hector resume`: its status, and the folders of the games that it takes up."""
    monkeypatch.setenv("HECTOR_GAMES", str(tmp_path / "games"))
    monkeypatch.chdir(tmp_path)

    def resume(*names: str, lang: tuple[str, ...] = ("--lang", "en")) -> tuple[int, list[Path]]:
        del rooms[:]
        nothing = ("--keyboard", "--speak-to", os.devnull, "--braille-display", "off")
        return main([*lang, "resume", *names, *nothing]), [room.where() for room in rooms]

    return resume


def in_order(*folders: Path) -> None:
    """Let the journals be as old as their order tells, the newest last."""
    for seconds, folder in enumerate(folders):
        os.utime(folder / FILE_NAME, (1e9 + seconds, 1e9 + seconds))


def test_without_a_name_the_newest_game_that_is_not_over_goes_on(
    tmp_path: Path,
    resumed: Callable[..., tuple[int, list[Path]]],
    capsys: pytest.CaptureFixture[str],
) -> None:
    games = tmp_path / "games"
    older, newer, over, empty = (games / name for name in ("b", "a", "c", "d"))
    for folder in (older, newer):
        begun(folder)
    given_up = Typed(over)
    given_up.type("resign", "y")
    given_up.record.close()
    empty.mkdir()
    (empty / FILE_NAME).touch()
    (games / "notes.txt").touch()
    in_order(older, newer, over, empty)
    assert resumed() == (0, [newer])
    assert capsys.readouterr().out.splitlines()[0] == "The unfinished game that was played last: a"


@pytest.mark.parametrize(
    ("lang", "told"),
    [
        ((), "La partida sin terminar que se jugó la última: a"),
        (("--lang", "de"), "Die offene Partie, die zuletzt gespielt wurde: a"),
    ],
)
def test_the_newest_game_is_named_in_the_language_in_which_it_goes_on(
    tmp_path: Path,
    resumed: Callable[..., tuple[int, list[Path]]],
    capsys: pytest.CaptureFixture[str],
    lang: tuple[str, ...],
    told: str,
) -> None:
    begun(tmp_path / "games" / "a", language="es")
    resumed(lang=lang)
    assert capsys.readouterr().out.splitlines()[0] == told


def test_a_damaged_game_is_told_of_and_the_one_before_it_goes_on(
    tmp_path: Path,
    resumed: Callable[..., tuple[int, list[Path]]],
    capsys: pytest.CaptureFixture[str],
) -> None:
    whole, damaged = (begun(tmp_path / "games" / name) for name in ("whole", "damaged"))
    journal = damaged / FILE_NAME
    journal.write_text(re.sub(r"\A.", "x", journal.read_text()))
    in_order(whole, damaged)
    assert resumed() == (0, [whole])
    assert f"{journal} is damaged in line 1" in capsys.readouterr().err


@pytest.mark.parametrize("content", [b'{"game": {"laws"', b"\x00\xff\x00"])
def test_a_game_that_is_torn_in_its_first_line_is_told_of(
    tmp_path: Path,
    resumed: Callable[..., tuple[int, list[Path]]],
    capsys: pytest.CaptureFixture[str],
    content: bytes,
) -> None:
    whole, torn = (begun(tmp_path / "games" / name) for name in ("whole", "torn"))
    (torn / FILE_NAME).write_bytes(content)
    in_order(whole, torn)
    assert resumed() == (0, [whole])
    assert capsys.readouterr().err == f"hector: {torn} holds a journal without a game; nothing was changed.\n"


@pytest.mark.parametrize(
    ("key", "value"),
    [
        *(("model", 7), ("model", ["a"]), ("player", 7), ("event", 7), ("reads_board", "no")),
        *(("press", "foot"), ("language", "xx"), ("warnings", 7), ("warnings", {"white": ["a"]})),
        *(("sheet", {"cells": "32"}), ("engine", {"command": 7}), ("engine", None)),
    ],
)
def test_a_game_whose_table_is_damaged_hides_no_other(
    tmp_path: Path,
    resumed: Callable[..., tuple[int, list[Path]]],
    capsys: pytest.CaptureFixture[str],
    key: str,
    value: object,
) -> None:
    whole, damaged = (begun(tmp_path / "games" / name) for name in ("whole", "damaged"))
    journal = damaged / FILE_NAME
    first, _, rest = journal.read_text(encoding="utf-8").partition("\n")
    content = json.loads(first)
    content["table"][key] = value
    journal.write_text(f"{json.dumps(content)}\n{rest}", encoding="utf-8")
    in_order(whole, damaged)
    assert resumed() == (0, [whole])
    assert f"{journal} is damaged in line 1; nothing was changed. '{key}" in capsys.readouterr().err


def test_without_an_unfinished_game_one_sentence_says_so(
    tmp_path: Path,
    resumed: Callable[..., tuple[int, list[Path]]],
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert resumed() == (1, [])
    told = capsys.readouterr().err
    assert (
        told == f"hector: There is no unfinished game in {tmp_path / 'games'}. Begin one with: hector play\n"
    )


def test_a_name_that_is_no_folder_here_is_that_of_a_game_among_all(
    tmp_path: Path, resumed: Callable[..., tuple[int, list[Path]]]
) -> None:
    kept = begun(tmp_path / "games" / "game")
    assert resumed("game") == (0, [kept])
    begun(tmp_path / "game")
    assert resumed("game") == (0, [Path("game")])

"""A player's own settings: kept in a file that a person can read, and never mended behind his back."""

from __future__ import annotations

import errno
import os
import re
from dataclasses import asdict, fields
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.cli import build_parser, main
from assistant.cli.play import setup_of
from assistant.errors import HectorError, UsageError
from assistant.hearing.enrolment import VOICE
from assistant.scoresheet import from_pgn, new_game, render
from assistant.scoresheet.layout import MIN_CELLS, MIN_LINES
from assistant.table import Person, Setup, open_record
from assistant.table.changing_settings import change_player
from assistant.table.players import (
    SETTINGS,
    folder_of,
    known_player,
    known_players,
    load_player,
    with_settings,
)
from assistant.table.settings import Player, settings_of
from assistant.table.setup import SheetStyle


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    return tmp_path / "hector" / "players"


def named() -> tuple[str, ...]:
    """The players that are known; into each one's folder one may look."""

    def refuse(error: HectorError) -> None:
        raise error

    return known_players(refuse)


def test_settings_are_kept(data: Path) -> None:
    change_player("Ana", {"rate": "220", "warnings": "10, 300,60", "voice": "de+f4"})
    player = load_player("Ana")
    assert (player.rate, player.warnings, player.voice) == (220, (300, 60, 10), "de+f4")
    assert named() == ("Ana",)


def test_whoever_has_only_taught_his_voice_is_a_player(data: Path) -> None:
    change_player("Tom", {"rate": "220"})
    for name in ("ana", "nobody"):
        (data / name).mkdir()
    (data / "ana" / VOICE).touch()
    (data / "file").touch()
    assert named() == ("ana", "Tom")


@pytest.mark.parametrize("voice", ["nonsense", "de+nonsense", "xx", "mb-zz9"])
def test_a_voice_that_there_is_not_is_refused_and_nothing_changes(data: Path, voice: str) -> None:
    with pytest.raises(UsageError, match=rf"voice cannot be '{re.escape(voice)}': espeak-ng knows"):
        change_player("Ana", {"rate": "220", "voice": voice})
    assert named() == ()


def test_a_voice_for_another_engine_is_not_checked(data: Path) -> None:
    assert change_player("Ana", {"voice": "nonsense", "engine": "speechd"}).voice == "nonsense"
    with pytest.raises(UsageError, match="voice cannot be 'nonsense'"):
        change_player("Ana", {"engine": "espeak"})


def test_without_espeak_no_voice_is_refused(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("assistant.speaking.espeak._library", lambda: None)
    monkeypatch.setenv("PATH", str(data))
    assert change_player("Ana", {"voice": "nonsense"}).voice == "nonsense"


def test_a_name_in_another_case_is_the_same_player(data: Path) -> None:
    change_player("Ana María", {"rate": "220"})
    assert load_player("ANA  MARÍA").rate == 220
    assert load_player("ana mari\u0301a").name == "Ana María"


@pytest.mark.parametrize(
    "name", ["", " ", "..", ".", "a/b", "a\\b", "-rf", "a\0b", "x" * 61, "a\nb/..", "con:"]
)
def test_a_name_that_cannot_be_a_folder_is_refused(name: str) -> None:
    with pytest.raises(UsageError):
        folder_of(name)


@given(st.text(max_size=80))
def test_no_name_leads_out_of_the_folder_of_the_players(name: str) -> None:
    try:
        folder = folder_of(name)
    except UsageError:
        return
    assert folder.parent.name == "players"
    assert folder.parent == folder_of("Ana").parent
    assert folder.name not in ("", ".", "..")
    assert folder_of(folder.name) == folder


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("rate", "79"), ("rate", "451"), ("rate", "fast"), ("rate", "1e2"), ("pitch", "100"),
        ("volume", "-1"), ("press", "foot"), ("warnings", "soon"), ("warnings", "0"), ("language", "xx"),
        ("duplex", "both"), ("braille", "none such"), ("grade", "half"), ("cells", "17"), ("cells", "81"),
        ("lines", "5"), ("notation", "figurine"), ("speed", "9"), ("name", "Bob"),
    ],
)  # fmt: skip
def test_a_wrong_setting_is_refused_and_nothing_changes(data: Path, key: str, text: str) -> None:
    change_player("Ana", {"rate": "220"})
    before = (data / "ana" / SETTINGS).read_bytes()
    with pytest.raises(UsageError):
        change_player("Ana", {"pitch": "60", key: text})
    assert (data / "ana" / SETTINGS).read_bytes() == before


@pytest.mark.parametrize(
    "text",
    ["rate = 79", 'rate = "220"', "rate = true", "speed = 3", "rate = ", "[voice]\nrate = 3",
     "warnings = 300", "warnings = [true]", 'name = "Bob"', "voice = 3", "\xff", f"rate = {'1' * 5000}"],
)  # fmt: skip
def test_a_damaged_file_is_told_in_one_sentence_and_left_as_it_is(data: Path, text: str) -> None:
    (data / "ana").mkdir(parents=True)
    file = data / "ana" / SETTINGS
    file.write_bytes(text.encode("latin-1"))
    for act in (lambda: load_player("Ana"), lambda: change_player("Ana", {"rate": "200"})):
        with pytest.raises(HectorError) as told:
            act()
        assert str(file) in str(told.value)
        assert "\n" not in str(told.value)
    assert file.read_bytes() == text.encode("latin-1")


def test_a_pipe_in_the_place_of_settings_is_told_of_and_not_waited_for(data: Path) -> None:
    (data / "ana").mkdir(parents=True)
    os.mkfifo(data / "ana" / SETTINGS)
    for act in (lambda: load_player("Ana"), lambda: change_player("Ana", {"rate": "200"})):
        with pytest.raises(HectorError, match="cannot be read: Not a regular file"):
            act()


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "cp1252"])
def test_settings_are_read_and_changed_in_whichever_encoding_an_editor_kept_them(
    data: Path, encoding: str
) -> None:
    """The mark of UTF-8 is invisible, and aloud nothing: nobody could mend its line."""
    (data / "jörg").mkdir(parents=True)
    file = data / "jörg" / SETTINGS
    file.write_bytes('rate = 210\r\nname = "Jörg"\r\nroom = "Köln" # meins\r\n'.encode(encoding))
    assert (load_player("Jörg").rate, load_player("Jörg").room) == (210, "Köln")
    change_player("Jörg", {"rate": "220"})
    assert file.read_bytes().decode() == 'rate = 220\nname = "Jörg"\nroom = "Köln" # meins\n'


def test_a_settings_file_with_one_wrong_byte_is_told_with_its_line(data: Path) -> None:
    (data / "ana").mkdir(parents=True)
    (data / "ana" / SETTINGS).write_bytes("rate = 210\n# äöü ".encode() + b"\xff\n")
    with pytest.raises(HectorError, match="byte 0xFF in line 2"):
        load_player("Ana")


def test_comments_and_order_outlive_a_change(data: Path) -> None:
    (data / "ana").mkdir(parents=True)
    file = data / "ana" / SETTINGS
    file.write_text('# mine\nrate = 200 # brisk\n\npitch = 40\nname = "Ana"\n')
    change_player("Ana", {"pitch": "60", "volume": "120"})
    assert file.read_text() == '# mine\nrate = 200 # brisk\n\npitch = 60\nname = "Ana"\nvolume = 120\n'


def test_a_value_over_several_lines_is_changed_too(data: Path) -> None:
    (data / "ana").mkdir(parents=True)
    (data / "ana" / SETTINGS).write_text("warnings = [\n  300,\n  60,\n]\nrate = 200\n")
    change_player("Ana", {"warnings": "30"})
    assert (load_player("Ana").warnings, load_player("Ana").rate) == ((30,), 200)


@pytest.mark.parametrize(
    ("before", "change", "after"),
    [
        ("warnings = [300,\n 60]\n# keep me\nrate = 100\n", {"warnings": "none"}, "# keep me\nrate = 100\n"),
        ('# first\n"rate" = 200\n# end\n', {"rate": "190"}, "# first\nrate = 190\n# end\n"),
        ("rate = 200 # slow, says my doctor\n", {"rate": "190"}, "rate = 190 # slow, says my doctor\n"),
        ("rate = 200 # slow\n", {"rate": "none"}, "# slow\n"),
        ("# a\u2028b\u0085c\nrate = 200\n", {"rate": "190"}, "# a\u2028b\u0085c\nrate = 190\n"),
        ("warnings = [ # long\n 60,\n] # mine\n", {"warnings": "30"}, "warnings = [30] # mine\n"),
    ],
)
def test_comments_stay_wherever_a_value_stands(
    data: Path, before: str, change: dict[str, str], after: str
) -> None:
    (data / "ana").mkdir(parents=True)
    file = data / "ana" / SETTINGS
    file.write_text(f'name = "Ana"\n{before}')
    change_player("Ana", change)
    assert file.read_text() == f'name = "Ana"\n{after}'


def test_a_link_to_the_settings_stays_one(data: Path, tmp_path: Path) -> None:
    (data / "ana").mkdir(parents=True)
    (tmp_path / "elsewhere.toml").write_text("rate = 200\n")
    (data / "ana" / SETTINGS).symlink_to(tmp_path / "elsewhere.toml")
    change_player("Ana", {"rate": "190"})
    assert (data / "ana" / SETTINGS).is_symlink()
    assert "rate = 190" in (tmp_path / "elsewhere.toml").read_text()


def test_none_takes_a_setting_away(data: Path) -> None:
    change_player("Ana", {"rate": "220", "warnings": "300", "duplex": "full"})
    change_player("Ana", {"rate": "none", "warnings": "none", "duplex": "none"})
    assert load_player("Ana") == Player("Ana")


def test_every_setting_is_shown_as_it_is_written(data: Path) -> None:
    change_player("Ana", {"rate": "220", "headphones": 'USB "left"', "warnings": "60,10"})
    shown = dict(settings_of(load_player("Ana")))
    assert list(shown) == [field.name for field in fields(Player)]
    assert change_player("Ana", shown) == load_player("Ana")
    assert load_player("Ana").headphones == 'USB "left"'


def test_a_player_who_has_no_settings_may_be_a_slip_of_the_fingers() -> None:
    with pytest.raises(UsageError, match="hector player"):
        known_player("Anna")


def test_the_settings_go_to_the_player_of_that_name() -> None:
    setup = Setup(white=Person("Tom", True), black=Person("ana", True))
    own = with_settings(setup, Player("Ana", warnings=(60,), language="es", press="key", cells=40))
    assert own.black.warnings == (60,)
    assert own.white.warnings == ()
    assert (own.language, own.press, own.sheet.cells, own.player) == ("es", "key", 40, "Ana")


LEAST = {"cells": str(MIN_CELLS), "lines": str(MIN_LINES), "braille": "uk", "language": "en"}


def test_the_least_page_that_a_sheet_needs_can_be_set() -> None:
    player = change_player("Cy", LEAST)
    assert render_sheets(with_settings(Setup(), player))


def render_sheets(setup: Setup) -> list[bytes]:
    game = from_pgn("1. e4 e5 2. Nf3 *")
    return [
        render(game, kind, setup.language, **asdict(setup.sheet)) for kind in ("unicode", "brf", "pef", "pgn")
    ]


@pytest.mark.parametrize(
    ("before", "change"),
    [({}, {"braille": "uk", "language": "de"}), ({"language": "de"}, {"braille": "uk"}),
     ({"braille": "uk"}, {"language": "de"})],
)  # fmt: skip
def test_a_braille_profile_that_is_not_made_for_the_language_is_refused(
    data: Path, before: dict[str, str], change: dict[str, str]
) -> None:
    change_player("Cy", {"rate": "200", **before})
    kept = (data / "cy" / SETTINGS).read_bytes()
    with pytest.raises(UsageError, match=r"not made for de.* choose braille=chess-sheet, de-comp6"):
        change_player("Cy", change)
    assert (data / "cy" / SETTINGS).read_bytes() == kept


def test_a_braille_profile_without_a_language_goes_with_whatever_is_spoken() -> None:
    player = change_player("Cy", {"braille": "uk"})
    assert with_settings(Setup(language="en"), player).sheet.profile == "uk"
    assert with_settings(Setup(language="de"), player).sheet.profile == ""


@pytest.mark.parametrize(
    "text", ["cells = 12", "lines = 5", 'notation = "figurine"', 'braille = "uk"\nlanguage = "de"']
)
def test_an_older_file_whose_sheets_cannot_be_written_has_sheets_all_the_same(data: Path, text: str) -> None:
    (data / "cy").mkdir(parents=True)
    (data / "cy" / SETTINGS).write_text(f"{text}\n")
    assert render_sheets(with_settings(Setup(), load_player("Cy")))
    assert change_player("Cy", {"rate": "220"}).rate == 220


def test_a_setup_comes_back_from_its_journal() -> None:
    setup = with_settings(Setup(), Player("Ana", warnings=(60, 10), grade="full"))
    assert Setup.from_journal(setup.game(), setup.table()) == setup


def test_a_player_whose_folder_may_not_be_read_hides_no_other(
    data: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(path: Path, *, follow_symlinks: bool = True) -> os.stat_result:
        if path.parent == data / "bob":
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return look(path, follow_symlinks=follow_symlinks)

    look = Path.stat
    for name in ("Ana", "Bob", "Cy"):
        change_player(name, {"rate": "220"})
    monkeypatch.setattr(Path, "stat", refuse)
    assert main(["player"]) == 1
    said = capsys.readouterr()
    assert said.out.splitlines() == ["Ana", "Cy"]
    assert said.err == f"hector: {data / 'bob'} cannot be read: Permission denied.\n"


def test_a_player_whose_settings_are_damaged_is_named_too(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("Ana", "Bob"):
        change_player(name, {"rate": "220"})
    (data / "bob" / SETTINGS).write_text("rate = 9\n")
    assert main(["player"]) == 1
    said = capsys.readouterr()
    assert said.out.splitlines() == ["Ana", "bob"]
    assert said.err.startswith("hector: The setting rate cannot be '9'")


def test_a_player_is_shown_that_his_voice_was_learnt_and_how_it_is_forgotten(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    change_player("Ana", {"rate": "220"})
    assert main(["--lang", "en", "player", "Ana"]) == 0
    assert "learnt" not in capsys.readouterr().out
    (data / "ana" / VOICE).write_text("{}")
    assert main(["--lang", "en", "player", "Ana"]) == 0
    *_, last = capsys.readouterr().out.splitlines()
    assert last == (
        "Hector has learnt the voice of Ana. It is forgotten with: hector practise --forget --player Ana"
    )


def test_settings_in_plain_lines(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["player", "Ana", "rate=220", "warnings=300,60,10"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "rate: 220" in lines
    assert "warnings: 300,60,10" in lines
    assert main(["player", "Ana", "rate"]) == 2
    assert main(["player", "Ana", "rate=9"]) == 2
    assert main(["player"]) == 0
    assert capsys.readouterr().out == "Ana\n"


def test_a_language_that_there_is_not_is_refused_by_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--lang", "xx", "player"]) == 2
    assert "'xx'" in capsys.readouterr().err


def test_the_command_line_goes_before_the_file() -> None:
    change_player("Ana", {"press": "key", "language": "es", "warnings": "300"})
    parse = build_parser().parse_args
    setup = setup_of(parse(["play", "--player", "ana"]), "word")
    assert (setup.white.name, setup.press, setup.language, setup.white.warnings) == (
        "Ana",
        "key",
        "es",
        (300,),
    )
    setup = setup_of(
        parse(
            ["--lang", "de", "play", "--player", "ana", "--press", "auto", "--warn", "60", "--black", "Tom"]
        ),
        "word",
    )
    assert (setup.white.name, setup.press, setup.language, setup.white.warnings) == (
        "Ana",
        "auto",
        "de",
        (60,),
    )
    assert setup_of(parse(["play", "--player", "ana", "--warn", "none"]), "word").white.warnings == ()


def test_whoever_has_the_name_of_the_settings_is_the_blind_player() -> None:
    """With colours exchanged, his words would be his opponent's."""
    change_player("Ana", {"warnings": "300"})
    options = ["play", "--player", "Ana", "--black", "ana ", "--white", "Tom"]
    setup = setup_of(build_parser().parse_args(options), "word")
    assert (setup.white.blind, setup.black.blind) == (False, True)
    assert (setup.white.warnings, setup.black.warnings) == ((), (300,))


def test_where_both_are_blind_the_settings_are_still_those_of_the_name() -> None:
    change_player("Ana", {"warnings": "300"})
    options = ["play", "--player", "Ana", "--black", "Ana", "--white", "Tom", "--blind", "both"]
    setup = setup_of(build_parser().parse_args(options), "word")
    assert (setup.white.blind, setup.black.blind) == (True, True)
    assert (setup.white.warnings, setup.black.warnings) == ((), (300,))


def test_settings_of_a_player_who_is_said_to_see_are_refused() -> None:
    change_player("Ana", {"warnings": "300"})
    options = ["play", "--player", "Ana", "--black", "Ana", "--white", "Tom", "--blind", "white"]
    with pytest.raises(UsageError, match="--black has that name"):
        setup_of(build_parser().parse_args(options), "word")


@pytest.mark.parametrize(
    "style",
    [
        SheetStyle("figurine", "uk", cells=12, lines=5),
        SheetStyle("none such", "none such", grade="none such"),
        SheetStyle(cells=201, lines=201),
    ],
)
def test_a_game_has_its_sheets_whatever_style_its_journal_asks_for(tmp_path: Path, style: SheetStyle) -> None:
    record = open_record(tmp_path / "game", pytest.fail)
    record.views(new_game({"White": "Cy"}), "de", style)
    record.close()
    for name in ("game.pgn", "sheet.txt", "sheet.brf", "sheet.pef"):
        assert (tmp_path / "game" / name).stat().st_size


def test_a_file_of_brackets_is_one_sentence() -> None:
    change_player("Ana", {"rate": "220"})
    (folder_of("Ana") / SETTINGS).write_text("warnings = " + "[" * 3000)
    with pytest.raises(HectorError, match=r"The settings in .* cannot be read"):
        load_player("Ana")

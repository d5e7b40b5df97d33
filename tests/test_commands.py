"""The commands as a person calls them: results on standard output, one sentence on standard error."""

from __future__ import annotations

import argparse
import builtins
import errno
import io
import json
import os
import pwd
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile
from full_disk import full_disk

from assistant import interrupts, speaking
from assistant.__main__ import main as program_as_it_is_started
from assistant.cli import COMMANDS, build_parser, diagram, main
from assistant.errors import HectorError
from assistant.files import create_file
from assistant.hearing import find_model
from assistant.journal import BeingPlayedError, Journal, read
from assistant.scoresheet import from_pgn, render
from assistant.table import Person, Setup
from assistant.table.folder import new_folder, prepare, prepared

NO_ROOM = "The computer has no room for all that Hector does at once. Close other programs and try again."
ROOT = Path(__file__).resolve().parents[1]
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


def output(capsys: pytest.CaptureFixture[str], *argv: str) -> str:
    assert main(argv) == 0
    return capsys.readouterr().out


def refusal(capsys: pytest.CaptureFixture[str], *argv: str, status: int = 2) -> str:
    """Run a command that must fail, and return its one sentence."""
    try:
        assert main(argv) == status
    except SystemExit as leaving:
        assert leaving.code == status
    said = capsys.readouterr()
    assert len(said.err.strip().splitlines()) == 1, said.err
    return said.err


def test_what_the_tester_has_set_for_himself_counts_for_no_test() -> None:
    program = """
import os, sys, conftest
from assistant.speaking import choose_language
print(choose_language(), *(name for name in sys.argv[1:] if name in os.environ))
"""
    own = [f"HECTOR_{name}" for name in ("MODEL", "GAMES", "CALLED", "OPPONENT_PIN", "SPECTATOR_PIN")]
    locale = {"LC_ALL": "de_DE.UTF-8", "LANG": "pl_PL.UTF-8", "LANGUAGE": "fr"}
    path = {"PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'tests'}"}
    environment = os.environ | dict.fromkeys(own, "1") | locale | path
    printed = subprocess.run(
        [sys.executable, "-c", program, *own], stdout=subprocess.PIPE, text=True, env=environment, check=True
    )
    assert printed.stdout == "en\n"


def test_announce_prints_the_announcements_of_a_line_of_moves(capsys: pytest.CaptureFixture[str]) -> None:
    lines = output(capsys, "announce", "--silent", "e4", "Sc6", "Bb5").splitlines()
    assert lines == ["Eva vier", "Springer Cesar sechs", "Läufer Bella fünf"]


def test_the_numbers_of_a_line_of_moves_may_stand_apart(capsys: pytest.CaptureFixture[str]) -> None:
    moves = output(capsys, "announce", "--silent", "e4", "e5", "Nf3", "Nc6")
    assert output(capsys, "announce", "--silent", *["1.", "e4", "e5", "2.", "Nf3", "2...", "Nc6"]) == moves
    assert "'1.' is no legal move" in refusal(capsys, "announce", "--silent", "1.")


def test_what_is_announced_into_a_file_is_heard_again(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    wav = str(tmp_path / "moves.wav")
    output(capsys, "announce", "--to-wav", wav, "Nf3", "Nc6", "e4")
    lines = [json.loads(line) for line in output(capsys, "hear", "--game", wav).splitlines()]
    assert [(line["decision"], line["move"]) for line in lines] == [
        ("accept", "g1f3"),
        ("accept", "b8c6"),
        ("accept", "e2e4"),
    ]
    assert all(line["start"] < line["end"] for line in lines)
    assert {"file", "text", "alternatives", "command", "san", "confidence", "latency_ms"} <= lines[0].keys()


def test_a_manifest_is_heard_in_one_process(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    output(capsys, "announce", "--to-wav", str(tmp_path / "a.wav"), "e4")
    manifest = tmp_path / "all.tsv"
    manifest.write_text(f"file\tfen\na.wav\t{START}\nnone.wav\t{START}\na.wav\t{START}\n")
    assert main(["hear", "--manifest", str(manifest)]) == 1
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line.get("move") for line in lines] == ["e2e4", None, "e2e4"]
    assert "none.wav" in lines[1]["error"]


def test_what_is_wrong_with_one_of_several_recordings_is_told_in_the_language_that_was_asked_for(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["--lang", "de", "hear", "one.wav", "two.wav"]) == 1
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert lines[1] == {
        "file": "two.wav",
        "error": "Es gibt keine Datei two.wav. Prüfen Sie den Namen.",
    }


def test_a_game_goes_on_from_one_line_of_a_manifest_to_the_next(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    output(capsys, "announce", "--to-wav", str(tmp_path / "a.wav"), "Nf3")
    output(capsys, "announce", "--to-wav", str(tmp_path / "b.wav"), "Nf3", "Nc6")
    (tmp_path / "all.tsv").write_text(f"file\tfen\na.wav\t\nb.wav\t\nb.wav\t{START}\n")
    heard = output(capsys, "hear", "--game", "--manifest", str(tmp_path / "all.tsv")).splitlines()
    assert [json.loads(line)["move"] for line in heard] == ["g1f3", None, "b8c6", "g1f3", "b8c6"]


def test_a_game_whose_position_nobody_knows_is_not_heard_in_another_one(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    output(capsys, "announce", "--to-wav", str(tmp_path / "a.wav"), "Nf3")
    (tmp_path / "all.tsv").write_text(f"file\tfen\na.wav\tx\na.wav\t\na.wav\t{START}\n")
    assert main(["hear", "--game", "--manifest", str(tmp_path / "all.tsv")]) == 1
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line.get("move") for line in lines] == [None, None, "g1f3"]
    assert "is not a FEN" in lines[0]["error"] and lines[1]["error"] == lines[0]["error"]


@pytest.mark.parametrize("language", ["de_AT", "DE", "de_DE.UTF-8"])
def test_moves_are_read_in_the_letters_of_a_language_however_it_is_named(
    capsys: pytest.CaptureFixture[str], language: str
) -> None:
    said = output(capsys, "--lang", language, "announce", "--silent", "Sf3")
    assert said == "Springer Felix drei\n"


def test_a_wrong_position_is_told_before_any_recording_is_heard(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    said = refusal(capsys, "hear", "--game", "--fen", "8/8/8/8/8/8/8/8 w - - 0 1", "a.wav", "b.wav", status=2)
    assert "8/8/8/8" in said or "king" in said.lower()


def test_a_name_that_is_too_long_for_any_file_leaves_the_rest_of_a_manifest(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    manifest = tmp_path / "all.tsv"
    manifest.write_text(f"file\tfen\n{'a' * 300}\t\nnone.wav\t\n")
    assert main(["hear", "--manifest", str(manifest)]) == 1
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert ["File name too long" in lines[0]["error"], "no file" in lines[1]["error"]] == [True, True]


def test_whoever_stops_the_program_while_it_is_loaded_sees_no_traceback(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def interrupt(name: str, *given: Any) -> Any:
        if name == "assistant.cli":
            raise KeyboardInterrupt
        return load(name, *given)

    load = builtins.__import__
    monkeypatch.setattr(builtins, "__import__", interrupt)
    assert program_as_it_is_started() == 130


def stopped_while_numpy_is_loaded(times: int, patience: float) -> tuple[int, str]:
    """Run a command that signals reach within numpy's C part; return its status and its errors."""
    program = f"""
import signal, sys
from assistant import interrupts

class Stopping:
    def find_spec(self, name, path=None, target=None):
        if name.startswith("numpy.") and name.endswith("core._exceptions"):
            sys.meta_path.remove(self)
            for _time in range({times}):
                signal.raise_signal(signal.SIGTERM)

signal.signal(signal.SIGTERM, signal.SIG_DFL)
interrupts.PATIENCE = {patience}
sys.meta_path.insert(0, Stopping())
from assistant.cli import main
sys.exit(main(["--lang", "de", "adjudicate", "{START}"]))
"""
    ended = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, cwd=ROOT, check=False
    )
    return ended.returncode, ended.stderr


def test_whoever_stops_a_command_while_numpy_is_loaded_is_told_so_in_his_language() -> None:
    assert stopped_while_numpy_is_loaded(1, interrupts.PATIENCE) == (143, "hector: angehalten.\n")


def test_whoever_breaks_off_a_load_of_numpy_that_takes_too_long_is_told_so_without_it() -> None:
    """Its C part cannot be loaded a second time, and whatever tells in other languages needs it."""
    assert stopped_while_numpy_is_loaded(2, -1.0) == (143, "hector: stopped.\n")


def test_a_quotation_mark_in_a_manifest_swallows_no_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    manifest = tmp_path / "all.tsv"
    manifest.write_text('file\tfen\n"one.wav\t\ntwo.wav\t\n')
    assert main(["hear", "--manifest", str(manifest)]) == 1
    named = [json.loads(line)["file"] for line in capsys.readouterr().out.splitlines()]
    assert [Path(name).name for name in named] == ['"one.wav', "two.wav"]


def test_a_manifest_that_cannot_be_read_is_told_with_its_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    manifest = tmp_path / "all.tsv"
    manifest.write_text("file\tfen\n" + "x" * 140_000 + "\t\n")
    assert "line 2" in refusal(capsys, "hear", "--manifest", str(manifest), status=2)


@pytest.mark.parametrize(
    "arguments",
    [
        ("models", "check", ""),
        ("referee", ""),
        ("resume", ""),
        ("serve", ""),
        ("seal", ""),
        ("open-envelope", ""),
        ("arbiter-key", ""),
    ],
)
def test_an_empty_name_is_wrong_use(capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...]) -> None:
    assert "is empty" in refusal(capsys, *arguments, status=2)


def calls_with_an_empty_name() -> Iterator[list[str]]:
    """Every option of every command that names a file or a folder, with nothing for its name."""
    [commands] = [each for each in build_parser()._actions if isinstance(each.choices, dict)]
    for command, parser in commands.choices.items():
        needed = ["x" for each in parser._actions if not each.option_strings and each.nargs in (None, "+")]
        for action in parser._actions:
            names = (action.metavar or "").startswith(("FILE", "DIR"))  # type: ignore[union-attr]
            if action.option_strings and names:
                yield [command, *needed, action.option_strings[-1], ""]


@pytest.mark.parametrize("argv", [*calls_with_an_empty_name()], ids=" ".join)
def test_an_option_with_an_empty_name_of_a_file_or_folder_is_refused(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, argv: list[str]
) -> None:
    for command in COMMANDS:
        monkeypatch.setattr(command, "run", lambda _args: 0)
    assert refusal(capsys, *argv).startswith(f"hector: {argv[-2]} is empty: ")


def test_referee_rules_on_a_script(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    script = (
        '{"game": {"laws": "2023", "time_control": "60"}}\n'
        '{"at": 0, "do": "start"}\n'
        '{"at": 1, "do": "announce", "side": "white", "move": "Springer Felix drei"}\n'
        '{"at": 2, "do": "press", "side": "white"}\n'
    )
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(script.encode())))
    events = [json.loads(line) for line in output(capsys, "referee", "-").splitlines()]
    assert events[-1]["moves"] == ["Nf3"]
    assert events[-1]["white"] == 58


def test_a_broken_script_is_told_with_its_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    script = tmp_path / "broken.jsonl"
    script.write_text('{"game": {}}\n{"at": 0, "do": "start"}\nnonsense\n')
    assert "Line 3" in refusal(capsys, "referee", str(script))


def test_a_dead_position_is_proved(capsys: pytest.CaptureFixture[str]) -> None:
    answer = json.loads(output(capsys, "adjudicate", "--json", "8/8/8/8/8/5k2/7p/7K w - - 0 1"))
    assert (answer["dead"], answer["white_can_mate"], answer["black_can_mate"]) == (True, False, False)


@pytest.mark.parametrize(
    ("language", "ruling"),
    [
        ("de", "Die Stellung ist tot.\nWeiß kann nicht mattsetzen: zu wenig Figuren"),
        ("es", "Es una posición muerta.\nLas blancas no pueden dar mate: demasiado pocas piezas"),
        (
            "fr",
            "La position est morte.\nLes Blancs ne peuvent pas mater\N{NO-BREAK SPACE}: trop peu de pièces",
        ),
        ("pl", "Pozycja jest martwa.\nBiałe nie mogą dać mata: za mało bierek"),
    ],
)
def test_a_ruling_is_told_in_the_language_of_the_command(
    language: str, ruling: str, capsys: pytest.CaptureFixture[str]
) -> None:
    dead = "8/8/8/8/8/5k2/7p/7K w - - 0 1"
    assert output(capsys, "--lang", language, "adjudicate", dead).startswith(ruling)


@pytest.mark.parametrize(
    ("language", "fen", "line"),
    [
        ("de", "7k/5K1p/7P/6Q1/8/8/8/8 w - - 3 40", ": 40. Dd8#."),
        ("es", "8/8/8/8/6q1/7p/5k1P/7K b - - 3 40", ": 40... Dd1#."),
        ("pl", "7k/5K1p/7P/6Q1/8/8/8/8 w - - 3 40", ": 40. Hd8#."),
    ],
)
def test_a_line_that_mates_has_the_letters_of_the_language(
    language: str, fen: str, line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert line in output(capsys, "--lang", language, "adjudicate", fen)


def test_lines_that_are_no_text_or_no_position_do_not_stop_the_others(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = b"\xff\xfe\nnonsense\n8/8/8/8/8/5k2/7p/7K w - - 0 1"
    strict = io.TextIOWrapper(io.BytesIO(lines), encoding="utf-8", errors="strict")
    monkeypatch.setattr(sys, "stdin", strict)
    assert main(["adjudicate", "-"]) == 2
    answers = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [answer.get("line") for answer in answers] == [1, 2, None]
    assert answers[2]["dead"] is True


def test_a_script_goes_on_after_a_broken_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    script = b'\xef\xbb\xbf{"game": {}}\r\n{"at": 0, "at": 1}\r\n\xff\r\n{"at": 0, "do": "start"}\r\n'
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(script)))
    assert main(["referee", "-"]) == 2
    said = capsys.readouterr()
    assert [json.loads(line)["event"] for line in said.out.splitlines()] == ["clock-started", "status"]
    assert [line[:14] for line in said.err.splitlines()] == ["hector: Line 2", "hector: Line 3"]


def test_a_game_goes_into_braille_and_back(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    pgn, brf, back = (str(tmp_path / name) for name in ("game.pgn", "game.brf", "back.pgn"))
    Path(pgn).write_text('[White "Ana"]\n[Black "Tom"]\n[Result "*"]\n\n1. e4 e5 2. Nf3 Nc6 *\n')
    output(capsys, "sheet", pgn, "--format", "brf", "-o", brf)
    output(capsys, "sheet", "--back", brf, "-o", back)
    assert "1. e4 e5 2. Nf3 Nc6" in Path(back).read_text()
    assert main(["compare", pgn, back]) == 0


@pytest.mark.parametrize("format", ["text", "unicode", "brf", "pef"])
def test_a_sheet_in_place_of_a_pgn_is_told_of_with_the_command_that_reads_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], format: str
) -> None:
    pgn, sheet = tmp_path / "game.pgn", tmp_path / "sheet"
    pgn.write_text("1. e4 e5 2. Nf3 *\n")
    output(capsys, "sheet", str(pgn), "--format", format, "-o", str(sheet))
    said = refusal(capsys, "sheet", str(sheet), status=2)
    assert said.rstrip().endswith(f"As a sheet it can be read: hector sheet --back {sheet}")


def test_a_pgn_with_an_error_is_not_taken_for_a_sheet(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pgn = tmp_path / "game.pgn"
    pgn.write_text('[White "Ana"]\n\n1. e4 e5 2. Ke4 *\n')
    assert "--back" not in refusal(capsys, "sheet", str(pgn), status=2)


@pytest.mark.parametrize("options", [[], ["--back"]])
def test_what_a_sheet_leaves_out_is_told_in_the_language_of_the_messages(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, options: list[str]
) -> None:
    pgn = tmp_path / "game.pgn"
    pgn.write_text('[Result "vertagt"]\n\n1. e4 (1. d4) e5 *\n')
    assert main(["--lang", "de", "sheet", str(pgn), *options]) == 0
    assert capsys.readouterr().err.splitlines() == [
        "Die Varianten der PGN sind weggelassen (1): Ein Partieformular hat keine.",
        "Im PGN-Tag Result steht 'vertagt': Das ist kein Ergebnis und wird weggelassen.",
    ]


def test_a_tag_that_a_sheet_cannot_hold_is_told_when_the_sheet_is_written(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    pgn = tmp_path / "game.pgn"
    pgn.write_text('[Runde "3"]\n\n1. e4 e5 *\n')
    assert main(["--lang", "de", "sheet", str(pgn), "--language", "de", "--format", "brf"]) == 0
    told = capsys.readouterr()
    assert "E4" in told.out
    assert told.err.splitlines() == [
        "Das Tag Runde ist weggelassen: 'Runde: 3' käme von einem Formular in de nicht so zurück."
    ]


@pytest.mark.parametrize("options", [[], ["--back"]])
def test_a_file_that_cannot_be_written_is_refused_before_losses_are_told(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, options: list[str]
) -> None:
    pgn = tmp_path / "game.pgn"
    pgn.write_text("1. e4! e5 (1... c5) *\n")
    told = refusal(capsys, "sheet", *options, str(pgn), "-o", str(tmp_path))
    assert told == f"hector: {tmp_path} is a folder; name a file.\n"
    told = refusal(capsys, "sheet", *options, str(pgn), "-o", str(pgn))
    assert told == f"hector: {pgn} exists already. Choose another name, or add --force.\n"


def test_an_option_that_is_wrong_is_refused_before_losses_are_told(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    pgn = tmp_path / "game.pgn"
    pgn.write_text("1. e4! e5 (1... c5) *\n")
    for options in (["--cells", "3"], ["--language", "xx"], ["--format", "brf", "--notation", "figurine"]):
        refusal(capsys, "sheet", str(pgn), *options)


def test_a_sheet_that_is_cut_short_is_told_when_it_is_read(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    sheet = tmp_path / "game.txt"
    sheet.write_text("Weiß: Ana\n\n1.  e4  e5\n", encoding="utf-8")
    assert main(["--lang", "de", "sheet", "--back", str(sheet)]) == 0
    assert capsys.readouterr().err.splitlines() == [
        "Das Formular hat kein Ergebnis und endet nach Zug 1 von Schwarz: Vielleicht fehlt sein Ende."
    ]


def test_a_game_of_several_goes_back_into_pgn_by_its_number(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    pgn = tmp_path / "two.pgn"
    pgn.write_text('[White "A"]\n\n1. e4 *\n\n[White "B"]\n\n1. d4 d5 *\n')
    assert "--game 1" in refusal(capsys, "sheet", "--back", str(pgn), status=2)
    assert "1. d4 d5 *" in output(capsys, "sheet", "--back", str(pgn), "--game", "2")
    assert "--game chooses a game of a PGN" in refusal(
        capsys, "sheet", "--back", str(pgn), "--game", "2", "--format", "brf", status=2
    )


@pytest.mark.parametrize("option", ["--language", "--profile", "--grade"])
def test_what_there_is_not_is_refused_of_one_game_of_several_too(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, option: str
) -> None:
    pgn = tmp_path / "two.pgn"
    pgn.write_text('[White "A"]\n\n1. e4 *\n\n[White "B"]\n\n1. d4 d5 *\n')
    command = ("sheet", "--back", str(pgn), "--game", "2", option, "foo")
    assert "'foo'" in refusal(capsys, *command, status=2)


@pytest.mark.parametrize(
    ("option", "value"),
    [("--notation", "long"), ("--layout", "running"), ("--cells", "32"), ("--lines", "0")],
)
def test_what_is_of_no_use_to_a_sheet_that_is_read_back_is_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, option: str, value: str
) -> None:
    sheet = tmp_path / "game.txt"
    sheet.write_text("1. e4 e5 *\n")
    said = refusal(capsys, "sheet", "--back", str(sheet), option, value, status=2)
    assert f"leave out {option}." in said


def test_two_sheets_that_part_are_told_where(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    first, second = tmp_path / "a.pgn", tmp_path / "b.pgn"
    first.write_text("1. e4 e5 2. Nf3 *\n")
    second.write_text("1. e4 c5 2. Nf3 *\n")
    assert main(["--lang", "en", "compare", str(first), str(second)]) == 1
    said = capsys.readouterr().out
    assert "1..." in said
    assert "e5" in said and "c5" in said


def test_a_game_of_several_is_compared_by_its_number(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    one, two = tmp_path / "one.pgn", tmp_path / "two.pgn"
    one.write_text("1. d4 d5 *\n")
    two.write_text('[White "A"]\n\n1. e4 *\n\n[White "B"]\n\n1. d4 d5 *\n')
    assert main(["compare", str(one), str(two), "--game", "2"]) == 0
    assert main(["compare", str(two), str(one), "--game", "1"]) == 1
    assert main(["compare", str(two), str(one)]) == 2
    assert "choose one by its number (--game 1)" in capsys.readouterr().err
    assert main(["compare", str(two), str(one), "--game", "3"]) == 2
    assert "two.pgn: The PGN has no game number 3" in capsys.readouterr().err


def test_a_number_that_chooses_no_game_is_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    one = tmp_path / "one.pgn"
    one.write_text("1. d4 d5 *\n")
    assert main(["compare", str(one), str(one), "--game", "2"]) == 2
    assert "leave out --game" in capsys.readouterr().err


def test_the_language_may_be_said_before_or_after_the_command(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    first, second = tmp_path / "a.pgn", tmp_path / "b.pgn"
    first.write_text("1. e4 e5 *\n")
    second.write_text("1. e4 c5 *\n")
    said = []
    for argv in (["--lang", "es", "compare"], ["compare", "--lang", "es"]):
        main([*argv, str(first), str(second)])
        said.append(capsys.readouterr().out)
    main(["--lang", "en", "compare", str(first), str(second)])
    assert said[0] == said[1] != capsys.readouterr().out


def test_a_file_that_exists_is_not_replaced_unasked(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    pgn, target = tmp_path / "game.pgn", tmp_path / "out.brf"
    pgn.write_text("1. e4 *\n")
    target.write_text("precious")
    assert "--force" in refusal(capsys, "sheet", str(pgn), "--format", "brf", "-o", str(target))
    assert target.read_text() == "precious"
    output(capsys, "sheet", str(pgn), "--format", "brf", "-o", str(target), "--force")
    assert target.read_text() != "precious"


def test_a_games_folder_stands_for_the_game_in_it(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HECTOR_GAMES", str(tmp_path))
    game = from_pgn('[White "Ana"]\n\n1. e4 e5 *\n')
    (tmp_path / "of-ana").mkdir()
    (tmp_path / "of-ana" / "game.pgn").write_bytes(render(game, "pgn"))
    (tmp_path / "of-ana" / "sheet.brf").write_bytes(render(game, "brf", "de"))
    for name in ("of-ana", str(tmp_path / "of-ana")):
        assert output(capsys, "sheet", name) == render(game, "text", "de").decode()
        for options in ([], ["--format", "brf"]):
            assert from_pgn(output(capsys, "sheet", "--back", *options, name)) == game
        assert "agree" in output(capsys, "--lang", "en", "compare", name, str(tmp_path / "of-ana/sheet.brf"))


def test_a_folder_without_a_game_is_told_as_a_folder(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert refusal(capsys, "sheet", str(tmp_path)) == f"hector: {tmp_path} is a folder; name a file.\n"


@pytest.mark.parametrize("options", [[], ["--force"]])
def test_a_folder_in_the_place_of_the_file_is_told_as_one(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, options: list[str]
) -> None:
    pgn = tmp_path / "game.pgn"
    pgn.write_text("1. e4 *\n")
    told = refusal(capsys, "sheet", str(pgn), "-o", str(tmp_path), *options)
    assert told == f"hector: {tmp_path} is a folder; name a file.\n"


def test_who_interrupts_the_writing_of_a_file_leaves_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(_descriptor: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupted)
    with pytest.raises(KeyboardInterrupt):
        create_file(tmp_path / "key.json", b"0123456789")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("options", [["--language", "xx"], ["--notation", "foo"], ["--cells", "3"]])
def test_what_there_is_not_is_refused_for_a_pgn_too(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, options: list[str]
) -> None:
    pgn = tmp_path / "game.pgn"
    pgn.write_text("1. e4 *\n")
    refusal(capsys, "sheet", str(pgn), "--format", "pgn", *options, status=2)


@pytest.mark.parametrize("options", [[], ["--force"]])
def test_a_full_disk_leaves_the_old_file_or_none(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, options: list[str]
) -> None:
    target = tmp_path / "board.txt"
    if options:
        target.write_text("precious")
        target.chmod(0o640)
    with full_disk():
        refusal(capsys, "diagram", START, "-o", str(target), *options, status=1)
    assert [path.name for path in tmp_path.iterdir()] == (["board.txt"] if options else [])
    if options:
        assert target.read_text() == "precious"
    output(capsys, "diagram", START, "-o", str(target), *options)
    assert target.read_text() != "precious"
    assert not options or target.stat().st_mode & 0o777 == 0o640


def test_what_is_written_is_on_the_disk_when_that_is_told(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A power failure after it would leave an empty file: no other key opens what was sealed to this one."""
    phrase, key = tmp_path / "phrase", tmp_path / "key.json"
    phrase.write_text("eine lange Losung aus Worten\n")

    def broken(_descriptor: int) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr(os, "fsync", broken)
    refusal(capsys, "arbiter-key", str(key), "--passphrase-file", str(phrase), status=1)
    assert not key.exists()


def test_a_key_that_the_disk_had_no_room_for_can_be_made_again(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    phrase, key = tmp_path / "phrase", tmp_path / "key.json"
    phrase.write_text("eine lange Losung aus Worten\n")
    argv = ["arbiter-key", str(key), "--passphrase-file", str(phrase)]
    with full_disk():
        refusal(capsys, *argv, status=1)
    assert "Fingerprint" in output(capsys, *argv)


def test_a_key_has_no_room_below_a_file_and_that_is_told_before_its_passphrase_is_asked(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    told = refusal(capsys, "arbiter-key", str(tmp_path / "file" / "key"), status=1)
    assert "The key cannot be written to" in told and "exists already" not in told


SPEAKS_INTO = [
    ["announce", "e4", "--to-wav"],
    ["play", "--listen", "precious.wav", "--speak-to"],
    ["play", "--demonstration", "--silent", "--speak-to"],
    ["play", "--keyboard", "--speak-to"],
    ["serve", "--page-port", "0", "--speak-to"],
    ["resume", "missing", "--speak-to"],
    ["practise", "--speak-to"],
]
"""What takes the name of a file for the voice."""


@pytest.mark.parametrize("argv", SPEAKS_INTO)
def test_the_voice_speaks_into_a_file_and_into_no_folder_or_standard_output(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, argv: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HECTOR_GAMES", str(tmp_path / "games"))
    Path("folder").mkdir()
    for name, why in (
        ("folder", "folder is a folder; name a file."),
        ("-", f"{argv[-1]} does not write to standard output: name a file."),
    ):
        assert main([*argv, name]) == 2
        assert capsys.readouterr() == ("", f"hector: {why}\n")
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


def test_a_key_is_not_written_to_standard_output(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert "does not write to standard output" in refusal(capsys, "arbiter-key", "-")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("argv", SPEAKS_INTO)
def test_the_voice_speaks_over_no_file(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, argv: list[str]
) -> None:
    """Not even over the recording that it is to answer."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HECTOR_GAMES", str(tmp_path / "games"))
    soundfile.write("precious.wav", np.zeros(16_000, np.int16), 16_000)
    before = Path("precious.wav").read_bytes()
    assert "precious.wav exists already. Choose another name." in refusal(capsys, *argv, "precious.wav")
    assert Path("precious.wav").read_bytes() == before
    assert not Path("games").exists()


@pytest.mark.parametrize("name", ["game.pgn", "sheet.txt", "sheet.brf", "sheet.pef", "said.txt"])
def test_a_new_game_writes_over_nobodys_own_file(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, name: str
) -> None:
    (tmp_path / name).write_text("my own")
    told = refusal(capsys, "play", "--keyboard", "--save", str(tmp_path))
    assert f"{name} exists already. Choose another folder with --save." in told
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [(name, "my own")]


def test_a_file_that_holds_nothing_keeps_no_new_game_from_a_folder(tmp_path: Path) -> None:
    (tmp_path / "game.pgn").touch()
    assert prepare(tmp_path) == tmp_path


@pytest.mark.parametrize(
    ("option", "value"),
    [("--engine", "stockfish"), ("--time-control", "60"), ("--blind", "both"), ("--chess960", "0")],
)
def test_a_game_that_goes_on_keeps_what_it_began_with(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, option: str, value: str
) -> None:
    sentence = refusal(capsys, "serve", str(tmp_path), option, value)
    assert f"The game in {tmp_path} keeps what it began with: leave out {option}." in sentence


def test_the_second_file_of_the_demonstration_is_looked_for_before_the_first_is_spoken(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "said-2.wav").write_text("precious")
    argv = ["play", "--demonstration", "--silent", "--speak-to", str(tmp_path / "said.wav")]
    assert "said-2.wav exists" in refusal(capsys, *argv)
    assert not (tmp_path / "said.wav").exists()


def test_the_voice_speaks_into_a_file_that_holds_nothing(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "e4.wav").touch()
    output(capsys, "announce", "e4", "--to-wav", str(tmp_path / "e4.wav"))
    assert soundfile.info(str(tmp_path / "e4.wav")).duration > 0.3


def test_a_diagram_shows_the_board(capsys: pytest.CaptureFixture[str]) -> None:
    assert len(output(capsys, "diagram", START).splitlines()) >= 8
    assert output(capsys, "diagram", START, "--format", "svg").startswith(("<?xml", "<svg"))


@pytest.mark.parametrize("name", ["adjudicate", "diagram"])
def test_a_position_needs_no_quotation_marks(capsys: pytest.CaptureFixture[str], name: str) -> None:
    fen = "8/8/8/8/8/5k2/7p/7K w - - 0 1"
    assert output(capsys, name, *fen.split()) == output(capsys, name, fen)


def test_the_embedded_model_knows_every_word(capsys: pytest.CaptureFixture[str]) -> None:
    folder = output(capsys, "models").splitlines()[0]
    assert "knows all" in output(capsys, "models", "check", folder)


def test_a_model_that_vosk_refuses_is_not_praised(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    folder = tmp_path / "model"
    shutil.copytree(find_model(), folder)
    settings = folder / "conf" / "mfcc.conf"
    settings.write_text(settings.read_text().replace("num-mel-bins=40", "num-mel-bins=99999"))
    assert main(["models", "check", str(folder)]) == 1
    assert "do not fit" in capsys.readouterr().out


def test_a_model_whose_limits_the_game_refuses_is_not_praised(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    folder = tmp_path / "model"
    shutil.copytree(find_model(), folder)
    (folder / "decision.toml").write_text("[announcement]\nillegal = nan\n")
    assert main(["models", "check", str(folder)]) == 1
    told = capsys.readouterr().out
    assert "decision.toml" in told and "knows all" not in told


def program(
    *argv: str, stdout: Any = subprocess.PIPE, stderr: Any = subprocess.PIPE, **environment: str
) -> tuple[int, str, str]:
    """Run a command in a process of its own; return its status, what it printed, and its errors."""
    command = [sys.executable, "-m", "assistant", *argv]
    if stderr is None:
        command = ["sh", "-c", 'exec "$0" "$@" 2>&-', *command]
    ended = subprocess.run(
        command, stdout=stdout, stderr=stderr, env=os.environ | environment, cwd=ROOT, check=False
    )
    return ended.returncode, (ended.stdout or b"").decode("ascii"), (ended.stderr or b"").decode("ascii")


def test_a_terminal_that_shows_no_umlauts_ends_nothing() -> None:
    argv = ["announce", "--silent", "e4", "a6", "Bb5"]
    status, said, errors = program(*argv, PYTHONIOENCODING="ascii")
    assert (status, errors) == (0, "")
    assert said.splitlines()[-1] == r"L\xe4ufer Bella f\xfcnf"


def test_a_recording_whose_name_is_no_text_is_heard(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    output(capsys, "announce", "--to-wav", str(tmp_path / "e4.wav"), "e4")
    path = (tmp_path / "e4.wav").rename(tmp_path / os.fsdecode(b"\xff.wav"))
    line = json.loads(output(capsys, "hear", str(path)))
    assert (line["file"], line["move"]) == (str(path), "e2e4")


@pytest.mark.parametrize("argv", [["--help"], ["announce", "--silent", "e4"]])
def test_a_reader_that_has_gone_is_told_nothing(argv: list[str]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    assert program(*argv, stdout=writing) == (1, "", "")
    os.close(writing)


@pytest.mark.parametrize("argv", [["--help"], ["announce", "--silent", "e4"]])
def test_an_output_that_takes_nothing_is_one_sentence(argv: list[str]) -> None:
    with Path("/dev/full").open("wb") as full:
        status, _said, errors = program(*argv, stdout=full)
    assert (status, errors) == (1, "hector: The disk is full. Free some space and try again.\n")


@pytest.fixture(params=["full", "without a reader", "closed"])
def deaf(request: pytest.FixtureRequest) -> Iterator[int | None]:
    """A descriptor for standard error that nobody can be told anything by; `None` where it is closed."""
    if request.param == "closed":
        yield None
        return
    if request.param == "full":
        descriptor = os.open("/dev/full", os.O_WRONLY)
    else:
        reading, descriptor = os.pipe()
        os.close(reading)
    yield descriptor
    os.close(descriptor)


@pytest.fixture(
    scope="module",
    params=[
        ("announce", "--silent", "Zz9"),
        ("conjure",),
        ("sheet", "game.pgn", "--format", "brf"),
        ("referee", "script.jsonl"),
        ("hear", "silence.wav"),
    ],
    ids=" ".join,
)
def told(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[list[str], tuple[int, str]]:
    """A command that has something to tell, and its status and what it prints where it can tell it."""
    folder = tmp_path_factory.mktemp("told")
    (folder / "game.pgn").write_text("1. e4 (1. d4) e5 *\n")
    (folder / "script.jsonl").write_text('{"game": {}}\nnonsense\n{"at": 0, "do": "start"}\n')
    soundfile.write(folder / "silence.wav", np.zeros(16_000), 16_000)
    argv = [str(folder / word) if "." in word else word for word in request.param]
    status, said, errors = program(*argv)
    assert errors != ""
    return argv, (status, said)


def test_what_nobody_can_be_told_changes_neither_the_status_nor_what_is_printed(
    deaf: int | None, told: tuple[list[str], tuple[int, str]]
) -> None:
    argv, ended = told
    assert program(*argv, stderr=deaf) == (*ended, "")


def test_doctor_tells_what_to_do_where_no_game_can_be_kept(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("HECTOR_GAMES", str(tmp_path / "file" / "games"))
    assert main(["doctor"]) == 1
    games = capsys.readouterr().out.splitlines()[-1]
    assert games.startswith(f"games: The games cannot be kept in {tmp_path}/file/games: Not a directory. ")
    assert "HECTOR_GAMES" in games


def test_a_file_that_cannot_be_spoken_into_is_told_without_an_option_that_there_is_not(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    sentence = refusal(capsys, "announce", "e4", "--to-wav", str(tmp_path / "no" / "x.wav"), status=1)
    assert sentence.endswith("No such file or directory. Name another file.\n")


def test_a_folder_with_a_game_is_named_in_the_command_as_it_is_typed(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    folder = tmp_path / "a game"
    folder.mkdir()
    (folder / "journal.jsonl").write_text('{"game": {}}\n')
    sentence = refusal(capsys, "play", "--keyboard", "--save", str(folder), status=1)
    assert sentence.endswith(f"Continue it with: hector resume '{folder}'\n")


def test_a_folder_that_begins_with_a_hyphen_is_no_option_of_the_command_that_is_told(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("-x").mkdir()
    Path("-x", "journal.jsonl").write_text('{"game": {}}\n')
    sentence = refusal(capsys, "play", "--keyboard", "--save=-x", status=1)
    assert sentence.endswith("Continue it with: hector resume ./-x\n")


def test_what_argparse_refuses_is_told_in_one_line_that_steers_no_terminal(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit):
        main(["serve", "--\n\x1b[2J"])
    assert capsys.readouterr().err.endswith("arguments: --\\n\\x1b[2J. Help: hector serve --help\n")


@pytest.mark.parametrize(
    ("argv", "help"),
    [
        ("--unknown play", "hector"),
        ("serve here there", "hector serve"),
        ("models check one other", "hector models check"),
    ],
)
def test_the_help_that_is_named_is_that_of_the_command(
    capsys: pytest.CaptureFixture[str], argv: str, help: str
) -> None:
    assert refusal(capsys, *argv.split()).endswith(f". Help: {help} --help\n")


def test_what_is_to_be_typed_begins_as_the_launcher_was_called(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HECTOR_CALLED", "/my chess/hector")
    assert refusal(capsys, "serve", "--follow").endswith(": '/my chess/hector' serve DIR --follow\n")
    with pytest.raises(SystemExit):
        main(["serve", "--unknown"])
    assert capsys.readouterr().err.endswith("Help: '/my chess/hector' serve --help\n")


def test_what_the_help_lets_people_type_begins_as_the_launcher_was_called(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("HECTOR_CALLED", "./hector")
    [commands] = [each for each in build_parser()._actions if isinstance(each, argparse._SubParsersAction)]
    for parser in commands.choices.values():
        text = " ".join(parser.format_help().split())
        assert [name for name in commands.choices if re.search(rf"(?<!/)\bhector {name}\b", text)] == []


def test_doctor_has_one_line_for_each_part(capsys: pytest.CaptureFixture[str]) -> None:
    main(["doctor"])
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in lines] == [
        "Python",
        "model",
        "voice",
        "microphone",
        "loudspeaker",
        "braille",
        "braille display",
        "engine",
        "games",
    ]


@pytest.mark.parametrize(
    ("argv", "status"),
    [
        (["hear", "missing.wav"], 2),
        (["hear"], 2),
        (["hear", "--fen", "junk", "missing.wav"], 2),
        (["announce", "--silent", "Nf6"], 2),
        (["referee", "missing.jsonl"], 2),
        (["adjudicate", "junk"], 2),
        (["adjudicate", "8/8/8/8/8/8/8/8 w - - 0 1"], 2),
        (["sheet", "missing.pgn"], 2),
        (["sheet", "missing.pgn", "--format", "cuneiform"], 2),
        (["compare", "missing.pgn", "missing.pgn"], 2),
        (["diagram", "junk"], 2),
        (["models", "check", "missing"], 2),
        (["play", "--keyboard", "--fen", "junk"], 2),
        (["play", "--keyboard", "--time-control", "soon"], 2),
        (["play", "--keyboard", "--laws", "1066"], 2),
        (["play", "--listen", "missing.wav"], 2),
        (["resume", "missing"], 2),
        (["conjure"], 2),
        ([], 2),
    ],
)
def test_a_wrong_call_gets_one_sentence(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    argv: list[str],
    status: int,
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HECTOR_GAMES", str(tmp_path / "games"))
    refusal(capsys, *argv, status=status)


@pytest.mark.parametrize("kind", ["empty", "text", "silence", "noise", "eight kilohertz", "cut"])
def test_a_recording_without_an_announcement_is_no_trouble(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, kind: str
) -> None:
    wav = tmp_path / "sound.wav"
    rng = np.random.default_rng(5)
    if kind == "empty":
        wav.touch()
    elif kind == "text":
        wav.write_text("This is no sound at all, only letters that go on for a while.")
    else:
        rate = 8000 if kind == "eight kilohertz" else 44100
        level = {"silence": 0.0}.get(kind, 0.05)
        soundfile.write(wav, rng.normal(0, level, (2 * rate, 2)), rate)
        if kind == "cut":
            wav.write_bytes(wav.read_bytes()[:-100_000])
    if kind in ("empty", "text"):
        assert str(wav) in refusal(capsys, "hear", str(wav))
        return
    assert main(["hear", str(wav)]) == (1 if kind == "cut" else 0)
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert all(line["decision"] == "reject" for line in lines)


def test_a_recording_without_speech_is_told_of(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    wav = tmp_path / "silence.wav"
    soundfile.write(wav, np.zeros(16_000), 16_000)
    assert main(["hear", str(wav)]) == 0
    said = capsys.readouterr()
    assert (said.out, said.err) == ("", f"No speech was heard in {wav}.\n")


@pytest.mark.parametrize("option", [["--game"], ["--fen", START]])
def test_single_words_are_heard_in_no_game(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, option: list[str]
) -> None:
    wav = tmp_path / "silence.wav"
    soundfile.write(wav, np.zeros(16_000), 16_000)
    assert "leave out --words, or" in refusal(capsys, "hear", "--words", *option, str(wav))


def cut_flac(capsys: pytest.CaptureFixture[str], folder: Path) -> Path:
    """A recording of three moves whose second half was lost."""
    output(capsys, "announce", "--to-wav", str(folder / "moves.wav"), "e4", "e5", "Nf3")
    sound, rate = soundfile.read(folder / "moves.wav")
    path = folder / "moves.flac"
    soundfile.write(path, sound, rate)
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2])
    return path


def test_a_recording_that_is_cut_off_is_heard_as_far_as_it_goes_and_told_of(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = cut_flac(capsys, tmp_path)
    assert main(["hear", str(path)]) == 1
    said = capsys.readouterr()
    assert json.loads(said.out.splitlines()[0])["move"] == "e2e4"
    assert said.err.startswith(f"hector: {path} is cut off: it ends after ")
    assert len(said.err.splitlines()) == 1


def test_of_several_recordings_one_that_is_cut_off_is_named_and_the_others_are_heard(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = cut_flac(capsys, tmp_path)
    assert main(["hear", str(path), str(tmp_path / "moves.wav")]) == 1
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    [trouble] = [line["error"] for line in lines if "error" in line]
    assert "is cut off" in trouble
    # The second announcement is cut in its middle.
    assert [line["move"] for line in lines if line["file"] == str(path) and "move" in line][:1] == ["e2e4"]
    assert lines[-1]["file"] == str(tmp_path / "moves.wav")


@pytest.mark.parametrize(
    "argv", [("sheet", "-"), ("adjudicate", "-"), ("referee",), ("compare", "-", "game.pgn")]
)
def test_without_a_standard_input_a_file_is_asked_for(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, argv: tuple[str, ...]
) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    assert "There is no standard input to read: name a file." in refusal(capsys, "--lang", "en", *argv)


def test_without_a_standard_output_a_file_is_asked_for(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    assert main(("--lang", "en", "diagram", START)) == 2
    monkeypatch.undo()
    assert "name a file with -o" in capsys.readouterr().err


@pytest.mark.parametrize("number", ["-1", "960"])
def test_a_start_that_is_none_of_the_960_is_told_with_what_can_be_given(
    capsys: pytest.CaptureFixture[str], number: str
) -> None:
    said = refusal(capsys, "play", "--keyboard", f"--chess960={number}", status=2)
    assert "from 0 to 959" in said and "true" not in said


def test_a_player_whom_nobody_set_up_has_no_settings_to_show(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert "no settings of 'Bob'" in refusal(capsys, "player", "Bob", status=2)
    assert "rate: 180" in output(capsys, "player", "Bob", "rate=180")
    assert "rate: 180" in output(capsys, "player", "Bob")


def test_who_has_no_home_folder_is_told_to_name_one(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_such_user(_number: int) -> None:
        raise KeyError

    monkeypatch.delenv("HOME")
    monkeypatch.setattr(pwd, "getpwuid", no_such_user)
    assert "HOME" in refusal(capsys, "play", "--keyboard", status=1)
    monkeypatch.setenv("HOME", "/")
    assert "Springer" in output(capsys, "announce", "Nf3", "--to-wav", os.devnull)


def test_a_folder_in_which_no_game_begins_is_not_left_behind(tmp_path: Path) -> None:
    for folder in (tmp_path / "new", tmp_path / "old"):
        if folder.name == "old":
            folder.mkdir()
        with pytest.raises(HectorError), prepared(folder) as game:
            (game / "journal.jsonl").touch()
            raise HectorError("The devices are not there.")
    assert [path.name for path in tmp_path.rglob("*")] == ["old"]


def test_a_game_that_is_started_twice_is_left_to_whoever_waits_for_its_start(tmp_path: Path) -> None:
    with prepared(tmp_path / "game") as game, Journal.create(game) as waiting:
        with pytest.raises(BeingPlayedError), prepared(game):
            Journal.create(game)
        with pytest.raises(BeingPlayedError), prepared(game):
            Journal.create(game)
        waiting.append({"game": {}})
    assert len(read(game).lines) == 1


def test_a_folder_in_which_a_game_has_begun_stays(tmp_path: Path) -> None:
    with prepared(tmp_path / "game") as game:
        (game / "journal.jsonl").write_text("{}\n")
    assert (game / "journal.jsonl").exists()


def test_a_game_whose_typed_lines_end_says_how_it_goes_on(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    game = tmp_path / "game"
    done = subprocess.run(
        [sys.executable, "-m", "assistant", "--lang", "en", "play", "--keyboard", "--save", str(game)],
        input="e4\n\n",
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
        env=os.environ | {"PYTHONPATH": str(ROOT), "HOME": str(tmp_path)},
    )
    assert f"Stopped. The game goes on with: hector resume {game} --keyboard" in done.stdout


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("Łukasz Żak", "Lukasz-Zak"),
        ("Søren Ægir Weiß", "Soren-Aegir-Weiss"),
        ("Đorđe Işık", "Dorde-Isik"),
        ("Сергей Щукин", "Sergei-Shchukin"),
        ("Ελένη Ψαρού", "Eleni-Psaroy"),
        ("Jürgen", "Jurgen"),
        ("Ёжикова Їжа", "Ezhikova-Izha"),
    ],
)
def test_the_name_of_a_games_folder_has_every_letter_of_its_players(
    tmp_path: Path, name: str, written: str
) -> None:
    folder = new_folder(Setup(white=Person(name), black=Person("Tom")), tmp_path)
    assert folder.name[18:] == f"{written}-Tom"


def test_the_folder_of_players_with_long_names_can_be_made(tmp_path: Path) -> None:
    setup = Setup(white=Person("Ana " * 100), black=Person("ひ" * 300))
    with prepared(new_folder(setup, tmp_path)) as folder:
        assert folder.is_dir() and "Ana-Ana" in folder.name


@pytest.mark.parametrize("is_told_at_all", [True, False])
def test_where_there_is_no_memory_that_is_one_sentence(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, is_told_at_all: bool
) -> None:
    def full(*_given: object) -> None:
        raise MemoryError

    monkeypatch.setattr(diagram, "run", full)
    if not is_told_at_all:
        monkeypatch.setattr(speaking, "told", full)
    assert refusal(capsys, "diagram", START, status=1) == f"hector: {NO_ROOM}\n"

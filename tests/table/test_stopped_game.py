"""A game that a signal ends: it is kept, the players hear how it goes on, and the terminal is as it was."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import termios
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile
from live_game import ROOT, LiveGame, at_terminal, type_only

from assistant.cli import build_parser, main
from assistant.cli.ways import again_by
from assistant.journal import Journal, read
from assistant.speaking import Sound, WavFile, synthesise
from assistant.table import Setup, Table, live
from assistant.table.record import open_record

ENDING = [signal.SIGTERM, signal.SIGHUP, signal.SIGINT]
pytestmark = pytest.mark.usefixtures("heeded")


@pytest.mark.parametrize("number", ENDING)
def test_a_signal_ends_a_game_as_q_does(tmp_path: Path, number: signal.Signals) -> None:
    folder = tmp_path / "a game"
    with at_terminal(folder) as (game, controller, end):
        os.write(controller, b"\n")
        game.expect("Die Uhr von Weiß läuft")
        os.write(controller, b"e4\n")
        game.expect("Eva vier")
        assert not termios.tcgetattr(end)[3] & termios.ICANON
        game.process.send_signal(number)
        assert game.wait() == 128 + number
        assert termios.tcgetattr(end)[3] & termios.ICANON
        assert termios.tcgetattr(end)[3] & termios.ECHO
    assert game.lines[-1] == f"Angehalten. Die Partie geht weiter mit: hector resume '{folder}' --keyboard"
    assert game.errors == ""
    assert [line["do"] for line in read(folder).lines if "do" in line] == ["start", "announce"]


def test_a_recorded_game_that_is_stopped_says_how_it_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(*_given: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(live, "play_stream", stop)
    soundfile.write(tmp_path / "game.wav", np.zeros(16_000, np.int16), 16_000)
    argv = ["--lang", "es", "play", "--listen", str(tmp_path / "game.wav"), "--save", str(tmp_path / "game")]
    assert main(argv) == 130
    assert capsys.readouterr().out.splitlines()[-1].endswith(f"hector resume {tmp_path / 'game'}")


@pytest.mark.parametrize(
    ("typed", "again"),
    [
        ("play --white Ana", "resume"),
        ("play --keyboard", "resume --keyboard"),
        ("resume game --keyboard --page", "resume --keyboard --page"),
        ("resume game --microphone", "resume --microphone"),
        ("play --page --page-port 8898 --opponent-pin 2468", "resume --page --page-port 8898"),
        ("play --headphones pulse:ear --player Ana", "resume --headphones pulse:ear"),
        ("resume game --page --player Ana", "resume --page --player Ana"),
        ("serve game --room hall --duplex full", "serve --room hall --duplex full"),
    ],
)
def test_a_game_goes_on_with_the_page_and_the_devices_it_is_played_with(typed: str, again: str) -> None:
    assert again_by(build_parser().parse_args(typed.split())) == tuple(again.split())


def test_a_game_on_a_page_that_is_stopped_goes_on_with_it(tmp_path: Path) -> None:
    folder = tmp_path / "game"
    options = ["--save", str(folder), "--page-port", "0", "--speak-to", os.devnull]
    nowhere = {"PULSE_SERVER": "unix:/nonexistent", "XDG_RUNTIME_DIR": str(tmp_path), "TMPDIR": str(tmp_path)}
    with LiveGame(folder, ["serve", *options], nowhere) as game:
        game.type("e4")
        game.expect("Eva vier")
        game.type("q")
        assert game.wait() == 0
    assert game.lines[-1].endswith(f": hector serve {folder} --page-port 0")


@pytest.mark.parametrize(
    "when", ["before the disk has it", "after the disk has it", "after the journal has it"]
)
def test_a_signal_in_the_middle_of_writing_writes_no_line_twice_and_loses_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, when: str
) -> None:
    record = open_record(tmp_path / "game", print)
    record.line({"game": {}})
    fsync, append = os.fsync, Journal.append

    def interrupted(*given: Any) -> None:
        if when != "before the disk has it":
            (append if when == "after the journal has it" else fsync)(*given)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        if when == "after the journal has it":
            patch.setattr(Journal, "append", interrupted)
        else:
            patch.setattr(os, "fsync", interrupted)
        with pytest.raises(KeyboardInterrupt):
            record.line({"at": 1, "do": "start"})
    record.close()
    assert [line.get("at") for line in read(tmp_path / "game").lines] == [None, 1]


def test_a_game_goes_on_where_no_file_can_be_opened_any_more_and_is_kept_if_it_cannot(tmp_path: Path) -> None:
    folder = tmp_path / "game"
    with type_only(folder, "play", "--save", str(folder)) as game:
        game.expect("Die Uhr von Weiß läuft")
        limits = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.prlimit(game.process.pid, resource.RLIMIT_NOFILE, (4, limits[1]))
        game.type("e4", "", "t")
        game.expect("Eva vier")
        game.expect("Weiß: eine Stunde")
        game.type("e5", "", "arbiter ask law article=9.1")
        assert game.wait() == 1
    assert "Hector: Hector ist ausgefallen. Die Partie ist unterbrochen." in game.lines
    assert f"Angehalten. Die Partie geht weiter mit: hector resume {folder} --keyboard" in game.lines
    assert [line["move"] for line in read(folder).lines if line.get("do") == "announce"] == ["e2e4", "e7e5"]


class Failing:
    """A guest who starts the clock and then brings the program to its end."""

    starts = True
    stays = False

    def open(self, table: Table, _where: object, _now: object) -> None:
        self._table = table

    def attend(self, _in_order: object = None) -> None:
        if self._table.course.steps:
            raise RuntimeError("can't start new thread")

    def close(self) -> None:
        pass


def test_whatever_error_ends_a_game_the_players_hear_that_it_has_ended(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, spoken = tmp_path / "game", tmp_path / "spoken.wav"
    begin, given = WavFile.begin, []

    def begun(file: WavFile, sound: Sound, at: float | None = None) -> None:
        given.append(sound)
        begin(file, sound, at)

    # espeak-ng says the same sentence a few samples shorter or longer each time: this one is in the file.
    monkeypatch.setattr(WavFile, "begin", begun)
    with pytest.raises(RuntimeError):
        live.play(Setup(), folder, spoken, None, keyboard_only=True, guest=Failing())
    told = "Hector ist ausgefallen. Die Partie ist unterbrochen."
    *_before, said, stopped = capsys.readouterr().out.splitlines()
    assert said == f"Hector: {told}"
    assert stopped == f"Angehalten. Die Partie geht weiter mit: hector resume {folder}"
    assert given[-1].seconds == pytest.approx(synthesise(told, "de").seconds, rel=0.01)
    assert soundfile.info(spoken).duration >= given[-1].seconds
    heard, last = soundfile.read(spoken, dtype="int16")[0], given[-1].samples
    assert np.array_equal(heard[-len(last) :], last)


def test_a_game_is_kept_where_standard_error_is_closed(tmp_path: Path) -> None:
    """With its descriptor free, the journal would have it, and the null device would be put over it."""
    folder, said = tmp_path / "game", ""
    command = '"$0" -m assistant "$@" --keyboard --speak-to /dev/null'
    for lines, begin in (("e4\n\n", ["play", "--save"]), ("e5\n\n", ["resume"])):
        said += subprocess.run(
            ["sh", "-c", f"exec {command} 2>&-", sys.executable, *begin, str(folder)],
            input=lines,
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            check=True,
        ).stdout
    assert "cannot be" not in said
    assert [line.get("move") for line in read(folder).lines if line.get("do") == "announce"] == [
        "e2e4",
        "e7e5",
    ]

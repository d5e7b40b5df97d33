"""A benchmark that cannot be run says why in one sentence and ends with the status of the error."""

from __future__ import annotations

import shlex
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
import soundfile

from assistant.announcements import Thresholds
from assistant.errors import HectorError

ROOT = Path(__file__).resolve().parents[1]
NEED_TRAINING = ("hearing", "strangers", "people")

Run = Callable[[str, list[str]], int]
"""Runs a benchmark with these arguments; returns its exit status."""


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Run:
    def main(name: str, arguments: list[str]) -> int:
        if name in NEED_TRAINING:
            pytest.importorskip("torch", reason="PyTorch is not installed")
        monkeypatch.setattr(sys, "argv", [name, *arguments])
        return int(import_module(f"benchmarks.{name}").main())

    return main


@pytest.mark.parametrize(
    ("name", "arguments", "status", "sentence"),
    [
        (
            "strangers",
            ["--conditions", "clean,loud"],
            2,
            'There is no condition "loud"; write clean',
        ),
        ("strangers", ["--conditions", "pink ten"], 2, 'There is no condition "pink ten"'),
        ("strangers", ["--conditions", "pink nan"], 2, 'There is no condition "pink nan"'),
        ("strangers", ["--conditions", "clean,babble -5000"], 2, 'There is no condition "babble -5000"'),
        ("wordings", ["Remis", "ich will nicht"], 2, "'ich will nicht' is neither a legal move nor a comm"),
        ("wordings", ["--fen", "nowhere", "Eva vier"], 2, "'nowhere' is not a FEN"),
        ("hearing", ["--audio", "nowhere"], 2, "nowhere has neither human-words with labels.tsv nor other-"),
        ("hall", ["--audio", "nowhere"], 2, "There are no recordings (FLAC, Ogg or WAV) in nowhere."),
        ("hearing", ["--model", "nowhere"], 2, "The model nowhere does not exist"),
        ("calibration", ["--model", "nowhere"], 2, "The model nowhere does not exist"),
        ("calibration", ["--write", "nowhere/x.toml"], 2, "nowhere/x.toml cannot be written: name a file in"),
        ("calibration", ["--write", "."], 2, ". cannot be written: name a file in a folder that is there."),
        ("enrolment", ["--model", "nowhere"], 2, "The model nowhere does not exist"),
        ("people", ["--share", "nowhere"], 1, "None of the recordings is installed"),
        ("can_mate", ["--every", "0"], 2, "--every and --games need a number from 1 on."),
        ("can_mate", ["--positions", "nowhere.tsv"], 1, "nowhere.tsv cannot be read"),
        ("can_mate", ["--positions", "latin1.tsv"], 1, "latin1.tsv is not UTF-8 text."),
        ("can_mate", ["--positions", "long.tsv"], 1, "long.tsv is no table: field larger than field limit"),
        ("referee", ["--laws", "1850", "--games", "1", "--plies", "1"], 2, "There is no edition of the Laws"),
        ("perft", ["nowhere"], 1, "There is no nowhere/tricky.perft; unpack python-chess's source"),
        ("perft", ["nowhere", "--every", "0"], 2, "Name the folder examples/perft"),
    ],
)
def test_what_is_wrong_is_told_in_one_sentence(
    name: str,
    arguments: list[str],
    status: int,
    sentence: str,
    run: Run,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "latin1.tsv").write_bytes("fen\tintended_winner\tverdict\nWeiß".encode("latin-1"))
    (tmp_path / "long.tsv").write_text("fen" * 50_000)
    assert run(name, arguments) == status
    told = capsys.readouterr().err
    assert told.startswith(sentence) and told.count("\n") == 1, told


@pytest.mark.parametrize(
    ("name", "option", "value"),
    [
        ("hearing", "--count", "0"),
        ("hearing", "--noise-minutes", "0"),
        ("strangers", "--count", "0"),
        ("people", "--count", "-1"),
        ("calibration", "--count", "0"),
        ("enrolment", "--count", "0"),
        ("hall", "--talk", "nan"),
        ("referee", "--games", "0"),
        ("phrasebook", "--games", "many"),
        ("page", "--moves", "0"),
        ("page", "--spectators", "-3"),
    ],
)
def test_nothing_can_be_measured_no_times(
    name: str, option: str, value: str, run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as end:
        run(name, [option, value])
    assert end.value.code == 2
    assert f"argument {option}: {value!r} is no number above 0" in capsys.readouterr().err


@pytest.mark.parametrize("value", ["nan", "inf", "-3", "many"])
def test_a_hall_may_have_no_quiet_hours_but_not_less(
    value: str, run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as end:
        run("hall", [f"--hours={value}"])
    assert end.value.code == 2
    assert f"argument --hours: {value!r} is no number from 0 on" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("hall", ["--talk", "0.01", "--hours", "0"]),
        ("hearing", ["--count", "1"]),
        ("enrolment", ["--count", "1"]),
        ("calibration", ["--count", "1"]),
        ("strangers", ["--conditions", "clean,babble 10"]),
    ],
)
def test_without_the_program_that_speaks_a_benchmark_says_so(
    name: str,
    arguments: list[str],
    run: Run,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("PATH", "")
    assert run(name, arguments) == 1
    told = capsys.readouterr().err
    assert told == "There is no synthesiser: install espeak-ng (Debian: apt install espeak-ng).\n"


def test_one_announcement_leaves_nothing_illegal_to_divide_by() -> None:
    from benchmarks import bench, calibration

    nothing = {kind: [] for kind in calibration.SHARES}
    assert calibration.price(nothing, Thresholds()).illegal == 0
    assert bench.shares([], Thresholds()).split() == ["0.0"] * 4


def without(missing: str, module: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command where a package is missing."""
    program = f"import runpy, sys; sys.modules[{missing!r}] = None; "
    program += f"runpy.run_module({module!r}, run_name='__main__')"
    command = [sys.executable, "-c", program, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("extra", "missing", "command"),
    [
        ("training", "torch", "benchmarks.people"),
        ("training", "scipy", "benchmarks.strangers"),
        ("training", "scipy", "benchmarks.hearing"),
        ("training", "torch", "models.training.mean --out mean one other"),
        ("test", "pytest", "benchmarks.table --help"),
        ("test", "pytest", "benchmarks.page --help"),
        ("test", "pytest", "benchmarks.page_attack --help"),
        ("test", "pytest", "benchmarks.ledger"),
    ],
)
def test_without_an_extra_a_command_says_what_it_needs_and_what_installs_it(
    extra: str, missing: str, command: str
) -> None:
    done = without(missing, *command.split())
    pip = shlex.join([sys.executable, "-m", "pip", "install", "-e", f"{ROOT}[{extra}]"])
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"This needs {missing}. Install it with: {pip}\n"


def test_a_mean_of_nothing_is_wrong_use_whatever_is_installed() -> None:
    done = without("torch", "models.training.mean")
    assert done.returncode == 2 and "arguments are required: --out, MODEL" in done.stderr


def test_the_hall_takes_flac_ogg_and_wav_and_names_what_is_broken(tmp_path: Path) -> None:
    from benchmarks import hall, voices

    (tmp_path / "below").mkdir()
    for name in ("a.flac", "below/b.WAV", "c.ogg"):
        soundfile.write(tmp_path / name, np.ones(800) * 0.1, 8000)
    (tmp_path / "notes.txt").touch()
    found = voices.recordings_in(tmp_path)
    assert [path.name for path in found] == ["a.flac", "b.WAV", "c.ogg"]
    assert [len(hall._read(path)) for path in found] == [1600, 1600, 1600]
    for name, samples in (("broken.wav", None), ("nan.wav", np.full(800, np.nan))):
        (tmp_path / name).write_bytes(b"RIFF")
        if samples is not None:
            soundfile.write(tmp_path / name, samples, 8000, subtype="FLOAT")
        with pytest.raises(HectorError, match=name):
            hall._read(tmp_path / name)


@pytest.mark.parametrize("wanted", [-25, -15, -10])
def test_a_voice_gets_the_brightness_that_it_is_to_be_measured_with(wanted: int) -> None:
    pytest.importorskip("scipy", reason="the training extra is not installed: its tests are skipped")
    from benchmarks.strangers import as_bright, brightness

    steady = np.random.default_rng(1).standard_normal(8000)
    dull = np.convolve(steady, 0.7 ** np.arange(20))
    # the slope goes on within each of the two bands, so it is met nearly
    assert brightness(as_bright(dull, wanted)) == pytest.approx(wanted, abs=3)

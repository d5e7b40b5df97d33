"""What the training command is asked to do is checked before it begins, and what stops it is one sentence."""

from __future__ import annotations

import errno
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed: the training tests are skipped")

from assistant.errors import HectorError  # noqa: E402
from models.training import CHECKPOINT, pipeline  # noqa: E402
from models.training import __main__ as command  # noqa: E402


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--seed", "-1"], "--seed must be a number from 0"),
        (["--seed", str(2**32)], "--seed must be a number from 0"),
        (["--minutes", "nan"], "--minutes must be a number above 0"),
        (["--minutes", "inf"], "--minutes must be a number above 0"),
        (["--quick", "--minutes", "5"], "--quick has a length of its own"),
        (["--out", "/"], "--out must be a folder of its own"),
    ],
)
def test_an_option_that_cannot_be_meant_is_refused(
    arguments: list[str], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as end:
        command.parse(["--out", "model", *arguments])
    assert end.value.code == 2
    assert complaint in capsys.readouterr().err


@pytest.mark.parametrize("option", ["words", "whole", "uneven"])
def test_an_option_changes_the_size_of_the_training(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, option: str
) -> None:
    sizes: list[pipeline.Size] = []

    class Seen:
        def __init__(self, *given: object) -> None:
            sizes.extend(each for each in given if isinstance(each, pipeline.Size))

        def run(self, *_: object) -> None:
            pass

    monkeypatch.setattr(pipeline, "Pipeline", Seen)
    arguments = ["--out", str(tmp_path / "out"), "--minutes", "10"]
    assert [command.main(arguments), command.main([*arguments, f"--{option}"])] == [0, 0]
    change = {"words": pipeline.with_words, "whole": pipeline.whole, "uneven": pipeline.uneven}[option]
    assert sizes == [pipeline.full(10), change(pipeline.full(10))]
    assert sizes[0] != sizes[1]


@pytest.mark.parametrize(("out", "work"), [(".", "b.work"), ("..", "a.work"), ("model", "b/model.work")])
def test_the_work_lies_beside_the_model(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, out: str, work: str
) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "a" / "b")
    found = command.parse(["--out", out]).work.absolute()
    assert found == tmp_path / (work if out == ".." else f"a/{work}")


@pytest.mark.parametrize("option", ["--out", "--work"])
def test_a_file_is_no_folder_to_write_to(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], option: str
) -> None:
    (tmp_path / "file").touch()
    folders = {
        "--out": str(tmp_path / "out"),
        "--work": str(tmp_path / "work"),
        option: str(tmp_path / "file"),
    }
    assert command.main(["--quick", *(part for pair in folders.items() for part in pair)]) == 2
    assert "file cannot be made: File exists." in capsys.readouterr().err


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full to write to")
def test_a_log_that_cannot_be_written_ends_no_training(monkeypatch: pytest.MonkeyPatch) -> None:
    with Path("/dev/full").open("w") as log:
        monkeypatch.setattr(sys, "stdout", log)
        monkeypatch.setattr(command, "run", lambda _: command.say("step 100"))
        assert command.main(["--out", "model"]) == 0


def test_a_full_disk_is_one_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", "/work/espeak")

    monkeypatch.setattr(command, "run", full)
    assert command.main(["--out", "model"]) == 1
    told = capsys.readouterr().err
    assert told.startswith("The training cannot go on: No space left on device (/work/espeak). ")
    assert told.count("\n") == 1


@pytest.mark.parametrize("has_learnt", [True, False])
def test_an_error_after_something_was_learnt_says_how_it_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], has_learnt: bool
) -> None:
    def full(_: object) -> None:
        if has_learnt:
            (tmp_path / CHECKPOINT).touch()
        raise HectorError("The disk is full.")

    monkeypatch.setattr(command, "run", full)
    assert command.main(["--out", "model", "--work", str(tmp_path)]) == 1
    way_on = " The same command with --resume goes on from the last checkpoint." if has_learnt else ""
    assert capsys.readouterr().err == f"The disk is full.{way_on}\n"


@pytest.mark.parametrize("ask", [lambda: bytes(2**62), lambda: torch.empty(2**60)])
def test_a_full_memory_is_one_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], ask: Callable[[], object]
) -> None:
    monkeypatch.setattr(command, "run", lambda _: ask())
    assert command.main(["--out", "model"]) == 1
    told = capsys.readouterr().err
    assert told.startswith("The training cannot go on: the memory is full. No checkpoint had been written")
    assert told.count("\n") == 1


@pytest.mark.usefixtures("heeded")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize(
    ("before", "option", "after", "way_on"),
    [
        (None, [], None, "No checkpoint had been written yet"),
        (1, [], 1, "No checkpoint had been written yet"),
        (1, ["--resume"], 1, "--resume goes on"),
        (1, [], 2, "--resume goes on"),
        (None, [], 1, "--resume goes on"),
    ],
)
def test_a_training_that_is_stopped_says_how_it_goes_on(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    number: signal.Signals,
    before: int | None,
    option: list[str],
    after: int | None,
    way_on: str,
) -> None:
    checkpoint = tmp_path / CHECKPOINT

    def written(when: int | None) -> None:
        if when is not None:
            checkpoint.touch()
            os.utime(checkpoint, (when, when))

    def stopped(_: object) -> None:
        written(after)
        signal.raise_signal(number)

    written(before)
    monkeypatch.setattr(command, "run", stopped)
    assert command.main(["--out", "model", "--work", str(tmp_path), *option]) == 128 + number
    told = capsys.readouterr().err
    assert told.startswith("Stopped. ") and way_on in told and told.count("\n") == 1

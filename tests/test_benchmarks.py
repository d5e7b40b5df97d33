"""A benchmark that cannot be run says why in one sentence and ends with the status of the error."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

import pytest


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
        ("people", ["--share", "nowhere"], 1, "None of the recordings is installed"),
        ("can_mate", ["--every", "0"], 2, "--every and --games need a number from 1 on."),
        ("can_mate", ["--positions", "nowhere.tsv"], 1, "nowhere.tsv cannot be read"),
        ("perft", ["nowhere"], 1, "There is no nowhere/tricky.perft; unpack python-chess's source"),
        ("perft", ["nowhere", "--every", "0"], 2, "Name the folder examples/perft"),
    ],
)
def test_what_is_wrong_is_told_in_one_sentence(
    name: str,
    arguments: list[str],
    status: int,
    sentence: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    if name in ("strangers", "people"):
        pytest.importorskip("torch", reason="PyTorch is not installed")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", [name, *arguments])
    assert import_module(f"benchmarks.{name}").main() == status
    told = capsys.readouterr().err
    assert told.startswith(sentence) and told.count("\n") == 1, told

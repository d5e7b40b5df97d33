"""A screen that takes nothing any more: a connection has broken down, or a terminal is being scrolled."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

import pytest

from assistant.journal import read
from tests.live_game import PATIENCE, ROOT


def until(is_so: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.01)


class Stuck:
    """A game by keyboard whose output and errors nobody reads."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._reads, self._end = os.pipe()
        # As it is for whoever plays: Python holds its output back until it is flushed.
        usual = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
        self.process: subprocess.Popen[str] = subprocess.Popen(
            [
                *(sys.executable, "-m", "assistant", "play", "--keyboard", "--press", "key"),
                *("--save", str(folder), "--speak-to", os.devnull),
            ],
            cwd=folder.parent,
            env=usual | {"PYTHONPATH": str(ROOT), "TMPDIR": str(folder.parent)},
            stdin=subprocess.PIPE,
            stdout=self._end,
            stderr=self._end,
            text=True,
        )

    def type(self, *lines: str) -> None:
        keyboard: IO[str] | None = self.process.stdin
        assert keyboard is not None
        keyboard.write("".join(f"{line}\n" for line in lines))
        keyboard.flush()

    def fill(self) -> None:
        """Leave no room for anything that is shown."""
        end = os.open(f"/proc/self/fd/{self._end}", os.O_WRONLY | os.O_NONBLOCK)
        with contextlib.suppress(BlockingIOError):
            while True:
                os.write(end, b".")
        os.close(end)

    @property
    def moves(self) -> list[str]:
        return [line["move"] for line in read(self.folder).lines if line.get("do") == "announce"]

    def close(self) -> None:
        self.process.kill()
        self.process.communicate()
        for end in (self._reads, self._end):
            os.close(end)


@pytest.fixture
def stuck(tmp_path: Path) -> Iterator[Stuck]:
    with contextlib.closing(Stuck(tmp_path / "game")) as game:
        until((game.folder / "said.txt").exists)
        game.fill()
        yield game


def test_a_warning_that_the_screen_does_not_take_holds_up_no_game(stuck: Stuck) -> None:
    (stuck.folder / "said.txt").unlink()
    (stuck.folder / "said.txt").mkdir()
    stuck.type("e4", "", "e5", "", "Nf3", "")
    until(lambda: stuck.moves == ["e2e4", "e7e5", "g1f3"])


def test_a_game_ends_though_the_screen_takes_nothing(stuck: Stuck) -> None:
    stuck.type("e4", "", "q")
    assert stuck.process.wait(PATIENCE) == 0
    assert stuck.moves == ["e2e4"]

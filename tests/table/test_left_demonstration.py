"""The demonstration at a terminal: q and Enter end it, and the terminal is as it was whatever ends it."""

from __future__ import annotations

import contextlib
import os
import pty
import signal
import subprocess
import termios
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from live_game import LiveGame

from assistant.journal import read

STOP = "q und Eingabetaste: aufhören."


@contextlib.contextmanager
def demonstration(folder: Path, stdin: int) -> Iterator[LiveGame]:
    def start(command: list[str], **options: Any) -> subprocess.Popen[str]:
        # What started the tests may have ignored these signals, as nohup does; then its children do, too.
        handled = [signal.SIGTERM, signal.SIGHUP, signal.SIGINT]
        before = {number: signal.signal(number, lambda *_: None) for number in handled}
        try:
            return subprocess.Popen(command, **options | {"stdin": stdin})
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    arguments = ["play", "--demonstration", "--silent", "--save", str(folder)]
    with LiveGame(folder, arguments, {}, start) as game:
        yield game


@pytest.fixture
def terminal() -> Iterator[tuple[int, int]]:
    controller, end = pty.openpty()
    yield controller, end
    os.close(controller)
    os.close(end)


def test_q_leaves_the_demonstration_and_its_game_is_kept(tmp_path: Path, terminal: tuple[int, int]) -> None:
    controller, end = terminal
    before = termios.tcgetattr(end)
    with demonstration(tmp_path / "shown", end) as shown:
        assert shown.expect("^q ") == STOP
        assert shown.expect("Tastatur") == "Eine Partie mit der Tastatur: hector play --keyboard"
        shown.expect("^Hector: ")
        assert not termios.tcgetattr(end)[3] & termios.ICANON
        os.write(controller, b"q\r")
        assert shown.wait() == 0
    assert termios.tcgetattr(end) == before
    [folder] = (tmp_path / "shown").iterdir()
    assert shown.lines[-1] == f"Die Partie liegt in {folder}"
    assert shown.errors == ""
    assert "start" in [line.get("do") for line in read(folder).lines]


def test_who_types_anything_else_is_told_how_to_leave(tmp_path: Path, terminal: tuple[int, int]) -> None:
    controller, end = terminal
    with demonstration(tmp_path / "shown", end) as shown:
        shown.expect("^Hector: ")
        os.write(controller, b"hilfe\r")
        shown.expect("^q ", since=shown.lines.index(STOP) + 1)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_that_ends_the_demonstration_restores_the_terminal_and_keeps_the_game(
    tmp_path: Path, terminal: tuple[int, int], number: signal.Signals
) -> None:
    _controller, end = terminal
    before = termios.tcgetattr(end)
    with demonstration(tmp_path / "shown", end) as shown:
        shown.expect("^Hector: ")
        shown.process.send_signal(number)
        assert shown.wait() == 128 + number
    assert termios.tcgetattr(end) == before
    [folder] = (tmp_path / "shown").iterdir()
    assert shown.lines[-1] == f"Die Partie liegt in {folder}"
    assert shown.errors == "hector: angehalten.\n"
    assert "start" in [line.get("do") for line in read(folder).lines]


def test_a_demonstration_that_goes_on_after_it_was_stopped_is_left_by_q(
    tmp_path: Path, terminal: tuple[int, int]
) -> None:
    """A shell has set the terminal's modes as it likes them meanwhile."""
    controller, end = terminal
    before = termios.tcgetattr(end)
    with demonstration(tmp_path / "shown", end) as shown:
        shown.expect("^Hector: ")
        shown.process.send_signal(signal.SIGSTOP)
        os.waitid(os.P_PID, shown.process.pid, os.WSTOPPED)
        termios.tcsetattr(end, termios.TCSANOW, before)
        shown.process.send_signal(signal.SIGCONT)
        shown.expect("^Hector: ", since=len(shown.lines))
        assert not termios.tcgetattr(end)[3] & termios.ICANON
        os.write(controller, b"q\r")
        assert shown.wait() == 0
    assert termios.tcgetattr(end) == before


def test_what_no_terminal_sends_ends_no_demonstration(tmp_path: Path) -> None:
    read, write = os.pipe()
    os.write(write, b"q\n")
    with demonstration(tmp_path / "shown", read) as shown:
        for _answer in range(4):
            shown.expect("^Hector: ", since=len(shown.lines))
        assert STOP not in shown.lines
    assert os.read(read, 10) == b"q\n"
    os.close(read)
    os.close(write)

"""The demonstration at a terminal: q and Enter end it, and the terminal is as it was whatever ends it.

One that is heard ends when its loudspeaker does, too.
"""

from __future__ import annotations

import contextlib
import os
import pty
import signal
import subprocess
import termios
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from live_game import LiveGame

from assistant import portaudio
from assistant.demonstration.stage import Stage
from assistant.errors import HectorError
from assistant.journal import read
from assistant.sound import BLOCK

PATIENCE = 20.0

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


# Aloud


class Loudspeaker:
    """PortAudio with one loudspeaker, which a test may let hang in one of its calls."""

    class PortAudioError(Exception):
        pass

    def __init__(self) -> None:
        self.hangs_in = ""
        self.answers = threading.Event()
        self.is_closed = False

    def RawOutputStream(self, **_options: object) -> Loudspeaker:  # noqa: N802
        return self._done("open")

    def start(self) -> None:
        pass

    def write(self, _sound: bytes) -> None:
        os.write(2, b"ALSA lib pcm.c: underrun occurred")
        self._done("write")

    def close(self, ignore_errors: bool = True) -> None:
        self._done("close")
        self.is_closed = True

    def _done(self, call: str) -> Loudspeaker:
        if call == self.hangs_in:
            assert self.answers.wait(PATIENCE)
        return self


@pytest.fixture
def loudspeaker(monkeypatch: pytest.MonkeyPatch) -> Iterator[Loudspeaker]:
    loudspeaker = Loudspeaker()
    monkeypatch.setattr("assistant.demonstration.stage.sounddevice", lambda: loudspeaker)
    yield loudspeaker
    loudspeaker.answers.set()
    deadline = time.monotonic() + PATIENCE
    while portaudio.hangs():
        assert time.monotonic() < deadline
        time.sleep(0.01)
    assert loudspeaker.is_closed


SILENCE = np.zeros(BLOCK, np.int16)


def test_a_loudspeaker_that_hangs_in_the_demonstration_is_told_of_as_one_that_has_gone(
    loudspeaker: Loudspeaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    with contextlib.closing(Stage()) as stage:
        monkeypatch.setattr(portaudio, "PATIENCE", 0.1)
        loudspeaker.hangs_in = "write"
        with pytest.raises(HectorError, match="has gone"):
            list(stage.played([SILENCE]))


def test_a_loudspeaker_that_hangs_before_the_demonstration_is_none(
    loudspeaker: Loudspeaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(portaudio, "PATIENCE", 0.1)
    loudspeaker.hangs_in = "open"
    with pytest.raises(HectorError, match="There is no loudspeaker"):
        Stage()


def test_a_loudspeaker_that_hangs_at_the_end_of_the_demonstration_keeps_nobody(
    loudspeaker: Loudspeaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage = Stage()
    monkeypatch.setattr(portaudio, "PATIENCE", 0.1)
    loudspeaker.hangs_in = "close"
    stage.close()
    assert portaudio.hangs()


def test_what_the_sound_library_prints_in_the_demonstration_is_not_read_out(
    loudspeaker: Loudspeaker, capfd: pytest.CaptureFixture[str]
) -> None:
    with contextlib.closing(Stage()) as stage:
        list(stage.played([SILENCE]))
    assert capfd.readouterr().err == ""

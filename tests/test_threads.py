"""Where the system has no room for another thread."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from assistant import portaudio
from assistant.errors import HectorError
from assistant.journal import holds_game
from assistant.table import Setup, live

NO_ROOM = "no room for all that Hector does at once"


@pytest.fixture
def refuse(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Let the system refuse the thread of a name."""
    start = threading.Thread.start

    def refuse(name: str) -> None:
        def started(thread: threading.Thread) -> None:
            if thread.name == name:
                raise RuntimeError("can't start new thread")
            start(thread)

        monkeypatch.setattr(threading.Thread, "start", started)

    return refuse


@pytest.mark.parametrize("name", ["speaker", "printer", "keyboard"])
def test_a_game_without_room_for_its_threads_is_not_begun_and_that_is_one_sentence(
    tmp_path: Path, refuse: Callable[[str], None], name: str
) -> None:
    refuse(name)
    with pytest.raises(HectorError, match=NO_ROOM):
        live.play(Setup(braille_display=False), tmp_path / "game", None, None, keyboard_only=True)
    assert not (tmp_path / "game").exists()


def test_a_game_without_room_for_its_pulse_can_be_taken_up(
    tmp_path: Path, refuse: Callable[[str], None], capsys: pytest.CaptureFixture[str]
) -> None:
    refuse("pulse")
    with pytest.raises(HectorError, match=NO_ROOM):
        live.play(Setup(braille_display=False), tmp_path / "game", None, None, keyboard_only=True)
    assert holds_game(tmp_path / "game")
    assert f"hector resume {tmp_path / 'game'}" in capsys.readouterr().out


def test_sound_is_there_as_soon_as_there_is_room_for_its_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(_thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(portaudio, "_threads", [])
    with pytest.MonkeyPatch.context() as full:
        full.setattr(threading.Thread, "start", refused)
        with pytest.raises(HectorError, match=NO_ROOM):
            portaudio.ask(lambda: 1)
    assert portaudio.ask(lambda: 2) == 2

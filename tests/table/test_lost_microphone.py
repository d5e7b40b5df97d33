"""A microphone that is missing or goes, and what PortAudio needs in order to see a new one."""

from __future__ import annotations

import contextlib
import os
import threading
import time
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from live_game import LiveGame

from assistant.errors import HectorError
from assistant.hearing import Block, Microphone, News
from assistant.hearing import microphone as module
from assistant.speaking import Loudspeaker, Nowhere, PracticeSentences, Sound
from assistant.table import calibration
from assistant.table.devices import Change, Devices
from assistant.table.practise import _Check

PATIENCE = 20.0


class FakePortAudio:
    """The part of sounddevice that is used: one device that delivers a tone as fast as it is asked to."""

    class PortAudioError(Exception):
        pass

    def __init__(self) -> None:
        self.is_there = True
        self.sees_it = True
        self.streams: list[Any] = []
        self.begun = 0
        fake = self

        class RawInputStream:
            def __init__(self, samplerate: int, blocksize: int, callback: Any, finished_callback: Any,
                         **_given: Any) -> None:  # fmt: skip
                if not fake.sees_it:
                    raise FakePortAudio.PortAudioError("Error querying device -1")
                self._ends = threading.Event()
                self._block = (np.sin(np.arange(blocksize) / samplerate * 880) * 9000).astype("<i2").tobytes()
                self._callback, self._finished, self._frames = callback, finished_callback, blocksize
                self._thread = threading.Thread(target=self._run, daemon=True)

            def start(self) -> None:
                fake.streams.append(self)
                self._thread.start()

            def _run(self) -> None:
                times = types.SimpleNamespace(currentTime=1.0, inputBufferAdcTime=0.9)
                while not self._ends.wait(0.002) and fake.is_there:
                    self._callback(self._block, self._frames, times, None)
                self._finished()

            def abort(self) -> None:
                self._ends.set()
                self._thread.join()

            def close(self) -> None:
                self.abort()
                fake.streams.remove(self)

        self.RawInputStream = RawInputStream

    def query_devices(self, _device: object = None, kind: str = "input") -> dict[str, Any]:
        if not self.sees_it:
            raise self.PortAudioError("Error querying device -1")
        return {"name": "tone", "default_samplerate": 48_000.0}

    def _terminate(self) -> None:
        assert self.streams == [], "PortAudio must not end while a stream is open"

    def _initialize(self) -> None:
        self.begun += 1
        self.sees_it = self.is_there


@pytest.fixture
def portaudio(monkeypatch: pytest.MonkeyPatch) -> FakePortAudio:
    fake = FakePortAudio()
    monkeypatch.setattr(module, "sounddevice", lambda: fake)
    monkeypatch.setattr(module, "PATIENCE", (0.02, 0.05))
    monkeypatch.setattr(module, "STALLED_AFTER", 0.1)
    return fake


def read_until(
    microphone: Microphone, is_enough: Callable[[list[Block | News]], object]
) -> list[Block | News]:
    found: list[Block | News] = []
    deadline = time.monotonic() + PATIENCE
    while not is_enough(found):
        assert time.monotonic() < deadline, found
        found += microphone.read(0.01)
    return found


def news(found: list[Block | News]) -> list[str]:
    return [item.what for item in found if isinstance(item, News)]


def test_a_device_that_is_missing_at_the_start_is_news_and_so_is_its_coming(portaudio: FakePortAudio) -> None:
    portaudio.is_there = portaudio.sees_it = False
    with Microphone(wait_for_it=True) as microphone:
        assert news(read_until(microphone, news)) == ["lost"]
        portaudio.is_there = True
        assert news(read_until(microphone, news)) == ["back"]


def test_a_microphone_is_lost_at_the_table_only_after_it_has_been_there(
    portaudio: FakePortAudio, tmp_path: Path
) -> None:
    portaudio.is_there = portaudio.sees_it = False
    devices = Devices(tmp_path / "said.wav", None, keyboard_only=False, warn=pytest.fail)
    with contextlib.closing(devices):
        assert not devices.hears
        changes: list[str] = []
        deadline = time.monotonic() + PATIENCE
        for is_there, news in ((False, "missing"), (True, "back"), (False, "lost")):
            portaudio.is_there = is_there
            while news not in changes:
                assert time.monotonic() < deadline, changes
                found = devices.read(0.01, busy=False)
                changes += [item.what for item in found if isinstance(item, Change)]
            assert devices.hears is is_there
        assert changes == ["missing", "back", "lost"]


def test_a_microphone_that_goes_while_the_echo_is_measured_is_lost_and_the_practice_goes_on(
    portaudio: FakePortAudio,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Whoever practises hears of it when he is asked for a phrase, and it is waited for."""
    monkeypatch.setattr(calibration, "SETTLING", 0.05)

    class Clicking(Nowhere):
        plays = True

        def begin(self, sound: Sound, at: float | None = None) -> None:
            portaudio.is_there = False
            self.last_sample_time = time.monotonic()

    devices = Devices(tmp_path / "said.wav", None, keyboard_only=False, warn=pytest.fail)
    with contextlib.closing(devices):
        assert devices.microphone is not None
        check = _Check(devices, PracticeSentences("en"), None)
        check.measure(cast(Loudspeaker, Clicking()), devices.microphone)
        assert "was not measured" in capsys.readouterr().err
        changes: list[object] = []
        deadline = time.monotonic() + PATIENCE
        while not changes:
            assert time.monotonic() < deadline
            changes += [item for item in devices.read(0.01, busy=False) if isinstance(item, Change)]
        assert changes == [Change("microphone", "lost")]


def test_a_loudspeaker_that_goes_while_the_echo_is_measured_does_not_end_the_practice(
    portaudio: FakePortAudio,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    # The microphone stays, however slow the machine is.
    monkeypatch.setattr(module, "STALLED_AFTER", PATIENCE)

    class Gone(Nowhere):
        plays = True

        def begin(self, sound: Sound, at: float | None = None) -> None:
            raise HectorError("The loudspeaker has gone: plug it in again; everything is printed meanwhile.")

    devices = Devices(tmp_path / "said.wav", None, keyboard_only=False, warn=pytest.fail)
    with contextlib.closing(devices):
        assert devices.microphone is not None
        check = _Check(devices, PracticeSentences("en"), None)
        check.measure(cast(Loudspeaker, Gone()), devices.microphone)
    assert capsys.readouterr().err.count("The loudspeaker has gone") == 1


def test_a_device_that_goes_is_told_once_and_told_again_when_it_is_back(portaudio: FakePortAudio) -> None:
    with Microphone() as microphone:
        read_until(microphone, len)
        portaudio.is_there = False
        assert news(read_until(microphone, news)) == ["lost"]
        tries = portaudio.begun
        assert news(read_until(microphone, lambda _found: portaudio.begun > tries + 2)) == []
        portaudio.is_there = True
        found = read_until(microphone, lambda found: len(found) > 3)
        assert news(found) == ["back"]
        assert isinstance(found[0], News), "the news comes before the sound"


def test_another_stream_in_use_is_not_torn_down(portaudio: FakePortAudio) -> None:
    """While Hector says that the microphone has gone, the loudspeaker stays open."""
    asked = []
    is_speaking = True

    @contextlib.contextmanager
    def release() -> Iterator[bool]:
        asked.append(1)
        yield not is_speaking

    with Microphone(release_others=release) as microphone:
        read_until(microphone, len)
        portaudio.is_there = False
        read_until(microphone, lambda _found: len(asked) > 3)
        assert portaudio.begun == 0
        is_speaking = False
        portaudio.is_there = True
        assert news(read_until(microphone, news)) == ["back"]
        assert portaudio.begun >= 1


def test_a_game_where_there_is_no_microphone_says_so_and_that_none_is_lost(tmp_path: Path) -> None:
    folder = tmp_path / "game"
    options = ["--save", str(folder), "--speak-to", os.devnull]
    nowhere = {"PULSE_SERVER": "unix:/nonexistent", "XDG_RUNTIME_DIR": str(tmp_path), "TMPDIR": str(tmp_path)}
    with LiveGame(folder, ["play", *options], nowhere) as game:
        game.expect("Kein Mikrofon da. Züge bitte tippen.")
        game.type("e4\nq")
        assert game.wait() == 0
    assert not any("Mikrofon weg" in line for line in game.lines)


def test_a_game_where_there_is_no_loudspeaker_says_so_and_that_none_is_lost(tmp_path: Path) -> None:
    folder = tmp_path / "game"
    nowhere = {"PULSE_SERVER": "unix:/nonexistent", "XDG_RUNTIME_DIR": str(tmp_path), "TMPDIR": str(tmp_path)}
    with LiveGame(folder, ["play", "--keyboard", "--save", str(folder)], nowhere) as game:
        game.expect("Keine Stimme da. Alles wird angezeigt.")
        game.type("e4\nq")
        assert game.wait() == 0
    assert not any("Stimme weg" in line for line in game.lines)

"""The loudspeaker: heard, silenced at once, lost and found again."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import threading
import time
import types
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from fake_voice import PATIENCE
from hanging_portaudio import answering_nobody, wait_until_portaudio_answers
from live_game import ROOT
from virtual_sound import RATE, VirtualSound

from assistant import portaudio
from assistant.errors import HectorError
from assistant.hearing import renew_portaudio
from assistant.speaking import EspeakVoice, Loudspeaker, Sentence, Sound, Speaker, synthesise
from assistant.speaking import loudspeaker as room
from assistant.speaking.sinks import usual_sink

LONG = "Weiß: eine Stunde zwei Minuten. Schwarz: zwölf Minuten dreißig Sekunden. Springer Felix drei."


def play_all(loudspeaker: Loudspeaker, sound: Sound) -> None:
    loudspeaker.begin(sound)
    assert loudspeaker.wait(threading.Event())


# With a virtual sound card


@pytest.fixture
def loudspeaker(virtual_sound: VirtualSound) -> Iterator[Loudspeaker]:
    loudspeaker = Loudspeaker(refresh=renew_portaudio)
    yield loudspeaker
    loudspeaker.close()


@pytest.mark.audio
def test_a_sentence_comes_out_whole_and_only_once(
    loudspeaker: Loudspeaker, virtual_sound: VirtualSound
) -> None:
    """A busy machine may let the virtual card run dry, which tears a hole; it does not do so each time.

    A machine that stands still for a twentieth of a second within the sentence tears one already.
    """
    sound = synthesise("Springer Gustav eins Felix drei")
    spoken = sound.samples.astype(np.float64)
    attempts = []
    for _ in range(12):
        with virtual_sound.recording() as recording:
            play_all(loudspeaker, sound)
            recording.wait_for_silence(0.3)
        heard = recording.samples().astype(np.float64)
        loud = np.flatnonzero(np.abs(heard) > 100)
        size = 1 << (len(heard) + len(spoken)).bit_length()
        match = np.fft.irfft(np.fft.rfft(heard, size) * np.conj(np.fft.rfft(spoken, size)), size)
        attempts.append(((loud[-1] - loud[0]) / RATE, match.max() / float(spoken @ spoken)))
        if attempts[-1] == (pytest.approx(sound.seconds, abs=0.1), pytest.approx(1.0, abs=0.1)):
            return
    pytest.fail(f"seconds and share of {sound.seconds:.2f} s that came out: {attempts}")


@pytest.mark.audio
def test_the_loudspeaker_is_done_when_the_last_sample_is_heard(
    loudspeaker: Loudspeaker, virtual_sound: VirtualSound
) -> None:
    play_all(loudspeaker, synthesise("eins"))
    with virtual_sound.recording() as recording:
        play_all(loudspeaker, synthesise("Springer Felix drei"))
        done = time.monotonic()
        recording.wait_for_silence(0.5)
        heard = recording.sounding()
    assert heard is not None
    assert loudspeaker.last_sample_time <= done
    assert heard[1] - loudspeaker.last_sample_time < 0.3


@pytest.mark.audio
def test_cancelling_is_silence_within_a_tenth_of_a_second(
    loudspeaker: Loudspeaker, virtual_sound: VirtualSound
) -> None:
    speaker = Speaker(EspeakVoice(loudspeaker))
    delays = []
    for _round in range(5):
        with virtual_sound.recording() as recording:
            speaker.say(Sentence(LONG, "de"))
            recording.wait_for_sound()
            cancelled = time.monotonic()
            speaker.cancel()
            recording.wait_for_silence(0.4)
            heard = recording.sounding()
        assert heard is not None
        delays.append(heard[1] - cancelled)
    assert sorted(delays)[2] < 0.1, delays
    speaker.close()


@pytest.mark.audio
def test_a_sound_server_that_dies_is_told_once_and_the_voice_comes_back(
    loudspeaker: Loudspeaker, virtual_sound: VirtualSound, capfd: pytest.CaptureFixture[str]
) -> None:
    troubles: list[str] = []
    recovered = threading.Event()
    speaker = Speaker(EspeakVoice(loudspeaker), on_trouble=troubles.append, on_recovered=recovered.set)
    with virtual_sound.recording() as recording:
        speaker.say(Sentence(LONG, "de"))
        recording.wait_for_sound()
        virtual_sound.stop()
        assert speaker.wait_until_silent(PATIENCE)
    speaker.say(Sentence("eins", "de"))
    assert speaker.wait_until_silent(PATIENCE)
    assert len(troubles) == 1
    virtual_sound.start()
    deadline = time.monotonic() + PATIENCE
    while not recovered.is_set() and time.monotonic() < deadline:
        speaker.say(Sentence("zwei", "de"))
        assert speaker.wait_until_silent(PATIENCE)
    assert recovered.is_set()
    assert len(troubles) == 1
    with virtual_sound.recording() as recording:
        speaker.say(Sentence("drei", "de"))
        recording.wait_for_sound()
        assert speaker.wait_until_silent(PATIENCE)
    speaker.close()
    assert capfd.readouterr().out == ""


@pytest.mark.audio
def test_a_loudspeaker_that_stalls_without_any_error_is_noticed(
    loudspeaker: Loudspeaker, virtual_sound: VirtualSound
) -> None:
    play_all(loudspeaker, synthesise("eins"))
    virtual_sound.pactl("suspend-sink", "speaker", "1")
    try:
        loudspeaker.begin(synthesise(LONG))
        begun = time.monotonic()
        with pytest.raises(HectorError, match="has gone"):
            loudspeaker.wait(threading.Event())
        assert time.monotonic() - begun < 3
    finally:
        virtual_sound.pactl("suspend-sink", "speaker", "0")


@pytest.mark.audio
def test_a_loudspeaker_given_back_is_opened_again_by_the_next_sentence(
    loudspeaker: Loudspeaker, virtual_sound: VirtualSound
) -> None:
    play_all(loudspeaker, synthesise("eins"))
    loudspeaker.release()
    with virtual_sound.recording() as recording:
        play_all(loudspeaker, synthesise("zwei"))
        recording.wait_for_sound()


# With a device whose faults can be chosen


class FakeSoundDevice(types.ModuleType):
    """The part of sounddevice that is used; a thread of its own asks for blocks as fast as it can."""

    class PortAudioError(Exception):
        pass

    def __init__(self) -> None:
        super().__init__("sounddevice")
        self.rates = {22050, 48000}
        self.is_there = True
        self.answers = threading.Event()
        self.answers.set()
        self.opened = self.aborted = 0
        self.most = sys.maxsize
        """Blocks after which a device that is asleep asks for no more."""
        self.played = bytearray()
        fake = self

        class RawOutputStream:
            latency = 0.0

            def __init__(self, samplerate: int, blocksize: int, callback: Any, finished_callback: Any,
                         **_given: Any) -> None:  # fmt: skip
                if samplerate not in fake.rates:
                    raise FakeSoundDevice.PortAudioError("Invalid sample rate [-9997]")
                fake.opened += 1
                self._ends = threading.Event()
                self._thread = threading.Thread(target=self._ask, args=(blocksize, callback), daemon=True)
                self.finished = finished_callback

            def start(self) -> None:
                self._thread.start()

            def _ask(self, frames: int, callback: Any) -> None:
                status = types.SimpleNamespace(output_underflow=False)
                block = bytearray(2 * frames)
                asked = 0
                while not self._ends.is_set():
                    assert fake.answers.wait(PATIENCE)
                    if asked >= fake.most:
                        time.sleep(0.001)
                        continue
                    asked += 1
                    callback(block, frames, None, status)
                    fake.played += block
                    time.sleep(0.0005)

            def abort(self, ignore_errors: bool = True) -> None:
                fake.aborted += 1
                assert fake.answers.wait(PATIENCE)
                self._ends.set()
                self._thread.join()

            close = abort

        self.RawOutputStream = RawOutputStream

    def wake(self) -> None:
        self.most = sys.maxsize

    def query_devices(self, device: object, kind: str) -> dict[str, float]:
        if not self.is_there:
            raise FakeSoundDevice.PortAudioError("Error querying device -1")
        return {"default_samplerate": 48000.0}


@pytest.fixture
def device(monkeypatch: pytest.MonkeyPatch) -> FakeSoundDevice:
    device = FakeSoundDevice()
    monkeypatch.setitem(sys.modules, "sounddevice", device)
    return device


TONE = Sound(np.full(4410, 1000, np.int16), 22050)


def test_the_stream_is_opened_once(device: FakeSoundDevice) -> None:
    loudspeaker = Loudspeaker()
    for _sentence in range(3):
        play_all(loudspeaker, TONE)
    loudspeaker.close()
    assert device.opened == 1
    assert np.count_nonzero(np.frombuffer(bytes(device.played), np.int16)) == 3 * 4410


def test_a_device_with_another_rate_plays_as_long(device: FakeSoundDevice) -> None:
    device.rates = {48000}
    loudspeaker = Loudspeaker()
    play_all(loudspeaker, TONE)
    loudspeaker.close()
    heard = np.abs(np.frombuffer(bytes(device.played), np.int16)) > 500
    assert np.count_nonzero(heard) == pytest.approx(9600, abs=50)


def test_a_missing_loudspeaker_is_one_sentence_and_is_not_tried_at_every_sentence(
    device: FakeSoundDevice,
) -> None:
    device.is_there = False
    attempts = []
    loudspeaker = Loudspeaker("Kopfhörer", refresh=lambda: attempts.append(1))
    for _sentence in range(3):
        with pytest.raises(HectorError, match="no loudspeaker 'Kopfhörer'"):
            loudspeaker.begin(TONE)
    assert attempts == []


def test_a_loudspeaker_that_was_missing_is_found_later(
    device: FakeSoundDevice, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 1000.0
    monkeypatch.setattr("assistant.speaking.loudspeaker.time.monotonic", lambda: now)
    device.is_there = False
    attempts = []
    loudspeaker = Loudspeaker(refresh=lambda: attempts.append(1))
    with pytest.raises(HectorError, match="no loudspeaker"):
        loudspeaker.begin(TONE)
    device.is_there = True
    now += 3.0
    loudspeaker.begin(TONE)
    loudspeaker.close()
    assert (attempts, device.opened) == ([1], 1)


def test_a_device_that_wakes_slowly_is_waited_for_and_one_that_stops_is_not(
    device: FakeSoundDevice, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(room, "_STALLED_AFTER", 0.05)
    loudspeaker = Loudspeaker()
    device.most = 3
    loudspeaker.begin(TONE)
    threading.Timer(0.3, device.wake).start()
    assert loudspeaker.wait(threading.Event())
    play_all(loudspeaker, TONE)
    device.most = 0
    loudspeaker.begin(TONE)
    with pytest.raises(HectorError, match="has gone"):
        loudspeaker.wait(threading.Event())
    device.wake()
    loudspeaker.close()


def test_what_a_device_that_stumbled_plays_later_is_heard_until_then(device: FakeSoundDevice) -> None:
    """Else the microphone would be open while Hector's last words come out."""
    loudspeaker = Loudspeaker()
    play_all(loudspeaker, TONE)
    device.most = 0
    loudspeaker.begin(TONE)
    time.sleep(TONE.seconds)
    goes_on = time.monotonic()
    device.wake()
    assert loudspeaker.wait(threading.Event())
    # It may have taken one block or two before it stood still.
    assert loudspeaker.last_sample_time - goes_on > TONE.seconds / 2
    loudspeaker.close()


def test_a_device_that_opens_is_not_there_before_it_plays(
    device: FakeSoundDevice, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(room, "_WAKES_WITHIN", 0.1)
    monkeypatch.setattr(room, "_RETRY_AFTER", 0.0)
    device.is_there = False
    loudspeaker = Loudspeaker()
    with pytest.raises(HectorError, match="no loudspeaker"):
        loudspeaker.begin(TONE)
    device.is_there, device.most = True, 3
    with pytest.raises(HectorError, match="has gone"):
        loudspeaker.reach()
    device.wake()
    loudspeaker.reach()
    assert loudspeaker.plays
    assert loudspeaker.last_sample_time == 0.0, "nothing is heard of it"
    loudspeaker.close()


def test_what_was_never_tried_is_not_looked_for(device: FakeSoundDevice) -> None:
    """A side that nobody speaks to needs no loudspeaker."""
    device.is_there = False
    Loudspeaker().reach()


def test_what_is_meant_for_a_sink_that_is_gone_is_not_played_to_its_end(
    device: FakeSoundDevice, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = {"ears": 3}
    monkeypatch.setattr(room, "sinks", lambda: there)
    device.most = 5
    loudspeaker = Loudspeaker("pulse:ears")
    loudspeaker.begin(TONE)
    there.clear()
    with pytest.raises(HectorError, match="has gone"):
        loudspeaker.wait(threading.Event())
    device.wake()
    with pytest.raises(HectorError, match="no loudspeaker 'pulse:ears'"):
        loudspeaker.begin(TONE)
    assert np.count_nonzero(np.frombuffer(bytes(device.played), np.int16)) < 4410


def test_a_sink_that_was_unplugged_between_two_sentences_is_opened_again(
    device: FakeSoundDevice, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its stream plays elsewhere meanwhile; the new sink has the old one's name and another number."""
    there = {"ears": 3}
    monkeypatch.setattr(room, "sinks", lambda: there)
    loudspeaker = Loudspeaker("pulse:ears")
    play_all(loudspeaker, TONE)
    there["ears"] = 4
    play_all(loudspeaker, TONE)
    loudspeaker.close()
    assert device.opened == 2


def test_a_sink_that_could_not_be_asked_for_at_first_is_there(
    device: FakeSoundDevice, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`pactl` is slow for once."""
    answers: list[dict[str, int] | None] = [None, {"ears": 3}, {}]
    monkeypatch.setattr(room, "sinks", lambda: answers[0] if len(answers) == 1 else answers.pop(0))
    loudspeaker = Loudspeaker("pulse:ears")
    loudspeaker.begin(TONE)
    loudspeaker.begin(TONE)
    assert device.opened == 1
    with pytest.raises(HectorError, match="no loudspeaker"):
        loudspeaker.begin(TONE)
    loudspeaker.close()


def test_private_headphones_named_default_keep_to_the_sink_that_was_the_usual_one(
    device: FakeSoundDevice, monkeypatch: pytest.MonkeyPatch
) -> None:
    there, usual = {"hall": 1, "ears": 3}, ["ears"]
    monkeypatch.setattr(room, "sinks", lambda: there)
    monkeypatch.setattr(room, "usual_sink", lambda: usual[-1])
    loudspeaker = Loudspeaker("default", private=True)
    play_all(loudspeaker, TONE)
    del there["ears"]
    usual.append("hall")
    with pytest.raises(HectorError, match="no loudspeaker 'default'"):
        loudspeaker.begin(TONE)
    loudspeaker.close()
    assert device.opened == 1


@pytest.mark.audio
def test_the_usual_sink_is_known_by_its_name(virtual_sound: VirtualSound) -> None:
    assert usual_sink() == "speaker"


def test_without_pactl_a_sink_is_taken_at_its_word(
    device: FakeSoundDevice, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    loudspeaker = Loudspeaker("pulse:ears")
    play_all(loudspeaker, TONE)
    play_all(loudspeaker, TONE)
    loudspeaker.close()
    assert device.opened == 1


# A sound server that hangs


@contextlib.contextmanager
def hanging(device: FakeSoundDevice) -> Iterator[None]:
    """Let the device answer nobody while the body runs: patience is short then, and only then."""
    with pytest.MonkeyPatch.context() as patch, answering_nobody(device.answers):
        patch.setattr(room, "_STALLED_AFTER", 0.2)
        yield


def lost_while_playing(loudspeaker: Loudspeaker) -> None:
    """Begin a sentence on a device that hangs within it, which is told."""
    loudspeaker.begin(TONE)
    with pytest.raises(HectorError, match="has gone"):
        loudspeaker.wait(threading.Event())


@pytest.fixture
def playing(device: FakeSoundDevice) -> Loudspeaker:
    """A loudspeaker that has spoken."""
    loudspeaker = Loudspeaker()
    play_all(loudspeaker, TONE)
    assert device.opened == 1
    return loudspeaker


def test_a_loudspeaker_that_hangs_is_told_of_before_it_is_touched(
    device: FakeSoundDevice, playing: Loudspeaker
) -> None:
    with hanging(device):
        lost_while_playing(playing)
        assert device.aborted == 0


def test_a_loudspeaker_that_hangs_is_let_go_and_comes_back_when_it_answers(
    device: FakeSoundDevice, playing: Loudspeaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(room, "_RETRY_AFTER", 0.0)
    with hanging(device):
        lost_while_playing(playing)
        for _sentence in range(3):
            with pytest.raises(HectorError, match="no loudspeaker"):
                playing.begin(TONE)
        assert device.opened == 1, "nothing is opened beside what hangs"
    play_all(playing, TONE)
    playing.close()
    assert device.opened == 2


def test_a_loudspeaker_is_not_lost_because_the_whole_program_stood_still(
    device: FakeSoundDevice, playing: Loudspeaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on a busy machine: whoever waits for the device may be woken before the device's own thread."""
    stood_still = 0.0
    wait = playing._changed.wait

    def wakes_late(timeout: float) -> bool:
        nonlocal stood_still
        if not stood_still:
            stood_still = 10.0
            return False
        device.answers.set()
        return wait(timeout)

    clock = types.SimpleNamespace(monotonic=lambda: time.monotonic() + stood_still)
    monkeypatch.setattr(room, "time", clock)
    monkeypatch.setattr(room, "_SECOND_LOOK", PATIENCE)
    monkeypatch.setattr(playing._changed, "wait", wakes_late)
    device.answers.clear()
    play_all(playing, TONE)


def test_a_loudspeaker_that_hangs_can_be_closed(device: FakeSoundDevice, playing: Loudspeaker) -> None:
    with hanging(device):
        begun = time.monotonic()
        playing.close()
        assert time.monotonic() - begun < PATIENCE / 2
        assert portaudio.hangs()


def test_what_opens_too_late_is_closed_again(device: FakeSoundDevice) -> None:
    given_back: list[str] = []

    def opens_late() -> str:
        assert device.answers.wait(PATIENCE)
        return "a stream"

    with hanging(device), pytest.raises(TimeoutError):
        portaudio.ask(opens_late, undo=given_back.append)
    assert given_back == ["a stream"]


@contextlib.contextmanager
def interrupted(*, when_done: bool) -> Iterator[None]:
    """Interrupt whoever waits for PortAudio in the body, while it still works or as soon as it is done."""
    wait_for = portaudio._changed.wait_for

    def wait(*what: Any) -> None:
        assert not when_done or wait_for(*what)
        raise KeyboardInterrupt

    with pytest.MonkeyPatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(portaudio._changed, "wait_for", wait)
        yield


def test_what_hangs_is_given_up_by_whoever_is_interrupted(device: FakeSoundDevice) -> None:
    """Else the program would wait for it when it ends."""
    given_back: list[str] = []

    def opens_late() -> str:
        assert device.answers.wait(PATIENCE)
        return "a stream"

    with hanging(device):
        with interrupted(when_done=False):
            portaudio.ask(opens_late, undo=given_back.append)
        assert portaudio.hangs()
    assert given_back == ["a stream"]


def test_what_was_opened_for_somebody_who_was_interrupted_then_is_closed_again() -> None:
    given_back: list[str] = []
    with interrupted(when_done=True):
        portaudio.ask(lambda: "a stream", undo=given_back.append)
    wait_until_portaudio_answers()
    assert given_back == ["a stream"]


_CLOSES_WHILE_IT_HANGS = """
import sys, threading
from assistant.hearing import Microphone
from assistant.speaking import Loudspeaker, synthesise

loudspeaker = Loudspeaker()
loudspeaker.begin(synthesise("eins"))
loudspeaker.wait(threading.Event())
microphone = Microphone()
print("open", flush=True)
sys.stdin.read()
microphone.close()
loudspeaker.close()
print("closed")
"""


@pytest.mark.audio
@pytest.mark.slow
def test_a_program_ends_while_the_sound_server_hangs(sound_server: VirtualSound) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", _CLOSES_WHILE_IT_HANGS],
        env=os.environ | sound_server.environment | {"PYTHONPATH": str(ROOT)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as program:
        assert program.stdout is not None
        assert program.stdout.readline() == "open\n"
        with sound_server.hanging():
            try:
                assert program.communicate(timeout=30)[0] == "closed\n"
            finally:
                program.kill()
    assert program.returncode == 0


class PortAudioError(Exception):
    """An error of sounddevice, whose class nobody can name before it is imported."""


@pytest.mark.parametrize(
    ("fault", "sentence"),
    [
        (OSError("PortAudio library not found"), "apt install libportaudio2"),
        (ImportError("no module named cffi"), "sounddevice .*no module named cffi"),
        (PortAudioError("Error initializing PortAudio"), "sound server does not answer"),
    ],
)
def test_what_keeps_the_library_from_being_loaded_is_told_in_one_sentence(
    monkeypatch: pytest.MonkeyPatch, fault: Exception, sentence: str
) -> None:
    class Absent:
        def find_spec(self, name: str, *_more: object) -> None:
            if name == "sounddevice":
                raise fault

    monkeypatch.delitem(sys.modules, "sounddevice", raising=False)
    monkeypatch.setattr(sys, "meta_path", [Absent(), *sys.meta_path])
    with pytest.raises(HectorError, match=sentence):
        Loudspeaker().begin(TONE)

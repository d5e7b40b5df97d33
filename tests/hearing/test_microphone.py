"""The microphone: its sound arrives whole, and everything that can happen to it is told and survived."""

from __future__ import annotations

import contextlib
import os
import resource
import threading
import time
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import ears
import numpy as np
import pytest
from ears import RATE, in_room, say
from hanging_portaudio import answering_nobody, wait_until_portaudio_answers
from virtual_sound import VirtualSound

from assistant import portaudio
from assistant.errors import HectorError
from assistant.hearing import Block, Microphone, News, delivers_sound, has_microphone, microphone

BLOCK = 320
PATIENCE = 20.0


class PortAudioError(Exception):
    pass


class FakeStream:
    def __init__(self, answers: threading.Event, **options: Any) -> None:
        self._answers = answers
        self.options = options
        self.open = False

    def start(self) -> None:
        self.open = True

    def abort(self) -> None:
        assert self._answers.wait(PATIENCE)
        self.open = False

    def close(self) -> None:
        self.open = False


class FakeLibrary:
    """PortAudio with one device, which a test may take away or let speak."""

    PortAudioError = PortAudioError

    def __init__(self) -> None:
        self.rates: set[int] = {RATE}
        self.streams: list[FakeStream] = []
        self.there = True
        self.starts = self.is_started = True
        self.answers = threading.Event()
        self.answers.set()

    def RawInputStream(self, **options: Any) -> FakeStream:  # noqa: N802
        if not (self.is_started and self.there) or options["samplerate"] not in self.rates:
            raise PortAudioError("Error querying device -1")
        stream = FakeStream(self.answers, **options)
        self.streams.append(stream)
        return stream

    def query_devices(self, *_arguments: Any, **_options: Any) -> dict[str, Any]:
        if not self.there:
            raise PortAudioError("Error querying device -1")
        return {"name": "a device", "default_samplerate": float(max(self.rates))}

    def _terminate(self) -> None:
        if not self.is_started:
            raise PortAudioError("PortAudio not initialized")
        self.is_started = False

    def _initialize(self) -> None:
        if not self.starts:
            raise PortAudioError("Unanticipated host error")
        self.is_started = True

    def speak(self, samples: np.ndarray, *, at_once: bool = False) -> None:
        """Let the device deliver samples, in the pieces that were asked for.

        With `at_once` they have waited: the last of them was taken just now.
        """
        options = self.streams[-1].options
        size = options["blocksize"]
        for at in range(0, len(samples), size):
            waits = (len(samples) - at if at_once else size) / options["samplerate"]
            times = types.SimpleNamespace(currentTime=1e9, inputBufferAdcTime=1e9 - waits)
            options["callback"](samples[at : at + size].astype(np.int16).tobytes(), size, times, None)


@contextlib.contextmanager
def few_descriptors(count: int) -> Iterator[None]:
    """Let no more files be opened than so many while the body runs."""
    usual = resource.getrlimit(resource.RLIMIT_NOFILE)
    with Path(os.devnull).open("rb") as lowest_free:
        limit = lowest_free.fileno() + count
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, usual[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, usual)


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch) -> FakeLibrary:
    library = FakeLibrary()
    monkeypatch.setattr(microphone, "sounddevice", lambda: library)
    return library


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(microphone, "time", clock)
    return clock


def sound_of(items: list[Block | News]) -> np.ndarray:
    return np.concatenate(
        [np.zeros(0, np.int16), *(item.samples for item in items if isinstance(item, Block))]
    )


def test_every_sample_arrives_in_blocks_of_20_ms(library: FakeLibrary) -> None:
    source = Microphone()
    samples = np.arange(10 * BLOCK) % 30000
    library.speak(samples)
    items = source.read(0.1)
    assert all(isinstance(item, Block) and len(item.samples) == BLOCK for item in items)
    assert np.array_equal(sound_of(items), samples)


def test_a_device_that_does_not_know_16_khz_is_resampled(library: FakeLibrary) -> None:
    library.rates = {44_100}
    source = Microphone()
    library.speak(3000 * np.sin(2 * np.pi * 440 * np.arange(44_100) / 44_100))
    heard = sound_of(source.read(0.1))
    spectrum = np.abs(np.fft.rfft(heard[:8000].astype(float)))
    assert len(heard) == pytest.approx(RATE, abs=700)
    assert np.argmax(spectrum) * RATE / 8000 == pytest.approx(440, abs=3)


def test_nothing_coming_never_blocks_for_longer_than_asked(library: FakeLibrary) -> None:
    source = Microphone()
    began = time.perf_counter()
    assert source.read(0.05) == []
    assert time.perf_counter() - began < 1.0


def test_a_busy_program_loses_the_oldest_deliveries_and_knows_how_many(library: FakeLibrary) -> None:
    source = Microphone()
    count, delivery = microphone.QUEUE + 7, microphone.PIECE * BLOCK
    library.speak(np.repeat(np.arange(count), delivery))
    heard = sound_of(source.read(0.1))[::delivery]
    assert source.dropped == 7
    assert list(heard) == list(range(7, count))


def test_what_a_busy_program_has_lost_is_news_before_what_follows(library: FakeLibrary) -> None:
    """A move without its middle may be another move."""
    source = Microphone()
    library.speak(np.zeros((microphone.QUEUE + 1) * microphone.PIECE * BLOCK))
    library.speak(np.ones(microphone.PIECE * BLOCK))
    items = source.read(0.1)
    assert items[0] == News("gap")
    assert items.count(News("gap")) == 1
    library.speak(np.zeros(BLOCK))
    assert News("gap") not in source.read(0.1)


def test_what_is_said_while_a_microphone_is_opened_anew_is_missing_between_two_blocks(
    library: FakeLibrary,
) -> None:
    """As it is while a loudspeaker is looked for."""
    source = Microphone()
    library.speak(np.ones(BLOCK))
    source.renew()
    library.speak(np.full(BLOCK, 2))
    items = source.read(0.1)
    assert [item.what if isinstance(item, News) else item.samples[0] for item in items] == [1, "gap", 2]


def test_blocks_carry_the_time_of_their_last_sample(library: FakeLibrary, clock: Clock) -> None:
    source = Microphone()
    for _ in range(3):
        clock.now += 0.02
        library.speak(np.zeros(BLOCK))
    ends = [item.end for item in source.read(0.1) if isinstance(item, Block)]
    assert ends == pytest.approx([100.02, 100.04, 100.06])


@pytest.mark.parametrize("rate", [16_000, 48_000])
def test_what_comes_late_and_all_at_once_was_said_when_it_was_said(
    library: FakeLibrary, clock: Clock, rate: int
) -> None:
    """As when the program, or the sound server, stood still: a player's time ends with his words."""
    library.rates = {rate}
    source = Microphone()
    delivery = microphone.PIECE * rate // 50
    library.speak(np.zeros(delivery))
    source.read(0.1)
    clock.now += 3.0
    library.speak(np.zeros(50 * delivery), at_once=True)
    ends = [item.end for item in source.read(0.1) if isinstance(item, Block)]
    assert ends[-1] == pytest.approx(103.0, abs=0.03)
    assert np.diff(ends) == pytest.approx([0.02] * (len(ends) - 1), abs=0.03)


def test_a_driver_that_does_not_know_when_its_sound_was_taken_is_not_believed(
    library: FakeLibrary, clock: Clock
) -> None:
    source = Microphone()
    library.speak(np.zeros(microphone.PIECE * BLOCK))
    library.streams[-1].options["callback"](
        bytes(2 * BLOCK), BLOCK, types.SimpleNamespace(currentTime=1e9, inputBufferAdcTime=0.0), None
    )
    assert [item.end for item in source.read(0.1) if isinstance(item, Block)][-1] == clock.now


@pytest.mark.parametrize("wait", [-0.5, -100.0, 30.0])
def test_a_time_that_cannot_be_makes_neither_its_sound_late_nor_what_follows(
    library: FakeLibrary, clock: Clock, wait: float
) -> None:
    """Hector's own voice would be taken for sound from before it, and a player's word for one long past."""
    source = Microphone()
    delivery = microphone.PIECE * BLOCK
    ends = []
    for told in (0.06, wait, 0.06):
        clock.now += 0.06
        times = types.SimpleNamespace(currentTime=1e9, inputBufferAdcTime=1e9 - told)
        library.streams[-1].options["callback"](bytes(2 * delivery), delivery, times, None)
        ends += [item.end for item in source.read(0.1) if isinstance(item, Block)]
    assert ends[0::3] == sorted(ends[0::3])
    assert ends[-1] == pytest.approx(clock.now, abs=0.07)


def test_where_a_driver_never_tells_when_its_sound_was_taken_it_was_when_it_came(
    library: FakeLibrary, clock: Clock
) -> None:
    source = Microphone()
    for since_the_start in (5.0, 8.0):
        times = types.SimpleNamespace(currentTime=since_the_start, inputBufferAdcTime=0.0)
        library.streams[-1].options["callback"](bytes(2 * BLOCK), BLOCK, times, None)
    clock.now += 3.0
    library.streams[-1].options["callback"](bytes(2 * BLOCK * microphone.PIECE), BLOCK, times, None)
    assert [item.end for item in source.read(0.1) if isinstance(item, Block)][-1] == clock.now


def test_a_silent_driver_is_lost_after_a_second_and_opened_again(library: FakeLibrary, clock: Clock) -> None:
    source = Microphone()
    clock.now += 0.9
    assert source.read(0.0) == []
    clock.now += 0.2
    assert source.read(0.0) == [News("lost")]
    clock.now += 1.0
    assert source.read(0.0) == []
    assert len(library.streams) == 2
    library.speak(np.zeros(BLOCK))
    assert source.read(0.0)[0] == News("back")


@pytest.mark.parametrize("seconds", [0.5, 10.0])
def test_a_microphone_is_not_lost_because_the_whole_program_stood_still(
    library: FakeLibrary, clock: Clock, seconds: float
) -> None:
    """As when somebody stops it: whoever reads may be woken before the device's own thread."""
    source = Microphone()

    def wakes_the_device() -> float:
        clock.monotonic = lambda: clock.now  # type: ignore[method-assign]
        library.speak(np.ones(3 * BLOCK))
        return clock.now

    clock.now += seconds
    clock.monotonic = wakes_the_device  # type: ignore[method-assign]
    items = source.read(0.0)
    assert items and all(isinstance(item, Block) for item in items)


def test_a_lost_device_is_looked_for_with_growing_patience(library: FakeLibrary, clock: Clock) -> None:
    source = Microphone()
    library.streams[-1].options["finished_callback"]()
    library.there = False
    assert source.read(0.0) == [News("lost")]
    attempts = []
    original = library.RawInputStream

    def counted(**options: Any) -> FakeStream:
        attempts.append(clock.now)
        return original(**options)

    library.RawInputStream = counted  # type: ignore[method-assign]
    start = clock.now
    for _ in range(400):
        clock.now += 0.05
        assert source.read(0.0) == []
    waits = sorted({round(at - start, 1) for at in attempts})
    assert waits[:5] == pytest.approx([0.5, 1.0, 2.0, 4.0, 9.0], abs=0.3)
    assert np.diff(waits[4:]) == pytest.approx([5.0] * (len(waits) - 5), abs=0.2)


def test_a_sound_server_that_hangs_keeps_nobody_and_the_device_is_back_when_it_answers(
    library: FakeLibrary, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = Microphone()
    with answering_nobody(library.answers):
        clock.now += 1.1
        assert source.read(0.0) == [News("lost")]
        began = time.perf_counter()
        for _ in range(20):
            clock.now += 1.0
            assert source.read(0.0) == []
        assert time.perf_counter() - began < PATIENCE / 2
        assert len(library.streams) == 1, "nothing is opened beside what hangs"
        library.speak(np.zeros(BLOCK * microphone.PIECE))
        assert source.read(0.0) == [], "what was given up on is no sign of life"
    # What answers is waited for as long as it takes.
    monkeypatch.setattr(portaudio, "PATIENCE", PATIENCE)
    clock.now += 10.0
    assert source.read(0.0) == []
    library.speak(np.zeros(BLOCK * microphone.PIECE))
    assert source.read(0.0)[0] == News("back")


def test_where_too_many_files_are_open_a_microphone_that_works_is_left_open(
    library: FakeLibrary,
) -> None:
    """PortAudio would end the process if it were begun anew: its list of devices changes as it is made."""
    source = Microphone()
    with few_descriptors(10):
        with pytest.raises(HectorError, match="Too many open files"):
            microphone.renew_portaudio()
        assert source.renew()
    library.speak(np.ones(BLOCK * 3))
    assert library.is_started and len(library.streams) == 1
    assert sound_of(source.read(0.0)).size


def test_a_sound_system_that_does_not_start_again_is_tried_until_it_does(
    library: FakeLibrary, clock: Clock
) -> None:
    source = Microphone()
    library.starts = False
    clock.now += 1.1
    assert source.read(0.0) == [News("lost")]
    for _ in range(3):
        clock.now += 10.0
        assert source.read(0.0) == []
    library.starts = True
    clock.now += 10.0
    source.read(0.0)
    library.speak(np.zeros(BLOCK * microphone.PIECE))
    assert source.read(0.0)[0] == News("back")


def test_a_library_that_cannot_start_the_sound_system_is_told_in_a_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def load(_name: str) -> None:
        raise PortAudioError("Error initializing PortAudio")

    monkeypatch.setattr(portaudio.importlib, "import_module", load)
    with pytest.raises(HectorError, match="does not answer"):
        microphone.sounddevice()


def test_a_microphone_that_hangs_can_be_closed(library: FakeLibrary) -> None:
    source = Microphone()
    with answering_nobody(library.answers):
        began = time.perf_counter()
        source.close()
        assert time.perf_counter() - began < PATIENCE / 2
        assert portaudio.hangs()


def test_a_game_is_not_kept_by_a_microphone_that_cannot_be_closed(library: FakeLibrary) -> None:
    """However long other calls may take: it would count as a program that stood still."""
    source = Microphone()
    closing = threading.Thread(target=source.close, daemon=True)
    with answering_nobody(library.answers), pytest.MonkeyPatch.context() as patch:
        patch.setattr(portaudio, "_CLOSING", 0.1)
        patch.setattr(portaudio, "PATIENCE", PATIENCE * 2)
        closing.start()
        closing.join(PATIENCE)
        assert not closing.is_alive()


def test_no_device_is_one_sentence(library: FakeLibrary) -> None:
    library.there = False
    assert not has_microphone()
    with pytest.raises(HectorError, match="There is no microphone"):
        Microphone()


@pytest.fixture
def device(virtual_sound: VirtualSound) -> Iterator[Microphone]:
    with Microphone() as source:
        yield source


def listen(source: Microphone, seconds: float) -> list[Block | News]:
    items: list[Block | News] = []
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        items += source.read(0.05)
    return items


@pytest.mark.audio
def test_an_announcement_into_a_microphone_is_heard(device: Microphone, virtual_sound: VirtualSound) -> None:
    recogniser, sound = ears.fresh_recogniser(), in_room(say("Springer Felix drei"))
    # What came while they were made may have gaps.
    device.read(0.0)
    virtual_sound.speak(sound, RATE)
    heard = []
    deadline = time.monotonic() + 10
    while not heard and time.monotonic() < deadline:
        for item in device.read(0.05):
            assert isinstance(item, Block)
            heard += recogniser.accept(item.samples)
    assert [utterance.legal[0].words for utterance in heard] == [("springer", "felix", "drei")]


@pytest.mark.audio
@pytest.mark.slow
def test_a_source_whose_server_hangs_is_lost_and_comes_back(
    device: Microphone, virtual_sound: VirtualSound
) -> None:
    assert all(isinstance(item, Block) for item in listen(device, 0.3))
    with virtual_sound.hanging():
        assert News("lost") in listen(device, 2.5)
        listen(device, 4.0)
        assert portaudio.hangs()
    wait_until_portaudio_answers()
    assert News("back") in listen(device, 8.0)


@pytest.mark.audio
def test_a_source_that_falls_silent_is_noticed_and_comes_back(
    device: Microphone, virtual_sound: VirtualSound
) -> None:
    assert all(isinstance(item, Block) for item in listen(device, 0.3))
    virtual_sound.pactl("suspend-source", "virtual_mic", "1")
    virtual_sound.pactl("suspend-sink", "mic_feed", "1")
    try:
        assert News("lost") in listen(device, 2.5)
    finally:
        virtual_sound.pactl("suspend-sink", "mic_feed", "0")
        virtual_sound.pactl("suspend-source", "virtual_mic", "0")
    assert News("back") in listen(device, 6.0)


@pytest.mark.parametrize("rate", [16_000, 48_000])
def test_a_muted_microphone_is_news_after_the_blocks_that_prove_it(
    library: FakeLibrary, clock: Clock, rate: int
) -> None:
    library.rates = {rate}
    source = Microphone()
    told = []
    for second in range(1, 13):
        clock.now += 1.0
        library.speak(np.zeros(rate // 50 * 51))
        told += [second for item in source.read(0.0) if item == News("muted")]
    assert told == [10]
    assert not source.has_heard


def test_a_microphone_that_was_lost_is_judged_anew(library: FakeLibrary, clock: Clock) -> None:
    source = Microphone()
    for _ in range(3):
        library.speak(np.zeros(240 * BLOCK))
        assert News("muted") not in source.read(0.0)
        clock.now += 2.0
        assert source.read(0.0) == [News("lost")]
        clock.now += 1.0
        source.read(0.0)


def test_a_microphone_that_is_only_opened_anew_is_judged_on(library: FakeLibrary, clock: Clock) -> None:
    """As it is while a loudspeaker is looked for."""
    source = Microphone()
    told: list[Block | News] = []
    for _ in range(3):
        library.speak(np.zeros(240 * BLOCK))
        told += source.read(0.0)
        source.renew()
    assert told.count(News("muted")) == 1


@pytest.mark.audio
def test_a_microphone_is_asked_whether_anything_comes_from_it(virtual_sound: VirtualSound) -> None:
    assert not delivers_sound()
    hiss = np.random.default_rng(1).integers(-9, 10, 3 * RATE).astype(np.int16)
    room = threading.Thread(target=virtual_sound.speak, args=(hiss, RATE))
    room.start()
    try:
        assert delivers_sound(2.0)
    finally:
        room.join()

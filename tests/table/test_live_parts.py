"""The parts of a live game: the gate before the microphone, the keyboard, half-heard announcements."""

from __future__ import annotations

import os
import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.announcements import Thresholds, load_vocabulary, open_grammar
from assistant.hearing import Recogniser, load_model
from assistant.speaking import synthesise
from assistant.speaking.outputs import at_rate
from assistant.table import NoRecord, PaperVoice, Person, Setup, Table
from assistant.table.devices import HOLD, Gate
from assistant.table.keyboard import Keyboard
from assistant.table.running import RATE, Listening, RecogniserEar
from assistant.utterance import Transcript, Utterance

PATIENCE = 20.0
BLOCK = 0.02

# The gate


def test_the_microphone_is_deaf_while_hector_speaks_and_until_the_room_is_quiet() -> None:
    gate = Gate()
    gate.shut(10.0)
    assert not gate.is_deaf(9.9, 9.98)
    assert gate.is_deaf(10.0, 10.02)
    gate.open(11.0)
    assert gate.is_deaf(11.0, 11.02)
    assert gate.is_deaf(11.0 + HOLD - 0.01, 11.0 + HOLD + 0.01)
    assert not gate.is_deaf(11.0 + HOLD, 11.0 + HOLD + BLOCK)


def test_a_sound_that_waited_to_be_looked_at_is_judged_by_when_it_was_taken() -> None:
    gate = Gate()
    gate.shut(10.0)
    gate.open(11.0)
    # Looked at much later, when Hector speaks again.
    gate.shut(20.0)
    assert not gate.is_deaf(9.0, 9.02)
    assert gate.is_deaf(10.5, 10.52)
    assert not gate.is_deaf(15.0, 15.02)
    assert gate.is_deaf(20.1, 20.12)


def test_a_sentence_that_could_not_be_spoken_leaves_nobody_deaf() -> None:
    gate = Gate()
    gate.shut(10.0)
    gate.open(0.0)
    assert not gate.is_deaf(10.0, 10.02)


@given(st.lists(st.tuples(st.floats(0.01, 3), st.floats(0.01, 3)), min_size=1, max_size=8))
def test_no_moment_of_hectors_voice_is_ever_heard(sentences: list[tuple[float, float]]) -> None:
    gate, at, spoken = Gate(), 0.0, []
    for pause, length in sentences:
        at += pause
        gate.shut(at)
        spoken.append((at, at + length))
        at += length
        gate.open(at)
    for number in range(int((at + 1) / BLOCK)):
        begin, end = number * BLOCK, (number + 1) * BLOCK
        voice = any(begin < until + HOLD and end > since for since, until in spoken)
        assert gate.is_deaf(begin, end) == voice


# An announcement whose beginning nobody heard


@pytest.fixture(scope="module")
def recogniser() -> Recogniser:
    return Recogniser(load_model(), open_grammar=open_grammar(load_vocabulary("de")))


class Heard:
    """A table that listens to samples."""

    def __init__(self, recogniser: Recogniser) -> None:
        self.shown: list[str] = []
        setup = Setup(white=Person("W", True), black=Person("B", True), press="word", language="de")
        vocabulary, ear = load_vocabulary("de"), RecogniserEar(recogniser)
        recogniser.restart()
        self.table = Table(setup, vocabulary, Thresholds(), PaperVoice(), NoRecord(), ear, self.shown.append)
        self.table.start()
        self.listening = Listening(self.table, recogniser)
        self._noise = np.random.default_rng(2)

    def take(self, samples: np.ndarray[tuple[int], np.dtype[np.int16]], *, deaf: float = 0.0) -> None:
        """Hear the samples and a second of silence, but not the first `deaf` seconds of them."""
        whole = np.concatenate([samples, np.zeros(RATE - len(samples) % 320, np.int16)])
        whole = whole[: len(whole) // 320 * 320]
        noise = self._noise.normal(0, 4, len(whole)).astype(np.int16)
        for number, block in enumerate((whole + noise).reshape(-1, 320)):
            if number * BLOCK < deaf:
                self.listening.be_deaf(self.listening.now + BLOCK)
            else:
                self.listening.take(block)


def announcement(words: str) -> np.ndarray[tuple[int], np.dtype[np.int16]]:
    samples = at_rate(synthesise(words, "de+m3", rate=140), RATE)
    return samples[np.flatnonzero(np.abs(samples) > 300)[0] :] // 2


def test_half_an_announcement_is_asked_for_again_and_never_played(recogniser: Recogniser) -> None:
    """ "Felix drei" is what remains of "Springer Felix drei" under Hector's voice, and another move."""
    heard = Heard(recogniser)
    samples = announcement("Springer Felix drei")
    heard.take(samples, deaf=len(announcement("Springer")) / RATE)
    assert heard.table.memory.pending is None
    assert heard.shown[-1] == "Hector: Wie bitte?"
    heard.take(samples)
    assert heard.shown[-1] == "Hector: Springer Felix drei"


def test_whoever_waits_a_moment_is_heard_after_hectors_voice(recogniser: Recogniser) -> None:
    heard = Heard(recogniser)
    pause = np.zeros(round(0.4 * RATE), np.int16)
    heard.take(np.concatenate([pause, announcement("Springer Felix drei")]), deaf=0.1)
    assert heard.shown[-1] == "Hector: Springer Felix drei"


def test_time_without_sound_does_not_press_while_somebody_speaks(recogniser: Recogniser) -> None:
    heard = Heard(recogniser)
    samples = announcement("Springer Felix drei")
    for block in samples[: RATE // 320 * 320].reshape(-1, 320):
        heard.listening.take(block)
    assert heard.listening.is_busy
    before = heard.listening.now
    heard.listening.wait(before + 5.0)
    assert heard.table.now <= before


@pytest.mark.parametrize(("foreign", "pressed"), [(0.0, True), (5.0, False)])
def test_a_reply_presses_the_movers_clock_and_the_halls_talk_does_not(foreign: float, pressed: bool) -> None:
    setup = Setup(white=Person("W", True), black=Person("B", True), press="auto", language="de")
    table = Table(setup, load_vocabulary("de"), Thresholds(), PaperVoice(), NoRecord())
    table.start()
    table.type("e4", 1.0)
    best, frames = Transcript(("eva", "fuenf"), -100.0), 50
    table.hear(Utterance(1.2, 2.0, (best,), (best,), -100.0 + foreign * frames, frames, 300.0))
    assert table.floor == ("black" if pressed else "white")


# The keyboard


def lines_of(*data: bytes) -> list[str]:
    read, write = os.pipe()
    keyboard = Keyboard(read)
    for piece in data:
        os.write(write, piece)
    os.close(write)
    found: list[str] = []
    deadline = time.monotonic() + PATIENCE
    while not keyboard.ended and time.monotonic() < deadline:
        found += keyboard.pending()
    os.close(read)
    assert keyboard.ended
    return found


def test_lines_come_as_they_were_typed() -> None:
    assert lines_of(b"e4\n\nNf3\r\n", b"q\n") == ["e4", "", "Nf3", "q"]


def test_a_line_may_come_in_pieces_in_the_middle_of_a_letter() -> None:
    text = "Läufer\n".encode()
    assert lines_of(text[:2], text[2:]) == ["Läufer"]


def test_the_last_line_needs_no_end() -> None:
    assert lines_of(b"e4\nresign") == ["e4", "resign"]


def test_bytes_that_are_no_text_do_not_end_the_keyboard() -> None:
    assert lines_of(b"\xff\xfe\n", b"e4\n") == ["\ufffd\ufffd", "e4"]


def test_a_keyboard_that_is_closed_has_ended() -> None:
    read, write = os.pipe()
    os.close(write)
    os.close(read)
    keyboard = Keyboard(read)
    deadline = time.monotonic() + PATIENCE
    while not keyboard.ended and time.monotonic() < deadline:
        assert keyboard.pending() == []
    assert keyboard.ended

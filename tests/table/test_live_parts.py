"""The parts of a live game: the gate before the microphone, the keyboard, half-heard announcements."""

from __future__ import annotations

import contextlib
import math
import os
import pty
import signal
import termios
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest
from numpy.typing import NDArray

from assistant.announcements import Thresholds, load_vocabulary
from assistant.display import BrailleDisplay
from assistant.ears import ears_of
from assistant.hearing import Block, Recogniser, load_model
from assistant.interrupts import Ending
from assistant.sound import SAMPLE_RATE
from assistant.speaking import synthesise
from assistant.speaking.outputs import at_rate
from assistant.table import Guest, NoRecord, PaperVoice, Person, Setup, Table, live, sitting
from assistant.table.braille import LAST_READING, Reader
from assistant.table.devices import Change, Devices
from assistant.table.keyboard import Keyboard, Line
from assistant.table.record import GameRecord
from assistant.table.running import Listening, RecogniserEar, play_stream
from assistant.table.setup import Press
from assistant.table.sitting import Room, Sitting
from assistant.table.terminal import warn
from assistant.table.vigil import Vigil
from assistant.utterance import Transcript, Utterance

PATIENCE = 20.0
BLOCK = 0.02

# Standard error


def test_a_warning_that_nobody_can_read_does_not_end_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "w", 1) as broken:
        monkeypatch.setattr("sys.stderr", broken)
        warn("first")
        warn("second")


def test_a_warning_without_a_standard_error_is_not_printed_instead(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stderr", None)
    warn("first")
    assert capsys.readouterr().out == ""


# An announcement whose beginning nobody heard


@pytest.fixture(scope="module")
def recogniser() -> Recogniser:
    return ears_of(load_model(), load_vocabulary("de")).recogniser


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
        whole = np.concatenate([samples, np.zeros(SAMPLE_RATE - len(samples) % 320, np.int16)])
        whole = whole[: len(whole) // 320 * 320]
        noise = self._noise.normal(0, 4, len(whole)).astype(np.int16)
        for number, block in enumerate((whole + noise).reshape(-1, 320)):
            if number * BLOCK < deaf:
                self.listening.be_deaf(self.listening.now + BLOCK)
            else:
                self.listening.take(block)


def announcement(words: str) -> np.ndarray[tuple[int], np.dtype[np.int16]]:
    samples = at_rate(synthesise(words, "de+m3", rate=140), SAMPLE_RATE)
    return samples[np.flatnonzero(np.abs(samples) > 300)[0] :] // 2


def test_half_an_announcement_is_asked_for_again_and_never_played(recogniser: Recogniser) -> None:
    """ "Felix drei" is what remains of "Springer Felix drei" under Hector's voice, and another move."""
    heard = Heard(recogniser)
    samples = announcement("Springer Felix drei")
    heard.take(samples, deaf=len(announcement("Springer")) / SAMPLE_RATE)
    assert heard.table.memory.pending is None
    assert heard.shown[-1] == "Hector: Wie bitte?"
    heard.take(samples)
    assert heard.shown[-1] == "Hector: Springer Felix drei"


def test_whoever_waits_a_moment_is_heard_after_hectors_voice(recogniser: Recogniser) -> None:
    heard = Heard(recogniser)
    pause = np.zeros(round(0.4 * SAMPLE_RATE), np.int16)
    heard.take(np.concatenate([pause, announcement("Springer Felix drei")]), deaf=0.1)
    assert heard.shown[-1] == "Hector: Springer Felix drei"


def test_time_without_sound_does_not_press_while_somebody_speaks(recogniser: Recogniser) -> None:
    heard = Heard(recogniser)
    samples = announcement("Springer Felix drei")
    for block in samples[: SAMPLE_RATE // 320 * 320].reshape(-1, 320):
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


@pytest.mark.parametrize(
    ("words", "is_asked"), [("Springer Felix drei", True), ("Guten Morgen zusammen", False)]
)
def test_what_hector_talked_into_is_asked_for_again_if_it_was_said_to_him(
    recogniser: Recogniser, words: str, is_asked: bool
) -> None:
    heard = Heard(recogniser)
    samples = announcement(words)
    most = int(0.95 * len(samples)) // 320 * 320
    for block in samples[:most].reshape(-1, 320):
        heard.listening.take(block)
    assert heard.listening.is_busy
    for _ in range(100):
        heard.listening.be_deaf(heard.listening.now + BLOCK)
    assert "Hector: Wie bitte?" not in heard.shown
    heard.take(np.zeros(0, np.int16))
    heard.take(np.zeros(0, np.int16))
    assert heard.shown.count("Hector: Wie bitte?") == is_asked


# Who comes first: words that are still being understood, and what others do meanwhile


class Scripted:
    """A recogniser that hears what it is told to: when each utterance is noticed and when it is decided."""

    def __init__(self, *heard: tuple[float, float, Utterance | None]) -> None:
        self._heard = list(heard)
        self._at = 0.0
        self.hears_something = False
        self.audio = np.zeros(0, np.int16)

    def expect(self, phrases: object) -> None:
        pass

    def reset(self) -> None:
        self.hears_something = False

    def finish(self) -> list[Utterance]:
        return []

    def accept(self, block: np.ndarray[tuple[int], np.dtype[np.int16]]) -> list[Utterance]:
        before, self._at = self._at, round(self._at + len(block) / SAMPLE_RATE, 6)
        self.hears_something = any(noticed <= self._at < decided for noticed, decided, _ in self._heard)
        return [said for _noticed, decided, said in self._heard if said and before < decided <= self._at]


def said(words: str, start: float, end: float) -> Utterance:
    transcript = Transcript(tuple(words.split()), -10.0)
    return Utterance(start, end, (transcript,), (transcript,), -10.0, 50, 0.0)


SILENCE = np.zeros(320, np.int16)
MOVE = (8.3, 9.1, said("eva vier", 8.25, 8.9))
PRESS = (9.36, 10.2, said("gedrueckt", 9.3, 9.8))
"""White's clock is pressed in time: his flag would fall at ten seconds."""


class Scene:
    """Ten seconds for White, who speaks; blocks of sound as they come."""

    def __init__(
        self, *heard: tuple[float, float, Utterance | None], press: Press = "word", starts: bool = True
    ) -> None:
        self.shown: list[str] = []
        self.recogniser = Scripted(*heard)
        self.setup = Setup(
            white=Person("W", True), black=Person("B"), press=press, language="de", time_control="10"
        )
        voice, vocabulary = PaperVoice(), load_vocabulary("de")
        self.table = Table(self.setup, vocabulary, Thresholds(), voice, NoRecord(), None, self.shown.append)
        if starts:
            self.table.start()
        self.listening = Listening(self.table, cast(Recogniser, self.recogniser))

    def listen(self, until: float) -> None:
        while self.listening.now < until - BLOCK / 2:
            self.listening.take(SILENCE)

    def type(self, text: str, at: float) -> None:
        self.listening.in_order(at, lambda: self.table.type(text, at), patience=math.inf)

    def steps(self) -> list[tuple[str, float]]:
        lines = [step.line for step in self.table.course.steps if step.line is not None]
        return [(line["do"], line["at"]) for line in lines]


def test_a_line_takes_no_time_from_words_that_are_still_being_understood() -> None:
    scene = Scene(MOVE, PRESS)
    scene.listen(10.1)
    scene.type("t", 10.1)
    scene.listening.wait(10.1)
    scene.listen(11)
    assert not scene.table.over
    assert ("press", 9.8) in scene.steps()
    assert scene.steps()[-1] == ("ask", 10.1)


def test_what_the_opponent_sends_takes_no_time_from_them_either() -> None:
    scene = Scene(MOVE, PRESS)
    scene.listen(10.1)
    scene.listening.in_order(10.1, lambda: scene.table.act({"do": "offer-draw", "side": "black"}, 10.1))
    scene.listen(11)
    assert not scene.table.over
    assert ("press", 9.8) in scene.steps()


@pytest.mark.usefixtures("heeded")
def test_a_signal_ends_a_stream_of_sound_when_the_block_has_been_taken() -> None:
    scene = Scene(starts=False)

    def blocks() -> Iterator[NDArray[np.int16]]:
        yield SILENCE
        signal.raise_signal(signal.SIGINT)
        yield SILENCE
        yield SILENCE

    with pytest.raises(KeyboardInterrupt):
        play_stream(scene.table, cast(Recogniser, scene.recogniser), blocks())
    assert scene.table.now == pytest.approx(2 * BLOCK)


def talk(words: str, start: float, end: float) -> Utterance:
    """Words of the hall: nearly any sound is likelier than these words."""
    return replace(said(words, start, end), filler=5000.0)


@pytest.mark.parametrize(
    "words",
    [
        pytest.param(None, id="noise"),
        pytest.param(talk("david vier", 9.3, 10.1), id="talk"),
        pytest.param(said("zeit", 9.3, 10.1), id="a question for the times"),
        pytest.param(said("ja", 9.3, 10.1), id="an answer to nothing"),
        pytest.param(said("eva drei", 9.3, 10.1), id="another move"),
        pytest.param(said("eva fuenf", 9.3, 10.1), id="a move that is not possible"),
    ],
)
def test_a_press_in_time_counts_though_it_waits_for_talk(words: Utterance | None) -> None:
    scene = Scene(MOVE, (9.36, 10.2, words))
    scene.listen(9.98)
    scene.type("", 9.99)
    scene.listen(11)
    assert ("press", 9.99) in scene.steps()
    assert not scene.table.over


def test_a_press_that_waits_for_long_talk_takes_its_own_time() -> None:
    scene = Scene((1.3, 2.1, said("eva vier", 1.25, 1.9)), (3.36, 9.6, talk("david vier", 3.3, 9.5)))
    scene.listen(3.98)
    scene.type("", 4.0)
    scene.listen(9.8)
    assert scene.table.course.referee.time_left("white") == 6


def test_the_press_that_hector_owes_takes_no_time_from_the_player_for_talk() -> None:
    quiet, loud = Scene(press="auto"), Scene((1.5, 9.6, talk("david vier", 1.4, 9.5)), press="auto")
    for scene in (quiet, loud):
        scene.table.type("e4", 0.2)
        scene.listen(9.7)
    assert 1.5 < dict(quiet.steps())["press"] == dict(loud.steps())["press"] < 9.5


def test_a_flag_that_falls_is_told_though_the_talk_has_no_end() -> None:
    ends = [3.0 + 9 * number for number in range(5)]
    scene = Scene(*((end, end + 9, talk("david vier", end - 0.1, end + 8.9)) for end in ends))
    scene.listen(12.2)
    assert scene.table.over


def test_who_presses_as_he_ends_his_announcement_presses_for_it() -> None:
    scene = Scene(MOVE)
    scene.listen(8.7)
    scene.type("", 8.8)
    scene.listen(9.3)
    assert scene.steps()[1:] == [("announce", 8.8), ("place", 8.8), ("press", 8.8)]


def test_what_was_done_in_the_noise_before_words_comes_before_them() -> None:
    scene = Scene((1.3, 2.1, said("eva vier", 1.25, 1.9)), (3.1, 8.0, said("eva fuenf", 7.0, 7.8)))
    scene.listen(3.98)
    scene.type("", 4.0)
    scene.listen(8.1)
    assert scene.steps()[-2:] == [("press", 4.0), ("announce", 7.8)]


def test_a_press_that_was_due_comes_before_the_line_that_followed_it() -> None:
    scene = Scene(press="auto")
    scene.type("e4", 1.0)
    late = {"do": "correct", "side": "white", "move": "d2d4"}
    scene.listening.in_order(5.0, lambda: scene.table.act(late, 5.0) and None)
    scene.listening.wait(6.0)
    assert [ply.move.uci() for ply in scene.table.sheet.plies] == ["e2e4"]


def test_lines_are_taken_in_the_order_of_their_times() -> None:
    scene = Scene(MOVE, PRESS)
    taken: list[float] = []
    for at in (10.15, 9.5, 9.2, 10.4):
        scene.listening.in_order(at, partial(taken.append, at))
    scene.listen(9.3)
    assert taken == [9.2]
    scene.listen(10.18)
    assert taken == [9.2]
    scene.listen(10.3)
    assert taken == [9.2, 9.5, 10.15]
    scene.listen(10.5)
    assert taken[-1] == 10.4


def test_a_guest_waits_five_seconds_at_most() -> None:
    """His page would give up after ten."""
    scene = Scene((0.5, 9.0, None))
    taken: list[str] = []
    scene.listening.in_order(1.0, partial(taken.append, "guest"))
    scene.listening.in_order(2.0, partial(taken.append, "keyboard"), patience=math.inf)
    scene.listen(5.9)
    assert taken == []
    scene.listen(6.1)
    assert taken == ["guest"]
    scene.listen(8.9)
    assert taken == ["guest"]
    scene.listen(9.1)
    assert taken == ["guest", "keyboard"]


# The loop of a live game


class FakeDevices:
    """A microphone whose blocks wait until they are read; each read is over at the next of these times."""

    def __init__(self, recogniser: Scripted, *reads: float) -> None:
        self.ears = SimpleNamespace(recogniser=recogniser)
        self.microphone: object | None = object()
        self.zero = self.now = 0.0
        self._reads = list(reads)
        self._taken = 0
        self.changes: list[Change] = []
        """What is told once, before the next blocks that are read after `changes_at`."""
        self.changes_at = 0.0

    def read(self, wait: float, *, busy: bool) -> list[Block | Change]:
        self.now = self._reads.pop(0) if self._reads else self.now + 0.1
        first, self._taken = self._taken, round(self.now / BLOCK)
        changes: list[Change] = []
        if self.now > self.changes_at:
            changes, self.changes = self.changes, []
        blocks = [Block(SILENCE, (number + 1) * BLOCK) for number in range(first, self._taken)]
        return [*changes, *blocks]

    def is_deaf_to(self, block: Block) -> bool:
        return False


class FakeKeyboard:
    """Somebody types a line at each of certain times, and nothing more from another time on."""

    def __init__(self, devices: FakeDevices, *lines: Line, ends: float = math.inf) -> None:
        self._devices, self._lines, self._ends = devices, list(lines), ends
        self.was_there = True

    def lines(self) -> list[Line]:
        ready = [line for line in self._lines if line.at <= self._devices.now]
        self._lines = [line for line in self._lines if line not in ready]
        return ready

    def pending(self) -> list[str]:
        return [line.text for line in self.lines()]

    @property
    def ended(self) -> bool:
        return self._devices.now >= self._ends

    def hide(self, hidden: bool) -> None:
        pass


class Onlooker:
    """A guest who only looks on, and stays until a certain time."""

    starts = False

    def __init__(self, devices: FakeDevices, until: float) -> None:
        self._devices, self._until = devices, until
        self.after_the_end = 0

    def attend(self, in_order: object = None) -> None:
        if in_order is None and self._devices.now > 9:
            # The game is over, and nothing is read any more that would let time pass.
            self.after_the_end += 1
            self._devices.now += 1.0

    @property
    def stays(self) -> bool:
        return self._devices.now < self._until


class Slate:
    """A braille display whose last message is never acknowledged."""

    def changes(self) -> list[bool]:
        return []

    def clocks_are_wanted(self) -> bool:
        return False

    def show_game(self, *_game: object) -> None:
        pass

    def wait_until_read(self, seconds: float) -> bool:
        assert seconds == 0, "nobody else is attended to meanwhile"
        return False


def play_live(
    scene: Scene,
    devices: FakeDevices,
    keyboard: FakeKeyboard,
    folder: Path,
    guest: Onlooker | None = None,
    display: Slate | None = None,
    watch: Callable[[], None] = lambda: None,
) -> None:
    room = Room(
        scene.table,
        lambda: folder,
        cast(Devices, devices),
        cast(Keyboard, keyboard),
        Reader(scene.setup, cast("BrailleDisplay | None", display)),
        cast("Guest | None", guest),
    )
    Sitting(room, cast(Vigil, SimpleNamespace(attend=watch)), Ending()).play()


def test_a_program_that_was_stopped_is_noticed_before_the_time_is_ruled_on(tmp_path: Path) -> None:
    """A flag that falls by it comes after the note of it."""
    scene = Scene(MOVE, PRESS)
    devices = FakeDevices(scene.recogniser, 9.2, 60.0)
    seen: dict[float, float] = {}

    def watch() -> None:
        seen.setdefault(devices.now, scene.table.now)

    play_live(scene, devices, FakeKeyboard(devices, Line("q", 60.0)), tmp_path, watch=watch)
    assert seen[60.0] <= 9.2


def test_a_line_does_not_overtake_the_sound_that_waits_to_be_heard(tmp_path: Path) -> None:
    """The program was busy for a second; what was typed meanwhile came after what was said."""
    scene = Scene(MOVE, PRESS)
    devices = FakeDevices(scene.recogniser, 9.2, 10.3)
    play_live(scene, devices, FakeKeyboard(devices, Line("t", 9.9), Line("q", 12.0)), tmp_path)
    assert ("press", 9.8) in scene.steps()
    assert ("ask", 9.9) in scene.steps()
    assert not scene.table.over


class BusyGuest(Onlooker):
    """A guest who takes a tenth of a second whenever he is attended to."""

    def attend(self, in_order: object = None) -> None:
        self._devices.now = round(self._devices.now + 0.1, 3)


@pytest.mark.parametrize("is_heard", [True, False], ids=["microphone", "keyboard alone"])
def test_what_is_typed_while_a_guest_is_attended_to_keeps_its_time(tmp_path: Path, is_heard: bool) -> None:
    scene = Scene()
    devices = FakeDevices(scene.recogniser)
    devices.now = 0.1
    if not is_heard:
        devices.microphone = None
    devices.read = lambda wait, *, busy: []  # type: ignore[method-assign]
    lines = (Line("e4", 5.0), Line("", 9.99), Line("q", 12.0))
    play_live(scene, devices, FakeKeyboard(devices, *lines), tmp_path, BusyGuest(devices, until=15.0))
    assert ("press", 9.99) in scene.steps()


@pytest.mark.parametrize("line", ["s", "\x1b"])
def test_silence_waits_for_nobodys_words_and_costs_nobody_his_time(tmp_path: Path, line: str) -> None:
    scene = Scene(MOVE, PRESS)
    devices = FakeDevices(scene.recogniser, 9.2, 10.1)
    play_live(scene, devices, FakeKeyboard(devices, Line(line, 10.1), Line("q", 10.1)), tmp_path)
    assert scene.table.memory.stopped
    assert ("press", 9.8) in scene.steps()
    assert not scene.table.over


def test_a_lost_keyboard_is_told_once(tmp_path: Path) -> None:
    scene = Scene()
    devices = FakeDevices(scene.recogniser)
    play_live(scene, devices, FakeKeyboard(devices, ends=3.0), tmp_path)
    assert scene.shown.count("Hector: Tastatur weg.") == 1


def test_a_lost_keyboard_is_told_after_its_last_line(tmp_path: Path) -> None:
    scene = Scene(MOVE)
    devices = FakeDevices(scene.recogniser)
    in_mid_word = 8.6
    keyboard = FakeKeyboard(devices, Line("l", in_mid_word), ends=in_mid_word)
    play_live(scene, devices, keyboard, tmp_path)
    # The move that was being said is repeated, then told as the last one.
    told = scene.shown[: scene.shown.index("Hector: Tastatur weg.")]
    assert told[-2:] == ["Hector: Eva vier"] * 2


def test_a_muted_microphone_is_told_and_listened_to_all_the_same(tmp_path: Path) -> None:
    scene = Scene(MOVE, PRESS)
    devices = FakeDevices(scene.recogniser)
    devices.changes = [Change("microphone", "muted")]
    play_live(scene, devices, FakeKeyboard(devices, Line("q", 12.0)), tmp_path)
    assert scene.shown.count("Hector: Mikrofon stumm? Von ihm kommt kein Ton.") == 1
    assert ("press", 9.8) in scene.steps()


@pytest.mark.parametrize("gap_at", [8.2, 8.7])
def test_a_move_with_a_gap_in_it_or_before_it_is_asked_for_again(tmp_path: Path, gap_at: float) -> None:
    """ "Felix drei" is what remains of "Springer Felix drei", and another move."""
    scene = Scene(MOVE)
    devices = FakeDevices(scene.recogniser)
    devices.changes, devices.changes_at = [Change("microphone", "gap")], gap_at
    play_live(scene, devices, FakeKeyboard(devices, Line("q", 9.5)), tmp_path)
    assert scene.table.memory.pending is None
    assert scene.shown[-1] == "Hector: Wie bitte?"


def test_where_nobody_could_type_no_keyboard_is_lost(tmp_path: Path) -> None:
    scene = Scene()
    devices = FakeDevices(scene.recogniser)
    keyboard = FakeKeyboard(devices, ends=0.0)
    keyboard.was_there = False
    play_live(scene, devices, keyboard, tmp_path)
    assert "Hector: Tastatur weg." not in scene.shown


def test_the_guests_are_attended_to_while_the_display_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sitting, "WAIT", 0.0)
    scene = Scene()
    devices = FakeDevices(scene.recogniser)
    guest = Onlooker(devices, until=15.0)
    play_live(scene, devices, FakeKeyboard(devices), tmp_path, guest, Slate())
    # Once a second, as the guest's clock goes, until the reader's half minute is over.
    assert guest.after_the_end == LAST_READING


# The keyboard


def test_a_table_that_is_laid_out_has_not_taken_the_terminal_yet(monkeypatch: pytest.MonkeyPatch) -> None:
    """A signal that comes then finds nobody who would give it back."""
    controller, end = pty.openpty()
    before = termios.tcgetattr(end)
    ears = SimpleNamespace(vocabulary=load_vocabulary("de"), thresholds=Thresholds(), recogniser=None)
    devices = SimpleNamespace(ears=ears, microphone=None, voice=PaperVoice())
    record = SimpleNamespace(locate=None, line=lambda _line: None, said=lambda _sentence, _at: None)
    setup = Setup(language="de", braille_display=False)
    with os.fdopen(controller), os.fdopen(end) as terminal:
        monkeypatch.setattr("sys.stdin", terminal)
        there = contextlib.nullcontext(cast(Devices, devices))
        with live._room(
            setup, there, lambda: contextlib.nullcontext(cast(GameRecord, record)), None, None
        ) as (room, _record):
            assert termios.tcgetattr(end) == before
            with room.keyboard:
                assert termios.tcgetattr(end) != before


def lines_of(*data: bytes) -> list[str]:
    read, write = os.pipe()
    with Keyboard(read) as keyboard:
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
    with Keyboard(read) as keyboard:
        deadline = time.monotonic() + PATIENCE
        while not keyboard.ended and time.monotonic() < deadline:
            assert keyboard.pending() == []
    assert keyboard.ended

"""A voice that is lost and comes back: what is said then, and what "repeat" means after it."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest
from typed import VOCABULARY
from virtual_sound import VirtualSound

from assistant.announcements import Thresholds
from assistant.errors import HectorError
from assistant.interrupts import Ending
from assistant.sides import Side
from assistant.speaking import Audience, EquipmentSentences, Priority, Sentence, Sentences, Sound
from assistant.table import NoRecord, Person, Setup, Table
from assistant.table.audible import Audible
from assistant.table.braille import Reader
from assistant.table.devices import Change, Devices
from assistant.table.keyboard import Keyboard
from assistant.table.missed import still_news
from assistant.table.sitting import Room, Sitting
from assistant.table.vigil import Vigil

PATIENCE = 20.0


class Mortal:
    """A voice that says nothing, or cannot."""

    last_sample_time = 0.0

    def __init__(self) -> None:
        self.said: list[str] = []
        self.is_dead = False

    def say(self, sentence: Sentence, stop: threading.Event, at: float | None = None) -> bool:
        self.reach(sentence.audience)
        self.said.append(sentence.text)
        return True

    def wake(self) -> None:
        pass

    def reach(self, audience: Audience) -> None:
        if self.is_dead:
            raise HectorError("The loudspeaker has gone.")

    def close(self) -> None:
        pass


class Evening:
    """A game with a keyboard and with a voice that may die."""

    def __init__(self, devices: Devices, folder: Path) -> None:
        self.devices = devices
        setup = Setup(Person("W", True), Person("B"), press="key", mode="club", language="en")
        self.table = Table(setup, VOCABULARY, Thresholds(), devices.voice, NoRecord())
        self.table.start()
        nobody = cast(Keyboard, SimpleNamespace(hide=None))
        room = Room(self.table, lambda: folder, devices, nobody, Reader(setup, None))
        self._sitting = Sitting(room, cast(Vigil, None), Ending())

    def type(self, *lines: str) -> None:
        for line in lines:
            self.table.type(line, self.devices.now)
            self.attend()

    def attend(self) -> None:
        """Let everything be said, and be told what has become of the devices."""
        while True:
            assert self.devices.speaker is not None
            assert self.devices.speaker.wait_until_silent(PATIENCE)
            changes = self.devices.read(0.0, busy=False)
            if not changes:
                return
            for change in changes:
                assert isinstance(change, Change)
                self._sitting._on_change(change)


@pytest.fixture
def voice() -> Mortal:
    return Mortal()


@pytest.fixture
def evening(voice: Mortal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Evening]:
    monkeypatch.setattr(Devices, "_backend", lambda *_given: voice)
    devices = Devices(None, None, keyboard_only=True, warn=lambda _line: None)
    yield Evening(devices, tmp_path)
    devices.close()


def test_what_a_dead_voice_did_not_say_is_said_in_its_order_after_the_news_that_it_is_back(
    evening: Evening, voice: Mortal
) -> None:
    evening.type("e4", "")
    voice.is_dead = True
    evening.type("e5", "draw")
    voice.is_dead = False
    voice.said.clear()
    evening.type("m")
    assert voice.said == ["One move completed.", "Voice back.", "Eva fünf", "Draw offer by Black."]


def test_who_took_a_move_back_while_the_voice_was_dead_is_asked_for_the_right_one_after_all(
    evening: Evening, voice: Mortal
) -> None:
    """D.2.8: his move waits for its press no more, and nobody has told him."""
    evening.type("e4")
    voice.is_dead = True
    evening.type("k")
    voice.is_dead = False
    voice.said.clear()
    evening.type("m")
    assert voice.said == ["Zero moves completed.", "Voice back.", "Correction. Which move?"]


def test_what_was_missed_is_what_is_repeated(evening: Evening, voice: Mortal) -> None:
    evening.type("e4", "")
    voice.is_dead = True
    evening.type("e5", "draw")
    voice.is_dead = False
    evening.type("m")
    voice.said.clear()
    evening.type("r")
    assert voice.said == ["Eva fünf", "Draw offer by Black."]


def test_that_the_voice_is_back_is_not_what_was_said_last(evening: Evening, voice: Mortal) -> None:
    evening.type("e4", "")
    voice.is_dead = True
    evening.type("t")
    voice.is_dead = False
    evening.type("m")
    voice.said.clear()
    evening.type("r")
    assert voice.said == ["One move completed."]


IN = Sentences("de")
LOST = EquipmentSentences("de").device_lost("microphone")
OFFER = Sentence("Remisangebot von Schwarz.", "de")


@pytest.mark.parametrize(
    ("missed", "is_asked", "news"),
    [
        ([IN.readback("Eva vier", 1), IN.readback("Eva fünf", 2), OFFER], False, ["Eva fünf", OFFER.text]),
        ([IN.readback("Eva vier", 1), OFFER, IN.readback("Eva fünf", 2)], False, [OFFER.text, "Eva fünf"]),
        ([IN.last_move("Eva vier"), IN.times(60_000, 60_000), IN.position(["König Eva eins"], [])], True, []),
        ([LOST, IN.confirm("resign")], False, ["Mikrofon weg. Züge bitte tippen."]),
        ([IN.confirm("resign")], True, ["Aufgeben? Ja oder nein?"]),
    ],
)
def test_news_are_still_news_and_an_answer_is_none(
    missed: list[Sentence], is_asked: bool, news: list[str]
) -> None:
    assert [each.text for each in still_news(missed, is_asked=is_asked)] == news


# Headphones and the usual loudspeaker


class Plug:
    """A loudspeaker that plays at once, or cannot."""

    last_sample_time = 0.0
    plugged: set[str | None]
    heard: list[str | None]

    def __init__(self, device: str | None, refresh: object, private: bool) -> None:
        self._device = device
        self.has_failed = False

    def begin(self, sound: Sound, at: float | None = None) -> None:
        self.has_failed = self._device not in self.plugged
        if self.has_failed:
            raise HectorError("There is no loudspeaker.")
        if sound is not SILENCE:
            self.heard.append(self._device)
            self.last_sample_time = time.monotonic()

    def wait(self, stop: threading.Event) -> bool:
        return not stop.is_set()

    def wake(self) -> None:
        pass

    def reach(self) -> None:
        if self.has_failed:
            self.begin(SILENCE)

    def close(self) -> None:
        pass


SILENCE = Sound(np.zeros(1, np.int16), 22050)


class Hall:
    """Players with headphones of their own, whose devices go and come."""

    def __init__(self, headphones: dict[Side, str]) -> None:
        Plug.plugged, Plug.heard = {*headphones.values(), None}, []
        audible = Audible(headphones=headphones, duplex="full")
        self._devices = Devices(None, None, keyboard_only=True, warn=lambda _line: None, audible=audible)
        assert self._devices.speaker is not None
        self.speaker = self._devices.speaker

    def say(self, text: str, audience: Audience = "room") -> list[str | None]:
        """Return which devices played a sentence; `None` is the usual one."""
        Plug.heard.clear()
        self._devices.voice.say(Sentence(text, "de", audience=audience), 0.0)
        assert self.speaker.wait_until_silent(PATIENCE)
        return list(Plug.heard)

    def changes(self) -> list[object]:
        return [*self._devices.read(0.0, busy=False)]

    def missed(self) -> list[str]:
        return [sentence.text for sentence in self._devices.take_missed()]

    def wait_for(self, change: Change) -> None:
        deadline = time.monotonic() + PATIENCE
        while change not in self.changes():
            assert time.monotonic() < deadline
            time.sleep(0.005)

    def close(self) -> None:
        self._devices.close(finish=False)


@pytest.fixture
def one_player(monkeypatch: pytest.MonkeyPatch) -> Iterator[Hall]:
    monkeypatch.setattr("assistant.table.devices.Loudspeaker", Plug)
    hall = Hall({"white": "ears"})
    yield hall
    hall.close()


def test_the_loudspeaker_that_is_lost_after_the_headphones_is_told_of(one_player: Hall) -> None:
    Plug.plugged = {None}
    assert one_player.say("Eva vier") == [None]
    assert one_player.changes() == [Change("headphones", "lost")]
    Plug.plugged = set()
    assert one_player.say("Eva fünf") == []
    assert one_player.changes() == [Change("voice", "lost")]


def test_what_the_room_missed_is_owed_when_the_usual_loudspeaker_is_heard_again(one_player: Hall) -> None:
    Plug.plugged = set()
    one_player.say("Eva vier")
    one_player.say("zehn Minuten", "white")
    one_player.changes()
    Plug.plugged = {None}
    one_player.say("Eva fünf")
    assert one_player.changes() == [Change("voice", "back")]
    assert one_player.missed() == ["Eva vier"], "a private sentence waits for the headphones"
    Plug.plugged = {None, "ears"}
    one_player.say("Springer Felix drei")
    assert one_player.changes() == [Change("headphones", "back")]
    assert one_player.missed() == ["zehn Minuten"]


def test_the_usual_loudspeaker_is_looked_for_though_the_headphones_stay_lost(
    one_player: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("assistant.speaking.speaker._FIRST_LOOK", 0.05)
    Plug.plugged = set()
    one_player.say("Eva vier")
    Plug.plugged = {None}
    one_player.wait_for(Change("voice", "back"))
    assert one_player.missed() == ["Eva vier"]


def test_a_loudspeaker_that_was_lost_long_ago_is_not_blamed_for_the_headphones(one_player: Hall) -> None:
    Plug.plugged = set()
    one_player.say("Eva vier")
    Plug.plugged = {None, "ears"}
    one_player.say("Eva fünf")
    one_player.changes()
    Plug.plugged = {None}
    one_player.say("zehn Minuten", "white")
    assert one_player.changes() == [Change("headphones", "lost")]


def test_of_two_players_whoever_has_lost_his_headphones_hears_the_usual_loudspeaker(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("assistant.table.devices.Loudspeaker", Plug)
    hall = Hall({"white": "ears", "black": "others"})
    Plug.plugged = {"others", None}
    assert hall.say("Eva vier") == ["others", None]
    assert hall.changes() == [Change("headphones", "lost")]
    assert hall.say("zehn Minuten", "white") == []
    assert hall.say("zehn Minuten", "black") == ["others"]
    hall.close()


@pytest.mark.audio
def test_a_loudspeaker_that_hung_within_a_sentence_says_it_when_it_is_back_though_nobody_asks(
    virtual_sound: VirtualSound,
) -> None:
    devices = Devices(None, None, keyboard_only=True, warn=pytest.fail)
    assert devices.speaker is not None
    with virtual_sound.recording() as room:
        devices.voice.say(Sentence("Eva vier", "de"), 0.0)
        assert devices.speaker.wait_until_silent(PATIENCE)
        with virtual_sound.hanging():
            devices.voice.say(Sentence("Eva fünf", "de", Priority.ALARM), 0.0)
            assert devices.speaker.wait_until_silent(PATIENCE)
            time.sleep(0.3)
        deadline = time.monotonic() + PATIENCE
        changes: list[object] = []
        while Change("voice", "back") not in changes:
            assert time.monotonic() < deadline
            changes += devices.read(0.05, busy=False)
        [missed] = devices.take_missed()
        assert missed.text == "Eva fünf"
        before = time.monotonic()
        devices.voice.say(missed, 0.0)
        room.wait_for_sound(since=before)
    devices.close()

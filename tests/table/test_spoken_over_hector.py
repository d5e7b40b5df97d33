"""With headphones a player speaks while Hector does: what he says comes first, as a key of his would."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Mapping

import pytest
from spoken import uttered
from typed import VOCABULARY

from assistant.announcements import Thresholds
from assistant.speaking import Audience, Sentence, Speaker
from assistant.table import NoRecord, Person, Setup, Table
from assistant.table.voices import LoudVoice

PATIENCE = 20.0


class Slow:
    """A voice that says each sentence until it is cut, or until the test has heard enough of it."""

    def __init__(self) -> None:
        self.last_sample_time = 0.0
        self.begun: list[str] = []
        self.cut: list[str] = []
        self._changed = threading.Condition()
        self._is_heard = False

    def say(self, sentence: Sentence, stop: threading.Event) -> bool:
        with self._changed:
            self.begun.append(sentence.text)
            self._changed.notify_all()
            assert self._changed.wait_for(lambda: self._is_heard or stop.is_set(), PATIENCE)
            self._is_heard = False
            if stop.is_set():
                self.cut.append(sentence.text)
                return False
            return True

    def wake(self) -> None:
        with self._changed:
            self._changed.notify_all()

    def reach(self, audience: Audience) -> None:
        pass

    def close(self) -> None:
        pass

    def wait_for(self, text: str) -> None:
        with self._changed:
            assert self._changed.wait_for(lambda: text in self.begun, PATIENCE), self.begun

    def heard_at(self, monotonic: float) -> None:
        """Let the sentence that is being said come to its end."""
        with self._changed:
            self.last_sample_time = monotonic
            self._is_heard = True
            self._changed.notify_all()


class Scene:
    """A club game that White plays with headphones; times are the game's."""

    def __init__(self) -> None:
        self.backend = Slow()
        self.speaker = Speaker(self.backend)
        # A game of minutes is over in no time: all of it lies in the past.
        self.zero = time.monotonic() - 1000
        setup = Setup(Person("W", True), Person("B"), press="word", mode="club")
        voice = LoudVoice(self.speaker, self.zero)
        self.table = Table(setup, VOCABULARY, Thresholds(), voice, NoRecord())
        self.table.start()
        self.backend.wait_for("Die Uhr von Weiß läuft.")
        self.falls_silent(1.0)

    def say(self, words: str, at: float) -> None:
        self.hear({words: -90.0}, at)

    def hear(self, scores: Mapping[str, float], at: float) -> None:
        self.table.tick(at)
        self.table.hear(uttered(scores, self.table._expected.book, at))

    def falls_silent(self, at: float) -> None:
        self.backend.heard_at(self.zero + at)
        assert self.speaker.wait_until_silent(PATIENCE)
        self.table.tick(at)


@pytest.fixture
def scene() -> Iterator[Scene]:
    scene = Scene()
    yield scene
    scene.speaker.close()


READING = "Weiß: König Eva eins"


def begins_reading(scene: Scene) -> str:
    scene.say("stellung", 5.0)
    scene.backend.wait_for(text := scene.table.course.teller.last_said.text)  # type: ignore[union-attr]
    assert text.startswith(READING)
    return text


@pytest.mark.parametrize(
    ("words", "answer"),
    [("springer felix drei", "Springer Felix drei"), ("aufgabe", "Aufgeben? Ja oder nein?")],
)
def test_what_is_said_into_a_long_answer_cuts_it_and_is_answered_at_once(
    words: str, answer: str, scene: Scene
) -> None:
    reading = begins_reading(scene)
    scene.say(words, 8.0)
    scene.backend.wait_for(answer)
    assert scene.backend.cut == [reading]


def test_what_is_asked_back_cuts_a_long_answer_too(scene: Scene) -> None:
    reading = begins_reading(scene)
    scene.hear({"springer felix drei": -90.0, "springer hector drei": -91.0}, 8.0)
    scene.backend.wait_for("Springer nach Felix oder nach Hector?")
    assert scene.backend.cut == [reading]


def test_talk_that_is_not_for_hector_cuts_nothing(scene: Scene) -> None:
    begins_reading(scene)
    scene.say("ja", 300.0)
    assert scene.backend.cut == []


def test_a_move_that_is_being_told_is_not_cut_by_words(scene: Scene) -> None:
    scene.say("springer felix drei", 5.0)
    scene.backend.wait_for("Springer Felix drei")
    scene.say("zeit", 6.0)
    assert scene.backend.cut == []


@pytest.mark.parametrize(("answered", "is_over"), [(59.0, True), (61.0, False)])
def test_a_question_can_be_answered_for_twenty_seconds_after_it_was_heard(
    answered: float, is_over: bool, scene: Scene
) -> None:
    scene.say("springer felix drei", 5.0)
    scene.backend.wait_for("Springer Felix drei")
    scene.say("aufgabe", 6.0)
    scene.table.tick(30.0)
    scene.backend.heard_at(scene.zero + 30.0)
    scene.backend.wait_for("Aufgeben? Ja oder nein?")
    scene.falls_silent(40.0)
    scene.say("ja", answered)
    assert scene.table.over == is_over


def test_what_is_told_in_between_does_not_use_up_the_time_for_an_answer(scene: Scene) -> None:
    scene.say("aufgabe", 5.0)
    scene.falls_silent(7.0)
    scene.say("stellung", 10.0)
    scene.falls_silent(40.0)
    scene.say("ja", 50.0)
    assert scene.table.over

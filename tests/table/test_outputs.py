"""Who hears what: headphones and room, half and full duplex, the echo of the room, another engine."""

from __future__ import annotations

import contextlib
import os
import sys
import time
import wave
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from live_game import WHITE, play
from virtual_sound import Recording, VirtualSound

from assistant.announcements import load_vocabulary
from assistant.errors import HectorError
from assistant.hearing import Block, Microphone
from assistant.speaking import (
    EquipmentSentences,
    EspeakVoice,
    Loudspeaker,
    Nowhere,
    Sentence,
    Sentences,
    VoiceSettings,
    synthesise,
)
from assistant.table import Person, Setup
from assistant.table.aloud import BETWEEN, say_announcements
from assistant.table.audible import Audible, Ways, audible, voice_of
from assistant.table.calibration import (
    LONGEST,
    MARGIN,
    SHORTEST,
    hold_for,
    keep_hold,
    kept_hold,
    measure_echo,
)
from assistant.table.changing_settings import change_player
from assistant.table.devices import Change, Devices, opened
from assistant.table.gate import HOLD
from assistant.table.practise import practise
from assistant.table.settings import Player

PATIENCE = 20.0


@pytest.fixture(autouse=True)
def own_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


# What a player chose


def test_a_players_voice_is_the_games_for_him_and_for_the_room() -> None:
    change_player("Ana", {"voice": "f4", "rate": "300", "pitch": "20", "volume": "80", "duplex": "full"})
    change_player("Ana", {"headphones": "USB", "room": "HDMI", "engine": "speechd"})
    sound = audible(Setup(Person("Ana", True), Person("Tom"), player="Ana"))
    wanted = VoiceSettings(rate=300, pitch=20, volume=80, variant="f4")
    assert sound.voices == {"white": wanted, "room": wanted, "arbiter": wanted}
    assert (sound.headphones, sound.room) == ({"white": "USB"}, "HDMI")
    assert (sound.duplex, sound.engine) == ("full", "speechd")


def test_two_blind_players_each_have_their_own() -> None:
    change_player("Ana", {"rate": "300", "headphones": "first"})
    change_player("Tom", {"rate": "120", "headphones": "second"})
    sound = audible(Setup(Person("Ana", True), Person("Tom", True)))
    assert {side: voice.rate for side, voice in sound.voices.items()} == {
        "white": 300,
        "black": 120,
        "room": 300,
        "arbiter": 300,
    }
    assert sound.headphones == {"white": "first", "black": "second"}


@pytest.mark.parametrize("name", ["Tom", "TOM"])
def test_nothing_for_one_blind_player_comes_out_of_the_headphones_of_the_other(name: str) -> None:
    """Whichever of them is the player of --player."""
    change_player("Ana", {"rate": "300", "headphones": "first"})
    change_player("Tom", {"rate": "120", "headphones": "second"})
    sound = audible(Setup(Person("Ana", True), Person(name, True), player="Tom"))
    assert sound.headphones == {"white": "first", "black": "second"}
    assert {side: voice.rate for side, voice in sound.voices.items()} == {
        "white": 300,
        "black": 120,
        "room": 120,
        "arbiter": 120,
    }


def test_a_blind_opponent_without_settings_has_none_of_the_others() -> None:
    change_player("Tom", {"headphones": "second"})
    sound = audible(Setup(Person("Ana", True), Person("Tom", True), player="Tom"))
    assert sound.headphones == {"black": "second"}


def test_the_command_line_counts_before_the_settings() -> None:
    change_player("Ana", {"headphones": "USB", "duplex": "full", "engine": "speechd"})
    setup = Setup(Person("Ana", True), Person("Tom"), player="Ana")
    sound = audible(setup, Ways("other", "hall", "half", "espeak"))
    assert sound.headphones == {"white": "other"}
    assert (sound.room, sound.duplex, sound.engine) == ("hall", "half", "espeak")


def test_nobodys_settings_are_the_voice_as_it_is() -> None:
    assert audible(Setup(Person("A/B", True), Person("?"))) == Audible()


@pytest.mark.parametrize(
    ("voice", "settings"),
    [
        (None, VoiceSettings()),
        ("f4", VoiceSettings(variant="f4")),
        ("Annie", VoiceSettings(variant="Annie")),
        ("de", VoiceSettings(voices={"de": "de"})),
        ("de+f4", VoiceSettings(voices={"de": "de+f4"})),
        ("es-419", VoiceSettings(voices={"es": "es-419"})),
        ("mb-de6", VoiceSettings(voices={"de": "mb-de6"})),
        ("denis", VoiceSettings(variant="denis")),
    ],
)
def test_a_voice_is_one_of_a_language_or_a_variant_of_all(voice: str | None, settings: VoiceSettings) -> None:
    assert voice_of(Player("Ana", voice=voice)) == settings


def test_full_duplex_is_not_for_a_player_without_headphones_who_hears_the_rooms() -> None:
    """As a refusal is told to the one whose line was refused: from the loudspeaker, into the microphone."""
    sound = Audible(headphones={"white": "a"}, room="b", duplex="full")
    assert sound.opens_a_room("black")


@pytest.mark.parametrize(
    ("sound", "deaf"),
    [
        (Audible(), {"white", "room"}),
        (Audible(duplex="full"), {"white", "room"}),
        (Audible(headphones={"white": "a"}), {"white", "room"}),
        (Audible(headphones={"white": "a"}, duplex="full"), set()),
        (Audible(headphones={"white": "a"}, room="b", duplex="full"), {"room"}),
    ],
)
def test_full_duplex_is_for_headphones_and_never_for_what_the_room_hears(
    sound: Audible, deaf: set[str]
) -> None:
    assert {audience for audience in ("white", "room") if sound.opens_a_room(audience)} == deaf  # type: ignore[arg-type]


# Devices


@pytest.mark.audio
def test_what_is_a_players_own_is_heard_in_his_headphones_alone(virtual_sound: VirtualSound) -> None:
    with (
        virtual_sound.another_sink("ears") as ears,
        virtual_sound.recording("ears.monitor") as private,
        virtual_sound.recording() as room,
    ):
        sound = Audible(headphones={"white": ears}, room="pulse:speaker", duplex="full")
        devices = Devices(None, None, keyboard_only=True, warn=pytest.fail, audible=sound)
        assert devices.speaker is not None
        devices.voice.say(Sentence("zehn Minuten", "de", audience="white"), 0.0)
        assert not devices.gate.is_deaf(time.monotonic(), time.monotonic() + 0.02)
        assert devices.speaker.wait_until_silent(PATIENCE)
        private.wait_for_silence(0.5)
        assert room.sounding() is None, "nobody else hears it"
        before = time.monotonic()
        devices.voice.say(Sentence("Springer Felix drei", "de"), 0.0)
        assert devices.gate.is_deaf(time.monotonic(), time.monotonic() + 0.02)
        for ears_of in (room, private):
            ears_of.wait_for_sound(since=before)
        devices.close()


@pytest.mark.audio
def test_headphones_that_are_not_there_are_told_of_and_the_room_goes_on(virtual_sound: VirtualSound) -> None:
    told: list[str] = []
    with virtual_sound.recording() as room:
        sound = Audible(headphones={"white": "pulse:nowhere"}, room="pulse:speaker")
        devices = Devices(None, None, keyboard_only=True, warn=told.append, audible=sound)
        assert devices.speaker is not None
        devices.voice.say(Sentence("Springer Felix drei", "de"), 0.0)
        assert devices.speaker.wait_until_silent(PATIENCE)
        room.wait_for_sound()
        devices.close()
    assert any("nowhere" in line for line in told)


@pytest.mark.audio
def test_headphones_that_are_unplugged_are_silent_and_the_room_hears_what_it_may(
    virtual_sound: VirtualSound, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PulseAudio would move the rest of a private sentence to the loudspeaker of the room."""
    monkeypatch.setattr("assistant.speaking.speaker._FIRST_LOOK", 0.5)
    monkeypatch.setattr("assistant.speaking.loudspeaker._RETRY_AFTER", 0.0)
    told: list[str] = []
    say_in = Sentences("de", "white")
    men = ["König Eva eins, Dame David eins, Turm Anna eins, Läufer Cesar eins, Springer Bella eins"]
    with virtual_sound.recording() as room, contextlib.ExitStack() as plugged:
        ears = plugged.enter_context(virtual_sound.another_sink("ears"))
        sound = Audible(headphones={"white": ears}, duplex="full")
        devices = Devices(None, None, keyboard_only=True, warn=told.append, audible=sound)
        assert devices.speaker is not None
        with virtual_sound.recording("ears.monitor") as private:
            devices.voice.say(say_in.position(men, men), 0.0)
            private.wait_for_sound()
        plugged.close()
        unplugged = time.monotonic()
        assert devices.speaker.wait_until_silent(PATIENCE)
        assert time.monotonic() < unplugged + 1
        time.sleep(0.3)
        leaked = room.sounding()
        assert leaked is None or leaked[1] - leaked[0] < 0.5
        assert devices.read(0.0, busy=False) == [Change("headphones", "lost")]

        since = time.monotonic()
        devices.voice.say(say_in.times(60_000, 60_000), 0.0)
        assert devices.speaker.wait_until_silent(PATIENCE)
        time.sleep(0.3)
        assert room.sounding(since=since) is None, "nobody else hears it"
        since = time.monotonic()
        devices.voice.say(EquipmentSentences("de", "white").device_lost("headphones"), 0.0)
        room.wait_for_sound(since=since)
        assert devices.gate.is_deaf(time.monotonic(), time.monotonic() + 0.02)
        devices.voice.cancel()

        plugged.enter_context(virtual_sound.another_sink("ears"))
        changes: list[object] = []
        while Change("headphones", "back") not in changes:
            assert time.monotonic() < unplugged + PATIENCE
            changes += devices.read(0.05, busy=False)
        with virtual_sound.recording("ears.monitor") as private:
            devices.voice.say(say_in.times(60_000, 60_000), 0.0)
            private.wait_for_sound()
        devices.close()
    assert len(told) == 1


class Closed(Nowhere):
    """An output that says nothing and remembers that it was closed."""

    is_closed = False

    def close(self) -> None:
        self.is_closed = True


def test_who_is_interrupted_before_the_microphone_is_there_lets_go_of_the_voice(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def interrupted(**_given: object) -> None:
        raise KeyboardInterrupt

    output = Closed()
    monkeypatch.setattr(Devices, "_backend", lambda *_given: EspeakVoice(output))
    monkeypatch.setattr("assistant.table.devices.Microphone", interrupted)
    with pytest.raises(KeyboardInterrupt), opened(None, None, False, Audible()):
        pytest.fail("it is not open")
    assert output.is_closed


def test_who_is_interrupted_while_the_microphone_is_closed_lets_go_of_the_voice(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Hanging:
        def __init__(self, **_given: object) -> None:
            pass

        def close(self) -> None:
            raise KeyboardInterrupt

    output = Closed()
    monkeypatch.setattr(Devices, "_backend", lambda *_given: EspeakVoice(output))
    monkeypatch.setattr("assistant.table.devices.Microphone", Hanging)
    devices = Devices(None, None, keyboard_only=False, warn=pytest.fail)
    with pytest.raises(KeyboardInterrupt):
        devices.close()
    assert output.is_closed


def test_who_is_interrupted_between_two_announcements_lets_go_of_the_loudspeaker(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def interrupted() -> Iterator[tuple[str, ...]]:
        yield "eva", "vier"
        raise KeyboardInterrupt

    output = Closed()
    monkeypatch.setattr("assistant.table.aloud.Loudspeaker", lambda: output)
    with pytest.raises(KeyboardInterrupt):
        say_announcements(interrupted(), load_vocabulary("de"), None)
    assert output.is_closed


def test_announcements_are_all_said_however_long_they_take(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("assistant.speaking.speaker._LAST_WORDS", 0.0)
    path = tmp_path / "said.wav"
    say_announcements([("eva", "vier")] * 10, load_vocabulary("de"), path)
    with wave.open(str(path)) as said:
        assert said.getnframes() / said.getframerate() > 9 * BETWEEN


def test_a_voice_that_there_is_not_is_told_of_and_the_usual_one_speaks(tmp_path: Path) -> None:
    told: list[str] = []
    sound = Audible({"white": VoiceSettings(variant="nobody")})
    devices = Devices(tmp_path / "said.wav", None, keyboard_only=True, warn=told.append, audible=sound)
    assert devices.speaker is not None
    devices.voice.say(Sentence("eins", "de", audience="white"), 0.0)
    devices.close()
    assert len(told) == 1
    assert "nobody" in told[0]
    assert (tmp_path / "said.wav").stat().st_size > 1000


def test_without_speech_dispatcher_espeak_speaks_and_one_sentence_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "speechd", None)
    told: list[str] = []
    devices = Devices(None, None, keyboard_only=True, warn=told.append, audible=Audible(engine="speechd"))
    assert devices.speaker is not None
    devices.close(finish=False)
    assert len(told) == 1
    assert "apt install python3-speechd" in told[0]
    assert told[0].endswith(". Until then espeak-ng speaks.")


def test_a_voice_that_there_is_not_leaves_the_players_other_settings(tmp_path: Path) -> None:
    """Written into the file by hand, or brought from another computer."""
    told: list[str] = []
    wanted = VoiceSettings(rate=300, pitch=20, volume=80, variant="nonsense")
    path = tmp_path / "said.wav"
    devices = Devices(path, None, keyboard_only=True, warn=told.append, audible=Audible({"room": wanted}))
    devices.voice.say(Sentence("Springer Felix drei", "de"), 0.0)
    devices.close(finish=True)
    assert told == ["espeak-ng knows no voice 'de+nonsense'. The list: espeak-ng --voices"]
    with wave.open(str(path)) as written:
        said = written.getnframes() / written.getframerate()
    assert said == pytest.approx(synthesise("Springer Felix drei", "de", 300).seconds, abs=0.3)
    assert said < synthesise("Springer Felix drei", "de").seconds - 0.3


class _UsualDevice:
    """What speech-dispatcher would be: one output, whoever is spoken to."""

    def __init__(self, **_given: object) -> None:
        pass


@pytest.mark.parametrize(
    "ways", [{"headphones": {"white": "pulse:ears"}}, {"room": "pulse:hall"}], ids=["headphones", "room"]
)
def test_speech_dispatcher_does_not_say_aloud_what_was_asked_for_elsewhere(
    ways: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("assistant.table.devices.SpeechDispatcherVoice", _UsualDevice)
    told: list[str] = []
    backends: list[object] = []
    monkeypatch.setattr(Devices, "_prepare_voice", lambda _self, backend: backends.append(backend))
    sound = Audible(engine="speechd", duplex="full", **ways)
    Devices(None, None, keyboard_only=True, warn=told.append, audible=sound)
    assert told == [
        "speech-dispatcher has a single output: espeak-ng speaks, into headphones and room as named."
    ]
    assert isinstance(backends[0], EspeakVoice)


def test_speech_dispatcher_speaks_where_nobody_named_a_device(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("assistant.table.devices.SpeechDispatcherVoice", _UsualDevice)
    backends: list[object] = []
    monkeypatch.setattr(Devices, "_prepare_voice", lambda _self, backend: backends.append(backend))
    sound = Audible(engine="speechd", duplex="full")
    Devices(None, None, keyboard_only=True, warn=pytest.fail, audible=sound)
    assert isinstance(backends[0], _UsualDevice)
    assert sound.opens_a_room("white")


@pytest.mark.audio
@pytest.mark.slow
def test_with_headphones_and_full_duplex_a_move_is_heard_while_hector_speaks(
    sound_server: VirtualSound, tmp_path: Path
) -> None:
    with sound_server.another_sink("ears") as ears:
        options = ("--press", "word", "--headphones", ears, "--duplex", "full")
        with (
            sound_server.recording("ears.monitor") as private,
            play(sound_server, tmp_path / "game", *options) as game,
        ):
            game.expect("Hector: Die Uhr von Weiß läuft")
            private.wait_for_sound()
            private.wait_for_silence(0.5)
            began = time.monotonic()
            game.type("?")
            private.wait_for_sound(since=began)
            sound = synthesise("Springer Felix drei", WHITE, rate=150)
            sound_server.speak(sound.samples // 2, sound.rate)
            spoken = time.monotonic()
            game.expect("^Hector: Springer Felix drei")
            assert is_speaking_at(private, spoken), "the help was over too soon to show anything"
            game.type("q")
            assert game.wait() == 0
        assert game.errors == ""


def is_speaking_at(recording: Recording, moment: float) -> bool:
    sounding = recording.sounding(since=moment - 0.3)
    return sounding is not None and sounding[0] < moment


# The echo of the room


@given(st.floats(0, 5))
def test_the_hold_covers_the_echo_within_reason(echo: float) -> None:
    hold = hold_for(echo)
    assert SHORTEST <= hold <= LONGEST
    assert hold >= min(echo + MARGIN, LONGEST) - 0.01


def test_a_measured_hold_is_kept_for_the_games_to_come() -> None:
    assert kept_hold() is None
    keep_hold(0.45)
    assert kept_hold() == 0.45
    devices = Devices(None, None, keyboard_only=True, warn=pytest.fail)
    assert devices.gate.hold == 0.45
    devices.close(finish=False)


@pytest.mark.parametrize(
    "content",
    [
        *("", "{}", '{"hold": "long"}', '{"hold": 60}', '{"hold": -1}', "[]"),
        *("[" * 100_000, f'{{"hold": 1{"0" * 400}}}'),
    ],
)
def test_a_hold_that_makes_no_sense_is_the_usual_one(tmp_path: Path, content: str) -> None:
    path = tmp_path / "data" / "hector" / "hold.json"
    path.parent.mkdir(parents=True)
    path.write_text(content)
    assert kept_hold() is None
    assert SHORTEST <= HOLD <= LONGEST


def test_a_pipe_in_the_place_of_the_hold_is_not_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "data" / "hector" / "hold.json"
    path.parent.mkdir(parents=True)
    os.mkfifo(path)
    assert kept_hold() is None


@pytest.mark.audio
def test_the_echo_is_measured_with_clicks_and_without_one_there_is_none(virtual_sound: VirtualSound) -> None:
    output = Loudspeaker()
    with Microphone() as microphone:
        assert measure_echo(output, microphone) is None
        with virtual_sound.echo(-12):
            echo = measure_echo(output, microphone)
    output.close()
    assert echo is not None
    assert 0.0 <= echo < 0.6


class _Clock:
    """A time that passes while somebody listens."""

    def __init__(self) -> None:
        self.now = 0.0

    def monotonic(self) -> float:
        return self.now


class _Clicks:
    """A room in which each click has an echo of a tenth of a second, and somebody coughs after the second."""

    def __init__(self, clock: _Clock) -> None:
        self._clock = clock
        self.last_sample_time = 0.0
        self._begun: list[float] = []

    def begin(self, _sound: object) -> None:
        self._begun.append(self._clock.now)
        self.last_sample_time = self._clock.now + 0.02

    def wait(self, _stop: object) -> None:
        self._clock.now += 0.02

    def read(self, _seconds: float) -> list[Block]:
        self._clock.now += 0.02
        since = self._clock.now - self._begun[-1] - 0.02 if self._begun else -1.0
        is_loud = 0 <= since <= 0.1 or (len(self._begun) == 2 and 0.88 < since < 0.93)
        return [Block(samples=np.full(320, 3000 if is_loud else 10, np.int16), end=self._clock.now)]


def test_one_cough_is_no_echo(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is measured makes the microphone deaf for so long in all games to come."""
    clock = _Clock()
    monkeypatch.setattr("assistant.table.calibration.time", clock)
    room = _Clicks(clock)
    echo = measure_echo(room, room)  # type: ignore[arg-type]
    assert echo == pytest.approx(0.1, abs=0.03)


@pytest.mark.audio
@pytest.mark.slow
def test_practise_measures_keeps_and_is_deaf_to_itself(
    virtual_sound: VirtualSound, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Looped back, its own "Please say" is not taken for the player's answer."""
    monkeypatch.setattr("assistant.table.practise.PATIENCE", 2.0)
    with virtual_sound.echo(-12):
        assert practise(1, seed=3, language="en") == 1
    said = capsys.readouterr().out.splitlines()
    hold = kept_hold()
    assert hold is not None
    assert said[0] == "Hector: Three clicks. Please be quiet."
    assert said[1].startswith("Hector: The microphone listens ")
    assert said[3] == "Hector: I heard nothing."


@pytest.mark.audio
def test_practise_goes_on_without_the_headphones_that_are_not_there(
    virtual_sound: VirtualSound, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("assistant.table.practise.PATIENCE", 0.5)
    sound = Audible({"room": VoiceSettings(rate=450)}, headphones={"white": "nowhere"})
    assert practise(1, seed=3, language="en", audible=sound) == 1
    said = capsys.readouterr()
    assert said.out.splitlines()[-1] == "Hector: Heard right: zero of one."
    assert said.err.count("everything is printed") == 1


def test_without_a_microphone_practise_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("assistant.table.practise.has_microphone", lambda: False)
    with pytest.raises(HectorError, match="no microphone"):
        practise(1)

"""The real voice: it obeys its settings, says German words in German, and is heard in a WAV file."""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import subprocess
import sys
import threading
import time
import tomllib
import types
import wave
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fake_voice import PATIENCE
from full_disk import full_disk

from assistant.errors import HectorError, UsageError
from assistant.resources import data_path
from assistant.speaking import (
    LANGUAGES,
    Both,
    EspeakVoice,
    Instead,
    Nowhere,
    Sentence,
    Sentences,
    Sound,
    Speaker,
    SpeechDispatcherVoice,
    VoiceSettings,
    WavFile,
    check_voice,
    synthesise,
)
from assistant.speaking import espeak as espeak_module
from assistant.speaking import voice as voice_module
from assistant.speaking.espeak import pronounceable, speak_by_process
from assistant.speaking.outputs import HalfLostError

MOVE = "Springer Gustav eins Felix drei"


def loudness(sound: Sound) -> float:
    return float(np.sqrt(np.mean(sound.samples.astype(np.float64) ** 2)))


def pitch(sound: Sound) -> float:
    """Return the strongest repetition of the voiced middle in Hz, from 60 to 250."""
    middle = sound.samples[len(sound.samples) // 3 : len(sound.samples) // 3 + sound.rate // 5]
    wave_ = middle.astype(np.float64) - middle.mean()
    correlation = np.correlate(wave_, wave_, "full")[len(wave_) - 1 :]
    shortest, longest = sound.rate // 250, sound.rate // 60
    return sound.rate / (shortest + int(np.argmax(correlation[shortest:longest])))


def test_a_sentence_is_heard() -> None:
    sound = synthesise(MOVE)
    assert sound.samples.dtype == np.int16
    assert 1.0 < sound.seconds < 4.0
    assert loudness(sound) > 500


def test_the_same_text_is_the_same_sound_however_often() -> None:
    first = synthesise(MOVE)
    for between in ("de+f4", "en", "es"):
        synthesise("something else", between, rate=300, pitch=90, volume=20)
    again = synthesise(MOVE)
    assert abs(len(first.samples) - len(again.samples)) < first.rate // 50


def test_the_rate_is_obeyed() -> None:
    lengths = [synthesise(MOVE, rate=rate).seconds for rate in (80, 130, 200, 320, 450)]
    assert lengths == sorted(lengths, reverse=True)
    assert lengths[0] > 3 * lengths[-1]


def test_the_rate_is_kept_within_what_can_be_understood() -> None:
    assert synthesise(MOVE, rate=5000).seconds == pytest.approx(synthesise(MOVE, rate=450).seconds, rel=0.05)


def test_the_volume_is_obeyed() -> None:
    quiet, usual, silent = (synthesise(MOVE, volume=volume) for volume in (25, 100, 0))
    assert loudness(silent) < loudness(quiet) < 0.5 * loudness(usual)


def test_the_pitch_is_obeyed() -> None:
    pitches = [pitch(synthesise("aaaaaaaa", pitch=value)) for value in (30, 50, 70)]
    assert pitches == sorted(pitches)
    assert pitches[-1] > 1.3 * pitches[0]


def test_a_variant_is_another_voice() -> None:
    usual, other = synthesise(MOVE, "de").samples, synthesise(MOVE, "de+f4").samples
    assert len(usual) != len(other) or not np.array_equal(usual, other)


@pytest.mark.parametrize("voice", ["xx-nowhere", "de+nobody", "mb-zz9", ""])
def test_a_voice_that_does_not_exist_is_one_sentence_and_the_next_one_speaks(
    voice: str, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(HectorError, match=rf"knows no voice '{voice.replace('+', '.')}'"):
        synthesise(MOVE, voice)
    assert loudness(synthesise(MOVE)) > 500
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("text", ["", " ", "...", "¿?", "\n"])
def test_a_text_without_words_is_a_moment_of_silence(text: str) -> None:
    assert synthesise(text).seconds < 0.5


def test_setting_stop_ends_the_synthesis() -> None:
    stop = threading.Event()
    stop.set()
    assert len(synthesise(MOVE * 50, stop=stop).samples) == 0


def test_many_threads_may_synthesise_at_once() -> None:
    alone = {rate: synthesise(MOVE, rate=rate).seconds for rate in (120, 240)}
    found: list[tuple[int, float]] = []

    def work(rate: int) -> None:
        for _round in range(10):
            found.append((rate, synthesise(MOVE, rate=rate).seconds))

    threads = [threading.Thread(target=work, args=(rate,)) for rate in (120, 240) for _two in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 40
    assert all(seconds == pytest.approx(alone[rate], rel=0.03) for rate, seconds in found)


# Pronunciation


def phonemes(text: str, voice: str = "de") -> str:
    run = subprocess.run(
        ["espeak-ng", "-v", voice, "-q", "-x", text], capture_output=True, text=True, check=True
    )
    return run.stdout.strip()


@pytest.mark.parametrize(
    ("word", "start"),
    [
        ("Cesar", "ts'e:z"),
        ("David", "d'A:v"),
        ("Remis", "r@m'i:"),
        ("Rochade", "rOx'A:d"),
        ("Engine", "_!'EndZ"),
        ("Megabyte", "m'e:gabaIt"),
    ],
)
def test_words_that_espeak_gets_wrong_are_put_right(word: str, start: str) -> None:
    assert not phonemes(word).startswith(start)
    assert phonemes(pronounceable(word, "de+f4")).startswith(start)


def test_an_english_word_in_a_spanish_sentence_is_not_read_as_it_is_spelt() -> None:
    assert "B'ite" in phonemes("megabytes", "es")
    assert phonemes(pronounceable("megabytes", "es"), "es").endswith("B'aIts")


@pytest.mark.parametrize(
    ("word", "said"), [("Hector", "x'EktOR"), ("Hectora", "xEkt'ORa"), ("Läufer", "l'OjfER")]
)
def test_a_name_in_a_polish_sentence_is_not_read_as_it_is_spelt(word: str, said: str) -> None:
    assert said not in phonemes(word, "pl")
    assert said in phonemes(pronounceable(word, "pl"), "pl")


def test_the_program_s_name_is_stressed_at_its_beginning_in_a_spanish_sentence() -> None:
    assert phonemes("Hector", "es") == "ekt'or"
    assert phonemes(pronounceable("Hector", "es"), "es") == "'ektor"


@pytest.mark.parametrize(
    ("sentence", "end"),
    [
        # Stalemate is not the word "pas", and more time is not "plus de temps" without its s.
        ("Nulle\u00a0: pat.", "p'at"),
        ("Noirs\u00a0: deux minutes de plus.", "pl'ys"),
        ("Seuls les deux joueurs décident.", "des'id"),
    ],
)
def test_french_words_that_espeak_says_as_other_words_are_put_right(sentence: str, end: str) -> None:
    assert not phonemes(sentence, "fr").endswith(end)
    assert phonemes(pronounceable(sentence, "fr"), "fr").endswith(end)


def test_only_whole_words_of_the_right_language_are_put_right() -> None:
    assert pronounceable("Turm Cesar drei", "de") == "Turm [[ts'e:zA:r]] drei"
    assert pronounceable("Cesarine", "de") == "Cesarine"
    assert pronounceable("Cesar", "es") == "Cesar"
    assert pronounceable("Cesar", "mb-de2") == "[[ts'e:zA:r]]"


def test_what_espeak_gets_in_phonemes_other_voices_get_spelt() -> None:
    files = list(data_path("locales").glob("*/pronunciation.toml"))
    assert files
    for file in files:
        table = tomllib.loads(file.read_text(encoding="utf-8"))
        assert table["espeak"].keys() == table["spelling"].keys(), file


def test_brackets_in_a_name_are_not_phonemes() -> None:
    assert "[[" not in pronounceable("[[h@l'oU]]", "de")


# Sentences


def test_german_words_in_a_foreign_sentence_are_spoken_by_the_german_voice() -> None:
    asked: list[tuple[str, str]] = []

    def recording(text: str, voice: str, *settings: object, **_more: object) -> Sound:
        asked.append((voice, text))
        return Sound(np.zeros(10, np.int16), 22050)

    settings = VoiceSettings(variant="f4", voices={"es": "es-419"})
    voice = EspeakVoice(Nowhere(), {"room": settings}, recording)
    voice.say(Sentences("es").not_legal(move="Dame Hector fünf"), threading.Event())
    assert asked == [("es-419", "Imposible: "), ("de+f4", "Dame Hector fünf.")]


def test_every_audience_has_the_voice_that_it_chose() -> None:
    asked: list[tuple[object, ...]] = []

    def recording(_text: str, *settings: object, **_more: object) -> Sound:
        asked.append(settings)
        return Sound(np.zeros(10, np.int16), 22050)

    voice = EspeakVoice(
        Nowhere(),
        {"white": VoiceSettings(rate=300, pitch=20, volume=80), "room": VoiceSettings(variant="m3")},
        recording,
    )
    for audience in ("white", "room", "black"):
        voice.say(Sentence("eins", "de", audience=audience), threading.Event())
    assert asked == [("de", 300, 20, 80), ("de+m3", 175, 50, 100), ("de", 175, 50, 100)]


def test_a_voice_that_somebody_chose_and_that_there_is_not_is_told_of_before_the_game() -> None:
    voice = EspeakVoice(Nowhere(), {"white": VoiceSettings(voices={"de": "de+nobody"})})
    with pytest.raises(HectorError, match=r"de\+nobody"):
        voice.prepare()


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_mixed_sentence_is_as_long_as_its_pieces(language: str) -> None:
    sentence = Sentences(language).did_you_mean(MOVE)
    voice = EspeakVoice(Nowhere())
    pieces = [synthesise(text, piece).seconds for piece, text in sentence.segments]
    assert voice.sound(sentence).seconds == pytest.approx(sum(pieces), rel=0.03)


def test_who_has_no_output_is_not_spoken_to(tmp_path: Path) -> None:
    room = WavFile(tmp_path / "room.wav")
    voice = EspeakVoice({"room": room})
    for audience in ("white", "arbiter", "room"):
        assert voice.say(Sentence("eins", "de", audience=audience), threading.Event())
    assert 0 < frames(tmp_path / "room.wav") < 22050


def test_headphones_hear_the_room_too(tmp_path: Path) -> None:
    room, headphones = WavFile(tmp_path / "room.wav"), WavFile(tmp_path / "headphones.wav")
    voice = EspeakVoice({"room": Both(room, headphones), "white": headphones})
    voice.say(Sentence("eins", "de", audience="room"), threading.Event())
    announced = frames(tmp_path / "room.wav")
    voice.say(Sentence("zehn Minuten", "de", audience="white"), threading.Event())
    voice.close()
    assert frames(tmp_path / "room.wav") == announced < frames(tmp_path / "headphones.wav")


class Half:
    """An output that is dead from the beginning, dies while it is waited for, or plays until it is cut."""

    last_sample_time = 0.0

    def __init__(self, dies: str = "") -> None:
        self._dies = dies
        self._changed = threading.Condition()
        self.is_awaited = threading.Event()
        self.may_end = self.has_begun = False

    def begin(self, sound: Sound, at: float | None = None) -> None:
        if self._dies == "begin":
            raise HectorError("There is no loudspeaker.")
        self.has_begun = True

    def wait(self, stop: threading.Event) -> bool:
        self.is_awaited.set()
        if self._dies == "wait":
            raise HectorError("The loudspeaker has gone.")
        with self._changed:
            assert self._changed.wait_for(lambda: self.may_end or stop.is_set(), PATIENCE)
        return not stop.is_set()

    def wake(self) -> None:
        with self._changed:
            self._changed.notify_all()

    def reach(self) -> None:
        if self._dies:
            raise HectorError("There is no loudspeaker.")

    def close(self) -> None:
        pass


SILENCE = Sound(np.zeros(100, np.int16), 22050)


@pytest.mark.parametrize("dies", ["begin", "wait"])
def test_one_dead_output_of_two_leaves_the_other_that_can_be_silenced(dies: str) -> None:
    live = Half()
    speaker = Speaker(EspeakVoice(Both(Half(dies), live), synthesise=lambda *_given, **_more: SILENCE))
    speaker.say(Sentence("long", "de"))
    assert live.is_awaited.wait(PATIENCE)
    speaker.cancel()
    assert speaker.wait_until_silent(PATIENCE / 2)
    speaker.close()


@pytest.mark.parametrize("dies", ["begin", "wait"])
def test_what_the_lost_output_does_not_say_the_spare_one_says_and_the_microphone_is_shut_before(
    dies: str,
) -> None:
    spare, order = Half(), []
    instead = Instead(Both(Half(dies)), spare, lambda: order.append(spare.has_begun))
    instead.begin(SILENCE)
    spare.may_end = True
    with pytest.raises(HalfLostError, match="loudspeaker"):
        instead.wait(threading.Event())
    assert order == [False]
    assert spare.has_begun


def test_the_spare_output_is_silent_while_the_other_speaks() -> None:
    usual, spare = Half(), Half()
    instead = Instead(Both(usual), spare, pytest.fail)
    usual.may_end = True
    instead.begin(SILENCE)
    assert instead.wait(threading.Event())
    assert not spare.has_begun


def test_the_room_is_reached_by_the_usual_output_or_by_the_spare_one_or_not_at_all() -> None:
    Instead(Both(Half()), Half("begin"), pytest.fail).reach()
    with pytest.raises(HalfLostError):
        Instead(Both(Half("begin")), Half(), pytest.fail).reach()
    with pytest.raises(HectorError) as nobody:
        Instead(Both(Half("begin")), Half("begin"), pytest.fail).reach()
    assert not isinstance(nobody.value, HalfLostError)


def test_what_the_spare_output_says_can_be_silenced() -> None:
    instead = Instead(Both(Half("begin")), Half(), lambda: None)
    instead.begin(SILENCE)
    cut = threading.Event()
    cut.set()
    assert not instead.wait(cut)


@pytest.mark.parametrize("dies", ["begin", "wait"])
def test_the_spare_output_takes_the_place_of_any_that_is_lost_and_the_others_go_on(dies: str) -> None:
    live, spare = Half(), Half()
    instead = Instead(Both(Half(dies), live), spare, lambda: None)
    live.may_end = spare.may_end = True
    instead.begin(SILENCE)
    with pytest.raises(HalfLostError, match="loudspeaker"):
        instead.wait(threading.Event())
    assert live.is_awaited.is_set()
    assert spare.is_awaited.is_set()


@pytest.mark.parametrize("dies", ["begin", "wait"])
def test_without_a_spare_output_what_one_has_said_was_heard(dies: str) -> None:
    live = Half()
    live.may_end = True
    instead = Instead(Both(live, Half(dies)), Half("begin"), lambda: None)
    instead.begin(SILENCE)
    with pytest.raises(HalfLostError, match="loudspeaker"):
        instead.wait(threading.Event())


@pytest.mark.parametrize("dies", ["begin", "wait"])
def test_one_dead_output_of_two_is_told_of_when_the_other_has_been_heard(dies: str) -> None:
    live = Half()
    both = Both(live, Half(dies))
    both.begin(SILENCE)
    live.may_end = True
    with pytest.raises(HectorError, match="loudspeaker"):
        both.wait(threading.Event())
    assert live.is_awaited.is_set()


def test_what_one_output_of_two_has_said_is_not_missed() -> None:
    live = Half()
    live.may_end = True
    speaker = Speaker(EspeakVoice(Both(live, Half("wait")), synthesise=lambda *_given, **_more: SILENCE))
    speaker.say(Sentence("e4", "de"))
    assert speaker.wait_until_silent(PATIENCE)
    assert speaker.take_missed() == []
    speaker.close()


def test_two_dead_outputs_take_nothing() -> None:
    with pytest.raises(HectorError, match="no loudspeaker"):
        Both(Half("begin"), Half("begin")).begin(SILENCE)


# Without the library, and without espeak-ng


def test_the_program_speaks_as_the_library_does() -> None:
    by_program = speak_by_process(MOVE, "de", 175, 50, 100)
    by_library = synthesise(MOVE)
    assert by_program.rate == by_library.rate
    assert by_program.seconds == pytest.approx(by_library.seconds, rel=0.05)
    assert loudness(by_program) == pytest.approx(loudness(by_library), rel=0.1)


def test_the_program_is_used_where_the_library_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(espeak_module, "_library", lambda: None)
    assert loudness(synthesise("Cesar")) > 500
    with pytest.raises(HectorError, match="knows no voice 'xx-nowhere'"):
        synthesise("Cesar", "xx-nowhere")


def test_without_espeak_one_sentence_says_what_to_install_and_the_game_goes_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(espeak_module, "_library", lambda: None)
    monkeypatch.setattr(shutil, "which", lambda _name: None)
    with pytest.raises(HectorError, match="apt install espeak-ng"):
        check_voice()
    troubles: list[str] = []
    speaker = Speaker(EspeakVoice(Nowhere()), on_trouble=troubles.append)
    for _sentence in range(3):
        speaker.say(Sentence("eins", "de"))
    speaker.close(finish=True)
    assert troubles == ["There is no voice: espeak-ng is missing. Install it with: apt install espeak-ng"]


@pytest.mark.parametrize("way", ["synthesise", "speak_by_process"])
def test_a_sound_server_that_hangs_does_not_delay_what_it_is_not_needed_for(
    way: str, hung_server: dict[str, str]
) -> None:
    program = f"""
import os
from assistant.speaking import espeak
print(espeak.{way}("eins", "de", 175, 50, 100).samples.any(), os.environ["PULSE_SERVER"])
"""
    run = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        env=os.environ | hung_server,
        cwd=Path(__file__).parents[2],
        check=True,
        # That server would be given up after half a minute.
        timeout=25,
    )
    assert run.stdout == f"True {hung_server['PULSE_SERVER']}\n"


def test_the_library_is_found_missing_without_a_word_on_standard_error() -> None:
    program = """
import sys
sys.modules["pyttsx3.drivers"] = None
from assistant.speaking.espeak import _library
print(_library())
"""
    run = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        cwd=Path(__file__).parents[2],
        check=True,
    )
    assert (run.stdout, run.stderr) == ("None\n", "")


# WAV files


def frames(path: Path) -> int:
    with wave.open(str(path)) as file:
        assert (file.getnchannels(), file.getsampwidth(), file.getframerate()) == (1, 2, 22050)
        assert len(file.readframes(file.getnframes())) == 2 * file.getnframes()
        assert path.stat().st_size == 44 + 2 * file.getnframes()
        return file.getnframes()


def test_a_wav_file_is_valid_and_longer_after_every_sentence(tmp_path: Path) -> None:
    path = tmp_path / "said.wav"
    voice = EspeakVoice(WavFile(path))
    lengths = [frames(path)]
    for text in ("eins", "zwei", "drei"):
        assert voice.say(Sentence(text, "de"), threading.Event())
        lengths.append(frames(path))
    assert lengths[0] == 0
    assert lengths == sorted(set(lengths))


def test_a_sentence_stands_where_its_time_is(tmp_path: Path) -> None:
    path = tmp_path / "said.wav"
    file = WavFile(path, pause=0.25)
    tone = Sound(np.full(22050, 1000, np.int16), 22050)
    for at in (2.0, None, 2.5, 10.0):
        file.begin(tone, at)
    file.close()
    with wave.open(str(path)) as written:
        samples = np.frombuffer(written.readframes(written.getnframes()), np.int16)
    begins = np.flatnonzero(np.diff(samples.astype(int)) > 0) + 1
    # The second follows after the pause; the third would overlap and follows too.
    assert [round(begin / 22050, 2) for begin in begins] == [2.0, 3.25, 4.5, 10.0]


def test_another_sampling_rate_keeps_the_length(tmp_path: Path) -> None:
    file = WavFile(tmp_path / "said.wav", pause=0)
    file.begin(Sound(np.full(16000, 1000, np.int16), 16000))
    assert frames(tmp_path / "said.wav") == pytest.approx(22050, abs=50)


def test_a_wav_file_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(HectorError, match=r"cannot be written.*Name another file"):
        WavFile(tmp_path / "missing" / "said.wav")
    if Path("/dev/full").exists():
        with pytest.raises(HectorError, match="No space left on device"):
            WavFile(Path("/dev/full"))
    file = WavFile(tmp_path / "said.wav")
    file.close()
    with pytest.raises(HectorError, match="closed"):
        file.begin(Sound(np.zeros(1, np.int16), 22050))


def test_a_wav_file_without_a_sound_holds_nothing_and_one_with_a_sound_is_not_written_over(
    tmp_path: Path,
) -> None:
    """The voice was missing, and is installed now: the same command is tried again."""
    path = tmp_path / "said.wav"
    WavFile(path).close()
    file = WavFile(path)
    file.begin(Sound(np.zeros(1, np.int16), 22050))
    file.close()
    with pytest.raises(UsageError, match="exists already"):
        WavFile(path)


def test_a_wav_file_that_is_full_takes_no_more_until_there_is_room_and_stays_valid(tmp_path: Path) -> None:
    file = WavFile(tmp_path / "said.wav", pause=0)
    second = Sound(np.full(22050, 1000, np.int16), 22050)
    file.begin(second)
    with full_disk(60_000):
        with pytest.raises(HectorError, match="cannot be written"):
            file.begin(second)
        with pytest.raises(HectorError, match="cannot be written"):
            file.reach()
    assert frames(tmp_path / "said.wav") == 22050
    file.reach()
    assert frames(tmp_path / "said.wav") == 22050
    file.begin(second)
    assert frames(tmp_path / "said.wav") == 44100


def test_a_synthesiser_that_fails_is_not_there_before_it_speaks() -> None:
    broken = threading.Event()

    def synthesise(_text: str, _voice: str, *_settings: object, **_more: object) -> Sound:
        if broken.is_set():
            raise HectorError("espeak-ng fails.")
        return SILENCE

    voice = EspeakVoice(Nowhere(), synthesise=synthesise)
    broken.set()
    with pytest.raises(HectorError, match="fails"):
        voice.say(Sentence("eins", "de"), threading.Event())
    with pytest.raises(HectorError, match="fails"):
        voice.reach("room")
    broken.clear()
    voice.reach("room")


# speech-dispatcher


class FakeDispatcher:
    """The part of python3-speechd that is used, without a server."""

    def __init__(self) -> None:
        self.spoken: list[tuple[str, str]] = []
        self.has_spoken = threading.Event()
        self.settings: dict[str, int] = {}
        self.cancelled = 0
        self.holds = False
        self.dead = False
        outer = self

        class SSIPClient:
            def __init__(self, name: str, autospawn: bool = False) -> None:
                if outer.dead:
                    raise ConnectionError("no server")
                self.language = ""

            def set_priority(self, _priority: object) -> None:
                outer.settings.clear()

            def set_rate(self, value: int) -> None:
                outer.settings["rate"] = value

            def set_pitch(self, value: int) -> None:
                outer.settings["pitch"] = value

            def set_volume(self, value: int) -> None:
                outer.settings["volume"] = value

            def set_language(self, language: str) -> None:
                self.language = language

            def speak(self, text: str, callback: Any, event_types: tuple[str, ...]) -> None:
                if outer.dead:
                    raise BrokenPipeError
                outer.spoken.append((self.language, text))
                outer.has_spoken.set()
                if not outer.holds:
                    threading.Thread(target=callback, args=("end",)).start()

            def cancel(self) -> None:
                outer.cancelled += 1

            def close(self) -> None:
                pass

        self.module = types.SimpleNamespace(
            SSIPClient=SSIPClient,
            Priority=types.SimpleNamespace(IMPORTANT="important"),
            CallbackType=types.SimpleNamespace(END="end", CANCEL="cancel"),
        )


@pytest.fixture
def dispatcher(monkeypatch: pytest.MonkeyPatch) -> FakeDispatcher:
    fake = FakeDispatcher()
    monkeypatch.setitem(sys.modules, "speechd", fake.module)
    return fake


def test_speech_dispatcher_gets_every_piece_in_its_language(dispatcher: FakeDispatcher) -> None:
    voice = SpeechDispatcherVoice()
    assert voice.say(Sentences("en").not_legal(move="Dame Hector fünf"), threading.Event())
    assert dispatcher.spoken == [("en", "Not possible: "), ("de", "Dame Hector fünf.")]
    assert voice.last_sample_time > 0


@pytest.mark.parametrize(
    ("word", "sounds"),
    [
        ("Cesar", "ts'e:z"),
        ("David", "d'A:v"),
        ("Remis", "m'i:"),
        ("Rochade", "x'A:d"),
        ("Hängepartie", "N@p"),
        ("Engine", "'EntS"),
        ("Megabyte", "b,aIt"),
    ],
)
def test_speech_dispatcher_gets_words_that_voices_get_wrong_as_they_sound(
    word: str, sounds: str, dispatcher: FakeDispatcher
) -> None:
    assert SpeechDispatcherVoice().say(Sentence(f"Turm {word}.", "de"), threading.Event())
    said = dispatcher.spoken[0][1]
    assert said.startswith("Turm ")
    assert sounds not in phonemes(word)
    assert sounds in phonemes(said)


def test_speech_dispatcher_keeps_the_screen_readers_settings_unless_the_player_has_his_own(
    dispatcher: FakeDispatcher,
) -> None:
    SpeechDispatcherVoice()
    assert dispatcher.settings == {}
    SpeechDispatcherVoice(rate=175, pitch=99, volume=0)
    assert dispatcher.settings == {"rate": 0, "pitch": 100, "volume": -100}
    SpeechDispatcherVoice(rate=450)
    assert dispatcher.settings == {"rate": 100}
    SpeechDispatcherVoice(rate=80)
    assert dispatcher.settings == {"rate": -100}


def test_speech_dispatcher_is_silenced_at_once(dispatcher: FakeDispatcher) -> None:
    dispatcher.holds = True
    speaker = Speaker(SpeechDispatcherVoice())
    speaker.say(Sentence("eins", "de"))
    assert dispatcher.has_spoken.wait(PATIENCE)
    speaker.cancel()
    assert speaker.wait_until_silent(PATIENCE)
    assert dispatcher.cancelled == 1
    speaker.close()


def test_speech_dispatcher_that_dies_is_one_sentence_and_comes_back(dispatcher: FakeDispatcher) -> None:
    voice = SpeechDispatcherVoice()
    dispatcher.dead = True
    with pytest.raises(HectorError, match="speech-dispatcher has gone"):
        voice.say(Sentence("eins", "de"), threading.Event())
    dispatcher.dead = False
    assert voice.say(Sentence("zwei", "de"), threading.Event())


def test_speech_dispatcher_that_never_ends_a_sentence_is_told_of(
    dispatcher: FakeDispatcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    sentence = Sentence("eins", "de")
    # The sentence alone has little time: what is asked of the server before and after it may take its own.
    monkeypatch.setattr(
        "assistant.speaking.voice._SLOWEST", (0.05 - voice_module._SSIP_PATIENCE) / len(sentence.text)
    )
    dispatcher.holds = True
    voice = SpeechDispatcherVoice()
    with pytest.raises(HectorError, match=r"does not say that it has spoken.*spd-say"):
        voice.say(sentence, threading.Event())
    assert dispatcher.cancelled == 1


def test_without_speech_dispatcher_one_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "speechd", None)
    with pytest.raises(HectorError, match="apt install python3-speechd"):
        SpeechDispatcherVoice()


class SilentServer:
    """A speech-dispatcher that accepts every connection and answers a number of commands, then no more."""

    def __init__(self, path: Path) -> None:
        self.answers = 0
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.bind(str(path))
        self._socket.listen()
        self._connections: list[socket.socket] = []
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                connection, _ = self._socket.accept()
                self._connections.append(connection)
                threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        with contextlib.suppress(OSError), connection.makefile("rb") as commands:
            for _line in commands:
                if self.answers > 0:
                    self.answers -= 1
                    connection.sendall(b"245-1\r\n245 OK\r\n")

    def close(self) -> None:
        for each in (self._socket, *self._connections):
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()


@pytest.fixture
def silent_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[SilentServer]:
    pytest.importorskip("speechd", reason="NO SPEECH-DISPATCHER: apt install python3-speechd")
    path = tmp_path / "speechd.sock"
    monkeypatch.setenv("SPEECHD_ADDRESS", f"unix_socket:{path}")
    monkeypatch.setattr("assistant.speaking.voice._SSIP_PATIENCE", 0.3)
    server = SilentServer(path)
    yield server
    server.close()


# The client of python3-speechd ends its own thread by SystemExit, which threads take without a word.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_speech_dispatcher_that_accepts_and_is_silent_is_one_sentence(silent_server: SilentServer) -> None:
    with pytest.raises(HectorError, match="speech-dispatcher does not answer"):
        SpeechDispatcherVoice()
    assert_nobody_waits_for_speech_dispatcher()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_speech_dispatcher_that_falls_silent_is_lost_and_is_not_waited_for_again_and_again(
    silent_server: SilentServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    silent_server.answers = 9
    with monkeypatch.context() as patch:
        patch.setattr("assistant.speaking.voice._SSIP_PATIENCE", PATIENCE)
        voice = SpeechDispatcherVoice()
    assert silent_server.answers == 0
    with pytest.raises(HectorError, match="speech-dispatcher has gone"):
        voice.say(Sentence("eins", "de"), threading.Event())
    assert_nobody_waits_for_speech_dispatcher()
    monkeypatch.setattr("assistant.speaking.voice._SSIP_PATIENCE", PATIENCE)
    began = time.monotonic()
    with pytest.raises(HectorError, match="speech-dispatcher has gone"):
        voice.say(Sentence("zwei", "de"), threading.Event())
    assert time.monotonic() - began < PATIENCE / 2
    voice.close()


def assert_nobody_waits_for_speech_dispatcher() -> None:
    for thread in threading.enumerate():
        if thread.name == "speech-dispatcher":
            thread.join(PATIENCE)
            assert not thread.is_alive()

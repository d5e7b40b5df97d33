"""The lesson at the table: its phrases, whether one was really said, and the command from end to end."""

from __future__ import annotations

import errno
import math
import os
import shutil
import subprocess
import sys
from collections import Counter
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest
from full_disk import full_disk
from learner import RATE, record, say

from assistant import hearing
from assistant.announcements import load_vocabulary, sample
from assistant.cli import main
from assistant.ears import ears_of
from assistant.errors import HectorError
from assistant.hearing import FEWEST, Block, Recogniser, load_model
from assistant.sound import BLOCK
from assistant.speaking import Loudspeaker, PracticeSentences, Sentence
from assistant.table.changing_settings import change_player
from assistant.table.devices import Change, Devices
from assistant.table.gate import Gate
from assistant.table.hearing import Hearer
from assistant.table.learning import CONFUSED, COUNT, phrases_to_learn, was_said
from assistant.table.practise import LONGEST, PATIENCE, _Check, learn_voice
from assistant.table.taught import Taught, load_choice
from assistant.table.voices import PaperVoice


@pytest.fixture(autouse=True)
def players(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    return tmp_path / "hector" / "players"


def all_phrases() -> list[tuple[str, ...]]:
    return phrases_to_learn(load_vocabulary("de"))


def test_the_phrases_of_a_lesson_are_always_the_same_and_all_different() -> None:
    phrases = all_phrases()
    assert len(phrases) == len(set(phrases)) == COUNT
    assert phrases == all_phrases()


def test_every_word_of_a_move_occurs_and_those_that_are_confused_twice() -> None:
    vocabulary = load_vocabulary("de")
    counts = Counter(word for words in all_phrases() for word in words)
    assert all(counts[word] for word in (*vocabulary.files, *vocabulary.pieces.values()))
    assert all(any(counts[word] for word in words) for words in vocabulary.ranks)
    assert all(counts[word] >= 2 for word in CONFUSED)


def test_a_phrase_counts_as_said_only_if_it_was() -> None:
    recogniser = ears_of(load_model(), load_vocabulary("de")).recogniser
    asked, other = all_phrases()[:2]
    recogniser.expect([asked])
    (heard,) = recogniser.accept(say(asked)) + recogniser.finish()
    assert was_said(heard, asked)
    assert not was_said(heard, other)
    recogniser.restart()
    assert not any(was_said(heard, asked) for heard in recogniser.accept(say(other)) + recogniser.finish())


def test_a_recorded_lesson_is_learnt_used_and_forgotten(
    players: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """In any order; what is kept is heard with, another model leaves it aside, and the game goes on."""
    file = record(tmp_path / "lesson.wav", all_phrases()[:18][::-1])
    assert main(["--lang", "en", "practise", "--learn", "--player", "Ana", "--listen", str(file)]) == 0
    told = capsys.readouterr().out
    assert "I learn your voice now" in told
    assert "Voice learnt" in told
    assert "I heard nothing" in told  # of the twelve phrases that the recording lacks
    assert (players / "ana" / "voice.json").is_file()

    assert load_choice(Taught(None, "Ana")).adapted is not None
    (line,) = Hearer(Taught(None, "Ana")).hear(record(tmp_path / "e4.wav", [("eva", "vier")]))
    assert line["move"] == "e2e4"

    model = tmp_path / "model"
    shutil.copytree(load_model().path, model)
    statistics = model / "am" / "global_cmvn.stats"
    statistics.write_bytes(statistics.read_bytes()[:-1] + b"\x01")
    warnings: list[str] = []
    assert load_choice(Taught(str(model), "Ana"), warnings.append).adapted is None
    assert len(warnings) == 1 and "learnt with another acoustic model" in warnings[0]

    assert main(["practise", "--forget", "--player", "Ana"]) == 0
    assert main(["practise", "--forget", "--player", "Ana"]) == 1
    assert load_choice(Taught(None, "Ana")).adapted is None


def test_the_result_of_practice_is_said_in_the_players_language(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (words,) = sample(load_vocabulary("de"), 1, seed=3)
    arguments = ["practise", "--count", "1", "--seed", "3", "--speak-to", os.devnull, "--listen"]
    assert main(["--lang", "de", *arguments, str(record(tmp_path / "right.wav", [words]))]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "Hector: Richtig gehört: eins von eins."
    other = next(phrase for phrase in all_phrases() if phrase != words)
    assert main(["--lang", "es", *arguments, str(record(tmp_path / "wrong.wav", [other]))]) == 1
    assert capsys.readouterr().out.splitlines()[-1] == "Hector: Aciertos: cero de uno."


def test_a_player_without_a_language_of_his_own_practises_in_that_of_the_environment(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    change_player("Ana", {"rate": "200"})
    for name in ("LC_ALL", "LC_MESSAGES", "LANGUAGE", "LANG"):
        monkeypatch.setenv(name, "es_ES.UTF-8")
    (words,) = sample(load_vocabulary("de"), 1, seed=3)
    arguments = ["practise", "--count", "1", "--seed", "3", "--speak-to", os.devnull, "--listen"]
    assert main([*arguments, str(record(tmp_path / "right.wav", [words])), "--player", "Ana"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "Hector: Aciertos: uno de uno."


def test_an_echo_that_cannot_be_kept_does_not_end_the_practice(
    players: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    players.parent.write_text("no folder")
    monkeypatch.setattr("assistant.table.practise.measure_echo", lambda *_: 0.4)
    gate = Gate()
    devices = SimpleNamespace(ears=None, voice=PaperVoice(), now=0.0, speaker=None, gate=gate)
    check = _Check(cast(Devices, devices), PracticeSentences("en"), None)
    check.measure(cast(Loudspeaker, SimpleNamespace(plays=True)), cast(hearing.Microphone, None))
    said = capsys.readouterr()
    assert "cannot be written" in said.err and said.err.count("\n") == 1
    assert "five hundred milliseconds" in said.out
    assert gate.hold == 0.5


class Microphone:
    """Devices with a clock of their own, on which a sound is played once after so many seconds."""

    speaker = None
    is_there = True

    def __init__(self, monkeypatch: pytest.MonkeyPatch, sound: np.ndarray, after: float) -> None:
        self.ears = ears_of(load_model(), load_vocabulary("de"))
        self.now = 0.0
        self.change: Change | None = None
        self.returns = math.inf
        """When it is back, if it goes."""
        self.said: list[Sentence] = []
        quiet = np.random.default_rng(1).standard_normal(round(after * RATE)) * 2
        sound = np.concatenate([quiet.round().astype(np.int16), sound])
        self._blocks = [sound[at : at + BLOCK] for at in range(0, len(sound) - BLOCK, BLOCK)]
        self.voice = SimpleNamespace(say=self._say)
        monkeypatch.setattr("assistant.table.practise.time", SimpleNamespace(monotonic=lambda: self.now))

    def _say(self, sentence: Sentence, _now: float) -> None:
        self.now += 5
        self.said.append(sentence)

    def read(self, _wait: float, *, busy: bool) -> list[Block | Change]:
        change, self.change = self.change, None
        if change == Change("microphone", "lost"):
            self.is_there = False
            return [change]
        if not self.is_there:
            self.now += _wait
            self.is_there = self.now >= self.returns
            return [Change("microphone", "back")] if self.is_there else []
        heard = self._blocks.pop(0) if self._blocks else np.zeros(BLOCK, np.int16)
        self.now += BLOCK / RATE
        return [Block(heard, self.now), *([change] if change else [])]

    def is_deaf_to(self, _block: Block) -> bool:
        return False


def heard_by(microphone: Microphone) -> bool:
    check = _Check(cast(Devices, microphone), PracticeSentences("en"), None)
    return check.is_heard(all_phrases()[0])


def test_a_player_who_has_begun_to_speak_is_heard_to_his_end(monkeypatch: pytest.MonkeyPatch) -> None:
    phrase = say(all_phrases()[0])
    assert heard_by(Microphone(monkeypatch, phrase, PATIENCE - 1.5))


def test_what_is_told_between_takes_nothing_of_the_players_time(monkeypatch: pytest.MonkeyPatch) -> None:
    microphone = Microphone(monkeypatch, say(all_phrases()[0]), PATIENCE - 3)
    microphone.change = Change("microphone", "muted")
    assert heard_by(microphone)


def test_a_phrase_with_a_gap_in_it_is_not_learnt_from(monkeypatch: pytest.MonkeyPatch) -> None:
    class Stumbles(Microphone):
        def read(self, _wait: float, *, busy: bool) -> list[Block | Change]:
            if len(self._blocks) == half:
                self.change = Change("microphone", "gap")
            return super().read(_wait, busy=busy)

    words = all_phrases()[0]
    microphone = Stumbles(monkeypatch, say(words), 0)
    half = len(microphone._blocks) // 2
    check = _Check(cast(Devices, microphone), PracticeSentences("en"), None)
    assert check.ask_for(words) is None


def test_a_microphone_that_comes_back_is_waited_for_and_the_phrase_asked_for_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A loose cable costs nobody the phrases that he has said."""
    microphone = Microphone(monkeypatch, say(all_phrases()[0]), PATIENCE - 3)
    microphone.change, microphone.returns = Change("microphone", "lost"), 60
    assert heard_by(microphone)
    asked, lost, again, _heard = [sentence.text for sentence in microphone.said]
    assert (lost, again) == ("Microphone lost. Plug it in, then it goes on.", asked)


def test_a_microphone_that_stays_away_ends_the_practice_in_one_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    microphone = Microphone(monkeypatch, np.zeros(0, np.int16), 0)
    microphone.change = Change("microphone", "lost")
    with pytest.raises(HectorError, match="Plug it in and practise again"):
        heard_by(microphone)


@pytest.mark.parametrize("count", [FEWEST - 1, FEWEST])
def test_a_lesson_whose_microphone_stays_away_is_learnt_from_if_enough_was_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], count: int
) -> None:
    phrases = all_phrases()
    microphone = Microphone(monkeypatch, np.concatenate([say(words) for words in phrases[:count]]), 0)
    check = _Check(cast(Devices, microphone), PracticeSentences("en"), None)
    said = []
    with nullcontext() if count == FEWEST else pytest.raises(HectorError, match="practise again"):
        for words, _sound in check.ask_all(phrases):
            said.append(words)
            if len(said) == count:
                microphone.change = Change("microphone", "lost")
    assert said == phrases[:count]
    assert check.tell_cut() is (count < FEWEST)
    assert ("The microphone has gone" in capsys.readouterr().err) is (count == FEWEST)


def test_who_has_gone_away_is_asked_only_as_long_as_enough_can_be_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("assistant.table.practise.PATIENCE", 2.0)
    phrases = all_phrases()
    microphone = Microphone(monkeypatch, np.concatenate([say(words) for words in phrases[:2]]), 0)
    check = _Check(cast(Devices, microphone), PracticeSentences("en"), None)
    assert [words for words, _ in check.ask_all(phrases)] == phrases[:2]
    asked = {each.text for each in microphone.said if each.text.startswith("Please say")}
    assert len(asked) == COUNT - FEWEST + 3


@pytest.mark.parametrize("end", [HectorError("The microphone has gone."), KeyboardInterrupt()])
def test_what_was_said_in_a_lesson_that_is_broken_off_is_kept_for_a_training(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, end: BaseException
) -> None:
    class Ended(Microphone):
        def read(self, _wait: float, *, busy: bool) -> list[Block | Change]:
            if not self._blocks:
                raise end
            return super().read(_wait, busy=busy)

    phrases = all_phrases()[:2]
    microphone = Ended(monkeypatch, np.concatenate([say(words) for words in phrases]), 0)
    monkeypatch.setattr("assistant.table.practise.opened", lambda *_: nullcontext(microphone))
    monkeypatch.setattr("assistant.table.practise.has_microphone", lambda: True)
    monkeypatch.setattr("assistant.table.practise.sounddevice", lambda: None)
    with pytest.raises(type(end)):
        learn_voice("Ana", recordings=tmp_path / "people", language="en")
    _, *labels = (tmp_path / "people" / "labels.tsv").read_text().splitlines()
    assert [label.split("\t")[1] for label in labels] == [" ".join(words) for words in phrases]
    is_told = "New recordings kept: two." in [sentence.text for sentence in microphone.said]
    assert is_told is isinstance(end, HectorError)


def test_a_sound_that_does_not_end_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    microphone = Microphone(monkeypatch, np.zeros(0, np.int16), 60)
    recogniser = SimpleNamespace(
        restart=lambda: None, expect=lambda _: None, accept=lambda _: [], hears_something=True
    )
    microphone.ears = replace(microphone.ears, recogniser=cast(Recogniser, recogniser))
    assert not heard_by(microphone)
    assert microphone.now == pytest.approx(2 * 5 + LONGEST, abs=0.1)


def test_practice_with_a_recording_that_is_not_there_asks_for_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "missing.wav"
    assert main(["practise", "--speak-to", os.devnull, "--listen", str(file)]) == 2
    said = capsys.readouterr()
    assert (said.out, said.err) == ("", f"hector: There is no file {file}. Check the name.\n")


def cut(file: Path) -> Path:
    file.write_bytes(file.read_bytes()[:-1000])
    return file


def test_a_lesson_that_is_cut_off_is_learnt_from_as_far_as_it_goes(
    tmp_path: Path, players: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = cut(record(tmp_path / "lesson.wav", all_phrases()[:18]))
    speech = ["--speak-to", os.devnull]
    assert main(["practise", "--learn", "--player", "Ana", "--listen", str(file), *speech]) == 1
    said = capsys.readouterr().err
    assert said.startswith(f"hector: {file} is cut off: it ends after ") and said.count("\n") == 1
    assert (players / "ana" / "voice.json").is_file()


def test_practice_with_a_recording_that_is_cut_off_has_a_result(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    phrases = list(sample(load_vocabulary("de"), 2, seed=3))
    file = cut(record(tmp_path / "said.wav", phrases[:1]))
    arguments = ["practise", "--count", "2", "--seed", "3", "--speak-to", os.devnull, "--listen", str(file)]
    assert main(["--lang", "de", *arguments]) == 1
    said = capsys.readouterr()
    assert said.out.splitlines()[-1] == "Hector: Richtig gehört: eins von zwei."
    assert said.err.startswith(f"hector: {file} ") and said.err.count("\n") == 1


def test_nothing_is_asked_for_where_no_voice_can_be_kept(
    players: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    players.parent.mkdir()
    file = record(tmp_path / "lesson.wav", all_phrases()[:1])
    with full_disk():
        assert main(["practise", "--learn", "--player", "Ana", "--listen", str(file)]) == 1
    said = capsys.readouterr()
    assert (said.out, said.err.count("\n")) == ("", 1)
    assert said.err.startswith(f"hector: Nothing can be kept in {players / 'ana'}: ")


def test_a_lesson_is_learnt_from_although_its_recordings_cannot_be_kept(
    players: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Or all of it would have to be said again, when the disk has room for them."""

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("assistant.hearing.corpus.write_flac", full)
    file = record(tmp_path / "lesson.wav", all_phrases()[:18])
    lesson = ["practise", "--learn", "--player", "Ana", "--listen", str(file), "--speak-to", os.devnull]
    assert main(["--lang", "en", *lesson, "--recordings", str(tmp_path / "people")]) == 1
    said = capsys.readouterr()
    assert said.err.startswith("hector: The recordings cannot be kept in ") and said.err.count("\n") == 1
    assert "Voice learnt" in said.out
    assert (players / "ana" / "voice.json").is_file()


def test_nothing_is_asked_for_where_the_model_cannot_learn(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model = tmp_path / "model"
    shutil.copytree(load_model().path, model)
    (model / "am" / "global_cmvn.stats").unlink()
    file = record(tmp_path / "lesson.wav", all_phrases()[:1])
    lesson = ["practise", "--learn", "--player", "Ana", "--model", str(model), "--listen", str(file)]
    assert main([*lesson, "--speak-to", os.devnull]) == 1
    said = capsys.readouterr()
    assert (said.out, said.err.count("\n")) == ("", 1)
    assert said.err.startswith(f"hector: The model {model} cannot learn a voice ")


def test_a_recording_with_too_few_phrases_is_one_sentence_and_nothing_is_kept(
    players: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = record(tmp_path / "lesson.wav", all_phrases()[:3])
    speech = ["--speak-to", str(tmp_path / "said.wav")]
    assert main(["practise", "--learn", "--player", "Ana", "--listen", str(file), *speech]) == 1
    errors = capsys.readouterr().err
    assert errors.startswith("hector: Phrases that could be learnt from: 3, and at least")
    assert errors.count("\n") == 1
    assert not players.exists()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--learn"], "Say whose voice: hector practise --learn --player NAME"),
        (["--forget"], "Say whose voice: hector practise --forget --player NAME"),
        (["--learn", "--forget", "--player", "Ana"], "Choose one of --learn and --forget"),
        (["--learn", "--player", "Ana", "--count", "5"], "leave out --count and --seed"),
        (["--forget", "--player", "Ana", "--listen", "x.wav"], "leave out --listen"),
        (["--learn", "--player", "../Ana"], "cannot be a player's name"),
        (["--player", "Nobody"], "There are no settings of 'Nobody'"),
    ],
)
def test_a_wrong_use_is_one_sentence(
    arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["practise", *arguments]) == 2
    errors = capsys.readouterr().err
    assert sentence in errors
    assert errors.count("\n") == 1


def test_nobody_is_heard_by_a_name_that_is_not_known(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["hear", "x.wav", "--player", "Nobody"]) == 2
    assert "There are no settings of 'Nobody'" in capsys.readouterr().err


def test_a_damaged_voice_is_told_of_and_the_game_goes_on(
    players: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (players / "ana").mkdir(parents=True)
    (players / "ana" / "voice.json").write_text('{"format": 1, "mod')
    file = record(tmp_path / "game.wav", [("eva", "vier")])
    assert main(["hear", str(file), "--player", "Ana"]) == 0
    told = capsys.readouterr()
    assert '"move": "e2e4"' in told.out
    assert "is damaged and is left aside" in told.err


def test_a_resumed_game_hears_with_the_voice_of_the_player_who_began_it(
    players: Path, tmp_path: Path
) -> None:
    """Seen by the sentence about a voice that is damaged; without it, resuming would not have looked."""
    (players / "ana").mkdir(parents=True)
    hector = [sys.executable, "-m", "assistant"]
    game = tmp_path / "game"

    def run(*arguments: str) -> str:
        command = [*hector, *arguments, "--keyboard", "--speak-to", os.devnull]
        return subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True
        ).stderr

    assert "left aside" not in run("play", "--player", "Ana", "--save", str(game))
    (players / "ana" / "voice.json").write_text("damaged")
    assert "is damaged and is left aside" in run("resume", str(game))

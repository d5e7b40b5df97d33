"""`hector play` with a recording for a microphone, and everything that may be wrong with what it is given."""

from __future__ import annotations

import itertools
import shutil
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import soundfile
import soxr
from numpy.typing import NDArray

from assistant.cli import main
from assistant.errors import HectorError
from assistant.hearing import find_model
from assistant.journal import read
from assistant.scoresheet import read_sheet
from assistant.speaking import Sound, WavFile, synthesise
from assistant.table import Setup, live

RATE = 16_000
WORDS = ("Eva vier", "Eva fünf", "Springer Felix drei", "Springer Cesar sechs")
MOVES = ["e2e4", "e7e5", "g1f3", "b8c6"]


def spoken(words: tuple[str, ...] = WORDS, rate: int = RATE) -> NDArray[np.int16]:
    """Return announcements by two voices that were never trained with, and the pauses of a game."""
    noise = np.random.default_rng(1)
    pieces = [np.zeros(3 * rate, np.int16)]
    for ply, phrase in enumerate(words):
        sound = synthesise(phrase, ("de+m3", "de+f4")[ply % 2], rate=150)
        samples = soxr.resample(sound.samples.astype(np.float32), sound.rate, rate) / 2
        pieces += [samples.astype(np.int16), np.zeros(5 * rate, np.int16)]
    whole = np.concatenate(pieces)
    return (whole + noise.normal(0, 4, len(whole))).astype(np.int16)


def record(path: Path, samples: NDArray[np.int16], rate: int = RATE) -> Path:
    soundfile.write(str(path), samples, rate)
    return path


def refusal(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    """Run `hector play`; return the exit status and what it says on standard error."""
    try:
        status = main(["--lang", "de", "play", *arguments])
    except SystemExit as leaving:
        status = int(leaving.code or 0)
    return status, capsys.readouterr().err


def assert_one_sentence(said: str, *words: str) -> None:
    assert said.startswith("hector")
    assert len(said.splitlines()) == 1, said
    assert "Traceback" not in said
    for word in words:
        assert word in said


def test_a_recorded_game_becomes_a_folder_and_an_answer(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    recording = record(tmp_path / "game.wav", spoken())
    folder, answer = tmp_path / "game", tmp_path / "said.wav"
    arguments = ["--listen", str(recording), "--speak-to", str(answer), "--save", str(folder)]
    assert main(["--lang", "de", "play", "--blind", "both", *arguments]) == 0
    said = capsys.readouterr()
    assert said.err == ""
    assert [line["move"] for line in read(folder).lines if line.get("do") == "announce"] == MOVES
    for name in ("game.pgn", "sheet.txt", "sheet.brf", "sheet.pef"):
        language = "" if name == "game.pgn" else "de"
        sheet = read_sheet((folder / name).read_bytes(), language)
        assert [str(ply.move) for ply in sheet.plies] == MOVES
    for words in WORDS:
        assert f"Hector: {words}\n" in said.out
    assert len(list((folder / "heard").glob("*.flac"))) == len(WORDS)
    # Hector speaks in the pauses of the recording: where the players are silent, and only there.
    sound, rate = soundfile.read(str(answer), dtype="int16")
    players, _rate = soundfile.read(str(recording), dtype="int16")
    block = rate // 10
    both = []
    for index in range(min(len(sound) // block, len(players) // (RATE // 10))):
        ours = np.abs(sound[index * block : (index + 1) * block].astype(int)).max() > 500
        theirs = np.abs(players[index * RATE // 10 : (index + 1) * RATE // 10].astype(int)).max() > 500
        both.append(ours and theirs)
    # espeak-ng's hiss is another one each time: he may begin in the tenth in which a last "s" fades
    assert not any(now and then for now, then in pairwise(both))
    assert sum(both) <= len(WORDS)


def as_eight_kilohertz_stereo(path: Path) -> None:
    samples = spoken(WORDS[:2], 8000)
    soundfile.write(str(path), np.stack([samples, np.zeros_like(samples)], axis=1), 8000)


def as_flac(path: Path) -> None:
    soundfile.write(str(path), spoken(WORDS[:2], 44_100), 44_100, format="FLAC", subtype="PCM_24")


@pytest.mark.parametrize("write", [as_eight_kilohertz_stereo, as_flac])
def test_any_rate_and_channels_will_do(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], write: Callable[[Path], None]
) -> None:
    write(tmp_path / "game.wav")
    status, said = refusal(capsys, "--listen", str(tmp_path / "game.wav"), "--save", str(tmp_path / "g"))
    assert (status, said) == (0, "")
    made = [line["move"] for line in read(tmp_path / "g").lines if line.get("do") == "announce"]
    assert made == MOVES[:2]


def test_no_time_passes_after_a_recording(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The last move is pressed for; whoever is to move then does not lose on time in a silence."""
    recording = record(tmp_path / "game.wav", spoken(WORDS[:2]))
    folder = tmp_path / "game"
    arguments = ["--listen", str(recording), "--time-control", "30", "--save", str(folder)]
    assert main(["--lang", "de", "play", "--blind", "both", *arguments]) == 0
    done = [line["do"] for line in read(folder).lines if "do" in line]
    assert done.count("press") == 2
    assert '[Result "*"]' in (folder / "game.pgn").read_text()


def test_in_a_recording_the_word_presses_for_a_player_whose_key_does(tmp_path: Path) -> None:
    silence = record(tmp_path / "silence.wav", np.zeros(RATE, np.int16))
    assert live.play_recording(silence, Setup(press="key"), tmp_path / "g", None, None) == 0
    assert read(tmp_path / "g").lines[0]["table"]["press"] == "word"


def test_silence_is_a_game_without_moves(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    silence = record(tmp_path / "silence.wav", np.zeros(5 * RATE, np.int16))
    status, said = refusal(capsys, "--listen", str(silence), "--save", str(tmp_path / "g"))
    assert (status, said) == (0, "")
    assert [line.get("do") for line in read(tmp_path / "g").lines] == [None, "start"]


def test_a_recording_that_is_cut_off_is_played_as_far_as_it_goes_and_told_of(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = record(tmp_path / "whole.wav", spoken(WORDS[:2])).read_bytes()
    (tmp_path / "cut.wav").write_bytes(whole[: len(whole) * 45 // 100])
    status, said = refusal(capsys, "--listen", str(tmp_path / "cut.wav"), "--save", str(tmp_path / "g"))
    assert status == 1
    assert_one_sentence(said, str(tmp_path / "cut.wav"), "abgeschnitten")
    assert [line["move"] for line in read(tmp_path / "g").lines if line.get("do") == "announce"] == MOVES[:1]


@pytest.mark.parametrize(
    ("content", "word"), [(None, "keine Datei"), (b"", "leer"), (b"no sound at all\n" * 99, "Tondatei")]
)
def test_what_is_no_recording_is_refused_in_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes | None, word: str
) -> None:
    path = tmp_path / "game.wav"
    if content is not None:
        path.write_bytes(content)
    status, said = refusal(capsys, "--listen", str(path), "--save", str(tmp_path / "g"))
    assert status == 2
    assert_one_sentence(said, str(path), word)
    assert not (tmp_path / "g").exists()


@pytest.mark.parametrize(
    "arguments",
    [
        ("--fen", "no position"),
        ("--fen", "8/8/8/8/8/8/8/K7 w - - 0 1"),
        ("--fen", "k1K5/8/8/8/8/8/8/8/8 w - - 0 1"),
        ("--time-control", "soon"),
        ("--time-control", "40/"),
        ("--time-control", "-5"),
        ("--laws", "1066"),
        ("--chess960", "960"),
        ("--press", "never"),
        ("--mode", "blitz"),
        ("--model", "/nonexistent/model"),
    ],
)
def test_what_was_wrongly_agreed_is_refused_before_the_game_begins(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, str]
) -> None:
    recording = record(tmp_path / "silence.wav", np.zeros(RATE, np.int16))
    folder = tmp_path / "g"
    status, said = refusal(capsys, *arguments, "--listen", str(recording), "--save", str(folder))
    assert status == 2
    assert_one_sentence(said)
    assert not folder.exists() or not list(folder.iterdir())


def test_a_folder_with_a_game_is_never_written_over(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    silence = record(tmp_path / "silence.wav", np.zeros(RATE, np.int16))
    arguments = ("--listen", str(silence), "--save", str(tmp_path / "g"))
    assert refusal(capsys, *arguments)[0] == 0
    before = (tmp_path / "g" / "journal.jsonl").read_bytes()
    status, said = refusal(capsys, *arguments)
    assert status == 1
    assert_one_sentence(said, "hector resume")
    assert (tmp_path / "g" / "journal.jsonl").read_bytes() == before


def test_a_disk_that_is_full_for_the_voice_does_not_end_the_game(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    begin, begun = WavFile.begin, itertools.count()

    def begin_once(self: WavFile, sound: Sound, at: float | None = None) -> None:
        if next(begun):
            raise HectorError("The disk is full.")
        begin(self, sound, at)

    monkeypatch.setattr(WavFile, "begin", begin_once)
    recording = record(tmp_path / "game.wav", spoken())
    arguments = ("--blind", "both", "--listen", str(recording), "--speak-to", str(tmp_path / "said.wav"))
    assert refusal(capsys, *arguments, "--save", str(tmp_path / "g")) == (1, "hector: The disk is full.\n")
    assert [line["move"] for line in read(tmp_path / "g").lines if line.get("do") == "announce"] == MOVES
    assert [str(ply.move) for ply in read_sheet((tmp_path / "g" / "game.pgn").read_bytes()).plies] == MOVES


@pytest.mark.parametrize("what", ["folder", "voice"])
def test_what_cannot_be_written_is_told_in_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], what: str
) -> None:
    silence = record(tmp_path / "silence.wav", np.zeros(RATE, np.int16))
    (tmp_path / "file").write_text("in the way")
    folder = tmp_path / "file" / "g" if what == "folder" else tmp_path / "g"
    voice = tmp_path / "file" / "said.wav" if what == "voice" else tmp_path / "said.wav"
    status, said = refusal(capsys, "--listen", str(silence), "--save", str(folder), "--speak-to", str(voice))
    assert status == 1
    assert_one_sentence(said, str(tmp_path / "file"), "schreiben")


@pytest.mark.parametrize("damage", ["missing", "cut", "empty"])
@pytest.mark.parametrize("name", ["am/final.mdl", "phones.txt", "conf/model.conf"])
def test_a_damaged_model_is_named_in_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, damage: str
) -> None:
    model = tmp_path / "model"
    shutil.copytree(find_model(), model)
    if damage == "missing":
        (model / name).unlink()
    else:
        data = (model / name).read_bytes()
        (model / name).write_bytes(data[: len(data) // 2 if damage == "cut" else 0])
    silence = record(tmp_path / "silence.wav", np.zeros(RATE, np.int16))
    folder = tmp_path / "g"
    status, said = refusal(capsys, "--model", str(model), "--listen", str(silence), "--save", str(folder))
    assert status in (1, 2)
    assert_one_sentence(said, str(model))
    assert not folder.exists()
    # A live game, too, leaves no journal behind that would be in the way of the next attempt.
    status, said = refusal(capsys, "--model", str(model), "--keyboard", "--save", str(folder))
    assert status in (1, 2)
    assert_one_sentence(said, str(model))
    assert not (folder / "journal.jsonl").exists()

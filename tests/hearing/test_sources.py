"""Recordings of every kind become the same blocks; what is no recording is one sentence."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
from pathlib import Path

import ears
import numpy as np
import pytest
import soundfile
import soxr
from ears import RATE, in_room, say

from assistant.errors import HectorError, UsageError
from assistant.hearing import Archive, Recording, kept_in
from assistant.utterance import Utterance


def heard(path: Path) -> list[Utterance]:
    recogniser = ears.fresh_recogniser()
    with Recording(path) as recording:
        found = [utterance for block in recording.blocks() for utterance in recogniser.accept(block)]
    return found + recogniser.finish()


def samples(path: Path) -> np.ndarray:
    with Recording(path) as recording:
        return np.concatenate(list(recording.blocks()))


@pytest.mark.parametrize(
    ("name", "rate", "channels", "subtype"),
    [
        ("a.wav", 16_000, 1, "PCM_16"),
        ("a.wav", 8_000, 1, "PCM_16"),
        ("a.wav", 44_100, 2, "PCM_24"),
        ("a.wav", 48_000, 1, "FLOAT"),
        ("a.wav", 22_050, 6, "PCM_U8"),
        ("a.wav", 8_000, 1, "ULAW"),
        ("a.flac", 48_000, 2, "PCM_24"),
        ("a.flac", 11_025, 1, "PCM_16"),
        ("a.ogg", 16_000, 1, "VORBIS"),
    ],
)
def test_an_announcement_is_heard_in_a_recording_of_any_kind(
    tmp_path: Path, name: str, rate: int, channels: int, subtype: str
) -> None:
    sound = soxr.resample(in_room(say("Springer Felix drei")).astype(float) / 32768, RATE, rate)
    soundfile.write(tmp_path / name, np.tile(sound[:, None], (1, channels)), rate, subtype=subtype)
    (utterance,) = heard(tmp_path / name)
    assert utterance.legal[0].words == ("springer", "felix", "drei")
    assert utterance.start == pytest.approx(1.0, abs=0.15)


@pytest.mark.parametrize("level", [-1.0, -0.95])
def test_a_voice_on_two_channels_that_cancel_each_other_is_heard(tmp_path: Path, level: float) -> None:
    """As when one plug of two is wired the wrong way round."""
    sound = in_room(say("Springer Felix drei"))
    soundfile.write(tmp_path / "a.wav", np.stack([sound, (sound * level).astype(sound.dtype)], axis=1), RATE)
    assert [utterance.legal[0].words for utterance in heard(tmp_path / "a.wav")] == [
        ("springer", "felix", "drei")
    ]


def test_a_voice_on_one_of_two_channels_is_heard(tmp_path: Path) -> None:
    sound = in_room(say("Springer Felix drei"))
    soundfile.write(tmp_path / "a.wav", np.stack([np.zeros_like(sound), sound], axis=1), RATE)
    assert [utterance.legal[0].words for utterance in heard(tmp_path / "a.wav")] == [
        ("springer", "felix", "drei")
    ]


def test_a_recording_at_the_rate_of_hearing_is_not_changed(tmp_path: Path) -> None:
    sound = in_room(say("Eva vier"))
    soundfile.write(tmp_path / "a.wav", sound, RATE)
    back = samples(tmp_path / "a.wav")
    assert np.abs(back[: len(sound)].astype(int) - sound).max() <= 1
    assert not back[len(sound) :].any()
    assert len(back) - len(sound) < 320


def test_a_recording_cut_in_its_middle_is_heard_up_to_there(tmp_path: Path) -> None:
    path = tmp_path / "a.wav"
    soundfile.write(path, in_room(say("Springer Felix drei"), 2.0, say("Eva vier")), RATE)
    data = path.read_bytes()
    path.write_bytes(data[: 44 + 2 * RATE * 4])
    assert [utterance.legal[0].words for utterance in heard(path)] == [("springer", "felix", "drei")]


def test_a_cut_flac_says_that_it_is_cut(tmp_path: Path) -> None:
    path = tmp_path / "a.flac"
    rng = np.random.default_rng(1)
    soundfile.write(path, (rng.standard_normal(20 * RATE) * 3000).astype(np.int16), RATE)
    path.write_bytes(path.read_bytes()[:200_000])
    with Recording(path) as recording:
        total = sum(len(block) for block in recording.blocks())
        assert recording.is_cut
    assert 0 < total < 20 * RATE


def test_a_flac_that_was_written_to_a_pipe_is_heard_to_its_end(tmp_path: Path) -> None:
    """Its header says nothing of its length."""
    path = tmp_path / "a.flac"
    sound = in_room(say("Springer Felix drei"))
    soundfile.write(path, sound, RATE)
    data = bytearray(path.read_bytes())
    # Source: RFC 9639, 8.2: the number of samples is in the last 36 bits before the 16 bytes of the checksum.
    data[21] &= 0xF0
    data[22:26] = bytes(4)
    path.write_bytes(data)
    with Recording(path) as recording:
        back = np.concatenate(list(recording.blocks()))
        recording.check_whole()
    assert len(sound) - 16 <= len(back) <= len(sound) + 320
    assert np.abs(back[: len(sound) - 16].astype(int) - sound[:-16]).max() <= 1


def test_a_cut_flac_is_heard_up_to_the_frame_that_was_cut(tmp_path: Path) -> None:
    path, whole = tmp_path / "cut.flac", tmp_path / "whole.flac"
    rng = np.random.default_rng(1)
    sound = (rng.standard_normal(5 * RATE) * 3000).astype(np.int16)
    soundfile.write(whole, sound, RATE)
    path.write_bytes(whole.read_bytes()[: whole.stat().st_size * 2 // 3])
    back = samples(path)
    assert len(back) > 0.64 * len(sound)
    assert np.abs(back[: len(back) - 400].astype(int) - sound[: len(back) - 400]).max() <= 1


@pytest.mark.skipif(shutil.which("ffmpeg") is None, reason="ffmpeg is not installed")
def test_an_mp3_whose_length_is_only_estimated_is_whole(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    soundfile.write(tmp_path / "a.wav", in_room(say("Springer Felix drei")), RATE)
    made = ["ffmpeg", "-v", "error", "-i", str(tmp_path / "a.wav"), "-write_xing", "0"]
    subprocess.run([*made, str(tmp_path / "a.mp3")], check=True)
    with Recording(tmp_path / "a.mp3") as recording:
        list(recording.blocks())
        assert recording._read < recording._file.frames
        recording.check_whole()
    assert capfd.readouterr().err == ""


def wav(path: Path, *, killed: bool) -> np.ndarray:
    """Write a WAV file with no sizes in its header, or with that of the whole file; return its sound."""
    sound = in_room(say("Springer Felix drei"))
    soundfile.write(path, sound, RATE)
    written = bytearray(path.read_bytes())
    written[4:8] = (0 if killed else len(written)).to_bytes(4, "little")
    if killed:
        written[40:44] = bytes(4)
    path.write_bytes(written)
    return sound


def test_a_wav_that_counts_the_whole_file_as_what_follows_is_not_cut(tmp_path: Path) -> None:
    wav(tmp_path / "a.wav", killed=False)
    with Recording(tmp_path / "a.wav") as recording:
        list(recording.blocks())
        recording.check_whole()


@pytest.mark.filterwarnings("error")
def test_a_wav_whose_recorder_was_killed_is_heard(tmp_path: Path) -> None:
    sound = wav(tmp_path / "a.wav", killed=True)
    with Recording(tmp_path / "a.wav") as recording:
        back = np.concatenate(list(recording.blocks()))
        recording.check_whole()
    assert np.abs(back[: len(sound)].astype(int) - sound).max() <= 1


def test_a_cut_recording_is_told_with_the_time_that_it_lasts(tmp_path: Path) -> None:
    path = tmp_path / "a.wav"
    soundfile.write(path, np.zeros(5 * RATE, np.int16), RATE)
    path.write_bytes(path.read_bytes()[: 44 + 2 * RATE * 3])
    with Recording(path) as recording:
        list(recording.blocks())
        with pytest.raises(HectorError, match=r"a\.wav is cut off: it ends after 3\.0 seconds\."):
            recording.check_whole()


OTHERS = [
    ("RF64", "PCM_16", ".wav"),
    ("W64", "PCM_16", ".w64"),
    ("AIFF", "PCM_24", ".aiff"),
    ("AU", "PCM_16", ".au"),
    ("AU", "FLOAT", ".au"),
    ("OGG", "VORBIS", ".ogg"),
    ("OGG", "OPUS", ".opus"),
]


def noisy(path: Path, form: str, subtype: str) -> Path:
    sound = np.random.default_rng(1).standard_normal(10 * RATE) * 0.1
    soundfile.write(path, sound, RATE, format=form, subtype=subtype)
    return path


@pytest.mark.parametrize(("form", "subtype", "ending"), OTHERS)
@pytest.mark.parametrize("share", [0.6, 0.99])
def test_a_cut_recording_of_another_kind_is_told_too(
    tmp_path: Path, form: str, subtype: str, ending: str, share: float
) -> None:
    path = noisy(tmp_path / f"a{ending}", form, subtype)
    path.write_bytes(path.read_bytes()[: round(path.stat().st_size * share)])
    with Recording(path) as recording:
        seconds = sum(len(block) for block in recording.blocks()) / RATE
        with pytest.raises(HectorError, match=r"is cut off: it ends after [0-9.]+ seconds\.") as told:
            recording.check_whole()
    assert told.value.phrase.values["seconds"] == pytest.approx(seconds, abs=0.1)
    assert share * 10 - 1.5 < seconds < 10


@pytest.mark.parametrize(("form", "subtype", "ending"), OTHERS)
def test_a_whole_recording_of_another_kind_is_not_told_of(
    tmp_path: Path, form: str, subtype: str, ending: str
) -> None:
    with Recording(noisy(tmp_path / f"a{ending}", form, subtype)) as recording:
        assert sum(len(block) for block in recording.blocks()) == pytest.approx(10 * RATE, abs=320)
        recording.check_whole()


@pytest.mark.skipif(shutil.which("ffmpeg") is None, reason="ffmpeg is not installed")
@pytest.mark.parametrize("form", ["wav", "w64", "aiff", "au", "ogg"])
def test_what_was_written_to_a_pipe_is_whole(tmp_path: Path, form: str) -> None:
    """Whoever writes to a pipe cannot go back to the header."""
    source = noisy(tmp_path / "a.wav", "WAV", "PCM_16")
    made = ["ffmpeg", "-v", "error", "-i", str(source), "-f", form, "pipe:1"]
    path = tmp_path / "b"
    path.write_bytes(subprocess.run(made, check=True, capture_output=True).stdout)
    with Recording(path) as recording:
        list(recording.blocks())
        recording.check_whole()


def test_a_whole_recording_is_not_told_of(tmp_path: Path) -> None:
    path = tmp_path / "a.wav"
    soundfile.write(path, np.zeros(RATE, np.int16), RATE)
    with Recording(path) as recording:
        list(recording.blocks())
        recording.check_whole()


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("value", [np.inf, -np.inf, np.nan, 3e38])
def test_a_recording_with_values_that_are_no_sound_is_heard_around_them(tmp_path: Path, value: float) -> None:
    sound = np.zeros((RATE, 2), np.float32)
    sound[8000:8010] = value
    soundfile.write(tmp_path / "a.wav", sound, RATE, subtype="FLOAT")
    back = samples(tmp_path / "a.wav")
    assert not back[:7000].any() and not back[9000:].any()


@pytest.mark.parametrize("name", ["a.raw", "a.RAW"])
def test_a_recording_named_raw_is_what_it_holds(tmp_path: Path, name: str) -> None:
    """And no bare samples, for which a rate would have to be known."""
    sound = np.arange(RATE, dtype=np.int16)
    soundfile.write(tmp_path / "a.wav", sound, RATE)
    (tmp_path / "a.wav").rename(tmp_path / name)
    assert np.array_equal(samples(tmp_path / name), sound)


def test_bare_samples_are_wrong_use(tmp_path: Path) -> None:
    path = tmp_path / "a.raw"
    path.write_bytes(bytes(range(256)) * 100)
    with pytest.raises(UsageError, match=r"a\.raw"):
        Recording(path)


@pytest.mark.parametrize("content", [b"", b"not a sound at all, but a text\n" * 100, b"RIFF\x10\0\0\0WAVE"])
def test_what_is_no_sound_file_is_wrong_use(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "a.wav"
    path.write_bytes(content)
    with pytest.raises(UsageError, match=r"a\.wav"):
        Recording(path)


def test_a_chunk_that_is_larger_than_any_file_is_wrong_use(tmp_path: Path) -> None:
    path = tmp_path / "a.w64"
    soundfile.write(path, np.zeros(RATE, np.int16), RATE, format="W64")
    data = bytearray(path.read_bytes())
    # The chunk behind name, size and form of the file: its size stands after its own name.
    data[56:64] = b"\xff" * 8
    path.write_bytes(data)
    with pytest.raises(UsageError, match="is not a sound file that can be read"):
        Recording(path)


@pytest.mark.parametrize("rate", [1, 999])
def test_so_few_samples_a_second_are_no_sound(tmp_path: Path, rate: int) -> None:
    soundfile.write(tmp_path / "a.wav", np.zeros(RATE, np.int16), rate)
    with pytest.raises(UsageError, match=rf"not a sound file .* \(Sample rate is {rate} Hz\)"):
        Recording(tmp_path / "a.wav")


def test_a_file_that_does_not_exist_is_wrong_use(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no file"):
        Recording(tmp_path / "a.wav")


def test_a_folder_is_wrong_use(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="folder"):
        Recording(tmp_path)


def test_a_stream_is_not_called_empty(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.wav")
    with pytest.raises(UsageError, match="is a stream"):
        Recording(tmp_path / "a.wav")


def test_a_file_that_may_not_be_read_is_not_called_another_kind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path, *_given: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied", str(path))

    soundfile.write(tmp_path / "a.wav", np.zeros(RATE, np.int16), RATE)
    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(UsageError, match=r"a\.wav cannot be read: Permission denied\."):
        Recording(tmp_path / "a.wav")


def test_a_recording_of_no_length_is_wrong_use(tmp_path: Path) -> None:
    soundfile.write(tmp_path / "a.wav", np.zeros(0, np.int16), RATE)
    with pytest.raises(UsageError, match="no sound"):
        Recording(tmp_path / "a.wav")


def test_a_recording_shorter_than_a_block_is_filled_up(tmp_path: Path) -> None:
    soundfile.write(tmp_path / "a.wav", np.full(100, 500, np.int16), RATE)
    assert len(samples(tmp_path / "a.wav")) == 320


def test_an_archive_keeps_each_utterance_under_its_ply(tmp_path: Path) -> None:
    archive = Archive(tmp_path / "heard")
    speech = say("Eva vier")
    for what in ("ask-eva vier", "accept-eva vier", "../../böse"):
        archive.keep(speech, 7, what)
    archive.keep(speech, 8, "accept-")
    names = sorted(path.name for path in (tmp_path / "heard").iterdir())
    assert names == [
        "007-1-ask-eva-vier.flac",
        "007-2-accept-eva-vier.flac",
        "007-3-b-se.flac",
        "008-1-accept.flac",
    ]
    kept = [(each.ply, each.attempt, each.is_accepted) for each in kept_in(tmp_path / "heard")]
    assert kept == [(7, 1, False), (7, 2, True), (7, 3, False), (8, 1, True)]
    back, rate = soundfile.read(tmp_path / "heard" / names[0], dtype="int16")
    assert rate == RATE
    assert np.array_equal(back, speech)


def test_an_archive_of_an_older_game_is_in_the_order_of_time(tmp_path: Path) -> None:
    for name, at in (("001-1-accept-eva-vier.flac", 20), ("001-1-accept-bauer-eva-vier.flac", 30)):
        (tmp_path / name).touch()
        os.utime(tmp_path / name, (at, at))
    assert [each.path.name for each in kept_in(tmp_path)] == [
        "001-1-accept-eva-vier.flac",
        "001-1-accept-bauer-eva-vier.flac",
    ]


def test_an_archive_makes_no_folder_anew_that_was_moved_away(tmp_path: Path) -> None:
    with pytest.raises(HectorError, match="No such file"):
        Archive(tmp_path / "game" / "heard").keep(np.zeros(160, np.int16), 1, "x")
    assert list(tmp_path.iterdir()) == []


def test_an_archive_that_cannot_be_written_says_so_every_time(tmp_path: Path) -> None:
    (tmp_path / "heard").write_text("a file where the folder should be")
    archive = Archive(tmp_path / "heard")
    for _time in range(2):
        with pytest.raises(HectorError, match=r"File exists.*\.$"):
            archive.keep(np.zeros(160, np.int16), 1, "x")


def test_a_long_recording_is_read_piece_by_piece(tmp_path: Path) -> None:
    path = tmp_path / "long.wav"
    soundfile.write(path, np.zeros(600 * RATE, np.int16), RATE)
    with Recording(path) as recording:
        next(recording.blocks())
        assert recording._file.tell() < 2 * RATE

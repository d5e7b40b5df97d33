"""Folders of recordings are read in both layouts, and what cannot be used is named in a sentence."""

from __future__ import annotations

import errno
import unicodedata
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile

torch = pytest.importorskip("torch", reason="PyTorch is not installed: the training tests are skipped")

from assistant.announcements import load_vocabulary  # noqa: E402
from assistant.errors import HectorError, UsageError  # noqa: E402
from assistant.hearing import Corpus  # noqa: E402
from models.training import recordings  # noqa: E402
from models.training.audio import read  # noqa: E402
from models.training.judging import Judge  # noqa: E402
from models.training.lexicon import load_lexicon  # noqa: E402

LEXICON = load_lexicon()


def audio(path: Path, samples: int = 16000, rate: int = 16000, channels: int = 1) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    data = np.random.default_rng(1).normal(size=(samples, channels)) * 0.1
    soundfile.write(path, data, rate)


def test_labels_tsv_is_read_with_and_without_its_head_line(tmp_path: Path) -> None:
    audio(tmp_path / "a.wav")
    for head in ("", "file\ttext\n"):
        (tmp_path / "labels.tsv").write_text(f"{head}a.wav\tSpringer Felix drei!\n", encoding="utf-8")
        said: list[str] = []
        assert recordings.find(tmp_path, LEXICON, said.append) == [
            recordings.Recording(tmp_path / "a.wav", ("springer", "felix", "drei"))
        ]
        assert said == []


def test_what_a_player_keeps_of_his_lesson_is_read(tmp_path: Path) -> None:
    every = sorted(load_vocabulary("de").tokens)
    sound = np.ones(1600, np.int16)
    Corpus(tmp_path).add([((word,), sound) for word in every] + [(("springer", "felix", "drei"), sound)])
    said: list[str] = []
    found = recordings.find(tmp_path, LEXICON, said.append)
    assert [each.words for each in found] == [*((word,) for word in every), ("springer", "felix", "drei")]
    assert said == []


def test_common_voices_layout_is_read(tmp_path: Path) -> None:
    audio(tmp_path / "clips" / "common_voice_de_1.mp3")
    (tmp_path / "validated.tsv").write_text(
        "client_id\tpath\tsentence\tup_votes\n"
        'x\tcommon_voice_de_1.mp3\tLäufer "Cäsar" fünf.\t2\n'
        "x\tcommon_voice_de_2.mp3\tDas ist etwas anderes.\t2\n",
        encoding="utf-8",
    )
    said: list[str] = []
    found = recordings.find(tmp_path, LEXICON, said.append)
    assert found == [
        recordings.Recording(tmp_path / "clips" / "common_voice_de_1.mp3", ("laeufer", "cesar", "fuenf"))
    ]
    assert len(said) == 1 and "not in the lexicon" in said[0] and "anderes" in said[0]
    assert len(read(found[0].path)) > 0.9 * 16000


def test_what_a_player_keeps_hides_nothing_of_common_voices_layout(tmp_path: Path) -> None:
    audio(tmp_path / "clips" / "a.wav")
    (tmp_path / "validated.tsv").write_text("path\tsentence\na.wav\tanna eins\n")
    Corpus(tmp_path).add([(("turm", "eva", "vier"), np.ones(1600, np.int16))])
    found = recordings.find(tmp_path, LEXICON, lambda _: None)
    assert {each.words for each in found} == {("anna", "eins"), ("turm", "eva", "vier")}


def test_a_recording_that_both_layouts_name_counts_once(tmp_path: Path) -> None:
    for name in ("a.wav", "b.wav"):
        audio(tmp_path / "clips" / name)
    (tmp_path / "validated.tsv").write_text("path\tsentence\na.wav\tanna eins\nb.wav\tja\n")
    (tmp_path / "labels.tsv").write_text("clips/a.wav\tAnna eins.\nclips/b.wav\tnein\n")
    said: list[str] = []
    (found,) = recordings.find(tmp_path, LEXICON, said.append)
    assert (found.path.name, found.words) == ("a.wav", ("anna", "eins"))
    assert said == [f"1 recordings of {tmp_path} have several transcripts and were left out."]


def test_what_is_left_out_is_said_once_for_each_kind(tmp_path: Path) -> None:
    audio(tmp_path / "a.wav")
    (tmp_path / "labels.tsv").write_text("a.wav\t\nb.wav\tanna eins\na.wav\tanna quark\na.wav\n")
    said: list[str] = []
    assert recordings.find(tmp_path, LEXICON, said.append) == []
    assert [line.split()[0] for line in said] == ["2", "1", "1"]
    assert all(line.endswith(".") and "\n" not in line for line in said)


@pytest.mark.parametrize(
    ("name", "content", "complaint"),
    [
        (None, "", "transcripts"),
        ("validated.tsv", "a\tb\n1\t2\n", "path and sentence"),
        ("labels.tsv", b"\xff\xfe\xff", "are not UTF-8"),
        ("labels.tsv", b"", "name no recordings"),
        ("labels.tsv", "file\ttext\n", "name no recordings"),
        ("validated.tsv", "path\tsentence\na.mp3\t" + "anna " * 30_000, "not a table"),
    ],
)
def test_a_folder_without_usable_transcripts_is_refused(
    tmp_path: Path, name: str | None, content: str | bytes, complaint: str
) -> None:
    if name:
        (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(UsageError, match=complaint):
        recordings.find(tmp_path, LEXICON, lambda _: None)


def test_transcripts_that_cannot_be_read_are_not_called_another_encoding(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object, **__: object) -> str:
        raise PermissionError(errno.EACCES, "Permission denied")

    (tmp_path / "labels.tsv").touch()
    monkeypatch.setattr(Path, "read_text", refused)
    with pytest.raises(UsageError, match=r"cannot be read: Permission denied\.$"):
        recordings.find(tmp_path, LEXICON, lambda _: None)


def test_a_byte_order_mark_belongs_to_no_column(tmp_path: Path) -> None:
    audio(tmp_path / "clips" / "a.wav")
    (tmp_path / "validated.tsv").write_bytes(b"\xef\xbb\xbfpath\tsentence\na.wav\tanna eins\n")
    (found,) = recordings.find(tmp_path, LEXICON, lambda _: None)
    assert found.words == ("anna", "eins")


def test_a_name_that_no_file_can_have_is_not_there(tmp_path: Path) -> None:
    audio(tmp_path / "a.wav")
    (tmp_path / "labels.tsv").write_text(f"{'x' * 300}.wav\tanna eins\na.wav\tanna eins\n")
    said: list[str] = []
    assert len(recordings.find(tmp_path, LEXICON, said.append)) == 1
    assert len(said) == 1 and said[0].startswith("1 recordings that the transcripts")


def test_a_recording_that_is_not_there_is_named_as_the_transcripts_name_it(tmp_path: Path) -> None:
    audio(tmp_path / "a.wav")
    (tmp_path / "labels.tsv").write_text('"a.wav"\tanna eins\n"b.wav"\tanna eins\n')
    said: list[str] = []
    recordings.find(tmp_path, LEXICON, said.append)
    assert said == [f'2 recordings that the transcripts in {tmp_path} name are not there, as "a.wav".']


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (unicodedata.normalize("NFD", "Läufer fünf"), ("laeufer", "fuenf")),
        ("J’adoube!", ("jadoube",)),
        ("En-passant", ("enpassant",)),
        ("en  passant", ("enpassant",)),
        ("Ich nehme an.", ("ich", "nehmean")),
        ("ich nehme Anna acht", ("ich", "nehme", "anna", "acht")),
        ("Eva acht Umwandlung in Dame", ("eva", "acht", "umwandlungin", "dame")),
        ("Springer F – drei", ("springer", "f", "drei")),
    ],
)
def test_a_transcript_may_be_typed_in_several_ways(text: str, words: tuple[str, ...]) -> None:
    assert recordings.tokens(text) == words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("спрингер ja", ("спрингер", "ja")),
        ("ja 北京 nein", ("ja", "北京", "nein")),
        ("remisé ja", ("remisé", "ja")),
        ("ja & ñ", ("ja", "&", "ñ")),
        ("„ja“ … nein\u2028anna\u0085eins", ("ja", "nein", "anna", "eins")),
        ("an\u00adna", ("anna",)),
    ],
)
def test_no_word_of_a_transcript_is_passed_over(text: str, words: tuple[str, ...]) -> None:
    assert recordings.tokens(text) == words


def test_a_transcript_in_other_letters_is_one_of_other_words(tmp_path: Path) -> None:
    audio(tmp_path / "a.wav")
    (tmp_path / "labels.tsv").write_text("a.wav\tспрингер\n", encoding="utf-8")
    said: list[str] = []
    assert recordings.find(tmp_path, LEXICON, said.append) == []
    assert len(said) == 1 and "not in the lexicon (most often спрингер)" in said[0]


def test_a_line_ends_only_where_the_file_says_so(tmp_path: Path) -> None:
    audio(tmp_path / "a.wav")
    (tmp_path / "labels.tsv").write_bytes("a.wav\tanna\u0085eins\r\n".encode())
    (found,) = recordings.find(tmp_path, LEXICON, lambda _: None)
    assert found.words == ("anna", "eins")


def test_a_recording_with_several_transcripts_is_left_out(tmp_path: Path) -> None:
    audio(tmp_path / "a.wav")
    audio(tmp_path / "b.wav")
    (tmp_path / "labels.tsv").write_text("a.wav\tanna eins\nb.wav\tja\na.wav\tanna zwei\nb.wav\tJa!\n")
    said: list[str] = []
    (found,) = recordings.find(tmp_path, LEXICON, said.append)
    assert (found.path.name, found.words) == ("b.wav", ("ja",))
    assert said == [f"1 recordings of {tmp_path} have several transcripts and were left out."]


def test_a_recording_of_more_than_a_phrase_is_left_out(tmp_path: Path, speech: Any) -> None:
    soundfile.write(tmp_path / "long.wav", np.full(41 * 8000, 0.5), 8000)
    said: list[str] = []
    found = [recordings.Recording(tmp_path / "long.wav", ("anna",))]
    assert list(recordings.utterances(found, Judge(speech.aligner(speech.anna)), said.append)) == []
    assert len(said) == 1 and said[0].endswith("long.wav is longer than 40 seconds: cut it into its phrases.")


def test_a_file_in_place_of_the_folder_is_called_a_file(tmp_path: Path) -> None:
    (tmp_path / "labels.tsv").write_text("a.wav\tanna eins\n")
    with pytest.raises(UsageError, match=r"labels\.tsv is a file: name the folder of the recordings, as "):
        recordings.find(tmp_path / "labels.tsv", LEXICON, lambda _: None)


def test_a_missing_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="does not exist"):
        recordings.find(tmp_path / "none", LEXICON, lambda _: None)


def test_any_rate_and_number_of_channels_becomes_16_khz_mono(tmp_path: Path) -> None:
    audio(tmp_path / "a.flac", 44100, 44100, 2)
    wave = read(tmp_path / "a.flac")
    assert wave.ndim == 1 and abs(len(wave) - 16000) <= 1 and 300 < wave.std() < 4000


def test_channels_that_cancel_each_other_are_heard(tmp_path: Path) -> None:
    sound = np.random.default_rng(1).normal(size=16000) * 0.1
    soundfile.write(tmp_path / "a.wav", np.stack([sound, -sound], axis=1), 16000)
    wave = read(tmp_path / "a.wav")
    assert np.abs(np.abs(wave) - np.abs(sound) * 32768).max() < 2


def test_a_damaged_channel_is_no_channel_that_cancels(tmp_path: Path) -> None:
    data = np.full((1600, 2), 0.5, np.float32)
    data[7, 1] = float("nan")
    soundfile.write(tmp_path / "a.wav", data, 16000, subtype="FLOAT")
    with pytest.raises(HectorError, match="no numbers"):
        read(tmp_path / "a.wav")


@pytest.mark.parametrize("content", [b"", b"RIFF\0\0\0\0WAVE", b"no audio at all"])
def test_broken_audio_is_one_sentence_and_others_go_on(tmp_path: Path, content: bytes, speech: Any) -> None:
    truth = speech.anna + speech.acht
    (tmp_path / "broken.wav").write_bytes(content)
    soundfile.write(tmp_path / "good.wav", np.ones(len(truth) * 480) * 0.5, 16000)
    soundfile.write(tmp_path / "silent.wav", np.zeros(16000), 16000)
    found = [
        recordings.Recording(tmp_path / name, ("anna", "acht"))
        for name in ("broken.wav", "silent.wav", "good.wav")
    ]
    said: list[str] = []
    made = list(recordings.utterances(found, Judge(speech.aligner(truth)), said.append))
    assert [u.voice for u in made] == ["good.wav"]
    assert made[0].words == ("anna", "acht")
    assert len(said) == 2 and "broken.wav" in said[0] and "silent" in said[1]
    with pytest.raises(HectorError):
        read(tmp_path / "broken.wav")


@pytest.mark.parametrize(
    ("name", "rate", "sample"),
    [
        ("slow.wav", 3_999, 0.5),
        ("fast.wav", 2**31 - 1, 0.5),
        ("nan.wav", 16_000, float("nan")),
        ("infinite.wav", 16_000, -float("inf")),
        ("too-loud.wav", 16_000, 1e37),
    ],
)
def test_a_damaged_header_or_sample_is_no_recording(
    tmp_path: Path, name: str, rate: int, sample: float
) -> None:
    data = np.full(1600, 0.5, np.float32)
    data[7] = sample
    soundfile.write(tmp_path / name, data, rate, subtype="FLOAT")
    with pytest.raises(HectorError, match=name):
        read(tmp_path / name)


def test_a_recording_shorter_than_a_sample_is_left_out_with_its_name(tmp_path: Path, speech: Any) -> None:
    soundfile.write(tmp_path / "click.wav", [0.5], 48_000)
    said: list[str] = []
    found = [recordings.Recording(tmp_path / "click.wav", ("anna",))]
    assert list(recordings.utterances(found, Judge(speech.aligner(speech.anna)), said.append)) == []
    assert said == [f"Left out: {tmp_path / 'click.wav'} holds no sound."]


def test_a_header_that_promises_more_than_the_memory_holds_is_no_recording(tmp_path: Path) -> None:
    audio(tmp_path / "a.flac")
    flac = bytearray((tmp_path / "a.flac").read_bytes())
    # The number of samples is the last 36 bits of these eight bytes.
    flac[21] |= 0x0F
    flac[22:26] = b"\xff" * 4
    (tmp_path / "a.flac").write_bytes(flac)
    with pytest.raises(HectorError, match=r"a\.flac is not an audio file"):
        read(tmp_path / "a.flac")


def test_a_long_recording_is_read_only_as_far_as_it_takes_to_leave_it_out(tmp_path: Path) -> None:
    soundfile.write(tmp_path / "game.flac", np.full(100 * 8000, 0.5), 8000)
    assert recordings.LONGEST * 16_000 < len(read(tmp_path / "game.flac")) < 42 * 16_000


def test_samples_without_a_header_are_no_recording(tmp_path: Path) -> None:
    (tmp_path / "a.raw").write_bytes(b"\0\1" * 800)
    with pytest.raises(HectorError, match=r"a\.raw is not an audio file"):
        read(tmp_path / "a.raw")

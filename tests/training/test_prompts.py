"""People's recordings in other languages become phones with labels, or are left out."""

from __future__ import annotations

import gzip
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile

pytest.importorskip("torch", reason="PyTorch is not installed: the training tests are skipped")

from assistant.errors import HectorError
from models.training import prompts
from models.training.lexicon import IGNORE, load_lexicon

LEXICON = load_lexicon()
SOUNDS = prompts.load_sounds(LEXICON)


def phones(said: list[prompts.Unit]) -> str:
    return " ".join(sound.phone for unit in said for sound in unit.forms[0])


@pytest.mark.parametrize(
    ("ipa", "expected"),
    [
        ("d_ˈo_s", "d oo s"),
        ("ˈo_t_ʃ_o", "oo t S oo"),
        ("s_ɛ_t a_ʒ_ˈɑ̃\n", "s eh t a S aa"),
        ("_pʲ_i_r_ˈɑ", "p ii r aa"),
        ("ja l_a-", "j a l a"),
        ("ʔ_a", "a"),
    ],
)
def test_what_espeak_writes_becomes_phones(ipa: str, expected: str) -> None:
    found = prompts.units(ipa, SOUNDS)
    assert found is not None and phones(found) == expected


def test_an_unknown_sound_makes_no_phones() -> None:
    assert prompts.units("a_ǃ_a", SOUNDS) is None


def test_the_espeak_of_every_language_writes_sounds_of_the_table() -> None:
    text = {"ru": "Номер", "bg": "Буква", "el": "Ένα μήλο", "lt": "namas", "hu": "alma", "da": "hund"}
    for speaker in prompts.SPEAKERS:
        ipa = prompts.ipa(text.get(speaker.language, "animal"), speaker.language)
        assert prompts.units(ipa, SOUNDS), f"{speaker.language}: {ipa}"


def test_a_wrong_phone_is_named_with_its_line(tmp_path: Path) -> None:
    table = tmp_path / "ipa.txt"
    table.write_text("# sounds\na = a\nq = qq\n", encoding="utf-8")
    with pytest.raises(HectorError, match='line 3: "qq" is not a phone'):
        prompts.load_sounds(LEXICON, table)


def test_a_line_without_a_sound_is_named(tmp_path: Path) -> None:
    table = tmp_path / "ipa.txt"
    table.write_text("a a\n", encoding="utf-8")
    with pytest.raises(HectorError, match="line 1"):
        prompts.load_sounds(LEXICON, table)


def unit(phone: str, teaches: bool = True) -> prompts.Unit:
    return prompts.Unit(((prompts.Sound(phone),),), teaches)


def test_a_recording_is_cut_in_its_pause_and_foreign_sounds_teach_nothing(speech: Any) -> None:
    truth = speech.anna + speech.pause * 2 + speech.acht
    said = [unit("a"), unit("n", teaches=False), unit("a"), unit("a"), unit("k"), unit("t")]
    made = list(prompts.pieces(speech.wave(truth), said, speech.aligner(truth), "x"))
    assert len(made) == 2
    first, second = made
    assert IGNORE in first.labels and LEXICON.number("n") not in first.labels
    assert LEXICON.number("k") in second.labels and IGNORE not in second.labels
    assert sum(len(piece.wave) for piece in made) == len(speech.wave(truth))


def test_what_does_not_sound_like_its_text_is_left_out(speech: Any) -> None:
    truth = speech.anna + speech.acht
    said = [unit(phone) for phone in ("f", "ee", "l", "ih", "s")]
    assert list(prompts.pieces(speech.wave(truth), said, speech.aligner(truth), "x")) == []


def a_speaker(name: str) -> prompts.Speaker:
    return next(speaker for speaker in prompts.SPEAKERS + prompts.STRANGERS if speaker.name == name)


def test_the_name_of_a_file_may_be_what_is_said(tmp_path: Path) -> None:
    (tmp_path / "klettres/de/syllab").mkdir(parents=True)
    for name in ("01-a", "27-oe"):
        (tmp_path / f"klettres/de/syllab/{name}.ogg").touch()
    assert [text for _, text in a_speaker("klettres-de").texts(tmp_path)] == ["a", "ö"]


def test_a_picture_is_described_in_the_language_that_was_recorded(tmp_path: Path) -> None:
    stamps = tmp_path / "tuxpaint/stamps/animals"
    stamps.mkdir(parents=True)
    (stamps / "horse.txt").write_text("A horse.\nca.utf8=Un cavall.\nes.utf8=Un caballo.\n", encoding="utf-8")
    (stamps / "coin.txt").write_text("A coin.\nes.utf8=Una moneda (0,01 $).\n", encoding="utf-8")
    for name in ("horse_desc_es", "horse_desc_fr", "coin_desc_es", "nothing_desc_es"):
        (stamps / f"{name}.ogg").touch()
    assert list(a_speaker("tuxpaint-es").texts(tmp_path)) == [(stamps / "horse_desc_es.ogg", "Un caballo.")]
    assert list(a_speaker("tuxpaint-fr").texts(tmp_path)) == []


def test_the_german_words_are_known_by_name_and_can_be_said(tmp_path: Path) -> None:
    folder = tmp_path / "ktuberling/sounds/de"
    folder.mkdir(parents=True)
    names = [line.split(" = ") for _, line in prompts.data_lines(prompts.HERE / "german-words.txt")]
    assert len(names) > 60
    for name, _ in names:
        (folder / f"{name}.ogg").touch()
    (folder / "unknown.ogg").touch()
    said = [text for _, text in a_speaker("ktuberling-de").texts(tmp_path)]
    assert said == [text for _, text in names]
    for text in said:
        assert prompts.units(prompts.ipa(text, "de"), SOUNDS), text


def test_those_who_measure_are_in_no_training() -> None:
    trained = {(speaker.folder, speaker.language) for speaker in prompts.SPEAKERS}
    assert not trained & {(speaker.folder, speaker.language) for speaker in prompts.STRANGERS}


def test_a_program_that_hangs_ends_no_training(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prompts, "_LONG_ENOUGH", 0.05)
    assert prompts._output(["sleep", "5"]) == b""


def test_a_described_picture_becomes_an_utterance(tmp_path: Path, speech: Any) -> None:
    speaker, truth = a_speaker("tuxpaint-ca"), speech.anna
    stamps = tmp_path / "tuxpaint/stamps"
    stamps.mkdir(parents=True)
    assert speaker not in prompts.installed(tmp_path)
    for name in ("one", "broken"):
        (stamps / f"{name}.txt").write_text("A name.\nca.utf8=Ana\n", encoding="utf-8")
    (stamps / "broken_desc_ca.ogg").write_bytes(b"no sound")
    soundfile.write(stamps / "one_desc_ca.ogg", np.full(len(truth) * 480, 9000, np.int16), 16000)
    assert prompts.installed(tmp_path) == [speaker]
    (found,) = prompts.utterances(LEXICON, speaker, speech.aligner(truth), tmp_path)
    assert found.voice == speaker.name
    assert LEXICON.number("n") in found.labels


needs_ffmpeg = pytest.mark.skipif(shutil.which("ffmpeg") is None, reason="ffmpeg is not installed")


@needs_ffmpeg
def test_recordings_are_found_with_their_texts(tmp_path: Path, speech: Any) -> None:
    """A folder as Debian installs it: telephone recordings and a list of what is said in them."""
    speaker = prompts.SPEAKERS[0]
    folder = tmp_path / speaker.folder
    folder.mkdir(parents=True)
    truth = speech.anna
    soundfile.write(tmp_path / "a.wav", np.full(len(truth) * 480, 9000, np.int16), 16000)
    made = ["ffmpeg", "-v", "error", "-i", str(tmp_path / "a.wav"), "-c:a", "g722", str(folder / "ana.g722")]
    subprocess.run(made, check=True)
    (folder / "broken.g722").write_bytes(b"")
    assert speaker not in prompts.installed(tmp_path)
    texts = tmp_path / "doc/asterisk-core-sounds-es/core-sounds-es.txt.gz"
    texts.parent.mkdir(parents=True)
    with gzip.open(texts, "wt", encoding="utf-8") as stream:
        stream.write("; Spanish\n\nana: Ana\nbroken: Ana\nabsent: Ana\nana: " + "Ana " * 40)
    assert prompts.installed(tmp_path) == [speaker]
    found = list(prompts.utterances(LEXICON, speaker, speech.aligner(truth), tmp_path))
    assert [one.voice for one in found] == [speaker.name]
    assert LEXICON.number("n") in found[0].labels

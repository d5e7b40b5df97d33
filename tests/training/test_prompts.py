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
from models.training import prompts, speakers
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
    for speaker in speakers.SPEAKERS:
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


def a_speaker(name: str) -> speakers.Speaker:
    return next(speaker for speaker in speakers.SPEAKERS + speakers.STRANGERS if speaker.name == name)


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


def headings() -> dict[tuple[str, str], list[tuple[str, str]]]:
    """What `said.txt` tells, by package and language."""
    found: dict[tuple[str, str], list[tuple[str, str]]] = {}
    of = ("", "")
    for _, line in prompts.data_lines(prompts.HERE / "said.txt"):
        name, equals, text = line.partition(" = ")
        if equals:
            found[of].append((name, text))
        else:
            package, language = line.strip("[]").split()
            of = (package, language)
            found[of] = []
    return found


WRITTEN = [
    (speaker, speaker.folder.partition("/")[0], speaker.language.partition("-")[0])
    for speaker in speakers.SPEAKERS + speakers.STRANGERS
    if speaker.folder.startswith(("ktuberling", "kajongg", "asterisk/sounds/de"))
]


@pytest.mark.parametrize(
    ("speaker", "package", "language"), WRITTEN, ids=[speaker.name for speaker, _, _ in WRITTEN]
)
def test_what_packages_do_not_write_down_is_known_by_name(
    speaker: speakers.Speaker, package: str, language: str, tmp_path: Path
) -> None:
    names = headings()[package, language]
    assert len(names) > 15
    folder = tmp_path / speaker.folder
    for k, (name, _) in enumerate(names):
        path = folder / f"{name}{('.ogg', '.opus', '.wav', '.gsm')[k % 4]}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    (folder / "unknown.ogg").touch()
    said = [text for _, text in speaker.texts(tmp_path)]
    assert said == [text for _, text in names]
    ipas = [prompts.ipa(text, speaker.language) for text in said[::5]]
    assert all(prompts.units(ipa, SOUNDS) for ipa in ipas), ipas


def test_no_heading_is_left_without_a_speaker() -> None:
    assert set(headings()) == {(package, language) for _, package, language in WRITTEN}


def test_germans_who_count_are_a_pool_of_their_own() -> None:
    counted = [speaker.name for speaker in speakers.SPEAKERS if speaker.pool == speakers.COUNTED]
    assert counted == ["kajongg-de-female1", "kajongg-de-male1", "asterisk-de-digits"]


def test_a_word_may_be_the_name_of_its_file(tmp_path: Path) -> None:
    speaker = a_speaker("qabcs-en")
    folder = tmp_path / speaker.folder
    folder.mkdir(parents=True)
    (folder / "ice_cream.ogg").touch()
    assert list(speaker.texts(tmp_path)) == [(folder / "ice_cream.ogg", "ice cream")]


def test_an_actor_says_the_subtitles_of_his_role(tmp_path: Path) -> None:
    game = tmp_path / "games/fillets-ng"
    (game / "script/city").mkdir(parents=True)
    (game / "script/city/dialogs_cs.lua").write_text(
        """
dialogId("vit-m-hlava", "font_small", "What an ugly head.")
dialogStr("To je ale \\"ošklivá\\" hlava.")

dialogId("vit-v-krabi", "font_big", "Crabs.")
dialogStr("Krabi.")
dialogId("vit-hs-klid", "font_statue", "Remain calm.")
dialogStr("Zachovejte klid.")
dialogId("vit-hs-hodin", "font_statue", "%1 hours.")
dialogStr("Konkrétně %1 hodin!")
dialogId("vit-m-nikdo", "font_small", "Nobody said this.")
dialogStr("Tohle nikdo neřekl.")
""",
        encoding="utf-8",
    )
    sound = game / "sound/city/cs"
    sound.mkdir(parents=True)
    for name in ("vit-m-hlava", "vit-v-krabi", "vit-hs-klid", "vit-hs-hodin"):
        (sound / f"{name}.ogg").touch()
    said = {role: list(a_speaker(f"fillets-cs-{role}").texts(tmp_path)) for role in ("m", "v", "others")}
    assert said == {
        "m": [(sound / "vit-m-hlava.ogg", 'To je ale "ošklivá" hlava.')],
        "v": [(sound / "vit-v-krabi.ogg", "Krabi.")],
        "others": [(sound / "vit-hs-klid.ogg", "Zachovejte klid.")],
    }


def test_sentences_of_a_voice_come_without_their_stresses(tmp_path: Path) -> None:
    speaker = a_speaker("festvox-ru")
    folder = tmp_path / speaker.folder
    (folder / "etc").mkdir(parents=True)
    assert list(speaker.texts(tmp_path)) == []
    (folder / "etc/txt.done.data").write_text(
        '( ru_0001 "М+ама м+ыла р+аму." )\n( ru_0002 "Нет." )\n', encoding="utf-8"
    )
    (folder / "wav").mkdir()
    (folder / "wav/ru_0001.wav").touch()
    assert list(speaker.texts(tmp_path)) == [(folder / "wav/ru_0001.wav", "Мама мыла раму.")]


def test_those_who_measure_are_in_no_training() -> None:
    trained = {(speaker.folder, speaker.language) for speaker in speakers.SPEAKERS}
    assert not trained & {(speaker.folder, speaker.language) for speaker in speakers.STRANGERS}


def test_without_espeak_nobody_tells_how_a_text_sounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda _: None)
    with pytest.raises(HectorError, match="install espeak-ng"):
        prompts.ipa("animal", "es")


def test_a_program_that_hangs_ends_no_training(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prompts, "_LONG_ENOUGH", 0.05)
    assert prompts._output(["sleep", "5"]) == b""


def test_a_described_picture_becomes_an_utterance(tmp_path: Path, speech: Any) -> None:
    speaker, truth = a_speaker("tuxpaint-ca"), speech.anna
    stamps = tmp_path / "tuxpaint/stamps"
    stamps.mkdir(parents=True)
    assert speaker not in speakers.installed(tmp_path)
    for name in ("one", "broken"):
        (stamps / f"{name}.txt").write_text("A name.\nca.utf8=Ana\n", encoding="utf-8")
    (stamps / "broken_desc_ca.ogg").write_bytes(b"no sound")
    soundfile.write(stamps / "one_desc_ca.ogg", np.full(len(truth) * 480, 9000, np.int16), 16000)
    assert speakers.installed(tmp_path) == [speaker]
    (found,) = prompts.utterances(LEXICON, speaker, speech.aligner(truth), tmp_path)
    assert found.voice == speaker.name
    assert LEXICON.number("n") in found.labels


needs_ffmpeg = pytest.mark.skipif(shutil.which("ffmpeg") is None, reason="ffmpeg is not installed")


@needs_ffmpeg
def test_recordings_are_found_with_their_texts(tmp_path: Path, speech: Any) -> None:
    """A folder as Debian installs it: telephone recordings and a list of what is said in them."""
    speaker = speakers.SPEAKERS[0]
    folder = tmp_path / speaker.folder
    folder.mkdir(parents=True)
    truth = speech.anna
    soundfile.write(tmp_path / "a.wav", np.full(len(truth) * 480, 9000, np.int16), 16000)
    made = ["ffmpeg", "-v", "error", "-i", str(tmp_path / "a.wav"), "-c:a", "g722", str(folder / "ana.g722")]
    subprocess.run(made, check=True)
    (folder / "broken.g722").write_bytes(b"")
    assert speaker not in speakers.installed(tmp_path)
    texts = tmp_path / "doc/asterisk-core-sounds-es/core-sounds-es.txt.gz"
    texts.parent.mkdir(parents=True)
    with gzip.open(texts, "wt", encoding="utf-8") as stream:
        stream.write("; Spanish\n\nana: Ana\nbroken: Ana\nabsent: Ana\nana: " + "Ana " * 40)
    assert speakers.installed(tmp_path) == [speaker]
    found = list(prompts.utterances(LEXICON, speaker, speech.aligner(truth), tmp_path))
    assert [one.voice for one in found] == [speaker.name]
    assert LEXICON.number("n") in found[0].labels

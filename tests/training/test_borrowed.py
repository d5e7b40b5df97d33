"""An accent said by somebody else's voice is still that accent, and still the same words."""

from __future__ import annotations

import random

import pytest

pytest.importorskip("scipy", reason="the training extra is not installed: its tests are skipped")

from models.training.borrowed import Borrowed, foreigners
from models.training.lexicon import Accent, load_accents, load_lexicon

LEXICON = load_lexicon()
ACCENTS = load_accents(LEXICON)
VOICES = [accent for accent in ACCENTS.values() if accent.engine != "espeak"]
STRANGERS = foreigners(LEXICON, [accent for accent in ACCENTS.values() if accent.engine == "espeak"])


def speakers(accent: str, voice: str, count: int = 60) -> list[Borrowed]:
    rng = random.Random(4)
    some = foreigners(LEXICON, [ACCENTS[accent]])
    return [some.speaker(ACCENTS[voice], rng) for _ in range(count)]


def ways(accent: str, voice: str, word: str) -> set[str]:
    form = LEXICON.words[word][0]
    said = (speaker.says(form, LEXICON.vowels) for speaker in speakers(accent, voice))
    return {" ".join(symbol for symbols, _ in each for symbol in symbols) for each in said}


@pytest.mark.parametrize("voice", VOICES, ids=lambda voice: voice.name)
def test_every_sound_of_every_word_keeps_its_place_and_its_name(voice: Accent) -> None:
    rng = random.Random(1)
    for forms in LEXICON.words.values():
        for form in forms:
            said = STRANGERS.speaker(voice, rng).says(form, LEXICON.vowels)
            assert tuple(sound for _, sound in said if sound is not None) == form
            assert any(symbols for symbols, _ in said)


@pytest.mark.parametrize("voice", VOICES, ids=lambda voice: voice.name)
def test_a_voice_is_given_only_sounds_that_it_knows(voice: Accent) -> None:
    known = {symbol for forms in voice.sounds.values() for form in forms for symbol in form}
    rng = random.Random(2)
    for _ in range(40):
        speaker = STRANGERS.speaker(voice, rng)
        for forms in LEXICON.words.values():
            for symbols, _ in speaker.says(forms[0], LEXICON.vowels):
                assert set(symbols) <= known


def test_a_czech_who_speaks_as_spaniards_do_says_ektor_or_chektor() -> None:
    said = {way.split()[0] for way in ways("spanish", "festival-czech", "hector")}
    assert "ch" in said
    assert {"e", "e:"} & said


def test_a_consonant_keeps_its_voice_though_its_language_ends_no_word_with_one() -> None:
    assert all(way.split()[0] == "d" for way in ways("dutch", "festival-czech", "dame"))


def test_a_speaker_says_a_word_alike_each_time() -> None:
    speaker = STRANGERS.speaker(ACCENTS["festival-czech"], random.Random(9))
    form = LEXICON.words["springer"][0]
    assert speaker.says(form, LEXICON.vowels) == speaker.says(form, LEXICON.vowels)

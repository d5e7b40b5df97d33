"""The lexicon and the accents are well formed, and say which line is not."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

pytest.importorskip("scipy", reason="the training extra is not installed: its tests are skipped")

from assistant.announcements import load_vocabulary, open_grammar
from assistant.errors import HectorError
from models.training import phrases
from models.training.kaldi import Transitions
from models.training.lexicon import load_accents, load_lexicon, position_phones

LEXICON = load_lexicon()
ACCENTS = load_accents(LEXICON)


def test_every_word_of_the_open_grammar_has_a_pronunciation() -> None:
    words = {word for _, word, _ in open_grammar(load_vocabulary()).arcs}
    assert words <= set(LEXICON.words)


def test_every_training_phrase_is_made_of_the_lexicons_words() -> None:
    rng = random.Random(1)
    for _ in range(3000):
        assert set(phrases.utterance(LEXICON, rng)) <= set(LEXICON.words)


def test_training_says_every_word_of_the_lexicon() -> None:
    rng = random.Random(1)
    assert {word for _ in range(6000) for word in phrases.utterance(LEXICON, rng)} == set(LEXICON.words)


def test_invented_words_have_one_stress_and_known_phones() -> None:
    rng = random.Random(2)
    for _ in range(1000):
        word = phrases.invented_word(LEXICON, rng)
        assert sum(sound.stressed for sound in word) == 1
        assert {sound.phone for sound in word} <= set(LEXICON.phones[1:])


def test_two_different_squares_never_sound_the_same() -> None:
    forms = {}
    for word in (*phrases.FILES, *phrases.RANKS):
        for form in LEXICON.words[word]:
            sounds = tuple(sound.phone for sound in form)
            assert forms.setdefault(sounds, word) == word


def test_at_least_twelve_languages_colour_the_training_and_none_that_measures() -> None:
    used = {a.voice for a in ACCENTS.values() if a.engine == "espeak" and not a.held_out}
    assert len(used - {"de"}) >= 12
    assert not used & {"it", "nl"}


def test_a_speaker_keeps_his_accent_and_says_every_word() -> None:
    for accent in ACCENTS.values():
        speaker = accent.speaker(random.Random(3))
        for forms in LEXICON.words.values():
            for form in forms:
                assert any(symbols for symbols, _ in speaker.says(form, LEXICON.vowels))


def test_the_coda_r_of_the_uvular_accent_differs_from_the_onset() -> None:
    speaker = ACCENTS["uvular"].speaker(random.Random(1))
    drei, vier = LEXICON.words["drei"][0], LEXICON.words["vier"][0]
    assert speaker.says(drei, LEXICON.vowels)[1][0] == speaker.sounds["r-onset"]
    assert speaker.says(vier, LEXICON.vowels)[2][0] == speaker.sounds["r-coda"]


def test_phone_ids_and_their_outputs_follow_their_rule() -> None:
    transitions = Transitions(LEXICON.phones)
    names = position_phones(LEXICON.phones)
    assert names[0] == "SIL" and len(set(names)) == 1 + 4 * 38
    assert transitions.names == names
    for name, output in zip(names, transitions._output, strict=True):
        assert output == LEXICON.number(name if name == "SIL" else name[:-2])


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("anna 'a q a", '"q" is not a phone'),
        ("anna", "no phones"),
        ("anna a n a", "exactly one stressed"),
        ("anna 'a n a\nanna 'a n a", "twice"),
    ],
)
def test_a_mistake_in_the_lexicon_is_named_with_its_line(tmp_path: Path, line: str, complaint: str) -> None:
    path = tmp_path / "lexicon.txt"
    path.write_text("# words\n" + line + "\n")
    with pytest.raises(HectorError, match=complaint) as caught:
        load_lexicon(path)
    assert f"line {2 + line.count(chr(10))}" in str(caught.value)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("[x espeak]\n", "section"),
        ("[x espeak de]\nqq = a\n", "not a phone"),
        ("[x espeak de]\na = a\n", "aa"),
    ],
)
def test_a_mistake_in_the_accents_is_named(tmp_path: Path, text: str, complaint: str) -> None:
    path = tmp_path / "accents.txt"
    path.write_text(text)
    with pytest.raises(HectorError, match=complaint):
        load_accents(LEXICON, path)

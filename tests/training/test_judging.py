"""A recording joins the training with the words that it holds, and with no others."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch", reason="PyTorch is not installed: the training tests are skipped")

from models.training.judging import MOST, Doubt, Judge, certain
from models.training.lexicon import load_lexicon
from models.training.pools import Utterance, save

LEXICON = load_lexicon()
SAID = ("anna", "acht")


def judge(speech: Any, truth: tuple[int, ...]) -> Judge:
    return Judge(speech.aligner(truth), Doubt(2.5, 20.0))


def test_the_words_that_were_said_are_labelled(speech: Any) -> None:
    truth = speech.anna + speech.acht
    labelled = judge(speech, truth).label(speech.wave(truth), SAID, "x")
    assert labelled is not None and (labelled.words, labelled.voice) == (SAID, "x")
    assert LEXICON.number("k") in labelled.labels


@pytest.mark.parametrize(
    "words",
    [
        ("felix", "zwei"),
        ("felix", "anna", "acht"),
        ("anna", "acht", "ja", "ja"),
        ("anna", "felix", "acht"),
        ("anna", "eins"),
        ("anna",),
        ("acht",),
        ("stellungswiederholung",) * 9,
    ],
)
def test_other_more_and_fewer_words_are_refused(speech: Any, words: tuple[str, ...]) -> None:
    truth = speech.anna + speech.acht
    assert judge(speech, truth).label(speech.wave(truth), words, "x") is None


@pytest.mark.parametrize("pause", [True, False])
def test_the_words_that_were_said_have_no_rivals(speech: Any, pause: bool) -> None:
    truth = speech.anna + speech.acht if pause else speech.in_a_row
    doubt = judge(speech, truth).doubt(speech.wave(truth), SAID)
    assert (doubt.word, doubt.rival) == (0.0, pytest.approx(0.0, abs=1e-6))


def test_a_word_that_fits_badly_is_refused_although_no_other_fits_better(speech: Any) -> None:
    truth = speech.anna + speech.no_word
    judged, wave = judge(speech, truth), speech.wave(truth)
    assert judged.doubt(wave, SAID).rival == pytest.approx(0.0, abs=1e-6)
    assert judged.label(wave, SAID, "x") is None


def test_what_fits_a_little_better_in_a_short_word_is_chance(speech: Any) -> None:
    """Two sounds of 30 ms: by the length of the word alone they would weigh more than three times as much."""
    judged, wave = judge(speech, speech.zwei), speech.wave(speech.zwei)
    assert judged.doubt(wave, ("drei",)).rival > 10
    assert judged.label(wave, ("drei",), "x") is not None


@pytest.mark.parametrize(("word", "rival"), [(2.5, 0.0), (0.0, 20.0), (2.6, 21.0)])
def test_a_doubt_is_too_much_where_either_part_of_it_reaches_the_limit(word: float, rival: float) -> None:
    assert Doubt(word, rival).exceeds(Doubt(2.5, 20.0))
    assert not Doubt(2.4, 19.9).exceeds(Doubt(2.5, 20.0))


def test_what_was_cut_off_is_not_found_in_the_rest(speech: Any) -> None:
    assert judge(speech, speech.anna).label(speech.wave(speech.anna), SAID, "x") is None


def test_long_silence_around_the_words_is_cut_away(speech: Any) -> None:
    truth = speech.pause * 40 + speech.anna + speech.acht + speech.pause * 60
    wave = speech.wave(truth)
    labelled = judge(speech, truth).label(wave, SAID, "x")
    assert labelled is not None
    assert 100 <= len(labelled.labels) < 170 and abs(len(labelled.wave) / 160 - len(labelled.labels)) < 1
    spoken = np.flatnonzero(labelled.labels)
    assert spoken[0] == 50 and len(labelled.labels) - 1 - spoken[-1] == 50


def test_the_limits_follow_what_the_network_makes_of_certain_words(speech: Any) -> None:
    truth = speech.anna + speech.acht
    wave = speech.wave(truth)
    known = Utterance(wave, np.zeros(len(wave) // 160, np.uint8), SAID, "x")
    strict = Judge(speech.aligner(truth)).taught_by([known] * 60).limit
    lenient = (
        Judge(speech.aligner(truth)).taught_by([known] * 40 + [known._replace(words=("anna",))] * 20).limit
    )
    assert strict.rival < lenient.rival <= MOST.rival and strict.word < MOST.word


@pytest.mark.parametrize(("count", "is_few"), [(0, True), (29, True), (30, False)])
def test_few_certain_words_say_nothing_about_the_limits(speech: Any, count: int, is_few: bool) -> None:
    known = Utterance(speech.wave(speech.in_a_row), np.zeros(0, np.uint8), SAID, "x")
    limit = Judge(speech.aligner(speech.in_a_row)).taught_by([known] * count).limit
    assert (limit == MOST) is is_few


def test_no_network_is_believed_beyond_a_limit(speech: Any) -> None:
    wrong = Utterance(speech.wave(speech.in_a_row), np.zeros(0, np.uint8), ("felix", "zwei"), "x")
    assert Judge(speech.aligner(speech.in_a_row)).taught_by([wrong] * 30).limit == MOST


def test_only_utterances_whose_words_are_known_are_certain(tmp_path: Any) -> None:
    one = Utterance(np.zeros(1600, np.int16), np.zeros(10, np.uint8), ("anna",), "me")
    for pool in ("stock", "recordings", "rhvoice"):
        save(tmp_path, pool, "0", [one, one._replace(voice=pool), one._replace(words=())])
    assert [each.voice for each in certain(tmp_path)] == ["me", "stock"]


@pytest.mark.parametrize("pools", [("stock",), ("stock", "random")])
def test_so_many_certain_utterances_are_looked_at_from_all_over_the_pools(
    tmp_path: Any, pools: tuple[str, ...]
) -> None:
    for pool in pools:
        each = Utterance(np.zeros(160, np.int16), np.zeros(1, np.uint8), ("anna",), pool)
        save(tmp_path, pool, "0", [each._replace(voice=f"{pool} {k}") for k in range(500)])
    voices = [each.voice for each in certain(tmp_path)]
    assert 120 <= len(voices) < 140
    for pool in pools:
        assert any(f"{pool} {k}" in voices for k in range(480, 500))

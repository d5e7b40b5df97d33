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


def test_few_certain_words_say_nothing_about_the_limits(speech: Any) -> None:
    assert Judge(speech.aligner(speech.anna)).taught_by([]).limit == MOST


def test_only_utterances_whose_words_are_known_are_certain(tmp_path: Any) -> None:
    one = Utterance(np.zeros(1600, np.int16), np.zeros(10, np.uint8), ("anna",), "me")
    for pool in ("stock", "recordings", "rhvoice"):
        save(tmp_path, pool, "0", [one, one._replace(voice=pool), one._replace(words=())])
    assert [each.voice for each in certain(tmp_path)] == ["me", "stock"]

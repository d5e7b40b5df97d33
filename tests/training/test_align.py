"""Forced alignment finds the words where they are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch", reason="PyTorch is not installed: the training tests are skipped")

from models.training.lexicon import load_lexicon

LEXICON = load_lexicon()


def test_labels_follow_the_sounds_to_the_frame_step(speech: Any) -> None:
    truth = speech.anna + speech.acht
    words = [LEXICON.words["anna"], LEXICON.words["acht"]]
    trace = speech.aligner(truth).trace(speech.wave(truth), words)
    # the label of a step reaches from the frame before its first to the one after it
    expected = np.repeat(truth, 3)
    assert len(trace.labels) == len(expected)
    assert (trace.labels[:-1] == expected[1:]).all()
    assert trace.loss() < 0.01


def test_the_pronunciation_that_was_spoken_is_chosen(speech: Any) -> None:
    truth = speech.anna + speech.acht
    trace = speech.aligner(truth).trace(speech.wave(truth), [LEXICON.words["anna"], LEXICON.words["acht"]])
    assert LEXICON.number("k") in trace.labels and LEXICON.number("x") not in trace.labels


def test_no_word_lies_in_the_silence_that_is_put_around(speech: Any) -> None:
    truth = speech.anna + speech.acht
    words = [LEXICON.words[word] for word in ("felix", "anna", "acht", "felix")]
    trace = speech.aligner(truth).trace(speech.wave(truth), words)
    assert all((trace.owners == word).any() for word in range(4))
    assert trace.worst_word() > 5


def test_a_recording_of_two_phrases_is_cut_in_the_silence_between(speech: Any) -> None:
    truth = speech.anna + speech.pause + speech.acht
    anna, acht = LEXICON.words["anna"][0], LEXICON.words["acht"][1]
    pieces = speech.aligner(truth).split(
        speech.wave(truth), [(("anna",), (anna,)), (("acht",), (acht,))], "x"
    )
    assert [piece.words for piece in pieces] == [("anna",), ("acht",)]
    assert sum(len(piece.wave) for piece in pieces) == len(speech.wave(truth))
    for piece in pieces:
        assert piece.labels[-1] == 0 and abs(len(piece.labels) - len(piece.wave) / 160) < 1

"""A whole lesson with a strange voice, what is kept of it, and what becomes of a file that is not right."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import ears
import numpy as np
import pytest
import soxr
from ears import Samples, quiet, say

from assistant.announcements import load_vocabulary, open_grammar
from assistant.errors import HectorError
from assistant.hearing import (
    Lesson,
    adapting,
    enrolment,
    forget_voice,
    load_model,
    load_voice,
    save_voice,
    teach,
    with_voice,
)
from assistant.hearing.engine import levelled
from assistant.hearing.enrolment import FEWEST, VOICE, OtherModelError, _Phrase, _understood
from assistant.table.learning import phrases_to_learn

Said = list[tuple[tuple[str, ...], Samples]]


def strange(words: tuple[str, ...]) -> Samples:
    """A voice with a vocal tract that is shorter than a grown-up's, in a quiet room."""
    voice = say(load_vocabulary("de").written(words), "de+m3", 170)
    shorter = soxr.resample(voice.astype(float), 1.0, 0.8).round().astype(np.int16)
    return np.concatenate([quiet(0.3), shorter, quiet(0.4)])


@cache
def said() -> tuple[tuple[tuple[str, ...], Samples], ...]:
    return tuple((words, strange(words)) for words in phrases_to_learn(load_vocabulary("de"))[:18])


@cache
def lesson() -> Lesson:
    return teach(ears.model(), open_grammar(load_vocabulary("de")), said())


def test_a_strange_voice_is_understood_as_well_and_clearer_on_phrases_left_out() -> None:
    assert lesson().count == 18
    assert lesson().after >= lesson().before
    assert lesson().loss_after < lesson().loss_before
    assert lesson().is_better


@pytest.mark.parametrize(
    ("before", "after", "loss_after", "kept"),
    [
        (10, 12, 0.3, True),
        (10, 10, 0.3, True),
        (10, 9, 0.1, False),
        (10, 12, 0.5, False),
        (10, 12, 0.495, False),
        (0, 3, 0.1, False),
    ],
)
def test_a_lesson_is_kept_only_if_nothing_became_worse(
    before: int, after: int, loss_after: float, kept: bool
) -> None:
    change = lesson().change
    assert Lesson(18, before, after, 0.5, loss_after, change).is_better is kept


def test_what_changes_nothing_is_no_clearer_however_long_the_phrases_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(adapting, "RATE", 0.0)
    by_length = sorted(said(), key=lambda each: -len(each[1]))
    # the longest in one fold, the shortest in another
    uneven = [by_length[k] for third in range(6) for k in (third, third + 6, third + 12)]
    lesson = teach(ears.model(), open_grammar(load_vocabulary("de")), uneven)
    assert np.all(lesson.change.weights == 0)
    assert lesson.loss_after == pytest.approx(lesson.loss_before)


def test_phrases_that_do_not_fit_their_words_are_never_kept() -> None:
    turned = [(words, sound) for (words, _), (_, sound) in zip(said(), said()[1:] + said()[:1], strict=True)]
    _expect_nothing(turned)


def test_noise_instead_of_a_voice_is_never_kept() -> None:
    rng = np.random.default_rng(1)
    _expect_nothing([(words, (rng.standard_normal(32_000) * 2000).astype(np.int16)) for words, _ in said()])


def _expect_nothing(phrases: Said) -> None:
    try:
        assert not teach(ears.model(), open_grammar(load_vocabulary("de")), phrases).is_better
    except HectorError as error:
        assert "Phrases that could be learnt from" in str(error)


def test_a_phrase_that_is_read_as_other_words_is_not_understood(monkeypatch: pytest.MonkeyPatch) -> None:
    readings = {1: ["eva", "vier"], 2: ["eva", "drei"], 3: []}

    class Ear:
        def __init__(self, *_: object, **__: object) -> None:
            pass

        def read(self, samples: Samples) -> SimpleNamespace:
            words = tuple(readings[len(samples)])
            return SimpleNamespace(grammatical=[SimpleNamespace(words=words)] if words else [])

    monkeypatch.setattr(enrolment, "GraphEar", Ear)
    phrases = [_Phrase(("eva", "vier"), np.zeros(length, np.int16), []) for length in readings]
    assert _understood(ears.model(), open_grammar(load_vocabulary("de")), phrases) == 1


def test_too_few_phrases_are_no_lesson() -> None:
    few = said()[: FEWEST - 1]
    with pytest.raises(HectorError, match=f"learnt from: {FEWEST - 1}, and at least {FEWEST} are needed"):
        teach(ears.model(), open_grammar(load_vocabulary("de")), few)


def test_what_was_said_instead_of_a_phrase_does_not_count_among_the_phrases() -> None:
    good, (words, _), (_, other) = said()[: FEWEST - 1], said()[-1], said()[0]
    with pytest.raises(HectorError, match=f"learnt from: {FEWEST - 1}, and"):
        teach(ears.model(), open_grammar(load_vocabulary("de")), [*good, (words, other)])


def test_a_network_of_another_make_cannot_learn() -> None:
    with pytest.raises(HectorError, match="cannot learn a voice"):
        teach(replace(ears.model(), phones=None), open_grammar(load_vocabulary("de")), said())


def test_what_was_kept_is_what_was_learnt(tmp_path: Path) -> None:
    path = save_voice(tmp_path / "ana", ears.model(), lesson())
    assert [each.name for each in path.parent.iterdir()] == [VOICE]
    loaded = load_voice(tmp_path / "ana", ears.model())
    taught = with_voice(ears.model(), lesson().change)
    assert loaded.adapted is not None and taught.adapted is not None
    assert len(loaded.adapted) == len(taught.adapted)
    assert loaded.adapted != ears.model().final_mdl()
    grammar = open_grammar(load_vocabulary("de"))
    phrases = [_Phrase(words, levelled(sound), []) for words, sound in said()[:6]]
    assert _understood(loaded, grammar, phrases) == _understood(taught, grammar, phrases)


def test_whoever_has_taught_nothing_is_heard_by_the_model_as_it_is(tmp_path: Path) -> None:
    assert load_voice(tmp_path / "nobody", ears.model()) is ears.model()


def test_a_voice_is_forgotten_once(tmp_path: Path) -> None:
    save_voice(tmp_path, ears.model(), lesson())
    assert forget_voice(tmp_path)
    assert not forget_voice(tmp_path)
    assert load_voice(tmp_path, ears.model()) is ears.model()


def test_a_voice_of_another_model_is_left_aside(tmp_path: Path) -> None:
    save_voice(tmp_path, ears.model(), lesson())
    other = ears.copy_of_model(tmp_path)
    statistics = other / "am" / "global_cmvn.stats"
    statistics.write_bytes(statistics.read_bytes()[:-1] + b"\x01")
    command = re.escape(f"hector practise --learn --player {tmp_path.name} --model {other}")
    with pytest.raises(OtherModelError, match=f"learnt with another acoustic model.*: {command}$"):
        load_voice(tmp_path, load_model(other))


def test_a_voice_is_learnt_anew_for_the_model_that_hears_where_none_is_named(tmp_path: Path) -> None:
    folder = tmp_path / "ana maria"
    path = save_voice(folder, ears.model(), lesson())
    path.write_text(_with("model", "other")(path.read_text(encoding="ascii")), encoding="ascii")
    with pytest.raises(OtherModelError, match=r": hector practise --learn --player 'ana maria'$"):
        load_voice(folder, load_model())


@pytest.mark.parametrize("content", ["damaged", None])
def test_no_lesson_is_advised_for_a_model_that_cannot_learn(tmp_path: Path, content: str | None) -> None:
    path = save_voice(tmp_path, ears.model(), lesson())
    if content is not None:
        path.write_text(content, encoding="ascii")
    with pytest.raises(OtherModelError, match=r"is left aside: the model .* cannot learn one\.$"):
        load_voice(tmp_path, replace(ears.model(), phones=None))


def _with(key: str, value: object) -> Callable[[str], str]:
    return lambda text: json.dumps({**json.loads(text), key: value})


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    "damage",
    [
        lambda text: text[: len(text) // 2],
        lambda text: "",
        lambda text: "[]",
        lambda text: "{}",
        lambda text: "[" * 100_000,
        lambda text: text.replace("0.", "nonsense", 1),
        _with("format", 2),
        _with("weights", [[0.0]]),
        _with("weights", [[1.0, 2.0], [3.0]]),
        _with("weights", {"a": 1}),
        _with("bias", [float("nan")] * 39),
        _with("bias", [1e30] * 39),
        _with("bias", [1e39] * 39),
        _with("bias", [None] * 39),
        _with("bias", "x"),
    ],
)
def test_a_damaged_file_is_told_of_in_one_sentence(tmp_path: Path, damage: Callable[[str], str]) -> None:
    path = save_voice(tmp_path, ears.model(), lesson())
    path.write_text(damage(path.read_text(encoding="ascii")), encoding="ascii")
    with pytest.raises(HectorError, match=r"is damaged and is left aside.* --learn --player "):
        load_voice(tmp_path, ears.model())


def test_bytes_that_are_no_text_are_damage(tmp_path: Path) -> None:
    (tmp_path / VOICE).write_bytes(b"\xff\xfe\x00voice")
    with pytest.raises(HectorError, match="is damaged"):
        load_voice(tmp_path, ears.model())


@pytest.mark.parametrize("make", [Path.mkdir, os.mkfifo], ids=["folder", "pipe"])
def test_a_file_that_cannot_be_read_is_told_of(tmp_path: Path, make: Callable[[Path], None]) -> None:
    make(tmp_path / VOICE)
    with pytest.raises(HectorError, match="cannot be read"):
        load_voice(tmp_path, ears.model())


def test_a_place_that_cannot_be_written_is_told_of(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(HectorError, match=r"cannot be kept in .*file"):
        save_voice(tmp_path / "file", ears.model(), lesson())

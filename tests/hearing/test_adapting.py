"""The learning of a voice, part by part: alignment, slope, descent, and what Vosk makes of the change."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from functools import cache
from typing import Any

import ears
import numpy as np
import pytest
from ears import in_room, say
from exploring import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.announcements import load_vocabulary, open_grammar
from assistant.hearing import AcousticModel, with_voice
from assistant.hearing.adapting import (
    RESTRAINT,
    Change,
    Spoken,
    _slope,
    aligned,
    learn,
    loss,
    spoken,
    with_noise,
)
from assistant.hearing.engine import levelled
from assistant.hearing.graph import GraphCompiler
from assistant.hearing.lexicon import OF_WORD, SILENCE, Phones, read_lexicon
from assistant.hearing.listening import GraphEar
from assistant.hearing.network import Affine
from assistant.hearing.nnet3 import read_network
from assistant.hearing.scoring import Scorer, scorer_of

WORDS = ("springer", "felix", "drei")


@cache
def scorer() -> Scorer:
    return scorer_of(ears.model())


def last() -> Affine:
    component = scorer().network.last.component
    assert isinstance(component, Affine)
    return component


def some_change(seed: int = 0) -> Change:
    rng = np.random.default_rng(seed)
    weights, bias = rng.normal(0, 0.5, last().weights.shape), rng.normal(0, 0.5, last().bias.shape)
    return Change(weights.astype(np.float32), bias.astype(np.float32))


def each_for_itself(phones: Phones) -> Phones:
    """Phones of which none is another's in a word."""
    ids = {name.replace(OF_WORD, "-"): number for name, number in phones.ids.items()}
    return replace(phones, ids=ids, phones={n.replace(OF_WORD, "-"): p for n, p in phones.phones.items()})


def ear_of(model: AcousticModel) -> GraphEar:
    return GraphEar(model, open_grammar(load_vocabulary("de")), unfinished=10.0)


def test_known_words_are_found_phone_by_phone() -> None:
    lexicon = read_lexicon(ears.model().path / "lexicon.txt")
    outputs = aligned(scorer(), lexicon, levelled(in_room(say("Springer Felix drei"))), WORDS)
    assert outputs is not None
    names = {phone.output: name.partition("_")[0] for name, phone in scorer().phones.phones.items()}
    silence = scorer().phones.phones[SILENCE].output
    changes = np.flatnonzero(np.diff(outputs, prepend=-1))
    found = [names[int(outputs[k])] for k in changes if outputs[k] != silence]
    one_of = [[list(phones) for phones in lexicon[word]] for word in WORDS]
    assert found in [a + b + c for a in one_of[0] for b in one_of[1] for c in one_of[2]]
    assert outputs[0] == outputs[-1] == silence


def test_too_little_sound_for_the_words_is_not_aligned() -> None:
    lexicon = read_lexicon(ears.model().path / "lexicon.txt")
    assert aligned(scorer(), lexicon, levelled(say("drei")[:3200]), WORDS * 5) is None


@settings(max_examples=examples(10))
@given(seed=st.integers(0, 2**32 - 1))
def test_noise_is_mixed_in_between_5_and_20_decibels_below_the_voice(seed: int) -> None:
    voice = say("Springer Felix drei")
    noise = with_noise(voice, np.random.default_rng(seed)).astype(float) - voice
    decibels = 10 * np.log10(np.mean(voice.astype(float) ** 2) / np.mean(noise**2))
    # The quieter half of the samples does not count as voice.
    assert 5 - 3.2 <= decibels <= 20.2


@settings(max_examples=examples(20))
@given(seed=st.integers(0, 2**32 - 1))
def test_the_slope_is_that_of_the_loss(seed: int) -> None:
    rng = np.random.default_rng(seed)
    # In double precision: the differences are small.
    base: Any = rng.normal(size=(30, 5))
    values: Any = rng.normal(size=(30, 4))
    weights: Any = rng.uniform(0.1, 1, 30)
    change: Any = rng.normal(size=(5, 4))
    outputs = rng.integers(0, 5, 30)

    def costs(change: np.ndarray) -> float:
        rows = base + values @ change.T
        right = rows[np.arange(30), outputs] - np.log(np.exp(rows).sum(1))
        return float(-(right @ weights) / weights.sum() + RESTRAINT * (change**2).sum())

    slope = _slope(base, values, outputs, weights, change)
    for row, column in ((0, 0), (2, 3), (4, 1)):
        step = np.zeros_like(change)
        step[row, column] = 1e-5
        finite = (costs(change + step) - costs(change - step)) / 2e-5
        assert slope[row, column] == pytest.approx(finite, abs=1e-5)


def test_what_is_learnt_tells_the_sounds_apart_better_and_stays_small() -> None:
    rng = np.random.default_rng(3)
    layer = Affine(rng.normal(size=(3, 6)).astype(np.float32), np.zeros(3, np.float32))

    def phrases(count: int) -> list[Spoken]:
        seen = [rng.normal(size=(40, 6)).astype(np.float32) for _ in range(count)]
        turned = np.roll(layer.weights, 1, 1)
        return [Spoken(each, (each @ turned.T).argmax(1), np.ones(40, np.float32)) for each in seen]

    said, others = phrases(10), phrases(10)
    change = learn(layer, said)
    assert loss(layer, others, change) < 0.8 * loss(layer, others)
    assert np.abs(change.weights).max() < 1


def test_nothing_is_learnt_from_nothing() -> None:
    with pytest.raises(ValueError, match="nothing"):
        learn(last(), [])


def test_vosk_computes_the_changed_network_as_it_was_learnt() -> None:
    samples = levelled(in_room(say("Springer Felix drei")))
    change, model = some_change(), ears.model()
    changed = with_voice(model, change)
    ear = ear_of(changed)
    ear._scorer = None  # The phone loop is scored by Vosk itself.
    phones = each_for_itself(scorer().phones)
    ear._compiler = GraphCompiler({}, phones, scale=model.scale)
    seen = spoken(scorer(), samples, np.zeros(0, np.int64)).seen
    layer = Affine(last().weights + change.weights, last().bias + change.bias)
    network = scorer().network
    name = network.last.name
    steps = tuple(replace(s, component=layer) if s.name == name else s for s in network.steps)
    plain = replace(scorer(), phones=phones)
    here = replace(plain, network=replace(network, steps=steps))
    assert seen.shape[1] == layer.weights.shape[1]
    assert ear.filler(samples)() == pytest.approx(here.filler(samples), abs=2.0)
    assert abs(here.filler(samples) - plain.filler(samples)) > 20


def test_only_the_last_layer_of_the_file_is_another() -> None:
    change = some_change()
    changed = read_network(with_voice(ears.model(), change).final_mdl())
    for one, other in zip(changed.steps, scorer().network.steps, strict=True):
        assert one.name == other.name
        if one.name != changed.last.name:
            assert _numbers(one.component) == _numbers(other.component)
    layer = changed.last.component
    assert isinstance(layer, Affine)
    assert (layer.weights == last().weights + change.weights).all()
    assert (layer.bias == last().bias + change.bias).all()


def test_no_change_leaves_the_network_as_it_is() -> None:
    nothing = Change(np.zeros_like(last().weights), np.zeros_like(last().bias))
    same = read_network(with_voice(ears.model(), nothing).final_mdl())
    assert [s.name for s in same.steps] == [s.name for s in scorer().network.steps]
    for one, other in zip(same.steps, scorer().network.steps, strict=True):
        assert _numbers(one.component) == _numbers(other.component)


def _numbers(component: object) -> list[list[float]]:
    return [np.ravel(values).tolist() for values in vars(component).values()]


def test_a_change_of_another_layer_does_not_fit() -> None:
    with pytest.raises(ValueError, match="another layer"):
        with_voice(ears.model(), Change(np.zeros((2, 3), np.float32), np.zeros(2, np.float32)))


def test_a_voice_is_learnt_without_pytorch() -> None:
    program = (
        "import sys; sys.modules['torch'] = None\n"
        "import numpy as np\n"
        "from assistant.table import practise\n"
        "from assistant.hearing import load_model, with_voice\n"
        "from assistant.hearing.adapting import learn, spoken\n"
        "from assistant.hearing.scoring import scorer_of\n"
        "scorer = scorer_of(load_model())\n"
        "samples = np.random.default_rng(0).integers(-3000, 3000, 16000).astype(np.int16)\n"
        "outputs = scorer.scores(samples).argmax(1)\n"
        "change = learn(scorer.network.last.component, [spoken(scorer, samples, outputs)])\n"
        "assert with_voice(load_model(), change).adapted\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)

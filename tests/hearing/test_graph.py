"""Decoding graphs contain exactly the phrases that they were made from."""

from __future__ import annotations

import math
import random
from dataclasses import replace
from itertools import product

import pytest
from ears import book, model

from assistant.hearing.fst import Fst
from assistant.hearing.graph import SECOND, Costs, GraphCompiler, Standing, Walker, prefix_tree
from assistant.hearing.lexicon import Phone, Phones, position_dependent
from assistant.utterance import WordGraph

LEXICON = {
    "eins": (("ai", "n", "s"), ("ai", "n", "z")),
    "ja": (("j", "a"),),
    "eva": (("ee", "v", "a"), ("ee", "f", "a"), ("eh", "v", "a")),
    "a": (("a",),),
}


def tiny_phones() -> Phones:
    names = ["SIL"]
    for base in ("ai", "n", "s", "z", "j", "a", "ee", "v", "f", "eh"):
        names += [f"{base}_{place}" for place in "BEIS"]
    ids = {name: number for number, name in enumerate(names, 1)}
    half = math.log(2)
    phones = {name: Phone(2 * number - 1, 2 * number, half, half, number - 1) for name, number in ids.items()}
    return Phones(ids, phones, 2 * len(names))


@pytest.fixture
def compiler() -> GraphCompiler:
    return GraphCompiler(LEXICON, tiny_phones(), scale=0.7)


def paths(
    fst: Fst, compiler: GraphCompiler, *, with_pauses: bool = False
) -> dict[tuple[tuple[str, ...], tuple[int, ...]], float]:
    """Every (words, forward transition-ids) that the graph accepts without looping, with its least cost.

    Silence is left out of the ids unless it is asked for, and self-loops are not walked.
    """
    arcs: dict[int, list[tuple[int, int, float, int]]] = {}
    columns = (fst.source, fst.ilabel, fst.olabel, fst.weight, fst.target)
    for source, ilabel, olabel, weight, target in zip(*(column.tolist() for column in columns), strict=True):
        if source != target:
            arcs.setdefault(source, []).append((ilabel, olabel, weight, target))
    left_out = {0} if with_pauses else {0, tiny_phones().phones["SIL"].forward}
    found: dict[tuple[tuple[str, ...], tuple[int, ...]], float] = {}
    stack: list[tuple[int, tuple[str, ...], tuple[int, ...], float]] = [(fst.start, (), (), 0.0)]
    while stack:
        state, words, ids, cost = stack.pop()
        final = float(fst.finals[state])
        if final < math.inf:
            key = (words, ids)
            found[key] = min(found.get(key, math.inf), cost + final)
        for ilabel, olabel, weight, target in arcs.get(state, ()):
            more_words = (*words, compiler.words[olabel]) if olabel else words
            more_ids = ids if ilabel in left_out else (*ids, ilabel)
            stack.append((target, more_words, more_ids, cost + weight))
    return found


def pronounced(phrase: tuple[str, ...]) -> set[tuple[int, ...]]:
    phones = tiny_phones().phones
    sequences: set[tuple[int, ...]] = {()}
    for word in phrase:
        forms = [tuple(phones[name].forward for name in position_dependent(form)) for form in LEXICON[word]]
        sequences = {sequence + form for sequence in sequences for form in forms}
    return sequences


PHRASES = {("eva", "eins"), ("eva",), ("ja",), ("eins", "ja", "a"), ("a", "ja")}


def test_the_graph_has_every_phrase_in_every_pronunciation_and_nothing_else(compiler: GraphCompiler) -> None:
    found = paths(compiler.compile(prefix_tree(PHRASES)), compiler)
    wanted = {(phrase, ids) for phrase in PHRASES for ids in pronounced(phrase)}
    assert set(found) == wanted | {((), ())}


def test_shared_endings_change_nothing(compiler: GraphCompiler) -> None:
    folded = WordGraph(((0, "eva", 1), (0, "eins", 1), (1, "ja", 2)), frozenset({2}))
    spread = prefix_tree({("eva", "ja"), ("eins", "ja")})
    first, second = (paths(compiler.compile(graph), compiler) for graph in (folded, spread))
    assert first == pytest.approx(second)


def test_a_variant_costs_its_penalty_more_than_the_canonical_form(compiler: GraphCompiler) -> None:
    found = paths(compiler.compile(prefix_tree({("eva",)})), compiler)
    phones = tiny_phones().phones
    costs = [
        found[("eva",), tuple(phones[name].forward for name in position_dependent(form))]
        for form in LEXICON["eva"]
    ]
    assert costs[1] - costs[0] == pytest.approx(Costs().variant * 0.7, abs=1e-5)
    assert costs[2] - costs[0] == pytest.approx(Costs().variant * 0.7, abs=1e-5)


def test_every_word_costs_its_price(compiler: GraphCompiler) -> None:
    graph = prefix_tree({("eva", "ja", "a")})
    cheap = GraphCompiler(LEXICON, tiny_phones(), scale=0.7, costs=Costs(word=0.0))
    found, without = (paths(each.compile(graph), each) for each in (compiler, cheap))
    for words, ids in found:
        price = len(words) * Costs().word * 0.7
        assert found[words, ids] - without[words, ids] == pytest.approx(price, abs=1e-5)


def test_a_pause_may_stand_before_between_and_behind_words_and_costs_what_silence_costs(
    compiler: GraphCompiler,
) -> None:
    phones = tiny_phones().phones
    silence, ja, a = phones["SIL"], (phones["j_B"].forward, phones["a_E"].forward), (phones["a_S"].forward,)
    found = paths(compiler.compile(prefix_tree({("ja", "a")})), compiler, with_pauses=True)
    costs = {ids: cost for (words, ids), cost in found.items() if words}
    pause = (silence.forward,)
    places = [
        (*before, *ja, *between, *a, *after) for before, between, after in product([(), pause], repeat=3)
    ]
    assert set(costs) == set(places)
    for place in places:
        paid = place.count(silence.forward) * silence.forward_cost
        assert costs[place] - costs[ja + a] == pytest.approx(paid, abs=1e-5)


def test_every_phone_may_last(compiler: GraphCompiler) -> None:
    loops = {phone.forward: (phone.loop, phone.loop_cost) for phone in tiny_phones().phones.values()}
    for fst in (compiler.compile(prefix_tree(PHRASES), prefix_tree({("ja",)})), compiler.phone_loop()):
        columns = (fst.source, fst.ilabel, fst.weight, fst.target)
        arcs = list(zip(*(column.tolist() for column in columns), strict=True))
        lasting = {(source, label): cost for source, label, cost, target in arcs if source == target}
        for source, label, _, target in arcs:
            if label and source != target:
                loop, cost = loops[label]
                assert lasting[target, loop] == pytest.approx(cost, abs=1e-5)


def test_a_fragment_ends_with_a_word_and_not_within_one(compiler: GraphCompiler) -> None:
    crossed = WordGraph(((0, "eva", 2), (2, "eins", 1)), frozenset({1}))
    found = set(paths(compiler.compile(crossed, unfinished=10.0), compiler))
    wanted = {(phrase, ids) for phrase in [(), ("eva",), ("eva", "eins")] for ids in pronounced(phrase)}
    assert found == wanted


def test_a_fragment_has_its_price_and_without_a_price_it_is_no_reading(compiler: GraphCompiler) -> None:
    graph = prefix_tree({("eva", "eins")})
    strict = {words for words, _ in paths(compiler.compile(graph), compiler)}
    priced = paths(compiler.compile(graph, unfinished=10.0), compiler)
    assert strict == {(), ("eva", "eins")}
    assert {words for words, _ in priced} == {(), ("eva",), ("eva", "eins")}
    cheapest = {words: min(cost for (w, _), cost in priced.items() if w == words) for words, _ in priced}
    per_word = cheapest["eva", "eins"] - (cheapest["eva",] - 7.0)
    assert per_word > 0
    assert cheapest["eva",] > 7.0


def test_the_words_of_a_second_graph_are_marked(compiler: GraphCompiler) -> None:
    both = compiler.compile(prefix_tree({("eva", "eins")}), prefix_tree({("ja",), ("eva", "ja")}))
    words = {words for words, _ in paths(both, compiler)}
    assert words == {(), ("eva", "eins"), ("ja" + SECOND,), ("eva" + SECOND, "ja" + SECOND)}


def test_a_second_graph_says_the_same_in_every_position(compiler: GraphCompiler) -> None:
    beside = prefix_tree({("ja",), ("eva", "ja")})
    compiler.compile(prefix_tree(PHRASES), beside)
    here = prefix_tree({("eva", "eins")})
    fresh = GraphCompiler(LEXICON, tiny_phones(), scale=0.7).compile(here, beside, unfinished=10.0)
    found = paths(compiler.compile(here, beside, unfinished=10.0), compiler)
    assert found == paths(fresh, compiler)
    assert any(words == ("eva" + SECOND,) for words, _ in found)


def test_another_second_graph_takes_the_place_of_the_one_before(compiler: GraphCompiler) -> None:
    here = prefix_tree({("eva", "eins")})
    compiler.compile(here, prefix_tree({("ja",)}))
    words = {words for words, _ in paths(compiler.compile(here, prefix_tree({("a",)})), compiler)}
    assert words == {(), ("eva", "eins"), ("a" + SECOND,)}


def test_a_position_that_had_another_graph_beside_it_is_compiled_alone(compiler: GraphCompiler) -> None:
    here = prefix_tree({("eva", "eins")})
    compiler.compile(here, prefix_tree({("ja",)}), unfinished=10.0)
    words = {words for words, _ in paths(compiler.compile(here), compiler)}
    assert words == {(), ("eva", "eins")}


def test_an_empty_phrase_says_no_more_than_silence_does(compiler: GraphCompiler) -> None:
    here, beside = prefix_tree({("eva", "eins")}), prefix_tree({(), ("ja",)})
    plain = compiler.compile(here, prefix_tree({("ja",)}))
    assert paths(compiler.compile(here, beside), compiler) == paths(plain, compiler)


def test_every_label_lies_in_the_models_tables() -> None:
    compiler, phones = model().compiler, model().phones
    assert compiler is not None and phones is not None
    for fst in (compiler.compile(book().word_graph()), compiler.phone_loop()):
        assert fst.ilabel.min() == 0
        assert fst.ilabel.max() <= phones.transition_ids
        assert fst.olabel.max() < len(compiler.words)


def test_a_word_without_a_pronunciation_is_named(compiler: GraphCompiler) -> None:
    with pytest.raises(ValueError, match="pronunciation") as caught:
        compiler.compile(prefix_tree({("eva", "hektometer")}))
    assert caught.value.args[1:] == ("hektometer",)


def test_a_word_of_the_second_graph_without_a_pronunciation_is_named_too(compiler: GraphCompiler) -> None:
    with pytest.raises(ValueError, match="pronunciation") as caught:
        compiler.compile(prefix_tree({("eva",)}), prefix_tree({("hektometer", "ja")}))
    assert caught.value.args[1:] == ("hektometer",)


def test_a_word_with_an_empty_pronunciation_is_named() -> None:
    with pytest.raises(ValueError, match="“ja” has an empty pronunciation"):
        GraphCompiler({"ja": ((),)}, tiny_phones(), scale=1.0)


def test_a_label_that_the_models_tables_lack_never_reaches_kaldi() -> None:
    phones = tiny_phones()
    compiler = GraphCompiler(LEXICON, replace(phones, transition_ids=phones.transition_ids - 1), scale=1.0)
    with pytest.raises(ValueError, match="a transition-id outside 1"):
        compiler.phone_loop()


def test_a_phone_that_the_model_lacks_is_named() -> None:
    with pytest.raises(ValueError, match="zz_E"):
        GraphCompiler({"ja": (("j", "zz"),)}, tiny_phones(), scale=1.0)


@pytest.mark.parametrize("seed", range(20))
def test_a_prefix_tree_knows_where_any_words_stand(seed: int) -> None:
    rng = random.Random(seed)
    phrases = {tuple(rng.choices("xyz", k=rng.randint(1, 4))) for _ in range(6)}
    walker = Walker(prefix_tree(phrases))
    for _ in range(40):
        words = tuple(rng.choices("xyz", k=rng.randint(0, 5)))
        longer = [phrase for phrase in phrases if phrase[: len(words)] == words]
        assert walker.standing(words) == Standing(
            bool(longer), words in phrases, any(len(phrase) > len(words) for phrase in longer)
        )

"""Networks with fewer nodes: Vosk is ready sooner and hears the same."""

import ears
import pytest
from ears import in_room, quiet, say

from assistant.announcements import load_vocabulary, open_grammar
from assistant.hearing import listening
from assistant.hearing.engine import Samples, levelled
from assistant.hearing.listening import GraphEar
from assistant.hearing.nnet3 import packed

NODE = b"\ncomponent-node "


def as_it_is(data: bytes) -> bytes:
    return data


@pytest.mark.parametrize(
    "samples",
    [in_room(say("Springer Felix drei")), in_room(say("Zeit", "de+m3"), 0.4, say("Zeit")), quiet(1.0)],
    ids=["move", "twice", "nothing"],
)
def test_a_packed_network_hears_what_it_heard(samples: Samples, monkeypatch: pytest.MonkeyPatch) -> None:
    grammar = open_grammar(load_vocabulary("de"))
    heard = GraphEar(ears.model(), grammar, unfinished=10.0).read(levelled(samples))
    monkeypatch.setattr(listening, "packed", as_it_is)
    plainly = GraphEar(ears.model(), grammar, unfinished=10.0).read(levelled(samples))
    assert [each.words for each in heard.grammatical] == [each.words for each in plainly.grammatical]
    assert [each.score for each in heard.grammatical] == pytest.approx(
        [each.score for each in plainly.grammatical], abs=0.01
    )


def test_what_follows_each_other_alone_is_one_node() -> None:
    data = ears.model().final_mdl()
    layers = data.count(b".relu component=layer")
    # The input's scaling, the first layer, two sides of each sum, and what comes out is part of the last.
    assert packed(data).count(NODE) == 2 + 2 * (layers - 1)
    assert data.count(NODE) > 3 * layers


@pytest.mark.parametrize(
    ("known", "other"),
    [(b"<BatchNormComponent>", b"<BottleneckComponent>"), (b"<TestMode> T", b"<TestMode> F")],
)
def test_a_network_of_another_make_stays_as_it_is(known: bytes, other: bytes) -> None:
    data = ears.model().final_mdl().replace(known, other)
    assert packed(data) == data

"""The transducer's file says what was meant, byte by byte."""

from __future__ import annotations

import math
import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.hearing.fst import Fst, to_bytes

Arc = tuple[int, int, int, float, int]


def read(data: bytes) -> tuple[int, list[float], list[list[tuple[int, int, float, int]]]]:
    """An independent reader of OpenFst's vector format: start, final costs, arcs of every state."""
    at = 0

    def take(form: str) -> tuple[float, ...]:
        nonlocal at
        values = struct.unpack_from("<" + form, data, at)
        at += struct.calcsize("<" + form)
        return values

    assert take("i") == (2125659606,)
    for name in (b"vector", b"standard"):
        (length,) = take("i")
        assert take(f"{int(length)}s") == (name,)
    version, flags, _properties, start, states, arcs = take("iiQqqq")
    assert (version, flags) == (2, 0)
    finals, rows = [], []
    for _ in range(int(states)):
        (final,) = take("f")
        (count,) = take("q")
        finals.append(final)
        rows.append([take("iifi") for _ in range(int(count))])
    assert at == len(data)
    assert sum(map(len, rows)) == arcs
    return int(start), finals, rows  # type: ignore[return-value]


def build(start: int, finals: list[float], arcs: list[Arc]) -> Fst:
    columns = list(zip(*arcs, strict=True)) if arcs else [()] * 5
    kinds = (np.int32, np.int32, np.int32, np.float32, np.int32)
    source, ilabel, olabel, weight, target = (
        np.array(column, kind) for column, kind in zip(columns, kinds, strict=True)
    )
    return Fst(start, np.array(finals, np.float32), source, ilabel, olabel, weight, target)


@given(st.data())
def test_a_graph_that_is_written_and_read_is_the_same(data: st.DataObject) -> None:
    states = data.draw(st.integers(1, 8))
    state = st.integers(0, states - 1)
    cost = st.floats(-50, 50, width=32)
    label = st.integers(0, 400)
    arcs = data.draw(st.lists(st.tuples(state, label, label, cost, state), max_size=30))
    finals = data.draw(st.lists(st.one_of(cost, st.just(math.inf)), min_size=states, max_size=states))
    start, read_finals, rows = read(to_bytes(build(0, finals, arcs)))
    assert start == 0
    assert read_finals == finals
    for number, row in enumerate(rows):
        assert row == [arc[1:] for arc in arcs if arc[0] == number]


@pytest.mark.parametrize("arc", [(0, 1, 0, 0.0, 2), (2, 1, 0, 0.0, 0), (0, 1, 0, 0.0, -1)])
def test_an_arc_to_nowhere_is_refused(arc: Arc) -> None:
    with pytest.raises(ValueError, match="state"):
        build(0, [0.0, 0.0], [arc])


def test_a_start_outside_the_graph_is_refused() -> None:
    with pytest.raises(ValueError, match="start"):
        build(3, [0.0], [])

"""Decoding graphs at the level of transition-ids, straight from phrases or word graphs.

With one emitting state per phone, context and determinisation have nothing to add, so a graph is written
arc by arc: entering a phone is one arc with its forward transition-id, staying in it a loop with its self-
loop transition-id on the state that was entered (Kaldi's "reorder" order, which its word aligner takes for
granted). A word is the minimal automaton of its pronunciations and is stamped wherever the word graph has
it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assistant.hearing.fst import NOT_FINAL, Fst
from assistant.hearing.lexicon import SILENCE, Lexicon, Phones, Pronunciation, position_dependent
from assistant.utterance import WordGraph

Phrase = tuple[str, ...]

SECOND = "'"
"""What the words of a second graph end in."""

_TO_NODE = -1
_TO_SILENCE = -2

_SHARED = 3
_ROOT, _PAUSE, _START = range(_SHARED)
"""States that all word graphs share: their state 0, the pause before it, and where every path begins."""


@dataclass(frozen=True, slots=True)
class Costs:
    """What a path pays beside its acoustics, in acoustic log scores before the acoustic scale."""

    word: float = 4.0
    """Every word: keeps short words from being scattered over noise."""
    variant: float = 1.0
    """Any pronunciation but the canonical one."""
    silence: float = math.log(2) / 0.7
    """A pause between two words, and as much for none."""


@dataclass(frozen=True, slots=True)
class _Stamp:
    """One word as arcs between its own states; targets below zero are the grammar's node and its pause."""

    states: int
    entries: NDArray[np.float64]
    """(ilabel, cost, local target) of the arcs that enter the word."""
    arcs: NDArray[np.float64]
    """(local source, ilabel, cost, local target or one of the two codes) of all others."""


@dataclass(frozen=True, slots=True)
class _Block:
    """One word graph as arcs between the shared states and its own, whose numbers begin behind them."""

    arcs: NDArray[np.float64]
    """Rows: source, ilabel, olabel, cost, target."""
    states: int
    """How many of its own."""
    nodes: int
    """How many of these, the first, are states of the word graph."""
    ends: NDArray[np.int64]
    """Its own states where phrases end."""


class GraphCompiler:
    """Turns word graphs into decoding graphs for one model; the words' automata are made once."""

    def __init__(
        self,
        lexicon: Lexicon,
        phones: Phones,
        *,
        scale: float,
        costs: Costs | None = None,
    ) -> None:
        """Prepare the words.

        :param scale: the decoder's acoustic scale, by which graph costs must be multiplied to match.
        :raises ValueError: if a pronunciation uses a phone that the model does not have.
        """
        self._costs = costs or Costs()
        self._phones = phones
        self._scale = scale
        self.words = ("<eps>", *sorted(lexicon), *(word + SECOND for word in sorted(lexicon)))
        """Every word of words.txt in the order of its numbers."""
        self._numbers = {word: number for number, word in enumerate(self.words)}
        self._stamps = {word: self._stamp(word, lexicon[word]) for word in lexicon}
        self._kept: dict[int, tuple[WordGraph, _Block]] = {}

    def __contains__(self, word: object) -> bool:
        """Tell whether the lexicon has a word."""
        return word in self._stamps

    def words_txt(self) -> str:
        """Return the symbol table that belongs to the graphs."""
        return "".join(f"{word} {number}\n" for number, word in enumerate(self.words))

    def _stamp(self, word: str, pronunciations: Sequence[Pronunciation]) -> _Stamp:
        root = _Letters()
        for rank, pronunciation in enumerate(pronunciations):
            if not pronunciation:
                raise ValueError(f"“{word}” has an empty pronunciation")
            node, price = root, self._costs.variant if rank else 0.0
            for name in position_dependent(pronunciation):
                if name not in self._phones.phones:
                    raise ValueError(
                        f"“{word}” is spelt with the phone {name}, which the model does not have"
                    )
                if name not in node.next:
                    node.next[name] = (price, _Letters())
                    price = 0.0
                node = node.next[name][1]
            node.ends = True
        arcs: list[tuple[int, int, float, int]] = []
        made: dict[object, int] = {}
        silence = self._phones.phones[SILENCE]

        def state_of(name: str, node: _Letters) -> int:
            onward = tuple((n, price, state_of(n, child)) for n, (price, child) in sorted(node.next.items()))
            key = (name, node.ends, onward)
            if key in made:
                return made[key]
            number = made[key] = len(made)
            phone = self._phones.phones[name]
            arcs.append((number, phone.loop, phone.loop_cost, number))
            for n, price, target in onward:
                forward = self._phones.phones[n]
                arcs.append((number, forward.forward, forward.forward_cost + price * self._scale, target))
            if node.ends:
                pause = self._costs.silence * self._scale
                arcs.append((number, 0, pause, _TO_NODE))
                arcs.append((number, silence.forward, pause + silence.forward_cost, _TO_SILENCE))
            return number

        entries = []
        for name, (price, child) in sorted(root.next.items()):
            phone = self._phones.phones[name]
            cost = phone.forward_cost + (price + self._costs.word) * self._scale
            entries.append((phone.forward, cost, state_of(name, child)))
        return _Stamp(len(made), np.array(entries, float), np.array(arcs, float))

    def compile(self, *graphs: WordGraph, unfinished: float | None = None) -> Fst:
        """Return the decoding graph of one or more word graphs side by side.

        Silence before, between and after words is free to come. The words of the first graph stand as
        they are, those of the second carry `SECOND` behind them, so that a path tells which it took.

        :param unfinished: the price of stopping where no phrase ends; None forbids it, and then a fragment is
            bent into a whole phrase.
        :raises ValueError: if a word is not in the lexicon; its `args[1:]` are all such words.
        """
        unknown = sorted({word for graph in graphs for _, word, _ in graph.arcs if word not in self._stamps})
        if unknown:
            raise ValueError("words without a pronunciation", *unknown)
        blocks = [self._block_of(graph, rank) for rank, graph in enumerate(graphs)]
        table = _Table()
        self._add_pauses(table, _PAUSE, _ROOT)
        pause, silence = self._costs.silence * self._scale, self._phones.phones[SILENCE]
        table.add(_START, 0, 0, pause, _ROOT)
        table.add(_START, silence.forward, 0, pause + silence.forward_cost, _PAUSE)
        finals = np.full(_SHARED + sum(block.states for block in blocks), NOT_FINAL, np.float32)
        # Nothing said at all is always a reading: otherwise a cough or a breath must become some word.
        finals[_ROOT] = 0.0
        shift = 0
        for block in blocks:
            source, ilabel, olabel, cost, target = block.arcs
            table.add(_moved(source, shift), ilabel, olabel, cost, _moved(target, shift))
            if unfinished is not None:
                finals[_SHARED + shift :][: block.nodes] = unfinished * self._scale
            finals[block.ends + shift] = 0.0
            shift += block.states
        return self._checked(table.fst(_START, finals))

    def _block_of(self, graph: WordGraph, rank: int) -> _Block:
        """Return a graph's block; the last one of each rank is kept.

        What stands beside a position is the same in all of them, and a position may be wanted alone too.
        """
        kept = self._kept.get(rank)
        if kept is None or kept[0] is not graph:
            kept = self._kept[rank] = graph, self._block(graph, rank)
        return kept[1]

    def _block(self, graph: WordGraph, rank: int) -> _Block:
        by_word: dict[str, list[tuple[int, int]]] = {}
        for source, word, target in graph.arcs:
            by_word.setdefault(word, []).append((source, target))
        last = max((max(a, b) for a, _, b in graph.arcs), default=0)
        nodes = max(last, max(graph.finals, default=0))

        # Its states: the graph's own, a pause before each of them, then the words.
        node = np.arange(_SHARED - 1, _SHARED + nodes)
        pause = node + nodes
        node[0], pause[0] = _ROOT, _PAUSE
        used = _SHARED + 2 * nodes
        table = _Table()
        self._add_pauses(table, pause[1:], node[1:])
        for word, places in by_word.items():
            stamp, number = self._stamps[word], self._numbers[word] + rank * len(self._stamps)
            sources, targets = np.array(places).T[:, :, None]
            base = used + np.arange(len(places))[:, None] * stamp.states
            used += len(places) * stamp.states
            ilabel, cost, local = stamp.entries.T
            table.add(node[sources], ilabel, number, cost, base + local)
            origin, ilabel, cost, local = stamp.arcs.T
            end = np.where(local == _TO_NODE, node[targets], pause[targets])
            table.add(base + origin, ilabel, 0, cost, np.where(local < 0, end, base + local))
        return _Block(table.columns(), used - _SHARED, nodes, node[sorted(graph.finals - {0})])

    def _add_pauses(self, table: _Table, pauses: ArrayLike, nodes: ArrayLike) -> None:
        """Let silence last in each pause and then lead to its node."""
        silence = self._phones.phones[SILENCE]
        table.add(pauses, silence.loop, 0, silence.loop_cost, pauses)
        table.add(pauses, 0, 0, 0.0, nodes)

    def phone_loop(self) -> Fst:
        """Return the filler: any sequence of phones without words, which fits whatever was said."""
        phones = [family[0] for family in self._phones.families().values()]
        table = _Table()
        own = np.arange(1, 1 + len(phones))
        forward, loop = np.array([(phone.forward, phone.loop) for phone in phones]).T
        forward_cost, loop_cost = np.array([(phone.forward_cost, phone.loop_cost) for phone in phones]).T
        table.add(0, forward, 0, forward_cost, own)
        table.add(own, loop, 0, loop_cost, own)
        table.add(own, 0, 0, 0.0, 0)
        finals = np.full(1 + len(phones), NOT_FINAL, np.float32)
        finals[0] = 0.0
        return self._checked(table.fst(0, finals))

    def _checked(self, fst: Fst) -> Fst:
        """Kaldi indexes its tables with these numbers unchecked: one out of range ends the process."""
        if fst.ilabel.min() < 0 or fst.ilabel.max() > self._phones.transition_ids:
            raise ValueError(f"a transition-id outside 1..{self._phones.transition_ids}")
        if fst.olabel.min() < 0 or fst.olabel.max() >= len(self.words):
            raise ValueError("a word number outside words.txt")
        return fst


def _moved(states: NDArray[np.float64], shift: int) -> NDArray[np.float64]:
    """Return the numbers of a block's states where so many others stand before them."""
    return np.where(states < _SHARED, states, states + shift)


class _Letters:
    """A node of the prefix tree of a word's pronunciations."""

    __slots__ = ("ends", "next")

    def __init__(self) -> None:
        self.next: dict[str, tuple[float, _Letters]] = {}
        self.ends = False


class _Table:
    """The arcs of a graph as columns that grow by whole arrays."""

    def __init__(self) -> None:
        self._parts: list[NDArray[np.float64]] = []

    def add(
        self, source: ArrayLike, ilabel: ArrayLike, olabel: ArrayLike, cost: ArrayLike, target: ArrayLike
    ) -> None:
        """Add arcs; whatever is one value for all of them may be given once."""
        columns = (source, ilabel, olabel, cost, target)
        part = np.empty((len(columns), *np.broadcast(*columns).shape))
        for k, values in enumerate(columns):
            part[k] = values
        self._parts.append(part.reshape(len(columns), -1))

    def columns(self) -> NDArray[np.float64]:
        """Return all arcs, a row for each of the five things that an arc has."""
        return np.concatenate(self._parts, axis=1)

    def fst(self, start: int, finals: NDArray[np.float32]) -> Fst:
        source, ilabel, olabel, cost, target = self.columns()
        return Fst(
            start,
            finals,
            source.astype(np.int32),
            ilabel.astype(np.int32),
            olabel.astype(np.int32),
            cost.astype(np.float32),
            target.astype(np.int32),
        )


def prefix_tree(phrases: Iterable[Phrase]) -> WordGraph:
    """Return the word graph of exactly these phrases; those that begin alike share their beginning."""
    children: dict[tuple[int, str], int] = {}
    finals = set()
    for phrase in phrases:
        state = 0
        for word in phrase:
            state = children.setdefault((state, word), len(children) + 1)
        finals.add(state)
    arcs = tuple((source, word, target) for (source, word), target in children.items())
    return WordGraph(arcs, frozenset(finals))


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a sequence of words stands in a word graph."""

    known: bool
    """Some phrase begins so."""
    complete: bool
    """It is a whole phrase."""
    continuable: bool
    """Some longer phrase begins so."""


class Walker:
    """Asks a word graph about sequences of words; nondeterministic graphs are walked in all their states."""

    def __init__(self, graph: WordGraph) -> None:
        """Index the arcs by state."""
        self._next: dict[int, dict[str, set[int]]] = {}
        for source, word, target in graph.arcs:
            self._next.setdefault(source, {}).setdefault(word, set()).add(target)
        self._finals = graph.finals

    def standing(self, words: Iterable[str]) -> Standing:
        """Return where these words lead."""
        states = {0}
        for word in words:
            states = {target for state in states for target in self._next.get(state, {}).get(word, ())}
        return Standing(
            bool(states), bool(states & self._finals), any(self._next.get(state) for state in states)
        )

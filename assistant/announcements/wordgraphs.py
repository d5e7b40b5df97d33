"""Finite sets of phrases as small graphs: one state for all beginnings that can go on in the same ways."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from assistant.announcements.vocabulary import Words
from assistant.utterance import WordGraph

Alternatives = Sequence[Words]
"""Wordings of which one is said; the empty one makes the part optional."""


class PhraseGraph:
    """A grammar under construction: chains of parts, each part a choice between wordings.

    States may have several arcs of one word here; `word_graph` makes the graph deterministic and minimal.
    """

    def __init__(self) -> None:
        self._arcs: list[dict[str, set[int]]] = []
        self._blank: list[set[int]] = []
        self.start = self.state()
        self.end = self.state()

    def state(self) -> int:
        """Add a state and return its number."""
        self._arcs.append({})
        self._blank.append(set())
        return len(self._arcs) - 1

    def chain(self, start: int, parts: Iterable[Alternatives], end: int | None = None) -> int:
        """Lead from `start` through the parts to `end` (a new state if it is not given); return the end."""
        here = start
        for wordings in parts:
            there = self.state()
            for words in wordings:
                self._path(here, words, there)
            here = there
        if end is None:
            return here
        self._blank[here].add(end)
        return end

    def _path(self, start: int, words: Words, end: int) -> None:
        here = start
        for word in words:
            there = self.state()
            self._arcs[here].setdefault(word, set()).add(there)
            here = there
        self._blank[here].add(end)

    def word_graph(self) -> WordGraph:
        """Return the smallest deterministic graph of the same phrases; `end` is where phrases end."""
        first = self._closure(self.start)
        # From equal sets of states the same states are reached, and there are few of them.
        reached: dict[frozenset[int], frozenset[int]] = {}
        arcs: dict[frozenset[int], dict[str, frozenset[int]]] = {}
        waiting = [first]
        while waiting:
            subset = waiting.pop()
            if subset in arcs:
                continue
            following: dict[str, set[int]] = {}
            for state in subset:
                for word, targets in self._arcs[state].items():
                    following.setdefault(word, set()).update(targets)
            arcs[subset] = row = {}
            for word, together in following.items():
                key = frozenset(together)
                if key not in reached:
                    reached[key] = frozenset().union(*map(self._closure, key))
                row[word] = reached[key]
            waiting.extend(row.values())
        number = {subset: index for index, subset in enumerate(arcs)}
        rows = [{word: number[target] for word, target in arcs[subset].items()} for subset in arcs]
        finals = {number[subset] for subset in arcs if self.end in subset}
        return _minimal(rows, finals, _endings_first(rows))

    def _closure(self, start: int) -> frozenset[int]:
        reached = {start}
        waiting = [start]
        while waiting:
            for state in self._blank[waiting.pop()] - reached:
                reached.add(state)
                waiting.append(state)
        return frozenset(reached)


def graph_of_phrases(phrases: Iterable[Words]) -> WordGraph:
    """Return the smallest deterministic graph of exactly these phrases."""
    rows: list[dict[str, int]] = [{}]
    finals: set[int] = set()
    for phrase in phrases:
        state = 0
        for word in phrase:
            row = rows[state]
            found = row.get(word)
            if found is None:
                found = row[word] = len(rows)
                rows.append({})
            state = found
        finals.add(state)
    # A state of the tree has a higher number than the one that leads to it.
    return _minimal(rows, finals, reversed(range(len(rows))))


def _minimal(rows: Sequence[Mapping[str, int]], finals: set[int], order: Iterable[int]) -> WordGraph:
    """Merge the states of a deterministic graph without cycles that start the same endings.

    `order` has every state after all that follow it; the start, state 0, is the last.
    """
    merged = [0] * len(rows)
    known: dict[tuple[bool, tuple[tuple[str, int], ...]], int] = {}
    for state in order:
        row = [(word, merged[target]) for word, target in rows[state].items()]
        if len(row) > 1:
            row.sort()
        merged[state] = known.setdefault((state in finals, tuple(row)), len(known))
    # The start is found last; it becomes state 0 and the others follow it backwards.
    last = len(known) - 1
    arcs = sorted(
        (last - source, word, last - target)
        for (_, arcs_out), source in known.items()
        for word, target in arcs_out
    )
    return WordGraph(tuple(arcs), frozenset(last - state for (final, _), state in known.items() if final))


def _endings_first(rows: Sequence[Mapping[str, int]]) -> list[int]:
    """Return the states that can be reached from state 0, each after all that follow it."""
    order: dict[int, None] = {}
    stack = [0]
    while stack:
        state = stack[-1]
        waiting = [target for target in rows[state].values() if target not in order]
        if waiting:
            stack += waiting
        else:
            order.setdefault(stack.pop())
    return list(order)

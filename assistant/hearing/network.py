"""The network of a project model, computed with numpy.

It is evaluated at the times that the outputs need, every third frame; before the first and after the last
frame the input is the first and the last frame again, as in Vosk. One utterance costs a tenth of what Vosk
takes for it, because nothing has to be streamed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]

INPUT = "input"
STRIDE = 3
"""Frames of 10 ms from one output to the next; Vosk's word times assume it."""
LARGEST = 1e6
"""No weight that was learnt is as large; with one, or with what is no number, Vosk ends the process."""


class Component(Protocol):
    """One step of the network, on rows."""

    def forward(self, x: Floats) -> Floats:
        """Return the outputs for inputs, row by row."""


@dataclass(frozen=True)
class Affine:
    """y = x W' + b; `weights` has a row for each output."""

    weights: Floats
    bias: Floats

    def forward(self, x: Floats) -> Floats:
        y = x @ self.weights.T
        y += self.bias
        return np.asarray(y)


@dataclass(frozen=True)
class Scaling:
    """y = x s + b, value by value: a batch normalisation whose statistics stand still."""

    scale: Floats
    bias: Floats

    def forward(self, x: Floats) -> Floats:
        y = x * self.scale
        y += self.bias
        return np.asarray(y)


class Rectifier:
    """y = max(x, 0)."""

    def forward(self, x: Floats) -> Floats:
        return np.maximum(x, 0)


class Tanh:
    """y = tanh x."""

    def forward(self, x: Floats) -> Floats:
        return np.tanh(x)


class LogSoftmax:
    """y = x - log sum exp x."""

    def forward(self, x: Floats) -> Floats:
        top = x.max(1, keepdims=True)
        return np.asarray(x - top - np.log(np.exp(x - top).sum(1, keepdims=True)))


@dataclass(frozen=True)
class Term:
    """A node's values at the times of another, some frames earlier or later, times a factor."""

    node: str
    offset: int
    factor: float


@dataclass(frozen=True)
class Step:
    """A component with what goes into it: parts side by side, each a sum of terms."""

    name: str
    component: Component
    parts: tuple[tuple[Term, ...], ...]
    source: str
    """The component's own name in the file."""


@dataclass
class Pass:
    """Every value that one utterance had on its way."""

    times: dict[str, Ints] = field(default_factory=dict)
    inputs: dict[str, Floats] = field(default_factory=dict)
    outputs: dict[str, Floats] = field(default_factory=dict)


@dataclass(frozen=True)
class Network:
    """What am/final.mdl holds between its transitions and its priors, and the priors' logarithms."""

    steps: tuple[Step, ...]
    output: str
    log_priors: Floats

    def scores(self, features: Floats) -> Floats:
        """Return what Vosk scores with, before the acoustic scale: a row for each 30 ms."""
        return self.forward(features).outputs[self.output] - self.log_priors

    def forward(self, features: Floats) -> Pass:
        """Compute everything for normalised features, one row for each 10 ms."""
        values = Pass()
        needed: dict[str, list[Ints]] = {self.output: [np.arange(0, len(features), STRIDE)]}
        for step in reversed(self.steps):
            times = values.times[step.name] = _together(needed.get(step.name, []))
            for term in (term for part in step.parts for term in part):
                needed.setdefault(term.node, []).append(times + term.offset)
        times = values.times[INPUT] = _together(needed[INPUT])
        values.outputs[INPUT] = features[np.clip(times, 0, len(features) - 1)]
        for step in self.steps:
            parts = [_sum([self._term(values, step, term) for term in part]) for part in step.parts]
            x = parts[0] if len(parts) == 1 else np.concatenate(parts, 1)
            values.inputs[step.name] = x
            values.outputs[step.name] = step.component.forward(x)
        return values

    def _term(self, values: Pass, step: Step, term: Term) -> Floats:
        rows = _rows(values, step, term)
        x = values.outputs[term.node]
        x = x if len(rows) == len(x) else x[rows]
        return x if term.factor == 1 else x * np.float32(term.factor)

    @property
    def is_believable(self) -> bool:
        """Whether every parameter is a number that learning can lead to."""
        values = [self.log_priors]
        for step in self.steps:
            if isinstance(step.component, Affine):
                values += [step.component.weights, step.component.bias]
            elif isinstance(step.component, Scaling):
                values += [step.component.scale, step.component.bias]
        # What is no number is not below it either.
        return all(not each.size or bool(np.abs(each).max() < LARGEST) for each in values)

    @property
    def last(self) -> Step:
        """The layer of weights whose outputs become probabilities, one row for each 30 ms.

        :raises ValueError: if there is none.
        """
        sources = {step.name: step for step in self.steps}
        softmax = next((step for step in self.steps if isinstance(step.component, LogSoftmax)), None)
        term = softmax.parts[0][0] if softmax is not None and len(softmax.parts) == 1 else Term("", 0, 1.0)
        step = sources.get(term.node)
        if step is None or not isinstance(step.component, Affine) or (term.offset, term.factor) != (0, 1.0):
            raise ValueError("a network that does not end in one layer of weights")
        return step


def _rows(values: Pass, step: Step, term: Term) -> Ints:
    return np.searchsorted(values.times[term.node], values.times[step.name] + term.offset)


def _together(times: Sequence[Ints]) -> Ints:
    return np.unique(np.concatenate(times)) if len(times) > 1 else times[0]


def _sum(terms: Sequence[Floats]) -> Floats:
    total = terms[0]
    for term in terms[1:]:
        total = total + term
    return total

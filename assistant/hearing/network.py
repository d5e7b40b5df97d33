"""The network of a project model, computed with numpy.

Kaldi's nnet3 in am/final.mdl is a list of components joined by descriptors (Append, Offset, Sum, Scale). It
is evaluated at the times that the outputs need, every third frame; before the first and after the last frame
the input is the first and the last frame again, as in Vosk. One utterance costs a tenth of what Vosk takes
for it, because nothing has to be streamed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from assistant.hearing.kaldi import Stream

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


# Reading am/final.mdl


# Damaged numbers are for `Network.is_believable` to tell of.
@np.errstate(all="ignore")
def read_network(data: bytes) -> Network:
    """Read the network of a binary final.mdl.

    :raises ValueError: if it is damaged, or has a component or a descriptor that is not known here.
    """
    mark = b"<Nnet3> \n"
    at = data.find(mark)
    if at < 0:
        raise ValueError("no <Nnet3>")
    stream = Stream(data, at + len(mark))
    lines = []
    while line := stream.line().strip():
        lines.append(line)
    components = _read_components(stream)
    at = data.rfind(b"<Priors> ")
    priors = Stream(data, at + len(b"<Priors> ")).vector()
    if priors.size and priors.min() <= 0:
        raise ValueError("a prior of nothing")
    return _joined(lines, components, np.asarray(np.log(priors), np.float32))


def _joined(lines: Sequence[str], components: Mapping[str, Component], log_priors: Floats) -> Network:
    steps: list[Step] = []
    nodes = {INPUT}
    output = ""
    for line in lines:
        kind, _, rest = line.partition(" ")
        values = dict(re.findall(r"(\w[\w-]*)=(.+?)(?= [\w-]+=|$)", rest))
        if kind == "input-node" and values.get("name") == INPUT:
            continue
        parts = _descriptor(values.get("input", ""))
        if any(term.node not in nodes for part in parts for term in part):
            raise ValueError(f"a node before the one that it needs: {line}")
        if kind == "component-node" and "name" in values and values.get("component") in components:
            steps.append(Step(values["name"], components[values["component"]], parts, values["component"]))
            nodes.add(values["name"])
        elif kind == "output-node" and parts == ((Term(parts[0][0].node, 0, 1.0),),):
            output = parts[0][0].node
        else:
            raise ValueError(f"a node of an unknown kind: {line}")
    if not output:
        raise ValueError("no output")
    needed = {output}
    for step in reversed(steps):
        if step.name in needed:
            needed |= {term.node for part in step.parts for term in part}
    if INPUT not in needed:
        raise ValueError("an output that does not depend on the input")
    return Network(tuple(step for step in steps if step.name in needed), output, log_priors)


def _descriptor(text: str) -> tuple[tuple[Term, ...], ...]:
    """Read Append(a, b), each of them a Sum, an Offset, a Scale or a node."""
    tokens: list[str] = re.findall(r"[\w.-]+|[(),]", text)
    if "".join(tokens) != text.replace(" ", ""):
        raise ValueError(f"the descriptor {text}")
    at = 0

    def take(expected: str | None = None) -> str:
        nonlocal at
        if at >= len(tokens) or (expected is not None and tokens[at] != expected):
            raise ValueError(f"the descriptor {text}")
        at += 1
        return tokens[at - 1]

    def parts() -> tuple[tuple[Term, ...], ...]:
        name = take()
        if at >= len(tokens) or tokens[at] != "(":
            return ((Term(name, 0, 1.0),),)
        take("(")
        if name == "Scale":
            factor = float(take())
            take(",")
            found = tuple(tuple(replace(t, factor=t.factor * factor) for t in part) for part in parts())
        elif name == "Offset":
            found = parts()
            take(",")
            shift = int(take())
            found = tuple(tuple(replace(t, offset=t.offset + shift) for t in part) for part in found)
        elif name in ("Append", "Sum"):
            every = [parts()]
            while tokens[at : at + 1] == [","]:
                take(",")
                every.append(parts())
            if name == "Append":
                found = tuple(part for each in every for part in each)
            elif all(len(each) == 1 for each in every):
                found = (tuple(term for each in every for term in each[0]),)
            else:
                raise ValueError(f"the descriptor {text}")
        else:
            raise ValueError(f"the descriptor {text}")
        take(")")
        return found

    found = parts()
    if at != len(tokens):
        raise ValueError(f"the descriptor {text}")
    return found


def _read_components(stream: Stream) -> dict[str, Component]:
    stream.token("<NumComponents>")
    components: dict[str, Component] = {}
    for _ in range(stream.integer()):
        stream.token("<ComponentName>")
        name, kind = stream.word(), stream.word()
        if kind not in _READERS:
            raise ValueError(f"a component of the kind {kind}")
        components[name] = _READERS[kind](stream)
        stream.token(kind.replace("<", "</"))
    stream.token("</Nnet3>")
    return components


def _read_fixed_affine(stream: Stream) -> Component:
    stream.token("<LinearParams>")
    weights = stream.matrix()
    stream.token("<BiasParams>")
    return _affine(weights, stream.vector())


def _read_affine(stream: Stream) -> Component:
    stream.token("<LearningRate>")
    stream.real()
    affine = _read_fixed_affine(stream)
    stream.token("<OrthonormalConstraint>")
    stream.real()
    return affine


def _affine(weights: NDArray[np.floating[Any]], bias: Floats) -> Component:
    if weights.shape[0] != bias.size:
        raise ValueError("weights and bias of different lengths")
    diagonal = weights.ndim == 2 and weights.shape[0] == weights.shape[1]
    if diagonal and np.array_equal(weights, np.diag(np.diag(weights))):
        return Scaling(np.asarray(np.diag(weights), np.float32), bias)
    return Affine(np.asarray(weights, np.float32), bias)


def _read_batch_norm(stream: Stream) -> Component:
    stream.token("<Dim>")
    size = stream.integer()
    stream.token("<BlockDim>")
    if stream.integer() != size:
        raise ValueError("a batch normalisation in blocks")
    stream.token("<Epsilon>")
    epsilon = stream.real()
    stream.token("<TargetRms>")
    target = stream.real()
    stream.token("<TestMode>")
    stream.boolean()
    stream.token("<Count>")
    stream.real()
    stream.token("<StatsMean>")
    mean = stream.vector()
    stream.token("<StatsVar>")
    variance = stream.vector()
    if mean.size != size or variance.size != size:
        raise ValueError("statistics of the wrong length")
    scale = np.asarray(target / np.sqrt(variance + epsilon), np.float32)
    return Scaling(scale, np.asarray(-mean * scale, np.float32))


def _reader_of(component: Callable[[], Component]) -> Callable[[Stream], Component]:
    """Return the reader of a component without parameters, which carries nothing but statistics."""

    def read(stream: Stream) -> Component:
        stream.token("<Dim>")
        stream.integer()
        for name in ("<ValueAvg>", "<DerivAvg>"):
            stream.token(name)
            stream.vector()
        stream.token("<Count>")
        stream.double()
        stream.token("<OderivRms>")
        stream.vector()
        for name in ("<OderivCount>", "<NumDimsSelfRepaired>", "<NumDimsProcessed>"):
            stream.token(name)
            stream.double()
        return component()

    return read


_READERS: Mapping[str, Callable[[Stream], Component]] = {
    "<FixedAffineComponent>": _read_fixed_affine,
    "<AffineComponent>": _read_affine,
    "<BatchNormComponent>": _read_batch_norm,
    "<RectifiedLinearComponent>": _reader_of(Rectifier),
    "<TanhComponent>": _reader_of(Tanh),
    "<LogSoftmaxComponent>": _reader_of(LogSoftmax),
}

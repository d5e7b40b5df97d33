"""Kaldi's nnet3 in am/final.mdl: components joined by descriptors (Append, Offset, Sum, Scale).

The file names the nodes in lines of text, each with its component and what goes into it, and then holds the
components, one after the other, in Kaldi's binary form.
"""

from __future__ import annotations

import re
import struct
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assistant.hearing.kaldi import Stream
from assistant.hearing.network import (
    INPUT,
    Affine,
    Component,
    Floats,
    LogSoftmax,
    Network,
    Rectifier,
    Scaling,
    Step,
    Tanh,
    Term,
)

_MARK = b"<Nnet3> \n"
_PRIORS = b"<Priors> "
_ROWS = 4096
"""Frames that a component of components computes at a time, as many as Kaldi would take by itself."""


@dataclass(frozen=True)
class _Node:
    """A line of the file that names a component and what goes into it."""

    name: str
    component: str
    input: str
    """The descriptor as it is written."""
    parts: tuple[tuple[Term, ...], ...]
    """What it says."""


@dataclass(frozen=True)
class _File:
    """What stands in a final.mdl."""

    begin: bytes
    """All before the nodes' lines."""
    input: str
    """The line of what goes into the network."""
    nodes: Sequence[_Node]
    output: str
    """The line of what comes out of it."""
    last: str
    """The node that comes out."""
    components: Mapping[str, bytes]
    """The name of each -> how it is written, from its kind on."""
    end: bytes
    """All behind the components."""


# Damaged numbers are for `Network.is_believable` to tell of.
@np.errstate(all="ignore")
def read_network(data: bytes) -> Network:
    """Read the network of a binary final.mdl.

    :raises ValueError: if it is damaged, or has a component or a descriptor that is not known here.
    """
    file = _read(data)
    at = data.rfind(_PRIORS)
    priors = Stream(data, at + len(_PRIORS)).vector()
    if priors.size and priors.min() <= 0:
        raise ValueError("a prior of nothing")
    needed = {file.last}
    steps: list[Step] = []
    for node in reversed(file.nodes):
        if node.name in needed:
            needed |= {term.node for part in node.parts for term in part}
            component = _component(file.components[node.component])
            steps.append(Step(node.name, component, node.parts, node.component))
    if INPUT not in needed:
        raise ValueError("an output that does not depend on the input")
    return Network(tuple(reversed(steps)), file.last, np.asarray(np.log(priors), np.float32))


@np.errstate(all="ignore")
def packed(data: bytes) -> bytes:
    """Return a final.mdl that computes the same with fewer nodes; a network of another make as it is.

    Kaldi plans the computation whenever it loads a model, frame by frame and node by node, which takes longer
    than all the rest of loading. Where all that goes into a node is another that goes nowhere else, both
    become one, with Kaldi's CompositeComponent.
    """
    try:
        file = _read(data)
        for written in file.components.values():
            if written.startswith(b"<BatchNormComponent> "):
                # Kaldi switches to its test mode only what is a node by itself.
                _component(written)
    except ValueError:
        return data
    users = Counter(term.node for node in file.nodes for part in node.parts for term in part)
    users[file.last] += 1
    chains: dict[str, list[_Node]] = {}
    for node in file.nodes:
        before = node.parts[0][0]
        alone = node.parts == ((Term(before.node, 0, 1.0),),) and users[before.node] == 1
        chains[node.name] = [*(chains.pop(before.node, []) if alone else []), node]
    lines = [f"component-node name={name} component={name} input={c[0].input}" for name, c in chains.items()]
    components = [
        b"<ComponentName> %s " % name.encode() + _composite([file.components[n.component] for n in chain])
        for name, chain in chains.items()
    ]
    text = "\n".join([file.input, *lines, file.output]) + "\n\n"
    count = b"<NumComponents> \4" + struct.pack("<i", len(chains))
    return b"".join([file.begin, text.encode(), count, *components, b"</Nnet3> ", file.end])


def _composite(components: Sequence[bytes]) -> bytes:
    """Return how several components that follow each other are written as one."""
    if len(components) == 1:
        return components[0]
    head = b"<CompositeComponent> <LearningRate> \4%s<MaxRowsProcess> \4%s<NumComponents> \4%s" % (
        struct.pack("<f", 0.001),
        struct.pack("<i", _ROWS),
        struct.pack("<i", len(components)),
    )
    return b"".join([head, *components, b"</CompositeComponent> "])


def _read(data: bytes) -> _File:
    at = data.find(_MARK)
    if at < 0:
        raise ValueError("no <Nnet3>")
    stream = Stream(data, at + len(_MARK))
    lines = []
    while line := stream.line().strip():
        lines.append(line)
    components = _read_components(stream)
    nodes: list[_Node] = []
    known = {INPUT}
    into = out = last = ""
    for line in lines:
        kind, _, rest = line.partition(" ")
        values = dict(re.findall(r"(\w[\w-]*)=(.+?)(?= [\w-]+=|$)", rest))
        if kind == "input-node" and values.get("name") == INPUT:
            into = line
            continue
        parts = _descriptor(values.get("input", ""))
        if any(term.node not in known for part in parts for term in part):
            raise ValueError(f"a node before the one that it needs: {line}")
        if kind == "component-node" and "name" in values and values.get("component") in components:
            nodes.append(_Node(values["name"], values["component"], values["input"], parts))
            known.add(values["name"])
        elif kind == "output-node" and parts == ((Term(parts[0][0].node, 0, 1.0),),):
            out, last = line, parts[0][0].node
        else:
            raise ValueError(f"a node of an unknown kind: {line}")
    if not last:
        raise ValueError("no output")
    return _File(data[: at + len(_MARK)], into, nodes, out, last, components, data[stream.at :])


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


def _read_components(stream: Stream) -> dict[str, bytes]:
    stream.token("<NumComponents>")
    components: dict[str, bytes] = {}
    for _ in range(stream.integer()):
        stream.token("<ComponentName>")
        name, at, kind = stream.word(), stream.at, stream.word()
        if kind not in _READERS:
            raise ValueError(f"a component of the kind {kind}")
        components[name] = stream.through(kind.replace("<", "</"), at)
    stream.token("</Nnet3>")
    return components


def _component(written: bytes) -> Component:
    stream = Stream(written)
    kind = stream.word()
    component = _READERS[kind](stream)
    stream.token(kind.replace("<", "</"))
    return component


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
    if not stream.boolean():
        raise ValueError("a batch normalisation that goes by what it is given")
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

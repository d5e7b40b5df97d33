"""Writes a network as a model directory that vosk 0.3.45 loads, less the graph, which hearing builds.

am/final.mdl  am/global_cmvn.stats  conf/mfcc.conf  conf/model.conf
graph/words.txt  graph/phones/word_boundary.int  lexicon.txt  phones.txt
"""

from __future__ import annotations

import errno
import io
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assistant.errors import HectorError
from assistant.files import replace_file
from models.training.kaldi import Transitions, Writer, statistics
from models.training.lexicon import Lexicon
from models.training.network import BYPASS, STRIDE, Network
from models.training.owned import Outputs

FLOOR = 12.0
"""Log posteriors are floored at -12; the file adds 12 to each so that a rectifier can do it."""

STATISTICS = "am/global_cmvn.stats"
PRIOR_POWER = 0.6
_LEAST = 1e-4
"""Added to the frequency of each phone."""
_NOTHING = 1e-7
"""The same of each output: none is divided by 0."""
UNKNOWN = "[unk]"

MFCC = """--use-energy=false
--sample-frequency=16000
--num-mel-bins=40
--num-ceps=40
--low-freq=20
--high-freq=-400
--dither=0
"""

MODEL = {
    "min-active": "200",
    "max-active": "7000",
    "beam": "8.0",
    "lattice-beam": "8.0",
    "acoustic-scale": "0.7",
    "frame-subsampling-factor": "3",
    "endpoint.silence-phones": "1",
    "endpoint.rule2.min-trailing-silence": "0.3",
    "endpoint.rule3.min-trailing-silence": "0.3",
    "endpoint.rule4.min-trailing-silence": "1.2",
    "frames-per-chunk": "9",
    "determinize-max-delay": "10",
    "determinize-min-chunk-size": "5",
}

Component = Callable[[Writer], None]
Ints = NDArray[np.int64]


def _affine(weights: ArrayLike, bias: ArrayLike, *, fixed: bool = False, short: bool = False) -> Component:
    def write(w: Writer) -> None:
        name = "FixedAffineComponent" if fixed else "AffineComponent"
        w.token(f"<{name}>")
        if not fixed:
            w.token("<LearningRate>")
            w.float32(0.001)
        w.token("<LinearParams>")
        if short:
            w.short_matrix(weights)
        else:
            w.matrix(weights)
        w.token("<BiasParams>")
        w.vector(bias)
        if not fixed:
            w.token("<OrthonormalConstraint>")
            w.float32(0.0)
        w.token(f"</{name}>")

    return write


def _nonlinear(name: str, size: int) -> Component:
    def write(w: Writer) -> None:
        w.token(f"<{name}>", "<Dim>")
        w.int32(size)
        for field in ("<ValueAvg>", "<DerivAvg>"):
            w.token(field)
            w.vector([])
        w.token("<Count>")
        w.float64(0.0)
        w.token("<OderivRms>")
        w.vector([])
        for field in ("<OderivCount>", "<NumDimsSelfRepaired>", "<NumDimsProcessed>"):
            w.token(field)
            w.float64(0.0)
        w.token(f"</{name}>")

    return write


def _batch_norm(mean: NDArray[np.float64], variance: NDArray[np.float64], epsilon: float) -> Component:
    def write(w: Writer) -> None:
        w.token("<BatchNormComponent>", "<Dim>")
        w.int32(len(mean))
        w.token("<BlockDim>")
        w.int32(len(mean))
        w.token("<Epsilon>")
        w.float32(epsilon)
        w.token("<TargetRms>")
        w.float32(1.0)
        w.token("<TestMode>")
        w.boolean(True)
        # 0 would make Kaldi invent statistics
        w.token("<Count>")
        w.float32(1000.0)
        w.token("<StatsMean>")
        w.vector(mean)
        w.token("<StatsVar>")
        w.vector(variance)
        w.token("</BatchNormComponent>")

    return write


def _append(name: str, offsets: list[int]) -> str:
    return "Append(" + ", ".join(name if k == 0 else f"Offset({name}, {k})" for k in offsets) + ")"


def components(network: Network) -> list[tuple[str, str, Component]]:
    """(name, input descriptor, component) of every step, in order."""
    values = {name: value.detach().double().numpy() for name, value in network.state_dict().items()}
    scale = 1 / values["deviation"]
    parts: list[tuple[str, str, Component]] = [
        ("norm", "input", _affine(np.diag(scale), -values["mean"] * scale, fixed=True))
    ]
    previous, width = "norm", network.shape.width
    for k in range(len(network.layers)):
        waist, affine, relu, norm = (f"layer{k}.{part}" for part in ("waist", "affine", "relu", "batchnorm"))
        step = 1 if k == 0 else STRIDE * network.shape.dilations[k - 1]
        has_waist = bool(k and network.shape.waists)
        weights = values[f"layers.{k}.0.weight" if has_waist else f"layers.{k}.weight"].transpose(0, 2, 1)
        taps = weights.shape[1]
        into = _append(previous, [step * (j - taps // 2) for j in range(taps)])
        weights = weights.reshape(len(weights), -1)
        if has_waist:
            parts.append((waist, into, _affine(weights, np.zeros(len(weights)), short=True)))
            into, weights = waist, values[f"layers.{k}.1.weight"][:, :, 0]
        bias = values[f"layers.{k}.1.bias" if has_waist else f"layers.{k}.bias"]
        parts.append((affine, into, _affine(weights, bias, short=True)))
        parts.append((relu, affine, _nonlinear("RectifiedLinearComponent", width)))
        into = f"Sum({relu}, Scale({BYPASS}, {previous}))" if k else relu
        mean, variance = values[f"norms.{k}.running_mean"], values[f"norms.{k}.running_var"]
        parts.append((norm, into, _batch_norm(mean, variance, network.norms[k].eps)))
        previous = norm
    outputs = network.shape.outputs
    weights, bias = values["output.weight"][:, :, 0], values["output.bias"]
    parts.append(("output.affine", previous, _affine(weights, bias, short=True)))
    parts.append(("output.softmax", "output.affine", _nonlinear("LogSoftmaxComponent", outputs)))
    shift = _affine(np.eye(outputs), np.full(outputs, FLOOR), fixed=True)
    parts.append(("output.shift", "output.softmax", shift))
    parts.append(("output.floor", "output.shift", _nonlinear("RectifiedLinearComponent", outputs)))
    return parts


def acoustic_model(network: Network, transitions: Transitions, priors: NDArray[np.float64]) -> bytes:
    """am/final.mdl; `priors` are subtracted as they stand (already raised to PRIOR_POWER)."""
    parts = components(network)
    lines = [f"input-node name=input dim={network.shape.inputs}"]
    lines += [f"component-node name={name} component={name} input={into}" for name, into, _ in parts]
    lines.append(f"output-node name=output input={parts[-1][0]} objective=linear")
    stream = io.BytesIO()
    w = Writer(stream)
    w.begin()
    transitions.write(w)
    w.token("<Nnet3>")
    w.raw("\n" + "\n".join(lines) + "\n\n")
    w.token("<NumComponents>")
    w.int32(len(parts))
    for name, _, write in parts:
        w.token("<ComponentName>", name)
        write(w)
    w.token("</Nnet3>", "<LeftContext>")
    w.int32(0)
    w.token("<RightContext>")
    w.int32(0)
    w.token("<Priors>")
    w.vector(priors)
    return stream.getvalue()


def flatten(priors: NDArray[np.float64], phones: Ints) -> NDArray[np.float64]:
    """What decoding divides by: between none and all of a phone's frequency, times the output's share of it.

    :param phones: the phone of each output.
    """
    priors = priors + _NOTHING
    of_phone = np.bincount(phones, priors)[phones]
    return np.asarray(priors / of_phone * (of_phone + _LEAST) ** PRIOR_POWER)


def unflatten(flat: NDArray[np.float64], phones: Ints) -> NDArray[np.float64]:
    """The priors that `flatten` was given."""
    of_phone = np.bincount(phones, flat)[phones]
    priors = flat / of_phone * np.maximum(of_phone ** (1 / PRIOR_POWER) - _LEAST, 0.0)
    return np.asarray(priors / priors.sum())


def words_table(lexicon: Lexicon) -> str:
    """graph/words.txt: every word of the lexicon and [unk], numbered from 1."""
    words = [*sorted(lexicon.words), UNKNOWN]
    return "<eps> 0\n" + "".join(f"{word} {k}\n" for k, word in enumerate(words, 1))


def write_model(
    folder: Path,
    network: Network,
    lexicon: Lexicon,
    priors: NDArray[np.float64],
    stats: NDArray[np.float64],
    options: dict[str, str] | None = None,
) -> None:
    """Write the directory; each file is there whole or not at all, so a reader never sees half a file.

    Where the network has outputs for words, these are spelt with them.

    :raises HectorError: when the folder cannot be written or the disk is full.
    """
    owned = Outputs.counting(lexicon, network.shape.outputs)
    lexicon = owned.said
    transitions = Transitions(lexicon.phones)
    conf = "".join(f"--{name}={value}\n" for name, value in {**MODEL, **(options or {})}.items())
    files = {
        # the largest first: where the disk has no room for it, the model that was there stays whole
        "am/final.mdl": acoustic_model(network, transitions, flatten(priors, owned.of_outputs)),
        STATISTICS: statistics(stats),
        "conf/mfcc.conf": MFCC.encode("ascii"),
        "conf/model.conf": conf.encode("ascii"),
        "graph/words.txt": words_table(lexicon).encode("ascii"),
        "graph/phones/word_boundary.int": transitions.boundaries().encode("ascii"),
        "lexicon.txt": lexicon.plain().encode("ascii"),
        "phones.txt": transitions.symbols().encode("ascii"),
    }
    try:
        for name, content in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            replace_file(path, content)
    except OSError as error:
        why = "the disk is full" if error.errno == errno.ENOSPC else str(error.strerror)
        raise HectorError(f"The model cannot be written to {folder}: {why}.") from error

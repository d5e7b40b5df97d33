"""The network of a finished model, to go on from and to learn from, as `export.py` has written it."""

from __future__ import annotations

import copy
from pathlib import Path

import numpy as np
import torch

from assistant.errors import HectorError
from assistant.hearing import load_model
from assistant.hearing.kaldi import Stream
from assistant.hearing.network import Affine, Scaling, Step
from assistant.hearing.network import Network as Written
from assistant.hearing.scoring import scorer_of
from models.training.checkpoint import State, optimiser
from models.training.export import STATISTICS, unflatten
from models.training.lexicon import load_lexicon
from models.training.network import EPSILON, STRIDE, Network, Shape
from models.training.owned import Outputs

_LABELS = 2e7
"""How many labels the priors of a model are worth beside those of the training that goes on."""


def network_of(folder: Path) -> Network:
    """Return a model's network, with the 16 bits a weight that the file has.

    :raises HectorError: if there is no model there, or it is not one that was trained here.
    """
    return _network(_written(folder), folder)


def state_of(folder: Path) -> State:
    """Return the beginning of a training that goes on from a model; its optimiser has seen nothing.

    :raises HectorError: see `network_of`.
    """
    written = _written(folder)
    network = _network(written, folder)
    phones = Outputs.counting(load_lexicon(), network.shape.outputs).of_outputs
    priors = unflatten(np.exp(written.log_priors.astype(float)), phones)
    statistics = np.array(Stream((folder / STATISTICS).read_bytes(), 2).matrix(), float)
    labels = torch.from_numpy(priors * _LABELS)
    # a first step is counted: the inputs are normalised already
    return State(
        network.shape, network, copy.deepcopy(network), optimiser(network), labels, statistics, step=1
    )


def _written(folder: Path) -> Written:
    model = load_model(folder)
    try:
        return scorer_of(model).network
    except ValueError as error:
        raise _no_network(folder) from error


def _no_network(folder: Path) -> HectorError:
    return HectorError(f"The model in {folder} has another kind of network: name one that was trained here.")


def _network(written: Written, folder: Path) -> Network:
    steps = {step.name: step for step in written.steps}
    try:
        shape = _shape(steps)
        network = Network(shape)
        with torch.no_grad():
            _fill(network, steps)
    except (KeyError, AttributeError, RuntimeError, ValueError) as error:
        raise _no_network(folder) from error
    network.eval()
    return network


def _shape(steps: dict[str, Step]) -> Shape:
    count = sum(name.endswith(".relu") and name.startswith("layer") for name in steps)
    first = [f"layer{k}.waist" if f"layer{k}.waist" in steps else f"layer{k}.affine" for k in range(1, count)]
    return Shape(
        inputs=len(steps["norm"].component.bias),  # type: ignore[attr-defined]
        width=len(_affine(steps["layer0.affine"]).bias),
        taps=len(steps["layer0.affine"].parts),
        dilations=tuple(steps[name].parts[-1][0].offset // STRIDE for name in first),
        outputs=len(_affine(steps["output.affine"]).bias),
        waists=tuple(len(_affine(steps[name]).bias) for name in first if name.endswith(".waist")),
    )


def _fill(network: Network, steps: dict[str, Step]) -> None:
    scale, bias = _scaling(steps["norm"])
    network.deviation.copy_(1 / scale)
    network.mean.copy_(-bias / scale)
    for k, (layer, norm) in enumerate(zip(network.layers, network.norms, strict=True)):
        parts = list(layer) if isinstance(layer, torch.nn.Sequential) else [layer]
        names = [f"layer{k}.waist", f"layer{k}.affine"][-len(parts) :]
        for part, name in zip(parts, names, strict=True):
            _fill_layer(part, _affine(steps[name]))
        scale, bias = _scaling(steps[f"layer{k}.batchnorm"])
        norm.running_mean.copy_(-bias / scale)
        norm.running_var.copy_(scale**-2 - EPSILON)
    _fill_layer(network.output, _affine(steps["output.affine"]))


def _fill_layer(layer: torch.nn.Conv1d, written: Affine) -> None:
    width, channels, taps = layer.weight.shape
    weights = torch.from_numpy(np.array(written.weights)).reshape(width, taps, channels)
    layer.weight.copy_(weights.transpose(1, 2))
    if layer.bias is not None:
        layer.bias.copy_(torch.from_numpy(np.array(written.bias)))


def _affine(step: Step) -> Affine:
    if not isinstance(step.component, Affine):
        raise ValueError(step.name)
    return step.component


def _scaling(step: Step) -> tuple[torch.Tensor, torch.Tensor]:
    if not isinstance(step.component, Scaling):
        raise ValueError(step.name)
    scale, bias = step.component.scale, step.component.bias
    return torch.from_numpy(np.array(scale, float)), torch.from_numpy(np.array(bias, float))

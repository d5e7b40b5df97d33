"""The network: a time-delay net with everything that Kaldi's nnet3 can read.

Its layers of three taps may be narrow in the middle, as in Povey et al., "Semi-orthogonal low-rank matrix
factorization for deep neural networks" (2018), without the constraint: half the weights, half the computing.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace

import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor, nn

STRIDE = 3
"""Outputs come every third frame (30 ms): vosk's word times assume it."""

BYPASS = 0.66
"""Weight of a layer's input in its output."""

EPSILON = 1e-3


@dataclass(frozen=True)
class Shape:
    """Width, taps of the first layer, dilations of the 3-tap layers (in output steps of 30 ms), outputs."""

    inputs: int = 40
    width: int = 448
    taps: int = 7
    dilations: tuple[int, ...] = (1, 1, 2, 2, 3, 3)
    outputs: int = 39
    waists: tuple[int, ...] = (96, 128, 160, 192, 192, 192)
    """How many values each 3-tap layer has in its middle; () if they have none."""

    @property
    def context(self) -> int:
        """Frames of 10 ms that an output sees to either side of its own."""
        return self.taps // 2 + STRIDE * sum(self.dilations)

    def as_dict(self) -> dict[str, object]:
        return asdict(self)


class Network(nn.Module):  # type: ignore[misc]
    """40 normalised MFCCs per frame to phone scores every third frame; edges replicated as in Kaldi."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        self.uneven = 0.0
        """By how much, in training, each value of a layer is more or less than it is; see `Plan.uneven`."""
        self.register_buffer("mean", torch.zeros(shape.inputs))
        self.register_buffer("deviation", torch.ones(shape.inputs))
        self.layers = nn.ModuleList([nn.Conv1d(shape.inputs, shape.width, shape.taps, stride=STRIDE)])
        for k, dilation in enumerate(shape.dilations):
            self.layers.append(_layer(shape.width, dilation, shape.waists[k] if shape.waists else 0))
        self.norms = nn.ModuleList(
            nn.BatchNorm1d(shape.width, eps=EPSILON, affine=False, momentum=0.05) for _ in self.layers
        )
        self.output = nn.Conv1d(shape.width, shape.outputs, 1)

    def forward(self, features: Tensor) -> Tensor:
        """(batch, frames, 40) -> (batch, ceil(frames / 3), outputs), without softmax."""
        out: Tensor = self.output(self.hidden(features)[-1])
        return out.transpose(1, 2)

    def hidden(self, features: Tensor) -> list[Tensor]:
        """What comes out of each layer, (batch, width, steps); the later, the fewer steps at the edges."""
        found = []
        x = ((features - self.mean) / self.deviation).transpose(1, 2)
        context = self.shape.context
        x = F.pad(x, (context, context + (-x.shape[2]) % STRIDE), mode="replicate")
        for k, (layer, norm) in enumerate(zip(self.layers, self.norms, strict=True)):
            y = F.relu(layer(x))
            if k:
                dilation = self.shape.dilations[k - 1]
                y = y + BYPASS * x[:, :, dilation : x.shape[2] - dilation]
            x = norm(y)
            if self.training and self.uneven:
                x = x * (1 + self.uneven * (2 * torch.rand(len(x), x.shape[1], 1) - 1))
            found.append(x)
        return found


def _layer(width: int, dilation: int, waist: int) -> nn.Module:
    if not waist:
        return nn.Conv1d(width, width, 3, dilation=dilation)
    into = nn.Conv1d(width, waist, 3, dilation=dilation, bias=False)
    return nn.Sequential(into, nn.Conv1d(waist, width, 1))


def widened(network: Network, width: int) -> Network:
    """A wider network that says the same: what is new hears everything, and nothing listens to it yet."""
    narrow = network.shape.width
    wide = Network(replace(network.shape, width=width))
    with torch.no_grad():
        wide.mean.copy_(network.mean)
        wide.deviation.copy_(network.deviation)
        for k, (new, old) in enumerate(zip(wide.layers, network.layers, strict=True)):
            if k and network.shape.waists:
                new[0].weight.zero_()
                new[0].weight[:, :narrow] = old[0].weight
                new, old = new[1], old[1]
                new.weight[:narrow] = old.weight
            elif k:
                new.weight[:narrow] = 0.0
                new.weight[:narrow, :narrow] = old.weight
            else:
                new.weight[:narrow] = old.weight
            new.bias[:narrow] = old.bias
        for norm, its in zip(wide.norms, network.norms, strict=True):
            norm.running_mean[:narrow] = its.running_mean
            norm.running_var[:narrow] = its.running_var
        wide.output.weight.zero_()
        wide.output.weight[:, :narrow] = network.output.weight
        wide.output.bias.copy_(network.output.bias)
    return wide


def laced(network: Network, waists: tuple[int, ...], features: Tensor) -> Network:
    """Nearly the same network with layers that are narrow in their middle.

    :param waists: see `Shape`.
    :param features: input, (batch, frames, 40): what the layers hear of it is kept best.
    """
    if network.shape.waists:
        raise ValueError("it has waists already")
    narrow = Network(replace(network.shape, waists=waists))
    with torch.no_grad():
        hidden = network.eval().hidden(features)
        for k, (new, old) in enumerate(zip(narrow.layers, network.layers, strict=True)):
            if not k:
                new.load_state_dict(old.state_dict())
                continue
            weights = old.weight.transpose(1, 2).flatten(1).double()
            x = _heard(hidden[k - 1], network.shape.dilations[k - 1]).double()
            mean = x.mean(0)
            spread, axes = torch.linalg.eigh((x - mean).T @ (x - mean) / len(x))
            extent = spread.clamp_min(1e-6).sqrt()
            # of what the layer says about its input, the largest parts
            left, size, right = torch.linalg.svd(weights @ axes * extent, full_matrices=False)
            root = size[: waists[k - 1]].sqrt()
            out = left[:, : len(root)] * root
            into = (root[:, None] * right[: len(root)] / extent) @ axes.T
            new[0].weight.copy_(into.reshape(len(root), 3, -1).transpose(1, 2))
            new[1].weight.copy_(out[:, :, None])
            new[1].bias.copy_(old.bias + (weights - out @ into) @ mean)
        for name in ("mean", "deviation"):
            getattr(narrow, name).copy_(getattr(network, name))
        narrow.norms.load_state_dict(network.norms.state_dict())
        narrow.output.load_state_dict(network.output.state_dict())
    return narrow


def divided(network: Network, phones: Tensor, shares: Tensor) -> Network:
    """The same network with several outputs for a phone, which share what it said.

    :param phones: the phone of each output.
    :param shares: how much of its phone each output is, 0 to 1.
    """
    more = Network(replace(network.shape, outputs=len(phones)))
    values = network.state_dict()
    values["output.weight"] = values["output.weight"][phones]
    values["output.bias"] = values["output.bias"][phones] + shares.log().float()
    more.load_state_dict(values)
    return more


def summed(log_posteriors: Tensor, phones: Tensor) -> Tensor:
    """Log posteriors of phones from those of outputs, whose last axis they are."""
    most = log_posteriors.amax(-1, keepdim=True)
    shape = (*log_posteriors.shape[:-1], int(phones.max()) + 1)
    sums = torch.zeros(shape, dtype=log_posteriors.dtype)
    sums = sums.index_add(-1, phones, (log_posteriors - most).exp())
    return sums.clamp_min(1e-30).log() + most


def _heard(x: Tensor, dilation: int) -> Tensor:
    """Every input of a layer of three taps, one a row."""
    steps = x.shape[2] - 2 * dilation
    taps = [x[:, :, k * dilation : k * dilation + steps] for k in range(3)]
    return torch.cat(taps, 1).transpose(1, 2).flatten(0, 1)

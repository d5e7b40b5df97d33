"""The network: a time-delay net with everything that Kaldi's nnet3 can read."""

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
        self.register_buffer("mean", torch.zeros(shape.inputs))
        self.register_buffer("deviation", torch.ones(shape.inputs))
        self.layers = nn.ModuleList([nn.Conv1d(shape.inputs, shape.width, shape.taps, stride=STRIDE)])
        for dilation in shape.dilations:
            self.layers.append(nn.Conv1d(shape.width, shape.width, 3, dilation=dilation))
        self.norms = nn.ModuleList(
            nn.BatchNorm1d(shape.width, eps=EPSILON, affine=False, momentum=0.05) for _ in self.layers
        )
        self.output = nn.Conv1d(shape.width, shape.outputs, 1)

    def forward(self, features: Tensor) -> Tensor:
        """(batch, frames, 40) -> (batch, ceil(frames / 3), outputs), without softmax."""
        x = ((features - self.mean) / self.deviation).transpose(1, 2)
        context = self.shape.context
        x = F.pad(x, (context, context + (-x.shape[2]) % STRIDE), mode="replicate")
        for k, (layer, norm) in enumerate(zip(self.layers, self.norms, strict=True)):
            y = F.relu(layer(x))
            if k:
                dilation = self.shape.dilations[k - 1]
                y = y + BYPASS * x[:, :, dilation : x.shape[2] - dilation]
            x = norm(y)
        out: Tensor = self.output(x)
        return out.transpose(1, 2)


def widened(network: Network, width: int) -> Network:
    """A wider network that says the same: what is new hears everything, and nothing listens to it yet."""
    narrow = network.shape.width
    wide = Network(replace(network.shape, width=width))
    with torch.no_grad():
        wide.mean.copy_(network.mean)
        wide.deviation.copy_(network.deviation)
        for k, (new, old) in enumerate(zip(wide.layers, network.layers, strict=True)):
            if k:
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

"""The network: a time-delay net with everything that Kaldi's nnet3 can read."""

from __future__ import annotations

from dataclasses import asdict, dataclass

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
    width: int = 256
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

"""Everything that a training is at one moment, kept in a file from which it goes on after an interruption."""

from __future__ import annotations

import copy
import errno
import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from assistant.errors import HectorError
from models.training.network import Network, Shape


@dataclass
class State:
    """Everything a checkpoint holds."""

    shape: Shape
    network: Network
    averaged: Network
    optimiser: torch.optim.Optimizer
    labels: torch.Tensor
    stats: NDArray[np.float64]
    step: int = 0
    seconds: float = 0.0

    @property
    def priors(self) -> NDArray[np.float64]:
        counts = self.labels.double().numpy() + 1
        return np.asarray(counts / counts.sum())

    @property
    def mean(self) -> torch.Tensor:
        """Of the features, where the running mean begins."""
        return torch.from_numpy(self.stats[0, :-1] / self.stats[0, -1])


def new_state(shape: Shape, stats: NDArray[np.float64], seed: int) -> State:
    torch.manual_seed(seed)
    network = Network(shape)
    # single precision would stop counting at 17 million
    labels = torch.zeros(shape.outputs, dtype=torch.float64)
    return State(shape, network, copy.deepcopy(network), optimiser(network), labels, stats)


def optimiser(network: Network) -> torch.optim.Optimizer:
    """Its learning rate is the plan's, set anew for each step."""
    return torch.optim.AdamW(network.parameters(), weight_decay=1e-3)


def save_checkpoint(path: Path, state: State) -> None:
    """Write beside, then rename: an interruption leaves the old checkpoint.

    :raises OSError: if it cannot be written; the old one is still there.
    """
    part = path.with_suffix(".part")
    content = {
        "shape": state.shape.as_dict(),
        "network": state.network.state_dict(),
        "averaged": state.averaged.state_dict(),
        "optimiser": state.optimiser.state_dict(),
        "labels": state.labels,
        "stats": torch.from_numpy(state.stats),
        "step": state.step,
        "seconds": state.seconds,
    }
    try:
        torch.save(content, part)
    except OSError:
        part.unlink(missing_ok=True)
        raise
    except RuntimeError as error:
        # PyTorch's writer tells so of a full disk
        part.unlink(missing_ok=True)
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path)) from error
    part.replace(path)


def load_checkpoint(path: Path) -> State:
    """HectorError when there is none or it is cut."""
    if not path.is_file():
        raise HectorError(f"There is no checkpoint {path}: start without --resume.")
    try:
        content: dict[str, Any] = torch.load(path, map_location="cpu", weights_only=True)
        # a checkpoint from before there were waists does not tell of any
        sizes: dict[str, Any] = {"waists": (), **content["shape"]}
        shape = Shape(**sizes)
        network, averaged = Network(shape), Network(shape)
        network.load_state_dict(content["network"])
        averaged.load_state_dict(content["averaged"])
        before = optimiser(network)
        before.load_state_dict(content["optimiser"])
        return State(
            shape,
            network,
            averaged,
            before,
            content["labels"].double(),
            content["stats"].numpy(),
            int(content["step"]),
            float(content["seconds"]),
        )
    except Exception as error:
        # a cut file fails in a dozen ways inside PyTorch's unpickler
        raise HectorError(
            f"The checkpoint {path} is damaged: delete it and start without --resume."
        ) from error


def going_on(path: Path, shape: Shape) -> State:
    """The state of a checkpoint whose network can become one of this shape.

    It may be narrower, or have fewer outputs or no waists.

    :raises HectorError: if there is none, or it is cut or of another kind of network.
    """
    state = load_checkpoint(path)
    if not becomes(state.shape, shape):
        raise HectorError(
            f"The checkpoint {path} is of a network with other layers, as --quick makes one: "
            "start without --resume, or in another --work folder."
        )
    return state


def becomes(has: Shape, shape: Shape) -> bool:
    """Whether a network can be changed into one of that shape, which says the same."""
    grown = replace(has, width=shape.width, outputs=shape.outputs, waists=has.waists or shape.waists)
    return grown == shape and has.width <= shape.width and has.outputs <= shape.outputs

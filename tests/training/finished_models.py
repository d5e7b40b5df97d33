"""Small models of chance weights, written as a training ends: for every test of what comes after one."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch

from models.training import export
from models.training.lexicon import load_lexicon
from models.training.network import Network, Shape

SHAPE = Shape(width=48, dilations=(1, 2, 3), waists=())


def random_network(shape: Shape = SHAPE, seed: int = 1) -> Network:
    torch.manual_seed(seed)
    network = Network(shape)
    network.mean.uniform_(-5, 5)
    network.deviation.uniform_(5, 20)
    for norm in network.norms:
        norm.running_mean.uniform_(-0.3, 0.3)
        norm.running_var.uniform_(0.3, 2.0)
    return network.eval()


def priors_and_statistics(seed: int) -> tuple[np.ndarray, np.ndarray]:
    stats = np.zeros((2, 41))
    stats[0, :40], stats[0, 40] = np.linspace(90, -10, 40) * 1000, 1000
    return np.random.default_rng(seed).dirichlet(np.ones(39)), stats


def written(folder: Path, shape: Shape = SHAPE, seed: int = 1) -> Network:
    network = random_network(shape, seed)
    export.write_model(folder, network, load_lexicon(), *priors_and_statistics(seed))
    return network

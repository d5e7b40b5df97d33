"""python -m models.training.mean --out DIR MODEL MODEL ...: the mean of the weights of several models.

Models that went on from the same one, each with other lessons or another seed, have mistakes of their own,
and fewer of them in their mean (Wortsman et al., "Model soups", 2022). It costs a second, hearing nothing.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from assistant.errors import HectorError, UsageError
from models.training import training_extra
from models.training.lexicon import load_lexicon

if TYPE_CHECKING:
    from models.training.checkpoint import State


def mean_of(folders: Sequence[Path]) -> State:
    """Return the first model with the mean of the weights of all; the rest of it is the first one's.

    :raises UsageError: if one has another network than the first.
    :raises HectorError: see `earlier.network_of`.
    """
    import torch

    from models.training import earlier

    first, *others = states = [earlier.state_of(folder) for folder in folders]
    for folder, other in zip(folders[1:], others, strict=True):
        if other.shape != first.shape:
            raise UsageError(f"The network of {folder} is not made like that of {folders[0]}: leave it out.")
    mean = first.averaged
    weights = [state.averaged.state_dict() for state in states]
    mean.load_state_dict(
        {
            name: torch.stack([each[name].double() for each in weights]).mean(0).to(value.dtype)
            for name, value in mean.state_dict().items()
        }
    )
    return replace(first, averaged=mean.eval())


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m models.training.mean", description="The mean of the weights of finished models."
    )
    parser.add_argument("--out", type=Path, required=True, help="the model directory to write")
    parser.add_argument("models", type=Path, nargs="+", metavar="MODEL", help="a finished model")
    chosen = parser.parse_args(arguments)
    if len(chosen.models) < 2:
        parser.error("a mean needs two models or more")
    with training_extra():
        from models.training import export
    try:
        state = mean_of(chosen.models)
        export.write_model(chosen.out, state.averaged, load_lexicon(), state.priors, state.stats)
    except HectorError as error:
        print(error, file=sys.stderr)
        return error.status
    print(f"Ready: {chosen.out}, the mean of {len(chosen.models)} models.")
    return 0


if __name__ == "__main__":
    sys.exit(main())

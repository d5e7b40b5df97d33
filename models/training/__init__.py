"""Trains Hector's acoustic model from nothing: lexicon, synthetic speech, network, Kaldi files, check.

The command is `python -m models.training --out DIR`; README.md beside this file describes it.
"""

from __future__ import annotations

import errno
import shlex
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

CHECKPOINT = "checkpoint.pt"
"""Name of the checkpoint in the work folder."""


def killed() -> ChildProcessError:
    """The error to raise where a process of the training has ended before its work was done."""
    return ChildProcessError(
        errno.ECHILD, "one of its processes was killed, as the system does where the memory is full"
    )


def training_extra() -> AbstractContextManager[None]:
    """Import inside what needs PyTorch or SciPy: without them the program ends with a sentence."""
    return extra("training", "torch", "scipy")


@contextmanager
def extra(extra: str, *packages: str) -> Iterator[None]:
    """Import inside what needs packages of an extra: without them the program ends with a sentence."""
    try:
        yield
    except ImportError as error:
        name = (error.name or "").partition(".")[0]
        if name not in packages:
            raise
        # Hector is on no index of packages: its extras are installed from its folder.
        wanted = f"{Path(__file__).resolve().parents[2]}[{extra}]"
        pip = shlex.join([sys.executable, "-m", "pip", "install", "-e", wanted])
        raise SystemExit(f"This needs {name}. Install it with: {pip}") from None

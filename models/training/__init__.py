"""Trains Hector's acoustic model from nothing: lexicon, synthetic speech, network, Kaldi files, check.

The command is `python -m models.training --out DIR`; README.md beside this file describes it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

CHECKPOINT = "checkpoint.pt"
"""Name of the checkpoint in the work folder."""


@contextmanager
def training_extra() -> Iterator[None]:
    """Import inside what needs PyTorch or SciPy: without them the program ends with a sentence."""
    try:
        yield
    except ImportError as error:
        name = (error.name or "").partition(".")[0]
        if name not in ("torch", "scipy"):
            raise
        raise SystemExit(
            f"This needs {name}: install it with pip install 'hector-chess[training]'."
        ) from None

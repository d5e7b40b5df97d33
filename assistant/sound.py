"""Sound as Hector hears it, whatever the devices have."""

from __future__ import annotations

from typing import Final

SAMPLE_RATE: Final = 16_000
"""Samples per second."""
BLOCK: Final = 320
"""Samples of a block: 20 ms."""

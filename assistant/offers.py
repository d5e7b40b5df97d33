"""The sign of a draw offer behind a move (8.1.5, C.12)."""

from __future__ import annotations

from typing import Final

OFFER: Final = "(=)"


def offers_draw(text: str) -> bool:
    """Return whether a move is written with the sign of a draw offer (8.1.5)."""
    return text.rstrip(" .").endswith(OFFER)

"""Results of games as the Laws' glossary has them, and as people write them."""

from __future__ import annotations

import re

PGN_RESULTS = ("1-0", "0-1", "1/2-1/2", "*")
RESULTS = (*PGN_RESULTS, "0-0", "1/2-0", "0-1/2", "1-1/2", "1/2-1", "1-1", "+/-", "-/+", "-/-")
"""Results of the Laws' glossary, and those of points that a penalty has raised (12.9.d of 2014).

PGN knows the first four, the others travel in the tag FinalScore.
"""

_DRAWN = ("1/2", "remis", "draw", "tablas", "nulle", "patta", "remise", "empate", "ничья", "remiza")


def result_of(text: str) -> str | None:
    """Return the result that a text means, such as "1:0", "½-½" or "remis"; None if it means none."""
    plain = re.sub(r"[\u2010-\u2015\u2212]", "-", re.sub(r"\s+", "", text.lower()))
    if plain in RESULTS:
        return plain
    plain = re.sub(r"½|0[.,]5", "1/2", plain.replace(":", "/" if plain[:1] in "+-" else "-"))
    return "1/2-1/2" if plain in _DRAWN else plain if plain in RESULTS else None

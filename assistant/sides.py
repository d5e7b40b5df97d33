"""The two players, as everybody names them."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

import chess

Side: TypeAlias = Literal["white", "black"]

SIDES: Final[tuple[Side, Side]] = ("white", "black")


def other(side: Side) -> Side:
    return "black" if side == "white" else "white"


def side_of(color: chess.Color) -> Side:
    return "white" if color else "black"

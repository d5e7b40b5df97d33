"""What the question "can this side still checkmate?" is answered with."""

from __future__ import annotations

import enum
from dataclasses import dataclass

import chess

from assistant.errors import Phrase


class Answer(enum.Enum):
    """YES and NO are proved; UNKNOWN means that the budget ran out before either was."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Budget:
    """How much work may be done, in nodes; never in seconds, so that every run gives the same verdict.

    `forced` counts positions looked at while following forced lines, `playouts` games played to strip the
    loser of men, `sets` boards without kings whose king pairs are expanded (each stands for up to
    thousands of positions).
    """

    forced: int
    playouts: int
    sets: int


CHEAP = Budget(forced=24, playouts=0, sets=0)
"""For use after every move: terminal positions, material, mobility, forced lines."""

FULL = Budget(forced=300, playouts=4, sets=28_000)
"""For a flag fall or a losing illegal move: about two seconds at the very most."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether one side can checkmate by some series of legal moves of both sides.

    `line` is the proof of a YES: legal moves from the position asked about that end with the other side
    checkmated (empty when it already is). `reason` says why the answer is what it is, as it stands behind
    "White cannot checkmate: ", `stage` which step found it, `nodes` how much work was done.
    """

    answer: Answer
    line: tuple[chess.Move, ...]
    reason: Phrase
    stage: str
    nodes: int


@dataclass(frozen=True, slots=True)
class Deadness:
    """Whether neither side can checkmate (Laws of Chess 2023, 5.2.2), with the verdict for each side.

    `answer` is YES for a dead position, NO when at least one side has a proved mate, otherwise UNKNOWN.
    """

    answer: Answer
    white: Verdict
    black: Verdict

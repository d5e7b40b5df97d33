"""The games of the demonstration, and what happens in them besides the moves."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

import chess
import chess.pgn

from assistant.table.setup import Person, Setup


@dataclass(frozen=True, slots=True)
class Scene:
    """Words that are said before a move of the game."""

    ply: int
    """The half-move before which they are said, counted from 0; the number of half-moves: after the last."""
    words: str
    """Tokens of the vocabulary."""


@dataclass(frozen=True, slots=True)
class Demonstration:
    """One game with its voices and scenes."""

    setup: Setup
    moves: tuple[chess.Move, ...]
    voices: tuple[str, str]
    """The espeak-ng voices of White and of Black."""
    slips: dict[int, str] = field(default_factory=dict)
    """What is announced by a slip of the tongue at a half-move, before it is corrected."""
    scenes: tuple[Scene, ...] = ()

    def in_language(self, language: str) -> Demonstration:
        """Return the same game with Hector speaking another language."""
        return replace(self, setup=replace(self.setup, language=language))


def _read(name: str) -> chess.pgn.Game:
    path = Path(__file__).with_name(name)
    with path.open(encoding="utf-8") as file:
        game = chess.pgn.read_game(file)
    assert game is not None
    return game


def _setup(game: chess.pgn.Game, time_control: str, *, blind: tuple[bool, bool]) -> Setup:
    tags = game.headers
    return Setup(
        white=Person(tags["White"], blind[0]),
        black=Person(tags["Black"], blind[1]),
        time_control=time_control,
        press="auto",
        event=tags["Event"],
        site=tags["Site"],
        date=tags["Date"],
        round=tags["Round"],
    )


@cache
def games() -> tuple[Demonstration, ...]:
    """Return the games: one resigned with two blind players, one that ends in mate with one."""
    first, second = _read("kasparov-topalov.pgn"), _read("byrne-fischer.pgn")
    return (
        Demonstration(
            _setup(first, "40/7200:3600", blind=(True, True)),
            tuple(first.mainline_moves()),
            ("de+m3", "de+f4"),
            slips={16: "dame gustav fuenf"},
            scenes=(
                Scene(8, "zeit"),
                Scene(30, "zugzahl"),
                Scene(41, "letzter zug"),
                Scene(87, "ich gebe auf"),
            ),
        ),
        Demonstration(
            _setup(second, "5400+30", blind=(True, False)),
            tuple(second.mainline_moves()),
            ("de+Annie", "de+Denis"),
            scenes=(
                Scene(20, "zeit"),
                Scene(44, "remis angeboten"),
                Scene(45, "remis abgelehnt"),
                Scene(60, "wiederholen"),
            ),
        ),
    )

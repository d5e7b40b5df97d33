"""What is agreed before the first move: the game, the people, and how Hector serves them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeAlias

Side: TypeAlias = Literal["white", "black"]
Press: TypeAlias = Literal["auto", "word", "key"]

SIDES: tuple[Side, Side] = ("white", "black")


@dataclass(frozen=True, slots=True)
class Person:
    """One of the two players."""

    name: str = "?"
    blind: bool = False


@dataclass(frozen=True, slots=True)
class Setup:
    """One game as it was agreed, and how it is to be run at the table."""

    white: Person = field(default_factory=lambda: Person("White", blind=True))
    black: Person = field(default_factory=lambda: Person("Black"))
    laws: str = "2023"
    time_control: str = "5400+30"
    mode: Literal["rated", "club"] = "rated"
    fen: str | None = None
    chess960: int | bool | None = None
    press: Press = "word"
    language: str = "de"
    event: str = "?"
    site: str = "?"
    date: str = "????.??.??"
    round: str = "?"

    def person(self, side: Side) -> Person:
        return self.white if side == "white" else self.black

    def game(self) -> dict[str, Any]:
        """Return the first line of the game script. Source: the game-script format, "First line"."""
        game: dict[str, Any] = {
            "laws": self.laws,
            "time_control": self.time_control,
            "mode": self.mode,
            "white": {"name": self.white.name, "blind": self.white.blind},
            "black": {"name": self.black.name, "blind": self.black.blind},
        }
        if self.fen is not None:
            game["fen"] = self.fen
        if self.chess960 is not None:
            game["chess960"] = self.chess960
        return game

    def table(self) -> dict[str, Any]:
        """Return what the journal keeps beside the game, so that a game resumes as it was run."""
        return {
            "press": self.press,
            "language": self.language,
            "event": self.event,
            "site": self.site,
            "date": self.date,
            "round": self.round,
        }

    @classmethod
    def from_journal(cls, game: Mapping[str, Any], table: Mapping[str, Any]) -> Setup:
        """Rebuild the setup from the first line of a journal."""
        people = {side: Person(str(game[side]["name"]), bool(game[side].get("blind"))) for side in SIDES}
        kept = {key: table[key] for key in cls().table() if key in table}
        return replace(
            cls(white=people["white"], black=people["black"]),
            laws=game["laws"],
            time_control=game["time_control"],
            mode=game["mode"],
            fen=game.get("fen"),
            chess960=game.get("chess960"),
            **kept,
        )

"""A game under the Laws as tests write it: one line of a script at a time, one second apart."""

from __future__ import annotations

import json
from typing import Any

import chess

from assistant.laws import Event, Referee
from assistant.moves import read_move

Events = list[dict[str, Any]]

TIMES = frozenset({"white", "black"})
MOVE = frozenset({"ply", "side", "uci", "san"})
CLAIM = frozenset({"side", "of", "seconds", "article"})
FIELDS = {
    "clock-started": TIMES | {"side", "article"},
    "move-made": MOVE,
    "move-completed": MOVE | TIMES,
    "repeated": frozenset({"side", "article"}),
    "repeat-differs": frozenset({"side", "article"}),
    "slip-corrected": frozenset({"side", "article"}),
    "illegal-move": frozenset({"side", "number", "kind", "remedy", "seconds", "article"}),
    "refused": frozenset({"reason"}),
    "flag-fallen": TIMES | {"side", "article"},
    "flag-claim": frozenset({"side", "article"}),
    "draw-offered": frozenset({"side", "article"}),
    "draw-declined": frozenset({"side", "article"}),
    "claim-right": CLAIM,
    "claim-wrong": CLAIM,
    "claim-waits": CLAIM,
    "penalty": frozenset({"side", "kind", "article"}),
    "clock-set": TIMES | {"article"},
    "clock-stopped": TIMES | {"by", "article"},
    "clock-resumed": TIMES | {"side", "article"},
    "period-reached": frozenset({"side"}),
    "position-restored": TIMES | {"ply", "fen"},
    "sheets-differ": TIMES | {"ply"},
    "adjourned": TIMES | {"side", "by", "article"},
    "sealed": frozenset({"side", "article"}),
    "sealed-void": frozenset({"side", "article"}),
    "envelope-opened": frozenset({"side", "article"}),
    "answer": frozenset({"side", "about"}),
    "arbiter-asked": frozenset({"about", "proposal", "article"}),
    "game-over": frozenset({"result", "reason"}),
}
"""What every event of a kind says, as the description of the game script promises it."""


class Played:
    """A referee at work; every method gives back the events of its line as a script prints them."""

    def __init__(self, edition: str, fen: str | None = None, *, start: bool = True, **game: Any) -> None:
        setup = {"laws": edition, **({} if fen is None else {"fen": fen}), **game}
        self.referee = Referee(setup, read_move)
        self.at = 0.0
        self.events: Events = []
        self.raw: list[Event] = []
        if start:
            self.do("start", at=0)

    def do(self, verb: str, side: str | None = None, at: float | None = None, **keys: Any) -> Events:
        self.at = self.at + 1 if at is None else at
        who = {} if side is None else {"side": side}
        events = self.referee.apply({"at": self.at, "do": verb, **who, **keys})
        self.raw += events
        said = [json.loads(event.as_json()) for event in events]
        for event in said:
            assert FIELDS.get(event["event"], frozenset()) <= event.keys(), event
        self.events += said
        return said

    def announce(self, move: str, side: str | None = None, **keys: Any) -> Events:
        """The player having the move (or another) announces and places a move."""
        return self.do("announce", side or self.turn, move=move, **keys)

    def move(self, move: str) -> Events:
        """The player having the move makes a move and presses the clock, if the game still goes on."""
        side = self.turn
        said = self.announce(move, side)
        assert said and said[-1]["event"] != "refused", said
        return said if self.over else said + self.do("press", side)

    def moves(self, line: str) -> Played:
        for move in line.split():
            self.move(move)
        return self

    @property
    def status(self) -> dict[str, Any]:
        return self.referee.status().as_dict()

    @property
    def turn(self) -> str:
        return str(self.status["turn"])

    @property
    def fen(self) -> str:
        return str(self.status["fen"])

    @property
    def board(self) -> chess.Board:
        return chess.Board(self.fen)

    @property
    def result(self) -> str:
        return str(self.status["result"])

    @property
    def over(self) -> bool:
        return self.result != "*"

    @property
    def reason(self) -> str | None:
        """Why the game ended."""
        return next((e["reason"] for e in self.events if e["event"] == "game-over"), None)

    @property
    def last(self) -> dict[str, Any]:
        return self.events[-1]


def names(events: Events) -> list[str]:
    return [event["event"] for event in events]


def refused(events: Events) -> bool:
    return bool(events) and events[-1]["event"] == "refused"


def article(events: Events, event: str) -> str:
    """The number of the article on which the first event of that name rests, without the edition."""
    [found, *_] = [each for each in events if each["event"] == event]
    return str(found["article"]).split(" ", 1)[1]


def event(events: Events, name: str) -> dict[str, Any]:
    """The first event of that name."""
    return next(each for each in events if each["event"] == name)

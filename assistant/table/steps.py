"""What has happened at a table, line by line, and what it was."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assistant.errors import Phrase, marked
from assistant.laws import Event
from assistant.sides import Side
from assistant.table.setup import Setup

TIME = "time"
"""What a note in the journal is about that stands where time alone has brought something: a flag's fall."""

TAKEN_BACK = "correction"
"""What a note in the journal is about that stands where a player takes back what he announced (D.2.8)."""


@dataclass(frozen=True, slots=True)
class Step:
    """Something that happened: a line of the script, or None where time alone did it, and what it brought."""

    line: Mapping[str, Any] | None
    events: tuple[Event, ...]


def clocks(running: Side | None, at: float) -> Event:
    """Return how the clocks stand at a time, as an event: whose runs, or that both are stopped."""
    kind = "clock-stopped" if running is None else "clock-resumed"
    return Event(round(at * 1_000_000), kind, {"running": running})


def without_secret(line: dict[str, Any], events: Iterable[Event]) -> dict[str, Any]:
    """Return a line as it is kept: an opening that is refused leaves the move in its envelope (I.7)."""
    if line["do"] in ("open-envelope", "arrive") and is_refused(events):
        return {key: value for key, value in line.items() if key != "text"}
    return line


def has_gone_back(line: Mapping[str, Any], events: Iterable[Event]) -> bool:
    """Return whether a line has brought back an earlier position, and no move in place of another.

    What was announced and not made gives way when the envelope is closed.
    """
    if line["do"] in ("undo", "restore"):
        return True
    return any(
        "envelope" in event.keys or (event.event == "position-restored" and "moves" not in event.keys)
        for event in events
    )


def announces(line: Mapping[str, Any], setup: Setup) -> bool:
    """Return whether a line announces a move; what a sighted player puts down Hector announces (duty b)."""
    is_sighted = line["do"] == "place" and not setup.person(line["side"]).blind
    return is_sighted or line["do"] in ("announce", "correct")


def has_announced(line: Mapping[str, Any], events: Sequence[Event], setup: Setup) -> bool:
    """Return whether a line has announced a move; one that is put down to be sealed nobody is told."""
    if line["do"] == "place" and all(event.event != "move-made" for event in events):
        return False
    return announces(line, setup) and not is_refused(events)


def has_moved(line: Mapping[str, Any], events: Sequence[Event], setup: Setup) -> bool:
    """Return whether a line has brought a move, of which Hector then tells: announced, made, or another one.

    Where an announcement has only lost its sense, as the game is over, the move before it is no news.
    """
    if has_announced(line, events, setup):
        return True
    return any(event.event in ("move-made", "position-restored") for event in events)


def has_only_bound(line: Mapping[str, Any], events: Iterable[Event]) -> bool:
    """Return whether a line may have made another move due by a touch (4.3), of which no event tells."""
    told = ("position-restored", "move-completed", "game-over")
    if any(event.event in told or "must" in event.keys for event in events):
        return False
    return line["do"] in ("touch", "rule")


def has_put_right(line: Mapping[str, Any], events: Sequence[Event], setup: Setup) -> bool:
    """Return whether a line has announced a move in the place of an illegal one that it has taken back."""
    went_back = any(event.event == "position-restored" for event in events)
    return went_back and has_announced(line, events, setup)


def refused_in(events: Iterable[Event]) -> Event | None:
    """Return the refusal among what a line has brought."""
    return next((event for event in events if event.event == "refused"), None)


def why_refused(events: Iterable[Event]) -> Phrase | None:
    """Return the sentence about a refusal among what a line has brought, with its article."""
    refusal = refused_in(events)
    if refusal is None:
        return None
    article = f" ({refusal.article})" if refusal.article else ""
    return marked("Refused: {reason}{article}.", reason=refusal.keys["reason"], article=article)


def is_refused(events: Iterable[Event]) -> bool:
    """Return whether the referee has refused what brought these events."""
    return refused_in(events) is not None

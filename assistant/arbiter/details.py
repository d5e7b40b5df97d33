"""What a line of the game says beside the events that it brings: what was heard, reasons, points, times."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import reduce
from typing import Any

from assistant.arbiter.forms import points_text, time_text
from assistant.arbiter.texts import person, text
from assistant.sides import SIDES
from assistant.table import Step


def details_of(step: Step, line: Mapping[str, Any], language: str) -> Iterator[str]:
    """Yield the details of a line that was carried out; they are for the arbiter alone."""
    match line["do"]:
        case "penalty":
            # The Laws may have fixed them.
            points = next((e.keys.get("points") for e in step.events if e.event == "penalty"), None)
            if points is not None:
                yield text("log-points", language, points=points_text(points))
            yield from _reason(line, language, phone="field-phone-rang")
        case "set-clock":
            for side in SIDES:
                if side in line:
                    yield f"{person(side, language)} {time_text(float(line[side]), language)}"
            if "moves" in line:
                yield text("log-counter", language, moves=str(line["moves"]))
            yield from _reason(line, language, setting="field-setting")
        case "stop-clock" if line.get("by") == "arbiter":
            yield from _reason(line, language)
        case _ if line.get("heard"):
            yield text("log-heard", language, words=str(line["heard"]))


def in_one(remarks: Iterable[str], language: str) -> str:
    """Return remarks as one text, as the language sets them apart; there is one at least."""

    def both(remark: str, further: str) -> str:
        return text("log-further", language, remark=remark, further=further)

    return reduce(both, remarks)


def _reason(line: Mapping[str, Any], language: str, **known: str) -> Iterator[str]:
    """Yield the reasons that a line gives; `known` are the words of those that the Laws know by a name."""
    reason = str(line.get("reason", ""))
    words = text(known[reason], language) if reason in known else reason
    for each in (words, str(line.get("remark", ""))):
        if each:
            yield text("log-reason", language, reason=each)

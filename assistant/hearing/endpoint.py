"""When an utterance is over: the values of endpoint.toml, which a model may bring along."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Final, TypeVar

from assistant.errors import HectorError
from assistant.hearing.detector import DetectorSettings

_MOST: Final = 1e6
"""No time, no score and no price comes near it."""

T = TypeVar("T", "Endpoint", DetectorSettings)


@dataclass(frozen=True, slots=True)
class Endpoint:
    """When an utterance is over; endpoint.toml explains each value. Seconds, and log scores."""

    lead: float
    shortest: float
    longest: float
    look: float
    done: float
    complete: float
    unclear: float
    unfinished: float
    again: float
    clear_illegal: float
    clear: float
    clear_foreign: float
    clear_short: float
    loud_foreign: float
    long_foreign: float
    hopeless_foreign: float
    covered: float
    unfinished_price: float


def settings_of(kind: type[T], table: Mapping[str, Any]) -> T:
    """Return the values of a table of endpoint.toml.

    :raises HectorError: if one is missing, unknown or no number that can be used.
    """
    names = {field.name for field in fields(kind)}
    unknown = sorted(table.keys() - names)
    missing = sorted(names - table.keys())
    if unknown or missing:
        what = f"“{unknown[0]}” is unknown" if unknown else f"“{missing[0]}” is missing"
        raise HectorError("The endpoint settings do not fit: {what}.", what=what)
    for field in fields(kind):
        name, value = field.name, table[field.name]
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= _MOST:
            raise HectorError("The endpoint settings do not fit: “{name}” must be a number.", name=name)
        least = field.metadata.get("least")
        if least is not None and (not isinstance(value, int) or value < least):
            raise HectorError(
                "The endpoint settings do not fit: “{name}” must be a whole number from {least} on.",
                name=name,
                least=least,
            )
    return kind(**table)

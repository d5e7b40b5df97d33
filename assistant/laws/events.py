"""What the referee decides, and times as it counts them: whole microseconds."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from assistant.errors import Phrase
from assistant.errors import ScriptError as ScriptError
from assistant.time_control import LONGEST
from assistant.time_control import SECOND as SECOND
from assistant.time_control import Microseconds as Microseconds


@dataclass(frozen=True, slots=True)
class Article:
    """The article of the Laws a ruling rests on, with the edition whose text it is."""

    edition: str
    number: str
    borrowed: bool = False

    def __str__(self) -> str:
        return f"{self.edition} {self.number}"


@dataclass(frozen=True, slots=True)
class Event:
    """One decision: when (microseconds), which, its keys, and the article for a ruling."""

    at: Microseconds
    event: str
    keys: Mapping[str, Any] = field(default_factory=dict)
    article: Article | None = None

    def as_dict(self) -> dict[str, Any]:
        """Return the event as a line of output has it, times in seconds; why it was refused is a `Phrase`."""
        line: dict[str, Any] = {"at": seconds(self.at), "event": self.event, **self.keys}
        if self.article is not None:
            line["article"] = str(self.article)
            if self.article.borrowed:
                line["borrowed"] = True
        return line

    def as_json(self) -> str:
        text = json.dumps(self.as_dict(), ensure_ascii=False, default=_in_english)
        # Half a surrogate pair, which JSON can spell, is no text that can be written anywhere.
        return text if text.isascii() or _is_text(text) else json.dumps(self.as_dict(), default=_in_english)


def _in_english(value: object) -> str:
    if isinstance(value, Phrase):
        return str(value)
    raise TypeError(f"{value!r} is nothing that an event tells")


def _is_text(text: str) -> bool:
    return not any("\ud800" <= sign <= "\udfff" for sign in text)


def seconds(time: Microseconds) -> int | float:
    """Return a time in seconds; whole seconds as an integer, so that no rounding ever shows."""
    whole, rest = divmod(time, SECOND)
    return time / SECOND if rest else whole


def microseconds(value: object, name: str) -> Microseconds:
    """Return a number of seconds as whole microseconds.

    :raises ScriptError: if it is no number of seconds between 0 and three years.
    """
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        raise ScriptError("'{name}' must be a number of seconds, not {value!r}.", name=name, value=value)
    try:
        time = int((Decimal(str(value)) * SECOND).to_integral_value())
    except (ArithmeticError, ValueError):
        raise ScriptError(
            "'{name}' must be a number of seconds, not {value!r}.", name=name, value=value
        ) from None
    if not 0 <= time <= LONGEST:
        raise ScriptError(
            "'{name}' must lie between 0 and {longest} seconds, not {value!r}.",
            name=name,
            longest=LONGEST // SECOND,
            value=value,
        )
    return time

"""What a player may set for himself, and what each setting may be."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Final, Literal, TypeAlias

from assistant.errors import UsageError, marked
from assistant.scoresheet import profile_names
from assistant.scoresheet.layout import MIN_CELLS, MIN_LINES
from assistant.speaking import LANGUAGES

NONE: Final = "none"
"""What is written on the command line for "no value of my own"."""

Value: TypeAlias = "str | int | tuple[int, ...] | None"


@dataclass(frozen=True, slots=True)
class Player:
    """What one player wants whenever he plays. `None`: nothing of his own, the program's default counts."""

    name: str
    """How he is called on the scoresheet. Case and blanks apart it is the name of his folder."""
    language: str | None = None
    """Language of Hector's sentences: one of `LANGUAGES`."""
    voice: str | None = None
    """A voice of espeak-ng ("de+f4", "mb-de6"), or a variant for all languages ("f4")."""
    rate: int | None = None
    """Words a minute, 80 to 450."""
    pitch: int | None = None
    """0 to 99."""
    volume: int | None = None
    """0 to 200; 100 is as the voice has it."""
    press: Literal["auto", "word", "key"] | None = None
    """Who presses the player's clock."""
    warnings: tuple[int, ...] = ()
    """Seconds left at which he wants to be warned, the most first."""
    headphones: str | None = None
    """Name of the device that only he hears."""
    room: str | None = None
    """Name of the device that the room hears."""
    duplex: Literal["half", "full"] = "half"
    """Whether the microphone is deaf while Hector speaks (half), or hears on, with headphones (full)."""
    engine: Literal["espeak", "speechd"] | None = None
    """Who speaks: espeak-ng, or speech-dispatcher, as the player's screen reader does."""
    notation: str | None = None
    """How moves stand on the sheet: short or long. An older file may say figurine, for which braille has no
    cells."""
    braille: str | None = None
    """A braille profile of the scoresheet."""
    cells: int | None = None
    """Cells of a line of the sheet."""
    lines: int | None = None
    """Lines of a page of the sheet."""
    grade: str | None = None
    """Braille of names and remarks: basic or full."""


def settings_of(player: Player) -> tuple[tuple[str, str], ...]:
    """Return every setting with its value as it is written on the command line, the name first."""
    return tuple((key, as_text(value)) for key, value in asdict(player).items())


def read_value(key: str, text: str) -> Value:
    """Return a setting's value from its text; "none" for none.

    :raises UsageError: if there is no such setting or the value is wrong.
    """
    text = text.strip()
    if key in _KINDS and text.casefold() in (NONE, ""):
        return () if key == "warnings" else None
    if key == "warnings":
        return _checked(key, [_whole(part) for part in re.split(r"[,\s]+", text) if part])
    return _checked(key, _whole(text) if _KINDS.get(key) in _NUMBERS else text)


def value_in_file(key: str, value: Any) -> Value:
    """Return a setting's value as a file has it, which may be of before its sheets were thought of.

    :raises UsageError: if there is no such setting or the value is wrong.
    """
    return _checked(key, value, _KINDS | _KEPT)


def read_warnings(text: str) -> tuple[int, ...]:
    """Return the times of warnings from a text like "300,60,10", the most seconds first; "none" for none.

    :raises UsageError: if it is no list of seconds.
    """
    value = read_value("warnings", text)
    assert isinstance(value, tuple)
    return value


def as_text(value: Any) -> str:
    """Return a setting's value as it is written on the command line."""
    if value is None or value == ():
        return NONE
    if isinstance(value, list | tuple):
        return ",".join(map(str, value))
    return str(value)


def _whole(text: str) -> int | str:
    """Return a number where the text is one; the text where it is not, to be refused with its own words."""
    return int(text) if re.fullmatch(r"[0-9]{1,9}", text.strip()) else text.strip()


def _checked(key: str, value: Any, kinds: Mapping[str, Callable[[Any], Value]] | None = None) -> Value:
    kinds = kinds or _KINDS
    if key not in kinds:
        raise UsageError("There is no setting {key!r}: there are {kinds}.", key=key, kinds=", ".join(kinds))
    try:
        return kinds[key](value)
    except ValueError as error:
        raise UsageError(
            "The setting {key} cannot be {value!r}: {reason}.", key=key, value=as_text(value), reason=error
        ) from None


def _text(value: Any) -> str:
    if not isinstance(value, str) or not value.strip() or not value.isprintable():
        raise ValueError(marked("it is a text of printable characters"))
    return value.strip()


def _one_of(*choices: str) -> Callable[[Any], str]:
    def check(value: Any) -> str:
        if not isinstance(value, str) or value not in choices:
            raise ValueError(marked("choose {choices}", choices=", ".join(choices)))
        return value

    return check


def _number(least: int, most: int) -> Callable[[Any], int]:
    def check(value: Any) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            raise ValueError(marked("it is a whole number from {least} to {most}", least=least, most=most))
        return value

    return check


def _seconds(value: Any) -> tuple[int, ...]:
    """Return the times of the warnings, the most seconds first."""
    if not isinstance(value, list | tuple) or any(
        not isinstance(each, int) or isinstance(each, bool) or not 1 <= each <= 86_400 for each in value
    ):
        raise ValueError(marked("it is a list of seconds from 1 to 86400, as in 300,60,10"))
    return tuple(sorted(set(value), reverse=True))


def _notation(value: Any) -> str:
    if value == "figurine":
        raise ValueError(
            marked("a game's sheets are in braille, which has no cells for figurines; choose short, long")
        )
    return _one_of("short", "long")(value)


def _profile(value: Any) -> str:
    return _one_of(*profile_names())(value)


_NUMBERS: Final = (
    _number(80, 450),
    _number(0, 99),
    _number(0, 200),
    _number(MIN_CELLS, 80),
    _number(MIN_LINES, 100),
)
_RATE, _PITCH, _VOLUME, _CELLS, _LINES = _NUMBERS

_KINDS: Final[dict[str, Callable[[Any], Value]]] = {
    "name": _text,
    "language": _one_of(*LANGUAGES),
    "voice": _text,
    "rate": _RATE,
    "pitch": _PITCH,
    "volume": _VOLUME,
    "press": _one_of("auto", "word", "key"),
    "warnings": _seconds,
    "headphones": _text,
    "room": _text,
    "duplex": _one_of("half", "full"),
    "engine": _one_of("espeak", "speechd"),
    "notation": _notation,
    "braille": _profile,
    "cells": _CELLS,
    "lines": _LINES,
    "grade": _one_of("basic", "full"),
}
"""What each setting may be; the same names as the fields of `Player`."""
assert list(_KINDS) == [field.name for field in fields(Player)]
_KEPT: Final[dict[str, Callable[[Any], Value]]] = {
    "notation": _one_of("short", "long", "figurine"),
    "cells": _number(12, 80),
    "lines": _number(5, 100),
}
"""What a file may still hold from before its sheets were thought of; see `SheetStyle.writable`."""

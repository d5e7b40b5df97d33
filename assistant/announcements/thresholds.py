"""How clearly an utterance must be heard to count: the limits that come with an acoustic model."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Final

from assistant.errors import HectorError


@dataclass(frozen=True, slots=True)
class Limits:
    """How clearly an utterance must be heard. Scores are natural logarithms, as in `Transcript`."""

    illegal: float = 12.0
    """Most by which the best grammatical phrase may outscore the best phrase of the position. Above it,
    something else was said than what is legal."""
    foreign: float = 0.75
    """Most by which the phone loop may outscore every phrase, per output frame. Above it, what was said
    is not the language of the game."""
    rival: float = 4.0
    """Least by which the best phrase must outscore the best phrase of another meaning."""


@dataclass(frozen=True, slots=True)
class Thresholds:
    """The limits of `decide`; they belong to an acoustic model and come with it."""

    announcement: Limits = field(default_factory=Limits)
    short_command: Limits = field(default_factory=lambda: Limits(illegal=4.0, foreign=0.5, rival=8.0))
    """For commands of one word or two."""
    long_foreign: float = 0.85
    """The limit `foreign` of a move of `LONG` words and more than which nothing fits better by `illegal`."""
    impossible: float = 20.0
    """What outscores every phrase of the position by more than this was said, though it is not possible:
    nothing that is possible can have been meant."""


_MOST: Final = 1e6
"""No score and no price comes near it."""


def load_thresholds(path: Path | None) -> Thresholds:
    """Return the thresholds of an acoustic model, from the file `decision.toml` that lies beside it.

    A model that has none is decided by the built-in ones.

    It has the tables `announcement` and `short_command`, each with `illegal`, `foreign` and `rival`, and may
    have `long_foreign` and `impossible`.

    :raises HectorError: if it cannot be read or is not complete.
    """
    if path is None:
        return Thresholds()
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise HectorError("The model has no decision thresholds: {path} is missing.", path=path) from None
    except (OSError, ValueError, RecursionError) as error:
        # No UTF-8, no TOML, or a number of thousands of digits.
        raise HectorError(
            "The decision thresholds {path} cannot be read: {reason}.", path=path, reason=error
        ) from error
    tables = ("announcement", "short_command")
    _check_keys(data, Thresholds, path)
    usual = Thresholds()
    long_foreign = _positive(data.get("long_foreign", usual.long_foreign), "long_foreign", path)
    impossible = _positive(data.get("impossible", usual.impossible), "impossible", path)
    announcement, short_command = (_limits(data.get(name), name, path) for name in tables)
    return Thresholds(announcement, short_command, long_foreign, impossible)


def _limits(table: object, name: str, path: Path) -> Limits:
    if not isinstance(table, Mapping):
        raise HectorError("The decision thresholds {path} have no table {name!r}.", path=path, name=name)
    _check_keys(table, Limits, path)
    return Limits(
        **{each.name: _positive(table.get(each.name), f"{name}.{each.name}", path) for each in fields(Limits)}
    )


def _check_keys(table: Mapping[str, object], of: type[Thresholds | Limits], path: Path) -> None:
    """:raises HectorError: if a table has a key that what it is read as has not."""
    surplus = table.keys() - {each.name for each in fields(of)}
    if surplus:
        raise HectorError(
            "The decision thresholds {path} have {which!r}, which means nothing.",
            path=path,
            which=min(surplus),
        )


def _positive(value: object, name: str, path: Path) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= _MOST:
        raise HectorError(
            "The decision thresholds {path} need a number above 0 for {name!r}.", path=path, name=name
        )
    return float(value)

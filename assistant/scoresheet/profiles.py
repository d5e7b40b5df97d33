"""The braille profiles and literary tables, from locales/braille/profiles.toml."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from assistant.errors import UsageError
from assistant.resources import data_path

GRADES = ("basic", "full")


@dataclass(frozen=True, slots=True)
class Marks:
    """Cells that say how a line or a word goes on."""

    foreign: str
    spelled: str
    remark: str
    erased: str
    """A cell of the moves that somebody has filled because what stood there was wrong."""
    broken: str


@dataclass(frozen=True, slots=True)
class Profile:
    """One way to write moves in braille."""

    name: str
    title: str
    table: str
    """The table's name, or its path where it is the project's own; `{language}` stands in the latter."""
    languages: tuple[str, ...]
    status: str
    rewriting: bool = False
    """Whether moves are rewritten by `pieces` and `signs` instead of being translated by the table."""
    pieces: Mapping[str, str] = field(default_factory=dict)
    signs: Mapping[str, str] = field(default_factory=dict)

    def table_for(self, language: str) -> str:
        """Return the table for a language.

        :raises UsageError: if the profile is not made for that language.
        """
        if language not in self.languages:
            known = ", ".join(self.languages)
            raise UsageError(
                "The braille profile {name} is not made for {language}: it knows {known}.",
                name=self.name,
                language=language,
                known=known,
            )
        return self.table.format(language=language)


@cache
def _data() -> Mapping[str, Any]:
    return tomllib.loads(data_path("locales", "braille", "profiles.toml").read_text(encoding="utf-8"))


@cache
def marks() -> Marks:
    """Return the marks that all profiles share."""
    return Marks(**_data()["marks"])


def profile_names() -> tuple[str, ...]:
    """Return the names of the profiles, the default first."""
    return tuple(sorted(_data()["profile"], key=lambda name: (name != _data()["default"], name)))


def check_braille(name: str = "", grade: str = "") -> None:
    """Make sure that there is such a profile and such a grade, whether or not braille is written.

    :raises UsageError: if there is not; empty is the default.
    """
    profile(name)
    if grade:
        _check_grade(grade)


@cache
def profile(name: str = "") -> Profile:
    """Return a profile by name; the default one for an empty name.

    :raises UsageError: if there is no such profile.
    """
    name = name or _data()["default"]
    if name not in _data()["profile"]:
        raise UsageError(
            "There is no braille profile {name!r}: choose {profile_names}.",
            name=name,
            profile_names=", ".join(profile_names()),
        )
    entry = _data()["profile"][name]
    own = entry.get("own", False)
    return Profile(
        name=name,
        title=entry["title"],
        table=str(data_path("locales", "braille") / entry["table"]) if own else entry["table"],
        languages=tuple(entry["languages"]),
        status=" ".join(entry["status"].split()),
        rewriting=entry.get("rewriting", False),
        pieces=entry.get("pieces", {}),
        signs=entry.get("signs", {}),
    )


def _check_grade(grade: str) -> None:
    if grade not in GRADES:
        raise UsageError(
            "There is no braille grade {grade!r}: choose {grades}.", grade=grade, grades=", ".join(GRADES)
        )


def literary_tables() -> Mapping[str, Mapping[str, Any]]:
    """Return what is known of each language's literary braille."""
    tables: Mapping[str, Mapping[str, Any]] = _data()["literary"]
    return tables


def literary_table(language: str, grade: str = "basic") -> str:
    """Return the literary table of a language; the basic one where there is no other grade.

    :raises UsageError: if there is no such grade or no table for that language.
    """
    _check_grade(grade)
    if language not in literary_tables():
        known = ", ".join(literary_tables())
        raise UsageError(
            "There is no braille for {language!r}: choose {known}.", language=language, known=known
        )
    entry = literary_tables()[language]
    return str(entry.get(grade, entry["basic"]))


def spelled_table() -> str:
    """Return the table for text that is spelled sign by sign."""
    return str(_data()["spelled"]["table"])


@dataclass(frozen=True, slots=True)
class DiagramCells:
    """The cells of a board in braille."""

    light: str
    dark: str
    capital: str
    """Before the letter of a white man."""


@cache
def diagram_cells(language: str) -> DiagramCells:
    """Return the cells of a board in a language."""
    entry = _data()["diagram"]
    return DiagramCells(entry["light"], entry["dark"], entry["capital"][language])

"""The errors a person is told about."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from decimal import Decimal
from string import Formatter

_SHOWN = 100
"""Signs of a wrong value that are shown; no FEN, the longest that may be right, is cut."""
_UNSEEN = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
"""What would break a sentence's line, steer a terminal, or turn the letters' order round."""

_languages: list[str] = []


@dataclass(frozen=True, slots=True)
class Phrase:
    """A sentence or a part of one that can be told in other languages; `str` is the English one.

    `template` has the names of `values` in braces, with `!r` what somebody wrote: it is cut short where it
    goes on and on. A value may be a phrase or an error itself: its own words, or the system's reason, stand
    in its place.
    """

    template: str
    values: dict[str, object] = field(default_factory=dict)

    def __str__(self) -> str:
        if not self.values:
            return self.template
        return filled(self.template, {name: _plain(value) for name, value in self.values.items()})


class HectorError(ValueError):
    """Something a person can mend: the message is one clear sentence that says what is wrong and how.

    `status` is the exit status of the command that ends with it: 1 when something failed, 2 when the
    command was used wrongly. `str` is the sentence in English; `assistant.speaking.told` says it in other
    languages.
    """

    status = 1

    def __init__(self, template: str | Phrase, /, **values: object) -> None:
        """Take the sentence as a template with the names of `values` in braces; see `Phrase`."""
        self.phrase = template if isinstance(template, Phrase) else Phrase(template, values)
        super().__init__(str(self.phrase))


class UsageError(HectorError):
    """The command, an argument or an input was wrong."""

    status = 2


class ScriptError(UsageError):
    """A line that is not a line of a game script; nothing has happened."""


def filled(template: str, values: Mapping[str, object]) -> str:
    """Return a template of a phrase in any language with its values in it."""
    return _QUOTING.vformat(template, (), values)


def visible(text: str) -> str:
    """Return a text, a file's name say, that stays on its line: signs that nobody sees are written out."""
    return _UNSEEN.sub(lambda sign: repr(sign[0])[1:-1], text)


class _Quoting(Formatter):
    """Python's own way, but that what somebody wrote is cut short where it goes on and on, and visible."""

    def format_field(self, value: object, spec: str) -> str:
        return visible(str(super().format_field(value, spec)))

    def convert_field(self, value: object, conversion: str | None) -> object:
        if conversion != "r":
            return super().convert_field(value, conversion)
        text = str(value) if isinstance(value, Decimal) else repr(value)
        return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."


_QUOTING = _Quoting()


def marked(template: str, /, **values: object) -> Phrase:
    """Mark a phrase for translation where it is not the first argument of an error."""
    return Phrase(template, values)


@contextmanager
def told_in(language: str) -> Iterator[None]:
    """Have errors told in a language, in every thread, for as long as a command runs."""
    _languages.append(language)
    try:
        yield
    finally:
        _languages.pop()


def language_told() -> str:
    """Return the language in which errors are told now; empty where nobody has chosen one."""
    return _languages[-1] if _languages else ""


def _plain(value: object) -> object:
    """Return the system's reason for an error, which says nothing of numbers."""
    return value.strerror or str(value) if isinstance(value, OSError) else value

"""The languages Hector speaks: catalogues read from locales/*/messages.po, and templates filled with words.

A message is marked with `_`, `_n` (singular and plural) or `_p` (with a context) where it stands in the code,
and translated when it is filled. A translation may bring a number into the gender of its noun,
"{minutes:feminine} Minuten", and a player into the case that the sentence asks for: "Zegar {side:genitive}
idzie."
"""

from __future__ import annotations

import gettext
import io
import os
import string
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import TypeAlias

import polib

from assistant.errors import HectorError, UsageError
from assistant.resources import data_path
from assistant.speaking.numbers import number_in_words

LANGUAGES = ("de", "en", "es", "fr", "pl")
FALLBACK = "en"
CASES = ("genitive",)
"""What a translation may ask for of a player or the arbiter; wording.py marks them."""

Segments: TypeAlias = tuple[tuple[str, str], ...]
"""A text in pieces of one language each: (("en", "Not allowed: "), ("de", "Springer Felix drei."))."""

Value: TypeAlias = "str | int | Segments | Message"


@dataclass(frozen=True, slots=True)
class Message:
    """A sentence or part of one that can be said in every language."""

    singular: str
    plural: str | None = None
    context: str | None = None


def _(text: str) -> Message:
    """Mark a message for translation."""
    return Message(text)


def _n(singular: str, plural: str) -> Message:
    """Mark a message that depends on the number `n`."""
    return Message(singular, plural)


def _p(context: str, text: str) -> Message:
    """Mark a message whose words mean something else elsewhere."""
    return Message(text, context=context)


def choose_language(wanted: str | None = None, environ: Mapping[str, str] = os.environ) -> str:
    """Return the language to speak: the one asked for, else the environment's, else English.

    :raises UsageError: if the language asked for is not one of `LANGUAGES`.
    """
    if wanted:
        language = _primary(wanted)
        if language not in LANGUAGES:
            raise UsageError(
                "There is no language '{wanted}' here; choose one of {languages}.",
                wanted=wanted,
                languages=", ".join(LANGUAGES),
            )
        return language
    # The order of gettext(3): LANGUAGE is a list, and it counts only where the locale is not C.
    locale = next((environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if environ.get(name)), "")
    if _primary(locale) in ("", "c", "posix"):
        return FALLBACK
    candidates = [*environ.get("LANGUAGE", "").split(":"), locale]
    return next((name for name in map(_primary, candidates) if name in LANGUAGES), FALLBACK)


def _primary(locale: str) -> str:
    """Return the language of a locale's name: "de" of "de_AT.UTF-8@euro"."""
    for mark in "._@-":
        locale = locale.partition(mark)[0]
    return locale.strip().lower()


@cache
def catalogue(language: str) -> gettext.GNUTranslations:
    """Return a language's translations, read from its PO file; no compiled file is needed.

    :raises HectorError: if the file is missing or damaged.
    """
    path = data_path("locales", language, "messages.po")
    try:
        compiled = polib.pofile(str(path), encoding="utf-8").to_binary()
    except (OSError, UnicodeDecodeError) as error:
        raise HectorError(
            "The messages in {path} cannot be read: {reason}. Install the program again.",
            path=path,
            reason=error,
        ) from error
    return gettext.GNUTranslations(io.BytesIO(compiled))


def translate(message: Message, language: str, n: int = 1) -> str:
    """Return a message's template in a language; `n` chooses among the forms of a plural."""
    translations = catalogue(language)
    if message.plural is not None:
        return translations.ngettext(message.singular, message.plural, n)
    if message.context is not None:
        return translations.pgettext(message.context, message.singular)
    return translations.gettext(message.singular)


def german(text: str) -> Segments:
    """Mark words that are German in every language: the moves, and the words Hector listens for."""
    return (("de", text),)


def fill(message: Message, language: str, **values: Value) -> Segments:
    """Return a message in a language, its placeholders filled, in pieces of one language each.

    Numbers come in words. The number called `n` chooses the plural. Pieces of the same language are joined,
    and what has no letter (a full stop) belongs to the piece before it.
    """
    number = values.get("n", 1)
    template = translate(message, language, number if isinstance(number, int) else 1)
    return join(_pieces(template, language, values))


def _pieces(template: str, language: str, values: Mapping[str, Value]) -> Iterator[tuple[str, str]]:
    for literal, name, rules, _conversion in string.Formatter().parse(template):
        yield language, literal
        if name is not None:
            yield from _value(values[name], language, rules or "counting")


def _value(value: Value, language: str, rules: str) -> Segments:
    if isinstance(value, int):
        return ((language, number_in_words(value, language, rules)),)
    if isinstance(value, str):
        return ((language, value),)
    if isinstance(value, Message):
        if rules in CASES:
            value = replace(value, context=f"{value.context}, {rules}")
        return ((language, translate(value, language)),)
    return value


def join(pieces: Iterable[tuple[str, str]]) -> Segments:
    """Put pieces together: neighbours of one language, and what has no letter with the piece before it."""
    joined: list[tuple[str, str]] = []
    for language, text in pieces:
        if not text:
            continue
        if joined and (joined[-1][0] == language or not any(map(str.isalnum, text))):
            joined[-1] = (joined[-1][0], joined[-1][1] + text)
        elif joined and not any(map(str.isalnum, joined[-1][1])):
            # What is before it has no letter either ("¿"): it opens this piece.
            joined[-1] = (language, joined[-1][1] + text)
        else:
            joined.append((language, text))
    return tuple(joined)


def listing(items: list[Segments], message: Message, language: str) -> Segments:
    """Join several things to one: `message` has {first} and {last}, for all before the last and the last."""
    if len(items) == 1:
        return items[0]
    comma = ((language, ", "),)
    first = items[0]
    for item in items[1:-1]:
        first = (*first, *comma, *item)
    return fill(message, language, first=first, last=items[-1])

"""Which of the arbiter's forms are offered in a game, with or without a clock."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from assistant.arbiter.clockless import titles
from assistant.arbiter.forms import BY_VERB, FORMS, Field, Form
from assistant.arbiter.texts import filled, text
from assistant.laws import PENALTIES, load_edition
from assistant.sides import Side
from assistant.speaking import CLAIMS

_FORMS_OF_THE_CLOCK: Final = frozenset(
    {"stop-clock", "resume", "set-clock", "adjourn", "open-envelope", "envelope-lost"}
)
_FIELDS_OF_THE_CLOCK: Final = frozenset({("rule", "seconds"), ("penalty", "seconds"), ("claim", "wait")})
_CLAIMS_OF_THE_CLOCK: Final = frozenset({"flag", "quickplay-finish", "five-seconds"})
_CHOICES_OF_THE_CLOCK: Final = _CLAIMS_OF_THE_CLOCK | {"add-opponent", "reduce", "times", "moves-to-control"}


def offered(*, has_clock: bool) -> tuple[Form, ...]:
    """Return the forms of a game; those that only a clock has use for, and their parts, need one."""
    if has_clock:
        return FORMS
    return tuple(
        replace(form, fields=tuple(_clockless(field) for field in form.fields if _is_left(form, field)))
        for form in FORMS
        if form.do not in _FORMS_OF_THE_CLOCK
    )


def form_of(verb: str, *, has_clock: bool) -> Form:
    """Return the form of a verb as a game offers it; whole, if the game has no use for it and will refuse it.

    :raises KeyError: if there is no such verb.
    """
    return next((form for form in offered(has_clock=has_clock) if form.do == verb), BY_VERB[verb])


def claims_offered(*, has_clock: bool) -> tuple[str, ...]:
    """Return the names of the claims that can be made in a game."""
    return tuple(each for each in CLAIMS if has_clock or each not in _CLAIMS_OF_THE_CLOCK)


def _is_left(form: Form, field: Field) -> bool:
    return (form.do, field.name) not in _FIELDS_OF_THE_CLOCK


def _clockless(field: Field) -> Field:
    return replace(field, choices=tuple(each for each in field.choices if each not in _CHOICES_OF_THE_CLOCK))


def forms_view(
    language: str, opponent: Side | None, edition: str, *, is_local: bool, has_clock: bool
) -> list[dict[str, Any]]:
    """Return all forms in a language, as plain data for the page.

    The `opponent` signs on his own page, and an `edition` has penalties of its own (none is a fine in 2009).
    Fields for a secret are left out, with a note that says so, where it would go over a network.
    """

    def choices(form: Form, field: Field) -> list[list[str]]:
        left_out = unknown if form.do == "penalty" else {opponent} if form.do == "sign" else set()
        return [[each, field.words(each, language)] for each in field.choices if each not in left_out]

    titled = titles(has_clock=has_clock)
    known = load_edition(edition).rules["standard"].penalties
    unknown: set[str | None] = {each for each in PENALTIES if each not in known}
    return [
        {
            "do": form.do,
            "group": form.group,
            "title": filled(titled[form.do], language),
            "note": "" if is_local or not form.has_secret else text("refused-passphrase", language),
            "fields": [
                {
                    "name": field.name,
                    "kind": field.kind,
                    "label": text(field.label, language),
                    "required": field.required,
                    "choices": choices(form, field),
                }
                for field in form.fields
                if is_local or field.kind != "secret"
            ],
        }
        for form in offered(has_clock=has_clock)
    ]

"""The arbiter's forms: for each verb of the game script its fields, and how what was filled in is read."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

import chess

from assistant.arbiter.texts import filled, person, text
from assistant.errors import UsageError
from assistant.laws import PENALTIES, RULINGS, missing_key
from assistant.scoresheet import CONTROL
from assistant.speaking import CLAIMS, CLAIMS_WITH_A_MOVE

Kind: TypeAlias = Literal["choice", "text", "lines", "time", "count", "points", "tick", "secret"]

RESULTS: Final = ("1-0", "0-1", "1/2-1/2", "0-0", "1/2-0", "0-1/2")
_POINTS: Final[Mapping[str, float]] = {"1": 1, "0": 0, "1/2": 0.5}
_MEASURED: Final[Mapping[str, tuple[str, ...]]] = {
    "seconds": ("add-opponent", "reduce"),
    "points": ("points-opponent", "points-offender", "loss"),
}
"""The penalties that a time, or points, belong to."""
_ABOUT = (
    "times", "moves-completed", "moves-to-control", "last-move", "recording", "arbiters-sheet", "law",
)  # fmt: skip
_LONGEST = 4000


class FormError(UsageError):
    """Something that was filled in is wrong; the message is in the language of the form."""

    def __init__(self, message: str, field: str = "") -> None:
        """`field` is the name of the field that is wrong, where one is."""
        super().__init__(message)
        self.field = field


@dataclass(frozen=True, slots=True)
class Field:
    """One field. `label` is a name of `TEXTS`; `choices` are values with their own names of texts."""

    name: str
    kind: Kind
    label: str
    required: bool = True
    choices: tuple[str, ...] = ()
    words: Callable[[str, str], str] = lambda value, language: value
    """What a value of a choice is called in a language."""
    is_named: bool = False
    """Whether it is typed at the keyboard with its name only."""


def _named(prefix: str) -> Callable[[str, str], str]:
    return lambda value, language: text(f"{prefix}-{value}", language)


PHONE_RANG: Final = "phone-rang"
"""The name of the tick for the one reason of which the Laws fix the score (2009 12.3.b)."""
PHONE: Final = "phone"
"""What the game script calls that reason."""
SIDE = Field("side", "choice", "field-side", choices=("white", "black"), words=person)
ANYBODY = Field("side", "choice", "field-claimant", choices=("white", "black", "arbiter"), words=person)
MOVE = Field("move", "text", "field-move")
REASON = Field("reason", "text", "field-reason", required=False)
SECONDS = Field("seconds", "time", "field-granted", required=False)
SQUARES = Field("squares", "text", "field-squares")


@dataclass(frozen=True, slots=True)
class Form:
    """What the arbiter fills in for one verb."""

    do: str
    group: str
    fields: tuple[Field, ...] = ()

    @property
    def has_secret(self) -> bool:
        return any(field.kind == "secret" for field in self.fields)


FORMS: Final[tuple[Form, ...]] = (
    Form("start", "group-now"),
    Form("stop-clock", "group-now", (REASON,)),
    Form("resume", "group-now"),
    Form("answer-call", "group-now"),
    Form(
        "set-clock",
        "group-now",
        (
            Field("white", "time", "field-white-time", required=False),
            Field("black", "time", "field-black-time", required=False),
            Field("moves", "count", "field-counter", required=False),
            Field("setting", "tick", "field-setting", required=False),
        ),
    ),
    Form("arrive", "group-now", (SIDE,)),
    Form("undo", "group-now"),
    Form("note", "group-now", (Field("about", "text", "field-remark"),)),
    Form(
        "rule",
        "group-rule",
        (Field("claim", "choice", "field-ruling", choices=RULINGS, words=_named("ruling")), SECONDS),
    ),
    Form(
        "penalty",
        "group-rule",
        (
            SIDE,
            Field("kind", "choice", "field-kind", choices=PENALTIES, words=_named("penalty")),
            Field("seconds", "time", "field-time", required=False),
            Field(
                "points",
                "points",
                "field-points",
                required=False,
                choices=("", "1/2", "1"),
                words=lambda value, language: value.replace("1/2", "½"),
            ),
            Field(PHONE_RANG, "tick", "field-phone-rang", required=False),
            REASON,
        ),
    ),
    Form("result", "group-rule", (Field("result", "choice", "field-result", choices=RESULTS),)),
    Form(
        "claim",
        "group-rule",
        (
            ANYBODY,
            Field(
                "of",
                "choice",
                "field-claim",
                choices=tuple(CLAIMS),
                words=lambda value, language: filled(CLAIMS[value], language),
            ),
            Field("ply", "count", "field-ply-seen", required=False, is_named=True),
            Field("move", "text", "claim-move", required=False),
            Field("wait", "tick", "field-wait", required=False),
        ),
    ),
    Form(
        "ask",
        "group-rule",
        (
            Field("about", "choice", "field-about", choices=_ABOUT, words=_named("about")),
            Field("article", "text", "field-article", required=False),
        ),
    ),
    Form("restore", "group-board", (Field("ply", "count", "field-ply"),)),
    Form(
        "sheets",
        "group-board",
        (Field("white", "lines", "field-sheet-white"), Field("black", "lines", "field-sheet-black")),
    ),
    Form("touch", "group-board", (SIDE, SQUARES, Field("order", "tick", "field-order", required=False))),
    Form("adjust", "group-board", (SIDE, SQUARES)),
    Form("announce", "group-for", (SIDE, MOVE)),
    Form("place", "group-for", (SIDE, MOVE)),
    Form("repeat", "group-for", (SIDE, MOVE)),
    Form("correct", "group-for", (SIDE, MOVE)),
    Form("press", "group-for", (SIDE,)),
    Form("offer-draw", "group-for", (SIDE,)),
    Form("accept-draw", "group-for", (SIDE,)),
    Form("decline-draw", "group-for", (SIDE,)),
    Form("resign", "group-for", (SIDE,)),
    Form(
        "adjourn",
        "group-adjourn",
        (
            Field("session_end", "time", "field-session-end", required=False),
            Field("resumption", "text", "field-resumption", required=False),
        ),
    ),
    Form(
        "open-envelope",
        "group-adjourn",
        (Field("passphrase", "secret", "field-passphrase", required=False),),
    ),
    Form("envelope-lost", "group-adjourn"),
    Form(
        "sign",
        "group-end",
        (
            Field(
                "side", "choice", "field-who", choices=("arbiter", "white", "black"), words=person,
            ),
        ),
    ),
    Form("close", "group-end"),
)  # fmt: skip

BY_VERB: Final[Mapping[str, Form]] = {form.do: form for form in FORMS}


def read_form(form: Form, values: Mapping[str, Any], language: str) -> dict[str, Any]:
    """Return what was filled in, each field in the type that the game script has for it.

    :raises FormError: naming the first field that is wrong.
    """
    found = {
        field.name: value
        for field in form.fields
        if (value := _value(field, values.get(field.name), language)) is not None
    }
    if form.do == "penalty" and found.get("reason") == PHONE:
        # To the Laws this word is that reason, whoever writes it.
        del found["reason"]
        found[PHONE_RANG] = True
    for name in out_of_place(form, found):
        found.pop(name, None)
    missing = missing_key(form.do, found)
    if missing is not None:
        field = next(field for field in form.fields if field.name == missing)
        if form.do == "set-clock":
            # Any of several would do.
            raise FormError(text("refused-all-empty", language), field.name)
        raise _wrong("refused-missing", field, language)
    return found


def out_of_place(form: Form, values: Mapping[str, Any]) -> set[str]:
    """Return the names of the fields that mean nothing beside what the others are filled in with."""
    names: set[str] = set()
    if form.do == "penalty":
        names |= {name for name, kinds in _MEASURED.items() if values["kind"] not in kinds}
        names |= {"points"} if is_score_fixed(values) else set()
    elif form.do == "claim":
        names |= {"move"} if values["of"] not in CLAIMS_WITH_A_MOVE else set()
        names |= {"ply"} if not is_of_two_hands_seen(values) else set()
    return names


def is_score_fixed(penalty: Mapping[str, Any]) -> bool:
    """Return whether the Laws say how many points the opponent gets."""
    return penalty["kind"] == "loss" and PHONE_RANG in penalty


def is_of_two_hands_seen(claim: Mapping[str, Any]) -> bool:
    """Return whether the arbiter himself has seen two hands used: only then he says for which half-move."""
    return (claim["side"], claim["of"]) == ("arbiter", "two-hands")


def summary(form: Form, values: Mapping[str, Any], language: str) -> dict[str, str]:
    """Return what was filled in as words for the sentence that says what will happen."""
    words: dict[str, str] = {}
    for field in form.fields:
        value = values.get(field.name)
        if field.kind == "tick" and not value:
            words[field.name] = text("no-tick", language)
        elif value is None:
            empty = "unchanged" if form.do == "set-clock" else "not-given"
            words[field.name] = text(empty, language)
        elif field.kind == "choice":
            words[field.name] = field.words(str(value), language)
        elif field.kind == "time":
            words[field.name] = time_text(float(value), language)
        elif field.kind == "points":
            words[field.name] = points_text(float(value))
        elif field.kind == "tick":
            words[field.name] = text("yes-tick", language)
        else:
            words[field.name] = ", ".join(value) if isinstance(value, list) else str(value)
    return words


def points_text(points: float) -> str:
    """Return points as they are written: ½, 1."""
    return "½" if points == _POINTS["1/2"] else f"{points:g}"


def time_text(seconds: float, language: str) -> str:
    """Return a time as h:mm:ss, with the part of a second only where there is one."""
    whole, thousandths = divmod(round(seconds * 1000), 1000)
    shown = f"{whole // 3600}:{whole // 60 % 60:02}:{whole % 60:02}"
    rest = f"{thousandths:03}".rstrip("0")
    return text("decimal", language, whole=shown, fraction=rest) if rest else shown


def _value(field: Field, given: Any, language: str) -> Any:
    if field.kind == "secret":
        # It has been used where it came in, and goes no further.
        return None
    if field.kind == "tick":
        return True if given in (True, "on", "true") else None
    if given is None or (isinstance(given, str) and not given.strip()):
        if field.required:
            raise _wrong("refused-missing", field, language)
        return None
    found = None
    longest = _LONGEST * 4 if field.kind == "lines" else _LONGEST
    if isinstance(given, str) and len(given) <= longest and is_writable(given):
        found = _READERS[field.kind](given.strip(), field)
    if found is None:
        raise _wrong("refused-field", field, language)
    return found


def _wrong(name: str, field: Field, language: str) -> FormError:
    return FormError(text(name, language, field=text(field.label, language)), field.name)


def is_writable(given: str) -> bool:
    """Return whether a text can be written in UTF-8: JSON may hold half of a surrogate pair."""
    try:
        given.encode()
    except UnicodeEncodeError:
        return False
    return True


_TIME = re.compile(r"(?:(?:(\d{1,4}):)?(\d{1,4}):)?(\d{1,6}(?:\.\d{1,3})?)")


def read_time(given: str) -> float | None:
    """Return seconds of "h:mm:ss", "m:ss" or a number of seconds; None if it is none of them."""
    match = _TIME.fullmatch(given.replace(",", "."))
    if match is None:
        return None
    hours, minutes, seconds = (float(each or 0) for each in match.groups())
    if (match[2] and seconds >= 60) or (match[1] and minutes >= 60):
        return None
    total = hours * 3600 + minutes * 60 + seconds
    return int(total) if total == int(total) else total


def _text(given: str, field: Field) -> Any:
    if field.name == "squares":
        squares = given.lower().replace(",", " ").split()
        return (
            squares
            if all(square in chess.SQUARE_NAMES for square in squares) and len(squares) <= 64
            else None
        )
    return given if len(given) <= 500 and not CONTROL.search(given) else None


_READERS: Final[Mapping[Kind, Callable[[str, Field], Any]]] = {
    "choice": lambda given, field: given if given in field.choices else None,
    "text": _text,
    "lines": lambda given, field: given,
    "time": lambda given, field: read_time(given),
    "count": lambda given, field: int(given) if re.fullmatch(r"\d{1,5}", given) else None,
    "points": lambda given, field: _POINTS.get(given.replace("½", "1/2")),
}


def points_of(result: str) -> dict[str, float]:
    """Return a result such as "1/2-0" as the points of White and Black."""
    white, _, black = result.partition("-")
    return {"white": _POINTS[white], "black": _POINTS[black]}

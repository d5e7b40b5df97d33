"""The lines of a game script after its first: their verbs and keys, checked before anything is ruled on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final

import chess

from assistant.errors import marked
from assistant.laws.events import Microseconds, ScriptError, microseconds
from assistant.sides import Side

_LONGEST_TEXT = 500
_LONGEST_BOX = 20_000
CLAIMS = (
    "threefold",
    "fifty-moves",
    "flag",
    "illegal-move",
    "initial-position",
    "colours-reversed",
    "quickplay-finish",
    "five-seconds",
    "mating-potential",
    "two-hands",
)
PENALTIES = (
    "warning",
    "add-opponent",
    "reduce",
    "points-opponent",
    "points-offender",
    "loss",
    "fine",
    "expulsion",
)
RULINGS = ("accept", "reject", "postpone")


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a script. `side` is whose line it is, None for the arbiter's; the rest is in `keys`."""

    at: Microseconds
    do: str
    side: Side | None
    keys: Mapping[str, Any]

    def get(self, key: str, default: Any = None) -> Any:
        return self.keys.get(key, default)

    @property
    def player(self) -> Side:
        """Whose line it is, where only a player's can be."""
        assert self.side is not None
        return self.side

    @property
    def by_assistant(self) -> bool:
        return bool(self.keys.get("by") == "assistant")


Check = Callable[[Any, str], Any]


def _text(value: Any, name: str) -> str:
    if not isinstance(value, str) or not value.strip():
        raise ScriptError("'{name}' must be a text.", name=name)
    if len(value) > _LONGEST_TEXT:
        raise ScriptError(
            "'{name}' is longer than {longest_text} characters.", name=name, longest_text=_LONGEST_TEXT
        )
    return value.strip()


def _any_text(value: Any, name: str) -> str:
    if not isinstance(value, str):
        raise ScriptError("'{name}' must be a text.", name=name)
    return value


def _box(value: Any, name: str) -> str:
    if not isinstance(value, str) or not value or len(value) > _LONGEST_BOX:
        raise ScriptError("'{name}' must be a sealed box as text.", name=name)
    return value


def _boolean(value: Any, name: str) -> bool:
    if not isinstance(value, bool):
        raise ScriptError("'{key}' must be true or false.", key=name)
    return value


def _count(value: Any, name: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= 100_000:
        raise ScriptError("'{name}' must be a whole number from 0, not {value!r}.", name=name, value=value)
    return value


def _points(value: Any, name: str) -> Decimal:
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        raise ScriptError("'{name}' must be a number of points, not {value!r}.", name=name, value=value)
    points = Decimal(str(value))
    if not points.is_finite() or not 0 <= points <= 1:
        raise ScriptError("'{name}' must lie between 0 and 1 points, not {value!r}.", name=name, value=value)
    return points


def _squares(value: Any, name: str) -> tuple[str, ...]:
    if isinstance(value, str):
        value = [value]
    if not isinstance(value, list | tuple) or not value or len(value) > 64:
        raise ScriptError("'{name}' must be a list of squares, for example [\"g1\"].", name=name)
    if not all(isinstance(square, str) and square in chess.SQUARE_NAMES for square in value):
        raise ScriptError("'{name}' has something that is no square: {value!r}.", name=name, value=value)
    return tuple(value)


def _texts(value: Any, name: str) -> tuple[str, ...]:
    if not isinstance(value, list | tuple) or not all(isinstance(each, str) for each in value):
        raise ScriptError("'{name}' must be a list of moves.", name=name)
    return tuple(value)


def _one_of(*choices: str) -> Check:
    def check(value: Any, name: str) -> str:
        if value not in choices or not isinstance(value, str):
            raise ScriptError(
                "'{key}' must be one of {choices}, not {chosen!r}.",
                key=name,
                choices=", ".join(choices),
                chosen=value,
            )
        return value

    return check


_PERSON = _one_of("white", "black", "arbiter")
_PLAYER = _one_of("white", "black")
_MOVE: Mapping[str, Check] = {"side": _PLAYER, "move": _text}
_SIDE: Mapping[str, Check] = {"side": _PLAYER}

REQUIRED: Mapping[str, Mapping[str, Check]] = {
    "start": {},
    "arrive": _SIDE,
    "touch": {"side": _PLAYER, "squares": _squares},
    "adjust": {"side": _PLAYER, "squares": _squares},
    "place": _MOVE,
    "announce": _MOVE,
    "repeat": _MOVE,
    "correct": _MOVE,
    "press": _SIDE,
    "offer-draw": _SIDE,
    "accept-draw": _SIDE,
    "decline-draw": _SIDE,
    "resign": _SIDE,
    "claim": {"side": _PERSON, "of": _one_of(*CLAIMS)},
    "ask": {"side": _PERSON, "about": _text},
    "stop-clock": {},
    "resume": {},
    "rule": {"claim": _one_of(*RULINGS)},
    "set-clock": {},
    "penalty": {"side": _PLAYER, "kind": _one_of(*PENALTIES)},
    "restore": {"ply": _count},
    "sheets": {"white": _texts, "black": _texts},
    "adjourn": {},
    "seal": _SIDE,
    "open-envelope": {},
    "envelope-lost": {},
    "result": {"white": _points, "black": _points},
    "note": {"about": _text},
    "undo": {},
}

OPTIONAL: Mapping[str, Mapping[str, Check]] = {
    "touch": {"order": _one_of("known", "unknown")},
    "place": {"removed": _boolean},
    "announce": {"placed": _boolean},
    "offer-draw": {"condition": _any_text},
    "claim": {
        "move": _text,
        "ply": _count,
        "wait": _boolean,
    },
    "ask": {"article": _text},
    "stop-clock": {"by": _PERSON, "reason": _any_text},
    "resume": {"by": _PERSON, "reason": _any_text},
    "rule": {"seconds": microseconds},
    "set-clock": {"white": microseconds, "black": microseconds, "moves": _count, "reason": _any_text},
    "penalty": {"seconds": microseconds, "points": _points, "reason": _any_text},
    "adjourn": {"by": _PERSON, "session_end": microseconds, "resumption": _any_text},
    "seal": {"move": _text, "text": _any_text, "envelope": _box},
    "arrive": {"text": _any_text},
    "open-envelope": {"text": _any_text},
    "undo": _SIDE,
}


def moment_of(line: Mapping[str, Any], now: Microseconds) -> Microseconds:
    """Return when a line happens.

    :raises ScriptError: if it does not say so, or lies before `now`.
    """
    if "at" not in line:
        raise ScriptError("The key 'at' is missing.")
    at = microseconds(line["at"], "at")
    if at < now:
        raise ScriptError("Time cannot go back: {line!r} is earlier than the line before.", line=line["at"])
    return at


def parse_line(line: object, now: Microseconds) -> Line:
    """Check one line of a script against its verb.

    :raises ScriptError: if it is no line of a script or lies before `now`.
    """
    if not isinstance(line, Mapping):
        raise ScriptError('A line must be an object such as {"at": 0, "do": "start"}.')
    verb = line.get("do")
    if not isinstance(verb, str) or verb not in REQUIRED:
        if "do" not in line:
            raise ScriptError("The key 'do' is missing.")
        raise ScriptError("There is no verb {verb!r}.", verb=verb)
    at = moment_of(line, now)
    keys: dict[str, Any] = {}
    for key, check in REQUIRED[verb].items():
        if key not in line:
            raise ScriptError("The key '{key}' is missing in the line '{verb}'.", key=key, verb=verb)
        keys[key] = check(line[key], key)
    for key, check in OPTIONAL.get(verb, {}).items():
        if line.get(key) is not None:
            keys[key] = check(line[key], key)
    if "by" in line and "by" not in keys and line["by"] is not None:
        keys["by"] = _one_of("assistant", "white", "black", "arbiter")(line["by"], "by")
    _check_needs(verb, keys)
    side = keys.get("side")
    return Line(at, verb, side if side in ("white", "black") else None, keys)


def missing_key(verb: str, keys: Mapping[str, Any]) -> str | None:
    """Return the key that a line needs beside those it has; of several that would do, the first."""
    match verb:
        case "set-clock" if not {"white", "black", "moves"} & keys.keys():
            return "white"
        case "seal" if not {"move", "text", "envelope"} & keys.keys():
            return "move"
        case "penalty":
            needed = _OF_A_PENALTY.get(keys["kind"])
        case "ask":
            needed = "article" if keys["about"] == "law" else None
        case _:
            return None
    return None if needed in keys else needed


def _check_needs(verb: str, keys: Mapping[str, Any]) -> None:
    """Check what one key asks of another."""
    missing = missing_key(verb, keys)
    if missing is None:
        return
    sentences = {
        "set-clock": marked("'set-clock' needs at least one of 'white', 'black' and 'moves'"),
        "seal": marked(
            "'seal' needs the 'move' or the 'text' that is written, or the 'envelope' that hides it"
        ),
        "penalty": marked("the penalty '{kind}' needs '{key}'", kind=keys.get("kind"), key=missing),
        "ask": marked("asking about the law needs the 'article'"),
    }
    raise ScriptError("A key is missing: {problem}.", problem=sentences[verb])


_OF_A_PENALTY: Final[Mapping[str, str]] = {
    "add-opponent": "seconds",
    "reduce": "seconds",
    "points-opponent": "points",
    "points-offender": "points",
}
"""What a kind of penalty has to say how much of."""

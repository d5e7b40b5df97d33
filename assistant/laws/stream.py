"""A whole game script: lines of JSON in, lines of JSON out."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from decimal import Decimal, InvalidOperation
from typing import Any

from assistant.laws.events import ScriptError
from assistant.laws.referee import Referee
from assistant.laws.state import ReadMove

_LINE_END = re.compile(r"\r\n?|\n")


def referee_stream(lines: Iterable[str], read_move: ReadMove) -> Iterator[str]:
    """Yield the output of a script, line by line: every event, and last the status.

    :raises ScriptError: with the number of the line that is no line of a script.
    """
    for said in referee_lines(lines, read_move):
        if isinstance(said, ScriptError):
            raise said
        yield said


def referee_lines(
    lines: Iterable[str | bytes],
    read_move: ReadMove,
    languages: Collection[str] | None = None,
) -> Iterator[str | ScriptError]:
    """Yield the output of a script as `referee_stream` does, and go on after a line that is none.

    Such a line changes nothing; in its place comes the error, with the number of the line. Only a first line
    that describes no game is the end. `languages`: those whose moves `read_move` reads, if not any.
    """
    referee: Referee | None = None
    number = 0
    for number, text in enumerate(_split(lines), 1):
        if not text.strip():
            continue
        try:
            line = _parse_json(text, first=number == 1)
            if referee is None:
                if not isinstance(line, Mapping) or "game" not in line:
                    raise ScriptError("The first line must be an object with the key 'game'.")
                referee = Referee(line["game"], read_move, languages)
                continue
            events = referee.apply(line)
        except ScriptError as error:
            yield ScriptError("Line {number}: {reason}", number=number, reason=error)
            if referee is None:
                return
            continue
        for event in events:
            yield event.as_json()
    if referee is None:
        yield ScriptError("Line {line}: the script has no first line with the key 'game'.", line=number + 1)
    else:
        yield referee.status().as_json()


def _split(lines: Iterable[str | bytes]) -> Iterator[str | bytes]:
    """Yield lines that may end as on any system; whoever read them has split them at a line feed at most."""
    for each in lines:
        if isinstance(each, bytes):
            yield from each.splitlines()
        else:
            # `splitlines` would also split at signs that may stand in a text of JSON.
            yield from _LINE_END.split(each.removesuffix("\n").removesuffix("\r"))


def _parse_json(text: str | bytes, *, first: bool) -> Any:
    try:
        if isinstance(text, bytes):
            text = text.decode("utf-8")
        return json.loads(
            text.removeprefix("\ufeff") if first else text,
            parse_float=_number,
            parse_constant=_no_constant,
            object_pairs_hook=_once_each,
        )
    except ScriptError:
        raise
    except UnicodeDecodeError:
        raise ScriptError("This is not UTF-8 text.") from None
    except (ValueError, RecursionError):
        raise ScriptError("This is not JSON.") from None


def _number(text: str) -> Decimal:
    try:
        return Decimal(text)
    except InvalidOperation:
        # JSON can spell an exponent that no decimal number has: endless it is then, or nothing.
        return Decimal(float(text))


def _once_each(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = next(key for index, (key, _) in enumerate(pairs) if key in dict(pairs[:index]))
        raise ScriptError("The key {twice!r} stands there twice.", twice=twice)
    return found


def _no_constant(name: str) -> Any:
    raise ValueError(name)

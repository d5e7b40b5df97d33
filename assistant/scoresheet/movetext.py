"""The words of a PGN's movetext, every one of them: a reader that passes over some would invent another game.

Source: the PGN standard of 1994, sections 7 and 8.2; signs without a letter or digit that annotators add are
let through.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from assistant.scoresheet.results import result_of

_HEADER = re.compile(r"(?:[^\S\n]*(?:[\[%;][^\n]*)?\n)*")
_LEFT_OUT = re.compile(r"\{[^}]*(?:\}|\Z)|;[^\n]*|^%[^\n]*", re.M)
_WORD = re.compile(r"[()]|[^\s()]+")
_PART = re.compile(
    r"(?P<move>"
    r"P?[NBKRQ]?[a-h]?[1-8]?[-x]?[a-h][1-8](?:=?[nbrqkNBRQK])?(?:e\.?p\.?)?|O-O(?:-O)?|0-0(?:-0)?"
    r"|--|Z0|0000"
    r")"
    r"|(?P<result>\*|[01½][/.,\d½]*[-:–][01½][/.,\d½]*|1/2|½)"
    r"|\d{1,9}[.…]*|\$\d+|e\.?p\.?|[^\w♔-♟]"
)


@dataclass(frozen=True, slots=True)
class Movetext:
    """What stands in a movetext besides moves that are read."""

    unread: str = ""
    """The first word of the main line that PGN does not know; empty if there is none."""
    moves: int = 0
    """Half-moves of the main line before it, or in all."""
    result: str = ""
    """The last result of the main line, one of `RESULTS`; empty if there is none."""


def scan(text: str) -> Movetext:
    """Look at the text of one game, tags included, up to the first word that is nothing in PGN."""
    header = _HEADER.match(text)
    body = _LEFT_OUT.sub(" ", text[header.end() if header else 0 :])
    depth = moves = 0
    result = ""
    for match in _WORD.finditer(body):
        word = match[0]
        if word in "()":
            depth = max(0, depth + (1 if word == "(" else -1))
            continue
        at = 0
        while depth == 0 and at < len(word):
            part = _PART.match(word, at)
            said = part["result"] if part else None
            if part is None or (said and result_of(said) is None):
                return Movetext(word, moves, result)
            moves += part["move"] is not None
            result = result_of(said or "") or result
            at = part.end()
    return Movetext("", moves, result)

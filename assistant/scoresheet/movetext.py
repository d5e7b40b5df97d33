"""The words of a PGN's movetext, every one of them: a reader that passes over some would invent another game.

Source: the PGN standard of 1994, sections 7 and 8.2; signs without a letter or digit that annotators add are
let through.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from assistant.scoresheet.results import result_of
from assistant.scoresheet.tokens import is_result

_HEADER = re.compile(r"(?:[^\S\n]*(?:[\[%;][^\n]*)?\n)*")
_LEFT_OUT = re.compile(r"(?P<comment>\{[^}]*(?P<end>\}?))|^%[^\n]*", re.M)
_WORD = re.compile(r"[()]|[^\s()]+")
_PART = re.compile(
    r"(?P<move>"
    r"P?[NBKRQ]?[a-h]?[1-8]?[-x]?[a-h][1-8](?:=?[nbrqkNBRQK])?(?:e\.?p\.?)?|O-O(?:-O)?|0-0(?:-0)?"
    r"|--|Z0|0000"
    r")"
    r"|(?P<result>(?!\d{1,9}[.…]{1,9}0-0)(?:\*|[01½][/.,\d½]{0,9}[-:–][01½][/.,\d½]*|1/2|½))"
    r"|(?P<number>\d{1,9}[.…]*)|\$\d+|(?P<passing>e\.?p\.?)|[^\w♔-♟\[\]{}]"
)
_STRAY = re.compile(r"\d+(?::\d\d){1,2}(?:[.,]\d+)?|\d{10,}[.…]*")
"""A time of the clock outside a comment, and a number that is none of a move: no sign that annotators add."""
_PLAYED = re.compile(r"[a-h][1-8]|[O0]-[O0]|--|Z0|\A(?:e\.?p\.?|\$\d+|=)\Z")


@dataclass(frozen=True, slots=True)
class Movetext:
    """What stands in a movetext besides moves that are read."""

    unread: str = ""
    """The first word of the main line that PGN does not know, or that may not stand there; empty if there is
    none."""
    moves: int = 0
    """Half-moves of the main line before it, or in all."""
    result: str = ""
    """The last result of the main line, one of `RESULTS`; empty if there is none."""
    misplaced: Literal["", "number", "after the result", "not closed"] = ""
    """Why the unread word may not stand there: it is a time or the number of another move, the game is
    over, or it begins a comment or a variation that never ends."""
    number: int = 1
    """The number of the first move."""
    signs: int = 0
    """Signs that annotators add to the main line, such as "!", "$14", "+-" and "+0.35"."""


def scan(text: str, number: int, *, white: bool, is_free: bool) -> Movetext:
    """Look at the text of one game, tags included, up to the first word that is nothing in PGN.

    `number` is that of the first move, and `white` tells whether White makes it; programs that count from 1
    in any case are understood. If `is_free`, the first number that is written counts instead. Moves may go
    without numbers (8.2.2.1), but what has another number than its own is another game.
    """
    header = _HEADER.match(text)
    body = _LEFT_OUT.sub(_left_out, text[header.end() if header else 0 :])
    depth = moves = signs = 0
    result = ""
    variation: list[str] = []
    words = _WORD.findall(body)
    for k, word in enumerate(words):
        if word == "(":
            variation = variation if depth else []
            depth += 1
            continue
        if word == ")":
            depth -= 1
            words_in = " ".join(variation) if depth == 0 else ""
            if depth < 0 or (words_in and not _PLAYED.search(words_in)):
                return Movetext(f"({words_in})" if depth == 0 else ")", moves, result, number=number)
            continue
        if depth:
            variation.append(word)
            continue
        if word.startswith("{"):
            return Movetext("{", moves, result, "not closed", number)
        if _STRAY.fullmatch(word):
            return Movetext(word, moves, result, "number", number)
        at = 0
        rest = ""
        while at < len(word):
            part = _PART.match(word, at)
            said = part["result"] if part else None
            if result and (part is None or part["move"] or part["number"]):
                return Movetext(word, moves, result, "after the result", number)
            if part is None or (said and result_of(said) is None):
                return Movetext(word, moves, result, number=number)
            is_number = at == 0 and part["number"] is not None and _begins_move(word, part.end())
            if is_number:
                written = int(part["number"].rstrip(".…"))
                if moves == 0 and (is_free or written == 1):
                    number = written
                is_last = is_result(word[part.end() :] or "".join(words[k + 1 : k + 2]))
                if not is_last and not _is_due(part["number"], moves + (not white), number):
                    return Movetext(part["number"], moves, result, "number", number)
            rest += " " if is_number or part["move"] or said or part["passing"] else part[0]
            moves += part["move"] is not None
            result = result_of(said or "") or result
            at = part.end()
        signs += _signs(rest)
    if depth:
        return Movetext("(", moves, result, "not closed", number)
    return Movetext("", moves, result, number=number, signs=signs)


def _begins_move(word: str, at: int) -> bool:
    """Return whether the number at the beginning of a word is a move's: "4.", "4.Nf3", "4.0-0", "4.0-1".

    Digits within a word are otherwise a sign that annotators add, such as "0.35/12".
    """
    if not word[at : at + 1].isdigit():
        return True
    part = _PART.match(word, at)
    return part is not None and (part["move"] is not None or part.end("result") == len(word))


def _signs(rest: str) -> int:
    """Count what is more than a sign of check or mate, or dots, in the rest of a word without its moves."""
    runs = rest.replace("$", " $").split()
    return sum(bool(run.strip(".…,;:").lstrip("+#†‡≠")) for run in runs)


def _left_out(match: re.Match[str]) -> str:
    return " {" if match["comment"] and not match["end"] else " "


def ends_game(word: str) -> bool:
    """Return whether a word holds a result, be it glued to a move."""
    at = 0
    while part := _PART.match(word, at):
        if result_of(part["result"] or "") is not None:
            return True
        at = part.end()
    return False


def _is_due(written: str, ply: int, first: int) -> bool:
    """Return whether a move's number is the one that must come before a half-move, counted from White's."""
    digits = written.rstrip(".…")
    is_blacks = "…" in written or written.endswith("..")
    return int(digits) == first + ply // 2 and not (is_blacks and ply % 2 == 0)

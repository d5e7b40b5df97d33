"""Signs of print that literary braille may have one cell for: which of them is meant where it stands."""

from __future__ import annotations

import re
from dataclasses import replace

from assistant.scoresheet.record import Game

_PLAIN = str.maketrans(
    {
        **dict.fromkeys("‘’‚‛‹›", "'"),
        **dict.fromkeys("“”„‟«»", '"'),
        **dict.fromkeys("‐‑–−", "-"),
        "—": "--",
        "…": "...",
    }
)
_LONE_DASH = re.compile(r"(?<!\S)—(?!\S)")
_CLOSING = {"(": ")", "[": "]", "{": "}"}
_BEFORE_A_WORD = "([{\"'«“„‘¿¡-–—/"
_AFTER_A_WORD = ".,;:)]}\"'»”’…"
_SQUARE = re.compile(r"[a-h][1-8]\Z")
_MOVE_OF_A_MAN = re.compile(r"([^\W\d_])[a-h]?[1-8]?[x:]?[a-h][1-8]\Z")


def plain(text: str) -> str:
    """Return a text with the quotes, dashes and dots of a typewriter for those of a printer."""
    return _LONE_DASH.sub("-", text).translate(_PLAIN)


def plain_game(game: Game) -> Game:
    """Return a game with its tags and remarks in `plain` signs: braille seldom has cells for others."""
    return replace(
        game,
        tags=tuple((name, plain(value)) for name, value in game.tags),
        plies=tuple(replace(ply, remark=plain(ply.remark)) if ply.remark else ply for ply in game.plies),
        remark=plain(game.remark),
    )


def likelier_sign(before: str, sign: str, after: str) -> str:
    """Return the sign that stands in such a place of a word more often than this one; nothing if none does.

    Whoever asks must know that the two have the same cells there.
    """
    if sign in _CLOSING:
        return _CLOSING[sign] if before and not after[:1].isalnum() else ""
    if sign in "?!+" and _opens(before, after, digits=sign == "?"):
        return "¿" if sign == "?" else "¡"
    if sign == "+" and _calls(before, after):
        return "!"
    if sign == "—" and before[-1:].isdigit() and after[:1].isdigit():
        return "–"
    return ""


def _opens(before: str, after: str, *, digits: bool) -> bool:
    """Return whether a sign stands before a word, as those do that open a sentence in Spanish."""
    word = after.lstrip("?!+" + _BEFORE_A_WORD)[:1]
    return (not before or before[-1] in _BEFORE_A_WORD) and (word.isalpha() or (digits and word.isdigit()))


def _calls(before: str, after: str) -> bool:
    """Return whether a sign stands after a word or the name of a square, as an exclamation mark does.

    After a man's move it is check: "Dh4+", but "e4!".
    """
    rest = after.lstrip("?!+")[:1]
    is_last = not rest or rest in _AFTER_A_WORD
    last = before[-1:]
    man = _MOVE_OF_A_MAN.search(before)
    if man is not None and man[1].isupper():
        return False
    return is_last and bool(last.isalpha() or _SQUARE.search(before) or (last and last in "?!)]}\"'»”"))

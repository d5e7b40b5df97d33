"""The text of a PGN before it is read: its lines and its tags."""

from __future__ import annotations

import re

from assistant.errors import UsageError
from assistant.offers import OFFER
from assistant.scoresheet.movetext import ends_game

_TAG = r'\[\s*([A-Za-z0-9][A-Za-z0-9_+#=:-]*)\s*"((?:[^"\\\n]|\\.)*)"\s*\]'
_TAGS = re.compile(rf"{_TAG}(?:\s*{_TAG})*")
_LENIENT_TAG = re.compile(r'\[[A-Za-z0-9][A-Za-z0-9_+#=:-]*\s+"[^\n]*"\]')
_PIECE = re.compile(
    r"(?P<blank>(?:^[^\S\n]*\n)+)|(?P<escape>^%[^\n]*)|(?P<tags>^[^\S\n]*\[[^\n]*)|(?P<comment>\{[^}]*\}?)"
    r"|;(?P<rest>[^\n]*)|(?P<offer>\(=\))|(?P<passing>\(e\.?p\.?\))|(?P<opens>\()|(?P<closes>\))|(?P<word>[^\s(){};]+)",
    re.M,
)
_AHEAD = re.compile(r"(?:[^\S\n]*(?:[;%][^\n]*)?\n)*[^\S\n]*(?:[;%][^\n]*)?(?P<first>\S?)")


def in_form(text: str) -> str:
    """Return a PGN as a reader wants it that knows lines, which the import format does not (section 3.2.2).

    Each tag stands on a line of its own, and a line is empty only before the moves and after a game. What
    would be a variation behind "(" is none: offers of a draw stand in braces, as comments up to the end of a
    line do, and the sign of en passant is left out.
    """
    form = _Form(text)
    return _PIECE.sub(form.piece, text)


class _Form:
    """Where in a PGN its pieces stand, from one to the next."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._in_movetext = self._is_over = False
        self._depth = 0
        self._first, self._known_to = "", -1

    def piece(self, match: re.Match[str]) -> str:
        """Return what stands for the next piece."""
        found, kind = match[0], match.lastgroup
        if kind == "blank":
            return self._blank(match)
        if kind == "escape":
            return found
        if kind == "tags":
            line = found.strip()
            if not _TAGS.fullmatch(line):
                return found
            return "\n".join(f'[{name} "{value}"]' for name, value in re.findall(_TAG, line))
        if kind == "rest":
            if not self._in_movetext and self._next(match.end()) in ("", "["):
                return found
            remark = match["rest"].strip().replace("{", "(").replace("}", ")")
            found = f" {{{remark}}}" if remark else ""
        self._in_movetext = True
        if kind == "offer":
            return f"{{{OFFER}}}"
        if kind == "passing":
            return " "
        if kind == "opens":
            self._depth += 1
        elif kind == "closes":
            self._depth = max(self._depth - 1, 0)
        elif kind == "word":
            self._is_over = self._is_over or (self._depth == 0 and ends_game(found))
        return found

    def _blank(self, match: re.Match[str]) -> str:
        following = self._next(match.end())
        if not self._in_movetext:
            return match[0] if following in ("", "[") else "\n"
        # A game ends with its result (section 8.2.6); many stop without one where the next has its tags.
        if not self._is_over and following != "[":
            return ""
        self._in_movetext = self._is_over = False
        self._depth = 0
        return match[0]

    def _next(self, at: int) -> str:
        """Return the first character from a place on that is neither blank nor in a comment; or nothing."""
        if at >= self._known_to:
            match = _AHEAD.match(self._text, at)
            assert match, "what may be empty is always found"
            self._first, self._known_to = match["first"], match.start("first")
        return self._first


def check_tags(text: str) -> None:
    """Refuse a tag that would be passed over, in the header that a text begins with.

    :raises UsageError: naming it.
    """
    for line in map(str.strip, text.split("\n")):
        if not line or line.startswith(("%", ";")):
            continue
        if not line.startswith("["):
            return
        if not _TAGS.fullmatch(line) and not _LENIENT_TAG.fullmatch(line):
            raise UsageError(
                'The PGN has a tag that cannot be read: {line!r}. A tag is written [Name "value"], the moves '
                "come below.",
                line=line,
            )

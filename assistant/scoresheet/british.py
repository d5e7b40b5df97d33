"""The British chess code: a move is rewritten, not translated letter by letter.

Source: UKAAF, Braille Chess Code and Layout, 2015; locales/braille/profiles.toml says which of its signs
could be confirmed. Everything that is no move number and no move is Unified English Braille.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from assistant.scoresheet import louis
from assistant.scoresheet.profiles import Profile

_DROPPED = dict(zip("1234567890", "⠂⠆⠒⠲⠢⠖⠶⠦⠔⠴", strict=True))
_RAISED = {cell: digit for digit, cell in _DROPPED.items()}
_FILES = dict(zip("abcdefgh", "⠁⠃⠉⠙⠑⠋⠛⠓", strict=True))
_MOVE = re.compile(
    r"(?P<piece>[KQRBN]?)(?P<file>[a-h]?)(?P<rank>[1-8]?)(?P<joint>[x-]?)(?P<to>[a-h][1-8])"
    r"(?P<promotion>[QRBN]?)(?P<suffix>\+\+|[+#]?)"
)
_CASTLING = re.compile(r"(?P<castling>0-0(?:-0)?)(?P<suffix>\+\+|[+#]?)")


def to_words(tokens: Sequence[str], profile: Profile, table: str) -> tuple[str, ...]:
    """Return the words of cells for tokens written in English letters."""
    words: list[str] = []
    black = False
    for token in tokens:
        number = re.fullmatch(r"(\d+)\.(\.\.)?", token)
        if number:
            black = bool(number[2])
            words.append("".join(_DROPPED[digit] for digit in number[1]))
            continue
        cells = _move_cells(token, profile) or louis.to_cells(table, token)
        words.append(profile.signs["black"] + cells if black else cells)
        black = False
    return tuple(words)


def to_tokens(words: Sequence[str], profile: Profile, table: str) -> tuple[str, ...]:
    """Return the tokens that words of cells stand for."""
    return tuple(_tokens(words, profile, table))


def _tokens(words: Sequence[str], profile: Profile, table: str) -> Iterator[str]:
    number = ""
    for word in words:
        if word and all(cell in _RAISED for cell in word):
            if number:
                yield number + "."
            number = "".join(_RAISED[cell] for cell in word)
            continue
        if number:
            black = word.startswith(profile.signs["black"]) and word != profile.signs["black"] * 2
            yield number + ("..." if black else ".")
            word, number = (word[1:] if black else word), ""
        yield _move_token(word, profile) or louis.word_to_text(table, word)
    if number:
        yield number + "."


def _move_cells(token: str, profile: Profile) -> str:
    signs, pieces = profile.signs, profile.pieces
    if match := _CASTLING.fullmatch(token):
        cells = signs["castling_long" if match["castling"] == "0-0-0" else "castling"]
        before, after = _suffix_cells(match["suffix"], profile)
        return before + cells + after
    match = _MOVE.fullmatch(token)
    if not match:
        return ""
    before, after = _suffix_cells(match["suffix"], profile)
    if match["joint"] == "x":
        before = signs["capture_and_check" if before else "capture"]
    square = _FILES[match["to"][0]] + _DROPPED[match["to"][1]]
    return (
        pieces.get(match["piece"], "")
        + _FILES.get(match["file"], "")
        + _DROPPED.get(match["rank"], "")
        + before
        + square
        + pieces.get(match["promotion"], "")
        + after
    )


def _suffix_cells(suffix: str, profile: Profile) -> tuple[str, str]:
    if suffix == "+":
        return profile.signs["check"], ""
    return "", profile.signs["mate"] if suffix else ""


def _move_token(word: str, profile: Profile) -> str:
    castling, move = _patterns(profile.name, *profile.signs.values(), *profile.pieces.values())
    if match := castling.fullmatch(word):
        long = match["castling"] == profile.signs["castling_long"]
        return ("0-0-0" if long else "0-0") + _suffix_token(bool(match["check"]), bool(match["mate"]))
    match = move.fullmatch(word)
    if not match:
        return ""
    letter = {cell: piece for piece, cell in profile.pieces.items()}
    file = {cell: name for name, cell in _FILES.items()}
    sign = match["sign"]
    captures = sign in (profile.signs["capture"], profile.signs["capture_and_check"])
    checks = sign in (profile.signs["check"], profile.signs["capture_and_check"])
    return (
        letter.get(match["piece"], "")
        + file.get(match["file"], "")
        + _RAISED.get(match["rank"], "")
        + ("x" if captures else "")
        + file[match["to"][0]]
        + _RAISED[match["to"][1]]
        + letter.get(match["promotion"], "")
        + _suffix_token(checks, bool(match["mate"]))
    )


def _suffix_token(check: bool, mate: bool) -> str:
    return "#" if mate else "+" if check else ""


@cache
def _patterns(_name: str, *cells: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    capture, check, both, mate, _black, castling, castling_long = cells[:7]
    pieces = "".join(cells[7:])
    files, ranks = "".join(_FILES.values()), "⠂⠆⠒⠲⠢⠖⠶⠦"
    return (
        re.compile(rf"(?P<check>{check})?(?P<castling>{castling_long}|{castling})(?P<mate>{mate})?"),
        re.compile(
            rf"(?P<piece>[{pieces}])?(?P<file>[{files}])??(?P<rank>[{ranks}])??(?P<sign>[{capture}{check}{both}])?"
            rf"(?P<to>[{files}][{ranks}])(?P<promotion>[{pieces}])?(?P<mate>{mate})?"
        ),
    )

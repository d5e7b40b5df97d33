"""The text of a PGN before it is read: its encoding, its lines and its tags."""

from __future__ import annotations

import re

from assistant.errors import UsageError
from assistant.scoresheet.record import CONTROL, OFFER

UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")
_LINES = re.compile(r"\{[^}]*\}|;[^\n]*|^%[^\n]*|^[^\S\n]*\[[^\n]*|\(=\)", re.M)
_TAG = r'\[\s*([A-Za-z0-9][A-Za-z0-9_+#=:-]*)\s*"((?:[^"\\\n]|\\.)*)"\s*\]'
_TAGS = re.compile(rf"{_TAG}(?:\s*{_TAG})*")
_LENIENT_TAG = re.compile(r'\[[A-Za-z0-9][A-Za-z0-9_+#=:-]*\s+"[^\n]*"\]')


def in_form(text: str) -> str:
    """Return a PGN with each tag on a line of its own, and with the offers of a draw in comments.

    The import format knows no lines (section 3.2.2), and what follows "(" would be a variation.
    """

    def each(match: re.Match[str]) -> str:
        found = match[0]
        if found == OFFER:
            return f"{{{OFFER}}}"
        line = found.strip()
        if not _TAGS.fullmatch(line):
            return found
        return "\n".join(f'[{name} "{value}"]' for name, value in re.findall(_TAG, line))

    return _LINES.sub(each, text)


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
                'The PGN has a tag that cannot be read: {line}. A tag is written [Name "value"], the moves '
                "come below.",
                line=line,
            )


def decode(data: bytes) -> str:
    """Return the text of a file in UTF-8, UTF-16 with its mark, or else Latin-1.

    :raises UsageError: if it holds a NUL byte, or its mark is wrong.
    """
    marks = ((b"\xef\xbb\xbf", "utf-8-sig"), *((mark, "utf-16") for mark in UTF16_MARKS))
    for mark, name in marks:
        if data.startswith(mark):
            try:
                return cleaned(data.decode(name))
            except UnicodeDecodeError as error:
                raise UsageError(
                    "The file says it is {name} but is not: save it again as UTF-8.", name=name
                ) from error
    try:
        return cleaned(data.decode("utf-8"))
    except UnicodeDecodeError:
        # The PGN standard of 1994 prescribes Latin-1; Windows programs write its superset.
        return cleaned(data.decode("cp1252", errors="replace"))


def cleaned(text: str) -> str:
    """Return a text without control characters that no sheet may hold.

    :raises UsageError: if it holds a NUL byte.
    """
    if "\0" in text:
        line = text[: text.index("\0")].count("\n") + 1
        raise UsageError("The file holds a NUL byte in line {line}: it is damaged or is no text.", line=line)
    return CONTROL.sub(lambda match: match[0] if match[0] in "\t\n\f\r" else " ", text)

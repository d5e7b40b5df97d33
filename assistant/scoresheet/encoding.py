"""The letters of a file that a person or another program has written: which encoding it is in."""

from __future__ import annotations

import codecs

from assistant.errors import Phrase, UsageError, marked
from assistant.scoresheet.record import CONTROL

UTF16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
MARKS = (codecs.BOM_UTF8, *UTF16_MARKS)
"""What a file in UTF-8 or UTF-16 may begin with."""


def decode(data: bytes) -> str:
    """Return the text of a file in UTF-8, UTF-16 with its mark, or else Windows-1252.

    :raises UsageError: if it holds a NUL byte or one that stands for no letter, its mark is wrong, or it is
        UTF-8 but for a few bytes.
    """
    if name := _marked_encoding(data):
        try:
            return cleaned(data.decode(name))
        except UnicodeDecodeError as error:
            raise UsageError(
                "The file says it is {name} but is not: save it again as UTF-8.", name=name
            ) from error
    try:
        return cleaned(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        if _is_damaged_utf8(data):
            raise UsageError(
                "The file is in UTF-8 but for the byte {byte} in line {line}: mend that line, or save the "
                "file again as UTF-8.",
                **_place(data, error.start),
            ) from error
    try:
        # The PGN standard of 1994 prescribes Latin-1; Windows programs write its superset.
        return cleaned(data.decode("cp1252"))
    except UnicodeDecodeError as error:
        raise UsageError(
            "The byte {byte} in line {line} stands for no letter, neither in UTF-8 nor in Windows-1252: save "
            "the file again as UTF-8.",
            **_place(data, error.start),
        ) from error


def guess_told(data: bytes) -> tuple[Phrase, ...]:
    """Return a sentence that tells that `decode` has taken a file for Windows-1252, where it has.

    Files in the old encodings of other languages cannot be told apart from it.
    """
    if _marked_encoding(data):
        return ()
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return (
            marked(
                "The file is not in UTF-8 and was read as Windows-1252: where a name has wrong letters, "
                "save the file again as UTF-8."
            ),
        )
    return ()


def cleaned(text: str) -> str:
    """Return a text without control characters that no sheet may hold, its lines ended in one way.

    :raises UsageError: if it holds a NUL byte.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if "\0" in text:
        line = text[: text.index("\0")].count("\n") + 1
        raise UsageError("The file holds a NUL byte in line {line}: it is damaged or is no text.", line=line)
    return CONTROL.sub(lambda match: match[0] if match[0] in "\t\n\f" else " ", text)


def _marked_encoding(data: bytes) -> str:
    if data.startswith(codecs.BOM_UTF8):
        return "utf-8-sig"
    return "utf-16" if data.startswith(UTF16_MARKS) else ""


def _is_damaged_utf8(data: bytes) -> bool:
    """Return whether at least as many letters beyond ASCII are right in UTF-8 as are wrong.

    By chance that hardly happens: two signs of Windows-1252 in a row make a letter of UTF-8 only where a
    capital with an accent comes before a sign.
    """
    letters = data.decode("utf-8", errors="replace")
    wrong = letters.count("\ufffd") - data.count("\ufffd".encode())
    return sum(not letter.isascii() for letter in letters) - wrong >= wrong


def _place(data: bytes, at: int) -> dict[str, str | int]:
    """Return the byte and its line, as a sentence names them."""
    before = data[:at].replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    return {"byte": f"0x{data[at]:02X}", "line": before.count(b"\n") + 1}

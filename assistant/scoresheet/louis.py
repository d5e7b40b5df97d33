"""The one door to liblouis: text to six-dot cells and back, through its C interface.

Debian's own binding exists only for Debian's Python; the library's interface is four functions.
Source: the liblouis documentation, chapter "Programming with liblouis".
"""

from __future__ import annotations

import ctypes
import ctypes.util
import threading
from functools import cache, lru_cache

from assistant.errors import HectorError

# liblouis keeps its tables in global memory that is not guarded against threads.
_lock = threading.Lock()
_LOG_OFF = 60000
_IN_CELLS = 4 | 64
"""A mode in which cells are Unicode braille, whatever a table notes beside their dots."""
_NO_UNDEFINED = 128
"""A mode in which liblouis leaves out what a table has no cells for, instead of writing its number."""
_LONGEST = 400
"""Cells, more than any word of a language or of a game has."""
_LAST_SIX_DOT = "\u283f"
BLANK = "\u2800"


class UntranslatableError(HectorError):
    """Text that a table has no six-dot cells for."""


@cache
def _library() -> tuple[ctypes.CDLL, str]:
    """Load liblouis and return it with the encoding of its characters."""
    for name in ("liblouis.so.20", ctypes.util.find_library("louis")):
        if name is None:
            continue
        try:
            library = ctypes.CDLL(name)
        except OSError:
            continue
        library.lou_setLogLevel(_LOG_OFF)
        return library, "utf-32-le" if library.lou_charSize() == 4 else "utf-16-le"
    raise HectorError(
        "Braille needs liblouis, which is not installed: apt-get install liblouis20 liblouis-data."
    )


@lru_cache(maxsize=16384)
def to_cells(table: str, text: str) -> str:
    """Return the Unicode braille (U+2800 to U+283F) of a text in a table, given by name or path.

    :raises UntranslatableError: if the table has no six-dot cells for some of the text.
    :raises HectorError: if liblouis or the table is missing.
    """
    cells = _call("lou_translateString", table, text, _IN_CELLS)
    if any(not BLANK <= cell <= _LAST_SIX_DOT for cell in cells):
        raise UntranslatableError(
            "The braille table {table} has no six-dot cells for {text!r}.", table=table, text=text
        )
    return cells


@lru_cache(maxsize=4096)
def has(table: str, sign: str) -> bool:
    """Return whether a table has cells of six dots for one sign.

    :raises HectorError: if liblouis or the table is missing.
    """
    cells = _call("lou_translateString", table, sign, _IN_CELLS | _NO_UNDEFINED)
    return bool(cells) and all(BLANK <= cell <= _LAST_SIX_DOT for cell in cells)


@lru_cache(maxsize=16384)
def to_text(table: str, cells: str) -> str:
    """Return the text that the cells stand for in a table.

    :raises UntranslatableError: if liblouis gives up on the cells.
    :raises HectorError: if liblouis or the table is missing.
    """
    return _call("lou_backTranslateString", table, cells)


def word_to_text(table: str, cells: str) -> str:
    """Return what `to_text` does for a word; cells that are no word, as they go on and on, in pieces.

    The time of some tables grows with the square of the cells.
    :raises HectorError: as `to_text` does.
    """
    pieces = (cells[at : at + _LONGEST] for at in range(0, len(cells), _LONGEST))
    return "".join(to_text(table, piece) for piece in pieces)


def _call(function: str, table: str, text: str, mode: int = 0) -> str:
    if not text:
        return ""
    library, encoding = _library()
    width = library.lou_charSize()
    source = text.encode(encoding)
    room = 16 * len(source) // width + 64
    given, written = ctypes.c_int(len(source) // width), ctypes.c_int(room)
    into = ctypes.create_string_buffer(room * width)
    with _lock:
        done = getattr(library, function)(
            f"unicode.dis,{table}".encode(),
            ctypes.create_string_buffer(source),
            ctypes.byref(given),
            into,
            ctypes.byref(written),
            None,
            None,
            mode,
        )
    if not done:
        if library.lou_checkTable(f"unicode.dis,{table}".encode()):
            raise UntranslatableError(
                "liblouis cannot translate {text!r} with the table {table}.", text=text, table=table
            )
        raise HectorError(
            "The braille table {table} cannot be loaded: apt-get install liblouis-data.", table=table
        )
    return into.raw[: written.value * width].decode(encoding)

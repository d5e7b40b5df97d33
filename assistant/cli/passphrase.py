"""Asking for what nobody may see: a passphrase, or the sealed move."""

from __future__ import annotations

import contextlib
import getpass
import sys
import warnings
from pathlib import Path
from typing import Any

from assistant.errors import UsageError


def add_passphrase(parser: Any) -> None:
    """Add the option by which a script gives the passphrase."""
    parser.add_argument(
        "--passphrase-file",
        metavar="FILE",
        help="the passphrase's file, - for standard input; else it is asked",
    )


def read_passphrase(file: str | None, *, new: bool = False) -> str:
    """Return the passphrase: the first line of a file or of standard input, else asked without echo.

    A new one is asked twice.

    :raises UsageError: if there is none, or the two are not the same.
    """
    if file is not None:
        return _first_line(file)
    phrase = ask_hidden("Passphrase (not shown): ", "--passphrase-file")
    if new and ask_hidden("The same again: ", "--passphrase-file") != phrase:
        raise UsageError("The two passphrases are not the same; nothing was made. Try again.")
    return phrase


def ask_hidden(question: str, option: str) -> str:
    """Ask at the terminal without echo.

    :raises UsageError: if there is no terminal that could hide it; `option` does without one.
    """
    with contextlib.suppress(EOFError, OSError, getpass.GetPassWarning), warnings.catch_warnings():
        warnings.simplefilter("error", getpass.GetPassWarning)
        return getpass.getpass(question)
    raise UsageError(f"There is no terminal to ask at. Use {option} FILE, or - for standard input.")


def read_line(file: str, what: str) -> str:
    """Return the first line of a file, or of standard input for "-".

    :raises UsageError: if there is none.
    """
    try:
        text = sys.stdin.readline() if file == "-" else Path(file).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        raise UsageError(f"{what} cannot be read from {file}. Check the name.") from None
    line = (text.splitlines() or [""])[0]
    if not line:
        raise UsageError(f"{what} is missing: {file} is empty.")
    return line


def _first_line(file: str) -> str:
    return read_line(file, "The passphrase")

"""Asking for what nobody may see: a passphrase, or the sealed move."""

from __future__ import annotations

import getpass
import sys
import warnings
from pathlib import Path
from typing import Any

from assistant.cli.common import print_told
from assistant.errors import Phrase, UsageError, marked

_FILE_MARK = "\ufeff"
"""What some editors begin a file with."""


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
    phrase = ask_hidden(marked("Passphrase (not shown): "), "--passphrase-file")
    if new and ask_hidden(marked("The same again: "), "--passphrase-file") != phrase:
        raise UsageError("The two passphrases are not the same; nothing was made. Try again.")
    return phrase


def ask_hidden(question: Phrase, option: str) -> str:
    """Ask at the terminal without echo.

    :raises UsageError: if nothing is typed, or there is no terminal that could hide it; `option` does
        without one.
    """
    from assistant.speaking import told

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", getpass.GetPassWarning)
            while True:
                try:
                    text = getpass.getpass(told(question))
                    text.encode()
                    return text
                except UnicodeError:
                    # Half a letter, or one of another encoding.
                    print_told("That is no readable text. Type it again, in UTF-8.")
    except EOFError:
        raise UsageError("Nothing was typed. The same command asks again.") from None
    except (OSError, getpass.GetPassWarning):
        raise _no_terminal(option) from None


def check_terminal(option: str) -> None:
    """Make sure that `ask_hidden` has a terminal to ask at, before anything is done that needs the answer.

    :raises UsageError: as `ask_hidden` does.
    """
    try:
        Path("/dev/tty").open("r+b", buffering=0).close()
    except OSError:
        if sys.stdin is None or sys.stdin.closed or not sys.stdin.isatty():
            raise _no_terminal(option) from None


def _no_terminal(option: str) -> UsageError:
    return UsageError(
        "There is no terminal to ask at. Use {option} FILE, or - for standard input.", option=option
    )


def read_line(file: str, what: Phrase) -> str:
    """Return the first line of a file, or of standard input for "-"; a file may have any usual encoding.

    :raises UsageError: if there is none.
    """
    text = _standard_input(what) if file == "-" else _content(file, what)
    return _first(text.lstrip(_FILE_MARK).splitlines()[:1], file, what)


def read_only_line(file: str, what: Phrase) -> str:
    """Return the one line of a file, or of standard input for "-", that is not empty; else as `read_line`.

    :raises UsageError: if there is none, or more than one.
    """
    text = _standard_input(what, whole=True) if file == "-" else _content(file, what)
    lines = [line for line in text.lstrip(_FILE_MARK).splitlines() if line.strip()]
    if len(lines) > 1:
        count = len(lines)
        raise UsageError("{what} is one line, and {file} has {count}.", what=what, file=file, count=count)
    return _first(lines, file, what)


def _first(lines: list[str], file: str, what: Phrase) -> str:
    if not any(lines):
        if lines:
            raise UsageError("{what} is missing: the first line of {file} is empty.", what=what, file=file)
        raise UsageError("{what} is missing: {file} is empty.", what=what, file=file)
    return lines[0]


def _standard_input(what: Phrase, *, whole: bool = False) -> str:
    """Return what comes on standard input: its first line, or `whole`, except from somebody who types."""
    if sys.stdin is None:
        return ""
    try:
        return sys.stdin.read() if whole and not sys.stdin.isatty() else sys.stdin.readline()
    except UnicodeDecodeError:
        raise UsageError("{what} cannot be read from standard input: write it in UTF-8.", what=what) from None


def _content(file: str, what: Phrase) -> str:
    from assistant.scoresheet.encoding import decode

    try:
        return decode(Path(file).read_bytes())
    except UsageError:
        raise UsageError(
            "{what} cannot be read from {file}: that is no text. Save it again as UTF-8.",
            what=what,
            file=file,
        ) from None
    except IsADirectoryError:
        raise UsageError(
            "{what} cannot be read from {file}: that is a folder; name a file.", what=what, file=file
        ) from None
    except (FileNotFoundError, NotADirectoryError):
        raise UsageError(
            "{what} cannot be read from {file}: there is no such file. Check the name.", what=what, file=file
        ) from None
    except OSError as error:
        raise UsageError(
            "{what} cannot be read from {file}: {reason}.", what=what, file=file, reason=error
        ) from None


def _first_line(file: str) -> str:
    return read_line(file, marked("The passphrase"))

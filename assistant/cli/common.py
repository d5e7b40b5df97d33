"""What several commands share: reading a position, writing a result."""

from __future__ import annotations

import argparse
import contextlib
import stat
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import BinaryIO

import chess

from assistant.board import position
from assistant.errors import HectorError, Phrase, UsageError, language_told
from assistant.fen import why_impossible, why_no_fen
from assistant.files import create_file, replace_file

_PATHS = (
    *("games", "key", "listen", "manifest", "model", "move_file", "output", "passphrase_file"),
    *("recordings", "save", "speak_to", "to", "to_wav"),
)
"""Options that name a file or a folder."""
_SOUND_WRITTEN = ("speak_to", "to_wav")
"""Options that name a file for what the voice says; unlike a sheet it is not for standard output."""


def read_board(fen: str | None, chess960: bool = False) -> chess.Board:
    """Return the position of a FEN, or the start.

    :raises UsageError: if it is not a FEN or an impossible position.
    """
    if fen is None:
        return chess.Board()
    try:
        board = position(fen, chess960)
    except ValueError:
        raise UsageError("{fen!r} is not a FEN: {reason}.", fen=fen, reason=why_no_fen(fen)) from None
    problem = why_impossible(board.status())
    if problem is not None:
        raise UsageError("The position {fen!r} is impossible: {reason}.", fen=fen, reason=problem)
    return board


def check_names(args: argparse.Namespace) -> None:
    """Refuse an empty name of a file or folder: it would be the current folder, or as if none were given.

    And "-" where nothing goes to standard output: it would be a file of that name.

    :raises UsageError: naming the option.
    """
    for option in given(args, [name for name in _PATHS if _has_empty(getattr(args, name, None))]):
        raise UsageError("{option} is empty: name a file or folder, or leave it out.", option=option)
    for option in given(args, [name for name in _SOUND_WRITTEN if getattr(args, name, None) == "-"]):
        raise UsageError("{option} does not write to standard output: name a file.", option=option)


def _has_empty(value: object) -> bool:
    return value == "" or (isinstance(value, list) and "" in value)


def given(args: argparse.Namespace, options: Iterable[str]) -> list[str]:
    """Return those of the options that were given, as they are written; 0 is given too."""
    found = [name for name in options if getattr(args, name) is not None and getattr(args, name) is not False]
    return [f"--{name.replace('_', '-')}" for name in found]


def check_text(option: str, text: str | None) -> None:
    """Refuse bytes of the command line that are no text, and what would break a line of a file or a screen.

    :raises UsageError: naming the option.
    """
    from assistant.scoresheet import CONTROL

    text = text or ""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise UsageError("{option} is no readable text: write it in UTF-8.", option=option) from None
    if CONTROL.search(text):
        raise UsageError(
            "{option} is not one line of text: leave out line breaks and other control characters.",
            option=option,
        )


def language_of(args: argparse.Namespace) -> str | None:
    """Return the language that was asked for on the command line, None where none was."""
    from assistant.speaking import choose_language

    return choose_language(args.lang) if args.lang else None


def standard_input() -> BinaryIO:
    """Return standard input, for bytes.

    :raises UsageError: if it was closed when the program was started.
    """
    if sys.stdin is None:
        raise UsageError("There is no standard input to read: name a file.")
    return sys.stdin.buffer


def read_input(name: str) -> bytes:
    """Return the content of a file, or of standard input for "-".

    :raises UsageError: if there is no such file.
    """
    if name == "-":
        return standard_input().read()
    if not name:
        raise UsageError("The name of the file to read is empty.")
    path = Path(name)
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise UsageError("There is no file {name}. Check the name.", name=name) from None
    except IsADirectoryError:
        raise UsageError("{name} is a folder; name a file.", name=name) from None
    except OSError as error:
        raise UsageError("{path} cannot be read: {reason}.", path=name, reason=error) from error


def read_game(name: str, format: str = "pgn") -> bytes:
    """Return what `read_input` does; of a game's folder, by its path or bare name, its file in a format.

    :raises UsageError: if there is no such file.
    """
    with contextlib.suppress(OSError):
        if name not in ("-", "") and not Path(name).is_file():
            from assistant.table.folder import VIEWS
            from assistant.table.games import named_folder

            files = (named_folder(name) / view for view, kind in VIEWS.items() if kind == format)
            name = next((str(file) for file in files if file.is_file()), name)
    return read_input(name)


def print_told(template: str, /, *, flush: bool = False, **values: object) -> None:
    """Print a sentence, a template with its values, in the language of the messages."""
    from assistant.speaking import told

    print(told(Phrase(template, values)), flush=flush)


def written_move(board: chess.Board, move: chess.Move) -> str:
    """Return a move in the letters of the language of the messages, which its sentence is in."""
    from assistant.scoresheet import Style, write
    from assistant.speaking import choose_language

    return write(board, move, Style(language_told() or choose_language()))


def sound_file(name: str | None) -> Path | None:
    """Return the file that the voice is to speak into, if it is to.

    :raises UsageError: if it holds something already, or is a folder.
    """
    if name is None:
        return None
    from assistant.speaking import check_new

    path = Path(name)
    check_new(path)
    return path


def check_output(name: str | None, *, force: bool) -> None:
    """Refuse a file that `write_output` would refuse in the end, before anything is read or told.

    :raises UsageError: if it is a folder, or exists and may not be replaced.
    """
    if name is None or name == "-":
        return
    path = Path(name)
    if path.is_dir():
        raise UsageError("{name} is a folder; name a file.", name=name)
    if path.exists() and not force:
        raise _existing(name)


def _existing(name: str) -> UsageError:
    return UsageError("{name} exists already. Choose another name, or add --force.", name=name)


def write_output(data: bytes, name: str | None, *, force: bool) -> None:
    """Write a result to a new file, or to standard output; a full disk leaves the old file as it was.

    :raises UsageError: if the file exists and may not be replaced.
    :raises HectorError: if it cannot be written.
    """
    if name is None or name == "-":
        if sys.stdout is None:
            raise UsageError("There is no standard output to write to: name a file with -o.")
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return
    check_output(name, force=force)
    path = Path(name)
    try:
        if not force:
            create_file(path, data)
        elif path.is_file():
            _replace(path, data)
        else:
            path.write_bytes(data)
    except FileExistsError:
        raise _existing(name) from None
    except OSError as error:
        raise HectorError(
            "{name} cannot be written: {reason}. Choose another file.", name=name, reason=error
        ) from error


def _replace(path: Path, data: bytes) -> None:
    # A link stays one, and who may read the file does not change.
    path = path.resolve()
    replace_file(path, data, stat.S_IMODE(path.stat().st_mode))

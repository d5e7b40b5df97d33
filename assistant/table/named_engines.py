"""The engines that this user has himself named on this computer.

A game's folder may come from somebody else, and what its journal calls an engine may be any program: none is
started that the user has not named here.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from assistant.called import command
from assistant.errors import HectorError, UsageError, marked
from assistant.files import read_file, replace_file
from assistant.resources import user_data
from assistant.table.setup import Setup
from assistant.table.uci import find_engine, words_of

FILE_NAME: Final = "engines.json"
"""A list of commands, each the path of a program and its arguments."""


def check_engine(setup: Setup, named: str | None, folder: Path, again: Sequence[str]) -> None:
    """Refuse to go on with an engine that the user has never named, or to bring one to a game without.

    A program that is not there at all starts nothing: its side is played by keyboard.

    :param named: the engine that he names now, which may be elsewhere than when the game was begun.
    :param again: the command that continues the game, and its options.
    :raises UsageError: saying what is to be typed.
    """
    if setup.engine is None:
        if named is not None:
            raise UsageError("No engine plays in {folder}: leave out --engine.", folder=folder)
        return
    engine = setup.engine.command
    if named is None and _is_there(engine) and not is_remembered(engine):
        verb, *options = again
        # A page that goes on keeps what its game began with; nothing else is different.
        options = ["--keyboard", "--page", *options] if verb == "serve" else options
        raise UsageError(
            "The engine {program!r} was never named on this computer, and is not started. "
            "If you trust it, type: {command}",
            program=words_of(engine)[0],
            command=command("resume", folder, *options, "--engine", engine),
        )


def remember_engine(named: str) -> None:
    """Remember that the user has named an engine; two programs that do so at once lose nothing.

    :raises UsageError: if the command cannot be read, or there is no such program.
    :raises HectorError: if it cannot be kept; a file that cannot be read is left as it is.
    """
    engine, path = find_engine(named), user_data(FILE_NAME)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with _alone_in(path.parent):
            known = _known_in(path)
            if engine not in known:
                # A link stays one.
                replace_file(path.resolve(), json.dumps([*known, engine], indent=1).encode() + b"\n")
    except (OSError, ValueError) as error:
        raise HectorError(
            "The engine cannot be noted in {path}: {reason}. When this game is resumed, name it again "
            "with --engine.",
            path=path,
            reason=error,
        ) from error


def is_remembered(named: str) -> bool:
    """Return whether the user has named an engine, with the same arguments; never where nothing is known.

    :raises UsageError: if the command cannot be read, or there is no such program.
    """
    engine = find_engine(named)
    try:
        return engine in _known_in(user_data(FILE_NAME))
    except (OSError, ValueError):
        return False


def _is_there(engine: str) -> bool:
    try:
        find_engine(engine)
    except UsageError:
        return False
    return True


def _known_in(path: Path) -> list[list[str]]:
    """:raises OSError, ValueError: if a file that is there cannot be read, or is none of ours."""
    try:
        known = json.loads(read_file(path))
    except FileNotFoundError:
        return []
    except (ValueError, RecursionError) as error:
        # What Python says of a text that is no JSON is English in every language.
        raise ValueError(marked("it is no list of engines")) from error
    if not isinstance(known, list) or not all(map(_is_command, known)):
        raise ValueError(marked("it is no list of engines"))
    return known


def _is_command(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(word, str) for word in value)


@contextlib.contextmanager
def _alone_in(folder: Path) -> Iterator[None]:
    """Keep every other Hector that does the same out of a folder."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        # Some network file systems know no locks; two at once are rare enough there.
        with contextlib.suppress(OSError):
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)

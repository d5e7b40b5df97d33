"""The commands of `hector`. Each module adds one parser and runs it; none has logic of its own."""

from __future__ import annotations

import argparse
import errno
import gettext
import os
import sys
from collections.abc import Sequence
from types import ModuleType

from assistant import __version__
from assistant.cli import (
    adjudicate,
    announce,
    arbiter_key,
    compare,
    diagram,
    doctor,
    hear,
    models,
    open_envelope,
    play,
    player,
    practise,
    referee,
    resume,
    seal,
    serve,
    sheet,
)
from assistant.errors import HectorError

COMMANDS: tuple[ModuleType, ...] = (
    play,
    resume,
    serve,
    practise,
    player,
    hear,
    announce,
    referee,
    adjudicate,
    sheet,
    compare,
    diagram,
    arbiter_key,
    seal,
    open_envelope,
    models,
    doctor,
)


class _Parser(argparse.ArgumentParser):
    """argparse, but a wrong call is told in one line that says where the help is."""

    def error(self, message: str) -> None:  # type: ignore[override]
        self.exit(2, f"{self.prog}: {message}. Help: {self.prog} --help\n")


def build_parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="hector",
        description="The assistant that a blind chess player takes to the board.",
        epilog="hector COMMAND --help tells the options of one command.",
    )
    parser.add_argument("--version", action="version", version=f"hector {__version__}")
    parser.add_argument("--lang", metavar="LANGUAGE", help="language of the messages: de, en, es")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True, parser_class=_Parser)
    for module in COMMANDS:
        module.add_parser(commands)
    for command in commands.choices.values():
        # Said after the command it means the same; what was said before is not forgotten.
        command.add_argument("--lang", metavar="LANGUAGE", default=argparse.SUPPRESS, help=argparse.SUPPRESS)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status: 0 done, 1 no or failed, 2 wrong use."""
    # argparse calls gettext for its own words; they stay English whatever the locale's catalogues hold.
    gettext.textdomain("hector")
    args = build_parser().parse_args(argv)
    try:
        if args.lang:
            _check_language(args.lang)
        return int(args.run(args))
    except HectorError as error:
        print(f"hector: {error}", file=sys.stderr)
        return error.status
    except BrokenPipeError:
        # The reader of our output has gone: nothing is left to be told, and nobody to tell it to.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except KeyboardInterrupt:
        print("hector: stopped.", file=sys.stderr)
        return 130
    except OSError as error:
        print(f"hector: {_sentence(error)}", file=sys.stderr)
        return 1


def _check_language(wanted: str) -> None:
    """Refuse a language that there is not, also where a command has nothing to say in it.

    :raises UsageError: if Hector does not speak it.
    """
    from assistant.speaking import choose_language

    choose_language(wanted)


def _sentence(error: OSError) -> str:
    where = f" {error.filename}" if error.filename else ""
    if error.errno == errno.ENOSPC:
        return f"The disk is full{': ' + where.strip() if where else ''}. Free some space and try again."
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return f"No permission for{where or ' this'}. Choose another file or folder."
    if error.errno == errno.ENOENT:
        return f"There is no file{where}. Check the name."
    if error.errno == errno.EISDIR:
        return f"{where.strip()} is a folder; name a file."
    return f"{error.strerror or error}{where and ':' + where}."

"""The commands of `hector`. Each module adds one parser and runs it; none has logic of its own."""

from __future__ import annotations

import argparse
import errno
import gettext
import io
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from types import ModuleType
from typing import Any

from assistant import __version__
from assistant.called import command as typed
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
from assistant.cli.common import check_names
from assistant.errors import HectorError, Phrase, marked, told_in, visible
from assistant.interrupts import Ending, signals_interrupt, status_of
from assistant.quiet import fill_standard_descriptors, give_up, report
from assistant.resources import check_home
from assistant.threads import NO_ROOM

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

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        # A command's parser hands what it does not know to the program's, which knows only the general help.
        known, others = super().parse_known_args(args, namespace)
        if others:
            self.error(f"unrecognized arguments: {' '.join(others)}")
        return known, others

    def error(self, message: str) -> None:  # type: ignore[override]
        report(f"{self.prog}: {visible(message)}. Help: {self.prog} --help")
        self.exit(2)

    def print_help(self, file: Any = None) -> None:
        # A newer argparse keeps it to itself that nobody could be helped.
        print(self.format_help(), end="", file=file)


def build_parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog=typed(),
        description="The assistant that a blind chess player takes to the board.",
        epilog=f"{typed()} COMMAND --help tells the options of one command.",
    )
    parser.add_argument("--version", action="version", version=f"hector {__version__}")
    parser.add_argument("--lang", metavar="LANGUAGE", help="language of the messages: de, en, es, fr, pl")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True, parser_class=_Parser)
    for module in COMMANDS:
        module.add_parser(commands)
    for command in commands.choices.values():
        # Said after the command it means the same; what was said before is not forgotten.
        command.add_argument("--lang", metavar="LANGUAGE", default=argparse.SUPPRESS, help=argparse.SUPPRESS)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status: 0 done, 1 no or failed, 2 wrong use."""
    fill_standard_descriptors()
    # argparse calls gettext for its own words; they stay English whatever the locale's catalogues hold.
    gettext.textdomain("hector")
    for stream in (sys.stdout, sys.stderr):
        # What a terminal cannot show, or a file's name that is no text, must not end a game.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    with ExitStack() as while_it_runs:
        try:
            with signals_interrupt():
                status = _run(argv, while_it_runs)
            _flush()
            return status
        except HectorError as error:
            _tell(error.phrase)
            return error.status
        except BrokenPipeError:
            # The reader of our output has gone: nothing is left to be told, and nobody to tell it to.
            _give_up_output()
            return 1
        except KeyboardInterrupt as interrupt:
            _tell(marked("stopped."))
            return status_of(interrupt)
        except MemoryError:
            _tell(NO_ROOM)
            return 1
        except OSError as error:
            _tell(_sentence(error))
            _give_up_output()
            return 1


def _tell(phrase: Phrase) -> None:
    try:
        from assistant.speaking import told

        sentence = told(phrase)
    except (ImportError, MemoryError):
        # Its first load was broken off within numpy, whose C part refuses another one, or has no room.
        sentence = str(phrase)
    report(f"hector: {sentence}")


def _run(argv: Sequence[str] | None, while_it_runs: ExitStack) -> int:
    try:
        args = build_parser().parse_args(argv)
    except SystemExit:
        # The help has been printed, perhaps to nobody.
        _flush()
        raise
    _prepare_to_tell(args.lang, while_it_runs)
    check_names(args)
    check_home()
    return int(args.run(args))


def _flush() -> None:
    """Write what is waiting now, where a failure can be told in a sentence."""
    if sys.stdout is not None:
        sys.stdout.flush()


def _give_up_output() -> None:
    """Let what could not be written go: Python would try once more at its end, and print its own error."""
    try:
        _flush()
    except OSError:
        give_up(sys.stdout)


def _prepare_to_tell(wanted: str | None, while_it_runs: ExitStack) -> None:
    """Load what tells in every language, and choose the one that is meant.

    One that there is not is refused whatever the command. Whoever stops the program meanwhile is told so when
    it is there: a load that is broken off within numpy's C part cannot be begun again.

    :raises UsageError: if Hector does not speak the language.
    :raises KeyboardInterrupt: if a signal came meanwhile.
    """
    with Ending():
        from assistant.speaking import choose_language

        if wanted:
            while_it_runs.enter_context(told_in(choose_language(wanted)))


def _sentence(error: OSError) -> Phrase:
    file = error.filename
    if not file and error.errno == errno.ENOSPC:
        return marked("The disk is full. Free some space and try again.")
    if not file:
        return marked("{reason}.", reason=error)
    if error.errno == errno.ENOSPC:
        return marked("The disk is full: {file}. Free some space and try again.", file=file)
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return marked("No permission for {file}. Choose another file or folder.", file=file)
    if error.errno == errno.ENOENT:
        return marked("There is no file {name}. Check the name.", name=file)
    if error.errno == errno.EISDIR:
        return marked("{name} is a folder; name a file.", name=file)
    return marked("{reason}: {file}.", reason=error, file=file)

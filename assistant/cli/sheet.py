"""hector sheet: the scoresheet of a game in print, braille or PGN, and back."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from assistant.called import command
from assistant.cli.common import check_output, given, read_game, write_output
from assistant.errors import HectorError, Phrase, UsageError
from assistant.quiet import report

if TYPE_CHECKING:
    from assistant.scoresheet import Game

_WRITTEN_ONLY = ("notation", "cells", "lines", "layout")
"""Options of a sheet that is written: to read one back they are no use."""


def add_parser(commands: Any) -> None:
    parser = commands.add_parser("sheet", help="the scoresheet of a game: text, braille, PGN; and back")
    parser.add_argument(
        "game",
        metavar="GAME",
        help="a PGN file, or with --back a sheet; a game's folder; - for standard input",
    )
    parser.add_argument("--back", action="store_true", help="read a sheet of any format back into PGN")
    parser.add_argument(
        "--format",
        help="text (default), unicode, brf, eurobraille, pef, pgn; with --back: what the sheet is in",
    )
    parser.add_argument(
        "--language",
        help="whose piece letters: de en es fr nl it pt pl ru (default: de, whatever --lang says; with "
        "--back found out)",
    )
    parser.add_argument("--game", type=int, metavar="N", dest="number", help="which game of a PGN of several")
    parser.add_argument("--notation", help="short (default), long, figurine")
    parser.add_argument("--profile", default="", help="the braille profile; default: the language's own")
    parser.add_argument("--cells", type=int, help="cells of a line")
    parser.add_argument("--lines", type=int, help="lines of a page (default: 28)")
    parser.add_argument("--grade", help="braille of names and remarks: basic (default), full")
    parser.add_argument("--layout", help="columns (default), running")
    parser.add_argument("-o", "--output", metavar="FILE", help="write a new file instead of standard output")
    parser.add_argument("--force", action="store_true", help="replace the file if it exists")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from assistant.scoresheet import left_out, parse_sheet, render

    is_pgn = not args.back or args.format in (None, "pgn")
    if args.number is not None and (not is_pgn or args.number < 1):
        raise UsageError("--game chooses a game of a PGN by its number, from 1 on.")
    if args.back:
        for option in given(args, _WRITTEN_ONLY):
            raise UsageError("A sheet that is read back becomes PGN: leave out {option}.", option=option)
    check_output(args.output, force=args.force)
    data = read_game(args.game, (args.back and args.format) or "pgn")
    if args.back:
        format = args.format or ("" if args.number is None else "pgn")
        language, grade = args.language or "", args.grade or ""
        game, notes = parse_sheet(data, language, args.profile, grade, format, number=args.number)
    else:
        game, notes = _parsed(data, args)
    if args.back:
        written = render(game, "pgn")
    else:
        format, language, grade = args.format or "text", args.language or "de", args.grade or "basic"
        written = render(
            game,
            format,
            language,
            "short" if args.notation is None else args.notation,
            args.cells,
            28 if args.lines is None else args.lines,
            args.profile,
            grade,
            "columns" if args.layout is None else args.layout,
        )
        notes += left_out(game, format, language, args.profile, grade)
    _tell(notes)
    write_output(written, args.output, force=args.force)
    return 0


def _parsed(data: bytes, args: argparse.Namespace) -> tuple[Game, tuple[Phrase, ...]]:
    """Read a PGN.

    :raises UsageError: if it is none, with the command that reads it where it is a sheet.
    """
    from assistant.scoresheet import parse_pgn

    try:
        return parse_pgn(data, args.number)
    except UsageError as error:
        if args.number is not None or not _is_sheet(data):
            raise
        raise UsageError(
            "{reason} As a sheet it can be read: {command}",
            reason=error,
            command=command("sheet", "--back", args.game),
        ) from None


def _is_sheet(data: bytes) -> bool:
    from assistant.scoresheet import parse_sheet

    try:
        parse_sheet(data)
    except HectorError:
        return False
    return True


def _tell(notes: Iterable[Phrase]) -> None:
    from assistant.speaking import told

    for note in notes:
        report(told(note))

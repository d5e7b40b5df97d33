"""hector sheet: the scoresheet of a game in print, braille or PGN, and back."""

from __future__ import annotations

import argparse
from typing import Any

from assistant.cli.common import read_input, write_output


def add_parser(commands: Any) -> None:
    parser = commands.add_parser("sheet", help="the scoresheet of a game: text, braille, PGN; and back")
    parser.add_argument(
        "game", metavar="GAME", help="a PGN file, or with --back a sheet; - for standard input"
    )
    parser.add_argument("--back", action="store_true", help="read a sheet of any format back into PGN")
    parser.add_argument("--format", help="text (default), unicode, brf, eurobraille, pef, pgn")
    parser.add_argument("--language", default="de", help="whose piece letters: de en es fr nl it pt pl ru")
    parser.add_argument("--notation", default="short", help="short, long, figurine")
    parser.add_argument("--profile", default="", help="the braille profile; default: the language's own")
    parser.add_argument("--cells", type=int, help="cells of a line")
    parser.add_argument("--lines", type=int, default=28, help="lines of a page")
    parser.add_argument("--grade", default="basic", help="braille of names and remarks: basic, full")
    parser.add_argument("--layout", default="columns", help="columns, running")
    parser.add_argument("-o", "--output", metavar="FILE", help="write a new file instead of standard output")
    parser.add_argument("--force", action="store_true", help="replace the file if it exists")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from assistant.scoresheet import from_pgn, read_sheet, render

    data = read_input(args.game)
    if args.back:
        kind = "" if args.format is None else args.format
        game = read_sheet(data, profile=args.profile, format=kind)
        written = render(game, "pgn")
    else:
        written = render(
            from_pgn(data),
            args.format or "text",
            args.language,
            args.notation,
            args.cells,
            args.lines,
            args.profile,
            args.grade,
            args.layout,
        )
    write_output(written, args.output, force=args.force)
    return 0

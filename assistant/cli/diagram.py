"""hector diagram: the board for the fingertips."""

from __future__ import annotations

import argparse
from typing import Any

from assistant.cli.common import read_board, write_output


def add_parser(commands: Any) -> None:
    parser = commands.add_parser("diagram", help="the board as a tactile diagram")
    parser.add_argument("fen", nargs="+", metavar="FEN", help="a position, with or without quotation marks")
    parser.add_argument("--format", default="text", help="text (default), unicode, brf, eurobraille, svg")
    parser.add_argument(
        "--language",
        default="de",
        help="whose piece letters: de en es fr nl it pt pl ru (default: de, whatever --lang says)",
    )
    parser.add_argument("--from-black", action="store_true", help="seen from Black's side")
    parser.add_argument("-o", "--output", metavar="FILE", help="write a new file")
    parser.add_argument("--force", action="store_true", help="replace the file if it exists")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from assistant.scoresheet import render_diagram

    fen = " ".join(args.fen)
    read_board(fen)
    data = render_diagram(fen, args.format, args.language, args.from_black)
    write_output(data, args.output, force=args.force)
    return 0

"""hector adjudicate: dead position or not, and who can still checkmate."""

from __future__ import annotations

import argparse
from typing import Any


def add_parser(commands: Any) -> None:
    parser = commands.add_parser("adjudicate", help="is the position dead, who can still checkmate")
    parser.add_argument("fen", metavar="FEN", help="a position, or - for one FEN a line on standard input")
    parser.add_argument("--json", action="store_true", help="one JSON object")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    raise NotImplementedError

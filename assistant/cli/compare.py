"""hector compare: where two scoresheets part."""

from __future__ import annotations

import argparse
from typing import Any

from assistant.cli.common import read_input


def add_parser(commands: Any) -> None:
    parser = commands.add_parser("compare", help="where two scoresheets part")
    parser.add_argument("first", metavar="A", help="a sheet of any format: PGN, text, braille")
    parser.add_argument("second", metavar="B")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from assistant.scoresheet import compare_games, comparison_text, read_sheet
    from assistant.speaking import choose_language

    first, second = (read_sheet(read_input(name)) for name in (args.first, args.second))
    print(comparison_text(first, second, choose_language(args.lang)), end="")
    return 0 if compare_games(first, second) is None else 1

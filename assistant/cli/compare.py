"""hector compare: where two scoresheets part."""

from __future__ import annotations

import argparse
from typing import Any

from assistant.cli.common import read_input
from assistant.errors import UsageError


def add_parser(commands: Any) -> None:
    parser = commands.add_parser("compare", help="where two scoresheets part")
    parser.add_argument("first", metavar="A", help="a sheet of any format: PGN, text, braille")
    parser.add_argument("second", metavar="B")
    parser.add_argument("--language", default="", help="whose piece letters, where the sheets do not tell")
    parser.set_defaults(run=run)


def _read(name: str, language: str) -> Any:
    from assistant.scoresheet import read_sheet

    data = read_input(name)
    try:
        return read_sheet(data, language)
    except UsageError as error:
        raise UsageError(f"{name}: {error}") from error


def run(args: argparse.Namespace) -> int:
    from assistant.scoresheet import compare_games, comparison_text
    from assistant.speaking import choose_language

    first, second = (_read(name, args.language) for name in (args.first, args.second))
    print(comparison_text(first, second, choose_language(args.lang)), end="")
    return 0 if compare_games(first, second) is None else 1

"""hector compare: where two scoresheets part."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from assistant.cli.common import read_input
from assistant.errors import UsageError

if TYPE_CHECKING:
    from assistant.scoresheet import Game


def add_parser(commands: Any) -> None:
    parser = commands.add_parser("compare", help="where two scoresheets part")
    parser.add_argument("first", metavar="A", help="a sheet of any format: PGN, text, braille")
    parser.add_argument("second", metavar="B")
    parser.add_argument("--language", default="", help="whose piece letters, where the sheets do not tell")
    parser.add_argument("--game", type=int, metavar="N", dest="number", help="which game of a PGN of several")
    parser.set_defaults(run=run)


def _read(name: str, language: str, number: int | None) -> tuple[Game, bool]:
    """Return the game of a sheet, and whether its number chose it."""
    from assistant.scoresheet import formats_of, from_pgn, read_sheet

    data = read_input(name)
    try:
        try:
            return read_sheet(data, language), False
        except UsageError:
            if number is None or "pgn" not in formats_of(data):
                raise
            return from_pgn(data, number), True
    except UsageError as error:
        raise UsageError("{name}: {reason}", name=name, reason=error) from error


def run(args: argparse.Namespace) -> int:
    from assistant.scoresheet import compare_games, comparison_text
    from assistant.speaking import choose_language

    if args.number is not None and args.number < 1:
        raise UsageError("--game chooses a game of a PGN by its number, from 1 on.")
    (first, one), (second, other) = (
        _read(name, args.language, args.number) for name in (args.first, args.second)
    )
    if args.number is not None and not (one or other):
        raise UsageError("Neither file holds several games: leave out --game.")
    print(comparison_text(first, second, choose_language(args.lang)), end="")
    return 0 if compare_games(first, second) is None else 1

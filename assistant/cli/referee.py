"""hector referee: the Laws on a game script."""

from __future__ import annotations

import argparse
import io
from typing import Any

from assistant.cli.common import read_input, standard_input
from assistant.quiet import report


def add_parser(commands: Any) -> None:
    parser = commands.add_parser("referee", help="the Laws on a game script")
    parser.add_argument(
        "script", nargs="?", default="-", metavar="SCRIPT", help="JSON Lines, - for standard input"
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Rule on every line; one that is no line of a script is told on standard error, and the others go on."""
    from assistant.laws import ScriptError, referee_lines
    from assistant.moves import read_move
    from assistant.scoresheet import languages
    from assistant.speaking import told

    failed = False
    lines = standard_input() if args.script == "-" else io.BytesIO(read_input(args.script))
    for said in referee_lines(lines, read_move, languages()):
        if isinstance(said, ScriptError):
            failed = True
            report(f"hector: {told(said)}")
        else:
            print(said, flush=args.script == "-")
    return 2 if failed else 0

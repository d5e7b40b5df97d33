"""hector referee: the Laws on a game script."""

from __future__ import annotations

import argparse
import io
from typing import Any

from assistant.cli.common import read_input
from assistant.errors import UsageError


def add_parser(commands: Any) -> None:
    parser = commands.add_parser("referee", help="the Laws on a game script")
    parser.add_argument(
        "script", nargs="?", default="-", metavar="SCRIPT", help="JSON Lines, - for standard input"
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from assistant.laws import referee_stream
    from assistant.moves import read_move

    try:
        text = read_input(args.script).decode("utf-8")
    except UnicodeDecodeError:
        raise UsageError(f"{args.script} is not a game script: it is no UTF-8 text.") from None
    for line in referee_stream(io.StringIO(text), read_move):
        print(line)
    return 0

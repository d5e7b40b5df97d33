"""hector adjudicate: dead position or not, and who can still checkmate."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from assistant.cli.common import standard_input, written_move

if TYPE_CHECKING:
    import chess


def add_parser(commands: Any) -> None:
    parser = commands.add_parser("adjudicate", help="is the position dead, who can still checkmate")
    parser.add_argument(
        "fen", nargs="+", metavar="FEN", help="a position, or - for one FEN a line on standard input"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from assistant.laws.mate import adjudicate, adjudicate_lines
    from assistant.speaking import told

    fen = " ".join(args.fen)
    if fen == "-":
        failed = False
        # A line in another encoding is no FEN, and no reason to leave out the others.
        texts = (line.decode("utf-8", "replace") for line in standard_input())
        for line in adjudicate_lines(texts, time.process_time):
            failed |= "error" in line
            print(json.dumps(line, ensure_ascii=False), flush=True)
        return 2 if failed else 0
    began = time.process_time()
    found = adjudicate(fen)
    milliseconds = round((time.process_time() - began) * 1000, 1)
    if args.json:
        print(json.dumps({**found.as_dict(), "ms": milliseconds}, ensure_ascii=False))
    else:
        for fact in found.as_text(_written):
            print(told(fact))
    return 0


def _written(board: chess.Board, line: Sequence[chess.Move]) -> str:
    """Return moves with their numbers, in the letters of the language of the messages."""
    from assistant.scoresheet import Ply, new_game, numbered

    game = new_game(plies=map(Ply, line), start_fen=board.fen(), chess960=board.chess960)
    return numbered((before, written_move(before, ply.move)) for before, ply in game.positions())

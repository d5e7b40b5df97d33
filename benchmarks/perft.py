"""Perft: how many positions the referee's own move generation finds, against published counts.

    python -m benchmarks.perft SUITES [--every 1] [--chess960 3] [--random 2] [--tricky 9] [--json]

SUITES (or the environment's HECTOR_PERFT) is the folder `examples/perft` of python-chess's source
distribution (`pip download chess --no-binary :all: --no-deps`); the files are read there and are no part of
this project. Every move goes through `assistant.laws`' own doors, `start_board`, `legal_moves` and `after`:
nothing is counted by the board library behind their back. One walk to the deepest entry of a position gives
its shallower entries too. `disturbed` counts positions that looking for moves or making one has changed,
`refused` those from which the referee lets no game begin (read directly then, and counted all the same).
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import chess

from assistant.board import after
from assistant.errors import HectorError, UsageError
from assistant.laws import ScriptError
from assistant.laws.position import legal_moves, start_board
from benchmarks.measured import in_one_sentence

SUITES = ("tricky", "random", "chess960")


@dataclass(frozen=True)
class Entry:
    """One position of a suite with its published counts by depth in plies."""

    name: str
    fen: str
    counts: dict[int, int]


@dataclass
class Outcome:
    """What a suite's run has shown; `nodes` are the positions at the depths of the entries, summed up."""

    suite: str
    depth: int
    positions: int = 0
    entries: int = 0
    nodes: int = 0
    wrong: int = 0
    disturbed: int = 0
    refused: int = 0
    seconds: float = 0.0


def read_suite(path: Path) -> Iterator[Entry]:
    """Yield the positions of a perft file: lines `id NAME`, `epd POSITION`, `perft DEPTH COUNT`.

    :raises HectorError: if the file is missing or has a line of another kind.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        raise HectorError(
            f"There is no {path}; unpack python-chess's source distribution"
            " (pip download chess --no-binary :all: --no-deps) and name its folder examples/perft."
        ) from None
    name = fen = ""
    counts: dict[int, int] = {}
    for number, line in enumerate([*lines, "id"], 1):
        word, _, rest = line.partition("#")[0].strip().partition(" ")
        if word == "id":
            if fen:
                yield Entry(name, fen, counts)
            name, fen, counts = rest, "", {}
        elif word == "epd":
            fen = rest.strip() + " 0 1"
        elif word == "perft" and len(rest.split()) == 2 and rest.replace(" ", "").isdecimal():
            depth, count = rest.split()
            counts[int(depth)] = int(count)
        elif word:
            raise HectorError(f"Line {number} of {path} is no line of a perft file: {line!r}.")


def _state(board: chess.Board) -> tuple[object, ...]:
    """Return everything a move could change, more than makes two positions the same."""
    return (
        board.pawns,
        board.knights,
        board.bishops,
        board.rooks,
        board.queens,
        board.kings,
        board.occupied_co[chess.WHITE],
        board.occupied_co[chess.BLACK],
        board.occupied,
        board.promoted,
        board.turn,
        board.castling_rights,
        board.ep_square,
        board.halfmove_clock,
        board.fullmove_number,
        len(board.move_stack),
    )


def walk(board: chess.Board, depth: int, counts: list[int], level: int = 1) -> int:
    """Count the positions `level` plies on in `counts[level]`, to `depth`; return how many were disturbed."""
    before = _state(board)
    moves = legal_moves(board)
    counts[level] += len(moves)
    disturbed = 0
    if level < depth:
        for move in moves:
            disturbed += walk(after(board, move), depth, counts, level + 1)
    return disturbed + (_state(board) != before)


def run(suite: str, folder: Path, depth: int, every: int) -> Outcome:
    """Run a suite to a depth, one position in `every`."""
    outcome = Outcome(suite, depth)
    begin = time.perf_counter()
    for index, entry in enumerate(read_suite(folder / f"{suite}.perft")):
        if index % every:
            continue
        wanted = {plies: count for plies, count in entry.counts.items() if plies <= depth}
        if not wanted:
            continue
        # The tricky ones hold castling rights that only Chess960 has, in X-FEN.
        chess960 = suite == "chess960" or bool(
            chess.Board(entry.fen).status() & chess.STATUS_BAD_CASTLING_RIGHTS
        )
        try:
            board = start_board(entry.fen, chess960)
        except ScriptError:
            outcome.refused += 1
            board = chess.Board(entry.fen, chess960=chess960)
        deepest = max(wanted)
        found = [0] * (deepest + 1)
        outcome.disturbed += walk(board, deepest, found)
        outcome.positions += 1
        for plies, count in wanted.items():
            outcome.entries += 1
            outcome.nodes += found[plies]
            if found[plies] != count:
                outcome.wrong += 1
                print(
                    f"{suite} {entry.name}: {found[plies]} at depth {plies}, not {count}: {entry.fen}",
                    file=sys.stderr,
                )
    outcome.seconds = round(time.perf_counter() - begin, 1)
    return outcome


@in_one_sentence
def main() -> int:
    """Run the suites and print the table; the exit status is 1 if a count is wrong or a board disturbed."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("suites", nargs="?", default=os.environ.get("HECTOR_PERFT"))
    parser.add_argument("--every", type=int, default=1, help="only one position in so many")
    for name, depth in zip(SUITES, (9, 2, 3), strict=True):
        parser.add_argument(f"--{name}", type=int, default=depth, help=f"the depth of {name}, 0 to leave out")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    if args.suites is None or args.every < 1:
        raise UsageError(
            "Name the folder examples/perft of python-chess's source distribution"
            " (pip download chess --no-binary :all: --no-deps), or set HECTOR_PERFT to it."
        )
    depths = {name: getattr(args, name) for name in SUITES}
    outcomes = [
        run(name, Path(args.suites), depth, args.every) for name, depth in depths.items() if depth > 0
    ]
    if args.json:
        print(json.dumps([asdict(outcome) for outcome in outcomes]))
    else:
        columns = ("positions", "entries", "depth", "nodes", "wrong", "disturbed", "refused", "seconds")
        print(f"{'suite':10}" + "".join(f"{column:>12}" for column in columns))
        for outcome in outcomes:
            values = asdict(outcome)
            print(f"{outcome.suite:10}" + "".join(f"{values[column]:>12}" for column in columns))
    return 1 if any(outcome.wrong or outcome.disturbed for outcome in outcomes) else 0


if __name__ == "__main__":
    sys.exit(main())

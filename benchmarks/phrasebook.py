"""How fast announcements are: a position's phrasebook and its graph, announcing, reading, deciding.

    python -m benchmarks.phrasebook [--games 20] [--seed 1] [--json]

Random games, every position: milliseconds for the phrasebook with all commands and for its word graph,
the size of both, microseconds to announce a move and to read it back. The limit that they serve: the
position's decoding graph is ready within 60 ms of the move, of which the phrasebook may take half.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

import chess

from assistant.announcements import (
    Thresholds,
    announce,
    build_phrasebook,
    decide,
    load_vocabulary,
    open_grammar,
    parse,
)
from assistant.utterance import Transcript, Utterance
from benchmarks.measured import above_zero

LIMIT_MS = 30.0
# The position with the most legal moves that is known, 218 (Nenad Petrović 1964).
MOST_MOVES = "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1"


class Figures:
    """Lists of measured values by the name of their row."""

    def __init__(self) -> None:
        self.rows: dict[str, list[float]] = {}

    def note(self, row: str, value: float) -> None:
        """Add a value to a row."""
        self.rows.setdefault(row, []).append(value)

    @contextmanager
    def clocked(self, row: str) -> Iterator[None]:
        """Add the time that the block takes, in the unit that ends the row's name: ms or µs."""
        start = time.perf_counter()
        yield
        self.note(row, (time.perf_counter() - start) * (1e6 if row.endswith("µs") else 1e3))

    def table(self) -> dict[str, dict[str, float]]:
        """Return median, 95th percentile, maximum and number of every row."""
        return {row: _summary(sorted(values)) for row, values in self.rows.items()}


def _summary(ordered: list[float]) -> dict[str, float]:
    return {
        "median": round(statistics.median(ordered), 2),
        "p95": round(ordered[int(0.95 * (len(ordered) - 1))], 2),
        "max": round(ordered[-1], 2),
        "n": len(ordered),
    }


def positions(games: int, seed: int) -> Iterator[chess.Board]:
    """Yield every position of random games, half of them Chess960, of at most 120 plies."""
    rng = random.Random(seed)
    for game in range(games):
        board = chess.Board.from_chess960_pos(rng.randrange(960)) if game % 2 else chess.Board()
        while board.ply() < 120 and any(board.legal_moves):
            yield board
            board.push(rng.choice(list(board.legal_moves)))


def measure(games: int, seed: int) -> Figures:
    """Return every figure that is measured."""
    found = Figures()
    with found.clocked("vocabulary, ms"):
        vocabulary = load_vocabulary("de")
    with found.clocked("open grammar, ms"):
        open_grammar(vocabulary)
    rng = random.Random(seed)
    for board in positions(games, seed):
        with found.clocked("phrasebook, ms"):
            book = build_phrasebook(board, vocabulary)
        found.note("phrases", len(book.phrases))
        with found.clocked("word graph, ms"):
            graph = book.word_graph()
        found.note("arcs of the graph", len(graph.arcs))
        move = rng.choice(list(board.legal_moves))
        with found.clocked("announce, µs"):
            words = announce(board, move, vocabulary)
        text = vocabulary.written(words)
        with found.clocked("parse, µs"):
            parse(board, text, vocabulary)
        heard = tuple(Transcript(phrase, -100.0 - n) for n, phrase in enumerate(list(book.phrases)[:10]))
        utterance = Utterance(0.0, 1.5, heard, heard, -120.0, 50, 300.0)
        with found.clocked("decide, µs"):
            decide(utterance, book, Thresholds())
    crowded = chess.Board(MOST_MOVES)
    with found.clocked("phrasebook of 218 moves, ms"):
        book = build_phrasebook(crowded, vocabulary)
    found.note("phrases of 218 moves", len(book.phrases))
    with found.clocked("word graph of 218 moves, ms"):
        book.word_graph()
    return found


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=above_zero(int), default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    table = measure(options.games, options.seed).table()
    if options.json:
        print(json.dumps(table, ensure_ascii=False))
    else:
        for row, figures in table.items():
            print(f"{row}: " + ", ".join(f"{name} {value}" for name, value in figures.items()))
    slow = table["phrasebook, ms"]["median"] > LIMIT_MS
    if slow:
        print(f"The median phrasebook takes more than {LIMIT_MS:.0f} ms.", file=sys.stderr)
    return int(slow)


if __name__ == "__main__":
    sys.exit(main())

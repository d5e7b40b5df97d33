"""The scoresheet: how fast it is written, and that every profile gives every move back.

    python -m benchmarks.sheet [--moves 300] [--games 3] [--repeat 5] [--json]

Times: a random game of that many moves to every format, after start-up and with nothing cached from it, in
milliseconds of the processor (the room has one thread: on an idle machine that is the time on the wall); the
limit is 150 ms for all formats together. Round trip: for each language and profile, random games with clock
times and draw offers go PGN -> braille (BRF, both forms) -> PGN, and every half-move must come back; the last
column counts those that did not.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import sys
import time
from dataclasses import asdict, dataclass

import chess

from assistant.scoresheet import (
    FORMATS,
    Game,
    Ply,
    from_pgn,
    new_game,
    profile,
    profile_names,
    read_sheet,
    render,
    to_pgn,
)
from benchmarks.measured import above_zero

LIMIT_MS = 150.0


@dataclass(frozen=True)
class RoundTrip:
    """What came back of the half-moves of some games."""

    profile: str
    language: str
    half_moves: int
    failures: int


def random_game(moves: int, seed: int) -> Game:
    """Return a random legal game of exactly that many moves, with clock times and offers."""
    rng = random.Random(seed)
    while True:
        board, left = chess.Board(), [5_430_000, 5_430_000]
        plies: list[Ply] = []
        while len(plies) < 2 * moves and (legal := list(board.legal_moves)):
            quiet = [move for move in legal if not board.is_capture(move)]
            move = rng.choice(quiet if quiet and rng.random() < 0.8 else legal)
            side = len(plies) % 2
            left[side] = max(0, left[side] - rng.randrange(0, 20) * 1000 + 5_000)
            plies.append(Ply(move, left[side], rng.random() < 0.03))
            board.push(move)
        if len(plies) == 2 * moves:
            return new_game(
                {"White": "Müller, Jürgen", "Black": "Łukasz Żółć", "TimeControl": "5400+30"},
                plies,
                "1/2-1/2",
            )


def time_formats(moves: int, repeat: int) -> dict[str, float]:
    """Return the median milliseconds for each format and for all of them, in the order of a live game."""
    render(random_game(2, 0), "brf", "de")
    taken: dict[str, list[float]] = {name: [] for name in (*FORMATS, "all")}
    for seed in range(1, repeat + 1):
        game = random_game(moves, seed)
        begin = time.process_time()
        for name in FORMATS:
            start = time.process_time()
            render(game, name, "de")
            taken[name].append(1000 * (time.process_time() - start))
        taken["all"].append(1000 * (time.process_time() - begin))
    return {name: round(statistics.median(values), 1) for name, values in taken.items()}


def round_trips(moves: int, games: int) -> list[RoundTrip]:
    """Send games through every profile in every language of it."""
    played = [to_pgn(random_game(moves, 100 + seed)) for seed in range(games)]
    results = []
    for name in profile_names():
        for language in profile(name).languages:
            count = failures = 0
            for pgn in played:
                game = from_pgn(pgn)
                for notation in ("short", "long"):
                    back = read_sheet(render(game, "brf", language, notation, profile=name), language, name)
                    count += len(game.plies)
                    failures += sum(one != other for one, other in zip(game.plies, back.plies, strict=False))
                    failures += abs(len(game.plies) - len(back.plies)) + (to_pgn(back) != pgn)
            results.append(RoundTrip(name, language, count, failures))
    return results


def main() -> int:
    """Run both and print them; the exit status is 1 if a limit is broken."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--moves", type=above_zero(int), default=300)
    parser.add_argument("--games", type=above_zero(int), default=3)
    parser.add_argument("--repeat", type=above_zero(int), default=5)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    times = time_formats(args.moves, args.repeat)
    trips = round_trips(args.moves, args.games)
    good = times["all"] <= LIMIT_MS and not any(trip.failures for trip in trips)
    if args.json:
        print(json.dumps({"ms": times, "round_trips": [asdict(trip) for trip in trips]}))
        return 0 if good else 1
    print(
        f"A game of {args.moves} moves, processor milliseconds, median of {args.repeat} "
        f"(limit for all: {LIMIT_MS:g}):"
    )
    for name, value in times.items():
        print(f"  {name:12}{value:8.1f}")
    print("Round trip PGN - braille - PGN:")
    print(f"  {'profile':14}{'language':10}{'half-moves':>10}{'failures':>10}")
    for trip in trips:
        print(f"  {trip.profile:14}{trip.language:10}{trip.half_moves:10}{trip.failures:10}")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())

"""The referee: how long a ruling takes, and a whole script.

    python -m benchmarks.referee [--games 12] [--plies 400] [--laws 2023] [--json]

Random games of that many plies, each ply announced in German, repeated and pressed, with questions, draw
offers and claims between; every line of the script is one ruling. The search for mates, which proves that a
position is dead, is timed by itself (`search`) and taken off its ruling; `with_search` is the whole. `script`
is a game as `hector referee` plays it, JSON in and JSON out, the search included; `command` the whole command
with its start-up, once. Milliseconds of the processor, so that other work on the machine does not count;
beside them the wall's. Limits: 2 ms for the 99th percentile, 500 ms for a script of 400 plies.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import chess

from assistant.announcements import announce, load_vocabulary
from assistant.laws import Referee, mate, mating, referee_stream
from assistant.laws.mate import Deadness
from assistant.moves import read_move
from benchmarks.measured import above_zero, in_one_sentence, machine_line

ROOT = Path(__file__).resolve().parent.parent
RULING_LIMIT_MS = 2.0
SCRIPT_LIMIT_MS = 500.0


def random_game(plies: int, seed: int) -> list[tuple[str, str, str]]:
    """Return the moves of a random game of exactly that many plies: UCI, German announcement, SAN."""
    vocabulary = load_vocabulary("de")
    rng = random.Random(seed)
    while True:
        board = chess.Board()
        game: list[tuple[str, str, str]] = []
        while len(game) < plies and not board.is_game_over():
            quiet = [move for move in board.legal_moves if not board.is_capture(move)]
            move = rng.choice(quiet if quiet and rng.random() < 0.8 else list(board.legal_moves))
            words = vocabulary.written(announce(board, move, vocabulary))
            game.append((move.uci(), words, board.san(move)))
            board.push(move)
        if len(game) == plies:
            return game


def script(game: list[tuple[str, str, str]], laws: str) -> Iterator[dict[str, Any]]:
    """Yield the lines of a script in which the game is played."""
    players = {"white": {"name": "A", "blind": True}, "black": {"name": "B"}}
    yield {"game": {"laws": laws, "time_control": "36000+30", **players}}
    yield {"at": 0, "do": "start"}
    for index, (uci, words, _) in enumerate(game):
        side, opponent = ("white", "black") if index % 2 == 0 else ("black", "white")
        at = 2 * index + 1
        if index % 16 == 5:
            yield {"at": at, "do": "claim", "side": side, "of": "threefold"}
        if index % 16 == 11:
            yield {"at": at, "do": "ask", "side": "white", "about": "times"}
        if side == "white":
            yield {"at": at, "do": "place", "side": side, "move": uci}
        yield {"at": at, "do": "announce", "side": side, "move": words}
        yield {"at": at, "do": "repeat", "side": opponent, "move": words}
        if index % 40 == 20:
            yield {"at": at, "do": "offer-draw", "side": side}
        yield {"at": at + 1, "do": "press", "side": side}


def time_rulings(games: list[list[dict[str, Any]]]) -> dict[str, float]:
    """Return what a line takes, in milliseconds: median, 99th percentile and the longest; events counted."""
    taken: list[tuple[float, float]] = []
    searches: list[float] = []
    wholes: list[float] = []
    events = 0
    prove_dead, searched = mate.is_dead, 0.0

    def timed(board: chess.Board) -> Deadness:
        nonlocal searched
        begin = time.process_time()
        verdict = prove_dead(board)
        searched += time.process_time() - begin
        return verdict

    setattr(mating, "prove_dead", timed)  # noqa: B010 - mypy knows no assignment to a module's import
    for first, *lines in games:
        referee = Referee(first["game"], read_move)
        for line in lines:
            searched = 0.0
            wall, cpu = time.perf_counter(), time.process_time()
            said = referee.apply(line)
            whole = time.process_time() - cpu
            taken.append((whole - searched, time.perf_counter() - wall))
            wholes.append(whole)
            if searched:
                searches.append(searched)
            events += len(said)
            if any(event.event == "refused" for event in said):
                raise SystemExit(f"The script is not the game it should be: {said[-1].as_json()} for {line}")
    setattr(mating, "prove_dead", prove_dead)  # noqa: B010
    cpus, walls = sorted(cpu for cpu, _ in taken), sorted(wall for _, wall in taken)
    return {
        "rulings": len(taken),
        "events": events,
        "median_ms": 1000 * statistics.median(cpus),
        "p99_ms": 1000 * cpus[int(0.99 * len(cpus))],
        "longest_ms": 1000 * cpus[-1],
        "with_search_p99_ms": 1000 * sorted(wholes)[int(0.99 * len(wholes))],
        "searches": len(searches),
        "search_median_ms": 1000 * statistics.median(searches or [0.0]),
        "search_longest_ms": 1000 * max(searches, default=0.0),
        "wall_p99_ms": 1000 * walls[int(0.99 * len(walls))],
    }


def time_scripts(games: list[list[dict[str, Any]]]) -> dict[str, float]:
    """Return what a whole script takes as text to text, in milliseconds: the median and the longest."""
    cpus, walls = [], []
    for lines in games:
        text = [json.dumps(line) for line in lines]
        wall, cpu = time.perf_counter(), time.process_time()
        for _ in referee_stream(text, read_move):
            pass
        cpus.append(1000 * (time.process_time() - cpu))
        walls.append(1000 * (time.perf_counter() - wall))
    return {
        "script_median_ms": statistics.median(cpus),
        "script_longest_ms": max(cpus),
        "script_wall_median_ms": statistics.median(walls),
    }


def time_command(lines: list[dict[str, Any]]) -> dict[str, float]:
    """Return what `hector referee` takes for one script from the start of the process to its end."""
    text = "\n".join(json.dumps(line) for line in lines)
    before, wall = os.times(), time.perf_counter()
    subprocess.run(
        [sys.executable, "-m", "assistant", "referee", "-"],
        input=text,
        text=True,
        cwd=ROOT,
        check=True,
        stdout=subprocess.DEVNULL,
    )
    wall, after = time.perf_counter() - wall, os.times()
    cpu = after.children_user - before.children_user + after.children_system - before.children_system
    return {"command_ms": 1000 * cpu, "command_wall_ms": 1000 * wall}


@in_one_sentence
def main() -> int:
    """Run it and print the table; the exit status is 1 if a limit is broken."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=above_zero(int), default=12)
    parser.add_argument("--plies", type=above_zero(int), default=400)
    parser.add_argument("--laws", default="2023")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    games = [list(script(random_game(args.plies, seed), args.laws)) for seed in range(args.games)]
    figures = {**time_rulings(games), **time_scripts(games), **time_command(games[0])}
    good = (
        figures["p99_ms"] < RULING_LIMIT_MS
        and figures["script_median_ms"] * 400 < SCRIPT_LIMIT_MS * args.plies
    )
    if args.json:
        print(json.dumps({"machine": machine_line(), "laws": args.laws, "plies": args.plies, **figures}))
        return 0 if good else 1
    print(f"{machine_line()}; {args.games} games of {args.plies} plies, edition {args.laws}")
    for name, value in figures.items():
        print(f"  {name:24}{value:12.0f}" if isinstance(value, int) else f"  {name:24}{value:12.3f}")
    print(f"  limits: p99_ms {RULING_LIMIT_MS:g}, script of 400 plies {SCRIPT_LIMIT_MS:g} ms")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())

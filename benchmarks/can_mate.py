"""Can he still mate? How often it is decided, how soon, and whether it is right.

    python -m benchmarks.can_mate [--positions FILE.tsv] [--every 1] [--games 40] [--seed 0]
                                  [--mirrored] [--json]

The file (or the environment's HECTOR_CAN_MATE) has the columns fen, intended_winner (w or b) and verdict
(winnable, unwinnable, undetermined); it is measured with and is no part of this project. Its positions fall
into two halves by a hash: the program was developed while looking at one only (`seen`), the other is `blind`.
Endings of real games come from seeded self-play, every position of the last third of a game for both sides;
the cheap stages are timed after every move of all games. All times are CPU time of one core.

To compare: python-chess knows material alone (`has_insufficient_material`). CHA, the state of the art in C++
(D3-Chess), publishes 336 microseconds on average for the flag falls of 30 million games; on the adversarial
file it decides 96.5 % within 50 ms.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import json
import os
import random
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import chess

from assistant.errors import HectorError, UsageError
from assistant.laws.mate import CHEAP, FULL, Answer, Verdict, can_mate, is_dead
from benchmarks.measured import in_one_sentence, machine_line

SOON, LATE = 0.05, 2.0
CENTIPAWNS = {1: 100, 2: 300, 3: 320, 4: 500, 5: 900, 6: 0}


@dataclass(frozen=True)
class Query:
    """A position, who wants to mate, and what is known (None: nothing)."""

    fen: str
    winner: chess.Color
    expected: Answer | None


@dataclass
class Outcome:
    """What a set of queries has shown; times in seconds of CPU."""

    name: str
    contradictions: int = 0
    unequal: int = 0
    seconds: list[float] = field(default_factory=list)
    decided: list[float] = field(default_factory=list)
    stages: Counter[str] = field(default_factory=Counter)
    by_material: int = 0

    def add(self, query: Query, verdict: Verdict, seconds: float) -> None:
        self.seconds.append(seconds)
        self.stages[f"{verdict.stage} {verdict.answer.value}"] += 1
        self.by_material += chess.Board(query.fen).has_insufficient_material(query.winner)
        if verdict.answer is not Answer.UNKNOWN:
            self.decided.append(seconds)
            if query.expected is not None and verdict.answer is not query.expected:
                self.contradictions += 1
                print(f"{query.fen}: {verdict.answer.value}, not {query.expected.value}", file=sys.stderr)

    def share(self, limit: float) -> float:
        """The percentage of all queries decided within `limit` seconds."""
        return round(100 * sum(time <= limit for time in self.decided) / len(self.seconds), 2)

    def summary(self) -> dict[str, str | float]:
        times = sorted(self.seconds)
        count = len(times)
        return {
            "set": self.name,
            "queries": count,
            "wrong": self.contradictions,
            "unequal": self.unequal,
            "50 ms %": self.share(SOON),
            "2 s %": self.share(LATE),
            "undecided": count - len(self.decided),
            "median ms": round(1000 * times[count // 2], 2),
            "99 % ms": round(1000 * times[min(count - 1, count * 99 // 100)], 1),
            "max ms": round(1000 * times[-1], 1),
            "by material %": round(100 * self.by_material / count, 2),
        }


def read_queries(path: Path, every: int) -> Iterator[tuple[str, Query]]:
    """Yield the half and the query of every so many rows.

    :raises HectorError: if the file is missing, is no table of text or has other columns.
    """
    known = {"winnable": Answer.YES, "unwinnable": Answer.NO, "undetermined": None}
    try:
        with path.open(encoding="utf-8", newline="") as file:
            for index, row in enumerate(csv.DictReader(file, delimiter="\t")):
                if index % every == 0:
                    digest = hashlib.sha256(row["fen"].split()[0].encode()).digest()
                    query = Query(row["fen"], row["intended_winner"] == "w", known[row["verdict"]])
                    yield "blind" if digest[0] & 1 else "seen", query
    except OSError as error:
        raise HectorError(f"{path} cannot be read: {error.strerror}. Name the file of positions.") from None
    except UnicodeDecodeError:
        raise HectorError(f"{path} is not UTF-8 text. Name the file of positions.") from None
    except csv.Error as error:
        raise HectorError(f"{path} is no table: {error}. Name the file of positions.") from None
    except KeyError as error:
        raise HectorError(f"{path} has no {error}; it needs fen, intended_winner and verdict.") from None


def play(seed: int) -> Iterator[chess.Board]:
    """Yield the positions of one game: a player that looks one move ahead, more or less carefully."""
    dice = random.Random(seed)
    care = dice.choice((0.3, 0.6, 1.0, 1.5))
    board = chess.Board()

    def value(move: chess.Move) -> float:
        score = dice.gauss(0, 60 / care)
        score += CENTIPAWNS[board.piece_type_at(move.to_square) or 6] + CENTIPAWNS[move.promotion or 6]
        if board.piece_type_at(move.from_square) == chess.PAWN:
            score += 15 if board.fullmove_number < 40 else 25
        board.push(move)
        if board.is_checkmate():
            score += 10_000
        elif board.is_attacked_by(board.turn, move.to_square):
            guarded = board.is_attacked_by(not board.turn, move.to_square)
            lost = CENTIPAWNS[board.piece_type_at(move.to_square) or 6]
            score -= lost * care * (0.5 if guarded else 1)
        board.pop()
        return score

    while not board.is_game_over() and board.ply() < 260:
        board.push(max(list(board.legal_moves), key=value))
        yield board.copy(stack=False)


def ask(outcome: Outcome, query: Query, mirrored: bool) -> None:
    board = chess.Board(query.fen)
    start = time.process_time()
    verdict = can_mate(board, query.winner, FULL)
    outcome.add(query, verdict, time.process_time() - start)
    if mirrored:
        images = [(board.mirror(), not query.winner)]
        if not board.castling_rights:
            images.append((board.transform(chess.flip_horizontal), query.winner))
        outcome.unequal += sum(can_mate(*image).answer is not verdict.answer for image in images)


def measure_file(path: Path, every: int, mirrored: bool) -> list[Outcome]:
    outcomes = {name: Outcome(f"{path.name}, {name}") for name in ("seen", "blind")}
    for half, query in read_queries(path, every):
        ask(outcomes[half], query, mirrored)
    return [outcome for outcome in outcomes.values() if outcome.seconds]


def measure_games(games: Iterable[list[chess.Board]], mirrored: bool) -> Outcome:
    outcome = Outcome("endings of self-play")
    for game in games:
        for board in game[2 * len(game) // 3 :]:
            for winner in chess.COLORS:
                ask(outcome, Query(board.fen(), winner, None), mirrored)
    return outcome


def measure_cheap(games: Iterable[list[chess.Board]]) -> dict[str, float]:
    """What the test for a dead position costs after every move."""
    costs: list[float] = []
    dead = 0
    for game in games:
        for board in game:
            start = time.process_time()
            verdict = is_dead(board, CHEAP)
            costs.append(time.process_time() - start)
            dead += verdict.answer is Answer.YES
    costs.sort()
    return {
        "moves": len(costs),
        "dead": dead,
        "mean ms": round(1000 * sum(costs) / len(costs), 3),
        "median ms": round(1000 * costs[len(costs) // 2], 3),
        "99 % ms": round(1000 * costs[len(costs) * 99 // 100], 3),
    }


def print_table(rows: list[dict[str, str | float]]) -> None:
    columns = list(rows[0])
    wide = {column: max(len(column), *(len(str(row[column])) for row in rows)) for column in columns}
    header: dict[str, str | float] = dict(zip(columns, columns, strict=True))
    for row in (header, *rows):
        print("  ".join(str(row[column]).rjust(wide[column]) for column in columns))


@in_one_sentence
def main() -> int:
    """Measure and print; the exit status is 1 after a wrong or an unequal verdict."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--positions", default=os.environ.get("HECTOR_CAN_MATE"))
    parser.add_argument("--every", type=int, default=1, help="only one row of the file in so many")
    parser.add_argument("--games", type=int, default=40, help="games of self-play")
    parser.add_argument("--seed", type=int, default=0, help="of the first game of self-play")
    parser.add_argument("--mirrored", action="store_true", help="ask for the mirror images, too")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    outcomes: list[Outcome] = []
    if args.every < 1 or args.games < 1:
        raise UsageError("--every and --games need a number from 1 on.")
    if args.positions:
        outcomes += measure_file(Path(args.positions), args.every, args.mirrored)
    else:
        print("No file of positions: name one by --positions or HECTOR_CAN_MATE.", file=sys.stderr)
    games = [list(play(seed)) for seed in range(args.seed, args.seed + args.games)]
    outcomes.append(measure_games(games, args.mirrored))
    cheap = measure_cheap(games)
    if args.json:
        sets = [{**outcome.summary(), "stages": dict(outcome.stages)} for outcome in outcomes]
        print(json.dumps({"machine": machine_line(), "sets": sets, "cheap": cheap}))
    else:
        print(machine_line())
        print_table([outcome.summary() for outcome in outcomes])
        print("The cheap stages after every move:", ", ".join(f"{key} {cheap[key]}" for key in cheap))
        for outcome in outcomes:
            print(f"{outcome.name}:", ", ".join(f"{key} {n}" for key, n in outcome.stages.most_common()))
    return 1 if any(outcome.contradictions or outcome.unequal for outcome in outcomes) else 0


if __name__ == "__main__":
    sys.exit(main())

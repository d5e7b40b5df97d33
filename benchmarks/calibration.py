"""Finds the limits by which an acoustic model's readings are accepted, asked about or passed over.

    python -m benchmarks.calibration --write models/de/decision.toml     # about an hour

Everything is heard again as `Utterance.again` says, whatever the limits before.

The voices are espeak-ng's held-out ones, which are easier to understand than strangers; therefore most of the
sounds are noisier than a hall, so that the distances between right and wrong are those of a hard case. How
often each kind of utterance occurs at a board is weighed by `SHARES`, whatever their number here.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any

from assistant.announcements import Limits, Thresholds, load_vocabulary
from assistant.errors import HectorError, UsageError
from assistant.files import prove_place
from assistant.hearing import load_model
from benchmarks import voices
from benchmarks.bench import Bench, Heard, commands, everyday, illegal
from benchmarks.measured import above_zero, in_one_sentence

WRONG_COSTS = 10.0
"""What was accepted wrongly costs ten times what was asked back or passed over."""
DISTURBS = 0.1
"""A question about talk that was not meant for Hector disturbs, but less than one about a legal move."""
MOST_ILLEGAL = 0.01
"""Most of the illegal announcements that may be taken for a legal move, as a share."""

CONDITIONS = ("clean", "pink 15", "pink 10", "pink 5", "babble 15", "babble 10")
SHARES = {"announcements": 0.7, "commands": 0.15, "illegal": 0.05, "talk": 0.1}
"""Of all utterances in a game, how many are of each kind."""

# Strangers are farther away than these voices. Beyond an `illegal` of 6 an hour of talk in the hall has false
# moves (see benchmarks/hall.py), and two moves nearer to one another than 2 are a toss of the coin.
_GRID = {
    "illegal": (1.0, 2.0, 3.0, 4.0, 5.0, 6.0),
    "foreign": (0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.9, 1.0, 1.2),
    "rival": (2.0, 2.5, 3.0, 3.5, 4.0, 5.0, 6.0, 8.0, 10.0),
}


@dataclass(frozen=True)
class Price:
    """What the decisions of some thresholds cost; compared by its two parts in this order."""

    illegal: float
    """The share of illegal announcements that were accepted beyond the one allowed."""
    cost: float
    """The mean cost of an utterance: 1 for a question or a refusal of what was legal, 10 for an error."""

    def __lt__(self, other: Price) -> bool:
        return (self.illegal, self.cost) < (other.illegal, other.cost)


def price(heard: Mapping[str, Sequence[Heard]], thresholds: Thresholds) -> Price:
    """Return the price of thresholds on what was heard of each kind in `SHARES`."""
    cost = 0.0
    accepted = 0.0
    for kind, share in SHARES.items():
        outcomes = [each.outcome(thresholds) for each in heard[kind]]
        # so few cases that each is legal in the other's position leave nothing illegal to say
        many = max(1, len(outcomes))
        wrong = outcomes.count("wrong") / many
        if kind in ("illegal", "talk"):
            lesser = DISTURBS * outcomes.count("asked") / many if kind == "talk" else 0.0
        else:
            lesser = 1 - wrong - outcomes.count("right") / many
        cost += share * (WRONG_COSTS * wrong + lesser)
        if kind == "illegal":
            accepted = wrong
    return Price(max(0.0, accepted - MOST_ILLEGAL), cost)


def listen(bench: Bench, count: int) -> dict[str, list[Heard]]:
    """Hear `count` announcements in each condition, and what must not be taken for one."""
    cases = voices.cases(bench.vocabulary, count, 21)
    spoken = list(voices.spoken_cases(voices.HELD_OUT, voices.HELD_OUT_ACCENTS, cases, 21))
    fens = [case.fen for case in cases]
    heard: dict[str, list[Heard]] = {kind: [] for kind in SHARES}
    for condition in CONDITIONS:
        heard["announcements"] += bench.announcements(spoken, condition)
        heard["commands"] += commands(bench, voices.HELD_OUT, max(1, count // 4), fens, condition)
    for condition in ("clean", "pink 10", "babble 10"):
        heard["illegal"] += illegal(
            bench, voices.HELD_OUT, voices.HELD_OUT_ACCENTS, cases, condition=condition
        )
    heard["talk"] = bench.others(chain(*(everyday(voices.HELD_OUT[k:]) for k in range(3))), fens)
    return heard


def calibrate(heard: Mapping[str, Sequence[Heard]]) -> Thresholds:
    """Return the thresholds of least price in the grid, found one limit at a time from the built-in ones."""
    thresholds = Thresholds()
    thresholds = replace(
        thresholds, announcement=replace(thresholds.announcement, illegal=_GRID["illegal"][-1])
    )
    best = price(heard, thresholds)
    while True:
        before = best
        for table in ("announcement", "short_command"):
            for name, values in _GRID.items():
                for value in values:
                    limits: Limits = replace(getattr(thresholds, table), **{name: value})
                    changed: dict[str, Any] = {table: limits}
                    tried = replace(thresholds, **changed)
                    cost = price(heard, tried)
                    if cost < best:
                        best, thresholds = cost, tried
        if not best < before:
            return thresholds


def as_toml(thresholds: Thresholds) -> str:
    """Return the file that `load_thresholds` reads."""
    lines = [
        "# Limits of the decision about an utterance, in log scores of this model; foreign per 30 ms frame.",
        "# Made by: python -m benchmarks.calibration --write FILE",
        f"long_foreign = {thresholds.long_foreign}",
        f"impossible = {thresholds.impossible}",
    ]
    for table in ("announcement", "short_command"):
        limits = getattr(thresholds, table)
        lines += ["", f"[{table}]", *(f"{name} = {getattr(limits, name)}" for name in _GRID)]
    return "\n".join(lines) + "\n"


def _prove_file(path: Path) -> None:
    """Prove that a file can be written, before the hour that it takes to know what goes into it.

    :raises HectorError: if it cannot.
    """
    if path.is_dir() or not path.parent.is_dir():
        raise UsageError(f"{path} cannot be written: name a file in a folder that is there.")
    prove_place(path.parent)


@in_one_sentence
def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.calibration", description=__doc__)
    parser.add_argument("--model", type=Path, help="another model than the embedded one")
    parser.add_argument("--count", type=above_zero(int), default=200, help="announcements in each condition")
    parser.add_argument("--write", type=Path, metavar="FILE", help="where the thresholds go")
    args = parser.parse_args(arguments)
    if args.write is not None:
        _prove_file(args.write)
    bench = Bench(load_model(args.model), load_vocabulary("de"), thorough=True)
    heard = listen(bench, args.count)
    thresholds = calibrate(heard)
    for name, each in (("before", bench.thresholds), ("now", thresholds)):
        cost = price(heard, each)
        print(
            f"{name}: mean cost {cost.cost:.4f}, illegal accepted beyond the limit {100 * cost.illegal:.1f} %"
        )
    print(as_toml(thresholds))
    if args.write is not None:
        try:
            args.write.write_text(as_toml(thresholds), encoding="utf-8")
        except OSError as error:
            raise HectorError(f"{args.write} cannot be written: {error.strerror}.") from error
    return 0


if __name__ == "__main__":
    sys.exit(main())

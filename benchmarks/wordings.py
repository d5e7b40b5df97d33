"""Measures how wordings of one's own choice are understood: what a player may say that no guide tells him to.

    python -m benchmarks.wordings "ich nehme an" "ich lehne ab"
    python -m benchmarks.wordings --fen "8/4P1k1/8/8/8/8/6K1/8 w - - 0 1" "Eva acht Umwandlung in Dame"

Each is read from its letters by the held-out variants of espeak-ng at three speeds. Right: accepted as what
it is; wrong: accepted as anything else. The question that some commands are asked back with is not counted.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from itertools import product
from pathlib import Path

import chess
import numpy as np

from assistant.announcements import Phrasebook, load_vocabulary
from assistant.cli.common import read_board
from assistant.errors import UsageError
from assistant.hearing import load_model
from benchmarks import voices
from benchmarks.bench import Bench, Heard
from benchmarks.measured import in_one_sentence, machine_line

SPEEDS = (130, 160, 190)
"""Words a minute."""
OUTCOMES = ("right", "wrong", "asked", "rejected")


def words_of(bench: Bench, text: str, book: Phrasebook) -> tuple[str, ...]:
    """Return the words of a wording.

    :raises UsageError: if it is none in this position.
    """
    words, unknown = bench.vocabulary.read(text)
    if unknown or words not in book.phrases:
        raise UsageError("{text!r} is neither a legal move nor a command in this position.", text=text)
    return words


def hear(bench: Bench, text: str, words: tuple[str, ...], book: Phrasebook, condition: str) -> list[Heard]:
    """Hear a wording by every voice at every speed; each always meets the same noise."""
    found = []
    for k, (voice, speed) in enumerate(product(voices.HELD_OUT, SPEEDS)):
        wave = voices.say_text(voice, text, rate=speed)
        sound, _, end = voices.recording(wave, condition, np.random.default_rng(k))
        utterances, delay = bench.hear(sound, book, end)
        found.append(Heard(book, None, words, tuple(utterances), delay))
    return found


@in_one_sentence
def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("wordings", nargs="+", metavar="WORDING", help="what is said")
    parser.add_argument("--model", type=Path, help="model directory (default: the embedded one)")
    parser.add_argument("--fen", default=chess.STARTING_FEN, help="the position (default: the first one)")
    parser.add_argument("--conditions", default="clean,pink 10")
    chosen = parser.parse_args(arguments)
    fen = read_board(chosen.fen).fen()
    conditions = chosen.conditions.split(",")
    for condition in conditions:
        voices.noise_of(condition)
    bench = Bench(load_model(chosen.model), load_vocabulary("de"))
    book = bench.book(fen)
    wanted = {text: words_of(bench, text, book) for text in chosen.wordings}
    print(machine_line())
    print(f"{'condition':10}    n right wrong asked rejct  wording")
    for text, words in wanted.items():
        for condition in conditions:
            heard = hear(bench, text, words, book, condition)
            counts = Counter(each.outcome(bench.thresholds) for each in heard)
            numbers = " ".join(f"{counts[name]:5}" for name in OUTCOMES)
            print(f"{condition:10} {len(heard):4} {numbers}  {text}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())

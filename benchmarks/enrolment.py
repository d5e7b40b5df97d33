"""What a lesson is worth: strange voices before and after Hector has learnt them from thirty phrases.

    python -m benchmarks.enrolment              # a table, about ten minutes
    python -m benchmarks.enrolment --count 10   # the same with fewer announcements
    python -m benchmarks.enrolment --game 40    # learnt from so many moves of a game instead

Every voice says the thirty phrases of a lesson in a quiet room, as `hector practise --learn` hears them, and
then other announcements of legal moves, in quiet and with noise 10 dB below it. Because the sighted opponent
announces too, German voices that were not learnt are heard with what was learnt from each of the others.
The voices are those of benchmarks.voices that no training hears; nothing in the learning was chosen by them.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import chess
import numpy as np

from assistant.announcements import Thresholds, Vocabulary, load_vocabulary, open_grammar
from assistant.ears import ears_of
from assistant.hearing import AcousticModel, Lesson, load_model, teach, with_voice
from assistant.table.learning import phrases_to_learn, ways_to_say, which_was_said
from benchmarks import voices
from benchmarks.bench import Bench, Heard
from benchmarks.measured import Row, above_zero, in_one_sentence, machine_line, spread
from benchmarks.voices import Case, Samples, Wave

Words = tuple[str, ...]
Say = Callable[[Sequence[str], random.Random], Wave]

SPEAKERS = {**voices.ACCENTS, "de+Denis": "german", "nl+f4": "dutch"}
"""Those who give a lesson: voice and accent."""
CONDITIONS = ("clean", "pink 10")
SECONDS = 10.0
"""The most that the computing of a lesson may take, the player waits for it."""


@dataclass(frozen=True)
class Outcome:
    """One speaker before and after his lesson."""

    name: str
    phrases: int
    """Those of the lesson that were taken as said."""
    lesson: Lesson
    seconds: float
    before: dict[str, list[Heard]]
    after: dict[str, list[Heard]]
    others: dict[str, list[Heard]]
    """Voices that were not learnt, heard with what was."""


def speaker(voice: str, accent: str) -> Say:
    """Return how a voice says words."""
    return lambda words, rng: voices.say_words(voice, words, rng, accent=accent)


Wanted = tuple[Words, Sequence[Words]]
"""What is said, and what it may be taken for: in a lesson itself, in a game each way to announce the move."""


def wanted_of(vocabulary: Vocabulary, moves: int | None) -> list[Wanted]:
    """Return the phrases of a lesson, or announcements of so many moves."""
    if moves is None:
        return [(words, [words]) for words in phrases_to_learn(vocabulary)]
    return [
        (case.words, ways_to_say(case.move, chess.Board(case.fen), vocabulary))
        for case in voices.cases(vocabulary, moves, 12)
    ]


def give_lesson(
    bench: Bench, model: AcousticModel, say: Say, wanted: Sequence[Wanted], seed: int = 1
) -> tuple[int, Lesson, float]:
    """Say what is learnt from; return how much was taken, what was learnt, and seconds of computing."""
    recogniser = ears_of(model, bench.vocabulary).recogniser
    said: list[tuple[Words, Samples]] = []
    for k, (words, forms) in enumerate(wanted):
        sound, _, _ = voices.recording(say(words, random.Random(f"{seed} {k}")), "clean", _noise(seed, k))
        recogniser.expect(forms)
        recogniser.restart()
        heard = recogniser.accept(sound) + recogniser.finish()
        taken = which_was_said(heard[0]) if heard else None
        if taken is not None:
            said.append((taken, recogniser.audio))
    began = time.process_time()
    lesson = teach(model, open_grammar(bench.vocabulary), said)
    return len(said), lesson, time.process_time() - began


def hear_all(
    bench: Bench, speakers: Sequence[Say], cases: Sequence[Case], seed: int
) -> dict[str, list[Heard]]:
    """Hear every case in every condition, the speakers taking turns."""
    spoken = [
        ("", case, speakers[k % len(speakers)](case.words, random.Random(f"{seed} {k}")))
        for k, case in enumerate(cases)
    ]
    return {condition: bench.announcements(spoken, condition) for condition in CONDITIONS}


def outcome_of(
    model: AcousticModel,
    bench: Bench,
    name: str,
    say: Say,
    others: Sequence[Say],
    cases: Sequence[Case],
    wanted: Sequence[Wanted],
) -> Outcome:
    """Give a speaker's lesson and measure what it is worth, for him and for those who did not give it."""
    count, lesson, seconds = give_lesson(bench, model, say, wanted)
    taught = Bench(with_voice(model, lesson.change) if lesson.is_better else model, bench.vocabulary)
    return Outcome(
        name,
        count,
        lesson,
        seconds,
        hear_all(bench, [say], cases, 2),
        hear_all(taught, [say], cases, 2),
        hear_all(taught, others, cases, 3),
    )


def right(heard: Sequence[Heard], thresholds: Thresholds) -> float:
    """Return the share of right decisions, per cent."""
    return 100 * sum(each.outcome(thresholds) == "right" for each in heard) / len(heard)


def _wrong(heard: Sequence[Heard], thresholds: Thresholds) -> int:
    return sum(each.outcome(thresholds) == "wrong" for each in heard)


def _noise(seed: int, k: int) -> np.random.Generator:
    return np.random.default_rng((seed, k))


def line_of(outcome: Outcome, thresholds: Thresholds) -> str:
    """Return the row of the table."""
    lesson = outcome.lesson
    cells = [f"{outcome.name:12} {outcome.phrases:3} {'yes' if lesson.is_better else 'no':4}"]
    cells.append(f"{lesson.before:3} {lesson.after:3} {lesson.loss_before:5.2f} {lesson.loss_after:5.2f}")
    for condition in CONDITIONS:
        before, after = outcome.before[condition], outcome.after[condition]
        cells.append(
            f"{right(before, thresholds):5.1f} {right(after, thresholds):5.1f}"
            f" {_wrong(before, thresholds):2} {_wrong(after, thresholds):2}"
        )
    cells.append(" ".join(f"{right(outcome.others[each], thresholds):5.1f}" for each in CONDITIONS))
    return " | ".join([*cells, f"{outcome.seconds:4.1f}"])


HEAD = (
    "voice        phr kept | understood, loss  | clean: right %, wrong | 10 dB noise         "
    "| others      | s\n"
    "                      | bef aft  bef   aft | before after  b  a    | before after  b  a   "
    "| clean noise |"
)


def rows_of(
    outcomes: Sequence[Outcome], untaught: dict[str, list[Heard]], thresholds: Thresholds
) -> list[Row]:
    """Return what all speakers come to together."""
    rows = [
        spread(
            "computing of a lesson on one core", "s", [each.seconds for each in outcomes], SECONDS, SECONDS
        )
    ]
    for condition in CONDITIONS:
        before = [heard for each in outcomes for heard in each.before[condition]]
        after = [heard for each in outcomes for heard in each.after[condition]]
        others = [heard for each in outcomes for heard in each.others[condition]]
        missed = 100 - right(before, thresholds)
        rows += [
            Row(f"{condition}: not decided rightly before", "%", missed, count=len(before)),
            Row(
                f"{condition}: not decided rightly after",
                "%",
                100 - right(after, thresholds),
                missed,
                count=len(after),
            ),
            Row(f"{condition}: others, model as it is", "%", 100 - right(untaught[condition], thresholds)),
            Row(
                f"{condition}: others, another's lesson",
                "%",
                100 - right(others, thresholds),
            ),
        ]
    return rows


@in_one_sentence
def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--model", help="model directory (default: the embedded one)")
    parser.add_argument("--count", type=above_zero(int), default=40, help="announcements of each voice")
    parser.add_argument(
        "--game", type=above_zero(int), metavar="MOVES", help="learn from moves of a game, not from a lesson"
    )
    args = parser.parse_args(arguments)
    model = load_model(args.model)
    bench = Bench(model, load_vocabulary("de"))
    cases = voices.cases(bench.vocabulary, args.count, 11)
    wanted = wanted_of(bench.vocabulary, args.game)
    others = [speaker(voice, "german") for voice in voices.GERMAN if voices.available(voice)]
    others = others or [speaker(voice, "german") for voice in voices.HELD_OUT]
    untaught = hear_all(bench, others, cases, 3)
    print(machine_line())
    print(HEAD)
    outcomes = []
    for voice, accent in SPEAKERS.items():
        if not voices.available(voice):
            print(f"{voice:12} NOT MEASURED: not installed ({voices.INSTALL})")
            continue
        say = speaker(voice, accent)
        outcomes.append(outcome_of(model, bench, voice, say, others, cases, wanted))
        print(line_of(outcomes[-1], bench.thresholds), flush=True)
    rows = rows_of(outcomes, untaught, bench.thresholds)
    print(*rows, sep="\n")
    return 0 if all(row.is_met for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())

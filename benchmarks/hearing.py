"""Measures hearing on voices that no training ever heard: what is understood, what is refused, how soon.

    python -m benchmarks.hearing                # tables, about ten minutes
    python -m benchmarks.hearing --count 40     # the same with fewer announcements

Each table names the limit that it is held against. Human recordings are taken from the folder of --audio or
of the environment variable HECTOR_AUDIO (folders human-words with labels.tsv, and other-speech).
"""

from __future__ import annotations

import argparse
import csv
import math
import os
import platform
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import chess
import numpy as np

from assistant.announcements import (
    Decision,
    Phrasebook,
    Thresholds,
    Vocabulary,
    build_phrasebook,
    decide,
    load_vocabulary,
    sample,
)
from assistant.ears import ears_of
from assistant.errors import UsageError
from assistant.hearing import AcousticModel, Recogniser, Recording, load_model
from assistant.utterance import Utterance, WordGraph
from benchmarks import voices
from benchmarks.measured import above_zero, in_one_sentence, resident_mb, training_extra
from benchmarks.voices import RATE, Case, Samples, Wave
from models.training.phrases import without_zwo

BLOCK = 320


@dataclass(frozen=True)
class Heard:
    """What became of one recording."""

    book: Phrasebook
    move: chess.Move | None
    words: tuple[str, ...]
    utterances: tuple[Utterance, ...]
    delay: float
    """Seconds from the end of speech to the last decision, computing included."""

    def outcome(self, thresholds: Thresholds) -> str:
        """Return `right`, `wrong`, `asked` or `rejected`; what must not be accepted is `wrong` if it is."""
        decisions = [decide(utterance, self.book, thresholds) for utterance in self.utterances]
        accepted = [decision for decision in decisions if decision.kind == "accept"]
        if any(not self._is_right(decision) for decision in accepted):
            return "wrong"
        if accepted:
            return "right"
        return "asked" if any(decision.kind == "ask" for decision in decisions) else "rejected"

    def _is_right(self, decision: Decision) -> bool:
        if self.move is not None:
            return decision.move == self.move
        return bool(self.words) and decision.meaning in self.book.phrases.get(self.words, ())

    @property
    def open_is_exact(self) -> bool:
        """Whether the open grammar's best reading is word for word what was said; zwo is zwei."""
        if not self.utterances or not self.utterances[0].grammatical:
            return False
        return without_zwo(self.utterances[0].grammatical[0].words) == without_zwo(self.words)


class Bench:
    """One recogniser, and what it cost."""

    def __init__(self, model: AcousticModel, vocabulary: Vocabulary, *, thorough: bool = False) -> None:
        """Make ready; if `thorough`, everything is heard again, so that any thresholds can decide later."""
        self.vocabulary = vocabulary
        self._thorough = thorough
        ears = ears_of(model, vocabulary)
        self.recogniser = ears.recogniser
        self.thresholds = ears.thresholds
        self.sound = 0.0
        self.computing = 0.0

    def book(self, fen: str) -> Phrasebook:
        return build_phrasebook(chess.Board(fen), self.vocabulary)

    def hear(
        self, samples: Samples, book: Phrasebook, end: float | None = None
    ) -> tuple[list[Utterance], float]:
        """Return the utterances of a recording and the delay after `end` of the last decision about it."""
        self.recogniser.restart()
        self.recogniser.expect(book.word_graph())
        found: list[Utterance] = []
        delay = float("nan")
        began = time.process_time()
        for at in range(0, len(samples), BLOCK):
            tick = time.perf_counter()
            heard = self.recogniser.accept(samples[at : at + BLOCK])
            self._settle(heard, book)
            # What began after the announcement is the room's talk, however late it is passed over.
            if end is not None and any(utterance.start < end for utterance in heard):
                delay = (at + BLOCK) / RATE - end + time.perf_counter() - tick
            found += heard
        rest = self.recogniser.finish()
        self._settle(rest, book)
        found += rest
        self.computing += time.process_time() - began
        self.sound += len(samples) / RATE
        return found, delay

    def _settle(self, heard: Iterable[Utterance], book: Phrasebook) -> None:
        """Decide while the position stands: what is not clear is heard again, and that is remembered."""
        for utterance in heard:
            if self._thorough:
                list(utterance.again())
            else:
                decide(utterance, book, self.thresholds)

    def announcements(self, spoken: Sequence[tuple[str, Case, Wave]], condition: str) -> list[Heard]:
        """Hear spoken cases in a condition."""
        found = []
        for k, (_, case, wave) in enumerate(spoken):
            samples, _, end = voices.recording(wave, condition, np.random.default_rng(k))
            book = self.book(case.fen)
            utterances, delay = self.hear(samples, book, end)
            found.append(Heard(book, case.move, case.words, tuple(utterances), delay))
        return found

    def others(self, sounds: Iterable[Samples], fens: Sequence[str]) -> list[Heard]:
        """Hear what is no announcement of the position, each sound in one of the positions."""
        found = []
        for k, samples in enumerate(sounds):
            book = self.book(fens[k % len(fens)])
            found.append(Heard(book, None, (), tuple(self.hear(samples, book)[0]), float("nan")))
        return found


def illegal_cases(vocabulary: Vocabulary, cases: Sequence[Case], seed: int) -> Iterator[tuple[str, Case]]:
    """Yield each position with an announcement of another that no legal move of it has."""
    shuffled = list(cases)
    random.Random(seed).shuffle(shuffled)
    for case in cases:
        phrases = {
            without_zwo(words) for words in build_phrasebook(chess.Board(case.fen), vocabulary).phrases
        }
        other = next((each for each in shuffled if without_zwo(each.words) not in phrases), None)
        if other is not None:
            shuffled.remove(other)
            shuffled.append(other)
            yield case.fen, other


def illegal(
    bench: Bench,
    names: Sequence[str],
    accents: dict[str, str],
    cases: Sequence[Case],
    condition: str = "clean",
) -> list[Heard]:
    """Hear announcements of moves that are not legal in the position."""
    pairs = list(illegal_cases(bench.vocabulary, cases, 1))
    spoken = voices.spoken_cases(names, accents, [case for _, case in pairs], 7)
    sounds = (
        voices.recording(wave, condition, np.random.default_rng(k))[0]
        for k, (_, _, wave) in enumerate(spoken)
    )
    return bench.others(sounds, [fen for fen, _ in pairs])


def everyday(names: Sequence[str]) -> Iterator[Samples]:
    """Yield sentences that are no announcements."""
    for k, text in enumerate(voices.EVERYDAY):
        wave = voices.say_text(names[k % len(names)], text)
        yield voices.recording(wave, "clean", np.random.default_rng(k))[0]


def commands(
    bench: Bench, names: Sequence[str], count: int, fens: Sequence[str], condition: str
) -> list[Heard]:
    """Hear commands, spoken in random positions."""
    found = []
    wanted = sample(bench.vocabulary, count, seed=3, commands=1.0)
    for k, words in enumerate(wanted):
        wave = voices.say_words(names[k % len(names)], words, random.Random(k))
        samples, _, end = voices.recording(wave, condition, np.random.default_rng(k))
        book = bench.book(fens[k % len(fens)])
        utterances, delay = bench.hear(samples, book, end)
        found.append(Heard(book, None, words, tuple(utterances), delay))
    return found


def noises(minutes: float) -> Iterator[Samples]:
    """Yield half-minutes of noise and music, as loud as speech or faint, none of them speech."""
    from models.training.augment import Places

    places = Places.make(99, seconds=30, rounds=1)
    rng = np.random.default_rng(99)
    for k in range(math.ceil(minutes * 2)):
        wave = places.noises[k % len(places.noises)][: 30 * RATE] * 10 ** rng.uniform(1.3, 3.5)
        yield np.clip(wave, -32768, 32767).astype(np.int16)


# ------------------------------------------------------------------------------------------- reporting


def shares(heard: Sequence[Heard], thresholds: Thresholds) -> str:
    """Return the four outcomes in per cent."""
    counts = Counter(each.outcome(thresholds) for each in heard)
    parts = (
        f"{100 * counts[name] / max(1, len(heard)):5.1f}" for name in ("right", "wrong", "asked", "rejected")
    )
    return " ".join(parts)


def delays(heard: Iterable[Heard]) -> str:
    """Return the median and the 95th percentile of the delays in seconds."""
    known = [each.delay for each in heard if each.delay == each.delay]
    if not known:
        return "     -     -"
    median, late = np.percentile(known, [50, 95])
    return f"{median:5.2f} {late:5.2f}"


def _print_recognition(bench: Bench, count: int) -> list[Heard]:
    groups: tuple[tuple[str, Sequence[str], dict[str, str], dict[str, str]], ...] = (
        ("German", voices.GERMAN, {}, {"clean": "99.3", "pink 10": "98.5", "babble 10": "96"}),
        ("accents", (), voices.ACCENTS, {"clean": "98", "pink 10": "95"}),
        ("untrained accents", (), voices.UNTRAINED_ACCENTS, {"clean": "95"}),
    )
    print(
        "Announcements of legal moves in random positions, per cent; limit: right at least, wrong at most 0.3"
    )
    print(f"{'voices':18} {'condition':10}    n right wrong asked rejct |  open |  50 %  95 % | limit")
    print("(open: the open grammar alone has every word; 50 % 95 %: seconds from end of speech to decision)")
    everything: list[Heard] = []
    for name, native, accents, limits in groups:
        native = [voice for voice in native if voices.available(voice)]
        accents = {voice: accent for voice, accent in accents.items() if voices.available(voice)}
        if not native and not accents:
            print(f"{name:18} NOT MEASURED: no such voice is installed ({voices.INSTALL})")
            continue
        chosen = voices.cases(bench.vocabulary, count, 5)
        spoken = list(voices.spoken_cases(native, accents, chosen, 5))
        for condition, limit in limits.items():
            heard = bench.announcements(spoken, condition)
            everything += heard
            exact = 100 * sum(each.open_is_exact for each in heard) / len(heard)
            outcomes = shares(heard, bench.thresholds)
            row = f"{name:18} {condition:10} {len(heard):4} {outcomes} | {exact:5.1f} | {delays(heard)}"
            print(f"{row} | {limit}", flush=True)
    native = [voice for voice in voices.GERMAN if voices.available(voice)]
    fens = [case.fen for case in voices.cases(bench.vocabulary, 20, 8)]
    for condition in ("clean", "pink 10") if native else ():
        heard = commands(bench, native, max(1, count // 2), fens, condition)
        exact = 100 * sum(each.open_is_exact for each in heard) / len(heard)
        outcomes = shares(heard, bench.thresholds)
        row = f"{'German, commands':18} {condition:10} {len(heard):4} {outcomes} | {exact:5.1f}"
        print(f"{row} | {delays(heard)} |", flush=True)
    return everything


def _print_refusals(bench: Bench, count: int, audio: Path | None, minutes: float) -> None:
    chosen = voices.cases(bench.vocabulary, count, 6)
    fens = [case.fen for case in chosen]
    native = [voice for voice in voices.GERMAN if voices.available(voice)] or list(voices.HELD_OUT)
    print("\nWhat is no announcement of the position, per cent")
    print(f"{'sound':34} {'n':>4} accepted  asked  silent | accepted at most")
    sounds: list[tuple[str, list[Heard], str]] = [
        ("illegal announcements", illegal(bench, native, {}, chosen), "1"),
        ("everyday sentences", bench.others(everyday(native), fens), "0.5"),
        ("half-minutes of noise and music", bench.others(noises(minutes), fens), "0.5"),
    ]
    if audio and (audio / "other-speech").is_dir():
        files = voices.recordings_in(audio / "other-speech")
        sounds.append(("other people's recorded speech", bench.others(map(_read, files), fens), "0"))
    for name, heard, limit in sounds:
        counts = Counter(each.outcome(bench.thresholds) for each in heard)
        row = " ".join(
            f"{100 * counts[key] / max(1, len(heard)):7.1f}" for key in ("wrong", "asked", "rejected")
        )
        print(f"{name:34} {len(heard):4}  {row} | {limit}", flush=True)


def _read(path: Path) -> Samples:
    with Recording(path) as recording:
        silence = np.zeros(RATE, np.int16)
        return np.concatenate([silence, *recording.blocks(), silence])


def _print_words(model: AcousticModel, vocabulary: Vocabulary, folder: Path) -> None:
    words = sorted(vocabulary.tokens)
    graph = WordGraph(tuple((0, word, 1) for word in words), frozenset({1}))
    recogniser = Recogniser(model, open_grammar=graph)
    recogniser.expect(graph)
    right, missed = 0, []
    with (folder / "labels.tsv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.reader(file, delimiter="\t") if len(row) >= 2 and "." in row[0]]
    for name, label, *_ in rows:
        recogniser.restart()
        utterances = recogniser.accept(_read(folder / name)) + recogniser.finish()
        heard = utterances[0].legal[0].words[0] if utterances and utterances[0].legal else "-"
        said = vocabulary.read(label)[0][:1] or (label,)
        if without_zwo((heard,)) == without_zwo(said):
            right += 1
        else:
            missed.append(f"{name}: {heard}")
    print(
        f"\nHuman single words against all {len(words)}: {right} of {len(rows)} (limit 20 of 21)",
        *missed,
        sep="\n  ",
    )


def _print_speed(bench: Bench, model: AcousticModel, heard: Sequence[Heard]) -> None:
    print("\nSpeed and size")
    print(f"end of speech to decision, all conditions: {delays(heard)} s (limit: 0.35 and 0.60)")
    if bench.sound:
        print(f"computing, share of real time on one core: {bench.computing / bench.sound:.3f} (limit 0.02)")
    began = time.perf_counter()
    fresh = load_model(model.path)
    ears_of(fresh, bench.vocabulary)
    print(f"model load with the open grammar: {time.perf_counter() - began:.2f} s (limit 0.3)")
    files = sum(file.stat().st_size for file in model.path.rglob("*") if file.is_file())
    print(f"model files: {files / 1e6:.1f} MB (limit 8)")
    command = [sys.executable, "-m", "benchmarks.hearing", "--positions", "--model", str(model.path)]
    subprocess.run(command, check=True)


def _print_positions(bench: Bench, count: int = 300) -> None:
    """Walk through a random game; run in a process of its own, whose memory is nothing but hearing's."""
    times: list[float] = []
    megabytes: list[float] = []
    board, rng = chess.Board(), random.Random(1)
    while len(times) < count:
        moves = list(board.legal_moves)
        if not moves or board.is_fifty_moves():
            board.reset()
            continue
        board.push(rng.choice(moves))
        began = time.perf_counter()
        bench.recogniser.expect(build_phrasebook(board, bench.vocabulary).word_graph())
        times.append(1000 * (time.perf_counter() - began))
        # Not the most that it ever was: that counts the process which started this one.
        megabytes.append(resident_mb())
    median, late = np.percentile(times, [50, 95])
    print(f"position ready, phrasebook included: median {median:.0f} ms, 95 % {late:.0f} ms (limit 60)")
    print(
        f"memory after {count} positions: {megabytes[-1]:.0f} MB (limit 250), "
        f"{megabytes[-1] - megabytes[100]:.1f} MB more than after 100"
    )


def _people(audio: str | Path | None) -> Path | None:
    """Return the folder of human recordings, if one is named.

    :raises UsageError: if there are none in it.
    """
    if not audio:
        return None
    folder = Path(audio)
    if (folder / "other-speech").is_dir():
        voices.recordings_in(folder / "other-speech")
    elif not (folder / "human-words" / "labels.tsv").is_file():
        raise UsageError(f"{folder} has neither human-words with labels.tsv nor other-speech.")
    return folder


@in_one_sentence
def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--model", help="model directory (default: the embedded one)")
    parser.add_argument(
        "--count", type=above_zero(int), default=200, help="announcements per group of voices"
    )
    parser.add_argument("--audio", type=Path, default=os.environ.get("HECTOR_AUDIO"), help="human recordings")
    parser.add_argument("--noise-minutes", type=above_zero(float), default=10.0)
    parser.add_argument("--positions", action="store_true", help="only positions: their time and memory")
    args = parser.parse_args(arguments)
    audio = _people(args.audio)
    if not args.positions:
        with training_extra():
            import models.training.augment  # noqa: F401
    vocabulary = load_vocabulary("de")
    model = load_model(args.model)
    bench = Bench(model, vocabulary)
    if args.positions:
        _print_positions(bench)
        return 0
    machine = platform.processor() or platform.machine()
    print(f"{machine}, {os.cpu_count()} cores, Python {platform.python_version()}")
    heard = _print_recognition(bench, args.count)
    _print_refusals(bench, max(1, args.count // 2), audio, args.noise_minutes)
    if audio and (audio / "human-words" / "labels.tsv").exists():
        _print_words(model, vocabulary, audio / "human-words")
    else:
        print("\nHuman words: NOT MEASURED; name the folder of recordings with --audio.")
    _print_speed(bench, model, heard)
    return 0


if __name__ == "__main__":
    sys.exit(main())

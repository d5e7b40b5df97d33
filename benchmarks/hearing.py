"""Measures hearing on voices that no training ever heard: what is understood, what is refused, how soon.

    python -m benchmarks.hearing                # tables, about ten minutes
    python -m benchmarks.hearing --count 40     # the same with fewer announcements

Each table names the limit that it is held against. Human recordings are taken from the folder of --audio or
of the environment variable HECTOR_AUDIO (folders human-words with labels.tsv, and other-speech).
"""

from __future__ import annotations

import argparse
import csv
import os
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import chess
import numpy as np

from assistant.announcements import Vocabulary, build_phrasebook, load_vocabulary
from assistant.ears import ears_of
from assistant.errors import UsageError
from assistant.hearing import AcousticModel, Recogniser, Recording, load_model
from assistant.utterance import WordGraph
from benchmarks import voices
from benchmarks.bench import Bench, Heard, commands, delays, everyday, illegal, noises, shares
from benchmarks.measured import above_zero, in_one_sentence, machine_line, resident_mb
from benchmarks.voices import RATE, Samples
from models.training import training_extra
from models.training.phrases import without_zwo


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
        bench.make_ready(build_phrasebook(board, bench.vocabulary))
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
    print(machine_line())
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

"""Measures hearing on the voices that a choice may look at: what is understood, asked about and got wrong.

    python -m benchmarks.strangers                # 150 announcements by each set, about twenty minutes
    python -m benchmarks.strangers --sets strangers --count 40 --errors
    python -m benchmarks.strangers --sets strangers --whispered
    python -m benchmarks.strangers --sets strangers --brightness -22

`strangers` are RHVoice's voices of people from which nothing may be learnt, `held-out` espeak-ng's variants
that no training hears, `accents` the Italian and Dutch ones, `foreigners` the strangers with these two
accents. Whispered, noise takes the place of their voice, as the training does it with its own. With a
brightness each is as loud from 2.5 to 7 kHz against 0.2 to 1 kHz as some people are (-12 to -27 dB; these
voices -10 and -15 dB). Models and limits are chosen by this table; the one of benchmarks.hearing, with other
voices, only tells what the choice was worth.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from assistant.announcements import decide, load_vocabulary
from assistant.hearing import load_model
from benchmarks import voices
from benchmarks.bench import Bench, Heard, delays, shares
from benchmarks.measured import above_zero, in_one_sentence, machine_line
from benchmarks.voices import RATE, Wave
from models.training import training_extra

with training_extra():
    from models.training.augment import whispered
    from models.training.measure import Sample, samples_of

CONDITIONS = ("clean", "pink 10", "babble 10")
_PEAK = 12000.0
_OCTAVES = 2.7
"""From the middle of the low frequencies of a brightness to the middle of the high ones."""


def spoken(name: str, count: int, seed: int) -> list[Sample]:
    """Return announcements of a set, without those that several moves share.

    :raises HectorError: if there is no such set or its voices are not installed.
    """
    with tempfile.TemporaryDirectory() as scratch:
        made = samples_of(name, count + count // 4, seed, Path(scratch))
    return [sample for sample in made if len(sample.said.meanings) == 1][:count]


def whisper(samples: Sequence[Sample]) -> list[Sample]:
    """Return a set as if its speakers whispered; sample number k always with the same noise."""
    whispers = (
        whispered(each.wave.astype(np.float32), np.random.default_rng(k)) for k, each in enumerate(samples)
    )
    return [
        replace(each, wave=np.clip(whisper, -32768, 32767).astype(np.int16))
        for each, whisper in zip(samples, whispers, strict=True)
    ]


def brightness(wave: Wave) -> float:
    """Return how loud a sound is from 2.5 to 7 kHz against 0.2 to 1 kHz, in decibels."""
    power = np.square(np.abs(np.fft.rfft(wave)))
    hertz = (len(power) - 1) / (RATE / 2)

    def band(low: int, high: int) -> float:
        return float(power[int(low * hertz) : int(high * hertz)].sum()) + 1e-9

    return float(10 * np.log10(band(2500, 7000) / band(200, 1000)))


def as_bright(wave: Wave, wanted: float) -> Wave:
    """Return a sound with a slope from 300 Hz on, of -7 to 4 dB an octave, that gives it that brightness."""
    f = np.fft.rfftfreq(len(wave), 1 / RATE)
    slope = np.clip((wanted - brightness(wave)) / _OCTAVES, -7, 4)
    decibels = slope * np.log2(np.maximum(f, 300) / 300)
    return np.fft.irfft(np.fft.rfft(wave) * 10 ** (decibels / 20), len(wave))


def equally_bright(samples: Sequence[Sample], wanted: float) -> list[Sample]:
    """Return a set as if its speakers were all as bright as that, in decibels."""
    waves = (as_bright(each.wave.astype(np.float64), wanted) for each in samples)
    return [
        replace(each, wave=(wave * (_PEAK / max(1.0, float(np.abs(wave).max())))).astype(np.int16))
        for each, wave in zip(samples, waves, strict=True)
    ]


def hear(bench: Bench, samples: Sequence[Sample], condition: str) -> list[Heard]:
    """Hear a set in a condition; sample number k always meets the same noise."""
    found = []
    for k, sample in enumerate(samples):
        wave = sample.wave.astype(np.float64) * (_PEAK / max(1, int(np.abs(sample.wave).max())))
        sound, _, end = voices.recording(wave, condition, np.random.default_rng(k))
        book = bench.book(sample.said.board.fen())
        utterances, delay = bench.hear(sound, book, end)
        found.append(Heard(book, sample.said.meanings[0].move, sample.said.words, tuple(utterances), delay))
    return found


def _print_errors(bench: Bench, samples: Sequence[Sample], heard: Sequence[Heard]) -> None:
    for sample, each in zip(samples, heard, strict=True):
        outcome = each.outcome(bench.thresholds)
        if outcome != "right":
            print(f"  {sample.voice}, {' '.join(each.words)}: {outcome}")
            for utterance in each.utterances:
                decision = decide(utterance, each.book, bench.thresholds)
                print(f"      {decision.kind} {decision.code or ''}: {' '.join(decision.words)}")


@in_one_sentence
def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--model", type=Path, help="model directory (default: the embedded one)")
    parser.add_argument("--sets", default="strangers,held-out,accents,foreigners")
    parser.add_argument("--conditions", default=",".join(CONDITIONS))
    parser.add_argument("--count", type=above_zero(int), default=150, help="announcements per set")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--whispered", action="store_true", help="without their voice")
    parser.add_argument("--brightness", type=int, metavar="DB", help="of each announcement")
    parser.add_argument("--errors", action="store_true", help="print what was not understood")
    chosen = parser.parse_args(arguments)
    conditions = chosen.conditions.split(",")
    for condition in conditions:
        voices.noise_of(condition)
    bench = Bench(load_model(chosen.model), load_vocabulary("de"))
    print(machine_line())
    print(f"{'voices':10} {'condition':10}    n right wrong asked rejct |  open |  50 %  95 % | cpu")
    for name in chosen.sets.split(","):
        samples = spoken(name, chosen.count, chosen.seed)
        if chosen.whispered:
            samples = whisper(samples)
        if chosen.brightness is not None:
            samples = equally_bright(samples, chosen.brightness)
        for condition in conditions:
            bench.sound = bench.computing = 0.0
            heard = hear(bench, samples, condition)
            exact = 100 * sum(each.open_is_exact for each in heard) / max(1, len(heard))
            outcomes = shares(heard, bench.thresholds)
            row = f"{name:10} {condition:10} {len(heard):4} {outcomes} | {exact:5.1f} | {delays(heard)}"
            print(f"{row} | {bench.computing / bench.sound:.3f}", flush=True)
            if chosen.errors:
                _print_errors(bench, samples, heard)
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""A tournament hall in which no player speaks: what a table makes of an hour of talk, noise and neighbours.

    python -m benchmarks.hall [--talk 60] [--hours 4] [--audio FOLDER] [--model FOLDER] [--seed N] [--json]

Talk near the microphone and far from it, in four languages, about chess too; murmur, coughs, chairs, fans;
between them recordings of a folder, in which nothing may be said that Hector listens for. All of it goes,
faster than real time, through the table that plays a live game. Nothing of it is an announcement: every move
that is recorded is a false one. The hours after the talk are a quiet hall with some of it now and then, and
show whether the memory grows.

Lively talk of people is in Debian's fillets-ng-data-nl, whose Dutch actors no training hears; its smallest
files hold no sound:

    mkdir lines
    find /usr/share/games/fillets-ng/sound -path '*/nl/*' -size +5k -exec ln -sft lines {} +
    python -m benchmarks.hall --audio lines --hours 1
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import soundfile
import soxr

from assistant.announcements import Decision, load_vocabulary
from assistant.ears import Ears
from assistant.errors import HectorError
from assistant.scoresheet import Game
from assistant.speaking import Sentence
from assistant.table import PaperVoice, Person, Setup, Table
from assistant.table.devices import prepare_ears
from assistant.table.dialogue import Memory
from assistant.table.gate import HOLD
from assistant.table.running import Listening, RecogniserEar
from assistant.table.setup import SheetStyle
from assistant.utterance import Utterance
from benchmarks import voices
from benchmarks.measured import Row, above_zero, from_zero, in_one_sentence, machine_line, resident_mb

RATE = 16_000
BLOCK = 320
SCENE = 600.0
"""Seconds at one table, in one position."""

CHESS_TALK = (
    "Hast du gesehen, wie er den Springer geopfert hat?",
    "Mit dem Turm auf der siebten Reihe steht Weiß doch viel besser.",
    "Die Dame war überlastet, das musste er sehen.",
    "Ich hätte früher rochieren sollen.",
    "Das Endspiel mit drei Bauern ist gewonnen.",
    "Wie viel Zeit hast du noch?",
    "Die Uhr am Nachbartisch geht nicht.",
    "Er hat mir schon zweimal Remis geboten.",
    "In der letzten Runde spiele ich gegen einen Läufer weniger, sozusagen.",
    "Acht Züge vor der Zeitkontrolle, das ist sein Elend.",
    "Kommst du nachher mit zur Analyse?",
    "Felix und Gustav haben beide verloren.",
    "Schach ist doch nur ein Spiel.",
    "Den König muss man im Endspiel aktivieren.",
)
FOREIGN = (
    ("es", "¿Has visto la partida de la mesa tres?"),
    ("es", "El árbitro dice que empezamos en cinco minutos."),
    ("en", "Could you please be quiet, the game is still going on."),
    ("en", "He lost on time in a winning position, what a pity."),
    ("fr", "Je crois que la tour est mal placée."),
    ("fr", "On mange ensemble après la ronde?"),
    ("pl", "Czy możesz mi podać wodę?"),
)
GERMAN = ("de+m3", "de+f4", "de+Annie", "de+Denis")


class Hall:
    """The sound of the hall; the same for the same seed."""

    def __init__(self, seed: int = 1, recordings: Sequence[Path] = ()) -> None:
        self._random = random.Random(seed)
        self._noise = np.random.default_rng(seed)
        german = [*GERMAN, *filter(voices.available, voices.GERMAN)]
        texts = [*voices.EVERYDAY, *CHESS_TALK]
        self._talk = [
            voices.say_text(german[number % len(german)], text, rate=130 + 9 * (number % 9))
            for number, text in enumerate(texts)
        ]
        self._talk += [voices.say_text(language, text) for language, text in FOREIGN]
        self._talk += [_read(path) for path in recordings]

    def talk(self, seconds: float) -> Iterator[voices.Samples]:
        """Yield blocks of a hall in which somebody talks most of the time."""
        yield from self._scenes(seconds, pause=(0.3, 4.0))

    def quiet(self, seconds: float) -> Iterator[voices.Samples]:
        """Yield blocks of a hall in which somebody says something now and then."""
        yield from self._scenes(seconds, pause=(20.0, 120.0))

    def _scenes(self, seconds: float, pause: tuple[float, float]) -> Iterator[voices.Samples]:
        left = round(seconds * RATE / BLOCK)
        while left > 0:
            parts = [self._sound(), np.zeros(round(self._random.uniform(*pause) * RATE))]
            sound = np.concatenate(parts)
            sound = sound + self._noise.standard_normal(len(sound)) * self._random.choice((3, 8, 30, 120))
            whole = np.clip(sound, -32768, 32767).astype(np.int16)
            blocks = whole[: len(whole) // BLOCK * BLOCK].reshape(-1, BLOCK)[:left]
            left -= len(blocks)
            yield from blocks

    def _sound(self) -> voices.Wave:
        chance, kind = self._random, self._random.random()
        level = 10 ** (-chance.uniform(0, 30) / 20)
        if kind < 0.6:
            sentences = [chance.choice(self._talk) for _ in range(chance.randint(1, 3))]
            return np.concatenate(sentences) * level
        length = round(chance.uniform(1.0, 12.0) * RATE)
        if kind < 0.75:
            return voices.babble(length, self._noise) * 4000 * level
        if kind < 0.9:
            return voices.pink(length, self._noise) * 2500 * level
        return self._knocks(length) * level

    def _knocks(self, length: int) -> voices.Wave:
        """Return chairs, coughs and pieces put down: short bursts of coloured noise."""
        sound = np.zeros(length)
        for _knock in range(self._random.randint(1, 8)):
            burst = round(self._random.uniform(0.01, 0.4) * RATE)
            start = self._random.randrange(max(1, length - burst))
            shape = np.exp(-np.arange(burst) / (burst / 4))
            piece = voices.pink(burst, self._noise) * shape * 9000
            sound[start : start + burst] += piece[: len(sound) - start]
        return sound


def _read(path: Path) -> voices.Wave:
    try:
        wave, rate = soundfile.read(str(path), dtype="float64", always_2d=True)
        wave = np.asarray(soxr.resample(wave.mean(axis=1), rate, RATE), np.float64)
    except (OSError, RuntimeError, ValueError) as error:
        raise HectorError(f"{path} is no recording that can be read.") from error
    if not len(wave) or not np.isfinite(wave).all():
        raise HectorError(f"{path} holds no sound, or is damaged.")
    return wave * 12000 / max(float(np.abs(wave).max(initial=0)), 1e-9)


class Told:
    """What a table wrote down and said."""

    has_game = False

    def __init__(self) -> None:
        self.moves: list[dict[str, Any]] = []
        self.sentences: list[str] = []

    def line(self, line: dict[str, Any]) -> None:
        if line.get("do") in ("announce", "correct", "repeat", "press"):
            self.moves.append(line)

    def said(self, sentence: Sentence, at: float) -> None:
        self.sentences.append(sentence.text)

    def views(self, game: Game, language: str, style: SheetStyle) -> None:
        pass


@dataclass(slots=True)
class Tally:
    """What the hall brought about."""

    seconds: float = 0.0
    took: float = 0.0
    utterances: int = 0
    moves: int = 0
    pardons: int = 0
    other: int = 0
    """Sentences that answer something: a question, times that nobody asked for."""


def sit(ears: Ears, blocks: Iterator[voices.Samples], fens: Sequence[str], show: bool = False) -> Tally:
    """Let tables listen, ten minutes each, and count what they took for theirs."""
    tally = Tally()
    began = time.process_time()
    vocabulary = load_vocabulary("de")
    number, is_over = 0, False
    memory: Memory | None = None
    while not is_over:
        record = Told()
        fen = fens[number % len(fens)]
        setup = Setup(Person("W", True), Person("B", True), time_control="100000", fen=fen)
        ears.recogniser.restart()
        table = Table(
            setup, vocabulary, ears.thresholds, PaperVoice(), record, RecogniserEar(ears.recogniser)
        )
        table.start()
        if memory is not None:
            # Another position, but still the same evening.
            table.memory.pardons, table.memory.pardoned_at = memory.pardons, memory.pardoned_at - SCENE
        memory = table.memory
        told = len(record.sentences)
        listening = Listening(table, ears.recogniser, _print if show else None)
        is_over = True
        listening.be_deaf(0.0)
        for block in blocks:
            # As at the table, the microphone is deaf to Hector's own voice.
            now = listening.now + BLOCK / RATE
            if table.course.teller.voice.silent_since(now) + HOLD > now - BLOCK / RATE:
                listening.be_deaf(now)
            else:
                listening.take(block)
            if listening.now >= SCENE:
                is_over = False
                break
        tally.seconds += listening.now
        tally.utterances += table.utterances
        tally.moves += len(record.moves)
        pardons = sum("Wie bitte" in sentence for sentence in record.sentences[told:])
        tally.pardons += pardons
        tally.other += len(record.sentences) - told - pardons
        if show:
            for line in (*record.moves, *record.sentences[told:]):
                print(f"  {line}", file=sys.stderr)
        number += 1
    tally.took = time.process_time() - began
    return tally


def _print(utterance: Utterance, decision: Decision, _samples: voices.Samples) -> None:
    if decision.kind != "reject":
        margins = f"illegal {decision.margins.illegal:.1f}, foreign {decision.margins.foreign:.2f}"
        print(f"{utterance.end:.1f} s: {decision.kind} {decision.text} ({margins})", file=sys.stderr)


def measure(
    minutes: float,
    hours: float,
    recordings: Sequence[Path],
    show: bool = False,
    model: str | None = None,
    seed: int = 1,
) -> list[Row]:
    """Listen to so many minutes of talk, then to a quiet hall until so many hours are over."""
    ears = prepare_ears(model)
    hall = Hall(seed, recordings)
    fens = [case.fen for case in voices.cases(load_vocabulary("de"), 40, seed=7)]
    loud = sit(ears, hall.talk(minutes * 60), fens, show)
    first = resident_mb()
    tally, grown = Tally(), 0.0
    if hours * 60 > minutes:
        tally = sit(ears, hall.quiet(hours * 3600 - minutes * 60), fens, show)
        grown = resident_mb() - first
    share = 60 / minutes
    name = f"in {minutes:g} minutes of talk"
    rows = [
        Row(f"false moves and presses {name}", "", loud.moves, limit=0),
        Row(f'false "Wie bitte?" in an hour, from {minutes:g} minutes', "", loud.pardons * share, limit=4.9),
        Row(f"questions and answers that nobody asked for {name}", "", loud.other),
        Row(f"utterances {name}", "", loud.utterances),
        Row("recordings in the talk", "", len(recordings)),
        Row("processor time of a second of talk", "ms", 1000 * loud.took / loud.seconds),
    ]
    if tally.seconds:
        rows += [
            Row(f"false moves in {tally.seconds / 3600:.1f} quiet hours", "", tally.moves, limit=0),
            Row("processor time of a second of the quiet hall", "ms", 1000 * tally.took / tally.seconds),
            Row(f"memory grown in {tally.seconds / 3600:.1f} hours after the talk", "MB", grown, limit=8),
            Row("memory at most", "MB", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, limit=300),
        ]
    return rows


@in_one_sentence
def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--talk", type=above_zero(float), default=60.0, help="minutes of talk and noise (default: 60)"
    )
    parser.add_argument("--hours", type=from_zero(float), default=4.0, help="hours in all (default: 4)")
    parser.add_argument("--audio", type=Path, help="a folder of recordings in which nothing is announced")
    parser.add_argument("--model", help="model directory (default: the embedded one)")
    parser.add_argument("--seed", type=above_zero(int), default=1, help="another hall for each (default: 1)")
    parser.add_argument("--show", action="store_true", help="tell each move and sentence on standard error")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    recordings = voices.recordings_in(options.audio) if options.audio is not None else []
    rows = measure(options.talk, options.hours, recordings, options.show, options.model, options.seed)
    if options.json:
        print(json.dumps({"machine": machine_line(), "rows": [asdict(row) for row in rows]}))
    else:
        print(f"Machine: {machine_line()}")
        for row in rows:
            print(row)
    return int(not all(row.is_met for row in rows))


if __name__ == "__main__":
    sys.exit(main())

"""Hearing on the bench: a recogniser, what it is given to hear, and what becomes of it."""

from __future__ import annotations

import math
import random
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import chess
import numpy as np

from assistant.announcements import (
    Decision,
    Phrasebook,
    Thresholds,
    Vocabulary,
    build_phrasebook,
    decide,
    sample,
)
from assistant.ears import ears_of
from assistant.hearing import AcousticModel
from assistant.utterance import Utterance
from benchmarks import voices
from benchmarks.voices import RATE, Case, Samples, Wave
from models.training.phrases import without_zwo

BLOCK = 320
_BEGUN = np.random.default_rng(1).normal(0, 3000, RATE // 5).astype(np.int16)
"""Sound that is loud enough to be the beginning of an announcement."""


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

    def make_ready(self, book: Phrasebook) -> None:
        """Expect a position's phrases, and load their decoder, as is done when somebody begins to speak."""
        self.recogniser.restart()
        self.recogniser.expect(book.word_graph())
        self.recogniser.accept(_BEGUN)
        if not self.recogniser.hears_something:
            raise RuntimeError("nobody was heard to begin")
        self.recogniser.restart()

    def hear(
        self, samples: Samples, book: Phrasebook, end: float | None = None
    ) -> tuple[list[Utterance], float]:
        """Return the utterances of a recording and the delay after `end` of the last decision about it."""
        self.make_ready(book)
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

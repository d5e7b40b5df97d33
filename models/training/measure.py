"""Voices that no training hears, and how much a model understands of them in silence.

The table in every condition is benchmarks.strangers; this is the check at the end of a training.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import chess
import numpy as np
from numpy.typing import NDArray

from assistant.announcements import (
    Meaning,
    Phrasebook,
    Thresholds,
    Vocabulary,
    build_phrasebook,
    decide,
    load_vocabulary,
    spoken_forms,
)
from assistant.ears import ears_of
from assistant.errors import HectorError
from assistant.hearing import AcousticModel
from assistant.utterance import Utterance as Heard
from models.training import espeak, spelled, synthesis
from models.training.audio import level
from models.training.borrowed import Foreigners, foreigners
from models.training.lexicon import Accent, Lexicon, load_accents, load_lexicon
from models.training.phrases import without_zwo
from models.training.spelled import Voice

STRANGERS = ("arina", "artemiy", "evgeniy-rus", "mikhail", "pavel", "tatiana", "victoria", "yuriy")
"""RHVoice's voices of people from which nothing may be learnt either; a choice may look at them."""


@dataclass(frozen=True)
class Announcement:
    """Something said in a position, and what it means there."""

    board: chess.Board
    words: tuple[str, ...]
    meanings: tuple[Meaning, ...]


def position(rng: random.Random) -> chess.Board:
    """A position after up to 70 random half-moves, in which castling and promotions were liked."""
    while True:
        board = chess.Board()
        for _ in range(rng.randint(0, 70)):
            moves = list(board.legal_moves)
            if not moves:
                break
            rare = [move for move in moves if move.promotion or board.is_castling(move)]
            board.push(rng.choice(rare) if rare and rng.random() < 0.4 else rng.choice(moves))
        if any(board.legal_moves):
            return board.copy(stack=False)


def announcement(vocabulary: Vocabulary, rng: random.Random) -> Announcement:
    """A legal move in any of its forms; one time in eight a command."""
    board = position(rng)
    book = build_phrasebook(board, vocabulary)
    if rng.random() < 0.12:
        words = rng.choice([w for w, m in book.phrases.items() if m[0].command is not None])
    else:
        words = rng.choice(list(spoken_forms(board, rng.choice(list(board.legal_moves)), vocabulary)))
    return Announcement(board, words, tuple(book.phrases[words]))


@dataclass(frozen=True)
class Sample:
    said: Announcement
    wave: NDArray[np.int16]
    voice: str


def espeak_samples(
    kind: str, count: int, seed: int, lexicon: Lexicon, accents: dict[str, Accent], scratch: Path
) -> Iterator[Sample]:
    """held-out: German by the held-out variants; accents: Italian and Dutch ones by the same variants."""
    vocabulary = load_vocabulary()
    engine = espeak.Espeak(scratch, {a.voice for a in accents.values() if a.engine == "espeak"}, 0, 0)
    names = ["german", "uvular"] if kind == "held-out" else [a.name for a in accents.values() if a.held_out]
    rng = random.Random(f"{kind} {seed}")
    made = 0
    while made < count:
        variant = espeak.HELD_OUT[made % len(espeak.HELD_OUT)]
        accent = accents[names[made // len(espeak.HELD_OUT) % len(names)]]
        if not engine.voice(accent.voice, variant):
            raise HectorError(f"espeak-ng has no voice {accent.voice}+{variant}: it cannot be measured with.")
        said = announcement(vocabulary, rng)
        forms = [lexicon.choose(word, 0.1, rng) for word in said.words]
        spoken = synthesis.speak(
            engine, lexicon, accent.speaker(rng), forms, rng, f"{accent.name}+{variant}", said.words
        )
        if spoken is not None:
            made += 1
            yield Sample(said, spoken.wave, spoken.voice)


def stranger_samples(
    count: int,
    seed: int,
    lexicon: Lexicon,
    accents: dict[str, Accent],
    scratch: Path,
    strangers: Foreigners | None = None,
) -> Iterator[Sample]:
    """`count` announcements by RHVoice's voices that take no part in a training, in turn.

    :param strangers: those whose accents they borrow.
    """
    vocabulary = load_vocabulary()
    scratch.mkdir(parents=True, exist_ok=True)
    voices = spelled.installed([Voice("rhvoice", name, "rhvoice-russian") for name in STRANGERS])
    if not voices:
        raise HectorError(
            "No RHVoice voices to measure with: apt install rhvoice rhvoice-russian, from Debian's non-free."
        )
    rng = random.Random(f"strangers {seed}")
    made = 0
    for k in range(2 * count):
        voice = voices[k % len(voices)]
        said = announcement(vocabulary, rng)
        wave = spelled.say(
            lexicon, accents[voice.accent], voice, said.words, rng, scratch / "say.wav", strangers
        )
        if wave is not None and made < count:
            made += 1
            yield Sample(said, level(wave), voice.name)


@dataclass
class Score:
    """Counts of one set in one condition."""

    said: int = 0
    legal: int = 0
    grammatical: int = 0
    accepted: int = 0
    wrong: int = 0
    asked: int = 0

    def line(self) -> str:
        share = (100 / max(1, self.said)).__mul__
        return (
            f"n {self.said:4d}  legal {share(self.legal):5.1f}  open grammar {share(self.grammatical):5.1f}  "
            f"accepted right {share(self.accepted):5.1f} wrong {share(self.wrong):4.1f} "
            f"asked or passed over {share(self.asked):5.1f} %"
        )


def score(model: AcousticModel, samples: Sequence[Sample]) -> Score:
    """Play every sample through the recogniser, with silence around it."""
    ears = ears_of(model, load_vocabulary())
    total = Score()
    for sample in samples:
        book = build_phrasebook(sample.said.board, ears.vocabulary)
        ears.recogniser.expect(book.word_graph())
        heard = ears.recogniser.accept(_with_silence(sample.wave)) + ears.recogniser.finish()
        total.said += 1
        best = max(heard, key=lambda u: u.frames, default=None)
        legal = best.legal[0].words if best and best.legal else ()
        grammatical = best.grammatical[0].words if best and best.grammatical else ()
        total.legal += _same(book.phrases.get(legal, ()), sample.said.meanings)
        total.grammatical += len(heard) == 1 and without_zwo(grammatical) == without_zwo(sample.said.words)
        kinds = [_decision(u, sample, book, ears.thresholds) for u in heard] or ["asked"]
        total.wrong += "wrong" in kinds
        total.accepted += "wrong" not in kinds and "right" in kinds
        total.asked += "wrong" not in kinds and "right" not in kinds
    return total


def _with_silence(wave: NDArray[np.int16]) -> NDArray[np.int16]:
    return np.concatenate([np.zeros(6400, np.int16), wave, np.zeros(12800, np.int16)])


def _same(found: Sequence[Meaning], meant: Sequence[Meaning]) -> bool:
    return bool(found) and set(found) == set(meant)


def _decision(heard: Heard, sample: Sample, book: Phrasebook, thresholds: Thresholds) -> str:
    decision = decide(heard, book, thresholds)
    if decision.kind != "accept":
        return "asked"
    return "right" if decision.meaning in sample.said.meanings else "wrong"


def samples_of(name: str, count: int, seed: int, scratch: Path) -> list[Sample]:
    """A set by its name: held-out, accents, strangers or foreigners (strangers with held-out accents).

    :raises HectorError: if there is no such set, or its voices are not installed.
    """
    lexicon = load_lexicon()
    accents = load_accents(lexicon)
    if name in ("held-out", "accents"):
        return list(espeak_samples(name, count, seed, lexicon, accents, scratch / "espeak"))
    if name == "strangers":
        return list(stranger_samples(count, seed, lexicon, accents, scratch))
    if name == "foreigners":
        held_out = foreigners(lexicon, [accent for accent in accents.values() if accent.held_out])
        return list(stranger_samples(count, seed, lexicon, accents, scratch, held_out))
    raise HectorError(f'"{name}" is no set: use held-out, accents, strangers or foreigners.')

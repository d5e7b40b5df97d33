"""How well a model hears voices that it was never trained on, through the same rooms as in a game.

    python -m models.training.measure MODEL [--sets held-out,accents] [--conditions clean,noise10] [--count N]

Random legal positions, random ways to say a random legal move (or a command), strict phrases of the position
beside the open grammar, and the decision that a game would take.
"""

from __future__ import annotations

import argparse
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import chess
import numpy as np
from numpy.typing import NDArray

from assistant.announcements import (
    Meaning,
    Thresholds,
    Vocabulary,
    build_phrasebook,
    decide,
    load_thresholds,
    load_vocabulary,
    open_grammar,
    spoken_forms,
)
from assistant.errors import HectorError
from assistant.hearing import AcousticModel, Recogniser, load_model
from assistant.utterance import Utterance as Heard
from models.training import espeak, spelled, synthesis
from models.training.audio import level, read
from models.training.lexicon import Accent, Lexicon, load_accents, load_lexicon
from models.training.spelled import Voice

MBROLA = ("de1", "de2", "de4", "de6", "es1", "en1", "fr1", "pl1")
"""Voices of people, for the last measurement only: they are not free, so nothing may be learnt from them."""

STRANGERS = ("arina", "artemiy", "evgeniy-rus", "mikhail", "pavel", "tatiana", "victoria", "yuriy")
"""RHVoice's voices of people from which nothing may be learnt either; a choice may look at them."""

_ACCENT_OF = {"de": "german", "es": "spanish", "en": "english", "fr": "french", "pl": "polish"}


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


def mbrola_samples(
    count: int, seed: int, lexicon: Lexicon, accents: dict[str, Accent], scratch: Path
) -> Iterator[Sample]:
    """`count` announcements by every MBROLA voice on this machine."""
    vocabulary = load_vocabulary()
    scratch.mkdir(parents=True, exist_ok=True)
    voices = [v for v in MBROLA if Path("/usr/share/mbrola", v, v).is_file()]
    if not voices or shutil.which("mbrola") is None:
        raise HectorError("There are no MBROLA voices: install mbrola and mbrola-de1 (they only measure).")
    for voice in voices:
        rng = random.Random(f"{voice} {seed}")
        accent = accents[_ACCENT_OF[voice[:2]]]
        for _ in range(count):
            said = announcement(vocabulary, rng)
            forms = [lexicon.choose(word, 0.1, rng) for word in said.words]
            text, _ = synthesis.phoneme_text(
                forms, accent.speaker(rng), lexicon.vowels, rng.choice((0.0, 0.1, 0.5)), rng
            )
            rate, pitch = rng.uniform(115, 200), rng.uniform(30, 70)
            wave = _mbrola(voice, text, rate, pitch, scratch)
            if wave is not None:
                yield Sample(said, wave, f"mb-{voice}")


def _mbrola(voice: str, text: str, rate: float, pitch: float, scratch: Path) -> NDArray[np.int16] | None:
    command = [
        "espeak-ng",
        "-v",
        f"mb-{voice}",
        "-s",
        f"{rate:.0f}",
        "-p",
        f"{pitch:.0f}",
        "--pho",
        "-q",
        text,
    ]
    lines = subprocess.run(command, capture_output=True, text=True, check=False).stdout.split("\n")
    for k in range(len(lines) - 1):
        # espeak-ng's table for the German voices turns the d of "drei" into a t
        if voice.startswith("de") and lines[k].startswith("t\t") and lines[k + 1][:2] in ("R\t", "r\t"):
            lines[k] = "d" + lines[k][1:]
    phonemes, out = scratch / "say.pho", scratch / "say.wav"
    phonemes.write_text("\n".join(lines))
    out.unlink(missing_ok=True)
    database = f"/usr/share/mbrola/{voice}/{voice}"
    subprocess.run(["mbrola", "-e", database, str(phonemes), str(out)], capture_output=True, check=False)
    try:
        wave = read(out)
    except HectorError:
        return None
    return level(wave) if len(wave) > 4000 and float(np.abs(wave).max()) > 50 else None


def stranger_samples(
    count: int, seed: int, lexicon: Lexicon, accents: dict[str, Accent], scratch: Path
) -> Iterator[Sample]:
    """`count` announcements by RHVoice's voices that take no part in a training, in turn."""
    vocabulary = load_vocabulary()
    scratch.mkdir(parents=True, exist_ok=True)
    voices = spelled.installed([Voice("rhvoice", name, "rhvoice-russian") for name in STRANGERS])
    if not voices:
        raise HectorError("There are no RHVoice voices to measure with: install rhvoice-russian.")
    rng = random.Random(f"strangers {seed}")
    made = 0
    for k in range(2 * count):
        voice = voices[k % len(voices)]
        said = announcement(vocabulary, rng)
        wave = spelled.say(lexicon, accents[voice.accent], voice, said.words, rng, scratch / "say.wav")
        if wave is not None and made < count:
            made += 1
            yield Sample(said, level(wave), voice.name)


def heard_in(
    wave: NDArray[np.int16], condition: str, others: Sequence[Sample], rng: np.random.Generator
) -> NDArray[np.int16]:
    """The recording with silence around it, at a random level, clean or in "noise10", "babble10" (dB)."""
    x = np.concatenate([np.zeros(6400), wave.astype(float), np.zeros(12800)])
    x *= 10 ** (rng.uniform(-14, 0) / 20)
    name = condition.rstrip("0123456789")
    if name != "clean":
        if name == "noise":
            spectrum = np.fft.rfft(rng.normal(size=len(x)))
            noise = np.fft.irfft(spectrum / np.sqrt(np.arange(len(spectrum)) + 1.0), len(x))
        elif name == "babble":
            noise = np.zeros(len(x))
            for _ in range(4):
                other = others[int(rng.integers(len(others)))].wave.astype(float)
                noise += np.roll(np.resize(other, len(x)), rng.integers(len(x)))
        else:
            raise HectorError(f'"{condition}" is no condition: use clean, noise10 or babble10.')
        speech = np.mean(x[np.abs(x) > 50] ** 2)
        x = x + noise * np.sqrt(speech / np.mean(noise**2) / 10 ** (float(condition[len(name) :]) / 10))
    return np.asarray(np.clip(x + rng.normal(size=len(x)) * 2, -32768, 32767).round(), np.int16)


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


def _plain(words: Sequence[str]) -> tuple[str, ...]:
    return tuple("zwei" if word == "zwo" else word for word in words)


def score(
    model: AcousticModel,
    samples: Sequence[Sample],
    condition: str,
    seed: int = 5,
    tell: Callable[[str], None] | None = None,
) -> Score:
    """Play every sample through the recogniser; `tell` gets a line for each that was not understood."""
    vocabulary = load_vocabulary()
    rng = np.random.default_rng(seed)
    thresholds = load_thresholds(model.thresholds) if model.thresholds else Thresholds()
    recogniser = Recogniser(model, open_grammar=open_grammar(vocabulary))
    total = Score()
    for sample in samples:
        book = build_phrasebook(sample.said.board, vocabulary)
        recogniser.expect(book.word_graph())
        wave = heard_in(sample.wave, condition, samples, rng)
        heard = recogniser.accept(wave) + recogniser.finish()
        total.said += 1
        best = max(heard, key=lambda u: u.frames, default=None)
        legal = best.legal[0].words if best and best.legal else ()
        grammatical = best.grammatical[0].words if best and best.grammatical else ()
        understood = _same(book.phrases.get(legal, ()), sample.said.meanings)
        total.legal += understood
        total.grammatical += len(heard) == 1 and _plain(grammatical) == _plain(sample.said.words)
        kinds = [_decision(u, sample, thresholds) for u in heard] or ["asked"]
        total.wrong += "wrong" in kinds
        total.accepted += "wrong" not in kinds and "right" in kinds
        total.asked += "wrong" not in kinds and "right" not in kinds
        if tell is not None and (not understood or _plain(grammatical) != _plain(sample.said.words)):
            tell(
                f"{sample.voice}: {' '.join(sample.said.words)} | {' '.join(legal)} | {' '.join(grammatical)}"
            )
    return total


def _same(found: Sequence[Meaning], meant: Sequence[Meaning]) -> bool:
    return bool(found) and set(found) == set(meant)


def _decision(heard: Heard, sample: Sample, thresholds: Thresholds) -> str:
    book = build_phrasebook(sample.said.board, load_vocabulary())
    decision = decide(heard, book, thresholds)
    if decision.kind != "accept":
        return "asked"
    return "right" if decision.meaning in sample.said.meanings else "wrong"


def samples_of(name: str, count: int, seed: int, scratch: Path) -> list[Sample]:
    """A set by its name: held-out, accents, strangers, mbrola-de, mbrola-foreign."""
    lexicon = load_lexicon()
    accents = load_accents(lexicon)
    if name in ("held-out", "accents"):
        return list(espeak_samples(name, count, seed, lexicon, accents, scratch / "espeak"))
    if name in ("mbrola-de", "mbrola-foreign"):
        german = name == "mbrola-de"
        every = mbrola_samples(count, seed, lexicon, accents, scratch)
        return [sample for sample in every if sample.voice.startswith("mb-de") == german]
    if name == "strangers":
        return list(stranger_samples(count, seed, lexicon, accents, scratch))
    raise HectorError(f'"{name}" is no set: use held-out, accents, strangers, mbrola-de or mbrola-foreign.')


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m models.training.measure", description=__doc__)
    parser.add_argument("model", type=Path)
    parser.add_argument("--sets", default="held-out,accents")
    parser.add_argument("--conditions", default="clean,noise10")
    parser.add_argument("--count", type=int, default=120, help="announcements per set (mbrola: per voice)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--errors", action="store_true", help="print what was not understood")
    chosen = parser.parse_args(arguments)
    try:
        model = load_model(chosen.model)
        with tempfile.TemporaryDirectory() as scratch:
            for name in chosen.sets.split(","):
                samples = samples_of(name, chosen.count, chosen.seed, Path(scratch))
                for condition in chosen.conditions.split(","):
                    found = score(model, samples, condition, tell=print if chosen.errors else None)
                    print(f"{name:15s} {condition:9s} {found.line()}", flush=True)
    except HectorError as error:
        print(error, file=sys.stderr)
        return error.status
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Announcements spoken by voices that training never hears, in silence and in noise: to measure hearing with.

The German and accented MBROLA voices come from recordings of people (Debian's mbrola-* packages, not free:
used for measuring only, never shipped, and no threshold is set on them). Thresholds are set on espeak-ng's
variants f4, m3, klatt4, Annie and Denis and on the Italian and Dutch accents, which training leaves out as
well.
"""

from __future__ import annotations

import io
import math
import random
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import chess
import numpy as np
import soundfile
import soxr
from numpy.typing import NDArray

from assistant.announcements import Vocabulary, build_phrasebook, spoken_forms
from assistant.errors import UsageError
from models.training import espeak
from models.training.lexicon import Accent, Lexicon, load_accents, load_lexicon

RATE = 16_000
Samples = NDArray[np.int16]
Wave = NDArray[np.float64]

GERMAN = ("mb-de1", "mb-de2", "mb-de4", "mb-de6")
ACCENTS = {"mb-es1": "spanish", "mb-en1": "english", "mb-fr1": "french", "mb-pl1": "polish"}
UNTRAINED_ACCENTS = {"mb-it3": "italian", "mb-nl2": "dutch"}
INSTALL = "apt install mbrola mbrola-de1 mbrola-es1 ..., from Debian's contrib and non-free"
HELD_OUT = ("de+f4", "de+m3", "de+klatt4", "de+Annie", "de+Denis")
HELD_OUT_ACCENTS = {"it+f4": "italian", "it+m3": "italian", "nl+f4": "dutch", "nl+Denis": "dutch"}

_MOST_DECIBELS = 100.0
"""Between speech and noise: in 16 bits one is gone beyond it."""

EVERYDAY = (
    "Guten Morgen, wie geht es Ihnen heute?",
    "Können Sie bitte das Fenster schließen?",
    "Ich hätte gerne einen Kaffee mit Milch.",
    "Der Zug nach Hamburg fährt um halb neun ab.",
    "Meine Schwester wohnt seit zwei Jahren in Berlin.",
    "Wo ist denn hier die Toilette?",
    "Das Wetter soll morgen wieder besser werden.",
    "Haben Sie meinen Stock gesehen?",
    "Wir treffen uns nach der Partie im Restaurant.",
    "Das war wirklich ein spannendes Spiel.",
    "Entschuldigung, ich habe Sie nicht verstanden.",
    "Der Schiedsrichter kommt gleich.",
    "Ich weiß nicht, ob das richtig ist.",
    "Vier Leute warten draußen vor der Tür.",
    "Heute Abend gibt es Suppe und Brot.",
    "Das Auto steht in der Garage.",
    "Sie hat drei Kinder und einen Hund.",
    "Um acht Uhr beginnt die nächste Runde.",
    "Die Bauern arbeiten auf dem Feld.",
    "Kannst du mir mal helfen?",
    "Im Sommer fahren wir ans Meer.",
    "Bitte sprechen Sie etwas leiser.",
    "Ja, das glaube ich auch.",
    "Nein danke, ich möchte nichts trinken.",
    "Die Dame am Eingang hat die Karten.",
    "Auf dem Turm weht eine Fahne.",
    "Ich gebe dir das Buch zurück.",
    "Vielleicht nehme ich den Läufer. Oder doch nicht.",
    "Eva und Felix kommen später.",
    "So ein Mist.",
)
"""Sentences that are no announcements, some of them with the words of one."""


@dataclass(frozen=True)
class Case:
    """One announcement to be spoken: a position, a legal move and one way to say it."""

    fen: str
    move: chess.Move
    words: tuple[str, ...]


def cases(vocabulary: Vocabulary, count: int, seed: int) -> list[Case]:
    """Return announcements of random legal moves in random positions, every form of a move equally likely.

    Forms that another legal move shares are left out: to those the right answer is a question.
    """
    rng = random.Random(seed)
    found: list[Case] = []
    while len(found) < count:
        board = chess.Board()
        for _ in range(rng.randint(0, 90)):
            moves = list(board.legal_moves)
            if not moves:
                break
            board.push(rng.choice(moves))
        moves = list(board.legal_moves)
        if moves:
            move = rng.choice(moves)
            words = rng.choice(sorted(set(spoken_forms(board, move, vocabulary))))
            if len(build_phrasebook(board, vocabulary).phrases[words]) == 1:
                found.append(Case(board.fen(), move, words))
    return found


@cache
def _lexicon() -> Lexicon:
    return load_lexicon()


@cache
def _accents() -> dict[str, Accent]:
    return load_accents(_lexicon())


def say_words(
    voice: str, words: Sequence[str], rng: random.Random, *, accent: str = "german", pause: float = 0.1
) -> Wave:
    """Return words spoken by a voice at a random rate and pitch.

    :param voice: "mb-de1" for an MBROLA voice, "de+f4" for an espeak-ng variant.
    :param accent: how that voice pronounces, a section of models/training/accents.txt.
    """
    lexicon, speaker = _lexicon(), _accents()[accent].speaker(rng)
    parts = []
    for word in words:
        text = ""
        form = lexicon.choose(word, 0.1 if accent == "german" else 0.0, rng)
        for symbols, sound in speaker.says(form, lexicon.vowels):
            for k, symbol in enumerate(symbols):
                text += ("'" if sound is not None and sound.stressed and k == 0 else "") + symbol
        parts.append(f"[[{text}]]")
        parts.append(", " if rng.random() < pause else " ")
    return say_text(voice, "".join(parts[:-1]), rate=rng.uniform(115, 200), pitch=rng.uniform(30, 70))


def say_text(voice: str, text: str, *, rate: float = 160, pitch: float = 50) -> Wave:
    """Return text spoken by espeak-ng or, behind its phonemes, by MBROLA; peak 12000, no silence around.

    :raises HectorError: if espeak-ng is not installed.
    """
    settings = ["-v", voice, "-s", str(int(rate)), "-p", str(int(pitch))]
    if voice.startswith("mb-"):
        wave, hz = _mbrola(voice.removeprefix("mb-"), settings, text)
    else:
        sound = subprocess.run(
            [espeak.program(), *settings, "--stdout", text], capture_output=True, check=True
        ).stdout
        wave, hz = soundfile.read(io.BytesIO(sound), dtype="float64")
    wave = np.asarray(soxr.resample(wave, hz, RATE), np.float64)
    wave *= 12000 / max(float(np.abs(wave).max(initial=0)), 1e-9)
    loud = np.flatnonzero(np.abs(wave) > 60)
    return wave[loud[0] : loud[-1] + 1] if loud.size else wave[:0]


def _mbrola(name: str, settings: list[str], text: str) -> tuple[Wave, int]:
    said = subprocess.run(
        [espeak.program(), *settings, "--pho", "-q", text], capture_output=True, check=True, text=True
    )
    lines = said.stdout.split("\n")
    symbols = [line.split("\t")[0] for line in lines]
    for k in range(len(lines) - 2):
        # espeak-ng's tables for some German voices make "trei" of "drei".
        if symbols[k] == "t" and symbols[k + 1] in ("R", "r") and symbols[k + 2].startswith("aI"):
            lines[k] = "d" + lines[k][1:]
    data = Path("/usr/share/mbrola") / name / name
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "a.pho").write_text("\n".join(lines))
        command = ["mbrola", "-e", str(data), f"{folder}/a.pho", f"{folder}/a.wav"]
        subprocess.run(command, capture_output=True, check=True)
        wave, hz = soundfile.read(f"{folder}/a.wav", dtype="float64")
    return wave, hz


def available(voice: str) -> bool:
    """Tell whether a voice is installed."""
    if not shutil.which("espeak-ng"):
        return False
    if voice.startswith("mb-"):
        name = voice.removeprefix("mb-")
        return bool(shutil.which("mbrola")) and (Path("/usr/share/mbrola") / name / name).exists()
    return True


def recordings_in(folder: Path) -> list[Path]:
    """Return the recordings of a folder and those below it.

    :raises UsageError: if there are none.
    """
    found = sorted(path for path in folder.rglob("*") if path.suffix.lower() in (".flac", ".ogg", ".wav"))
    if not found:
        raise UsageError(f"There are no recordings (FLAC, Ogg or WAV) in {folder}.")
    return found


def pink(length: int, rng: np.random.Generator) -> Wave:
    """Return pink noise of root mean square 1."""
    spectrum = np.fft.rfft(rng.standard_normal(length))
    noise = np.fft.irfft(spectrum / np.sqrt(np.arange(len(spectrum)) + 1.0), length)
    return np.asarray(noise / noise.std())


@cache
def _chatter() -> tuple[Wave, ...]:
    voices = ("de+m3", "de+f4", "de+Annie", "de+Denis")
    return tuple(say_text(voices[k % 4], text, rate=150 + 5 * k % 40) for k, text in enumerate(EVERYDAY))


def babble(length: int, rng: np.random.Generator, talkers: int = 4) -> Wave:
    """Return several people talking at once, root mean square 1."""
    noise = np.zeros(length)
    for _ in range(talkers):
        voice: list[Wave] = []
        while sum(map(len, voice)) < length:
            voice.append(_chatter()[rng.integers(len(EVERYDAY))])
        noise += np.roll(np.concatenate(voice)[:length], int(rng.integers(length)))
    return np.asarray(noise / noise.std())


def noise_of(condition: str) -> tuple[Callable[[int, np.random.Generator], Wave], float] | None:
    """Return what makes the noise of a condition and its decibels below the speech; None if it is "clean".

    :raises UsageError: if there is no such condition.
    :raises HectorError: if espeak-ng, which babbles, is not installed.
    """
    if condition == "clean":
        return None
    kind, _, decibels = condition.partition(" ")
    make = {"pink": pink, "babble": babble}.get(kind)
    try:
        below = float(decibels)
    except ValueError:
        below = math.nan
    if make is None or not abs(below) <= _MOST_DECIBELS:
        raise UsageError(
            f'There is no condition "{condition}"; write clean, or pink or babble and decibels: pink 10.'
        )
    if make is babble:
        espeak.program()
    return make, below


def recording(
    wave: Wave, condition: str, rng: np.random.Generator, *, before: float | None = None, after: float = 1.5
) -> tuple[Samples, float, float]:
    """Return a recording with speech in it, and the seconds at which the speech starts and ends.

    :param condition: "clean" (a room noise of 2 of 32768), or "pink 10" or "babble 10": kind and dB below the
        speech.
    :param before: seconds of silence or noise before the speech; 0.6 of silence, or 3 of noise, because no
        hall begins to be loud when somebody speaks.
    """
    before = before if before is not None else 0.6 if condition == "clean" else 3.0
    head, tail = int(before * RATE), int(after * RATE)
    whole = np.concatenate([np.zeros(head), wave, np.zeros(tail)]) * 10 ** (rng.uniform(-12, 0) / 20)
    noise = noise_of(condition)
    if noise is not None:
        make, decibels = noise
        loud = whole[np.abs(whole) > 50]
        whole = whole + make(len(whole), rng) * np.sqrt(np.mean(loud**2) / 10 ** (decibels / 10))
    whole = whole + rng.standard_normal(len(whole)) * 2
    samples = np.clip(np.round(whole), -32768, 32767).astype(np.int16)
    return samples, head / RATE, (head + len(wave)) / RATE


def spoken_cases(
    voices: Sequence[str], accents: dict[str, str], chosen: Sequence[Case], seed: int
) -> Iterator[tuple[str, Case, Wave]]:
    """Speak the cases, the voices taking turns; yield voice, case and sound."""
    names = [*voices, *accents]
    for k, case in enumerate(chosen):
        voice = names[k % len(names)]
        rng = random.Random(f"{seed} {k}")
        yield voice, case, say_words(voice, case.words, rng, accent=accents.get(voice, "german"))

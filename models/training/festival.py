"""Festival's diphone voices, cut from recordings of real people, saying German words sound by sound.

They are given segments with durations and pitch, so the labels are exact.
"""

from __future__ import annotations

import random
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from assistant.errors import HectorError
from models.training import phrases
from models.training.audio import level, read
from models.training.lexicon import Accent, Lexicon
from models.training.pools import Utterance, frame_labels


@dataclass(frozen=True)
class Voice:
    """A Festival voice: the accent of accents.txt, the speaker's middle pitch in Hz, its name for silence."""

    name: str
    accent: str
    pitch: float
    silence: str


VOICES = (
    Voice("czech_dita", "festival-czech", 180, "#"),
    Voice("czech_krb", "festival-czech", 220, "#"),
    Voice("czech_machac", "festival-czech", 110, "#"),
    Voice("czech_ph", "festival-czech", 105, "#"),
    Voice("kal_diphone", "festival-english", 105, "pau"),
    Voice("ked_diphone", "festival-english", 110, "pau"),
    Voice("suo_fi_lj_diphone", "festival-finnish", 190, "#"),
    Voice("hy_fi_mv_diphone", "festival-finnish", 105, "#"),
)

_LONG = frozenset(["ai", "au", "oy", "aa", "ee", "ii", "oo", "uu", "oe", "ts"])
_BATCH = 40
_TOLERANCE = 0.12
"""Seconds that Festival's audio may differ from the durations it was given."""


def installed() -> list[Voice]:
    """The voices on this machine."""
    if shutil.which("festival") is None:
        return []
    folders = [Path("/usr/share/festival/voices"), Path("/usr/lib/festival/voices")]
    names = {path.name for folder in folders if folder.is_dir() for path in folder.glob("*/*")}
    return [voice for voice in VOICES if voice.name in names]


def utterances(
    lexicon: Lexicon, accents: dict[str, Accent], voice: Voice, count: int, seed: int, scratch: Path
) -> Iterator[Utterance]:
    """`count` utterances by one voice, less those that Festival failed to speak."""
    rng = random.Random(f"{voice.name} {seed}")
    scratch.mkdir(parents=True, exist_ok=True)
    for start in range(0, count, _BATCH):
        jobs = [
            _segments(lexicon, accents[voice.accent], voice, rng) for _ in range(min(_BATCH, count - start))
        ]
        lines = [f"(voice_{voice.name})"]
        for k, (words, segments) in enumerate(jobs):
            items = " ".join(f'("{s.symbol}" {s.seconds:.3f} {s.target()})' for s in segments)
            wave = scratch / f"{k}.wav"
            wave.unlink(missing_ok=True)
            lines.append(f"(set! u (utt.synth (Utterance Segments ({items}))))")
            lines.append(f'(utt.save.wave u "{wave}" (quote riff))')
            del words
        script = scratch / "say.scm"
        script.write_text("\n".join(lines))
        try:
            subprocess.run(["festival", "-b", str(script)], capture_output=True, timeout=180, check=False)
        except subprocess.TimeoutExpired:
            continue
        for k, (words, segments) in enumerate(jobs):
            spoken = _read(lexicon, scratch / f"{k}.wav", tuple(words), segments, voice)
            if spoken is not None:
                yield spoken


@dataclass(frozen=True)
class _Segment:
    symbol: str
    seconds: float
    phone: str
    pitch: float

    def target(self) -> str:
        return f"({self.seconds / 2:.3f} {self.pitch:.0f})" if self.pitch else ""


def _segments(
    lexicon: Lexicon, accent: Accent, voice: Voice, rng: random.Random
) -> tuple[list[str], list[_Segment]]:
    words = phrases.utterance(lexicon, rng)
    speaker = accent.speaker(rng)
    tempo, pause = rng.uniform(0.65, 1.35), rng.choice((0, 0.1, 0.5))
    base, wide, fall = voice.pitch * rng.uniform(0.78, 1.35), rng.uniform(0.03, 0.3), rng.uniform(0, 0.25)
    out = [_Segment(voice.silence, 0.12, "SIL", 0)]
    for k, word in enumerate(words):
        for symbols, sound in speaker.says(lexicon.choose(word, 0.15, rng), lexicon.vowels):
            if sound is None or not symbols:
                continue
            seconds = (0.085 if sound.phone in lexicon.vowels else 0.07) * tempo * rng.uniform(0.8, 1.25)
            seconds *= 1.35 if sound.stressed else 1
            seconds *= 1.25 if sound.phone in _LONG else 1
            seconds *= 1.4 if len(symbols) > 1 else 1
            lift = wide * (1 if sound.stressed else rng.uniform(-0.5, 0.3))
            for symbol in symbols:
                out.append(
                    _Segment(symbol, max(0.03, seconds / len(symbols)), sound.phone, base * (1 + lift))
                )
        if k < len(words) - 1 and rng.random() < pause:
            out.append(_Segment(voice.silence, rng.uniform(0.06, 0.3), "SIL", 0))
    out.append(_Segment(voice.silence, 0.15, "SIL", 0))
    total, at, falling = sum(s.seconds for s in out), 0.0, []
    for s in out:
        falling.append(_Segment(s.symbol, s.seconds, s.phone, s.pitch * (1 - fall * at / total)))
        at += s.seconds
    return words, falling


def _read(
    lexicon: Lexicon, path: Path, words: tuple[str, ...], segments: list[_Segment], voice: Voice
) -> Utterance | None:
    try:
        wave = read(path)
    except HectorError:
        # Festival writes nothing when the voice lacks a diphone
        return None
    planned, real = sum(s.seconds for s in segments), len(wave) / 16000
    if abs(real - planned) > _TOLERANCE or float(abs(wave).max()) < 100:
        return None
    spans, at = [], 0.0
    for s in segments:
        end = at + s.seconds * real / planned
        spans.append((at, end, lexicon.number(s.phone)))
        at = end
    return Utterance(level(wave), frame_labels(spans, len(wave)), words, voice.name)

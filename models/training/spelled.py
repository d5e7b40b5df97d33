"""Voices that say German words from phones or foreign spellings; when, is found by forced alignment."""

from __future__ import annotations

import random
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from assistant.errors import HectorError
from models.training import phrases
from models.training.align import Aligner
from models.training.audio import Wave, level, read
from models.training.borrowed import Foreigners
from models.training.lexicon import Accent, Lexicon, Pronunciation, Speaking
from models.training.pools import Utterance


@dataclass(frozen=True)
class Voice:
    """pool: pico, flite or rhvoice; name: what the engine calls it; accent: section of accents.txt."""

    pool: str
    name: str
    accent: str


VOICES = (
    Voice("pico", "de-DE", "pico"),
    Voice("flite", "slt", "festival-english"),
    Voice("flite", "rms", "festival-english"),
    Voice("flite", "awb", "festival-english"),
    Voice("rhvoice", "aleksandr", "rhvoice-russian"),
    Voice("rhvoice", "anna", "rhvoice-russian"),
    Voice("rhvoice", "elena", "rhvoice-russian"),
    Voice("rhvoice", "irina", "rhvoice-russian"),
    Voice("rhvoice", "anatol", "rhvoice-ukrainian"),
    Voice("rhvoice", "natalia", "rhvoice-ukrainian"),
    Voice("rhvoice", "spomenka", "rhvoice-esperanto"),
)
"""Voices whose licence allows changed copies and commercial use; see the model card for those left out."""

_COMMANDS = {"pico": "pico2wave", "flite": "flite", "rhvoice": "RHVoice-test"}


def installed(voices: Sequence[Voice] = VOICES) -> list[Voice]:
    """Those of the voices that are on this machine."""
    out = []
    for voice in voices:
        if shutil.which(_COMMANDS[voice.pool]) is None:
            continue
        if voice.pool == "rhvoice" and not Path("/usr/share/RHVoice/voices", voice.name).is_dir():
            continue
        out.append(voice)
    return out


def utterances(
    lexicon: Lexicon,
    accents: dict[str, Accent],
    voice: Voice,
    aligner: Aligner,
    count: int,
    seed: int,
    scratch: Path,
) -> Iterator[Utterance]:
    """`count` utterances of a voice, less those that failed or do not sound like their words."""
    rng = random.Random(f"{voice.name} {seed}")
    scratch.mkdir(parents=True, exist_ok=True)
    path = scratch / f"{voice.pool}-{voice.name}.wav"
    # RHVoice takes ten times longer to start than to speak
    together = 10 if voice.pool == "rhvoice" else 1
    for start in range(0, count, together):
        said = [
            _phrase(lexicon, accents[voice.accent], phrases.utterance(lexicon, rng), rng)
            for _ in range(min(together, count - start))
        ]
        wave = _speak(voice, said, lexicon.vowels, path, rng)
        if wave is not None:
            yield from aligner.split(level(wave), [(p.words, p.forms) for p in said], voice.name)


def say(
    lexicon: Lexicon,
    accent: Accent,
    voice: Voice,
    words: Sequence[str],
    rng: random.Random,
    path: Path,
    strangers: Foreigners | None = None,
) -> Wave | None:
    """These words by one voice, or None when it failed.

    :param strangers: those whose accents it borrows; else it speaks with its own.
    """
    return _speak(voice, [_phrase(lexicon, accent, words, rng, strangers)], lexicon.vowels, path, rng)


def _speak(
    voice: Voice, said: list[_Phrase], vowels: frozenset[str], path: Path, rng: random.Random
) -> Wave | None:
    path.unlink(missing_ok=True)
    {"pico": _pico, "flite": _flite, "rhvoice": _rhvoice}[voice.pool](voice, said, vowels, path, rng)
    try:
        wave = read(path)
    except HectorError:
        return None
    return wave if float(np.abs(wave).max()) >= 100 else None


@dataclass(frozen=True)
class _Phrase:
    words: tuple[str, ...]
    forms: tuple[Pronunciation, ...]
    speaker: Speaking
    stress: str


def _phrase(
    lexicon: Lexicon,
    accent: Accent,
    words: Sequence[str],
    rng: random.Random,
    strangers: Foreigners | None = None,
) -> _Phrase:
    forms = tuple(lexicon.choose(word, 0.12, rng) for word in words)
    speaker = strangers.speaker(accent, rng) if strangers else accent.speaker(rng)
    return _Phrase(tuple(words), forms, speaker, accent.stress)


def _run(command: list[str], text: str | None = None) -> None:
    try:
        subprocess.run(
            command,
            input=None if text is None else text.encode(),
            capture_output=True,
            timeout=30,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return


def _pico(voice: Voice, said: list[_Phrase], vowels: frozenset[str], path: Path, rng: random.Random) -> None:
    parts = []
    pause = rng.choice((0.0, 0.1, 0.4))
    for form in said[0].forms:
        sounds = []
        for symbols, sound in said[0].speaker.says(form, vowels):
            if sound is not None and sound.stressed:
                sounds.append("'")
            sounds.extend(symbols)
        spelling = " ".join(sounds)
        parts.append(
            f'<phoneme alphabet="xsampa" ph="{spelling}"/>' + (" , " if rng.random() < pause else " ")
        )
    text = "".join(parts)
    speed, pitch = rng.randint(70, 140), rng.randint(55, 170)
    text = f'<speed level="{speed}"><pitch level="{pitch}">{text}</pitch></speed>'
    _run(["pico2wave", "-l", voice.name, "-w", str(path), text])


def _flite(voice: Voice, said: list[_Phrase], vowels: frozenset[str], path: Path, rng: random.Random) -> None:
    sounds = ["pau"]
    pause = rng.choice((0.0, 0.1, 0.5))
    for form in said[0].forms:
        for symbols, _ in said[0].speaker.says(form, vowels):
            sounds.extend(symbols)
        if rng.random() < pause:
            sounds.append("pau")
    middle = {"slt": 170, "rms": 95, "awb": 120}.get(voice.name, 120)
    options = {
        "duration_stretch": rng.uniform(0.8, 1.5),
        "int_f0_target_mean": middle * rng.uniform(0.8, 1.3),
        "int_f0_target_stddev": rng.uniform(5, 30),
    }
    settings = [part for name, value in options.items() for part in ("--setf", f"{name}={value:.2f}")]
    _run(["flite", "-voice", voice.name, *settings, "-p", " ".join([*sounds, "pau"]), "-o", str(path)])


def _rhvoice(
    voice: Voice, said: list[_Phrase], vowels: frozenset[str], path: Path, rng: random.Random
) -> None:
    lines = []
    for phrase in said:
        pause = rng.choice((0.0, 0.1, 0.5))
        line = ""
        for form in phrase.forms:
            many = sum(sound.phone in vowels for sound in form) > 1
            for symbols, sound in phrase.speaker.says(form, vowels):
                mark = phrase.stress if sound is not None and sound.stressed and many else ""
                line += mark + "".join(symbols)
            line += ", " if rng.random() < pause else " "
        lines.append(line.strip(" ,") + ".")
    rate, pitch = rng.randint(70, 135), rng.randint(75, 130)
    _run(
        ["RHVoice-test", "-p", voice.name, "-r", str(rate), "-t", str(pitch), "-o", str(path)],
        "\n\n".join(lines),
    )

"""The pools spoken by espeak-ng: German and accents, its own voices and random ones."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from models.training import espeak, phrases
from models.training.audio import level
from models.training.lexicon import IGNORE, Accent, Lexicon, Pronunciation, Speaker
from models.training.pools import Utterance, frame_labels


@dataclass(frozen=True)
class Recipe:
    """A pool: which accents and voices, and how many utterances in a complete training."""

    name: str
    accents: tuple[str, ...]
    voices: str
    size: int
    invented: bool = False


def recipes(accents: Sequence[Accent]) -> tuple[Recipe, ...]:
    """The espeak-ng pools; every accent that is not held out takes part."""
    foreign = tuple(
        accent.name
        for accent in accents
        if accent.engine == "espeak" and accent.voice != "de" and not accent.held_out
    )
    return (
        Recipe("stock", ("german",), "stock", 3000),
        Recipe("random", ("german",), "random", 8000),
        Recipe("uvular", ("uvular",), "both", 8000),
        Recipe("accents", foreign, "both", 12000),
        Recipe("invented", ("german", "uvular", "uvular"), "both", 3000, invented=True),
    )


_VARIATION = (0.0, 0.1, 0.5)
_MAX_EDIT = 0.45
"""espeak-ng changed more than this share of the phonemes: the labels cannot be trusted."""


def phoneme_text(
    forms: Sequence[Pronunciation], speaker: Speaker, vowels: frozenset[str], pause: float, rng: random.Random
) -> tuple[str, list[tuple[str, str | None]]]:
    """espeak-ng's input for the words, and each mnemonic given with the phone that it stands for."""
    parts: list[str] = []
    expected: list[tuple[str, str | None]] = []
    for k, form in enumerate(forms):
        text = ""
        for symbols, sound in speaker.says(form, vowels):
            for j, symbol in enumerate(symbols):
                text += ("'" if sound is not None and sound.stressed and j == 0 else "") + symbol
                expected.append((symbol, None if sound is None else sound.phone))
        parts.append(f"[[{text}]]")
        if k < len(forms) - 1:
            parts.append(rng.choice((", ", " [[_:]] ")) if rng.random() < pause else " ")
    return "".join(parts), expected


def speak(
    engine: espeak.Espeak,
    lexicon: Lexicon,
    speaker: Speaker,
    forms: Sequence[Pronunciation],
    rng: random.Random,
    voice: str,
    words: tuple[str, ...],
) -> Utterance | None:
    """One utterance with its labels, or None when the synthesiser failed or changed too much."""
    text, expected = phoneme_text(forms, speaker, lexicon.vowels, rng.choice((0.0, 0.1, 0.5)), rng)
    wave, events = engine.say(
        text,
        rate=rng.choice((rng.uniform(110, 180), rng.uniform(150, 270))),
        pitch=rng.uniform(15, 85),
        range=rng.uniform(10, 90),
        gap=rng.choice((0, 0, 0, 2, 5)),
    )
    if len(wave) < 2000 or float(np.abs(wave).max()) < 100:
        return None
    spoken = [k for k, (_, symbol) in enumerate(events) if symbol not in espeak.PAUSES]
    found, edit = espeak.match([symbol for symbol, _ in expected], [events[k][1] for k in spoken])
    if edit > _MAX_EDIT:
        return None
    which = dict(zip(spoken, found, strict=True))
    spans = []
    last: str | None = None
    for k, (start, symbol) in enumerate(events):
        end = events[k + 1][0] if k + 1 < len(events) else len(wave) / 16000
        if symbol in espeak.PAUSES:
            label = 0
        else:
            index = which[k]
            # an inserted phoneme (a glide, the second half of a long sound) belongs to the one before it
            phone = last if index is None else expected[index][1]
            label = IGNORE if phone is None else lexicon.number(phone)
            last = phone or last
        spans.append((start, end, label))
    return Utterance(level(wave), frame_labels(spans, len(wave)), words, voice)


def utterances(
    engine: espeak.Espeak,
    lexicon: Lexicon,
    accents: dict[str, Accent],
    recipe: Recipe,
    count: int,
    seed: int,
    variants: Sequence[str] | None = None,
) -> Iterator[Utterance]:
    """`count` utterances of a pool; the same seed gives the same speech."""
    rng = random.Random(f"{recipe.name} {seed}")
    voices = {"stock": engine.stock, "random": engine.random, "both": engine.stock + engine.random}
    chosen = variants or voices[recipe.voices]
    made = tried = 0
    while made < count and tried < 4 * count + 100:
        tried += 1
        accent = accents[rng.choice(recipe.accents)]
        variant = rng.choice(chosen)
        if not engine.voice(accent.voice, variant):
            continue
        speaker = accent.speaker(rng)
        if recipe.invented:
            forms = [phrases.invented_word(lexicon, rng) for _ in range(rng.randint(2, 6))]
            words: tuple[str, ...] = ()
        else:
            words = tuple(phrases.utterance(lexicon, rng))
            variation = rng.choice(_VARIATION)
            forms = [lexicon.choose(word, variation, rng) for word in words]
        spoken = speak(engine, lexicon, speaker, forms, rng, f"{accent.name}+{variant}", words)
        if spoken is not None:
            made += 1
            yield spoken

"""Accents from the mouths of people: an accent changes the phones, a voice of another language says them.

The accents are known only from espeak-ng's own throat, and the voices that come from people speak German with
the sounds of their own language. Put together, they measure what neither does: strangers with an accent.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from models.training.lexicon import Accent, Lexicon, Pronunciation, Sound, Speaker
from models.training.prompts import Unit, ipa, load_sounds, units

_VOICED = frozenset("bdgvz")
"""Symbols that espeak-ng, asked for one alone, writes without voice where its language ends words so."""

Heard = Mapping[str, tuple[Pronunciation, ...]]
"""For each of an accent's symbols the ways to write it in phones."""


@dataclass(frozen=True)
class Borrowed:
    """Someone with an accent, by the voice of another: as `Speaker`, he keeps what he once chose."""

    accent: Speaker
    voice: Speaker
    heard: Mapping[str, Pronunciation]

    def says(self, form: Pronunciation, vowels: frozenset[str]) -> list[tuple[tuple[str, ...], Sound | None]]:
        """See `Speaker.says`: the voice's symbols for each sound of the word."""
        spoken = self.accent.says(form, vowels)
        phones: list[Sound] = []
        owners: list[int] = []
        for k, (symbols, sound) in enumerate(spoken):
            for symbol in symbols:
                # a symbol that espeak-ng does not write in IPA leaves the phone as it was
                new = self.heard.get(symbol) or ((sound,) if sound is not None else ())
                phones += new
                owners += [k] * len(new)
        said: list[list[str]] = [[] for _ in spoken]
        for owner, (symbols, _) in zip(owners, self.voice.says(tuple(phones), vowels), strict=True):
            said[owner] += symbols
        return [(tuple(symbols), sound) for symbols, (_, sound) in zip(said, spoken, strict=True)]


@dataclass(frozen=True)
class Foreigners:
    """Speakers of several accents, for any voice."""

    accents: Sequence[tuple[Accent, Heard]]

    def speaker(self, voice: Accent, rng: random.Random) -> Borrowed:
        """One of them: his accent and how he and the voice speak are chosen once."""
        accent, heard = rng.choice(self.accents)
        return Borrowed(
            accent.speaker(rng),
            voice.speaker(rng),
            {symbol: rng.choice(ways) for symbol, ways in heard.items()},
        )


def foreigners(lexicon: Lexicon, accents: Iterable[Accent]) -> Foreigners:
    """Those who speak with one of these accents of espeak-ng's."""
    sounds = load_sounds(lexicon)
    return Foreigners([(accent, _heard(accent, sounds)) for accent in accents])


def _heard(accent: Accent, sounds: Mapping[str, Unit]) -> Heard:
    """What espeak-ng writes in IPA for each symbol of an accent, in phones."""
    forms = [form for forms in accent.sounds.values() for form in forms]
    symbols = sorted({symbol for form in forms for symbol in form})
    lines = ipa("\n\n".join(f"[[{symbol}]]" for symbol in symbols), accent.voice).split("\n")
    found: dict[str, tuple[Pronunciation, ...]] = {}
    for symbol, line in zip(symbols, lines, strict=False):
        said = units(line, sounds) if line.strip() else None
        if symbol in _VOICED:
            found[symbol] = ((Sound(symbol),),)
        elif said:
            found[symbol] = tuple(sum(way, ()) for way in product(*(unit.forms for unit in said)))
    return found

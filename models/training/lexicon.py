"""Lexicon, phones and accents: everything that a phonetician may correct, read from the text files here."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from assistant.errors import HectorError

HERE = Path(__file__).resolve().parent
SILENCE = "SIL"
IGNORE = 255
"""The label of a frame that teaches nothing (a sound outside the phone set)."""

STRESS = "'"


@dataclass(frozen=True)
class Sound:
    """One phone of a pronunciation."""

    phone: str
    stressed: bool = False


Pronunciation = tuple[Sound, ...]


@dataclass(frozen=True)
class Lexicon:
    """The phones in the order of the network's outputs, and every word's pronunciations, canonical first."""

    phones: tuple[str, ...]
    vowels: frozenset[str]
    words: Mapping[str, tuple[Pronunciation, ...]]

    def number(self, phone: str) -> int:
        """The 0-based output (pdf) number of a phone."""
        return self.phones.index(phone)

    def choose(self, word: str, variation: float, rng: random.Random) -> Pronunciation:
        """The canonical pronunciation, or with probability `variation` any of the word's."""
        forms = self.words[word]
        return rng.choice(forms) if rng.random() < variation else forms[0]

    def plain(self) -> str:
        """The lexicon as Kaldi writes it: a line per pronunciation, word and phones, no stress marks."""
        return "".join(
            " ".join([word, *(sound.phone for sound in form)]) + "\n"
            for word, forms in self.words.items()
            for form in forms
        )


def position_phones(phones: Sequence[str]) -> list[str]:
    """The position-dependent phones; the k-th (from 1) has phone id k.

    SIL stands alone; every other phone comes as begin, end, internal and singleton of a word.
    """
    return [SILENCE] + [f"{phone}_{place}" for phone in phones[1:] for place in "BEIS"]


def data_lines(path: Path) -> list[tuple[int, str]]:
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise HectorError(
            f"{path} cannot be read ({error.strerror}); the training data is incomplete."
        ) from error
    rows = ((number, line.strip()) for number, line in enumerate(text.splitlines(), 1))
    return [(number, line) for number, line in rows if line and not line.startswith("#")]


def load_lexicon(lexicon: Path = HERE / "lexicon.txt", phones: Path = HERE / "phones.txt") -> Lexicon:
    """Read and check both files; HectorError names the file and line of the first mistake."""
    kinds: dict[str, str] = {}
    for number, line in data_lines(phones):
        phone, _, kind = line.partition(" ")
        if kind not in ("silence", "vowel", "consonant") or phone in kinds:
            raise HectorError(f'{phones}, line {number}: "{line}" is not a new phone with its kind.')
        kinds[phone] = kind
    if next(iter(kinds), None) != SILENCE:
        raise HectorError(f"{phones}: the first phone must be {SILENCE}.")
    words: dict[str, list[Pronunciation]] = {}
    for number, line in data_lines(lexicon):
        word, *sounds = line.split()
        form = tuple(Sound(sound.lstrip(STRESS), sound.startswith(STRESS)) for sound in sounds)
        unknown = [sound.phone for sound in form if kinds.get(sound.phone, "silence") == "silence"]
        if unknown or not form:
            wrong = f'"{unknown[0]}" is not a phone' if unknown else f'"{word}" has no phones'
            raise HectorError(f"{lexicon}, line {number}: {wrong}.")
        if sum(sound.stressed for sound in form) != 1:
            raise HectorError(f"{lexicon}, line {number}: {word} needs exactly one stressed vowel.")
        if form in words.setdefault(word, []):
            raise HectorError(f"{lexicon}, line {number}: this pronunciation of {word} stands there twice.")
        words[word].append(form)
    vowels = frozenset(phone for phone, kind in kinds.items() if kind == "vowel")
    return Lexicon(tuple(kinds), vowels, {word: tuple(forms) for word, forms in words.items()})


@dataclass(frozen=True)
class Accent:
    """How one language's voices say the phones: for each the alternatives, each a tuple of symbols."""

    name: str
    engine: str
    voice: str
    sounds: Mapping[str, tuple[tuple[str, ...], ...]]
    prothesis: float = 0.0
    held_out: bool = False
    stress: str = ""
    """What the engine wants before a stressed vowel in running spelling."""

    def speaker(self, rng: random.Random) -> Speaker:
        """One synthetic speaker: he chooses among the alternatives once."""
        chosen = {phone: rng.choice(forms) for phone, forms in self.sounds.items()}
        return Speaker(chosen, rng.random() < self.prothesis)


class Speaking(Protocol):
    """One who says words in the symbols of an engine."""

    def says(self, form: Pronunciation, vowels: frozenset[str]) -> list[tuple[tuple[str, ...], Sound | None]]:
        """The symbols for each sound of a word; a sound that the lexicon does not have comes with None."""


@dataclass(frozen=True)
class Speaker:
    """One synthetic speaker of an accent."""

    sounds: Mapping[str, tuple[str, ...]]
    prothesis: bool = False

    def says(self, form: Pronunciation, vowels: frozenset[str]) -> list[tuple[tuple[str, ...], Sound | None]]:
        """See `Speaking.says`."""
        out: list[tuple[tuple[str, ...], Sound | None]] = []
        if self.prothesis and form[0].phone == "S":
            out.append((("e",), None))
        for k, sound in enumerate(form):
            symbols = self.sounds[sound.phone]
            if sound.phone == "r" and "r-onset" in self.sounds:
                before_vowel = k + 1 < len(form) and form[k + 1].phone in vowels
                symbols = self.sounds["r-onset" if before_vowel else "r-coda"]
            out.append((symbols, sound))
        return out


def load_accents(lexicon: Lexicon, path: Path = HERE / "accents.txt") -> dict[str, Accent]:
    """The accents by name; HectorError names the line of the first mistake."""
    accents: dict[str, Accent] = {}
    head: tuple[str, str, str] | None = None
    sounds: dict[str, tuple[tuple[str, ...], ...]] = {}
    options: dict[str, str] = {}

    def close() -> None:
        if head is None:
            return
        missing = [phone for phone in lexicon.phones[1:] if phone not in sounds]
        if missing:
            raise HectorError(f"{path}: the accent {head[0]} does not say how it speaks {missing[0]}.")
        accents[head[0]] = Accent(
            *head,
            dict(sounds),
            float(options.get("prothesis", 0)),
            options.get("role") == "held-out",
            options.get("stress", ""),
        )

    known = {*lexicon.phones[1:], "r-onset", "r-coda"}
    for number, line in data_lines(path):
        if line.startswith("["):
            close()
            parts = line.strip("[]").split()
            if len(parts) != 3:
                raise HectorError(f"{path}, line {number}: a section is [name engine voice].")
            head, sounds, options = (parts[0], parts[1], parts[2]), {}, {}
            continue
        key, equals, value = line.partition("=")
        key = key.strip()
        if not equals or head is None:
            raise HectorError(f'{path}, line {number}: "{line}" is not "phone = symbols".')
        if key in ("prothesis", "role", "stress"):
            options[key] = value.strip()
        elif key in known:
            sounds[key] = tuple(tuple(form.split()) for form in value.split("|"))
        else:
            raise HectorError(f'{path}, line {number}: "{key}" is not a phone of phones.txt.')
    close()
    return accents

"""Recordings of people as phones: Debian's packages of spoken prompts, whatever language they are in.

Hardly anybody says German chess words in them, but people say the sounds that German words are made of, and
the players' German has the colour of these languages. espeak-ng turns what is said into IPA, `ipa.txt` into
the phones of the network, and forced alignment tells when each was said. Sounds that German does not have
teach nothing. Who speaks stands in `speakers.py`.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from assistant.errors import HectorError
from models.training import espeak
from models.training.align import WORST, Aligner, Trace
from models.training.audio import FRAME, LONGEST, RATE, Wave, level, read
from models.training.lexicon import HERE, IGNORE, Lexicon, Pronunciation, Sound, data_lines
from models.training.network import STRIDE
from models.training.pools import Utterance
from models.training.speakers import SHARE, TELEPHONE, Speaker

_PAUSE = 25
"""Frames of silence in which a recording is cut."""
_FEWEST = 2
"""Sounds of a piece: a single one is easily found in anything."""
_LONG_ENOUGH = 60.0
"""Seconds after which a program that reads one recording or one text is given up."""
_FAINT = 100.0
"""Peak below which a recording is taken for empty."""
_MARKS = re.compile('[ˈˌːʲʰ̩̯̪̊̚?"-]')


@dataclass(frozen=True)
class Unit:
    """One sound: the ways in which it may be written in phones, and whether German has it."""

    forms: tuple[Pronunciation, ...]
    teaches: bool


def load_sounds(lexicon: Lexicon, path: Path = HERE / "ipa.txt") -> dict[str, Unit]:
    """The table of foreign sounds; HectorError names the line of the first mistake."""
    sounds: dict[str, Unit] = {}
    for number, line in data_lines(path):
        symbol, equals, right = (part.strip() for part in line.partition("="))
        if not equals or not symbol:
            raise HectorError(f'{path}, line {number}: "{line}" is not "sound = phones".')
        written = [right_hand.replace("?", "").split() for right_hand in right.split("|")]
        unknown = [phone for form in written for phone in form if phone not in lexicon.phones[1:]]
        if unknown:
            raise HectorError(f'{path}, line {number}: "{unknown[0]}" is not a phone of phones.txt.')
        forms = tuple(tuple(Sound(phone) for phone in form) for form in written if form)
        sounds[symbol] = Unit(forms, "?" not in right)
    return sounds


def units(ipa: str, sounds: Mapping[str, Unit]) -> list[Unit] | None:
    """What espeak-ng writes, sounds separated by "_"; None if one of them is not in the table."""
    found: list[Unit] = []
    for token in re.split(r"[_\s]+", ipa):
        spelt = token.lstrip("ˈˌ")
        plain = _MARKS.sub("", spelt)
        symbols = [spelt] if spelt in sounds else [plain] if plain in sounds else list(plain)
        if any(symbol not in sounds for symbol in symbols):
            return None
        found += [sounds[symbol] for symbol in symbols if sounds[symbol].forms]
    return found


def _output(command: Sequence[str | Path]) -> bytes:
    """What a program prints; nothing if it fails or hangs: no recording ends a training."""
    try:
        return subprocess.run(command, capture_output=True, check=False, timeout=_LONG_ENOUGH).stdout
    except subprocess.TimeoutExpired:
        return b""


def ipa(text: str, language: str) -> str:
    """What espeak-ng writes for a text, sounds separated by "_", a line for each clause.

    HectorError without espeak-ng.
    """
    command = [espeak.program(), "-q", "-v", language, "--ipa", "--sep=_", "--", text]
    return _output(command).decode(errors="replace")


def _read(path: Path) -> Wave:
    """The samples, by ffmpeg what only telephones use; none if they cannot be read."""
    if path.suffix not in TELEPHONE:
        try:
            return read(path)
        except HectorError:
            return np.zeros(0, np.float32)
    raw = ["-f", "s16le", "-ac", "1", "-ar", str(RATE), "-"]
    samples = _output(["ffmpeg", "-v", "error", "-nostdin", "-i", path, *raw])
    return np.frombuffer(samples[: len(samples) // 2 * 2], "<i2").astype(np.float32)


def spoken(
    speaker: Speaker, said: Iterable[tuple[Path, str]], sounds: Mapping[str, Unit]
) -> Iterator[tuple[NDArray[np.int16], list[Unit]]]:
    """The recordings that can be used, with their sounds: not silent, not too long, not too short."""
    for path, text in said:
        found = units(ipa(text, speaker.language), sounds) if text else None
        if not found:
            continue
        wave = _read(path)
        fits = STRIDE * len(found) <= len(wave) // FRAME <= LONGEST * RATE / FRAME
        if fits and float(np.abs(wave).max(initial=0)) >= _FAINT:
            yield level(wave), found


def utterances(
    lexicon: Lexicon, speaker: Speaker, aligner: Aligner, share: Path = SHARE
) -> Iterator[Utterance]:
    """The speaker's recordings in pieces between pauses, less what does not sound like its text."""
    for wave, found in spoken(speaker, speaker.texts(share), load_sounds(lexicon)):
        yield from pieces(wave, found, aligner, speaker.name)


def taught(trace: Trace, said: Sequence[Unit]) -> NDArray[np.bool_]:
    """The frames of sounds that German has."""
    teaches = np.array([unit.teaches for unit in said])
    return np.asarray((trace.owners >= 0) & teaches[trace.owners])


def pieces(
    wave: NDArray[np.int16], said: Sequence[Unit], aligner: Aligner, voice: str
) -> Iterator[Utterance]:
    """A recording of these sounds, with labels and cut in its pauses; what sounds otherwise is left out."""
    trace = aligner.trace(wave, [unit.forms for unit in said])
    spoken = trace.owners >= 0
    labels = np.where(spoken & ~taught(trace, said), IGNORE, trace.labels).astype(np.uint8)
    for first, last in _between_pauses(spoken):
        piece = Trace(labels[first:last], trace.owners[first:last], trace.losses[first:last])
        if len(set(piece.owners.tolist()) - {-1}) >= _FEWEST and piece.loss() < WORST:
            yield Utterance(wave[first * FRAME : last * FRAME], piece.labels, (), voice)


def _between_pauses(spoken: NDArray[np.bool_]) -> Iterator[tuple[int, int]]:
    """First frame and end of each piece; pauses are cut in the middle."""
    at = np.flatnonzero(spoken)
    long = np.flatnonzero(np.diff(at) > _PAUSE)
    cuts = [(int(at[k]) + int(at[k + 1])) // 2 for k in long]
    yield from zip([0, *cuts], [*cuts, len(spoken)], strict=True)

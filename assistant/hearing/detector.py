"""Is somebody speaking now? Energy in bands against a noise floor that follows the room.

Each block is compared with the least that every band fell to lately (minimum statistics), so a fan, a hum
or a hall's murmur becomes the floor within two seconds whatever its level, and speech at any level stands
out from it. The threshold for "fallen silent" rises with how far the current speech stands out: over other
people's murmur the end of a loud voice is its fall, not the murmur's end.
"""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass, field
from itertools import product

import numpy as np
from numpy.typing import NDArray

from assistant.sound import BLOCK, SAMPLE_RATE

_WINDOW = 512
_SILENT = -300.0
_ROUNDING = 1e-6
_PART = 8
_EDGES_HZ = (150, 300, 450, 650, 850, 1100, 1400, 1750, 2200, 2800, 3500, 4400, 5500, 7000)


@dataclass(frozen=True, slots=True)
class DetectorSettings:
    """What the detector goes by; decibels are means over the bands."""

    start_db: float = 4.5
    """Above the floor by this much: the beginning of a sound."""
    stay_db: float = 2.5
    """Below this it is silence, however faint the speech was."""
    faint_db: float = 1.0
    """From this much on it may be a soft word, where one is missing."""
    fall: float = 0.4
    """Below this share of what the speech reached, in decibels above the floor, it is silence too."""
    rise: float = 0.3
    """After a loud voice, what does not reach this share of it is murmur and no new voice."""
    start_blocks: int = field(default=3, metadata={"least": 1})
    """Blocks of it that make a beginning: a click is shorter."""
    soft: float = 0.5
    """What exceeds this share of it makes a beginning too, the later the softer it is; what does not takes it
    back."""
    memory_blocks: int = field(default=80, metadata={"least": _PART})
    """How far back the floor's minimum looks."""
    presumed_blocks: int = field(default=32, metadata={"least": 0})
    """How much silence is presumed before the stream began, so that speech at its very start is noticed."""
    quiet_rms: float = 3.0
    """Below this root mean square (of 32768) nothing counts as sound."""


class SpeechDetector:
    """Follows one stream of 20 ms blocks."""

    def __init__(self, settings: DetectorSettings | None = None) -> None:
        """Start as if the room had been silent before."""
        self._settings = settings or DetectorSettings()
        window = np.hanning(_WINDOW)
        frequencies = np.fft.rfftfreq(_WINDOW, 1 / SAMPLE_RATE)
        cuts = np.searchsorted(frequencies, _EDGES_HZ)
        self._window, self._first, self._stop = window, cuts[0], cuts[-1]
        self._starts = cuts[:-1] - cuts[0]
        bins = np.diff(cuts)
        self._quiet = self._settings.quiet_rms**2 * float(np.sum(window**2)) * bins
        self._frame = np.zeros(_WINDOW)
        self._smooth = self._quiet.copy()
        self._slow = self._quiet.copy()
        self._minima: deque[NDArray[np.float64]] = deque(
            [self._quiet] * (self._settings.presumed_blocks // _PART), self._settings.memory_blocks // _PART
        )
        self._least = self._quiet
        self._current = self._quiet.copy()
        # Decibels above the floor, and of the floor itself: one logarithm for both.
        self._levels = np.ones((2, len(bins)))
        self._blocks = 0
        self._above = 0.0
        self.rising = 0
        """Blocks since what may be a beginning began to stand out."""
        self._peak_db = _SILENT
        self.speech = False
        """Whether the last block belongs to a sound that stands out."""
        self.sound = False
        """Whether it is at least more than the murmur after a loud voice."""
        self.level_db = 0.0
        """How far the last block stands out."""

    @property
    def knows_the_room(self) -> bool:
        """Whether the silence that was presumed before the stream is forgotten."""
        return self._blocks >= self._settings.memory_blocks

    def accept(self, block: NDArray[np.int16]) -> bool:
        """Take the next 320 samples and return whether they are speech."""
        # A quiet room costs what is done in here, fifty times a second: every array operation counts.
        frame = self._frame
        frame[:-BLOCK] = frame[BLOCK:]
        frame[-BLOCK:] = block
        spectrum = np.fft.rfft(frame * self._window)[self._first : self._stop]
        power = np.add.reduceat(spectrum.real**2 + spectrum.imag**2, self._starts)
        self._smooth += 0.6 * (power - self._smooth)
        self._slow += 0.2 * (power - self._slow)
        self._follow_floor()
        above, floor = self._levels
        # A minimum lies below the mean of what it is the minimum of: by half again with this smoothing.
        np.minimum(self._current, self._least, out=floor)
        floor *= 1.6
        np.maximum(floor, self._quiet, out=floor)
        # A microphone that is muted delivers nothing at all, whose logarithm does not exist.
        np.divide(self._smooth, floor, out=above)
        np.minimum(np.maximum(above, 1.0, out=above), 10_000.0, out=above)
        self.level_db, floor_db = (np.log10(self._levels).sum(1) * (10 / len(floor))).tolist()
        self._decide(floor_db)
        return self.speech

    def _follow_floor(self) -> None:
        np.minimum(self._current, self._slow, out=self._current)
        self._blocks += 1
        if self._blocks % _PART == 0:
            self._minima.append(self._current)
            self._least = np.min(self._minima, axis=0)
            self._current = self._slow.copy()

    def _decide(self, floor_db: float) -> None:
        settings = self._settings
        reached = self._peak_db - floor_db
        self.sound = self.level_db >= max(settings.stay_db, settings.rise * reached)
        if self.speech:
            self._peak_db = max(self._peak_db - 0.05, floor_db + self.level_db)
            self.speech = self.level_db >= max(settings.stay_db, settings.fall * reached)
            return
        # What comes after a loud voice and far below it is murmur, for a few seconds.
        self._peak_db -= 0.1
        needed = max(settings.start_db, settings.rise * reached)
        self._above = max(0.0, self._above + min(self.level_db / needed, 1.0) - settings.soft)
        self.rising = self.rising + 1 if self._above else 0
        self.speech = self._above >= settings.start_blocks * (1 - settings.soft) - _ROUNDING
        if self.speech:
            self._above = 0.0


_LOUDNESS = 10
"""Blocks over which loudness is averaged to tell a voice from the talk behind it."""
_EDGE = _LOUDNESS // 2
"""Blocks beside a word whose level is its own in part."""
_STANDS_OUT = (12.0, 10.0, 8.0, 5.0)
"""Decibels below the loudest part within which a sound belongs to the voice near the microphone."""
_BREATHS = (75, 25)
"""Blocks for which that voice may fall below: a slow speaker's pause, or a breath."""
_ABOVE = 4.0
"""Decibels by which a sound is louder than the quietest part of what was recorded."""
_SAME = 10
"""Blocks by which two parts differ at either end that need not both be read."""
_RUN_UP = 15
"""Blocks before the voice is that loud in which its first sounds may be, and after it its last."""


def louder_parts(samples: NDArray[np.int16]) -> list[tuple[int, int]]:
    """Return from which to which sample a voice may speak that stands out of what is heard besides it.

    With longer pauses in it, and the wider part, first. Empty where nothing stands out: where it is equally
    loud all the time.
    """
    level = _levels_db(samples)
    if len(level) < 2 * _LOUDNESS:
        return []
    loudest = int(np.argmax(level))
    found: list[tuple[int, int]] = []
    for breath, below in product(_BREATHS, _STANDS_OUT):
        loud = np.flatnonzero(level >= level[loudest] - below)
        pauses = np.flatnonzero(np.diff(loud) > breath)
        before, after = pauses[loud[pauses] < loudest], pauses[loud[pauses] >= loudest]
        begin = int(loud[before[-1] + 1] if len(before) else loud[0]) - _RUN_UP
        end = int(loud[after[0]] if len(after) else loud[-1]) + 1 + _RUN_UP
        begin = begin if begin > _RUN_UP else 0
        end = end if end < len(level) - _RUN_UP else len(level)
        part = begin * BLOCK, len(samples) if end == len(level) else end * BLOCK
        if not any(_is_much_the_same(part, other) for other in ((0, len(samples)), *found)):
            found.append(part)
    return found


def _is_much_the_same(part: tuple[int, int], other: tuple[int, int]) -> bool:
    return all(abs(one - its) <= _SAME * BLOCK for one, its in zip(part, other, strict=True))


def stands_out_db(samples: NDArray[np.int16], begin: int, end: int) -> float:
    """Return by how many decibels what lies between two samples is louder than what is around it.

    Its loudest fifth of a second counts, against the median of the others; infinite where there are none.
    """
    level = _levels_db(samples)
    first, last = begin // BLOCK, -(-end // BLOCK)
    around = np.concatenate([level[: max(first - _EDGE, 0)], level[last + _EDGE :]])
    inside = level[first:last]
    return float(inside.max() - np.median(around)) if inside.size and around.size else math.inf


def sounding_blocks(samples: NDArray[np.int16]) -> int:
    """Return how many blocks stand out of the quietest part of what was recorded, by its loudness alone.

    The silence that was presumed before it is no part of it.
    """
    # At its edges half of the average is missing.
    level = _levels_db(np.trim_zeros(samples, "f"))[_EDGE:-_EDGE]
    return int(np.count_nonzero(level > level.min() + _ABOVE)) if level.size else 0


def _levels_db(samples: NDArray[np.int16]) -> NDArray[np.float64]:
    """Return the level around each block, averaged over `_LOUDNESS` of them.

    Without the constant that cheap microphones add: beside it a quiet voice is no louder than a pause.
    """
    blocks = samples[: len(samples) // BLOCK * BLOCK].reshape(-1, BLOCK).astype(np.float64)
    if len(blocks) < _LOUDNESS:
        return np.zeros(0)
    power = np.convolve(blocks.var(1), np.full(_LOUDNESS, 1 / _LOUDNESS), "same")
    return np.asarray(10 * np.log10(np.maximum(power, 1e-3)))

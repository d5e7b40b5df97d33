"""The one module that touches Vosk: graphs become recognisers here, and whole utterances become readings.

Vosk ends the process on some inputs, so nothing reaches it that was not checked before, it is called with
its log switched off, and the library is loaded on first use (it brings an HTTP client along).
"""

from __future__ import annotations

import ctypes
import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assistant.errors import HectorError
from assistant.quiet import quiet_stderr
from assistant.sound import SAMPLE_RATE

SHORTEST = 1_600
"""Samples below which nothing is decoded: the front end needs a few windows of 25 ms."""

Samples = NDArray[np.int16]

_M_MMAP_THRESHOLD = -3
"""As malloc.h numbers it."""
_LARGE = 1_000_000
"""Bytes."""
_LOUD = 5000.0
_ROOM = 8.0


@dataclass(frozen=True, slots=True)
class Word:
    """A word with its place in the audio that was decoded, in seconds."""

    text: str
    start: float
    end: float


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read a piece of audio."""

    words: tuple[Word, ...]
    score: float
    """Log score of the path divided by the acoustic scale."""

    @property
    def text(self) -> tuple[str, ...]:
        """The words alone."""
        return tuple(word.text for word in self.words)


@cache
def _vosk() -> ModuleType:
    try:
        import vosk
    except (ImportError, OSError) as error:
        raise HectorError(
            "The speech recogniser Vosk cannot be loaded ({reason}): install the Python package vosk 0.3.45.",
            reason=error,
        ) from error
    # At -1 Kaldi still prints its warnings.
    vosk.SetLogLevel(-2)
    # Where a signal breaks into the making of one, there is something to free all the same.
    vosk.Model._handle = vosk.KaldiRecognizer._handle = vosk._ffi.NULL
    _give_large_blocks_back()
    module: ModuleType = vosk
    return module


def _give_large_blocks_back() -> None:
    """Let the C library map each large block by itself, so that it goes back as soon as it is free.

    The GNU library keeps ever larger blocks in its heap once it has seen them, and the matrices of long
    utterances tear holes in it: four hours of a hall grew by 40 MB. Another C library is left as it is.
    """
    set_option = getattr(ctypes.CDLL(None), "mallopt", None)
    if set_option is not None:
        set_option(_M_MMAP_THRESHOLD, _LARGE)


_PROBE = """
import sys, vosk
vosk.SetLogLevel(-2)
recogniser = vosk.KaldiRecognizer(vosk.Model(sys.argv[1]), 16000.0, sys.argv[2])
recogniser.AcceptWaveform(bytes(32000))
recogniser.FinalResult()
"""


def probe(directory: Path, grammar: Sequence[str]) -> None:
    """Try a model whose graphs are not ours in a process of its own, which may crash.

    :raises HectorError: if it does.
    """
    words = json.dumps(list(grammar), ensure_ascii=False)
    command = [sys.executable, "-P", "-c", _PROBE, str(directory), words]
    try:
        result = subprocess.run(command, capture_output=True, timeout=300, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise HectorError(
            "The model in {directory} could not be tried out: {reason}.", directory=directory, reason=error
        ) from error
    if result.returncode:
        raise HectorError(
            "Vosk cannot work with the model in {directory}: it is damaged, or its parts do not fit.",
            directory=directory,
        )


@cache
def _room(size: int) -> NDArray[np.float32]:
    """Return so many samples of a quiet room; more of them begin with the same."""
    return np.random.default_rng(0).standard_normal(size, np.float32) * np.float32(_ROOM)


def levelled(samples: Samples) -> Samples:
    """Return the samples as loud as speech close to a microphone, in a room that is quiet but not dead.

    The network does not mind the level, but Kaldi's running mean skips frames of very low energy, so that a
    faint recording would be normalised by the training data's mean instead of its own. And no microphone
    delivers digital silence, as edited recordings have it: the network was not taught what follows it.
    """
    loud = float(np.quantile(np.abs(samples.astype(np.float32)), 0.99)) if samples.size else 0.0
    scaled = samples * np.float32(_LOUD / max(loud, 1.0))
    # A few lengths are enough for all: powers of two.
    scaled += _room(1 << samples.size.bit_length())[: samples.size]
    return np.clip(np.round(scaled), -32768, 32767).astype(np.int16)


def played(samples: Samples, pace: float) -> Samples:
    """Return the samples played faster, with a pace above 1, or slower; pitch and formants move along."""
    at = np.arange(0, samples.size - 1, pace)
    between = np.interp(at, np.arange(samples.size), samples)
    return np.asarray(np.round(between), np.int16)


class Decoder:
    """A model with one graph; every utterance gets a fresh recogniser, so that nothing carries over."""

    def __init__(
        self,
        directory: Path,
        *,
        scale: float,
        grammar: Sequence[str] | None = None,
        place: Path | None = None,
    ) -> None:
        """Load a directory laid out as Vosk wants it.

        :param scale: acoustic scale of its model.conf; scores are divided by it.
        :param grammar: phrases of written words for a model whose graph is put together at run time.
        :param place: where the model itself is, if its parts are only linked into the directory.
        :raises HectorError: if Vosk refuses the directory; without a grammar, also if its parts do not fit.
        """
        if grammar is not None and not grammar:
            raise ValueError("an empty grammar would end the process")
        self._place = place or directory
        try:
            with quiet_stderr():
                self._model: Any = _vosk().Model(str(directory))
        except HectorError:
            raise
        except Exception as error:
            raise HectorError(
                "Vosk cannot use the model in {place}: it is damaged or incomplete.", place=self._place
            ) from error
        self._scale = scale
        self._grammar: str | None = None
        if grammar is not None:
            self.set_grammar(grammar)
        else:
            # It costs nothing, and what is refused now is not refused in the middle of a game.
            with quiet_stderr():
                self._fresh_recogniser()

    def set_grammar(self, grammar: Sequence[str]) -> None:
        """Change the phrases that later utterances are decoded with."""
        if not grammar:
            raise ValueError("an empty grammar would end the process")
        # Vosk's own JSON reader keeps \\u escapes as they are and then drops the word.
        self._grammar = json.dumps(list(grammar), ensure_ascii=False)

    def decode(self, samples: Samples, *, alternatives: int = 1) -> tuple[Reading, ...]:
        """Return the best readings of one utterance, best first; none where it is too short to be one."""
        if samples.size < SHORTEST:
            return ()
        recogniser = self._fresh_recogniser()
        recogniser.SetMaxAlternatives(alternatives)
        recogniser.SetWords(True)
        recogniser.AcceptWaveform(samples.tobytes())
        result = json.loads(recogniser.FinalResult())
        return tuple(_reading(entry, self._scale) for entry in result.get("alternatives", ()))

    def _fresh_recogniser(self) -> Any:
        """:raises HectorError: if Vosk makes none, because the settings of the front end do not fit."""
        arguments = (self._model, float(SAMPLE_RATE), *([] if self._grammar is None else [self._grammar]))
        try:
            return _vosk().KaldiRecognizer(*arguments)
        except Exception as error:
            raise HectorError(
                "Vosk cannot use the model in {place}: it is damaged, or its parts do not fit.",
                place=self._place,
            ) from error


def _reading(entry: Mapping[str, Any], scale: float) -> Reading:
    words = tuple(
        Word(word["word"], float(word["start"]), float(word["end"])) for word in entry.get("result", ())
    )
    return Reading(words, float(entry["confidence"]) / scale)

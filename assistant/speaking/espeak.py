"""The one door to espeak-ng: text in, samples out.

pyttsx3's own driver cannot be stopped and ignores settings, so its ctypes binding to libespeak-ng is driven
here in synchronous mode; where that cannot be loaded, the program espeak-ng is run instead. The library has
one global state: a lock lets one text through at a time, and nothing is loaded before the first.
"""

from __future__ import annotations

import ctypes
import os
import re
import shutil
import subprocess
import threading
import tomllib
from collections.abc import Callable
from contextlib import nullcontext
from functools import cache
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from assistant.errors import HectorError, marked
from assistant.interrupts import Ending
from assistant.quiet import quiet_stderr
from assistant.resources import data_path
from assistant.speaking.environment import lent

SLOWEST: Final = 80
FASTEST: Final = 450

# From espeak-ng's speak_lib.h; the binding lacks them.
_DO_NOT_EXIT: Final = 0x8000
_EVENT_SAMPLERATE: Final = 8
_BUFFER_MS: Final = 60

_NO_SERVER: Final = "unix:/nonexistent"
"""libespeak-ng asks for the sound server even where it only fills a buffer, and one that hangs would keep it
half a minute."""

MISSING: Final = marked("There is no voice: espeak-ng is missing. Install it with: apt install espeak-ng")


class Sound(NamedTuple):
    """Speech or silence."""

    samples: NDArray[np.int16]
    """One channel."""
    rate: int
    """Samples per second."""

    @property
    def seconds(self) -> float:
        return len(self.samples) / self.rate


def synthesise(
    text: str,
    voice: str = "de",
    rate: int = 175,
    pitch: int = 50,
    volume: int = 100,
    *,
    stop: threading.Event | None = None,
) -> Sound:
    """Speak a text into memory.

    `voice` is a name of espeak-ng: a language ("de"), one with a variant ("de+f4") or a MBROLA voice
    ("mb-de2", at its own 16 kHz). `rate` is in words a minute (80 to 450), `pitch` 0 to 99, `volume` 0 to
    200 with 100 as usual; values outside are brought to the limit. Words that espeak-ng gets wrong are
    corrected by locales/*/pronunciation.toml. Setting `stop` ends the synthesis early.

    :raises HectorError: if there is no espeak-ng, or it does not know the voice.
    """
    text = pronounceable(text, voice)
    settings = (min(max(rate, SLOWEST), FASTEST), min(max(pitch, 0), 99), min(max(volume, 0), 200))
    library = _library()
    if library is not None:
        return library.speak(text, voice, *settings, stop=stop)
    return speak_by_process(text, voice, *settings)


def pronounceable(text: str, voice: str) -> str:
    """Return a text with the words that the voice would get wrong replaced by phonemes."""
    text = text.replace("[[", "[ [")
    return _put_right(text, voice, "espeak", "[[{}]]")


def respelt(text: str, language: str) -> str:
    """Return a text with the words that a voice of any make may get wrong spelt as they sound."""
    return _put_right(text, language, "spelling", "{}")


def _put_right(text: str, voice: str, table: str, written: str) -> str:
    language = re.split(r"[+-]", voice.removeprefix("mb-"), maxsplit=1)[0][:2].lower()
    corrections = _corrections(language, table)
    if not corrections:
        return text
    return _pattern(language, table).sub(lambda match: written.format(corrections[match[0].lower()]), text)


@cache
def _corrections(language: str, table: str) -> dict[str, str]:
    try:
        path = data_path("locales", language, "pronunciation.toml")
    except HectorError:
        return {}
    with path.open("rb") as file:
        return dict(tomllib.load(file).get(table, {}))


@cache
def _pattern(language: str, table: str) -> re.Pattern[str]:
    longest_first = sorted(_corrections(language, table), key=len, reverse=True)
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, longest_first))})\b", re.IGNORECASE)


class _Library:
    """libespeak-ng through pyttsx3's binding, synchronous."""

    def __init__(self, binding: Any) -> None:
        self._binding = binding
        self._lock = threading.Lock()
        self._chunks: list[bytes] = []
        self._stop: threading.Event | None = None
        with lent("PULSE_SERVER", _NO_SERVER):
            self._rate: int = binding.Initialize(
                binding.AUDIO_OUTPUT_SYNCHRONOUS, _BUFFER_MS, None, _DO_NOT_EXIT
            )
        if self._rate <= 0:
            raise HectorError(
                "The voice cannot start: espeak-ng's data files are missing. Reinstall espeak-ng."
            )
        binding.SetSynthCallback(self._collect)

    def _collect(self, samples: Any, count: int, events: Any) -> int:
        index = 0
        while events[index].type:
            if events[index].type == _EVENT_SAMPLERATE:
                self._rate = events[index].id.number
            index += 1
        if self._stop is not None and self._stop.is_set():
            return 1
        if count > 0 and samples:
            self._chunks.append(ctypes.string_at(samples, 2 * count))
        return 0

    def speak(
        self,
        text: str,
        voice: str,
        rate: int,
        pitch: int,
        volume: int,
        *,
        stop: threading.Event | None = None,
    ) -> Sound:
        binding = self._binding
        with self._lock:
            self._choose(voice)
            binding.SetParameter(binding.RATE, rate, 0)
            binding.SetParameter(binding.PITCH, pitch, 0)
            binding.SetParameter(binding.VOLUME, volume, 0)
            self._chunks, self._stop = [], stop
            # The library calls us back, and an interruption there would go nowhere.
            with Ending():
                binding.Synth(text, flags=binding.CHARS_UTF8 | binding.PHONEMES)
            return Sound(np.frombuffer(b"".join(self._chunks), np.int16), self._rate)

    def _choose(self, voice: str) -> None:
        _base, _plus, variant = voice.partition("+")
        if variant and variant not in self._variants():
            raise _unknown(voice)
        # A MBROLA voice that is not installed prints lines and leaves no voice at all behind.
        with quiet_stderr() if voice.startswith("mb-") else nullcontext():
            if self._binding.SetVoiceByName(voice.encode()):
                self._binding.SetVoiceByName(b"de")
                raise _unknown(voice)

    @cache  # noqa: B019 - there is one library and it lives as long as the process
    def _variants(self) -> frozenset[str]:
        asked = self._binding.VOICE()
        asked.languages = b"variant"
        voices = self._binding.ListVoices(ctypes.pointer(asked))
        return frozenset(voice.identifier.decode().rpartition("/")[2] for voice in voices)


def _unknown(voice: str) -> HectorError:
    return HectorError("espeak-ng knows no voice '{voice}'. The list: espeak-ng --voices", voice=voice)


@cache
def _library() -> _Library | None:
    """Return the library, or `None` where it cannot be loaded."""
    with quiet_stderr():
        try:
            from pyttsx3.drivers import _espeak
        except (ImportError, OSError, RuntimeError, AttributeError):
            return None
        return _Library(_espeak)


def speak_by_process(text: str, voice: str, rate: int, pitch: int, volume: int) -> Sound:
    """Speak a text into memory with the program espeak-ng: slower, the same sound.

    :raises HectorError: if there is no such program, or it does not know the voice.
    """
    program = shutil.which("espeak-ng")
    if program is None:
        raise HectorError(MISSING)
    options = ["-v", voice, "-s", str(rate), "-p", str(pitch), "-a", str(volume), "-z", "--stdin", "--stdout"]
    try:
        run = subprocess.run(
            [program, *options],
            input=text.encode(),
            capture_output=True,
            timeout=20,
            check=True,
            env=os.environ | {"PULSE_SERVER": _NO_SERVER},
        )
    except (OSError, subprocess.SubprocessError) as error:
        raise _unknown(voice) from error
    header, samples = run.stdout[:44], run.stdout[44:]
    if header[:4] != b"RIFF":
        raise _unknown(voice)
    return Sound(
        np.frombuffer(samples[: len(samples) // 2 * 2], "<i2"), int.from_bytes(header[24:28], "little")
    )


def check_voice(voice: str = "de") -> None:
    """Prove that a voice speaks.

    :raises HectorError: if it does not; the sentence says how to mend it.
    """
    if not np.any(synthesise("eins", voice).samples):
        raise HectorError("The voice '{voice}' of espeak-ng is silent. Reinstall espeak-ng.", voice=voice)


Synthesise = Callable[..., Sound]

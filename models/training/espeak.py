"""espeak-ng through its C API: samples together with the time of every phoneme."""

from __future__ import annotations

import ctypes
import ctypes.util
import random
import shutil
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from assistant.errors import HectorError
from models.training.audio import resample

HELD_OUT = ("f4", "m3", "klatt4", "Annie", "Denis", "whisperf")
"""Variants that no training ever hears: they measure, and they speak in the demonstration."""

UNSUITABLE = frozenset(
    # not voices of people, or the same as another one
    ["fast", "Mr", "whisper", "UniRobot", "announcer", "Demonic", "anikaRobot"]
)

_SYNCHRONOUS, _PHONEME_EVENTS = 2, 1
_EVENT_END, _EVENT_PHONEME = 0, 7
_UTF8, _PHONEMES = 1, 0x100
_PARAMETERS = {"rate": 1, "pitch": 3, "range": 4, "gap": 7}


class _Name(ctypes.Union):
    _fields_ = [("number", ctypes.c_int), ("name", ctypes.c_char_p), ("string", ctypes.c_char * 8)]


class _Event(ctypes.Structure):
    _fields_ = [
        ("type", ctypes.c_int),
        ("unique_identifier", ctypes.c_uint),
        ("text_position", ctypes.c_int),
        ("length", ctypes.c_int),
        ("audio_position", ctypes.c_int),
        ("sample", ctypes.c_int),
        ("user_data", ctypes.c_void_p),
        ("id", _Name),
    ]


def library() -> str:
    """The name of espeak-ng's library; HectorError without it."""
    return _there(ctypes.util.find_library("espeak-ng"))


def program() -> str:
    """The path of the program espeak-ng; HectorError without it."""
    return _there(shutil.which("espeak-ng"))


def _there(found: str | None) -> str:
    if found is None:
        raise HectorError("There is no synthesiser: install espeak-ng (Debian: apt install espeak-ng).")
    return found


class Espeak:
    """The synthesiser with a data folder of its own, so that random voice variants can be added.

    Raises HectorError without espeak-ng.
    """

    _running: ClassVar[bool] = False

    def __init__(self, folder: Path, languages: Iterable[str], variants: int, seed: int) -> None:
        name = library()
        # the library keeps the folder and the voices that it was given first, by whomever in this process,
        # and to end it can hang: whoever speaks with it otherwise is left the library as it was
        shared = ctypes.CDLL(name)
        loaded = _loaded()
        if loaded is None and Espeak._running:
            raise HectorError("A second synthesiser in one process needs Linux: use a process for each.")
        self._library = shared if loaded is None else _another(loaded, folder)
        Espeak._running = True
        source = _data_folder(self._library)
        self._samples: list[NDArray[np.int16]] = []
        self._events: list[tuple[int, str]] = []
        own = own_data(source, folder, languages, variants, seed)
        self.stock = sorted(
            path.name
            for path in (source / "voices" / "!v").iterdir()
            if path.name not in UNSUITABLE and path.name not in HELD_OUT
        )
        self.random = [f"hector{k:03d}" for k in range(variants)]
        self._library.espeak_Initialize.argtypes = [ctypes.c_int, ctypes.c_int, ctypes.c_char_p, ctypes.c_int]
        self._rate = self._library.espeak_Initialize(_SYNCHRONOUS, 0, str(own).encode(), _PHONEME_EVENTS)
        if self._rate <= 0:
            raise HectorError(f"espeak-ng cannot use its data in {own}: remove that folder and try again.")
        kind = ctypes.CFUNCTYPE(
            ctypes.c_int, ctypes.POINTER(ctypes.c_short), ctypes.c_int, ctypes.POINTER(_Event)
        )
        self._callback = kind(self._receive)
        self._library.espeak_SetSynthCallback(self._callback)

    def _receive(self, wave: Any, count: int, events: Any) -> int:
        if wave and count > 0:
            self._samples.append(np.ctypeslib.as_array(wave, (count,)).copy())
        k = 0
        while events[k].type != _EVENT_END:
            if events[k].type == _EVENT_PHONEME:
                symbol = ctypes.string_at(ctypes.addressof(events[k].id), 8).split(b"\0")[0]
                self._events.append((events[k].audio_position, symbol.decode("utf-8", "replace")))
            k += 1
        return 0

    def voice(self, language: str, variant: str) -> bool:
        """Choose a voice; False when this espeak-ng does not have it."""
        return bool(self._library.espeak_SetVoiceByName(f"{language}+{variant}".encode()) == 0)

    def say(self, text: str, **parameters: float) -> tuple[NDArray[np.float32], list[tuple[float, str]]]:
        """Speak text (phonemes in [[ ]]): samples at 16 kHz and (seconds, mnemonic) of every phoneme."""
        self._samples.clear()
        self._events.clear()
        for name, value in parameters.items():
            self._library.espeak_SetParameter(_PARAMETERS[name], int(value), 0)
        data = text.encode()
        self._library.espeak_Synth(data, len(data) + 1, 0, 1, 0, _UTF8 | _PHONEMES, None, None)
        self._library.espeak_Synchronize()
        wave = np.concatenate(self._samples) if self._samples else np.zeros(0, np.int16)
        events = [(position / 1000, symbol) for position, symbol in self._events]
        return resample(wave.astype(np.float32), self._rate), events


def _loaded() -> Path | None:
    """The library's file if this process has it."""
    maps = Path("/proc/self/maps")
    lines = maps.read_text().split("\n") if maps.is_file() else []
    files = (Path(line.split(maxsplit=5)[5]) for line in lines if "/libespeak-ng.so" in line)
    return next((path for path in files if path.is_file()), None)


def _another(loaded: Path, folder: Path) -> ctypes.CDLL:
    """The library once more, with globals of its own: the loader knows libraries by their file."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=folder, prefix="libespeak-ng-") as own:
        own.write(loaded.read_bytes())
        own.flush()
        return ctypes.CDLL(own.name)


def _data_folder(library: ctypes.CDLL) -> Path:
    library.espeak_Info.restype = ctypes.c_char_p
    path = ctypes.c_char_p()
    library.espeak_Info(ctypes.byref(path))
    found = Path((path.value or b"").decode())
    if (found / "voices" / "!v").is_dir():
        return found
    for place in ("/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/share", "/usr/lib"):
        if (Path(place) / "espeak-ng-data" / "voices" / "!v").is_dir():
            return Path(place) / "espeak-ng-data"
    raise HectorError("espeak-ng's data folder was not found: install espeak-ng-data.")


def own_data(source: Path, folder: Path, languages: Iterable[str], variants: int, seed: int) -> Path:
    """A data folder of links to espeak-ng's own, with `variants` random voices added; returns its parent.

    espeak-ng holds at most 349 voices and forgets the rest, hence only the languages needed (by file name,
    "en" for British English).
    """
    languages = {language.replace("en-us", "en-US") for language in languages}
    own = folder / "espeak-ng-data"
    (own / "voices" / "!v").mkdir(parents=True, exist_ok=True)
    links = [path for path in source.iterdir() if path.name not in ("voices", "lang")]
    links += [path for path in (source / "lang").rglob("*") if path.name in languages]
    links += list((source / "voices" / "!v").iterdir())
    for path in links:
        link = own / path.relative_to(source)
        link.parent.mkdir(parents=True, exist_ok=True)
        if not link.is_symlink() and not link.exists():
            link.symlink_to(path)
    rng = random.Random(seed)
    for k in range(variants):
        (own / "voices" / "!v" / f"hector{k:03d}").write_text(random_variant(f"hector{k:03d}", rng))
    return folder


def random_variant(name: str, rng: random.Random) -> str:
    """A voice that espeak-ng does not have: formants, pitch, tone, breath and roughness at random.

    Half are men, two fifths women, the rest children, by the length of the vocal tract and the pitch.
    """
    kind = rng.random()
    man, child = kind < 0.5, kind >= 0.9
    tract = rng.uniform(0.86, 1.04) if man else rng.uniform(1.2, 1.38) if child else rng.uniform(1.0, 1.25)
    pitch = rng.uniform(65, 130) if man else rng.uniform(220, 330) if child else rng.uniform(130, 240)
    lines = [
        "language variant",
        f"name {name}",
        f"gender {'male' if man else 'female'}",
        f"pitch {pitch:.0f} {pitch * rng.uniform(1.1, 1.8):.0f}",
    ]
    width, strength = rng.uniform(60, 160), rng.uniform(80, 125)
    for formant in range(9):
        lines.append(
            f"formant {formant} {100 * tract * rng.gauss(1, 0.05):.0f} "
            f"{strength * rng.uniform(0.75, 1.3):.0f} {width * rng.uniform(0.8, 1.25):.0f}"
        )
    if rng.random() < 0.6:
        bands = ((100, 700), (900, 1500), (1800, 2600), (3000, 4500))
        lines.append("tone " + " ".join(f"{rng.randint(*band)} {rng.randint(60, 220)}" for band in bands))
    if rng.random() < 0.5:
        lines.append(f"flutter {rng.randint(0, 15)}")
    if rng.random() < 0.5:
        lines.append(f"roughness {rng.randint(0, 6)}")
    lines.append(f"voicing {rng.randint(60, 130)}")
    lines.append(f"consonants {rng.randint(50, 180)} {rng.randint(50, 180)}")
    if rng.random() < 0.4:
        lines.append("breath " + " ".join(str(rng.randint(0, 6)) for _ in range(8)))
    if rng.random() < 0.5:
        lines.append(f"intonation {rng.randint(1, 4)}")
    if rng.random() < 0.15:
        lines.append(f"klatt {rng.randint(1, 6)}")
    return "\n".join(lines) + "\n"


PAUSES = frozenset(["_:", "_", "_|", "_!", "_^_", "_;_", "_::", "_X1", "?", ""])


def is_vowel(symbol: str) -> bool:
    return symbol[:1] in tuple("aAeEiIoOuUyYV@3W028&")


def match(expected: Sequence[str], heard: Sequence[str]) -> tuple[list[int | None], float]:
    """Align the phonemes that espeak-ng reports with those that it was given.

    It changes some on the way (assimilation, allophones). Returns for each reported one the index of the
    expected one (None: inserted), and the edit cost per expected phoneme.
    """
    n, m = len(expected), len(heard)
    cost = np.zeros((n + 1, m + 1))
    cost[:, 0], cost[0, :] = np.arange(n + 1), np.arange(m + 1)

    def differ(i: int, j: int) -> float:
        a, b = expected[i - 1], heard[j - 1]
        return 0.0 if a == b else 0.6 if is_vowel(a) == is_vowel(b) else 1.6

    for i in range(1, n + 1):
        for j in range(1, m + 1):
            cost[i, j] = min(cost[i - 1, j - 1] + differ(i, j), cost[i - 1, j] + 1, cost[i, j - 1] + 1)
    found: list[int | None] = [None] * m
    i, j = n, m
    while i > 0 and j > 0:
        if abs(cost[i, j] - cost[i - 1, j - 1] - differ(i, j)) < 1e-9:
            found[j - 1] = i - 1
            i, j = i - 1, j - 1
        elif abs(cost[i, j] - cost[i, j - 1] - 1) < 1e-9:
            j -= 1
        else:
            i -= 1
    return found, float(cost[n, m]) / max(1, n)

"""A small vocabulary, the embedded model, and voices that it was not trained on."""

from __future__ import annotations

import io
import shutil
import subprocess
from functools import cache
from pathlib import Path

import chess
import numpy as np
import pytest
import soundfile
import soxr
from numpy.typing import NDArray

from assistant.announcements import Phrasebook, build_phrasebook, load_vocabulary
from assistant.ears import ears_of
from assistant.hearing import AcousticModel, Recogniser, load_model

Samples = NDArray[np.int16]
RATE = 16_000


@cache
def model() -> AcousticModel:
    return load_model()


@cache
def _recogniser() -> Recogniser:
    return ears_of(model(), load_vocabulary("de")).recogniser


def fresh_recogniser() -> Recogniser:
    """A recogniser at the beginning of a stream that expects the first move of a game."""
    recogniser = _recogniser()
    recogniser.restart()
    recogniser.expect(book().word_graph())
    return recogniser


def copy_of_model(place: Path) -> Path:
    """A copy of the embedded model that a test may damage."""
    shutil.copytree(model().path, place / "model")
    return place / "model"


def book(fen: str = chess.STARTING_FEN) -> Phrasebook:
    return build_phrasebook(chess.Board(fen), load_vocabulary("de"))


@cache
def say(text: str, voice: str = "de+f4", rate: int = 150) -> Samples:
    """German text by a voice that training leaves out, without silence around it, as loud as a voice is."""
    if not shutil.which("espeak-ng"):
        pytest.skip("NOT TESTED: espeak-ng is missing (apt install espeak-ng)")
    command = ["espeak-ng", "-v", voice, "-s", str(rate), "--stdout", text]
    sound = subprocess.run(command, capture_output=True, check=True).stdout
    wave, hz = soundfile.read(io.BytesIO(sound), dtype="float64")
    wave = soxr.resample(wave, hz, RATE)
    wave *= 12_000 / np.abs(wave).max()
    loud = np.flatnonzero(np.abs(wave) > 60)
    return wave[loud[0] : loud[-1] + 1].round().astype(np.int16)


def quiet(seconds: float, seed: int = 0) -> Samples:
    """A quiet room."""
    noise = np.random.default_rng(seed).standard_normal(round(seconds * RATE)) * 2
    return noise.round().astype(np.int16)


def in_room(*pieces: Samples | float) -> Samples:
    """Sounds and, given as seconds, pauses, with a second of quiet room before and after."""
    parts = [
        quiet(piece, k) if isinstance(piece, float) else piece for k, piece in enumerate((1.0, *pieces, 1.5))
    ]
    return np.concatenate(parts)

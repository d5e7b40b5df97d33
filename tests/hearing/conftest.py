"""A small vocabulary, the embedded model, and voices that it was not trained on."""

from __future__ import annotations

import io
import shutil
import subprocess
from collections.abc import Callable
from functools import cache
from pathlib import Path

import chess
import numpy as np
import pytest
import soundfile
import soxr
from numpy.typing import NDArray

from assistant.announcements import Phrasebook, build_phrasebook, load_vocabulary, open_grammar
from assistant.hearing import AcousticModel, Recogniser, load_model

Samples = NDArray[np.int16]
Say = Callable[..., Samples]
RATE = 16_000


@pytest.fixture(scope="session")
def model() -> AcousticModel:
    return load_model()


@pytest.fixture(scope="session")
def shared_recogniser(model: AcousticModel) -> Recogniser:
    return Recogniser(model, open_grammar=open_grammar(load_vocabulary("de")))


@pytest.fixture
def recogniser(shared_recogniser: Recogniser) -> Recogniser:
    shared_recogniser.restart()
    shared_recogniser.expect(book().word_graph())
    return shared_recogniser


@pytest.fixture
def model_copy(model: AcousticModel, tmp_path: Path) -> Path:
    """A copy of the embedded model that a test may damage."""
    copy = tmp_path / "model"
    shutil.copytree(model.path, copy)
    return copy


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

"""The synthesiser through its C API, several times in one process."""

from __future__ import annotations

import ctypes
import ctypes.util
import shutil
from pathlib import Path

import pytest

pytest.importorskip("scipy", reason="the training extra is not installed: its tests are skipped")

from models.training.espeak import Espeak

pytestmark = pytest.mark.skipif(shutil.which("espeak-ng") is None, reason="espeak-ng is not installed")


def test_one_synthesiser_after_another_in_the_same_folder_speaks(tmp_path: Path) -> None:
    for seed in range(3):
        engine = Espeak(tmp_path / "data", {"de"}, 1, seed)
        assert engine.voice("de", "m1")
        wave, phones = engine.say("Bella")
        assert len(wave) > 4000
        assert [symbol for _, symbol in phones if symbol not in ("_:", "_")]


def test_a_synthesiser_outlives_the_folder_of_the_one_before(tmp_path: Path) -> None:
    for name in ("first", "second", "third"):
        engine = Espeak(tmp_path / name, {"de"}, 0, 1)
        assert engine.voice("de", "f1")
        shutil.rmtree(tmp_path / name)
    again = Espeak(tmp_path / "fourth", {"de"}, 0, 1)
    assert again.voice("de", "f1")
    assert len(again.say("Anna")[0]) > 4000


def test_a_synthesiser_that_somebody_else_began_has_other_voices(tmp_path: Path) -> None:
    library = ctypes.CDLL(ctypes.util.find_library("espeak-ng"))
    library.espeak_Initialize(2, 0, None, 0)
    engine = Espeak(tmp_path, {"de"}, 0, 1)
    assert engine.voice("de", "f1") and not engine.voice("it", "f1")


def test_who_speaks_after_a_synthesiser_has_all_voices(tmp_path: Path) -> None:
    Espeak(tmp_path, {"de"}, 0, 1)
    library = ctypes.CDLL(ctypes.util.find_library("espeak-ng"))
    library.espeak_Initialize(2, 0, None, 0)
    assert library.espeak_SetVoiceByName(b"it") == 0

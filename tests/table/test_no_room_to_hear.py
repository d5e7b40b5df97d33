"""A disk for temporary files that is full: nobody is heard, and the game goes on by keyboard."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

import numpy as np
import pytest
from full_disk import full_disk

from assistant.announcements import Thresholds, load_vocabulary
from assistant.cli import main
from assistant.ears import ears_of
from assistant.errors import HectorError
from assistant.hearing import Recogniser, load_model
from assistant.sound import SAMPLE_RATE
from assistant.speaking import synthesise
from assistant.speaking.outputs import at_rate
from assistant.table import NoRecord, PaperVoice, Person, Setup, Table
from assistant.table.running import Listening, RecogniserEar

DEAF = "Hector: Ich höre nichts mehr. Züge bitte tippen."
BACK = "Hector: Ich höre wieder."


class Game:
    """A game that is heard and typed."""

    def __init__(self) -> None:
        self.shown: list[str] = []
        self.warned: list[str] = []
        recogniser = ears_of(load_model(), load_vocabulary("de")).recogniser
        setup = Setup(white=Person("W", True), black=Person("B", True), press="word", language="de")
        ear = RecogniserEar(recogniser, self.warned.append)
        self.table = Table(
            setup, load_vocabulary("de"), Thresholds(), PaperVoice(), NoRecord(), ear, self.shown.append
        )
        self.table.start()
        self.listening = Listening(self.table, recogniser)

    def type(self, *moves: str) -> None:
        for move in moves:
            self.table.type(move, self.listening.now)

    def announce(self, words: str) -> None:
        samples = at_rate(synthesise(words, "de+m3", rate=140), SAMPLE_RATE)
        quiet = (
            np.random.default_rng(2)
            .normal(0, 4, len(samples) + 3 * SAMPLE_RATE // 320 * 320)
            .astype(np.int16)
        )
        quiet[SAMPLE_RATE // 2 :][: len(samples)] += samples // 2
        for block in quiet[: len(quiet) // 320 * 320].reshape(-1, 320):
            self.listening.take(block)


@pytest.fixture(scope="module")
def game() -> Game:
    """A game in which there was no room for two moves, and then again for a third."""
    game = Game()
    with full_disk():
        game.type("e4", "", "e5", "")
        game.announce("Springer Felix drei")
    return game


def test_the_game_goes_on_by_keyboard(game: Game) -> None:
    assert game.table.plies >= 2
    assert "Hector: Springer Felix drei" not in game.shown


def test_that_nobody_is_heard_is_told_once_and_why_on_the_screen(game: Game) -> None:
    assert game.shown.count(DEAF) == 1
    [reason] = game.warned
    assert "temporary files" in reason


def test_whoever_types_when_there_is_room_again_is_heard_from_then_on(game: Game) -> None:
    game.type("Nf3", "")
    assert game.shown.count(BACK) == 1
    game.announce("Springer Cäsar sechs")
    assert game.shown[-1] == "Hector: Springer Cesar sechs"


def test_a_folder_that_somebody_removed_is_told_when_the_next_word_begins_and_made_anew_for_the_next_move(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    game = Game()
    game.type("e4", "")
    [folder] = tmp_path.iterdir()
    shutil.rmtree(folder)
    assert DEAF not in game.shown
    game.announce("Eva fünf")
    game.type("e5", "")
    assert game.table.plies == 2
    assert game.shown.count(DEAF) == len(game.warned) == game.shown.count(BACK) == 1
    assert "was emptied" in game.warned[0]
    game.announce("Springer Felix drei")
    assert game.shown[-1] == "Hector: Springer Felix drei"


def test_a_phrase_that_there_is_no_room_to_look_for_is_not_found() -> None:
    recogniser = ears_of(load_model(), load_vocabulary("de")).recogniser
    recogniser.expect([("eva", "vier")])
    with full_disk():
        assert recogniser._ear.legal_after_all(np.zeros(SAMPLE_RATE, np.int16)) == ()


def test_who_plays_by_keyboard_alone_has_nobody_listening(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_given: object) -> None:
        raise HectorError("no room")

    monkeypatch.setattr(Recogniser, "expect", refuse)
    with Path(os.devnull).open() as nobody:
        monkeypatch.setattr("sys.stdin", nobody)
        assert main(["play", "--keyboard", "--speak-to", os.devnull, "--save", str(tmp_path / "game")]) == 0
    assert capsys.readouterr().err == ""

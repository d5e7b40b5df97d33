"""The demonstration: games that voices play at a table, understood by the very code that hears people."""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

from assistant.announcements import Thresholds, load_thresholds, load_vocabulary, open_grammar
from assistant.demonstration import Demonstration, Players, Tally, games
from assistant.hearing import AcousticModel, Recogniser, load_model
from assistant.speaking import Nowhere, Output, WavFile, choose_language
from assistant.table.folder import new_folder, prepare
from assistant.table.game import Table
from assistant.table.record import open_record
from assistant.table.running import RecogniserEar, play_stream
from assistant.table.voices import voice_without_device


def run(save: Path | None, *, speak_to: Path | None = None, language: str | None = None) -> int:
    """Play every game of the demonstration, print what is heard and said, and where the sheets are."""
    model = load_model()
    output: Output = Nowhere() if speak_to is None else WavFile(speak_to)
    parent = Path(tempfile.mkdtemp(prefix="hector-")) if save is None else save
    failed = False
    for number, game in enumerate(games(), 1):
        setup = game.setup
        print(f"Game {number}: {setup.white.name} against {setup.black.name}, {setup.site} {setup.date[:4]}.")
        folder = prepare(new_folder(setup, parent))
        tally, seconds, took = play_one(game, model, folder, output, choose_language(language))
        failed |= tally.failed or tally.wrong > 0
        print(
            f"Announced {tally.announced} moves, understood at once {tally.at_once}, "
            f"asked back {tally.asked_back}, wrong {tally.wrong}."
        )
        print(f"{seconds:.0f} seconds of sound took {took:.0f} seconds. The sheets are in {folder}")
        print((folder / "sheet.txt").read_text(encoding="utf-8").split("\f")[0].rstrip())
    output.close()
    return 1 if failed else 0


def play_one(
    game: Demonstration, model: AcousticModel, folder: Path, output: Output, language: str
) -> tuple[Tally, float, float]:
    """Play one game; return how it was understood, the seconds of sound, and the seconds it took."""
    vocabulary = load_vocabulary("de")
    recogniser = Recogniser(model, open_grammar=open_grammar(vocabulary))
    thresholds = load_thresholds(model.thresholds) if model.thresholds else Thresholds()
    record = open_record(folder, _warn)
    players = Players(game, vocabulary)
    table = Table(
        game.in_language(language).setup,
        vocabulary,
        thresholds,
        voice_without_device(output),
        record,
        RecogniserEar(recogniser),
        show=_show,
    )
    began = time.monotonic()
    try:
        table.start()
        seconds = play_stream(table, recogniser, players.blocks(table))
    finally:
        record.close()
    players.settle(table)
    return players.tally, seconds, time.monotonic() - began


def _show(line: str) -> None:
    print(line, flush=True)


def _warn(line: str) -> None:
    print(f"hector: {line}", file=sys.stderr, flush=True)

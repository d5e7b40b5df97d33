"""The demonstration: games that voices play at a table, understood by the very code that hears people."""

from __future__ import annotations

import contextlib
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from assistant.announcements import load_vocabulary
from assistant.called import command
from assistant.demonstration.games import Demonstration, games
from assistant.demonstration.players import Players, Tally
from assistant.demonstration.stage import Stage
from assistant.ears import ears_of
from assistant.errors import HectorError, marked
from assistant.hearing import AcousticModel, Samples, load_model
from assistant.speaking import Nowhere, Output, WavFile, check_new, choose_language, told
from assistant.table import Table, open_record
from assistant.table.folder import new_folder, prepare
from assistant.table.keyboard import Keyboard, has_terminal
from assistant.table.leaving import leave
from assistant.table.lineeditor import is_quit
from assistant.table.running import RecogniserEar, play_stream
from assistant.table.storage import Evidence
from assistant.table.terminal import warn
from assistant.table.voices import voice_without_device


class Left(Exception):  # noqa: N818
    """Somebody has left the demonstration in the middle of a game, which is no error."""

    status = 0
    """The exit status: 1 if the game's folder has not taken all of it."""


@dataclass(frozen=True, slots=True)
class Shown:
    """How one game went."""

    tally: Tally
    sound: float
    """Seconds of sound."""
    took: float
    """Seconds that it took."""
    is_silent: bool
    """Whether Hector's voice failed."""


def run(save: Path | None, speak_to: Path | None, language: str | None, *, aloud: bool) -> int:
    """Play every game, print what is heard and said, and where the sheets are; 1 if anything failed.

    With a loudspeaker and `aloud` the games are heard, in real time; else they take as long as they must.
    At a terminal q and Enter end it, with status 0 where the game that was played is kept.

    :raises UsageError: if a file of `speak_to` holds something already.
    """
    model = load_model()
    if speak_to is not None:
        for number, _game in enumerate(games(), 1):
            check_new(_file(speak_to, number))
    parent = Path(tempfile.mkdtemp(prefix="hector-")) if save is None else save
    if not has_terminal():
        return _show_games(model, parent, speak_to, language, lambda: False, aloud=aloud)
    _tell_how_to_leave()
    print(told(marked("A game by keyboard: {command}", command=command("play", "--keyboard"))), flush=True)
    with Keyboard() as keyboard:
        try:
            return _show_games(model, parent, speak_to, language, lambda: _is_left(keyboard), aloud=aloud)
        except Left as left:
            return left.status


def _tell_how_to_leave() -> None:
    print(told(marked("q and Enter: stop.")), flush=True)


def _is_left(keyboard: Keyboard) -> bool:
    """Return whether somebody has typed that he leaves; who has typed anything else is told how."""
    typed = keyboard.pending()
    if any(map(is_quit, typed)):
        return True
    if typed:
        _tell_how_to_leave()
    return False


def _show_games(
    model: AcousticModel,
    parent: Path,
    speak_to: Path | None,
    language: str | None,
    is_left: Callable[[], bool],
    *,
    aloud: bool,
) -> int:
    failed = False
    for number, game in enumerate(games(), 1):
        setup = game.setup
        opened = marked(
            "Game {number}: {white} against {black}, {place}.",
            number=number,
            white=setup.white.name,
            black=setup.black.name,
            place=f"{setup.site} {setup.date[:4]}",
        )
        print(told(opened))
        folder = prepare(new_folder(setup, parent))
        with contextlib.closing(_output(speak_to, number, aloud=aloud)) as output:
            shown = play(game.in_language(choose_language(language)), model, folder, output, is_left)
        tally = shown.tally
        failed |= tally.failed or tally.wrong > 0 or shown.is_silent
        counted = marked(
            "Announced {announced} moves, understood at once {at_once}, asked back {asked_back}, "
            "wrong {wrong}.",
            announced=tally.announced,
            at_once=tally.at_once,
            asked_back=tally.asked_back,
            wrong=tally.wrong,
        )
        print(told(counted))
        took = marked(
            "{sound:.0f} seconds of sound took {took:.0f}. The sheets are in {folder}",
            sound=shown.sound,
            took=shown.took,
            folder=folder,
        )
        print(told(took))
        print((folder / "sheet.txt").read_text(encoding="utf-8").split("\f")[0].rstrip(), flush=True)
    return 1 if failed else 0


def _output(speak_to: Path | None, number: int, *, aloud: bool) -> Output:
    """Return where Hector's voice goes."""
    if speak_to is not None:
        return WavFile(_file(speak_to, number))
    if aloud:
        with contextlib.suppress(HectorError):
            return Stage()
    return Nowhere()


def _file(speak_to: Path, number: int) -> Path:
    """Return the file of one game: each has its own."""
    return speak_to if number == 1 else speak_to.with_stem(f"{speak_to.stem}-{number}")


def play(
    game: Demonstration,
    model: AcousticModel,
    folder: Path,
    output: Output,
    is_left: Callable[[], bool] = lambda: False,
) -> Shown:
    """Play one game into a new folder and return how it was understood.

    :raises Left: as soon as `is_left`, after it was told where the game is kept.
    :raises KeyboardInterrupt: if a signal ends it, after the same.
    """
    ears = ears_of(model, load_vocabulary("de"))
    record = open_record(folder, warn)
    players = Players(game, ears.vocabulary)
    voice = voice_without_device(output)
    table = Table(
        game.setup,
        ears.vocabulary,
        ears.thresholds,
        voice,
        record,
        RecogniserEar(ears.recogniser),
        show=_show,
    )
    began = time.monotonic()
    with contextlib.closing(record):
        try:
            blocks = players.blocks(table)
            if isinstance(output, Stage):
                blocks = output.played(blocks)
            evidence = Evidence(table, record.locate)
            seconds = play_stream(table, ears.recogniser, _until(is_left, blocks), evidence)
        except (Left, KeyboardInterrupt) as ended:
            # Its moves are all that it shows: nobody is to sit down at it and go on.
            status = leave(table, record, folder, is_stopped=False)
            if isinstance(ended, Left):
                ended.status = status
            raise
    players.settle(table)
    return Shown(players.tally, seconds, time.monotonic() - began, voice.has_failed)


def _until(is_left: Callable[[], bool], blocks: Iterable[Samples]) -> Iterator[Samples]:
    """Yield the blocks of a game.

    :raises Left: instead of the next one when somebody has left.
    """
    for block in blocks:
        if is_left():
            raise Left
        yield block


def _show(line: str) -> None:
    print(line, flush=True)

"""Measures a live game: how soon it answers, how soon it is silent, its clock, its memory, its idle time.

    python -m benchmarks.table [--moves 20] [--seconds 20] [--positions 300] [--json]

The program runs as it does at the table; a voice that was never trained with speaks into a virtual sound card
(PulseAudio with null sinks) and its answers are recorded from there. Times are those of the sound: from the
last audible sample that went into the microphone to the first that came out of the loudspeaker. Each row
names the limit that it is held against; the exit status is 1 if one is missed.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path

import chess
import numpy as np

from assistant.announcements import Thresholds, announce, load_vocabulary
from assistant.speaking import synthesise
from assistant.table import NoRecord, PaperVoice, Person, Setup, Table
from benchmarks.measured import (
    Row,
    above_zero,
    in_one_sentence,
    machine_line,
    processor_seconds,
    resident_mb,
    spread,
    test_extra,
)

with test_extra():
    from tests.live_game import LiveGame, play, type_only
    from tests.virtual_sound import Recording, VirtualSound

VOICES = ("de+m3", "de+f4")
MOVES = "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f8e7 f1e1 b7b5 a4b3 d7d6 c2c3 e8g8 h2h3 c6b8 d2d4 b8d7"
SEVEN_HOURS = 7 * 3600.0


# Through the sound card


def wait_for_sound_from(recording: Recording, since: float) -> tuple[float, float]:
    """Wait until something is audible, and return since when and until when."""
    recording.wait_for_sound(since=since)
    found = recording.audible(since)
    assert found is not None
    return found


@contextmanager
def live_game(*options: str) -> Iterator[tuple[LiveGame, VirtualSound, Recording, Recording]]:
    """Run a game on a virtual sound card; yield it, the card, and recordings of both its ends."""
    if not (shutil.which("pulseaudio") and shutil.which("pactl")):
        raise SystemExit("There is no virtual sound card: apt install pulseaudio pulseaudio-utils")
    sound = VirtualSound()
    try:
        sound.start()
        with (
            tempfile.TemporaryDirectory() as folder,
            play(sound, Path(folder) / "game", *options) as game,
            sound.recording("virtual_mic") as microphone,
            sound.recording() as loudspeaker,
        ):
            game.expect("Hector: ")
            yield game, sound, microphone, loudspeaker
    finally:
        sound.remove()


def measure_answers(count: int) -> list[Row]:
    """Speak moves and measure when they are understood and when the answer begins."""
    decided: list[float] = []
    answered: list[float] = []
    cancelled: list[float] = []
    missed = 0
    vocabulary, board = load_vocabulary("de"), chess.Board()
    with live_game("--press", "key", "--blind", "both") as (game, sound, microphone, loudspeaker):
        loudspeaker.wait_for_sound()
        for ply, move in enumerate(MOVES.split()[:count]):
            words = vocabulary.written(announce(board, chess.Move.from_uci(move), vocabulary))
            for _try in range(3):
                loudspeaker.wait_for_silence(0.8)
                since, began = len(game.lines), time.monotonic()
                spoken = synthesise(words, VOICES[ply % 2], rate=150)
                sound.speak(spoken.samples // 2, spoken.rate)
                line = game.wait_for(lambda line: line.startswith(("Weiß: ", "Schwarz: ")), since, 5.0)
                understood = time.monotonic()
                if line is not None and line.split(": ", 1)[1] == words:
                    break
                missed += 1
            else:
                raise SystemExit(f"{words!r} was not understood.")
            first = wait_for_sound_from(loudspeaker, understood - 0.1)
            ended = microphone.audible(began, understood)
            assert ended is not None
            decided.append((understood - ended[1]) * 1000)
            answered.append((first[0] - ended[1]) * 1000)
            game.type("")
            board.push_uci(move)
        for _round in range(10):
            loudspeaker.wait_for_silence(0.8)
            began = time.monotonic()
            game.type("?")
            loudspeaker.wait_for_sound(since=began)
            time.sleep(0.3)
            stopped = time.monotonic()
            game.type("s")
            loudspeaker.wait_for_silence(0.4)
            last = loudspeaker.audible(began)
            assert last is not None
            cancelled.append((last[1] - stopped) * 1000)
    return [
        spread("end of speech to decision", "ms", decided, limit=450),
        spread("end of speech to first sample of the read-back", "ms", answered, limit=600, limit_95=900),
        Row("announcements that had to be said again", "", missed),
        spread("cancel to silence", "ms", cancelled, limit=100),
    ]


def measure_idle(seconds: float) -> list[Row]:
    """Measure what listening to a quiet room costs."""
    with live_game("--press", "key") as (game, sound, _microphone, loudspeaker):
        loudspeaker.wait_for_sound()
        loudspeaker.wait_for_silence(1.0)
        noise = np.random.default_rng(1).normal(0, 30, round((seconds + 2) * 16_000)).astype(np.int16)
        before, began = processor_seconds(game.process.pid), time.monotonic()
        sound.speak(noise, 16_000)
        used = processor_seconds(game.process.pid) - before
        took = time.monotonic() - began
    return [Row(f"processor while listening for {took:.0f} s", "% of one core", 100 * used / took, limit=5)]


# Without


def long_game(plies: int) -> list[str]:
    """Return random moves of a game that does not end."""
    chance = random.Random(3)
    board = chess.Board()
    while board.ply() < plies:
        moves = list(board.legal_moves)
        chance.shuffle(moves)
        for move in moves:
            board.push(move)
            if board.outcome() is None and not board.is_check():
                break
            board.pop()
        else:
            board.pop()
    return [move.uci() for move in board.move_stack]


def measure_memory(positions: int) -> list[Row]:
    """Type a long game, the graph of every position being built, and look at the memory."""
    early = min(30, positions // 2)
    first = 0.0
    with tempfile.TemporaryDirectory() as directory:
        folder = Path(directory) / "game"
        with type_only(folder, "play", "--save", str(folder), "--press", "key") as game:
            game.expect("Hector: ")
            for ply, move in enumerate(long_game(positions), 1):
                since = len(game.lines)
                game.type(move, "")
                game.expect("Hector: ", since)
                if ply == early:
                    first = resident_mb(game.process.pid)
            last = resident_mb(game.process.pid)
    return [
        Row(f"memory after {positions} positions", "MB", last, limit=250),
        Row(f"memory grown since position {early}", "MB", last - first),
    ]


def measure_clock() -> Row:
    """Pass seven hours in steps as a microphone makes them, and compare both clocks with the time passed."""
    setup = Setup(Person("W", True), Person("B", True), press="key", time_control="100000")
    table = Table(setup, load_vocabulary("de"), Thresholds(), PaperVoice(), NoRecord())
    table.start()
    moves = iter(long_game(280))
    # What a monotonic clock would show: steps that are no round number of milliseconds.
    chance, now, due = random.Random(4), 0.0, 90.0
    while now < SEVEN_HOURS:
        now += chance.uniform(0.05, 0.15)
        table.tick(now)
        if now >= due and (move := next(moves, None)) is not None:
            table.type(move, now)
            now += 1.0 + chance.random()
            table.type("", now)
            due = now + 90.0
    table.tick(now)
    clocks = table.course.referee.status().keys
    passed = 2 * 100_000 - float(clocks["white"]) - float(clocks["black"])
    return Row("drift of the game's clock in seven hours", "ms", abs(passed - now) * 1000, limit=1)


@in_one_sentence
def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--moves", type=above_zero(int), default=20, help="moves spoken (at most 20)")
    parser.add_argument(
        "--seconds", type=above_zero(float), default=20.0, help="of listening to a quiet room"
    )
    parser.add_argument("--positions", type=above_zero(int), default=300)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    on = machine_line()
    rows = [
        *measure_answers(options.moves),
        *measure_idle(options.seconds),
        *measure_memory(options.positions),
        measure_clock(),
    ]
    if options.json:
        print(json.dumps({"machine": on, "rows": [asdict(row) for row in rows]}, ensure_ascii=False))
    else:
        print(f"Machine: {on}")
        for row in rows:
            print(row)
    return int(not all(row.is_met for row in rows))


if __name__ == "__main__":
    sys.exit(main())

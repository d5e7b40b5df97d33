"""A game at the table: spoken into a microphone, answered by a loudspeaker, both of them virtual."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path

import chess
import chess.pgn
import pytest
import soundfile
from live_game import BLACK, WHITE, Talker, play
from virtual_sound import RATE, VirtualSound

from assistant.announcements import announce, load_vocabulary
from assistant.laws import referee_stream
from assistant.moves import read_move
from assistant.scoresheet import read_sheet
from assistant.table.hearing import Hearer

pytestmark = [pytest.mark.audio, pytest.mark.slow]

_GAME = "e4 d5 exd5 c6 dxc6 Nf6 cxb7 e6 bxa8=Q Bd6 Nf3 O-O"
GAME = _GAME.split()
"""Captures, a promotion, and castling."""
MAIN_TIME, INCREMENT = 300, 5


def in_words() -> list[str]:
    vocabulary, board, words = load_vocabulary("de"), chess.Board(), []
    for san in GAME:
        move = board.parse_san(san)
        words.append(vocabulary.written(announce(board, move, vocabulary)))
        board.push(move)
    return words


def moves() -> list[str]:
    board = chess.Board()
    return [board.push_san(san).uci() for san in GAME]


def test_a_whole_game_is_spoken_answered_and_written(sound_server: VirtualSound, tmp_path: Path) -> None:
    folder = tmp_path / "game"
    options = ("--press", "auto", "--time-control", f"{MAIN_TIME}+{INCREMENT}", "--blind", "both")
    with play(sound_server, folder, *options) as game, sound_server.recording() as ears:
        game.expect("Hector: Die Uhr von Weiß läuft")
        began = time.monotonic()
        talker = Talker(game, sound_server, ears)
        ears.wait_for_sound()
        for ply, words in enumerate(in_words()):
            talker.announce(words, (WHITE, BLACK)[ply % 2])
        assert re.match(r"Weiß: \w+ Minuten", talker.answer_to("Zeit", WHITE)), game.transcript
        answer = talker.answer_to("ich gebe auf", WHITE)
        assert "auf" in answer.lower(), game.transcript
        talker.answer_to("ja", WHITE)
        assert game.wait() == 0
        took = time.monotonic() - began
    assert game.errors == ""

    journal = [json.loads(line) for line in (folder / "journal.jsonl").read_text().splitlines()]
    made = [line["move"] for line in journal if line.get("do") in ("announce", "correct")]
    assert [line["move"] for line in journal if line.get("do") == "place"] == moves()
    assert set(made) >= set(moves())
    assert all(line.get("heard") or line.get("confirmed") for line in journal if line.get("do") == "announce")

    with (folder / "game.pgn").open(encoding="utf-8") as file:
        pgn = chess.pgn.read_game(file)
    assert pgn is not None
    assert [node.san() for node in pgn.mainline()] == GAME
    assert pgn.headers["Result"] == "0-1"
    for name in ("sheet.txt", "sheet.brf", "sheet.pef"):
        sheet = read_sheet((folder / name).read_bytes(), "de")
        assert [ply.move.uci() for ply in sheet.plies] == moves(), name

    # Both clocks together have lost what the game took, and no more; an increment comes before each player's
    # first move and after every move.
    script = (folder / "journal.jsonl").read_text().splitlines()
    clocks = json.loads(list(referee_stream(script, read_move))[-1])
    lasted = journal[-1]["at"]
    given = 2 * MAIN_TIME + (len(GAME) + 2) * INCREMENT
    assert given - (clocks["white"] + clocks["black"]) == pytest.approx(lasted, abs=0.01)
    assert took - 10 < lasted < took

    said = [line.split(": ", 1)[1] for line in (folder / "said.txt").read_text().splitlines()]
    assert said == [line.removeprefix("Hector: ") for line in game.lines if line.startswith("Hector: ")]
    recordings = sorted((folder / "heard").glob("*.flac"))
    assert {name.name[:3] for name in recordings} >= {f"{ply:03}" for ply in range(1, len(GAME) + 1)}
    assert all(soundfile.info(str(name)).duration > 0.3 for name in recordings)

    hearer = Hearer()
    board = chess.Board()
    for (words, samples), san in zip(talker.answers, GAME, strict=True):
        path = tmp_path / "answer.wav"
        soundfile.write(str(path), samples, RATE)
        hearer.expect(board)
        accepted = [line["san"] for line in hearer.hear(path) if line["decision"] == "accept"]
        assert accepted[-1:] == [san], words
        board.push_san(san)


def test_its_own_voice_is_never_taken_for_a_players(sound_server: VirtualSound, tmp_path: Path) -> None:
    """Looped back at -12 dB, Hector reads moves and commands into its own microphone."""
    folder = tmp_path / "echo"
    with (
        play(sound_server, folder, "--press", "word", "--blind", "both") as game,
        sound_server.recording() as ears,
        sound_server.recording("virtual_mic") as microphone,
        sound_server.echo(-12),
    ):
        game.expect("Hector: Die Uhr von Weiß läuft")
        ears.wait_for_sound()
        for line, answer in (
            ("Nf3", "Springer Felix drei"),
            ("r", "Springer Felix drei"),
            ("t", "Weiß: "),
            ("?", "Zeit"),
        ):
            ears.wait_for_silence(0.5)
            since = len(game.lines)
            typed = time.monotonic()
            game.type(line)
            game.expect(f"Hector: .*{answer}", since)
            ears.wait_for_sound(since=typed)
            ears.wait_for_silence(0.5)
        assert microphone.samples(since=typed).max() > 1000
        # It is deaf to itself alone: a player is heard as soon as it is silent.
        talker = Talker(game, sound_server, ears)
        assert talker.answer_to("Springer Cesar drei", WHITE).startswith("Korrektur: Springer Cesar drei")
        game.type("q")
        assert game.wait() == 0
    heard = [line for line in game.lines if re.match(r"(White|Black): ", line)]
    assert [line for line in heard if "Cesar drei" not in line] == []
    assert game.errors == ""


def test_a_sound_server_that_dies_is_told_once_and_the_game_goes_on_without_and_then_with_it(
    sound_server: VirtualSound, tmp_path: Path
) -> None:
    folder = tmp_path / "lost"
    with play(sound_server, folder, "--press", "key", "--blind", "both") as game:
        game.expect("Hector: Die Uhr von Weiß läuft")
        with sound_server.recording() as ears:
            ears.wait_for_sound()
            Talker(game, sound_server, ears).announce("Eva vier", WHITE)
            sound_server.stop()
        try:
            game.expect("Hector: Mikrofon weg")
            since = len(game.lines)
            game.type("", "e5")
            game.expect("Hector: Eva fünf", since)
        finally:
            sound_server.start()
        game.type("")
        game.expect("Hector: Mikrofon wieder da")
        game.expect("Hector: Stimme wieder da")
        with sound_server.recording() as ears:
            # Asked for, so that there is a sound to wait for; what it says is no answer to what comes next.
            since, typed = len(game.lines), time.monotonic()
            game.type("l")
            game.expect("Hector: Eva fünf", since)
            ears.wait_for_sound(since=typed)
            Talker(game, sound_server, ears).announce("Springer Felix drei", WHITE)
        game.type("", "q")
        assert game.wait() == 0
    for told in ("Mikrofon weg", "Mikrofon wieder da", "Stimme weg", "Stimme wieder da"):
        assert sum(told in line for line in game.lines) == 1, told
    assert game.errors == ""
    with (folder / "game.pgn").open(encoding="utf-8") as file:
        pgn = chess.pgn.read_game(file)
    assert pgn is not None
    assert [node.san() for node in pgn.mainline()] == ["e4", "e5", "Nf3"]

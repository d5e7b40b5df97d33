"""A game that is killed goes on as if nothing had happened: the journal is all there is."""

from __future__ import annotations

import json
import math
import random
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import chess
import pytest
from forks import ForkServer, fork_server
from live_game import PATIENCE, LiveGame, type_only

from assistant.announcements import Thresholds, announce, load_vocabulary
from assistant.errors import HectorError
from assistant.journal import FILE_NAME, holds_game, read
from assistant.laws import referee_stream
from assistant.moves import read_move
from assistant.scoresheet import read_sheet
from assistant.table import PaperVoice, Person, Setup, Table, Watched, open_record, reopen_record

VOCABULARY = load_vocabulary("de")
_GAME = "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6 c3 O-O h3 Nb8 d4 Nbd7 Nbd2 Bb7 Bc2 Re8 Nf1 Bf8"
MOVES = _GAME.split()
VIEWS = ("game.pgn", "sheet.txt", "sheet.brf", "sheet.pef")


def uci(moves: list[str]) -> list[str]:
    board = chess.Board()
    return [board.push_san(move).uci() for move in moves]


def next_line(lines: tuple[dict[str, Any], ...] | list[dict[str, Any]], moves: list[str]) -> str | None:
    """Return what the players type next, by what is on record: a move, the press, or nothing more."""
    done = [line.get("do") for line in lines]
    announced, pressed = done.count("announce"), done.count("press")
    if announced > pressed:
        return ""
    # From square to square: in German, Ba4 is a pawn's move.
    return uci(moves)[announced] if announced < len(moves) else None


def moves_of(folder: Path, name: str) -> list[str]:
    language = "" if name == "game.pgn" else "de"
    return [str(ply.move) for ply in read_sheet((folder / name).read_bytes(), language).plies]


def announcements(moves: list[str]) -> list[str]:
    board = chess.Board()
    spoken = []
    for move in moves:
        spoken.append(VOCABULARY.written(announce(board, board.parse_san(move), VOCABULARY)))
        board.push_san(move)
    return spoken


# In one process: killed after every line, and in the middle of every line


def play_on(folder: Path, table: Table, moves: list[str]) -> None:
    while (line := next_line(read(folder).lines, moves)) is not None:
        table.type(line, table.now + 1.0)


def played(folder: Path, blind: bool, moves: list[str]) -> bytes:
    setup = Setup(white=Person("White", blind), black=Person("Black", blind), press="key")
    record = open_record(folder, print)
    table = Table(setup, VOCABULARY, Thresholds(), PaperVoice(), record)
    table.start()
    play_on(folder, table, moves)
    record.close()
    return (folder / FILE_NAME).read_bytes()


@pytest.mark.parametrize("blind", [False, True])
def test_a_game_cut_anywhere_in_its_journal_ends_the_same(tmp_path: Path, blind: bool) -> None:
    """Also between the man placed and the clock pressed, which are two lines for a blind player."""
    moves = MOVES[:5]
    journal = played(tmp_path / "whole", blind, moves)
    whole = Table(Setup(), VOCABULARY, Thresholds(), PaperVoice(), open_record(tmp_path / "x", print)).board
    for move in moves:
        whole.push_san(move)
    ends = [index + 1 for index, byte in enumerate(journal) if byte == ord("\n")]
    for first, second in zip(ends, [*ends[1:], len(journal)], strict=True):
        for cut in {first, (first + second) // 2}:
            folder = tmp_path / f"cut-{cut}"
            folder.mkdir()
            (folder / FILE_NAME).write_bytes(journal[:cut])
            record, setup, lines = reopen_record(folder, print)
            table = Table(setup, VOCABULARY, Thresholds(), PaperVoice(), record)
            if lines:
                table.resume(lines, float(lines[-1]["at"]))
            else:
                table.start()
            play_on(folder, table, moves)
            record.close()
            assert table.board.fen() == whole.fen(), journal[:cut]
            assert table.memory.pending is None
            for name in VIEWS:
                assert moves_of(folder, name) == uci(moves), (name, journal[:cut])
            refused = [event.as_dict() for event in table.course.events if event.event == "refused"]
            assert refused == [], journal[:cut]


def begun(folder: Path, *lines: dict[str, object]) -> Path:
    """Write a journal that somebody has edited, and return it."""
    setup = Setup()
    record = open_record(folder, print)
    record.line({"game": setup.game(), "table": setup.table()})
    record.line({"at": 0, "do": "start"})
    record.close()
    path = folder / FILE_NAME
    with path.open("a", encoding="utf-8") as file:
        file.writelines(json.dumps(line) + "\n" for line in lines)
    return path


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ({"do": "note", "about": "x"}, "The key 'at' is missing."),
        ({"at": "soon", "do": "note", "about": "x"}, "'at' must be a number of seconds"),
        ({"at": 1, "do": "dance"}, "There is no verb 'dance'."),
        ({"game": {}}, "The key 'do' is missing."),
        ({"at": 1, "do": "announce", "side": "white", "move": 7}, "'move' must be a text."),
    ],
)
@pytest.mark.parametrize("after", [(), ({"at": 2, "do": "note", "about": "x"},)])
def test_a_journal_with_a_line_that_is_none_is_refused_with_its_number_and_left_as_it_is(
    tmp_path: Path, line: dict[str, object], reason: str, after: tuple[dict[str, object], ...]
) -> None:
    path = begun(tmp_path, line, *after)
    path.write_bytes(path.read_bytes() + b'{"at": 9, "to')
    before = path.read_bytes()
    for attempt in (lambda: reopen_record(tmp_path, print), lambda: Watched(tmp_path)):
        with pytest.raises(HectorError, match="damaged in line 3; nothing was changed") as told:
            attempt()
        assert reason in str(told.value)
        assert told.value.status == 1
    assert path.read_bytes() == before


def test_a_journal_of_an_unknown_edition_is_refused_with_its_first_line(tmp_path: Path) -> None:
    path = begun(tmp_path)
    path.write_text(path.read_text().replace('"laws": "2023"', '"laws": "1066"'))
    with pytest.raises(HectorError, match=r"damaged in line 1; .*1066"):
        reopen_record(tmp_path, print)


@pytest.mark.parametrize("move", ["Nf3", "Springer Gustav eins Felix drei", "g1f3"])
def test_a_move_of_the_journal_may_stand_in_any_notation(tmp_path: Path, move: str) -> None:
    begun(tmp_path, {"at": 1, "do": "announce", "side": "white", "move": move})
    record, setup, lines = reopen_record(tmp_path, print)
    table = Table(setup, VOCABULARY, Thresholds(), PaperVoice(), record)
    table.resume(lines, 1)
    table.type("", 2)
    record.close()
    assert [ply.move.uci() for ply in table.sheet.plies] == ["g1f3"]
    assert table.course.steps[1].line == {**lines[1], "move": "g1f3"}


def test_what_was_half_written_when_a_game_was_killed_is_removed_when_it_goes_on(tmp_path: Path) -> None:
    begun(tmp_path)
    half = [tmp_path / name for name in (".game.pgn-abc_efg1", ".sheet.txt-zyxwvuts", ".proof-12345678")]
    own = [tmp_path / name for name in (".game.pgn-own-notes", "game.pgn-abcdefgh")]
    for path in half + own:
        path.write_text("x")
    reopen_record(tmp_path, print)[0].close()
    assert [path.exists() for path in half + own] == [False, False, False, True, True]


def test_a_game_stopped_before_its_clock_started_is_taken_up_as_often_as_it_is_stopped(
    tmp_path: Path,
) -> None:
    journal = played(tmp_path, False, [])
    (tmp_path / FILE_NAME).write_bytes(journal[: journal.index(b"\n") + 1])
    for _life in range(2):
        record, setup, lines = reopen_record(tmp_path, print)
        table = Table(setup, VOCABULARY, Thresholds(), PaperVoice(), record)
        if lines:
            table.resume(lines, 0.0)
        else:
            table.start()
        record.close()
    first, *lines = read(tmp_path).lines
    assert "game" in first
    assert [line.get("do") for line in lines] == ["start"]


# As processes, killed without warning


@pytest.fixture(scope="module")
def server() -> Iterator[ForkServer]:
    with fork_server() as server:
        yield server


def live(game: LiveGame, folder: Path, moves: list[str], until: float, lines: float) -> bool:
    """Type what comes next, as fast as it is answered, until the time is over or so many lines are there.

    Return `True` when all is played.
    """
    typed: str | None = None
    kept: tuple[dict[str, Any], ...] = ()
    size = -1
    while time.monotonic() <= until and len(kept) < lines:
        # Read anew only where something was written: the program needs the processor too.
        journal = folder / FILE_NAME
        if (written := journal.stat().st_size if journal.exists() else 0) != size:
            size, kept = written, lines_of(folder)
            line = next_line(kept, moves)
            if line is None:
                return True
            if line != typed:
                game.type(line)
                typed = line
        time.sleep(0.002)
    return False


def lines_of(folder: Path) -> tuple[dict[str, Any], ...]:
    return read(folder).lines if holds_game(folder) else ()


def played_with_kills(folder: Path, kills: int, seed: int, server: ForkServer) -> int:
    """Play the game, killing it that often at any moment; return at how many different lines that was."""
    chance = random.Random(seed)
    told: list[str] = []
    killed_at = set()
    begun = ["play", "--save", str(folder), "--press", "key", "--blind", "both"]
    for life in range(kills + 1):
        arguments = ["resume", str(folder)] if holds_game(folder) else begun
        before = lines_of(folder)
        with type_only(folder, *arguments, start=server.start) as game:
            last = life == kills
            # While it starts, while it takes the game up, while moves are typed and written.
            patience = chance.uniform(0.0, 0.6) if chance.random() < 0.25 else PATIENCE
            lines = len(before) + chance.randint(1, 5)
            is_over = live(
                game,
                folder,
                MOVES,
                time.monotonic() + (1e9 if last else patience),
                math.inf if last else lines,
            )
            time.sleep(0.0 if last else chance.uniform(0.0, 0.02))
            if last:
                assert is_over
                game.type("resign", "y")
                assert game.wait() == 0
            else:
                game.kill()
                killed_at.add(len(lines_of(folder)))
            assert game.errors == ""
        assert lines_of(folder)[: len(before)] == before
        told += [line.removeprefix("Hector: ") for line in game.lines if line.startswith("Hector: ")]
        # Whoever was told of a move finds it on record; one may be on record and its teller killed.
        announced = [line["move"] for line in lines_of(folder) if line.get("do") == "announce"]
        on_record = iter(announcements(MOVES)[: len(announced)])
        assert all(sentence in on_record for sentence in told if sentence in announcements(MOVES))
    return len(killed_at)


def check(folder: Path) -> None:
    lines = read(folder).lines
    assert [line["move"] for line in lines if line.get("do") == "announce"] == uci(MOVES)
    times = [line["at"] for line in lines if "at" in line]
    assert times == sorted(times)
    for name in VIEWS:
        assert moves_of(folder, name) == uci(MOVES), name
    assert '[Result "0-1"]' in (folder / "game.pgn").read_text()
    assert lines[-1]["do"] == "resign"
    # Every interruption is told to the arbiter, and the clocks have lost what the game lasted, no more.
    assert [line["at"] for line in lines if line.get("about") == "interruption"]
    script = (folder / FILE_NAME).read_text().splitlines()
    events = [json.loads(event) for event in referee_stream(script, read_move)]
    assert [event for event in events if event["event"] == "refused"] == []
    increments = 30 * (len(MOVES) + 2)
    left = events[-1]["white"] + events[-1]["black"]
    assert 2 * 5400 + increments - left == pytest.approx(times[-1], abs=0.01)


@pytest.mark.slow
def test_a_game_killed_fifty_times_ends_as_it_would_have(tmp_path: Path, server: ForkServer) -> None:
    assert played_with_kills(tmp_path / "game", kills=50, seed=1, server=server) > 20
    check(tmp_path / "game")

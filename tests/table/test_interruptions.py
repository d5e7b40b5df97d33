"""What interrupts a game: a crash, a sleeping computer, a clock that is set, a disk that is full."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import textwrap
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from full_disk import full_disk
from hypothesis import given
from hypothesis import strategies as st

from assistant.announcements import Decision, Margins, Thresholds, load_vocabulary
from assistant.errors import HectorError
from assistant.interrupts import signals_interrupt
from assistant.journal import FILE_NAME, Journal, read
from assistant.laws import referee_stream
from assistant.moves import read_move
from assistant.quiet import Printer
from assistant.table import PaperVoice, Person, Setup, Table, open_record, pulse, reopen_record, storage
from assistant.table.leaving import leave
from assistant.table.pulse import NOTICED, Clocks, ClockWatch, Pulse, last_beat
from assistant.table.storage import FLOOR, RESERVE, Evidence, Reserve, needed
from assistant.table.vigil import LOOK_EVERY, STOOD, TRY_EVERY, Vigil
from assistant.utterance import Utterance

VOCABULARY = load_vocabulary("de")
UTTERANCE = Utterance(0.0, 1.0, (), (), 0.0, 0, 0.0)
DECISION = Decision("reject", (), "", 0.0, Margins(0.0, 0.0, 0.0))
ROOT = Path(__file__).resolve().parents[2]


class Computer:
    """The clocks of a computer, as the test sets them."""

    def __init__(self) -> None:
        self.monotonic, self.slept, self.day = 0.0, 0.0, 1e9

    def read(self) -> Clocks:
        return self.monotonic, self.monotonic + self.slept, self.day + self.monotonic + self.slept


class Watched:
    """A game by keyboard on a computer whose clocks the test holds."""

    def __init__(self, folder: Path, computer: Computer) -> None:
        self.computer, self.shown = computer, list[str]()
        self.folder = folder
        setup = Setup(Person("W", True), Person("B", True), press="key", time_control="300+0", language="en")
        self.record = open_record(folder, self.shown.append)
        self.table = Table(setup, VOCABULARY, Thresholds(), PaperVoice(), self.record, show=self.shown.append)
        self.vigil = Vigil(
            self.table, self.record, folder, lambda: self.computer.monotonic, self.computer.read
        )
        self.table.start()

    def pass_time(self, seconds: float) -> None:
        """Let time pass as a live game does, in steps."""
        until = self.computer.monotonic + seconds
        while self.computer.monotonic < until:
            self.computer.monotonic = min(until, self.computer.monotonic + LOOK_EVERY)
            self.table.tick(self.computer.monotonic)
            self.vigil.attend()

    def type(self, *lines: str) -> None:
        for line in lines:
            self.table.type(line, self.computer.monotonic)

    def close(self) -> None:
        self.vigil.close()
        self.record.close()

    def notes(self, about: str) -> list[dict[str, object]]:
        return [line for line in read(self.folder).lines if line.get("about") == about]


@pytest.fixture
def watched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Watched:
    """A game on a computer whose time of day goes on with the game."""
    computer = Computer()
    monkeypatch.setattr("time.time", lambda: computer.read()[2])
    return Watched(tmp_path / "game", computer)


# The pulse


def test_the_last_pulse_is_the_games_time_at_the_end(tmp_path: Path) -> None:
    now = [12.0]
    pulse = Pulse(tmp_path, lambda: now[0])
    now[0] = 345.678
    pulse.close()
    beat = last_beat(tmp_path, {})
    assert beat is not None
    assert beat.at == 345.678


def test_a_pulse_that_somebody_removes_is_written_anew(tmp_path: Path) -> None:
    pulse = Pulse(tmp_path, lambda: 345.678)
    while last_beat(tmp_path, {}) is None:
        pulse._ends.wait(0.01)
    (tmp_path / "pulse.json").unlink()
    pulse.close()
    beat = last_beat(tmp_path, {})
    assert beat is not None
    assert beat.at == 345.678


def test_a_pulse_goes_on_when_its_disk_is_back_though_what_was_open_is_dead(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def beats_at(time: float) -> None:
        while (beat := last_beat(tmp_path, {})) is None or beat.at != time:
            ended.wait(0.01)

    monkeypatch.setattr(pulse, "EVERY", 0.01)
    now, ended = [12.0], threading.Event()
    with contextlib.closing(Pulse(tmp_path, lambda: now[0])):
        beats_at(12.0)
        path = tmp_path / pulse.FILE_NAME
        [opened] = [int(each.name) for each in Path("/proc/self/fd").iterdir() if _leads_to(each, path)]
        dead = os.open(path, os.O_PATH)
        os.dup2(dead, opened)
        os.close(dead)
        now[0] = 345.678
        beats_at(345.678)


def test_a_pulse_whose_old_file_cannot_be_closed_is_written_into_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on a file server: the number is free although the system tells of an error."""
    close, now, is_closed = os.close, [12.0], threading.Event()
    path, other = tmp_path / pulse.FILE_NAME, tmp_path / "journal.jsonl"

    def fails(descriptor: int) -> None:
        if descriptor == opened and not is_closed.is_set():
            is_closed.set()
            there = os.open(other, os.O_WRONLY | os.O_CREAT)
            os.dup2(there, descriptor)
            close(there)
            raise OSError(errno.EIO, "Input/output error")
        close(descriptor)

    monkeypatch.setattr(pulse, "EVERY", 0.01)
    with contextlib.closing(Pulse(tmp_path, lambda: now[0])):
        while last_beat(tmp_path, {}) is None:
            time.sleep(0.01)
        [opened] = [int(each.name) for each in Path("/proc/self/fd").iterdir() if _leads_to(each, path)]
        monkeypatch.setattr(os, "close", fails)
        path.unlink()
        assert is_closed.wait(20)
        now[0] = 345.678
    close(opened)
    beat = last_beat(tmp_path, {})
    assert beat is not None and beat.at == 345.678
    assert other.read_bytes() == b""


def _leads_to(descriptor: Path, path: Path) -> bool:
    with contextlib.suppress(OSError):
        return descriptor.readlink() == path
    return False


@pytest.mark.parametrize("torn", [b"", b'{"at": 3', b"\0" * 128, b"[]", b'{"at": "x", "time": 1}'])
def test_a_pulse_that_cannot_be_read_is_none(tmp_path: Path, torn: bytes) -> None:
    (tmp_path / "pulse.json").write_bytes(torn)
    assert last_beat(tmp_path, {}) is None


@pytest.mark.parametrize(
    "impossible",
    [
        b'{"at": 1e300, "time": 5}',
        b'{"at": NaN, "time": 5}',
        b'{"at": -1, "time": 5}',
        b'{"at": 5, "time": Infinity}',
        b'{"at": 1' + b"0" * 400 + b', "time": 5}',
    ],
)
def test_a_pulse_that_cannot_be_true_is_none(tmp_path: Path, impossible: bytes) -> None:
    (tmp_path / "pulse.json").write_bytes(impossible)
    assert last_beat(tmp_path, {}) is None


def test_a_pulse_that_could_not_be_begun_begins_when_it_can(tmp_path: Path) -> None:
    tried = threading.Event()

    def now() -> float:
        tried.set()
        return 345.678

    pulse = Pulse(tmp_path / "late", now)
    assert tried.wait(5)
    (tmp_path / "late").mkdir()
    pulse.close()
    beat = last_beat(tmp_path / "late", {})
    assert beat is not None
    assert beat.at == 345.678


def test_where_nothing_can_be_written_the_pulse_harms_nobody(tmp_path: Path) -> None:
    Pulse(tmp_path / "missing", lambda: 1.0).close()
    assert last_beat(tmp_path / "missing", {}) is None
    os.mkfifo(tmp_path / "pulse.json")
    Pulse(tmp_path, lambda: 1.0).close()
    assert last_beat(tmp_path, {}) is None


# The computer's clocks


@given(
    st.lists(
        st.tuples(
            st.floats(0, 100), st.one_of(st.just(0.0), st.floats(NOTICED + 1e-3, 1e5)), st.floats(-1e6, 1e6)
        ),
        max_size=20,
    )
)
def test_every_sleep_and_every_jump_is_noticed_once_and_nothing_else(
    happenings: list[tuple[float, float, float]],
) -> None:
    computer = Computer()
    watch = ClockWatch(computer.read)
    for passed, slept, jumped in happenings:
        computer.monotonic += passed
        computer.slept += slept
        computer.day += jumped
        found = {jump.about: jump.seconds for jump in watch.look()}
        assert found.get("sleep", 0.0) == pytest.approx(slept, abs=2e-3)
        if abs(abs(jumped) - NOTICED) > 1e-3:
            expected = jumped if abs(jumped) >= NOTICED else 0.0
            assert found.get("time-of-day", 0.0) == pytest.approx(expected, abs=2e-3)
    assert watch.look() == []


def test_a_real_computer_has_neither_slept_nor_been_set_since_a_moment_ago() -> None:
    assert ClockWatch().look() == []


def test_while_the_computer_sleeps_no_clock_runs_and_the_arbiter_reads_of_it(watched: Watched) -> None:
    """6.11.1: the game is interrupted; whoever has the move is charged with nothing of it."""
    watched.pass_time(10)
    watched.computer.slept += 7200.0
    watched.pass_time(2)
    clocks = watched.table.course.referee.status().keys
    assert (float(clocks["white"]), float(clocks["black"])) == (288.0, 300.0)
    assert watched.shown[-1] == "Hector: The computer slept: two hours. No clock ran."
    assert [note["seconds"] for note in watched.notes("sleep")] == [7200.0]
    watched.close()


@pytest.mark.parametrize("jump", [3600.0, -86400.0])
def test_a_time_of_day_that_is_set_never_touches_the_game(watched: Watched, jump: float) -> None:
    watched.pass_time(10)
    watched.computer.day += jump
    before = list(watched.shown)
    watched.pass_time(2)
    assert float(watched.table.course.referee.status().keys["white"]) == 288.0
    assert watched.shown == before, "it is for the arbiter, who reads it in the journal"
    assert [note["seconds"] for note in watched.notes("time-of-day")] == [jump]
    watched.close()


def test_a_program_that_stood_still_notes_it_before_the_flag_that_fell_by_it(watched: Watched) -> None:
    """Its clock ran on, and the arbiter may set it otherwise (6.10)."""
    watched.pass_time(10)
    watched.computer.monotonic += 400.0
    watched.vigil.attend()
    watched.table.tick(watched.computer.monotonic)
    notes = [line for line in read(watched.folder).lines if line.get("do") == "note"]
    assert [(note["about"], note["at"], note.get("seconds")) for note in notes] == [
        ("stopped", 10.0, 400.0),
        ("time", 410.0, None),
    ]
    said = "Hector: Hector stood still: six minutes forty seconds. The clock ran on."
    assert said in watched.shown
    watched.close()


def test_where_no_clock_runs_nobody_minds_a_program_that_stands_still(watched: Watched) -> None:
    watched.table.act({"do": "stop-clock", "by": "arbiter"}, 0.0)
    watched.computer.monotonic += 400.0
    watched.vigil.attend()
    assert watched.notes("stopped") == []
    watched.close()


def test_a_program_that_is_only_slow_has_not_stood_still(watched: Watched) -> None:
    for _step in range(10):
        watched.computer.monotonic += STOOD - 0.1
        watched.vigil.attend()
    assert watched.notes("stopped") == []
    watched.close()


def test_a_note_does_not_cut_short_what_somebody_is_saying(watched: Watched) -> None:
    """His words count from their end, which may lie before the moment at which they are understood."""
    watched.pass_time(5)
    watched.computer.monotonic = 8.0
    watched.table.tick(8.0, speech_since=5.5)
    watched.computer.day += 60
    watched.vigil.attend()
    assert watched.notes("time-of-day")[0]["at"] == watched.table.now == 5.5
    watched.close()


def test_a_journal_with_notes_is_a_script(watched: Watched) -> None:
    watched.computer.slept += 60
    watched.pass_time(2)
    watched.type("e4", "")
    watched.close()
    script = (watched.folder / FILE_NAME).read_text().splitlines()
    status = json.loads(list(referee_stream(script, read_move))[-1])
    assert (status["moves"], status["white"]) == (["e4"], 298.0)


def test_an_undo_passes_over_a_note() -> None:
    script = [
        {"game": {"mode": "club", "time_control": "-"}},
        {"at": 0, "do": "start"},
        {"at": 1, "do": "announce", "side": "white", "move": "e2e4"},
        {"at": 2, "do": "note", "about": "sleep", "seconds": 9},
        {"at": 3, "do": "undo"},
    ]
    events = [json.loads(line) for line in referee_stream([json.dumps(line) for line in script], read_move)]
    assert [event["event"] for event in events][-2:] == ["position-restored", "status"]


# A crash


def resumed(folder: Path) -> Table:
    """Take the game up as `hector resume` does, and let a moment pass."""
    record, setup, lines = reopen_record(folder, print)
    table = Table(setup, VOCABULARY, Thresholds(), PaperVoice(), record)
    beat = last_beat(folder, lines[-1])
    at = max(float(lines[-1]["at"]), beat.at if beat is not None else 0.0)
    table.resume(lines, at)
    vigil = Vigil(table, record, folder, lambda: at)
    vigil.interrupted(beat, lines)
    vigil.close()
    record.close()
    return table


def test_what_the_clock_showed_before_a_crash_it_shows_again(watched: Watched) -> None:
    """The player on the move has used the time since the last line; nobody pays for the repair."""
    watched.pass_time(10)
    watched.type("e4", "")
    watched.pass_time(42.5)
    watched.close()
    clocks = resumed(watched.folder).course.referee.status().keys
    assert (float(clocks["white"]), float(clocks["black"])) == (290.0, 257.5)
    [note] = watched.notes("interruption")
    assert note["last_line"] == 10.0
    assert note["at"] == 52.5
    assert 0 <= float(str(note["seconds"])) < 600


def test_an_interruption_over_which_the_time_of_day_was_set_back_has_no_length(watched: Watched) -> None:
    watched.pass_time(10)
    watched.close()
    watched.computer.day -= 1e6
    resumed(watched.folder)
    assert "seconds" not in watched.notes("interruption")[0]
    assert watched.notes("time-of-day")[0]["seconds"] == -1e6


def test_an_interruption_since_a_time_of_day_that_was_wrong_has_no_length(watched: Watched) -> None:
    """The battery of the computer's clock was empty, and it began in another year."""
    watched.pass_time(10)
    watched.close()
    watched.computer.day -= 1e6
    resumed(watched.folder)
    watched.computer.day += 1e6 + 50
    resumed(watched.folder)
    assert ["seconds" in note for note in watched.notes("interruption")] == [False, False]


def test_without_a_pulse_the_last_line_counts(watched: Watched) -> None:
    watched.pass_time(10)
    watched.type("e4", "")
    watched.pass_time(42.5)
    watched.close()
    (watched.folder / "pulse.json").unlink()
    clocks = resumed(watched.folder).course.referee.status().keys
    assert (float(clocks["white"]), float(clocks["black"])) == (290.0, 300.0)


def test_a_flag_that_fell_just_before_the_crash_has_fallen(watched: Watched) -> None:
    watched.pass_time(299)
    (watched.folder / "pulse.json").unlink(missing_ok=True)
    watched.close()
    (watched.folder / "pulse.json").write_text(json.dumps({"at": 300.5, "time": watched.computer.read()[2]}))
    table = resumed(watched.folder)
    assert table.over
    assert '[Result "0-1"]' in (watched.folder / "game.pgn").read_text()


@pytest.mark.parametrize("since", [-86400.0, 0.0, 3600.0])
def test_a_pulse_that_is_further_on_than_the_time_of_day_is_another_games(
    watched: Watched, since: float
) -> None:
    """The journal is the record; whoever copies a folder's files loses no game by it."""
    watched.pass_time(10)
    watched.type("e4", "")
    watched.close()
    other = {"at": 10 + max(since, 0) + 60, "time": watched.computer.read()[2] + since}
    (watched.folder / "pulse.json").write_text(json.dumps(other))
    table = resumed(watched.folder)
    assert not table.over
    assert (table.now, table.course.referee.status().keys["black"]) == (10.0, 300.0)


def test_a_journal_whose_lines_tell_no_time_of_day_has_the_pulse_that_is_there(tmp_path: Path) -> None:
    (tmp_path / "pulse.json").write_text('{"at": 2400, "time": 5}')
    for last in ({"at": 1}, {"at": 1, "time": "noon"}, {"at": 1, "time": 7}):
        assert last_beat(tmp_path, last) is not None


def test_a_flag_that_was_told_has_fallen_without_a_pulse_too(watched: Watched) -> None:
    """What time alone brings is written before it is told."""
    watched.pass_time(301)
    assert watched.table.over
    watched.close()
    (watched.folder / "pulse.json").unlink(missing_ok=True)
    table = resumed(watched.folder)
    assert table.over
    assert table.course.referee.status().keys["result"] == "0-1"
    [told] = [step for step in table.course.steps if "flag-fallen" in [event.event for event in step.events]]
    assert told.line is None, "nobody's line brought it"


# The disk


def test_seven_hours_of_noise_fit_into_what_is_asked_for(watched: Watched) -> None:
    """FLAC of noise is no smaller than its samples."""
    minute = np.random.default_rng(1).integers(-32768, 32767, 16_000 * 60).astype(np.int16)
    Evidence(watched.table, watched.record.locate)(UTTERANCE, DECISION, minute)
    watched.close()
    [file] = (watched.folder / "heard").iterdir()
    assert file.stat().st_size * 60 * 7 * 0.6 < needed(7.0)
    assert needed(7.0) < needed(8.0)


def test_recordings_end_before_the_disk_is_full_and_begin_again(
    watched: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = [FLOOR]
    monkeypatch.setattr(storage, "free", lambda _folder: room[0])
    keep, sound = Evidence(watched.table, watched.record.locate), np.zeros(1600, np.int16)
    for room[0] in (FLOOR, FLOOR - 1, FLOOR - 1, FLOOR):
        keep(UTTERANCE, DECISION, sound)
    watched.close()
    assert len(list((watched.folder / "heard").iterdir())) == 2
    assert sum("no longer recorded" in line for line in watched.shown) == 1


def test_recordings_that_fail_for_another_reason_are_told_of_once_with_it(
    watched: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(*_arguments: object, **_options: object) -> None:
        raise OSError("sndfile library not found")

    warned: list[str] = []
    keep = Evidence(watched.table, watched.record.locate, warned.append)
    with monkeypatch.context() as patch:
        patch.setattr("soundfile.write", missing)
        for _time in range(4):
            keep(UTTERANCE, DECISION, np.zeros(1600, np.int16))
    assert warned == ["The announcements cannot be recorded: sndfile library not found."]
    assert [line for line in watched.shown if "recorded" in line] == [
        "Hector: Announcements are no longer recorded; the game is."
    ]
    keep(UTTERANCE, DECISION, np.zeros(1600, np.int16))
    watched.close()
    assert len(list((watched.folder / "heard").iterdir())) == 1


def test_little_room_is_told_before_the_game(watched: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("assistant.table.vigil.free", lambda _folder: 200_000_000)
    watched.vigil.welcome()
    assert watched.shown[-1].startswith("Hector: Little room on the disk: two hundred megabytes.")
    watched.close()


def test_enough_room_is_not_worth_a_word(watched: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("assistant.table.vigil.free", lambda _folder: needed())
    before = list(watched.shown)
    watched.vigil.welcome()
    assert watched.shown == before
    watched.close()


def test_a_disk_that_does_not_tell_its_room_stops_no_game(
    watched: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_folder: Path) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr(os, "statvfs", broken)
    before = list(watched.shown)
    watched.vigil.welcome()
    assert watched.shown == before
    watched.close()


def test_lines_that_a_full_disk_refuses_are_kept_in_order_and_written_when_it_has_room(
    watched: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    watched.record._reserve.spend()
    write = os.write
    refuse_to_write(monkeypatch)
    watched.type("e4", "", "e5")
    assert any("cannot be saved" in line for line in watched.shown)
    before = [line.get("do") for line in read(watched.folder).lines]
    watched.pass_time(TRY_EVERY + LOOK_EVERY)
    assert [line.get("do") for line in read(watched.folder).lines] == before
    monkeypatch.setattr(os, "write", write)
    watched.pass_time(TRY_EVERY + LOOK_EVERY)
    assert watched.shown[-1] == "Hector: The game is saved again."
    watched.type("")
    watched.close()
    script = (watched.folder / FILE_NAME).read_text().splitlines()
    events = [json.loads(line) for line in referee_stream(script, read_move)]
    assert events[-1]["moves"] == ["e4", "e5"]
    assert [event for event in events if event["event"] == "refused"] == []


def refuse_to_write(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_descriptor: int, _data: bytes) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "write", refuse)


def test_that_the_game_cannot_be_saved_is_told_once_until_it_is_saved_again(watched: Watched) -> None:
    watched.record._reserve.spend()
    for move, answer in (("e4", "e5"), ("Nf3", "Nc6")):
        with pytest.MonkeyPatch.context() as patch:
            refuse_to_write(patch)
            watched.type(move, "", answer)
        # The next line finds room, before anybody tries again.
        watched.type("")
    alarms = [line for line in watched.shown if "saved" in line]
    assert alarms == ["Hector: The game cannot be saved.", "Hector: The game is saved again."] * 2
    watched.close()


def test_a_game_whose_folder_is_removed_is_whole_again_at_the_next_look(watched: Watched) -> None:
    watched.type("e4", "")
    before = (watched.folder / FILE_NAME).read_bytes()
    shutil.rmtree(watched.folder)
    watched.pass_time(LOOK_EVERY)
    assert (watched.folder / FILE_NAME).read_bytes() == before
    watched.type("e5", "")
    assert "1... e5" in (watched.folder / "game.pgn").read_text()
    watched.close()


def test_a_game_whose_journal_was_replaced_is_told_as_one_that_cannot_be_saved(watched: Watched) -> None:
    watched.type("e4", "")
    path = watched.folder / FILE_NAME
    path.rename(watched.folder / "other")
    path.write_text('{"game": {}}\n')
    watched.pass_time(LOOK_EVERY)
    assert watched.shown[-1] == "Hector: The game cannot be saved."
    path.unlink()
    watched.pass_time(TRY_EVERY)
    assert watched.shown[-1] == "Hector: The game is saved again."
    watched.close()


def test_a_game_whose_folder_is_renamed_goes_on_in_it_and_it_is_told(watched: Watched) -> None:
    folder = watched.folder.rename(watched.folder.with_name("elsewhere"))
    watched.pass_time(LOOK_EVERY)
    assert watched.shown[-1] == "Hector: The game's folder was moved. Put it back where it was."
    watched.type("e4", "")
    watched.close()
    assert "1. e4" in (folder / "game.pgn").read_text()
    assert "Eva vier" in (folder / "said.txt").read_text()
    assert not (folder / ".reserve").exists()
    assert not watched.folder.exists()


def test_whoever_puts_the_games_folder_back_hears_that_it_is_back(watched: Watched) -> None:
    folder = watched.folder.rename(watched.folder.with_name("elsewhere"))
    watched.pass_time(LOOK_EVERY)
    folder.rename(watched.folder)
    watched.pass_time(LOOK_EVERY)
    watched.pass_time(LOOK_EVERY)
    moved, back = [line for line in watched.shown if "folder" in line]
    assert moved == "Hector: The game's folder was moved. Put it back where it was."
    assert back == "Hector: The game's folder is in its place again."
    watched.close()


def test_what_is_heard_after_a_game_was_moved_leaves_its_place_free_to_put_it_back(watched: Watched) -> None:
    keep, sound = Evidence(watched.table, watched.record.locate), np.zeros(1600, np.int16)
    keep(UTTERANCE, DECISION, sound)
    moved = watched.folder.rename(watched.folder.with_name("elsewhere"))
    keep(UTTERANCE, DECISION, sound)
    assert len(list((moved / "heard").iterdir())) == 2
    assert not watched.folder.exists()
    moved.rename(watched.folder)
    keep(UTTERANCE, DECISION, sound)
    assert len(list((watched.folder / "heard").iterdir())) == 3
    watched.close()


# The end of a game that its folder does not take


@pytest.mark.parametrize("in_place", [False, True])
def test_what_a_folder_does_not_take_at_the_end_is_all_in_another_one(
    watched: Watched, capsys: pytest.CaptureFixture[str], in_place: bool
) -> None:
    watched.type("e4", "")
    replaced = watched.folder / FILE_NAME
    if not in_place:
        replaced.unlink()
    replaced.write_text('{"game": {}}\n')
    watched.type("e5", "")
    watched.vigil.close()
    assert leave(watched.table, watched.record, watched.folder, is_stopped=True) == 1
    watched.record.close()
    other = watched.folder.with_name("game-rescued")
    assert capsys.readouterr().out.splitlines() == [
        f"The game could not be kept in {watched.folder}. All of it is in another folder.",
        f"Stopped. The game goes on with: hector resume {other}",
    ]
    assert [line["move"] for line in read(other).lines if line.get("do") == "announce"] == ["e2e4", "e7e5"]
    assert {"game.pgn", "pulse.json", "said.txt"} < {path.name for path in other.iterdir()}
    assert replaced.read_text() == '{"game": {}}\n'


def test_the_next_place_is_tried_where_nobody_can_look_into_the_first(
    watched: Watched, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    look, beside = os.stat, watched.folder.with_name("game-rescued")

    def dying(path: Any, **given: Any) -> os.stat_result:
        if path == beside:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        return look(path, **given)

    monkeypatch.setattr(os, "stat", dying)
    monkeypatch.setenv("HECTOR_GAMES", str(tmp_path / "games"))
    watched.type("e4", "")
    (watched.folder / FILE_NAME).unlink()
    (watched.folder / FILE_NAME).write_text('{"game": {}}\n')
    watched.vigil.close()
    assert leave(watched.table, watched.record, watched.folder, is_stopped=True) == 1
    watched.record.close()
    lines = read(tmp_path / "games" / "game-rescued").lines
    assert [line["move"] for line in lines if line.get("do") == "announce"] == ["e2e4"]


@pytest.mark.parametrize("room", [0, 4])
def test_what_no_folder_takes_at_the_end_is_told_with_the_game_and_promises_nothing(
    watched: Watched, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, room: int
) -> None:
    """Without any room the system has no temporary directory either."""
    monkeypatch.setattr(tempfile, "tempdir", None)
    watched.type("e4", "")
    watched.record._reserve.spend()
    with full_disk(room):
        watched.type("e5", "", "resign", "y")
        assert leave(watched.table, watched.record, watched.folder, is_stopped=False) == 1
    shown = capsys.readouterr().out.splitlines()
    # Announced, placed and pressed, and the resignation.
    assert shown[0] == "Entries of the game that are not kept: 4."
    assert shown[-1].startswith("1. e4 ") and shown[-1].endswith(" 0-1")
    assert not [line for line in shown if str(watched.folder) in line]
    assert watched.shown[-1] == "Hector: The game cannot be saved."
    assert [path.name for path in watched.folder.parent.iterdir()] == ["game"]
    watched.close()


@pytest.mark.parametrize(
    ("is_stopped", "told"),
    [(True, "Stopped. The game goes on with: hector resume "), (False, "The game is in ")],
)
def test_where_a_folder_has_taken_all_of_the_game_that_alone_is_told(
    watched: Watched, capsys: pytest.CaptureFixture[str], is_stopped: bool, told: str
) -> None:
    watched.type("e4", "")
    shutil.rmtree(watched.folder)
    assert leave(watched.table, watched.record, watched.folder, is_stopped=is_stopped) == 0
    assert capsys.readouterr().out == f"{told}{watched.folder}\n"
    watched.close()
    assert [line["move"] for line in read(watched.folder).lines if line.get("do") == "announce"] == ["e2e4"]


def test_the_last_lines_hold_nobody_up_and_come_after_what_the_screen_shows_of_the_game(
    watched: Watched,
) -> None:
    shows, shown = threading.Event(), list[str]()
    screen = Printer(lambda line: shows.wait() and shown.append(line))
    screen.show("of the game")
    assert leave(watched.table, watched.record, watched.folder, screen, is_stopped=False) == 0
    assert shown == []
    shows.set()
    screen.close()
    assert shown == ["of the game", f"The game is in {watched.folder}"]
    watched.close()


def test_a_sheet_that_could_not_be_written_is_written_at_the_end_of_the_game(watched: Watched) -> None:
    sheet = watched.folder / "sheet.brf"
    sheet.unlink(missing_ok=True)
    sheet.mkdir()
    watched.type("e4", "")
    assert watched.record.lacks_sheets
    sheet.rmdir()
    assert leave(watched.table, watched.record, watched.folder, is_stopped=True) == 0
    assert sheet.is_file() and not watched.record.lacks_sheets
    watched.close()


def test_a_game_whose_sheets_its_folder_does_not_take_is_all_in_another_one(
    watched: Watched, capsys: pytest.CaptureFixture[str]
) -> None:
    watched.type("e4", "")
    (watched.folder / "sheet.brf").unlink()
    (watched.folder / "sheet.brf").mkdir()
    watched.type("e5", "", "Nf3", "")
    assert leave(watched.table, watched.record, watched.folder, is_stopped=True) == 1
    watched.close()
    other = watched.folder.with_name("game-rescued")
    assert (
        capsys.readouterr().out.splitlines()[-1] == f"Stopped. The game goes on with: hector resume {other}"
    )
    assert "2. Nf3" in (other / "game.pgn").read_text() and (other / "sheet.brf").is_file()


def test_sheets_that_no_folder_takes_are_told_to_be_older_than_the_game(
    watched: Watched, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    watched.type("e4", "")
    (watched.folder / "sheet.brf").unlink()
    (watched.folder / "sheet.brf").mkdir()
    watched.type("e5", "")
    monkeypatch.setattr(watched.record, "_go_elsewhere", lambda: False)
    assert leave(watched.table, watched.record, watched.folder, is_stopped=True) == 1
    watched.close()
    assert capsys.readouterr().out.splitlines()[-1] == (
        f"PGN and scoresheets are older than the game. Make room, then: hector resume {watched.folder}"
    )


def test_a_pipe_in_the_place_of_the_reserve_keeps_nobody_waiting(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / ".reserve")
    assert not Reserve(tmp_path).spend()


def test_the_reserve_takes_room_and_gives_it_back(tmp_path: Path) -> None:
    reserve = Reserve(tmp_path)
    [file] = tmp_path.iterdir()
    assert file.stat().st_blocks * 512 >= RESERVE
    assert reserve.spend()
    assert not reserve.spend()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("heeded")
def test_of_a_reserve_that_a_signal_breaks_into_nothing_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_given: int) -> None:
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(os, "posix_fallocate", interrupted)
    with pytest.raises(KeyboardInterrupt):
        Reserve(tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("heeded")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_while_a_game_is_left_waits_until_all_is_kept_elsewhere_and_told(
    watched: Watched,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    number: signal.Signals,
) -> None:
    def full(journal: Journal, *_lines: object) -> None:
        if journal.path.parent == watched.folder:
            signal.raise_signal(number)
            raise HectorError("full")
        append(journal, *_lines)

    append = Journal.append
    watched.type("e4", "")
    watched.record._reserve.spend()
    with signals_interrupt(), monkeypatch.context() as patch:
        with full_disk():
            watched.type("e5")
        patch.setattr(Journal, "append", full)
        with pytest.raises(KeyboardInterrupt):
            leave(watched.table, watched.record, watched.folder, is_stopped=True)
    assert capsys.readouterr().out.endswith(
        f"\nStopped. The game goes on with: hector resume {watched.folder}-rescued\n"
    )
    watched.close()
    lines = read(Path(f"{watched.folder}-rescued")).lines
    assert [line["move"] for line in lines if line.get("do") == "announce"] == ["e2e4", "e7e5"]


FULL_DISK = """
    import sys
    from pathlib import Path
    sys.path[:0] = [sys.argv[1], sys.argv[1] + "/tests", sys.argv[1] + "/tests/table"]
    from test_interruptions import Computer, Watched
    folder = Path.cwd() / "game"
    watched = Watched(folder, Computer())
    watched.pass_time(3)
    watched.type("e4", "")
    with open("filler", "wb", buffering=0) as filler:
        try:
            while filler.write(bytes(4096)):
                pass
        except OSError:
            pass
    watched.pass_time(3)
    watched.type("e5", "", "Nf3", "")
    watched.close()
    print(*watched.shown, sep="\\n")
    print((folder / "journal.jsonl").read_text(), end="")
"""


def in_a_small_world(script: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a script in a folder that is a disk of three megabytes."""
    mount = f"mount -t tmpfs -o size=3m none {folder} && cd {folder}"
    command = f"{mount} && exec {sys.executable} -c '{textwrap.dedent(script)}' {ROOT}"
    try:
        subprocess.run(["unshare", "-Urm", "true"], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("NO FILE SYSTEM OF ITS OWN: unshare does not work here")
    return subprocess.run(
        ["unshare", "-Urm", "sh", "-c", command], capture_output=True, text=True, check=False
    )


def test_on_a_disk_that_is_really_full_the_journal_goes_on_in_its_reserve(tmp_path: Path) -> None:
    done = in_a_small_world(FULL_DISK, tmp_path)
    assert done.returncode == 0, done.stderr
    lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    assert [line["move"] for line in lines if line.get("do") == "announce"] == ["e2e4", "e7e5", "g1f3"]
    assert "cannot be saved" not in done.stdout

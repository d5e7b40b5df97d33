"""What is told before a game, so that nobody learns from the flag what the time control was."""

from __future__ import annotations

import contextlib
import os
import pty
from pathlib import Path
from typing import Any

import pytest
from typed import HeardVoice

from assistant.announcements import Thresholds, load_vocabulary
from assistant.table import NoRecord, PaperVoice, Person, Setup, Table, open_record
from assistant.table.agreed import Beforehand, agreed
from assistant.table.keyboard import Keyboard
from assistant.table.live import _wait_for_start


def agreed_lines(**setup: Any) -> list[str]:
    """Return what is told before a game by whoever begins it at the keyboard, in English."""
    game = Setup(language="en", **setup)
    return [
        fact.text
        for fact in agreed(Table(game, load_vocabulary("de"), Thresholds(), PaperVoice(), NoRecord()).course)
    ]


def test_players_and_time_are_told_before_the_clock_runs(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who takes the seconds of the time control for minutes finds it before his flag falls."""
    controller, end = pty.openpty()
    with (
        os.fdopen(controller, "wb", buffering=0) as typist,
        os.fdopen(end) as terminal,
        Keyboard(terminal.fileno()) as keyboard,
    ):
        monkeypatch.setattr("sys.stdin", terminal)
        voice = HeardVoice()
        setup = Setup(Person("Ana", blind=True), Person("Tom"), language="en", time_control="90+30")
        table = Table(setup, load_vocabulary("de"), Thresholds(), voice, NoRecord())
        typist.write(b"m\r ")
        _wait_for_start(keyboard, None, None, table, Beforehand(table.course))
    told = [
        "White: Ana, blind.",
        "Black: Tom.",
        "Time: one minute thirty seconds.",
        "Added for each move: thirty seconds.",
    ]
    assert [sentence.text for sentence in voice.sentences][:4] == told
    shown = capsys.readouterr().out
    assert shown.splitlines()[:5] == [*told, "Space bar or Enter: start the clock."]
    assert shown.count("Time: ") == 1


@pytest.mark.parametrize("again", ["r", "wiederholen", "noch einmal"])
def test_what_was_agreed_is_told_again_when_it_is_asked_for_and_stands_in_what_was_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, again: str
) -> None:
    """Before the clock runs, and after that as long as nothing else was said."""
    told = ["White: blind.", "Time: five minutes."]
    how = "Space bar or Enter: start the clock."
    controller, end = pty.openpty()
    voice, shown = HeardVoice(), list[str]()
    with (
        os.fdopen(controller, "wb", buffering=0) as typist,
        os.fdopen(end) as terminal,
        Keyboard(terminal.fileno()) as keyboard,
        contextlib.closing(open_record(tmp_path, shown.append)) as record,
    ):
        monkeypatch.setattr("sys.stdin", terminal)
        setup = Setup(language="en", time_control="300")
        table = Table(setup, load_vocabulary("de"), Thresholds(), voice, record, show=shown.append)
        beforehand = Beforehand(table.course)
        typist.write(f"{again}\rm\r ".encode())
        assert _wait_for_start(keyboard, None, None, table, beforehand)
        assert not (tmp_path / "said.txt").exists()
        beforehand.write(record)
        table.start()
        table.type("r", 1.0)
        table.type("r", 2.0)
    not_yet, running = "The clock has not been started.", "White's clock is running."
    assert [sentence.text for sentence in voice.sentences] == [
        *told, how, *told, not_yet, how, running, *told, *told
    ]  # fmt: skip
    written = (tmp_path / "said.txt").read_text().splitlines()
    his = {how, not_yet}
    assert written == [
        *(
            f"0:00:00.000 {'white' if each in his else 'room'}: {each}"
            for each in (*told, how, *told, not_yet, how, running)
        ),
        *(f"0:00:01.000 room: {each}" for each in told),
        *(f"0:00:02.000 room: {each}" for each in told),
    ]


def test_of_players_without_names_it_is_told_who_is_blind() -> None:
    assert agreed_lines(time_control="300") == ["White: blind.", "Time: five minutes."]


@pytest.mark.parametrize(
    ("time_control", "told"),
    [
        (
            "40/5400+30:1800+30",
            ["Forty moves: one hour thirty minutes.", "Then: thirty minutes.",
             "Added for each move: thirty seconds."],
        ),
        (
            "40/5400:20/3600:900+30",
            ["Forty moves: one hour thirty minutes.", "Then twenty moves: one hour.",
             "Then: fifteen minutes.", "Added for each move: thirty seconds."],
        ),
        ("40/5400", ["Forty moves: one hour thirty minutes.", "And so on."]),
        (
            "40/5400:20/3600+30",
            [
                "Forty moves: one hour thirty minutes.",
                "Then twenty moves: one hour.",
                "And so on.",
                "Added for each move: thirty seconds.",
            ],
        ),
        (
            "40/5400+30:1800",
            ["Forty moves: one hour thirty minutes.", "Added for each move: thirty seconds.",
             "Then: thirty minutes."],
        ),
        (
            "40/5400d5:1800d10",
            [
                "Forty moves: one hour thirty minutes.",
                "Delay at each move: five seconds.",
                "Then: thirty minutes.",
                "Delay at each move: ten seconds.",
            ],
        ),
        ("300d3", ["Time: five minutes.", "Delay at each move: three seconds."]),
        ("-", ["There is no clock."]),
    ],
)  # fmt: skip
def test_each_period_of_the_time_control_is_a_line_of_its_own(time_control: str, told: list[str]) -> None:
    assert agreed_lines(time_control=time_control)[1:] == told


def test_a_start_position_of_chess960_is_told_by_its_number_and_first_rank() -> None:
    assert agreed_lines(chess960=0, time_control="-")[2:] == [
        "Chess960, position zero.",
        "White: König Gustav eins, Dame Cesar eins, Turm Felix eins Hector eins, Läufer Anna eins Bella "
        "eins, Springer David eins Eva eins.",
    ]


def test_another_position_to_start_from_is_told_with_the_side_to_move() -> None:
    assert agreed_lines(fen="4k3/8/8/8/8/8/4P3/4K3 b - - 0 1", time_control="-")[2:] == [
        "White: König Eva eins, Bauer Eva zwei. Black: König Eva acht.",
        "Black to move.",
    ]


def test_a_position_to_start_from_is_told_to_be_of_chess960() -> None:
    assert agreed_lines(fen="1k6/8/8/8/8/8/8/R5KR w HA - 0 1", chess960=True, time_control="-")[2:] == [
        "Chess960.",
        "White: König Gustav eins, Turm Anna eins Hector eins. Black: König Bella acht.",
        "White to move.",
    ]


def test_what_was_agreed_is_heard_by_both_players() -> None:
    setup = Setup(language="en", fen="4k3/8/8/8/8/8/4P3/4K3 b - - 0 1")
    table = Table(setup, load_vocabulary("de"), Thresholds(), PaperVoice(), NoRecord())
    assert {fact.audience for fact in agreed(table.course)} == {"room"}

"""A player's own warnings: only if he switched them on, only his, once each, and never over a read-back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from exploring import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from typed import VOCABULARY, HeardVoice, Typed

from assistant.announcements import Thresholds
from assistant.journal import read
from assistant.speaking import Priority
from assistant.table import NoRecord, PaperVoice, Person, Setup, Table, reopen_record
from assistant.table.setup import EventRules

WARNED = Person("Ana", blind=True, warnings=(300, 60, 10))


def warnings_of(typed: Typed) -> list[str]:
    return [text for text in typed.said if text.startswith("Noch ")]


def test_whoever_did_not_ask_is_never_warned(tmp_path: Path) -> None:
    typed = Typed(tmp_path / "game", time_control="400")
    typed.pass_time(395)
    assert warnings_of(typed) == []


def test_each_warning_comes_once_and_to_the_player_alone(tmp_path: Path) -> None:
    typed = Typed(tmp_path / "game", time_control="400", white=WARNED)
    typed.pass_time(399)
    assert warnings_of(typed) == ["Noch fünf Minuten.", "Noch eine Minute.", "Noch zehn Sekunden."]
    assert {each.audience for each in typed.voice.sentences if each.text.startswith("Noch")} == {"white"}


def test_a_warning_comes_at_its_moment(tmp_path: Path) -> None:
    typed = Typed(tmp_path / "game", time_control="400", white=WARNED)
    typed.pass_time(399)
    notes = [line for line in read(typed.folder).lines if line.get("do") == "note"]
    assert [(note["at"], note["seconds"]) for note in notes] == [(100.0, 300), (340.0, 60), (390.0, 10)]
    assert "0:01:40.000 white: Noch fünf Minuten." in (typed.folder / "said.txt").read_text()


def test_a_warning_of_more_than_the_game_has_is_no_warning(tmp_path: Path) -> None:
    typed = Typed(tmp_path / "game", time_control="300", white=WARNED)
    typed.pass_time(200)
    assert warnings_of(typed) == []


def test_an_increment_brings_no_warning_back(tmp_path: Path) -> None:
    typed = Typed(tmp_path / "game", pace=1, time_control="310+30", white=WARNED)
    typed.pass_time(55)
    assert len(warnings_of(typed)) == 1
    typed.type("e4", "")
    assert typed.table.course.referee.status().keys["white"] > 300
    typed.type("e5", "")
    typed.pass_time(40)
    assert typed.table.course.referee.status().keys["white"] < 300
    assert len(warnings_of(typed)) == 1


def test_another_period_brings_its_own_warnings(tmp_path: Path) -> None:
    typed = Typed(tmp_path / "game", pace=1, time_control="1/70:400", white=WARNED)
    typed.pass_time(11)
    assert warnings_of(typed) == ["Noch eine Minute."]
    typed.type("e4", "", "e5", "")
    typed.pass_time(455)
    assert warnings_of(typed)[1:] == ["Noch fünf Minuten.", "Noch eine Minute.", "Noch zehn Sekunden."]


def test_the_other_players_time_is_no_reason_to_warn(tmp_path: Path) -> None:
    typed = Typed(tmp_path / "game", pace=1, time_control="400", white=WARNED)
    typed.type("e4", "")
    typed.pass_time(395)
    assert warnings_of(typed) == []


def test_two_blind_players_have_their_own(tmp_path: Path) -> None:
    black = Person("Tom", blind=True, warnings=(200,))
    typed = Typed(tmp_path / "game", pace=1, time_control="301", white=WARNED, black=black)
    typed.pass_time(1)
    typed.type("e4", "")
    typed.pass_time(110)
    assert [(each.audience, each.text) for each in typed.voice.sentences if each.text.startswith("Noch")] == [
        ("white", "Noch fünf Minuten."),
        ("black", "Noch drei Minuten zwanzig Sekunden."),
    ]


def test_nobody_is_warned_while_he_speaks(tmp_path: Path) -> None:
    typed = Typed(tmp_path / "game", time_control="310", white=WARNED)
    typed.pass_time(9)
    typed.table.tick(10.1, speech_since=9.5)
    typed.table.tick(11.4, speech_since=9.5)
    assert warnings_of(typed) == []
    typed.table.tick(11.45)
    assert warnings_of(typed) == ["Noch fünf Minuten."]


def test_talk_that_goes_on_keeps_no_warning_back(tmp_path: Path) -> None:
    typed = Typed(tmp_path / "game", time_control="310", white=WARNED)
    typed.pass_time(9)
    for at in range(100, 120):
        typed.table.tick(at / 10, speech_since=9.5)
    assert warnings_of(typed) == ["Noch fünf Minuten."]
    assert typed.table.now == 9.5


def test_talk_keeps_a_warning_back_no_longer_for_one_that_follows(tmp_path: Path) -> None:
    typed = Typed(tmp_path / "game", time_control="310", white=Person("Ana", blind=True, warnings=(300, 299)))
    typed.pass_time(9)
    for at in range(98, 115):
        typed.table.tick(at / 10, speech_since=9.8)
    assert warnings_of(typed) == []
    typed.table.tick(11.6, speech_since=9.8)
    assert warnings_of(typed) == ["Noch vier Minuten neunundfünfzig Sekunden."]


def test_who_speaks_in_his_delay_is_not_warned_of_time_that_he_still_has(tmp_path: Path) -> None:
    typed = Typed(tmp_path / "game", time_control="302d10", white=WARNED)
    for at in range(1, 12):
        typed.table.tick(at, speech_since=1)
    assert warnings_of(typed) == []
    typed.table.tick(13.6, speech_since=1)
    assert warnings_of(typed) == ["Noch fünf Minuten."]


def test_a_late_warning_names_what_is_left_and_stands_for_the_next_one(tmp_path: Path) -> None:
    typed = Typed(tmp_path / "game", time_control="15", white=Person("Ana", blind=True, warnings=(12, 8, 4)))
    typed.table.tick(2.9)
    typed.table.tick(9.5, speech_since=2.9)
    typed.table.tick(14.0)
    assert warnings_of(typed) == ["Noch fünf Sekunden."]


def test_warnings_that_were_agreed_on_close_to_each_other_all_come(tmp_path: Path) -> None:
    typed = Typed(tmp_path / "game", time_control="15", white=Person("Ana", blind=True, warnings=(5, 4)))
    typed.pass_time(14)
    assert warnings_of(typed) == ["Noch fünf Sekunden.", "Noch vier Sekunden."]


def test_whoever_mends_his_move_is_warned(tmp_path: Path) -> None:
    typed = Typed(tmp_path / "game", time_control="15", press="auto", pace=1, white=WARNED)
    typed.type("e4", "k")
    typed.pass_time(8)
    assert warnings_of(typed) == ["Noch zehn Sekunden."]


@pytest.mark.parametrize(
    "given",
    [
        {"do": "set-clock", "white": 3600},
        {"do": "penalty", "side": "black", "kind": "add-opponent", "seconds": 600},
    ],
    ids=["set-clock", "penalty"],
)
def test_time_that_the_arbiter_gives_brings_the_warnings_of_less_back(
    tmp_path: Path, given: dict[str, object]
) -> None:
    typed = Typed(tmp_path / "game", time_control="301", white=WARNED)
    typed.pass_time(2)
    typed.table.act(given, typed.at)
    typed.pass_time(1)
    typed.table.act({"do": "set-clock", "white": 301}, typed.at)
    typed.pass_time(2)
    assert warnings_of(typed) == ["Noch fünf Minuten."] * 2


def test_time_that_is_given_back_by_taking_back_brings_them_back_too(tmp_path: Path) -> None:
    typed = Typed(tmp_path / "game", time_control="900", white=WARNED)
    typed.table.act({"do": "penalty", "side": "white", "kind": "reduce", "seconds": 700}, typed.at)
    typed.pass_time(1)
    typed.table.act({"do": "undo"}, typed.at)
    typed.pass_time(600)
    assert warnings_of(typed)[1:] == ["Noch fünf Minuten."]


@pytest.mark.parametrize(
    ("line", "again"),
    [
        ({"do": "set-clock", "white": 19}, True),
        ({"do": "penalty", "side": "black", "kind": "add-opponent", "seconds": 3}, True),
        ({"do": "set-clock", "white": 16}, False),
    ],
)
def test_what_counts_is_the_time_that_he_had_just_before(
    tmp_path: Path, line: dict[str, Any], again: bool
) -> None:
    """The clock has run since it was last told of: 19 seconds are less than the 20 at the start."""
    typed = Typed(tmp_path / "game", time_control="20", white=Person(warnings=(17,)))
    typed.pass_time(5)
    typed.table.act(line, typed.at)
    typed.pass_time(10)
    assert len(warnings_of(typed)) == 1 + again


def test_a_move_taken_back_brings_no_warning_back(tmp_path: Path) -> None:
    typed = Typed(tmp_path / "game", pace=1, time_control="62+30", mode="club", white=WARNED)
    typed.pass_time(35)
    typed.type("e4", "", "e5", "")
    typed.table.act({"do": "undo"}, typed.at)
    typed.pass_time(3)
    assert warnings_of(typed) == ["Noch eine Minute."]


def test_an_illegal_move_of_the_opponent_that_gives_no_time_brings_no_warning_back(tmp_path: Path) -> None:
    """A.4.2 of 2018: once it was replied to it stands."""
    typed = Typed(
        tmp_path / "game",
        pace=1,
        laws="2018",
        time_control="62+30",
        rules=EventRules(category="rapid", supervised=False),
        white=WARNED,
    )
    typed.pass_time(33)
    typed.type("e4", "")
    for line in ({"do": "announce", "move": "e8e6"}, {"do": "press"}):
        typed.table.act({"side": "black", **line}, typed.at)
    typed.type("d4", "")
    typed.table.act({"do": "claim", "side": "white", "of": "illegal-move"}, typed.at)
    assert typed.table.course.events[-1].keys["remedy"] == "stands"
    typed.table.act({"do": "announce", "side": "black", "move": "a7a6"}, typed.at)
    typed.table.act({"do": "press", "side": "black"}, typed.at)
    typed.pass_time(70)
    assert warnings_of(typed) == ["Noch eine Minute."]


def test_a_warning_waits_for_the_press_that_waits_for_silence(tmp_path: Path) -> None:
    """Or the sentence would delay the player's own clock."""
    plain = Typed(tmp_path / "plain", time_control="310", press="auto", pace=9.6)
    plain.type("e4")
    plain.pass_time(5)
    typed = Typed(tmp_path / "game", time_control="310", press="auto", pace=9.6, white=WARNED)
    typed.type("e4")
    typed.pass_time(5)

    def pressed(game: Typed) -> list[float]:
        return [line["at"] for line in read(game.folder).lines if line.get("do") == "press"]

    assert pressed(plain)
    assert pressed(typed) == pressed(plain)
    assert warnings_of(typed) == []


def test_a_warning_never_cuts_a_read_back(tmp_path: Path) -> None:
    typed = Typed(tmp_path / "game", time_control="400", white=WARNED)
    typed.pass_time(399)
    assert {each.priority for each in typed.voice.sentences if "Noch" in each.text} == {Priority.REPLY}


def test_after_a_warning_alone_nothing_is_told_to_have_been_said(tmp_path: Path) -> None:
    """What was left then is not left any more, but something was said."""
    typed = Typed(tmp_path / "game", time_control="62", white=WARNED)
    assert typed.type("r") == "Hector: Nichts zu wiederholen."
    assert warnings_of(typed) == ["Noch eine Minute."]


def test_a_warning_is_not_what_is_repeated(tmp_path: Path) -> None:
    typed = Typed(tmp_path / "game", pace=1, time_control="305", white=WARNED)
    typed.type("e4")
    typed.pass_time(10)
    assert warnings_of(typed)
    assert typed.type("r") == "Hector: Eva vier"


def test_no_warning_is_given_again_after_a_power_failure(tmp_path: Path) -> None:
    typed = Typed(tmp_path / "game", pace=1, time_control="280+30", white=WARNED)
    typed.pass_time(12)
    assert len(warnings_of(typed)) == 1
    typed.type("e4", "", "e5", "")
    typed.record.close()
    record, setup, lines = reopen_record(typed.folder, print)
    assert setup.white == WARNED
    voice = HeardVoice()
    table = Table(setup, VOCABULARY, Thresholds(), voice, record)
    table.resume(lines, typed.at)
    table.tick(typed.at + 100)
    assert [each.text for each in voice.sentences if each.text.startswith("Noch")] == []


def test_a_game_without_a_clock_warns_nobody(tmp_path: Path) -> None:
    typed = Typed(tmp_path / "game", time_control="-", white=WARNED)
    typed.pass_time(400)
    assert warnings_of(typed) == []


@settings(max_examples=examples(40))
@given(
    agreed=st.lists(st.integers(1, 120), max_size=4, unique=True),
    steps=st.lists(st.floats(0.05, 40.0), min_size=1, max_size=30),
    increment=st.integers(0, 20),
)
def test_no_warning_is_ever_given_twice(agreed: list[int], steps: list[float], increment: int) -> None:
    """Whatever the players do: each agreed time at most once, from the most seconds to the fewest."""
    ordered = tuple(sorted(agreed, reverse=True))
    table = Table(
        Setup(white=Person("Ana", True, ordered), time_control=f"100+{increment}", press="key"),
        VOCABULARY,
        Thresholds(),
        PaperVoice(),
        NoRecord(),
    )
    table.start()
    at = 0.0
    moves = iter(["Nf3", "Nf6", "Ng1", "Ng8"] * 10)
    for number, step in enumerate(steps):
        at += step
        table.tick(at)
        if number % 2:
            table.type(next(moves), at)
            table.type("", at)
    lines = [step.line for step in table.course.steps if step.line is not None]
    given_out = [line["seconds"] for line in lines if line["do"] == "note"]
    assert given_out == sorted(set(given_out), reverse=True)
    assert set(given_out) <= set(ordered)


@pytest.mark.parametrize("text", ["300,60,10", "10 60 300"])
def test_warnings_on_the_command_line(text: str) -> None:
    from assistant.cli import build_parser
    from assistant.cli.play import setup_of

    setup = setup_of(build_parser().parse_args(["play", "--warn", text, "--blind", "black"]), "word")
    assert (setup.white.warnings, setup.black.warnings) == ((), (300, 60, 10))

"""The log writes the moves that stand, each in the position in which it was made."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, get_args

import chess
import pytest

from assistant.announcements import Thresholds, load_vocabulary
from assistant.arbiter.logbook import Entry, Logbook
from assistant.arbiter.notation import written
from assistant.arbiter.pins import Role
from assistant.arbiter.scene import scene_of
from assistant.laws import Event
from assistant.speaking import LANGUAGES
from assistant.speaking.events import _TELLERS, SILENT
from assistant.table import PaperVoice, Setup, Table
from assistant.table.record import NoRecord
from assistant.table.setup import EventRules


def table_of(setup: Setup, *lines: dict[str, Any]) -> Table:
    """Play a game up to some lines of the script."""
    table = Table(
        setup, load_vocabulary("de"), Thresholds(), PaperVoice(), NoRecord(), show=lambda text: None
    )
    table.start(0)
    for line in lines:
        table.act(line, line["at"])
    return table


def read_by(table: Table, role: Role, language: str = "en") -> list[str]:
    """Return the log as a role reads it; what cannot be put into words fails here."""

    def fail(error: Exception) -> None:
        raise error

    return [entry["text"] for entry in entries_of(table, role, language, fail)]


def entries_of(
    table: Table, role: Role, language: str = "en", on_fault: Callable[[Exception], None] = print
) -> list[Entry]:
    log = Logbook(table.setup, role, language, on_fault)
    log.follow(scene_of(table, table.now))
    return log.entries


def log_of(setup: Setup, *lines: dict[str, Any]) -> list[str]:
    return read_by(table_of(setup, *lines), "arbiter")


@pytest.mark.parametrize(
    ("fen", "move", "shown"),
    [
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1c1", "Ke1-c1"),
        ("8/8/8/8/8/2K5/8/4k3 w - - 0 1", "c3e3", "Kc3-e3"),
        ("4kr2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "0-0"),
        ("4k3/8/8/8/8/8/8/R3K2R w - - 0 1", "e1c1", "0-0-0"),
    ],
)
def test_castling_is_written_where_the_men_stand_for_it_legal_or_not(fen: str, move: str, shown: str) -> None:
    assert written(chess.Board(fen), chess.Move.from_uci(move), "en", neutral=True) == shown


@pytest.mark.parametrize("role", ["arbiter", "opponent"])
def test_a_stop_that_is_withdrawn_lets_everybody_read_whose_clock_runs(role: Role) -> None:
    table = table_of(
        Setup(language="en"),
        {"at": 1, "do": "stop-clock", "by": "arbiter", "desk": "arbiter"},
        {"at": 2, "do": "undo", "by": "arbiter", "desk": "arbiter"},
    )
    read = entries_of(table, role)
    assert read[-1]["text"] == "White's clock is running."
    assert read[-1].get("news", False) == (role == "opponent")


def test_a_queen_that_replaced_a_pawn_is_written_and_moves_as_a_queen() -> None:
    """7.5.2."""
    log = log_of(
        Setup(fen="6k1/P4p1p/8/8/8/8/8/K7 w - - 0 1", language="en"),
        {"at": 1, "do": "announce", "side": "white", "move": "a7a8", "placed": True},
        {"at": 1, "do": "place", "side": "white", "move": "a7a8"},
        {"at": 2, "do": "press", "side": "white"},
        {"at": 3, "do": "claim", "side": "black", "of": "illegal-move"},
        {"at": 4, "do": "announce", "side": "black", "move": "g8g7"},
        {"at": 4, "do": "press", "side": "black"},
        {"at": 5, "do": "announce", "side": "white", "move": "a8e8"},
    )
    assert "White completed a8Q+." in log
    assert log[-1] == "White announced Qe8."


def script(*lines: tuple[str, dict[str, Any]]) -> list[dict[str, Any]]:
    """Return lines of the script, one a second."""
    return [{"at": at, "do": do, **keys} for at, (do, keys) in enumerate(lines, 1)]


def moves(*ucis: str) -> list[tuple[str, dict[str, Any]]]:
    """Return a move of each player in turn, with its press."""
    made: list[tuple[str, dict[str, Any]]] = []
    for number, uci in enumerate(ucis):
        side = "black" if number % 2 else "white"
        made += [
            ("announce", {"side": side, "move": uci}),
            ("place", {"side": side, "move": uci}),
            ("press", {"side": side}),
        ]
    return made


def test_the_position_that_the_arbiter_watches_he_alone_reads_of() -> None:
    """2014 A.4.d, 2023 A.5.4: until the next move is completed nobody hears from him that it is illegal."""
    rules = EventRules(supervised=False)
    setup = Setup(fen="7k/P6p/8/8/8/8/7P/K7 w - - 0 1", time_control="900", rules=rules, language="en")
    sees = ("claim", {"side": "arbiter", "of": "illegal-move", "desk": "arbiter"})
    before, after = (table_of(setup, *script(*moves("a7a8"), *seen)) for seen in ((), (sees,)))
    assert read_by(after, "arbiter")[-1].startswith("The next move is waited for.")
    for role in get_args(Role):
        assert role == "arbiter" or read_by(after, role) == read_by(before, role)


WHITE, BLACK = {"side": "white"}, {"side": "black"}


@pytest.mark.parametrize("is_placed", [False, True])
def test_a_repetition_that_differs_names_the_move_that_was_announced(is_placed: bool) -> None:
    """D.2.1; in the notation a pawn that captures is no bishop."""
    placed = [("place", {**WHITE, "move": "b4a5"})] if is_placed else []
    announced = ("announce", {**WHITE, "move": "b4a5", "placed": False})
    table = table_of(
        Setup(language="en"),
        *script(*moves("b2b4", "a7a5"), announced, *placed, ("repeat", {**BLACK, "move": "b4b5"})),
    )
    assert read_by(table, "arbiter")[-1] == "Black repeated another move than bxa5."
    assert read_by(table, "opponent")[-1] == "Black repeated another move than b4xa5."


GAMES: dict[str, tuple[dict[str, Any], list[dict[str, Any]]]] = {
    "a time control": (
        {"time_control": "2/60+5:60"},
        script(
            *moves("e2e4", "e7e5", "d2d4"),
            ("announce", {**BLACK, "move": "d7d5"}),
            ("set-clock", {"white": 40, "moves": 1}),
        ),
    ),
    "words and offers": (
        {},
        script(
            ("announce", {**WHITE, "move": "e2e4"}),
            ("repeat", {**BLACK, "move": "e2e4"}),
            ("repeat", {**BLACK, "move": "d2d4"}),
            ("correct", {**WHITE, "move": "d2d4"}),
            ("offer-draw", WHITE),
            ("decline-draw", BLACK),
            ("press", BLACK),
            ("ask", {"side": "arbiter", "about": "times"}),
            ("penalty", {**WHITE, "kind": "warning"}),
            ("undo", {}),
            ("resign", WHITE),
        ),
    ),
    "claims": (
        {},
        script(
            *moves("e2e4", "e7e4"),
            ("claim", {**WHITE, "of": "illegal-move"}),
            ("claim", {**BLACK, "of": "flag"}),
            ("stop-clock", {"by": "white"}),
            ("resume", {}),
            ("sheets", {"white": ["e4"], "black": ["e4"]}),
            ("sheets", {"white": ["e4"], "black": ["d4"]}),
            ("restore", {"ply": 0}),
        ),
    ),
    "a claim that waits": (
        {},
        script(
            *moves("e2e4"),
            ("claim", {**BLACK, "of": "threefold", "move": "d7d5", "wait": True}),
            ("rule", {"claim": "reject"}),
        ),
    ),
    "the wrong place": (
        {},
        script(
            ("announce", {**WHITE, "move": "e2e4", "placed": False}),
            ("place", {**WHITE, "move": "d2d4"}),
            ("press", WHITE),
            ("announce", {**BLACK, "move": "e7e5"}),
            ("press", BLACK),
            ("claim", {**WHITE, "of": "illegal-move"}),
            ("undo", {}),
        ),
    ),
    "an adjournment": (
        {},
        script(
            *moves("e2e4"),
            ("adjourn", {}),
            ("seal", {**BLACK, "move": "e7e5"}),
            ("stop-clock", {}),
            ("resume", {}),
            ("arrive", WHITE),
            ("open-envelope", {}),
        ),
    ),
    "an envelope that is void": (
        {},
        script(
            *moves("e2e4"),
            ("adjourn", {}),
            ("seal", {**BLACK, "move": "e7e5"}),
            ("restore", {"ply": 0}),
        ),
    ),
    "a flag": ({"time_control": "60"}, [{"at": 61, "do": "note", "about": "late"}]),
}


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("role", get_args(Role))
def test_every_role_reads_everything_that_happens_in_every_language(role: Role, name: str) -> None:
    setup, lines = GAMES[name]
    table = table_of(Setup(language="en", **setup), *lines)
    assert all(read_by(table, role, language) for language in LANGUAGES)


def test_these_games_bring_every_event() -> None:
    happened = {
        event.event
        for setup, lines in GAMES.values()
        for event in table_of(Setup(language="en", **setup), *lines).course.events
    }
    assert happened == (frozenset(_TELLERS) | SILENT) - {"status"}


def test_what_cannot_be_put_into_words_is_named_and_told_and_the_log_goes_on() -> None:
    table = table_of(Setup(language="en"), *script(("announce", {**WHITE, "move": "e2e4"})))
    strange = Event(1_000_000, "of-another-version", {})
    table.course.follow([strange], 1)
    table.course.steps.append(type(table.course.steps[0])(None, (strange,)))
    table.act({"do": "offer-draw", **WHITE}, 2)
    faults: list[Exception] = []
    log = Logbook(table.setup, "spectator", "en", faults.append)
    log.follow(scene_of(table, table.now))
    log.follow(scene_of(table, table.now))
    assert [entry["text"] for entry in log.entries][-2:] == [
        "A fault in Hector: what happened here cannot be shown.",
        "Draw offer by White.",
    ]
    assert [str(fault) for fault in faults] == ["no event is called 'of-another-version'"]


def details(*lines: tuple[str, dict[str, Any]]) -> list[tuple[str, str | None]]:
    """Return the arbiter's log after the first move, with what stands beside each entry."""
    table = table_of(Setup(language="en"), *script(*moves("e2e4"), *lines))
    assert not any("detail" in each for each in entries_of(table, "opponent"))
    return [(each["text"], each.get("detail")) for each in entries_of(table, "arbiter")[-len(lines) :]]


ENTERED: list[tuple[str, dict[str, Any], tuple[str, str | None]]] = [
    (
        "penalty",
        {**WHITE, "kind": "points-opponent", "points": 0.5, "reason": "noise"},
        ("Penalty for White: more points for the opponent.", "points: ½; reason: noise"),
    ),
    (
        "penalty",
        {**BLACK, "kind": "warning", "reason": "phone", "remark": "in his bag"},
        ("Warning to Black.", "reason: His telephone made a sound; reason: in his bag"),
    ),
    (
        "stop-clock",
        {"by": "arbiter", "reason": "fire drill"},
        ("The clocks are stopped.", "reason: fire drill"),
    ),
    (
        "set-clock",
        {"white": 3600, "moves": 3, "reason": "setting"},
        ("The clocks have been set.", "White 1:00:00; move counter: 3; reason: The clock was set wrongly"),
    ),
    (
        "place",
        {**BLACK, "move": "e7e5", "desk": "arbiter"},
        ("Black placed e5 on the board.", None),
    ),
]


@pytest.mark.parametrize(("do", "keys", "entry"), ENTERED)
def test_what_the_arbiter_has_entered_stands_in_his_log(
    do: str, keys: dict[str, Any], entry: tuple[str, str | None]
) -> None:
    assert details((do, keys)) == [entry]


def test_a_french_semicolon_stands_behind_a_space_that_no_line_breaks_at() -> None:
    penalty = {**BLACK, "kind": "warning", "reason": "phone", "remark": "fort"}
    [entry] = entries_of(table_of(Setup(), *script(("penalty", penalty))), "arbiter", "fr")[-1:]
    assert entry["detail"].endswith("\N{NO-BREAK SPACE}; motif\N{NO-BREAK SPACE}: fort")


def test_the_log_tells_the_arbiter_and_nobody_else_who_calls_him() -> None:
    table = table_of(Setup(language="en"), {"at": 3, "do": "note", "about": "arbiter", "side": "white"})
    assert read_by(table, "arbiter")[-1] == "White calls the arbiter."
    assert "calls the arbiter" not in " ".join(read_by(table, "opponent"))


@pytest.mark.parametrize("about", ["time", "sleep", "adjust", "arbiter"])
def test_a_remark_of_the_arbiter_is_in_the_log_whatever_it_is_about(about: str) -> None:
    line = {"at": 3, "do": "note", "about": about, "seconds": 5, "desk": "arbiter"}
    table = table_of(Setup(language="en"), line)
    assert read_by(table, "arbiter")[-1] == f"Remark: {about}"


NOTES: list[tuple[dict[str, Any], str]] = [
    ({"about": "interruption", "seconds": 754.321}, "Hector was interrupted: 0:12:34.3. No clock ran."),
    ({"about": "interruption", "last_line": 3}, "Hector was interrupted. No clock ran."),
    ({"about": "sleep", "seconds": 60.0}, "The computer slept: 0:01:00. No clock ran."),
    ({"about": "stopped", "seconds": 12.0}, "Hector stood still: 0:00:12. The clock ran on."),
    (
        {"about": "time-of-day", "seconds": 3600.0},
        "The computer's time of day was set forward: 1:00:00. The chess clocks are not affected.",
    ),
    (
        {"about": "time-of-day", "seconds": -0.5},
        "The computer's time of day was set back: 0:00:00.5. The chess clocks are not affected.",
    ),
    ({"about": "adjust", **WHITE}, "White adjusts men."),
    ({"about": "correction", **WHITE}, "White takes the announcement back."),
    ({"about": "correction", **WHITE, "stands": True}, "White lets the announcement stand after all."),
    ({"about": "warning", **BLACK, "seconds": 300}, "Black was warned of the time: 0:05:00."),
]


@pytest.mark.parametrize(("note", "words"), NOTES)
def test_what_the_program_notes_is_told_to_the_arbiter_in_words(note: dict[str, Any], words: str) -> None:
    table = table_of(Setup(language="en"), {"at": 3, "do": "note", **note})
    assert read_by(table, "arbiter")[-1] == words
    for language in set(LANGUAGES) - {"en"}:
        told = read_by(table, "arbiter", language)[-1]
        assert note["about"] not in told and words != told
    assert words not in read_by(table, "opponent")


def test_a_game_without_a_clock_stands_while_a_claim_waits() -> None:
    table = table_of(
        Setup(language="en", time_control="-"),
        {"at": 1, "do": "claim", "side": "white", "of": "threefold", "wait": True},
    )
    assert scene_of(table, table.now).phase == "stopped"


def test_the_arbiter_is_told_at_once_of_a_call_or_question_that_he_has_not_brought_about() -> None:
    table = table_of(
        Setup(language="en"),
        {"at": 1, "do": "announce", "side": "white", "move": "e2e4"},
        {"at": 1, "do": "press", "side": "white"},
        {"at": 2, "do": "note", "about": "arbiter", "side": "white"},
        {"at": 3, "do": "claim", "side": "black", "of": "two-hands", "wait": True, "desk": "opponent"},
        {"at": 4, "do": "rule", "claim": "reject", "desk": "arbiter"},
        {"at": 5, "do": "stop-clock", "by": "black", "reason": "arbiter", "desk": "opponent"},
        {"at": 6, "do": "claim", "side": "black", "of": "flag", "wait": True, "desk": "arbiter"},
    )
    news = [each["text"] for each in entries_of(table, "arbiter") if each.get("news")]
    assert [each for each in news if "call" in each or "laim" in each] == [
        "White calls the arbiter.",
        "Black's claim: two hands used. The arbiter decides.",
        "Black has stopped the clocks and calls the arbiter.",
    ]


def test_the_opponent_is_told_at_once_what_others_do_and_not_what_he_does_himself() -> None:
    """A move of the other side is no news: he sees it; who has pressed is told to nobody unasked."""
    table = table_of(
        Setup(language="en"),
        {"at": 1, "do": "announce", "side": "white", "move": "e2e4"},
        {"at": 1, "do": "offer-draw", "side": "white"},
        {"at": 2, "do": "press", "side": "white"},
        {"at": 3, "do": "decline-draw", "side": "black", "desk": "opponent"},
        {"at": 4, "do": "stop-clock", "by": "arbiter", "desk": "arbiter"},
        {"at": 5, "do": "penalty", "side": "black", "kind": "warning", "desk": "arbiter"},
    )
    entries = entries_of(table, "opponent")
    assert [each["text"] for each in entries if each.get("news")] == [
        "Draw offer by White.",
        "The clocks are stopped.",
        "Warning to Black.",
    ]
    assert [each["text"] for each in entries if each.get("own")] == ["Draw offer declined by Black."]
    for role in ("spectator", "arbiter"):
        assert not any("news" in each or "own" in each for each in entries_of(table, role))

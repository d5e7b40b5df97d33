"""A page that slept, lost its connection or outlived its server catches up; nothing is lost or doubled."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from page_game import Browser, Room, wait_for

from assistant.arbiter.hub import FIRST_ENTRIES, MOST_ENTRIES, Hub
from assistant.arbiter.scene import Clocks, scene_of


def test_what_happens_is_shown_by_itself(room: Room) -> None:
    with Browser(room).events() as events:
        assert events.next("state")["state"]["ply"] == 0
        room.type("e4")
        shown = events.next("state", lambda data: data["state"]["ply"] == 1)
        assert shown["state"]["board"]["e4"] == "P"
        assert shown["state"]["last"] == ["e2", "e4"]


def test_a_page_that_was_away_gets_the_entries_it_has_not_had(room: Room) -> None:
    browser = Browser(room)
    with browser.events() as events:
        had = events.next("state")["total"]
        last = events.last
    room.type("e4", "")
    with browser.events(last) as events:
        news = events.next("state")
    assert news["from"] == had
    assert [entry["n"] for entry in news["log"]] == list(range(had, news["total"]))
    assert news["total"] > had


def test_after_a_restart_of_the_server_everything_is_there_and_nobody_signs_in_again(
    rooms: Callable[..., Room],
) -> None:
    first = rooms()
    opponent = Browser(first, "opponent")
    first.type("e4", "")
    assert opponent.act("move", {"move": "e5"})[0] == 200
    with opponent.events() as events:
        before = events.next("state")
        last = events.last
    port = first.port
    first.close()
    second = rooms(port=port)
    with opponent.events(last) as events:
        after = events.next("state")
    assert after["from"] == 0
    assert [entry["text"] for entry in after["log"]] == [entry["text"] for entry in before["log"]]
    assert after["state"]["moves"] == before["state"]["moves"]
    assert opponent.act("press")[0] == 200
    assert second.journal()[-1]["do"] == "press"


def test_ten_thousand_entries_of_the_log_come_in_parts(room: Room) -> None:
    arbiter = Browser(room, "arbiter")

    def write() -> None:
        at = room.table.now
        for number in range(10_000):
            room.table.course.apply({"at": at, "do": "note", "about": f"entry {number}"})

    room.do(write)
    with arbiter.events() as events:
        shown = events.next("state", lambda data: data["total"] > 10_000)
    assert len(shown["log"]) <= MOST_ENTRIES
    status, older = arbiter.get(f"/log?before={shown['from']}&count=100000")
    assert status == 200
    assert [entry["n"] for entry in older["log"]] == list(range(shown["from"] - MOST_ENTRIES, shown["from"]))
    assert len(Browser(room, "arbiter").log()) == FIRST_ENTRIES


def test_a_number_of_another_run_means_nothing(room: Room) -> None:
    hub = Hub(scene_of(room.table, room.now), "this", lambda role: {}, lambda error: None)
    browser = Browser(room)
    with browser.events("other-run:1") as events:
        assert events.next("state")["from"] == 0
    assert hub.boot == "this"


def test_a_number_beyond_the_log_brings_what_a_new_page_gets(room: Room) -> None:
    hub = Hub(scene_of(room.table, room.now), "this", lambda role: {}, lambda error: None)
    assert hub.message("arbiter", "en", 10_000) == hub.message("arbiter", "en", None)


def test_a_page_that_was_away_for_long_gets_the_newest_entries_and_asks_for_the_others(room: Room) -> None:
    def write() -> None:
        for number in range(MOST_ENTRIES + 5):
            room.table.course.apply({"at": room.table.now, "do": "note", "about": f"entry {number}"})

    with Browser(room, "arbiter").events() as events:
        last = events.next("state") and events.last
    room.do(write)
    with Browser(room, "arbiter").events(last) as events:
        shown = events.next("state")
    assert (len(shown["log"]), shown["from"]) == (MOST_ENTRIES, shown["total"] - MOST_ENTRIES)


def test_another_course_is_shown_from_its_beginning(rooms: Callable[..., Room]) -> None:
    first, second = rooms("first"), rooms("second")
    first.type("e4", "")
    second.type("d4", "")
    hub = Hub(scene_of(first.table, 0.0), "first", lambda role: {}, lambda error: None)
    assert any("e4" in entry["text"] for entry in hub.older("arbiter", "en", 100, 100))
    hub.begin_anew(scene_of(second.table, 0.0), "second")
    shown = " ".join(entry["text"] for entry in hub.older("arbiter", "en", 100, 100))
    assert "d4" in shown and "e4" not in shown


def test_who_comes_late_is_shown_no_older_times_than_who_has_watched(room: Room) -> None:
    with Browser(room).events() as events:
        first = events.next("state")["state"]["clocks"]["white"]
        shown = events.next("clocks", lambda clocks: clocks["white"] < first - 500)["white"]
        assert Browser(room).state()["clocks"]["white"] <= shown
        Browser(room, "arbiter")
        assert events.next("state")["state"]["clocks"]["white"] <= shown


def test_a_state_is_shown_with_what_the_clocks_show_at_that_moment(room: Room) -> None:
    hub = Hub(scene_of(room.table, room.now), "this", lambda role: {}, lambda error: None)
    hub.message("spectator", "en", None)
    hub.tick(Clocks(white=7_000, black=8_000, running=None, delay=0))
    assert (
        b'"clocks":{"white":7000,"black":8000,"running":null,"delay":0}'
        in hub.message("spectator", "en", None)[0]
    )


@pytest.mark.parametrize(
    ("seconds", "later"),
    [
        (0.0, Clocks(60_000, 50_000, "black", 3_000)),
        (2.0, Clocks(60_000, 50_000, "black", 1_000)),
        (13.0, Clocks(60_000, 40_000, "black", 0)),
        (99.0, Clocks(60_000, 0, "black", 0)),
    ],
)
def test_of_two_clocks_the_one_that_runs_shows_less_after_its_delay(seconds: float, later: Clocks) -> None:
    assert Clocks(60_000, 50_000, "black", 3_000).after(seconds) == later


def test_the_clocks_are_told_again_and_again(room: Room) -> None:
    with Browser(room).events() as events:
        clocks = events.next("clocks")
    assert clocks["running"] == "white"
    assert 0 < clocks["white"] <= 5_430_000
    assert clocks["black"] == 5_430_000


def test_a_delay_is_told_as_long_as_it_lasts(rooms: Callable[..., Room]) -> None:
    room = rooms(time_control="300d10")
    clocks = Browser(room).state()["clocks"]
    assert clocks["white"] == 300_000
    assert 0 < clocks["delay"] <= 10_000


def test_in_a_game_without_a_clock_there_are_none(rooms: Callable[..., Room]) -> None:
    clocks = Browser(rooms(time_control="-")).state()["clocks"]
    assert clocks == {"white": None, "black": None, "running": None, "delay": 0}


@pytest.mark.parametrize("role", ["spectator", "opponent", "arbiter"])
def test_every_state_says_for_which_role_it_is(room: Room, role: str) -> None:
    """A page of another role than its stream, after somebody signed out in another tab, loads itself anew."""
    assert Browser(room, role).state()["role"] == role


@pytest.mark.parametrize("by_the_arbiter", [True, False])
def test_every_page_is_told_that_the_arbiter_has_closed_it_and_that_alone(
    room: Room, by_the_arbiter: bool
) -> None:
    arbiter = Browser(room, "arbiter")
    arbiter.act("result", {"result": "1-0"})
    with Browser(room).events() as events:
        if by_the_arbiter:
            assert arbiter.act("close")[0] == 200
            wait_for(lambda: not room.page.stays)
        room.close()
        if by_the_arbiter:
            assert events.next("closed") == {}
        else:
            with pytest.raises(AssertionError, match="the stream has ended"):
                events.next("closed")

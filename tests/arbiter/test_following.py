"""A page that follows a game which another program plays: all of it is shown, and nothing is taken."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from unittest.mock import patch

import pytest
from page_game import PATIENCE, PINS, VOCABULARY, Browser, Room, wait_for

from assistant.announcements import Thresholds
from assistant.arbiter import Options, Page, follow
from assistant.arbiter.pins import keep, kept_in, with_pins
from assistant.cli import main
from assistant.errors import HectorError, UsageError
from assistant.table import PaperVoice, Setup, Table, Watched, open_record
from assistant.table.pulse import Pulse


@contextlib.contextmanager
def following(folder: Path, pins: dict[str, str] = PINS) -> Iterator[Page]:
    """Follow the game of a folder from another program's point of view."""
    shown: list[str] = []
    page = Page(Options(0, pins={"arbiter": pins["arbiter"]}, follows=True), shown.append)
    ends = threading.Event()
    thread = threading.Thread(target=follow, args=(folder, page, ends.is_set))
    thread.start()
    try:
        wait_for(lambda: any(line.startswith("The page: ") for line in shown) or not thread.is_alive())
        yield page
    finally:
        ends.set()
        thread.join()


@pytest.fixture
def played(room: Room) -> Iterator[Room]:
    """A game that is played, with its pulse on the disk."""
    with contextlib.closing(Pulse(room.folder, lambda: room.now)):
        yield room


def port_of(page: Page) -> int:
    return int(page.url.rstrip("/").rpartition(":")[2])


def test_it_shows_what_the_other_program_plays_as_it_happens(played: Room) -> None:
    played.type("e4", "")
    with following(played.folder) as page, Browser(port_of(page)).events() as events:
        first = events.next("state")["state"]
        assert [move["text"] for move in first["moves"]] == ["e2-e4"]
        assert first["clocks"]["running"] == "black"
        Browser(played, "opponent").act("move", {"move": "e5"})
        shown = events.next("state", lambda data: data["state"]["ply"] == 2)["state"]
        assert shown["pending"] == "black"
        assert 5_400_000 < shown["clocks"]["black"] <= 5_430_000
        assert shown["clocks"]["running"] == "black"


def test_nothing_is_entered_on_it_and_it_says_where(played: Room) -> None:
    with following(played.folder) as page:
        arbiter = Browser(port_of(page), "arbiter")
        assert arbiter.session["forms"] == []
        assert arbiter.session["roles"] == ["arbiter"]
        before = played.journal()
        for verb, values in (("result", {"result": "1-0"}), ("start", {}), ("close", {}), ("sign", {})):
            status, answer = arbiter.act(verb, values)
            assert status == 409
            assert "or, if it has none, at its keyboard" in answer["sentence"]
        assert played.journal() == before
        assert not played.table.over


def test_the_opponents_cookie_of_the_games_own_page_is_a_spectators_here(played: Room) -> None:
    opponent = Browser(played, "opponent")
    with following(played.folder) as page:
        here = Browser(port_of(page))
        here.cookies[f"hector-{port_of(page)}"] = opponent.cookies[f"hector-{played.port}"]
        here.load()
        assert here.session["role"] == "spectator"


def test_the_games_own_pins_are_not_changed_by_a_page_that_follows(played: Room) -> None:
    kept = json.loads((played.folder / "page.json").read_text())
    with pytest.raises(UsageError, match="another PIN than --arbiter-pin"):
        follow(played.folder, Page(Options(0, pins={"arbiter": "0000"}, follows=True), print), lambda: True)
    assert json.loads((played.folder / "page.json").read_text()) == kept


def test_the_pins_of_a_page_that_is_opened_at_the_same_moment_stay(tmp_path: Path) -> None:
    """Whoever has signed in there would have to know another one after a restart."""
    folder = tmp_path / "game"
    with contextlib.closing(open_record(folder, print)) as record:
        table = Table(Setup(), VOCABULARY, Thresholds(), PaperVoice(), record, show=print)
        own = with_pins(None, {"arbiter": "418822", "opponent": "730051"})
        looks: list[Path] = []

        def where() -> Path:
            looks.append(folder)
            if len(looks) == 2:
                keep(folder, own)
            return folder

        page = Page(Options(0, follows=True), print)
        page.open(table, where, lambda: 0.0)
        page.close()
    assert kept_in(folder) == own


def test_a_folder_that_cannot_be_written_is_followed_with_pins_that_last_as_long_as_the_page(
    played: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_given: object, **_more: object) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    (played.folder / "page.json").unlink()
    monkeypatch.setattr("assistant.arbiter.pins.replace_file", refuse)
    with following(played.folder) as page:
        assert Browser(port_of(page), "arbiter").session["roles"] == ["arbiter"]


class Written:
    """A game's folder as another program writes it, at times of our choice."""

    def __init__(self, folder: Path, **setup: object) -> None:
        self.folder = folder
        agreed = Setup(**setup)  # type: ignore[arg-type]
        self._began = time.time() - 7200
        self.record = open_record(folder, print)
        self.record.line({"game": agreed.game(), "table": agreed.table()})

    def line(self, at: float, do: str, **keys: object) -> None:
        with patch("time.time", return_value=self._began + at):
            self.record.line({"at": at, "do": do, **keys})

    def beat(self, at: float, ago: float = 0.0) -> None:
        beat = {"at": at, "time": time.time() - ago}
        (self.folder / "pulse.json").write_text(json.dumps(beat), encoding="utf-8")


@pytest.fixture
def written(tmp_path: Path) -> Callable[..., Written]:
    made = Written(tmp_path / "game", time_control="60")
    made.line(0, "start")
    return made


def test_a_flag_falls_on_it_too_though_no_line_tells(written: Written) -> None:
    written.beat(70)
    watched = Watched(written.folder)
    assert watched.table.over
    assert watched.table.course.events[-1].keys["reason"] == "flag"


def test_a_flag_is_not_seen_before_what_may_still_be_written_about_the_time_before_it(
    written: Written,
) -> None:
    written.beat(62)
    watched = Watched(written.folder)
    assert not watched.table.over
    written.line(59, "announce", side="white", move="e2e4")
    watched.look()
    assert watched.table.plies == 1


def test_a_line_from_before_the_time_that_was_taken_to_have_passed_tells_the_game_anew(
    written: Written,
) -> None:
    written.beat(70)
    watched = Watched(written.folder)
    before, told = watched.table, watched.told
    assert before.over
    for verb in ("announce", "place"):
        written.line(59, verb, side="white", move="e2e4")
    written.line(59, "press", side="white")
    watched.look()
    assert watched.told == told + 1
    assert watched.table is not before
    assert not watched.table.over
    assert [ply.move.uci() for ply in watched.table.sheet.plies] == ["e2e4"]


def test_a_game_told_anew_that_cannot_be_shown_is_shown_a_little_later(
    written: Written, monkeypatch: pytest.MonkeyPatch
) -> None:
    failed = threading.Event()

    def fails(*_: object) -> None:
        failed.set()
        raise KeyError("cannot be shown")

    monkeypatch.setattr("assistant.arbiter.page.TICK", 0.1)
    written.beat(70)
    with following(written.folder) as page, Browser(port_of(page)).events() as events:
        events.next("state", lambda data: data["state"]["phase"] == "over")
        with monkeypatch.context() as patch:
            patch.setattr("assistant.arbiter.page.scene_of", fails)
            for verb in ("announce", "place"):
                written.line(59, verb, side="white", move="e2e4")
            written.line(59, "press", side="white")
            assert failed.wait(PATIENCE)
        shown = events.next("state", lambda data: data["state"]["phase"] != "over")
    assert [move["text"] for move in shown["state"]["moves"]] == ["e2-e4"]
    refused = (written.folder / "page.log").read_text(encoding="utf-8")
    assert "KeyError: 'cannot be shown'" in refused


def test_without_a_pulse_the_clocks_stand_and_it_is_said(written: Written) -> None:
    written.beat(20, ago=3600)
    watched = Watched(written.folder)
    assert not watched.is_played
    assert watched.now() == 20
    with following(written.folder) as page:
        with Browser(port_of(page)).events() as events:
            shown = events.next("state", lambda data: "no sign of life" in data["state"]["status"][0])
        assert shown["state"]["clocks"]["white"] == 40_000
        assert shown["state"]["clocks"]["running"] is None


def ticks_go_on(folder: Path, phase: str) -> None:
    """Prove that a page which follows a game goes on giving signs of life."""
    with following(folder) as page, Browser(port_of(page)).events() as events:
        assert events.next("state")["state"]["phase"] == phase
        first, second = events.next("clocks"), events.next("clocks")
    assert first == second
    assert first["running"] is None


def test_a_page_that_follows_a_finished_game_stays_connected(
    written: Written, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("assistant.arbiter.page.TICK", 0.1)
    written.line(5, "result", white=1, black=0)
    written.beat(5, ago=3600)
    ticks_go_on(written.folder, "over")


def test_a_page_that_follows_a_game_which_nobody_plays_stays_connected(
    written: Written, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("assistant.arbiter.page.TICK", 0.1)
    written.beat(20, ago=3600)
    ticks_go_on(written.folder, "playing")


def test_a_game_whose_folder_is_taken_away_ends_in_a_sentence(written: Written) -> None:
    watched = Watched(written.folder)
    (written.folder / "journal.jsonl").unlink()
    with pytest.raises(HectorError, match="is gone"):
        watched.look()


def test_a_game_that_has_not_begun_is_named(tmp_path: Path) -> None:
    (tmp_path / "journal.jsonl").write_bytes(b"")
    with pytest.raises(HectorError, match="has not begun"):
        Watched(tmp_path)


def test_following_needs_a_game(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--lang", "en", "serve", "--follow"]) == 2
    assert "hector serve DIR --follow" in capsys.readouterr().err


def test_a_page_that_follows_says_so_first(written: Written) -> None:
    shown: list[str] = []
    follow(written.folder, Page(Options(0, follows=True), shown.append), lambda: True)
    assert shown[0].startswith("The page follows the game and takes nothing.")
    assert shown[1].startswith("The page: ")


def test_nothing_is_said_of_a_page_for_a_game_that_there_is_not(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["serve", str(tmp_path / "game"), "--follow", "--page-port", "0"]) == 2
    assert capsys.readouterr().out == ""


def test_serve_follows_a_game_that_another_hector_plays(
    played: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    followed: list[Path] = []
    monkeypatch.setattr("assistant.arbiter.follow", lambda folder, page, is_ended: followed.append(folder))
    assert main(["serve", str(played.folder), "--page-port", "0"]) == 0
    assert followed == [played.folder]


@pytest.mark.parametrize(("arguments", "has_page"), [((), False), (("--page", "--page-port", "0"), True)])
def test_a_game_that_is_resumed_has_its_page_again_if_it_is_asked_for(
    arguments: tuple[str, ...], has_page: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    guests: list[object] = []

    def resume(*given: object, guest: object = None, **options: object) -> int:
        guests.append(guest)
        return 0

    monkeypatch.setattr("assistant.table.live.resume", resume)
    assert main(["resume", "game", *arguments]) == 0
    assert [isinstance(guest, Page) for guest in guests] == [has_page]

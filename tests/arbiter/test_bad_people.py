"""Whoever sends what he may not: refused in one sentence, logged, and the game is as it was."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import json
import os
import socket
import subprocess
import sys
import uuid
from collections.abc import Callable, Iterator
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from full_disk import full_disk
from page_game import PINS, VOCABULARY, Browser, Room, wait_for

from assistant.announcements import Thresholds
from assistant.arbiter import Options, Page, listening
from assistant.arbiter.inbox import Reply, Sent
from assistant.arbiter.page import own_address
from assistant.arbiter.pins import FIRST_WAIT, LONGEST_WAIT, Throttle, keep, kept_in, with_pins
from assistant.arbiter.scene import mark_of
from assistant.errors import HectorError, UsageError, told_in
from assistant.table import PaperVoice, Person, Setup, Table, open_record

MOVE = {"do": "move", "values": {"move": "e7e5"}, "seen": "1", "key": "0" * 16}


def refused_log(room: Room) -> list[dict[str, Any]]:
    path = room.folder / "page.log"
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.exists() else []


def begun(room: Room) -> Room:
    """Let White move; it is the turn of the opponent on the page."""
    room.type("e4", "")
    return room


@pytest.fixture(scope="module")
def playing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Room]:
    """A game in which nothing happens any more, whatever is tried."""
    with contextlib.closing(Room(tmp_path_factory.mktemp("untouched") / "game")) as room:
        room.start()
        yield begun(room)


@pytest.fixture(scope="module")
def opponent(playing: Room) -> Browser:
    return Browser(playing, "opponent")


@pytest.fixture
def fresh(room: Room) -> Room:
    """A game in which something may happen."""
    return begun(room)


@pytest.fixture
def untouched(playing: Room) -> Any:
    """Prove that nothing has happened in the game."""

    def check() -> None:
        assert [line["do"] for line in playing.journal()] == ["start", "announce", "place", "press"]

    return check


def test_nobody_moves_without_a_pin(playing: Room, untouched: Any) -> None:
    status, answer = Browser(playing).post("/act", MOVE)
    assert (status, answer["ok"]) == (403, False)
    assert answer["sentence"] == "You may not do that here. Sign in with the PIN for it."
    assert refused_log(playing)[-1]["refused"] == "not signed in"
    untouched()


def test_a_wrong_pin_makes_everybody_wait_who_tries_that_role(fresh: Room) -> None:
    guesser, honest = Browser(fresh), Browser(fresh)
    status, answer = guesser.sign_in("arbiter", "000000")
    assert (status, answer["sentence"]) == (403, "The PIN is wrong. Seconds until the next try: 1.")
    status, answer = honest.sign_in("arbiter")
    assert status == 429
    assert "nobody can sign in for a while" in answer["sentence"]
    assert [entry["refused"] for entry in refused_log(fresh)][-2:] == ["wrong PIN: arbiter", "PIN too soon"]
    assert honest.sign_in("opponent")[0] == 200


def test_whoever_sent_a_wrong_pin_is_told_by_the_protocol_too_when_to_come_back(fresh: Room) -> None:
    guesser = Browser(fresh)
    sent = {"Origin": f"http://127.0.0.1:{fresh.port}", "X-Hector-Token": guesser.token}
    content = b'{"role": "arbiter", "pin": "000000"}'
    _, _, response = guesser.request("POST", "/signin", content, {"Content-Type": "application/json", **sent})
    assert response.headers["Retry-After"] == "1"


def test_each_wrong_pin_doubles_the_wait_and_a_right_one_forgets_them() -> None:
    throttle = Throttle()
    waits = [throttle.wrong("arbiter", 0.0) for _ in range(12)]
    assert waits[:4] == [FIRST_WAIT, 2 * FIRST_WAIT, 4 * FIRST_WAIT, 8 * FIRST_WAIT]
    assert waits[-1] == LONGEST_WAIT
    assert throttle.wait("arbiter", LONGEST_WAIT - 1) == 1
    throttle.right("arbiter")
    assert throttle.wait("arbiter", 0.0) == 0
    assert throttle.wrong("arbiter", 0.0) == FIRST_WAIT


def test_no_pin_is_written_anywhere(fresh: Room) -> None:
    Browser(fresh, "arbiter").sign_in("opponent", "a wrong one")
    written = b"".join(path.read_bytes() for path in fresh.folder.iterdir() if path.is_file())
    for pin in (*PINS.values(), "a wrong one"):
        assert pin.encode() not in written
    kept = kept_in(fresh.folder)
    assert kept is not None
    assert kept.fits("arbiter", PINS["arbiter"])
    assert not kept.fits("arbiter", PINS["opponent"])
    assert (fresh.folder / "page.json").stat().st_mode & 0o077 == 0


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    """A table whose game keeps no PIN yet."""
    with contextlib.closing(open_record(tmp_path, print)) as record:
        yield Table(Setup(), VOCABULARY, Thresholds(), PaperVoice(), record)


def test_pins_that_were_never_shown_are_not_kept(table: Table, tmp_path: Path) -> None:
    """The port is taken: at the next try nobody could know them."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        page = Page(Options(taken.getsockname()[1]))
        with pytest.raises(HectorError, match="--page-port"):
            page.open(table, lambda: tmp_path, lambda: 0.0)
    assert kept_in(tmp_path) is None


@pytest.mark.parametrize("address", ["198.51.100.1", "nowhere.invalid", "a..b", f"{'a' * 64}.b"])
def test_an_address_that_is_not_this_computer_s_is_told_with_the_option_that_mends_it(
    table: Table, tmp_path: Path, address: str
) -> None:
    page = Page(Options(0, address=address))
    with pytest.raises(HectorError, match=f"{address}.*--page-address"):
        page.open(table, lambda: tmp_path, lambda: 0.0)


@pytest.mark.parametrize("address", ["::1", "::"])
def test_where_ipv6_is_off_an_address_of_it_is_none_of_this_computer(
    table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    class Older(socket.socket):
        def __init__(self, family: int = -1, *rest: Any, **options: Any) -> None:
            if family == socket.AF_INET6:
                raise OSError(errno.EAFNOSUPPORT, os.strerror(errno.EAFNOSUPPORT))
            super().__init__(family, *rest, **options)

    monkeypatch.setattr(socket, "socket", Older)
    page = Page(Options(0, address=address))
    with pytest.raises(HectorError, match=f"at the address {address}: .*--page-address"):
        page.open(table, lambda: tmp_path, lambda: 0.0)


def test_a_page_whose_pins_cannot_be_kept_is_taken_away(table: Table, tmp_path: Path) -> None:
    page = Page(Options(port=0))
    with full_disk(), pytest.raises(HectorError, match="cannot be kept"):
        page.open(table, lambda: tmp_path, lambda: 0.0)
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", urlsplit(page.url).port))


def test_a_guess_at_a_kept_pin_is_dear() -> None:
    """Whoever has stolen the hashes computes 16 MiB for each try (RFC 7914); the tests' own are cheap."""
    program = "from assistant.arbiter.pins import _COST as c; print(128 * c['n'] * c['r'])"
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True, text=True)
    assert int(found.stdout) >= 16 * 2**20


def test_two_roles_never_share_a_pin() -> None:
    with pytest.raises(UsageError, match="of its own"):
        Page(Options(pins={"arbiter": "same-pin", "opponent": "same-pin"}))


def test_nobody_is_given_the_pin_that_is_kept_for_another_role(table: Table, tmp_path: Path) -> None:
    keep(tmp_path, with_pins(None, {"arbiter": "471147"}))
    page = Page(Options(0, pins={"opponent": "471147"}))
    with pytest.raises(UsageError, match="of its own"):
        page.open(table, lambda: tmp_path, lambda: 0.0)


def test_a_pin_that_is_made_up_is_none_that_is_kept(
    table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep(tmp_path, with_pins(None, {"arbiter": "471147"}))
    made_up = iter(("471147", "471148", "471149"))
    monkeypatch.setattr("assistant.arbiter.page.new_pin", lambda: next(made_up))
    shown: list[str] = []
    with contextlib.closing(Page(Options(0, "0.0.0.0"), shown.append)) as page:
        page.open(table, lambda: tmp_path, lambda: 0.0)
    assert {line[-6:] for line in shown if line.startswith("PIN")} >= {"471148", "471149"}


def test_a_pin_may_pass_from_one_role_to_another_that_gets_a_new_one(table: Table, tmp_path: Path) -> None:
    keep(tmp_path, with_pins(None, {"arbiter": "471147", "spectator": "888888"}))
    chosen = {"spectator": "471147", "arbiter": "999999"}
    with contextlib.closing(Page(Options(0, "0.0.0.0", chosen))) as page:  # type: ignore[arg-type]
        page.open(table, lambda: tmp_path, lambda: 0.0)
    kept = kept_in(tmp_path)
    assert kept is not None and kept.fits("spectator", "471147") and kept.fits("arbiter", "999999")


@pytest.mark.parametrize("pins", ['{"arbiter": "a$b"}', '{"arbiter": "YWFh$\u00e9"}', "[" * 100_000])
def test_pins_that_no_page_has_written_are_told_and_nobody_is_asked_for_one(
    table: Table, tmp_path: Path, pins: str
) -> None:
    """A game's folder may come from somebody else: nobody would ever sign in."""
    (tmp_path / "page.json").write_text(f'{{"pins": {pins}, "key": "{"a" * 43}="}}', encoding="utf-8")
    with pytest.raises(HectorError, match=r"page\.json is damaged"):
        Page(Options(0)).open(table, lambda: tmp_path, lambda: 0.0)


def test_a_pin_is_not_too_short() -> None:
    with pytest.raises(UsageError, match="4 to 64"):
        Page(Options(pins={"arbiter": "123"}))


@pytest.mark.parametrize(
    ("headers", "status", "sentence"),
    [
        ({"Host": "evil.example:80"}, 421, "only under its own address"),
        ({"Origin": "http://evil.example"}, 403, "from another page"),
        ({"Origin": None}, 403, "from another page"),
        ({"Sec-Fetch-Site": "cross-site"}, 403, "from another page"),
        ({"Sec-Fetch-Site": "same-site"}, 403, "from another page"),
        ({"X-Hector-Token": None}, 403, "did not come from this page"),
        ({"X-Hector-Token": "x" * 43}, 403, "did not come from this page"),
        ({"Cookie": None}, 403, "did not come from this page"),
        ({"Content-Type": "text/plain"}, 415, "could not be read"),
    ],
)
def test_a_request_that_another_page_could_have_sent_is_refused(
    playing: Room, opponent: Browser, untouched: Any,
    headers: dict[str, str | None], status: int, sentence: str,
) -> None:  # fmt: skip
    found, answer = opponent.post("/act", MOVE, headers)
    assert found == status
    assert sentence in answer["sentence"]
    assert refused_log(playing)[-1]["answer"] == answer["sentence"]
    untouched()


def test_a_header_of_any_bytes_is_refused_and_noted(playing: Room, opponent: Browser, untouched: Any) -> None:
    status, answer = opponent.post("/act", MOVE, {"Origin": "http://caf\xe9"})
    assert (status, answer["ok"]) == (403, False)
    assert refused_log(playing)[-1]["refused"] == "foreign origin"
    untouched()


def test_no_foreign_name_leads_to_the_page_even_for_reading(playing: Room) -> None:
    for path in ("/", "/session", "/events", "/page/main.js"):
        status, _ = Browser(playing).get(path, {"Host": f"rebound.example:{playing.port}"})
        assert status == 421


def test_a_planted_or_forged_cookie_is_nobodys(playing: Room, untouched: Any) -> None:
    forger = Browser(playing)
    name = f"hector-{playing.port}"
    real = Browser(playing, "opponent").cookies[name]
    for cookie in (
        "",
        "x",
        real[:-1] + ("A" if real[-1] != "A" else "B"),
        real.replace("opponent", "arbiter"),
    ):
        forger.cookies[name] = cookie
        forger.load()
        assert forger.session["role"] == "spectator"
    untouched()


def test_after_signing_out_the_cookie_is_worth_nothing(playing: Room, untouched: Any) -> None:
    browser = Browser(playing, "opponent")
    cookies = dict(browser.cookies)
    assert browser.post("/signout", {})[0] == 200
    thief = Browser(playing)
    thief.cookies, thief.token = cookies, browser.token
    assert thief.post("/act", MOVE)[0] == 403
    untouched()


def test_whoever_signed_in_with_a_pin_that_is_changed_has_to_know_the_new_one(
    rooms: Callable[..., Room], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A PIN is changed because somebody knows it who should not."""
    room = rooms()
    intruder, opponent, port = Browser(room, "arbiter"), Browser(room, "opponent"), room.port
    room.close()
    monkeypatch.setitem(PINS, "arbiter", "another-pin")
    again = rooms(port=port)
    intruder.load()
    assert intruder.session["role"] == "spectator"
    assert intruder.act("result", {"result": "1-0"})[0] == 403
    opponent.load()
    assert opponent.session["role"] == "opponent"
    assert Browser(again, "arbiter").session["role"] == "arbiter"


def test_a_body_of_100_megabytes_is_not_read(opponent: Browser, untouched: Any) -> None:
    status, sentence = opponent.flood(100 * 2**20)
    assert status == 413
    assert sentence == "The request is too long and was not read."
    untouched()


def test_a_long_body_without_a_length_is_cut_off(opponent: Browser, untouched: Any) -> None:
    status, answer = opponent.post("/act", b'{"do": "' + b"x" * 70_000 + b'"}')
    assert (status, answer["sentence"]) == (413, "The request is too long and was not read.")
    untouched()


@pytest.mark.parametrize(
    "body",
    [
        b"", b"[]", b"null", b"{", b"\xff\xfe", b'{"do": 1}', b"[" * 30_000,
        b'{"do": "move", "values": [], "seen": "1", "key": "00000000"}',
        b'{"do": "move", "values": {"move": "e7e5"}, "seen": 1, "key": "00000000"}',
        b'{"do": "move", "values": {"move": "e7e5"}, "seen": null, "key": "00000000"}',
        b'{"do": "move", "values": {"move": "e7e5"}, "seen": "1", "key": "../../etc"}',
        b'{"do": "move", "values": {"move": "e7e5"}, "seen": "1"}',
        b'{"do": "\\ud800", "values": {}, "seen": "1", "key": "00000000"}',
    ],
)  # fmt: skip
def test_what_is_no_request_is_refused_in_a_sentence(opponent: Browser, untouched: Any, body: bytes) -> None:
    status, answer = opponent.post("/act", body)
    assert (status, answer["sentence"]) == (400, "The request could not be read; nothing has happened.")
    untouched()


@pytest.mark.parametrize("move", ["", "   ", "e", "x" * 101, "Nf9", "<script>", "‮e7e5", "0" * 90, "e7e5\0"])
def test_what_is_no_move_is_asked_for_again(opponent: Browser, untouched: Any, move: str) -> None:
    status, answer = opponent.act("move", {"move": move})
    assert status == 400
    assert answer["sentence"].endswith(".")
    untouched()


def test_a_request_that_comes_again_is_carried_out_once(fresh: Room) -> None:
    opponent = Browser(fresh, "opponent")
    key, seen = uuid.uuid4().hex, opponent.mark
    first = opponent.act("move", {"move": "e5"}, seen=seen, key=key)
    again = opponent.act("move", {"move": "e5"}, seen=seen, key=key)
    assert first[0] == 200
    assert again == first
    assert [line["do"] for line in fresh.journal()].count("announce") == 2


def test_a_request_from_before_a_restart_is_not_carried_out_again(rooms: Callable[..., Room]) -> None:
    first = rooms()
    first.type("e4", "")
    opponent = Browser(first, "opponent")
    port, key, seen = first.port, uuid.uuid4().hex, opponent.mark
    assert opponent.act("move", {"move": "e5"}, seen=seen, key=key)[0] == 200
    assert opponent.act("press")[0] == 200
    first.close()
    second = rooms(port=port)
    status, answer = opponent.act("move", {"move": "e5"}, seen=seen, key=key)
    assert (status, answer["sentence"]) == (200, "This was carried out already; it is not done twice.")
    assert [line["do"] for line in second.journal()].count("announce") == 2


def test_a_refused_request_that_comes_again_is_refused_again(rooms: Callable[..., Room]) -> None:
    first = rooms()
    opponent, key, port = Browser(first, "opponent"), uuid.uuid4().hex, first.port
    seen = opponent.mark
    refused = opponent.act("press", seen=seen, key=key)
    assert refused[0] == 409
    assert opponent.act("press", seen=seen, key=key) == refused
    first.close()
    second = rooms(port=port)
    assert opponent.act("press", seen=seen, key=key) == refused
    assert [line["do"] for line in second.journal()] == ["start", "press"]


def test_a_stale_page_is_told_so(fresh: Room) -> None:
    opponent = Browser(fresh, "opponent")
    seen = opponent.mark
    assert opponent.act("move", {"move": "e5"})[0] == 200
    assert opponent.act("press")[0] == 200
    fresh.type("d4", "")
    status, answer = opponent.act("press", seen=seen)
    assert (status, answer["stale"]) == (409, True)
    assert answer["sentence"].startswith("The game has gone on since")
    assert [line["do"] for line in fresh.journal()].count("press") == 3


def test_a_page_that_shows_an_announcement_since_corrected_is_told_so(fresh: Room) -> None:
    """D.2.8: a slip is corrected; there are as many half-moves as before."""
    opponent = Browser(fresh, "opponent")
    opponent.act("move", {"move": "e5"})
    opponent.act("press")
    fresh.type("Dh5")
    seen = opponent.mark
    fresh.type("Korrektur", "Df3", "")
    status, answer = opponent.act("move", {"move": "Nf6"}, seen=seen)
    assert (status, answer["stale"]) == (409, True)
    assert fresh.journal()[-1]["do"] == "press"


def test_a_move_that_is_pressed_changes_nothing_that_a_page_has_seen(fresh: Room) -> None:
    opponent = Browser(fresh, "opponent")
    opponent.act("move", {"move": "e5"})
    opponent.act("press")
    fresh.type("d4")
    seen = opponent.mark
    fresh.type("")
    assert opponent.act("move", {"move": "d5"}, seen=seen)[0] == 200


def test_two_tabs_of_the_opponent_make_one_move(fresh: Room) -> None:
    opponent = Browser(fresh, "opponent")
    other_tab = Browser(fresh, "opponent")
    seen = other_tab.mark
    assert opponent.act("move", {"move": "e5"}, seen=seen)[0] == 200
    assert opponent.act("press")[0] == 200
    assert other_tab.act("move", {"move": "d5"}, seen=seen)[0] == 409
    assert [line["move"] for line in fresh.journal() if line["do"] == "announce"] == ["e2e4", "e7e5"]


def test_the_opponent_never_moves_or_presses_for_the_blind_player(room: Room) -> None:
    opponent = Browser(room, "opponent")
    assert opponent.act("move", {"move": "e4"})[0] == 409
    assert opponent.act("press")[0] == 409
    room.type("e4")
    assert opponent.act("move", {"move": "d2d4"})[0] in (400, 409)
    assert opponent.act("press")[0] == 409
    assert room.table.sheet.plies == ()
    assert room.table.memory.pending is not None
    assert room.table.memory.pending.move.uci() == "e2e4"


@pytest.mark.parametrize(
    "verb", ["penalty", "result", "set-clock", "restore", "undo", "start", "rule", "x", ""]
)
def test_the_opponent_is_no_arbiter(opponent: Browser, untouched: Any, verb: str) -> None:
    status, answer = opponent.act(verb, {"side": "white", "kind": "loss", "result": "0-1", "ply": "0"})
    assert (status, answer["ok"]) == (403, False)
    untouched()


def test_a_press_after_the_flag_presses_nothing(rooms: Callable[..., Room]) -> None:
    room = rooms(time_control="1")
    opponent = Browser(room, "opponent")
    room.type("e4", "")
    with opponent.events() as events:
        events.next("state", lambda data: data["state"]["phase"] == "over")
    status, answer = opponent.act("press")
    assert status == 409
    assert "The game is over" in answer["sentence"]
    assert [line["side"] for line in room.journal() if line.get("do") == "press"] == ["white"]


def test_a_fault_of_one_request_is_answered_and_logged_and_the_game_goes_on(
    fresh: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise KeyError("nobody thought of it")

    opponent = Browser(fresh, "opponent")
    with monkeypatch.context() as patch:
        patch.setattr("assistant.arbiter.opponent.Opponent._move", fails)
        status, answer = opponent.act("move", {"move": "e5"})
    assert (status, answer["ok"]) == (500, False)
    assert answer["sentence"].startswith("A fault in Hector got in the way; the game goes on.")
    assert refused_log(fresh)[-1]["fault"].endswith("KeyError: 'nobody thought of it'")
    assert "test_bad_people.py:" in refused_log(fresh)[-1]["fault"]
    assert opponent.act("move", {"move": "e5"})[0] == 200


def test_a_fault_in_showing_the_game_is_logged_and_the_game_is_shown_a_little_later(
    fresh: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise KeyError("cannot be shown")

    monkeypatch.setattr("assistant.arbiter.page.TICK", 0.1)
    opponent = Browser(fresh, "opponent")
    with monkeypatch.context() as patch:
        patch.setattr("assistant.arbiter.page.scene_of", fails)
        assert opponent.act("move", {"move": "e5"})[0] == 200
    assert refused_log(fresh)[-1]["fault"].endswith("KeyError: 'cannot be shown'")
    with opponent.events() as events:
        events.next("state", lambda data: [m["text"] for m in data["state"]["moves"]] == ["e2-e4", "e7-e5"])


def test_what_was_given_up_is_not_carried_out(fresh: Room) -> None:
    """The page has told its sender that nobody answered."""
    with contextlib.closing(asyncio.new_event_loop()) as loop:
        given_up: asyncio.Future[Reply] = loop.create_future()
        given_up.cancel()
        sent = Sent("opponent", "en", "move", {"move": "e5"}, mark_of(fresh.table), "1" * 16, fresh.now)

        def attend() -> None:
            fresh.page._inbox._waiting.append((sent, given_up))
            fresh.page.attend()

        fresh.do(attend)
    assert fresh.table.memory.pending is None
    assert Browser(fresh, "opponent").act("move", {"move": "e5"})[0] == 200


def test_a_request_is_carried_out_in_its_turn(fresh: Room) -> None:
    """Somebody may be speaking at the board whose words come before it."""
    waiting: list[Callable[[], None]] = []
    times: list[float] = []

    def later(at: float, act: Callable[[], None]) -> None:
        times.append(at)
        waiting.append(act)

    with asyncio.Runner() as runner:
        reply: asyncio.Future[Reply] = runner.get_loop().create_future()
        sent = Sent("opponent", "en", "move", {"move": "e5"}, mark_of(fresh.table), "1" * 16, fresh.now)

        def attend() -> None:
            fresh.page._inbox._waiting.append((sent, reply))
            fresh.page.attend(later)

        fresh.do(attend)
        assert fresh.table.memory.pending is None
        fresh.do(lambda: waiting.pop()())

        async def replied() -> Reply:
            return await asyncio.wait_for(reply, 20)

        assert runner.run(replied()).is_done
    assert times == [sent.at]
    assert fresh.table.memory.pending is not None


def test_names_with_markup_and_from_right_to_left_are_only_names(rooms: Callable[..., Room]) -> None:
    name = "</title><script>alert(1)</script>\"'&\u202e\u05d0"
    room = rooms(white=Person(name, blind=True))
    _, page = Browser(room).get("/")
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "\u2068&lt;/title&gt;" in page
    assert Browser(room).state()["white"]["name"] == name


def test_every_answer_forbids_what_the_page_does_not_need(room: Room) -> None:
    for path in ("/", "/session", "/page/main.js", "/nothing"):
        _, _, response = Browser(room).request("GET", path)
        policy = response.headers["Content-Security-Policy"]
        assert policy.startswith("default-src 'self';")
        assert "unsafe" not in policy
        assert response.headers["X-Content-Type-Options"] == "nosniff"
    _, _, response = Browser(room).request("GET", "/session")
    cookie = response.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie


def test_the_page_loads_nothing_from_elsewhere(room: Room) -> None:
    browser = Browser(room)
    _, page = browser.get("/")
    files = [part.split('"')[0] for part in page.split('="/page/')[1:]]
    assert "main.js" in files
    for name in ["net.js", "board.js", "shown.js", "acting.js", "arbiter.js", *files]:
        status, text = browser.get(f"/page/{name}")
        assert status == 200
        assert "https:" not in text
        assert "http:" not in text.replace("http://www.w3.org/2000/svg", "")


@pytest.mark.parametrize(
    "path", ["/page/../server.py", "/page/%2e%2e/server.py", "/page/x", "/journal.jsonl", "/envelope.html"]
)
def test_nothing_else_is_served(room: Room, path: str) -> None:
    status, _, _ = Browser(room).request("GET", path)
    assert status in (403, 404)


def test_however_many_watch_the_players_and_the_arbiter_find_their_pages(room: Room) -> None:
    """Whoever only watches needs no PIN here, and may leave as many pages open as he likes."""
    spectator = Browser(room)
    with contextlib.ExitStack() as open_pages:
        for _ in range(300):
            open_pages.enter_context(spectator.events())
        status, answer = spectator.get("/events")
        assert (status, answer["sentence"]) == (503, "Too many pages are open. Close one and try again.")
        for role in ("arbiter", "opponent"):
            assert Browser(room, role).state()["role"] == role


def test_connections_on_which_nothing_is_asked_take_no_file_that_the_game_needs(
    rooms: Callable[..., Room], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever reaches the page can open them without any PIN."""
    monkeypatch.setattr(listening, "MOST_CONNECTIONS", 40)
    room = rooms(address="0.0.0.0", start=False)
    with contextlib.ExitStack() as idle:
        for _ in range(30):
            idle.enter_context(socket.create_connection(("127.0.0.1", room.port), 20))
        refused = idle.enter_context(socket.create_connection(("127.0.0.1", room.port), 20))
        with contextlib.suppress(ConnectionError):
            assert refused.recv(1) == b""
        # Another computer finds its page all the same.
        elsewhere = HTTPConnection("127.0.0.1", room.port, timeout=20, source_address=("127.0.0.2", 0))
        with contextlib.closing(elsewhere):
            elsewhere.request("GET", "/session")
            assert elsewhere.getresponse().status == 200
        assert refused_log(room)[-1]["refused"] == "too many connections"
    wait_for(lambda: answers(room))


def answers(room: Room) -> bool:
    """Return whether this computer is let in."""
    try:
        return Browser(room).session["role"] == "spectator"
    except (ConnectionError, HTTPException):
        return False


def test_the_log_of_refusals_does_not_fill_the_disk(tmp_path: Path) -> None:
    from assistant.arbiter.audit import Audit

    audit = Audit(lambda: tmp_path)
    for _ in range(4000):
        audit.note("flood", "x" * 500, path="y" * 5000)
    assert audit.count == 4000
    assert (tmp_path / "page.log").stat().st_size < 1_100_000


def test_a_long_address_that_was_refused_is_shown_by_its_beginning(tmp_path: Path) -> None:
    from assistant.arbiter.audit import Audit

    audit = Audit(lambda: tmp_path)
    audit.note("nothing-here", "There is nothing here.", path="/" + "y" * 5000)
    assert audit.last[-1]["path"] == "/" + "y" * 199


def test_on_another_address_everybody_needs_a_pin(rooms: Callable[..., Room]) -> None:
    room = rooms(address="0.0.0.0", start=False)
    watcher = Browser(room)
    assert watcher.session["needsPin"]
    status, answer = watcher.get("/events")
    assert (status, answer["sentence"]) == (401, "This page asks for a PIN. Sign in first.")
    assert watcher.get("/log?before=1&count=1")[0] == 401
    _, page = watcher.get("/")
    assert "White" not in page
    assert watcher.sign_in("spectator")[0] == 200
    assert watcher.state()["phase"] == "waiting"


def test_whoever_has_shown_a_pin_can_sign_out_who_only_watches_too(rooms: Callable[..., Room]) -> None:
    watcher = Browser(rooms(address="0.0.0.0", start=False))
    assert not watcher.session["hasPin"]
    watcher.sign_in("spectator")
    assert watcher.session["hasPin"]
    watcher.post("/signout", {})
    watcher.load()
    assert (watcher.session["hasPin"], watcher.session["needsPin"]) == (False, True)


def test_where_a_passphrase_would_go_over_a_network_the_page_has_no_field_for_it(
    rooms: Callable[..., Room],
) -> None:
    own = own_address()
    if own is None:
        pytest.skip("NO NETWORK: this computer has no address of its own")
    room = rooms(address="0.0.0.0", start=False)
    forms = {
        name: next(form for form in visitor.session["forms"] if form["do"] == "open-envelope")
        for name, visitor in (
            ("here", Browser(room, "arbiter")),
            ("elsewhere", Browser(room, "arbiter", host=own)),
        )
    }
    assert [field["name"] for field in forms["here"]["fields"]] == ["passphrase"]
    assert forms["here"]["note"] == ""
    assert forms["elsewhere"]["fields"] == []
    assert forms["elsewhere"]["note"].startswith("The passphrase is taken only on the computer itself")


def test_who_only_asks_what_would_happen_sends_no_passphrase(fresh: Room) -> None:
    arbiter = Browser(fresh, "arbiter")
    status, answer = arbiter.act("open-envelope", {"passphrase": "correct horse"}, preview=True)
    assert (status, answer["sentence"]) == (400, "The request could not be read; nothing has happened.")
    assert refused_log(fresh)[-1]["refused"] == "passphrase in a preview"
    assert "correct horse" not in str(refused_log(fresh))


def test_a_page_for_other_computers_says_where_they_find_it(
    rooms: Callable[..., Room], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("assistant.arbiter.page.own_address", lambda: "192.168.1.5")
    room = rooms("open", address="0.0.0.0", start=False)
    assert f"From other computers: http://192.168.1.5:{room.port}/" in room.shown
    assert not any("other computers" in line for line in rooms("closed", start=False).shown)


@pytest.mark.skipif(not socket.has_dualstack_ipv6(), reason="NO IPV6: this computer has none")
def test_a_page_at_every_address_is_reached_by_both_kinds_and_knows_its_own_computer(
    rooms: Callable[..., Room],
) -> None:
    room = rooms(address="::", start=False)
    assert [Browser(room, host=host).get("/")[0] for host in ("127.0.0.1", "::1")] == [200, 200]
    forms = Browser(room, "arbiter").session["forms"]
    envelope = next(form for form in forms if form["do"] == "open-envelope")
    assert [field["name"] for field in envelope["fields"]] == ["passphrase"]


def test_the_name_at_which_the_page_was_asked_for_is_its_own(
    rooms: Callable[..., Room], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("assistant.arbiter.guard.own_names", frozenset)
    named, numbered = (rooms(name, address=name, start=False) for name in ("localhost", "127.0.0.1"))
    answers = [Browser(room).get("/", {"Host": f"LocalHost:{room.port}"})[0] for room in (named, numbered)]
    assert answers == [200, 421]


def test_a_pin_that_is_left_empty_is_no_request_that_the_arbiter_hears_of(fresh: Room) -> None:
    Browser(fresh).sign_in("opponent", "")
    assert Browser(fresh, "arbiter").state()["security"]["count"] == 0


def test_a_pin_that_is_left_empty_is_asked_for_and_makes_nobody_wait(fresh: Room) -> None:
    guest = Browser(fresh)
    for _ in range(2):
        status, answer = guest.sign_in("opponent", " ")
        assert (status, answer["sentence"]) == (400, "PIN: please fill this in.")
    assert guest.sign_in("opponent")[0] == 200


def test_the_arbiter_is_told_in_which_language_a_refusal_was_answered(fresh: Room) -> None:
    Browser(fresh, "opponent", "de").act("press", seen="")
    refused = Browser(fresh, "arbiter").state()["security"]["last"][0]
    assert (refused["language"], refused["answer"][:10]) == ("de", "Die Partie")


def test_where_the_page_is_and_its_pins_are_told_in_the_language_of_the_messages(tmp_path: Path) -> None:
    with told_in("de"), contextlib.closing(Room(tmp_path / "game", address="0.0.0.0")) as room:
        assert room.shown[0] == f"Die Seite: {room.page.url}"
        assert "PIN des Schiedsrichters: wie festgelegt." in room.shown
        assert "PIN des Gegners: wie festgelegt." in room.shown
        assert "PIN der Zuschauer: wie festgelegt." in room.shown
        assert "unverschlüsselt" in room.shown[-1]


def test_the_arbiter_sees_what_was_refused(fresh: Room) -> None:
    Browser(fresh).post("/act", MOVE)
    Browser(fresh).post("/act", MOVE, {"Origin": "http://evil.example"})
    security = Browser(fresh, "arbiter").state()["security"]
    assert security["count"] == 2
    assert [entry["refused"] for entry in security["last"]] == ["foreign origin", "not signed in"]
    assert "security" not in Browser(fresh, "opponent").state()

"""What no browser sends: answered in a sentence, noted in page.log, and nothing of it on the terminal."""

from __future__ import annotations

import contextlib
import json
import socket
from collections.abc import Iterator
from typing import Any

import pytest
from page_game import PATIENCE, Browser, Room

UNREADABLE = "The request could not be read; nothing has happened."


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Room]:
    with contextlib.closing(Room(tmp_path_factory.mktemp("malformed") / "game", language="en")) as made:
        yield made


@pytest.fixture
def silent(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Prove that nothing was logged that Python would write on standard error."""
    yield
    assert caplog.text == ""


def noted(room: Room) -> dict[str, Any]:
    """Return the last that the page has noted."""
    found: dict[str, Any] = json.loads((room.folder / "page.log").read_text("utf-8").splitlines()[-1])
    return found


def answer_to(room: Room, sent: bytes) -> tuple[int, bytes, dict[str, Any]]:
    """Send bytes; return status, headers and what was answered."""
    with socket.create_connection(("127.0.0.1", room.port), PATIENCE) as connection:
        connection.sendall(sent)
        found = b""
        while more := connection.recv(65536):
            found += more
    head, _, body = found.partition(b"\r\n\r\n")
    return int(head.split(b" ", 2)[1]), head, json.loads(body)


def request(room: Room, line: bytes, *headers: bytes) -> bytes:
    return b"\r\n".join(
        [line, f"Host: 127.0.0.1:{room.port}".encode(), b"Connection: close", *headers, b"", b""]
    )


def post(room: Room, visitor: Browser, *headers: bytes) -> bytes:
    cookie = "; ".join(f"{name}={value}" for name, value in visitor.cookies.items())
    return request(
        room,
        b"POST /signin?lang=en HTTP/1.1",
        f"Origin: http://127.0.0.1:{room.port}".encode(),
        f"X-Hector-Token: {visitor.token}".encode(),
        f"Cookie: {cookie}".encode(),
        b"Content-Type: application/json",
        *headers,
    )


@pytest.mark.usefixtures("silent")
@pytest.mark.parametrize("cookie", [b"a\xff.b", b"ab.\xff\xfe", b"\xff"])
def test_a_cookie_of_any_bytes_is_nobodys(room: Room, cookie: bytes) -> None:
    header = f"Cookie: hector-{room.port}=".encode() + cookie
    status, _, session = answer_to(room, request(room, b"GET /session HTTP/1.1", header))
    assert (status, session["role"]) == (200, "spectator")


@pytest.mark.usefixtures("silent")
def test_a_token_of_any_bytes_is_refused(room: Room) -> None:
    visitor = Browser(room)
    visitor.token = ""
    sent = post(room, visitor, b"Content-Length: 2").replace(b"X-Hector-Token: ", b"X-Hector-Token: \xff\xfe")
    status, _, answer = answer_to(room, sent + b"{}")
    assert status == 403
    assert "did not come from this page" in answer["sentence"]
    assert noted(room)["refused"] == "no token"


@pytest.mark.usefixtures("silent")
@pytest.mark.parametrize(
    ("line", "header"),
    [
        (b"GET /\xff HTTP/1.1", b"Accept: */*"),
        (b"GET / HTTP/1.1", b"X: " + b"a" * 9000),
        (b"\x16\x03\x01\x02\x00\x01", b"Accept: */*"),
    ],
    ids=["path", "long header", "another protocol"],
)
def test_what_is_no_request_of_http_is_refused_as_everything_else(
    room: Room, line: bytes, header: bytes
) -> None:
    status, head, answer = answer_to(room, request(room, line, header))
    assert (status, answer["sentence"]) == (400, UNREADABLE)
    assert b"Content-Security-Policy: default-src 'self';" in head
    assert noted(room)["answer"] == UNREADABLE
    assert "aaa" not in str(noted(room))


@pytest.mark.usefixtures("silent")
def test_a_body_in_pieces_of_no_size_is_refused(room: Room) -> None:
    status, _, answer = answer_to(room, post(room, Browser(room), b"Transfer-Encoding: chunked") + b"ZZ\r\n")
    assert (status, answer["sentence"]) == (400, UNREADABLE)
    assert noted(room)["answer"] == UNREADABLE


@pytest.mark.usefixtures("silent")
def test_a_body_that_does_not_unpack_is_refused(room: Room) -> None:
    packed = post(room, Browser(room), b"Content-Encoding: gzip", b"Content-Length: 5")
    status, _, answer = answer_to(room, packed + b"abcde")
    assert (status, answer["sentence"]) == (400, UNREADABLE)
    assert noted(room)["refused"] == "unreadable"


@pytest.mark.usefixtures("silent")
def test_a_fault_of_the_page_itself_is_answered_and_noted(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise KeyError("nobody thought of it")

    monkeypatch.setattr("assistant.arbiter.addresses.words_of", fails)
    status, head, answer = answer_to(room, request(room, b"GET /session?lang=en HTTP/1.1"))
    assert status == 500
    assert answer["sentence"].startswith("A fault in Hector got in the way; the game goes on.")
    assert b"Content-Security-Policy: default-src 'self';" in head
    assert noted(room)["fault"].endswith("KeyError: 'nobody thought of it'")

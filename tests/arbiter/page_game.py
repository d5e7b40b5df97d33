"""A real game with its page, in one process: the table in a thread, and browsers made of HTTP requests."""

from __future__ import annotations

import contextlib
import json
import socket
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from typing import Any

from assistant.announcements import Thresholds, load_vocabulary
from assistant.arbiter import Options, Page
from assistant.journal import read
from assistant.table import PaperVoice, Setup, Table, open_record, reopen_record

VOCABULARY = load_vocabulary("de")
PINS = {"arbiter": "arbiter-pin", "opponent": "opponent-pin", "spectator": "spectator-pin"}
PATIENCE = 20.0
"""Seconds for anything that may happen at once: only a test that fails waits for so long."""


class Room:
    """A table with a page, in a thread of its own as in a live game; nobody hears, all is typed."""

    def __init__(self, folder: Path, *, address: str = "127.0.0.1", port: int = 0, **setup: object) -> None:
        self.folder = folder
        self.said: list[str] = []
        self.shown: list[str] = []
        self.page = Page(Options(port, address, dict(PINS)), self.shown.append)  # type: ignore[arg-type]
        self._asked: list[tuple[Callable[[], object], threading.Event]] = []
        self._zero = time.monotonic()
        self._ends = threading.Event()
        if (folder / "journal.jsonl").exists():
            self.record, agreed, lines = reopen_record(folder, self.shown.append)
        else:
            self.record, lines = open_record(folder, self.shown.append), []
            agreed = Setup(**{"press": "key", **setup})  # type: ignore[arg-type]
        self.table = Table(agreed, VOCABULARY, Thresholds(), PaperVoice(), self.record, show=self.said.append)
        if lines:
            at = float(lines[-1]["at"])
            self._zero = time.monotonic() - at
            self.table.resume(lines, at)
        self.page.open(self.table, self.record.locate, lambda: time.monotonic() - self._zero)
        self._thread = threading.Thread(target=self._live, daemon=True)
        self._thread.start()

    @property
    def now(self) -> float:
        return time.monotonic() - self._zero

    @property
    def port(self) -> int:
        return int(self.page.url.rstrip("/").rpartition(":")[2])

    def _live(self) -> None:
        while not self._ends.is_set():
            self.page.attend()
            if self.page.starts and not self.table.course.steps:
                self._zero = time.monotonic()
                self.table.start()
            for asked in self._asked[:]:
                work, done = asked
                work()
                self._asked.remove(asked)
                self.page.attend()
                done.set()
            if self.table.course.steps:
                self.table.tick(self.now)
            self._ends.wait(0.005)

    def start(self) -> None:
        """Let the arbiter start the clock on his page."""
        Browser(self, "arbiter").start()

    def type(self, *lines: str) -> None:
        """Type for the blind player at the keyboard of the table."""
        for text in lines:
            self.do(lambda text=text: self.table.type(text, self.now))  # type: ignore[misc]

    def do(self, work: Callable[[], object]) -> None:
        """Do something in the thread of the table."""
        done = threading.Event()
        self._asked.append((work, done))
        assert done.wait(PATIENCE)

    def journal(self) -> list[dict[str, Any]]:
        """Return the script lines of the journal."""
        return list(read(self.folder).lines[1:])

    def close(self) -> None:
        """End as a program that is killed between two lines: nothing is said or written any more."""
        if self._ends.is_set():
            return
        self._ends.set()
        self._thread.join(PATIENCE)
        self.page.close()
        self.record.close()


def wait_for(condition: Callable[[], bool]) -> None:
    """Wait until something is so; only a test that fails waits long."""
    until = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < until, "it never came"
        time.sleep(0.002)


class Browser:
    """One browser at the page: keeps its cookie and its token."""

    def __init__(
        self, room: Room | int, role: str | None = None, language: str = "en", host: str = "127.0.0.1"
    ) -> None:
        self.host = host
        self.port = room if isinstance(room, int) else room.port
        self.language = language
        self.cookies: dict[str, str] = {}
        self.token = ""
        self.session: dict[str, Any] = {}
        self.load()
        if role is not None:
            status, answer = self.sign_in(role)
            assert status == 200, answer

    def load(self) -> None:
        status, self.session = self.get("/session")
        assert status == 200
        self.token = self.session["token"]

    def sign_in(self, role: str, pin: str | None = None) -> tuple[int, dict[str, Any]]:
        status, answer = self.post("/signin", {"role": role, "pin": PINS[role] if pin is None else pin})
        if status == 200:
            self.load()
        return status, answer

    def start(self) -> None:
        """Start the clock, as the arbiter, and wait until it runs."""
        status, answer = self.act("start")
        assert status == 200, answer
        with self.events() as events:
            events.next("state", lambda data: data["state"]["phase"] != "waiting")

    def _headers(self, headers: dict[str, str | None] | None) -> dict[str, str]:
        found: dict[str, str | None] = {
            "Host": f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}",
            "Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items()),
            **(headers or {}),
        }
        return {name: value for name, value in found.items() if value is not None}

    def request(
        self, method: str, path: str, body: bytes | None = None, headers: dict[str, str | None] | None = None
    ) -> tuple[int, bytes, HTTPResponse]:
        connection = HTTPConnection(self.host, self.port, timeout=PATIENCE)
        with contextlib.closing(connection):
            connection.request(method, path, body, self._headers(headers))
            response = connection.getresponse()
            data = response.read()
        for header in response.msg.get_all("Set-Cookie") or []:
            name, _, value = header.partition(";")[0].partition("=")
            self.cookies[name] = value
        return response.status, data, response

    def get(self, path: str, headers: dict[str, str | None] | None = None) -> tuple[int, Any]:
        mark = "&" if "?" in path else "?"
        status, data, response = self.request("GET", f"{path}{mark}lang={self.language}", headers=headers)
        is_json = "json" in response.headers.get("Content-Type", "")
        return status, json.loads(data) if is_json else data.decode()

    def post(
        self, path: str, content: Any, headers: dict[str, str | None] | None = None
    ) -> tuple[int, dict[str, Any]]:
        sent: dict[str, str | None] = {
            "Content-Type": "application/json",
            "Origin": f"http://{self.host}:{self.port}",
            "X-Hector-Token": self.token,
            **(headers or {}),
        }
        body = content if isinstance(content, bytes) else json.dumps(content).encode()
        status, data, _ = self.request("POST", f"{path}?lang={self.language}", body, sent)
        return status, json.loads(data)

    def flood(self, size: int) -> tuple[int, str]:
        """Announce a body of so many bytes and send it as far as the page reads; return what it answers."""
        head = [
            f"POST /act?lang={self.language} HTTP/1.1",
            *(f"{name}: {value}" for name, value in self._headers(None).items()),
            f"Origin: http://127.0.0.1:{self.port}",
            f"X-Hector-Token: {self.token}",
            "Content-Type: application/json",
            f"Content-Length: {size}",
        ]
        with socket.create_connection(("127.0.0.1", self.port), PATIENCE) as connection:
            connection.sendall("\r\n".join([*head, "", ""]).encode())
            answer = connection.recv(65536)
            with contextlib.suppress(OSError):
                for _ in range(0, size, 65536):
                    connection.sendall(b"{" * 65536)
                raise AssertionError("all of it was read")
        _, status, _ = answer.split(b" ", 2)
        return int(status), json.loads(answer.partition(b"\r\n\r\n")[2])["sentence"]

    def act(
        self,
        do: str,
        values: dict[str, Any] | None = None,
        *,
        seen: str | None = None,
        key: str | None = None,
        preview: bool = False,
        headers: dict[str, str | None] | None = None,
    ) -> tuple[int, dict[str, Any]]:
        """Send an action as the page would that shows the present state."""
        seen = self.mark if seen is None else seen
        content = {"do": do, "values": values or {}, "seen": seen, "key": key or uuid.uuid4().hex}
        return self.post("/act", {**content, "preview": preview}, headers)

    def state(self) -> dict[str, Any]:
        """Return what the page shows now."""
        with self.events() as events:
            state: dict[str, Any] = events.next("state")["state"]
            return state

    @property
    def mark(self) -> str:
        """The mark of the position that the page shows now."""
        return str(self.state()["mark"])

    def log(self) -> list[str]:
        with self.events() as events:
            return [entry["text"] for entry in events.next("state")["log"]]

    @contextlib.contextmanager
    def events(self, last: str | None = None) -> Iterator[Events]:
        connection = HTTPConnection(self.host, self.port, timeout=PATIENCE)
        with contextlib.closing(connection):
            headers = self._headers({"Last-Event-ID": last})
            connection.request("GET", f"/events?lang={self.language}", headers=headers)
            response = connection.getresponse()
            assert response.status == 200, response.read()
            yield Events(response)


class Events:
    """The server-sent events of one connection."""

    def __init__(self, response: HTTPResponse) -> None:
        self._response = response
        self.last = ""

    def next(self, event: str, fits: Callable[[Any], bool] = lambda data: True) -> Any:
        """Return the data of the next event of a kind that fits."""
        name = data = ""
        while True:
            line = self._response.readline().decode().rstrip("\n")
            key, _, value = line.partition(": ")
            if key == "id":
                self.last = value
            elif key == "event":
                name = value
            elif key == "data":
                data = value
            elif not line and name == event and fits(found := json.loads(data)):
                return found
            assert line or self._response.fp is not None, "the stream has ended"

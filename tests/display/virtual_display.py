"""A braille display in memory only: BRLTTY as a process of its own, with its virtual driver."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import shutil
import socket
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

_PATIENCE = 30.0
_FIRST_PORT = 4101
"""BrlAPI counts its ports from here: HOST:0."""
_BLANK = 0x2800


class VirtualDisplay:
    """A display at the end of a line from BRLTTY. `start` and `stop` may follow each other."""

    def __init__(self, cells: int = 40) -> None:
        brltty = shutil.which("brltty") or shutil.which("brltty", path="/usr/sbin:/usr/bin:/sbin:/bin")
        if brltty is None or importlib.util.find_spec("brlapi") is None:
            pytest.skip("NO VIRTUAL BRAILLE DISPLAY: apt install brltty python3-brlapi")
        self._brltty = brltty
        self._cells = cells
        self._directory = Path(tempfile.mkdtemp(prefix="hector-braille-"))
        self._number = _free_port() - _FIRST_PORT
        self.environment = {"BRLAPI_HOST": f"127.0.0.1:{self._number}", "BRLAPI_AUTH": "none"}
        self._changed = threading.Condition()
        self._window = ""
        self._process: subprocess.Popen[bytes] | None = None
        self._line: socket.socket | None = None
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Start BRLTTY and be its display."""
        with socket.create_server(("127.0.0.1", 0)) as server:
            server.settimeout(_PATIENCE)
            port = server.getsockname()[1]
            with (self._directory / "log").open("ab") as log:
                self._process = subprocess.Popen(
                    [
                        *(self._brltty, "-n", "-e", "-q", "-f", "/dev/null", "-x", "no", "-s", "no"),
                        *("-b", "vr", "-d", f"client:127.0.0.1:{port}"),
                        *("-A", f"auth=none,host=127.0.0.1:{self._number}", "-P", self._directory / "pid"),
                        *("-W", self._directory, "-U", self._directory),
                    ],
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                )
            self._line, _address = server.accept()
        self._line.sendall(f"cells {self._cells}\n".encode())
        self._thread = threading.Thread(target=self._read, args=(self._line,), daemon=True)
        self._thread.start()
        # It shows that there is no screen as soon as it is ready, and takes clients a little later.
        self.wait_for(lambda window: window)
        until = time.monotonic() + _PATIENCE
        while not self._takes_clients():
            assert self._process.poll() is None and time.monotonic() < until, "BRLTTY takes no clients"
            time.sleep(0.02)

    def _takes_clients(self) -> bool:
        try:
            socket.create_connection(("127.0.0.1", _FIRST_PORT + self._number), timeout=1).close()
        except OSError:
            return False
        return True

    def _read(self, line: socket.socket) -> None:
        with line.makefile(encoding="utf-8") as lines, contextlib.suppress(ConnectionError):
            for text in lines:
                kind, _, value = text.strip().partition(" ")
                if kind == "Braille":
                    dots = value.strip('"').split("|")
                    with self._changed:
                        self._window = "".join(map(_cell, dots))
                        self._changed.notify_all()

    def press(self, command: str) -> None:
        """Press a key, by the name of BRLTTY's command; `ROUTE 7` is the key above cell 7, counted from 0.

        The virtual driver looks at its line once for each arrival: wait for what a key does before the next.
        """
        assert self._line is not None
        self._line.sendall(f"{command}\n".encode())

    def wait_for(self, is_it: Callable[[str], object]) -> str:
        """Return the cells as soon as they are what is wanted."""
        with self._changed:
            assert self._changed.wait_for(lambda: is_it(self._window), _PATIENCE), (
                f"it shows {self._window!r}"
            )
            return self._window

    def stop(self) -> None:
        """Kill BRLTTY, as a crash would."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
        if self._line is not None:
            self._line.close()
        if self._thread is not None:
            self._thread.join(_PATIENCE)
        self._process = self._line = self._thread = None
        self._window = ""

    def remove(self) -> None:
        self.stop()
        shutil.rmtree(self._directory, ignore_errors=True)


def _cell(dots: str) -> str:
    return chr(_BLANK + sum(1 << int(dot) - 1 for dot in dots.strip()))


def _free_port() -> int:
    """Return a port that nobody listens at, among those that BrlAPI can have."""
    offset = os.getpid() % 500
    for port in range(_FIRST_PORT + 500 + offset, 65536):
        with socket.socket() as trial:
            try:
                trial.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise AssertionError("no port is free")

"""A game that `hector serve` plays in a process of its own, and browsers made of requests that look at it."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator
from pathlib import Path

from benchmarks.measured import test_extra

with test_extra():
    from tests.arbiter.page_game import PINS, Browser
    from tests.live_game import LiveGame


class Served:
    """A game that `hector serve` plays in a process of its own."""

    def __init__(self, folder: Path, *options: str, home: Path) -> None:
        self.folder = folder
        roles = {f"HECTOR_{role.upper()}_PIN": pin for role, pin in PINS.items()}
        nowhere = {"PULSE_SERVER": "unix:/nonexistent", "XDG_DATA_HOME": str(home)}
        arguments = ["serve", "--page-port", "0", "--speak-to", os.devnull, *options]
        if "--save" in options:
            arguments += ["--braille-display", "off"]
        self.process = LiveGame(folder, arguments, {**nowhere, **roles})
        line = self.process.expect(r"^Die Seite: http://127\.0\.0\.1:\d+/$")
        self.port = int(re.findall(r"\d+", line)[-1])

    def browser(self, role: str | None = None) -> Browser:
        return Browser(self.port, role)

    def start(self) -> None:
        """Let the arbiter start the clock."""
        self.browser("arbiter").start()

    def announce(self, *lines: str) -> None:
        """Type for the blind player at the keyboard, and wait until it is on the page."""
        for line in lines:
            self.process.type(line)
        watcher = self.browser()
        with watcher.events() as events:
            events.next(
                "state", lambda data: data["state"]["toMove"] == "black" and not data["state"]["pending"]
            )

    def journal(self) -> bytes:
        return (self.folder / "journal.jsonl").read_bytes()


@contextlib.contextmanager
def served(folder: Path, *options: str, home: Path) -> Iterator[Served]:
    """Run a game, and end it whatever happens."""
    game = Served(folder, *options, home=home)
    with game.process:
        yield game

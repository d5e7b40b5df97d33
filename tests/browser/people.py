"""The people of a game on the page: who starts it, who plays, who watches, each with a browser of his own."""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from live_game import LiveGame
from playwright.sync_api import Browser, Page, expect

from assistant.sealing import Work, new_key

PINS = {"arbiter": "418822", "opponent": "730051"}
PHRASE = "drei kleine Springer"
"""The passphrase of the arbiter's key that moves are sealed to."""
PATIENCE = 15_000
"""Milliseconds for what happens at once; only a test that fails waits so long."""
STANDARDS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


class Club:
    """One game in a process of its own, and the browsers that look at it."""

    def __init__(self, browser: Browser, folder: Path) -> None:
        self.folder = folder / "game"
        self._browser = browser
        self._contexts: list[Any] = []
        self.environment = {
            "PULSE_SERVER": "unix:/nonexistent",
            "XDG_RUNTIME_DIR": str(folder),
            "XDG_DATA_HOME": str(folder / "data"),
        }
        key = folder / "data" / "hector" / "arbiter-key.json"
        key.parent.mkdir(parents=True)
        key.write_bytes(new_key(PHRASE, Work(1, 8192)))
        self.port = free_port()
        self.game: LiveGame | None = None

    def serve(self, *options: str, environment: dict[str, str] | None = None) -> LiveGame:
        """Start the game: by keyboard and page alone, or with the sound of `environment`."""
        pins = [f"--{role}-pin={pin}" for role, pin in PINS.items()]
        page = ["--page-port", str(self.port), *pins]
        names = ["--white", "Ana", "--black", "Tom"]
        if environment is None:
            command = ["serve", "--save", str(self.folder), "--speak-to", os.devnull, *names, *page]
        else:
            command = ["play", "--page", "--save", str(self.folder), *names, *page]
        return self._start([*command, *options], environment or self.environment)

    def serve_again(self) -> LiveGame:
        """Take the game up from its folder, at the same address, as after a power failure."""
        command = ["serve", str(self.folder), "--speak-to", os.devnull, "--page-port", str(self.port)]
        return self._start(command, self.environment)

    def _start(self, command: Sequence[str], environment: dict[str, str]) -> LiveGame:
        self.game = LiveGame(self.folder, command, environment)
        self.game.expect("^Die Seite: ")
        return self.game

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    def visitor(self, role: str = "", **settings: Any) -> Page:
        """Let somebody open the page, and sign in where he has a role."""
        page = self.stranger(**settings)
        page.goto(self.url)
        if role:
            sign_in(page, role)
            expect(page.locator("#signout")).to_be_visible(timeout=PATIENCE)
        else:
            expect(page.locator("#game")).to_be_visible(timeout=PATIENCE)
        return page

    def after_e4(self) -> tuple[LiveGame, Page, Page]:
        """Begin a game with 1 e4; return it, the arbiter's page and the opponent's, who has seen it."""
        game = self.serve("--press", "key")
        arbiter, opponent = self.visitor("arbiter"), self.visitor("opponent")
        start(arbiter)
        game.type("e4", "")
        see_move(opponent, 1, "e2-e4")
        return game, arbiter, opponent

    def stranger(self, **settings: Any) -> Page:
        """Give somebody a browser who has not opened the page yet."""
        context = self._browser.new_context(**{"locale": "en-GB", **settings})
        context.set_default_timeout(PATIENCE)
        self._contexts.append(context)
        return context.new_page()

    @property
    def journal(self) -> list[dict[str, Any]]:
        text = (self.folder / "journal.jsonl").read_text(encoding="utf-8")
        return [json.loads(line) for line in text.splitlines()]

    def moves(self, verb: str = "announce") -> list[str]:
        return [line["move"] for line in self.journal if line.get("do") == verb]

    def __enter__(self) -> Club:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for context in self._contexts:
            context.close()
        if self.game is not None and self.game.process.poll() is None:
            self.game.kill()


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def faults(page: Page) -> list[str]:
    """Return what axe finds on a page as it stands, one line for each element, and ids that stand twice."""
    ids = page.eval_on_selector_all("[id]", "all => all.map(each => each.id)")
    twice = [f"id {each} stands twice" for each in sorted({each for each in ids if ids.count(each) > 1})]
    found = Axe().run(page, options={"runOnly": STANDARDS, "resultTypes": ["violations"]})
    return twice + [
        f"{violation['id']} ({violation['impact']}): {node['html']}"
        for violation in found.response["violations"]
        for node in violation["nodes"]
    ]


def sign_in(page: Page, role: str) -> None:
    """Fill the form of the role in, and send it."""
    page.select_option("#signin-role", role)
    page.fill("#signin-pin", PINS[role])
    page.click("#signin-do")


def sign_in_anew(club: Club, opponent: Page) -> None:
    """Let the opponent sign out and in again in a second tab."""
    second = opponent.context.new_page()
    second.goto(club.url)
    second.click("#signout")
    sign_in(second, "opponent")
    expect(second.locator("#opponent")).to_be_visible()


def see(page: Page, selector: str, text: str) -> None:
    """Wait until an element shows a text."""
    expect(page.locator(selector)).to_contain_text(text, timeout=PATIENCE)


def see_move(page: Page, ply: int, text: str) -> None:
    """Wait until a half-move stands in the list of moves."""
    expect(page.locator(f"#m-{ply}")).to_have_text(text, timeout=PATIENCE)


def start(arbiter: Page) -> None:
    """Let the arbiter start the clock, and wait until it runs."""
    form(arbiter, "start")
    expect(arbiter.locator("#clock-white")).to_have_class("running", timeout=PATIENCE)


def form(arbiter: Page, verb: str, **fields: str) -> None:
    """Let the arbiter fill in one of his forms, read what it will do, and do it."""
    fill(arbiter, verb, **fields)
    do_it(arbiter)


def do_it(page: Page) -> None:
    """Wait until something is asked back, and do it."""
    expect(page.locator("#confirm")).to_be_visible(timeout=PATIENCE)
    page.click("#confirm-do")
    expect(page.locator("#confirm")).to_be_hidden(timeout=PATIENCE)


def fill(arbiter: Page, verb: str, **fields: str) -> None:
    """Let the arbiter fill in one of his forms and ask what it will do."""
    if not arbiter.locator(f"#{verb}-next").is_visible():
        arbiter.locator(f"details:has(#form-{verb}) > summary").click()
    for name, value in fields.items():
        field = arbiter.locator(f"#{verb}-{name}")
        if field.evaluate("each => each.tagName") == "SELECT":
            field.select_option(value)
        else:
            field.fill(value)
    arbiter.click(f"#{verb}-next")

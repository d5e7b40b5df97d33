"""Measures a game's page: how soon it shows an announcement, and what its spectators cost.

    python -m benchmarks.page [--moves 40] [--spectators 50] [--seconds 20] [--json]

The game is a process of its own (`hector serve`, on 127.0.0.1), the page is open in a real browser. White's
announcements are typed at the keyboard and accepted when Hector reads them back; Black's are sent from his
page, and timed from when they are sent. The page has changed when its own script has brought everything up
to date. What the spectators cost is the processor time of the game's process, with a half-move every two
seconds. Each row names the limit that it is held against; the exit status is 1 if one is missed.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import random
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import asdict
from itertools import chain
from pathlib import Path
from typing import Any

import chess

from benchmarks.measured import Row, above_zero, machine_line, processor_seconds, spread, test_extra
from benchmarks.pages import Served, served
from tests.browser.chromium import INSTALL, chromium

SOON = 100.0
"""Milliseconds from an announcement to the page, as the median."""
SHARE = 20.0
"""Per cent of one core that the game may cost with its spectators."""
EVERY = 2.0
"""Seconds between two half-moves while the spectators watch: more than in any game but blitz."""
_OBSERVE = """() => {
  window.seen = {};
  new MutationObserver(() => { window.seen[document.documentElement.dataset.ply] ??= Date.now(); })
    .observe(document.documentElement, { attributes: true, attributeFilter: ["data-ply"] });
}"""


class Players:
    """White at the keyboard and Black on his page, who make random legal moves."""

    def __init__(self, game: Served) -> None:
        self._game = game
        self._black = game.browser("opponent")
        self._random = random.Random(64)
        self._board = chess.Board()

    def move(self) -> tuple[int, float]:
        """Make a move and press the clock; return its number and when it was accepted or sent, in ms."""
        board = self._board
        quiet = [move for move in board.legal_moves if _goes_on(board, move)]
        move = self._random.choice(quiet)
        ply = board.ply() + 1
        if board.turn:
            process = self._game.process
            since = len(process.lines)
            process.type(move.uci())
            process.expect("^Hector: ", since)
            at = time.time() * 1000
            self._shown(ply)
            process.type("")
        else:
            seen = self._black.mark
            at = time.time() * 1000
            status, answer = self._black.act("move", {"move": move.uci()}, seen=seen)
            assert status == 200, answer
            status, answer = self._black.act("press")
            assert status == 200, answer
        board.push(move)
        self._shown(ply, pressed=True)
        return ply, at

    def _shown(self, ply: int, *, pressed: bool = False) -> None:
        with self._black.events() as events:
            events.next(
                "state",
                lambda data: data["state"]["ply"] == ply and not (pressed and data["state"]["pending"]),
            )


def _goes_on(board: chess.Board, move: chess.Move) -> bool:
    """Return whether the game goes on after a move, without a question about it."""
    if board.is_zeroing(move) and board.piece_type_at(move.from_square) != chess.PAWN:
        return False
    board.push(move)
    try:
        return not board.is_check() and any(board.legal_moves) and not board.is_repetition(3)
    finally:
        board.pop()


def soon(folder: Path, moves: int) -> Iterator[Row]:
    """Measure how soon an announcement is on the page."""
    with test_extra():
        from playwright.sync_api import sync_playwright

    path = chromium()
    if path is None:
        print(f"NO BROWSER: how soon the page changes was not measured: {INSTALL}", file=sys.stderr)
        return
    with _game(folder) as game, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page()
        page.goto(f"http://127.0.0.1:{game.port}/")
        page.wait_for_selector("#game:not([hidden])")
        page.evaluate(_OBSERVE)
        players = Players(game)
        sent = dict(players.move() for _ in range(moves))
        page.wait_for_function(f"() => window.seen[{max(sent)}]")
        seen: dict[str, float] = page.evaluate("() => window.seen")
        browser.close()
    for first, name in ((1, "announced at the table, page changed"), (0, "sent from a page, page changed")):
        late = [seen[str(ply)] - at for ply, at in sent.items() if ply % 2 == first]
        yield spread(name, "ms", late, SOON)


def cost(folder: Path, spectators: int, seconds: float) -> Iterator[Row]:
    """Measure the processor time of a game alone, and with everybody who watches."""
    with _game(folder) as game:
        players = Players(game)
        yield Row("the game alone, of one core", "%", _share(game, players, seconds))
        with contextlib.ExitStack() as seats:
            counts = [seats.enter_context(_spectator(game)) for _ in range(spectators)]
            had = [len(count) for count in counts]
            share = _share(game, players, seconds)
            missed = sum(len(count) <= before for count, before in zip(counts, had, strict=True))
        yield Row(f"the game with {spectators} spectators, of one core", "%", share, SHARE)
        yield Row("spectators who were told nothing", "", missed, 0)


def _share(game: Served, players: Players, seconds: float) -> float:
    began, used = time.monotonic(), processor_seconds(game.process.process.pid)
    number = 0
    while (passed := time.monotonic() - began) < seconds:
        if passed >= number * EVERY:
            number += 1
            players.move()
        time.sleep(0.02)
    return 100 * (processor_seconds(game.process.process.pid) - used) / (time.monotonic() - began)


@contextlib.contextmanager
def _spectator(game: Served) -> Iterator[list[int]]:
    """Watch a game in a thread; the list grows by one with each state that comes."""
    told: list[int] = []
    arrived, leaves = threading.Event(), threading.Event()
    browser = game.browser()

    def watch() -> None:
        with browser.events() as events:
            while not leaves.is_set():
                state: dict[str, Any] = events.next("state", lambda data: True)
                told.append(state["state"]["ply"])
                arrived.set()

    thread = threading.Thread(target=_quietly, args=(watch,), daemon=True)
    thread.start()
    assert arrived.wait(20)
    try:
        yield told
    finally:
        leaves.set()


def _quietly(watch: Any) -> None:
    with contextlib.suppress(OSError, AssertionError):
        watch()


@contextlib.contextmanager
def _game(folder: Path) -> Iterator[Served]:
    options = ("--save", str(folder), "--press", "key", "--time-control", "36000")
    with served(folder, *options, home=folder.with_name(f"{folder.name}-home")) as game:
        game.start()
        yield game


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument(
        "--moves", type=above_zero(int), default=40, help="half-moves whose way to the page is measured"
    )
    parser.add_argument("--spectators", type=above_zero(int), default=50)
    parser.add_argument(
        "--seconds", type=above_zero(float), default=20.0, help="how long the processor time is measured"
    )
    parser.add_argument("--json", action="store_true", help="one JSON line for each row")
    args = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="hector-page-"))
    rows: list[Row] = []
    try:
        costs = cost(folder / "cost", args.spectators, args.seconds)
        for row in chain(soon(folder / "soon", args.moves), costs):
            rows.append(row)
            print(json.dumps(asdict(row)) if args.json else row, flush=True)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print(machine_line(), file=sys.stderr)
    return 0 if all(row.is_met for row in rows) else 1


if __name__ == "__main__":
    raise SystemExit(main())

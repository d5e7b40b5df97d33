"""The edge to BRLTTY: one thread that carries a screen to the display and its keys back.

BrlAPI is Debian's module python3-brlapi; it is looked for only here. Whatever it does, the game never waits
for it and never sees an error of it: a daemon that dies is looked for again, as long as the game lasts.
"""

from __future__ import annotations

import contextlib
import importlib
import queue
import select
import socket
import threading
import time
from collections.abc import Callable
from typing import Any

import chess

from assistant.display.lines import BLANK
from assistant.display.screen import Key, Screen
from assistant.errors import HectorError, Phrase, marked
from assistant.resources import check_system_packages
from assistant.scoresheet import Game
from assistant.threads import begin_thread

PATIENCE = 2.0
"""Seconds between two attempts to reach BRLTTY."""
SHOW_EVERY = 1.0
"""Seconds after which the same cells are written again."""

_COMMANDS = {
    "FWINLT": Key.PAN_LEFT,
    "FWINLTSKIP": Key.PAN_LEFT,
    "FWINRT": Key.PAN_RIGHT,
    "FWINRTSKIP": Key.PAN_RIGHT,
    "LNUP": Key.LINE_UP,
    "PRDIFLN": Key.LINE_UP,
    "WINUP": Key.LINE_UP,
    "LNDN": Key.LINE_DOWN,
    "NXDIFLN": Key.LINE_DOWN,
    "WINDN": Key.LINE_DOWN,
    "TOP": Key.FIRST_LINE,
    "TOP_LEFT": Key.FIRST_LINE,
    "BOT": Key.LAST_LINE,
    "BOT_LEFT": Key.LAST_LINE,
    "HOME": Key.ACKNOWLEDGE,
    "BACK": Key.ACKNOWLEDGE,
    "RETURN": Key.ACKNOWLEDGE,
    "TIME": Key.CLOCKS,
    "INFO": Key.CLOCKS,
    "ROUTE": Key.ROUTE,
}
"""BRLTTY's commands that are Hector's; every other key stays BRLTTY's own."""


class _NoDisplayError(Exception):
    """BRLTTY answers, but no display is connected to it."""


class BrailleDisplay:
    """A braille display that may be there, or come, or go. No method blocks or raises."""

    def __init__(self, screen: Screen, patience: float = PATIENCE) -> None:
        """Begin to look for a display; `screen` belongs to its thread from now on."""
        self._screen = screen
        self._patience = patience
        self._inbox: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._changes: queue.SimpleQueue[bool] = queue.SimpleQueue()
        self._clocks_wanted = threading.Event()
        self._closing = threading.Event()
        self._lost = False
        self._was_there = False
        self._news = threading.Condition()
        self._asked = self._done = 0
        self._woken, self._waker = socket.socketpair()
        for end in (self._woken, self._waker):
            end.setblocking(False)
        self._thread = threading.Thread(target=self._run, name="braille display", daemon=True)
        begin_thread(self._thread.start)

    # What is to be shown

    def show_game(self, game: Game, announced: chess.Move | None = None) -> None:
        """Show a game as it stands; `announced` is a move that still waits for its press."""
        self._do(lambda: self._screen.show_game(game, announced))

    def tell(self, text: str, key: str | None = None) -> None:
        """Show a message; one that is said before a display was ever there is not kept for it."""
        self._do(lambda: self._screen.tell(text, key) if self._was_there else None)

    def show_clocks(self, milliseconds: tuple[int, int]) -> None:
        """Show two clock times, the reader's first."""
        self._do(lambda: self._screen.show_clocks(milliseconds))

    # What comes from it

    def clocks_are_wanted(self) -> bool:
        """Return whether the clocks were asked for since this was last asked."""
        wanted = self._clocks_wanted.is_set()
        self._clocks_wanted.clear()
        return wanted

    def changes(self) -> list[bool]:
        """Return whether the display was lost, for each time that it went or came back since last asked."""
        found = []
        with contextlib.suppress(queue.Empty):
            while True:
                found.append(self._changes.get_nowait())
        return found

    def wait_until_read(self, seconds: float) -> bool:
        """Wait until every message is acknowledged, but for so long at most, and not without a display.

        Return whether nothing is left to be read.
        """
        until = time.monotonic() + seconds
        with self._news:
            while (left := until - time.monotonic()) > 0 and self._is_unread():
                self._news.wait(left)
            return not self._is_unread()

    def _is_unread(self) -> bool:
        return self._done < self._asked or (self.is_there and self._screen.has_message)

    @property
    def is_there(self) -> bool:
        """Whether the display is connected now."""
        return self._was_there and not self._lost

    def close(self) -> None:
        """Give the display back to BRLTTY."""
        self._closing.set()
        self._wake()
        self._thread.join(2.0)
        if not self._thread.is_alive():
            self._woken.close()
            self._waker.close()

    # The thread

    def _do(self, action: Callable[[], None]) -> None:
        self._asked += 1
        self._inbox.put(action)
        self._wake()

    def _wake(self) -> None:
        # A full pipe wakes as well as one byte more.
        with contextlib.suppress(OSError):
            self._waker.send(b"!")

    def _run(self) -> None:
        while not self._closing.is_set():
            # BrlAPI's errors are classes of a module that may be missing, and a dying daemon has many ways.
            with contextlib.suppress(Exception):
                self._serve(importlib.import_module("brlapi"))
            if self.is_there and not self._closing.is_set():
                self._lost = True
                self._changes.put(True)
            self._tell_waiting()
            self._wait(self._patience)

    def _wait(self, seconds: float) -> None:
        """Keep the screen up to date for a while without a display."""
        until = time.monotonic() + seconds
        while not self._closing.is_set() and (left := until - time.monotonic()) > 0:
            select.select([self._woken], [], [], left)
            self._take_actions()
            self._tell_waiting()

    def _tell_waiting(self) -> None:
        with self._news:
            self._news.notify_all()

    def _serve(self, brlapi: Any) -> None:
        """Carry cells and keys until the display goes.

        :raises Exception: when it goes.
        """
        connection = brlapi.Connection()
        try:
            keys = _enter(brlapi, connection)
            self._came()
            shown = None
            written = 0.0
            while not self._closing.is_set():
                self._take_actions()
                self._take_keys(brlapi, connection, keys)
                self._tell_waiting()
                cells, rows = _size(connection)
                self._screen.width = cells
                now = time.monotonic()
                if (self._screen.window, rows) != shown or now - written >= SHOW_EVERY:
                    # BRLTTY leaves the cells of another program on the display when that has gone, and tells
                    # nobody; it shows the same cells again only where they are written again.
                    shown, written = (self._screen.window, rows), now
                    connection.writeDots(_dots(self._screen.window, cells * rows))
                readable, _, _ = select.select([connection.fileDescriptor, self._woken], [], [], SHOW_EVERY)
                if not readable:
                    connection.sync()
            connection.leaveTtyMode()
        finally:
            with contextlib.suppress(Exception):
                connection.closeConnection()

    def _came(self) -> None:
        if self._lost:
            self._lost = False
            self._changes.put(False)
        self._was_there = True

    def _take_actions(self) -> None:
        with contextlib.suppress(BlockingIOError):
            while self._woken.recv(1024):
                pass
        with contextlib.suppress(queue.Empty):
            while True:
                action = self._inbox.get_nowait()
                try:
                    action()
                except HectorError:
                    # What has no cells is spoken and on the sheet all the same.
                    continue
                finally:
                    self._done += 1

    def _take_keys(self, brlapi: Any, connection: Any, keys: dict[int, Key]) -> None:
        while (code := connection.readKey(wait=False)) is not None:
            parts = brlapi.expandKeyCode(code)
            key = keys.get(parts["type"] | parts["command"])
            if key is not None and self._screen.press(key, parts["argument"]):
                self._clocks_wanted.set()


def _enter(brlapi: Any, connection: Any) -> dict[int, Key]:
    """Take the display for the console or window that Hector runs in; where there is none, for itself."""
    _size(connection)
    try:
        connection.enterTtyMode()
    except brlapi.OperationError:
        connection.enterTtyModeWithPath([])
    keys = {brlapi.KEY_TYPE_CMD | getattr(brlapi, f"KEY_CMD_{name}"): key for name, key in _COMMANDS.items()}
    connection.ignoreKeys(brlapi.rangeType_all, [0])
    connection.acceptKeys(brlapi.rangeType_command, list(keys))
    return keys


def _size(connection: Any) -> tuple[int, int]:
    cells, rows = connection.displaySize
    if not (cells and rows):
        raise _NoDisplayError
    return cells, rows


def _dots(window: str, length: int) -> bytes:
    """Return one byte for each cell, dot 1 in its lowest bit, as BrlAPI has them."""
    return bytes(ord(cell) - ord(BLANK) for cell in window).ljust(length, b"\0")


def check_display() -> Phrase:
    """Return a sentence about the display that is there.

    :raises HectorError: if there is none, with what to do about it.
    """
    try:
        brlapi = importlib.import_module("brlapi")
    except ImportError:
        check_system_packages("BrlAPI")
        raise HectorError(
            "BrlAPI is missing. If you have a display, install it with: apt install brltty python3-brlapi"
        ) from None
    try:
        connection = brlapi.Connection()
    except brlapi.ConnectionError:
        raise HectorError(
            "BRLTTY does not answer. If you have a display: systemctl start brltty; join the group brlapi."
        ) from None
    try:
        cells, rows = _size(connection)
        return marked(
            "found, {cells} cells, {driver}.", cells=cells * rows, driver=_text(connection.driverName)
        )
    except (_NoDisplayError, brlapi.OperationError):
        raise HectorError("BRLTTY runs, but finds no display. Plug one in.") from None
    finally:
        connection.closeConnection()


def _text(name: str | bytes) -> str:
    return name.decode(errors="replace") if isinstance(name, bytes) else name

"""Server-sent events: every page gets the newest state, and of the log what it has not had yet.

A page that was away sends the number of the last entry it has; a slow one skips states, never entries. What
one role sees in one language is put into words once for all who watch.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Mapping
from typing import Any, Final

from assistant.arbiter.history import History
from assistant.arbiter.logbook import Entry, Logbook
from assistant.arbiter.pins import Role
from assistant.arbiter.scene import Clocks, Scene
from assistant.arbiter.view import State, clocks_view, state

FIRST_ENTRIES: Final = 50
"""Entries of the log that a page gets at first; it asks for older ones."""
MOST_ENTRIES: Final = 200
"""Entries that a page gets at once after it was away; what is older it asks for."""

Extra = Callable[[Role], Mapping[str, Any]]


class Hub:
    """The newest scene, and everybody who waits for the next. All methods belong to the server's loop."""

    def __init__(self, scene: Scene, boot: str, extra: Extra, on_fault: Callable[[Exception], None]) -> None:
        self.version = 1
        self.boot = boot
        """Names this run of the server: numbers of another one's log mean nothing here."""
        self.scene = scene
        self.ticks = 0
        self._extra = extra
        self._on_fault = on_fault
        self._look_at(scene.clocks)
        self._changed = asyncio.Event()
        self._history = History()
        self._logs: dict[tuple[Role, str], Logbook] = {}
        self._states: dict[tuple[Role, str], tuple[int, State]] = {}
        self._messages: dict[tuple[Role, str, int], tuple[int, bytes]] = {}

    def publish(self, scene: Scene) -> None:
        """Show a new scene to everybody."""
        self.scene = scene
        self._look_at(scene.clocks)
        self.touch()

    def begin_anew(self, scene: Scene, boot: str) -> None:
        """Show a scene whose course is not the continuation of what was shown before."""
        self.boot = boot
        self._logs.clear()
        self.publish(scene)

    def touch(self) -> None:
        """Send the state again: something beside the game has changed."""
        self.version += 1
        self._messages.clear()
        self._wake()

    def tick(self, clocks: Clocks) -> None:
        """Tell everybody what the clocks show; proof of life as well."""
        self.ticks += 1
        self._look_at(clocks)
        # Whoever comes now is shown no older times than everybody else.
        self._states.clear()
        self._messages.clear()
        self._wake()

    def _wake(self) -> None:
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()

    async def next(self, version: int, ticks: int) -> None:
        """Wait until there is a newer state, or message on the clocks, than those of these numbers."""
        while (version, ticks) == (self.version, self.ticks):
            await self._changed.wait()

    def clocks(self) -> bytes:
        """Return the message about what the clocks show at this moment."""
        return _message("clocks", self._clocks_now())

    def _look_at(self, clocks: Clocks) -> None:
        self._clocks, self._looked_at = clocks, time.monotonic()

    def _clocks_now(self) -> State:
        return clocks_view(self._clocks.after(time.monotonic() - self._looked_at))

    def log(self, role: Role, language: str) -> Logbook:
        """Return a role's log, up to date with the scene."""
        log = self._logs.get((role, language))
        if log is None:
            log = self._logs[role, language] = Logbook(self.scene.setup, role, language, self._on_fault)
        log.follow(self.scene)
        return log

    def message(self, role: Role, language: str, since: int | None) -> tuple[bytes, int]:
        """Return the message for a page that has the entries before number `since`, and what it has then."""
        log = self.log(role, language)
        total = len(log.entries)
        first = max(0, total - FIRST_ENTRIES) if since is None or since > total else since
        first = max(first, total - MOST_ENTRIES)
        known = self._messages.get((role, language, first))
        if known is None:
            content = {
                "state": self._state(role, language),
                "log": log.entries[first:],
                "from": first,
                "total": total,
            }
            known = (total, _message("state", content, f"{self.boot}:{total}"))
            self._messages[role, language, first] = known
        return known[1], known[0]

    def _state(self, role: Role, language: str) -> State:
        known = self._states.get((role, language))
        if known is None or known[0] != self.version:
            # The game may have stood for long as it does, and its clock has run.
            shown = {**state(self.scene, role, language, self._history), "clocks": self._clocks_now()}
            seen = {**shown, **self._extra(role)}
            known = (self.version, seen)
            self._states[role, language] = known
        return known[1]

    def older(self, role: Role, language: str, before: int, count: int) -> list[Entry]:
        """Return up to `count` entries of the log before number `before`."""
        entries = self.log(role, language).entries
        before = min(before, len(entries))
        return entries[max(0, before - count) : before]


def _message(event: str, content: Mapping[str, Any], id: str | None = None) -> bytes:
    name = "" if id is None else f"id: {id}\n"
    data = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    return f"{name}event: {event}\ndata: {data}\n\n".encode()

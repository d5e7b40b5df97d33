"""From the server's threads to the table's: what was sent, in the order in which it came."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from assistant.arbiter.pins import Role
from assistant.sealing import SecretKey


@dataclass(frozen=True, slots=True)
class Sent:
    """A request that somebody may make: who, what, what he had seen, and when it came (the game's time)."""

    role: Role
    language: str
    do: str
    values: Mapping[str, Any]
    seen: str
    """The mark of the position that his page showed."""
    key: str
    """Names the request: one that comes again is not carried out again."""
    at: float
    preview: bool = False
    """Whether he only asks what would happen."""
    secret: SecretKey | None = None
    """The arbiter's key, unlocked, where an envelope is to be opened."""
    is_public: bool = False
    """Whether the players can read the reply."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What is told to whoever sent it: an HTTP status, a sentence, and perhaps more for the page."""

    status: int
    sentence: str
    more: Mapping[str, Any] = field(default_factory=dict)
    fault: str = ""
    """For the log alone: what went wrong in Hector itself."""

    @property
    def is_done(self) -> bool:
        return self.status == 200


class Inbox:
    """Holds requests until the table looks at them. Safe for any thread."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._lock = threading.Lock()
        self._waiting: list[tuple[Sent, asyncio.Future[Reply]]] = []
        self._closed = False

    async def send(self, make: Callable[[float], Sent]) -> Reply:
        """Hand a request over and wait for the table's reply; `make` gets the time at which it came.

        :raises TimeoutError: if the table is gone.
        """
        reply: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        with self._lock:
            if self._closed:
                raise TimeoutError
            # Under the lock: what comes later cannot have the earlier time.
            self._waiting.append((make(self._now()), reply))
        async with asyncio.timeout(10):
            return await reply

    def take(self) -> list[tuple[Sent, asyncio.Future[Reply]]]:
        """Return what has come since the last time, oldest first."""
        with self._lock:
            taken, self._waiting = self._waiting, []
        return taken

    def close(self) -> None:
        """Take nothing more."""
        with self._lock:
            self._closed = True


def answer(waiting: asyncio.Future[Reply], reply: Reply) -> None:
    """Give a reply to whoever waits for it; from any thread."""

    def give() -> None:
        if not waiting.done():
            waiting.set_result(reply)

    waiting.get_loop().call_soon_threadsafe(give)

"""The page's server: aiohttp in a thread of its own, which never touches the table."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import os
import secrets
import threading
from collections.abc import Coroutine, Mapping
from concurrent.futures import Future
from typing import Any, Final, TypeVar

from aiohttp import web

from assistant.arbiter.addresses import Addresses
from assistant.arbiter.audit import Audit
from assistant.arbiter.guard import LARGEST_BODY, Guard
from assistant.arbiter.hub import Hub
from assistant.arbiter.inbox import Inbox
from assistant.arbiter.listening import Listener
from assistant.arbiter.pins import Keeping, Role
from assistant.arbiter.scene import Clocks, Scene
from assistant.arbiter.sessions import Sessions
from assistant.errors import HectorError
from assistant.table.folder import Where
from assistant.threads import begin_thread

T = TypeVar("T")


_ABOUT_THE_PORT: Final = (errno.EADDRINUSE, errno.EACCES)
"""What another port would mend: it is taken, or only the administrator's."""


class Server:
    """Serves one game's page until it is closed. The table's thread calls its public methods."""

    def __init__(self, scene: Scene, inbox: Inbox, keeping: Keeping, where: Where, *, is_open: bool) -> None:
        self._audit = audit = Audit(where)
        self._noted = 0
        self._sessions = sessions = Sessions(keeping)
        self._guard = Guard(sessions, keeping, audit, scene.setup.language, is_open=is_open)
        self._loop = asyncio.new_event_loop()
        self._hub = Hub(scene, secrets.token_hex(6), self._extra, audit.note_fault)
        self._addresses = Addresses(
            self._hub, inbox, self._guard, sessions, keeping, audit, where, is_open=is_open
        )
        self._listener = Listener(self._guard, audit)
        self._thread = threading.Thread(target=self._run, name="page", daemon=True)
        self.port = 0

    def start(self, address: str, port: int) -> None:
        """Listen.

        :raises HectorError: if the address or the port cannot be used.
        """
        begin_thread(self._thread.start)
        try:
            self._call(self._listen(address, port)).result(20)
        except (OSError, UnicodeError) as error:
            self.close()
            if isinstance(error, OSError) and error.errno in _ABOUT_THE_PORT:
                raise HectorError(
                    "The page cannot be shown at {address}, port {port}: {reason}. Choose another port "
                    "with --page-port.",
                    address=address,
                    port=port,
                    reason=OSError(error.errno, os.strerror(error.errno)),
                ) from error
            raise HectorError(
                "The page cannot be shown at the address {address}: name one of this computer with "
                "--page-address.",
                address=address,
            ) from error

    def publish(self, scene: Scene) -> None:
        """Show a new scene to everybody."""
        self._loop.call_soon_threadsafe(self._hub.publish, scene)

    def note_fault(self, error: Exception) -> None:
        """Keep a fault of the page itself where refused requests are kept; from any thread."""
        self._audit.note_fault(error)

    def publish_anew(self, scene: Scene) -> None:
        """Show everybody a scene whose course is another one than before."""
        self._loop.call_soon_threadsafe(self._hub.begin_anew, scene, secrets.token_hex(6))

    def tick(self, clocks: Clocks) -> None:
        """Tell everybody what the clocks show now."""

        def tell() -> None:
            self._hub.tick(clocks)
            if self._audit.count != self._noted:
                self._noted = self._audit.count
                self._hub.touch()

        self._loop.call_soon_threadsafe(tell)

    def close(self, *, for_good: bool = False) -> None:
        """Let everybody go and end the thread; `for_good` tells every page that it need not come back."""
        if not self._thread.is_alive():
            return
        with contextlib.suppress(TimeoutError):
            self._call(self._stop(for_good)).result(10)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)

    def _call(self, work: Coroutine[Any, Any, T]) -> Future[T]:
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_forever()
        self._loop.close()

    async def _listen(self, address: str, port: int) -> None:
        app = web.Application(middlewares=[self._guard.middleware], client_max_size=LARGEST_BODY)
        app.add_routes(self._addresses.routes())
        self._guard.name = address.lower()
        self.port = self._guard.port = await self._listener.open(app, address, port)

    async def _stop(self, for_good: bool) -> None:
        self._addresses.end_streams(for_good=for_good)
        await self._listener.close()

    def _extra(self, role: Role) -> Mapping[str, Any]:
        game = {"game": self._sessions.game}
        if role != "arbiter":
            return game
        last = [
            {key: each.get(key, "") for key in ("time", "answer", "language", "address", "refused")}
            for each in reversed(self._audit.last)
        ]
        return {**game, "security": {"count": self._audit.count, "last": last}}

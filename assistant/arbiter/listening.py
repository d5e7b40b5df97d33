"""Where the page's server listens: what is no HTTP, and what aiohttp complains of, is noted like the rest.

aiohttp alone would answer it without the guard's headers and write on the terminal, which is the players'.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import os
import resource
import socket
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any, Final

from aiohttp import web

from assistant.arbiter.audit import Audit, fault_of
from assistant.arbiter.guard import Guard

EVERYWHERE: Final = "::"
"""Every address of this computer, of both kinds."""
MOST_CONNECTIONS: Final = 600
"""Connections at once; never more than half of the files that the program, and with it the game, may open."""
KEPT_OPEN: Final = 75
"""Seconds for which a connection stays open on which nothing is asked."""


class Listener:
    """Answers for an application at one address."""

    def __init__(self, guard: Guard, audit: Audit) -> None:
        self._guard = guard
        self._audit = audit
        self._connections = Counter[str]()
        self._logger = logging.Logger("page", logging.WARNING)
        self._logger.addHandler(_Noted(audit))
        self._runner: web.AppRunner | None = None
        self._listening: asyncio.Server | None = None

    async def open(self, app: web.Application, address: str, port: int) -> int:
        """Listen, and return the port.

        :raises OSError: if the address or the port cannot be used.
        """
        self._runner = runner = web.AppRunner(app, shutdown_timeout=1.0)
        await runner.setup()
        assert runner.server is not None
        loop = asyncio.get_running_loop()
        options: dict[str, Any] = {
            "loop": loop,
            "logger": self._logger,
            "access_log": None,
            "lingering_time": 0,
            "keepalive_timeout": KEPT_OPEN,
        }
        let_in = partial(_Connection, runner.server, self._guard, **options)
        connect = partial(_Door, self._connections, most_connections(), self._refuse, let_in)
        if address == EVERYWHERE and socket.has_dualstack_ipv6():
            # asyncio would leave out IPv4, and with it the address by which most find this computer.
            both = socket.create_server((address, port), family=socket.AF_INET6, dualstack_ipv6=True)
            self._listening = await loop.create_server(connect, sock=both)
        else:
            self._listening = await loop.create_server(connect, address, port)
        if not self._listening.sockets:
            # asyncio passes over the kinds of address that the system does not have, IPv6 that is off say.
            raise OSError(errno.EAFNOSUPPORT, os.strerror(errno.EAFNOSUPPORT))
        return int(self._listening.sockets[0].getsockname()[1])

    def _refuse(self, address: str) -> None:
        self._audit.note("too many connections", "", address=address)

    async def close(self) -> None:
        """Listen no more, and let everybody go."""
        if self._listening is not None:
            self._listening.close()
        if self._runner is not None:
            await self._runner.cleanup()


def most_connections() -> int:
    """Return how many connections there may be at once."""
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MOST_CONNECTIONS if files == resource.RLIM_INFINITY else min(MOST_CONNECTIONS, files // 2)


class _Door(asyncio.Protocol):
    """Lets whoever comes in while there is room; one computer gets three quarters of it at most."""

    def __init__(
        self,
        connections: Counter[str],
        most: int,
        refuse: Callable[[str], None],
        let_in: Callable[..., _Connection],
    ) -> None:
        self._connections = connections
        self._most = most
        self._refuse = refuse
        self._let_in = let_in

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        peer = transport.get_extra_info("peername")
        address = str(peer[0]) if peer else "?"
        if self._connections.total() >= self._most or self._connections[address] >= self._most * 3 // 4:
            self._refuse(address)
            transport.abort()
            return
        self._connections[address] += 1
        connection = self._let_in(partial(self._leave, address))
        transport.set_protocol(connection)
        connection.connection_made(transport)

    def _leave(self, address: str) -> None:
        self._connections[address] -= 1


class _Connection(web.RequestHandler):
    __slots__ = ("_guard", "_leave")

    def __init__(self, server: web.Server, guard: Guard, leave: Callable[[], None], **options: Any) -> None:
        super().__init__(server, **options)
        self._guard = guard
        self._leave = leave

    def connection_lost(self, exc: BaseException | None) -> None:
        self._leave()
        super().connection_lost(exc)

    def handle_error(
        self,
        request: web.BaseRequest,
        status: int = 500,
        exc: BaseException | None = None,
        message: str | None = None,
    ) -> web.StreamResponse:
        """Answer where no handler was reached."""
        if status != 400 or request.writer.output_size > 0:
            return super().handle_error(request, status, exc, message)
        return self._guard.no_http(request, type(exc).__name__)


class _Noted(logging.Handler):
    """Notes what aiohttp would log."""

    def __init__(self, audit: Audit) -> None:
        super().__init__()
        self._audit = audit

    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[1] if record.exc_info else None
        fault = fault_of(error) if isinstance(error, Exception) else record.getMessage()
        self._audit.note("page", "", fault=fault)

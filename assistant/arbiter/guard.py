"""Who may ask for what: checked before any handler sees a request.

Against other pages in the same browser: the name the page is asked for under, the page a request comes from,
a cookie that no other page sends and a token that none knows. Against floods: a limit on every body.
"""

from __future__ import annotations

import contextlib
import ipaddress
import socket
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from aiohttp import web

from assistant.arbiter.audit import Audit, fault_of
from assistant.arbiter.pins import Keeping, Role
from assistant.arbiter.sessions import Session, Sessions
from assistant.arbiter.texts import text
from assistant.errors import Phrase
from assistant.speaking import LANGUAGES, told

LARGEST_BODY: Final = 64 * 1024
HEADERS: Final[Mapping[str, str]] = {
    "Content-Security-Policy": (
        "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
    "Cache-Control": "no-store",
}

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class Refusal(Exception):  # noqa: N818 - a ruling, not an error
    """A request that is not carried out: an HTTP status, a name of `TEXTS`, and its values."""

    def __init__(self, status: int, name: str, what: str, **values: str | Phrase) -> None:
        super().__init__(name)
        self.status, self.name, self.what, self.values = status, name, what, values


@dataclass(frozen=True, slots=True)
class Visit:
    """A request that has passed: who, and in which language he reads."""

    session: Session
    language: str

    @property
    def role(self) -> Role:
        return self.session.role


_VISIT: Final = web.RequestKey("visit", Visit)


def visit_of(request: web.Request) -> Visit:
    """Return whose request it is, once it has passed."""
    return request[_VISIT]


def is_local(request: web.Request) -> bool:
    """Return whether a request has come from this computer, and over no network."""
    address = ipaddress.ip_address(request.remote or "0.0.0.0")
    mapped = getattr(address, "ipv4_mapped", None)
    # Who listens to both kinds sees the older one as a part of the newer (RFC 4291, 2.5.5.2).
    return (mapped or address).is_loopback


class Guard:
    """Checks every request to one page."""

    def __init__(
        self, sessions: Sessions, keeping: Keeping, audit: Audit, language: str, *, is_open: bool
    ) -> None:
        self.port = 0
        self.name = ""
        """The name at which the page is shown, if it is one: whoever chose it means this computer."""
        self._sessions = sessions
        self._keeping = keeping
        self._audit = audit
        self._language = language
        self._asks_everybody = not is_open

    @property
    def cookie(self) -> str:
        """The name of the cookie; cookies do not tell ports apart."""
        return f"hector-{self.port}"

    @web.middleware
    async def middleware(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Let a request pass, or say in one sentence why not."""
        language = self._language_of(request)
        try:
            self._check_host(request)
            self._check_origin(request)
            self._check_size(request)
            visit = Visit(self._session(request), language)
            request[_VISIT] = visit
            if request.method not in ("GET", "HEAD"):
                self._check_token(request, visit)
            response = await handler(request)
        except Refusal as refusal:
            response = self._refused(request, language, refusal)
        except web.HTTPRequestEntityTooLarge:
            response = self._refused(request, language, Refusal(413, "refused-large", "too large"))
        except web.HTTPException as error:
            unknown = Refusal(error.status, "refused-unknown", "no such address")
            response = self._refused(request, language, unknown)
        except Exception as error:
            fault = Refusal(500, "failed", "page")
            response = self._refused(request, language, fault, fault=fault_of(error))
        if not response.prepared:
            response.headers.update({**HEADERS, **response.headers})
        return response

    def no_http(self, request: web.BaseRequest, fault: str) -> web.Response:
        """Refuse what cannot be read as a request of HTTP; `fault` tells nothing of what was sent."""
        refusal = Refusal(400, "refused-form", "no HTTP")
        response = self._refused(request, self._language, refusal, fault=fault)
        response.headers.update({**HEADERS, **response.headers})
        response.force_close()
        return response

    def _refused(
        self, request: web.BaseRequest, language: str, refusal: Refusal, **facts: str
    ) -> web.Response:
        values = {
            name: told(value, language) if isinstance(value, Phrase) else value
            for name, value in refusal.values.items()
        }
        sentence = text(refusal.name, language, **values)
        self._audit.note(
            refusal.what,
            sentence,
            language=language,
            address=request.remote or "?",
            path=request.path,
            host=request.headers.get("Host", ""),
            origin=request.headers.get("Origin", ""),
            **facts,
        )
        response = web.json_response({"ok": False, "sentence": sentence}, status=refusal.status)
        if refusal.status == 413:
            # What is still to come is not read.
            response.force_close()
        if "seconds" in values:
            response.headers["Retry-After"] = values["seconds"]
        return response

    def _language_of(self, request: web.Request) -> str:
        for wanted in (request.query.get("lang", ""), request.cookies.get(f"{self.cookie}-lang", "")):
            if wanted in LANGUAGES:
                return wanted
        for wanted in request.headers.get("Accept-Language", "").split(","):
            if (short := wanted.strip()[:2].lower()) in LANGUAGES:
                return short
        return self._language

    def _check_host(self, request: web.Request) -> None:
        """Answer only under an address of this computer: a foreign name that leads here is an attack."""
        host = request.headers.get("Host", "")
        with contextlib.suppress(ValueError):
            parts = urlsplit(f"//{host}")
            name, port = parts.hostname or "", parts.port or 80
            if port == self.port and (name in own_names() | {self.name} or _is_address(name)):
                return
        raise Refusal(421, "refused-host", "foreign host")

    def _check_origin(self, request: web.Request) -> None:
        host, origin = request.headers.get("Host", ""), request.headers.get("Origin")
        site = request.headers.get("Sec-Fetch-Site")
        is_visit = request.method in ("GET", "HEAD") and request.path == "/"
        if site in ("cross-site", "same-site") and not is_visit:
            raise Refusal(403, "refused-origin", "foreign page")
        if origin is not None and origin != f"http://{host}":
            raise Refusal(403, "refused-origin", "foreign origin")
        if origin is None and request.method not in ("GET", "HEAD"):
            raise Refusal(403, "refused-origin", "no origin")

    def _check_size(self, request: web.Request) -> None:
        if (request.content_length or 0) > LARGEST_BODY:
            raise Refusal(413, "refused-large", "too large")

    def _session(self, request: web.Request) -> Session:
        session = self._sessions.read(request.cookies.get(self.cookie))
        if session is not None and (session.role == "spectator" or self._keeping.has(session.role)):
            return session
        return self._sessions.new()

    def _check_token(self, request: web.Request, visit: Visit) -> None:
        if not self._sessions.is_token(visit.session, request.headers.get("X-Hector-Token", "")):
            raise Refusal(403, "refused-token", "no token")

    def check_may_see(self, visit: Visit) -> None:
        """:raises Refusal: if even spectators need a PIN here and this one has shown none."""
        if self._asks_everybody and not visit.session.has_pin:
            raise Refusal(401, "refused-pin", "no PIN")


def own_names() -> frozenset[str]:
    """Return the names under which this computer is asked for by people in the same house."""
    name = socket.gethostname().lower()
    return frozenset({"localhost", name, f"{name}.local", f"{name}.lan"})


def _is_address(name: str) -> bool:
    """Return whether a host is a number: no name that somebody else could let lead here."""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True

"""What each address of the page answers, to whoever the guard has let pass."""

from __future__ import annotations

import asyncio
import html
import json
import math
import re
import time
from collections import Counter
from collections.abc import Mapping
from importlib import resources
from typing import Any, Final

from aiohttp import web

from assistant.arbiter.audit import Audit
from assistant.arbiter.clockless import words
from assistant.arbiter.guard import Guard, Refusal, Visit, is_local, visit_of
from assistant.arbiter.hub import Hub
from assistant.arbiter.inbox import Inbox, Sent
from assistant.arbiter.offered import claims_offered, forms_view
from assistant.arbiter.pins import ROLES, Keeping, Role, Throttle
from assistant.arbiter.sessions import Session, Sessions
from assistant.arbiter.texts import filled, text, words_of
from assistant.called import command
from assistant.errors import HectorError, marked
from assistant.files import read_file
from assistant.sealing import SecretKey, unlock
from assistant.sides import SIDES
from assistant.speaking import CLAIMS, CLAIMS_WITH_A_MOVE
from assistant.table.adjourning import own_key_file
from assistant.table.folder import Where

MOST_STREAMS: Final[Mapping[Role, int]] = {"arbiter": 100, "opponent": 100, "spectator": 300}
"""Pages that may be open at once, so that who only watches keeps nobody else away."""
MOST_OLDER: Final = 200
_KEY = re.compile(r"[A-Za-z0-9-]{8,64}")
_FILES: Final[Mapping[str, str]] = {
    "page.css": "text/css",
    "main.js": "text/javascript",
    "net.js": "text/javascript",
    "patience.js": "text/javascript",
    "board.js": "text/javascript",
    "shown.js": "text/javascript",
    "acting.js": "text/javascript",
    "said.js": "text/javascript",
    "arbiter.js": "text/javascript",
    "icon.svg": "image/svg+xml",
}
_PLACE = re.compile(r"\{\{([a-z-]+)\}\}")
_SHEETS: Final[Mapping[str, str]] = {"html": "text/html", "brf": "text/plain", "txt": "text/plain"}
_STREAM_HEADERS: Final[Mapping[str, str]] = {
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": "same-origin",
}


class Addresses:
    """Answers the requests to one page. All methods belong to the server's loop."""

    def __init__(
        self,
        hub: Hub,
        inbox: Inbox,
        guard: Guard,
        sessions: Sessions,
        keeping: Keeping,
        audit: Audit,
        where: Where,
        *,
        is_open: bool,
    ) -> None:
        self._hub = hub
        self._inbox = inbox
        self._guard = guard
        self._sessions = sessions
        self._keeping = keeping
        self._audit = audit
        self._where = where
        self._is_open = is_open
        self._throttle = Throttle()
        self._signing: dict[Role, asyncio.Lock] = {}
        self._streams = Counter[Role]()
        self._closing = self._for_good = False

    def routes(self) -> list[web.RouteDef]:
        """Return who answers at which address."""
        return [
            web.get("/", self._index),
            web.get("/page/{name}", self._file),
            web.get("/session", self._session),
            web.get("/events", self._events),
            web.get("/log", self._log),
            web.get("/envelope.{kind}", self._envelope),
            web.post("/signin", self._sign_in),
            web.post("/signout", self._sign_out),
            web.post("/act", self._act),
        ]

    def end_streams(self, *, for_good: bool) -> None:
        """Let everybody go who watches; `for_good` tells every page that it need not come back."""
        self._closing, self._for_good = True, for_good
        self._hub.touch()

    # What is asked for

    async def _index(self, request: web.Request) -> web.Response:
        visit = visit_of(request)
        page = (resources.files("assistant.arbiter") / "page" / "index.html").read_text(encoding="utf-8")
        setup = self._hub.scene.setup
        # Isolated, so that a name that is written from right to left turns nothing else around.
        names = {side: f"\u2068{setup.person(side).name}\u2069" for side in SIDES}
        if not self._is_open and not visit.session.has_pin:
            names = dict.fromkeys(SIDES, "…")
        values = {"lang": visit.language, "title": text("heading", visit.language, **names)}

        def fill(match: re.Match[str]) -> str:
            name = match[1]
            value = values.get(name) or words(name, visit.language, has_clock=self._hub.scene.has_clock)
            return html.escape(value)

        response = web.Response(text=_PLACE.sub(fill, page), content_type="text/html")
        # No session's cookie here: to a visit that a foreign page has led here the browser shows none, and a
        # new one would sign an arbiter out.
        response.set_cookie(
            f"{self._guard.cookie}-lang", visit.language, samesite="Strict", httponly=True, path="/"
        )
        return response

    async def _file(self, request: web.Request) -> web.Response:
        name = request.match_info["name"]
        if name not in _FILES:
            raise Refusal(404, "refused-unknown", "no such address")
        data = (resources.files("assistant.arbiter") / "page" / name).read_bytes()
        return web.Response(body=data, content_type=_FILES[name], charset="utf-8")

    async def _session(self, request: web.Request) -> web.Response:
        visit = visit_of(request)
        language = visit.language
        content: dict[str, Any] = {
            "role": visit.role,
            "game": self._sessions.game,
            "isFollowed": bool(self._hub.scene.followed),
            "token": self._sessions.token(visit.session),
            "roles": [role for role in ("opponent", "arbiter", "spectator") if self._keeping.has(role)],
            "needsPin": not self._is_open and not visit.session.has_pin,
            "hasPin": visit.session.has_pin,
            "texts": dict(words_of(language)),
        }
        if visit.role == "opponent":
            content["side"] = self._hub.scene.setup.opponent
            claims = claims_offered(has_clock=self._hub.scene.has_clock)
            content["claims"] = [[name, filled(CLAIMS[name], language)] for name in claims]
            content["claimsWithMove"] = list(CLAIMS_WITH_A_MOVE)
        if visit.role == "arbiter" and self._hub.scene.followed:
            content["forms"] = []
        elif visit.role == "arbiter":
            content["forms"] = forms_view(
                language,
                self._hub.scene.setup.opponent,
                self._hub.scene.setup.laws,
                is_local=is_local(request),
                has_clock=self._hub.scene.has_clock,
            )
        response = web.json_response(content)
        self._give_cookie(response, visit.session)
        return response

    def _give_cookie(self, response: web.Response, session: Session) -> None:
        response.set_cookie(
            self._guard.cookie,
            self._sessions.cookie(session),
            httponly=True,
            samesite="Strict",
            path="/",
        )

    async def _events(self, request: web.Request) -> web.StreamResponse:
        visit = visit_of(request)
        self._guard.check_may_see(visit)
        if self._streams[visit.role] >= MOST_STREAMS[visit.role]:
            raise Refusal(503, "refused-busy", "too many pages")
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        response.headers.update(_STREAM_HEADERS)
        self._streams[visit.role] += 1
        try:
            await response.prepare(request)
            await self._stream(response, visit, self._since(request))
        except (ConnectionError, asyncio.CancelledError):
            # Whoever watched has gone.
            pass
        except Exception as error:
            # A page whose stream ends asks for it again a moment later.
            self._audit.note_fault(error)
        finally:
            self._streams[visit.role] -= 1
        return response

    def _since(self, request: web.Request) -> int | None:
        last = request.headers.get("Last-Event-ID") or request.query.get("since", "")
        boot, _, number = last.partition(":")
        return int(number) if boot == self._hub.boot and re.fullmatch(r"\d{1,9}", number) else None

    async def _stream(self, response: web.StreamResponse, visit: Visit, since: int | None) -> None:
        hub, has, boot = self._hub, since, self._hub.boot
        version, ticks = 0, hub.ticks
        await response.write(b"retry: 1000\n\n")
        while not self._closing and not self._sessions.has_ended(visit.session):
            if hub.version != version:
                version, ticks = hub.version, hub.ticks
                if hub.boot != boot:
                    has, boot = None, hub.boot
                message, has = hub.message(visit.role, visit.language, has)
                # Others may have been shown the same state a moment ago.
                await response.write(message + hub.clocks())
            elif hub.ticks != ticks:
                ticks = hub.ticks
                await response.write(hub.clocks())
            await hub.next(version, ticks)
        if self._for_good:
            await response.write(b"event: closed\ndata: {}\n\n")

    async def _log(self, request: web.Request) -> web.Response:
        visit = visit_of(request)
        self._guard.check_may_see(visit)
        before, count = (_number(request.query.get(name)) for name in ("before", "count"))
        entries = self._hub.older(visit.role, visit.language, before, min(count, MOST_OLDER))
        return web.json_response({"log": entries})

    # What is sent

    async def _sign_in(self, request: web.Request) -> web.Response:
        visit, body = visit_of(request), await _body(request)
        role: Role | None = next((each for each in ROLES if each == body.get("role")), None)
        pin = body.get("pin")
        if role is None or not isinstance(pin, str) or len(pin) > 200:
            raise Refusal(400, "refused-form", "unreadable")
        if not self._keeping.has(role):
            raise Refusal(403, "pin-none", "no such PIN")
        if not pin.strip():
            # It is forgotten, not guessed: nobody waits for that, and it is none of the arbiter's business.
            sentence = text("refused-missing", visit.language, field=text("signin-pin", visit.language))
            return web.json_response({"ok": False, "sentence": sentence}, status=400)
        # One try at a time: tries side by side would not see each other's waiting time.
        async with self._signing.setdefault(role, asyncio.Lock()):
            wait = self._throttle.wait(role, time.monotonic())
            if wait:
                raise Refusal(429, "pin-wait", "PIN too soon", seconds=str(math.ceil(wait)))
            if not await asyncio.to_thread(self._keeping.fits, role, pin):
                wait = self._throttle.wrong(role, time.monotonic())
                raise Refusal(403, "pin-wrong", f"wrong PIN: {role}", seconds=str(math.ceil(wait)))
            self._throttle.right(role)
        session = self._sessions.new(role, has_pin=True)
        self._sessions.end(visit.session)
        self._hub.touch()
        response = web.json_response({"ok": True, "sentence": text("signed-in", visit.language)})
        self._give_cookie(response, session)
        return response

    async def _sign_out(self, request: web.Request) -> web.Response:
        visit = visit_of(request)
        self._sessions.end(visit.session)
        self._hub.touch()
        response = web.json_response({"ok": True, "sentence": text("signed-out", visit.language)})
        self._give_cookie(response, self._sessions.new())
        return response

    async def _act(self, request: web.Request) -> web.Response:
        visit, body = visit_of(request), await _body(request)
        if visit.role == "spectator":
            raise Refusal(403, "refused-role", "not signed in")
        do, values, key = body.get("do"), body.get("values", {}), body.get("key")
        seen, preview = body.get("seen"), body.get("preview") is True
        if (
            not isinstance(do, str)
            or not isinstance(values, dict)
            or not isinstance(key, str)
            or not _KEY.fullmatch(key)
            or not isinstance(seen, str)
        ):
            raise Refusal(400, "refused-form", "unreadable")
        passphrase = values.pop("passphrase", None)
        secret = None
        if do == "open-envelope" and passphrase and visit.role == "arbiter":
            if preview:
                raise Refusal(400, "refused-form", "passphrase in a preview")
            secret = await self._unlocked(request, str(passphrase))
        try:
            reply = await self._inbox.send(
                lambda at: Sent(visit.role, visit.language, do, values, seen, key, at, preview, secret)
            )
        except TimeoutError:
            raise Refusal(503, "no-answer", "no answer") from None
        if not reply.is_done:
            facts = {"address": request.remote or "?", "path": "/act", "language": visit.language}
            if reply.fault:
                facts["fault"] = reply.fault
            self._audit.note(f"{visit.role}: {do[:40]}", reply.sentence, **facts)
        content = {"ok": reply.is_done, "sentence": reply.sentence, **reply.more}
        return web.json_response(content, status=reply.status)

    async def _unlocked(self, request: web.Request, passphrase: str) -> SecretKey:
        """Return the arbiter's key, which this computer keeps under a passphrase.

        :raises Refusal: if the passphrase came over a network, is wrong, or there is no key.
        """
        if not is_local(request):
            raise Refusal(403, "refused-passphrase", "passphrase over a network")
        try:
            # It takes a second of one core: never in the thread of the table or of the other requests.
            return await asyncio.to_thread(lambda: unlock(read_file(own_key_file()), passphrase))
        except OSError as error:
            reason = marked(
                "{file}: {reason}. {command}",
                file=own_key_file(),
                reason=error,
                command=command("arbiter-key"),
            )
            raise Refusal(409, "ruled-refused", "no key", reason=reason) from None
        except HectorError as error:
            raise Refusal(403, "ruled-refused", "wrong passphrase", reason=error.phrase) from None

    async def _envelope(self, request: web.Request) -> web.Response:
        """Give the arbiter the sheet of the envelope; it says nothing about the move."""
        kind = request.match_info["kind"]
        path = self._where() / f"envelope.{kind}"
        if visit_of(request).role != "arbiter":
            raise Refusal(403, "refused-role", "not signed in")
        if kind not in _SHEETS or not path.is_file():
            raise Refusal(404, "refused-unknown", "no such address")
        response = web.Response(body=path.read_bytes(), content_type=_SHEETS[kind], charset="utf-8")
        response.headers["Content-Security-Policy"] = "default-src 'none'; style-src 'unsafe-inline'"
        return response


async def _body(request: web.Request) -> dict[str, Any]:
    """:raises Refusal: if what was sent is no JSON object, or has text that no journal can hold."""
    if request.content_type != "application/json":
        raise Refusal(415, "refused-form", "not JSON")
    try:
        body = json.loads(await request.read())
        # JSON may hold half of a surrogate pair; UTF-8 cannot.
        json.dumps(body, ensure_ascii=False).encode()
    except (ValueError, RecursionError, web.RequestPayloadError, ConnectionError):
        body = None
    if not isinstance(body, dict):
        raise Refusal(400, "refused-form", "unreadable")
    return body


def _number(given: str | None) -> int:
    if given is None or not re.fullmatch(r"\d{1,9}", given):
        raise Refusal(400, "refused-form", "unreadable")
    return int(given)

"""Who sends a request: a signed cookie that names a session and its role, a token against forged requests.

A session lives in its cookie, signed with a key of the game's folder: a restarted server knows it again,
unless its role has another PIN by then.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from dataclasses import dataclass

from assistant.arbiter.pins import ROLES, Keeping, Role


@dataclass(frozen=True, slots=True)
class Session:
    """One browser's session, and whether it has shown a PIN."""

    id: str
    role: Role
    has_pin: bool


class Sessions:
    """Makes and reads the cookies of one game's page."""

    def __init__(self, keeping: Keeping) -> None:
        self._keeping = keeping
        self._ended: set[str] = set()

    @property
    def game(self) -> str:
        """What names the game: at the same address there may be the page of another one later."""
        return self._mac("game", "")

    def new(self, role: Role = "spectator", *, has_pin: bool = False) -> Session:
        """Begin a session; a new role is always a new session, so that no cookie is worth planting."""
        return Session(secrets.token_urlsafe(18), role, has_pin)

    def end(self, session: Session) -> None:
        """Let a cookie count no more as long as this server runs."""
        self._ended.add(session.id)

    def has_ended(self, session: Session) -> bool:
        return session.id in self._ended

    def cookie(self, session: Session) -> str:
        """Return the value of a session's cookie."""
        body = f"{session.id}.{session.role}.{int(session.has_pin)}"
        return f"{body}.{self._mac(self._shown_for(session.role), body)}"

    def read(self, cookie: str | None) -> Session | None:
        """Return the session of a cookie, None if it is none of this game's page."""
        body, _, mac = (cookie or "").rpartition(".")
        name, _, rest = body.partition(".")
        given, _, pin = rest.partition(".")
        role = next((each for each in ROLES if each == given), None)
        if role is None or not _is_same(mac, self._mac(self._shown_for(role), body)):
            return None
        return None if name in self._ended else Session(name, role, pin == "1")

    def token(self, session: Session) -> str:
        """Return what a page of this session sends with each request, and no other page can know."""
        return self._mac("token", session.id)

    def is_token(self, session: Session, token: str) -> bool:
        return _is_same(token, self.token(session))

    def _shown_for(self, role: Role) -> str:
        # Whoever has signed in with a PIN that was changed since has to know the new one.
        return f"session:{self._keeping.hashes.get(role, '')}"

    def _mac(self, purpose: str, text: str) -> str:
        digest = hmac.new(self._keeping.key, _bytes(f"{purpose}:{text}"), hashlib.sha256).digest()
        return base64.urlsafe_b64encode(digest).decode().rstrip("=")


def _is_same(given: str, right: str) -> bool:
    return hmac.compare_digest(_bytes(given), _bytes(right))


def _bytes(text: str) -> bytes:
    """Return the bytes of a header, which need not be UTF-8."""
    return text.encode(errors="surrogateescape")

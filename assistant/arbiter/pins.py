"""The PINs of the page: set before the game, kept only as hashes, and slow to guess."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

from assistant.errors import HectorError, UsageError
from assistant.files import read_file, replace_file

Role: TypeAlias = Literal["spectator", "opponent", "arbiter"]

ROLES: Final[tuple[Role, ...]] = ("spectator", "opponent", "arbiter")
FILE_NAME: Final = "page.json"
DIGITS: Final = 6
_SHORTEST, _LONGEST = 4, 64
_COST: Final = {"n": 1 << 14, "r": 8, "p": 1}
"""scrypt's parameters: about 50 ms and 16 MiB a try (RFC 7914)."""

FIRST_WAIT: Final = 1.0
LONGEST_WAIT: Final = 300.0
"""Seconds after the first wrong PIN, and at most; each further one doubles them."""


def new_pin() -> str:
    """Return a PIN of six digits."""
    return f"{secrets.randbelow(10**DIGITS):0{DIGITS}}"


def check_pin(pin: str) -> str:
    """Return a PIN that somebody chose.

    :raises UsageError: if it is shorter than four or longer than 64 characters.
    """
    pin = pin.strip()
    if not _SHORTEST <= len(pin) <= _LONGEST:
        raise UsageError(
            "A PIN has {shortest} to {longest} characters.", shortest=_SHORTEST, longest=_LONGEST
        )
    return pin


@dataclass(frozen=True, slots=True)
class Keeping:
    """What the page keeps in the game's folder: a hash for each role's PIN, and the key of its sessions."""

    hashes: Mapping[Role, str]
    key: bytes

    def has(self, role: Role) -> bool:
        return role in self.hashes

    def fits(self, role: Role, pin: str) -> bool:
        """Return whether a PIN is the role's; takes about 50 ms, right or wrong."""
        kept = self.hashes.get(role)
        salt, _, digest = (kept or "AAAA$AAAA").partition("$")
        found = _digest(pin.strip(), base64.b64decode(salt))
        return hmac.compare_digest(found, digest) and kept is not None


def _digest(pin: str, salt: bytes) -> str:
    return base64.b64encode(hashlib.scrypt(pin.encode(), salt=salt, dklen=32, **_COST)).decode()


def _hash(pin: str) -> str:
    salt = secrets.token_bytes(16)
    return f"{base64.b64encode(salt).decode()}${_digest(pin, salt)}"


def _is_hash(text: str) -> bool:
    """Return whether a text is of the form that `_hash` writes: a PIN can then be held against it."""
    salt, dollar, digest = text.partition("$")
    try:
        base64.b64decode(salt)
    except ValueError:
        return False
    return bool(dollar) and digest.isascii()


def with_pins(kept: Keeping | None, pins: Mapping[Role, str]) -> Keeping:
    """Return what is kept once PINs have come to those that are kept already, or in their place."""
    # One that is named again stays as it is: so do the sessions of whoever has signed in with it.
    new = {role: _hash(pin) for role, pin in pins.items() if kept is None or not kept.fits(role, pin)}
    hashes = {**(kept.hashes if kept else {}), **new}
    return Keeping(hashes, kept.key if kept else secrets.token_bytes(32))


def keep(folder: Path, keeping: Keeping) -> None:
    """Write the hashes of PINs into the game's folder.

    :raises HectorError: if they cannot be written.
    """
    content = {"pins": dict(keeping.hashes), "key": base64.b64encode(keeping.key).decode()}
    path = folder / FILE_NAME
    try:
        replace_file(path, json.dumps(content, indent=1).encode() + b"\n", mode=0o600)
    except OSError as error:
        raise HectorError(
            "The PINs cannot be kept in {path}: {reason}. "
            "Play without the page, or in a folder that you can write.",
            path=path,
            reason=error,
        ) from error


def kept_in(folder: Path) -> Keeping | None:
    """Return what a game's folder keeps for the page, None where it had none.

    :raises HectorError: if it cannot be read.
    """
    path = folder / FILE_NAME
    try:
        content: dict[str, Any] = json.loads(read_file(path))
        hashes = {role: str(content["pins"][role]) for role in ROLES if role in content["pins"]}
        key = base64.b64decode(content["key"], validate=True)
        if len(key) != 32 or not all(map(_is_hash, hashes.values())):
            raise ValueError
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise HectorError(
            "{path} is damaged. Delete it; the page then makes new PINs, and the game is untouched.",
            path=path,
        ) from error
    return Keeping(hashes, key)


class Throttle:
    """Makes guessing slow: after a wrong PIN nobody's try at that role is looked at for a while."""

    def __init__(self) -> None:
        self._wrong: dict[Role, int] = {}
        self._until: dict[Role, float] = {}

    def wait(self, role: Role, now: float) -> float:
        """Return how many seconds a try has to wait still; 0 if it may come now."""
        return max(0.0, self._until.get(role, 0.0) - now)

    def wrong(self, role: Role, now: float) -> float:
        """Note a wrong PIN and return the seconds that the next try has to wait."""
        count = self._wrong[role] = self._wrong.get(role, 0) + 1
        wait = min(LONGEST_WAIT, FIRST_WAIT * 2.0 ** min(count - 1, 20))
        self._until[role] = now + wait
        return wait

    def right(self, role: Role) -> None:
        """Forget the wrong ones."""
        self._wrong.pop(role, None)
        self._until.pop(role, None)

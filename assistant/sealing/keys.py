"""The arbiter's key pair: the public part for whoever seals, the secret part under a passphrase.

The file is JSON. The secret key (X25519, 32 bytes) lies in a SecretBox (XSalsa20-Poly1305) whose key is made
from the passphrase by argon2id. Source: the documentation of libsodium, "Sealed boxes" and "The pwhash* API".
"""

from __future__ import annotations

import base64
import json
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from nacl import exceptions, utils
from nacl.public import PrivateKey
from nacl.public import PublicKey as Curve25519
from nacl.pwhash import argon2id
from nacl.secret import SecretBox

from assistant.called import command
from assistant.errors import HectorError, UsageError
from assistant.scoresheet.encoding import decode
from assistant.sealing.squares import squares_of

FORMAT = "hector-arbiter-key-1"
_PUBLIC_PREFIX = "hector-key-1:"
_SHORTEST_PASSPHRASE = 8
_MOST_MEMORY, _MOST_WORK = 1 << 30, 16
"""What a key file may ask of the machine: one that was made to exhaust it is refused."""


class PassphraseError(HectorError):
    """A passphrase that does not open the key file; another one may."""


@dataclass(frozen=True, slots=True)
class Work:
    """What one try at a passphrase costs: passes, and bytes of memory."""

    passes: int = argon2id.OPSLIMIT_MODERATE
    memory: int = argon2id.MEMLIMIT_MODERATE


@dataclass(frozen=True, slots=True)
class PublicKey:
    """What a player seals to. Knowing it opens nothing."""

    raw: bytes

    @property
    def text(self) -> str:
        """The key as one word that can be copied."""
        return _PUBLIC_PREFIX + base64.urlsafe_b64encode(self.raw).decode()

    @property
    def fingerprint(self) -> str:
        """Twelve squares by which two people make sure that they mean the same key."""
        return squares_of(self.raw)


@dataclass(frozen=True, slots=True, repr=False)
class SecretKey:
    """What opens an envelope. It is never written, printed or sent anywhere."""

    raw: bytes

    @property
    def public(self) -> PublicKey:
        return PublicKey(bytes(PrivateKey(self.raw).public_key))


def new_key(passphrase: str, work: Work | None = None) -> bytes:
    """Return the content of a new key file.

    :raises UsageError: if the passphrase is shorter than eight characters.
    """
    if len(passphrase) < _SHORTEST_PASSPHRASE:
        raise UsageError(
            "The passphrase is too short: take {shortest_passphrase} characters or more, a few words say.",
            shortest_passphrase=_SHORTEST_PASSPHRASE,
        )
    work = work or Work()
    secret = PrivateKey.generate()
    salt = utils.random(argon2id.SALTBYTES)
    box = SecretBox(_stretch(passphrase, salt, work)).encrypt(bytes(secret))
    content = {
        "format": FORMAT,
        "public": PublicKey(bytes(secret.public_key)).text,
        "passes": work.passes,
        "memory": work.memory,
        "salt": base64.b64encode(salt).decode(),
        "secret": base64.b64encode(box).decode(),
    }
    return json.dumps(content | {"check": _check(content)}, indent=1).encode() + b"\n"


def public_key(data: bytes) -> PublicKey:
    """Return the public part of a key file, or the key that stands in a text as `PublicKey.text` gives it.

    :raises UsageError: if it is neither.
    :raises HectorError: if the key file was changed.
    """
    try:
        text = decode(data).strip()
    except UsageError:
        raise _no_key() from None
    if not text.startswith("{"):
        word = next((each for each in text.split() if each.startswith(_PUBLIC_PREFIX)), None)
        if word is None:
            raise _no_key()
        return _public(word)
    return _public(str(_content(data)["public"]))


def unlock(data: bytes, passphrase: str) -> SecretKey:
    """Return the secret part of a key file.

    :raises UsageError: if it is no key file.
    :raises PassphraseError: if another passphrase may do.
    :raises HectorError: if the file was changed.
    """
    content = _content(data)
    try:
        passes, memory = int(content["passes"]), int(content["memory"])
        salt = base64.b64decode(str(content["salt"]), validate=True)
        box = base64.b64decode(str(content["secret"]), validate=True)
    except (KeyError, ValueError, TypeError, OverflowError):
        raise _changed() from None
    in_range = (
        argon2id.OPSLIMIT_MIN <= passes <= _MOST_WORK and argon2id.MEMLIMIT_MIN <= memory <= _MOST_MEMORY
    )
    if len(salt) != argon2id.SALTBYTES or not in_range:
        raise _changed()
    try:
        raw = SecretBox(_stretch(passphrase, salt, Work(passes, memory))).decrypt(box)
    except (exceptions.CryptoError, ValueError):
        raise PassphraseError("The passphrase is wrong; nothing was opened. Try again.") from None
    key = SecretKey(raw)
    if key.public != _public(str(content["public"])):
        raise _changed()
    return key


def _stretch(passphrase: str, salt: bytes, work: Work) -> bytes:
    # The same passphrase typed on another keyboard may come in other code points.
    phrase = unicodedata.normalize("NFC", passphrase).encode()
    return argon2id.kdf(SecretBox.KEY_SIZE, phrase, salt, work.passes, work.memory)


def _no_key() -> UsageError:
    return UsageError(
        "This is no arbiter's key. Make one with: {command}", command=command("arbiter-key", "FILE")
    )


def _content(data: bytes) -> Mapping[str, Any]:
    try:
        content = json.loads(data)
    except (ValueError, RecursionError):
        content = None
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise _no_key()
    check = content.pop("check", None)
    if check != _check(content) or "public" not in content:
        raise _changed()
    return content


def _check(content: Mapping[str, Any]) -> str:
    return squares_of(json.dumps(content, sort_keys=True).encode())


def _changed() -> HectorError:
    return HectorError("The key file was changed or damaged; nothing was opened. Restore it from a copy.")


def _public(text: str) -> PublicKey:
    try:
        raw = base64.b64decode(text.removeprefix(_PUBLIC_PREFIX), altchars=b"-_", validate=True)
    except ValueError:
        raw = b""
    if not text.startswith(_PUBLIC_PREFIX) or len(raw) != Curve25519.SIZE:
        raise UsageError(
            "This is no arbiter's public key. It is printed by: {command}",
            command=command("arbiter-key", "--public", "FILE"),
        )
    return PublicKey(raw)

"""The envelope: a move sealed to the arbiter's key, and the label that the Laws ask for.

A sealed box (X25519, XSalsa20-Poly1305) that the arbiter alone can open; who seals cannot open it either.
Inside, with the move, stands to which game and position it belongs, so that it opens in no other. It is
always of the same length, so that nobody can tell "e4" from "Nb1xd2". Source of the label: Guideline I.2 of
the Laws of 2023 (2014 E.2, 2009 Guidelines 2).
"""

from __future__ import annotations

import base64
import json
from dataclasses import asdict, dataclass, replace

from nacl import exceptions
from nacl.public import PrivateKey, SealedBox
from nacl.public import PublicKey as Curve25519

from assistant.called import command
from assistant.errors import HectorError, UsageError
from assistant.scoresheet import CONTROL
from assistant.sealing.keys import PublicKey, SecretKey
from assistant.sealing.squares import squares_of
from assistant.sides import Side

LONGEST_MOVE = 100
"""Characters of a sealed text: a move takes far fewer."""
_PREFIX = "hector-seal-1:"
_MARK = 16
_PAD = 1024
_WIDEST = 12
"""Bytes that JSON takes for one character at most: there is room for any move, however long the names are."""


class SealError(HectorError):
    """An envelope that does not open, or not in this game; nothing was changed."""


@dataclass(frozen=True, slots=True)
class Occasion:
    """To which moment of which game a sealed move belongs.

    `fen` is the position before the sealed move, `number` the number of the sealed move, `white_left` and
    `black_left` the seconds on the clocks and `at` the game's time (seconds) when the move was sealed.
    """

    white: str
    black: str
    fen: str
    sealer: Side
    number: int
    white_left: float | None
    black_left: float | None
    at: float


@dataclass(frozen=True, slots=True)
class Envelope:
    """A closed envelope: the seven items of its label, and what is inside.

    Times are seconds: `white_used`, `black_used` what each has thought altogether, `white_left`, `black_left`
    what the clocks show; None without a clock. `draw_offer` is whose offer is still open. `contents` is the
    sealed box as text, empty where the move was written on paper. `article` is the article of the label.
    """

    white: str
    black: str
    fen: str
    white_used: float | None
    black_used: float | None
    white_left: float | None
    black_left: float | None
    sealer: Side
    number: int
    laws: str
    draw_offer: Side | None = None
    resumption: str = ""
    contents: str = ""
    article: str = ""

    @property
    def mark(self) -> str:
        """Twelve squares that name these contents and say nothing about the move.

        They show later that it is the same envelope.
        """
        return squares_of(self.contents.encode()) if self.contents else ""

    def name(self, side: Side) -> str:
        return self.white if side == "white" else self.black


def for_box(text: str) -> str:
    """Return a move as it is put into a sealed box.

    :raises UsageError: if nothing or more than `LONGEST_MOVE` characters are written.
    """
    text = " ".join(text.split())
    if not text:
        raise UsageError("Nothing is written. Write the move that is to be sealed.")
    if len(text) > LONGEST_MOVE:
        raise UsageError(
            "A sealed move is at most {longest_move} characters long.", longest_move=LONGEST_MOVE
        )
    return text


def seal(text: str, occasion: Occasion, key: PublicKey) -> str:
    """Return a sealed box with the move as it was written: `envelope` of the game script's line `seal`.

    The text is not judged: a wrong or ambiguous move is sealed as it is, as on paper.

    :raises UsageError: if nothing or more than `LONGEST_MOVE` characters are written, or the key is none.
    """
    text = for_box(text)
    about = asdict(occasion)
    room = len(json.dumps({"move": "", **about})) + LONGEST_MOVE * _WIDEST
    plain = json.dumps({"move": text, **about}).encode().ljust(-(-room // _PAD) * _PAD)
    try:
        box = SealedBox(Curve25519(key.raw)).encrypt(plain)
    except exceptions.CryptoError:
        # A few points of the curve are no keys; libsodium refuses them.
        raise UsageError(
            "This public key cannot be used. Make a new one with: {command}",
            command=command("arbiter-key", "FILE"),
        ) from None
    return _PREFIX + base64.urlsafe_b64encode(_key_mark(key) + box).decode()


def open_(contents: str, occasion: Occasion, key: SecretKey) -> str:
    """Return the move as it was written.

    :raises SealError: if it was sealed for another key, was changed, or belongs to another game or position.
    """
    raw = _raw(contents)
    if raw[:_MARK] != _key_mark(key.public):
        raise SealError(
            "The move was sealed for another arbiter's key. Open it with the key that it was sealed for."
        )
    try:
        inside = json.loads(SealedBox(PrivateKey(key.raw)).decrypt(raw[_MARK:]))
        move = str(inside.pop("move"))
        is_same = _is_same(Occasion(**inside), occasion)
    except (exceptions.CryptoError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise SealError("The sealed move was changed after it was sealed, and cannot be read.") from None
    if not is_same:
        raise SealError("The sealed move belongs to another game or another position.")
    return move


def _is_same(one: Occasion, other: Occasion) -> bool:
    clocks = ((one.white_left, other.white_left), (one.black_left, other.black_left))
    # A clock that is read anew from a journal may differ by the rounding of a line's time.
    close = all(a == b or (a is not None and b is not None and abs(a - b) < 1) for a, b in clocks)
    return close and _as_compared(one) == _as_compared(other)


def _as_compared(occasion: Occasion) -> Occasion:
    # A name is taken up from a journal without the control characters that an older one may hold.
    white, black = (CONTROL.sub(" ", name) for name in (occasion.white, occasion.black))
    return replace(occasion, white=white, black=black, white_left=None, black_left=None)


def _raw(contents: str) -> bytes:
    try:
        raw = base64.b64decode(contents.removeprefix(_PREFIX), altchars=b"-_", validate=True)
    except ValueError:
        raw = b""
    if not contents.startswith(_PREFIX) or len(raw) <= _MARK:
        raise SealError("The sealed move was changed after it was sealed, and cannot be read.")
    return raw


def _key_mark(key: PublicKey) -> bytes:
    return squares_of(key.raw).replace(" ", "").replace(",", "").encode()[:_MARK]

"""Reading Kaldi's binary files: tokens, numbers, vectors and matrices, each checked before it is believed."""

from __future__ import annotations

import struct

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

_SHARES = 65535
"""Steps into which a matrix of 16 bits a value divides its range."""


class Stream:
    """Kaldi's binary stream: tokens end in a space, numbers are preceded by their size in bytes."""

    def __init__(self, data: bytes, at: int = 0) -> None:
        """Read `data` from byte `at` on. Every method raises ValueError where something else stands there."""
        self._data = data
        self._at = at

    @property
    def at(self) -> int:
        """The number of the byte that is read next."""
        return self._at

    def token(self, expected: str) -> None:
        wanted = expected.encode() + b" "
        found = self._data[self._at : self._at + len(wanted)]
        if found != wanted:
            raise ValueError(f"{expected} expected at byte {self._at}")
        self._at += len(wanted)

    def _take(self, size: int) -> bytes:
        piece = self._data[self._at : self._at + size]
        if len(piece) != size:
            raise ValueError("the file ends too early")
        self._at += size
        return piece

    def integer(self) -> int:
        if self._take(1) != b"\x04":
            raise ValueError(f"no 32-bit number at byte {self._at - 1}")
        return int(struct.unpack("<i", self._take(4))[0])

    def real(self) -> float:
        if self._take(1) != b"\x04":
            raise ValueError(f"no 32-bit number at byte {self._at - 1}")
        return float(struct.unpack("<f", self._take(4))[0])

    def count(self) -> int:
        number = self.integer()
        if not 0 <= number <= len(self._data):
            raise ValueError(f"an impossible count at byte {self._at - 4}")
        return number

    def integers(self) -> list[int]:
        number = self.count()
        return list(struct.unpack(f"<{number}i", self._take(4 * number)))

    def reals(self) -> list[float]:
        self.token("FV")
        number = self.count()
        return list(struct.unpack(f"<{number}f", self._take(4 * number)))

    def word(self) -> str:
        """Return the token that comes next, whatever it is."""
        end = self._data.find(b" ", self._at, self._at + 200)
        if end < 0:
            raise ValueError(f"no token at byte {self._at}")
        name = self._data[self._at : end]
        self._at = end + 1
        return name.decode("ascii", "replace")

    def through(self, token: str, begin: int) -> bytes:
        """Return all from byte `begin` to the end of a token that comes later, and go on behind it."""
        wanted = token.encode() + b" "
        found = self._data.find(wanted, self._at)
        if found < 0:
            raise ValueError(f"{token} expected behind byte {self._at}")
        self._at = found + len(wanted)
        return self._data[begin : self._at]

    def line(self) -> str:
        """Return the rest of a line of text."""
        end = self._data.find(b"\n", self._at)
        if end < 0:
            raise ValueError("the file ends too early")
        text = self._data[self._at : end]
        self._at = end + 1
        return text.decode("ascii", "replace")

    def boolean(self) -> bool:
        value = self._take(1)
        if value not in (b"T", b"F"):
            raise ValueError(f"no truth value at byte {self._at - 1}")
        return value == b"T"

    def double(self) -> float:
        if self._take(1) != b"\x08":
            raise ValueError(f"no 64-bit number at byte {self._at - 1}")
        return float(struct.unpack("<d", self._take(8))[0])

    def vector(self) -> Floats:
        self.token("FV")
        return np.frombuffer(self._take(4 * self.count()), "<f4")

    def matrix(self) -> NDArray[np.floating]:
        """Return a matrix of single or double precision or of 16 bits a value, rows first.

        The last kind is Kaldi's CompressedMatrix of the format CM2: the least value, the range above it, rows
        and columns without their sizes in bytes, and each value as a share of the range, in 65,535ths.
        """
        kind = self.word()
        if kind == "CM2":
            least, extent, rows, columns = struct.unpack("<ffii", self._take(16))
            if rows < 0 or columns < 0:
                raise ValueError(f"an impossible count at byte {self._at - 8}")
            shares = np.frombuffer(self._take(2 * rows * columns), "<u2").reshape(rows, columns)
            # In single precision, as Kaldi computes them.
            values = shares.astype(np.float32)
            values *= np.float32(extent / _SHARES)
            values += np.float32(least)
            return values
        size = {"FM": 4, "DM": 8}.get(kind)
        if size is None:
            raise ValueError(f"no matrix at byte {self._at}")
        rows, columns = self.count(), self.count()
        return np.frombuffer(self._take(size * rows * columns), f"<f{size}").reshape(rows, columns)

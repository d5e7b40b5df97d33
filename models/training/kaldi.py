"""Writes Kaldi's binary files: acoustic model and statistics of the features. Kaldi is not needed.

Layout of the file: Kaldi's WriteToken / WriteBasicType in binary mode; see also the model directory's README.
"""

from __future__ import annotations

import io
import math
import struct
from collections.abc import Sequence
from typing import BinaryIO

import numpy as np
from numpy.typing import ArrayLike, NDArray

from models.training.lexicon import SILENCE, position_phones


class Writer:
    """A stream in Kaldi's binary mode: tokens end in a blank, numbers carry their size."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def begin(self) -> None:
        self._stream.write(b"\0B")

    def token(self, *tokens: str) -> None:
        for token in tokens:
            self._stream.write(token.encode() + b" ")

    def raw(self, text: str) -> None:
        self._stream.write(text.encode())

    def int32(self, *values: int) -> None:
        for value in values:
            self._stream.write(b"\x04" + struct.pack("<i", value))

    def float32(self, value: float) -> None:
        self._stream.write(b"\x04" + struct.pack("<f", value))

    def float64(self, value: float) -> None:
        self._stream.write(b"\x08" + struct.pack("<d", value))

    def boolean(self, value: bool) -> None:
        self._stream.write(b"T" if value else b"F")

    def ints(self, values: Sequence[int]) -> None:
        self._stream.write(b"\x04" + struct.pack("<i", len(values)) + np.asarray(values, "<i4").tobytes())

    def vector(self, values: ArrayLike) -> None:
        array = np.ascontiguousarray(values, "<f4").ravel()
        self.token("FV")
        self.int32(array.size)
        self._stream.write(array.tobytes())

    def matrix(self, values: ArrayLike, double: bool = False) -> None:
        array = np.ascontiguousarray(values, "<f8" if double else "<f4")
        self.token("DM" if double else "FM")
        self.int32(*array.shape)
        self._stream.write(array.tobytes())

    def short_matrix(self, values: ArrayLike) -> None:
        """Write 16 bits a value, as Kaldi's CompressedMatrix of the format CM2 has them.

        :raises ValueError: if not every value is a number.
        """
        array = np.asarray(values, float)
        least, extent = float(array.min()), float(np.ptp(array))
        if not math.isfinite(extent):
            raise ValueError("a weight that is no number")
        shares = np.round((array - least) * (65535 / (extent or 1.0)))
        self.token("CM2")
        # Unlike elsewhere, no size in bytes stands before these numbers.
        self._stream.write(struct.pack("<ffii", least, extent, *array.shape))
        self._stream.write(np.clip(shares, 0, 65535).astype("<u2").tobytes())


STAY = 0.5
"""Probability of a phone's self-loop."""


class Transitions:
    """Kaldi's transition model for position-dependent phones of one state each.

    Phone k (0-based output number) has the phone ids 4k-2 .. 4k+1 for begin, end, internal, singleton
    (SIL: id 1), all scored by output k. The phone with id i has the transition ids 2i-1 (self-loop) and 2i
    (forward).
    """

    def __init__(self, phones: Sequence[str]) -> None:
        if phones[0] != SILENCE:
            raise ValueError("the first phone must be silence")
        self.names = position_phones(phones)
        self.outputs = len(phones)
        number = {phone: k for k, phone in enumerate(phones)}
        self._output = [number[name if name == SILENCE else name[:-2]] for name in self.names]

    def boundaries(self) -> str:
        """graph/phones/word_boundary.int."""
        kinds = {"_B": "begin", "_E": "end", "_I": "internal", "_S": "singleton"}
        return "".join(
            f"{k} {kinds.get(name[-2:], 'nonword') if name != SILENCE else 'nonword'}\n"
            for k, name in enumerate(self.names, 1)
        )

    def symbols(self) -> str:
        """phones.txt: every position-dependent phone and its id."""
        return "<eps> 0\n" + "".join(f"{name} {k}\n" for k, name in enumerate(self.names, 1))

    def write(self, w: Writer) -> None:
        ids = list(range(1, len(self.names) + 1))
        w.token("<TransitionModel>", "<Topology>")
        w.ints(ids)
        w.ints([-1] + [0] * len(ids))
        # one topology: an emitting state (loop, forward) and the final state
        w.int32(1, 2, 0, 2, 0)
        w.float32(STAY)
        w.int32(1)
        w.float32(1 - STAY)
        w.int32(-1, 0)
        w.token("</Topology>", "<Triples>")
        w.int32(len(ids))
        for phone, output in zip(ids, self._output, strict=True):
            w.int32(phone, 0, output)
        w.token("</Triples>", "<LogProbs>")
        w.vector([0.0] + [math.log(STAY), math.log(1 - STAY)] * len(ids))
        w.token("</LogProbs>", "</TransitionModel>")


def statistics(stats: NDArray[np.float64]) -> bytes:
    """am/global_cmvn.stats: 2 x (dimension + 1), doubles."""
    stream = io.BytesIO()
    w = Writer(stream)
    w.begin()
    w.matrix(stats, double=True)
    return stream.getvalue()

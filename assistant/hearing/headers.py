"""What a sound file says about its length, which libsndfile passes over in silence.

Most formats are chunks: a name, a size and so many bytes; the file itself is one, and one of those in it
holds the sound. Whoever writes to a pipe leaves the sizes 0 or as large as can be. Sources: RIFF (Microsoft,
1991), RF64 (EBU Tech 3306), AIFF (Apple, 1989), Wave64 (Sony), AU (Sun), Ogg (RFC 3533).
"""

from __future__ import annotations

import io
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Literal

_UNKNOWN_SIZE = 0x7F00_0000
_UNKNOWN_LONG_SIZE = 1 << 62
"""Sizes of 32 and 64 bits that are this large mean that nobody knew it."""
_ELSEWHERE = 0xFFFF_FFFF
"""Size of the sound in an RF64 file whose chunk ds64 has it."""
_MOST_CHUNKS = 100
_OGG_HEAD = 27
_OGG_LAST = 0x04
"""Flag of the last page of a stream."""


@dataclass(frozen=True, slots=True)
class Header:
    """What a file says about its sound."""

    begin: int
    """Where the sound begins, in bytes."""
    sound: int | None
    """Bytes of sound; None where the header leaves it open."""
    size: int
    """Bytes of the file."""
    was_never_filled_in: bool = False
    """Whether it is a WAV file whose recorder ended before it could write how long the sound is."""

    @property
    def is_cut(self) -> bool:
        return self.sound is not None and self.begin + self.sound > self.size


@dataclass(frozen=True, slots=True)
class _Layout:
    """How a format writes its chunks."""

    name: bytes
    """That of the file as a chunk."""
    form: bytes
    """What follows it and the file's size."""
    sound: bytes
    """Name of the chunk with the sound."""
    order: Literal["little", "big"]
    digits: int = 4
    """Bytes of a size."""
    counts_itself: bool = False
    """Whether a size counts the bytes of name and size too."""
    step: int = 2
    """What the next chunk's place is a multiple of."""

    @property
    def head(self) -> int:
        """Bytes of a name and a size."""
        return len(self.name) + self.digits

    def begins(self, data: bytes) -> bool:
        return data.startswith(self.name) and data[self.head :].startswith(self.form)

    def read_head(self, file: BinaryIO) -> tuple[bytes, int] | None:
        """Return the name of the next chunk and how many bytes follow; None at the end."""
        head = file.read(self.head)
        if len(head) < self.head:
            return None
        size = int.from_bytes(head[len(self.name) :], self.order)
        return head[: len(self.name)], max(size - self.head, 0) if self.counts_itself else size


_WAVE64 = b"\xf3\xac\xd3\x11\x8c\xd1\x00\xc0\x4f\x8e\xdb\x8a"
_LAYOUTS = (
    _Layout(b"RIFF", b"WAVE", b"data", "little"),
    _Layout(b"RIFX", b"WAVE", b"data", "big"),
    _Layout(b"RF64", b"WAVE", b"data", "little"),
    _Layout(b"FORM", b"AIFF", b"SSND", "big"),
    _Layout(b"FORM", b"AIFC", b"SSND", "big"),
    _Layout(
        b"riff\x2e\x91\xcf\x11\xa5\xd6\x28\xdb\x04\xc1\x00\x00",
        b"wave" + _WAVE64,
        b"data" + _WAVE64,
        "little",
        digits=8,
        counts_itself=True,
        step=8,
    ),
)
_LONGEST_BEGINNING = 40


def read_header(path: Path) -> Header | None:
    """Return what a file says about its length; None for a format that is not known here.

    :raises OSError: if it cannot be read.
    """
    with path.open("rb") as file:
        size = os.fstat(file.fileno()).st_size
        beginning = file.read(_LONGEST_BEGINNING)
        order: dict[bytes, Literal["little", "big"]] = {b".snd": "big", b"dns.": "little"}
        if beginning[:4] in order:
            begin, sound = (int.from_bytes(beginning[at : at + 4], order[beginning[:4]]) for at in (4, 8))
            return Header(begin, _known(sound, _UNKNOWN_SIZE), size)
        layout = next((each for each in _LAYOUTS if each.begins(beginning)), None)
        return None if layout is None else _header(layout, file, size)


def _header(layout: _Layout, file: BinaryIO, file_size: int) -> Header | None:
    file.seek(0)
    whole = layout.read_head(file)
    file.seek(len(layout.form), os.SEEK_CUR)
    elsewhere: int | None = None
    unknown = _UNKNOWN_SIZE if layout.digits == 4 else _UNKNOWN_LONG_SIZE
    for _ in range(_MOST_CHUNKS):
        head = layout.read_head(file)
        if head is None:
            break
        name, size = head
        begin = file.tell()
        if name == b"ds64":
            # The size of the file, and that of the sound.
            elsewhere = int.from_bytes(file.read(16)[8:], layout.order)
        if name == layout.sound:
            is_empty = layout.name == b"RIFF" and whole == (b"RIFF", 0) and size == 0
            if size == _ELSEWHERE and elsewhere is not None:
                size, unknown = elsewhere, _UNKNOWN_LONG_SIZE
            return Header(begin, _known(size, unknown), file_size, is_empty and file_size > begin)
        if begin + size > file_size:
            # A size of 64 bits may lie where no file can be sought in.
            break
        file.seek(begin + size + -size % layout.step)
    return None


def _known(size: int, unknown: int) -> int | None:
    return size if 0 < size < unknown else None


def ogg_ends_early(path: Path) -> bool:
    """Return whether a file is Ogg and ends before the page that says that it is the last.

    :raises OSError: if it cannot be read.
    """
    is_last = True
    with path.open("rb") as file:
        size = os.fstat(file.fileno()).st_size
        while (head := file.read(_OGG_HEAD)).startswith(b"OggS"):
            lengths = file.read(head[-1]) if len(head) == _OGG_HEAD else b""
            end = file.tell() + sum(lengths)
            if len(head) < _OGG_HEAD or len(lengths) < head[-1] or end > size:
                return True
            is_last = bool(head[5] & _OGG_LAST)
            file.seek(end)
    return not is_last


class FilledIn(io.FileIO):
    """A WAV file without its sizes, read as if they were there."""

    def __init__(self, path: Path, header: Header) -> None:
        super().__init__(path)
        self._sizes = {
            4: min(header.size - 8, _UNKNOWN_SIZE),
            header.begin - 4: min(header.size - header.begin, _UNKNOWN_SIZE),
        }

    def readinto(self, buffer: Any) -> int:
        at = self.tell()
        count = super().readinto(buffer) or 0
        view = memoryview(buffer).cast("B")
        for place, size in self._sizes.items():
            for offset, byte in enumerate(size.to_bytes(4, "little"), place - at):
                if 0 <= offset < count:
                    view[offset] = byte
        return count

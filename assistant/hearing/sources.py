"""Where sound comes from when it is a recording: any file that libsndfile reads, as 16 kHz blocks."""

from __future__ import annotations

import io
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assistant.errors import HectorError, UsageError
from assistant.hearing.engine import Samples
from assistant.hearing.headers import FilledIn, ogg_ends_early, read_header
from assistant.interrupts import Ending
from assistant.quiet import quiet_stderr
from assistant.sound import BLOCK, SAMPLE_RATE

_FRAMES = 16_384
_LOWEST_RATE = 1000
"""Hz; no recorder has less than four times as much."""
_FEW_FRAMES = 16
"""Read at once where a file is damaged: what cannot be read whole is lost."""
_UNKNOWN_FRAMES = 1 << 62
"""Lengths from here on mean that nobody knew it."""
_ESTIMATED = ("MP3",)
"""Formats whose length is only estimated from that of the file."""
_LOUDEST = 1000.0
"""Of full scale: floating-point files may hold anything, and what is louder would overflow in the mixing."""
_CANCELLED = 0.1
"""Channels whose mean is weaker than this, measured by the loudest, cancel each other out."""


class Mixer:
    """Makes one channel of several, piece by piece.

    Where they cancel each other, as when one plug is wired the wrong way round, one of them is heard alone.
    """

    def __init__(self) -> None:
        self._alone: int | None = None

    def mixed(self, piece: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the channels as one; the mean keeps a microphone that is only on one of two."""
        mean: NDArray[np.float32] = piece.mean(axis=1)
        levels = np.square(piece).mean(axis=0)
        if np.square(mean).mean() >= _CANCELLED**2 * levels.max():
            return mean
        if self._alone is None:
            # Always the same one: the step from one to its negative would be a click.
            self._alone = int(levels.argmax())
        return piece[:, self._alone]


class Recording:
    """A sound file, read piece by piece: any rate, channels and depth; the channels are mixed by `Mixer`."""

    def __init__(self, path: Path) -> None:
        """Open a file.

        :raises UsageError: if there is no such file, it holds no sound, or less than 1000 samples a second.
        """
        try:
            import soundfile
        except OSError as error:
            raise HectorError("Sound files cannot be read: {reason}.", reason=error) from error
        _check_file(path)
        self.path = path
        self.is_cut = False
        """Whether the file ends before its sound does, as far as it tells; known once everything was read."""
        self._read = 0
        self._mixer = Mixer()
        self._source: io.FileIO | None = None
        self._error = soundfile.LibsndfileError
        try:
            self._file = self._opened()
        except (soundfile.LibsndfileError, OSError) as error:
            raise _unreadable(path, _reason(error)) from None
        if self._file.samplerate < _LOWEST_RATE:
            # From a damaged header: at one a second, a minute of sound would become days and all of memory.
            raise _unreadable(path, f"Sample rate is {self._file.samplerate} Hz")
        if self._file.frames == 0:
            raise UsageError("{path} holds no sound. Record it again.", path=path)

    def _opened(self) -> Any:
        import soundfile

        header = read_header(self.path)
        # The library calls `FilledIn`, and an interruption there would go nowhere.
        with quiet_stderr(), Ending():
            if header is not None and header.was_never_filled_in:
                self._source = FilledIn(self.path, header)
                return soundfile.SoundFile(self._source)
            if self.path.suffix.lower() == ".raw":
                # By this name it would take any file for bare samples, whose rate nobody knows.
                return soundfile.SoundFile(os.open(self.path, os.O_RDONLY | os.O_CLOEXEC))
            # As bytes: a file's name need not be text.
            return soundfile.SoundFile(os.fsencode(self.path))

    def blocks(self) -> Iterator[Samples]:
        """Yield the sound in blocks of 20 ms, the last one filled up with silence.

        A file that turns out to be damaged in its middle ends there; `is_cut` and `check_whole` say so.
        """
        import soxr

        resampler = soxr.ResampleStream(self._file.samplerate, SAMPLE_RATE, 1, dtype="float32")
        rest = np.zeros(0, np.int16)
        for piece in self._pieces():
            last = not len(piece)
            finite = np.clip(np.nan_to_num(piece, posinf=0.0, neginf=0.0), -_LOUDEST, _LOUDEST)
            mono = np.zeros(0, np.float32) if last else self._mixer.mixed(finite)
            sound = resampler.resample_chunk(mono.astype(np.float32), last=last)
            samples = np.clip(np.round(sound * 32767), -32768, 32767).astype(np.int16)
            rest = np.concatenate([rest, samples])
            whole = len(rest) // BLOCK * BLOCK
            yield from rest[:whole].reshape(-1, BLOCK)
            rest = rest[whole:]
        header = read_header(self.path)
        self.is_cut = self._ends_early if header is None else header.is_cut
        if len(rest):
            yield np.concatenate([rest, np.zeros(BLOCK - len(rest), np.int16)])

    def _pieces(self) -> Iterator[NDArray[np.float32]]:
        """Yield all that can be read, piece by piece, and at last an empty piece."""
        count, piece = _FRAMES, np.zeros((0, self._file.channels), np.float32)
        while True:
            try:
                piece = self._piece(count)
            except self._error:
                if count == _FEW_FRAMES:
                    break
                # The sound before the error is lost with it, and a damaged file cannot be sought in.
                count = _FEW_FRAMES
                self.close()
                self._file = self._opened()
                for _ in range(self._read // _FRAMES):
                    self._piece(_FRAMES)
                continue
            if not len(piece):
                break
            self._read += len(piece)
            yield piece
        yield piece[:0]

    def _piece(self, count: int) -> NDArray[np.float32]:
        # The decoder of MP3 prints what it thinks of a file; and see `_opened`.
        with quiet_stderr(), Ending():
            piece: NDArray[np.float32] = self._file.read(count, dtype="float32", always_2d=True)
        return piece

    @property
    def _ends_early(self) -> bool:
        frames = self._file.frames
        is_shorter = self._file.format not in _ESTIMATED and self._read < frames < _UNKNOWN_FRAMES
        return is_shorter or ogg_ends_early(self.path)

    def check_whole(self) -> None:
        """Tell, once everything was read, whether that was all.

        :raises HectorError: if the file was cut off.
        """
        if self.is_cut:
            seconds = self._read / self._file.samplerate
            raise HectorError(
                "{path} is cut off: it ends after {seconds:.1f} seconds.", path=self.path, seconds=seconds
            )

    def close(self) -> None:
        self._file.close()
        if self._source is not None:
            self._source.close()

    def __enter__(self) -> Recording:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()


def _check_file(path: Path) -> None:
    """:raises UsageError: if there is no file, it holds nothing, or may not be read."""
    try:
        status = path.stat()
        if stat.S_ISREG(status.st_mode):
            path.open("rb").close()
    except (FileNotFoundError, NotADirectoryError):
        raise UsageError("There is no file {name}. Check the name.", name=path) from None
    except OSError as error:
        raise UsageError("{path} cannot be read: {reason}.", path=path, reason=error) from error
    if stat.S_ISDIR(status.st_mode):
        raise UsageError("{path} is a folder; name a sound file.", path=path)
    if stat.S_ISFIFO(status.st_mode):
        raise UsageError("{path} is a stream. Keep the sound in a file first, and name that.", path=path)
    if status.st_size == 0:
        raise UsageError("{path} is empty. Record it again.", path=path)


def _unreadable(path: Path, reason: str) -> UsageError:
    return UsageError(
        "{path} is not a sound file that can be read; WAV and FLAC can. ({reason})", path=path, reason=reason
    )


def _reason(error: Exception) -> str:
    return str(error).rsplit(": ", 1)[-1].rstrip(".")

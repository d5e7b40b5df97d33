"""Where sound comes from when it is a recording: any file that libsndfile reads, as 16 kHz blocks."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from assistant.errors import HectorError, UsageError
from assistant.hearing.detector import BLOCK
from assistant.hearing.engine import SAMPLE_RATE, Samples

_FRAMES = 16_384
_UNKNOWN_SIZE = 0x7FFF_F000
"""Sizes from here on mean that nobody knew it."""
_LOUDEST = 1000.0
"""Of full scale: floating-point files may hold anything, and what is louder would overflow in the mixing."""
_CANCELLED = 0.1
"""Channels whose mean is weaker than this, measured by the loudest, cancel each other out."""


class Recording:
    """A sound file, read piece by piece: any rate, channels and depth; the channels are mixed.

    Where they cancel each other, as when one plug is wired the wrong way round, one of them is heard alone.
    """

    def __init__(self, path: Path) -> None:
        """Open a file.

        :raises UsageError: if there is no such file, or it holds no sound.
        """
        try:
            import soundfile
        except OSError as error:
            raise HectorError("Sound files cannot be read: {reason}.", reason=error) from error
        if not path.exists():
            raise UsageError("There is no file {path}. Check the name.", path=path)
        if path.is_dir():
            raise UsageError("{path} is a folder; name a sound file.", path=path)
        if path.stat().st_size == 0:
            raise UsageError("{path} is empty. Record it again.", path=path)
        self.path = path
        self.is_cut = False
        """Whether the file ended before its header said; known once everything was read."""
        self._read = 0
        self._alone: int | None = None
        self._error = soundfile.LibsndfileError
        try:
            # As bytes: a file's name need not be text.
            self._file = soundfile.SoundFile(os.fsencode(path))
        except (soundfile.LibsndfileError, OSError) as error:
            raise UsageError(
                "{path} is not a sound file that can be read; WAV and FLAC can. ({reason})",
                path=path,
                reason=_reason(error),
            ) from None
        if self._file.frames == 0:
            raise UsageError("{path} holds no sound. Record it again.", path=path)

    @property
    def seconds(self) -> float:
        """How long the file says it is."""
        return float(self._file.frames / self._file.samplerate)

    def blocks(self) -> Iterator[Samples]:
        """Yield the sound in blocks of 20 ms, the last one filled up with silence.

        A file that turns out to be damaged in its middle ends there; `is_cut` and `check_whole` say so.
        """
        import soxr

        resampler = soxr.ResampleStream(self._file.samplerate, SAMPLE_RATE, 1, dtype="float32")
        rest = np.zeros(0, np.int16)
        while True:
            try:
                piece: NDArray[np.float32] = self._file.read(_FRAMES, dtype="float32", always_2d=True)
            except self._error:
                piece = np.zeros((0, self._file.channels), np.float32)
            self._read += len(piece)
            last = len(piece) < _FRAMES
            finite = np.clip(np.nan_to_num(piece, posinf=0.0, neginf=0.0), -_LOUDEST, _LOUDEST)
            mono = self._mixed(finite) if len(piece) else np.zeros(0, np.float32)
            sound = resampler.resample_chunk(mono.astype(np.float32), last=last)
            samples = np.clip(np.round(sound * 32767), -32768, 32767).astype(np.int16)
            rest = np.concatenate([rest, samples])
            whole = len(rest) // BLOCK * BLOCK
            yield from rest[:whole].reshape(-1, BLOCK)
            rest = rest[whole:]
            if last:
                break
        self.is_cut = self._read < self._file.frames or _is_cut_wav(self.path)
        if len(rest):
            yield np.concatenate([rest, np.zeros(BLOCK - len(rest), np.int16)])

    def _mixed(self, piece: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the channels as one; the mean keeps a microphone that is only on one of two."""
        mean: NDArray[np.float32] = piece.mean(axis=1)
        levels = np.square(piece).mean(axis=0)
        if np.square(mean).mean() >= _CANCELLED**2 * levels.max():
            return mean
        if self._alone is None:
            # Always the same one: the step from one to its negative would be a click.
            self._alone = int(levels.argmax())
        return piece[:, self._alone]

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

    def __enter__(self) -> Recording:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()


def _is_cut_wav(path: Path) -> bool:
    """Return whether a WAV file is shorter than its header says, which libsndfile passes over in silence.

    Source: RIFF, whose second field is the size of all that follows it; a recorder that writes to a pipe
    leaves it 0 or as large as can be.
    """
    with path.open("rb") as file:
        header = file.read(8)
    size = int.from_bytes(header[4:], "little")
    return header[:4] == b"RIFF" and 0 < size < _UNKNOWN_SIZE and size + 8 > path.stat().st_size


def _reason(error: Exception) -> str:
    return str(error).rsplit(": ", 1)[-1].rstrip(".")

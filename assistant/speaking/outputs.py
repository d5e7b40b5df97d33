"""Where the voice goes if not to a loudspeaker: a WAV file, both of two outputs, or nowhere."""

from __future__ import annotations

import contextlib
import struct
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Final, Protocol

import numpy as np
import soxr
from numpy.typing import NDArray

from assistant.errors import HectorError, UsageError
from assistant.speaking.espeak import Sound

RATE: Final = 22050

_AUDIBLE: Final = 33
"""One thousandth of full scale, -60 dB: below it a sample is silence."""


class Output(Protocol):
    """Something that takes sound. One thread calls `begin` and `wait`; any thread may call `wake`."""

    def begin(self, sound: Sound, at: float | None = None) -> None:
        """Hand over a sound. `at` is when it belongs, in seconds of the game, if the output has a time line.

        :raises HectorError: if the output does not take it.
        """

    def wait(self, stop: threading.Event) -> bool:
        """Wait until it has been heard and return `True`, or throw the rest away when `stop` is set.

        :raises HectorError: if the output has died meanwhile.
        """

    def wake(self) -> None:
        """Make `wait` look at its `stop` now."""

    def reach(self) -> None:
        """Have the device ready to play, after it had failed.

        :raises HectorError: if it is not.
        """

    @property
    def last_sample_time(self) -> float:
        """When the last audible sample handed over is heard, by `time.monotonic()`."""

    def close(self) -> None:
        """Let go of the device or file."""


def at_rate(sound: Sound, rate: int) -> NDArray[np.int16]:
    """Return the samples of a sound at another sampling rate."""
    if sound.rate == rate or not len(sound.samples):
        return sound.samples
    resampled: NDArray[np.int16] = soxr.resample(sound.samples, sound.rate, rate)
    return resampled


def audible_length(samples: NDArray[np.int16]) -> int:
    """Return the number of samples up to the last audible one."""
    loud = np.flatnonzero(np.abs(samples.astype(np.int32)) > _AUDIBLE)
    return int(loud[-1]) + 1 if len(loud) else 0


class Nowhere:
    """Takes everything and is done at once."""

    last_sample_time = 0.0

    def begin(self, sound: Sound, at: float | None = None) -> None:
        pass

    def wait(self, stop: threading.Event) -> bool:
        return not stop.is_set()

    def wake(self) -> None:
        pass

    def reach(self) -> None:
        pass

    def close(self) -> None:
        pass


def check_new(path: Path) -> None:
    """Refuse a file that a voice would destroy; an empty one holds nothing, and a device keeps nothing.

    Nor does the file of a voice that failed before its first sound: the same command is tried again.

    :raises UsageError: if it holds something, or is a folder.
    """
    if path.is_dir():
        raise UsageError("{name} is a folder; name a file.", name=path)
    if not path.is_file() or not (size := path.stat().st_size):
        return
    silence = _header(0)
    if size != len(silence) or path.read_bytes() != silence:
        raise UsageError("{path} exists already. Choose another name.", path=path)


def _header(length: int) -> bytes:
    """Return what a WAV file of so many samples begins with."""
    size = min(2 * length, 0xFFFFFFFF - 36)
    form = struct.pack("<4sI4s4sIHHIIHH", b"RIFF", 36 + size, b"WAVE", b"fmt ", 16, 1, 1, RATE,
                       2 * RATE, 2, 16)  # fmt: skip
    return form + struct.pack("<4sI", b"data", size)


class WavFile:
    """Writes a WAV file, 16 bits, one channel, that is valid after every sentence.

    Sentences that carry a time stand there in the file; the others follow each other after a short pause.
    """

    last_sample_time = 0.0

    def __init__(self, path: Path, pause: float = 0.25) -> None:
        """:raises UsageError: see `check_new`.
        :raises HectorError: if it cannot be written.
        """
        check_new(path)
        self._path = path
        self._pause = round(pause * RATE)
        self._length = 0
        self._unwritten = 0
        """Bytes of the sound that could not be written."""
        try:
            self._file = path.open("wb", buffering=0)
            self._file.write(_header(0))
        except OSError as error:
            raise self._cannot_write(error) from error

    def _cannot_write(self, error: OSError) -> HectorError:
        return HectorError(
            "{path} cannot be written: {reason}. Name another file.", path=self._path, reason=error
        )

    def begin(self, sound: Sound, at: float | None = None) -> None:
        silence = self._pause if self._length else 0
        if at is not None:
            silence = max(round(at * RATE) - self._length, silence)
        samples = np.concatenate([np.zeros(silence, np.int16), at_rate(sound, RATE)])
        data = memoryview(samples.astype("<i2").tobytes())
        self._unwritten = len(data)
        self._write_at(44 + 2 * self._length, data)
        self._write_at(0, memoryview(_header(self._length + len(samples))))
        self._length += len(samples)
        self._unwritten = 0

    def _write_at(self, place: int, data: memoryview) -> None:
        """:raises HectorError: if it cannot be written; then the file ends with the last sentence."""
        try:
            self._file.seek(place)
            while data:
                data = data[self._file.write(data) or 0 :]
        except ValueError as error:
            raise HectorError("{path} is closed.", path=self._path) from error
        except OSError as error:
            with contextlib.suppress(OSError):
                self._file.truncate(44 + 2 * self._length)
            raise self._cannot_write(error) from error

    def wait(self, stop: threading.Event) -> bool:
        return True

    def wake(self) -> None:
        pass

    def reach(self) -> None:
        """See whether there is room now for the sound that could not be written; the file stays as it is.

        :raises HectorError: if there is none.
        """
        if self._unwritten:
            end = 44 + 2 * self._length
            self._write_at(end, memoryview(bytes(self._unwritten)))
            self._file.truncate(end)

    def close(self) -> None:
        self._file.close()


class HalfLostError(HectorError):
    """One of several outputs has died; another one has played what it was to play."""


class Both:
    """Outputs at the same time: the room and the headphones hear an announcement alike."""

    def __init__(self, *outputs: Output) -> None:
        self._outputs = outputs
        self._playing: list[Output] = []
        self._failed: HectorError | None = None

    def begin(self, sound: Sound, at: float | None = None) -> None:
        self._playing, self._failed = [], None
        for output in self._outputs:
            try:
                output.begin(sound, at)
                self._playing.append(output)
            except HectorError as error:
                self._failed = error
        # One dead output must not silence the other: that is told of when the other has been waited for.
        if self._failed is not None and not self._playing:
            raise self._failed

    def wait(self, stop: threading.Event) -> bool:
        """All are waited for, whatever the first says.

        :raises HalfLostError: if one has died and the other has been heard.
        :raises HectorError: if no output is left.
        """
        heard, living = True, 0
        for output in self._playing:
            try:
                heard = output.wait(stop) and heard
                living += 1
            except HalfLostError as error:
                self._failed = error
                living += 1
            except HectorError as error:
                self._failed = error
        if self._failed is None or (living and not heard):
            # What was cut is said again, or was not wanted; the next sentence tells of the dead output.
            return heard
        if not living:
            raise self._failed
        raise HalfLostError(self._failed.phrase) from self._failed

    @property
    def lacks_one(self) -> bool:
        """Whether one of them did not take the last sound, or has died at it."""
        return self._failed is not None

    def wake(self) -> None:
        for output in self._outputs:
            output.wake()

    def reach(self) -> None:
        """Each is tried, whatever the first says.

        :raises HalfLostError: if one of them is not there.
        :raises HectorError: if no output is there.
        """
        failed: list[HectorError] = []
        for output in self._outputs:
            try:
                output.reach()
            except HectorError as error:
                failed.append(error)
        if len(failed) == len(self._outputs):
            raise failed[-1]
        if failed:
            raise HalfLostError(failed[-1].phrase) from failed[-1]

    @property
    def last_sample_time(self) -> float:
        return max(output.last_sample_time for output in self._outputs)

    def close(self) -> None:
        for output in self._outputs:
            output.close()


class Instead:
    """Outputs, and another one in the place of any that is lost: for what anybody may hear."""

    def __init__(self, usual: Both, spare: Output, on_spare: Callable[[], None]) -> None:
        """`on_spare` is called before the spare one is heard, by whoever calls `begin` or `wait`."""
        self._usual = usual
        self._spare = spare
        self._on_spare = on_spare
        self._given: tuple[Sound, float | None] | None = None
        self._is_on_spare = False

    def begin(self, sound: Sound, at: float | None = None) -> None:
        self._given, self._is_on_spare = (sound, at), False
        try:
            self._usual.begin(sound, at)
        except HectorError:
            self._turn_to_spare()
        else:
            if self._usual.lacks_one:
                with contextlib.suppress(HectorError):
                    self._turn_to_spare()

    def _turn_to_spare(self) -> None:
        assert self._given is not None
        self._on_spare()
        self._spare.begin(*self._given)
        self._is_on_spare = True

    def wait(self, stop: threading.Event) -> bool:
        """What a usual output could not say to its end the spare one says from the beginning.

        :raises HalfLostError: if not all the usual ones were heard, and another one was.
        :raises HectorError: if no output is left.
        """
        try:
            was_heard = self._usual.wait(stop)
        except HectorError as error:
            try:
                if not self._is_on_spare:
                    self._turn_to_spare()
                if not self._spare.wait(stop):
                    return False
            except HectorError:
                if not isinstance(error, HalfLostError):
                    raise
            raise HalfLostError(error.phrase) from error
        if self._is_on_spare:
            # The others were cut.
            with contextlib.suppress(HectorError):
                self._spare.wait(stop)
        return was_heard

    def wake(self) -> None:
        self._usual.wake()
        self._spare.wake()

    def reach(self) -> None:
        """:raises HalfLostError: if the spare one alone is there.
        :raises HectorError: if neither is.
        """
        try:
            self._usual.reach()
        except HectorError as error:
            self._spare.reach()
            raise HalfLostError(error.phrase) from error

    @property
    def last_sample_time(self) -> float:
        return max(self._usual.last_sample_time, self._spare.last_sample_time)

    def close(self) -> None:
        self._usual.close()
        self._spare.close()

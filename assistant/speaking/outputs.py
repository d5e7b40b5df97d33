"""Where the voice goes: a loudspeaker, a WAV file, both of two, or nowhere."""

from __future__ import annotations

import os
import struct
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final, Protocol

import numpy as np
import soxr
from numpy.typing import NDArray

from assistant import portaudio
from assistant.errors import HectorError, UsageError
from assistant.quiet import quiet_stderr
from assistant.speaking.espeak import Sound

RATE: Final = 22050
_BLOCK: Final = 441
"""20 ms: what is in the device's hands cannot be cancelled any more."""

_AUDIBLE: Final = 33
"""One thousandth of full scale, -60 dB: below it a sample is silence."""

_STALLED_AFTER: Final = 1.0
_RETRY_AFTER: Final = 2.0


_SINK: Final = "pulse:"
_environment: Final = threading.Lock()


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

    def close(self) -> None:
        pass


def check_new(path: Path) -> None:
    """Refuse a file that a voice would destroy; an empty one holds nothing, and a device keeps nothing.

    :raises UsageError: if it holds something.
    """
    if path.is_file() and path.stat().st_size:
        raise UsageError(f"{path} exists already. Choose another name.")


class WavFile:
    """Writes a WAV file, 16 bits, one channel, that is valid after every sentence.

    Sentences that carry a time stand there in the file; the others follow each other after a short pause.
    """

    last_sample_time = 0.0

    def __init__(self, path: Path, rate: int = RATE, pause: float = 0.25) -> None:
        """:raises UsageError: if the file holds something already.
        :raises HectorError: if it cannot be written.
        """
        check_new(path)
        self._path = path
        self._rate = rate
        self._pause = round(pause * rate)
        self._length = 0
        try:
            self._file = path.open("wb", buffering=0)
            self._file.write(self._header())
        except OSError as error:
            raise self._cannot_write(error) from error

    def _header(self) -> bytes:
        size = min(2 * self._length, 0xFFFFFFFF - 36)
        form = struct.pack("<4sI4s4sIHHIIHH", b"RIFF", 36 + size, b"WAVE", b"fmt ", 16, 1, 1, self._rate,
                           2 * self._rate, 2, 16)  # fmt: skip
        return form + struct.pack("<4sI", b"data", size)

    def _cannot_write(self, error: OSError) -> HectorError:
        return HectorError(f"{self._path} cannot be written: {error.strerror}. Name another file.")

    def begin(self, sound: Sound, at: float | None = None) -> None:
        silence = self._pause if self._length else 0
        if at is not None:
            silence = max(round(at * self._rate) - self._length, silence)
        samples = np.concatenate([np.zeros(silence, np.int16), at_rate(sound, self._rate)])
        data = memoryview(samples.astype("<i2").tobytes())
        end = 44 + 2 * self._length
        try:
            self._file.seek(end)
            while data:
                data = data[self._file.write(data) or 0 :]
            self._length += len(samples)
            self._file.seek(0)
            self._file.write(self._header())
        except (OSError, ValueError) as error:
            if isinstance(error, ValueError):
                raise HectorError(f"{self._path} is closed.") from error
            raise self._cannot_write(error) from error

    def wait(self, stop: threading.Event) -> bool:
        return True

    def wake(self) -> None:
        pass

    def close(self) -> None:
        self._file.close()


class HalfLostError(HectorError):
    """One of several outputs has died; another one has played what it was to play."""


class Both:
    """Two outputs at the same time: the room and the headphones hear an announcement alike."""

    def __init__(self, first: Output, second: Output) -> None:
        self._outputs = (first, second)
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
        """Both are waited for, whatever the first says.

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
        raise HalfLostError(str(self._failed)) from self._failed

    def wake(self) -> None:
        for output in self._outputs:
            output.wake()

    @property
    def last_sample_time(self) -> float:
        return max(output.last_sample_time for output in self._outputs)

    def close(self) -> None:
        for output in self._outputs:
            output.close()


@contextmanager
def _usual_sink(name: str) -> Iterator[None]:
    """Let a sink be the usual one of streams that are opened meanwhile: libpulse asks the environment."""
    with _environment:
        before = os.environ.get("PULSE_SINK")
        os.environ["PULSE_SINK"] = name
        try:
            yield
        finally:
            if before is None:
                del os.environ["PULSE_SINK"]
            else:
                os.environ["PULSE_SINK"] = before


def _end(stream: Any) -> None:
    with quiet_stderr():
        stream.abort(ignore_errors=True)
        stream.close(ignore_errors=True)


class Loudspeaker:
    """One stream of PortAudio, opened with the first sound and kept open: no click, no delay, quick to stop.

    `device` is a name or part of one as the sound library lists them, or "pulse:SINK" for a sink of
    PulseAudio or PipeWire by its own name (`pactl list short sinks`), which that library does not list.

    A device that is missing or dies raises an error for the sentence that it should have said; it is tried
    again with a later sentence, at most every two seconds. `refresh` is called before each new attempt;
    whoever owns all streams of the process may re-initialise PortAudio there, which alone makes it see
    devices that were plugged in since.
    """

    def __init__(self, device: int | str | None = None, refresh: Callable[[], None] | None = None) -> None:
        self._device = device
        self._refresh = refresh
        self._stream: Any = None
        self._rate = RATE
        self._buffer = bytearray()
        self._changed = threading.Condition()
        self._is_lost = False
        self._failed_at: float | None = None
        self._last_block = 0.0
        self._last_sample_time = 0.0
        self._latency = 0.0
        self._device_lock = threading.RLock()
        self.underruns = 0
        """How often the device had to wait for us."""

    @property
    def last_sample_time(self) -> float:
        return self._last_sample_time

    def begin(self, sound: Sound, at: float | None = None) -> None:
        self._ensure_open()
        samples = at_rate(sound, self._rate)
        audible = audible_length(samples)
        with self._changed:
            now = self._last_block = time.monotonic()
            waiting = len(self._buffer) // 2
            self._buffer += samples.tobytes()
            if audible:
                self._last_sample_time = now + (waiting + audible) / self._rate + self._latency

    def wait(self, stop: threading.Event) -> bool:
        with self._changed:
            while True:
                if self._is_lost:
                    break
                now = time.monotonic()
                if stop.is_set():
                    self._buffer.clear()
                    self._last_sample_time = min(self._last_sample_time, now + self._latency)
                    return False
                if not self._buffer and now >= self._last_sample_time:
                    return True
                if now - self._last_block > _STALLED_AFTER:
                    break
                left = self._last_sample_time - now if not self._buffer else _STALLED_AFTER
                self._changed.wait(max(left, 0.001))
            # The device may hang: the next sentence lets it go.
            self._buffer.clear()
            self._is_lost = True
            self._failed_at = time.monotonic()
            self._last_sample_time = min(self._last_sample_time, self._failed_at)
        raise HectorError("The loudspeaker has gone: plug it in again; everything is printed meanwhile.")

    def wake(self) -> None:
        with self._changed:
            self._changed.notify_all()

    @property
    def is_idle(self) -> bool:
        """Whether nothing is waiting to be played."""
        with self._changed:
            return not self._buffer and time.monotonic() >= self._last_sample_time

    def release(self) -> None:
        """Close the stream; the next sentence opens it again. For whoever re-initialises PortAudio."""
        with self._device_lock:
            stream, self._stream = self._stream, None
            if stream is not None:
                portaudio.let_go(partial(_end, stream))
        with self._changed:
            self._buffer.clear()
            self._changed.notify_all()

    @contextmanager
    def given_back(self) -> Iterator[None]:
        """Close the stream, and open none while the body runs."""
        with self._device_lock:
            self.release()
            yield

    def close(self) -> None:
        self.release()

    def _ensure_open(self) -> None:
        with self._device_lock:
            if self._stream is None or self._is_lost:
                self._reopen()

    def _reopen(self) -> None:
        is_retry = self._failed_at is not None
        if self._failed_at is not None and time.monotonic() - self._failed_at < _RETRY_AFTER:
            raise HectorError(self._cannot_open())
        self.release()
        self._is_lost = False
        try:
            if is_retry and self._refresh is not None:
                self._refresh()
            stream, self._rate = portaudio.ask(self._opened, undo=lambda opened: _end(opened[0]))
        except (HectorError, TimeoutError) as error:
            self._failed_at = time.monotonic()
            if isinstance(error, HectorError):
                raise
            raise HectorError(self._cannot_open()) from error
        self._latency = float(stream.latency)
        self._last_block = time.monotonic()
        self._stream = stream
        self._failed_at = None

    def _cannot_open(self) -> str:
        name = "" if self._device is None else f" '{self._device}'"
        return f"There is no loudspeaker{name}: everything is printed. Plug one in or start the sound server."

    def _opened(self) -> tuple[Any, int]:
        """Return a stream that plays, and its rate."""
        with quiet_stderr():
            try:
                import sounddevice
            except OSError as error:
                raise HectorError(
                    "There is no sound: PortAudio is missing. Install it with: apt install libportaudio2"
                ) from error
            try:
                if isinstance(self._device, str) and self._device.startswith(_SINK):
                    with _usual_sink(self._device.removeprefix(_SINK)):
                        return self._opened_stream(sounddevice, "pulse")
                return self._opened_stream(sounddevice, self._device)
            except (sounddevice.PortAudioError, ValueError) as error:
                raise HectorError(self._cannot_open()) from error

    def _opened_stream(self, sounddevice: Any, device: int | str | None) -> tuple[Any, int]:
        usual = int(sounddevice.query_devices(device, "output")["default_samplerate"])
        for rate in dict.fromkeys((RATE, usual)):
            try:
                stream = sounddevice.RawOutputStream(
                    samplerate=rate,
                    blocksize=round(_BLOCK * rate / RATE),
                    device=device,
                    channels=1,
                    dtype="int16",
                    latency="low",
                    callback=self._feed,
                    finished_callback=self._finished,
                )
                break
            except sounddevice.PortAudioError:
                if rate == usual:
                    raise
        try:
            stream.start()
        except BaseException:
            _end(stream)
            raise
        return stream, rate

    def _feed(self, block: Any, frames: int, _times: Any, status: Any) -> None:
        with self._changed:
            data = bytes(self._buffer[: 2 * frames])
            del self._buffer[: 2 * frames]
            self._last_block = time.monotonic()
            if data and not self._buffer:
                self._changed.notify_all()
        block[: len(data)] = data
        block[len(data) :] = bytes(2 * frames - len(data))
        if status.output_underflow:
            self.underruns += 1

    def _finished(self) -> None:
        with self._changed:
            # Closed by us, the stream is gone already.
            if self._stream is not None:
                self._is_lost = True
            self._changed.notify_all()

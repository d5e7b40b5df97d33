"""The loudspeaker: one stream of PortAudio that outlives its device."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, Final

import numpy as np

from assistant import portaudio
from assistant.errors import HectorError
from assistant.quiet import quiet_stderr
from assistant.speaking.environment import lent
from assistant.speaking.espeak import Sound
from assistant.speaking.outputs import RATE, at_rate, audible_length
from assistant.speaking.sinks import sinks, usual_sink

_BLOCK: Final = 441
"""20 ms: what is in the device's hands cannot be cancelled any more."""

_STALLED_AFTER: Final = 1.0
_SECOND_LOOK: Final = 0.2
"""Seconds for which a device that counts as lost is looked at once more."""
_WAKES_WITHIN: Final = 4.0
"""Seconds after which a device that was opened plays: one that had fallen asleep takes two."""
_RETRY_AFTER: Final = 2.0
_PROOF: Final = Sound(np.zeros(RATE // 4, np.int16), RATE)
"""Silence, and more of it than a device takes in hand before it plays."""

_SINK: Final = "pulse:"
_USUAL: Final = ("default", "pulse")
"""What the sound library calls the usual sink."""
_LOOK_EVERY: Final = 0.1
"""Seconds for which others may hear what is meant for headphones that were unplugged."""


def _end(stream: Any) -> None:
    with quiet_stderr():
        stream.abort(ignore_errors=True)
        stream.close(ignore_errors=True)


class Loudspeaker:
    """One stream of PortAudio, opened with the first sound and kept open: no click, no delay, quick to stop.

    `device` is a name or part of one as the sound library lists them, or "pulse:SINK" for a sink of
    PulseAudio or PipeWire by its own name (`pactl list short sinks`), which that library does not list. What
    is meant for a sink is heard there or nowhere: when it is unplugged, the stream is moved to another one,
    and falls silent within a moment. A `private` one that is named as the usual device, "default", keeps to
    the sink that is the usual one when it is first opened.

    A device that is missing or dies raises an error for the sentence that it should have said; it is tried
    again with a later sentence or by `reach`, at most every two seconds. `refresh` is called before each new
    attempt; whoever owns all streams of the process may re-initialise PortAudio there, which alone makes it
    see devices that were plugged in since.
    """

    def __init__(
        self,
        device: int | str | None = None,
        refresh: Callable[[], None] | None = None,
        *,
        private: bool = False,
    ) -> None:
        self._device = device
        named = device if isinstance(device, str) else ""
        self._sink = named.removeprefix(_SINK) if named.startswith(_SINK) else ""
        """The sink's own name; empty for a device of the sound library."""
        self._names_no_sink = private and device in _USUAL
        """Whether the usual sink is to be kept to, and is not known yet."""
        self._sinks_number: int | None = None
        """Of the sink that it plays on; None while that is not known."""
        self._refresh = refresh
        self._stream: Any = None
        self._rate = RATE
        self._buffer = bytearray()
        self._audible = 0
        """Frames in it up to the last audible one."""
        self._changed = threading.Condition()
        self._is_lost = False
        self._failed_at: float | None = None
        self._last_block = 0.0
        self._doubted_block: float | None = None
        """The last block of a device that seemed to have stalled."""
        self._doubted_at = 0.0
        self._opened_at = -math.inf
        self._taken = 0
        """Frames since it was opened."""
        self._last_sample_time = 0.0
        self._latency = 0.0
        self._device_lock = threading.RLock()

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
                self._audible = waiting + audible
                self._last_sample_time = self._heard_by(now)

    def _heard_by(self, now: float) -> float:
        """Return when all that waits is heard if the device goes on with it now. `_changed` is held."""
        return now + self._audible / self._rate + self._latency

    def _drop(self) -> None:
        """Play nothing more of what waits. `_changed` is held."""
        self._buffer.clear()
        self._audible = 0

    def wait(self, stop: threading.Event) -> bool:
        while (was_heard := self._was_heard(stop)) is None:
            if self._is_moved():
                with self._changed:
                    raise self._has_gone()
        return was_heard

    def _was_heard(self, stop: threading.Event) -> bool | None:
        """Wait for the end, or until it is time to look where it plays.

        :raises HectorError: if the device has gone.
        """
        look_at = time.monotonic() + _LOOK_EVERY if self._sink else math.inf
        with self._changed:
            while True:
                if self._is_lost:
                    break
                now = time.monotonic()
                if stop.is_set():
                    self._drop()
                    self._last_sample_time = min(self._last_sample_time, now + self._latency)
                    return False
                if not self._buffer and now >= self._last_sample_time:
                    return True
                stalls_at = self._stalls_at(now)
                if now > stalls_at:
                    break
                if now >= look_at:
                    return None
                left = self._last_sample_time - now if not self._buffer else stalls_at - now
                self._changed.wait(max(min(left, look_at - now), 0.001))
            raise self._has_gone()

    def _has_gone(self) -> HectorError:
        """Play nothing more, and return what is to be told. `_changed` is held."""
        # The device may hang: the next sentence lets it go.
        self._drop()
        self._is_lost = True
        self._failed_at = time.monotonic()
        self._last_sample_time = min(self._last_sample_time, self._failed_at)
        return HectorError("The loudspeaker has gone: plug it in again; everything is printed meanwhile.")

    def _is_moved(self) -> bool:
        """Return whether its sink is not there any more, and it would be heard elsewhere."""
        there = sinks() if self._sink else None
        if there is None:
            return False
        number = there.get(self._sink)
        if self._sinks_number is None:
            # Nobody could tell it when the stream was opened.
            self._sinks_number = number
        return number is None or number != self._sinks_number

    def _stalls_at(self, now: float) -> float:
        """Return when the device counts as lost if it asks for nothing more. `_changed` is held."""
        if self._taken < len(_PROOF.samples) * self._rate // RATE:
            stalls_at = self._opened_at + _WAKES_WITHIN
        else:
            stalls_at = self._last_block + _STALLED_AFTER
        if now <= stalls_at:
            return stalls_at
        if self._doubted_block != self._last_block:
            # The whole program may have stood still: then the device has not been able to ask yet.
            self._doubted_block, self._doubted_at = self._last_block, now
        return self._doubted_at + _SECOND_LOOK

    def reach(self) -> None:
        """Open the device if it had failed, and see it play: one that opens is not yet alive."""
        if self.has_failed:
            self.begin(_PROOF)
            self.wait(threading.Event())

    def wake(self) -> None:
        with self._changed:
            self._changed.notify_all()

    @property
    def plays(self) -> bool:
        """Whether its device was opened and is still there."""
        return self._stream is not None and not self._is_lost

    @property
    def has_failed(self) -> bool:
        """Whether its device could not be opened, or has gone."""
        return self._is_lost or self._failed_at is not None

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
            self._drop()
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
            if self._stream is None or self._is_lost or self._is_moved():
                self._reopen()

    def _reopen(self) -> None:
        is_retry = self._failed_at is not None
        if self._failed_at is not None and time.monotonic() - self._failed_at < _RETRY_AFTER:
            raise self._cannot_open()
        self.release()
        self._is_lost, self._taken = False, 0
        try:
            if is_retry and self._refresh is not None:
                self._refresh()
            if self._names_no_sink:
                self._sink = usual_sink() or ""
                self._names_no_sink = not self._sink
            there = sinks() if self._sink else None
            if there is not None and self._sink not in there:
                # PipeWire would play it elsewhere.
                raise self._cannot_open()
            self._sinks_number = None if there is None else there[self._sink]
            stream, self._rate = portaudio.ask(self._opened, undo=lambda opened: _end(opened[0]))
        except (HectorError, TimeoutError) as error:
            self._failed_at = time.monotonic()
            if isinstance(error, HectorError):
                raise
            raise self._cannot_open() from error
        self._latency = float(stream.latency)
        self._opened_at = self._last_block = time.monotonic()
        self._stream = stream
        self._failed_at = None

    def _cannot_open(self) -> HectorError:
        if self._device is None:
            return HectorError(
                "There is no loudspeaker: everything is printed. Plug one in or start the sound server."
            )
        return HectorError(
            "There is no loudspeaker '{device}': everything is printed. "
            "Plug one in or start the sound server.",
            device=self._device,
        )

    def _opened(self) -> tuple[Any, int]:
        """Return a stream that plays, and its rate."""
        sounddevice = portaudio.load()
        with quiet_stderr():
            try:
                if self._sink:
                    # A sink is the usual one of the streams that are opened while libpulse finds it there.
                    with lent("PULSE_SINK", self._sink):
                        return self._opened_stream(sounddevice, "pulse")
                return self._opened_stream(sounddevice, self._device)
            except (sounddevice.PortAudioError, ValueError) as error:
                raise self._cannot_open() from error

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

    def _feed(self, block: Any, frames: int, _times: Any, _status: Any) -> None:
        with self._changed:
            data = bytes(self._buffer[: 2 * frames])
            del self._buffer[: 2 * frames]
            now = self._last_block = time.monotonic()
            self._taken += frames
            if self._audible:
                # A device that stumbled, or slept, plays later than was reckoned: until then it is heard.
                self._last_sample_time = max(self._last_sample_time, self._heard_by(now))
                self._audible = max(self._audible - frames, 0)
            if data and not self._buffer:
                self._changed.notify_all()
        block[: len(data)] = data
        block[len(data) :] = bytes(2 * frames - len(data))

    def _finished(self) -> None:
        with self._changed:
            # Closed by us, the stream is gone already.
            if self._stream is not None:
                self._is_lost = True
            self._changed.notify_all()

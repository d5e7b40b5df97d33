"""The microphone: blocks with their times, and every way in which a device can fail told as news.

PortAudio says nothing when a source stalls, and prints when a server dies; so the time since the last block
is watched, standard error is kept clean, and a lost device is opened again with growing patience.
"""

from __future__ import annotations

import contextlib
import math
import queue
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial
from types import ModuleType
from typing import Any, Literal

import numpy as np

from assistant import portaudio
from assistant.errors import HectorError, marked
from assistant.hearing.engine import Samples
from assistant.hearing.stillness import Stillness
from assistant.quiet import quiet_stderr
from assistant.sound import BLOCK, SAMPLE_RATE

PIECE = 3
"""Blocks that the device delivers at once: each delivery wakes several threads of the program and of the
sound server, which is most of what listening to a quiet room costs."""
QUEUE = 84
"""Deliveries kept for a busy program: five seconds."""
STALLED_AFTER = 1.0
"""Seconds without a block after which the device counts as lost."""
_SECOND_LOOK = 0.2
"""Seconds for which a device is looked at once more if nobody had looked at it for longer than that."""
_LATEST = 60.0
"""Seconds by which a delivery may be late; a driver that tells of more has no idea."""
PATIENCE = (0.5, 1.0, 2.0, 5.0)
"""Seconds between attempts to open a lost device, the last one for ever."""

MISSING = marked("There is no microphone. Plug one in; until then type the moves.")


@dataclass(frozen=True, slots=True)
class Block:
    """20 ms of sound."""

    samples: Samples
    end: float
    """When its last sample was taken, by `time.monotonic()`."""

    @property
    def seconds(self) -> float:
        """How long it is."""
        return len(self.samples) / SAMPLE_RATE


@dataclass(frozen=True, slots=True)
class News:
    """Something has happened to the device."""

    what: Literal["lost", "back", "muted", "heard", "gap"]
    """`gap`: of what was said, some is missing between the blocks before and those that follow."""


def sounddevice() -> ModuleType:
    """Load the library.

    :raises HectorError: if it or PortAudio is not installed, or PortAudio does not start, or waits for a
        sound server that hangs.
    """
    try:
        return portaudio.ask(portaudio.load)
    except TimeoutError:
        raise HectorError(portaudio.why_it_hangs()) from None


def renew_portaudio() -> None:
    """Let PortAudio see the devices that are there now; no stream of this process may be open.

    :raises HectorError: if PortAudio is not installed, or does not start again, or waits for a sound server
        that hangs.
    """
    library = sounddevice()

    def renew() -> None:
        with quiet_stderr():
            # It has ended already where it did not start the last time.
            with contextlib.suppress(library.PortAudioError):
                library._terminate()
            library._initialize()

    try:
        portaudio.ask(renew)
    except (library.PortAudioError, TimeoutError) as error:
        raise HectorError(portaudio.why_it_hangs()) from error


def usual_device(kind: Literal["input", "output"]) -> str | None:
    """Return the name of the device that is used if none is named; None if there is none now.

    :raises HectorError: if PortAudio is not installed, or it waits for a sound server that hangs.
    """
    library = sounddevice()

    def query() -> str:
        with quiet_stderr():
            return str(library.query_devices(kind=kind)["name"])

    try:
        return portaudio.ask(query)
    except TimeoutError:
        raise HectorError(portaudio.why_it_hangs()) from None
    except (library.PortAudioError, ValueError):
        return None


def has_microphone() -> bool:
    """Return whether a device for input is there now; a sound server that hangs has none."""
    try:
        return usual_device("input") is not None
    except HectorError:
        return False


def delivers_sound(seconds: float = 2.0) -> bool:
    """Listen for a moment and return whether anything comes from the microphone, be it only its hiss.

    :raises HectorError: if there is no microphone, or it delivers not even silence.
    """
    with Microphone() as source:
        delivers, until = False, time.monotonic() + seconds
        while time.monotonic() < until and not source.has_heard:
            delivers = any(isinstance(item, Block) for item in source.read(0.1)) or delivers
        if not delivers:
            raise HectorError("No sound comes from the microphone. Plug it in anew.")
        return source.has_heard


@contextlib.contextmanager
def _nothing_to_release() -> Iterator[bool]:
    yield True


class Microphone:
    """The computer's input device, opened again whenever it was lost.

    `read` never blocks for longer than asked, but for a moment after the whole program stood still.
    """

    def __init__(
        self,
        release_others: Callable[[], AbstractContextManager[bool]] = _nothing_to_release,
        *,
        wait_for_it: bool = False,
    ) -> None:
        """Open the device.

        PortAudio sees devices that came since only when it is begun anew, with no stream open: the context
        manager `release_others` has to keep every other stream of this process closed meanwhile. If it
        yields `False`, now is not the time.
        With `wait_for_it` a missing device is no error but the first piece of news, and is looked for.

        :raises HectorError: if PortAudio is missing, or there is no such device and it is not waited for.
        """
        self._library = sounddevice()
        self._release_others = release_others
        self._queue: queue.Queue[tuple[bytes, float]] = queue.Queue(QUEUE)
        self._stream: Any = None
        self._key: object = None
        self._rate = SAMPLE_RATE
        self._usual_wait = math.inf
        """Seconds for which the first sample of a delivery waits if nothing keeps it."""
        self._taken_until = -math.inf
        """When the last sample that was delivered was taken."""
        self._resampler: Any = None
        self._rest = np.zeros(0, np.int16)
        self._stillness = Stillness()
        self._ended = False
        self.is_lost = False
        """Whether it has gone, or has not come yet."""
        self._attempts = 0
        self._next_attempt = 0.0
        self._last_block = self._looked = time.monotonic()
        self._news: list[Block | News] = []
        self.has_delivered = False
        """Whether it has ever delivered anything, be it silence."""
        self.dropped = self._dropped_before = 0
        """Deliveries that came while nobody took them."""
        try:
            self._open()
        except HectorError:
            if not wait_for_it:
                raise
            self._lose(time.monotonic())

    @property
    def has_heard(self) -> bool:
        """Whether anything has come from it, be it only its hiss."""
        return self._stillness.has_heard

    def _open(self) -> None:
        import soxr

        # What a stream delivers that was given up on is neither sound nor a sign of life.
        key = self._key = object()
        self._ended = False
        self._usual_wait, self._taken_until = math.inf, -math.inf
        try:
            self._stream, rate = portaudio.ask(
                partial(self._opened, key), undo=lambda opened: self._end(opened[0])
            )
        except (self._library.PortAudioError, ValueError, TimeoutError) as error:
            self._key = None
            raise HectorError(MISSING) from error
        self._rate = rate
        self._rest = np.zeros(0, np.int16)
        self._resampler = (
            None if rate == SAMPLE_RATE else soxr.ResampleStream(rate, SAMPLE_RATE, 1, dtype="int16")
        )
        self._last_block = time.monotonic()

    def _opened(self, key: object) -> tuple[Any, int]:
        """Return a stream that delivers, and its rate."""
        with quiet_stderr():
            try:
                return self._started(key, SAMPLE_RATE), SAMPLE_RATE
            except self._library.PortAudioError:
                # The device does not know 16 kHz: take what it likes best, and resample.
                rate = round(self._library.query_devices(kind="input")["default_samplerate"])
                return self._started(key, rate), rate

    def _started(self, key: object, rate: int) -> Any:
        stream = self._library.RawInputStream(
            samplerate=rate,
            blocksize=PIECE * rate // 50,
            channels=1,
            dtype="int16",
            callback=partial(self._take, key),
            finished_callback=partial(self._finished, key),
        )
        try:
            stream.start()
        except BaseException:
            stream.close()
            raise
        return stream

    def _take(self, key: object, data: Any, _frames: int, times: Any, _status: Any) -> None:
        if key is not self._key:
            return
        # A driver's times jump; what comes was never taken before what came.
        self._taken_until = max(time.monotonic() - self._lateness(times), self._taken_until)
        entry = (bytes(data), self._taken_until)
        try:
            self._queue.put_nowait(entry)
        except queue.Full:
            self.dropped += 1
            try:
                self._queue.get_nowait()
                self._queue.put_nowait(entry)
            except (queue.Empty, queue.Full):
                return

    def _lateness(self, times: Any) -> float:
        """Return by how many seconds a delivery comes later than others, as after the program stood still.

        What was said then was over when it was said, and not when all of it comes at once. Source:
        PaStreamCallbackTimeInfo of PortAudio's portaudio.h.
        """
        if times.inputBufferAdcTime <= 0:
            # The driver does not tell.
            return 0.0
        # None waits for less than nothing: against such a time all that follows would be late, for hours.
        wait = max(times.currentTime - times.inputBufferAdcTime, 0.0)
        self._usual_wait = min(self._usual_wait, wait)
        late: float = wait - self._usual_wait
        return late if late <= _LATEST else 0.0

    def _finished(self, key: object) -> None:
        if key is self._key:
            self._ended = True

    def read(self, timeout: float) -> list[Block | News]:
        """Return what has come: blocks, or news of the device; empty after `timeout` seconds of nothing."""
        found, self._news = self._news, []
        if found:
            return found if self.is_lost else [*found, *self._delivered(0.0)]
        found = self._delivered(timeout)
        now = time.monotonic()
        stood, self._looked = now - self._looked, now
        if not found and not self.is_lost and stood > _SECOND_LOOK:
            # The whole program may have stood still: then the device has not been able to deliver yet.
            found = self._delivered(_SECOND_LOOK)
        if found:
            self.has_delivered = True
            self._last_block = now
            if self.is_lost:
                self.is_lost = False
                self._attempts = 0
                return [News("back"), *found]
            return found
        if not self.is_lost and (self._ended or self._is_silent(now)):
            self._lose(now)
            found, self._news = self._news, []
        if self.is_lost and now >= self._next_attempt:
            self._try_again(now)
        return found

    def tell_again(self, news: Iterable[News]) -> None:
        """Let the next `read` return news that whoever has read them leaves to others."""
        self._news.extend(news)

    def _is_silent(self, now: float) -> bool:
        return now - self._last_block > STALLED_AFTER

    def _delivered(self, timeout: float) -> list[Block | News]:
        """Return what has come; empty after `timeout` seconds of nothing."""
        found: list[Block | News] = []
        with contextlib.suppress(queue.Empty):
            found += self._blocks(*self._queue.get(timeout=timeout))
            while True:
                found += self._blocks(*self._queue.get_nowait())
        if self.dropped > self._dropped_before:
            # The oldest ones, while nobody took any: all that was taken comes after the gap.
            self._dropped_before = self.dropped
            found.insert(0, News("gap"))
        return found

    def _lose(self, now: float) -> None:
        self.is_lost = True
        self._stillness = Stillness()
        self._attempts = 0
        self._next_attempt = now + PATIENCE[0]
        self._news.append(News("lost"))

    def _blocks(self, data: bytes, end: float) -> list[Block | News]:
        samples = np.frombuffer(data, np.int16)
        # Before it is resampled: that adds a little noise of its own.
        change = self._stillness.take(samples, self._rate)
        if self._resampler is not None:
            samples = self._resampler.resample_chunk(samples)
        self._rest = np.concatenate([self._rest, samples]) if len(self._rest) else samples
        whole = len(self._rest) // BLOCK
        blocks, self._rest = self._rest[: whole * BLOCK].reshape(-1, BLOCK), self._rest[whole * BLOCK :]
        later = len(self._rest) / SAMPLE_RATE
        found: list[Block | News] = [
            Block(block, end - later - (whole - 1 - index) * BLOCK / SAMPLE_RATE)
            for index, block in enumerate(blocks)
        ]
        return [*found, News(change)] if change else found

    def _try_again(self, now: float) -> None:
        if self.renew():
            self._next_attempt = now + PATIENCE[min(self._attempts, len(PATIENCE) - 1)]
            self._attempts += 1

    def renew(self) -> bool:
        """Close the device and open it again, so that PortAudio sees what has been plugged in since.

        Return `False` if that could not be done now because another stream is in use.
        """
        with self._release_others() as released:
            if released:
                # A device that opens is not yet alive: only its first block is taken for good news.
                with contextlib.suppress(HectorError):
                    # One that works is not closed where it could not be opened again.
                    portaudio.prove_room()
                    self._shut()
                    if not self.is_lost:
                        self._news += [*self._delivered(0.0), News("gap")]
                    renew_portaudio()
                    self._open()
        return released

    def _shut(self) -> None:
        stream, self._stream, self._key = self._stream, None, None
        if stream is not None:
            portaudio.let_go(partial(self._end, stream))

    def _end(self, stream: Any) -> None:
        with quiet_stderr(), contextlib.suppress(self._library.PortAudioError):
            stream.abort()
            stream.close()

    def close(self) -> None:
        self._shut()

    def __enter__(self) -> Microphone:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()

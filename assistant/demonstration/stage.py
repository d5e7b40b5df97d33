"""The demonstration aloud: players and Hector on one time line, played as it happens."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assistant import portaudio
from assistant.errors import HectorError
from assistant.hearing import Samples, sounddevice
from assistant.quiet import quiet_stderr
from assistant.sound import SAMPLE_RATE
from assistant.speaking import Sound, at_rate


def _opened(library: Any) -> Any:
    """Return a stream that plays."""
    stream = library.RawOutputStream(samplerate=SAMPLE_RATE, channels=1, dtype="int16")
    try:
        stream.start()
    except BaseException:
        _end(stream)
        raise
    return stream


def _end(stream: Any) -> None:
    # It may be long after the stage was closed.
    with quiet_stderr():
        stream.close(ignore_errors=True)


class Stage:
    """An output with a time line whose sound is mixed with the players' and goes to the loudspeaker.

    What it plays paces the game: each block takes as long as it sounds.
    """

    last_sample_time = 0.0

    def __init__(self) -> None:
        """:raises HectorError: if there is no loudspeaker."""
        library = sounddevice()
        self._error = library.PortAudioError
        with contextlib.ExitStack() as held:
            # ALSA prints when the machine is too busy to play in time: that can be at any time.
            held.enter_context(quiet_stderr())
            try:
                self._stream = portaudio.ask(partial(_opened, library), undo=_end)
            except (self._error, ValueError, TimeoutError) as error:
                raise HectorError("There is no loudspeaker.") from error
            held.callback(portaudio.let_go, partial(_end, self._stream))
            self._held = held.pop_all()
        self._position = 0
        self._waiting: list[tuple[int, Samples]] = []

    def begin(self, sound: Sound, at: float | None = None) -> None:
        start = self._position if at is None else max(self._position, round(at * SAMPLE_RATE))
        self._waiting.append((start, at_rate(sound, SAMPLE_RATE)))

    def wait(self, stop: threading.Event) -> bool:
        return True

    def wake(self) -> None:
        pass

    def reach(self) -> None:
        pass

    def close(self) -> None:
        self._held.close()

    def played(self, blocks: Iterable[Samples]) -> Iterator[Samples]:
        """Yield the players' blocks, each when it is about to be heard, and play it with Hector's voice.

        :raises HectorError: if the loudspeaker goes.
        """
        for block in blocks:
            yield block
            mixed = block.astype(np.int32) + self._hector(len(block))
            self._position += len(block)
            sound = np.clip(mixed, -32768, 32767).astype(np.int16).tobytes()
            try:
                portaudio.ask(partial(self._stream.write, sound))
            except (self._error, TimeoutError) as error:
                raise HectorError("The loudspeaker has gone. Try again with --silent.") from error

    def _hector(self, length: int) -> NDArray[np.int32]:
        """Return Hector's next samples, silence where he is silent."""
        mixed = np.zeros(length, np.int32)
        rest = []
        for start, samples in self._waiting:
            offset = self._position - start
            if offset < 0:
                skip = min(-offset, length)
                piece = samples[: length - skip]
                mixed[skip : skip + len(piece)] += piece
                used = len(piece)
            else:
                piece = samples[offset : offset + length]
                mixed[: len(piece)] += piece
                used = offset + len(piece)
            if used < len(samples):
                rest.append((start, samples))
        self._waiting = rest
        return mixed

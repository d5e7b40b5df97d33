"""The devices of one live game: a voice, an ear that is deaf to it, and what happens when one goes."""

from __future__ import annotations

import contextlib
import math
import queue
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from assistant.announcements import Thresholds, Vocabulary, load_thresholds, load_vocabulary, open_grammar
from assistant.errors import HectorError
from assistant.hearing import AcousticModel, Block, Microphone, News, Recogniser, load_model, renew_portaudio
from assistant.speaking import EspeakVoice, Loudspeaker, Output, Sentence, Speaker, WavFile
from assistant.table.voices import LoudVoice, PaperVoice, Voice

HOLD = 0.3
"""Seconds after Hector's last audible sample in which the microphone stays deaf: the room's echo."""
RENEW_EVERY = 10.0
"""Seconds between two searches for a loudspeaker while the microphone works: each costs it a moment."""


@dataclass(frozen=True, slots=True)
class Ears:
    """What a table needs in order to understand."""

    vocabulary: Vocabulary
    thresholds: Thresholds
    recogniser: Recogniser


def prepare_ears(model: str | None) -> Ears:
    """Load the vocabulary and the model.

    :raises HectorError: if the model cannot be used.
    """
    vocabulary = load_vocabulary("de")
    acoustic: AcousticModel = load_model(model)
    recogniser = Recogniser(acoustic, open_grammar=open_grammar(vocabulary))
    thresholds = load_thresholds(acoustic.thresholds) if acoustic.thresholds else Thresholds()
    return Ears(vocabulary, thresholds, recogniser)


class Gate:
    """When the microphone is deaf: while Hector speaks, and until the room has fallen silent.

    It judges by the time at which a sound was taken, not by when somebody comes to look at it: a busy
    program neither hears Hector's last word nor misses a player's first. Times are `time.monotonic()`.
    """

    def __init__(self, hold: float = HOLD) -> None:
        self._hold = hold
        self._shut_at: float | None = None
        self._past: deque[tuple[float, float]] = deque(maxlen=100)

    def shut(self, at: float) -> None:
        """Be deaf from `at` on, until further notice."""
        if self._shut_at is None:
            self._shut_at = at

    def open(self, last_sample: float) -> None:
        """Hear again after the hold, counted from the last audible sample."""
        if self._shut_at is not None:
            self._past.append((self._shut_at, last_sample + self._hold))
            self._shut_at = None

    def is_deaf(self, begin: float, end: float) -> bool:
        """Return whether some of a sound between two times may be Hector's own voice.

        Sounds have to be asked about in their order.
        """
        while self._past and self._past[0][1] <= begin:
            self._past.popleft()
        if any(begin < until and end > since for since, until in self._past):
            return True
        return self._shut_at is not None and end > self._shut_at


class _GatedVoice(LoudVoice):
    """A voice before which the microphone is shut."""

    def __init__(self, speaker: Speaker, gate: Gate) -> None:
        super().__init__(speaker, time.monotonic())
        self._gate = gate

    def say(self, sentence: Sentence, now: float) -> None:
        self._gate.shut(time.monotonic())
        super().say(sentence, now)


@dataclass(frozen=True, slots=True)
class Change:
    """Something has happened to a device."""

    device: Literal["microphone", "voice"]
    lost: bool


class Devices:
    """Microphone, voice and the clock that they share. One thread calls every method."""

    def __init__(
        self,
        speak_to: Path | None,
        model: str | None,
        *,
        keyboard_only: bool,
        warn: Callable[[str], None],
    ) -> None:
        """Open what is there. A device that is missing is told of, and looked for as long as the game lasts.

        :raises HectorError: if the model cannot be used or the file of `speak_to` cannot be written.
        """
        self._warn = warn
        self.ears = prepare_ears(model)
        self.gate = Gate()
        self.zero = time.monotonic()
        self._changes: queue.SimpleQueue[Change] = queue.SimpleQueue()
        self._loudspeaker: Loudspeaker | None = None
        self._seeks_loudspeaker = False
        self._sought_at = -math.inf
        self.microphone: Microphone | None = None
        self.speaker: Speaker | None = None
        self.voice: Voice = PaperVoice()
        self._prepare_voice(self._output(speak_to))
        if not keyboard_only:
            try:
                self.microphone = Microphone(release_others=self._released, wait_for_it=True)
            except HectorError as error:
                warn(str(error))

    def _output(self, speak_to: Path | None) -> Output:
        if speak_to is not None:
            return WavFile(speak_to)
        self._loudspeaker = Loudspeaker(refresh=self._look_for_loudspeaker)
        return self._loudspeaker

    def _prepare_voice(self, output: Output) -> None:
        espeak = EspeakVoice(output)
        try:
            espeak.prepare()
        except HectorError as error:
            self._warn(str(error))
            return
        self.speaker = Speaker(espeak, on_trouble=self._voice_lost, on_recovered=self._voice_back)
        self.voice = _GatedVoice(self.speaker, self.gate)

    # The clock

    def start_clock(self, at: float) -> None:
        """Let the game's time be `at` now."""
        self.zero = time.monotonic() - at
        if isinstance(self.voice, LoudVoice):
            self.voice.zero = self.zero

    @property
    def now(self) -> float:
        """Seconds of the game's clock."""
        return time.monotonic() - self.zero

    # What comes in

    def read(self, wait: float, *, busy: bool) -> list[Block | Change]:
        """Return the sounds and changes of the last moment; empty after `wait` seconds of nothing.

        `busy` tells that somebody is speaking now: then nothing is done that would interrupt the microphone.
        """
        found: list[Block | Change] = []
        if self.microphone is None:
            time.sleep(wait)
        else:
            if self._seeks_loudspeaker and not busy:
                self._seeks_loudspeaker = False
                self.microphone.renew()
            for item in self.microphone.read(wait):
                found.append(Change("microphone", item.what == "lost") if isinstance(item, News) else item)
        if self.speaker is not None and not self.speaker.speaking:
            self.gate.open(self.speaker.last_sample_time)
        with contextlib.suppress(queue.Empty):
            while True:
                found.append(self._changes.get_nowait())
        return found

    def is_deaf_to(self, block: Block) -> bool:
        """Return whether a block may hold Hector's own voice."""
        return self.gate.is_deaf(block.end - block.seconds, block.end)

    # What goes and comes back; the voice's part of it is called by the speaking thread

    def _voice_lost(self, reason: str) -> None:
        assert self.speaker is not None
        if not self.speaker.last_sample_time:
            # It never spoke: then the reason says what to mend before the game goes on.
            self._warn(reason)
        self._changes.put(Change("voice", lost=True))

    def _voice_back(self) -> None:
        self._changes.put(Change("voice", lost=False))

    def _look_for_loudspeaker(self) -> None:
        if self.microphone is None:
            renew_portaudio()
        elif time.monotonic() - self._sought_at > RENEW_EVERY:
            self._sought_at = time.monotonic()
            self._seeks_loudspeaker = True

    @contextlib.contextmanager
    def _released(self) -> Iterator[bool]:
        """Close the loudspeaker's stream while the body runs, unless Hector is speaking."""
        if self.speaker is not None and self.speaker.speaking:
            yield False
            return
        held: Any = contextlib.nullcontext() if self._loudspeaker is None else self._loudspeaker.given_back()
        with held:
            yield True

    def close(self, *, finish: bool = True) -> None:
        """Let go of everything; with `finish` what is being said is said to its end."""
        if self.microphone is not None:
            self.microphone.close()
        if self.speaker is not None:
            self.speaker.close(finish=finish)

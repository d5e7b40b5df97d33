"""Backends: what turns a sentence into speech. One thread calls `say`; any thread may call `wake`."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

import numpy as np

from assistant.errors import HectorError
from assistant.speaking.espeak import Sound, Synthesise, synthesise
from assistant.speaking.messages import LANGUAGES
from assistant.speaking.outputs import RATE, Output, at_rate
from assistant.speaking.sentence import Audience, Sentence

_SSIP_TIMEOUT: Final = 60.0


@dataclass(frozen=True, slots=True)
class VoiceSettings:
    """How the voice sounds."""

    rate: int = 175
    """Words a minute, 80 to 450."""
    pitch: int = 50
    """0 to 99."""
    volume: int = 100
    """0 to 200; 100 is as espeak-ng has it."""
    variant: str = ""
    """A variant of espeak-ng for all languages: "f4" makes "de" "de+f4"."""
    voices: Mapping[str, str] = field(default_factory=dict)
    """Language to voice, where it is another one than the language's own."""

    def voice(self, language: str) -> str:
        """Return the name of the voice that speaks a language."""
        if language in self.voices:
            return self.voices[language]
        return f"{language}+{self.variant}" if self.variant else language


class Backend(Protocol):
    """Something that says sentences."""

    def say(self, sentence: Sentence, stop: threading.Event, at: float | None = None) -> bool:
        """Say a sentence and return `True` when it has been heard, `False` if `stop` cut it.

        `at` is when it belongs, in seconds of the game, for outputs that have a time line.

        :raises HectorError: if it cannot be said.
        """

    def wake(self) -> None:
        """Make `say` look at its `stop` now."""

    @property
    def last_sample_time(self) -> float:
        """When the last audible sample was or will be heard, by `time.monotonic()`; 0 before the first."""

    def close(self) -> None:
        """Let go of the devices."""


class EspeakVoice:
    """Speaks with espeak-ng into one output, or into one for each audience.

    With a mapping, an audience that it does not name is not spoken to: the arbiter's own sentences are for
    his screen, and a room without an output hears nothing.
    """

    def __init__(
        self,
        outputs: Output | Mapping[Audience, Output],
        settings: VoiceSettings | None = None,
        synthesise: Synthesise = synthesise,
    ) -> None:
        if isinstance(outputs, Mapping):
            self._outputs = dict(outputs)
        else:
            self._outputs = {"white": outputs, "black": outputs, "room": outputs}
        self.settings = settings or VoiceSettings()
        self._synthesise = synthesise

    def prepare(self) -> None:
        """Load the library and the voices, so that the first sentence is not late.

        :raises HectorError: if there is no espeak-ng, or it lacks a voice.
        """
        for language in LANGUAGES:
            self._synthesise("a", self.settings.voice(language))

    def say(self, sentence: Sentence, stop: threading.Event, at: float | None = None) -> bool:
        output = self._outputs.get(sentence.audience)
        if output is None:
            return True
        sound = self.sound(sentence, stop)
        if stop.is_set():
            return False
        output.begin(sound, at)
        return output.wait(stop)

    def sound(self, sentence: Sentence, stop: threading.Event | None = None) -> Sound:
        """Return a sentence as samples, every piece in a voice of its language."""
        settings = self.settings
        pieces = [
            at_rate(
                self._synthesise(
                    text, settings.voice(language), settings.rate, settings.pitch, settings.volume, stop=stop
                ),
                RATE,
            )
            for language, text in sentence.segments
        ]
        return Sound(np.concatenate(pieces), RATE)

    def wake(self) -> None:
        for output in self._outputs.values():
            output.wake()

    @property
    def last_sample_time(self) -> float:
        return max((output.last_sample_time for output in self._outputs.values()), default=0.0)

    def close(self) -> None:
        for output in set(self._outputs.values()):
            output.close()


class NoVoice:
    """Says nothing and remembers everything: for a game on the screen alone, and for tests of other rooms."""

    last_sample_time = 0.0

    def __init__(self) -> None:
        self.said: list[Sentence] = []

    def say(self, sentence: Sentence, stop: threading.Event, at: float | None = None) -> bool:
        self.said.append(sentence)
        return True

    def wake(self) -> None:
        pass

    def close(self) -> None:
        pass


class SpeechDispatcherVoice:
    """Speaks through speech-dispatcher, with the voice that the player's screen reader has.

    Rate, pitch and volume are left as the player set them there. Who hears it is speech-dispatcher's affair:
    there is one output.
    """

    def __init__(self) -> None:
        """:raises HectorError: if speech-dispatcher is not installed or not running."""
        try:
            import speechd
        except ImportError as error:
            raise HectorError(
                "speech-dispatcher cannot be used: its Python part is missing. "
                "Install it with: apt install python3-speechd"
            ) from error
        self._speechd: Any = speechd
        self._changed = threading.Condition()
        self._open_messages = 0
        self._was_cancelled = False
        self._last_sample_time = 0.0
        self._client = self._connect()

    def _connect(self) -> Any:
        try:
            client = self._speechd.SSIPClient("hector", autospawn=True)
            client.set_priority(self._speechd.Priority.IMPORTANT)
        except Exception as error:
            # Its exceptions have no common base but Exception, and a dead socket raises its own.
            raise HectorError(
                "speech-dispatcher does not answer. Start it with: speech-dispatcher"
            ) from error
        return client

    def say(self, sentence: Sentence, stop: threading.Event, at: float | None = None) -> bool:
        with self._changed:
            self._open_messages = len(sentence.segments)
            self._was_cancelled = False
        ends = (self._speechd.CallbackType.END, self._speechd.CallbackType.CANCEL)
        try:
            for language, text in sentence.segments:
                self._client.set_language(language)
                self._client.speak(text, callback=self._ended, event_types=ends)
            deadline = time.monotonic() + _SSIP_TIMEOUT
            with self._changed:
                while self._open_messages and not stop.is_set() and time.monotonic() < deadline:
                    self._changed.wait(deadline - time.monotonic())
                was_heard = not self._open_messages and not self._was_cancelled
            if not was_heard:
                self._client.cancel()
        except Exception as error:
            self._reconnect_later()
            raise HectorError("speech-dispatcher has gone: everything is printed.") from error
        self._last_sample_time = time.monotonic()
        return was_heard

    def _ended(self, kind: Any, **_details: Any) -> None:
        with self._changed:
            self._open_messages -= 1
            self._was_cancelled |= kind == self._speechd.CallbackType.CANCEL
            self._changed.notify_all()

    def _reconnect_later(self) -> None:
        try:
            self._client.close()
            self._client = self._connect()
        except Exception:
            # Still gone: the next sentence tries again.
            return

    def wake(self) -> None:
        with self._changed:
            self._changed.notify_all()

    @property
    def last_sample_time(self) -> float:
        return self._last_sample_time

    def close(self) -> None:
        self._client.close()

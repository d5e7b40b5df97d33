"""Backends: what turns a sentence into speech. One thread calls `say`; any thread may call `wake`."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, Protocol

import numpy as np

from assistant.errors import HectorError
from assistant.resources import check_system_packages
from assistant.speaking.espeak import Sound, Synthesise, respelt, synthesise
from assistant.speaking.messages import LANGUAGES
from assistant.speaking.outputs import RATE, Output, at_rate
from assistant.speaking.sentence import AUDIENCES, Audience, Sentence
from assistant.threads import begin_thread

_SSIP_PATIENCE: Final = 5.0
_SSIP_PAUSE: Final = 30.0
"""Seconds in which a speech-dispatcher that was silent is not asked again: Hector hears nobody as long as he
waits for it."""
_SLOWEST: Final = 0.25
"""Seconds that speech-dispatcher may take to begin, and for each letter; 80 words a minute are 0.15."""


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

    def say(self, sentence: Sentence, stop: threading.Event) -> bool:
        """Say a sentence and return `True` when it has been heard, `False` if `stop` cut it.

        :raises HectorError: if it cannot be said.
        """

    def wake(self) -> None:
        """Make `say` look at its `stop` now."""

    def reach(self, audience: Audience) -> None:
        """Have everything ready that speaks to somebody, after some of it had failed.

        :raises HalfLostError: if some of it is not.
        :raises HectorError: if nothing is.
        """

    @property
    def last_sample_time(self) -> float:
        """When the last audible sample was or will be heard, by `time.monotonic()`; 0 before the first."""

    def close(self) -> None:
        """Let go of the devices."""


class EspeakVoice:
    """Speaks with espeak-ng into one output, or into one for each audience, to each with its settings.

    With a mapping of outputs, an audience that it does not name is not spoken to: the arbiter's own sentences
    are for his screen, and a room without an output hears nothing. An audience without settings hears the
    voice as espeak-ng has it.
    """

    def __init__(
        self,
        outputs: Output | Mapping[Audience, Output],
        settings: Mapping[Audience, VoiceSettings] | None = None,
        synthesise: Synthesise = synthesise,
    ) -> None:
        if isinstance(outputs, Mapping):
            self._outputs = dict(outputs)
        else:
            self._outputs = {"white": outputs, "black": outputs, "room": outputs}
        self._settings = dict.fromkeys(AUDIENCES, VoiceSettings()) | dict(settings or {})
        self._synthesise = synthesise
        self._unspoken: dict[Audience, tuple[str, ...]] = {}
        """The languages of what could not be synthesised, by who was to hear it."""

    def prepare(self) -> None:
        """Load the library and the voices, so that the first sentence is not late.

        :raises HectorError: if there is no espeak-ng, or it lacks a voice.
        """
        for settings in self._settings.values():
            for voice in dict.fromkeys(map(settings.voice, LANGUAGES)):
                self._synthesise("a", voice)

    def say(self, sentence: Sentence, stop: threading.Event) -> bool:
        output = self._outputs.get(sentence.audience)
        if output is None:
            return True
        try:
            sound = self.sound(sentence, stop)
        except Exception:
            self._unspoken[sentence.audience] = tuple(dict(sentence.segments))
            raise
        self._unspoken.pop(sentence.audience, None)
        if stop.is_set():
            return False
        output.begin(sound)
        return output.wait(stop)

    def sound(self, sentence: Sentence, stop: threading.Event | None = None) -> Sound:
        """Return a sentence as samples, every piece in a voice of its language."""
        settings = self._settings[sentence.audience]
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

    def reach(self, audience: Audience) -> None:
        if audience in self._outputs:
            for language in self._unspoken.get(audience, ()):
                self._synthesise("a", self._settings[audience].voice(language))
            self._outputs[audience].reach()

    @property
    def last_sample_time(self) -> float:
        return max((output.last_sample_time for output in self._outputs.values()), default=0.0)

    def close(self) -> None:
        for output in set(self._outputs.values()):
            output.close()


class SpeechDispatcherVoice:
    """Speaks through speech-dispatcher, with the voice that the player's screen reader has.

    Rate, pitch and volume are left as the player set them there, unless he has his own for Hector. Who hears
    it is speech-dispatcher's affair: there is one output, and no private one. Words that voices get wrong are
    spelt as they sound, by locales/*/pronunciation.toml.

    Where a sentence ends is told by its server, which knows when the last sample was handed to the sound
    server; what that and the loudspeaker still hold is covered by the microphone's hold time. Its messages
    are IMPORTANT: they cut what other programs say and no message cuts them. A message that was cancelled,
    by Hector or by the key that silences the screen reader, is told of as well: the sentence counts as cut.
    """

    def __init__(
        self, *, rate: int | None = None, pitch: int | None = None, volume: int | None = None
    ) -> None:
        """Connect; `rate` (words a minute), `pitch` and `volume` are as in `VoiceSettings`.

        :raises HectorError: if speech-dispatcher is not installed or not running.
        """
        try:
            import speechd
        except ImportError as error:
            check_system_packages("speech-dispatcher")
            raise HectorError(
                "speech-dispatcher cannot be used: its Python part is missing. "
                "Install it with: apt install python3-speechd."
            ) from error
        self._speechd: Any = speechd
        self._own = {"rate": _scaled(rate, 80, 175, 450), "pitch": _scaled(pitch, 0, 50, 99)}
        self._own["volume"] = _scaled(volume, 0, 50, 100)
        self._changed = threading.Condition()
        self._open: set[object] = set()
        self._was_cancelled = False
        self._last_sample_time = 0.0
        self._paused_until = 0.0
        self._is_mute = False
        self._client: Any = None
        try:
            self._connect()
        except Exception as error:
            # Its exceptions have no common base but Exception, and a dead socket raises its own.
            self._let_go()
            raise HectorError(
                "speech-dispatcher does not answer. Start it with: speech-dispatcher."
            ) from error

    def _connect(self) -> None:
        # It connects while it is made: only one that is there already can be let go if that takes too long.
        self._client = client = self._speechd.SSIPClient.__new__(self._speechd.SSIPClient)

        def begin() -> None:
            client.__init__("hector", autospawn=True)
            client.set_priority(self._speechd.Priority.IMPORTANT)
            for name, value in self._own.items():
                if value is not None:
                    getattr(client, f"set_{name}")(value)

        self._ask(begin)

    def _ask(self, task: Callable[[], object]) -> None:
        """Have speech-dispatcher do something in a thread of its own: its client waits without end.

        :raises TimeoutError: if the answer does not come in time.
        """
        done: Future[object] = Future()

        def run() -> None:
            try:
                done.set_result(task())
            except BaseException as error:
                done.set_exception(error)

        begin_thread(threading.Thread(target=run, name="speech-dispatcher", daemon=True).start)
        try:
            done.result(_SSIP_PATIENCE)
        except TimeoutError:
            self._paused_until = time.monotonic() + _SSIP_PAUSE
            raise

    def say(self, sentence: Sentence, stop: threading.Event) -> bool:
        ends = (self._speechd.CallbackType.END, self._speechd.CallbackType.CANCEL)
        pieces = {object(): segment for segment in sentence.segments}
        with self._changed:
            self._open, self._was_cancelled = set(pieces), False
        try:
            client = self._connected()

            def begin() -> None:
                for piece, (language, text) in pieces.items():
                    client.set_language(language)
                    client.speak(
                        respelt(text, language), callback=partial(self._ended, piece), event_types=ends
                    )

            self._ask(begin)
            deadline = time.monotonic() + _SSIP_PATIENCE + _SLOWEST * len(sentence.text)
            with self._changed:
                while self._open and not stop.is_set() and time.monotonic() < deadline:
                    self._changed.wait(deadline - time.monotonic())
                was_lost = bool(self._open) and not stop.is_set()
                was_heard = not (self._open or self._was_cancelled)
            if not was_heard:
                self._ask(client.cancel)
        except Exception as error:
            # The next sentence tries again.
            self._let_go()
            raise _gone() from error
        self._is_mute = was_lost
        if was_lost:
            raise self._does_not_say()
        self._last_sample_time = time.monotonic()
        return was_heard

    def _does_not_say(self) -> HectorError:
        return HectorError(
            "speech-dispatcher does not say that it has spoken: everything is printed. "
            "Try it with: spd-say --wait Hector"
        )

    def _ended(self, piece: object, kind: Any, **_details: Any) -> None:
        with self._changed:
            if piece in self._open:
                # News of a message that was given up long ago is no news of this one.
                self._open.discard(piece)
                self._was_cancelled |= kind == self._speechd.CallbackType.CANCEL
            self._changed.notify_all()

    def _connected(self) -> Any:
        """Return the client, a new one if the last was let go."""
        if self._client is None:
            if time.monotonic() < self._paused_until:
                raise TimeoutError
            self._connect()
        return self._client

    def _let_go(self) -> None:
        client, self._client = self._client, None
        if client is None:
            return
        connection = getattr(client, "_conn", None)
        with contextlib.suppress(Exception):
            client.close()
        # Its close forgets whoever waits for an answer.
        answered = getattr(connection, "_ssip_reply_semaphore", None)
        if answered is not None:
            answered.release()

    def wake(self) -> None:
        with self._changed:
            self._changed.notify_all()

    def reach(self, audience: Audience) -> None:
        if self._is_mute:
            # It is there; whether it speaks again, only a sentence can show.
            raise self._does_not_say()
        try:
            self._connected()
        except Exception as error:
            self._let_go()
            raise _gone() from error

    @property
    def last_sample_time(self) -> float:
        return self._last_sample_time

    def close(self) -> None:
        self._let_go()


def _gone() -> HectorError:
    return HectorError("speech-dispatcher has gone: everything is printed.")


def _scaled(value: int | None, least: int, middle: int, most: int) -> int | None:
    """Return a setting on the scale of SSIP, from -100 to 100 with 0 as usual."""
    if value is None:
        return None
    value = min(max(value, least), most)
    span = most - middle if value > middle else middle - least
    return round(100 * (value - middle) / span)

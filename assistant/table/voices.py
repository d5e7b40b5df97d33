"""How a table is heard: by a loudspeaker, into a file, or only on paper, all with the same face."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from typing import Final, Protocol

from assistant.errors import HectorError
from assistant.speaking import Audience, EspeakVoice, Output, Sentence, Speaker, VoiceSettings, told
from assistant.table.terminal import warn

WORDS_A_MINUTE = 180
"""How fast a sentence passes where nothing speaks it: a brisk reading voice."""


_ANSWERS: Final = frozenset(
    {
        "help",
        "last-move",
        "moves-completed",
        "moves-to-control",
        "not-started",
        "piece",
        "position",
        "question",
        "square",
        "start",
    }
)
"""Sentences, by their `stale_key`, that any key may cut; those of the times, and of what was agreed, too."""


class Voice(Protocol):
    """Whoever says Hector's sentences. Times are seconds of the game's own clock."""

    def say(self, sentence: Sentence, now: float) -> None:
        """Say a sentence as soon as its turn comes; never blocks."""

    def cancel(self) -> None:
        """Be silent at once and forget what was waiting."""

    def hush(self) -> None:
        """Leave off answering and asking; what has happened in the game is said to its end.

        Any thread may call it.
        """

    def silent_since(self, now: float) -> float:
        """Return when the last sound ended or will end; `inf` while that is not known."""


class PaperVoice:
    """Says nothing aloud: its sentences take as long as they would, on the game's clock."""

    has_failed = False
    """Whether a sentence is missing that should have been spoken."""

    def __init__(self) -> None:
        self._until = -math.inf

    def say(self, sentence: Sentence, now: float) -> None:
        begins = max(now, self._until)
        self._until = begins + self._speak(sentence, begins)

    def _speak(self, sentence: Sentence, at: float) -> float:
        """Return how long the sentence takes, in seconds."""
        return max(0.4, len(sentence.text.split()) * 60 / WORDS_A_MINUTE)

    def cancel(self) -> None:
        self._until = -math.inf

    def hush(self) -> None:
        """Nothing here is heard by anybody who could press a key."""

    def silent_since(self, now: float) -> float:
        return self._until


class FileVoice(PaperVoice):
    """Speaks into an output with a time line, every sentence at its time in the game.

    What cannot be spoken or written any more is told of once, and the rest of the game is only on paper.
    """

    def __init__(self, voice: EspeakVoice, output: Output, warn: Callable[[str], None] = warn) -> None:
        super().__init__()
        self._voice = voice
        self._output = output
        self._warn = warn

    def _speak(self, sentence: Sentence, at: float) -> float:
        if self.has_failed:
            return super()._speak(sentence, at)
        try:
            sound = self._voice.sound(sentence)
            self._output.begin(sound, at)
        except HectorError as error:
            self.has_failed = True
            self._warn(told(error))
            return super()._speak(sentence, at)
        return sound.seconds


class LoudVoice:
    """Speaks through a speaker's queue; the game's clock is `time.monotonic()` less `zero`."""

    def __init__(self, speaker: Speaker, zero: float) -> None:
        self._speaker = speaker
        self.zero = zero

    def say(self, sentence: Sentence, now: float) -> None:
        self._speaker.say(sentence)

    def cancel(self) -> None:
        self._speaker.cancel()

    def hush(self) -> None:
        self._speaker.cancel(is_an_answer)

    def silent_since(self, now: float) -> float:
        if not self._speaker.is_silent:
            return math.inf
        return min(self._speaker.last_sample_time, time.monotonic()) - self.zero


def is_an_answer(sentence: Sentence) -> bool:
    """Return whether a sentence answers or asks one player, and tells nothing that has happened."""
    key = sentence.stale_key or ""
    return key in _ANSWERS or key.startswith(("agreed:", "times:"))


def voice_without_device(
    output: Output, voices: Mapping[Audience, VoiceSettings] | None = None
) -> PaperVoice:
    """Return a voice into an output that is no loudspeaker; on paper where there is no espeak-ng.

    :raises HectorError: if there is no such voice as somebody chose.
    """
    voice = EspeakVoice(output, voices)
    try:
        voice.prepare()
    except HectorError:
        if voices:
            raise
        return PaperVoice()
    return FileVoice(voice, output)

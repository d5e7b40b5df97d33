"""The check before the round: a phrase is said, repeated by the player, and what was heard is told."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from pathlib import Path

from assistant.announcements import sample
from assistant.errors import HectorError, UsageError
from assistant.hearing import Microphone, Recogniser, Recording, has_microphone
from assistant.speaking import Output, Sentence, Sentences, choose_language
from assistant.table.audible import Audible
from assistant.table.calibration import hold_for, keep_hold, measure_echo
from assistant.table.devices import Change, Devices, Ears, opened
from assistant.utterance import Utterance, WordGraph

PATIENCE = 8.0
"""Seconds in which a phrase should be repeated."""


def practise(
    count: int,
    *,
    listen: Path | None = None,
    speak_to: Path | None = None,
    model: str | None = None,
    seed: int | None = None,
    language: str | None = None,
    audible: Audible | None = None,
) -> int:
    """Say `count` announcements, hear them repeated, and tell what was heard; 1 if not all were right.

    With a microphone and a loudspeaker the room's echo is measured first, and kept for the games to come.

    :raises HectorError: if there is neither a microphone nor a recording.
    """
    if count < 1:
        raise UsageError("Practise at least one announcement: --count 1.")
    if listen is None and not has_microphone():
        raise HectorError("There is no microphone. Plug one in and practise again.")
    with opened(speak_to, model, listen is not None, audible or Audible()) as devices:
        check = _Check(devices, Sentences(choose_language(language)), listen)
        if devices.loudspeaker is not None and devices.microphone is not None:
            check.measure(devices.loudspeaker, devices.microphone)
        seed = random.randrange(2**31) if seed is None else seed
        phrases = list(sample(devices.ears.vocabulary, count, seed=seed))
        right = sum([check.is_heard(words) for words in phrases])
    print(f"{right} of {len(phrases)} announcements were heard as they were said.")
    return 0 if right == len(phrases) else 1


class _Check:
    """One player's check before the round."""

    def __init__(self, devices: Devices, sentences: Sentences, listen: Path | None) -> None:
        self._devices = devices
        self._ears = devices.ears
        self._say_in = sentences
        self._recorded = None if listen is None else _recorded(self._ears.recogniser, listen)

    def measure(self, loudspeaker: Output, microphone: Microphone) -> None:
        """Measure the echo of the room, and tell what follows from it."""
        self._say(self._say_in.clicks())
        echo = measure_echo(loudspeaker, microphone)
        if echo is None:
            self._say(self._say_in.no_echo())
            return
        hold = hold_for(echo)
        keep_hold(hold)
        self._devices.gate.hold = hold
        self._say(self._say_in.holds(round(hold * 1000)))

    def is_heard(self, words: tuple[str, ...]) -> bool:
        """Say a phrase, hear it repeated, and tell what was heard; return whether it was the same."""
        vocabulary = self._ears.vocabulary
        _expect_any(self._ears)
        self._say(self._say_in.say_this(vocabulary.written(words)))
        heard = next(self._recorded, None) if self._recorded is not None else self._spoken()
        best = heard.grammatical[0].words if heard is not None else ()
        self._say(self._say_in.heard(vocabulary.written(best)) if best else self._say_in.heard_nothing())
        return best == words

    def _say(self, sentence: Sentence) -> None:
        print(f"Hector: {sentence.text}", flush=True)
        self._devices.voice.say(sentence, self._devices.now)
        if self._devices.speaker is not None:
            self._devices.speaker.wait_until_silent()

    def _spoken(self) -> Utterance | None:
        """Return what the player says; the gate is deaf to what Hector has said."""
        recogniser = self._ears.recogniser
        recogniser.restart()
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            for item in self._devices.read(0.1, busy=recogniser.hears_something):
                if isinstance(item, Change):
                    if item.device == "microphone" and item.lost:
                        raise HectorError("The microphone has gone. Plug it in and practise again.")
                elif self._devices.is_deaf_to(item):
                    recogniser.reset()
                else:
                    for utterance in recogniser.accept(item.samples):
                        return utterance
        return None


def _expect_any(ears: Ears) -> None:
    """Listen to the open grammar alone: no position helps, so this is the hardest check."""
    ears.recogniser.expect(WordGraph((), frozenset()))


def _recorded(recogniser: Recogniser, file: Path) -> Iterator[Utterance]:
    recogniser.restart()
    with Recording(file) as recording:
        for block in recording.blocks():
            yield from recogniser.accept(block)
    yield from recogniser.finish()

"""The check before the round: a phrase is said, repeated by the player, and what was heard is told."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from pathlib import Path

from assistant.announcements import sample
from assistant.errors import HectorError, UsageError
from assistant.hearing import Microphone, News, Recogniser, Recording
from assistant.speaking import EspeakVoice, Loudspeaker, Output, Sentences, Speaker, WavFile, choose_language
from assistant.table.devices import HOLD, Ears, prepare_ears
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
) -> int:
    """Say `count` announcements, hear them repeated, and tell what was heard; 1 if not all were right.

    :raises HectorError: if there is neither a microphone nor a recording.
    """
    if count < 1:
        raise UsageError("Practise at least one announcement: --count 1.")
    ears = prepare_ears(model)
    sentences = Sentences(choose_language(language))
    output: Output = Loudspeaker() if speak_to is None else WavFile(speak_to)
    speaker = Speaker(EspeakVoice(output))
    seed = random.randrange(2**31) if seed is None else seed
    phrases = list(sample(ears.vocabulary, count, seed=seed))
    utterances = _recorded(ears.recogniser, listen) if listen is not None else None
    microphone = None if utterances is not None else Microphone()
    right = 0
    try:
        for words in phrases:
            written = ears.vocabulary.written(words)
            _expect_any(ears)
            sentence = sentences.say_this(written)
            print(f"Hector: {sentence.text}", flush=True)
            speaker.say(sentence)
            speaker.wait_until_silent()
            heard = (
                next(utterances, None)
                if utterances is not None
                else _spoken(ears.recogniser, microphone, speaker)
            )
            best = heard.grammatical[0].words if heard is not None else ()
            right += best == words
            answer = sentences.heard(ears.vocabulary.written(best)) if best else sentences.heard_nothing()
            print(f"Hector: {answer.text}", flush=True)
            speaker.say(answer)
            speaker.wait_until_silent()
    finally:
        if microphone is not None:
            microphone.close()
        speaker.close(finish=True)
    print(f"{right} of {len(phrases)} announcements were heard as they were said.")
    return 0 if right == len(phrases) else 1


def _expect_any(ears: Ears) -> None:
    """Listen to the open grammar alone: no position helps, so this is the hardest check."""
    ears.recogniser.expect(WordGraph((), frozenset()))


def _recorded(recogniser: Recogniser, file: Path) -> Iterator[Utterance]:
    recogniser.restart()
    with Recording(file) as recording:
        for block in recording.blocks():
            yield from recogniser.accept(block)
    yield from recogniser.finish()


def _spoken(recogniser: Recogniser, microphone: Microphone | None, speaker: Speaker) -> Utterance | None:
    assert microphone is not None
    recogniser.restart()
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        for item in microphone.read(0.1):
            if isinstance(item, News):
                if item.what == "lost":
                    raise HectorError("The microphone has gone. Plug it in and practise again.")
            elif speaker.silent_for(HOLD):
                for utterance in recogniser.accept(item.samples):
                    return utterance
            else:
                recogniser.reset()
    return None

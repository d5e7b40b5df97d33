"""Keeping a game going: blocks of sound and typed lines in, until it is over."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np
from numpy.typing import NDArray

from assistant.announcements import Decision, Phrasebook
from assistant.hearing import Recogniser
from assistant.table.game import Table
from assistant.utterance import Utterance

RATE = 16_000

Samples = NDArray[np.int16]
Heard = Callable[[Utterance, Decision, Samples], None]


class RecogniserEar:
    """Tells a recogniser what to expect, and only when it has changed: a new graph costs tens of ms."""

    def __init__(self, recogniser: Recogniser) -> None:
        self.recogniser = recogniser
        self._expected: frozenset[tuple[str, ...]] = frozenset()

    def expect(self, book: Phrasebook) -> None:
        phrases = frozenset(book.phrases)
        if phrases != self._expected:
            self._expected = phrases
            self.recogniser.expect(book.word_graph())


class Listening:
    """One stream of sound that a table listens to; times are seconds of the stream."""

    def __init__(self, table: Table, recogniser: Recogniser, heard: Heard | None = None) -> None:
        self._table = table
        self._recogniser = recogniser
        self._heard = heard
        self._speech_since: float | None = None
        self.position = 0.0
        """How much of the stream has been taken."""

    def take(self, block: Samples) -> None:
        """Take the next block and let the table's time pass to its end."""
        self._understand(self._recogniser.accept(block))
        self.position += len(block) / RATE
        if not self._recogniser.hears_something:
            self._speech_since = None
        elif self._speech_since is None:
            self._speech_since = self.position
        self._table.tick(self.position, speech_since=self._speech_since)

    def finish(self) -> None:
        """Understand what was still being said when the stream ended."""
        self._understand(self._recogniser.finish())
        self._speech_since = None

    def _understand(self, utterances: Iterable[Utterance]) -> None:
        for utterance in utterances:
            if self._table.over:
                return
            decision = self._table.hear(utterance)
            if self._heard is not None:
                self._heard(utterance, decision, self._recogniser.audio)


def play_stream(
    table: Table, recogniser: Recogniser, blocks: Iterable[Samples], heard: Heard | None = None
) -> float:
    """Play a game from a stream of sound; return the seconds of sound that were taken."""
    listening = Listening(table, recogniser, heard)
    for block in blocks:
        listening.take(block)
        if table.over:
            return listening.position
    listening.finish()
    # A move that was announced last still waits for its press, which nothing more can disturb.
    table.tick(listening.position + 30.0)
    return listening.position

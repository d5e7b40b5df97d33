"""Hearing as a stream: blocks of audio go in, utterances come out as soon as they are over.

The sound is buffered from a little before it began. When the voice falls silent the buffer is decoded, and the
reading says how much silence it takes to be over: almost none after a whole phrase that cannot go on, some where
more words could follow, and a long while in the middle of an announcement. Decoding whole utterances, again
where needed, costs less than a streaming decoder on three graphs, and the network sees the true end.
"""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assistant.errors import HectorError
from assistant.hearing.detector import BLOCK, DetectorSettings, SpeechDetector
from assistant.hearing.engine import SAMPLE_RATE, Samples
from assistant.hearing.graph import Phrase, prefix_tree
from assistant.hearing.listening import Ear, GraphEar, Heard
from assistant.hearing.models import AcousticModel
from assistant.utterance import Utterance, WordGraph

_BLOCK_SECONDS = BLOCK / SAMPLE_RATE


@dataclass(frozen=True, slots=True)
class Endpoint:
    """When an utterance is over; endpoint.toml explains each value. Seconds, and log scores."""

    lead: float
    shortest: float
    longest: float
    look: float
    done: float
    complete: float
    unfinished: float
    clear_illegal: float
    clear_foreign: float
    foreign: float
    unfinished_price: float


class Recogniser:
    """Listens to one stream with one model."""

    def __init__(self, model: AcousticModel, *, open_grammar: WordGraph) -> None:
        """Make ready; nothing is expected yet, so only the open grammar's readings will come.

        :raises HectorError: if the model's settings cannot be used or it lacks a word of the open grammar.
        """
        self._endpoint = _settings(Endpoint, model.settings("endpoint"))
        detector = _settings(DetectorSettings, model.settings("detector"))
        self._ear: Ear = GraphEar(model, open_grammar, unfinished=self._endpoint.unfinished_price)
        self._detector = SpeechDetector(detector)
        self._start_blocks = detector.start_blocks
        self._rest = np.zeros(0, np.int16)
        self._lead: deque[Samples] = deque(maxlen=round(self._endpoint.lead / _BLOCK_SECONDS) + 1)
        self._blocks = 0
        self._buffer: list[Samples] = []
        self._first = 0
        self._last = 0
        self._sounding = 0
        self._look_at = math.inf
        self.audio: Samples = self._rest
        """The samples of the utterance that was returned last."""

    def expect(self, phrases: WordGraph | Iterable[Phrase]) -> None:
        """Set what may be said now; an utterance under way is already read by it.

        :param phrases: a word graph, or phrases of words of the lexicon.
        :raises HectorError: if the model does not know one of the words.
        """
        self._ear.expect(phrases if isinstance(phrases, WordGraph) else prefix_tree(phrases))

    @property
    def hears_something(self) -> bool:
        """Whether an utterance is under way."""
        return bool(self._buffer)

    def accept(self, samples: bytes | NDArray[np.int16]) -> list[Utterance]:
        """Take the next piece of the stream, of any length, and return the utterances that ended in it."""
        piece = np.frombuffer(samples, "<i2") if isinstance(samples, bytes) else samples
        waiting = np.concatenate([self._rest, piece.astype(np.int16, copy=False)])
        whole = len(waiting) // BLOCK * BLOCK
        self._rest = waiting[whole:]
        found = []
        for at in range(0, whole, BLOCK):
            utterance = self._take(waiting[at : at + BLOCK])
            if utterance is not None:
                found.append(utterance)
        return found

    def finish(self) -> list[Utterance]:
        """End the stream: return the utterance that was under way, if it was one."""
        found = self.accept(np.zeros(-len(self._rest) % BLOCK, np.int16)) if self._rest.size else []
        if self._buffer:
            utterance = self._close(None, time.perf_counter())
            if utterance is not None:
                found.append(utterance)
        return found

    def reset(self) -> None:
        """Drop an utterance under way, for example because Hector itself began to speak."""
        self._buffer = []
        self._lead.clear()
        self._detector.rest()

    def _take(self, block: Samples) -> Utterance | None:
        self._blocks += 1
        speech = self._detector.accept(block)
        if not self._buffer:
            self._lead.append(block)
            if speech:
                self._begin()
            return None
        self._buffer.append(block)
        if speech:
            self._last = self._blocks
            self._sounding += 1
            self._look_at = self._endpoint.look
            if len(self._buffer) * _BLOCK_SECONDS < self._endpoint.longest:
                return None
            return self._close(None, time.perf_counter())
        return self._silent()

    def _begin(self) -> None:
        self._buffer = list(self._lead)
        self._lead.clear()
        self._first = self._blocks - self._start_blocks
        self._last = self._blocks
        self._sounding = self._start_blocks
        self._look_at = self._endpoint.look

    def _silent(self) -> Utterance | None:
        silence = (self._blocks - self._last) * _BLOCK_SECONDS
        if silence < self._look_at - 1e-6:
            return None
        began = time.perf_counter()
        if self._sounding * _BLOCK_SECONDS < self._endpoint.shortest:
            return self._drop()
        heard = self._ear.listen(np.concatenate(self._buffer))
        self._look_at = self._needed(heard)
        return self._close(heard, began) if silence >= self._look_at - 1e-6 else None

    def _needed(self, heard: Heard) -> float:
        """Return the silence that ends an utterance with these readings."""
        end = self._endpoint
        best = heard.grammatical[0] if heard.grammatical else None
        if best is None or not best.words:
            return end.complete
        strange = (heard.filler - best.score) / max(heard.frames, 1)
        if strange > end.foreign:
            return end.complete
        standing = self._ear.position.standing(best.words)
        if heard.legal and best.score - heard.legal[0].score <= end.clear_illegal:
            standing = self._ear.position.standing(heard.legal[0].words)
            if not standing.continuable and strange <= end.clear_foreign:
                return end.done
            return end.complete
        if standing.known and not standing.complete:
            return end.unfinished
        return end.complete

    def _close(self, heard: Heard | None, began: float) -> Utterance | None:
        samples = np.concatenate(self._buffer)
        if heard is None:
            heard = self._ear.listen(samples)
        start = self._first * _BLOCK_SECONDS
        end = self._last * _BLOCK_SECONDS
        waited = self._blocks * _BLOCK_SECONDS - end
        self._drop()
        if not heard.grammatical or not heard.grammatical[0].words:
            return None
        self.audio = samples
        latency = waited + time.perf_counter() - began
        return Utterance(
            start, end, heard.legal, heard.grammatical, heard.filler, heard.frames, round(latency * 1000, 1)
        )

    def _drop(self) -> None:
        # What came after the speech may be the beginning of the next.
        after = self._blocks - self._last
        self._lead.extend(self._buffer[len(self._buffer) - after :])
        self._buffer = []
        self._detector.rest()


def _settings(kind: type[Any], table: Any) -> Any:
    names = {field.name for field in fields(kind)}
    unknown = sorted(table.keys() - names)
    missing = sorted(names - table.keys())
    if unknown or missing:
        what = f"“{unknown[0]}” is unknown" if unknown else f"“{missing[0]}” is missing"
        raise HectorError(f"The endpoint settings do not fit: {what}.")
    for name, value in table.items():
        if isinstance(value, bool) or not isinstance(value, int | float) or value < 0:
            raise HectorError(f"The endpoint settings do not fit: “{name}” must be a number.")
    return kind(**table)

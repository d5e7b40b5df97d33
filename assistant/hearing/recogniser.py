"""Hearing as a stream: blocks of audio go in, utterances come out as soon as they are over.

The sound is buffered from a little before it began. When the voice falls silent the buffer is decoded, and
the reading says how much silence it takes to be over: almost none after a whole phrase that cannot go on,
some where more words could follow, and a long while in the middle of an announcement. Decoding whole
utterances, again where needed, costs less than a streaming decoder on three graphs, and the network sees
the true end.
"""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from assistant.errors import HectorError
from assistant.hearing.detector import DetectorSettings, SpeechDetector, sounding_blocks, stands_out_db
from assistant.hearing.endpoint import Endpoint, settings_of
from assistant.hearing.engine import Samples
from assistant.hearing.foreign import GrammarEar
from assistant.hearing.graph import Phrase
from assistant.hearing.listening import Ear, GraphEar, Price, free
from assistant.hearing.looking import Look, Onlooker
from assistant.hearing.models import AcousticModel
from assistant.sound import BLOCK, SAMPLE_RATE
from assistant.utterance import Utterance, WordGraph

_BLOCK_SECONDS = BLOCK / SAMPLE_RATE
_ONSET = 0.1
"""Seconds by which the decoder may begin a word too late."""
_PATIENCE = 0.1
"""Seconds by which the next look at an utterance comes later after one in vain."""


class Recogniser:
    """Listens to one stream with one model."""

    def __init__(
        self,
        model: AcousticModel,
        *,
        open_grammar: WordGraph,
        price: Price = free,
        written: Mapping[str, Sequence[str]] | None = None,
    ) -> None:
        """Make ready; nothing is expected yet, so only the open grammar's readings will come.

        :param price: by how much a phrase of the open grammar is to be believed less than others; those of
            the position cost nothing.
        :param written: how words may be spelt by a model that is not the project's own.
        :raises HectorError: if the model's settings cannot be used or it lacks a word of the open grammar.
        """
        self._endpoint = settings_of(Endpoint, model.settings("endpoint"))
        detector = settings_of(DetectorSettings, model.settings("detector"))
        self._detecting = detector
        self._ear: Ear
        if model.own:
            unfinished = self._endpoint.unfinished_price
            self._ear = GraphEar(model, open_grammar, unfinished=unfinished, price=price)
        else:
            self._ear = GrammarEar(model, open_grammar, written, price=price)
        self._onlooker = Onlooker(self._ear, self._endpoint)
        self._detector = SpeechDetector(detector)
        self._start_blocks = detector.start_blocks
        self._rest = np.zeros(0, np.int16)
        self._lead: deque[Samples] = deque(maxlen=round(self._endpoint.lead / _BLOCK_SECONDS) + 1)
        self._presume_silence()
        self._blocks = 0
        self._buffer: list[Samples] = []
        self._opened = 0
        self._first = 0
        self._last = 0
        self._sounding = 0
        self._is_early = False
        self._is_rest = False
        self._cut_at = -math.inf
        """When an utterance was ended although the voice went on: what comes next belongs to it."""
        self._look = self._look_at = self._endpoint.look
        self._seen: Look | None = None
        """What the utterance under way was read as; it stands as long as nothing but the room was heard."""
        self._unfinished = False
        self._is_deaf = False
        self.audio: Samples = self._rest
        """The samples of the utterance that was returned last."""

    def expect(self, phrases: WordGraph | Iterable[Phrase], open_grammar: WordGraph | None = None) -> None:
        """Set what may be said now; an utterance under way is already read by it.

        :param phrases: a word graph, or phrases of words of the lexicon.
        :param open_grammar: what may be said in any position, if it is another one than otherwise.
        :raises HectorError: if the model does not know one of the words, or there is no room for the graph;
            then nothing is heard until another call succeeds.
        """
        with self._or_deaf():
            self._onlooker.expect(phrases, open_grammar)
            if self._buffer:
                self._ear.prepare()
        self._is_deaf = False
        self._seen = None

    @property
    def hears_something(self) -> bool:
        """Whether an utterance is under way."""
        return bool(self._buffer)

    def accept(self, samples: bytes | NDArray[np.int16]) -> list[Utterance]:
        """Take the next piece of the stream, of any length, and return the utterances that ended in it.

        :raises HectorError: if what is expected cannot be listened for after all; then nothing is heard until
            another `expect` succeeds.
        """
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
            utterance = self._end()
            if utterance is not None:
                found.append(utterance)
        return found

    def restart(self) -> None:
        """Begin another stream: its times count from its beginning, and its room is not the last one's."""
        self.reset()
        self._detector = SpeechDetector(self._detecting)
        self._rest = np.zeros(0, np.int16)
        self._blocks = 0
        self._cut_at = -math.inf

    def _presume_silence(self) -> None:
        """Put before what comes the silence that it may have been trimmed of, as the detector does."""
        self._lead.extend([np.zeros(BLOCK, np.int16)] * (self._lead.maxlen or 0))

    def reset(self) -> None:
        """Drop an utterance under way, for example because Hector itself began to speak."""
        self._buffer = []
        self._presume_silence()

    def _take(self, block: Samples) -> Utterance | None:
        self._blocks += 1
        speech = self._detector.accept(block)
        if not self._buffer:
            self._lead.append(block)
            if speech and not self._is_deaf:
                self._begin()
            return None
        self._buffer.append(block)
        level = self._detector.level_db
        if level >= self._detecting.stay_db or (self._unfinished and level >= self._detecting.faint_db):
            self._seen = None
        self._sounding += self._detector.sound
        if speech:
            if self._last < self._blocks - 1 and self._look_at > self._look:
                # It was looked at in vain: in a voice with many breaks the next look comes a little later.
                self._look = min(self._look + _PATIENCE, self._endpoint.complete)
            self._last = self._blocks
            self._look_at = self._look
            return self._cut() if self._is_too_long() else None
        return self._silent()

    def _begin(self) -> None:
        self._buffer = list(self._lead)
        self._lead.clear()
        self._opened = self._blocks - len(self._buffer)
        self._first = self._blocks - self._detector.rising
        self._last = self._blocks
        self._sounding = self._start_blocks
        self._is_rest = (self._first - self._cut_at) * _BLOCK_SECONDS < self._endpoint.unfinished
        self._is_early = not self._detector.knows_the_room
        self._look = self._look_at = self._endpoint.look
        self._seen = None
        self._unfinished = False
        with self._or_deaf():
            self._ear.prepare()

    @contextmanager
    def _or_deaf(self) -> Iterator[None]:
        """Hear nothing any longer where what is expected cannot be listened for."""
        try:
            yield
        except HectorError:
            self._is_deaf = True
            self.reset()
            raise

    def _silent(self) -> Utterance | None:
        silence = (self._blocks - self._last) * _BLOCK_SECONDS
        if silence < self._look_at - 1e-6:
            return None
        began = time.perf_counter()
        if self._sounding * _BLOCK_SECONDS < self._endpoint.shortest:
            self._drop()
            return None
        look = self._seen = self._seen or self._look_now()
        readings = look.readings
        # In noise the detector may lose a soft word that the decoder still follows: then it is right.
        spoken = self._opened + round((look.before + readings.spoken_until) / _BLOCK_SECONDS)
        self._last = max(self._last, min(spoken, self._blocks))
        silence = (self._blocks - self._last) * _BLOCK_SECONDS
        self._unfinished = self._onlooker.is_unfinished(look)
        if self._unfinished and silence < self._endpoint.unfinished - 1e-6:
            # A soft last word may have been lost in noise: in a room that stirs it is looked for soon.
            self._look_at = min(self._endpoint.unfinished, silence + self._endpoint.again)
            return None
        self._look_at = self._onlooker.patience_with(look)
        if silence < self._look_at - 1e-6:
            return None
        return self._close(look, began)

    def _is_too_long(self) -> bool:
        """Whether nobody announces a move for so long; who pauses inside a phrase has twice the time."""
        longest = self._endpoint.longest * (2 if self._unfinished else 1)
        return len(self._buffer) * _BLOCK_SECONDS >= longest

    def _cut(self) -> Utterance | None:
        """End an utterance at once, although the voice goes on."""
        utterance = self._end(is_cut=True)
        self._cut_at = self._blocks
        return utterance

    def _end(self, *, is_cut: bool = False) -> Utterance | None:
        began = time.perf_counter()
        return self._close(self._look_now(), began, is_cut=is_cut)

    def _look_now(self) -> Look:
        return self._onlooker.look_at(np.concatenate(self._buffer))

    def _close(self, look: Look, began: float, *, is_cut: bool = False) -> Utterance | None:
        recorded = np.concatenate(self._buffer)
        readings = look.readings
        # A noise before the words is not their beginning.
        begun = self._opened * _BLOCK_SECONDS + look.before
        spoken = begun + readings.spoken_from
        start = max(self._first * _BLOCK_SECONDS, spoken - _ONSET)
        end = self._last * _BLOCK_SECONDS
        if look.after:
            end = min(end, begun + readings.spoken_until)
        waited = self._blocks * _BLOCK_SECONDS - end
        sounding = self._sounding
        if self._is_early:
            # Until the detector knew the room it may have taken its noise for a voice.
            sounding = min(sounding, sounding_blocks(recorded))
        sound = sounding * _BLOCK_SECONDS - self._endpoint.lead - look.before - look.after
        self._drop()
        if not readings.grammatical or not readings.grammatical[0].words:
            return None
        if readings.spoken_for < self._endpoint.covered * sound:
            return None
        self.audio = recorded
        words = (look.before + at for at in (readings.spoken_from, readings.spoken_until))
        stands_out = stands_out_db(recorded, *(round(at * SAMPLE_RATE) for at in words))
        utterance = self._onlooker.utterance(look, start, end, stands_out)
        latency = round((waited + time.perf_counter() - began) * 1000, 1)
        # A voice that stands out of the talk around it is heard as a whole.
        is_part = (self._is_rest and not look.before) or (is_cut and not look.after)
        return replace(utterance, latency_ms=latency, is_cut=is_part)

    def _drop(self) -> None:
        # What came after the speech may be the beginning of the next.
        after = self._blocks - self._last
        self._lead.extend(self._buffer[len(self._buffer) - after :])
        self._buffer = []

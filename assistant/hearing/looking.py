"""From what was recorded of an utterance to what it is read as.

Where others talk before and after, the voice that stands out of it is read by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from assistant.hearing.detector import louder_parts
from assistant.hearing.endpoint import Endpoint
from assistant.hearing.engine import Samples, levelled, played
from assistant.hearing.graph import Phrase, prefix_tree
from assistant.hearing.listening import Ear, Readings, frames_in, is_unfinished
from assistant.sound import SAMPLE_RATE
from assistant.utterance import LONG, SHORT, Transcript, Utterance, WordGraph

_PACES = (0.92, 1.09)
"""How an utterance is played when it is heard again: people differ from the voices of the training in tempo
and in the length of the vocal tract."""


@dataclass(slots=True)
class Look:
    """What a recorded utterance was read as."""

    samples: Samples
    filler: Callable[[], float]
    readings: Readings
    before: float = 0.0
    """Seconds of what was recorded that lie before these samples: talk."""
    after: float = 0.0
    """Seconds that lie after them."""


class Onlooker:
    """Looks at what was recorded, as often as it is asked to, by one ear."""

    def __init__(self, ear: Ear, endpoint: Endpoint) -> None:
        """Make ready; what is expected is set later."""
        self._ear = ear
        self._endpoint = endpoint
        self._expected = 0

    def expect(self, phrases: WordGraph | Iterable[Phrase], open_grammar: WordGraph | None = None) -> None:
        """Set what may be said from now on; see `Recogniser.expect`."""
        self._expected += 1
        self._ear.expect(phrases if isinstance(phrases, WordGraph) else prefix_tree(phrases), open_grammar)

    def look_at(self, recorded: Samples) -> Look:
        """Look at what was recorded so far, as a whole or at the voice that stands out of it."""
        return self._without_murmur(self._look_into(levelled(recorded)), recorded)

    def is_unfinished(self, look: Look) -> bool:
        """Return whether the speaker seems to pause inside a phrase."""
        position, language = self._ear.position, self._ear.language
        return is_unfinished(look.readings, position, language, self._endpoint.clear_illegal)

    def patience_with(self, look: Look) -> float:
        """Return after how much silence an utterance is over that is not unfinished.

        The first word of an announcement, with a pause after it, is easily heard as a short phrase, which it
        fits less well: nothing is lost by waiting for the rest.
        """
        readings = look.readings
        if not readings.grammatical:
            return self._endpoint.complete
        strange = self._strangeness(look)
        if strange > self._endpoint.clear_short and 0 < len(readings.grammatical[0].words) <= SHORT:
            return self._endpoint.unclear
        clear = strange <= self._endpoint.clear_foreign
        return self._endpoint.done if clear and self._may_be_done(readings) else self._endpoint.complete

    def utterance(self, look: Look, start: float, end: float, stands_out: float) -> Utterance:
        """Return what was heard, and when, in seconds of the stream.

        :param stands_out: decibels by which the words are louder than what is around them.
        """
        first = self._heard(look, start, end, stands_out)
        return replace(first, again=self._second_hearing(first, look.samples))

    def _heard(self, look: Look, start: float, end: float, stands_out: float) -> Utterance:
        legal = look.readings.legal
        if not legal and not self._is_hopeless(look):
            legal = self._ear.legal_after_all(look.samples)
        # A phrase of the position is grammatical too, although the open grammar was not asked for it.
        best: dict[tuple[str, ...], Transcript] = {}
        for reading in sorted((*look.readings.grammatical, *legal), key=lambda reading: -reading.score):
            best.setdefault(reading.words, reading)
        frames = frames_in(look.samples)
        return Utterance(start, end, legal, tuple(best.values()), look.filler(), frames, 0.0, stands_out)

    def _second_hearing(self, first: Utterance, samples: Samples) -> Callable[[], Iterator[Utterance]]:
        """Return what `Utterance.again` is for this one: each hearing is made when asked for, and once."""
        expected = self._expected
        heard: list[Utterance] = []

        def again() -> Iterator[Utterance]:
            for k, pace in enumerate(_PACES):
                if k == len(heard):
                    if self._expected != expected:
                        return
                    other = played(samples, pace)
                    look = self._look_into(other)
                    heard.append(self._heard(look, first.start, first.end, first.stands_out))
                yield heard[k]

        return again

    def _may_be_done(self, readings: Readings) -> bool:
        """Whether a phrase of the position was said that cannot go on."""
        if not readings.legal:
            return False
        loss = readings.grammatical[0].score - readings.legal[0].score
        standing = self._ear.position.standing(readings.legal[0].words)
        return loss <= self._endpoint.clear_illegal and not standing.continuable

    def _look_into(self, samples: Samples, before: float = 0.0, after: float = 0.0) -> Look:
        return Look(samples, self._ear.filler(samples), self._ear.read(samples), before, after)

    def _without_murmur(self, look: Look, recorded: Samples) -> Look:
        """Return the best look at the part that stands out, if it is better than the one at the whole.

        Where people talk, something begins an utterance, then the player speaks into it, and they talk on.
        As a whole that is foreign, or more words than he has said; what stands out of it may be an
        announcement. Where the whole makes sense, only the same words count, heard by themselves, or a
        phrase of the position instead of what is none: a word that was said softly belongs to the rest.
        """
        whole = look.readings
        if not whole.grammatical:
            return look
        endpoint = self._endpoint
        first = best = self._strangeness(look)
        found = look
        foreign = first > endpoint.clear_foreign
        enough = endpoint.clear_foreign if first <= endpoint.loud_foreign else endpoint.loud_foreign
        for begin, end in louder_parts(recorded) if first > endpoint.clear else ():
            samples = levelled(recorded[begin:end])
            before, after = begin / SAMPLE_RATE, (len(recorded) - end) / SAMPLE_RATE
            part = self._look_into(samples, before, after)
            if not part.readings.grammatical or not (foreign or _is_same_or_better(part.readings, whole)):
                continue
            if found is not look and _is_long(found.readings) and _is_piece(part.readings):
                # A few of its words always fit a little better.
                continue
            strange = self._strangeness(part)
            most = endpoint.long_foreign if foreign and _is_long(part.readings) else enough
            if strange < best and strange <= most:
                best, found = strange, part
            if best <= endpoint.clear:
                break
        return found

    def _strangeness(self, look: Look) -> float:
        """Return by how much the phone loop outscores the best phrase, per output frame."""
        return (look.filler() - look.readings.grammatical[0].score) / max(frames_in(look.samples), 1)

    def _is_hopeless(self, look: Look) -> bool:
        """Whether nobody spoke to Hector: whatever of the position comes nearest is rejected as foreign."""
        lost = look.filler() - look.readings.score
        return lost > self._endpoint.hopeless_foreign * max(frames_in(look.samples), 1)


def _is_same_or_better(part: Readings, whole: Readings) -> bool:
    """Whether a part of an utterance says the same as the whole, or is a phrase of the position unlike it."""
    heard = part.grammatical[0].words
    if heard == whole.grammatical[0].words:
        return True
    return _is_of_the_position(part) and not _is_of_the_position(whole)


def _is_long(readings: Readings) -> bool:
    """Whether a phrase of the position was heard that is too long to come about by chance."""
    return _is_of_the_position(readings) and len(readings.legal[0].words) >= LONG


def _is_piece(readings: Readings) -> bool:
    """Whether what was heard is no phrase of the position, or so short that any sound may be it."""
    return not _is_of_the_position(readings) or len(readings.legal[0].words) <= SHORT


def _is_of_the_position(readings: Readings) -> bool:
    return bool(readings.legal) and readings.legal[0].words == readings.grammatical[0].words

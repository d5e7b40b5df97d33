"""What one hearing of an utterance says: its best phrases against each other, all speech and the hall."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from assistant.announcements.decision import Decision, Margins
from assistant.announcements.phrasebook import Meaning, Phrasebook
from assistant.announcements.reading import Reading, read_words
from assistant.announcements.reasons import Reason
from assistant.announcements.thresholds import Limits, Thresholds
from assistant.announcements.vocabulary import Vocabulary, Words
from assistant.utterance import LONG, SHORT, Transcript, Utterance

DOUBT_OF_SHORT = {1: 0.65, 2: 0.65, 3: 0.75}
"""The share of the limit `foreign` that a move of so many words may use up: a few sounds of another sentence
may amount to it."""
_ILLEGAL_OF_SHORT = 1 / 3
"""The share of the limit `illegal` that a move of one word or two may use up: of those that were said none
used up any, and of the talk of a hall nearly all that was taken for one did."""
_TOGETHER = 1.35
"""What the shares of `illegal` and `foreign` may be together in a longer move, which does not come about by
chance."""
_MURMUR = 7.0
"""Decibels below which a voice is one of many; one near the microphone stands out of them by ten and more."""
_SHARE_OF_MURMUR = 0.5
"""The share of the limit `foreign` that one of many voices may use up; beyond it a move is asked about."""


@dataclass(frozen=True, slots=True)
class Heard:
    """A set of meanings with the best transcript that has them."""

    meanings: tuple[Meaning, ...]
    words: Words
    score: float


def weigh(utterance: Utterance, phrasebook: Phrasebook, thresholds: Thresholds) -> Decision:
    """Return what to do about an utterance by one hearing of it.

    The rule, in this order:

    1. No words at all: reject.
    2. The phone loop outscores every phrase by more than `foreign` per frame: reject. For a long move than
       which nothing fits better by `illegal` the limit is `long_foreign`. For what is no move of the position
       and does not stand out of the talk around it, it is half as high: one of many voices says anything.
    3. The best grammatical phrase is none of the position and outscores the best of those by more than
       `illegal`: ask, with what was understood. (Where it means the same, for example because "schlägt"
       was said and nothing is captured, it speaks for the move.)
    4. The best phrase has several meanings: ask which.
    5. A phrase with another meaning comes nearer than `rival`: ask which.
    6. A move comes near the limits `illegal` and `foreign` at once, or near `foreign` and does not stand out:
       ask whether it was meant. See `_slack`.
    7. Else accept. Phrases with the same meanings are not rivals; the best of them counts.
    """
    heard = _heard((*utterance.legal, *utterance.grammatical), phrasebook)
    spoken = _best(utterance.grammatical)
    reading = None
    if spoken is not None and spoken.words not in phrasebook.phrases:
        reading = _read(spoken.words, phrasebook)
        if heard and frozenset(_meanings(reading, phrasebook.vocabulary)) == frozenset(heard[0].meanings):
            heard[0] = replace(heard[0], score=max(heard[0].score, spoken.score))
    if not heard and spoken is None:
        return _nothing()

    margins = _margins(utterance, heard, spoken)
    is_murmur = utterance.stands_out < _MURMUR
    limits = _limits(heard, margins, thresholds, is_murmur=is_murmur)
    if not heard or margins.illegal > limits.illegal:
        assert reading is not None, "something was heard, and not in the position's graph"
        found = _elsewhere(reading, margins, limits, heard, phrasebook.vocabulary)
        return replace(found, is_plain=found.code == "illegal" and margins.illegal > thresholds.impossible)
    return _here(heard, margins, limits, phrasebook.vocabulary, is_murmur=is_murmur)


def _margins(utterance: Utterance, heard: Sequence[Heard], spoken: Transcript | None) -> Margins:
    """Measure the best phrases of the position against the best that is grammatical and the phone loop."""
    best = heard[0].score if heard else -math.inf
    rival = heard[1].score if len(heard) > 1 else -math.inf
    grammatical = spoken.score if spoken else -math.inf
    filler = math.inf if math.isnan(utterance.filler) else utterance.filler
    return Margins(
        illegal=grammatical - best if heard else math.inf,
        foreign=(filler - max(best, grammatical)) / max(utterance.frames, 1),
        rival=best - rival if heard else math.inf,
    )


def _limits(heard: Sequence[Heard], margins: Margins, thresholds: Thresholds, *, is_murmur: bool) -> Limits:
    """Return the limits of what fits best: a short command's, a long move's, or those of a murmur."""
    limits = thresholds.announcement
    if heard and heard[0].meanings[0].command and len(heard[0].words) <= SHORT:
        limits = thresholds.short_command
    if heard and heard[0].meanings[0].move and margins.illegal <= limits.illegal:
        if len(heard[0].words) >= LONG:
            # A strong accent tells on every word, and talk does not make so many fit.
            return replace(limits, foreign=max(limits.foreign, thresholds.long_foreign))
        return limits
    return replace(limits, foreign=limits.foreign * _SHARE_OF_MURMUR) if is_murmur else limits


def _here(
    heard: Sequence[Heard], margins: Margins, limits: Limits, vocabulary: Vocabulary, *, is_murmur: bool
) -> Decision:
    """Decide on words that are a phrase of the position, or come near enough."""
    best, *others = heard
    words, text, sure = best.words, vocabulary.written(best.words), confidence(margins, limits)
    if margins.foreign > limits.foreign:
        return Decision("reject", words, text, sure, margins, code="foreign")
    if len(best.meanings) > 1:
        return Decision("ask", words, text, sure / len(best.meanings), margins, best.meanings, "ambiguous")
    near = [other for other in others if best.score - other.score < limits.rival]
    if near:
        candidates = tuple(dict.fromkeys(m for option in (best, *near) for m in option.meanings))
        return Decision("ask", words, text, sure, margins, candidates, "rivals")
    if best.meanings[0].move is not None:
        sure = min(sure, _sure(_slack(words, margins, limits, is_murmur=is_murmur)))
        if sure < 0.5:
            return Decision("ask", words, text, sure, margins, best.meanings, "doubtful")
    return Decision("accept", words, text, sure, margins, best.meanings)


def best_here(utterance: Utterance, phrasebook: Phrasebook) -> Heard | None:
    """Return the best phrase of the position, if there is one."""
    return next(iter(_heard((*utterance.legal, *utterance.grammatical), phrasebook)), None)


def _slack(words: Words, margins: Margins, limits: Limits, *, is_murmur: bool) -> float:
    """Return how far a move is from counting unasked only because each limit is looked at by itself.

    What a player said badly comes within one of the limits and well within the others; talk of the hall that
    sounds like an announcement comes near several at once, and it is short. The shares of `illegal` and
    `foreign` that a short move uses up may be 1 together, and it may use up less of `foreign`, the shortest
    of both. So may any move that does not stand out (`is_murmur`) of `foreign`.
    """
    illegal, foreign = margins.shares(limits)
    most = min(DOUBT_OF_SHORT.get(len(words), math.inf), _SHARE_OF_MURMUR if is_murmur else math.inf)
    together = 1.0 if len(words) in DOUBT_OF_SHORT else _TOGETHER
    slack = min(1.0, together - illegal - foreign, 1.0 - foreign / most)
    return min(slack, 1.0 - illegal / _ILLEGAL_OF_SHORT) if len(words) <= SHORT else slack


def confidence(margins: Margins, limits: Limits) -> float:
    """Return how safely the margins keep within the limits, 0 to 1: 0.5 on the border, 0.99 far inside.

    Each margin's slack is its distance from its limit, in units of that limit and at most 1; the smallest
    slack s counts, as 1 / (1 + exp(-4.6 s)). It orders decisions of one model by safety; it is not the
    probability of being right.
    """
    slack = min(
        1.0,
        (limits.illegal - margins.illegal) / limits.illegal,
        (limits.foreign - margins.foreign) / limits.foreign,
        (margins.rival - limits.rival) / limits.rival,
    )
    return _sure(slack)


def _sure(slack: float) -> float:
    return 1 / (1 + math.exp(-4.6 * max(slack, -100.0)))


def _heard(transcripts: Iterable[Transcript], phrasebook: Phrasebook) -> list[Heard]:
    """Return the meanings that were heard, best first, each once."""
    found: dict[frozenset[Meaning], Heard] = {}
    for transcript in sorted(_usable(transcripts), key=lambda each: (-each.score, each.words)):
        meanings = _meanings_of(transcript.words, phrasebook)
        if meanings:
            found.setdefault(frozenset(meanings), Heard(meanings, transcript.words, transcript.score))
    return list(found.values())


def _meanings_of(words: Words, phrasebook: Phrasebook) -> tuple[Meaning, ...]:
    """Return what words mean in the position; words about check mean nothing, be they true or not.

    Where only the true ones counted, whoever adds "matt" to a move would be asked about the one that mates.
    """
    found = phrasebook.phrases.get(words)
    if found is not None:
        return found
    meanings = phrasebook.phrases.get(phrasebook.vocabulary.without_check(words), ())
    return meanings if meanings and meanings[0].move is not None else ()


def _best(transcripts: Iterable[Transcript]) -> Transcript | None:
    return max(_usable(transcripts), key=lambda transcript: transcript.score, default=None)


def _usable(transcripts: Iterable[Transcript]) -> list[Transcript]:
    return [transcript for transcript in transcripts if transcript.words and math.isfinite(transcript.score)]


def _read(words: Words, phrasebook: Phrasebook) -> Reading:
    """Read words that are no phrase of the position; a command that is none now is a fault of its own."""
    words = phrasebook.vocabulary.behind(words, "yes", "no") or words
    reading = read_words(phrasebook.board, words, phrasebook.vocabulary)
    if reading.command is None:
        return reading
    return Reading(words, reason=Reason("command-not-now", words=words))


def _meanings(reading: Reading, vocabulary: Vocabulary) -> tuple[Meaning, ...]:
    if reading.instead is None:
        return tuple(Meaning(move) for move in reading.moves)
    mending = {phrase.command: None for phrase in vocabulary.wordings("correction")}
    return tuple(Meaning(move, command) for command in mending for move in reading.instead.moves)


def _elsewhere(
    reading: Reading, margins: Margins, limits: Limits, heard: Sequence[Heard], vocabulary: Vocabulary
) -> Decision:
    """Decide on words that outscore every phrase of the position by too much."""
    words, text, sure = reading.words, vocabulary.written(reading.words), confidence(margins, limits)
    if margins.foreign > limits.foreign:
        return Decision("reject", words, text, sure, margins, code="foreign")
    likely = heard[0].meanings if heard else ()
    meant = _meanings(reading, vocabulary)
    if meant:
        candidates = tuple(dict.fromkeys((*meant, *likely)))
        return Decision("ask", words, text, sure, margins, candidates, "rivals", reading)
    return Decision("ask", words, text, sure, margins, likely, "illegal", reading)


def _nothing() -> Decision:
    margins = Margins(illegal=math.inf, foreign=math.inf, rival=math.inf)
    return Decision("reject", (), "", 0.0, margins, code="nothing")

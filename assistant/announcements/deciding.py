"""What to do with an utterance: accept it, ask back, or pass over it in silence."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

import chess

from assistant.announcements.phrasebook import Meaning, Phrasebook
from assistant.announcements.reading import Reading, read_words
from assistant.announcements.reasons import Reason
from assistant.announcements.thresholds import Limits, Thresholds
from assistant.announcements.vocabulary import Command, Vocabulary, Words
from assistant.utterance import LONG, SHORT, Transcript, Utterance

_DOUBT_OF_SHORT = {1: 0.65, 2: 0.65, 3: 0.75}
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
_SAFE = 0.85
"""The confidence from which one hearing is enough."""
_UNSURE = 0.49
"""The confidence of what other hearings did not confirm."""
_HOPE = 2.0
"""Beyond so many times the limit `illegal`, nothing is heard again."""


@dataclass(frozen=True, slots=True)
class Margins:
    """The measured distances that `Limits` bound; `inf` where there is nothing to compare with."""

    illegal: float
    foreign: float
    rival: float

    def shares(self, limits: Limits) -> tuple[float, float]:
        """Return how much of the limits `illegal` and `foreign` is used up; 1 is on the limit."""
        return max(self.illegal, 0.0) / limits.illegal, max(self.foreign, 0.0) / limits.foreign


@dataclass(frozen=True, slots=True)
class Decision:
    """What was understood and what to do about it."""

    kind: Literal["accept", "ask", "reject"]
    words: Words
    """What was understood, as tokens; empty if nothing was."""
    text: str
    """The same as it is written."""
    confidence: float
    """0 to 1, see `confidence`; 0.5 is the border of acceptance."""
    margins: Margins
    candidates: tuple[Meaning, ...] = ()
    """The accepted meaning; or what to ask about, likeliest first."""
    code: str | None = None
    """Why it is not accepted: `nothing`, `foreign`, `illegal` (a move or command that is not possible now,
    see `reading`), `ambiguous` (one phrase with several meanings), `rivals` (several phrases), `doubtful`
    (near several limits at once, or not confirmed by other hearings)."""
    reading: Reading | None = None
    """What the words mean, where they are not a phrase of the position."""
    is_plain: bool = False
    """Of what is `illegal`: whether it was said so clearly that none of the candidates was meant."""

    @property
    def meaning(self) -> Meaning | None:
        """The accepted meaning."""
        return self.candidates[0] if self.kind == "accept" else None

    @property
    def move(self) -> chess.Move | None:
        """The accepted move."""
        return self.meaning.move if self.meaning else None

    @property
    def command(self) -> Command | None:
        """The accepted command."""
        return self.meaning.command if self.meaning else None

    @property
    def reason(self) -> str | None:
        """Why it is not accepted, as an English sentence."""
        if self.code == "illegal" and self.reading is not None and self.reading.reason is not None:
            return self.reading.reason.text
        return None if self.code is None else _SENTENCES[self.code]


_SENTENCES = {
    "nothing": "No words were heard.",
    "foreign": "That was neither a move nor a command.",
    "illegal": "That is not possible now.",
    "ambiguous": "That can mean more than one move.",
    "rivals": "It was not clear which of them was said.",
    "doubtful": "It was not clear whether that was meant.",
}


def mended(decision: Decision, vocabulary: Vocabulary) -> Decision | None:
    """Return a decision about what was said behind the word for a correction; `None` if that is nothing.

    What else may have been meant is a correction too, and no opponent's answer.
    """
    rest = vocabulary.behind(decision.words, "correction")
    if not rest:
        return None
    reading = None if decision.reading is None else decision.reading.instead
    meant = tuple(each for each in decision.candidates if each.command is not None)
    return replace(decision, words=rest, text=vocabulary.written(rest), reading=reading, candidates=meant)


@dataclass(frozen=True, slots=True)
class _Heard:
    """A set of meanings with the best transcript that has them."""

    meanings: tuple[Meaning, ...]
    words: Words
    score: float


def decide(utterance: Utterance, phrasebook: Phrasebook, thresholds: Thresholds) -> Decision:
    """Return whether an utterance is accepted as a move or command of the phrasebook.

    What is not quite clear is heard again, a little slower and a little faster (`Utterance.again`). People
    differ in tempo and in the length of the vocal tract, and what was said is heard every time, while what
    the hall made up comes and goes:

    - What would be accepted, but not safely, must be accepted in another hearing too; a command of one word
      or two in all of them. Else it is asked about, a short command is passed over.
    - A long move that would be asked about is accepted if it is clear in another hearing, and the best of
      the position in each. Of shorter ones, and of what is foreign, another hearing says nothing new.

    A move whose announcement was cut (`Utterance.is_cut`) is asked about: there may be more of it.
    """
    decision = _settled(utterance, phrasebook, thresholds)
    return _doubtful(decision) if utterance.is_cut and decision.move is not None else decision


def _settled(utterance: Utterance, phrasebook: Phrasebook, thresholds: Thresholds) -> Decision:
    """Decide by as many hearings as it takes."""
    first = _decide(utterance, phrasebook, thresholds)
    if first.kind == "accept":
        return first if first.confidence >= _SAFE else _confirmed(first, utterance, phrasebook, thresholds)
    meant = _best_here(utterance, phrasebook)
    if meant is None or len(meant.words) <= max(_DOUBT_OF_SHORT) or not _is_hopeful(first, thresholds):
        return first
    clear: list[Decision] = []
    for other in utterance.again():
        best = _best_here(other, phrasebook)
        if best is None or set(best.meanings) != set(meant.meanings):
            return first
        clear += _accepted(other, phrasebook, thresholds)
    return clear[0] if clear else first


def _confirmed(
    first: Decision, utterance: Utterance, phrasebook: Phrasebook, thresholds: Thresholds
) -> Decision:
    """Return an acceptance that is not safe, or what becomes of it if the other hearings do not agree."""
    short = first.command is not None and len(first.words) <= SHORT
    stands = True
    for other in utterance.again():
        stands = any(each.meaning == first.meaning for each in _accepted(other, phrasebook, thresholds))
        if stands != short:
            # one that agrees is enough for a move, one that does not for a short command
            break
    if stands:
        return first
    doubtful = _doubtful(first)
    return replace(doubtful, kind="reject") if short else doubtful


def _doubtful(accepted: Decision) -> Decision:
    """Return a decision that asks about what would be accepted."""
    sure = min(accepted.confidence, _UNSURE)
    return replace(accepted, kind="ask", code="doubtful", confidence=sure)


def _accepted(utterance: Utterance, phrasebook: Phrasebook, thresholds: Thresholds) -> list[Decision]:
    """Return the decision about one hearing if it is to accept."""
    decision = _decide(utterance, phrasebook, thresholds)
    return [decision] if decision.kind == "accept" else []


def _is_hopeful(decision: Decision, thresholds: Thresholds) -> bool:
    """Whether another hearing may settle what this one could not."""
    near = decision.margins.illegal <= _HOPE * thresholds.announcement.illegal
    return decision.kind == "ask" and decision.code != "ambiguous" and near


def _best_here(utterance: Utterance, phrasebook: Phrasebook) -> _Heard | None:
    """Return the best phrase of the position, if there is one."""
    return next(iter(_heard((*utterance.legal, *utterance.grammatical), phrasebook)), None)


def _decide(utterance: Utterance, phrasebook: Phrasebook, thresholds: Thresholds) -> Decision:
    """Decide by one hearing.

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
    vocabulary = phrasebook.vocabulary
    heard = _heard((*utterance.legal, *utterance.grammatical), phrasebook)
    spoken = _best(utterance.grammatical)
    reading = None
    if spoken is not None and spoken.words not in phrasebook.phrases:
        reading = _read(spoken.words, phrasebook)
        if heard and frozenset(_meanings(reading, vocabulary)) == frozenset(heard[0].meanings):
            heard[0] = replace(heard[0], score=max(heard[0].score, spoken.score))
    if not heard and spoken is None:
        return _nothing()

    best = heard[0] if heard else None
    rival = heard[1].score if len(heard) > 1 else -math.inf
    top = max(best.score if best else -math.inf, spoken.score if spoken else -math.inf)
    filler = math.inf if math.isnan(utterance.filler) else utterance.filler
    margins = Margins(
        illegal=math.inf if best is None else (spoken.score if spoken else -math.inf) - best.score,
        foreign=(filler - top) / max(utterance.frames, 1),
        rival=math.inf if best is None else best.score - rival,
    )
    limits = thresholds.announcement
    if best and best.meanings[0].command and len(best.words) <= SHORT:
        limits = thresholds.short_command
    is_here = margins.illegal <= limits.illegal
    is_murmur = utterance.stands_out < _MURMUR
    if best and best.meanings[0].move and is_here:
        if len(best.words) >= LONG:
            # A strong accent tells on every word, and talk does not make so many fit.
            limits = replace(limits, foreign=max(limits.foreign, thresholds.long_foreign))
    elif is_murmur:
        limits = replace(limits, foreign=limits.foreign * _SHARE_OF_MURMUR)
    sure = confidence(margins, limits)

    if best is None or not is_here:
        assert reading is not None, "something was heard, and not in the position's graph"
        found = _elsewhere(reading, sure, margins, limits, best, vocabulary)
        return replace(found, is_plain=found.code == "illegal" and margins.illegal > thresholds.impossible)
    words, text = best.words, vocabulary.written(best.words)
    if margins.foreign > limits.foreign:
        return Decision("reject", words, text, sure, margins, code="foreign")
    if len(best.meanings) > 1:
        return Decision("ask", words, text, sure / len(best.meanings), margins, best.meanings, "ambiguous")
    near = [other for other in heard[1:] if best.score - other.score < limits.rival]
    if near:
        candidates = tuple(dict.fromkeys(m for option in (best, *near) for m in option.meanings))
        return Decision("ask", words, text, sure, margins, candidates, "rivals")
    if best.meanings[0].move is not None:
        sure = min(sure, _sure(_slack(words, margins, limits, is_murmur=is_murmur)))
        if sure < 0.5:
            return Decision("ask", words, text, sure, margins, best.meanings, "doubtful")
    return Decision("accept", words, text, sure, margins, best.meanings)


def _slack(words: Words, margins: Margins, limits: Limits, *, is_murmur: bool) -> float:
    """Return how far a move is from counting unasked only because each limit is looked at by itself.

    What a player said badly comes within one of the limits and well within the others; talk of the hall that
    sounds like an announcement comes near several at once, and it is short. The shares of `illegal` and
    `foreign` that a short move uses up may be 1 together, and it may use up less of `foreign`, the shortest
    of both. So may any move that does not stand out (`is_murmur`) of `foreign`.
    """
    illegal, foreign = margins.shares(limits)
    most = min(_DOUBT_OF_SHORT.get(len(words), math.inf), _SHARE_OF_MURMUR if is_murmur else math.inf)
    together = 1.0 if len(words) in _DOUBT_OF_SHORT else _TOGETHER
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


def _heard(transcripts: Iterable[Transcript], phrasebook: Phrasebook) -> list[_Heard]:
    """Return the meanings that were heard, best first, each once."""
    found: dict[frozenset[Meaning], _Heard] = {}
    for transcript in sorted(_usable(transcripts), key=lambda each: (-each.score, each.words)):
        meanings = _meanings_of(transcript.words, phrasebook)
        if meanings:
            found.setdefault(frozenset(meanings), _Heard(meanings, transcript.words, transcript.score))
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
    reading: Reading,
    sure: float,
    margins: Margins,
    limits: Limits,
    best: _Heard | None,
    vocabulary: Vocabulary,
) -> Decision:
    """Decide on words that outscore every phrase of the position by too much."""
    words, text = reading.words, vocabulary.written(reading.words)
    if margins.foreign > limits.foreign:
        return Decision("reject", words, text, sure, margins, code="foreign")
    likely = best.meanings if best else ()
    meant = _meanings(reading, vocabulary)
    if meant:
        candidates = tuple(dict.fromkeys((*meant, *likely)))
        return Decision("ask", words, text, sure, margins, candidates, "rivals", reading)
    return Decision("ask", words, text, sure, margins, likely, "illegal", reading)


def _nothing() -> Decision:
    margins = Margins(illegal=math.inf, foreign=math.inf, rival=math.inf)
    return Decision("reject", (), "", 0.0, margins, code="nothing")

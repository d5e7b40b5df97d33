"""What to do with an utterance: accept it, ask back, or pass over it in silence."""

from __future__ import annotations

from dataclasses import replace

from assistant.announcements.decision import Decision
from assistant.announcements.phrasebook import Phrasebook
from assistant.announcements.thresholds import Thresholds
from assistant.announcements.weighing import DOUBT_OF_SHORT, best_here, weigh
from assistant.utterance import SHORT, Utterance

_SAFE = 0.85
"""The confidence from which one hearing is enough."""
_UNSURE = 0.49
"""The confidence of what other hearings did not confirm."""
_HOPE = 2.0
"""Beyond so many times the limit `illegal`, nothing is heard again."""


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
    first = weigh(utterance, phrasebook, thresholds)
    if first.kind == "accept":
        return first if first.confidence >= _SAFE else _confirmed(first, utterance, phrasebook, thresholds)
    meant = best_here(utterance, phrasebook)
    if meant is None or len(meant.words) <= max(DOUBT_OF_SHORT) or not _is_hopeful(first, thresholds):
        return first
    clear: list[Decision] = []
    for other in utterance.again():
        best = best_here(other, phrasebook)
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
    decision = weigh(utterance, phrasebook, thresholds)
    return [decision] if decision.kind == "accept" else []


def _is_hopeful(decision: Decision, thresholds: Thresholds) -> bool:
    """Whether another hearing may settle what this one could not."""
    near = decision.margins.illegal <= _HOPE * thresholds.announcement.illegal
    return decision.kind == "ask" and decision.code != "ambiguous" and near

"""Was that said to Hector? Doubts about an utterance that its sound alone does not settle.

Where many people talk, much that is said near the microphone is not meant for Hector. All limits are those
of the acoustic model's decision, and what is here are shares of them.
"""

from __future__ import annotations

from typing import Final

from assistant.announcements import Decision, Phrasebook, Thresholds

FITS: Final = 0.47
"""The share of the limit `foreign` that what is no move of the position may use up, were it almost one."""
FITS_ALONE: Final = 0.04
"""How much more it may for each time the limit `illegal` that it is farther from every move of the position:
who announces a move that is not possible says words that nothing else fits; talk fits none."""
NEAR: Final = 0.5
"""The share of the limit `illegal` that something which is asked for again may use up."""
ALMOST: Final = 1.6
"""How many times the limit `foreign` may be exceeded by something that is asked for again."""


def is_talk(decision: Decision, thresholds: Thresholds) -> bool:
    """Return whether something that would be asked about was most likely said to somebody else."""
    if decision.kind != "ask" or decision.code != "illegal":
        return False
    reading = decision.reading
    if reading is not None and reading.reason is not None and reading.reason.code == "command-not-now":
        # A single word that nobody waits for.
        return True
    illegal, foreign = decision.margins.shares(thresholds.announcement)
    return foreign > FITS + FITS_ALONE * illegal


def is_almost_understood(
    decision: Decision, book: Phrasebook, thresholds: Thresholds, *, awaited: bool
) -> bool:
    """Return whether something that was passed over is worth a "Pardon?".

    A move of the position has to have been heard, which only sounded foreign. With `awaited` an answer to a
    question is expected, and anything that may be said now may have been it.
    """
    if decision.kind != "reject" or not decision.words:
        return False
    illegal, foreign = decision.margins.shares(thresholds.announcement)
    if foreign > ALMOST or illegal > NEAR:
        return False
    return awaited or any(meaning.move is not None for meaning in book.phrases.get(decision.words, ()))


def is_correction(decision: Decision, book: Phrasebook) -> bool:
    """Return whether the word that takes a move back was heard, however clearly."""
    meanings = book.phrases.get(decision.words, ())
    return any(each.command is not None and each.command.name == "correction" for each in meanings)

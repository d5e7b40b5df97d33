"""What was understood of an utterance, how surely, and what to do about it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import chess

from assistant.announcements.phrasebook import Meaning
from assistant.announcements.reading import Reading
from assistant.announcements.thresholds import Limits
from assistant.announcements.vocabulary import Command, Vocabulary, Words


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

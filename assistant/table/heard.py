"""What was heard, for those who read along and for the journal."""

from __future__ import annotations

from typing import Any, Final

from assistant.announcements import Decision
from assistant.sides import Side
from assistant.speaking import SIDES, Message, _, translate
from assistant.table.wording import Wording

# Translators: after a player's name and a colon: what was heard of him were no words.
_NOTHING: Final[Message] = _("nothing")


def heard_line(whose: Side, decision: Decision, wording: Wording, language: str) -> str:
    """Return the line of the terminal about an utterance; what is not accepted says why, for the record.

    Why something is asked about is left out where its players must not read that a move is illegal.
    """
    words = wording.heard(decision.words) or translate(_NOTHING, language)
    line = f"{translate(SIDES[whose], language).capitalize()}: {words}"
    if decision.kind == "accept":
        return line
    is_told = decision.kind != "ask" or wording.tells_why_asked
    return f"{line} ({decision.kind}: {decision.code})" if is_told else f"{line} ({decision.kind})"


def evidence(decision: Decision) -> dict[str, Any]:
    """Return what the journal keeps about how a move was heard."""
    return {"heard": " ".join(decision.words), "confidence": round(decision.confidence, 3)}

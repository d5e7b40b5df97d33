"""What the referee says, in the language of whoever reads it: why something was refused, a law."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from assistant.arbiter.texts import text
from assistant.errors import Phrase
from assistant.laws import Event, law_text
from assistant.speaking import Hearers, event_sentences, gives_reason, told

WITH_MOVE: Final = frozenset({"announce", "place", "correct", "repeat", "claim"})
"""Verbs of the game script that may name a move."""
_ON_THE_BOARD: Final = frozenset(
    {
        "there is no man on {square}",
        "the man on {square} is the opponent's",
        "a man of the same colour stands on {square}",
    }
)
"""What everybody sees of a move that cannot be, whatever the legality of others."""


def sentence_of(reason: Phrase, language: str) -> str:
    """Return why something was refused as a sentence of its own."""
    words = told(reason, language)
    return f"{words[:1].upper()}{words[1:]}."


def law_in(event: Event, language: str) -> str:
    """Return the text of the article that an `answer` is about, in a language if it is written in it."""
    article = event.article
    found = None if article is None else law_text(article.edition, article.number, language)
    return str(event.keys["text"]) if found is None else found.text


def may_know_why(event: Mapping[str, Any], mode: str) -> bool:
    """Return whether a player may be told what the Laws have against what he wanted: not of a move."""
    return mode == "club" or event.get("do") not in WITH_MOVE - {"claim"}


def sentence_for_player(event: Mapping[str, Any], language: str, mode: str) -> str:
    """Return why something was refused as the player may read it who wanted it.

    In a rated game nothing is told of a move but what stands on the board.
    """
    if gives_reason(event):
        hearers = Hearers(language=language)
        return " ".join(each.text for each in event_sentences({"event": "refused", **event}, hearers))
    reason: Phrase = event["reason"]
    if may_know_why(event, mode) or reason.template in _ON_THE_BOARD:
        return sentence_of(reason, language)
    return text("no-move", language)

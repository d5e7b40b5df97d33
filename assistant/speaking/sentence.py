"""One thing to be said: plain data between those who know what to say and the voice."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import IntEnum
from typing import Final, Literal, TypeAlias

from assistant.speaking.messages import Message, Segments, Value, fill

_SENTENCE_START: Final = re.compile(r"(?:^|[.?!]\s)[\s¿¡]*[^\W\d_]")

Audience: TypeAlias = Literal["white", "black", "room", "arbiter"]
"""Who may hear a sentence: one player alone, everybody at the board, or the arbiter alone."""
AUDIENCES: Final[tuple[Audience, ...]] = ("white", "black", "room", "arbiter")


class Priority(IntEnum):
    """How urgent a sentence is; the lower, the sooner."""

    ALARM = 0
    """Cuts whatever is being said: a device is lost, a repetition differs."""
    REPLY = 1
    """Moves, answers, rulings: never cut by chatter."""
    CHATTER = 2
    """Dropped as soon as there is anything better to say."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """One thing to be said."""

    text: str
    """All of it, as it is printed and logged."""
    language: str
    """The language of the sentence; words of another one may stand in it."""
    priority: Priority = Priority.REPLY
    audience: Audience = "room"
    stale_key: str | None = None
    """A later sentence with the same key replaces this one, even while it is being said."""
    segments: Segments = ()
    """The text in pieces of one language each; joined they are the text."""
    repeatable: bool = True
    """Whether "repeat that" means this sentence: "Pardon?" is not worth repeating."""

    def __post_init__(self) -> None:
        if not self.segments:
            object.__setattr__(self, "segments", ((self.language, self.text),))


def compose(
    message: Message,
    language: str,
    *,
    priority: Priority = Priority.REPLY,
    audience: Audience = "room",
    stale_key: str | None = None,
    repeatable: bool = True,
    **values: Value,
) -> Sentence:
    """Fill a message and make a sentence of it."""
    segments = fill(message, language, **values)
    return from_segments(
        segments, language, priority=priority, audience=audience, stale_key=stale_key, repeatable=repeatable
    )


def from_segments(
    segments: Segments,
    language: str,
    *,
    priority: Priority = Priority.REPLY,
    audience: Audience = "room",
    stale_key: str | None = None,
    repeatable: bool = True,
) -> Sentence:
    """Make a sentence of text that is already in words, the first letter of each sentence in it large."""
    segments = _with_capitals(segments)
    return Sentence(
        text="".join(text for _, text in segments),
        language=language,
        priority=priority,
        audience=audience,
        stale_key=stale_key,
        segments=segments,
        repeatable=repeatable,
    )


def _with_capitals(segments: Segments) -> Segments:
    text = _SENTENCE_START.sub(lambda match: match[0].upper(), "".join(text for _language, text in segments))
    pieces = []
    for language, piece in segments:
        pieces.append((language, text[: len(piece)]))
        text = text[len(piece) :]
    return tuple(pieces)


class SentenceMaker:
    """Makes sentences in one language, for one audience by default."""

    def __init__(self, language: str, audience: Audience = "room") -> None:
        self.language = language
        self.audience: Audience = audience

    def _say(
        self,
        message: Message,
        *,
        priority: Priority = Priority.REPLY,
        audience: Audience | None = None,
        stale_key: str | None = None,
        repeatable: bool = True,
        **values: Value,
    ) -> Sentence:
        return compose(
            message,
            self.language,
            priority=priority,
            audience=audience or self.audience,
            stale_key=stale_key,
            repeatable=repeatable,
            **values,
        )

    def _segments(self, message: Message, **values: Value) -> Segments:
        return fill(message, self.language, **values)

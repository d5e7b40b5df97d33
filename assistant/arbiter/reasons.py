"""What the referee says, in the language of whoever reads it: why something was refused, a law."""

from __future__ import annotations

from assistant.errors import Phrase
from assistant.laws import Event, law_text
from assistant.speaking import told


def sentence_of(reason: Phrase, language: str) -> str:
    """Return why something was refused as a sentence of its own."""
    words = told(reason, language)
    return f"{words[:1].upper()}{words[1:]}."


def law_in(event: Event, language: str) -> str:
    """Return the text of the article that an `answer` is about, in a language if it is written in it."""
    article = event.article
    found = None if article is None else law_text(article.edition, article.number, language)
    return str(event.keys["text"]) if found is None else found.text

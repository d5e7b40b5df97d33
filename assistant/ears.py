"""What it takes to understand announcements: a vocabulary, a model that hears it, and its thresholds."""

from __future__ import annotations

from dataclasses import dataclass

from assistant.announcements import Thresholds, Vocabulary, load_thresholds, open_grammar
from assistant.hearing import AcousticModel, Recogniser


@dataclass(frozen=True, slots=True)
class Ears:
    """A recogniser, the words it listens for, and when to believe it."""

    vocabulary: Vocabulary
    thresholds: Thresholds
    recogniser: Recogniser


def ears_of(model: AcousticModel, vocabulary: Vocabulary) -> Ears:
    """Return what hears the announcements of a vocabulary through a model.

    :raises HectorError: if the model lacks a word of the vocabulary or cannot be used.
    """
    recogniser = Recogniser(model, open_grammar=open_grammar(vocabulary))
    return Ears(vocabulary, load_thresholds(model.thresholds), recogniser)

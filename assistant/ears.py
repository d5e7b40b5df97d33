"""What it takes to understand announcements: a vocabulary, a model that hears it, and its thresholds."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from assistant.announcements import Thresholds, Vocabulary, load_thresholds, open_grammar, price_of
from assistant.hearing import AcousticModel, Deaf, Listener, Recogniser


@dataclass(frozen=True, slots=True)
class Ears:
    """Whoever listens, the words that are listened for, and when to believe them."""

    vocabulary: Vocabulary
    thresholds: Thresholds
    recogniser: Listener


def ears_of(model: AcousticModel, vocabulary: Vocabulary) -> Ears:
    """Return what hears the announcements of a vocabulary through a model.

    :raises HectorError: if the model lacks a word of the vocabulary or cannot be used.
    """
    thresholds = load_thresholds(model.thresholds)
    recogniser = Recogniser(
        model,
        open_grammar=open_grammar(vocabulary),
        price=partial(price_of, vocabulary=vocabulary),
        written=written_in(vocabulary),
    )
    return Ears(vocabulary, thresholds, recogniser)


def deaf_ears(model: AcousticModel, vocabulary: Vocabulary) -> Ears:
    """Return the same for a table at which nobody is listened to."""
    return Ears(vocabulary, load_thresholds(model.thresholds), Deaf())


def written_in(vocabulary: Vocabulary) -> dict[str, tuple[str, ...]]:
    """Return how words of the vocabulary may be spelt by a model that is not the project's own."""
    return {token: (form,) for token, form in vocabulary.written_forms.items()}

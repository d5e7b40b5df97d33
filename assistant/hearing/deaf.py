"""What a table needs of whoever listens to its sound, and what stands there where nobody does."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from assistant.hearing.engine import Samples
from assistant.hearing.graph import Phrase
from assistant.utterance import Utterance, WordGraph


class Listener(Protocol):
    """Takes a stream of sound; see `Recogniser`."""

    audio: Samples
    """The samples of the utterance that was returned last."""

    @property
    def hears_something(self) -> bool:
        """Whether an utterance is under way."""

    def expect(self, phrases: WordGraph | Iterable[Phrase], open_grammar: WordGraph | None = None) -> None:
        """Set what may be said now."""

    def accept(self, samples: bytes | NDArray[np.int16]) -> list[Utterance]:
        """Take the next piece of the stream and return the utterances that ended in it."""

    def finish(self) -> list[Utterance]:
        """End the stream: return the utterance that was under way, if it was one."""

    def restart(self) -> None:
        """Begin another stream."""

    def reset(self) -> None:
        """Drop an utterance under way."""


class Deaf:
    """Listens to nothing: where moves are typed alone, no graph has to be made and no decoder loaded."""

    hears_something = False

    def __init__(self) -> None:
        self.audio: Samples = np.zeros(0, np.int16)

    def expect(self, phrases: WordGraph | Iterable[Phrase], open_grammar: WordGraph | None = None) -> None:
        """See `Listener`."""

    def accept(self, samples: bytes | NDArray[np.int16]) -> list[Utterance]:
        """See `Listener`."""
        return []

    def finish(self) -> list[Utterance]:
        """See `Listener`."""
        return []

    def restart(self) -> None:
        """See `Listener`."""

    def reset(self) -> None:
        """See `Listener`."""

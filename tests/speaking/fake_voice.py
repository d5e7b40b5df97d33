"""A voice without sound: it says what the test lets it say, and tells exactly what was asked of it."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from assistant.errors import HectorError
from assistant.speaking import Audience, Sentence, Speaker

PATIENCE = 5.0


class FakeVoice:
    """Begins a sentence and holds it until the test says `finish`, or the speaker cuts it."""

    def __init__(self) -> None:
        self.last_sample_time = 0.0
        self.fails = False
        self.deaf: set[Audience] = set()
        """Who cannot be spoken to, though the others can."""
        self.closed = False
        self.looks: list[float] = []
        self._changed = threading.Condition()
        self._log: list[str] = []
        self._may_finish = 0

    def say(self, sentence: Sentence, stop: threading.Event) -> bool:
        with self._changed:
            if self.fails or sentence.audience in self.deaf:
                self._note(f"failed {sentence.text}")
                raise HectorError("The loudspeaker has gone.")
            self._note(f"begin {sentence.text}")
            self._changed.wait_for(lambda: self._may_finish > 0 or stop.is_set(), PATIENCE)
            if stop.is_set():
                self._note(f"cut {sentence.text}")
                return False
            self._may_finish -= 1
            self._note(f"end {sentence.text}")
            return True

    def _note(self, what: str) -> None:
        self._log.append(what)
        self._changed.notify_all()

    def wake(self) -> None:
        with self._changed:
            self._changed.notify_all()

    def reach(self, audience: Audience) -> None:
        with self._changed:
            self.looks.append(time.monotonic())
            if self.fails or audience in self.deaf:
                raise HectorError("There is no loudspeaker.")

    def close(self) -> None:
        self.closed = True

    def finish(self, sentences: int = 1) -> None:
        """Let the sentence that is being said come to its end, and so many in all."""
        with self._changed:
            self._may_finish += sentences
            self._changed.notify_all()

    @contextmanager
    def expecting(self, *happenings: str) -> Iterator[None]:
        """Fail unless exactly this happens, in this order, while the body runs."""
        with self._changed:
            self._log.clear()
        yield
        with self._changed:
            self._changed.wait_for(lambda: len(self._log) >= len(happenings), PATIENCE)
            assert self._log == list(happenings)


class NoVoice:
    """Says nothing, at once, and remembers everything."""

    last_sample_time = 0.0

    def __init__(self) -> None:
        self.said: list[Sentence] = []

    def say(self, sentence: Sentence, stop: threading.Event) -> bool:
        self.said.append(sentence)
        return True

    def wake(self) -> None:
        pass

    def reach(self, audience: Audience) -> None:
        pass

    def close(self) -> None:
        pass


class Table:
    """A speaker with a fake voice, and what its hooks were told."""

    def __init__(self) -> None:
        self.voice = FakeVoice()
        self.troubles: list[str] = []
        self.recoveries = 0
        self.speaker = Speaker(
            self.voice,
            on_trouble=self.troubles.append,
            on_recovered=self._recovered,
        )

    def _recovered(self) -> None:
        self.recoveries += 1

"""What Hector says when he is asked to say it again."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator

from assistant.speaking import Sentence


class Recall:
    """Remembers what was said last: one sentence, or those that tell one thing."""

    def __init__(self) -> None:
        """Nothing has been said."""
        self._said: list[Sentence] = []
        self._gathered: list[Sentence] | None = None
        """What has been said of one thing so far; None where each sentence is by itself."""
        self._question: Sentence | None = None
        self._before_question: list[Sentence] = []

    @property
    def last(self) -> Sentence | None:
        """The last sentence."""
        return self._said[-1] if self._said else None

    @property
    def last_thing(self) -> str:
        """What the last sentence tells, with those that tell the same thing."""
        return " ".join(sentence.text for sentence in self._said)

    def note(self, sentence: Sentence) -> None:
        """Take a sentence that was said."""
        self._said = [sentence]
        if self._gathered is not None:
            self._gathered.append(sentence)

    def note_together(self, sentences: Iterable[Sentence]) -> None:
        """Take sentences that tell one thing; without any, nothing changes."""
        self._said = list(dict.fromkeys(sentences)) or self._said

    @contextlib.contextmanager
    def together(self) -> Iterator[None]:
        """Let everything that is said meanwhile tell one thing."""
        said: list[Sentence] = []
        outer, self._gathered = self._gathered, said
        try:
            yield
        finally:
            self._gathered = outer
            if outer is not None:
                outer.extend(said)
            self.note_together(said)

    def expect_answer(self, question: Sentence) -> None:
        """Remember what was said before a question that is about to be put: closed, it is no news."""
        if self._question is None or self._said != [self._question]:
            self._before_question = self._said
        self._question = question

    def again(self, open_question: Sentence | None) -> list[Sentence]:
        """Return what to say again: never a question that is not the open one any more."""
        if self._said == [self._question] and open_question != self._question:
            self._said = self._before_question
        return self._said

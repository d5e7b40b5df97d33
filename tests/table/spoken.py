"""A table that is spoken to, without a sound."""

from __future__ import annotations

from collections.abc import Mapping

from typed import VOCABULARY, HeardVoice

from assistant.announcements import Phrasebook, Thresholds
from assistant.table import NoRecord, Setup, Table
from assistant.utterance import Transcript, Utterance


def uttered(scores: Mapping[str, float], book: Phrasebook, end: float) -> Utterance:
    """An utterance of two seconds that is heard as each of these words, with its score."""
    found = tuple(Transcript(tuple(text.split()), score) for text, score in scores.items())
    legal = tuple(each for each in found if each.words in book.phrases)
    return Utterance(end - 2, end, legal, found, -100.0, 50, 300.0)


class Spoken:
    """A table that is spoken to: what is heard comes as an utterance, every five seconds."""

    def __init__(self, **setup: object) -> None:
        self.voice = HeardVoice()
        self.shown: list[str] = []
        agreed = Setup(**{"press": "word", **setup})  # type: ignore[arg-type]
        self.table = Table(agreed, VOCABULARY, Thresholds(), self.voice, NoRecord(), show=self.shown.append)
        self.at, self.pace = 0.0, 5.0
        self.table.start()

    def say(self, *announcements: str) -> str:
        """Say each as clearly as can be; what is not possible now is heard all the same."""
        for text in announcements:
            self.hear({text: -90.0})
        return self.voice.sentences[-1].text

    def hear(self, scores: Mapping[str, float]) -> str:
        self.at += self.pace
        self.table.tick(self.at)
        self.table.hear(uttered(scores, self.table._expected.book, self.at))
        return self.voice.sentences[-1].text

    @property
    def done(self) -> list[tuple[str, str | None]]:
        return [
            (step.line["do"], step.line.get("move"))
            for step in self.table.course.steps
            if step.line is not None and "move" in step.line
        ]

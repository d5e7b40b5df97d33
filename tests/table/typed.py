"""A table with a keyboard alone."""

from __future__ import annotations

from pathlib import Path

from assistant.announcements import Thresholds, load_vocabulary
from assistant.speaking import Sentence
from assistant.table import PaperVoice, Setup, Table, open_record

VOCABULARY = load_vocabulary("de")


class HeardVoice(PaperVoice):
    """Remembers what was said, in order."""

    def __init__(self) -> None:
        super().__init__()
        self.sentences: list[Sentence] = []

    def say(self, sentence: Sentence, now: float) -> None:
        self.sentences.append(sentence)
        super().say(sentence, now)


class Typed:
    """A table at which each line is typed some seconds after the one before it."""

    def __init__(self, folder: Path, pace: float = 5.0, **setup: object) -> None:
        self.shown: list[str] = []
        self.folder = folder
        self.pace = pace
        self.record = open_record(folder, self.shown.append)
        self.voice = HeardVoice()
        self.table = Table(
            Setup(**{"press": "key", **setup}),  # type: ignore[arg-type]
            VOCABULARY,
            Thresholds(),
            self.voice,
            self.record,
            show=self.shown.append,
        )
        self.at = 0.0
        self.table.start()

    def type(self, *lines: str) -> str:
        for line in lines:
            self.pass_time(self.pace)
            self.table.type(line, self.at)
        return self.shown[-1]

    def pass_time(self, seconds: float, step: float = 0.5) -> None:
        """Let time pass as a live game does: in small steps."""
        until = self.at + seconds
        while self.at < until:
            self.at = min(until, self.at + step)
            self.table.tick(self.at)

    @property
    def moves(self) -> list[str]:
        """The moves on the scoresheet, as UCI."""
        return [ply.move.uci() for ply in self.table.sheet.plies]

    @property
    def said(self) -> list[str]:
        return [sentence.text for sentence in self.voice.sentences]

"""Recordings heard one by one, without a game: what was said, and what would be done about it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import chess

from assistant.announcements import (
    Command,
    Decision,
    Phrasebook,
    build_phrasebook,
    decide,
    load_vocabulary,
)
from assistant.ears import Ears, ears_of
from assistant.errors import HectorError
from assistant.hearing import Listener, Recogniser, Recording
from assistant.table.taught import ModelChoice, load_choice
from assistant.utterance import Utterance, WordGraph

MOST_ALTERNATIVES = 5


class Hearer:
    """One recogniser for many recordings."""

    def __init__(self, model: ModelChoice = None) -> None:
        """:raises HectorError: if the model cannot be used."""
        self.vocabulary = load_vocabulary("de")
        self._model = load_choice(model)
        self._ears: Ears | None = None
        self._words: Recogniser | None = None
        self._book: Phrasebook | None = None

    def expect(self, board: chess.Board) -> None:
        """Listen for the phrases of a position."""
        if self._book is not None and self._book.board == board:
            return
        if self._ears is None:
            self._ears = ears_of(self._model, self.vocabulary)
        self._book = build_phrasebook(board, self.vocabulary)
        self._ears.recogniser.expect(self._book.word_graph())

    def hear(self, file: Path, *, game: bool = False) -> Iterator[dict[str, Any]]:
        """Yield a line for each utterance of a recording; with `game` accepted moves are made.

        :raises UsageError: if the recording cannot be read.
        :raises HectorError: after the last line, if it is cut off.
        """
        if self._book is None:
            self.expect(chess.Board())
        assert self._ears is not None
        for utterance in utterances_of(self._ears.recogniser, file):
            assert self._book is not None
            began = time.perf_counter()
            decision = decide(utterance, self._book, self._ears.thresholds)
            # what is not clear is heard again in there
            latency = round(utterance.latency_ms + 1000 * (time.perf_counter() - began), 1)
            yield _line(file, replace(utterance, latency_ms=latency), decision, self._book.board)
            if game and decision.move is not None:
                board = self._book.board.copy()
                board.push(decision.move)
                self.expect(board)

    def hear_words(self, file: Path) -> Iterator[dict[str, Any]]:
        """Yield a line for each single word of a recording, out of all words of the lexicon.

        :raises UsageError: if the recording cannot be read.
        :raises HectorError: after the last line, if it is cut off.
        """
        if self._words is None:
            words = sorted(self.vocabulary.tokens)
            graph = WordGraph(tuple((0, word, 1) for word in words), frozenset({1}))
            self._words = Recogniser(self._model, open_grammar=graph)
            self._words.expect(graph)
        for utterance in utterances_of(self._words, file):
            best = utterance.legal or utterance.grammatical
            yield {
                "file": str(file),
                "start": round(utterance.start, 3),
                "end": round(utterance.end, 3),
                "text": " ".join(best[0].words),
                "alternatives": _alternatives(utterance),
                "latency_ms": utterance.latency_ms,
            }


def hear_word(hearer: Hearer, file: Path) -> Iterator[dict[str, Any]]:
    """Yield what single word a recording holds; an empty text if none was heard.

    :raises HectorError: as `Hearer.hear_words`.
    """
    heard = False
    for line in hearer.hear_words(file):
        heard = True
        yield line
    if not heard:
        yield {"file": str(file), "text": "", "alternatives": []}


def utterances_of(
    recogniser: Listener, file: Path, tell_cut: Callable[[HectorError], None] | None = None
) -> Iterator[Utterance]:
    """Yield the utterances of a recording, their times from its beginning.

    :param tell_cut: takes, after the last one, the error of a recording that is cut off.
    :raises UsageError: at once, if the recording cannot be read.
    :raises HectorError: after the last one, if the recording is cut off and nobody takes that.
    """
    return _utterances(recogniser, Recording(file), tell_cut)


def _utterances(
    recogniser: Listener, recording: Recording, tell_cut: Callable[[HectorError], None] | None
) -> Iterator[Utterance]:
    recogniser.restart()
    with recording:
        for block in recording.blocks():
            yield from recogniser.accept(block)
        yield from recogniser.finish()
        try:
            recording.check_whole()
        except HectorError as error:
            if tell_cut is None:
                raise
            tell_cut(error)


def _alternatives(utterance: Utterance) -> list[dict[str, Any]]:
    ranked = sorted((*utterance.legal, *utterance.grammatical), key=lambda each: -each.score)
    texts: dict[str, float] = {}
    for transcript in ranked:
        texts.setdefault(" ".join(transcript.words), round(transcript.score, 2))
    return [{"text": text, "score": score} for text, score in texts.items() if text][:MOST_ALTERNATIVES]


def _line(file: Path, utterance: Utterance, decision: Decision, board: chess.Board) -> dict[str, Any]:
    """Return the line of `hector hear` for one utterance. Source: the description of the commands."""
    move = decision.move
    return {
        "file": str(file),
        "start": round(utterance.start, 3),
        "end": round(utterance.end, 3),
        "text": " ".join(decision.words),
        "alternatives": _alternatives(utterance),
        "decision": decision.kind,
        "move": None if move is None else move.uci(),
        "command": _command_name(decision.command),
        "san": None if move is None else board.san(move),
        "candidates": [each.move.uci() for each in decision.candidates if each.move is not None],
        "reason": decision.reason,
        "confidence": round(decision.confidence, 3),
        "latency_ms": utterance.latency_ms,
    }


def _command_name(command: Command | None) -> str | None:
    if command is None:
        return None
    return command.name if command.of is None else f"{command.name} {command.of}"

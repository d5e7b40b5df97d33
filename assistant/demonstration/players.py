"""Two players made of voices: they speak a known game into the microphone and answer when they are asked."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

import chess
import numpy as np
import soxr
from numpy.typing import NDArray

from assistant.announcements import Vocabulary, announce, build_phrasebook, spoken_forms
from assistant.demonstration.games import Demonstration
from assistant.hearing import Samples
from assistant.sound import BLOCK, SAMPLE_RATE
from assistant.speaking import synthesise
from assistant.table import Table

THINKING = 0.6
"""Seconds between the end of Hector's sentence and the next word of a player."""
LOST_PATIENCE = 12.0
"""Seconds after which a player says again what brought no answer."""
TRIES = 4
"""How often a player says the same before he gives the demonstration up."""


@dataclass(slots=True)
class Tally:
    """How the players were understood."""

    announced: int = 0
    """Moves announced, each counted once."""
    at_once: int = 0
    """Moves made as they were announced, at the first try and without a question."""
    asked_back: int = 0
    wrong: int = 0
    """Moves made that nobody announced."""
    failed: bool = False
    """Whether the players gave up."""


class Players:
    """Speaks one game of the demonstration. Made for a table; its sound is `blocks`."""

    def __init__(self, game: Demonstration, vocabulary: Vocabulary, seed: int = 1) -> None:
        self.tally = Tally()
        self._game = game
        self._vocabulary = vocabulary
        self._random = random.Random(seed)
        self._scenes = list(game.scenes)
        self._slips = dict(game.slips)
        self._correct = False
        self._tries = 0
        self._said_for = -1
        self._noise = np.random.default_rng(seed)

    def blocks(self, table: Table) -> Iterator[Samples]:
        """Yield the sound of the game, block by block, as the table's state asks for it.

        Whoever takes a block has to hand it to the table's ear, and let the table's time pass by 20 ms.
        """
        yield from self._silence(1.0)
        while not table.over:
            next_line = self._next(table)
            if next_line is None:
                break
            words, voice = next_line
            heard = table.utterances
            yield from self._cut(self._voice(words, voice))
            yield from self._listening(table, heard)
        yield from self._silence(1.0)

    def _listening(self, table: Table, heard: int) -> Iterator[Samples]:
        """Be silent until Hector has answered and, if nothing is to be mended, the clock is pressed."""
        yield from self._silence(0.5)
        waited = 0.5
        while waited < LOST_PATIENCE and not table.over:
            settled = table.memory.pending is None or self._correct or table.memory.correcting
            answered = table.utterances > heard and table.is_silent
            if answered and (settled or table.memory.asked is not None):
                # Somebody who has to mend a slip is quick: the press would end his right to.
                yield from self._silence(0.1 if self._correct else THINKING)
                return
            yield from self._silence(0.1)
            waited += 0.1

    def _next(self, table: Table) -> tuple[tuple[str, ...], str] | None:
        """Return what is said next and by which voice; `None` at the end."""
        pending = table.memory.pending
        ply = table.plies - (1 if pending is not None else 0)
        voice = self._game.voices[ply % 2]
        self.settle(table)
        if self._tries > TRIES:
            self.tally.failed = True
            return None
        intended = self._game.moves[ply] if ply < len(self._game.moves) else None
        asked = table.memory.asked
        if asked is not None:
            return self._answer(table, intended), voice
        if self._correct:
            self._correct = False
            return ("korrektur",), voice
        if self._scenes and self._scenes[0].ply == ply and not table.memory.correcting:
            return tuple(self._scenes.pop(0).words.split()), voice
        if intended is None:
            self._tries += 1
            return None
        slip = self._slips.pop(ply, None)
        if slip is not None:
            self._correct = True
            return tuple(slip.split()), voice
        self._tries = self._tries + 1 if self._said_for == ply else 1
        if self._said_for != ply:
            self._said_for = ply
            self.tally.announced += 1
        position = pending.before if pending is not None else table.board
        return self._phrase(position, intended), voice

    def _answer(self, table: Table, intended: chess.Move | None) -> tuple[str, ...]:
        asked = table.memory.asked
        assert asked is not None
        if asked.kind == "command":
            return ("ja",)
        if intended is not None:
            self.tally.asked_back += 1
            self._tries += 1
        if asked.kind == "this-move" and asked.moves[:1] == (intended,):
            return ("ja",)
        if asked.kind == "which" and intended is not None:
            return announce(table.board, intended, self._vocabulary)
        return ("nein",)

    def _phrase(self, board: chess.Board, move: chess.Move) -> tuple[str, ...]:
        """Return one way to announce a move that fits no other: half the time the plain one, else any."""
        plain = announce(board, move, self._vocabulary)
        if self._random.random() < 0.5:
            return plain
        meanings = build_phrasebook(board, self._vocabulary, commands=()).phrases
        forms = [form for form in spoken_forms(board, move, self._vocabulary) if len(meanings[form]) == 1]
        return self._random.choice(forms or [plain])

    def settle(self, table: Table) -> None:
        """Compare the moves made with the game's, and settle how the last one was understood."""
        made = [ply.move for ply in table.sheet.plies]
        self.tally.wrong = sum(1 for one, other in zip(made, self._game.moves, strict=False) if one != other)
        if 0 <= self._said_for < len(made) and table.memory.pending is None:
            self.tally.at_once += self._tries == 1
            self._said_for, self._tries = -1, 0

    def _voice(self, words: tuple[str, ...], voice: str) -> Samples:
        text = self._vocabulary.written(words)
        sound = synthesise(
            text, voice, rate=self._random.randint(135, 175), pitch=self._random.randint(35, 65)
        )
        samples: NDArray[np.float32] = soxr.resample(
            sound.samples.astype(np.float32), sound.rate, SAMPLE_RATE
        )
        peak = float(np.abs(samples).max()) or 1.0
        level = 10 ** (-self._random.uniform(6, 18) / 20) * 32767
        return np.round(samples / peak * level).astype(np.int16)

    def _silence(self, seconds: float) -> Iterator[Samples]:
        for _ in range(max(1, round(seconds * SAMPLE_RATE / BLOCK))):
            yield self._room()

    def _cut(self, samples: Samples) -> Iterator[Samples]:
        for start in range(0, len(samples), BLOCK):
            block = self._room()
            part = samples[start : start + BLOCK]
            block[: len(part)] += part
            yield block

    def _room(self) -> Samples:
        """Return a block of the faint noise that every microphone has."""
        return self._noise.normal(0, 4, BLOCK).astype(np.int16)

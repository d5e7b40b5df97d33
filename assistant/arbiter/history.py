"""The half-moves of a game as the page shows them, kept between scenes: only what is new is worked out."""

from __future__ import annotations

from dataclasses import dataclass

import chess

from assistant.arbiter.notation import written
from assistant.board import after, is_legal, takes_in_passing
from assistant.scoresheet import Game, Ply


@dataclass(frozen=True, slots=True)
class Made:
    """A half-move on the board: the position before it, and what it did."""

    before: chess.Board
    move: chess.Move
    captured: str
    """The man that was captured as a letter of a FEN, or nothing."""
    is_illegal: bool


class History:
    """Follows a scoresheet. Its boards must not be changed."""

    def __init__(self) -> None:
        self.made: list[Made] = []
        self._after: list[chess.Board] = []
        self._texts: dict[tuple[str, bool], list[str]] = {}

    @property
    def board(self) -> chess.Board:
        """The position after the last half-move; a copy."""
        return self._after[-1].copy(stack=False)

    def follow(self, sheet: Game) -> None:
        """Take in what has changed on the sheet; what is still as it was is kept."""
        start = sheet.board()
        if not self._after or self._after[0] != start:
            self.made, self._after = [], [start]
        same = 0
        for known, ply in zip(self.made, sheet.plies, strict=False):
            if known.move != ply.move:
                break
            same += 1
        del self.made[same:], self._after[same + 1 :]
        for texts in self._texts.values():
            del texts[same:]
        for ply in sheet.plies[same:]:
            self._make(ply)

    def _make(self, ply: Ply) -> None:
        before = self._after[-1]
        self.made.append(Made(before, ply.move, _captured(before, ply.move), not is_legal(before, ply.move)))
        self._after.append(after(before, ply.move))

    def texts(self, language: str, *, neutral: bool) -> list[str]:
        """Return how each half-move is written in a language; see `written`."""
        texts = self._texts.setdefault((language, neutral), [])
        for made in self.made[len(texts) :]:
            texts.append(written(made.before, made.move, language, neutral=neutral))
        return texts


def _captured(board: chess.Board, move: chess.Move) -> str:
    man = board.piece_at(move.to_square)
    if man is not None and man.color != board.turn:
        return man.symbol()
    if takes_in_passing(board, move):
        return "p" if board.turn else "P"
    return ""

"""Why a text is no legal move: a code with its facts, so that any language can make a sentence of it."""

from __future__ import annotations

from dataclasses import dataclass

import chess

from assistant.announcements.vocabulary import Wing

_SENTENCES = {
    "empty": "Nothing was said.",
    "unknown-words": "These words are not in the vocabulary: {words}.",
    "no-announcement": "This is neither a move nor a command: {words}.",
    "ambiguous": "{moves} moves fit.",
    "promotion-missing": "The man that the pawn becomes was not named.",
    "promotion-not-due": "Nothing becomes a {piece} by going to {target}.",
    "no-such-promotion": "No pawn becomes a {piece}.",
    "capture-unnamed": "No pawn can advance to {target}, but one can capture there.",
    "castling": "Castling on the {wing} side is not legal.",
    "empty-square": "There is no man on {square}.",
    "opponents-man": "The {piece} on {square} is the opponent's.",
    "other-man": "On {square} stands a {piece}.",
    "king-in-check": "The {piece} cannot go to {target}: the king would be in check.",
    "cannot-move-so": "The {piece} on {square} cannot go to {target}.",
    "no-such-man": "No {piece} stands where it was said to come from.",
    "cannot-reach": "No {piece} can go to {target}.",
    "command-not-now": "This cannot be said now: {words}.",
}


@dataclass(frozen=True, slots=True)
class Reason:
    """One code of `_SENTENCES` and the facts that belong to it; the others are `None` or empty."""

    code: str
    square: chess.Square | None = None
    """Where the man comes from, as it was said."""
    target: chess.Square | None = None
    """Where he was said to go."""
    piece: chess.PieceType | None = None
    """The kind of man that stands on `square`, or that was said to move."""
    wing: Wing | None = None
    words: tuple[str, ...] = ()
    """Words that were not understood, or the tokens that mean nothing together."""
    moves: int = 0
    """How many legal moves fit."""

    @property
    def text(self) -> str:
        """The reason as an English sentence."""
        names = chess.SQUARE_NAMES
        return _SENTENCES[self.code].format(
            square="" if self.square is None else names[self.square],
            target="" if self.target is None else names[self.target],
            piece="man" if self.piece is None else chess.piece_name(self.piece),
            wing=self.wing,
            words=" ".join(self.words),
            moves=self.moves,
        )

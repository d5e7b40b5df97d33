"""A recorded game as plain data."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

import chess

from assistant.board import is_legal, play
from assistant.errors import Phrase, marked

SEVEN_TAGS = ("Event", "Site", "Date", "Round", "White", "Black", "Result")
UNKNOWN = {"Event": "?", "Site": "?", "Date": "????.??.??", "Round": "?", "White": "?", "Black": "?"}

TAG_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_]*")
"""A tag's name by the PGN standard."""

DERIVED_TAGS = {"Result", "FinalScore", "FEN", "SetUp", "Variant", "Laws"}
"""Tags that say what the other fields of a game say already."""
CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\ufffe\uffff]")
"""What no file of XML may hold, and no terminal should be sent."""


@dataclass(frozen=True, slots=True)
class Ply:
    """One half-move as it stands on the sheet."""

    move: chess.Move
    """Legal, or an illegal move that was completed and stood; the null move for words that are no move."""
    clock_ms: int | None = None
    """Milliseconds the mover had left after the press; None if the sheet does not say."""
    offer: bool = False
    """Whether the mover offered a draw with this move: the sign (=), Laws 8.1.5 and C.12."""
    remark: str = ""
    """Other relevant data, such as a claim (Laws 8.1.4): one line of text without braces."""


@dataclass(frozen=True, slots=True)
class Game:
    """A recorded game: everything that PGN, the text sheet and the braille sheet show."""

    plies: tuple[Ply, ...] = ()
    result: str = "*"
    """One of `RESULTS`; "*" while the game is unfinished or unknown."""
    tags: tuple[tuple[str, str], ...] = tuple(UNKNOWN.items())
    """Tag pairs as PGN has them, without those that the other fields already say."""
    start_fen: str = chess.STARTING_FEN
    chess960: bool = False
    edition: str = ""
    """Edition of the Laws, such as "2023"; empty if the sheet does not say."""
    remark: str = ""
    """A remark that stands before the first move."""

    def tag(self, name: str) -> str:
        """Return the value of a tag, or an empty string."""
        return next((value for key, value in self.tags if key == name), "")

    def with_ply(self, ply: Ply) -> Game:
        """Return the game with one more half-move."""
        return replace(self, plies=(*self.plies, ply))

    def board(self) -> chess.Board:
        """Return the position before the first move."""
        return chess.Board(self.start_fen, chess960=self.chess960)

    def positions(self) -> Iterator[tuple[chess.Board, Ply]]:
        """Yield each half-move with the position before it; the board is reused, copy it to keep it."""
        board = self.board()
        for ply in self.plies:
            yield board, ply
            play(board, ply.move)

    def illegal_plies(self) -> frozenset[int]:
        """Return the indices of the half-moves that are no legal moves."""
        return _illegal_plies(self)


@lru_cache(maxsize=64)
def _illegal_plies(game: Game) -> frozenset[int]:
    return frozenset(
        index
        for index, (board, ply) in enumerate(game.positions())
        if not ply.move or not is_legal(board, ply.move)
    )


def new_game(
    tags: Mapping[str, str] | Iterable[tuple[str, str]] = (),
    plies: Iterable[Ply] = (),
    result: str = "*",
    start_fen: str = chess.STARTING_FEN,
    chess960: bool = False,
    edition: str = "",
    remark: str = "",
) -> Game:
    """Return a game with the given tags; those of the seven that are missing are unknown ("?")."""
    given = {name: " ".join(CONTROL.sub(" ", value).split()) for name, value in dict(tags).items()}
    ordered = {name: given.pop(name, value) for name, value in UNKNOWN.items()}
    rest = {name: value for name, value in given.items() if name not in DERIVED_TAGS}
    return Game(tuple(plies), result, (*ordered.items(), *rest.items()), start_fen, chess960, edition, remark)


def clock_text(milliseconds: int) -> str:
    """Return a clock time as PGN writes it, h:mm:ss with the part of a second only where there is one."""
    seconds, fraction = divmod(milliseconds, 1000)
    text = f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    return f"{text}.{fraction:03}".rstrip("0") if fraction else text


def clock_ms(hours: str, minutes: str, seconds: str) -> int:
    """Return the milliseconds of a clock time given as three numbers in text."""
    return (int(hours) * 60 + int(minutes)) * 60_000 + round(float(seconds) * 1000)


def move_number(number: int, *, white: bool) -> str:
    """Return the number of a half-move as a sheet has it: "12." before White's, "12..." before Black's."""
    return f"{number}." if white else f"{number}..."


def numbered(half_moves: Iterable[tuple[chess.Board, str]]) -> str:
    """Return written half-moves, each with the position before it, as one line: "12... Sf6 13. Lg5 h6"."""
    words: list[str] = []
    for board, text in half_moves:
        if board.turn or not words:
            words.append(move_number(board.fullmove_number, white=board.turn))
        words.append(text)
    return " ".join(words)


def the_move(number: int, *, white: bool) -> Phrase:
    """Return how an error names the place of a move that is wrong."""
    return (
        marked("move {number} of White", number=number)
        if white
        else marked("move {number} of Black", number=number)
    )

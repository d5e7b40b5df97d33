"""The running sheet in lines of cells, each word of them knowing the half-move that it belongs to."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from assistant.board import play
from assistant.scoresheet import (
    ILLEGAL,
    BrailleCode,
    Game,
    MoveRow,
    Paragraph,
    Style,
    items_of,
    move_number,
    signs_of,
)

BLANK = "\u2800"


@dataclass(frozen=True, slots=True)
class Word:
    """Cells without a blank between them."""

    cells: str
    """Unicode braille of six dots."""
    ply: int | None = None
    """Index of the half-move that the word is part of."""


Line = tuple[Word, ...]
"""Words that are read one after the other, in as many windows as the display needs."""

Window = tuple[tuple[int, Word], ...]
"""What is on the display at once: each word with the cell, counted from 0, where it begins."""


def lines_of(game: Game, code: BrailleCode) -> tuple[Line, ...]:
    """Return a line for each numbered move of a game, one for each remark and one for the result.

    The clock times of the sheet are left out, because a player is told them only when he asks (2014 D.2.9.d,
    2023 D.2.10.4), and so is the sign for an illegal move, of which nobody is told before it is claimed: it
    is written as any other.
    """
    lines: list[Line] = []
    ply = 0
    begun = False
    for item in items_of(_without_times(game), _style(game, code), code):
        if isinstance(item, MoveRow):
            begun = True
            words = [Word(item.number, ply), *_words(item.white, ply, code)]
            if item.black:
                ply += 1
                words += _words(item.black, ply, code)
            ply += 1
            lines.append(tuple(words))
        elif isinstance(item, Paragraph) and begun:
            lines.append(tuple(map(Word, item.words)))
    if game.result != "*":
        lines.append(tuple(map(Word, code.tokens([game.result]))))
    return tuple(lines)


def move_line(
    game: Game, ply: int, code: BrailleCode, form: str = "short", *, with_check: bool = True
) -> Line:
    """Return one half-move with its number; `form` is the notation's, such as "long" (Ng1-f3).

    `with_check`: with the sign for check or mate.

    :raises IndexError: if the game has no such half-move.
    """
    move = replace(game.plies[ply], clock_ms=None, remark="")
    board = game.board()
    for earlier in game.plies[:ply]:
        play(board, earlier.move)
    # With the square that a pawn has passed even where taking it en passant is illegal.
    alone = replace(game, plies=(move,), start_fen=board.fen(en_passant="fen"), remark="")
    style = _style(game, code, form)
    if not with_check:
        style = replace(style, signs=replace(style.signs, check=False))
    items = items_of(alone, style, code)
    row = next(item for item in items if isinstance(item, MoveRow))
    return (Word(row.number, ply), *_words(row.white, ply, code))


def number_line(game: Game, code: BrailleCode) -> Line:
    """Return the number of the move that comes next in a game without moves."""
    board = game.board()
    return tuple(map(Word, code.tokens([move_number(board.fullmove_number, white=board.turn)])))


def windows(line: Sequence[Word], width: int) -> tuple[Window, ...]:
    """Divide a line into windows of a width, between words where that is possible; one at least."""
    done: list[Window] = []
    window: list[tuple[int, Word]] = []
    used = 0
    for word in line:
        if used and used + 1 + len(word.cells) > width:
            done.append(tuple(window))
            window, used = [], 0
        start = used + 1 if used else 0
        rest = word
        while len(rest.cells) > width:
            done.append(((0, replace(rest, cells=rest.cells[:width])),))
            rest = replace(rest, cells=rest.cells[width:])
        window.append((start, rest))
        used = start + len(rest.cells)
    return (*done, tuple(window))


def cells_of(window: Window, width: int) -> str:
    """Return a window as exactly so many cells."""
    cells = ""
    for start, word in window:
        cells = cells.ljust(start, BLANK) + word.cells
    return cells.ljust(width, BLANK)


def _style(game: Game, code: BrailleCode, form: str = "short") -> Style:
    return Style(code.language, form, signs_of(game.edition), illegal_in_full=False)


def _without_times(game: Game) -> Game:
    return replace(game, plies=tuple(replace(ply, clock_ms=None) for ply in game.plies))


def _words(cells: Iterable[str], ply: int, code: BrailleCode) -> list[Word]:
    hidden = code.tokens([ILLEGAL])[0]
    return [Word(word, ply) for word in cells if word != hidden]

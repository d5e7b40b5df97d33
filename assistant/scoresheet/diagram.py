"""A position for the fingers and for the ear: as text, in braille and as a drawing for swell paper.

Sizes in the drawing are those of standard braille: dots 2.5 mm apart, cells 6 mm, lines 10 mm.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

import chess

from assistant.board import position
from assistant.errors import UsageError
from assistant.fen import why_no_fen
from assistant.scoresheet import files, literary, louis
from assistant.scoresheet.louis import BLANK
from assistant.scoresheet.notation import notation
from assistant.scoresheet.profiles import diagram_cells, literary_table, profile

DIAGRAM_FORMATS = ("text", "unicode", "brf", "eurobraille", "svg")

_DOT_PITCH, _CELL_PITCH, _LINE_PITCH, _DOT_RADIUS = 2.5, 6.0, 10.0, 0.75
_SQUARE, _LEFT, _TOP, _CORNER, _LINE = 18.0, 22.0, 14.0, 5.0, 0.7
_LIGHT, _DARK = ".", ":"


def render_diagram(fen: str, format: str = "text", language: str = "en", from_black: bool = False) -> bytes:
    """Return a position as a file of one of `DIAGRAM_FORMATS`, seen from White's side or from Black's.

    :raises UsageError: for a FEN that is no position, or an unknown format or language.
    :raises HectorError: if braille is asked for and liblouis is missing.
    """
    board = _board(fen)
    if format == "text":
        return diagram_text(board, language, from_black).encode()
    if format == "svg":
        return diagram_svg(board, language, from_black).encode()
    if format not in DIAGRAM_FORMATS:
        raise UsageError(
            "There is no diagram format {format!r}: choose {diagram_formats}.",
            format=format,
            diagram_formats=", ".join(DIAGRAM_FORMATS),
        )
    lines = diagram_lines(board, language, from_black)
    return files.to_unicode([lines]) if format == "unicode" else files.to_brf([lines], format)


def _board(fen: str) -> chess.Board:
    try:
        return position(fen)
    except ValueError as error:
        raise UsageError("{fen!r} is not a FEN: {reason}.", fen=fen, reason=why_no_fen(fen)) from error


def _ranks(from_black: bool) -> range:
    return range(8) if from_black else range(7, -1, -1)


def _files(from_black: bool) -> range:
    return range(7, -1, -1) if from_black else range(8)


def _is_dark(square: int) -> bool:
    return bool(chess.BB_SQUARES[square] & chess.BB_DARK_SQUARES)


def _letters(language: str) -> dict[int, str]:
    kinds = (chess.KING, chess.QUEEN, chess.ROOK, chess.BISHOP, chess.KNIGHT, chess.PAWN)
    return dict(zip(kinds, notation(language).diagram["letters"], strict=True))


# -- Text ----------------------------------------------------------------------------------------------


def diagram_text(board: chess.Board, language: str = "en", from_black: bool = False) -> str:
    """Return the board rank by rank, then the men by name; white men are capitals, "." is light, ":" dark."""
    words = notation(language).diagram
    letters = _letters(language)
    lines = []
    for rank in _ranks(from_black):
        signs = (_sign(board, chess.square(file, rank), letters) for file in _files(from_black))
        lines.append(f"{rank + 1} {' '.join(signs)}")
    lines.append("  " + " ".join(chess.FILE_NAMES[file] for file in _files(from_black)))
    for colour, name in ((chess.WHITE, words["white"]), (chess.BLACK, words["black"])):
        lines.append(f"{name}: {', '.join(_men(board, colour, language)) or words['none']}")
    lines.append(_turn(board, language))
    return "".join(f"{line}\n" for line in lines)


def _sign(board: chess.Board, square: int, letters: dict[int, str]) -> str:
    piece = board.piece_at(square)
    if piece is None:
        return _DARK if _is_dark(square) else _LIGHT
    letter = letters[piece.piece_type]
    return letter.upper() if piece.color else letter.lower()


def _men(board: chess.Board, colour: chess.Color, language: str) -> Iterator[str]:
    letters = notation(language).letters
    for kind in (chess.KING, chess.QUEEN, chess.ROOK, chess.BISHOP, chess.KNIGHT, chess.PAWN):
        for square in sorted(
            board.pieces(kind, colour), key=lambda s: (chess.square_file(s), chess.square_rank(s))
        ):
            yield letters.get(kind, "") + chess.square_name(square)


def _turn(board: chess.Board, language: str) -> str:
    words = notation(language).diagram
    sentence: str = words["white_to_move" if board.turn else "black_to_move"]
    return sentence


# -- Braille -------------------------------------------------------------------------------------------


def diagram_lines(board: chess.Board, language: str, from_black: bool) -> list[str]:
    """Return the board as lines of 18 cells: the rank's dropped digit, then two cells for each square."""
    table = profile().table_for(language)
    lines = []
    for rank in _ranks(from_black):
        squares = (_square_cells(board, chess.square(file, rank), language) for file in _files(from_black))
        lines.append(louis.to_cells(table, str(rank + 1)) + BLANK + "".join(squares))
    names = (louis.to_cells(table, chess.FILE_NAMES[file]) for file in _files(from_black))
    lines.append(BLANK * 2 + "".join(BLANK + name for name in names))
    return [*lines, literary.to_cells(_turn(board, language), language, "basic")]


def man_cells(piece: chess.Piece, language: str) -> str:
    """Return the cells of a man: its letter, with the sign for a capital before it if it is white."""
    letter = _letters(language)[piece.piece_type].lower()
    cell = louis.to_cells(literary_table(language), letter)
    return (diagram_cells(language).capital if piece.color else "") + cell


def _square_cells(board: chess.Board, square: int, language: str) -> str:
    piece = board.piece_at(square)
    if piece is None:
        cells = diagram_cells(language)
        return cells.dark if _is_dark(square) else cells.light
    return man_cells(piece, language).rjust(2, BLANK)


# -- Drawing -------------------------------------------------------------------------------------------


def diagram_svg(board: chess.Board, language: str, from_black: bool) -> str:
    """Return a drawing for swell paper, in millimetres: raised lines, a filled corner in dark squares."""
    side = 8 * _SQUARE
    width, height = _LEFT + side + 6, _TOP + side + 3 * _LINE_PITCH
    shapes = [_grid()]
    for row, rank in enumerate(_ranks(from_black)):
        digit = louis.to_cells(literary_table(language), str(rank + 1))
        middle = _TOP + (row + 0.5) * _SQUARE
        shapes.append(_cells_svg(digit, _LEFT - 6 - (len(digit) - 1) * _CELL_PITCH - _DOT_PITCH, middle))
        for column, file in enumerate(_files(from_black)):
            shapes += _square_svg(board, chess.square(file, rank), column, row, language)
    for column, file in enumerate(_files(from_black)):
        name = louis.to_cells(literary_table(language), chess.FILE_NAMES[file])
        shapes.append(_centred(name, _LEFT + (column + 0.5) * _SQUARE, _TOP + side + 8))
    turn = literary.to_cells(_turn(board, language), language, "basic")
    shapes.append(_cells_svg(turn, _LEFT, _TOP + side + 8 + _LINE_PITCH))
    title = escape(f"{_turn(board, language)}: {board.fen()}", quote=False)
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}mm" height="{height:g}mm" '
        f'viewBox="0 0 {width:g} {height:g}" role="img">\n<title>{title}</title>\n'
        f"{''.join(shapes)}</svg>\n"
    )


def _grid() -> str:
    end = 8 * _SQUARE
    lines = []
    for index in range(9):
        at = index * _SQUARE
        lines.append(f"M{_LEFT:g} {_TOP + at:g}h{end:g}M{_LEFT + at:g} {_TOP:g}v{end:g}")
    return f'<path d="{"".join(lines)}" fill="none" stroke="black" stroke-width="{_LINE:g}"/>\n'


def _square_svg(board: chess.Board, square: int, column: int, row: int, language: str) -> Iterator[str]:
    left, top = _LEFT + column * _SQUARE, _TOP + row * _SQUARE
    if _is_dark(square):
        yield f'<path d="M{left:g} {top:g}h{_CORNER:g}l{-_CORNER:g} {_CORNER:g}z"/>\n'
    if piece := board.piece_at(square):
        # Below the middle, so that a finger's breadth stays free of the corner.
        yield _centred(man_cells(piece, language), left + _SQUARE / 2, top + _SQUARE / 2 + 1.5)


def _centred(cells: str, x: float, y: float) -> str:
    return _cells_svg(cells, x - ((len(cells) - 1) * _CELL_PITCH + _DOT_PITCH) / 2, y)


def _cells_svg(cells: str, x: float, y: float) -> str:
    """Return the dots of cells; x is the first column of dots, y the middle row."""
    dots = []
    for index, cell in enumerate(cells):
        pattern = ord(cell) - ord(BLANK)
        for dot in range(6):
            if pattern >> dot & 1:
                cx = x + index * _CELL_PITCH + (dot // 3) * _DOT_PITCH
                cy = y + (dot % 3 - 1) * _DOT_PITCH
                dots.append(f'<circle cx="{cx:g}" cy="{cy:g}" r="{_DOT_RADIUS:g}"/>')
    return "".join(dots) + "\n" if dots else ""

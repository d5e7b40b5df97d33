"""Where two scoresheets part: what the arbiter needs when two boards differ (Laws D.2.9)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import zip_longest

import chess

from assistant.board import play, rook_of_castling
from assistant.scoresheet.diagram import diagram_text
from assistant.scoresheet.move_writing import Style, write
from assistant.scoresheet.notation import notation
from assistant.scoresheet.record import Game, Ply, move_number


@dataclass(frozen=True, slots=True)
class Difference:
    """The first thing that two sheets do not have alike."""

    kind: str
    """"start", "move", "offer" or "result"; an offer or a result counts only where all moves agree."""
    ply: int
    """Index of the half-move, from 0; the number of half-moves for a result."""
    number: str
    """The move's number as a sheet writes it, such as "12." or "12..."; empty for a start position."""
    first: str
    """What the first sheet has there, in the asked language; empty if it ends before."""
    second: str
    fen: str
    """The position before the move."""


Written = tuple[str, str]
"""Behind the last move of each sheet, the move with which its reading ended, or nothing."""


def compare_games(
    first: Game, second: Game, language: str = "en", written: Written = ("", "")
) -> Difference | None:
    """Return where two sheets differ first, or None if they agree. Clock times are not compared.

    Where a sheet goes on with a move that is not legal, `written` has it as it stands there.
    """
    style = Style(language)
    starts = first.start_fen, second.start_fen
    first, second = _counted_alike(*_of_one_variant(first, second))
    if _start(first) != _start(second):
        return Difference("start", 0, "", *starts, chess.Board(starts[0], chess960=first.chess960).fen())
    found = _first_move(first, second, style, written)
    return found or _first_offer(first, second, style) or _result(first, second)


def _start(game: Game) -> tuple[str, int]:
    """Return the position that a game begins with and the number of its first move.

    How long nothing was captured, a FEN that somebody has typed from the board does not know.
    """
    board = game.board()
    return board.epd(), board.fullmove_number


def _of_one_variant(first: Game, second: Game) -> tuple[Game, Game]:
    """Return both games as Chess960 if one of them is: it includes chess, but for how castling is noted."""
    if first.chess960 == second.chess960:
        return first, second
    return _as_chess960(first), _as_chess960(second)


def _as_chess960(game: Game) -> Game:
    if game.chess960:
        return game
    plies = []
    for board, ply in game.positions():
        rook = rook_of_castling(board, ply.move)
        castling = ply.move if rook is None else chess.Move(ply.move.from_square, rook)
        plies.append(replace(ply, move=castling))
    return replace(game, plies=tuple(plies), chess960=True)


def _counted_alike(first: Game, second: Game) -> tuple[Game, Game]:
    """Return both games with one number of the first move, where one of them only counts from 1.

    A FEN of which nobody knows the move has the number 1, and so have exports that do not keep it.
    """
    boards = [game.board() for game in (first, second)]
    numbers = [board.fullmove_number for board in boards]
    if numbers[0] == numbers[1] or 1 not in numbers:
        return first, second
    for board in boards:
        board.fullmove_number = max(numbers)
    return replace(first, start_fen=boards[0].fen()), replace(second, start_fen=boards[1].fen())


def _first_move(first: Game, second: Game, style: Style, written: Written) -> Difference | None:
    board = first.board()
    for index, (one, other) in enumerate(zip_longest(first.plies, second.plies)):
        if one is None or other is None or one.move != other.move:
            texts = _text(one, board, style) or written[0], _text(other, board, style) or written[1]
            return _difference("move", index, board, *texts)
        play(board, one.move)
    return _difference("move", len(first.plies), board, *written) if written[0] != written[1] else None


def _first_offer(first: Game, second: Game, style: Style) -> Difference | None:
    board = first.board()
    for index, (one, other) in enumerate(zip(first.plies, second.plies, strict=True)):
        if one.offer != other.offer:
            texts = (_text(ply, board, style) + (" (=)" if ply.offer else "") for ply in (one, other))
            return _difference("offer", index, board, *texts)
        play(board, one.move)
    return None


def _result(first: Game, second: Game) -> Difference | None:
    if first.result == second.result:
        return None
    board = first.board()
    for ply in first.plies:
        play(board, ply.move)
    return _difference("result", len(first.plies), board, first.result, second.result)


def _difference(kind: str, index: int, board: chess.Board, first: str, second: str) -> Difference:
    number = move_number(board.fullmove_number, white=board.turn)
    return Difference(kind, index, number, first, second, board.fen())


def _text(ply: Ply | None, board: chess.Board, style: Style) -> str:
    return write(board, ply.move, style) if ply else ""


def comparison_text(first: Game, second: Game, language: str = "en", written: Written = ("", "")) -> str:
    """Return what `compare_games` finds as lines for a person, the board of the position last."""
    words = notation(language).comparison
    found = compare_games(first, second, language, written)
    if found is None:
        return f"{words['agree']}\n"
    if found.kind == "start":
        head = [words["start_differs"]]
    else:
        what = f"{words['result']}, " if found.kind == "result" else ""
        head = [f"{words['first_difference']}: {what}{found.number}"]
    lines = [
        *head,
        f"{words['first_sheet']}: {found.first or words['no_move']}",
        f"{words['second_sheet']}: {found.second or words['no_move']}",
        f"{words['position']}: {found.fen}",
    ]
    board = chess.Board(found.fen, chess960=first.chess960)
    return "".join(f"{line}\n" for line in lines) + diagram_text(board, language)

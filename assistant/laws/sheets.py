"""Comparing the two scoresheets when the boards differ (D.2.9, 7.6)."""

from __future__ import annotations

import chess

from assistant.board import after
from assistant.laws.moves import read
from assistant.laws.recording import compare_length
from assistant.laws.script import Line
from assistant.laws.state import Game, Refused
from assistant.sides import Side


def sheets(game: Game, line: Line) -> None:
    """Compare both sheets move by move and report the first ply that differs; nothing is changed."""
    texts: dict[Side, tuple[str, ...]] = {"white": line.get("white"), "black": line.get("black")}
    for side, written in texts.items():
        compare_length(game, side, written)
    board: chess.Board | None = game.start_board
    recorded: int | None = None
    for index in range(max(len(texts["white"]), len(texts["black"]))):
        white = texts["white"][index].strip() if index < len(texts["white"]) else ""
        black = texts["black"][index].strip() if index < len(texts["black"]) else ""
        moves = {
            "white": _written(game, "white", white, board),
            "black": _written(game, "black", black, board),
        }
        known = moves["white"] is not None and moves["black"] is not None
        same = moves["white"] == moves["black"] if known else white == black
        if not same or not white:
            game.emit("sheets-differ", "boards-differ", ply=index + 1, white=white, black=black)
            return
        move = moves["white"]
        made = game.plies[index].move if index < len(game.plies) else None
        if recorded is None and move is not None and made is not None and move != made:
            recorded = index + 1
        board = after(board, move) if board is not None and move is not None else None
    keys = {} if recorded is None else {"board": recorded}
    game.emit("sheets-agree", "boards-differ", **keys)


def _written(game: Game, side: Side, text: str, board: chess.Board | None) -> chess.Move | None:
    if board is None or not text:
        return None
    try:
        return read(game, side, text, board)
    except Refused:
        return None

"""Games to put on a sheet."""

from __future__ import annotations

import random
from functools import cache

import chess

from assistant.scoresheet import Game, Ply, new_game

TAGS = {
    "Event": "Deutsche Meisterschaft",
    "Site": "Köln (Groß)",
    "Date": "2026.11.21",
    "Round": "3.1",
    "White": "Müller-Lüdenscheidt, Jürgen",
    "Black": "Łukasz Żółć",
    "Board": "12",
    "WhiteElo": "2100",
    "TimeControl": "40/5400+30:1800+30",
    "ECO": "C50",
}


@cache
def random_game(half_moves: int, seed: int = 1, clocks: bool = True) -> Game:
    """A legal game of exactly that many half-moves, with clock times, a few offers and a remark."""
    rng = random.Random(seed)
    board, plies, left = chess.Board(), [], [5_430_000, 5_430_000]
    while len(plies) < half_moves:
        moves = list(board.legal_moves)
        rng.shuffle(moves)
        # Captures run out of men in a long game, so most of them are passed over.
        moves.sort(key=lambda move: board.is_capture(move) and rng.random() < 0.8)
        move = next(move for move in moves if _goes_on(board, move))
        side = len(plies) % 2
        left[side] = max(0, left[side] - rng.randrange(0, 20_000) + 5_000)
        clock = left[side] if rng.random() < 0.1 else left[side] // 1000 * 1000
        remark = "Reklamation: Zug 7, 3.1!" if len(plies) == 9 else ""
        plies.append(Ply(move, clock if clocks else None, rng.random() < 0.04, remark))
        board.push(move)
    return new_game(TAGS, plies, "1/2-1/2", edition="2023")


def _goes_on(board: chess.Board, move: chess.Move) -> bool:
    board.push(move)
    goes_on = any(board.legal_moves) and not board.is_insufficient_material()
    board.pop()
    return goes_on


@cache
def chess960_game(number: int) -> Game:
    """A game from a Chess960 position in which both sides castle as soon as they can."""
    rng = random.Random(number)
    board = chess.Board.from_chess960_pos(number)
    start, plies = board.fen(), []
    while len(plies) < 50 and any(board.legal_moves):
        moves = list(board.legal_moves)
        move = rng.choice([move for move in moves if board.is_castling(move)] or moves)
        plies.append(Ply(move))
        board.push(move)
    return new_game({}, plies, start_fen=start, chess960=True)


def game_with_illegal_moves() -> Game:
    """A rated game: illegal moves stand on the sheet, and one announcement was no move at all."""
    return new_game(
        {"White": "A", "Black": "B"},
        [
            Ply(chess.Move.from_uci("e2e4"), 1500, remark="vor dem Zug (x): Uhr"),
            Ply(chess.Move.from_uci("e8g8"), 5, offer=True, remark="Reklamation"),
            Ply(chess.Move.null(), offer=True, remark="unverständlich"),
            Ply(chess.Move.from_uci("e7e5")),
        ],
        "1/2-0",
        edition="1997",
        remark="Bemerkung vorab",
    )


def position_with(fen: str, *moves: str) -> chess.Board:
    board = chess.Board(fen)
    for move in moves:
        board.push_san(move)
    return board

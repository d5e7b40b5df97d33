"""Positions for the tests of the mate search: random ones, and games played at random."""

from __future__ import annotations

import random
from collections.abc import Iterator

import chess
from closure import KINDS, Kind, random_positions


def soups(seed: int, count: int) -> Iterator[chess.Board]:
    """Yield valid positions with men thrown on the board at random, with every chance of en passant taken."""
    dice = random.Random(seed)
    while count:
        board = chess.Board(None)
        free = list(chess.SQUARES)
        dice.shuffle(free)
        for colour in chess.COLORS:
            board.set_piece_at(free.pop(), chess.Piece(chess.KING, colour))
        for _ in range(dice.randint(1, 12)):
            piece, square = dice.choice((1, 1, 1, 1, 2, 3, 4, 5)), free.pop()
            if piece != chess.PAWN or 8 <= square < 56:
                board.set_piece_at(square, chess.Piece(piece, dice.random() < 0.5))
        board.turn = dice.random() < 0.5
        board.ep_square = dice.choice([*chess.SquareSet(chess.BB_RANK_6 if board.turn else chess.BB_RANK_3)])
        if not board.has_legal_en_passant():
            board.ep_square = None
        if board.is_valid():
            count -= 1
            yield board


def passing(seed: int, count: int) -> Iterator[chess.Board]:
    """Yield positions in which a double step is likely to be taken en passant, or just not, for a pin."""
    dice = random.Random(seed)
    while count:
        board = chess.Board(None)
        file, colour = dice.randrange(8), dice.random() < 0.5
        home, taker = (1, 3) if colour else (6, 4)
        board.set_piece_at(chess.square(file, home), chess.Piece(chess.PAWN, colour))
        for beside in (file - 1, file + 1):
            if 0 <= beside < 8 and dice.random() < 0.7:
                board.set_piece_at(chess.square(beside, taker), chess.Piece(chess.PAWN, not colour))
        free = [square for square in chess.SQUARES if board.piece_at(square) is None]
        dice.shuffle(free)
        for king in chess.COLORS:
            board.set_piece_at(free.pop(), chess.Piece(chess.KING, king))
        for _ in range(dice.randint(0, 4)):
            piece = chess.Piece(dice.choice((chess.BISHOP, chess.ROOK, chess.QUEEN)), dice.random() < 0.5)
            board.set_piece_at(free.pop(), piece)
        board.turn = colour
        if board.is_valid():
            count -= 1
            yield board


def games(seed: int, count: int, plies: int) -> Iterator[chess.Board]:
    """Yield positions of random games, castling rights, double steps and all, shortly after each move."""
    dice = random.Random(seed)
    for _ in range(count):
        board = chess.Board.from_chess960_pos(dice.randrange(960)) if dice.random() < 0.5 else chess.Board()
        for _ in range(dice.randrange(plies)):
            moves = list(board.legal_moves)
            if not moves:
                break
            board.push(dice.choice(moves))
        yield board.copy(stack=False)


def tight(seed: int, count: int, kinds: tuple[Kind, ...] = KINDS) -> Iterator[chess.Board]:
    """Yield positions with locked pawns, crowded kings or castling rights that still have a legal move."""
    for board in random_positions(seed, kinds):
        if any(board.generate_legal_moves()):
            yield board
            count -= 1
            if not count:
                return


def taken_only_in_passing(seed: int, count: int) -> Iterator[chess.Board]:
    """Yield checks by a pawn after its double step, which only a capture en passant answers."""
    dice = random.Random(seed)
    while count:
        board = chess.Board(None)
        file = dice.randrange(8)
        landed = chess.square(file, 4)
        board.set_piece_at(landed, chess.Piece(chess.PAWN, chess.BLACK))
        for beside in (file - 1, file + 1):
            if 0 <= beside < 8 and dice.random() < 0.8:
                board.set_piece_at(chess.square(beside, 4), chess.Piece(chess.PAWN, chess.WHITE))
        checked = [*chess.SquareSet(chess.BB_PAWN_ATTACKS[chess.BLACK][landed])]
        king = dice.choice(checked)
        board.set_piece_at(king, chess.Piece(chess.KING, chess.WHITE))
        for square in chess.SquareSet(chess.BB_KING_ATTACKS[king] & ~board.occupied):
            if dice.random() < 0.45:
                board.set_piece_at(square, chess.Piece(dice.choice((1, 2, 3, 4)), chess.WHITE))
        passed = chess.BB_SQUARES[landed + 8] | chess.BB_SQUARES[landed + 16]
        free = [*chess.SquareSet(chess.BB_ALL & ~board.occupied & ~passed)]
        dice.shuffle(free)
        board.set_piece_at(free.pop(), chess.Piece(chess.KING, chess.BLACK))
        for _ in range(dice.randint(2, 6)):
            board.set_piece_at(free.pop(), chess.Piece(dice.choice((2, 3, 4, 5, 5)), chess.BLACK))
        board.ep_square = landed + 8
        captures = [board.is_en_passant(move) for move in board.legal_moves] if board.is_valid() else []
        if captures and all(captures):
            count -= 1
            yield board if dice.random() < 0.5 else board.mirror()

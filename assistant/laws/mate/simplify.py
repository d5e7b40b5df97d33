"""Playing a game in which one side lets all its men be taken: a shortcut through crowded positions.

Where the winner has a major piece or pawns, a mate nearly always exists, but among thirty men a search has
too many ways to look for it. Once the loser has little left, the search needs a handful of boards. Every move
played here is legal, so what is found from the end of the line is reachable from its beginning.
"""

from __future__ import annotations

import random

import chess

MOST_PLIES = 120


def may_strip(board: chess.Board, winner: chess.Color) -> bool:
    """Whether stripping the loser can help: the winner may mate alone, and there is something to take."""
    own = board.occupied_co[winner]
    force = own & (board.pawns | board.rooks | board.queens)
    return bool(force) and board.occupied.bit_count() > 5


def strip_loser(board: chess.Board, winner: chess.Color, seed: int) -> tuple[chess.Board, list[chess.Move]]:
    """Return a position with few men of the loser and the moves from `board` to it.

    The winner captures what it can, else promotes or pushes pawns, else moves at random; the loser moves
    into attacks and captures only when nothing else is legal. The same seed gives the same moves. The line
    ends early where the game ends.
    """
    dice = random.Random(seed)
    here = board.copy(stack=False)
    line: list[chess.Move] = []
    while len(line) < MOST_PLIES:
        if here.occupied_co[not winner].bit_count() == 1 and here.turn != winner:
            break
        choose = _greedy if here.turn == winner else _generous
        move = choose(here, dice)
        if move is None:
            break
        line.append(move)
        here.push(move)
    return here, line


def _greedy(board: chess.Board, dice: random.Random) -> chess.Move | None:
    captures = list(board.generate_legal_moves(to_mask=board.occupied_co[not board.turn]))
    moves = captures or list(board.generate_legal_moves())
    if not moves:
        return None
    promotions = [move for move in moves if move.promotion == chess.QUEEN]
    if promotions:
        return dice.choice(promotions)
    if captures:
        return dice.choice(captures)
    pushes = [move for move in moves if board.pawns >> move.from_square & 1]
    if pushes and dice.random() < 0.5:
        return dice.choice(pushes)
    return dice.choice(moves)


def _generous(board: chess.Board, dice: random.Random) -> chess.Move | None:
    theirs = board.occupied_co[not board.turn]
    peaceful = [move for move in board.generate_legal_moves(to_mask=~theirs) if not move.promotion]
    if not peaceful:
        moves = list(board.generate_legal_moves())
        return dice.choice(moves) if moves else None
    attacked = 0
    for square in chess.scan_forward(theirs):
        attacked |= board.attacks_mask(square)
    offers = [
        move
        for move in peaceful
        if attacked >> move.to_square & 1 and not board.kings >> move.from_square & 1
    ]
    return dice.choice(offers or peaceful)

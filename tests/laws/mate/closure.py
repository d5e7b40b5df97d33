"""The slow and certain way: visit every position that legal moves can lead to, with python-chess alone.

Run as a program it writes the random positions whose closure is small, with what the closure says, to
`closed.tsv` beside it: `python -m tests.laws.mate.closure [SEED [COUNT]]`.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import chess

TABLE = Path(__file__).with_name("closed.tsv")
Key = tuple[int | bool | None, ...]


def key_of(board: chess.Board) -> Key:
    """Everything but the move counters; a square for en passant only where a capture is legal."""
    ep = board.ep_square if board.ep_square is not None and board.has_legal_en_passant() else None
    white, black = board.occupied_co[chess.WHITE], board.occupied_co[chess.BLACK]
    kinds = (board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings)
    return (*kinds, white, black, board.turn, board.clean_castling_rights(), ep)


def closure(board: chess.Board, limit: int) -> dict[Key, chess.Board] | None:
    """Return every reachable position, or None when there are more than `limit`."""
    reached = {key_of(board): board.copy(stack=False)}
    waiting = [board]
    while waiting:
        here = waiting.pop()
        for move in here.legal_moves:
            after = here.copy(stack=False)
            after.push(move)
            key = key_of(after)
            if key not in reached:
                if len(reached) >= limit:
                    return None
                reached[key] = after
                waiting.append(after)
    return reached


def winners(reached: dict[Key, chess.Board]) -> dict[Key, set[chess.Color]]:
    """For each position of a closure, who can still checkmate: traced back from the mates."""
    before: dict[Key, list[Key]] = {key: [] for key in reached}
    can: dict[Key, set[chess.Color]] = {key: set() for key in reached}
    waiting: list[tuple[Key, chess.Color]] = []
    for key, board in reached.items():
        for move in board.legal_moves:
            after = board.copy(stack=False)
            after.push(move)
            before[key_of(after)].append(key)
        if board.is_checkmate():
            can[key].add(not board.turn)
            waiting.append((key, not board.turn))
    while waiting:
        key, side = waiting.pop()
        for earlier in before[key]:
            if side not in can[earlier]:
                can[earlier].add(side)
                waiting.append((earlier, side))
    return can


def mates(reached: dict[Key, chess.Board]) -> dict[chess.Color, bool]:
    """For each side, whether one of the positions has the other side checkmated."""
    found = {chess.WHITE: False, chess.BLACK: False}
    for board in reached.values():
        if board.is_checkmate():
            found[not board.turn] = True
    return found


def _put(board: chess.Board, square: int, piece: int, colour: chess.Color) -> bool:
    if board.piece_at(square) is not None or (piece == chess.PAWN and chess.square_rank(square) in (0, 7)):
        return False
    board.set_piece_at(square, chess.Piece(piece, colour))
    return True


def walls(dice: random.Random) -> chess.Board:
    """A chain of rammed pawns close to one side, kings anywhere, sometimes a piece or a loose pawn."""
    board = chess.Board(None)
    low = dice.choice((1, 1, 1, 2, 3))
    rank = low + dice.randint(0, 1)
    whole = dice.random() < 0.8
    for file in range(8):
        # Neighbours on the same rank could take each other, those a step apart cannot.
        rank = rank + 1 if rank == low else rank - 1 if dice.random() < 0.7 or rank > low + 1 else rank + 1
        if whole or dice.random() < 0.9:
            _put(board, chess.square(file, rank), chess.PAWN, chess.WHITE)
            _put(board, chess.square(file, rank + 1), chess.PAWN, chess.BLACK)
    if dice.random() < 0.85:
        # Each king on its own side of the chain.
        _put(board, dice.randrange(8 * low), chess.KING, chess.WHITE)
        _put(board, dice.randrange(8 * (low + 4), 64), chess.KING, chess.BLACK)
    for _ in range(dice.choice((0, 0, 0, 1, 1, 2))):
        piece = dice.choice((chess.BISHOP, chess.BISHOP, chess.KNIGHT, chess.ROOK, chess.QUEEN))
        _put(board, dice.randrange(64), piece, dice.random() < 0.5)
    return board if dice.random() < 0.5 else board.mirror()


def cages(dice: random.Random) -> chess.Board:
    """Many men crowded around a king in a corner, the other side nearly bare."""
    board = chess.Board(None)
    corner = dice.choice((chess.A1, chess.H1, chess.A8, chess.H8))
    near = [square for square in chess.SQUARES if chess.square_distance(square, corner) <= 2]
    kinds = (chess.PAWN, chess.PAWN, chess.PAWN, chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN)
    for square in dice.sample(near, dice.randint(3, 8)):
        _put(board, square, dice.choice(kinds), dice.random() < 0.5)
    board.set_piece_at(dice.choice(near), chess.Piece(chess.KING, dice.random() < 0.5))
    return board


def races(dice: random.Random) -> chess.Board:
    """A few pawns, some about to pass each other, kings shut in behind their own men."""
    board = chess.Board(None)
    for file in dice.sample(range(8), dice.randint(2, 5)):
        white = dice.choice((1, 1, 2, 3, 4))
        black = dice.choice((6, 6, 5, 4, 3))
        if dice.random() < 0.8:
            _put(board, chess.square(file, white), chess.PAWN, chess.WHITE)
        if dice.random() < 0.8:
            _put(board, chess.square(file, black), chess.PAWN, chess.BLACK)
    return board


def boxes(dice: random.Random) -> chess.Board:
    """Both kings shut in behind Ka1, Bb1, a2, c2 against a3, c3 or the like; loose pawns between them."""
    board = chess.Board(None)
    for colour in chess.COLORS:
        corner = dice.choice((chess.A1, chess.H1) if colour else (chess.A8, chess.H8))
        forward = 8 if colour else -8
        inward = 1 if chess.square_file(corner) == 0 else -1
        board.set_piece_at(corner, chess.Piece(chess.KING, colour))
        neighbour = dice.choice((chess.BISHOP, chess.BISHOP, chess.BISHOP, chess.KNIGHT, chess.ROOK, None))
        if neighbour:
            board.set_piece_at(corner + inward, chess.Piece(neighbour, colour))
        for file in (0, 2):
            if dice.random() < 0.95:
                square = corner + forward + file * inward
                board.set_piece_at(square, chess.Piece(chess.PAWN, colour))
                board.set_piece_at(square + forward, chess.Piece(chess.PAWN, not colour))
    for _ in range(dice.choice((0, 1, 2, 2, 3, 3, 4))):
        colour = dice.random() < 0.5
        rank = dice.choice((1, 1, 2, 3, 4, 5))
        _put(board, chess.square(dice.randrange(8), rank if colour else 7 - rank), chess.PAWN, colour)
    for _ in range(dice.choice((0, 0, 0, 1))):
        _put(board, dice.randrange(64), dice.choice((chess.BISHOP, chess.KNIGHT)), dice.random() < 0.5)
    return board


def castles(dice: random.Random) -> chess.Board:
    """A locked board with kings and rooks at home and castling rights, in Chess960 too."""
    board = walls(dice)
    for colour in chess.COLORS:
        if dice.random() < 0.7:
            rank = 0 if colour else 7
            squares = sorted(dice.sample(range(8), 3))
            for file, piece in zip(squares, (chess.ROOK, chess.KING, chess.ROOK), strict=True):
                if piece == chess.KING or dice.random() < 0.6:
                    board.set_piece_at(chess.square(file, rank), chess.Piece(piece, colour))
            for file in range(8):
                if dice.random() < 0.5:
                    _put(board, chess.square(file, rank), dice.choice((chess.KNIGHT, chess.BISHOP)), colour)
    board.chess960 = True
    board.castling_rights = board.rooks & (chess.BB_RANK_1 | chess.BB_RANK_8)
    board.castling_rights = board.clean_castling_rights()
    return board


Kind = Callable[[random.Random], chess.Board]
KINDS: tuple[Kind, ...] = (walls, cages, races, boxes, boxes, boxes, boxes, castles)


def random_positions(seed: int, kinds: tuple[Kind, ...] = KINDS) -> Iterator[chess.Board]:
    """Yield valid positions without end."""
    dice = random.Random(seed)
    while True:
        board = dice.choice(kinds)(dice)
        for colour in chess.COLORS:
            if board.king(colour) is None:
                free = [square for square in chess.SQUARES if board.piece_at(square) is None]
                board.set_piece_at(dice.choice(free), chess.Piece(chess.KING, colour))
        board.turn = dice.random() < 0.5
        if dice.random() < 0.3:
            fifth = 4 if board.turn else 3
            board.ep_square = dice.choice(
                [chess.square(file, fifth + (1 if board.turn else -1)) for file in range(8)]
            )
            if not board.has_legal_en_passant():
                board.ep_square = None
        if board.is_valid():
            yield board


def main() -> None:
    """Write positions that `can_mate` says NO about, if their closure is small enough to be visited."""
    from assistant.laws.mate import Answer, Budget, can_mate

    seed = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 300
    rows: list[str] = []
    for board in random_positions(seed):
        verdicts = [can_mate(board, side, Budget(60, 1, 600)) for side in (chess.WHITE, chess.BLACK)]
        if all(v.stage in ("material", "terminal") or v.answer is not Answer.NO for v in verdicts):
            continue
        reached = closure(board, 2500)
        if reached is None:
            continue
        found = mates(reached)
        words = ["yes" if found[side] else "no" for side in (chess.WHITE, chess.BLACK)]
        rows.append("\t".join((board.fen(), *words, str(len(reached)))))
        print(rows[-1], *(verdict.stage for verdict in verdicts), flush=True)
        if len(rows) >= count:
            break
    TABLE.write_text("fen\twhite\tblack\tpositions\n" + "\n".join(rows) + "\n", encoding="ascii")


if __name__ == "__main__":
    main()

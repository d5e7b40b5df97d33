"""What several tests need: positions of seeded random play, and a quick look into a word graph."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import cycle

import chess

from assistant.utterance import WordGraph


def random_positions(count: int, seed: int) -> Iterator[chess.Board]:
    """Yield `count` positions with legal moves; a board is only good until the next is drawn.

    They are rich in castling, promotions, en passant and pairs of like men. A third of the games starts
    from Chess960, a third from a few men, pawns near their last ranks and one to be taken en passant. No game
    yields more than three, so that they are of many games.
    """
    rng = random.Random(seed)
    given = 0
    for start in cycle((_sparse, _chess960, _standard)):
        board = start(rng)
        first = rng.choice((0, 4, 12))
        for ply in range(first + 3):
            moves = list(board.legal_moves)
            if not moves:
                break
            if ply >= first:
                yield board
                given += 1
            if given == count:
                return
            rare = [
                move
                for move in moves
                if move.promotion or board.is_castling(move) or board.is_en_passant(move)
            ]
            board.push(rng.choice(rare if rare and rng.random() < 0.2 else moves))


def _standard(rng: random.Random) -> chess.Board:
    return chess.Board()


def _chess960(rng: random.Random) -> chess.Board:
    board = chess.Board.from_chess960_pos(rng.randrange(960))
    # Without the men between king and rook castling comes soon, in every shape that it has in Chess960.
    for square in chess.scan_forward(chess.BB_BACKRANKS & ~board.kings & ~board.rooks):
        if rng.random() < 0.6:
            board.remove_piece_at(square)
    return board


def _sparse(rng: random.Random) -> chess.Board:
    while True:
        board = chess.Board.empty()
        squares = rng.sample(range(64), 12)
        for square, symbol in zip(squares, "Kk" + "".join(rng.choices("QRBNqrbnNNnn", k=5)), strict=False):
            board.set_piece_at(square, chess.Piece.from_symbol(symbol))
        for square, color in zip(squares[7:], (True, False, True, False, True), strict=True):
            near_the_end = (5, 6) if color else (1, 2)
            place = chess.square(chess.square_file(square), rng.choice(near_the_end))
            if board.piece_at(place) is None:
                board.set_piece_at(place, chess.Piece(chess.PAWN, color))
        board.turn = rng.random() < 0.5
        fifth, sixth = (4, 5) if board.turn else (3, 2)
        file = rng.randrange(7)
        board.set_piece_at(chess.square(file, fifth), chess.Piece(chess.PAWN, board.turn))
        board.set_piece_at(chess.square(file + 1, fifth), chess.Piece(chess.PAWN, not board.turn))
        board.ep_square = chess.square(file + 1, sixth)
        if board.is_valid() and any(board.legal_moves):
            return board


def accepts(graph: WordGraph, words: tuple[str, ...]) -> bool:
    """Return whether words are a phrase of a graph, be it deterministic or not."""
    states = {0}
    for word in words:
        states = {target for source, label, target in graph.arcs if source in states and label == word}
    return not states.isdisjoint(graph.finals)


def acceptor(graph: WordGraph) -> Callable[[tuple[str, ...]], bool]:
    """Return a test whether words are a phrase of a deterministic graph."""
    following = {(source, word): target for source, word, target in graph.arcs}
    assert len(following) == len(graph.arcs), "no state has two arcs of one word"

    def accept(words: tuple[str, ...]) -> bool:
        state: int | None = 0
        for word in words:
            if state is not None:
                state = following.get((state, word))
        return state in graph.finals

    return accept

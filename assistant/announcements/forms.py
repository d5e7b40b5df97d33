"""A move in words: the one form that Hector speaks, and every form that a player may use."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import chess

from assistant.announcements.vocabulary import Vocabulary, Wing, Words, optional
from assistant.board import after, is_legal, rook_of_castling, takes_in_passing
from assistant.errors import HectorError

NO_CHECK, CHECK, MATE = range(3)
PROMOTIONS = (chess.QUEEN, chess.ROOK, chess.BISHOP, chess.KNIGHT)


def announce(
    board: chess.Board, move: chess.Move, vocabulary: Vocabulary, *, with_check: bool = True
) -> Words:
    """Return the announcement of a move as Hector speaks it: the shortest that the Laws call complete.

    `with_check`: with the word about check or mate, if the move gives it; it is complete without.

    The from-square is named whole, and only where it has to be: where another man of the kind could go
    to the square too, and where a pawn leaves its file. A move that is not legal is announced by the same
    rule, so that nobody can tell from the words whether it is: in a rated game nobody may be told unasked.
    The board is left as it was.

    Source: Laws of Chess 2014 D.2.1 (2009 E.2.1).

    :raises HectorError: if there is no man of either side to be moved.
    """
    man = board.piece_at(move.from_square)
    if man is None:
        raise HectorError(
            "There is no man on {from_square} to be moved.", from_square=chess.square_name(move.from_square)
        )
    checks = _check_words(board, move, vocabulary) if with_check else ()
    if rook_of_castling(board, move) is not None:
        return vocabulary.castling[wing_of(board, move)][0] + checks
    piece = man.piece_type
    leaves_file = chess.square_file(move.from_square) != chess.square_file(move.to_square)
    en_passant = takes_in_passing(board, move)
    takes = bool(board.occupied_co[not man.color] & chess.BB_SQUARES[move.to_square])
    words: Words = () if piece == chess.PAWN else (vocabulary.pieces[piece],)
    if (piece == chess.PAWN and (leaves_file or takes)) or _has_rival(board, move, piece):
        words += vocabulary.square(move.from_square)
    if takes or en_passant:
        words += vocabulary.capture[:1]
    words += vocabulary.square(move.to_square)
    if move.promotion:
        words += (vocabulary.pieces[move.promotion],)
    if en_passant:
        words += (vocabulary.en_passant,)
    return words + checks


def spoken_forms(board: chess.Board, move: chess.Move, vocabulary: Vocabulary) -> Iterator[Words]:
    """Yield every way to announce a legal move, each once; the board is left as it was.

    A form need not tell the move from every other one: "Springer David zwei" is yielded for either
    knight that can go there. Words about check and mate are yielded where they are true.
    """
    tails = vocabulary.check_tails[check_state(board, move)]
    for form, tail in product(plain_forms(board, move, vocabulary), tails):
        yield form + tail


def plain_forms(board: chess.Board, move: chess.Move, vocabulary: Vocabulary) -> list[Words]:
    """Return the spoken forms of a legal move, each once, without the words about check and mate."""
    squares = vocabulary.squares
    king = (vocabulary.pieces[chess.KING],)
    if board.is_castling(move):
        long_form = [
            form
            for source in squares[move.from_square]
            for between in _ways_to(vocabulary, capture=False)
            for target in squares[move.to_square]
            for form in _with_from(source, between + target, king, vocabulary)
        ]
        return [*vocabulary.castling[wing_of(board, move)], *long_form]
    piece = board.piece_type_at(move.from_square)
    assert piece is not None, "a legal move has a man to move"
    capture = is_capture(board, move)
    endings = _endings(board, move, vocabulary)
    ways = _ways_to(vocabulary, capture)
    rests = [way + target + end for way in ways for target in squares[move.to_square] for end in endings]
    name = (vocabulary.pieces[piece],)
    heads = optional(vocabulary.from_words)
    forms = [name + rest for rest in rests]
    if piece == chess.PAWN and not capture:
        forms += [target + end for target in squares[move.to_square] for end in endings]
    for rest in rests:
        for source in squares[move.from_square]:
            forms += _with_from(source, rest, name, vocabulary)
            forms += [name + head + source[1:] + rest for head in heads]
        file = source[:1]
        forms += [name + head + file + rest for head in heads]
        if piece == chess.PAWN and capture:
            forms.append(file + rest)
    return forms


def wing_of(board: chess.Board, move: chess.Move) -> Wing:
    """Return the side of a castling move, lawful or only meant."""
    return "short" if board.is_kingside_castling(move) else "long"


def is_capture(board: chess.Board, move: chess.Move) -> bool:
    """Return whether a legal move that is not castling captures, en passant included."""
    return board.piece_type_at(move.to_square) is not None or (
        board.piece_type_at(move.from_square) == chess.PAWN
        and chess.square_file(move.from_square) != chess.square_file(move.to_square)
    )


def check_state(board: chess.Board, move: chess.Move) -> int:
    """Return `NO_CHECK`, `CHECK` or `MATE`: what a move gives, lawful or not; the board is left as it was."""
    if not is_legal(board, move):
        return _checks(after(board, move))
    board.push(move)
    try:
        return _checks(board)
    finally:
        board.pop()


def _checks(board: chess.Board) -> int:
    if not board.checkers_mask() & ~board.kings:
        # A king gives no check, wherever an illegal move has put him (3.9).
        return NO_CHECK
    return CHECK if any(board.generate_legal_moves()) else MATE


def moves_to(board: chess.Board, target: chess.Square, sources: chess.Bitboard) -> list[chess.Move]:
    """Return the legal moves to a square from some squares, castling left out."""
    moves = board.generate_legal_moves(sources, chess.BB_SQUARES[target])
    return [move for move in moves if not board.is_castling(move)]


def _has_rival(board: chess.Board, move: chess.Move, piece: chess.PieceType) -> bool:
    others = board.pieces_mask(piece, board.turn) & ~chess.BB_SQUARES[move.from_square]
    if not others:
        return False
    if moves_to(board, move.to_square, others):
        return True
    if is_legal(board, move) or not board.is_pseudo_legal(move):
        return False
    # Of men who all leave their king in check by it, it is to be told as well which one goes.
    return any(board.generate_pseudo_legal_moves(others, chess.BB_SQUARES[move.to_square]))


def _check_words(board: chess.Board, move: chess.Move, vocabulary: Vocabulary) -> Words:
    return ((), (vocabulary.check,), (vocabulary.mate,))[check_state(board, move)]


def _ways_to(vocabulary: Vocabulary, capture: bool) -> list[Words]:
    """Return what may stand between the man and the square that he goes to."""
    ways = optional(vocabulary.to_words)
    if capture:
        ways += [(word, *way) for word in vocabulary.capture for way in optional(vocabulary.after_capture)]
    return ways


def _with_from(source: Words, rest: Words, name: Words, vocabulary: Vocabulary) -> Iterator[Words]:
    """Yield the long forms: with and without the man's name, with and without "von"."""
    for man in ((), name):
        yield from (man + head + source + rest for head in optional(vocabulary.from_words))


def _endings(board: chess.Board, move: chess.Move, vocabulary: Vocabulary) -> list[Words]:
    """Return what may follow the square: the man that a pawn becomes, or en passant."""
    if move.promotion:
        name = vocabulary.pieces[move.promotion]
        return [(name,), *((word, name) for word in vocabulary.promotion)]
    if board.is_en_passant(move):
        return [(), (vocabulary.en_passant,)]
    return [()]

"""Positions and moves, the lawful ones and those that are not.

A completed illegal move stands on the board until it is claimed, a pawn may be left on the last rank, a
king may be en prise or gone: python-chess knows none of this, so a position here is a `chess.Board`
without a stack that is never asked whether the game is over.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias

import chess

from assistant.board import is_legal, landing_squares, rook_of_castling
from assistant.errors import Phrase, marked
from assistant.fen import why_impossible, why_no_fen
from assistant.laws.events import ScriptError
from assistant.sides import Side, side_of

Key: TypeAlias = tuple[int, ...]

_ENDED_BY: Final = {"checkmate": marked("checkmate"), "stalemate": marked("stalemate")}


def color_of(side: Side) -> chess.Color:
    return side == "white"


def start_board(fen: str | None, chess960: bool | int) -> chess.Board:
    """Return the start position: a FEN, a Scharnagl number, or the usual one.

    :raises ScriptError: if no game can begin there (article 3.10.3: an illegal position; 5.1.1 and 5.2.1: it
        would be over).
    """
    if fen is None:
        if chess960 is True:
            raise ScriptError("Chess960 needs a Scharnagl number from 0 to 959, or a FEN.")
        if chess960 is False:
            return chess.Board()
        return chess.Board.from_chess960_pos(chess960)
    try:
        board = chess.Board(fen, chess960=chess960 is not False)
    except ValueError:
        raise ScriptError(
            "The position {fen!r} is not a FEN: {reason}.", fen=fen, reason=why_no_fen(fen)
        ) from None
    # A wrong set-up may claim castling rights that its kings and rooks cannot have: they are not there.
    board.castling_rights = board.clean_castling_rights()
    problem = why_impossible(board.status() & ~chess.STATUS_INVALID_EP_SQUARE)
    if problem is not None:
        raise ScriptError("No game can begin in {fen!r}: {status}.", fen=fen, status=problem)
    ending = natural_end(board)
    if ending is not None:
        # No move could follow the start of the clock, and no move is there to be ruled on.
        over = marked("the game is over there ({why})", why=_ENDED_BY[ending.reason])
        raise ScriptError("No game can begin in {fen!r}: {status}.", fen=fen, status=over)
    if not board.has_legal_en_passant():
        board.ep_square = None
    return board


def is_regular_start(board: chess.Board) -> bool:
    """Is this the start position of chess, or, in Chess960, one of the 960?"""
    if board.fullmove_number != 1 or board.turn != chess.WHITE:
        return False
    return (
        board.chess960_pos() is not None if board.chess960 else board.board_fen() == chess.STARTING_BOARD_FEN
    )


def legal_moves(board: chess.Board) -> list[chess.Move]:
    """Return the legal moves; a king is never captured, whatever stands en prise (article 1.2)."""
    return list(_each_legal(board))


def _each_legal(board: chess.Board) -> Iterator[chess.Move]:
    kings = board.kings & board.occupied_co[not board.turn]
    return (move for move in board.legal_moves if not kings & chess.BB_SQUARES[move.to_square])


def read_uci(board: chess.Board, text: str) -> chess.Move | None:
    """Read a move in UCI, legal or not; castling: king takes rook in Chess960, else the king's squares."""
    try:
        move = chess.Move.from_uci(text)
    except ValueError:
        return None
    if not move or move.drop is not None or move.promotion in (chess.KING, chess.PAWN):
        return None
    piece = board.piece_at(move.from_square)
    if piece is not None and piece.piece_type == chess.KING and piece.color == board.turn:
        rank = chess.square_rank(move.from_square)
        if (
            board.chess960
            and move.from_square in (chess.E1, chess.E8)
            and chess.square_file(move.to_square) in (2, 6)
            and chess.square_rank(move.to_square) == rank
            and not is_legal(board, move)
        ):
            rook = chess.square(7 if chess.square_file(move.to_square) == 6 else 0, rank)
            castling = chess.Move(move.from_square, rook)
            if is_legal(board, castling):
                return castling
    return move


_HOW_A_MAN_MOVES: Final = {
    chess.KING: marked("the king does not move like that"),
    chess.QUEEN: marked("the queen does not move like that"),
    chess.ROOK: marked("the rook does not move like that"),
    chess.BISHOP: marked("the bishop does not move like that"),
    chess.KNIGHT: marked("the knight does not move like that"),
    chess.PAWN: marked("the pawn does not move like that"),
}


def why_illegal(board: chess.Board, move: chess.Move) -> Phrase:
    """Say in a few words what article 3 has against a move."""
    piece = board.piece_at(move.from_square)
    if piece is None:
        return marked("there is no man on {square}", square=chess.square_name(move.from_square))
    if piece.color != board.turn:
        return marked("the man on {square} is the opponent's", square=chess.square_name(move.from_square))
    if rook_of_castling(board, move) is not None:
        return marked("castling is not legal now")
    target = board.piece_at(move.to_square)
    if target is not None and target.color == board.turn:
        return marked("a man of the same colour stands on {square}", square=chess.square_name(move.to_square))
    if target is not None and target.piece_type == chess.KING:
        return marked("a king is not captured")
    if piece.piece_type == chess.PAWN and chess.square_rank(move.to_square) in (0, 7) and not move.promotion:
        return marked("the pawn must be exchanged for a piece")
    if board.is_pseudo_legal(move):
        return marked("the king would be left in check")
    return _HOW_A_MAN_MOVES[piece.piece_type]


def standing_in_the_way(board: chess.Board, move: chess.Move) -> bool:
    """Does a man of the mover's own stand on the arrival square, or any man where castling puts two?"""
    rook = rook_of_castling(board, move)
    if rook is not None:
        return bool(landing_squares(move, rook) & board.occupied & ~chess.BB_SQUARES[move.from_square])
    return bool(board.occupied_co[board.turn] & chess.BB_SQUARES[move.to_square])


def notation(board: chess.Board, move: chess.Move) -> str:
    """Return a move in algebraic notation, English letters; the long form if it has none."""
    if is_legal(board, move):
        return board.san(move)
    piece = board.piece_at(move.from_square)
    rook = rook_of_castling(board, move)
    if rook is not None:
        return "O-O-O" if rook < move.from_square else "O-O"
    letter = "" if piece is None or piece.piece_type == chess.PAWN else piece.symbol().upper()
    taken = "x" if board.piece_at(move.to_square) else "-"
    promotion = f"={chess.piece_symbol(move.promotion).upper()}" if move.promotion else ""
    return (
        f"{letter}{chess.square_name(move.from_square)}{taken}{chess.square_name(move.to_square)}{promotion}"
    )


def fen(board: chess.Board) -> str:
    """Return the FEN: en passant only when legal, Chess960 castling rights as X-FEN."""
    return board.fen(en_passant="legal")


def key(board: chess.Board) -> Key:
    """Return what makes two positions the same (article 9.2.3).

    The same side to move, the same men on the same squares and the same possible moves: castling rights
    count as long as king and rook have not moved, en passant only if that capture is legal.
    """
    return (
        board.pawns,
        board.knights,
        board.bishops,
        board.rooks,
        board.queens,
        board.kings,
        board.occupied_co[chess.WHITE],
        int(board.turn),
        board.clean_castling_rights(),
        board.ep_square if board.ep_square is not None and board.has_legal_en_passant() else -1,
    )


def both_kings_in_check(board: chess.Board) -> bool:
    kings = [board.king(color) for color in chess.COLORS]
    return all(
        king is not None and board.is_attacked_by(not color, king)
        for color, king in zip(chess.COLORS, kings, strict=True)
    )


def pawn_on_last_rank(board: chess.Board) -> bool:
    return bool(board.pawns & (chess.BB_RANK_1 | chess.BB_RANK_8))


def is_whole(board: chess.Board) -> bool:
    """Could the position arise by legal moves at all, so that the search for a mate has a meaning?"""
    return board.status() & ~chess.STATUS_INVALID_EP_SQUARE == chess.STATUS_VALID


@dataclass(frozen=True, slots=True)
class Ending:
    """How a position ends the game: the reason, and the winner if there is one."""

    reason: str
    winner: Side | None


def natural_end(board: chess.Board) -> Ending | None:
    """Return checkmate or stalemate for the side to move, if the position is one (articles 5.1.1, 5.2.1)."""
    if board.king(chess.WHITE) is None or board.king(chess.BLACK) is None:
        return None
    if any(_each_legal(board)):
        return None
    if board.is_check():
        return Ending("checkmate", side_of(not board.turn))
    return Ending("stalemate", None)

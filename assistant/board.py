"""What a move does with the men, lawful or not: the referee, the sheet and the page put them alike.

An illegal move that was completed stands until it is claimed (article 7.5), and the board library knows
only lawful ones: where no rook stands it would castle, and put the king beside the board's edge.
"""

from __future__ import annotations

import chess


def position(fen: str, chess960: bool = False) -> chess.Board:
    """Return the position of a FEN, possible or not; of Chess960 where its castling is possible only there.

    :raises ValueError: if it is not a FEN.
    """
    board = chess.Board(fen, chess960=chess960)
    if chess960 or board.is_valid():
        return board
    other = chess.Board(fen, chess960=True)
    return other if other.is_valid() else board


def is_legal(board: chess.Board, move: chess.Move) -> bool:
    """Is the move lawful? A king is never captured, whatever stands en prise (article 1.2)."""
    kings = board.kings & board.occupied_co[not board.turn]
    return board.is_legal(move) and not kings & chess.BB_SQUARES[move.to_square]


def takes_in_passing(board: chess.Board, move: chess.Move) -> bool:
    """Is the move a capture en passant, lawful or only meant?

    Who captures so when the right to it has gone takes the pawn from the board all the same (3.7.3.2).
    """
    if board.is_en_passant(move):
        return True
    fifth = chess.BB_RANK_5 if board.turn == chess.WHITE else chess.BB_RANK_4
    across = chess.square_file(move.to_square) - chess.square_file(move.from_square)
    ahead = move.to_square - move.from_square == across + (8 if board.turn == chess.WHITE else -8)
    is_pawns = bool(fifth & board.pawns & board.occupied_co[board.turn] & chess.BB_SQUARES[move.from_square])
    if not (is_pawns and abs(across) == 1 and ahead) or board.occupied & chess.BB_SQUARES[move.to_square]:
        return False
    return bool(board.pawns & board.occupied_co[not board.turn] & chess.BB_SQUARES[move.from_square + across])


def rook_of_castling(board: chess.Board, move: chess.Move) -> chess.Square | None:
    """Return the rook's square for a castling move, lawful or only meant; None for other moves."""
    piece = board.piece_at(move.from_square)
    if piece is None or piece.piece_type != chess.KING or move.promotion:
        return None
    ours = board.occupied_co[piece.color]
    home = chess.E1 if piece.color == chess.WHITE else chess.E8
    rank = chess.BB_RANKS[chess.square_rank(home)]
    if not rank & chess.BB_SQUARES[move.from_square] or not (board.chess960 or move.from_square == home):
        # From elsewhere a king that is put on his rook takes it.
        return None
    if board.rooks & ours & rank & chess.BB_SQUARES[move.to_square]:
        return move.to_square
    if board.chess960:
        return None
    if move.to_square == home + 2 and board.rooks & ours & chess.BB_SQUARES[home + 3]:
        return home + 3
    if move.to_square == home - 2 and board.rooks & ours & chess.BB_SQUARES[home - 4]:
        return home - 4
    return None


def chess960_rooks(board: chess.Board, king: chess.Square) -> list[chess.Square]:
    """Return the rook on each side of a king, on his rank, with which he would castle in Chess960.

    It is the one with the right to castle; where none has it, the outermost.
    """
    rank = chess.BB_RANKS[chess.square_rank(king)]
    from_a = list(chess.scan_forward(board.rooks & board.occupied_co[board.turn] & rank))
    sides = ([each for each in from_a if each < king], [each for each in reversed(from_a) if each > king])
    return [
        next((each for each in side if chess.BB_SQUARES[each] & board.castling_rights), side[0])
        for side in sides
        if side
    ]


def landing_squares(move: chess.Move, rook: chess.Square) -> chess.Bitboard:
    """Return the squares on which castling puts the two men, without the one the rook comes from."""
    king, beside = _castled(move, rook)
    return (chess.BB_SQUARES[king] | chess.BB_SQUARES[beside]) & ~chess.BB_SQUARES[rook]


def rook_castled(board: chess.Board, move: chess.Move) -> chess.Square | None:
    """Return the rook's square for a castling that moves both men, lawful or not; None for other moves.

    A king who is put on his rook castles; one who goes two squares does so where no other man stands on the
    squares that the two arrive on.
    """
    rook = rook_of_castling(board, move)
    if rook is None or rook == move.to_square:
        return rook
    others = board.occupied & ~chess.BB_SQUARES[move.from_square]
    return None if others & landing_squares(move, rook) else rook


def castles_with_rook_alone(board: chess.Board, move: chess.Move) -> bool:
    """Is the move castling in which only the rook moves, as in some positions of Chess960?"""
    rook = rook_of_castling(board, move)
    return rook is not None and _castled(move, rook)[0] == move.from_square


def _castled(move: chess.Move, rook: chess.Square) -> tuple[chess.Square, chess.Square]:
    rank, a_side = chess.square_rank(move.from_square), rook < move.from_square
    return chess.square(2 if a_side else 6, rank), chess.square(3 if a_side else 5, rank)


def after(board: chess.Board, move: chess.Move) -> chess.Board:
    """Return the position after a move, without a stack; see `play`."""
    result = board.copy(stack=False)
    play(result, move)
    result.clear_stack()
    return result


def play(board: chess.Board, move: chess.Move) -> None:
    """Make a move on the board; an illegal one puts the men where it says, and then the stack is lost.

    Castling moves both men where they find room, and a pawn takes en passant although its king is in check
    afterwards, or the right to it has gone.

    :raises ValueError: if there is no man to move.
    """
    if not move or is_legal(board, move):
        board.push(move)
        return
    piece = board.piece_at(move.from_square)
    if piece is None:
        raise ValueError(f"no man on {chess.square_name(move.from_square)}")
    touched = chess.BB_SQUARES[move.from_square] | chess.BB_SQUARES[move.to_square]
    rights = board.castling_rights & ~touched
    if piece.piece_type == chess.KING:
        rights &= ~(chess.BB_RANK_1 if piece.color == chess.WHITE else chess.BB_RANK_8)
    rook = rook_castled(board, move)
    is_capture = rook is None and board.piece_at(move.to_square) is not None
    board.halfmove_clock = 0 if is_capture or piece.piece_type == chess.PAWN else board.halfmove_clock + 1
    if takes_in_passing(board, move):
        board.remove_piece_at(move.to_square + (-8 if board.turn == chess.WHITE else 8))
    board.remove_piece_at(move.from_square)
    if rook is None:
        board.set_piece_at(move.to_square, chess.Piece(move.promotion or piece.piece_type, piece.color))
    else:
        board.remove_piece_at(rook)
        king, beside = _castled(move, rook)
        board.set_piece_at(king, piece)
        board.set_piece_at(beside, chess.Piece(chess.ROOK, piece.color))
    board.ep_square = _passed_square(board, move, piece)
    board.castling_rights = rights
    board.castling_rights = board.clean_castling_rights()
    if board.turn == chess.BLACK:
        board.fullmove_number += 1
    board.turn = not board.turn


def _passed_square(board: chess.Board, move: chess.Move, piece: chess.Piece) -> chess.Square | None:
    """Return the empty square over which a pawn has just advanced by two (article 3.7.3.1)."""
    home, step = (1, 8) if piece.color == chess.WHITE else (6, -8)
    passed = move.from_square + step
    is_double = move.to_square - move.from_square == 2 * step
    if piece.piece_type != chess.PAWN or chess.square_rank(move.from_square) != home or not is_double:
        return None
    return None if board.occupied & chess.BB_SQUARES[passed] else passed

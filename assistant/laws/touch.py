"""Touched men and the duties that follow (article 4)."""

from __future__ import annotations

from typing import Final

import chess

from assistant.board import castles_with_rook_alone, is_legal, rook_of_castling, takes_in_passing
from assistant.errors import marked
from assistant.laws.draws import decline_by_touching
from assistant.laws.envelopes import IS_THE_SEALED_ONE
from assistant.laws.position import legal_moves
from assistant.laws.script import Line
from assistant.laws.state import Game, Refused, Turn
from assistant.sides import Side

PAWN_IS_EXCHANGED_THERE: Final = marked("the pawn has been released on the last rank and is exchanged there")


def touch(game: Game, line: Line) -> None:
    """The player having the move touches men in this order; a blind player lifts them out of their holes."""
    game.check_begun()
    side = _mover(game, line)
    squares = [chess.parse_square(name) for name in line.get("squares")]
    if line.by_assistant:
        board = game.board
        game.ask_arbiter(
            "touched",
            list(line.get("squares")),
            "duty-e",
            # Once the move is made, what was touched before it binds no more.
            lambda game, _: _record(game, side, squares, line) if game.board is board else None,
            side=side,
        )
        return
    _record(game, side, squares, line)


def _record(game: Game, side: Side, squares: list[chess.Square], line: Line) -> None:
    if is_put_down(game):
        return
    turn = game.turn_state
    fresh = [square for square in squares if square not in turn.adjusted and game.board.piece_at(square)]
    if not fresh:
        return
    if game.rules.touch_move:
        turn.touched += [square for square in fresh if square not in turn.touched]
        turn.order_unknown = turn.order_unknown or line.get("order") == "unknown"
        forget_what_is_not_due(game)
    decline_by_touching(game, side)


def adjust(game: Game, line: Line) -> None:
    """The player having the move says first that he adjusts; these men may be touched without any duty."""
    side = line.player
    running = game.clock.running == side or not game.has_clock
    if game.rules.adjust_needs_running_clock and not running:
        raise Refused(marked("only the player whose clock is running may adjust"), "adjust-clock")
    _mover(game, line, kind="adjust")
    game.turn_state.adjusted |= {chess.parse_square(name) for name in line.get("squares")}


def _mover(game: Game, line: Line, kind: str = "having-the-move") -> Side:
    if game.having_the_move != line.player:
        raise Refused(marked("it is the opponent who has the move"), kind)
    if _is_made_to_be_sealed(game):
        raise Refused(IS_THE_SEALED_ONE, "seal")
    game.check_present(line.player)
    return line.player


def released(game: Game) -> chess.Move | None:
    """Return the lawful move by which a man was released and that is not made yet; None if there is none."""
    placed = game.turn_state.placed
    return placed if placed is not None and is_legal(game.board, placed) else None


def is_put_down(game: Game) -> bool:
    """Does a man stand where the player having the move has put him, so that he moves no other (4.7)?"""
    return released(game) is not None or _is_made_to_be_sealed(game)


def _is_made_to_be_sealed(game: Game) -> bool:
    """Has a lawful move been made on the board after the order to seal?"""
    return game.adjournment is not None and game.adjournment.stands(game.board)


def check_duties(game: Game, move: chess.Move) -> None:
    """Refuse a move that breaks what touching, or a claim with a written move, obliges the player to.

    :raises Refused: with the article and the moves that are due.
    """
    turn = game.turn_state
    if turn.must is not None:
        # It leaves no choice, so that a man touched later binds nothing.
        if move == turn.must:
            return
        raise Refused(
            marked("the move that was written for the claim must be made"),
            "claim-move-due",
            due=[turn.must.uci()],
        )
    if turn.exchanged_on is not None and move.to_square != turn.exchanged_on:
        raise Refused(PAWN_IS_EXCHANGED_THERE, "released", due=_promotions(game.board, turn.exchanged_on))
    if not turn.touched or not game.rules.touch_move:
        return
    due, kind = due_moves(game.board, turn)
    if due is None or move in due:
        return
    men = {_man_of(game.board, each, turn) for each in due}
    if not is_legal(game.board, move) and _man_of(game.board, move, turn) in men:
        return
    raise Refused(marked("a touched man must be moved or captured"), kind, due=[each.uci() for each in due])


def forget_what_is_not_due(game: Game) -> None:
    """Forget what a blind player has announced if another move has become due: he announces anew."""
    turn = game.turn_state
    if turn.announced is None:
        return
    try:
        check_duties(game, turn.announced)
    except Refused:
        turn.announced = None


def _promotions(board: chess.Board, square: chess.Square) -> list[str]:
    return [move.uci() for move in legal_moves(board) if move.promotion and move.to_square == square]


def due_moves(board: chess.Board, turn: Turn) -> tuple[list[chess.Move] | None, str]:
    """Return the moves that touching leaves, None for all, and the kind of ruling (articles 4.3 to 4.5)."""
    legal = legal_moves(board)
    color = board.turn
    men = [(square, piece.color == color) for square in turn.touched if (piece := board.piece_at(square))]
    if turn.order_unknown:
        men.sort(key=lambda man: not man[1])
    own = [square for square, mine in men if mine]
    enemy = [square for square, mine in men if not mine]
    king = board.king(color)
    if len(own) >= 2 and own[0] == king and not enemy and _castles_with(board, own[1]):
        return _after_king_and_rook(board, legal, own[1])
    barred: chess.Square | None = None
    if king in own and own[0] != king and _castles_with(board, own[0]):
        barred = own[0]
        legal = [move for move in legal if rook_of_castling(board, move) != barred]
    if own and enemy:
        both = [move for move in legal if move.from_square == own[0] and captured(board, move) == enemy[0]]
        if both:
            return both, "touch-both"
    for square, mine in men:
        if mine:
            moves = [move for move in legal if _man_of(board, move, turn) == square]
        else:
            moves = [move for move in legal if captured(board, move) == square]
        if moves:
            if barred is not None:
                return moves, "touch-rook-king"
            if own and enemy:
                return moves, "touch-both"
            return moves, "touch-own" if mine else "touch-enemy"
    return None, "touch-own"


def _man_of(board: chess.Board, move: chess.Move, turn: Turn) -> chess.Square:
    """Return where the man stands that moves: by castling the king, unless he stays there untouched."""
    if move.from_square not in turn.touched and castles_with_rook_alone(board, move):
        return move.to_square
    return move.from_square


def _castles_with(board: chess.Board, square: chess.Square) -> bool:
    return bool(board.rooks & board.occupied_co[board.turn] & chess.BB_SQUARES[square])


def _after_king_and_rook(
    board: chess.Board, legal: list[chess.Move], rook: chess.Square
) -> tuple[list[chess.Move] | None, str]:
    castling = [move for move in legal if rook_of_castling(board, move) == rook]
    if castling:
        return castling, "touch-castle"
    king = board.king(board.turn)
    king_moves = [move for move in legal if move.from_square == king]
    return king_moves or None, "touch-castle-illegal"


def captured(board: chess.Board, move: chess.Move) -> chess.Square | None:
    """Return the square of the man a move captures, lawful or not, en passant included."""
    if takes_in_passing(board, move):
        return chess.square(chess.square_file(move.to_square), chess.square_rank(move.from_square))
    if board.occupied_co[not board.turn] & chess.BB_SQUARES[move.to_square]:
        return move.to_square
    return None


def bind_replacement(game: Game, wrong: chess.Move, before: chess.Board, turn: Turn) -> None:
    """Articles 4.3 and 4.7 apply to the move that replaces the illegal one, which was made in a turn."""
    if not game.rules.touch_move:
        return
    touched = [*turn.touched, wrong.from_square]
    rook = rook_of_castling(before, wrong)
    taken = captured(before, wrong)
    if rook is not None:
        touched.append(rook)
    elif taken is not None and before.piece_type_at(taken) != chess.KING:
        touched.append(taken)
    game.turn_state.touched = list(dict.fromkeys(touched))
    game.turn_state.order_unknown = turn.order_unknown

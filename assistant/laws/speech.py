"""What is only said of a move: its repetition, and a slip of the tongue corrected (D.2.1, D.2.8)."""

from __future__ import annotations

import chess

from assistant.errors import marked
from assistant.laws.draws import check_flag_is_up
from assistant.laws.endings import end_after_move
from assistant.laws.flags import forget_what_was_asked
from assistant.laws.moves import AlreadyRefused, lawful, make, read, taken_back
from assistant.laws.plies import stand_as_placed
from assistant.laws.position import notation
from assistant.laws.script import Line
from assistant.laws.state import Game, Ply, Refused
from assistant.laws.unsealing import ends_game
from assistant.laws.voiding import void_what_is_sealed
from assistant.sides import Side, other


def repeat(game: Game, line: Line) -> None:
    """The opponent repeats the announcement; nothing hangs on it but whether it was understood (D.2.1)."""
    side = line.player
    board, announced = _last_announced(game, other(side))
    try:
        heard = read(game, side, line.get("move"), board)
    except Refused as unclear:
        if announced.uci() not in unclear.keys.get("candidates", ()):
            game.emit("repeat-differs", "announce", side=side, uci=announced.uci(), heard=line.get("move"))
            return
        heard = announced
    if heard == announced:
        game.emit("repeated", "announce", side=side, uci=announced.uci())
    else:
        game.emit("repeat-differs", "announce", side=side, uci=announced.uci(), heard=heard.uci())


def _last_announced(game: Game, announcer: Side) -> tuple[chess.Board, chess.Move]:
    if game.having_the_move == announcer and game.turn_state.announced is not None:
        return game.board, game.turn_state.announced
    for index in range(len(game.plies) - 1, -1, -1):
        ply = game.plies[index]
        if ply.side == announcer and ply.announced is not None:
            return game.board_before(index), ply.announced
    raise Refused(marked("no move has been announced"), "announce")


def correct(game: Game, line: Line) -> None:
    """Correct a slip of the tongue, only speech, before the opponent's clock is started (D.2.8)."""
    side = line.player
    turn = game.turn_state
    if game.having_the_move == side and turn.announced is not None:
        move = read(game, side, line.get("move"), game.board)
        _check_correction(game, move, turn.announced)
        turn.announced = move
        game.emit("slip-corrected", "slip", side=side, uci=move.uci(), san=notation(game.board, move))
        return
    ply = game.last_ply_of(side)
    if ply is None:
        raise Refused(marked("no move has been announced"), "slip")
    if ply.completed:
        _refuse_late_correction(game, ply)
    if ply.announced is None:
        raise Refused(marked("the man has been released and stands"), "released")
    if game.halted and game.clock.display(side).fallen is not None:
        raise Refused(marked("the clocks are stopped"), "slip")
    check_flag_is_up(game, side)
    if ply is not game.plies[-1]:
        raise Refused(marked("the opponent has replied"), "slip")
    before = game.board_before(len(game.plies) - 1)
    move = read(game, side, line.get("move"), before)
    if ply.placed_by_line and ply.placed is not None:
        if not ply.differs:
            raise Refused(
                marked("the man stands as it was announced; that is no slip of the tongue"), "released"
            )
        if move != ply.placed:
            raise Refused(marked("the man was placed otherwise; only speech is corrected"), "slip")
    with taken_back(game):
        _check_correction(game, move, ply.announced)
    game.emit("slip-corrected", "slip", side=side, uci=move.uci(), san=notation(before, move))
    placed = ply.placed if ply.placed_by_line else move
    # An offer of before was rejected with the move; to mend a slip of the tongue touches nothing (D.2.8).
    game.turn_state.offer_came_after = True
    make(game, side, stands=move, announced=move, placed=placed, by_line=ply.placed_by_line)
    if game.result is None:
        void_what_is_sealed(game)


def _check_correction(game: Game, move: chess.Move, announced: chess.Move) -> None:
    if move == announced:
        raise Refused(marked("that is what was announced"), "slip")
    lawful(game, move)


def _refuse_late_correction(game: Game, ply: Ply) -> None:
    """After the press nothing is corrected; if the man stands otherwise the arbiter says which it was."""
    if ply.differs and ply is game.plies[-1] and ply.placed is not None:
        refused = Refused(marked("the clock has been pressed"), "slip")
        game.emit("refused", refused.kind, side=ply.side, reason=refused.reason)
        forget_what_was_asked(game, "which-move", ply.side)
        game.ask_arbiter(
            "which-move",
            ply.placed.uci(),
            "boards-differ",
            lambda game, _: _stand_as_placed(game, ply),
            side=ply.side,
            stops=_ends_game_as_placed(game, ply.placed),
        )
        raise AlreadyRefused
    raise Refused(marked("the clock has been pressed"), "slip")


def _ends_game_as_placed(game: Game, placed: chess.Move) -> bool:
    """Has the game ended by the last move, if the placed one was the move (5.1.1, 5.2.1)?"""
    last = game.plies.pop()
    try:
        return ends_game(game, placed)
    finally:
        game.plies.append(last)


def _stand_as_placed(game: Game, ply: Ply) -> None:
    """Carry out the arbiter's ruling that the placed move was the move."""
    if not game.plies or ply is not game.plies[-1]:
        raise Refused(marked("the opponent has replied meanwhile: restore the position first"), "restore")
    end_after_move(game, stand_as_placed(game))

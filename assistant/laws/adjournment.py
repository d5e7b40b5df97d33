"""Adjournment: from the order to seal to the closed envelope (Guideline I, Appendix E and older)."""

from __future__ import annotations

import chess

from assistant.board import is_legal
from assistant.errors import marked
from assistant.laws.arbiter import stop_clock as stop_play
from assistant.laws.draws import decline_by_moving
from assistant.laws.envelopes import IS_THE_SEALED_ONE, Adjournment
from assistant.laws.flags import flag_falls
from assistant.laws.moves import check_not_announced, check_put_right, is_placed_by, lawful, make, read
from assistant.laws.position import fen
from assistant.laws.resumption import seal_reply
from assistant.laws.script import Line
from assistant.laws.sealed import check_bonds, check_reply_is_open, read_sealed, written
from assistant.laws.state import Game, Refused, Turn
from assistant.laws.touch import bind_replacement
from assistant.laws.unsealing import ends_game, rule_on_flag
from assistant.sides import Side, other


def adjourn(game: Game, line: Line) -> None:
    """Order the player having the move to seal it; a reply that he has sealed is made first (I.9.3)."""
    if game.adjournment is not None:
        raise Refused(marked("the game is adjourned already"), "seal-order")
    sealer = game.having_the_move
    check_reply_is_open(game, sealer)
    if game.second_envelope is not None:
        raise Refused(marked("the player who sealed makes the move he sealed"), "envelope-lost")
    if game.clock.running is None:
        raise Refused(marked("no clock is running"), "seal-order")
    game.adjournment = Adjournment(sealer, line.get("session_end"), line.get("resumption", ""))
    game.emit("adjourned", "seal-order", side=sealer, by=line.get("by", "arbiter"), **game.clock_times())


def seal(game: Game, line: Line) -> None:
    """Write the sealed move; until the clock is stopped it may be changed."""
    side = line.player
    pause = game.adjournment
    if pause is None:
        seal_reply(game, line, side)
        return
    if pause.closed:
        raise Refused(marked("the envelope is closed"), "seal")
    if side != pause.sealer:
        raise Refused(marked("the player having the move seals"), "seal-order")
    box, text = line.get("envelope", ""), written(line)
    if not box:
        _check_sealed(game, pause, text)
    pause.sealed, pause.box = text, box
    pause.answers_offer = other(side) in game.draw_offers
    game.emit("sealed", "seal", side=side, ply=len(game.plies) + 1)


def _check_sealed(game: Game, pause: Adjournment, text: str) -> None:
    """Refuse a text that goes against what its player has done; what a box hides nobody knows."""
    found = read_sealed(game, pause.sealer, text)
    if pause.stands(game.board) and found != [pause.fixed]:
        raise Refused(IS_THE_SEALED_ONE, "seal")
    legal = [move for move in found if is_legal(game.board, move)]
    if len(legal) == 1:
        check_bonds(game, legal[0])


def move_after_order(game: Game, line: Line, side: Side) -> None:
    """A move made on the board after the order to seal must be the sealed one; it is not shown as made.

    What is only announced is not made: a blind player's move is made with his man (D.2.3).
    """
    pause = game.adjournment
    assert pause is not None
    if side != pause.sealer:
        raise Refused(marked("it is the opponent who has the move"), "having-the-move")
    move = read(game, side, line.get("move"), game.board)
    if move == pause.fixed:
        # Announced as it was placed.
        return
    if pause.fixed is not None:
        check_put_right(game.board, pause.fixed, move)
    lawful(game, move)
    check_bonds(game, move)
    if not is_placed_by(game, side, line) and move != game.turn_state.placed:
        check_not_announced(game)
        game.turn_state.announced = move
        return
    _make_after_order(game, pause, move)


def _make_after_order(game: Game, pause: Adjournment, move: chess.Move) -> None:
    side = pause.sealer
    if ends_game(game, move):
        game.adjournment = None
        make(game, side, stands=move, announced=move, placed=move, by_line=True)
        return
    had_sealed = pause.sealed is not None
    pause.fixed = move
    pause.sealed, pause.box = None, ""
    decline_by_moving(game, side)
    turn, game.turn_state = game.turn_state, Turn()
    if not is_legal(game.board, move):
        # Until the clock is stopped he may put it right, with the men that he has touched (7.5.1).
        bind_replacement(game, move, game.board, turn)
    game.emit("adjourned", "seal", side=side, by="arbiter", **game.clock_times(), fixed=True)
    if had_sealed:
        game.emit("sealed-void", "seal", side=side)


def stop(game: Game, line: Line) -> None:
    """Stop the clock; with the move sealed that closes the envelope, and both players leave."""
    pause = game.adjournment
    if pause is None or pause.closed or line.get("by") == other(pause.sealer):
        # The sealer may change his move until he, or the arbiter, has stopped the clock (I.1.1).
        stop_play(game, line)
        return
    if pause.sealed is None:
        if line.get("reason"):
            stop_play(game, line)
            return
        raise Refused(marked("the move is sealed first, and only then is the clock stopped"), "seal")
    if pause.session_end is not None and pause.session_end > game.now:
        # Who adjourns before the session ends is deemed to have sealed at its end; his flag may fall before.
        if game.clock.charge(pause.sealer, pause.session_end - game.now):
            flag_falls(game, pause.sealer)
        if game.result is not None:
            return
    pause.closed, pause.on_flag = True, rule_on_flag
    game.halt_clock()
    game.present = {"white": False, "black": False}
    game.emit(
        "clock-stopped",
        "envelope",
        by=line.get("by", "arbiter"),
        **game.clock_times(),
        used=game.times_used(),
        envelope={
            "names": {"white": game.setup.white.name, "black": game.setup.black.name},
            "fen": fen(game.board),
            **game.clock_times(),
            "sealer": pause.sealer,
            "move_number": game.board.fullmove_number,
            "draw_offer": game.draw_offer or "none",
            "resumption": pause.resumption,
            **({"contents": pause.box} if pause.box else {}),
        },
    )

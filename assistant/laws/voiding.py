"""What was sealed in a position that is taken back: it is void (I.1.1, 7.5.1)."""

from __future__ import annotations

from assistant.laws.state import Game


def void_what_is_sealed(game: Game) -> None:
    """The position has changed: what was sealed in the one before is void (I.1.1, 7.5.1).

    Until the clock is stopped the player who has the move now seals. A closed envelope stays closed: he
    plays on from the agreed hour, or, if it has come, when the arbiter lets his clock run.
    """
    reply, game.second_envelope = game.second_envelope, None
    pause = game.adjournment
    if reply is not None:
        game.emit("sealed-void", "restore", side=reply.replier)
        game.forget_question(reply)
        if game.clock.running is None and not game.halted:
            game.halted = game.halted_until_resumed = True
    if pause is None:
        return
    game.forget_question(pause)
    if pause.sealed is not None:
        game.emit("sealed-void", "restore", side=pause.sealer)
    pause.sealed, pause.box, pause.fixed = None, "", None
    if not pause.closed:
        pause.sealer = game.having_the_move
        game.emit("adjourned", "seal-order", side=pause.sealer, by="arbiter", **game.clock_times())
        return
    pause.void, pause.on_flag = True, None
    if pause.resumed_at is not None:
        game.adjournment, game.resumption = None, pause
        game.halted = game.halted_until_resumed = game.clock.running is None

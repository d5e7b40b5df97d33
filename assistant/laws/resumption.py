"""Resumption: the agreed hour, who comes too late, and the reply to an absent sealer (Guideline I, older)."""

from __future__ import annotations

from assistant.board import is_legal
from assistant.errors import marked
from assistant.laws.arbiter import default_time, lateness_waits
from assistant.laws.arbiter import resume as resume_play
from assistant.laws.endings import end_game, win_for
from assistant.laws.envelopes import Adjournment, SecondEnvelope
from assistant.laws.events import SECOND, Microseconds
from assistant.laws.script import Line
from assistant.laws.sealed import check_what_was_found, read_sealed, written
from assistant.laws.state import NO_MOVE_TO_SEAL, Game, Refused
from assistant.laws.unsealing import ends_game, open_reply, open_sealed, rule_on_flag
from assistant.sides import Side, other


def seal_reply(game: Game, line: Line, side: Side) -> None:
    """While the sealer is absent his opponent may seal the reply and start the absentee's clock (I.9.3)."""
    absent = other(side)
    pause = game.resumption
    if pause is None or pause.void or game.present[absent] or pause.sealer != absent:
        raise Refused(NO_MOVE_TO_SEAL, "seal-order")
    if game.having_the_move != side or game.clock.running != side:
        raise Refused(marked("it is not this player who has a move to seal"), "sealer-absent")
    game.second_envelope = SecondEnvelope(side, written(line), line.get("envelope", ""), on_flag=rule_on_flag)
    game.run_clock(absent)
    game.emit("sealed", "sealer-absent", side=side, ply=len(game.plies) + 1)
    game.emit("clock-started", "sealer-absent", side=absent, **game.clock_times())


def resume(game: Game, line: Line) -> None:
    """Resume play; after an adjournment it is the agreed hour, and an absent replier's clock runs."""
    pause = game.adjournment
    if pause is None or not pause.closed:
        resume_play(game, line)
        return
    if pause.void:
        resume_play(game, line)
        pause.resumed_at = game.now
        game.adjournment, game.resumption = None, pause
        return
    if pause.resumed_at is not None and game.clock.running is not None:
        raise Refused(marked("the clock is running"), "resume")
    check_what_was_found(game)
    if game.may_be_over:
        raise Refused(marked("the game may be over: the arbiter rules on the open question first"), "resume")
    if pause.resumed_at is None:
        pause.resumed_at = game.now
    replier = other(pause.sealer)
    if not game.present[replier]:
        game.run_clock(replier)
    game.emit("clock-resumed", "replier-late", side=game.clock.running or "none", **game.clock_times())


def arrive(game: Game, line: Line) -> None:
    """A player comes back; too late loses unless the arbiter or the sealed move decides otherwise."""
    side = line.player
    pause = game.adjournment or game.resumption
    assert pause is not None
    if game.present[side]:
        raise Refused(marked("the player is at the board already"), "default")
    game.present[side] = True
    if pause.resumed_at is None:
        return
    replier = other(pause.sealer)
    unopened = game.adjournment is not None
    if unopened and side == replier and pause.entered:
        game.let_clock_stand("envelope-lost", by=side)
    elif unopened and side == replier and game.rules.late_replier_must_stop and game.clock.running == replier:
        game.halt_clock()
        game.emit("clock-stopped", "replier-late", by=side, **game.clock_times())
    limit = _resumption_limit(game)
    if limit is not None and game.now - pause.resumed_at > limit:
        if unopened and pause.box and line.get("text") is not None:
            # The arbiter has looked: a sealed move that ends the game counts for more than being late.
            pause.sealed, pause.box = written(line), ""
        _rule_on_lateness(game, pause, line, unopened=unopened)
    if game.result is None and not lateness_waits(game, side):
        _open_reply(game, line)


def _open_reply(game: Game, line: Line) -> None:
    """Open the reply to the sealer who has come back, unless he may have lost by coming too late (I.9.3)."""
    reply = game.second_envelope
    if reply is None or line.side == reply.replier:
        return
    if reply.entered:
        # While the reply is declared, nobody's time runs.
        game.let_clock_stand("envelope-lost", by=str(line.side))
    elif not reply.box or line.get("text") is not None:
        open_reply(game, reply, written(line) if reply.box else reply.text)


def _rule_on_lateness(game: Game, pause: Adjournment, line: Line, *, unopened: bool) -> None:
    """Late for the resumption: lost, unless the sealed move has ended the game (I.10)."""
    side = line.player
    may_save = unopened and (game.rules.sealed_result_stands_for == "anyone" or side == pause.sealer)
    is_lost = pause.entered == "lost"
    if may_save and not is_lost:
        found = read_sealed(game, pause.sealer, pause.sealed or "")
        if len(found) == 1 and is_legal(game.board, found[0]) and ends_game(game, found[0]):
            open_sealed(game, pause, found[0])
            return
    loss = "0-0" if lateness_waits(game, other(side)) else win_for(other(side))
    # While nobody has looked into the envelope, the arbiter alone can know whether it ends the game.
    hidden = may_save and (is_lost or bool(pause.box))
    if not game.rules.resumption_discretion and not hidden:
        end_game(game, loss, "default", "resumption-default")
        return
    asked = game.ask_arbiter(
        "default",
        loss,
        "resumption-default",
        lambda game, _: end_game(game, loss, "default", "resumption-default"),
        side=side,
        # He is excused, and his opponent's reply waits for him.
        reject=lambda game, _: _open_reply(game, line),
    )
    pause.late.append(asked)


def _resumption_limit(game: Game) -> Microseconds | None:
    if game.rules.resumption_default == "fixed":
        return game.rules.resumption_seconds * SECOND
    return default_time(game)

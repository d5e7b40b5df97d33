"""One line of a script on one game, and the time that passes before it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from assistant.errors import marked
from assistant.laws import (
    adjournment,
    arbiter,
    asking,
    claims,
    draws,
    moves,
    penalties,
    recording,
    resumption,
    sheets,
    speech,
    touch,
    unsealing,
)
from assistant.laws.events import Microseconds
from assistant.laws.flags import flag_falls
from assistant.laws.moves import AlreadyRefused
from assistant.laws.restoring import restore_line
from assistant.laws.script import Line
from assistant.laws.sealed import check_reply_is_open
from assistant.laws.state import Game, Refused
from assistant.sides import other

Handler = Callable[[Game, Line], None]


def _of_who_has_the_move(handler: Handler) -> Handler:
    """Keep what only who has the move may do until his move, sealed already, is made."""

    def handle(game: Game, line: Line) -> None:
        pause = game.adjournment
        if pause is not None and pause.closed and not pause.entered:
            raise Refused(marked("the game is adjourned"), "seal-order")
        check_reply_is_open(game, line.side)
        handler(game, line)

    return handle


def _move_line(handler: Handler) -> Handler:
    """Let a move during an adjournment go its own way: it is sealed, or declared after a lost envelope."""

    def handle(game: Game, line: Line) -> None:
        pause, reply, side = game.adjournment, game.second_envelope, line.side
        if side is None or (pause is None and (reply is None or side != reply.replier)):
            handler(game, line)
            return
        if pause is None:
            unsealing.declare_reply(game, line, side)
        elif pause.closed:
            unsealing.declare_sealed_move(game, line, side)
        else:
            adjournment.move_after_order(game, line, side)

    return _of_who_has_the_move(handle)


def _arrive(game: Game, line: Line) -> None:
    """Come to the board: at the start of the game, or at a resumption."""
    adjourned = game.adjournment is not None and game.adjournment.closed
    resumed = adjourned or game.resumption is not None
    (resumption.arrive if resumed else arbiter.arrive)(game, line)


_HANDLERS: Mapping[str, Handler] = {
    "start": arbiter.start,
    "arrive": _arrive,
    "touch": _of_who_has_the_move(touch.touch),
    "adjust": touch.adjust,
    "place": _move_line(moves.place),
    "announce": _move_line(moves.announce),
    "repeat": speech.repeat,
    "correct": _of_who_has_the_move(speech.correct),
    "press": moves.press,
    "offer-draw": draws.offer_draw,
    "accept-draw": draws.accept_draw,
    "decline-draw": draws.decline_draw,
    "resign": penalties.resign,
    "claim": claims.claim,
    "ask": asking.ask,
    "stop-clock": adjournment.stop,
    "resume": resumption.resume,
    "rule": arbiter.rule,
    "set-clock": arbiter.set_clock,
    "penalty": penalties.penalty,
    "restore": restore_line,
    "sheets": sheets.sheets,
    "adjourn": adjournment.adjourn,
    "seal": adjournment.seal,
    "open-envelope": unsealing.open_envelope,
    "envelope-lost": unsealing.envelope_lost,
    "result": penalties.result,
}

_DUTY = {
    "place": "a",
    "announce": "b",
    "correct": "b",
    "repeat": "b",
    "press": "c",
    "ask": "d",
    "touch": "e",
    "adjourn": "f",
    "seal": "f",
}


def whose(line: Line) -> dict[str, Any]:
    return {"side": line.get("side")} if "side" in line.keys else {}


def let_time_pass(game: Game, to: Microseconds) -> None:
    """Bring the clock up to `to`; what happens by itself on the way happens at its own moment."""
    _run_to(game, to)
    recording.observe(game)


def _run_to(game: Game, to: Microseconds) -> None:
    while game.result is None:
        deadline = arbiter.absence_deadline(game)
        until = to if deadline is None else min(to, deadline)
        fallen = game.clock.advance(until)
        game.now = game.clock.now
        if fallen is not None:
            flag_falls(game, fallen)
        elif deadline is not None and deadline < to:
            arbiter.both_absent(game)
        else:
            return


def carry_out(game: Game, line: Line) -> bool:
    """Carry out one line; return whether it was not refused."""
    said, waiting = len(game.events), list(game.waiting)
    try:
        _check_assistant(game, line)
        _HANDLERS[line.do](game, line)
    except Refused as refused:
        del game.events[said:]
        # A ruling that was none leaves open what it would have answered.
        game.waiting = waiting
        game.emit("refused", refused.kind, do=line.do, **whose(line), reason=refused.reason, **refused.keys)
        return False
    except AlreadyRefused:
        return True
    return True


def _check_assistant(game: Game, line: Line) -> None:
    """An assistant does only what is his: the duties a to f, each if it is switched on."""
    if not line.by_assistant:
        return
    duty = "e" if line.do == "claim" and line.get("of") == "flag" else _DUTY.get(line.do)
    if line.side is None or duty is None:
        raise Refused(marked("that is not among the assistant's duties"), "duties")
    if line.do == "touch":
        # It is the blind player's assistant who reports what his opponent has touched.
        reporter = game.player(other(line.side))
        if not reporter.blind or duty not in reporter.duties:
            raise Refused(marked("only a blind player's assistant reports a touched man"), "duty-e")
        return
    player, opponent = game.player(line.side), game.player(other(line.side))
    if not player.blind and opponent.blind:
        if opponent.duties or duty not in ("a", "b"):
            raise Refused(marked("the opponent's assistant only moves and announces"), "opponent-assistant")
        return
    if duty not in player.duties:
        raise Refused(marked("this duty of the assistant is switched off"), f"duty-{duty}")

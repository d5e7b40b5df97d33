"""The arbiter's and the clock's lines: start, stop, resume, set, rule (articles 6.6 to 6.12, 12)."""

from __future__ import annotations

from typing import Any

from assistant.errors import marked
from assistant.laws.beginnings import set_up_stands
from assistant.laws.endings import end_game, forfeit_by
from assistant.laws.events import SECOND, Microseconds
from assistant.laws.flags import both_flags, flag_falls, forget_what_was_asked
from assistant.laws.penalties import ask_about_conduct
from assistant.laws.script import Line
from assistant.laws.sealed import check_what_was_found
from assistant.laws.state import Game, Refused, Waiting
from assistant.sides import SIDES, Side, other


def start(game: Game, line: Line) -> None:
    """Start the clock of the player who has the move, at the scheduled time (6.6)."""
    if game.started_at is not None:
        raise Refused(marked("the clock has been started already"), "start")
    _check_set_up(game)
    game.started_at = game.now
    first = game.having_the_move
    game.clock.now = game.now
    game.run_clock(first)
    game.emit("clock-started", "start", side=first, **game.clock_times())
    for side in SIDES:
        player = game.player(side)
        if player.blind and "c" in player.duties and game.rules.assistant_costs_time and game.has_clock:
            game.ask_arbiter("assistant-time", 0, "assistant-time", lambda game, _: None, side=side)


def _check_set_up(game: Game) -> None:
    """Hold the start back while something the Laws demand beforehand is missing."""
    white, black = game.setup.white, game.setup.black
    blind = white.blind or black.blind
    if blind and not game.setup.approved and game.rules.devices_need_approval:
        raise Refused(marked("the arbiter has not approved the electronic aid"), "device-approval")
    for one, two in ((white, black), (black, white)):
        needed = one.blind and two.hearing_impaired and game.rules.hearing_impaired_needs_assistant
        if needed and not one.duties:
            raise Refused(
                marked("a blind player must have an assistant against a hearing-impaired one"),
                "hearing-impaired",
            )


def arrive(game: Game, line: Line) -> None:
    """A player comes to the board; later than the default time it is the arbiter who decides (6.7.1)."""
    side = line.player
    if game.present[side]:
        raise Refused(marked("the player is at the board already"), "default")
    game.present[side] = True
    limit = default_time(game)
    if game.started_at is None or limit is None:
        return
    if game.now - game.started_at > limit:
        # What was asked while nobody was there is asked of each player from now on.
        game.waiting = [each for each in game.waiting if each.what != "default" or each.side is not None]
        too = not game.present[other(side)] or lateness_waits(game, other(side))
        _ask_default(game, side, "-/-" if too else forfeit_by(side))


def lateness_waits(game: Game, side: Side) -> bool:
    """Has the arbiter been asked whether this player, too, has lost by coming too late?"""
    return any(each.what == "default" and each.side == side for each in game.waiting)


def default_time(game: Game) -> Microseconds | None:
    """Return how late a player may be, None where it is not ruled."""
    setup = game.setup
    if setup.default_time is not None:
        return setup.default_time
    unstated = game.rules.default_time_if_unstated
    return None if not setup.default_time_ruled or unstated < 0 else unstated * SECOND


def _ask_default(game: Game, side: Side | None, proposal: str) -> None:
    game.ask_arbiter(
        "default",
        proposal,
        "default",
        lambda game, _: end_game(game, proposal, "default", "default"),
        side=side,
        reject=lambda game, _: _excuse(game, side),
    )


def _excuse(game: Game, side: Side | None) -> None:
    """Excuse a player who came late; of one who came late too it is asked anew: he loses to him, or plays."""
    too = None if side is None else other(side)
    if too is not None and lateness_waits(game, too):
        forget_what_was_asked(game, "default", too)
        _ask_default(game, too, forfeit_by(too))


def absence_deadline(game: Game) -> Microseconds | None:
    """Return the last moment at which a player is not late while both are absent, None if that is past.

    Whoever comes late for a resumption loses by its own rules, and only when he comes (I.10, I.11).
    """
    limit = default_time(game)
    both = not game.present["white"] and not game.present["black"]
    if (
        not both
        or game.absence_asked
        or limit is None
        or game.started_at is None
        or game.adjournment is not None
        or game.resumption is not None
    ):
        return None
    return game.started_at + limit


def both_absent(game: Game) -> None:
    game.absence_asked = True
    _ask_default(game, None, "-/-")


def stop_clock(game: Game, line: Line) -> None:
    """Stop both clocks; a player may do it only to seek the arbiter's help (6.11.2)."""
    by = line.get("by", "arbiter")
    game.check_clock()
    if by == "arbiter" and game.halted and not game.halted_until_resumed:
        # They stand for a claim or a question; now also for him, whatever is ruled.
        game.halted_until_resumed = True
    elif game.clock.running is None:
        raise Refused(marked("no clock is running"), "stop-clock")
    else:
        game.halt_clock()
    reason = {"reason": line.get("reason")} if line.get("reason") else {}
    kind = "arbiter-stops" if by == "arbiter" else "stop-clock"
    game.emit("clock-stopped", kind, by=by, **reason, **game.clock_times())
    if by != "arbiter" and not reason and game.rules.player_stop_needs_reason and not _help_is_due(game, by):
        ask_about_conduct(game, by, "stop-without-reason")


def _help_is_due(game: Game, side: Side) -> bool:
    """Is there something open that explains why this player stops the clocks?"""
    # Whether his assistant costs him time is asked from the start (6.7.d of 2009) and explains nothing now.
    return any(
        each.is_claim or (each.side == side and each.what != "assistant-time") for each in game.waiting
    )


def resume(game: Game, line: Line) -> None:
    """The arbiter decides when play is restarted (6.11.3)."""
    if line.get("by", "arbiter") != "arbiter":
        raise Refused(marked("only the arbiter restarts the clocks"), "resume")
    game.check_clock()
    game.check_begun()
    check_what_was_found(game)
    if not game.halted and game.clock.running is None and game.envelope is not None:
        raise Refused(marked("the player who sealed makes the move he sealed"), "envelope-lost")
    if not game.halted:
        raise Refused(marked("the clock is running"), "resume")
    if game.may_be_over:
        raise Refused(marked("the game may be over: the arbiter rules on the open question first"), "resume")
    game.drop_questions()
    restart(game)
    game.emit("clock-resumed", "resume", side=game.clock.running, **game.clock_times())


def restart(game: Game) -> None:
    """Run the clock that ran before the stop, or, if the position has changed, that of the player to move.

    While a reply lies sealed for a player, or while he is absent, his clock runs on (I.9.3): the replier has
    made his move.
    """
    stopped = game.stopped
    last = game.plies[-1] if game.plies else None
    his_move_waits = last is not None and last.side == stopped and not last.completed
    reply = game.second_envelope
    is_unread = reply is not None and not reply.entered and reply.asked is None
    is_absent = reply is not None and not game.present[other(reply.replier)]
    still_his = his_move_waits or is_unread or is_absent
    side = stopped if stopped is not None and still_his else game.having_the_move
    delay = game.clock.display(side).delay
    game.run_clock(side)
    if side == stopped:
        game.clock.display(side).delay = delay


def set_clock(game: Game, line: Line) -> None:
    """The arbiter sets the times and the move counter (6.10, 7.1)."""
    game.check_clock()
    if line.get("reason") == "setting" and set_up_stands(game):
        raise Refused(marked("the clock setting is no longer changed"), "clock-setting-late")
    if 0 in (line.get("white"), line.get("black")):
        # No flag falls before the clock has been started (6.1).
        game.check_begun()
    game.drop_questions()
    moves = line.get("moves")
    keys: dict[str, Any] = {}
    if moves is not None:
        _set_moves(game, moves)
        keys["moves"] = moves
    down = game.clock.set_times(line.get("white"), line.get("black"))
    if game.started_at is None:
        game.initial_white, game.initial_black = game.clock.white.left, game.clock.black.left
    game.emit("clock-set", "set-clock", **game.clock_times(), **keys)
    first = game.clock.first_down() if down else None
    if first is None or not game.rules.flag_seen_at_once or game.quickplay_claim_waits:
        return
    if game.clock.are_both_down and not game.clock.order_known:
        both_flags(game)
    else:
        flag_falls(game, first)


def _set_moves(game: Game, moves: int) -> None:
    """Set the counter; the opponent has completed one more if he began, less what he has not pressed yet."""
    mover = game.having_the_move
    opponent = other(mover)
    last = game.plies[-1] if game.plies else None
    pending = last is not None and last.side == opponent and not last.completed
    game.clock.set_moves(mover, moves, max(0, moves + (game.first == opponent) - pending))


def rule(game: Game, line: Line) -> None:
    """The arbiter rules on the claim that waits, or answers what he was asked last."""
    waiting = _next_waiting(game)
    verdict = str(line.get("claim"))
    ruling = {"accept": waiting.accept, "reject": waiting.reject, "postpone": waiting.postpone}[verdict]
    if ruling is None and waiting.is_claim:
        raise Refused(marked("this claim cannot be postponed"), "claim-stands")
    if ruling is None and verdict == "postpone":
        raise Refused(marked("this question cannot be postponed"), "claim-stands")
    place = game.waiting.index(waiting)
    del game.waiting[place]
    try:
        if ruling is not None:
            ruling(game, line.get("seconds"))
    except Exception:
        # Whatever kept him from ruling, the question still waits for him, and in its turn.
        game.waiting.insert(place, waiting)
        raise
    if waiting.stops and _nothing_stops_the_clocks(game):
        restart(game)
        if game.has_clock:
            game.emit("clock-resumed", "resume", side=game.clock.running, **game.clock_times())


def _nothing_stops_the_clocks(game: Game) -> bool:
    """Are the clocks still stopped, although nobody said so and nothing waits for it any more?"""
    if game.result is not None or not game.halted:
        return False
    if game.adjournment is not None and game.adjournment.closed:
        return False
    return not game.halted_until_resumed and not any(each.stops for each in game.waiting)


def _next_waiting(game: Game) -> Waiting:
    claims = [each for each in game.waiting if each.is_claim]
    if claims:
        return claims[0]
    if not game.waiting:
        raise Refused(marked("nothing waits for the arbiter"), "claim-stands")
    return game.waiting[-1]

"""Claims: who may make which, when, and the ruling; the quickplay finish (articles 9, 6.8, 7.5)."""

from __future__ import annotations

import chess

from assistant.board import is_legal
from assistant.errors import marked
from assistant.laws.beginnings import (
    check_colours_reversed,
    check_set_up_claim,
    claim_initial_position,
    rule_on_colours_reversed,
    rule_on_initial_position,
)
from assistant.laws.draws import (
    check_draw_claim,
    check_flag_is_up,
    count_as_offer,
    draw_claim_right,
    draw_claim_wrong,
    judge_draw_claim,
)
from assistant.laws.endings import ability, end_game, judged_board
from assistant.laws.events import SECOND, Microseconds, seconds
from assistant.laws.flags import (
    check_flag_claim,
    claim_flag,
    is_ruled_on_both,
    rule_on_flag,
    rule_on_waiting_flags,
)
from assistant.laws.irregularities import (
    Offence,
    PressedFirst,
    check_arbiter_may_rule,
    find_offence,
    find_two_hands,
    find_two_hands_seen,
    must_wait_and_see,
    rule_on_offence,
    rule_on_two_hands,
    watch_position,
)
from assistant.laws.moves import AlreadyRefused, read
from assistant.laws.penalties import ask_about_conduct
from assistant.laws.position import fen
from assistant.laws.script import Line
from assistant.laws.sealed import check_reply_is_open
from assistant.laws.state import Game, Refused, Waiting
from assistant.laws.touch import forget_what_is_not_due, is_put_down
from assistant.sides import SIDES, Side, other
from assistant.time_control import Period, TimeControl


def claim(game: Game, line: Line) -> None:
    """Judge a claim at once, or, with `wait`, stop the clocks until the arbiter rules on it."""
    of = str(line.get("of"))
    _check_claimant(game, line, of)
    {
        "threefold": _claim_draw,
        "fifty-moves": _claim_draw,
        "flag": _claim_flag,
        "illegal-move": _claim_illegal_move,
        "two-hands": _claim_two_hands,
        "initial-position": _claim_initial_position,
        "colours-reversed": _claim_colours_reversed,
        "quickplay-finish": _claim_quickplay,
        "five-seconds": _claim_five_seconds,
        "mating-potential": _claim_mating_potential,
    }[of](game, line, of)


def _check_claimant(game: Game, line: Line, of: str) -> None:
    if line.side is None and of not in _OPEN_TO_THE_ARBITER:
        raise Refused(marked("the arbiter does not claim; a player does"), "claim-stands")
    if any(each.is_claim and each.what == of and each.side == line.side for each in game.waiting):
        kind = "claim-stands" if of in _OF_A_DRAW else None
        raise Refused(marked("this claim waits for the arbiter already"), kind)
    pause = game.adjournment
    if of in _BY_WHO_HAS_THE_MOVE:
        if pause is not None and pause.closed and not pause.entered:
            raise Refused(
                marked("the game is adjourned; who has the move claims when it is resumed"), "seal-order"
            )
        check_reply_is_open(game, line.side)


_OF_A_DRAW = ("threefold", "fifty-moves")
_BY_WHO_HAS_THE_MOVE = (*_OF_A_DRAW, "quickplay-finish", "five-seconds")
_OPEN_TO_THE_ARBITER = ("flag", "illegal-move", "two-hands", "initial-position", "colours-reversed")


def _wait(game: Game, line: Line, claim: Waiting, kind: str, **keys: bool) -> None:
    """Let the claim wait for the arbiter; with `wait` in the line the clocks stop, and nobody may move."""
    who = line.side or "arbiter"
    game.waiting.append(claim)
    game.emit("claim-waits", kind, side=who, of=claim.what, seconds=0, fen=fen(game.board), **keys)
    claim.stops = bool(line.get("wait"))
    if claim.stops and not game.halted:
        game.halt_clock(until_resumed=False)
        if game.has_clock:
            # The clock is stopped for a claim of a draw (9.5.1), or else to call the arbiter (6.11.2).
            stop = kind if kind == "claim-stands" else "stop-clock"
            game.emit("clock-stopped", stop, by=who, **game.clock_times())


def _claim_draw(game: Game, line: Line, of: str) -> None:
    side = line.player
    check_draw_claim(game, side)
    move: chess.Move | None = None
    if "move" in line.keys:
        move = read(game, side, line.get("move"), game.board)
    lawful = move is None or is_legal(game.board, move)
    board = game.board

    def right(game: Game, _: Microseconds | None) -> None:
        draw_claim_right(game, side, of, written=move is not None)

    def wrong(game: Game, granted: Microseconds | None) -> None:
        # Where play has gone on meanwhile, the move that was written is made or forgone (9.5.3).
        due = move if game.board is board and not is_put_down(game) else None
        draw_claim_wrong(game, side, of, due if lawful else None, granted)
        if not lawful and due is not None and game.rules.touch_move:
            game.turn_state.touched = [due.from_square]
        forget_what_is_not_due(game)

    if line.get("wait"):
        _wait(game, line, Waiting(of, True, line.side, right, wrong), "claim-stands")
    elif lawful and judge_draw_claim(game, of, move):
        right(game, None)
    else:
        wrong(game, None)
    # It is an offer from the moment it is made, and no new one when it is ruled on (9.1.2.3).
    count_as_offer(game, side, of)


def _claim_flag(game: Game, line: Line, of: str) -> None:
    check_flag_claim(game, line.side)
    if not line.get("wait"):
        claim_flag(game, line.side)
        return
    claimant = line.side or "arbiter"
    ran = game.clock.running or game.stopped or game.having_the_move

    def right(game: Game, _: Microseconds | None) -> None:
        loser = other(line.side) if line.side else game.clock.first_down() or ran
        if game.clock.display(loser).fallen is None:
            # The arbiter has seen what this clock has not.
            game.clock.display(loser).fallen = game.now
        if game.clock.are_both_down and is_ruled_on_both(game):
            # Who is right to say that a flag is down has not won with his own down too (6.11).
            claim_flag(game, line.side)
            return
        game.emit("claim-right", "flag-claim", side=claimant, of=of, seconds=0)
        rule_on_flag(game, loser, "flag-claim")

    def wrong(game: Game, granted: Microseconds | None) -> None:
        _reject(game, line, of, granted, "flag-claim-wrong")

    _wait(game, line, Waiting(of, True, line.side, right, wrong), "flag-claim")


def _reject(game: Game, line: Line, of: str, granted: Microseconds | None, kind: str) -> None:
    """Reject a claim for which the Laws give the opponent nothing by themselves."""
    given = game.compensate(other(line.side), granted) if granted and line.side is not None else 0
    game.emit("claim-wrong", kind, side=line.side or "arbiter", of=of, seconds=seconds(given))


def _claim_illegal_move(game: Game, line: Line, of: str) -> None:
    who = line.side or "arbiter"
    try:
        offence = find_offence(game, line.side)
    except PressedFirst as pressed:
        game.emit(
            "refused", "press-before-move", side=who, reason=marked("the move was made, only after the press")
        )
        ask_about_conduct(game, pressed.side, "press-before-move")
        raise AlreadyRefused from None
    if line.side is None:
        if must_wait_and_see(game):
            watch_position(game)
            game.emit("claim-waits", "illegal-seen", side=who, of=of, seconds=0, watched=True)
            return
        check_arbiter_may_rule(game)

    def wrong(game: Game, granted: Microseconds | None) -> None:
        if offence is not None and offence.kind == "press-without-move":
            offence.cause.ruled = True
            if game.idle_press is offence.cause:
                game.idle_press = None
        _reject(game, line, of, granted, "illegal-move")

    if line.get("wait"):
        claim = Waiting(
            of,
            True,
            line.side,
            accept=lambda game, _: _accept_illegal_move(game, line, of, offence),
            reject=wrong,
        )
        _wait(game, line, claim, of)
    elif offence is None:
        wrong(game, None)
    else:
        rule_on_offence(game, who, of, offence)


def _accept_illegal_move(game: Game, line: Line, of: str, claimed: Offence | None) -> None:
    """Rule on what was claimed, as it was then, or on what the arbiter has found out since."""
    if claimed is not None and claimed.is_open(game):
        rule_on_offence(game, line.side or "arbiter", of, claimed)
        return
    try:
        offence = find_offence(game, line.side)
    except PressedFirst:
        raise Refused(marked("the move was made, only after the press"), "press-before-move") from None
    if offence is None:
        raise Refused(
            marked("no illegal move has been completed; restore the position by its ply"), "illegal-move"
        )
    rule_on_offence(game, line.side or "arbiter", of, offence)


def _claim_two_hands(game: Game, line: Line, of: str) -> None:
    side, number = line.side, line.get("ply")
    ply = find_two_hands_seen(game, number) if side is None else find_two_hands(game, side)
    if line.get("wait"):
        claim = Waiting(
            of,
            True,
            line.side,
            accept=lambda game, _: rule_on_two_hands(game, line.side or "arbiter", ply),
            reject=lambda game, granted: _reject(game, line, of, granted, "two-hands"),
        )
        _wait(game, line, claim, of)
    else:
        rule_on_two_hands(game, line.side or "arbiter", ply)


def _claim_initial_position(game: Game, line: Line, of: str) -> None:
    check_set_up_claim(game)
    if line.get("wait"):
        claim = Waiting(
            of,
            True,
            line.side,
            accept=lambda game, _: rule_on_initial_position(game, line.side or "arbiter"),
            reject=lambda game, granted: _reject(game, line, of, granted, of),
        )
        _wait(game, line, claim, of)
    else:
        claim_initial_position(game, line.side)


def _claim_colours_reversed(game: Game, line: Line, of: str) -> None:
    """Say that the players sit at the wrong colours; only the arbiter knows the pairing (7.3)."""
    check_colours_reversed(game)
    side = line.side
    if side is None:
        rule_on_colours_reversed(game, "arbiter")
        return
    claim = Waiting(
        of,
        True,
        side,
        accept=lambda game, _: rule_on_colours_reversed(game, side),
        reject=lambda game, granted: _reject(game, line, of, granted, of),
    )
    _wait(game, line, claim, of)


def _claim_mating_potential(game: Game, line: Line, of: str) -> None:
    """Claim that the opponent has no mating potential, where the edition asks for one (1997, C.4)."""
    side = line.player
    if not game.rules.mating_potential_claim:
        raise Refused(marked("this edition does not ask for mating potential"), "dead-position")
    if ability(game, other(side), judged_board(game), on_time=True) == "no":
        game.emit("claim-right", "mating-potential", side=side, of=of, seconds=0)
        end_game(game, "1/2-1/2", "dead-position", "mating-potential")
    else:
        game.emit("claim-wrong", "mating-potential", side=side, of=of, seconds=0)


# Quickplay finish


def _check_quickplay(game: Game, line: Line) -> Side:
    """Refuse a claim under the quickplay rules that may not be made now."""
    side = line.player
    rules, clock = game.rules, game.clock
    if not game.setup.quickplay_finish:
        raise Refused(marked("a quickplay finish was not announced for this event"), "quickplay-announced")
    extra = clock.control.has_extra() and not rules.quickplay_with_increment
    if not rules.quickplay_finish or not game.has_clock or extra or game.five_seconds_granted:
        raise Refused(marked("the quickplay finish does not apply in this kind of game"), "quickplay-scope")
    if not game.has_begun or game.having_the_move != side:
        raise Refused(marked("the claim is made by the player having the move"), "quickplay-claim")
    display = clock.display(side)
    limit = rules.quickplay_below_seconds * SECOND
    if display.fallen is not None:
        raise Refused(marked("the flag has fallen"), "quickplay-claim")
    if display.left > limit or (display.left == limit and not rules.quickplay_at_exactly):
        raise Refused(
            marked("the player has more than {n} seconds left", n=limit // SECOND), "quickplay-claim"
        )
    if not clock.control.is_last(display.period):
        raise Refused(marked("this is not the last period"), "quickplay-scope")
    return side


def _claim_quickplay(game: Game, line: Line, of: str) -> None:
    side = _check_quickplay(game, line)
    claim = _quickplay_claim(side, of)
    if game.rules.quickplay_needs_both:
        # He is told, and decides: only one of them can have the move (1997, B.5).
        _wait(game, line, claim, "quickplay-both", both=True)
    else:
        _wait(game, line, claim, "quickplay-claim")
    count_as_offer(game, side, of)


def _quickplay_claim(side: Side, of: str) -> Waiting:
    """Return the claim as it waits for the arbiter: he agrees, rejects or postpones."""
    return Waiting(
        of,
        True,
        side,
        accept=lambda game, _: _accept_quickplay(game, side, of),
        reject=lambda game, granted: _reject_quickplay(game, side, of, granted),
        postpone=lambda game, granted: _postpone_quickplay(game, side, of, granted),
    )


def _accept_quickplay(game: Game, side: Side, of: str) -> None:
    game.emit("claim-right", "quickplay-accepted", side=side, of=of, seconds=0)
    end_game(game, "1/2-1/2", "quickplay-finish", "quickplay-accepted")


def _reject_quickplay(game: Game, side: Side, of: str, granted: Microseconds | None) -> None:
    wanted = game.rules.quickplay_rejected_seconds * SECOND if granted is None else granted
    # Whose flag has been seen to fall has lost by the rejection; one that nobody has called decides nothing.
    is_decided = any(game.is_flag_seen(each) for each in SIDES)
    time = 0 if is_decided else game.compensate(other(side), wanted)
    game.emit("claim-wrong", "quickplay-rejected", side=side, of=of, seconds=seconds(time))
    rule_on_waiting_flags(game)


def _postpone_quickplay(game: Game, side: Side, of: str, granted: Microseconds | None) -> None:
    """Let the claim wait on while play goes on; the opponent may be given time.

    :raises Refused: if a flag has been seen to fall: the result is declared then (III.5.2).
    """
    for each in SIDES:
        check_flag_is_up(game, each)
    time = game.compensate(other(side), granted or 0)
    game.waiting.append(_quickplay_claim(side, of))
    game.emit("claim-waits", "quickplay-postponed", side=side, of=of, seconds=seconds(time), postponed=True)


def _claim_five_seconds(game: Game, line: Line, of: str) -> None:
    """Ask for five more seconds a move for both (2014 G.4, 2023 III.4); it is a draw offer too."""
    if not game.rules.quickplay_five_seconds:
        raise Refused(marked("this edition does not know this request"), "quickplay-scope")
    side = _check_quickplay(game, line)
    claim = Waiting(
        of,
        True,
        side,
        accept=lambda game, granted: _grant_five_seconds(game, side, of, granted),
        reject=lambda game, granted: _reject(game, line, of, granted, "five-seconds"),
    )
    _wait(game, line, claim, of)
    count_as_offer(game, side, of)


def _grant_five_seconds(game: Game, side: Side, of: str, granted: Microseconds | None) -> None:
    if game.five_seconds_granted:
        # The other player had asked for them too, before they were.
        raise Refused(marked("more time for each move has been granted already"), "five-seconds")
    clock = game.clock
    extra = game.rules.quickplay_five_seconds * SECOND
    clock.control = TimeControl(
        tuple(
            Period(period.moves, period.time, period.increment + extra, period.delay)
            for period in clock.control.periods
        )
    )
    game.five_seconds_granted = True
    if side in game.draw_offers:
        game.draw_offers.remove(side)
    wanted = game.rules.quickplay_rejected_seconds * SECOND if granted is None else granted
    time = game.compensate(other(side), wanted)
    game.emit("claim-right", "five-seconds", side=side, of=of, seconds=seconds(time))
    game.emit("clock-set", "five-seconds", **game.clock_times())

"""Flags: falls that are seen, falls that must be claimed, and both flags down (articles 6.8 to 6.11)."""

from __future__ import annotations

from assistant.errors import marked
from assistant.laws.endings import (
    ability,
    end_after_move,
    end_game,
    is_doubtful,
    judged_board,
    lose,
    win_for,
)
from assistant.laws.events import Microseconds
from assistant.laws.plies import stand_as_placed
from assistant.laws.state import Game, Ply, Refused
from assistant.sides import SIDES, Side, other


def flag_falls(game: Game, side: Side) -> None:
    """A flag has just fallen: seen and ruled on at once where it is so, else nothing is said.

    While a claim of a quickplay finish waits it is seen, but not ruled on.
    """
    if not game.rules.flag_seen_at_once:
        return
    game.recording.flag_fell = True
    if game.quickplay_claim_waits:
        game.emit("flag-fallen", "flag-seen", side=side, **game.clock_times())
        return
    rule_on_flag(game, side, "flag-seen")


def rule_on_flag(game: Game, loser: Side, kind: str) -> None:
    """The player whose flag is down loses, or draws if the opponent could not mate him (6.9)."""
    game.emit("flag-fallen", kind, side=loser, **game.clock_times())
    _lose_on_time(game, loser)


def _lose_on_time(game: Game, loser: Side) -> None:
    envelope = game.envelope
    if envelope is not None and envelope.on_flag is not None:
        envelope.on_flag(game, loser)
        return
    last = game.plies[-1] if game.plies else None
    if last is not None and is_doubtful(game, last):
        _ask_which_move(game, loser, last)
        return
    lose_by_flag(game, loser)


def lose_by_flag(game: Game, loser: Side) -> None:
    """End the game against the player whose flag is down, or drawn if the opponent could not mate (6.9)."""
    lose(game, loser, "flag", ("flag", "flag-draw"), judged_board(game), on_time=True)


def _ask_which_move(game: Game, loser: Side, ply: Ply) -> None:
    """Ask which of two moves it was, the placed or the announced one: it may have ended the game in time."""
    assert ply.placed is not None

    def rule(game: Game, *, as_placed: bool) -> None:
        if game.clock.display(loser).fallen is None:
            return  # He has been given time since.
        if game.plies and game.plies[-1] is ply:
            if as_placed:
                last = stand_as_placed(game)
            else:
                last, ply.placed = ply, ply.announced
            if end_after_move(game, last, in_time=True):
                return
        lose_by_flag(game, loser)

    forget_what_was_asked(game, "which-move", ply.side)
    game.ask_arbiter(
        "which-move",
        ply.placed.uci(),
        "boards-differ",
        lambda game, _: rule(game, as_placed=True),
        side=ply.side,
        reject=lambda game, _: rule(game, as_placed=False),
        stops=True,
        about_flag=True,
    )


def forget_what_was_asked(game: Game, about: str, side: Side | None) -> None:
    """Forget a question that is asked again: the arbiter answers it once."""
    game.waiting = [each for each in game.waiting if each.is_claim or (each.what, each.side) != (about, side)]


def rule_on_waiting_flags(game: Game) -> None:
    """Rule on a flag that fell while a claim waited."""
    first = game.clock.first_down()
    if game.result is None and first is not None and game.rules.flag_seen_at_once:
        _lose_on_time(game, first)


def check_flag_claim(game: Game, side: Side | None) -> None:
    """Refuse a claim of the flag that may not be made.

    :raises Refused: without a clock, or where the arbiter may not call a single fallen flag.
    """
    game.check_clock()
    game.check_begun()
    if game.quickplay_claim_waits:
        raise Refused(marked("the arbiter rules on the quickplay finish first"), "quickplay-postponed")
    if side is None and not (game.rules.arbiter_may_claim_flag or game.clock.are_both_down):
        raise Refused(marked("the arbiter does not call a flag here; a player must claim"), "flag-claim")


def claim_flag(game: Game, side: Side | None) -> None:
    """Judge a claim that the opponent's flag is down; `side` None is the arbiter, who has seen a flag."""
    claimant = "arbiter" if side is None else side
    game.emit("flag-claim", "flag-claim", side=claimant)
    clock = game.clock
    if clock.are_both_down:
        if side is not None and game.rules.flag_claimant_needs_time:
            game.emit("claim-wrong", "flag-claim-wrong", side=claimant, of="flag", seconds=0)
        both_flags(game)
        return
    loser: Side | None = clock.first_down()
    if loser is None or loser == side:
        game.emit("claim-wrong", "flag-claim-wrong", side=claimant, of="flag", seconds=0)
        return
    game.emit("claim-right", "flag-claim" if side else "flag-seen", side=claimant, of="flag", seconds=0)
    rule_on_flag(game, loser, "flag-claim" if side else "flag-seen")


def both_flags(game: Game) -> None:
    """Rule on two fallen flags whose order nobody has seen (6.11 of 2014, A.4.d.3, Guideline III.3.1)."""
    clock = game.clock
    if not is_ruled_on_both(game):
        _ask_about_both(game)
        return
    earlier = not all(clock.control.is_last(display.period) for display in (clock.white, clock.black))
    if earlier and game.rules.both_flags != "draw":
        _go_on_in_next_period(game)
        return
    end_game(game, "1/2-1/2", "both-flags", "both-flags")


def _ask_about_both(game: Game) -> None:
    """Ask how the game has ended: no move made afterwards ends it otherwise."""
    proposal = _score_of_both(game)

    def end(game: Game, _: Microseconds | None) -> None:
        # Unless somebody has been given time since.
        if game.clock.are_both_down:
            end_game(game, proposal, "both-flags", "both-flags-open")

    forget_what_was_asked(game, "score", None)
    game.ask_arbiter("score", proposal, "both-flags-open", end, stops=True, about_flag=True)


def is_ruled_on_both(game: Game) -> bool:
    """Do the Laws say what two fallen flags bring, and leave it not to the arbiter?"""
    return game.rules.both_flags != "ask" or _quickplay_in_force(game)


def _score_of_both(game: Game) -> str:
    """Return the score to propose: lost by the first flag, drawn if nobody knows it or could mate (6.9)."""
    first = game.clock.first_down()
    if first is None or not game.clock.order_known:
        return "1/2-1/2"
    return score_by_flag(game, first)


def score_by_flag(game: Game, loser: Side) -> str:
    """Return the score with this player's flag down: drawn if the opponent could not mate him (6.9)."""
    winner = other(loser)
    return "1/2-1/2" if ability(game, winner, judged_board(game), on_time=True) == "no" else win_for(winner)


def _quickplay_in_force(game: Game) -> bool:
    rules, control = game.rules, game.clock.control
    return (
        game.setup.quickplay_finish
        and rules.quickplay_finish
        and (rules.quickplay_with_increment or not control.has_extra())
    )


def _go_on_in_next_period(game: Game) -> None:
    """Play goes on; the next move is the first of the next period (8.6)."""
    game.recording.flag_fell = True
    clock = game.clock
    for side in SIDES:
        display = clock.display(side)
        if clock.control.is_last(display.period):
            if display.left:
                # It fell in an earlier period too.
                display.fallen = None
            continue
        display.period += 1
        display.credited = display.period
        period = clock.control.period(display.period)
        display.completed = clock.control.moves_before(display.period)
        display.left += period.time + period.increment
        display.fallen = None
        game.emit_period(side, "both-flags-earlier")
    if clock.running is not None:
        clock.start(clock.running)

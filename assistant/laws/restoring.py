"""Positions put back: the men, the clocks' periods and what hangs on them (article 7)."""

from __future__ import annotations

from assistant.errors import marked
from assistant.laws.clock import Display
from assistant.laws.script import Line
from assistant.laws.state import Game, Ply, Refused, Turn
from assistant.laws.voiding import void_what_is_sealed


def restore_line(game: Game, line: Line) -> None:
    """The arbiter puts the position back after an irregularity or a discrepancy (7.1, 7.6, D.2.9)."""
    ply = line.get("ply")
    if ply > len(game.plies):
        raise Refused(marked("the last half-move is number {n}", n=len(game.plies)), "restore")
    game.drop_questions()
    restore(game, ply, "restore")


def restore(game: Game, plies: int, kind: str, *, changed: int | None = None) -> None:
    """Put the men back to the position after so many plies; only `set-clock` changes the clocks (7.1)."""
    removed = game.plies[plies:]
    del game.plies[plies:]
    if game.plies and not game.plies[-1].completed:
        _complete_silently(game, game.plies[-1])
    for ply in removed:
        if ply.completed:
            display = game.clock.display(ply.side)
            display.completed = max(0, display.completed - 1)
            _settle_period(game, display)
    # Where no move is taken back, what bound the player binds him still (4.3, 7.5.1, 9.5.3).
    game.turn_state = Turn(replaces=removed[0]) if removed else game.turn_state.begun_again()
    game.watched_from = None
    game.idle_press = None
    noted = (
        (game.plies[-1].white, game.plies[-1].black)
        if game.plies
        else (game.initial_white, game.initial_black)
    )
    game.emit_position(kind, game.in_seconds(*noted), changed)
    if removed:
        void_what_is_sealed(game)
    if game.clock.running is not None and not game.halted and game.second_envelope is None:
        game.run_clock(game.having_the_move)


def _complete_silently(game: Game, ply: Ply) -> None:
    """Complete a move that stays without its press; its control, once reached, brings its time (6.3)."""
    display = game.clock.display(ply.side)
    left = display.left
    reached = game.clock.complete(
        ply.side, 1, pressed=False, carry_over_with_delay=game.rules.carry_over_with_delay
    )
    ply.completed = True
    if not reached:
        return
    gained = display.left - left
    if ply.side == "white":
        ply.white += gained
    else:
        ply.black += gained
    game.emit_period(ply.side)


def _settle_period(game: Game, display: Display) -> None:
    if game.has_clock:
        display.period = game.clock.control.index_after(display.completed)

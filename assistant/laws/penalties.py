"""Penalties, the score they leave, and the result the arbiter declares (articles 10, 11.7, 12.9)."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from assistant.errors import marked
from assistant.laws.endings import HALF, ability, end_game, judged_board, lose, score_for, win_for
from assistant.laws.events import SECOND, Microseconds, seconds
from assistant.laws.flags import flag_falls
from assistant.laws.script import Line
from assistant.laws.state import Game, Refused
from assistant.sides import Side, other


def penalty(game: Game, line: Line) -> None:
    """Carry out the arbiter's penalty against `side`."""
    offender = line.player
    game.drop_questions()
    impose(game, offender, str(line.get("kind")), line.keys)


def impose(game: Game, offender: Side, kind: str, keys: Any) -> None:
    """Impose a penalty of the edition's list.

    :raises Refused: if the edition's list does not have it, the score would be none that is given, or a flag
        would fall before the clock has been started.
    """
    if kind not in game.rules.penalties:
        raise Refused(
            marked("this edition has no penalty of the kind {text!r}", text=kind), "penalty-warning"
        )
    reason = keys.get("reason")
    said: dict[str, Any] = {"side": offender, "kind": kind}
    if reason:
        said["reason"] = reason
    time, points = keys.get("seconds"), keys.get("points")
    if kind in ("add-opponent", "reduce"):
        game.check_clock()
    if kind == "loss":
        _loss(game, offender, points, reason, said)
        return
    if kind == "add-opponent":
        game.clock.grant(other(offender), time)
        game.emit("penalty", f"penalty-{kind}", **said, seconds=seconds(time), **game.clock_times())
    elif kind == "reduce":
        if time >= game.clock.display(offender).left:
            # No flag falls before the clock has been started (6.1).
            game.check_begun()
        down = game.clock.deduct(offender, time)
        game.emit("penalty", f"penalty-{kind}", **said, seconds=seconds(time), **game.clock_times())
        if down:
            flag_falls(game, offender)
    elif kind in ("points-opponent", "points-offender"):
        if points not in (HALF, Decimal(1)):
            raise Refused(marked("only scores that are normally given may result"), "score-sum")
        whose = other(offender) if kind == "points-opponent" else offender
        game.points[whose] += points if kind == "points-opponent" else -points
        game.emit("penalty", f"penalty-{kind}", **said, points=_number(points))
    else:
        if time is not None:
            said["seconds"] = seconds(time)
        game.emit("penalty", f"penalty-{kind}", **said)


def _loss(
    game: Game, offender: Side, points: Decimal | None, reason: str | None, said: dict[str, Any]
) -> None:
    opponent = other(offender)
    kind = "device" if reason == "phone" else "penalty-loss"
    if reason == "phone":
        could = ability(game, opponent, judged_board(game), on_time=False) != "no"
        drawn = game.rules.phone_opponent_without_mate == "draw" and not could
        points = HALF if drawn else Decimal(1)
    if points is None:
        game.emit("penalty", kind, **said)
        game.ask_arbiter(
            "score", 1, kind, lambda game, _: _lost(game, offender, Decimal(1), kind), side=opponent
        )
        return
    if score_for(opponent, points, Decimal(0)) is None:
        raise Refused(marked("only scores that are normally given may result"), "score-sum")
    game.emit("penalty", kind, **said, points=_number(points))
    _lost(game, offender, points, kind)


def _lost(game: Game, offender: Side, points: Decimal, kind: str) -> None:
    result = score_for(other(offender), points, Decimal(0))
    assert result is not None
    end_game(game, result, "penalty", kind)


def _number(points: Decimal) -> int | float:
    return int(points) if points == int(points) else float(points)


def ask_for_less(game: Game, side: Side, given: Microseconds, less: int, kind: str) -> None:
    """Ask the arbiter whether `side` keeps all of the time just given, or `less` seconds; 0: no question."""

    def shorten(game: Game, _: Microseconds | None) -> None:
        down = game.clock.deduct(side, given - less * SECOND)
        game.emit("clock-set", kind, **game.clock_times())
        if down:
            flag_falls(game, side)

    if 0 < less * SECOND < given:
        game.ask_arbiter("times", less, kind, shorten, side=side)


def ask_about_conduct(game: Game, side: Side, kind: str) -> None:
    """Offer the arbiter the list of penalties; a warning is proposed."""
    game.ask_arbiter(
        "conduct",
        "warning",
        kind,
        lambda game, _: impose(game, side, "warning", {}),
        side=side,
        penalties=list(game.rules.penalties),
    )


def result(game: Game, line: Line) -> None:
    """End the game with the points that the arbiter declares, both ones normally given (10.2)."""
    declared = score_for("white", line.get("white"), line.get("black"))
    if declared is None:
        raise Refused(
            marked("only scores that are normally given, and together no more than a win, may result"),
            "score-sum",
        )
    game.points = {"white": Decimal(0), "black": Decimal(0)}
    end_game(game, declared, "arbiter", "scores")


def resign(game: Game, line: Line) -> None:
    """Resign: lost, or drawn where the edition says so and the opponent could not mate (5.1.2 of 2023)."""
    side = line.player
    game.check_begun()
    if game.rules.resignation_draw_if_no_mate:
        lose(game, side, "resignation", ("resignation", "resignation"), judged_board(game))
    else:
        end_game(game, win_for(other(side)), "resignation", "resignation")

"""The first line of a game script: the players and the conditions that a game is played under."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from assistant.laws.editions import DEFAULT_EDITION
from assistant.laws.events import Microseconds, ScriptError, microseconds
from assistant.sides import Side
from assistant.time_control import TimeControl, parse_time_control

Mode = Literal["rated", "club"]
DUTIES = frozenset("abcdef")


@dataclass(frozen=True, slots=True)
class Player:
    """One player as the first line has him. `duties`: which of the duties a-f the program does."""

    name: str = ""
    blind: bool = False
    present: bool = True
    language: str = "en"
    duties: frozenset[str] = DUTIES
    hearing_impaired: bool = False


@dataclass(frozen=True, slots=True)
class Setup:
    """The first line of a script.

    `default_time` is microseconds, None for the edition's own; `default_time_ruled` is false when the
    event does not rule on lateness. `draw_offers` is "free", "forbidden" or the move number before which
    none may be made. `options` are the event's choices where the edition leaves one, `approved` whether the
    arbiter has approved the program as the blind player's aid.
    """

    laws: str = DEFAULT_EDITION
    white: Player = Player()
    black: Player = Player()
    control: TimeControl = field(default_factory=lambda: parse_time_control("5400+30"))
    category: str | None = None
    supervised: bool = True
    fen: str | None = None
    chess960: bool | int = False
    default_time: Microseconds | None = None
    default_time_ruled: bool = True
    draw_offers: str | int = "free"
    quickplay_finish: bool = False
    mode: Mode = "rated"
    options: Mapping[str, Any] = field(default_factory=dict)
    approved: bool = True

    def player(self, side: Side) -> Player:
        return self.white if side == "white" else self.black


def parse_setup(game: object) -> Setup:
    """Read the value of `game`, the first line.

    :raises ScriptError: with one sentence about what is wrong in it.
    """
    if not isinstance(game, Mapping):
        raise ScriptError("The first line must be an object with the key 'game'.")
    default_ruled = not ("default_time" in game and game["default_time"] is None)
    offers = game.get("draw_offers", "free")
    number = not isinstance(offers, bool) and isinstance(offers, int) and offers >= 0
    if not number and offers not in ("free", "forbidden"):
        raise ScriptError('\'draw_offers\' must be "free", "forbidden" or a move number.')
    chess960 = game.get("chess960", False)
    if not (isinstance(chess960, int) and 0 <= chess960 < 960):
        raise ScriptError("'chess960' must be a Scharnagl number from 0 to 959, or true with a FEN.")
    fen = game.get("fen")
    if fen is not None and not isinstance(fen, str):
        raise ScriptError("'fen' must be a text.")
    options = game.get("options", {})
    if not isinstance(options, Mapping):
        raise ScriptError("'options' must be an object.")
    return Setup(
        laws=game.get("laws", DEFAULT_EDITION),
        white=_player(game.get("white", {}), "white"),
        black=_player(game.get("black", {}), "black"),
        control=parse_time_control(game.get("time_control", "5400+30")),
        category=_choice(game, "category", ("standard", "rapid", "blitz"), None),
        supervised=_flag(game, "supervised", True),
        fen=fen,
        chess960=chess960,
        default_time=microseconds(game["default_time"], "default_time")
        if game.get("default_time") is not None
        else None,
        default_time_ruled=default_ruled,
        draw_offers=offers,
        quickplay_finish=_flag(game, "quickplay_finish", False),
        mode="club" if _choice(game, "mode", ("rated", "club"), "rated") == "club" else "rated",
        options=options,
        approved=_flag(game, "approved", True),
    )


def _player(value: object, side: str) -> Player:
    if not isinstance(value, Mapping):
        raise ScriptError('\'{side}\' must be an object, for example {{"name": "A"}}.', side=side)
    name, language = value.get("name", ""), value.get("language", "en")
    if not isinstance(name, str) or not isinstance(language, str):
        raise ScriptError("'name' and 'language' of {side} must be texts.", side=side)
    duties = value.get("duties", sorted(DUTIES))
    if not isinstance(duties, list | str) or not all(
        isinstance(duty, str) and duty in DUTIES for duty in duties
    ):
        raise ScriptError("'duties' of {side} must be some of the letters a to f.", side=side)
    return Player(
        name=name,
        blind=_flag(value, "blind", False),
        present=_flag(value, "present", True),
        language=language,
        duties=frozenset(duties),
        hearing_impaired=_flag(value, "hearing_impaired", False),
    )


def _flag(value: Mapping[str, Any], key: str, default: bool) -> bool:
    flag = value.get(key, default)
    if not isinstance(flag, bool):
        raise ScriptError("'{key}' must be true or false.", key=key)
    return flag


def _choice(value: Mapping[str, Any], key: str, choices: tuple[str, ...], default: str | None) -> str | None:
    chosen = value.get(key, default)
    if chosen is not None and chosen not in choices:
        raise ScriptError(
            "'{key}' must be one of {choices}, not {chosen!r}.",
            key=key,
            choices=", ".join(choices),
            chosen=chosen,
        )
    return chosen if chosen is None else str(chosen)

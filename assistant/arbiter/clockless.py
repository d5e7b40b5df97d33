"""The words of a game without a clock, in the place of those that speak of one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from assistant.arbiter.doings import TITLES
from assistant.arbiter.texts import filled, text
from assistant.speaking import Message, _
from assistant.table.terminal import NOT_BEGUN

CLOCKLESS: Final[Mapping[str, Message]] = {
    "waiting": NOT_BEGUN,
    "not-started": NOT_BEGUN,
    # Translators: heading above what the opponent can do in a game without a clock.
    "your-move": _("Your move"),
    # Translators: button in a game without a clock: the move that was announced stands on the board.
    "press": _("Complete the move"),
    # Translators: button in a game without a clock.
    "call-arbiter": _("Call the arbiter"),
    # Translators: told to the opponent after his move was entered, in a game without a clock.
    "announced": _("Announced: {move}. Complete the move when it stands on the board."),
    # Translators: told to the opponent who has completed his move in a game without a clock.
    "pressed": _("Your move is complete."),
}
"""By the name that each has among `TEXTS`."""
_TITLES: Final[Mapping[str, Message]] = {
    # Translators: the title of one of the arbiter's forms in a game without a clock.
    "start": _("Begin the game"),
    # Translators: the title of one of the arbiter's forms in a game without a clock.
    "press": _("Complete a player's move"),
}
SENTENCES: Final[Mapping[str, Message]] = {
    # Translators: what the arbiter's action will do, before he does it, in a game without a clock.
    "start": _("The game will begin."),
    # Translators: what the arbiter's action will do, before he does it, in a game without a clock.
    "press": _("The move of {side} will be completed for him."),
    # Translators: what the arbiter's action will do, before he does it, in a game without a clock.
    "rule": _('The question "{question}" will be answered: {claim}.'),
    # Translators: what the arbiter's action will do, before he does it, in a game without a clock.
    "penalty": _("{side} will be penalised: {kind}. Points: {points}. Reason: {reason}."),
    # Translators: what the arbiter's action will do, before he does it, in a game without a clock.
    "restore": _("The position after half-move {ply} will be put back{after}. What came later is deleted."),
    # Translators: what the arbiter's action will do, before he does it, in a game without a clock.
    "claim": _("A claim will be made by {side}: {of}. Move: {move}."),
}
"""Of the arbiter's forms, by their verbs."""
TWO_HANDS: Final = _(
    # Translators: what the arbiter's action will do, before he does it, in a game without a clock.
    "Your ruling: {side} used two hands for half-move {ply}, {move}."
)


def titles(*, has_clock: bool) -> Mapping[str, Message]:
    """Return what each of the arbiter's forms does, by its verb, in a game with or without a clock."""
    return TITLES if has_clock else {**TITLES, **_TITLES}


def words(name: str, language: str, /, *, has_clock: bool, **values: str) -> str:
    """Return one of `TEXTS`, filled, as it is in a game with or without a clock."""
    if has_clock or name not in CLOCKLESS:
        return text(name, language, **values)
    return filled(CLOCKLESS[name], language, **values)

"""Which model hears at this table, and whose voice it has been taught."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from assistant.errors import HectorError, marked
from assistant.hearing import AcousticModel, load_model, load_voice
from assistant.speaking import told
from assistant.table.players import folder_of
from assistant.table.terminal import warn


@dataclass(frozen=True, slots=True)
class Taught:
    """A model as one player has taught it his voice."""

    model: str | None
    """Its directory; None for the embedded one."""
    player: str


ModelChoice: TypeAlias = "str | Taught | None"
"""A directory, the embedded model, or one of them with a player's voice."""


def choice_of(model: str | None, player: str | None) -> ModelChoice:
    """Return the model that was asked for, with the voice of the player who is named."""
    return model if player is None else Taught(model, player)


def still_there(name: str, warn: Callable[[str], None]) -> str | None:
    """Return the model with which a game was begun; None, for the usual one, if it was none or has gone.

    :param warn: is told that it has gone.
    """
    if not name:
        return None
    try:
        load_model(name)
    except HectorError as error:
        warn(told(marked("{reason} Until then the usual model hears.", reason=error)))
        return None
    return name


def load_choice(choice: ModelChoice, warn: Callable[[str], None] = warn) -> AcousticModel:
    """Load a model. A player's voice that cannot be used is told of, and the model hears as it is.

    :raises HectorError: if the model itself cannot be used.
    """
    if not isinstance(choice, Taught):
        return load_model(choice)
    model = load_model(choice.model)
    try:
        return load_voice(folder_of(choice.player), model)
    except HectorError as error:
        warn(told(error))
        return model

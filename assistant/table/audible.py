"""How Hector sounds in one game: whose voice for whom, through which device, by which engine."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

from assistant.errors import UsageError
from assistant.sides import SIDES, Side
from assistant.speaking import LANGUAGES, Audience, VoiceSettings
from assistant.table.players import folder_of, load_player, seat_of
from assistant.table.settings import Player
from assistant.table.setup import Setup

Engine: TypeAlias = Literal["espeak", "speechd"]
Duplex: TypeAlias = Literal["half", "full"]


@dataclass(frozen=True, slots=True)
class Audible:
    """The voices and their ways. Devices are named as the sound library names them; `None`: the usual one."""

    voices: Mapping[Audience, VoiceSettings] = field(default_factory=dict)
    """Whoever is not named hears the voice as the engine has it."""
    player: Player | None = None
    """Whose own settings count."""
    headphones: Mapping[Side, str] = field(default_factory=dict)
    """What only that player hears. Where nobody names a room, they are all that sounds."""
    room: str | None = None
    """Where announcements and rulings sound; with it, nothing else does there."""
    duplex: Duplex = "half"
    engine: Engine = "espeak"

    @property
    def is_split(self) -> bool:
        """Whether the room and a player hear different things."""
        return self.room is not None

    def opens_a_room(self, audience: Audience) -> bool:
        """Return whether a sentence for somebody comes out of a loudspeaker, and so into the microphone.

        With full duplex, headphones are taken at their word. A player who has none hears the room's.
        """
        if self.duplex == "half" or not self.headphones:
            return True
        return self.is_split and audience not in self.headphones


@dataclass(frozen=True, slots=True)
class Ways:
    """What was asked for this time, whatever the players have in their settings. `None`: nothing."""

    headphones: str | None = None
    room: str | None = None
    duplex: Duplex | None = None
    engine: Engine | None = None


def audible(setup: Setup, ways: Ways | None = None) -> Audible:
    """Return how a game sounds by the settings of its players; `ways` count before them.

    The room hears the voice of the player whose settings the game has, else of the one whom Hector assists.

    :raises HectorError: if a player's settings cannot be read.
    """
    ways = ways or Ways()
    seat = seat_of(setup)
    players = {side: player for side in SIDES if (player := _player(setup, side, seat)) is not None}
    served = players.get(seat)
    voices: dict[Audience, VoiceSettings] = {side: voice_of(player) for side, player in players.items()}
    if served is not None:
        voices["room"] = voices["arbiter"] = voices[seat]
    own = {side: player.headphones for side, player in players.items() if player.headphones is not None}
    if ways.headphones is not None:
        own[seat] = ways.headphones
    return Audible(
        voices,
        served,
        own,
        ways.room or next((player.room for player in players.values() if player.room is not None), None),
        ways.duplex or (served.duplex if served is not None else "half"),
        ways.engine or (served.engine if served is not None else None) or "espeak",
    )


def _player(setup: Setup, side: Side, seat: Side) -> Player | None:
    """Return whose settings count on one side: at `seat` those of the player whose settings the game has."""
    person = setup.person(side)
    if setup.player and side == seat:
        return load_player(setup.player)
    if not person.blind or not _has_settings(person.name):
        return None
    return load_player(person.name)


def _has_settings(name: str) -> bool:
    try:
        return folder_of(name).is_dir()
    except UsageError:
        # A name at the board need not be one of a folder.
        return False


def voice_of(player: Player) -> VoiceSettings:
    """Return how a player's voice sounds."""
    settings = VoiceSettings()
    chosen = {name: getattr(player, name) for name in ("rate", "pitch", "volume")}
    settings = replace(settings, **{name: value for name, value in chosen.items() if value is not None})
    if player.voice is None:
        return settings
    language = player.voice.removeprefix("mb-")[:2].lower()
    is_of_a_language = player.voice.startswith("mb-") or player.voice[2:3] in ("", "+", "-")
    if language in LANGUAGES and is_of_a_language:
        return replace(settings, voices={language: player.voice})
    return replace(settings, variant=player.voice)

"""The Laws of Chess as a pure state machine: one game-script line in, events out.

`Referee` rules on one game, `referee_lines` on a whole script; `load_edition` and `edition_names` give the
editions. Nothing here reads a clock, a file of the user's or a microphone, and nothing prints.
"""

from assistant.laws.editions import DEFAULT_EDITION, edition_names, load_edition
from assistant.laws.events import Event, ScriptError
from assistant.laws.ledger import law_text
from assistant.laws.mating import is_dead
from assistant.laws.referee import OpenMove, OpenQuestion, Referee
from assistant.laws.script import PENALTIES, RULINGS, missing_key
from assistant.laws.state import GAME_IS_OVER, NO_MOVE_TO_SEAL
from assistant.laws.stream import referee_lines, referee_stream

__all__ = [
    "DEFAULT_EDITION",
    "GAME_IS_OVER",
    "NO_MOVE_TO_SEAL",
    "PENALTIES",
    "RULINGS",
    "Event",
    "OpenMove",
    "OpenQuestion",
    "Referee",
    "ScriptError",
    "edition_names",
    "is_dead",
    "law_text",
    "load_edition",
    "missing_key",
    "referee_lines",
    "referee_stream",
]

"""The table: one live game, where the rooms meet."""

from assistant.table.game import Table
from assistant.table.guests import Guest
from assistant.table.record import NoRecord, open_record, reopen_record
from assistant.table.setup import Person, Setup
from assistant.table.steps import Step
from assistant.table.voices import PaperVoice
from assistant.table.watched import Watched

__all__ = [
    "Guest",
    "NoRecord",
    "PaperVoice",
    "Person",
    "Setup",
    "Step",
    "Table",
    "Watched",
    "open_record",
    "reopen_record",
]

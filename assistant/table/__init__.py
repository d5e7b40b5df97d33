"""The table: one live game, where the rooms meet."""

from assistant.table.game import Table
from assistant.table.guests import Guest
from assistant.table.record import GameRecord, NoRecord, open_record, reopen_record
from assistant.table.setup import Person, Setup
from assistant.table.steps import Step
from assistant.table.voices import FileVoice, LoudVoice, PaperVoice, Voice, voice_without_device
from assistant.table.watched import Watched

__all__ = [
    "FileVoice",
    "GameRecord",
    "Guest",
    "LoudVoice",
    "NoRecord",
    "PaperVoice",
    "Person",
    "Setup",
    "Step",
    "Table",
    "Voice",
    "Watched",
    "open_record",
    "reopen_record",
    "voice_without_device",
]

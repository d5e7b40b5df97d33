"""The append-only record of one game: JSON Lines, on the disk before anyone is told.

A journal is a game script that grows. Each line is one JSON object; what has been appended is written,
flushed and synchronised with the disk when `append` returns. A line that a power failure tore is the last
one, and nobody was told of it: reading drops it. Anything else that cannot be read is damage, and is left
untouched.
"""

from assistant.journal.reading import FILE_NAME, Record, holds_game, read, taken
from assistant.journal.writing import BeingPlayedError, Journal, remove_unbegun

__all__ = [
    "FILE_NAME",
    "BeingPlayedError",
    "Journal",
    "Record",
    "holds_game",
    "read",
    "remove_unbegun",
    "taken",
]

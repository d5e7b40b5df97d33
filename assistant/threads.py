"""Threads of the program's own, for which the system may have no room."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from assistant.errors import HectorError, marked

NO_ROOM: Final = marked(
    "The computer has no room for all that Hector does at once. Close other programs and try again."
)
"""Of memory, as well."""


def begin_thread(start: Callable[[], object]) -> None:
    """Let `start` start a thread, and do no more than that.

    :raises HectorError: if the system refuses it: it bounds how much runs at once, and the memory for it.
    """
    try:
        start()
    except RuntimeError as error:
        raise HectorError(NO_ROOM) from error

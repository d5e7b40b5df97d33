"""The page of a game that another program plays: it shows the game, and nothing is entered on it."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from assistant.arbiter.page import Page
from assistant.table import Watched

EVERY: Final = 0.04
"""Seconds between two looks at the game's folder."""


def follow(folder: Path, page: Page, is_ended: Callable[[], bool]) -> None:
    """Show the game of a folder on a page until somebody ends it.

    :raises HectorError: if there is no game, its journal is damaged, or the page cannot be shown.
    """
    watched = Watched(folder)
    page.open(watched.table, lambda: folder, watched.now)
    try:
        told = watched.told
        while not is_ended():
            watched.look()
            page.follow(watched, anew=watched.told != told)
            told = watched.told
            time.sleep(EVERY)
    finally:
        page.close()

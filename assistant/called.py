"""How the program was called, and with it what people are told to type."""

from __future__ import annotations

import os
import shlex
from pathlib import Path


def command(*words: object) -> str:
    """Return a command of Hector as it is typed in the shell that called it; without words the program's own.

    It begins with the launcher as that was called, which need not lie where a shell finds programs, else with
    `hector`. A path that begins with a hyphen is written so that it is no option.
    """
    return shlex.join([os.environ.get("HECTOR_CALLED") or "hector", *map(_typed, words)])


def _typed(word: object) -> str:
    text = str(word)
    return f"./{text}" if isinstance(word, Path) and text.startswith("-") else text

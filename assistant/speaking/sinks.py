"""The sinks of PulseAudio or PipeWire: whoever's sink is unplugged is moved to another one without a word."""

from __future__ import annotations

import os
import subprocess
from typing import Final

_PATIENCE: Final = 1.0


def sinks() -> dict[str, int] | None:
    """Return the number of each sink by its name; None where there is no `pactl`, or no answer.

    A sink that was unplugged and is there again has another number.
    """
    try:
        rows = [line.split("\t") for line in _told("list", "short", "sinks")]
        return {name: int(number) for number, name, *_more in rows}
    except (OSError, subprocess.SubprocessError, ValueError):
        return None


def usual_sink() -> str | None:
    """Return the name of the sink that is the usual one now; None where there is no `pactl`, or no answer."""
    try:
        for line in _told("info"):
            what, _colon, name = line.partition(": ")
            if what == "Default Sink":
                return name.strip() or None
    except (OSError, subprocess.SubprocessError):
        pass
    return None


def _told(*question: str) -> list[str]:
    return subprocess.run(
        ["pactl", *question],
        env=os.environ | {"LC_ALL": "C"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=_PATIENCE,
        check=True,
        text=True,
        errors="replace",
    ).stdout.splitlines()

"""How long the room's echo lasts: a click from the loudspeaker, and what the microphone hears of it."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Sequence
from typing import Final

import numpy as np

from assistant.errors import HectorError
from assistant.files import read_file, replace_file
from assistant.hearing import Block, Microphone, News
from assistant.resources import user_data
from assistant.speaking import Output, Sound

FILE_NAME: Final = "hold.json"
CLICKS: Final = 3
QUIET: Final = 0.6
"""Seconds of the room alone before the first click."""
SETTLING: Final = 0.8
"""Seconds in which the echo of what was said before the clicks dies away."""
LISTENING: Final = 1.0
"""Seconds in which the echo of one click may come: Bluetooth is a third of a second late."""
LEVEL: Final = 12_000
"""Of 32768, as loud as Hector's voice at its loudest."""
ABOVE: Final = 3.0
"""How many times the room's own noise is an echo: 10 dB."""
MARGIN: Final = 0.1
"""Seconds added to the longest echo: a voice is longer than a click, and excites more of the room."""
SHORTEST, LONGEST = 0.15, 1.5

_RATE: Final = 22_050


def click() -> Sound:
    """Return the click: twenty milliseconds of falling noise, in which every frequency is."""
    noise = np.random.default_rng(7).standard_normal(_RATE // 50)
    shape = np.exp(-np.arange(len(noise)) / (_RATE / 200))
    samples = noise * shape
    return Sound((samples / np.abs(samples).max() * LEVEL).astype(np.int16), _RATE)


def measure_echo(output: Output, microphone: Microphone) -> float | None:
    """Return how many seconds after the last sample of a click the microphone last hears it.

    `None` if it does not hear it at all, as with headphones.

    :raises HectorError: if the loudspeaker or the microphone fails.
    """
    sound = click()
    # What was said before the clicks has an echo too.
    silent = time.monotonic() + SETTLING
    floor = _loudest(_listen(microphone, silent, silent + QUIET))
    echoes = []
    for _click in range(CLICKS):
        output.begin(sound)
        began = time.monotonic()
        output.wait(threading.Event())
        ended = output.last_sample_time
        blocks = _listen(microphone, began, ended + LISTENING)
        heard = [block.end for block in blocks if _loudest([block]) > ABOVE * floor]
        if heard:
            echoes.append(max(heard[-1] - ended, 0.0))
    # A cough in one of the pauses is no echo: two clicks have to agree that there is one so long.
    return sorted(echoes)[-2] if len(echoes) > 1 else None


def _listen(microphone: Microphone, since: float, until: float) -> list[Block]:
    """Return what is heard between two times of `time.monotonic()`; news of the device are left to others."""
    blocks: list[Block] = []
    news: list[News] = []
    while time.monotonic() < until and News("lost") not in news:
        for item in microphone.read(0.1):
            if isinstance(item, News):
                news.append(item)
            elif item.end - item.seconds >= since:
                blocks.append(item)
    if news:
        microphone.tell_again(news)
    if News("lost") in news:
        raise HectorError("The echo of the room was not measured: the microphone has gone.")
    return blocks


def _loudest(blocks: Sequence[Block]) -> float:
    """Return the level of the loudest block, at least that of a quiet room."""
    levels = [float(np.sqrt(np.mean(block.samples.astype(np.float64) ** 2))) for block in blocks]
    return max([*levels, 10.0])


def hold_for(echo: float) -> float:
    """Return for how many seconds after Hector's voice the microphone has to be deaf."""
    return round(min(max(echo + MARGIN, SHORTEST), LONGEST), 2)


def keep_hold(seconds: float) -> None:
    """Keep the measured time for the games to come.

    :raises HectorError: if it cannot be written.
    """
    path = user_data(FILE_NAME)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        replace_file(path, json.dumps({"hold": seconds}).encode() + b"\n")
    except OSError as error:
        raise HectorError("{path} cannot be written: {reason}.", path=path, reason=error) from error


def kept_hold() -> float | None:
    """Return the time that was measured last; `None` if none was, or the file is none of ours."""
    try:
        seconds = float(json.loads(read_file(user_data(FILE_NAME)))["hold"])
    except (OSError, ValueError, KeyError, TypeError, OverflowError, RecursionError):
        return None
    return seconds if SHORTEST <= seconds <= LONGEST else None

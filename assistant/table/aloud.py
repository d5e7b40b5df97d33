"""Saying something once, outside a game: to the loudspeaker, or into a file."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from assistant.announcements import Vocabulary
from assistant.errors import HectorError
from assistant.speaking import EspeakVoice, Loudspeaker, Output, Sentences, Speaker, WavFile
from assistant.table.terminal import warn

BETWEEN = 1.0
"""Seconds between two announcements in a file: what hears it takes each for itself."""


def say_announcements(
    announcements: Iterable[tuple[str, ...]], vocabulary: Vocabulary, to_wav: Path | None
) -> None:
    """Say announcements one after the other; a machine without a loudspeaker is told of once, in words.

    :raises HectorError: if there is no voice, or the file cannot be written.
    """
    output: Output = Loudspeaker() if to_wav is None else WavFile(to_wav, pause=BETWEEN)
    voice = EspeakVoice(output)
    voice.prepare()
    troubles: list[str] = []
    speaker = Speaker(voice, on_trouble=troubles.append)
    try:
        sentences = Sentences("de")
        for ply, words in enumerate(announcements):
            speaker.say(sentences.readback(vocabulary.written(words), ply))
        # A whole game takes longer than the last words that an end waits for.
        speaker.wait_until_silent()
    finally:
        speaker.close()
    if troubles and to_wav is not None:
        raise HectorError(troubles[0])
    for trouble in troubles:
        warn(trouble)

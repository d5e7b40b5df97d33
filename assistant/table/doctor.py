"""A look at everything that a game needs, one finding a line."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from assistant.errors import HectorError, Phrase, marked

PARTS: Final = {
    phrase.template: phrase
    for phrase in (
        marked("Python"),
        marked("model"),
        marked("voice"),
        marked("microphone"),
        marked("loudspeaker"),
        marked("braille"),
        marked("braille display"),
        marked("engine"),
        marked("games"),
    )
}
"""How the parts are named; their English names are those of the JSON."""

CARDS: Final = Path("/proc/asound/pcm")
"""What ALSA's sound cards can do, a device a line."""

_NO_MICROPHONE: Final = marked(
    "There is no microphone. Plug one in; until then Hector takes moves from the keyboard."
)
_NO_LOUDSPEAKER: Final = marked(
    "There is no loudspeaker. Plug one in; until then Hector writes what it would say."
)
_HELD_MICROPHONE: Final = marked(
    "There is a microphone, but it does not open. End the program that uses it, or join the group audio."
)
_HELD_LOUDSPEAKER: Final = marked(
    "There is a loudspeaker, but it does not open. End the program that uses it, or join the group audio."
)


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found about one part."""

    part: str
    works: bool
    text: Phrase
    """One sentence: that it works, or what is missing and how to get it."""
    needed: bool = True
    """Whether a game cannot do without it."""


def examine() -> list[Finding]:
    """Check every part; nothing that is missing or broken raises an error."""
    return [
        _try("Python", _python),
        _try("model", _model),
        _try("voice", _voice),
        _try("microphone", _microphone, needed=False),
        _try("loudspeaker", _loudspeaker, needed=False),
        _try("braille", _braille, needed=False),
        _try("braille display", _braille_display, needed=False),
        _try("engine", _engine, needed=False),
        _try("games", _games),
    ]


def _try(part: str, check: Callable[[], Phrase], *, needed: bool = True) -> Finding:
    try:
        return Finding(part, True, check(), needed)
    except HectorError as error:
        return Finding(part, False, error.phrase, needed)
    except (OSError, ImportError) as error:
        return Finding(part, False, Phrase(str(error)), needed)


def _python() -> Phrase:
    import platform

    return marked("works, {what}.", what=platform.python_version())


def _model() -> Phrase:
    from assistant.announcements import load_vocabulary
    from assistant.ears import ears_of, written_in
    from assistant.hearing import load_model

    vocabulary = load_vocabulary("de")
    model = load_model()
    missing = model.missing(vocabulary.tokens, written_in(vocabulary))
    if missing:
        raise HectorError(
            "Words that the model lacks, {count}: {missing}. Use another model.",
            count=len(missing),
            missing=", ".join(missing[:5]),
        )
    ears_of(model, vocabulary)
    return marked("works, knows all {count} words.", count=len(vocabulary.tokens))


def _voice() -> Phrase:
    from assistant.speaking import LANGUAGES, check_voice

    for language in LANGUAGES:
        check_voice(language)
    return marked("works, {what}.", what=", ".join(LANGUAGES))


def _microphone() -> Phrase:
    from assistant.hearing import MISSING, delivers_sound

    found = _device("input")
    try:
        delivers = delivers_sound()
    except HectorError as error:
        if error.phrase == MISSING:
            raise HectorError(_HELD_MICROPHONE) from None
        raise
    if delivers:
        return found
    return marked("{found} Nothing comes from it now: it may be muted.", found=found)


def _loudspeaker() -> Phrase:
    return _device("output")


def _device(kind: Literal["input", "output"]) -> Phrase:
    from assistant.hearing import usual_device

    name = usual_device(kind)
    if name is not None:
        return marked("found, {what}.", what=name)
    # PortAudio does not list what it cannot open.
    is_held = _is_on_a_card(kind)
    if kind == "input":
        raise HectorError(_HELD_MICROPHONE if is_held else _NO_MICROPHONE)
    raise HectorError(_HELD_LOUDSPEAKER if is_held else _NO_LOUDSPEAKER)


def _is_on_a_card(kind: Literal["input", "output"]) -> bool:
    """Return whether the kernel knows a sound card that records, or plays."""
    try:
        cards = CARDS.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
    return ("capture" if kind == "input" else "playback") in cards


def _braille() -> Phrase:
    from assistant.scoresheet import new_game, render

    render(new_game(), "brf", "de")
    return marked("works, liblouis translates and reads back.")


def _braille_display() -> Phrase:
    from assistant.display import check_display

    return check_display()


def _engine() -> Phrase:
    from assistant.table.setup import Opponent
    from assistant.table.uci import start_engine

    engine = start_engine(Opponent("stockfish"))
    try:
        return marked("found for games at home, {what}.", what=engine.id.get("name", "stockfish"))
    finally:
        engine.close()


def _games() -> Phrase:
    from assistant.table.folder import games_directory

    folder = games_directory()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
        free = shutil.disk_usage(folder).free
    except OSError as error:
        raise HectorError(
            "The games cannot be kept in {folder}: {reason}. Name another folder in "
            "HECTOR_GAMES, or one for each game with --save.",
            folder=folder,
            reason=error,
        ) from error
    if free < 500e6:
        raise HectorError(
            "Only {free:.0f} MB are free in {folder}; a long game with recordings needs 500.",
            free=free / 1e6,
            folder=folder,
        )
    return marked("are kept in {folder}, {free:.0f} GB free.", folder=folder, free=free / 1e9)

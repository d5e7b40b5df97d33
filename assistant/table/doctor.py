"""A look at everything that a game needs, one finding a line."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass

from assistant.errors import HectorError


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found about one part."""

    part: str
    works: bool
    text: str
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


def _try(part: str, check: Callable[[], str], *, needed: bool = True) -> Finding:
    try:
        return Finding(part, True, check(), needed)
    except (HectorError, OSError, ImportError) as error:
        return Finding(part, False, str(error), needed)


def _python() -> str:
    import platform

    return f"works, {platform.python_version()}."


def _model() -> str:
    from assistant.announcements import load_vocabulary, open_grammar
    from assistant.hearing import Recogniser, load_model

    vocabulary = load_vocabulary("de")
    model = load_model()
    missing = model.missing(vocabulary.tokens)
    if missing:
        raise HectorError(
            f"The model lacks {len(missing)} words: {', '.join(missing[:5])}. Use another model."
        )
    Recogniser(model, open_grammar=open_grammar(vocabulary))
    return f"works, knows all {len(vocabulary.tokens)} words."


def _voice() -> str:
    from assistant.speaking import LANGUAGES, check_voice

    for language in LANGUAGES:
        check_voice(language)
    return f"works, {', '.join(LANGUAGES)}."


def _microphone() -> str:
    from assistant.hearing import delivers_sound

    found = _device("input")
    return found if delivers_sound() else f"{found} Nothing comes from it now: it may be muted."


def _loudspeaker() -> str:
    return _device("output")


def _device(kind: str) -> str:
    from assistant.quiet import quiet_stderr

    name = "microphone" if kind == "input" else "loudspeaker"
    with quiet_stderr():
        try:
            import sounddevice
        except OSError:
            raise HectorError("PortAudio is missing. Install it with: apt install libportaudio2") from None
        try:
            device = sounddevice.query_devices(kind=kind)
        except (sounddevice.PortAudioError, ValueError):
            raise HectorError(
                f"There is no {name}. Plug one in; until then Hector "
                f"{'takes moves from the keyboard' if kind == 'input' else 'writes what it would say'}."
            ) from None
    return f"found, {device['name']}."


def _braille() -> str:
    from assistant.scoresheet import new_game, render

    render(new_game(), "brf", "de")
    return "works, liblouis translates and reads back."


def _braille_display() -> str:
    from assistant.display import check_display

    return check_display()


def _engine() -> str:
    from assistant.table.engine import start_engine
    from assistant.table.setup import Opponent

    engine = start_engine(Opponent("stockfish"))
    try:
        return f"found for games at home, {engine.id.get('name', 'stockfish')}."
    finally:
        engine.close()


def _games() -> str:
    from assistant.table.folder import games_directory

    folder = games_directory()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
        free = shutil.disk_usage(folder).free
    except OSError as error:
        raise HectorError(
            f"The games cannot be kept in {folder}: {error.strerror}. Name another folder in HECTOR_GAMES, "
            "or one for each game with --save."
        ) from error
    if free < 500e6:
        raise HectorError(
            f"Only {free / 1e6:.0f} MB are free in {folder}; a long game with recordings needs 500."
        )
    return f"are kept in {folder}, {free / 1e9:.0f} GB free."

"""The options of every command that speaks and listens: which voice, which devices."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from assistant.table.audible import Ways


def add_ways(parser: Any) -> None:
    """Add the options; what they do not say is the player's own setting."""
    parser.add_argument("--headphones", metavar="DEVICE", help="what only the player hears comes from here")
    parser.add_argument("--room", metavar="DEVICE", help="announcements and rulings come from here")
    parser.add_argument(
        "--duplex", choices=("half", "full"), help="full: with headphones, the microphone is never deaf"
    )
    parser.add_argument(
        "--voice-engine",
        choices=("espeak", "speechd"),
        help="espeak (default), or speechd: speech-dispatcher, as the screen reader has it",
    )


def add_display(parser: Any, usual: str) -> None:
    """Add the option of the braille display; `usual` says what counts without it."""
    parser.add_argument(
        "--braille-display",
        choices=("auto", "off"),
        help=f"auto: a display is used when BRLTTY answers; off: none is ({usual})",
    )


def uses_display(args: argparse.Namespace) -> bool | None:
    """Return whether a display is to be used, None where nobody has said it."""
    return None if args.braille_display is None else args.braille_display == "auto"


def ways_of(args: argparse.Namespace) -> Ways:
    """Return what the options said."""
    from assistant.table.audible import Ways

    return Ways(args.headphones, args.room, args.duplex, args.voice_engine)


_SWITCHES = ("keyboard", "microphone", "page")
_PLAYED_WITH = ("headphones", "room", "duplex", "voice_engine", "page_port", "page_address")


def again_by(args: argparse.Namespace) -> tuple[str, ...]:
    """Return the command that continues a game with the page and devices that it is played with.

    The verb comes first, then its options; PINs lie in the game's folder.
    """
    words = ["serve"]
    if args.command != "serve":
        words = ["resume", *(f"--{name}" for name in _SWITCHES if getattr(args, name, False))]
    # A game keeps the player and the engine that it began with, and none that come to it later.
    names = [*_PLAYED_WITH, *(["player", "engine"] if args.command == "resume" else [])]
    for name in names:
        value = getattr(args, name)
        if value is not None:
            words += [f"--{name.replace('_', '-')}", str(value)]
    return tuple(words)

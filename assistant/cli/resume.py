"""hector resume: a game goes on from its folder."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from assistant.cli.common import check_text, language_of, print_told, sound_file
from assistant.cli.page import add_page, check_page, desk_of, page_of
from assistant.cli.ways import add_display, add_ways, again_by, uses_display, ways_of
from assistant.errors import told_in


def add_parser(commands: Any) -> None:
    parser = commands.add_parser("resume", help="continues a game from its folder")
    parser.add_argument(
        "folder",
        nargs="?",
        metavar="DIR",
        help="the game's folder, or its name among all games (default: the newest game that is not over)",
    )
    parser.add_argument("--speak-to", metavar="FILE.wav", help="a file instead of the loudspeaker")
    parser.add_argument("--model", metavar="DIR", help="another Vosk model than the embedded one")
    ears = parser.add_mutually_exclusive_group()
    ears.add_argument("--keyboard", action="store_true", help="no microphone: moves are typed")
    ears.add_argument(
        "--microphone", action="store_true", help="a microphone, though the game was begun without"
    )
    parser.add_argument("--player", metavar="NAME", help="whose settings and voice count from now on")
    parser.add_argument(
        "--engine",
        metavar="PROGRAM",
        help="the engine of the game, if it came from another computer or is elsewhere now",
    )
    parser.add_argument("--page", action="store_true", help="a page for the opponent and the arbiter too")
    add_display(parser, "default: as the game was begun")
    add_page(parser)
    add_ways(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from assistant.table import live
    from assistant.table.games import named_folder
    from assistant.table.players import known_player

    check_page(args)
    speak_to = sound_file(args.speak_to)
    folder = named_folder(args.folder) if args.folder is not None else _newest(args)
    page = page_of(args) if args.page else None
    return live.resume(
        folder,
        speak_to,
        args.model,
        keyboard_only=True if args.keyboard else False if args.microphone else None,
        guest=page,
        clerk=desk_of(page),
        player=None if args.player is None else known_player(args.player),
        language=language_of(args),
        braille_display=uses_display(args),
        ways=ways_of(args),
        engine=_engine_of(args),
        again=again_by(args),
    )


def _engine_of(args: argparse.Namespace) -> str | None:
    """Return the engine that was named now, if one was.

    :raises UsageError: if it cannot be read, or there is no such program.
    """
    from assistant.table.uci import find_engine

    if args.engine is not None:
        check_text("--engine", args.engine)
        find_engine(args.engine)
    engine: str | None = args.engine
    return engine


def _newest(args: argparse.Namespace) -> Path:
    """Find the unfinished game that was played last, and tell which it is, in its language."""
    from assistant.journal import read
    from assistant.table.games import newest_unfinished
    from assistant.table.record import setup_in
    from assistant.table.terminal import warn

    folder = newest_unfinished(warn)
    with told_in(language_of(args) or setup_in(folder, read(folder).lines).language):
        print_told("The unfinished game that was played last: {name}", name=folder.name, flush=True)
    return folder

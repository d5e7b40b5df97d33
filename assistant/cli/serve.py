"""hector serve: a game on the page and the keyboard, without a microphone; or a page that follows one."""

from __future__ import annotations

import argparse
from typing import Any

from assistant.called import command
from assistant.cli.common import given, language_of, sound_file
from assistant.cli.page import add_page, desk_of, page_of
from assistant.cli.play import OF_A_NEW_GAME, add_game, new_folder_of, setup_of
from assistant.cli.ways import again_by, uses_display, ways_of
from assistant.errors import UsageError


def add_parser(commands: Any) -> None:
    parser = commands.add_parser(
        "serve",
        help="a game on a page for the opponent and the arbiter",
        description="A game on a page of this computer and by keyboard, without a microphone. "
        "With DIR a game that was begun goes on; if another Hector is playing it, the page follows it.",
    )
    parser.add_argument(
        "folder", nargs="?", metavar="DIR", help="continues or follows the game of this folder"
    )
    parser.add_argument(
        "--follow", action="store_true", help="only show the game of DIR, whether anybody plays it or not"
    )
    parser.add_argument("--speak-to", metavar="FILE.wav", help="a file instead of the loudspeaker")
    add_game(parser)
    add_page(parser)
    parser.set_defaults(run=run, listen=None)


def run(args: argparse.Namespace) -> int:
    from assistant.journal import BeingPlayedError
    from assistant.table import live
    from assistant.table.games import named_folder

    speak_to = sound_file(args.speak_to)
    if args.follow:
        if args.folder is None:
            raise UsageError(
                "Say which game is to be followed: {command}", command=command("serve", "DIR", "--follow")
            )
        return _follow(args)
    page = page_of(args)
    if args.folder is not None:
        _check_that_nothing_is_new(args)
        try:
            return live.resume(
                named_folder(args.folder),
                speak_to,
                args.model,
                keyboard_only=True,
                language=language_of(args),
                braille_display=uses_display(args),
                ways=ways_of(args),
                again=again_by(args),
                guest=page,
                clerk=desk_of(page),
            )
        except BeingPlayedError:
            return _follow(args)
    return live.play(
        setup_of(args, "word"),
        new_folder_of(args),
        speak_to,
        args.model,
        keyboard_only=True,
        ways=ways_of(args),
        again=again_by(args),
        guest=page,
        clerk=desk_of(page),
    )


def _check_that_nothing_is_new(args: argparse.Namespace) -> None:
    """:raises UsageError: if an option would change the game that goes on."""
    for option in given(args, OF_A_NEW_GAME):
        raise UsageError(
            "The game in {folder} keeps what it began with: leave out {option}.",
            folder=args.folder,
            option=option,
        )


def _follow(args: argparse.Namespace) -> int:
    from assistant.arbiter import follow
    from assistant.table.games import named_folder
    from assistant.table.keyboard import Keyboard
    from assistant.table.lineeditor import is_quit

    with Keyboard() as keyboard:
        follow(
            named_folder(args.folder),
            page_of(args, follows=True),
            lambda: any(map(is_quit, keyboard.pending())),
        )
    return 0

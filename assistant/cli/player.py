"""hector player: a player's own settings, shown and changed in plain lines."""

from __future__ import annotations

import argparse
from typing import Any

from assistant.called import command
from assistant.cli.common import print_told
from assistant.errors import HectorError, UsageError

_MEANINGS = """settings, each as KEY=VALUE; "none" takes one away:
  name        how the player is called on the scoresheet
  language    of Hector's sentences: de, en, es, fr, pl
  voice       a voice of espeak-ng, or a variant of it: f4
  rate        words a minute, 80 to 450
  pitch       0 to 99
  volume      0 to 200
  press       who presses the clock: auto, word, key
  warnings    seconds left at which to be warned: 300,60,10
  headphones  the device that only the player hears
  room        the device that the room hears
  duplex      half: deaf while Hector speaks; full: with headphones
  engine      who speaks: espeak, or speechd for the screen reader's voice
  notation    of the scoresheet: short, long
  braille     the braille profile of the scoresheet
  cells       of a braille line, 18 to 80
  lines       of a braille page
  grade       braille of names and remarks: basic, full
"""


def _examples() -> str:
    player, practise = command("player"), command("practise")
    return f"""
The voice is learnt, and forgotten, with:
  {practise} --learn --player Ana
  {practise} --forget --player Ana

Examples:
  {player} Ana
  {player} Ana rate=220 warnings=300,60,10
  {player} Ana warnings=none
"""


def add_parser(commands: Any) -> None:
    parser = commands.add_parser(
        "player",
        help="a player's own settings, for --player",
        description="Shows the settings of a player, one a line, after changing those that are given.",
        epilog=_MEANINGS + _examples(),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("name", metavar="NAME", nargs="?", help="the player; without one, all are named")
    parser.add_argument("settings", metavar="KEY=VALUE", nargs="*", help="what to change")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from assistant.hearing import has_voice
    from assistant.table.changing_settings import change_player
    from assistant.table.players import folder_of, known_player
    from assistant.table.settings import settings_of

    if args.name is None:
        return _name_all()
    changes = dict(map(_pair, args.settings))
    player = change_player(args.name, changes) if changes else known_player(args.name)
    for key, value in settings_of(player):
        print(f"{key}: {value}")
    if has_voice(folder_of(player.name)):
        forget = command("practise", "--forget", "--player", player.name)
        print_told(
            "Hector has learnt the voice of {name}. It is forgotten with: {command}",
            name=player.name,
            command=forget,
        )
    return 0


def _name_all() -> int:
    from assistant.speaking import told
    from assistant.table.players import known_players
    from assistant.table.terminal import warn

    unreadable: list[HectorError] = []
    names = known_players(unreadable.append)
    for name in names:
        print(name)
    for error in unreadable:
        warn(told(error))
    if not names and not unreadable:
        print_told(
            "No player has settings yet. Make them: {command}", command=command("player", "NAME", "rate=200")
        )
    return 1 if unreadable else 0


def _pair(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not equals:
        raise UsageError("{text!r} is no setting: write it as rate=200, without blanks.", text=text)
    return key.strip().lower(), value

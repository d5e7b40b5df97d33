"""hector practise: a player's check before the round: Hector says words, listens, and tells what it heard."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from assistant.cli.ways import add_ways, ways_of


def add_parser(commands: Any) -> None:
    parser = commands.add_parser("practise", help="says words, listens, and tells what it heard")
    parser.add_argument("--count", type=int, default=10, help="how many announcements (default: 10)")
    parser.add_argument("--listen", metavar="FILE", help="a recording instead of the microphone")
    parser.add_argument("--speak-to", metavar="FILE.wav", help="a file instead of the loudspeaker")
    parser.add_argument("--model", metavar="DIR", help="another Vosk model than the embedded one")
    parser.add_argument("--seed", type=int, help="the same announcements each time")
    parser.add_argument("--player", metavar="NAME", help="whose voice and devices; see: hector player --help")
    add_ways(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from assistant.table import Setup
    from assistant.table.audible import audible
    from assistant.table.players import known_player, with_settings
    from assistant.table.practise import practise

    setup = Setup() if args.player is None else with_settings(Setup(), known_player(args.player))
    return practise(
        args.count,
        listen=None if args.listen is None else Path(args.listen),
        speak_to=None if args.speak_to is None else Path(args.speak_to),
        model=args.model,
        seed=args.seed,
        language=args.lang or (setup.language if args.player is not None else None),
        audible=audible(setup, ways_of(args)),
    )

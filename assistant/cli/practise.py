"""hector practise: a player's check before the round: Hector says words, listens, and tells what it heard."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from assistant.called import command
from assistant.cli.common import sound_file
from assistant.cli.ways import add_ways, ways_of
from assistant.errors import UsageError


def add_parser(commands: Any) -> None:
    parser = commands.add_parser("practise", help="says words, listens, and tells what it heard")
    parser.add_argument("--count", type=int, metavar="N", help="how many announcements (default: 10)")
    parser.add_argument(
        "--learn", action="store_true", help="learn the voice of --player from thirty phrases that he repeats"
    )
    parser.add_argument(
        "--games",
        nargs="+",
        metavar="DIR",
        help="learn it from these games of the player instead",
    )
    parser.add_argument(
        "--recordings", metavar="FOLDER", help="also keep there what it is learnt from, for a training"
    )
    parser.add_argument("--forget", action="store_true", help="forget the voice of --player")
    parser.add_argument("--listen", metavar="FILE", help="a recording instead of the microphone")
    parser.add_argument("--speak-to", metavar="FILE.wav", help="a file instead of the loudspeaker")
    parser.add_argument("--model", metavar="DIR", help="another Vosk model than the embedded one")
    parser.add_argument("--seed", type=int, help="the same announcements each time")
    parser.add_argument(
        "--player", metavar="NAME", help="whose voice and devices, as the command player keeps them"
    )
    add_ways(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from assistant.speaking import choose_language
    from assistant.table import Setup
    from assistant.table.audible import audible
    from assistant.table.games import named_folder
    from assistant.table.players import known_player, load_player, with_settings
    from assistant.table.practise import forget, learn_voice, practise
    from assistant.table.taught import choice_of

    if args.learn or args.forget:
        _check_lesson(args)
    elif args.games is not None:
        raise UsageError(
            "Learn from games with: {command}",
            command=command("practise", "--learn", "--player", "NAME", "--games", "DIR"),
        )
    if args.recordings is not None and not args.learn:
        raise UsageError(
            "Recordings are kept of what is learnt from: {command}",
            command=command("practise", "--learn", "--player", "NAME", "--recordings", "FOLDER"),
        )
    if args.forget:
        return forget(args.player)
    setup = Setup(language=choose_language(args.lang))
    if args.player is not None:
        # A lesson may be the first thing that is known of a player.
        player = load_player(args.player) if args.learn else known_player(args.player)
        setup = with_settings(setup, player)
    listen = None if args.listen is None else Path(args.listen)
    speak_to = sound_file(args.speak_to)
    language = args.lang or setup.language
    outputs = audible(setup, ways_of(args))
    if args.learn:
        return learn_voice(
            args.player,
            games=[named_folder(name) for name in args.games or ()],
            listen=listen,
            speak_to=speak_to,
            model=args.model,
            language=language,
            audible=outputs,
            recordings=None if args.recordings is None else Path(args.recordings),
        )
    return practise(
        10 if args.count is None else args.count,
        listen=listen,
        speak_to=speak_to,
        model=choice_of(args.model, args.player),
        seed=args.seed,
        language=language,
        audible=outputs,
    )


def _check_lesson(args: argparse.Namespace) -> None:
    if args.learn and args.forget:
        raise UsageError("Choose one of --learn and --forget: whoever learns a voice anew replaces it.")
    word = "--learn" if args.learn else "--forget"
    if args.player is None:
        raise UsageError("Say whose voice: {command}", command=command("practise", word, "--player", "NAME"))
    if args.count is not None or args.seed is not None:
        raise UsageError(
            "A lesson always has the same phrases: leave out --count and --seed at {word}.", word=word
        )
    if args.games is not None and (args.forget or args.listen is not None):
        raise UsageError(
            "Nothing else is heard where games are learnt from: leave out --listen and --forget."
        )
    if args.forget and args.listen is not None:
        raise UsageError("Nothing is heard for --forget: leave out --listen.")

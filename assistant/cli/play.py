"""hector play: a live game; without a microphone, the demonstration."""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

from assistant.errors import UsageError

PLAIN = ("white", "black", "blind", "fen", "chess960", "listen", "engine")


def add_parser(commands: Any) -> None:
    parser = commands.add_parser(
        "play",
        help="a live game: microphone, voice, clock, scoresheet",
        description="A live game. Without a microphone and without options it shows two games by itself.",
    )
    parser.add_argument("--listen", metavar="FILE", help="a recording instead of the microphone")
    parser.add_argument("--speak-to", metavar="FILE.wav", help="a file instead of the loudspeaker")
    parser.add_argument("--press", choices=("auto", "word", "key"), help="who presses the player's clock")
    parser.add_argument("--laws", default="2023", help="edition of the Laws: 2023 (default), 2018, 2014 ...")
    parser.add_argument("--time-control", default="5400+30", help="as in PGN: 5400+30, 40/5400+30:1800+30, -")
    parser.add_argument("--white", metavar="NAME", help="name of White")
    parser.add_argument("--black", metavar="NAME", help="name of Black")
    parser.add_argument("--blind", choices=("white", "black", "both"), help="who is blind (default: white)")
    parser.add_argument("--mode", choices=("rated", "club"), default="rated")
    parser.add_argument("--fen", help="the position to start from")
    parser.add_argument("--chess960", type=int, metavar="N", help="Chess960, start position 0 to 959")
    parser.add_argument("--save", metavar="DIR", help="folder of the game (default: one per game)")
    parser.add_argument("--model", metavar="DIR", help="another Vosk model than the embedded one")
    parser.add_argument("--demonstration", action="store_true", help="show two games, microphone or not")
    parser.add_argument("--silent", action="store_true", help="the demonstration faster than real time")
    parser.add_argument("--keyboard", action="store_true", help="no microphone: moves are typed")
    parser.add_argument(
        "--braille-display",
        choices=("auto", "off"),
        default="auto",
        help="auto (default): a display is used when BRLTTY answers",
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from assistant.demonstration import show
    from assistant.table import live

    if args.demonstration:
        return show.run(_folder(args), _path(args.speak_to), args.lang, aloud=not args.silent)
    if args.listen is not None:
        return live.play_recording(
            Path(args.listen), setup_of(args, "auto"), _folder(args), _path(args.speak_to), args.model
        )
    wants_a_game = args.keyboard or any(getattr(args, name, None) for name in PLAIN)
    if not wants_a_game and not live.has_microphone():
        print("No microphone was found: this is the demonstration. Two games, spoken and understood.")
        return show.run(_folder(args), _path(args.speak_to), args.lang, aloud=not args.silent)
    return live.play(
        setup_of(args, "word"),
        _folder(args),
        _path(args.speak_to),
        args.model,
        keyboard_only=args.keyboard,
        braille_display=args.braille_display == "auto",
    )


def setup_of(args: argparse.Namespace, press: str) -> Any:
    """Return the setup that the options describe; `press` where they do not say.

    :raises UsageError: if the position or the time control is impossible.
    """
    from assistant.laws import Referee, ScriptError
    from assistant.speaking import choose_language
    from assistant.table import Person, Setup

    setup = Setup(
        white=Person(args.white or "White", args.blind in (None, "white", "both")),
        black=Person(args.black or "Black", args.blind in ("black", "both")),
        laws=args.laws,
        time_control=args.time_control,
        mode=args.mode,
        fen=args.fen,
        chess960=args.chess960,
        press=args.press or press,  # type: ignore[arg-type]
        language=choose_language(args.lang),
        date=time.strftime("%Y.%m.%d"),
    )
    try:
        Referee(setup.game())
    except ScriptError as error:
        raise UsageError(str(error)) from None
    return setup


def _path(name: str | None) -> Path | None:
    return None if name is None else Path(name)


def _folder(args: argparse.Namespace) -> Path | None:
    return _path(args.save)

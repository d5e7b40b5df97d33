"""hector play: a live game; without a microphone, the demonstration."""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from assistant.called import command
from assistant.cli import event
from assistant.cli.common import check_text, given, print_told, sound_file
from assistant.cli.page import add_page, check_page, desk_of, page_of
from assistant.cli.ways import add_display, add_ways, again_by, uses_display, ways_of
from assistant.errors import Phrase, UsageError, marked
from assistant.sides import SIDES, Side, other

if TYPE_CHECKING:
    from assistant.table import Person, Setup
    from assistant.table.settings import Player
    from assistant.table.setup import Opponent, Press

_AGREED = (
    *("white", "black", "blind", "fen", "chess960", "player", "mode", "warn", "engine"),
    *("press", "laws", "time_control", "read_board", *event.OPTIONS),
)
_SHOWN = ("command", "run", "lang", "demonstration", "silent")
"""What may be said where no game is meant: everything else is an option of one."""
_SHOWN_AND_KEPT = (*_SHOWN, "save", "speak_to")
"""What may be said of the demonstration, if it is asked for."""
OF_A_NEW_GAME = (*_AGREED, "save", "engine_elo", "engine_skill", "engine_time", "engine_resigns")
"""Options that a game keeps from its beginning."""
_LIVE_ONLY = ("headphones", "room", "duplex", "voice_engine", "braille_display")
"""Options of the devices around a board, which a recording has none of."""
TIME_CONTROL = "5400+30"


def add_parser(commands: Any) -> None:
    parser = commands.add_parser(
        "play",
        help="a live game: microphone, voice, clock, scoresheet",
        description="A live game. Without a microphone and without options it shows two games by itself.",
    )
    parser.add_argument("--listen", metavar="FILE", help="a recording instead of the microphone")
    parser.add_argument("--speak-to", metavar="FILE.wav", help="a file instead of the loudspeaker")
    add_game(parser)
    parser.add_argument("--demonstration", action="store_true", help="show two games, microphone or not")
    parser.add_argument("--silent", action="store_true", help="the demonstration faster than real time")
    parser.add_argument("--keyboard", action="store_true", help="no microphone: moves are typed")
    parser.add_argument("--page", action="store_true", help="a page for the opponent and the arbiter too")
    add_page(parser)
    parser.set_defaults(run=run)


def add_game(parser: argparse.ArgumentParser) -> None:
    """Add the options of every live game."""
    parser.add_argument(
        "--press",
        choices=("auto", "word", "key"),
        help="who presses the player's clock: Hector, the word or the key, or the key alone "
        "(default: word; with --listen auto)",
    )
    parser.add_argument(
        "--laws", help="edition of the Laws: 2023 (default), 2018, 2014, 2009, 2005, 1997, blitz-co"
    )
    parser.add_argument("--time-control", help="as in PGN: 5400+30 (default), 40/5400+30:1800+30, -")
    parser.add_argument("--white", metavar="NAME", help="name of White")
    parser.add_argument("--black", metavar="NAME", help="name of Black")
    parser.add_argument(
        "--blind",
        choices=("white", "black", "both"),
        help="who is blind (default: whoever has the name of --player, else white)",
    )
    parser.add_argument(
        "--player", metavar="NAME", help="whose settings and voice count, as the command player keeps them"
    )
    parser.add_argument(
        "--warn", metavar="SECONDS", help="warn the blind player of his own time: 300,60,10, or none"
    )
    parser.add_argument(
        "--read-board",
        action="store_true",
        help="answer questions about the position in a rated game too, as the event allows",
    )
    parser.add_argument(
        "--mode", choices=("rated", "club"), help="rated (default), or club; with --engine it is club"
    )
    event.add_event(parser)
    parser.add_argument("--fen", help="the position to start from")
    parser.add_argument("--chess960", type=int, metavar="N", help="Chess960, start position 0 to 959")
    parser.add_argument("--save", metavar="DIR", help="folder of the game (default: one per game)")
    parser.add_argument("--model", metavar="DIR", help="another Vosk model than the embedded one")
    add_display(parser, "default: auto")
    parser.add_argument(
        "--engine", metavar="PROGRAM", help="a UCI engine plays the sighted side, for example stockfish"
    )
    parser.add_argument("--engine-elo", type=int, metavar="N", help="the engine's strength in Elo points")
    parser.add_argument(
        "--engine-skill", type=int, metavar="N", help="its level of skill; Stockfish: 0 to 20"
    )
    parser.add_argument(
        "--engine-time",
        type=float,
        metavar="SECONDS",
        help="its time for each move (default: it has its clock)",
    )
    parser.add_argument("--engine-resigns", action="store_true", help="it gives up when it is plainly lost")
    add_ways(parser)


def run(args: argparse.Namespace) -> int:
    from assistant import portaudio
    from assistant.demonstration import show
    from assistant.hearing import has_microphone
    from assistant.speaking import told
    from assistant.table import live
    from assistant.table.taught import choice_of
    from assistant.table.terminal import warn

    speak_to = sound_file(args.speak_to)
    folder = new_folder_of(args)
    _check_that_nothing_is_ignored(args)
    if args.demonstration:
        return show.run(folder, speak_to, args.lang, aloud=not args.silent)
    if args.listen is not None:
        return live.play_recording(
            Path(args.listen),
            setup_of(args, "auto"),
            folder,
            speak_to,
            choice_of(args.model, args.player),
        )
    is_deaf = not args.keyboard and not has_microphone()
    if is_deaf and not _is_game(args):
        if portaudio.hangs():
            warn(told(portaudio.why_it_hangs()))
        print_told("No microphone was found: this is the demonstration. Two games, spoken and understood.")
        return show.run(None, None, args.lang, aloud=not args.silent)
    setup = setup_of(args, "word")
    guest = page_of(args) if args.page else None
    if is_deaf and not portaudio.hangs():
        warn(
            told(
                marked(
                    "There is no microphone: until one is plugged in, the moves are typed, as with "
                    "--keyboard. A recording is played with --listen FILE."
                )
            )
        )
    return live.play(
        setup,
        folder,
        speak_to,
        choice_of(args.model, args.player),
        keyboard_only=args.keyboard,
        ways=ways_of(args),
        again=again_by(args),
        guest=guest,
        clerk=desk_of(guest),
    )


def _is_game(args: argparse.Namespace) -> bool:
    """Return whether an option of a game was given."""
    return bool(given(args, [name for name in vars(args) if name not in _SHOWN]))


def _check_that_nothing_is_ignored(args: argparse.Namespace) -> None:
    """:raises UsageError: if options were given that do not go together."""
    from assistant.hearing import has_microphone

    if args.silent and not args.demonstration and (_is_game(args) or has_microphone()):
        raise UsageError("Only the demonstration is silent: leave out --silent, or add --demonstration.")
    if args.demonstration:
        for option in given(args, [name for name in vars(args) if name not in _SHOWN_AND_KEPT]):
            raise UsageError("The demonstration plays games of its own: leave out {option}.", option=option)
    if args.listen is not None and args.keyboard:
        raise UsageError("A game is heard or typed: leave out --listen or --keyboard.")
    if args.listen is not None and args.page:
        raise UsageError(
            "A recorded game is over before a page could show it: leave out --page. "
            "Afterwards it is shown by: {command}",
            command=command("serve", "DIR", "--follow"),
        )
    if args.listen is not None:
        key = ["--press key"] if args.press == "key" else []
        for option in [*given(args, _LIVE_ONLY), *key]:
            raise UsageError(
                "A recorded game has no devices of its own: leave out --listen or {option}.", option=option
            )
    check_page(args)


def setup_of(args: argparse.Namespace, press: Press) -> Setup:
    """Return the setup that the options describe, and where they do not, the player's own settings.

    `press` counts where neither says who presses.

    :raises UsageError: if the position or the time control is impossible, the game is over in it, a name is
        not one line of text, options do not go together, or there is no such player or model.
    :raises HectorError: if the player's settings cannot be read.
    """
    from assistant.hearing import lasting_name
    from assistant.laws import DEFAULT_EDITION, Referee, ScriptError, is_dead
    from assistant.moves import read_move
    from assistant.speaking import ENDINGS, choose_language
    from assistant.table import Setup
    from assistant.table.players import known_player, with_settings

    model = "" if args.model is None else lasting_name(args.model)
    texts = {"--white": args.white, "--black": args.black, "--engine": args.engine, "--model": model}
    for option, text in texts.items():
        check_text(option, text)
    if args.fen is not None and args.chess960 is not None:
        raise UsageError("A game begins from one position: leave out --fen or --chess960.")
    if args.chess960 is not None and not 0 <= args.chess960 < 960:
        raise UsageError("Chess960 needs a Scharnagl number from 0 to 959, or a FEN.")
    player = None if args.player is None else known_player(args.player)
    blind = _blind_of(args, player)
    engine = _engine_of(args, blind)
    setup = Setup(
        white=_person(args.white, "white", blind, engine),
        black=_person(args.black, "black", blind, engine),
        laws=DEFAULT_EDITION if args.laws is None else args.laws,
        time_control=TIME_CONTROL if args.time_control is None else args.time_control,
        mode=args.mode or ("rated" if engine is None else "club"),
        rules=event.event_of(args),
        engine=engine,
        fen=args.fen,
        chess960=_chess960_of(args),
        press=press,
        language=choose_language(args.lang),
        model=model,
        reads_board=args.read_board,
        braille_display=uses_display(args) is not False,
        microphone=not getattr(args, "keyboard", False),
        date=time.strftime("%Y.%m.%d"),
    )
    if player is not None:
        if getattr(args, setup.served) is None and _seat_of(args, player) is None:
            person = replace(setup.person(setup.served), name=player.name)
            setup = setup.with_person(setup.served, person)
        setup = with_settings(setup, player)
    setup = _with_options(args, setup, blind)
    try:
        board = Referee(setup.game(), read_move).board
    except ScriptError as error:
        raise UsageError(error.phrase) from None
    if setup.fen is not None and is_dead(board, thorough=True):
        is_over = marked("the game is over there ({why})", why=Phrase(ENDINGS["dead-position"].singular))
        raise UsageError("No game can begin in {fen!r}: {status}.", fen=setup.fen, status=is_over)
    return setup


def _chess960_of(args: argparse.Namespace) -> int | bool | None:
    """Return the Scharnagl number, or true where the castling of the FEN is possible in Chess960 alone."""
    from assistant.board import position

    if args.fen is None:
        return cast("int | None", args.chess960)
    try:
        return position(args.fen).chess960 or None
    except ValueError:
        # What is wrong with it the referee says.
        return None


def _blind_of(args: argparse.Namespace, player: Player | None) -> tuple[Side, ...]:
    """Return who is blind: where the options do not say it, the player whose settings count.

    :raises UsageError: if they say it of his opponent alone.
    """
    seat = None if player is None else _seat_of(args, player)
    if args.blind is None:
        return (seat or "white",)
    if seat is not None and args.blind == other(seat):
        raise UsageError(
            "The settings of --player are the blind player's, and {option} has that name: "
            "leave out --blind or --player.",
            option=f"--{seat}",
        )
    return SIDES if args.blind == "both" else (args.blind,)


def _seat_of(args: argparse.Namespace, player: Player) -> Side | None:
    """Return the side at which the options name a player."""
    from assistant.table.players import is_called

    return next((side for side in SIDES if is_called(getattr(args, side) or "", player.name)), None)


def _person(name: str | None, side: Side, blind: Sequence[Side], engine: Opponent | None) -> Person:
    from assistant.table import Person

    if name is None and engine is not None and engine.side == side:
        from assistant.table.uci import words_of

        name = Path(words_of(engine.command)[0]).stem.capitalize()
    return Person(" ".join((name or "").split()) or side.capitalize(), side in blind)


def _engine_of(args: argparse.Namespace, blind: Sequence[Side]) -> Opponent | None:
    """Return the engine that plays one side.

    :raises UsageError: if there is no side for it, the game may not be played with one, or it cannot be read.
    """
    from assistant.table.setup import Opponent
    from assistant.table.uci import lasting_command

    asked = [args.engine_elo, args.engine_skill, args.engine_time, args.engine_resigns or None]
    if not (args.engine or "").split():
        if args.engine is not None or any(each is not None for each in asked):
            raise UsageError("Name the engine too: --engine stockfish")
        return None
    if args.mode == "rated":
        raise UsageError("A rated game is played without an engine (11.3): leave out --mode rated.")
    if len(blind) != 1:
        raise UsageError("The engine plays the sighted side: say --blind white or --blind black.")
    if args.listen is not None:
        raise UsageError("An engine plays in a live game, not in a recorded one: leave out --listen.")
    if args.engine_time is not None and not 0.01 <= args.engine_time <= 86_400:
        raise UsageError("--engine-time is from 0.01 to 86400 seconds.")
    return Opponent(
        lasting_command(args.engine),
        other(blind[0]),
        args.engine_elo,
        args.engine_skill,
        args.engine_time,
        args.engine_resigns,
    )


def _with_options(args: argparse.Namespace, setup: Setup, blind: Sequence[Side]) -> Setup:
    """Put what was said on the command line before what the player has in his file."""
    from assistant.speaking import choose_language
    from assistant.table.settings import read_warnings

    changes: dict[str, Any] = {}
    if args.press is not None:
        changes["press"] = args.press
    if args.lang:
        changes["language"] = choose_language(args.lang)
    if args.warn is not None:
        warnings = read_warnings(args.warn)
        for side in blind:
            setup = setup.with_person(side, replace(setup.person(side), warnings=warnings))
    return replace(setup, **changes)


def new_folder_of(args: argparse.Namespace) -> Path | None:
    """Return the folder that was named for a new game, if one was."""
    return None if args.save is None else Path(args.save)

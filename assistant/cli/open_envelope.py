"""hector open-envelope: the sealed move is made, in the presence that the Laws ask for."""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import chess

from assistant.board import play
from assistant.called import command
from assistant.cli.arbiter_key import read_key_file
from assistant.cli.common import print_told, written_move
from assistant.cli.passphrase import add_passphrase, read_passphrase
from assistant.cli.seal import check, ending
from assistant.errors import HectorError, UsageError, language_told, marked
from assistant.sides import SIDES, Side, other

if TYPE_CHECKING:
    from assistant.laws import Event
    from assistant.sealing import SecretKey
    from assistant.table import Setup
    from assistant.table.adjourning import Adjournment
    from assistant.table.course import Course


def add_parser(commands: Any) -> None:
    parser = commands.add_parser(
        "open-envelope",
        help="opens the envelope of an adjourned game",
        description="Opens the envelope of an adjourned game with the arbiter's key. The player who must "
        f"reply has to be present; if he is not, take the game up with: {command('resume')} DIR",
    )
    parser.add_argument("folder", metavar="DIR")
    parser.add_argument("--key", metavar="FILE", help="the arbiter's key (default: your own)")
    parser.add_argument(
        "--present", metavar="WHO", help="who is there: white, black, or white,black; else asked"
    )
    parser.add_argument("--lost", action="store_true", help="the envelope or the key is lost")
    parser.add_argument("--declared", metavar="MOVE", help="with --lost: the move that the sealer declares")
    add_passphrase(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from assistant.table.adjourning import stopped_game
    from assistant.table.games import named_folder

    if args.declared is not None and not args.lost:
        raise UsageError("A declared move goes with --lost: otherwise the move in the envelope counts.")
    folder = named_folder(args.folder)
    with stopped_game(folder) as (adjournment, course):
        envelope, sealer = adjournment.envelope, _sealer_of(adjournment, course, folder)
        people: dict[Side, str] = {side: course.setup.name_or_side(side) for side in SIDES}
        if course.referee.declares is not None and not args.lost:
            raise HectorError(
                "The envelope is lost ({article}). {player} declares the sealed move: {command}",
                article=adjournment.article("envelope-lost"),
                player=people[sealer],
                command=command("open-envelope", folder, "--lost", "--declared", "MOVE"),
            )
        present = _present(args.present, course.setup)
        board = course.board
        move = key = None
        if args.declared is not None:
            move = declared_move(board, args.declared, course.setup.language)
            _check_sealer(adjournment, sealer, present, people, folder)
        if not args.lost:
            if not course.referee.has_flag_over_envelope:
                _check_replier(adjournment, sealer, present, people, folder)
            if envelope is not None:
                print_told("Mark of the seal: {mark}", mark=envelope.mark)
            key = _unlocked(args, adjournment, folder)
        at = course.now
        for side in present:
            if not adjournment.is_present(side) and not course.over:
                _tell(adjournment.arrive(side, at), board)
        if not adjournment.is_resumed:
            check(adjournment.resume(at))
        if course.over:
            return 0
        if key is not None:
            _tell(adjournment.open(at, key), board)
        else:
            if course.referee.declares is None:
                check(adjournment.lost(at))
            print_told("The envelope is lost: {name} makes the move that was sealed.", name=people[sealer])
            if move is not None:
                _tell(course.rule({"at": at, "do": "announce", "side": sealer, "move": move}), board)
        if not course.over:
            print_told("The game goes on with: {command}", command=command("resume", folder))
    return 0


def _sealer_of(adjournment: Adjournment, course: Course, folder: Path) -> Side:
    """Return whose sealed move waits.

    :raises HectorError: if nobody's does.
    """
    if adjournment.sealer is not None:
        return adjournment.sealer
    if course.referee.has_void_envelope:
        raise HectorError(
            "The position was taken back: what was sealed does not count. The game goes on with: {command}",
            command=command("resume", folder),
        )
    raise HectorError(
        "The game in {folder} is not adjourned, or its envelope is open already.", folder=folder
    )


def _check_replier(
    adjournment: Adjournment, sealer: Side, present: Sequence[Side], people: Mapping[Side, str], folder: Path
) -> None:
    """Check that whoever must reply to a sealed move is there when its envelope is opened (I.7, I.9.3)."""
    replier = other(sealer)
    if replier not in present:
        raise HectorError(
            "{player} must reply to the sealed move and is not present: the envelope stays "
            "closed ({absent}). His clock runs with: {command}",
            player=people[replier],
            absent=adjournment.article("sealer-absent" if adjournment.is_of_reply else "replier-absent"),
            command=command("resume", folder),
        )


def _check_sealer(
    adjournment: Adjournment, sealer: Side, present: Sequence[Side], people: Mapping[Side, str], folder: Path
) -> None:
    """Check that whoever sealed is there to declare what he sealed (I.12.1)."""
    if sealer not in present:
        raise HectorError(
            "{player} declares the sealed move and is not present ({article}). Leave out --declared: when he "
            "comes it is announced with: {command}",
            player=people[sealer],
            article=adjournment.article("envelope-lost"),
            command=command("resume", folder),
        )


def _unlocked(args: argparse.Namespace, adjournment: Adjournment, folder: Path) -> SecretKey:
    """Return the key that opens the envelope, having tried it; nothing of the game has changed."""
    from assistant.sealing import SealError, unlock
    from assistant.table.adjourning import own_key_file

    data = read_key_file(own_key_file() if args.key is None else Path(args.key))
    key = unlock(data, read_passphrase(args.passphrase_file))
    try:
        adjournment.read(key)
    except SealError as error:
        article = adjournment.article("envelope-lost")
        raise HectorError(
            "{reason} If no other key opens it, the Laws treat it as lost ({article}): {command}",
            reason=error,
            article=article,
            command=command("open-envelope", folder, "--lost"),
        ) from None
    return key


def declared_move(board: chess.Board, text: str, language: str) -> str:
    """Return the move that the sealer declares, in UCI; he writes it in the game's language, as he sealed it.

    :raises UsageError: if it is not one move.
    """
    from assistant.moves import read_move

    moves = read_move(board, text, language)
    if len(moves) != 1:
        raise UsageError(
            "{text!r} is not one move in this position. Write it with its square of departure.", text=text
        )
    return moves[0].uci()


def _present(given: str | None, setup: Setup) -> list[Side]:
    """Return who is there, asked for where it was not given; an engine always is."""
    from assistant.table.terminal import is_at_terminal

    engine = None if setup.engine is None else setup.engine.side
    if given is not None:
        named = [name.strip() for name in given.split(",") if name.strip() not in ("", "arbiter")]
        if wrong := [name for name in named if name not in SIDES]:
            raise UsageError("There is no {wrong!r} at the board: name white, black or both.", wrong=wrong[0])
        return [side for side in SIDES if side in named or side == engine]
    if not is_at_terminal():
        raise UsageError("Say who is present: --present white,black")
    return [side for side in SIDES if side == engine or _is_present(side, setup)]


def _is_present(side: Side, setup: Setup) -> bool:
    from assistant.speaking import SIDES as SIDE_NAMES
    from assistant.speaking import answer_of, told

    called = told(SIDE_NAMES[side])
    question = marked("Is {side} present? y or n:", side=called)
    if setup.has_name(side):
        name = setup.person(side).name
        question = marked("Is {name} ({side}) present? y or n:", name=name, side=called)
    answer = None
    try:
        while answer is None:
            # A slip of the finger makes nobody absent.
            with contextlib.suppress(UnicodeDecodeError):
                answer = answer_of(input(f"{told(question)} "))
    except EOFError:
        return False
    return answer


def _proposed(proposal: object) -> str:
    return ", ".join(map(str, proposal)) if isinstance(proposal, list) else str(proposal)


def _tell(events: Sequence[Event], board: chess.Board) -> None:
    """Print what the envelope has brought, each ruling with its article; `board` makes the moves as well."""
    from assistant.speaking import Hearers, choose_language, event_sentences, told

    check(events)
    hearers = Hearers(language_told() or choose_language())
    for event in events:
        article = f" ({event.article})" if event.article else ""
        match event.event:
            case "move-made":
                move = chess.Move.from_uci(event.keys["uci"])
                print_told("The sealed move: {san}", san=written_move(board, move))
                play(board, move)
            case "envelope-opened" if "text" in event.keys:
                print_told("The envelope holds: {text}.", text=event.keys["text"])
            case "arbiter-asked":
                print_told(
                    "{question} Proposal: {proposal}{article}.",
                    question=event_sentences(event.as_dict(), hearers)[-1].text,
                    proposal=_proposed(event.keys["proposal"]),
                    article=article,
                )
            case "game-over":
                print(told(ending(event)))

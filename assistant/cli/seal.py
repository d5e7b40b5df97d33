"""hector seal: the sealed move of a game that is adjourned."""

from __future__ import annotations

import argparse
import contextlib
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assistant.called import command
from assistant.cli.arbiter_key import read_key_file
from assistant.cli.common import check_text, print_told
from assistant.cli.passphrase import ask_hidden, check_terminal, read_only_line
from assistant.errors import HectorError, Phrase, UsageError, marked

if TYPE_CHECKING:
    from assistant.laws import Event
    from assistant.sealing import PublicKey
    from assistant.table.adjourning import Adjournment
    from assistant.table.course import Course


def add_parser(commands: Any) -> None:
    parser = commands.add_parser(
        "seal",
        help="adjourns a game: seals a move to the arbiter's key and closes the envelope",
        description="Orders the player having the move to seal it, takes it without showing it, and stops "
        "the clock. The move is never read out. Events rated by FIDE ask for paper in an envelope: this seal "
        "is for games at home and in the club, and as a copy. Once the envelope is closed, the same command "
        "writes its sheets anew.",
    )
    parser.add_argument("folder", metavar="DIR")
    parser.add_argument("--to", metavar="FILE", help="the arbiter's key (default: the game's, then your own)")
    parser.add_argument("--resumption", metavar="TEXT", default="", help="date, time and place of resumption")
    parser.add_argument(
        "--move-file", metavar="FILE", help="the move's file, - for standard input; else asked"
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from assistant.table.adjourning import stopped_game
    from assistant.table.games import named_folder

    check_text("--resumption", args.resumption)
    folder = named_folder(args.folder)
    began = time.monotonic()
    with stopped_game(folder) as (adjournment, course):
        is_closed = adjournment.envelope is not None
        if is_closed and (args.to is not None or args.move_file is not None):
            raise UsageError(
                "The envelope is closed already, and nothing more is sealed. Its sheets are written "
                "anew with: {command}",
                command=command("seal", folder),
            )
        if is_closed or adjournment.is_ordered:
            _check_resumption(adjournment.resumption, args.resumption)
        if not is_closed:
            _seal(args, folder, adjournment, course, began)
        _show_envelope(adjournment, folder)
    return 0


def _seal(
    args: argparse.Namespace, folder: Path, adjournment: Adjournment, course: Course, began: float
) -> None:
    """Order the sealing, take the move, and close the envelope; the game's time began to run at `began`."""
    from assistant.sealing import public_key
    from assistant.table.adjourning import arbiter_key, keep_key
    from assistant.table.pulse import Pulse

    start = course.now

    def now() -> float:
        return start + time.monotonic() - began

    engine = course.setup.engine
    if engine is not None and engine.side == course.side_to_move and course.referee.has_clock:
        raise HectorError(
            "{name} has the move and seals it by itself, once the game is taken up: {command}",
            name=course.setup.name_or_side(engine.side),
            command=command("resume", folder),
        )
    # What is missing is told before the order, which is given once and is not taken back. An order that is
    # refused leaves nothing behind, and nobody is asked for a key or a move that would not help.
    if not adjournment.is_ordered:
        check(adjournment.foresee_order(start))
    given = None if args.to is None else public_key(read_key_file(Path(args.to)))
    key = given or arbiter_key(folder)
    move = _move_of(args.move_file)
    if move is not None:
        adjournment.check(move)
    if given is not None:
        keep_key(folder, given)
    if not adjournment.is_ordered:
        check(adjournment.order(start, args.resumption))
    name = course.setup.name_or_side(course.side_to_move)
    print_told("{name} seals a move. The clock is running.", name=name)
    print_told("Key of the seal: {key}", key=key.fingerprint)
    # However this ends, the time for which the player has thought is his.
    with contextlib.closing(Pulse(folder, now)):
        if move is None:
            _ask(adjournment, course, key, now)
        else:
            _check_going_on(course, adjournment.seal(move, now(), key))
        _check_going_on(course, adjournment.close(now()))


def _move_of(file: str | None) -> str | None:
    """Return the move of a file, None where it is to be asked.

    :raises UsageError: if it cannot be read or is not one line, or there is nowhere to ask.
    """
    if file is not None:
        return read_only_line(file, marked("The sealed move"))
    check_terminal("--move-file")
    return None


def _check_resumption(ordered: str, given: str) -> None:
    """Refuse another date, time and place than those of the order: the label has these (I.2.7).

    :raises UsageError: if they differ.
    """
    if given.strip() not in ("", ordered.strip()):
        if ordered:
            raise UsageError(
                "The sealing is ordered already, with the resumption {ordered!r}: leave out --resumption.",
                ordered=ordered,
            )
        raise UsageError(
            "The sealing is ordered already, without a resumption: leave out --resumption, "
            "and write date, time and place on the printed sheet."
        )


def _show_envelope(adjournment: Adjournment, folder: Path) -> None:
    """Tell that the envelope is closed, with its mark, and write its sheets.

    :raises HectorError: if a sheet cannot be written.
    """
    envelope = adjournment.envelope
    assert envelope is not None
    print_told("The envelope is closed, and the clocks are stopped.")
    if envelope.mark:
        print_told("Mark of the seal: {mark}", mark=envelope.mark)
    try:
        left_out = adjournment.write_sheets()
    except HectorError as error:
        raise HectorError(
            "{reason} Mend that, and write them anew with: {command}",
            reason=error,
            command=command("seal", folder),
        ) from None
    printed = folder / "envelope.html"
    if left_out is None:
        print_told(
            "The sheets for the envelope: {printed} and {brf}", printed=printed, brf=folder / "envelope.brf"
        )
    else:
        print_told(
            "The sheet for the envelope: {printed}. Not in braille: {reason}",
            printed=printed,
            reason=left_out,
        )
    print_told("At the resumption: {command}", command=command("open-envelope", folder))


def _ask(adjournment: Adjournment, course: Course, key: PublicKey, now: Callable[[], float]) -> None:
    """Take the move as often as the player changes it (I.1.1)."""
    sealed = False
    while True:
        text = ask_hidden(
            marked("Another move instead, or Enter to stop the clock: ")
            if sealed
            else marked("The move (not shown): "),
            "--move-file",
        )
        if not text.strip() and sealed:
            return
        try:
            _check_going_on(course, adjournment.seal(text, now(), key))
            sealed = True
            print_told("Sealed.")
        except HectorError as error:
            if course.over:
                raise
            print_told("Not sealed: {reason}", reason=error)


def _check_going_on(course: Course, events: Iterable[Event]) -> None:
    """Do as `check`, and tell that the game is over where the sealing player's flag has fallen.

    :raises HectorError: with how it ended, or as `check` does.
    """
    if course.over:
        raise HectorError(ending(next(each for each in reversed(course.events) if each.event == "game-over")))
    check(events)


def ending(event: Event) -> Phrase:
    """Return what is told of the end of a game."""
    from assistant.speaking import ENDINGS, told

    return marked(
        "The game is over: {result}, {why}{article}.",
        result=event.keys["result"],
        why=told(ENDINGS.get(event.keys["reason"], ENDINGS["arbiter"])),
        article=f" ({event.article})" if event.article else "",
    )


def check(events: Iterable[Event]) -> None:
    """Tell what the referee refused.

    :raises HectorError: with his reason and the article.
    """
    from assistant.table.steps import why_refused

    why = why_refused(events)
    if why is not None:
        raise HectorError(why)

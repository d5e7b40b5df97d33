"""hector seal: the sealed move of a game that is adjourned."""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

from assistant.cli.arbiter_key import read_key_file
from assistant.cli.common import check_text
from assistant.cli.passphrase import ask_hidden, read_line
from assistant.errors import HectorError


def add_parser(commands: Any) -> None:
    parser = commands.add_parser(
        "seal",
        help="adjourns a game: seals a move to the arbiter's key and closes the envelope",
        description="Orders the player having the move to seal it, takes it without showing it, and stops "
        "the clock. The move is never read out. Events rated by FIDE ask for paper in an envelope: this seal "
        "is for games at home and in the club, and as a copy.",
    )
    parser.add_argument("folder", metavar="DIR")
    parser.add_argument("--to", metavar="FILE", help="the arbiter's key (default: the game's, then your own)")
    parser.add_argument("--resumption", metavar="TEXT", default="", help="date, time and place of resumption")
    parser.add_argument(
        "--move-file", metavar="FILE", help="the move's file, - for standard input; else asked"
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from assistant.sealing import public_key
    from assistant.table.adjourning import arbiter_key, keep_key, stopped_game

    check_text("--resumption", args.resumption)
    folder = Path(args.folder)
    began = time.monotonic()
    with stopped_game(folder) as (adjournment, course):
        start = course.now
        if args.to is not None:
            keep_key(folder, public_key(read_key_file(Path(args.to))))
        key = arbiter_key(folder)
        if not adjournment.is_ordered:
            check(adjournment.order(start, args.resumption))
        print(f"{course.setup.person(course.side_to_move).name} seals a move. The clock is running.")
        print(f"It is sealed to the key {key.fingerprint}")
        if args.move_file is not None:
            move = read_line(args.move_file, "The sealed move")
            check(adjournment.seal(move, start + time.monotonic() - began, key))
        else:
            _ask(adjournment, key, lambda: start + time.monotonic() - began)
        check(adjournment.close(start + time.monotonic() - began))
        envelope = adjournment.envelope
        assert envelope is not None
        print("The envelope is closed, and the clocks are stopped.")
        print(f"Mark of the seal: {envelope.mark}")
        print(f"The sheets for the envelope: {folder / 'envelope.html'} and {folder / 'envelope.brf'}")
        print(f"At the resumption: hector open-envelope {folder}")
    return 0


def _ask(adjournment: Any, key: Any, now: Any) -> None:
    """Take the move as often as the player changes it (I.1.1)."""
    sealed = False
    while True:
        text = ask_hidden(
            "Another move instead, or Enter to stop the clock: " if sealed else "The move (not shown): ",
            "--move-file",
        )
        if not text.strip() and sealed:
            return
        try:
            check(adjournment.seal(text, now(), key))
            sealed = True
            print("Sealed.")
        except HectorError as error:
            print(f"Not sealed: {error}")


def check(events: Any) -> None:
    """Tell what the referee refused.

    :raises HectorError: with his reason and the article.
    """
    for event in events:
        if event.event == "refused":
            article = f" ({event.article})" if event.article else ""
            raise HectorError(f"Refused: {event.keys['reason']}{article}.")

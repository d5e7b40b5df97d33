"""What an event rules where the Laws leave it to the event: options of a live game."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from assistant.errors import Phrase, UsageError, marked

if TYPE_CHECKING:
    from assistant.table.setup import EventRules

OPTIONS = ("category", "unsupervised", "default_time", "draw_offers", "quickplay_finish")


def add_event(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument(
        "--category", choices=("standard", "rapid", "blitz"), help="where the time control does not decide"
    )
    parser.add_argument(
        "--unsupervised",
        action="store_true",
        help="rapid and blitz without an arbiter for the game: flags are claimed (A.5, B.3)",
    )
    parser.add_argument(
        "--default-time", metavar="SECONDS", help="how late a player may be; none: the event does not rule it"
    )
    parser.add_argument(
        "--draw-offers",
        metavar="FROM",
        help="free (default), forbidden, or the move from which they are allowed",
    )
    parser.add_argument(
        "--quickplay-finish",
        action="store_true",
        help="the rules of the quickplay finish apply (Guideline III)",
    )


def event_of(args: argparse.Namespace) -> EventRules:
    """Return what was ruled.

    :raises UsageError: if a number is none.
    """
    from assistant.table.setup import EventRules

    default_time: int | str = ""
    if args.default_time is not None:
        default_time = args.default_time
        if default_time != "none":
            default_time = _number("--default-time", args.default_time, marked("none, or seconds from 0"))
    offers: int | str = "free" if args.draw_offers is None else args.draw_offers
    if offers not in ("free", "forbidden"):
        offers = _number("--draw-offers", str(offers), marked("free, forbidden, or a move number"))
    return EventRules(args.category, not args.unsupervised, default_time, offers, args.quickplay_finish)


def _number(option: str, text: str, wanted: Phrase) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > 6:
        raise UsageError("{option} is {wanted}, not {text!r}.", option=option, wanted=wanted, text=text)
    return int(text)

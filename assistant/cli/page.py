"""The options of the page, for every command that can show it."""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING

from assistant.cli.common import check_text
from assistant.errors import UsageError

if TYPE_CHECKING:
    from assistant.arbiter import Desk, Page, Role

ADDRESS = "127.0.0.1"
ROLES: tuple[Role, ...] = ("arbiter", "opponent", "spectator")


def add_page(parser: argparse.ArgumentParser) -> None:
    """Add the options of the page. A PIN may stand in the environment, where no other user sees it."""
    parser.add_argument("--page-port", type=int, metavar="N", help="port of the page (default: 8374; 0: any)")
    parser.add_argument(
        "--page-address",
        metavar="ADDRESS",
        help="address of the page (default: this computer alone); another one asks everybody for a PIN",
    )
    for role in ROLES:
        parser.add_argument(
            f"--{role}-pin",
            metavar="PIN",
            help=f"the {role}'s PIN, or HECTOR_{role.upper()}_PIN in the environment (default: made up)",
        )


def page_of(args: argparse.Namespace, *, follows: bool = False) -> Page:
    """Return the page that the options describe.

    :raises UsageError: if a PIN is no text or too short, two are the same, or the port is none.
    """
    from assistant.arbiter import PORT, Options, Page

    found = {
        role: getattr(args, f"{role}_pin") or os.environ.get(f"HECTOR_{role.upper()}_PIN") for role in ROLES
    }
    for role in ROLES:
        check_text(f"--{role}-pin", found[role])
    port = PORT if args.page_port is None else args.page_port
    if not 0 <= port <= 65535:
        raise UsageError("A port is a number from 0 to 65535.")
    pins = {role: pin for role, pin in found.items() if pin}
    return Page(Options(port, args.page_address or ADDRESS, pins, follows))


def desk_of(page: Page | None) -> Desk:
    """Return who takes what the arbiter types at the table; where there is a page, he is sent there."""
    from assistant.arbiter import Desk

    return Desk(None if page is None else lambda: page.url)


def check_page(args: argparse.Namespace) -> None:
    """Refuse options of a page where none was asked for.

    :raises UsageError: naming the option.
    """
    for name in ("page_port", "page_address", *(f"{role}_pin" for role in ROLES)):
        if not args.page and getattr(args, name) is not None:
            raise UsageError("--{what} is for the page: add --page.", what=name.replace("_", "-"))

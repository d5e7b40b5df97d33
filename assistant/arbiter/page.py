"""The page as a guest at the table: what is sent from it is carried out, what happens is shown on it."""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import socket
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from assistant.arbiter import audit, pins
from assistant.arbiter.actions import Actions
from assistant.arbiter.audit import fault_of
from assistant.arbiter.inbox import Inbox, Reply, Sent, answer
from assistant.arbiter.pins import Keeping, Role, check_pin, keep, kept_in, new_pin, with_pins
from assistant.arbiter.scene import Followed, clocks_of, hurried_in, scene_of
from assistant.arbiter.texts import text
from assistant.errors import HectorError, Phrase, UsageError, marked
from assistant.sides import Side
from assistant.speaking import told
from assistant.table import Setup, Table, Watched
from assistant.table.folder import Where
from assistant.table.guests import InOrder, at_once
from assistant.table.terminal import show

PORT = 8374
TICK = 2.0
"""Seconds between two messages about the clocks, signs of life as well; in between every page counts."""


@dataclass(frozen=True, slots=True)
class Options:
    """How a page is shown. `pins` are those that somebody chose; the others are made up and shown once."""

    port: int = PORT
    address: str = "127.0.0.1"
    pins: Mapping[Role, str] = field(default_factory=dict)
    follows: bool = False
    """Whether another program plays the game: then it is shown, and nothing is taken from the page."""

    @property
    def is_open(self) -> bool:
        """Whether only this computer can reach the page: then whoever sits at it may watch without a PIN."""
        if self.address == "localhost":
            return True
        try:
            return ipaddress.ip_address(self.address).is_loopback
        except ValueError:
            return False


class Page:
    """The arbiter's, the opponent's and the spectators' page of one game."""

    def __init__(self, options: Options, show: Callable[[str], None] = show) -> None:
        """:raises UsageError: if a PIN is too short or two are the same."""
        self._options = options
        self._show = show
        self._pins = {role: check_pin(pin) for role, pin in options.pins.items()}
        if len(set(self._pins.values())) < len(self._pins):
            raise _is_shared()
        self._shown: object = None
        self._hurried: tuple[Side, ...] = ()
        self._is_anew = False
        """Whether the course of the game is another one than was shown."""
        self._ticked = self._failed = float("-inf")

    def open(self, table: Table, where: Where, now: Callable[[], float]) -> None:
        """Show the page, and say where it is and which PINs are new.

        :raises HectorError: if the address cannot be used or the PINs cannot be kept.
        """
        # A web server is much to load, and most games are played without a page.
        from assistant.arbiter.server import Server

        self._table = table
        self._now = now
        self._where = where
        self._new = [name for name in (pins.FILE_NAME, audit.FILE_NAME) if not (where() / name).exists()]
        kept = kept_in(where())
        roles = self._roles(table.setup)
        made = self._made_up(roles, kept)
        keeping = with_pins(kept, {**self._pins, **made})
        served = self._served(keeping, roles)
        self._actions = Actions(table, where)
        self._inbox = Inbox(now)
        self._followed: Followed = "played" if self._options.follows else ""
        scene = scene_of(table, now(), self._followed)
        self._server = Server(scene, self._inbox, served, where, is_open=self._options.is_open)
        self._server.start(self._options.address, self._options.port)
        try:
            # Only now: a PIN that is kept and was never shown would be nobody's.
            self._keep(where(), kept, keeping)
        except HectorError:
            # Whoever only looks on needs no folder that he can write: his PINs last as long as his page.
            if not self._options.follows:
                self._server.close()
                raise
        for phrase in self._opened(served, made):
            self._show(told(phrase))

    def _keep(self, folder: Path, kept: Keeping | None, keeping: Keeping) -> None:
        """Keep the PINs that are new; whoever only looks on leaves those of a page that has come meanwhile.

        :raises HectorError: as `keep` does, or `kept_in`.
        """
        if keeping != kept and not (self._options.follows and kept_in(folder) != kept):
            keep(folder, keeping)

    def _opened(self, keeping: Keeping, made: Mapping[Role, str]) -> Iterator[Phrase]:
        """Say what the page is for, where it is, and which PIN each role has."""
        if self._options.follows:
            yield marked("The page follows the game and takes nothing. q and Enter: stop.")
        yield marked("The page: {url}", url=self.url)
        for role, pin in made.items():
            yield _pin_of(role, pin)
        for role in keeping.hashes:
            if role not in made:
                yield _pin_of(role, marked("as it was set."))
        if not self._options.is_open:
            if self._options.address in ("0.0.0.0", "::") and (own := own_address()) is not None:
                yield marked("From other computers: {url}", url=f"http://{own}:{self._server.port}/")
            yield marked(
                "The page can be reached from other computers, unencrypted: use a network you trust."
            )

    def _roles(self, setup: Setup) -> list[Role]:
        """Return who needs a PIN."""
        roles: list[Role] = ["arbiter"]
        if setup.opponent is not None and not self._options.follows:
            roles.append("opponent")
        if not self._options.is_open:
            roles.append("spectator")
        return roles

    def _made_up(self, roles: list[Role], kept: Keeping | None) -> dict[Role, str]:
        """Return new PINs for the roles that have none.

        :raises UsageError: if a PIN is to be another than the one that the game's own page has, or is the one
            that another role keeps.
        """
        if kept is not None:
            if self._options.follows:
                self._check_kept(kept)
            if any(self._is_anothers(pin, kept) for pin in self._pins.values()):
                raise _is_shared()
        taken = set(self._pins.values())
        made: dict[Role, str] = {}
        for role in roles:
            if role not in self._pins and (kept is None or not kept.has(role)):
                pin = new_pin()
                while pin in taken or (kept is not None and self._is_anothers(pin, kept)):
                    pin = new_pin()
                taken.add(pin)
                made[role] = pin
        return made

    def _is_anothers(self, pin: str, kept: Keeping) -> bool:
        """Return whether a PIN is that of a role which keeps the one it has."""
        return any(kept.fits(role, pin) for role in kept.hashes if role not in self._pins)

    def _served(self, keeping: Keeping, roles: list[Role]) -> Keeping:
        """Return the PINs that this page takes: nobody is the opponent where none plays on it."""
        shown = {*roles} if self._options.follows else {*roles, "spectator"}
        return Keeping({role: each for role, each in keeping.hashes.items() if role in shown}, keeping.key)

    def _check_kept(self, kept: Keeping) -> None:
        """:raises UsageError: if a PIN is to be another than the one that the game's own page has."""
        for role, pin in self._pins.items():
            if kept.has(role) and not kept.fits(role, pin):
                raise UsageError(
                    "The game's own page has another PIN than --{role}-pin says. Leave it out here.",
                    role=role,
                )

    @property
    def url(self) -> str:
        """Where the page is."""
        address = self._options.address
        host = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(
            address, f"[{address}]" if ":" in address else address
        )
        return f"http://{host}:{self._server.port}/"

    def attend(self, in_order: InOrder = at_once) -> None:
        """Carry out what was sent, each at its time, and show what has changed."""
        while waiting := self._inbox.take():
            for sent, reply in waiting:
                in_order(sent.at, partial(self._answer, sent, reply))
        self._publish()

    def _answer(self, sent: Sent, reply: asyncio.Future[Reply]) -> None:
        if reply.done():
            # Whoever sent it was told that there was no answer, or has gone: nothing is done behind his back.
            return
        if self._followed:
            answer(reply, Reply(409, text("followed", sent.language)))
            return
        carried_out = self._carry_out(sent)
        self._publish()
        answer(reply, carried_out)

    def _carry_out(self, sent: Sent) -> Reply:
        try:
            return self._actions.carry_out(sent)
        except Exception as error:
            # The game is the players': whatever one request brings about, it goes on.
            return Reply(500, text("failed", sent.language), fault=fault_of(error))

    def follow(self, watched: Watched, *, anew: bool) -> None:
        """Show a game that another program plays as it stands now; `anew` if its course is another one."""
        self._followed = "played" if watched.is_played else "silent"
        if anew:
            self._table, self._is_anew = watched.table, True
        self.attend()

    def _publish(self) -> None:
        # The game's time may stand still, where the game is over or nobody plays it.
        moment = time.monotonic()
        if moment < self._failed + TICK:
            return
        try:
            self._tell(moment)
        except Exception as error:
            # As in `_carry_out`; a moment later it is tried again.
            self._server.note_fault(error)
            self._shown, self._failed = None, moment

    def _tell(self, moment: float) -> None:
        table, now = self._table, self._now()
        pending = table.memory.pending
        move = None if pending is None else pending.move
        shown = (len(table.course.steps), table.plies, move, table.over, self._followed)
        is_due = moment >= self._ticked + TICK
        clocks = clocks_of(table, now, self._followed) if is_due else None
        if shown != self._shown or self._is_anew or (clocks and hurried_in(table, clocks) != self._hurried):
            scene = scene_of(table, now, self._followed)
            if self._is_anew:
                self._server.publish_anew(scene)
            else:
                self._server.publish(scene)
            self._is_anew = False
            self._shown, self._hurried = shown, scene.hurried
            self._ticked = moment
        elif clocks is not None:
            self._ticked = moment
            self._server.tick(clocks)

    @property
    def starts(self) -> bool:
        """Whether the arbiter has asked for the clock to be started."""
        return self._actions.starts

    @property
    def stays(self) -> bool:
        """Whether the game may still be signed and looked at: until the arbiter closes the page."""
        return not self._actions.closes

    def close(self) -> None:
        """Take the page away; whoever looks at it is told if it was the arbiter who closed it.

        Of a game that was not begun nothing is kept: its PINs would be nobody's.
        """
        self._inbox.close()
        self._publish()
        self._server.close(for_good=self._actions.closes)
        if not self._table.course.steps and not self._options.follows:
            for name in self._new:
                with contextlib.suppress(OSError):
                    (self._where() / name).unlink()


def _is_shared() -> UsageError:
    return UsageError("Each role needs a PIN of its own. Choose different ones.")


def _pin_of(role: Role, pin: str | Phrase) -> Phrase:
    match role:
        case "arbiter":
            return marked("PIN of the arbiter: {pin}", pin=pin)
        case "opponent":
            return marked("PIN of the opponent: {pin}", pin=pin)
        case "spectator":
            return marked("PIN of the spectators: {pin}", pin=pin)


def own_address() -> str | None:
    """Return the address of this computer in its network, None where it has no network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as way, contextlib.suppress(OSError):
        # Nothing is sent: the address is set aside for documents (RFC 5737), and only the way to it is asked.
        way.connect(("192.0.2.1", 9))
        return str(way.getsockname()[0])
    return None

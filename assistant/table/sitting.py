"""A live game under way: microphone, keyboard, guests and braille display, each attended to in its turn."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field
from functools import partial

from assistant.hearing import Block
from assistant.interrupts import Ending
from assistant.quiet import Printer
from assistant.table.braille import LAST_READING, Reader
from assistant.table.devices import Change, Devices
from assistant.table.folder import Where
from assistant.table.game import Table
from assistant.table.guests import Clerk, Company, Guest
from assistant.table.keyboard import Keyboard
from assistant.table.lineeditor import SILENCING, is_quit
from assistant.table.running import Listening
from assistant.table.secretary import Secretary
from assistant.table.storage import Evidence
from assistant.table.terminal import show
from assistant.table.vigil import Vigil

WAIT = 0.05
"""Seconds that one look at the devices may take."""


@dataclass(frozen=True, slots=True, eq=False)
class Room:
    """A table, and who and what is there with it."""

    table: Table
    where: Where
    """Where the game is kept."""
    devices: Devices
    keyboard: Keyboard
    reader: Reader
    guest: Guest | None = None
    clerk: Clerk | None = None
    screen: Printer = field(default_factory=partial(Printer, show))


class Sitting:
    """One sitting at a table, from the start of its clock to its end."""

    def __init__(self, room: Room, vigil: Vigil, ending: Ending) -> None:
        self._room = room
        self._table = room.table
        self._devices = room.devices
        self._guest: Guest = room.guest or Company()
        self._vigil = vigil
        self._ending = ending
        self._listening = Listening(
            room.table, room.devices.ears.recogniser, Evidence(room.table, room.where)
        )
        self._began = room.devices.now
        is_others = (lambda line: False) if room.clerk is None else room.clerk.is_his
        self._secretary = Secretary(
            room.table,
            room.where,
            room.screen.show,
            room.keyboard.hide,
            is_others,
            lambda: room.devices.now,
            lambda: room.devices.hears,
        )
        self._is_stopped = self._keyboard_is_told = False

    def play(self) -> bool:
        """Keep the game going until it is over, it is stopped, or nobody is left who could say anything.

        Return whether it can go on another time.

        :raises KeyboardInterrupt: if a signal ends it, between two steps.
        """
        self._secretary.welcome()
        # What an interruption has kept a guest from comes before what was typed before the game went on.
        self._guest.attend()
        while self._attend():
            pass
        if self._is_stopped and not self._table.over:
            return True
        # Whoever sent something is answered.
        self._listening.release()
        self._linger()
        return not self._table.over

    @property
    def _has_ended(self) -> bool:
        return self._table.over or self._is_stopped

    def _attend(self) -> bool:
        """Attend to everybody once; return whether the game goes on."""
        self._ending.check()
        listening, now = self._listening, self._devices.now
        self._room.reader.attend(self._table, now, listening.in_order)
        self._vigil.attend()
        self._guest.attend(listening.in_order)
        self._collect()
        if not self._is_anybody_left(now) or self._has_ended:
            return False
        items = self._devices.read(WAIT, busy=listening.is_busy)
        # Whatever stopped the program did so most likely while it waited.
        self._vigil.attend()
        # What was typed and sent meanwhile came before the time that passes now; what is typed while that is
        # looked at comes after it.
        now = self._devices.now
        self._collect()
        self._guest.attend(listening.in_order)
        if not items:
            listening.wait(now)
        for item in items:
            if self._has_ended:
                break
            if isinstance(item, Change):
                self._on_change(item)
            else:
                self._on_block(item)
        return not self._has_ended

    def _is_anybody_left(self, now: float) -> bool:
        """Let time pass to `now` where nobody is listened to, and notice a keyboard that has gone."""
        keyboard = self._room.keyboard
        if self._devices.microphone is None:
            # Nobody is listened to who could have said something before.
            self._listening.wait(now)
            return not keyboard.ended or self._guest.stays
        if keyboard.ended and keyboard.was_there and not self._keyboard_is_told:
            self._keyboard_is_told = True
            # Its last lines may still wait for what was being said.
            tell = partial(self._table.device, "keyboard", lost=True)
            self._listening.in_order(now, tell, patience=math.inf)
        return True

    def _collect(self) -> None:
        """Take what was typed, each line in its turn."""
        for line, typed_at in self._room.keyboard.lines():
            if line.strip().lower() in SILENCING:
                # It waits for nobody, and takes nobody's time.
                self._take(line, self._table.now)
            else:
                at = max(typed_at - self._devices.zero, self._began)
                self._listening.in_order(at, partial(self._take, line, at), patience=math.inf)

    def _take(self, line: str, at: float) -> None:
        clerk = self._room.clerk
        if is_quit(line) and not self._table.is_answer(line):
            self._is_stopped = True
        elif not (self._has_ended or self._secretary.take(line, at) or (clerk and clerk.take(line, at))):
            self._table.type(line, at)

    def _on_change(self, change: Change) -> None:
        if change.what == "muted":
            self._table.tell_muted()
            return
        if change.what == "gap":
            # What follows may be the rest of an announcement, and another move without its beginning.
            self._listening.be_deaf(max(self._listening.now, self._began))
            return
        if change.device == "microphone" and change.what != "heard":
            self._listening.be_deaf(self._devices.now, silence=True)
        if change.what == "missing" and change.device != "headphones":
            self._table.tell_missing(change.device)
            return
        self._table.device(change.device, lost=change.what == "lost")
        if change.device != "microphone" and change.what == "back":
            self._table.tell_missed(self._devices.take_missed())

    def _on_block(self, block: Block) -> None:
        at = block.end - self._devices.zero
        if at < self._began or self._devices.is_deaf_to(block):
            self._listening.be_deaf(max(at, self._began))
        else:
            self._listening.take(block.samples, at)

    def _linger(self) -> None:
        """Stay while the result is signed and the sheets are looked at, and the end of the game is read."""
        reader = self._room.reader
        until = self._devices.now + LAST_READING
        while (self._guest.stays and not self._is_stopped) or (
            self._table.over and self._devices.now < until and not reader.has_read
        ):
            self._ending.check()
            reader.attend(self._table, self._devices.now)
            self._guest.attend()
            self._is_stopped = self._is_stopped or any(map(is_quit, self._room.keyboard.pending()))
            time.sleep(WAIT)

"""The braille display at the table: what of a game goes to it, and what is asked with its keys."""

from __future__ import annotations

import importlib.util

import chess

from assistant.display import BrailleDisplay, Screen
from assistant.errors import HectorError, UsageError
from assistant.scoresheet import braille_code, profile
from assistant.sides import Side
from assistant.speaking import Priority, Sentence
from assistant.table.game import Table
from assistant.table.guests import InOrder, at_once
from assistant.table.players import seat_of
from assistant.table.setup import Setup
from assistant.table.voices import Voice

LAST_READING = 30.0
"""Seconds that a reader has at most for what is still on the display when the game is over."""


def open_display(setup: Setup) -> BrailleDisplay | None:
    """Return a display that is looked for from now on; `None` where nothing could ever reach one.

    It is in the default profile where the sheet's own is not made for the language.

    :raises UsageError: if there is no braille for the language at all.
    """
    if importlib.util.find_spec("brlapi") is None:
        return None
    style = setup.sheet.writable(setup.language)
    try:
        return BrailleDisplay(Screen(braille_code(profile(style.profile), setup.language, style.grade)))
    except UsageError:
        raise
    except HectorError:
        # Without liblouis there are no cells; the doctor tells of it.
        return None


class Reader:
    """The player who reads the display: the one whose settings count, else the one whom Hector assists.

    Without a display it does nothing.
    """

    def __init__(self, setup: Setup, display: BrailleDisplay | None) -> None:
        self._display = display
        self._side = seat_of(setup)
        self._seen: int | None = None
        self._announced: chess.Move | None = None
        self._asked = False
        """Whether the clocks were asked for with the display's own key and have not come yet."""

    def beside(self, voice: Voice) -> Voice:
        """Return a voice whose sentences come to the display too."""
        return voice if self._display is None else _ReadVoice(voice, self._display, self._side)

    def attend(self, table: Table, at: float, in_order: InOrder = at_once) -> None:
        """Bring the display up to date, and act on what was asked with its keys."""
        display = self._display
        if display is None:
            return
        for lost in display.changes():
            table.device("braille display", lost=lost)
        if display.clocks_are_wanted():
            in_order(at, lambda: self._ask(table, at))
        events = table.course.events
        pending = table.memory.pending
        # A man that was placed is on the sheet already, though his clock waits for its press.
        announced = None if pending is None or pending.ply <= table.course.made else pending.move
        if len(events) != self._seen or announced != self._announced:
            display.show_game(table.sheet, announced)
            # Of a game that is resumed nothing is told again.
            for event in events[len(events) if self._seen is None else self._seen :]:
                keys = event.keys
                if (
                    event.event == "answer"
                    and keys["about"] == "times"
                    and (self._asked or keys["side"] == self._side)
                ):
                    self._asked = False
                    self._show_clocks(display, keys.get("white"), keys.get("black"))
        self._seen, self._announced = len(events), announced

    def _ask(self, table: Table, at: float) -> None:
        if not table.over:
            self._asked = True
            table.type("t", at)

    def _show_clocks(self, display: BrailleDisplay, white: object, black: object) -> None:
        if isinstance(white, int | float) and isinstance(black, int | float):
            times = (white, black) if self._side == "white" else (black, white)
            display.show_clocks((round(times[0] * 1000), round(times[1] * 1000)))

    @property
    def has_read(self) -> bool:
        """Whether nothing is left on the display that its reader has not seen. Never waits."""
        return self._display is None or self._display.wait_until_read(0)

    def close(self) -> None:
        if self._display is not None:
            self._display.close()


class _ReadVoice:
    """A voice beside which the display shows what its reader may know."""

    def __init__(self, voice: Voice, display: BrailleDisplay, side: Side) -> None:
        self._voice = voice
        self._display = display
        self._side = side

    def say(self, sentence: Sentence, now: float) -> None:
        self._voice.say(sentence, now)
        key = sentence.stale_key or ""
        if (
            sentence.audience in ("room", self._side)
            and sentence.priority is not Priority.CHATTER
            and not key.startswith("move:")
        ):
            self._display.tell(sentence.text, "clocks" if key.startswith("times:") else sentence.stale_key)

    def cancel(self) -> None:
        self._voice.cancel()

    def hush(self) -> None:
        self._voice.hush()

    def silent_since(self, now: float) -> float:
        return self._voice.silent_since(now)

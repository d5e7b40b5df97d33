"""Keeping a game going: blocks of sound and typed lines in, until it is over."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from assistant.announcements import Decision, Phrasebook
from assistant.errors import HectorError
from assistant.hearing import Listener, Samples
from assistant.interrupts import Ending
from assistant.sound import SAMPLE_RATE
from assistant.speaking import told
from assistant.table.game import Table
from assistant.table.terminal import warn
from assistant.utterance import Utterance

BREATH = 0.1
"""Seconds of silence before an announcement that prove that its beginning was heard."""
AN_ANNOUNCEMENT = 0.4
"""Seconds of sound that may have been one: what is shorter is not asked for again."""

HEARD_AGAIN = 0.3
"""Seconds after Hector's voice in which whoever still speaks is noticed: a detector takes a tenth."""
PATIENCE = 5.0
"""Seconds that what a guest sent waits for the end of an utterance: his page gives up after ten."""

Heard = Callable[[Utterance, Decision, Samples], None]


class RecogniserEar:
    """Tells a recogniser what to expect, and only when it has changed: a new graph costs tens of ms.

    A game does not end because there is no room for a graph: nothing is raised. Why nobody is heard is told
    once, and each new position tries again.
    """

    def __init__(self, recogniser: Listener, warn: Callable[[str], None] = warn) -> None:
        self.recogniser = recogniser
        self.can_hear = True
        self._warn = warn
        self._expected: frozenset[tuple[str, ...]] | None = frozenset()

    def expect(self, book: Phrasebook) -> None:
        phrases = frozenset(book.phrases)
        if phrases == self._expected:
            return
        # Whatever breaks into this, the next position tries again.
        self._expected = None
        try:
            self.recogniser.expect(book.word_graph(), book.open_grammar() if book.heads else None)
        except HectorError as error:
            self.give_up(error)
            return
        self._expected, self.can_hear = phrases, True

    def give_up(self, why: HectorError) -> None:
        """See `Ear.give_up` of the table."""
        if self.can_hear:
            self._warn(told(why))
        self._expected, self.can_hear = None, False


@dataclass(frozen=True, slots=True)
class _Due:
    """Something that is to be done in its turn."""

    at: float
    until: float
    """When it waits for nobody's words any longer."""
    act: Callable[[], None]


class Listening:
    """One stream of sound that a table listens to, and what else is done there, each at its time.

    What counts is when a player stopped speaking. What somebody does before those words are understood must
    not take that time from him, so it waits until they are. Nor do words take the time of what was done
    before they were over: that keeps its own.
    """

    def __init__(self, table: Table, recogniser: Listener, heard: Heard | None = None) -> None:
        self._table = table
        self._recogniser = recogniser
        self._heard = heard
        self._speech_since: float | None = None
        self._taken = 0.0
        self._deaf_until = -math.inf
        self._cut: Utterance | None = None
        """What was being said when Hector spoke into it."""
        self._due: list[_Due] = []
        self.now = 0.0
        """The game's time at the end of the last block."""

    def take(self, block: Samples, at: float | None = None) -> None:
        """Take the next block, which ends at the game's time `at`, and let the table's time pass.

        Without `at` the stream itself is the clock.
        """
        seconds = len(block) / SAMPLE_RATE
        self._taken += seconds
        self.now = self.now + seconds if at is None else at
        if self._understand(self._utterances(lambda: self._recogniser.accept(block))):
            # What goes on now began after the words that have been decided on.
            self._speech_since = None
        if not self._recogniser.hears_something:
            self._speech_since = None
        elif self._speech_since is None:
            self._speech_since = self.now
        cut = self._cut
        if cut is not None and not self.is_busy and self._taken - self._deaf_until >= HEARD_AGAIN:
            self._cut = None
            self._table.was_talked_over(cut)
        self.wait(self.now)

    @property
    def is_busy(self) -> bool:
        """Whether somebody is speaking."""
        return self._speech_since is not None

    def wait(self, at: float) -> None:
        """Let time pass in which no sound came."""
        self._act_until(at)
        self._table.tick(at, speech_since=self._speech_since)

    def in_order(self, at: float, act: Callable[[], None], patience: float = PATIENCE) -> None:
        """Do something at the game's time `at`, which has not been listened to yet.

        It is done when that time is reached and what was being said then is decided, but no more than
        `patience` seconds later.
        """
        self._due.append(_Due(at, at + patience, act))
        self._due.sort(key=lambda due: due.at)

    def release(self) -> None:
        """Do at once all that still waits for its turn."""
        while self._due:
            self._due.pop(0).act()

    def _act_until(self, at: float) -> None:
        # Nothing overtakes what came before it.
        impatient = max((due.at for due in self._due if due.until <= at), default=-math.inf)
        while self._due and (due := self._due[0]).at <= at:
            since = self._speech_since
            if since is not None and since <= due.at and due.at > impatient:
                return
            self._do_next(since)

    def _do_next(self, speech_since: float | None) -> None:
        due = self._due.pop(0)
        self._table.tick(due.at, speech_since=speech_since)
        due.act()

    def _act_before(self, start: float, end: float, utterance: Utterance) -> float:
        """Do what was done before these words began, and before they were over where they give a command.

        Return when the next thing was done that waits for them.
        """
        while self._due and (at := self._due[0].at) < end:
            if at >= start and not self._table.is_command(utterance):
                return at
            self._do_next(start)
        return math.inf

    def be_deaf(self, at: float, *, silence: bool = False) -> None:
        """Let a block go by that is Hector's own voice, or with `silence` a time without a microphone.

        A word that it broke into is no word; but whoever said it is asked for it again.
        """
        if silence:
            # That the microphone is gone is told, and by when it is back nobody knows what was meant.
            self._cut = None
        elif self._speech_since is not None and self.now - self._speech_since >= AN_ANNOUNCEMENT:
            self._cut = next(iter(self._utterances(self._recogniser.finish)), None)
        self._recogniser.reset()
        self._speech_since = None
        self._deaf_until = self._taken
        self.now = at
        self.wait(at)

    def finish(self) -> None:
        """Understand what was still being said when the stream ended."""
        self._understand(self._utterances(self._recogniser.finish))
        self._speech_since = None

    def _utterances(self, listen: Callable[[], list[Utterance]]) -> list[Utterance]:
        """Return what was heard; that nothing can be heard any longer is told, and the game goes on."""
        try:
            return listen()
        except HectorError as error:
            self._table.lose_hearing(error)
            return []

    def _understand(self, utterances: Iterable[Utterance]) -> bool:
        """Let the table decide on utterances; return whether there were any."""
        found = False
        for utterance in utterances:
            found = True
            zero = self._taken - self.now
            until = self._act_before(utterance.start - zero, utterance.end - zero, utterance)
            if self._table.over:
                break
            if utterance.start - self._deaf_until < BREATH:
                # It was going on when hearing began, and its first words may be missing: "Felix drei" is
                # another move than "Springer Felix drei".
                if utterance.end - utterance.start >= AN_ANNOUNCEMENT:
                    self._cut = None
                    self._table.miss(utterance, zero, until)
                continue
            decision = self._table.hear(utterance, zero, until)
            if decision.kind != "reject":
                # He has said it again, or something else.
                self._cut = None
            if self._heard is not None:
                self._heard(utterance, decision, self._recogniser.audio)
        return found


def play_stream(
    table: Table, recogniser: Listener, blocks: Iterable[Samples], heard: Heard | None = None
) -> float:
    """Start a game and play it from a stream of sound; return the seconds of sound that were taken.

    :raises KeyboardInterrupt: if a signal ends it, between two blocks.
    """
    with Ending() as ending:
        table.start()
        listening = Listening(table, recogniser, heard)
        for block in blocks:
            listening.take(block)
            ending.check()
            if table.over:
                return listening.now
        listening.finish()
        # A move that was announced last still waits for its press, which nothing more can disturb; but
        # nobody's time goes on after the recording.
        table.settle()
    return listening.now

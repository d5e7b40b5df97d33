"""One voice for everybody who has something to say: a queue with three priorities, cancelled at once.

An alarm cuts what is being said and drops all chatter; the reply that it cut is said again afterwards. A
reply cuts chatter and waits for replies. Chatter waits for everything. What has become stale is never said.
"""

from __future__ import annotations

import contextlib
import heapq
import itertools
import math
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from functools import partial
from typing import Final

from assistant.errors import HectorError
from assistant.speaking.outputs import HalfLostError
from assistant.speaking.sentence import Audience, Priority, Sentence
from assistant.speaking.telling import told
from assistant.speaking.voice import Backend
from assistant.threads import begin_thread

_PATIENCE_AT_THE_END: Final = 5.0
_MISSED: Final = 100
"""Sentences that a dead voice did not say and that are remembered."""
_FIRST_LOOK: Final = 2.0
"""Seconds after which a voice that failed is looked for; each time that it is not there, twice as many."""
_LAST_LOOK: Final = 60.0
"""Seconds between two looks in the end: with a microphone each costs it a moment."""
_LAST_WORDS: Final = 60.0
"""Seconds that what waits to be said may take at the end."""


class Loss(IntEnum):
    """What has become of the voice for one audience."""

    HALF = 1
    """Some of its outputs are lost; it hears all the same."""
    WHOLE = 2
    """It hears nothing, and is owed what was meant for it."""


@dataclass(order=True, slots=True)
class _Entry:
    priority: Priority
    number: int
    sentence: Sentence = field(compare=False)
    resumes: bool = field(compare=False, default=True)
    """Whether the sentence, when something more urgent cuts it, is said again."""


class Speaker:
    """The queue before the voice. All methods return at once, save `wait_until_silent` and `close`.

    Each audience may lose its voice, or a half of it, for itself. What is lost is tried with each sentence,
    and looked for while nobody says anything. The hooks are called by the speaking thread when `losses` has
    changed: `on_trouble` with one sentence when an audience has lost something or more than before,
    `on_recovered` when one has something back. A hook must not wait for the speaker; what it raises is
    nobody's trouble.
    """

    def __init__(
        self,
        backend: Backend,
        *,
        on_trouble: Callable[[str], None] | None = None,
        on_recovered: Callable[[], None] | None = None,
    ) -> None:
        self._backend = backend
        self._on_trouble = on_trouble
        self._on_recovered = on_recovered
        self._changed = threading.Condition()
        self._queue: list[_Entry] = []
        self._numbers = itertools.count()
        self._current: _Entry | None = None
        self._stop = threading.Event()
        self._losses: dict[Audience, Loss] = {}
        self._look_at = math.inf
        """When what is lost is looked for."""
        self._failures: Counter[tuple[Audience, Loss]] = Counter()
        """How often this was lost, or looked for in vain, since it last spoke."""
        self._is_looking = False
        self._missed: deque[Sentence] = deque(maxlen=_MISSED)
        self._given_again: deque[Sentence] = deque(maxlen=_MISSED)
        self._is_closing = False
        self._thread = threading.Thread(target=self._run, name="speaker", daemon=True)
        begin_thread(self._thread.start)

    # Saying

    def say(self, sentence: Sentence) -> None:
        """Put a sentence in the queue. It takes the place of those with the same `stale_key`.

        After `close` nothing is said any more.
        """
        with self._changed:
            entry = _Entry(sentence.priority, next(self._numbers), sentence)
            if self._is_closing:
                return
            current = self._current
            if sentence.stale_key is not None:
                self._drop_if(lambda other: other.sentence.stale_key == sentence.stale_key)
                self._forget_if(lambda other: other.stale_key == sentence.stale_key)
                if current is not None and current.sentence.stale_key == sentence.stale_key:
                    current.resumes = False
                    self._interrupt()
            if sentence.priority is Priority.ALARM:
                self._drop_if(lambda other: other.priority is Priority.CHATTER)
            heapq.heappush(self._queue, entry)
            if current is not None and sentence.priority < current.priority:
                current.resumes = current.resumes and current.priority is not Priority.CHATTER
                self._interrupt()
            self._changed.notify_all()

    def cancel(self, unwanted: Callable[[Sentence], bool] = lambda _sentence: True) -> None:
        """Fall silent at once and forget what is waiting; with `unwanted` only the sentences that are."""
        with self._changed:
            self._drop_if(lambda other: unwanted(other.sentence))
            self._forget_if(unwanted)
            if self._current is not None and unwanted(self._current.sentence):
                self._current.resumes = False
                self._interrupt()

    def take_missed(self) -> list[Sentence]:
        """Return what nobody heard, is not stale and can be heard now, in its order, and forget it.

        Whoever says it again says it once: a voice that fails at it alone would come and go without end.
        """
        with self._changed:
            owed = [each for each in self._missed if self._losses.get(each.audience) is not Loss.WHOLE]
            for sentence in owed:
                self._missed.remove(sentence)
            self._given_again.extend(owed)
            return owed

    # State

    @property
    def speaking(self) -> bool:
        """Whether anything is being said or waits to be said; true from the moment `say` returns."""
        with self._changed:
            return self._current is not None or bool(self._queue)

    @property
    def is_silent(self) -> bool:
        """Whether nothing is heard or waits to be, be it that a device is looked for after a sentence."""
        with self._changed:
            return not self._queue and (self._current is None or self._is_looking)

    @property
    def is_busy(self) -> bool:
        """Whether the devices are in use: it speaks, or it looks for those that failed."""
        with self._changed:
            return self.speaking or self._is_looking

    @property
    def losses(self) -> Mapping[Audience, Loss]:
        """What is lost, by who lacks it; empty while everything speaks."""
        with self._changed:
            return dict(self._losses)

    @property
    def last_sample_time(self) -> float:
        """When the last audible sample was or will be heard, by `time.monotonic()`."""
        return self._backend.last_sample_time

    def wait_until_silent(self, timeout: float | None = None) -> bool:
        """Wait until all is said; return `False` if that took longer than `timeout` seconds."""
        with self._changed:
            return self._changed.wait_for(lambda: not self.speaking, timeout)

    def close(self, *, finish: bool = False) -> None:
        """End the voice: after what is waiting has been said (`finish`), or at once. May be called twice.

        An interruption ends the waiting, and the voice all the same.
        """
        try:
            if finish:
                self.wait_until_silent(_LAST_WORDS)
        finally:
            self._end()

    def _end(self) -> None:
        try:
            with self._changed:
                self._is_closing = True
            self.cancel()
            with self._changed:
                self._changed.notify_all()
            if threading.current_thread() is not self._thread:
                self._thread.join(_PATIENCE_AT_THE_END)
        finally:
            self._backend.close()

    # The speaking thread

    def _interrupt(self) -> None:
        self._stop.set()
        self._backend.wake()

    def _drop_if(self, is_unwanted: Callable[[_Entry], bool]) -> None:
        unwanted = [entry for entry in self._queue if is_unwanted(entry)]
        if unwanted:
            self._queue = [entry for entry in self._queue if not is_unwanted(entry)]
            heapq.heapify(self._queue)
            self._changed.notify_all()

    def _forget_if(self, is_unwanted: Callable[[Sentence], bool]) -> None:
        for sentence in [each for each in self._missed if is_unwanted(each)]:
            self._missed.remove(sentence)

    def _run(self) -> None:
        while True:
            with self._changed:
                pause = max(0.0, self._look_at - time.monotonic()) if self._losses else None
                is_wanted = self._changed.wait_for(lambda: bool(self._queue) or self._is_closing, pause)
                self._is_looking = not is_wanted
                if self._queue:
                    entry = self._current = heapq.heappop(self._queue)
                    self._stop.clear()
                elif is_wanted:
                    return
            if not is_wanted:
                self._look()
                continue
            was_cut = False
            try:
                was_cut = not self._say(entry)
            finally:
                with self._changed:
                    self._current = None
                    # Whoever silenced the screen reader does not want to hear it again.
                    if was_cut and entry.resumes and self._stop.is_set():
                        heapq.heappush(self._queue, entry)
                    self._changed.notify_all()

    def _say(self, entry: _Entry) -> bool:
        """Say a sentence; return whether it came to its end, aloud or in print."""
        sentence = entry.sentence
        try:
            if not self._backend.say(sentence, self._stop):
                return False
        except HalfLostError as error:
            self._was_heard(sentence, Loss.HALF)
            self._note({sentence.audience: Loss.HALF}, error)
        except Exception as error:
            # Whatever a sound library raises, the game goes on: the sentence is printed by the hook.
            self._remember(entry)
            self._note({sentence.audience: Loss.WHOLE}, error)
        else:
            self._was_heard(sentence, None)
            # The others may have what they lack back with this output.
            self._note({**self._found(besides=sentence.audience), sentence.audience: None})
        return True

    def _was_heard(self, sentence: Sentence, loss: Loss | None) -> None:
        self._failures.pop((sentence.audience, Loss.WHOLE), None)
        if loss is None:
            self._failures.pop((sentence.audience, Loss.HALF), None)
        with self._changed:
            # Whoever asked for it again has had it.
            self._forget_if(lambda other: other.segments == sentence.segments)

    def _look(self) -> None:
        """See whether everything speaks again that is lost, as it is time for that."""
        self._note(self._found())
        self._look_at = math.inf
        for audience in self._losses:
            self._look_later(audience)

    def _found(self, *, besides: Audience | None = None) -> dict[Audience, Loss | None]:
        """Return what is still lost of all that was, now that its devices have been tried."""
        found: dict[Audience, Loss | None] = {}
        with self._changed:
            self._is_looking = True
        for audience, loss in self._losses.items():
            if audience == besides:
                continue
            try:
                self._backend.reach(audience)
                found[audience] = None
            except HalfLostError:
                found[audience] = Loss.HALF
            except Exception:
                # What it raises was told.
                found[audience] = loss
        with self._changed:
            self._is_looking = False
        return found

    def _note(self, found: Mapping[Audience, Loss | None], error: Exception | None = None) -> None:
        """Keep what has become of the voice, and tell whether that is worse or better than before."""
        with self._changed:
            before = self._losses
            now = {**before, **found}
            self._losses = {audience: loss for audience, loss in now.items() if loss is not None}
        if not self._losses:
            self._look_at = math.inf
        worse = [audience for audience, loss in self._losses.items() if loss > before.get(audience, 0)]
        for audience in worse:
            self._look_later(audience)
        if worse and error is not None and self._on_trouble is not None:
            if not isinstance(error, HectorError):
                error = HectorError("The voice has failed: {reason}", reason=error)
            self._call(partial(self._on_trouble, told(error)))
        is_better = any(self._losses.get(audience, 0) < loss for audience, loss in before.items())
        if is_better and self._on_recovered is not None:
            self._call(self._on_recovered)

    def _look_later(self, audience: Audience) -> None:
        lost = audience, self._losses[audience]
        wait = min(_FIRST_LOOK * 2 ** self._failures[lost], _LAST_LOOK)
        self._look_at = min(self._look_at, time.monotonic() + wait)
        self._failures[lost] = min(self._failures[lost] + 1, 10)

    def _remember(self, entry: _Entry) -> None:
        """Keep what was not said, unless nobody wants it any more."""
        sentence = entry.sentence
        with self._changed:
            if (
                entry.resumes
                and sentence.repeatable
                and sentence.priority is not Priority.CHATTER
                and not any(sentence is each for each in self._given_again)
            ):
                self._missed.append(sentence)

    def _call(self, hook: Callable[[], None]) -> None:
        # There is nobody to tell, and without this thread Hector would be mute and, half duplex, deaf.
        with contextlib.suppress(Exception):
            hook()

"""What is told at a table: the sentences of one game, to whom they go, and which can be said again."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from dataclasses import replace

import chess

from assistant.announcements import Vocabulary
from assistant.laws import Event, Referee
from assistant.sides import Side
from assistant.speaking import (
    Audience,
    EquipmentSentences,
    Hearers,
    Priority,
    Sentence,
    Sentences,
    another_move,
    declaration,
    due_move,
    event_sentences,
    without_echoes,
)
from assistant.table.dialogue import Announced, Memory
from assistant.table.recalling import Recall
from assistant.table.setup import Setup
from assistant.table.steps import clocks
from assistant.table.voices import Voice
from assistant.table.wording import Wording


class Teller:
    """Tells what is ruled, asked and answered in one game: aloud, on the record and on the screen."""

    def __init__(
        self,
        setup: Setup,
        referee: Referee,
        memory: Memory,
        vocabulary: Vocabulary,
        voice: Voice,
        note: Callable[[Sentence, float], None],
        show: Callable[[str], None],
        now: Callable[[], float],
    ) -> None:
        """`note`: keeps a sentence that was said, and when; `now`: the game's time."""
        # What is said between Hector and one blind player is for his ears; two share it.
        served: Audience = setup.served if setup.white.blind != setup.black.blind else "room"
        self.sentences = Sentences(setup.language, served)
        self.equipment = EquipmentSentences(setup.language, served)
        self.wording = Wording(vocabulary, self.sentences, tells_check=setup.mode != "rated")
        self.voice = voice
        self.clocks_stood = False
        """Whether no clock ran before the last line."""
        self._language = setup.language
        self._referee = referee
        self._memory = memory
        self._note = note
        self._show = show
        self._now = now
        self._recall = Recall()
        plies_before = referee.board.ply()
        self._hearers = Hearers(language=setup.language, mode=setup.mode, plies_before=plies_before)

    @property
    def last_said(self) -> Sentence | None:
        """What was said last and can be said again."""
        return self._recall.last

    @property
    def last_thing_said(self) -> str:
        """Everything that was said last of one thing, such as a ruling, and can be said again."""
        return self._recall.last_thing

    def say(self, sentence: Sentence) -> bool:
        """Say a sentence, and return whether it can be recalled."""
        self._memory.stopped = False
        self._note(sentence, self._now())
        # What is for the arbiter stands on his screen; a player neither hears it nor has it repeated.
        is_heard = sentence.audience != "arbiter"
        is_news = is_heard and sentence.repeatable and sentence.priority is not Priority.CHATTER
        if is_news:
            self._recall.note(sentence)
        if is_heard:
            self.voice.say(sentence, self._now())
        self._show(f"Hector: {sentence.text}")
        return is_news

    def say_together(self, sentences: Iterable[Sentence]) -> None:
        """Say sentences that are recalled together, those of one ruling; the same one once."""
        once = dict.fromkeys(sentences)
        self._recall.note_together([sentence for sentence in once if self.say(sentence)])

    def together(self) -> AbstractContextManager[None]:
        """Let everything that is said meanwhile be recalled together: it tells one thing."""
        return self._recall.together()

    def ask(self, sentence: Sentence) -> None:
        """Say a question; when it is closed, what was said before it is recalled again."""
        self._recall.expect_answer(sentence)
        self.say(sentence)

    def say_again(self) -> None:
        """Say once more what was said last, and is not a question that nobody can answer any more."""
        asked = self._memory.asked
        again = self._recall.again(None if asked is None else asked.sentence)
        if again:
            self.say_together(again)
        else:
            self.say(self.sentences.nothing_to_repeat())

    def say_after_all(self, sentences: list[Sentence]) -> None:
        """Say what was written down and shown, and not heard."""
        for sentence in sentences:
            self.voice.say(sentence, self._now())
        self._recall.note_together(sentences)

    def tell(self, events: Iterable[Event], at: float, announcement: str | None = None) -> None:
        sentences: list[Sentence] = []
        for event in without_echoes(events):
            if event.event == "clock-started" and at > 0:
                # Later on it would tell that somebody has pressed, which nobody may be told (12.6).
                continue
            text = announcement
            if "must" in event.keys:
                text = self._words_of_due(chess.Move.from_uci(event.keys["must"]))
            sentences += event_sentences(event.as_dict(), self._hearers, text)
        is_running = self.clocks_stood and self._referee.running is not None
        if is_running and any(event.event == "move-made" for event in events):
            # A sealed move: nobody has pressed by whom its replier could know that his clock runs (I.9.1).
            # What he has repeated to him is the move.
            resumed = {"event": "clock-resumed", "running": self._referee.running}
            sentences += [replace(each, repeatable=False) for each in event_sentences(resumed, self._hearers)]
        self.say_together(sentences)

    def tell_clocks(self) -> None:
        """Tell whose clock runs, or that both are stopped."""
        now = self._now()
        self.tell([clocks(self._referee.running, now)], now)

    def tell_what_is_due(self) -> None:
        """Tell the move that has to be made after a wrong claim, if it has not been announced yet."""
        due = self._referee.due
        if due is not None and self._memory.pending is None:
            self.say(due_move(self._words_of_due(due), self._language))

    def tell_another_is_due(self, side: Side) -> None:
        """Tell that what a player has announced counts no more, and he announces another move."""
        self.say(another_move(side, self._language))

    def _words_of_due(self, move: chess.Move) -> str:
        return self.wording.move(self._referee.board, move, is_completed=False)

    def tell_who_declares(self) -> None:
        """Tell who now says which move he sealed, if the envelope is lost."""
        side = self._referee.declares
        if side is not None:
            self.say(declaration(side, self._language))

    def read_back(self, text: str, *, is_correction: bool) -> None:
        """Say an announcement as it was understood."""
        made, pending = self._referee.made, self._memory.pending
        ply = max(made, pending.ply) if pending else made
        say_in = self.sentences
        self.say(say_in.corrected(text, ply) if is_correction else say_in.readback(text, ply))

    def text_of(self, said: Announced) -> str:
        """Return an announcement as Hector says it now, its move completed or not."""
        pending = self._memory.pending
        waits = pending is not None and (said.move, said.before) == (pending.move, pending.before)
        return self.wording.move(said.before, said.move, is_completed=not waits)

"""Who does the formalities of an adjournment at the keyboard: typed verbs, and a move that nobody sees.

A move is sealed in one of two ways. Typed, its line is not shown and it is not read back at all. Dictated, it
is read back to the sealing player alone, through headphones, because a word misheard would lose the game; of
what is said meanwhile nothing is shown, kept or noted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import chess

from assistant.announcements import Decision
from assistant.called import command
from assistant.errors import HectorError, Phrase, UsageError, marked
from assistant.files import read_file
from assistant.laws import Event
from assistant.sealing import Envelope, PassphraseError, SealError, unlock
from assistant.sides import SIDES, Side
from assistant.speaking import Sentence, Sentences, answer_of, told
from assistant.table.adjourning import Adjournment, arbiter_key, own_key_file
from assistant.table.commands import KEYS
from assistant.table.folder import Where
from assistant.table.game import Table
from assistant.table.lineeditor import ESCAPE
from assistant.table.steps import is_refused, why_refused


def answer_at_table(line: str) -> bool | None:
    """Return what a line says in answer to a question; None if it is no answer.

    A key of the table is what it is everywhere: t, which is yes in Polish, asks for the times.
    """
    key = KEYS.get(line.strip().lower())
    return answer_of(line) if key is None or key.name in ("yes", "no") else None


VERBS = frozenset({"adjourn", "seal", "close", "resumption", "here", "open", "lost"})
"""What a line that belongs to an adjournment begins with, in lower case."""


def is_of_table(line: str) -> bool:
    """Return whether a line is what the table itself is steered by, a verb or a key, and so no move."""
    verb, _, _rest = line.strip().lower().partition(" ")
    return verb in VERBS or (bool(verb) and line.strip().lower() in KEYS)


class Secretary:
    """Takes the typed lines, and the announcements, that belong to an adjournment."""

    def __init__(
        self,
        table: Table,
        where: Where,
        show: Callable[[str], None],
        hide: Callable[[bool], None] = lambda hidden: None,
        is_others: Callable[[str], bool] = lambda line: False,
        now: Callable[[], float] = lambda: 0.0,
        hears: Callable[[], bool] = lambda: True,
    ) -> None:
        """Begin to serve a table; `hide` lets the terminal show what is typed, or not.

        A line that `is_others` is no move to be sealed, whatever was asked. `now` returns the game's time,
        `hears` whether a move that is spoken now is heard.
        """
        self.adjournment = Adjournment(table.course, where)
        self._table = table
        self._course = table.course
        self._teller = table.course.teller
        self._where = where
        self._show = show
        self._hide = hide
        self._is_others = is_others
        self._now = now
        self._hears = hears
        self._next: Callable[[str, float], None] | None = None
        self._key_file = own_key_file()
        self._dictates_for: Mapping[str, Any] | None = None
        """The order to seal that somebody obeys by speaking."""
        self._dictated: chess.Move | None = None
        table.confidant = self.hear

    def welcome(self) -> None:
        """Say how an adjourned game goes on, one in which a move is to be sealed, or whose reply is."""
        envelope, referee = self.adjournment.envelope, self._course.referee
        if self.adjournment.is_ordered:
            self._tell_how_to_seal()
            return
        if referee.has_open_envelope:
            self._tell("The envelope is open. open: what it holds, once more.")
            return
        # Whose envelope is lost has been told to declare his move: none is there to be opened.
        if envelope is not None and referee.declares is None:
            self._tell("Mark of the seal: {mark}", mark=envelope.mark)
            self._tell_who_may_come(marked("resumption: the agreed hour. open: the envelope."))
        elif referee.is_adjourned and referee.has_void_envelope:
            self._tell("What was sealed before does not count.")
            self._tell_who_may_come(marked("resumption: the agreed hour."))
        elif referee.reply_in_envelope is not None:
            self._tell_who_may_come(marked("open: the sealed reply. lost: no key opens it."))

    def _tell_who_may_come(self, then: Phrase) -> None:
        """Tell how a player comes who has not, an engine never; and what comes then."""
        here = [f"here {side}" for side in SIDES if not self.adjournment.is_present(side)]
        if here:
            self._tell("{here}: a player comes. {then}", here=", ".join(here), then=then)
        else:
            self._show(told(then, self._course.setup.language))

    def take(self, text: str, at: float) -> bool:
        """Act on a typed line if it belongs here, and return whether it did."""
        if text == ESCAPE:
            # Whoever only wants silence has sealed nothing, and what he types next is still not shown.
            return False
        if self._next == self._written and (self._is_others(text) or is_of_table(text)):
            self._tell("First the move (not shown), or Enter alone: then nothing is sealed.")
            return True
        at = max(self._course.now, round(at, 3))
        waiting, self._next = self._next, None
        try:
            if waiting is not None:
                try:
                    waiting(text, at)
                finally:
                    # Only now: what is typed while a key is deciphered may be a second try.
                    if self._next is None:
                        self._hide(False)
                return True
            verb, _, rest = text.strip().partition(" ")
            act = self._verbs().get(verb.lower())
            if act is not None:
                act(rest.strip(), at)
                return True
        except HectorError as error:
            self._complain(error)
            return True
        # Legal or not: read back, it would tell the opponent what is to be sealed.
        if self._course.sealing and self._table.is_like_a_move(text):
            if self._engine_seals:
                self._tell_how_to_seal()
            else:
                self._tell("A move is to be sealed. Type seal and Enter first: then the move is not shown.")
            return True
        return False

    def _verbs(self) -> dict[str, Callable[[str, float], None]]:
        """Return those of `VERBS` that mean something now."""
        if self.adjournment.is_ordered:
            # Those of the resumption come too early, and moves are none: what goes on is told.
            others = dict.fromkeys(VERBS, lambda _rest, _at: self._tell_how_to_seal())
            return {**others, "seal": self._seal, "close": self._close}
        verbs: dict[str, Callable[[str, float], None]] = {"adjourn": self._adjourn}
        if self._course.referee.is_adjourned:
            verbs["resumption"] = self._resume
        if self.adjournment.has_been:
            verbs |= {"here": self._arrive, "open": self._open, "lost": self._lost, "seal": self._seal}
        envelope = self.adjournment.envelope
        if envelope is not None:
            verbs["close"] = lambda _rest, _at: self._tell_closed(envelope)
        return verbs

    # Sealing

    def _adjourn(self, resumption: str, at: float) -> None:
        foreseen = self.adjournment.foresee_order(at)
        if is_refused(foreseen):
            # Before it is asked for a key that would not help.
            self._done(foreseen)
            return
        key = arbiter_key(self._where())
        if self._done(self.adjournment.order(at, resumption)):
            self._tell("Key of the seal: {key}", key=key.fingerprint)
            # The screen has it already.
            self._teller.voice.say(self._teller.wording.key_of_seal(key.fingerprint), self._course.now)
            self._tell_how_to_seal()

    @property
    def _engine_seals(self) -> bool:
        """Whether the move to be sealed is an engine's; one that has failed leaves it to the keyboard."""
        course, engine = self._course, self._course.setup.engine
        return engine is not None and engine.side == course.side_to_move == course.absent

    def _tell_how_to_seal(self) -> None:
        if self._engine_seals:
            self._tell("{name} seals its move by itself. close: the clocks stop.", name=self._sealer)
            return
        self._tell("seal: type the move unseen. seal dictate: speak it. close: the clocks stop.")

    def _seal(self, how: str, at: float) -> None:
        self._dictates_for = self._dictated = None
        foreseen = self.adjournment.foresee_sealing(at)
        if is_refused(foreseen):
            # Told before anybody has given away what he would have sealed.
            self._done(foreseen)
        elif self.adjournment.is_ordered and self._engine_seals:
            self._tell_how_to_seal()
        elif how == "":
            self._ask_move()
        elif how == "dictate" and self.adjournment.is_ordered and not self._hears():
            # His clock runs while he would speak to nobody.
            self._tell("There is no microphone. seal: type the move unseen.")
        elif how == "dictate" and self.adjournment.is_ordered:
            self._ask(
                marked(
                    "Only {name} may hear Hector now: headphones on, and nobody else near. y if so:",
                    name=self._sealer,
                ),
                self._begin_dictation,
            )
        else:
            self._tell("seal, or seal dictate.")

    @property
    def _sealer(self) -> str:
        setup = self._course.setup
        return setup.name_or_side(self._course.side_to_move, setup.language)

    def _ask_move(self) -> None:
        self._ask(marked("The move (not shown): "), self._written, hidden=True)

    def _written(self, text: str, at: float) -> None:
        if not text.strip():
            self._tell("Nothing was sealed.")
            return
        try:
            self._done(self.adjournment.seal(text, at))
        except UsageError as error:
            # He writes another one at once, and nobody may see that either.
            self._complain(error)
            self._ask_move()

    def _begin_dictation(self, answer: str, at: float) -> None:
        if answer_at_table(answer):
            self._dictates_for = self.adjournment.last_order
            self._tell("Speak the move.")
        else:
            self._tell("Nothing was sealed.")

    @property
    def _dictating(self) -> bool:
        """Whether a move is dictated; the order may be withdrawn meanwhile, and be given anew."""
        return self._dictates_for == self.adjournment.last_order

    def hear(self, decision: Decision, at: float) -> None:
        """Take what was said while a move is to be sealed; answer the sealing player alone."""
        if not self._dictating:
            return
        say_in = Sentences(self._course.setup.language, self._course.side_to_move)
        said = decision.command.name if decision.command is not None else ""
        if said in ("yes", "no"):
            self._answered(said == "yes", say_in, at)
            return
        moves = [meaning.move for meaning in decision.candidates if meaning.move is not None]
        self._dictated = decision.move if decision.move is not None else next(iter(moves), None)
        if self._dictated is None:
            self._whisper(say_in.pardon())
        else:
            words = self._teller.wording.move(self._course.board, self._dictated)
            self._whisper(say_in.did_you_mean(words))

    def _answered(self, yes: bool, say_in: Sentences, at: float) -> None:
        move, self._dictated = self._dictated, None
        if move is None or not yes:
            self._whisper(say_in.pardon())
            return
        self._dictates_for = None
        try:
            self._done(self.adjournment.seal(move.uci(), at))
        except HectorError as error:
            self._complain(error)

    def _whisper(self, sentence: Sentence) -> None:
        # Neither shown nor noted in said.txt: it is the sealed move.
        self._teller.voice.say(sentence, self._course.now)

    def _tell_closed(self, envelope: Envelope) -> None:
        self._tell("The envelope is closed. Mark of the seal: {mark}", mark=envelope.mark)

    def _close(self, _rest: str, at: float) -> None:
        if not self._done(self.adjournment.close(at)):
            return
        envelope = self.adjournment.envelope
        if envelope is None:
            return
        self._tell_closed(envelope)
        folder = self._where()
        try:
            left_out = self.adjournment.write_sheets()
        except HectorError as error:
            self._complain(
                HectorError(
                    "{reason} Mend that, and write them anew with: {command}",
                    reason=error,
                    command=command("seal", folder),
                )
            )
        else:
            printed = folder / "envelope.html"
            if left_out is None:
                self._tell("Its sheets: {printed} and {brf}", printed=printed, brf=folder / "envelope.brf")
            else:
                self._tell(
                    "The sheet for the envelope: {printed}. Not in braille: {reason}",
                    printed=printed,
                    reason=left_out,
                )
        self._tell("q and Enter: stop until the resumption.")

    # Resumption

    def _arrive(self, who: str, at: float) -> None:
        side: Side | None = next((each for each in SIDES if who == each), None)
        if side is None:
            self._tell("here white, or here black.")
        else:
            self._done(self.adjournment.arrive(side, at))

    def _resume(self, _rest: str, at: float) -> None:
        self._done(self.adjournment.resume(at))

    def _open(self, file: str, at: float) -> None:
        foreseen = self.adjournment.foresee_opening(at)
        if is_refused(foreseen):
            # Told before anybody has typed a passphrase for nothing.
            self._done(foreseen)
            return
        self._key_file = Path(file) if file else own_key_file()
        self._key()
        self._ask_passphrase()

    def _ask_passphrase(self) -> None:
        self._ask(marked("Passphrase (not shown): "), self._unlock, hidden=True)

    def _key(self) -> bytes:
        """Return what is in the arbiter's key file.

        :raises HectorError: if it cannot be read.
        """
        try:
            return read_file(self._key_file)
        except (FileNotFoundError, ValueError):
            # No path has a NUL in it, which a pipe may bring.
            raise HectorError(
                "There is no key {key_file}. Name it: open FILE", key_file=self._key_file
            ) from None
        except OSError as error:
            raise HectorError(
                "The key {path} cannot be read: {reason}.", path=self._key_file, reason=error
            ) from None

    def _unlock(self, phrase: str, at: float) -> None:
        if not phrase:
            self._tell("Nothing was opened.")
            return
        try:
            key = unlock(self._key(), phrase)
            # Deciphering takes its time, and that is nobody's: the replier's clock starts with the opening.
            self._done(self.adjournment.open(max(at, round(self._now(), 3)), key))
        except PassphraseError as error:
            # He tries again at once, and nobody may see that either.
            self._complain(error)
            self._ask_passphrase()
        except SealError as error:
            article = self.adjournment.article("envelope-lost")
            self._tell(
                "hector: {reason} If no other key opens it, it counts as lost ({article}): lost",
                reason=error,
                article=article,
            )

    def _lost(self, _rest: str, at: float) -> None:
        self._done(self.adjournment.too_early(at) or self.adjournment.lost(at))

    # Parts

    def _tell(self, template: str, /, **values: object) -> None:
        self._show(told(Phrase(template, values), self._course.setup.language))

    def _complain(self, error: HectorError) -> None:
        self._show(f"hector: {told(error, self._course.setup.language)}")

    def _ask(self, question: Phrase, then: Callable[[str, float], None], *, hidden: bool = False) -> None:
        self._next = then
        # Before the question: whoever answers at once must not be seen either.
        self._hide(hidden)
        self._show(told(question, self._course.setup.language))

    def _done(self, events: Iterable[Event]) -> bool:
        """Return whether a line was carried out; tell why if it was refused."""
        events = list(events)
        for event in events:
            if event.event == "envelope-opened" and "text" in event.keys:
                self._tell("The envelope holds: {text}.", text=event.keys["text"])
        why = why_refused(events)
        if why is not None:
            self._show(told(why, self._course.setup.language))
        self._table.refresh()
        return why is None

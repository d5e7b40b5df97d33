"""The lines of the game script that are sent from the page: whether one is due, and what it has brought."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from assistant.arbiter.inbox import Reply, Sent
from assistant.arbiter.replies import Replies, filled_refusal, refusal
from assistant.arbiter.scene import mark_of, signatures_of
from assistant.arbiter.texts import text
from assistant.errors import HectorError
from assistant.laws import GAME_IS_OVER, Event, law_text
from assistant.sides import SIDES
from assistant.speaking import told
from assistant.table import Table
from assistant.table.adjourning import Adjournment
from assistant.table.steps import refused_in

_ABOUT_THE_POSITION: Final = frozenset(
    {
        "undo", "restore", "rule", "set-clock", "announce", "place", "correct", "repeat", "press", "touch",
        "offer-draw", "accept-draw", "decline-draw", "resign", "result", "adjourn", "move", "seal",
    }
)  # fmt: skip
"""Verbs that mean something else after another move."""
_NO_LINES: Final = frozenset({"start", "answer-call", "close", "sign"})
"""Verbs of the arbiter that are looked at where they are done: no lines of a game that is being played."""
_NOT_FORESEEN: Final = frozenset({"ask", "note", "announce", "place", "correct", "repeat"})
"""Verbs that are always carried out, or have a press that goes before."""
_ON_NO_RECORD: Final = frozenset({"two-hands", "initial-position"})
"""Claims of what nothing on record shows: only whoever saw the board can rule on them."""


class Lines:
    """Carries out lines at one table, whoever has sent them."""

    def __init__(self, table: Table, replies: Replies, adjournment: Adjournment) -> None:
        self._table = table
        self._replies = replies
        self._adjournment = adjournment

    def foreseen(self, line: dict[str, Any], sent: Sent) -> list[Event] | Reply:
        """Return what a line would bring, or the refusal that it would meet.

        Of what is not judged before it is done nothing is known; for the rest the game is judged again.
        """
        if sent.do in _NO_LINES:
            return []
        out_of_time = self.out_of_time(line, sent)
        if out_of_time is not None:
            return out_of_time
        if sent.do in _NOT_FORESEEN or self._is_placed_first(line) or self._would_tell(line, sent):
            return []
        if sent.do == "open-envelope":
            # What is in it needs a secret, which is not sent to ask.
            events = self._adjournment.foresee_opening(sent.at)
        else:
            events = self._table.course.foresee(line, sent.at)
        found = refused_in(events)
        return events if found is None else refusal(found, sent, self._table.setup.mode)

    def _would_tell(self, line: Mapping[str, Any], sent: Sent) -> bool:
        """Return whether even a refusal would tell whoever may not know it which moves are illegal.

        In some editions whoever has made an illegal move himself may not claim another's.
        """
        is_claim = line["do"] == "claim" and line["of"] == "illegal-move"
        return is_claim and not self._replies.may_know(sent)

    def _is_placed_first(self, line: Mapping[str, Any]) -> bool:
        """Return whether a press makes the move that a blind player has announced, and only then counts."""
        pending = self._table.memory.pending
        return line["do"] == "press" and pending is not None and pending.side == line["side"]

    def out_of_time(self, line: Mapping[str, Any], sent: Sent) -> Reply | None:
        """Return the refusal of a line before the game or after it, or of a loss before the agreed hour."""
        if self._table.over and line["do"] != "note":
            return Reply(409, filled_refusal({"reason": GAME_IS_OVER, "do": line["do"]}, sent))
        if not self._table.course.steps:
            return Reply(409, self._replies.words("not-started", sent))
        if line["do"] == "envelope-lost":
            early = refused_in(self._adjournment.too_early(sent.at))
            return None if early is None else refusal(early, sent, self._table.setup.mode)
        return None

    def is_stale(self, sent: Sent) -> bool:
        """Return whether something is about the position and was sent of another one than there is now."""
        # A flag that has fallen has fallen.
        is_about_it = sent.do in _ABOUT_THE_POSITION or (
            sent.do == "claim" and sent.values.get("of") != "flag"
        )
        return is_about_it and sent.seen != mark_of(self._table)

    def apply(self, sent: Sent, line: dict[str, Any], said: tuple[str, str] | None = None) -> Reply:
        """Let the table carry a line out, and put into words what it brought."""
        out_of_time = self.out_of_time(line, sent)
        if out_of_time is not None:
            return out_of_time
        events = self._table.act({**line, **marks_of(sent)}, sent.at)
        reply = self._replies.told(sent, line, events, said)
        if any("envelope" in event.keys for event in events):
            try:
                self._adjournment.write_sheets()
            except HectorError as error:
                # The clocks stand all the same.
                return replace(reply, sentence=f"{reply.sentence} {told(error, sent.language)}")
        return reply

    def sign(self, sent: Sent, who: str) -> Reply:
        """Write a signature under the result (8.7): a note of the journal, made when the game is over."""
        result = self._table.course.referee.result
        if not self._table.over:
            return Reply(409, text("not-over", sent.language))
        if self.has_signed(who):
            return Reply(409, text("done-already", sent.language))
        if sent.preview:
            law = law_text(self._table.setup.laws, "8.7")
            article = "8.7" if law is None else f"{law.edition} {law.article}"
            return Reply(200, text("sign-ask", sent.language, result=result, article=article))
        witnessed = sent.role == "arbiter" and who in SIDES
        line = {"do": "note", "about": "signature", "signed": who, "result": result}
        return self.apply(sent, line | ({"witness": "arbiter"} if witnessed else {}))

    def has_signed(self, who: str) -> bool:
        """Return whether somebody has signed the result."""
        return any(each.who == who for each in signatures_of(self._table))


def marks_of(sent: Sent) -> dict[str, str]:
    """Return what a line keeps of its request: who has sent it, and its name, so that it is done once."""
    return {"desk": sent.role, "request": sent.key}


def waiting(claim: Mapping[str, Any]) -> dict[str, Any]:
    """Return what makes a player's claim wait for the arbiter where no record could prove it right."""
    return {"wait": True} if claim["side"] != "arbiter" and claim["of"] in _ON_NO_RECORD else {}


def stale(sent: Sent) -> Reply:
    """Return the refusal of what was sent of an older position than there is now."""
    return Reply(409, text("stale", sent.language), {"stale": True})

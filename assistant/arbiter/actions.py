"""What is sent from the page becomes lines of the game script; in the table's own thread."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from assistant.arbiter.foretelling import Foretelling
from assistant.arbiter.forms import (
    BY_VERB,
    PHONE,
    PHONE_RANG,
    FormError,
    is_of_two_hands_seen,
    points_of,
    read_form,
)
from assistant.arbiter.inbox import Reply, Sent
from assistant.arbiter.lines import Lines, stale, waiting
from assistant.arbiter.move_reader import MoveReader
from assistant.arbiter.opponent import Opponent
from assistant.arbiter.reasons import WITH_MOVE
from assistant.arbiter.replies import Replies, refusal
from assistant.arbiter.scene import calls_of, id_of, mark_of
from assistant.arbiter.texts import person, text
from assistant.errors import HectorError
from assistant.laws import Event
from assistant.scoresheet import moves_in
from assistant.sides import SIDES
from assistant.speaking import told
from assistant.table import Table
from assistant.table.adjourning import Adjournment, arbiter_key
from assistant.table.folder import Where
from assistant.table.steps import refused_in

_REMEMBERED: Final = 5000
"""How many requests are remembered, so that none is carried out twice."""


class Actions:
    """Carries out what the opponent and the arbiter send."""

    def __init__(self, table: Table, where: Where) -> None:
        self._table = table
        replies = Replies(table)
        self._moves = MoveReader(table, replies)
        self._foretelling = Foretelling(table, replies, self._moves)
        self._where = where
        self._adjournment = Adjournment(table.course, where)
        self._lines = Lines(table, replies, self._adjournment)
        self._opponent = Opponent(table, self._lines, replies, self._moves, self._adjournment, where)
        self._done: OrderedDict[str, Reply | Event | None] = OrderedDict()
        self._steps = 0
        self.starts = False
        """Whether the arbiter wants the clock started."""
        self.closes = False
        """Whether the arbiter has closed the page."""

    def _remember(self) -> None:
        """Note the requests of the journal: a server that was restarted does them no second time."""
        for step in self._table.course.steps[self._steps :]:
            if step.line is not None and "request" in step.line:
                self._done.setdefault(str(step.line["request"]), refused_in(step.events))
        self._steps = len(self._table.course.steps)

    def carry_out(self, sent: Sent) -> Reply:
        """Do what was sent, once, and say what it brought."""
        self._remember()
        if not sent.preview and sent.key in self._done:
            known = self._done[sent.key]
            if isinstance(known, Event):
                return refusal(known, sent, self._table.setup.mode)
            return known or Reply(200, text("done-already", sent.language))
        try:
            reply = self._of_role(sent)
        except FormError as error:
            reply = Reply(400, str(error), {"field": error.field} if error.field else {})
        except HectorError as error:
            reply = Reply(400, text("ruled-refused", sent.language, reason=told(error, sent.language)))
        if reply.is_done and not sent.preview:
            # What he does next is meant for the position that he has brought about, shown or not.
            reply = replace(reply, more={**reply.more, "mark": mark_of(self._table)})
            self._done[sent.key] = reply
            while len(self._done) > _REMEMBERED:
                self._done.popitem(last=False)
        return reply

    def _of_role(self, sent: Sent) -> Reply:
        match sent.role:
            case "opponent":
                return self._opponent.answer(sent)
            case "arbiter":
                return self._arbiter(sent)
            case _:
                return Reply(403, text("refused-role", sent.language))

    # The arbiter

    def _arbiter(self, sent: Sent) -> Reply:
        form = BY_VERB.get(sent.do)
        if form is None:
            return Reply(403, text("refused-role", sent.language))
        values = read_form(form, sent.values, sent.language)
        if self._lines.is_stale(sent):
            return stale(sent)
        if sent.do == "undo" and sent.values.get("line") not in (None, self._count):
            return stale(sent)
        if sent.do == "rule" and sent.values.get("question") not in (None, self._question()):
            return stale(sent)
        if sent.do == "claim":
            values |= waiting(values)
        untimely = self._untimely(sent, values)
        if untimely is not None:
            return untimely
        line = self._line(sent, values)
        if sent.do == "adjourn" and self._lines.out_of_time(line, sent) is None:
            # Without a key to seal to nobody could carry the order out, and his clock would run.
            arbiter_key(self._where())
        if sent.preview:
            foreseen = self._lines.foreseen(line, sent)
            if isinstance(foreseen, Reply):
                return foreseen
            meant = self._meant(values, sent, foreseen)
            return Reply(200, self._foretelling.sentence(form, values | meant, line, sent, foreseen), meant)
        if sent.values.get("ends") is False and _would_end(self._lines.foreseen(line, sent)):
            # A clock has run on meanwhile, and he was told of no end: it could not be taken back.
            return stale(sent)
        if sent.do == "start":
            self.starts = True
            return Reply(200, text("done", sent.language))
        if sent.do == "answer-call":
            return self._lines.apply(sent, {"do": "note", "about": "arbiter", "answered": True})
        if sent.do == "close":
            self.closes = True
            return Reply(200, text("done", sent.language))
        if sent.do == "sign":
            return self._lines.sign(sent, values["side"])
        if sent.do == "open-envelope" and sent.secret is not None:
            line["text"] = self._adjournment.read(sent.secret)
        return self._lines.apply(sent, line)

    def _meant(self, values: Mapping[str, Any], sent: Sent, foreseen: list[Event]) -> dict[str, Any]:
        """Return what is to be sent with a line that was shown: it is meant so, whatever comes meanwhile."""
        if sent.do == "undo":
            return {"line": self._count}
        if sent.do == "penalty":
            return {"ends": _would_end(foreseen)}
        if sent.do == "claim" and is_of_two_hands_seen(values):
            return {"ply": str(values.get("ply", self._table.course.referee.last_completed))}
        return {}

    def _untimely(self, sent: Sent, values: Mapping[str, Any]) -> Reply | None:
        """Return the refusal of what is no line of a game that is being played, where it is not due."""
        match sent.do:
            case "start" if self.starts or self._table.course.steps:
                name = "done-already"
            case "answer-call" if not calls_of(self._table):
                name = "no-call"
            case "close" | "sign" if not self._table.over:
                name = "not-over"
            case "sign" if values["side"] == self._table.setup.opponent:
                side = person(values["side"], sent.language)
                return Reply(409, text("sign-own", sent.language, side=side))
            case "sign" if self._lines.has_signed(values["side"]):
                name = "done-already"
            case _:
                return None
        return Reply(409, text(name, sent.language))

    @property
    def _count(self) -> int:
        """How many lines the game has up to the one that an undo is about."""
        last = self._table.course.referee.last_line
        return 0 if last is None else last + 1

    def _line(self, sent: Sent, values: Mapping[str, Any]) -> dict[str, Any]:
        """Return the line of the game script for what the arbiter filled in."""
        line: dict[str, Any] = {"do": sent.do, **values}
        if sent.do in WITH_MOVE and "move" in line:
            line["move"] = self._moves.read(sent, str(line["side"]), str(line["move"])).uci()
            line["typed"] = values["move"]
        match sent.do:
            case "stop-clock" | "resume" | "adjourn":
                line["by"] = "arbiter"
            case "set-clock":
                line.pop("setting", None)
                if "setting" in values:
                    line["reason"] = "setting"
            case "penalty" if line.pop(PHONE_RANG, False):
                # The Laws know this reason by its name; what the arbiter has written of it is kept beside it.
                line |= {"remark": line["reason"]} if "reason" in line else {}
                line["reason"] = PHONE
            case "result":
                line = {"do": "result", **points_of(str(values["result"]))}
            case "touch" if "order" in values:
                line["order"] = "unknown"
            case "ask":
                line["side"] = "arbiter"
            case "sheets":
                line = {"do": "sheets", **{side: moves_in(str(values[side])) for side in SIDES}}
        return line

    def _question(self) -> str:
        """Return the name of the question that a ruling would answer."""
        questions = self._table.course.referee.questions
        return id_of(questions[0]) if questions else ""


def _would_end(foreseen: list[Event] | Reply) -> bool:
    """Return whether a line would end the game by what it would bring."""
    return not isinstance(foreseen, Reply) and any(event.event == "game-over" for event in foreseen)

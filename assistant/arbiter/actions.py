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
from assistant.arbiter.move_reader import MoveReader
from assistant.arbiter.notation import moves_of
from assistant.arbiter.reasons import WITH_MOVE
from assistant.arbiter.replies import Replies, filled_refusal, refusal, refused_in
from assistant.arbiter.scene import calls_of, mark_of, signatures_of
from assistant.arbiter.texts import filled, text
from assistant.errors import HectorError
from assistant.laws import GAME_IS_OVER, NO_MOVE_TO_SEAL, Event, law_text
from assistant.sides import SIDES, Side
from assistant.speaking import CLAIMS, CLAIMS_WITH_A_MOVE, told
from assistant.speaking import SIDES as SIDE_NAMES
from assistant.table import Table
from assistant.table.adjourning import Adjournment, arbiter_key
from assistant.table.dialogue import repeats
from assistant.table.folder import Where

_REMEMBERED: Final = 5000
"""How many requests are remembered, so that none is carried out twice."""
_ABOUT_THE_POSITION: Final = frozenset(
    {
        "undo", "restore", "rule", "set-clock", "announce", "place", "correct", "repeat", "press", "touch",
        "offer-draw", "accept-draw", "decline-draw", "resign", "result", "adjourn",
    }
)  # fmt: skip
"""Verbs of the arbiter that mean something else after another move."""
_NO_LINES: Final = frozenset({"start", "answer-call", "close", "sign"})
"""Verbs of the arbiter that are looked at where they are done: no lines of a game that is being played."""
_NOT_FORESEEN: Final = frozenset(
    {"ask", "note", "open-envelope", "announce", "place", "correct", "repeat", "press"}
)
"""Verbs that are always carried out, need a secret, or have a press that goes before."""
_ON_NO_RECORD: Final = frozenset({"two-hands", "initial-position"})
"""Claims of what nothing on record shows: only whoever saw the board can rule on them."""


class Actions:
    """Carries out what the opponent and the arbiter send."""

    def __init__(self, table: Table, where: Where) -> None:
        self._table = table
        self._replies = Replies(table)
        self._moves = MoveReader(table, self._replies)
        self._foretelling = Foretelling(table, self._replies, self._moves)
        self._where = where
        self._adjournment = Adjournment(table.course, where)
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
                return self._opponent(sent)
            case "arbiter":
                return self._arbiter(sent)
            case _:
                return Reply(403, text("refused-role", sent.language))

    # The opponent

    def _opponent(self, sent: Sent) -> Reply:
        side = self._table.setup.opponent
        if side is None:
            return Reply(403, text("refused-role", sent.language))
        if sent.do == "sign":
            return self._sign(sent, side)
        if sent.seen != mark_of(self._table):
            return self._stale(sent)
        course = self._table.course
        if course.sealing and course.side_to_move == side and sent.do in ("move", "press"):
            # On the board it would be seen and announced; what is really made there the arbiter enters.
            return Reply(409, text("seal-unseen", sent.language))
        line: dict[str, Any]
        match sent.do:
            case "move":
                return self._move(sent, side)
            case "seal":
                return self._seal(sent, side)
            case "press" | "offer-draw" | "accept-draw" | "decline-draw":
                line = {"do": sent.do, "side": side}
            case "resign":
                if sent.preview:
                    return Reply(200, text("resign-ask", sent.language))
                line = {"do": "resign", "side": side}
            case "claim":
                line = {"do": "claim", "side": side, **self._claim(sent, side)}
                line |= _waiting(line)
            case "stop-clock":
                line = {"do": "stop-clock", "by": side, "reason": "arbiter"}
                if course.steps and not course.over and course.referee.running is None:
                    # No clock runs that he could stop: he calls all the same.
                    line = {"do": "note", "about": "arbiter", "side": side}
                reply = self._apply(sent, line)
                if reply.is_done:
                    self._table.course.say(self._table.course.sentences.arbiter_called())
                return reply
            case _:
                return Reply(403, text("refused-role", sent.language))
        return self._apply(sent, line)

    def _move(self, sent: Sent, side: Side) -> Reply:
        """Announce a move, correct the announcement, or repeat the other player's (D.2.1)."""
        memory = self._table.memory
        given = self._moves.typed(sent, "move-text")
        if not given:
            field = text("move-text", sent.language)
            raise FormError(text("refused-missing", sent.language, field=field), "move")
        pending = memory.pending
        position = self._moves.position(side)
        said = pending if pending is not None and pending.side != side else memory.repeatable
        moves = self._moves.all(position, given, sent)
        is_repetition = (
            said is not None
            and said.side != side
            and not any(
                position.turn == (side == "white") and self._moves.can_be(position, move, sent)
                for move in moves
            )
            and (
                repeats(said, given, sent.language, self._table.vocabulary)
                or self._moves.may_repeat(said.before, said.move, given, sent)
            )
        )
        if is_repetition and said is not None:
            line = {"do": "repeat", "side": side, "move": said.move.uci(), "typed": given}
            return self._apply(sent, line, ("repeated", self._replies.written(said.before, said.move, sent)))
        if position.turn != (side == "white"):
            # What he writes means nothing yet: that it is too early is told before that it cannot be read.
            early = self._foreseen({"do": "announce", "side": side, "move": given}, sent)
            if early is not None:
                return early
        move = self._moves.one(moves, position, sent)
        announced = self._replies.written(position, move, sent)
        if pending is not None and pending.side == side:
            if move == pending.move:
                return Reply(200, self._replies.words("announced", sent, move=announced))
            line = {"do": "correct", "side": side, "move": move.uci(), "typed": given}
        else:
            line = {"do": "announce", "side": side, "move": move.uci(), "typed": given}
        return self._apply(sent, line, ("announced", announced))

    def _seal(self, sent: Sent, side: Side) -> Reply:
        """Seal the opponent's move: neither the reply nor the journal holds it in clear."""
        course = self._table.course
        if not course.sealing or course.side_to_move != side:
            return Reply(409, filled_refusal({"reason": NO_MOVE_TO_SEAL, "do": "seal"}, sent))
        written = self._moves.typed(sent, "move-text")
        try:
            key = arbiter_key(self._where())
        except HectorError:
            # How that is mended is the arbiter's business.
            return Reply(409, text("seal-no-key", sent.language))
        events = self._adjournment.seal(written, sent.at, key, sent.language)
        return self._replies.told(sent, {"do": "seal"}, events)

    def _claim(self, sent: Sent, side: Side) -> dict[str, Any]:
        of = sent.values.get("of")
        if not isinstance(of, str) or of not in CLAIMS:
            field = text("claim-of", sent.language)
            raise FormError(text("refused-field", sent.language, field=field), "of")
        given = self._moves.typed(sent, "claim-move") if of in CLAIMS_WITH_A_MOVE else ""
        if not given:
            return {"of": of}
        try:
            move = self._moves.read(sent, side, given)
        except FormError as error:
            # Beside the field for the move that he makes, one for the move that he intends.
            field = text("claim-move", sent.language)
            raise FormError(
                text("wrong-in", sent.language, field=field, fault=str(error)), error.field
            ) from None
        return {"of": of, "move": move.uci()}

    # The arbiter

    def _arbiter(self, sent: Sent) -> Reply:
        form = BY_VERB.get(sent.do)
        if form is None:
            return Reply(403, text("refused-role", sent.language))
        values = read_form(form, sent.values, sent.language)
        if self._is_about_the_position(sent) and sent.seen != mark_of(self._table):
            return self._stale(sent)
        if sent.do == "undo" and sent.values.get("line") not in (None, self._lines):
            return self._stale(sent)
        if sent.do == "rule" and sent.values.get("question") not in (None, self._question()):
            return self._stale(sent)
        if sent.do == "claim":
            values |= _waiting(values)
        untimely = self._untimely(sent, values)
        if untimely is not None:
            return untimely
        line = self._line(sent, values)
        if sent.do == "adjourn" and self._out_of_time(line, sent) is None:
            # Without a key to seal to nobody could carry the order out, and his clock would run.
            arbiter_key(self._where())
        if sent.preview:
            refused = self._foreseen(line, sent)
            if refused is not None:
                return refused
            meant = self._meant(values, sent)
            return Reply(200, self._foretelling.sentence(form, values | meant, line, sent), meant)
        if sent.do == "start":
            self.starts = True
            return Reply(200, text("done", sent.language))
        if sent.do == "answer-call":
            return self._apply(sent, {"do": "note", "about": "arbiter", "answered": True})
        if sent.do == "close":
            self.closes = True
            return Reply(200, text("done", sent.language))
        if sent.do == "sign":
            return self._sign(sent, values["side"])
        if sent.do == "open-envelope" and sent.secret is not None:
            line["text"] = self._adjournment.read(sent.secret)
        return self._apply(sent, line)

    def _meant(self, values: Mapping[str, Any], sent: Sent) -> dict[str, Any]:
        """Return what is to be sent with a line that was shown: it is meant so, whatever comes meanwhile."""
        if sent.do == "undo":
            return {"line": self._lines}
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
                side = filled(SIDE_NAMES[values["side"]], sent.language)
                return Reply(409, text("sign-own", sent.language, side=side))
            case "sign" if self._has_signed(values["side"]):
                name = "done-already"
            case _:
                return None
        return Reply(409, text(name, sent.language))

    def _foreseen(self, line: dict[str, Any], sent: Sent) -> Reply | None:
        """Return the refusal that a line would meet; None if it can be shown as what will happen."""
        if sent.do in _NO_LINES:
            return None
        out_of_time = self._out_of_time(line, sent)
        if out_of_time is not None or sent.do in _NOT_FORESEEN:
            return out_of_time
        events = self._table.course.foresee(line, sent.at)
        found = refused_in(events)
        return None if found is None else refusal(found, sent, self._table.setup.mode)

    def _out_of_time(self, line: Mapping[str, Any], sent: Sent) -> Reply | None:
        """Return the refusal of a line before the game or after it; None while there is one."""
        if self._table.over and line["do"] != "note":
            return Reply(409, filled_refusal({"reason": GAME_IS_OVER, "do": line["do"]}, sent))
        if not self._table.course.steps:
            return Reply(409, self._replies.words("not-started", sent))
        return None

    @property
    def _lines(self) -> int:
        """How many lines the game has up to the one that an undo is about."""
        last = self._table.course.referee.last_line
        return 0 if last is None else last + 1

    @staticmethod
    def _is_about_the_position(sent: Sent) -> bool:
        # A flag that has fallen has fallen.
        return sent.do in _ABOUT_THE_POSITION or (sent.do == "claim" and sent.values.get("of") != "flag")

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
                line = {"do": "sheets", **{side: moves_of(str(values[side])) for side in SIDES}}
        return line

    def _question(self) -> str:
        """Return the question that a ruling would answer, as the page names it."""
        questions = self._table.course.referee.questions
        return f"{questions[0].what}:{questions[0].side}" if questions else ""

    # Both

    def _stale(self, sent: Sent) -> Reply:
        return Reply(409, text("stale", sent.language), {"stale": True})

    def _sign(self, sent: Sent, who: str) -> Reply:
        """Write a signature under the result (8.7): a note of the journal, made when the game is over."""
        result = self._table.course.referee.result
        if not self._table.over:
            return Reply(409, text("not-over", sent.language))
        if self._has_signed(who):
            return Reply(409, text("done-already", sent.language))
        if sent.preview:
            law = law_text(self._table.setup.laws, "8.7")
            article = "8.7" if law is None else f"{law.edition} {law.article}"
            return Reply(200, text("sign-ask", sent.language, result=result, article=article))
        witnessed = sent.role == "arbiter" and who in SIDES
        line = {"do": "note", "about": "signature", "signed": who, "result": result}
        return self._apply(sent, line | ({"witness": "arbiter"} if witnessed else {}))

    def _has_signed(self, who: str) -> bool:
        return any(each.who == who for each in signatures_of(self._table))

    def _apply(self, sent: Sent, line: dict[str, Any], said: tuple[str, str] | None = None) -> Reply:
        """Let the table carry a line out, and put into words what it brought."""
        out_of_time = self._out_of_time(line, sent)
        if out_of_time is not None:
            return out_of_time
        marks = {"desk": sent.role, "request": sent.key}
        events = self._table.act({**line, **marks}, sent.at)
        reply = self._replies.told(sent, line, events, said)
        if any("envelope" in event.keys for event in events):
            try:
                self._adjournment.write_sheets()
            except HectorError as error:
                # The clocks stand all the same.
                return replace(reply, sentence=f"{reply.sentence} {told(error, sent.language)}")
        return reply


def _waiting(claim: Mapping[str, Any]) -> dict[str, Any]:
    """Return what makes a player's claim wait for the arbiter where no record could prove it right."""
    return {"wait": True} if claim["side"] != "arbiter" and claim["of"] in _ON_NO_RECORD else {}

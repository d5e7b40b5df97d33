"""What the arbiter is told that an action will do, before he does it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

import chess

from assistant.arbiter.clockless import SENTENCES as CLOCKLESS
from assistant.arbiter.clockless import TWO_HANDS as CLOCKLESS_TWO_HANDS
from assistant.arbiter.clockless import titles
from assistant.arbiter.details import in_one
from assistant.arbiter.doings import ADJOURNING, SENTENCES, TWO_HANDS, WITNESSED
from assistant.arbiter.forms import PHONE_RANG, Form, is_of_two_hands_seen, is_score_fixed, summary, time_text
from assistant.arbiter.inbox import Sent
from assistant.arbiter.move_reader import MoveReader
from assistant.arbiter.reasons import WITH_MOVE
from assistant.arbiter.replies import Replies
from assistant.arbiter.texts import filled, person, text
from assistant.laws import Event
from assistant.scoresheet import numbered
from assistant.sides import SIDES, Side, side_of
from assistant.table import Table

_MAY_END: Final = frozenset({"claim", "penalty", "restore", "rule", "set-clock", "undo"})
"""Verbs of the arbiter that may end the game and do not say so themselves."""


class Foretelling:
    """Words what is about to be done in one game."""

    def __init__(self, table: Table, replies: Replies, moves: MoveReader) -> None:
        self._table = table
        self._replies = replies
        self._moves = moves

    def sentence(
        self,
        form: Form,
        values: Mapping[str, Any],
        line: Mapping[str, Any],
        sent: Sent,
        foreseen: Iterable[Event],
    ) -> str:
        """Return what a line that the arbiter filled in would do; `foreseen` is what it would bring."""
        words = summary(form, values, sent.language)
        has_clock = self._table.course.referee.has_clock
        if "move" in line and "move" in words:
            position = self._moves.meant(form.do, str(line.get("side")))
            words["move"] = self._replies.written(position, chess.Move.from_uci(line["move"]), sent)
        if form.do == "rule":
            words["question"] = str(sent.values.get("questionText", ""))[:500]
            given = _given(foreseen)
            if "seconds" not in values and given:
                words["seconds"] = time_text(max(given), sent.language)
            elif "seconds" in values and values["seconds"] not in given:
                words["seconds"] = text("time-fixed", sent.language)
        elif form.do == "penalty" and PHONE_RANG in values:
            rang, more = text("field-phone-rang", sent.language), values.get("reason")
            words["reason"] = in_one(filter(None, (rang, more)), sent.language)
            if is_score_fixed(values):
                words["points"] = text("points-fixed", sent.language)
        elif form.do == "restore":
            words["after"] = self._after(int(values["ply"]), sent)
        elif form.do == "undo":
            words["line"] = self._last_line(sent)
        elif form.do == "claim" and is_of_two_hands_seen(values):
            words |= self._seen(int(values["ply"]), sent)
            return filled(TWO_HANDS if has_clock else CLOCKLESS_TWO_HANDS, sent.language, **words)
        elif form.do == "sign":
            words["result"] = self._table.course.referee.result
            if values["side"] in SIDES:
                return filled(WITNESSED, sent.language, **words)
        sentences = ADJOURNING if self._is_of_an_adjournment(form.do, values) else SENTENCES
        if not has_clock:
            sentences = {**sentences, **CLOCKLESS}
        told = filled(sentences[form.do], sent.language, **words)
        return " ".join([told, *self._end(line, sent, foreseen)])

    def _end(self, line: Mapping[str, Any], sent: Sent, foreseen: Iterable[Event]) -> list[str]:
        """Return what else would end with a line: a game that is over cannot be brought back.

        Where everybody may read it, a claim is not ruled on before it is made: whoever could see beforehand
        that it is right would claim no other.
        """
        if line["do"] not in _MAY_END or (line["do"] == "claim" and not self._replies.may_know(sent)):
            return []
        return self._replies.end(sent, foreseen)

    def _is_of_an_adjournment(self, do: str, values: Mapping[str, Any]) -> bool:
        """Whether a form does what it does in an adjournment."""
        match do:
            case "adjourn":
                return "session_end" in values
            case "stop-clock":
                return self._table.course.referee.has_sealed
            case "resume":
                return self._table.course.referee.is_adjourned
            case _:
                return False

    def _last_line(self, sent: Sent) -> str:
        """Name the line that would be withdrawn: what it does, whose it is, and when it came."""
        referee, pending = self._table.course.referee, self._table.memory.pending
        assert referee.last_line is not None, "what cannot be withdrawn is not foretold"
        line = referee.lines[referee.last_line]
        facts = [person(line["side"], sent.language)] if line.get("side") in SIDES else []
        if line["do"] in WITH_MOVE and "move" in line:
            is_pending = pending is not None and line["move"] == pending.move.uci()
            facts.append(
                self._replies.written(pending.before, pending.move, sent)
                if pending is not None and is_pending
                else str(line.get("typed", line["move"]))
            )
        facts.append(time_text(int(line["at"]), sent.language))
        title = titles(has_clock=referee.has_clock)[line["do"]]
        return f"{filled(title, sent.language)} ({', '.join(facts)})"

    def _after(self, ply: int, sent: Sent) -> str:
        half_move = self._half_move(ply, sent)
        return "" if half_move is None else f" ({half_move[1]})"

    def _seen(self, ply: int, sent: Sent) -> dict[str, str]:
        """Return whose the half-move of this number is, and how it is written."""
        half_move = self._half_move(ply, sent)
        assert half_move is not None, "what cannot be ruled on is not foretold"
        side, move = half_move
        return {"side": person(side, sent.language), "ply": str(ply), "move": move}

    def _half_move(self, ply: int, sent: Sent) -> tuple[Side, str] | None:
        for index, (board, each) in enumerate(self._table.sheet.positions(), 1):
            if index == ply:
                return side_of(board.turn), numbered([(board, self._replies.written(board, each.move, sent))])
        return None


def _given(foreseen: Iterable[Event]) -> set[float]:
    """Return the times, in seconds, that a ruling gives to anybody."""
    return {event.keys["seconds"] for event in foreseen if event.keys.get("seconds")}

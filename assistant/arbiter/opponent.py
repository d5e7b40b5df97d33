"""What the opponent sends: his moves, his clock, offers, claims, a sealed move, his signature."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import chess

from assistant.arbiter.forms import FormError
from assistant.arbiter.inbox import Reply, Sent
from assistant.arbiter.lines import Lines, marks_of, stale, waiting
from assistant.arbiter.move_reader import MoveReader
from assistant.arbiter.replies import Replies, filled_refusal
from assistant.arbiter.scene import caller
from assistant.arbiter.texts import filled, text
from assistant.errors import HectorError
from assistant.laws import NO_MOVE_TO_SEAL
from assistant.sides import Side
from assistant.speaking import CLAIMS, CLAIMS_WITH_A_MOVE
from assistant.table import Table
from assistant.table.adjourning import Adjournment, arbiter_key
from assistant.table.dialogue import repeats
from assistant.table.folder import Where

_ASKED_BACK: Final = frozenset({"accept-draw", "claim", "resign", "sign"})
"""What he may ask about before he does it."""


class Opponent:
    """Does what the sighted player of one game sends."""

    def __init__(
        self,
        table: Table,
        lines: Lines,
        replies: Replies,
        moves: MoveReader,
        adjournment: Adjournment,
        where: Where,
    ) -> None:
        self._table = table
        self._lines = lines
        self._replies = replies
        self._moves = moves
        self._adjournment = adjournment
        self._where = where

    def answer(self, sent: Sent) -> Reply:
        """Do what he sent, and say what it brought.

        :raises HectorError: if it cannot be read, or not be kept.
        """
        side = self._table.setup.opponent
        if side is None:
            return Reply(403, text("refused-role", sent.language))
        if sent.preview and sent.do not in _ASKED_BACK:
            return Reply(400, text("refused-form", sent.language))
        if sent.do == "sign":
            return self._lines.sign(sent, side)
        if self._lines.is_stale(sent):
            return stale(sent)
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
            case "press" | "offer-draw" | "accept-draw" | "decline-draw" | "resign":
                line = {"do": sent.do, "side": side}
            case "claim":
                line = {"do": "claim", "side": side, **self._claim(sent, side)}
                line |= waiting(line)
            case "stop-clock":
                line = {"do": "stop-clock", "by": side, "reason": "arbiter"}
                if course.steps and not course.over and course.referee.running is None:
                    # No clock runs that he could stop: he calls all the same.
                    line = {"do": "note", "about": "arbiter", "side": side}
                reply = self._lines.apply(sent, line)
                # Who has sealed closes his envelope so, and calls nobody.
                if reply.is_done and caller(course.steps[-1]) is not None:
                    course.teller.say(course.teller.sentences.arbiter_called())
                return reply
            case _:
                return Reply(403, text("refused-role", sent.language))
        if sent.preview:
            foreseen = self._lines.foreseen(line, sent)
            return foreseen if isinstance(foreseen, Reply) else Reply(200, self._question(line, sent))
        return self._lines.apply(sent, line)

    def _question(self, line: Mapping[str, Any], sent: Sent) -> str:
        """Ask back what cannot be taken back."""
        if line["do"] != "claim":
            return text("resign-ask" if line["do"] == "resign" else "accept-ask", sent.language)
        claim = filled(CLAIMS[line["of"]], sent.language)
        if "move" not in line:
            return text("claim-ask", sent.language, claim=claim)
        position = self._moves.meant("claim", line["side"])
        move = self._replies.written(position, chess.Move.from_uci(line["move"]), sent)
        return text("claim-ask-with", sent.language, claim=claim, move=move)

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
            return self._lines.apply(
                sent, line, ("repeated", self._replies.written(said.before, said.move, sent))
            )
        if position.turn != (side == "white"):
            # What he writes means nothing yet: that it is too early is told before that it cannot be read.
            early = self._lines.foreseen({"do": "announce", "side": side, "move": given}, sent)
            if isinstance(early, Reply):
                return early
        if not moves and self._replies.may_know(sent):
            impossible = self._moves.impossible(position, given, sent)
            why_not = impossible and self._lines.foreseen(self._announcing(impossible, side), sent)
            if isinstance(why_not, Reply):
                return why_not
        move = self._moves.one(moves, position, sent)
        announced = self._replies.written(position, move, sent)
        if pending is not None and pending.side == side and move == pending.move:
            return Reply(200, self._replies.words("announced", sent, move=announced))
        line = self._announcing(move, side) | {"typed": given}
        return self._lines.apply(sent, line, ("announced", announced))

    def _announcing(self, move: chess.Move, side: Side) -> dict[str, Any]:
        """Return the line that announces a move, or corrects the announcement that waits for its press."""
        pending = self._table.memory.pending
        verb = "correct" if pending is not None and pending.side == side else "announce"
        return {"do": verb, "side": side, "move": move.uci()}

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
        events = self._adjournment.seal(written, sent.at, key, sent.language, **marks_of(sent))
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

"""What a line that was sent has brought, in the words of whoever sent it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Final

import chess

from assistant.arbiter.clockless import words
from assistant.arbiter.inbox import Reply, Sent
from assistant.arbiter.notation import written
from assistant.arbiter.reasons import law_in, may_know_why, sentence_for_player, sentence_of
from assistant.arbiter.texts import person, text
from assistant.errors import marked
from assistant.laws import Event
from assistant.scoresheet import move_number, numbered
from assistant.sides import SIDES
from assistant.speaking import Hearers, event_sentences, gives_reason, told, without_echoes
from assistant.table import Table
from assistant.table.steps import refused_in

_ANSWERED_HERE: Final = frozenset({"law", "recording", "arbiters-sheet", "last-move"})
"""Questions whose answers are no sentences of the table, or are needed in another language."""


class Replies:
    """Puts into words what the table has made of a line."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def may_know(self, sent: Sent) -> bool:
        """Return whether whoever reads the reply may read from it which moves are legal."""
        return (sent.role == "arbiter" and not sent.is_public) or self._table.setup.mode == "club"

    def words(self, name: str, sent: Sent, **values: str) -> str:
        """Return one of the page's texts, filled, as it is in this game with or without a clock."""
        return words(name, sent.language, has_clock=self._table.course.referee.has_clock, **values)

    def written(self, board: chess.Board, move: chess.Move, sent: Sent, long: bool = False) -> str:
        return written(board, move, sent.language, neutral=long or not self.may_know(sent))

    def told(
        self,
        sent: Sent,
        line: Mapping[str, Any],
        events: list[Event],
        said: tuple[str, str] | None = None,
    ) -> Reply:
        """Put into words what a line has brought."""
        refused = refused_in(events)
        if refused is not None:
            reply = refusal(refused, sent, self._table.setup.mode)
            asked = [event for event in events if event.event == "arbiter-asked"]
            if not asked or sent.role != "arbiter":
                return reply
            question = self._joined(sent, line, self._sentences(sent, asked))
            return replace(reply, sentence=f"{reply.sentence} {question}")
        sentences = self._sentences(sent, events)
        referee = self._table.course.referee
        if line["do"] == "rule" and referee.is_halted and not (referee.questions or self._table.over):
            # A ruling starts the clocks that its claim has stopped, and no others.
            sentences.append(text("stopped", sent.language))
        if said is not None and not self._table.over:
            # An offer that he declines by moving is told beside it.
            sentences.insert(0, self._of_his_words(*said, sent))
        return Reply(200, self._joined(sent, line, sentences), self._more(events))

    def _of_his_words(self, name: str, move: str, sent: Sent) -> str:
        own = self._table.setup.opponent
        if name == "announced" and own is not None and self._table.memory.pending is None:
            # The move that he declares he sealed is complete with that (I.12.1): nobody presses for it.
            told = text("log-announced", sent.language, side=person(own, sent.language), move=move)
            return f"{told} {self.words('pressed', sent)}"
        return self.words(name, sent, move=move)

    def end(self, sent: Sent, events: Iterable[Event]) -> list[str]:
        """Put into sentences that a flag falls and the game is over, as far as it is so."""
        return self._sentences(sent, [each for each in events if each.event in ("flag-fallen", "game-over")])

    def _sentences(self, sent: Sent, events: Iterable[Event]) -> list[str]:
        """Put what has happened into sentences; a move, and its correction, into none."""
        own = self._table.setup.opponent if sent.role == "opponent" else None
        start = self._table.sheet.board()
        hearers = Hearers(language=sent.language, mode=self._table.setup.mode, plies_before=start.ply())
        sentences: list[str] = []
        for event in without_echoes(events):
            if event.event == "sheets-differ":
                sentences.append(self._first_difference(event, sent))
            elif event.event == "sheets-agree":
                sentences.append(self._agreement(event, sent))
            elif event.event == "envelope-opened" and "text" in event.keys and sent.role == "arbiter":
                sentences.append(contents_of(event, sent.language))
            elif event.event == "answer" and event.keys["about"] in _ANSWERED_HERE:
                sentences.append(self._answer(event, sent))
            else:
                sentences += [
                    each.text
                    for each in event_sentences(event.as_dict(), hearers, self._must(event, sent))
                    if sent.role == "arbiter" or each.audience in ("room", own)
                ]
        return sentences

    def _must(self, event: Event, sent: Sent) -> str | None:
        """Return the move that a wrong claim obliges to, None if it is no such claim."""
        if "must" not in event.keys:
            return None
        return self.written(self._table.course.board, chess.Move.from_uci(event.keys["must"]), sent)

    def _joined(self, sent: Sent, line: Mapping[str, Any], sentences: list[str]) -> str:
        if not sentences:
            name = "pressed" if line["do"] == "press" and sent.role == "opponent" else "done"
            return self.words(name, sent)
        return " ".join(dict.fromkeys(sentences))

    def _more(self, events: Iterable[Event]) -> dict[str, Any]:
        for event in events:
            if event.event == "sheets-differ":
                return {"restore": int(event.keys["ply"]) - 1}
        return {}

    def _first_difference(self, event: Event, sent: Sent) -> str:
        ply = int(event.keys["ply"])
        number = self._number(ply)
        nothing = text("nothing-written", sent.language)
        words = {side: str(event.keys[side]) or nothing for side in SIDES}
        found = text("sheet-first", sent.language, number=number, **words)
        return f"{found} {text('sheet-restore', sent.language, ply=str(ply - 1))}"

    def _agreement(self, event: Event, sent: Sent) -> str:
        agree = text("sheet-agree", sent.language)
        if "board" not in event.keys:
            return agree
        number = self._number(int(event.keys["board"]))
        return f"{agree} {text('sheet-record', sent.language, number=number)}"

    def _number(self, ply: int) -> str:
        """Return the number of a half-move of this game as its scoresheet has it: "2." or "2..."."""
        half_moves = self._table.sheet.board().ply() + ply
        return move_number((half_moves + 1) // 2, white=half_moves % 2 == 1)

    def _answer(self, event: Event, sent: Sent) -> str:
        """Put an answer into words that is for the arbiter alone."""
        match event.keys["about"]:
            case "law":
                return law_in(event, sent.language)
            case "recording":
                return text(f"recording-{event.keys['duty']}", sent.language)
            case "last-move":
                last = self._table.memory.last
                return (
                    self.written(last.before, last.move, sent) if last else text("moves-none", sent.language)
                )
            case "arbiters-sheet":
                sheet = self._table.sheet.positions()
                moves = ((board, self.written(board, each.move, sent)) for board, each in sheet)
                return numbered(moves) or text("moves-none", sent.language)
            case _:
                return text("done", sent.language)


def contents_of(opened: Event, language: str) -> str:
    """Return what an envelope holds that could not simply be made; it is for the arbiter alone."""
    return told(marked("The envelope holds: {text}.", text=opened.keys["text"]), language)


def refusal(refused: Event, sent: Sent, mode: str) -> Reply:
    event = refused.as_dict()
    sentence = filled_refusal(event, sent, mode)
    knows_why = sent.role == "arbiter" or may_know_why(event, mode) or gives_reason(event)
    if refused.article is None or not knows_why:
        return Reply(409, sentence)
    return Reply(409, f"{sentence} ({refused.article})")


def filled_refusal(event: Mapping[str, Any], sent: Sent, mode: str = "rated") -> str:
    """Return why something was refused."""
    if sent.role == "arbiter":
        reason = sentence_of(event["reason"], sent.language)
    else:
        reason = sentence_for_player(event, sent.language, mode)
    return text("ruled-refused", sent.language, reason=reason)

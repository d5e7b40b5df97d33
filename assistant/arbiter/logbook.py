"""The log of a game: what happened, in a language, with the articles, for those who may know it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

import chess

from assistant.arbiter.details import details_of, in_one
from assistant.arbiter.forms import time_text
from assistant.arbiter.notation import written
from assistant.arbiter.pins import Role
from assistant.arbiter.reasons import law_in, sentence_for_player, sentence_of
from assistant.arbiter.replies import contents_of
from assistant.arbiter.scene import Scene, caller, is_answer
from assistant.arbiter.texts import person, text
from assistant.board import after
from assistant.laws import Event
from assistant.scoresheet import clock_text
from assistant.sides import SIDES, other
from assistant.speaking import Hearers, Sentences, event_sentences, gives_reason
from assistant.table import Setup, Step, steps
from assistant.table.steps import is_refused

Entry = dict[str, Any]
"""One entry: `n` (its number from 0), `at` (the game's time as text), `text`, perhaps `article`, `borrowed`,
`by` (on which page it was done) and `detail` (for the arbiter); for the opponent `own` where it is his own
action, and `news` where it is to be told to him at once, because somebody else has done it; for the arbiter
`news` where it brings a call or a question that he has not brought about himself."""

_NEWS: Final = frozenset(
    {
        "draw-offered", "draw-declined", "penalty", "position-restored", "clock-set", "clock-stopped",
        "clock-resumed", "adjourned", "sealed-void", "claim-waits", "claim-right", "claim-wrong",
        "illegal-move",
    }
)  # fmt: skip
"""Events that the opponent is told at once when somebody else has brought them; moves he sees."""
_QUESTIONS: Final = frozenset({"arbiter-asked", "claim-waits"})
"""Events that let something wait for the arbiter."""


class Logbook:
    """The log as one role reads it in one language; brought up to date from one scene to the next."""

    def __init__(
        self, setup: Setup, role: Role, language: str, on_fault: Callable[[Exception], None]
    ) -> None:
        """Begin it; `on_fault` gets what prevented something from being put into words."""
        self.entries: list[Entry] = []
        self._setup = setup
        self._role = role
        self._language = language
        self._on_fault = on_fault
        self._taken = 0
        self._made: list[chess.Board] = []
        self._names: dict[int, str] = {}
        self._hearers = Hearers(language=language, mode=setup.mode)
        self._own = setup.opponent if role == "opponent" else None

    def follow(self, scene: Scene) -> None:
        """Take in what has happened up to a scene."""
        if not self._made:
            self._made = [scene.sheet.board()]
            self._hearers = replace(self._hearers, plies_before=self._made[0].ply())
        for step in scene.steps[self._taken : scene.count]:
            for entry in self._entries(step):
                entry["n"] = len(self.entries)
                self.entries.append(entry)
        self._taken = max(self._taken, scene.count)

    def _entries(self, step: Step) -> Iterator[Entry]:
        line = step.line
        by = {} if line is None else self._desk(line)
        is_own = self._role == "opponent" and line is not None and line.get("desk") == "opponent"
        if is_own:
            by["own"] = True
        elif self._waits_for_arbiter(step):
            by["news"] = True
        refused = is_refused(step.events)
        detail = {} if line is None or refused else self._detail(step, line)
        if line is not None and not refused:
            for words in self._read(self._of_line(step, line)):
                yield {"at": _clock(float(line["at"])), "text": words, **detail, **by}
                detail = {}
        undone = line is not None and line["do"] == "undo"
        for event in step.events:
            is_way_back = event.event != "position-restored" or not undone or self._changes(event)
            # Where no move was made that is withdrawn, nobody goes back to where he is.
            said = self._of_event(event) if is_way_back else iter([self._withdrawn])
            is_news = self._role == "opponent" and not is_own and event.event in _NEWS
            news = {"news": True} if is_news else {}
            for words in self._read(said):
                yield {
                    "at": _clock(event.at / 1_000_000),
                    "text": words,
                    **self._article(event),
                    **detail,
                    **by,
                    **news,
                }
                detail = {}

    def _waits_for_arbiter(self, step: Step) -> bool:
        """Return whether the arbiter who reads is called or asked by somebody else."""
        if self._role != "arbiter" or (step.line is not None and step.line.get("desk") == "arbiter"):
            return False
        return caller(step) is not None or any(event.event in _QUESTIONS for event in step.events)

    def _read(self, sentences: Iterator[str]) -> list[str]:
        """Return the sentences of one line or event; one that cannot be said costs no other, and is told."""
        try:
            return list(sentences)
        except Exception as error:
            self._on_fault(error)
            return [text("log-fault", self._language)]

    def _desk(self, line: Mapping[str, Any]) -> Entry:
        desk = line.get("desk")
        return {"by": text(f"log-by-{desk}", self._language)} if desk in ("opponent", "arbiter") else {}

    def _detail(self, step: Step, line: Mapping[str, Any]) -> Entry:
        """Return what the arbiter alone reads beside the first entry of a line."""
        if self._role != "arbiter":
            return {}
        found = self._read(details_of(step, line, self._language))
        return {"detail": in_one(found, self._language)} if found else {}

    # Lines that say more than the events they bring

    def _of_line(self, step: Step, line: Mapping[str, Any]) -> Iterator[str]:
        verb, side = str(line["do"]), line.get("side")
        if verb in ("announce", "correct") and side in SIDES:
            move = self._move(self._before_last_of(side), str(line["move"]))
            yield self._say("log-announced" if verb == "announce" else "log-corrected", side, move=move)
        elif verb in ("touch", "adjust") and self._role == "arbiter" and side in SIDES:
            squares = line["squares"] if isinstance(line["squares"], str) else ", ".join(line["squares"])
            yield self._say(f"log-{'touched' if verb == 'touch' else 'adjusted'}", side, squares=squares)
        elif verb == "place" and self._role == "arbiter" and line.get("desk") == "arbiter" and side in SIDES:
            # Of a move that is announced at the table he need not be told that it was made as well.
            move = self._move(self._before_last_of(side), str(line["move"]))
            yield self._say("log-placed", side, move=move)
        elif verb == "arrive" and side in SIDES:
            yield self._say("log-arrived", side)
        elif verb == "stop-clock" and (called := caller(step)) is not None:
            yield self._say("called-and-stopped", called)
        elif verb == "note":
            yield from self._note(line)

    def _note(self, line: Mapping[str, Any]) -> Iterator[str]:
        who = line.get("signed")
        if who in (*SIDES, "arbiter"):
            how = "signed-witness" if line.get("witness") else "signed"
            result = str(line.get("result", ""))
            yield text(how, self._language, who=person(who, self._language), result=result)
        elif self._role == "arbiter" and is_answer(line):
            yield text("log-came", self._language)
        elif self._role == "arbiter" and line["about"] == "arbiter" and line.get("side") in SIDES:
            yield self._say("called", line["side"])
        elif self._role == "arbiter":
            yield self._remark(line)

    def _remark(self, line: Mapping[str, Any]) -> str:
        """Return a remark of the arbiter as he wrote it, one of the program in words."""
        about, side, seconds = str(line["about"]), line.get("side"), line.get("seconds")
        length = float(seconds) if isinstance(seconds, int | float) else None
        time = {} if length is None else {"time": time_text(round(abs(length), 1), self._language)}
        match about:
            case _ if "desk" in line:
                pass
            case "adjust" if side in SIDES:
                return self._say("log-adjusts", side)
            case steps.TAKEN_BACK if side in SIDES:
                return self._say("log-lets-stand" if "stands" in line else "log-takes-back", side)
            case "warning" if side in SIDES and time:
                return self._say("log-warning", side, **time)
            case "interruption":
                name = "log-interruption" if time else "log-interruption-unknown"
                return text(name, self._language, **time)
            case "sleep" if time:
                return text("log-sleep", self._language, **time)
            case "stopped" if time:
                return text("log-stopped", self._language, **time)
            case "time-of-day" if length is not None:
                name = "log-set-back" if length < 0 else "log-set-forward"
                return text(name, self._language, **time)
        return text("log-note", self._language, text=about)

    def _before_last_of(self, side: object) -> chess.Board:
        """Return the position in which a player makes, or has made, the last move that is his."""
        has_the_move = self._made[-1].turn == (side == "white")
        return self._made[-1] if has_the_move or len(self._made) < 2 else self._made[-2]

    # Events

    def _of_event(self, event: Event) -> Iterator[str]:
        self._place(event)
        keys, name, side = event.keys, event.event, event.keys.get("side")
        if name == "move-completed":
            move = self._names.get(int(keys["ply"]), str(keys["san"]))
            if keys.get("white") is None:
                yield self._say("log-completed-clockless", side, move=move)
            else:
                times = {each: _clock(float(keys[each])) for each in SIDES}
                yield self._say("log-completed", side, move=move, **times)
        elif name in ("repeated", "period-reached") and self._role == "arbiter":
            yield self._say("log-repeated" if name == "repeated" else "log-period", side)
        elif name == "repeat-differs":
            move = self._move(self._before_last_of(other(keys["side"])), str(keys["uci"]))
            yield self._say("log-differs", side, move=move)
        elif name == "envelope-opened" and "text" in keys and self._role == "arbiter":
            yield contents_of(event, self._language)
        elif name == "refused":
            yield from self._refused(event)
        elif name == "answer" and self._role == "arbiter":
            yield from self._answer(event)
        elif name != "answer":
            must = self._move(self._made[-1], str(keys["must"])) if "must" in keys else None
            for sentence in event_sentences(event.as_dict(), self._hearers, must):
                if sentence.audience == "room" or self._may_read(sentence.audience):
                    yield sentence.text
            if name == "position-restored":
                yield from self._completed_again(keys)

    def _completed_again(self, keys: Mapping[str, Any]) -> Iterator[str]:
        for stands in keys.get("moves", ()):
            if "white" in stands:
                move = self._names[int(stands["ply"])]
                yield self._say("log-completed-clockless", stands["side"], move=move)

    def _refused(self, event: Event) -> Iterator[str]:
        if self._role == "arbiter":
            words = sentence_of(event.keys["reason"], self._language)
            yield text("log-refused", self._language, reason=words)
        elif self._own is not None and event.keys.get("side") == self._own:
            yield sentence_for_player(event.as_dict(), self._language, self._setup.mode)

    def _answer(self, event: Event) -> Iterator[str]:
        keys = event.keys
        about = text(f"about-{keys['about']}", self._language)
        yield text("log-answer", self._language, who=person(keys["side"], self._language), about=about)
        if keys["about"] == "law":
            yield law_in(event, self._language)

    def _may_read(self, audience: str) -> bool:
        return self._role == "arbiter" or (self._own is not None and audience == self._own)

    @property
    def _withdrawn(self) -> str:
        return Sentences(self._language).withdrawn().text

    def _changes(self, restored: Event) -> bool:
        """Return whether the men stand otherwise than before."""
        return int(restored.keys["ply"]) + 1 != len(self._made) or "moves" in restored.keys

    def _place(self, event: Event) -> None:
        """Keep the positions in step, so that moves can be written."""
        keys = event.keys
        if event.event == "move-made":
            self._make(keys)
        elif event.event == "position-restored":
            self._made = self._made[: int(keys["ply"]) + 1]
            for stands in keys.get("moves", ()):
                self._make(stands)

    def _make(self, keys: Mapping[str, Any]) -> None:
        ply = int(keys["ply"])
        before = self._made[min(ply, len(self._made)) - 1]
        self._names[ply] = self._move(before, str(keys["uci"]))
        move = chess.Move.from_uci(str(keys["uci"]))
        board = after(before, move) if before.piece_at(move.from_square) is not None else before
        self._made = [*self._made[:ply], board]

    def _move(self, board: chess.Board, uci: str) -> str:
        return written(board, chess.Move.from_uci(uci), self._language, neutral=not self._knows_legality)

    @property
    def _knows_legality(self) -> bool:
        return self._role == "arbiter" or self._setup.mode == "club"

    def _say(self, name: str, side: object, **values: str) -> str:
        return text(name, self._language, side=person(str(side), self._language), **values)

    def _article(self, event: Event) -> Entry:
        article = event.article
        knows_why = self._knows_legality or event.event != "refused" or gives_reason(event.as_dict())
        if article is None or not knows_why:
            return {}
        return {"article": str(article), **({"borrowed": True} if article.borrowed else {})}


def _clock(seconds: float) -> str:
    return clock_text(int(seconds) * 1000)

"""What one role sees of a scene in one language, as plain data for the page."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from typing import Any, Final

import chess

from assistant.arbiter.clockless import words
from assistant.arbiter.forms import time_text
from assistant.arbiter.history import History
from assistant.arbiter.notation import written
from assistant.arbiter.pins import Role
from assistant.arbiter.scene import Call, Clocks, Scene, id_of
from assistant.arbiter.texts import filled, person, text
from assistant.laws import Event, OpenQuestion, law_text, load_edition
from assistant.scoresheet import clock_text
from assistant.sides import SIDES, Side, side_of
from assistant.speaking import CLAIMS, ENDINGS, duration_in_words, to_decide
from assistant.speaking import SIDES as SIDE_NAMES

State = dict[str, Any]

_SCREENS: Final = ("screens", "screens-no-claim")
"""The kinds of articles on what a screen in the hall may show."""


def clocks_view(clocks: Clocks) -> State:
    """Return both clocks: milliseconds, and which one runs."""
    return asdict(clocks)


def screen_rule(edition: str, language: str) -> list[State]:
    """Return what the Laws say about a screen that shows the game."""
    articles = load_edition(edition).articles["standard"]
    found = (law_text(edition, articles[kind].number, language) for kind in _SCREENS if kind in articles)
    return [
        {"article": f"{law.edition} {law.article}", "borrowed": law.borrowed, "text": law.text}
        for law in found
        if law is not None
    ]


def state(scene: Scene, role: Role, language: str, history: History | None = None) -> State:
    """Return what a role sees; times in milliseconds, squares by name, men as in a FEN.

    Position, moves, their number and the clocks are for everybody (2023 6.12.1, 2014 6.13, 2009 6.14); what
    is illegal and what waits for a ruling is for the arbiter alone. `history` is brought up to date; with the
    same one for every scene only what is new is worked out.
    """
    setup = scene.setup
    history = history or History()
    history.follow(scene.sheet)
    view = _View(scene, role, language, history)
    seen: State = {
        "role": role,
        "isFollowed": bool(scene.followed),
        "white": {"name": setup.white.name},
        "black": {"name": setup.black.name},
        "modeText": text(f"mode-{setup.mode}", language),
        "modeHelp": text(f"mode-{setup.mode}-help", language),
        "laws": text(
            "laws", language, edition=setup.laws, category=text(f"category-{scene.category}", language)
        ),
        "screen": screen_rule(setup.laws, language),
        "chess960": scene.sheet.chess960,
        "phase": scene.phase,
        "ply": scene.plies,
        "mark": scene.mark,
        "toMove": scene.to_move,
        "status": view.status(),
        "board": view.board(),
        "last": view.last(),
        "moves": view.moves(),
        "captured": view.captured(),
        "clocks": clocks_view(scene.clocks),
        "offer": scene.offer,
        "result": scene.result,
        "signatures": view.signatures(),
        "pending": scene.pending.side if scene.pending else None,
    }
    if role == "opponent":
        seen["side"] = setup.opponent
        seen["seals"] = scene.seals is not None and scene.seals == seen["side"]
        seen["offered"] = view.offer() if scene.offer not in (None, setup.opponent) else ""
    if role == "arbiter":
        seen["hasEnvelope"] = any(
            "envelope" in event.keys for step in scene.steps[: scene.count] for event in step.events
        )
        seen["completed"] = scene.completed
        seen["hurried"] = view.hurried()
        seen["calls"] = [view.call(each) for each in scene.calls]
        seen["questions"] = [view.question(each) for each in scene.questions]
    return seen


class _View:
    def __init__(self, scene: Scene, role: Role, language: str, history: History) -> None:
        self._scene = scene
        self._history = history
        self._role = role
        self._language = language
        self._neutral = role != "arbiter" and scene.setup.mode == "rated"

    def _say(self, name: str, **values: str) -> str:
        return text(name, self._language, **values)

    def _side(self, side: str) -> str:
        return person(side, self._language)

    def hurried(self) -> list[str]:
        """Say who has little time."""
        rules = load_edition(self._scene.setup.laws).rules["standard"]
        time = duration_in_words(rules.recording_exempt_below * 1000, self._language)
        return [self._say("hurried", side=self._side(side), time=time) for side in self._scene.hurried]

    def status(self) -> list[str]:
        """Say in sentences how the game stands."""
        scene = self._scene
        if scene.phase == "over":
            reason = filled(ENDINGS.get(scene.reason, ENDINGS["arbiter"]), self._language)
            return [self._say("over", result=scene.result, reason=reason)]
        lines: list[str] = []
        if scene.followed == "silent":
            lines.append(self._say("followed-silent"))
        if scene.seals is not None:
            lines.append(self._say("sealing-now", side=self._side(scene.seals)))
            if scene.is_halted:
                lines.append(self._say("stopped"))
        elif scene.phase in ("waiting", "adjourned") or (scene.phase == "stopped" and scene.has_clock):
            lines.append(words(scene.phase, self._language, has_clock=scene.has_clock))
        if scene.pending is not None:
            lines.append(self.pending())
        elif scene.declares is not None:
            lines.append(self._say("declares-now", side=self._side(scene.declares)))
        elif scene.replied is not None:
            lines.append(self._say("reply-sealed", side=self._side(scene.replied)))
        elif scene.seals is None:
            lines.append(self._say("to-move", side=self._side(scene.to_move)))
        if scene.offer is not None:
            lines.append(self.offer())
        if any(each.is_claim for each in scene.questions):
            lines.append(self._say("claim-open"))
        return [*lines, *(self.hurried() if self._role == "arbiter" else ())]

    def offer(self) -> str:
        offer = self._scene.offer
        assert offer is not None
        return self._say("offer-open", side=self._side(offer))

    def pending(self) -> str:
        pending = self._scene.pending
        assert pending is not None
        move = written(pending.before, pending.move, self._language, neutral=self._neutral)
        return self._say("pending", side=self._side(pending.side), move=move)

    def board(self) -> dict[str, str]:
        return {
            chess.square_name(square): man.symbol()
            for square, man in self._scene.board_after(self._history.board).piece_map().items()
        }

    def last(self) -> list[str]:
        """Return the squares of the last move that was announced or made."""
        scene = self._scene
        move = scene.pending.move if scene.pending else None
        if move is None and scene.sheet.plies:
            move = scene.sheet.plies[-1].move
        if move is None:
            return []
        return [chess.square_name(move.from_square), chess.square_name(move.to_square)]

    def moves(self) -> list[State]:
        """Return the half-moves: number, side and how each is written."""
        plies, history = self._scene.sheet.plies, self._history
        texts = history.texts(self._language, neutral=self._neutral)
        return [
            {
                "number": made.before.fullmove_number,
                "side": side_of(made.before.turn),
                "text": text,
                **({"clock": clock_text(ply.clock_ms)} if ply.clock_ms is not None else {}),
                **({"offer": True} if ply.offer else {}),
                **({"illegal": True} if made.is_illegal and self._role == "arbiter" else {}),
            }
            for ply, made, text in zip(plies, history.made, texts, strict=True)
        ]

    def captured(self) -> dict[Side, list[str]]:
        """Return the men that were captured, dearest first, as letters of a FEN."""
        taken = Counter(made.captured for made in self._history.made)
        return {
            "white": [man for man in "QRBNP" for _ in range(taken[man])],
            "black": [man for man in "qrbnp" for _ in range(taken[man])],
        }

    def call(self, call: Call) -> str:
        """Say who has called the arbiter."""
        return self._say("called-and-stopped" if call.has_stopped else "called", side=self._side(call.side))

    def question(self, question: OpenQuestion) -> State:
        """Return a question to the arbiter in words."""
        side = self._side(question.side or "arbiter")
        if question.is_claim:
            claim = (
                filled(CLAIMS[question.what], self._language) if question.what in CLAIMS else question.what
            )
            words = self._say("question-claim", side=side, claim=claim)
        else:
            message = to_decide(question.what, question.side)
            named = {} if question.side is None else {"side": SIDE_NAMES[question.side]}
            words = filled(message, self._language, **named)
            if named and "{side}" not in message.singular:
                words = f"{words} {self._say('question-side', side=side)}"
        asked = self._asked(question)
        proposal = None if asked is None else asked.keys.get("proposal")
        return {
            "id": id_of(question),
            "text": words,
            **(
                {"proposal": self._say("proposal", proposal=self._proposal(question, proposal))}
                if proposal is not None
                else {}
            ),
            **({"article": str(asked.article)} if asked is not None and asked.article else {}),
        }

    def _proposal(self, question: OpenQuestion, proposal: object) -> str:
        if isinstance(proposal, list):
            return ", ".join(map(str, proposal))
        if question.what == "times" and isinstance(proposal, int | float):
            return time_text(float(proposal), self._language)
        if question.what == "assistant-time":
            return self._say("proposal-as-set")
        named = {"warning": "penalty-warning", "continue": "proposal-continue"}.get(str(proposal))
        return str(proposal) if named is None else text(named, self._language)

    def _asked(self, question: OpenQuestion) -> Event | None:
        """Return the event with which a question was put, the last one that fits."""
        name, key = ("claim-waits", "of") if question.is_claim else ("arbiter-asked", "about")
        for step in reversed(self._scene.steps[: self._scene.count]):
            for event in reversed(step.events):
                keys = event.keys
                fits = event.event == name and keys.get(key) == question.what
                if fits and keys.get("side") in (question.side, "arbiter", None):
                    return event
        return None

    def signatures(self) -> list[State]:
        """Say who has signed the result and who has not; empty while the game goes on."""
        if self._scene.phase != "over":
            return []
        signed = {each.who: each for each in self._scene.signatures}
        lines: list[State] = []
        for who in (*SIDES, "arbiter"):
            name = self._side(who)
            signature = signed.get(who)
            if signature is None:
                words = self._say("unsigned", who=name)
            else:
                how = "signed-witness" if signature.is_witnessed else "signed"
                words = self._say(how, who=name, result=signature.result)
            lines.append({"who": who, "signed": signature is not None, "text": words})
        return lines

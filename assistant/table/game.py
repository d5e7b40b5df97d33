"""One live game: what is heard or typed becomes script lines, what the referee decides is told and written.

No threads, no devices and no clock of its own: utterances, typed lines and the passing of time come in with
their times, so that a recording and a microphone take exactly the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol

import chess

from assistant.announcements import (
    Command,
    Decision,
    Phrasebook,
    Thresholds,
    Vocabulary,
    decide,
    parse,
    what_differs,
)
from assistant.laws import Event
from assistant.moves import read_move
from assistant.scoresheet import Game
from assistant.speaking import Sentence
from assistant.table.course import Course, Record, is_refused
from assistant.table.dialogue import REPETITION, Announced, Asked, expected
from assistant.table.setup import SIDES, Setup, Side
from assistant.table.voices import Voice
from assistant.utterance import Utterance

GRACE = 0.7
"""Seconds of silence after the read-back before Hector presses for the player: room for a correction."""
PARDON_EVERY = 15.0
"""Seconds in which "Pardon?" is said at most once."""
ALMOST_SPEECH = 2.0
"""How many times the limit of foreign speech may be exceeded and still be worth a "Pardon?"."""
MOST_CHOICES = 3
"""More moves than this are not asked between: nobody keeps them in mind."""


class Ear(Protocol):
    """Whoever has to know what may be said now."""

    def expect(self, book: Phrasebook) -> None:
        """Listen for these phrases from now on."""


class Table:
    """One game at the board. Every method takes times in seconds since the clock was first started."""

    def __init__(
        self,
        setup: Setup,
        vocabulary: Vocabulary,
        thresholds: Thresholds,
        voice: Voice,
        record: Record,
        ear: Ear | None = None,
        show: Callable[[str], None] = lambda line: None,
    ) -> None:
        self.setup = setup
        self.vocabulary = vocabulary
        self.thresholds = thresholds
        self.course = Course(setup, vocabulary, voice, record, show)
        self.memory = self.course.memory
        self.utterances = 0
        """How many utterances have been decided on."""
        self._heard_at = 0.0
        self._ear = ear
        self._show = show
        self._say_in = self.course.sentences
        self._wording = self.course.wording
        self._expected = expected(self.board, self.memory, vocabulary)

    # What others may know

    @property
    def board(self) -> chess.Board:
        """The position with the last move that was made; a copy."""
        return self.course.board

    @property
    def sheet(self) -> Game:
        """The game as it stands on the scoresheet."""
        return self.course.sheet

    @property
    def over(self) -> bool:
        return self.course.over

    @property
    def now(self) -> float:
        """The game's time, as far as anything has happened."""
        return self.course.now

    @property
    def plies(self) -> int:
        """How many half-moves were announced or made, the one that waits for its press included."""
        made = self.course.made
        return max(made, self.memory.pending.ply) if self.memory.pending else made

    @property
    def is_silent(self) -> bool:
        """Whether Hector has nothing more to say."""
        return self.course.voice.silent_since(self.now) <= self.now

    @property
    def floor(self) -> Side:
        """The player whose move the next announcement is about: until the press still the one who moved."""
        return self.memory.pending.side if self.memory.pending else self.course.side_to_move

    # What happens

    def start(self, at: float = 0.0) -> None:
        """Start the clock of the player who has the move."""
        self.course.begin(at)
        self._listen()

    def resume(self, lines: Iterable[dict[str, Any]], at: float) -> None:
        """Take up a game from the lines of its journal; nothing of it is told again."""
        for line in lines:
            self.course.apply(line)
        self.course.now = max(self.now, at)
        self.course.say(self._say_in.resumed(self.course.side_to_move))
        self._finish()

    def hear(self, utterance: Utterance, zero: float = 0.0) -> Decision:
        """Act on an utterance; `zero` is the source's time when the game's clock was started.

        What counts is when the player stopped speaking, not when he was understood.
        """
        self.utterances += 1
        at = max(self.now, round(utterance.end - zero, 3))
        decision = decide(utterance, self._expected.book, self.thresholds)
        if decision.kind != "reject" and decision.words in self._expected.replies:
            # Where Hector presses, an opponent who answers shows that the move is made: his reply counts as
            # begun when he began to speak, and the mover's time ends there.
            self._press(max(self.now, round(utterance.start - zero, 3)))
        at = max(self.now, at)
        self._show(_heard_line(self.floor, decision))
        self.course.now = self._heard_at = at
        if decision.kind == "accept":
            self._accept(decision, at)
        elif decision.kind == "ask":
            self._ask_back(decision, at)
        elif _is_almost_speech(decision, self.thresholds):
            self._pardon(at)
        return decision

    def miss(self, at: float) -> None:
        """Ask again for what was said while nobody could hear all of it."""
        self.course.now = self._heard_at = at = max(self.now, round(at, 3))
        self._pardon(at)

    def type(self, text: str, at: float) -> None:
        """Act on a line that was typed: a move in any notation, a command's words, or one of the keys."""
        self.course.now = self._heard_at = at = max(self.now, round(at, 3))
        text = text.strip()
        key = _KEYS.get(text.lower())
        if key is not None:
            self._command(key, at, self._typist() if key.name in _OPPONENTS_KEYS else self._speaker())
            return
        position = self.memory.pending.before if self.memory.pending else self.board
        reading = parse(position, text, self.vocabulary)
        if reading.command is not None:
            # Whoever types the words of the announcements cannot be heard: it is the blind player.
            self._command(reading.command, at, self._speaker())
            return
        moves = read_move(position, text, self.setup.language)
        said = self.memory.repeatable
        if said is not None and not any(move in position.legal_moves for move in moves):
            again = read_move(said.before, text, self.setup.language)
            if again == [said.move]:
                self._repetition(said, at, {"typed": text})
                return
        if len(moves) == 1:
            self._announcement(moves[0], at, {"typed": text})
        elif moves:
            self._ask_which(moves, at, text)
        elif self.setup.mode == "club" and reading.reason is not None:
            self.course.say(self._wording.not_legal(reading.reason))
        else:
            self.course.say(self._say_in.pardon())

    def act(self, line: Mapping[str, Any], at: float) -> list[Event]:
        """Carry out a line of the game script that was neither said nor typed here; return what it brought.

        Its `side` is whoever acts; a `move` is UCI. What is refused is told to nobody aloud: whoever sent the
        line can be told where he sent it from.

        :raises ScriptError: if it is no line of a script; then nothing has changed.
        """
        line = {"at": max(self.now, round(at, 3)), **line}
        side, pending = line.get("side"), self.memory.pending
        said: str | None = None
        if line["do"] in ("announce", "correct"):
            if pending is not None and pending.side != side and self.setup.press == "auto":
                self._press(line["at"])
            self._heard_at = line["at"]
            said = self._words(chess.Move.from_uci(line["move"]))
        elif line["do"] == "press" and pending is not None and pending.side == side:
            self._place(line["at"])
        events = self.course.rule(line, tell=False)
        if not is_refused(events):
            if said is not None:
                corrected = line["do"] == "correct"
                self.course.say(
                    self._say_in.corrected(said, self.plies)
                    if corrected
                    else self._say_in.readback(said, self.plies)
                )
            self.course.tell(events, self.now, said or (self.memory.last.text if self.memory.last else None))
        self._finish()
        return events

    def tick(self, now: float, *, speech_since: float | None = None) -> None:
        """Let time pass up to `now`, but not beyond the beginning of an utterance that is going on."""
        if self.over:
            return
        due = self._press_due(now)
        if due is not None and (speech_since is None or due <= speech_since):
            self.course.now = max(self.now, round(due, 3))
            self._press(self.now)
        if self.memory.asked is not None and self.memory.asked.is_stale(now) and speech_since is None:
            self.memory.asked = None
            self._listen()
        limit = now if speech_since is None else min(now, speech_since)
        if limit > self.now:
            self.course.advance(limit)
            if self.over:
                self._finish()

    def device(self, name: str, *, lost: bool) -> None:
        """Say that a device has gone or is back."""
        self.course.say(self._say_in.device_lost(name) if lost else self._say_in.device_back(name))  # type: ignore[arg-type]

    # Understanding

    def _accept(self, decision: Decision, at: float) -> None:
        if decision.move is not None:
            self._announcement(decision.move, at, _evidence(decision))
        elif decision.command is not None:
            self._command(decision.command, at, self._speaker())

    def _ask_back(self, decision: Decision, at: float) -> None:
        moves = [meaning.move for meaning in decision.candidates if meaning.move is not None]
        if decision.code == "illegal":
            self._heard_illegal(decision, moves, at)
        elif len(moves) > 1:
            self._ask_which(moves, at, decision.text)
        elif moves:
            self._ask_this(moves[0], at)
        elif decision.candidates and decision.candidates[0].command is not None:
            self._confirm(decision.candidates[0].command, at, self._speaker(), decision.text)
        else:
            self._pardon(at)

    def _heard_illegal(self, decision: Decision, likely: list[chess.Move], at: float) -> None:
        """Deal with an announcement that is clear and not legal: a club game refuses it, a rated one asks
        whether it was said, as it would ask about any other, and then records it as announced."""
        reading = decision.reading
        if reading is None or (reading.stated is None and reading.said is None):
            self._pardon(at)
        elif self.setup.mode == "club":
            if reading.reason is not None:
                self.course.say(self._wording.not_legal(reading.reason))
        elif reading.stated is not None:
            self._question(
                Asked("illegal", at, (reading.stated,), heard_at=at, text=decision.text),
                self._say_in.did_you_mean(decision.text),
            )
        elif likely:
            self._ask_this(likely[0], at)
        else:
            self._pardon(at)

    def _ask_which(self, moves: list[chess.Move], at: float, text: str) -> None:
        moves = list(dict.fromkeys(moves))[:MOST_CHOICES]
        position = self.memory.pending.before if self.memory.pending else self.board
        if len(moves) == 1 or any(move not in position.legal_moves for move in moves):
            self._ask_this(moves[0], at)
            return
        question = what_differs(position, moves, self.vocabulary)
        self._question(
            Asked("which", at, tuple(moves), question=question, heard_at=at, text=text),
            self._wording.which(question),
        )

    def _ask_this(self, move: chess.Move, at: float) -> None:
        text = self._words(move)
        self._question(
            Asked("this-move", at, (move,), heard_at=at, text=text), self._say_in.did_you_mean(text)
        )

    def _confirm(self, command: Command, at: float, side: Side, text: str = "") -> None:
        try:
            sentence = self._say_in.confirm(command.name, command.of)
        except KeyError:
            sentence = self._say_in.did_you_mean(text or command.name)
        self._question(Asked("command", at, command=command, side=side, heard_at=at, text=text), sentence)

    def _question(self, asked: Asked, sentence: Sentence) -> None:
        self.memory.asked = asked
        self.course.say(sentence)
        self._listen()

    def _pardon(self, at: float) -> None:
        if at - self.memory.pardoned_at >= PARDON_EVERY:
            self.memory.pardoned_at = at
            self.course.say(self._say_in.pardon())

    def _words(self, move: chess.Move) -> str:
        """Return a move as Hector announces it in the position that it is about."""
        position = self.memory.pending.before if self.memory.pending else self.board
        return self._wording.move(position, move)

    # Moves

    def _announcement(self, move: chess.Move, at: float, evidence: dict[str, Any]) -> None:
        self.memory.asked = None
        pending = self.memory.pending
        if pending is not None and move == pending.move and not self.memory.correcting:
            self._repetition(Announced(pending.side, move, pending.before, self._words(move)), at, evidence)
            return
        verb, side = ("announce", self.course.side_to_move) if pending is None else ("correct", pending.side)
        line = {"at": at, "do": verb, "side": side, "move": move.uci(), **evidence}
        text = self._words(move)
        events = self.course.rule(line, tell=False)
        self.memory.correcting = False
        if not is_refused(events):
            ply = self.plies
            correction = verb == "correct"
            self.course.say(
                self._say_in.corrected(text, ply) if correction else self._say_in.readback(text, ply)
            )
        self.course.tell(events, at, text)
        self._finish()

    def _repetition(self, said: Announced, at: float, evidence: dict[str, Any]) -> None:
        """Record that an announcement was repeated, as the opponent has to (D.2.1)."""
        line = {"at": at, "do": "repeat", "side": _other(said.side), "move": said.move.uci(), **evidence}
        self.course.tell(self.course.rule(line, tell=False), at, said.text)
        self._listen()

    def _press(self, at: float) -> None:
        pending = self.memory.pending
        side = pending.side if pending else self.course.side_to_move
        self._place(at)
        if not self.over:
            self.course.rule({"at": at, "do": "press", "side": side})
        self._finish()

    def _place(self, at: float) -> None:
        """Note that a blind player has placed the man he announced.

        The announcement stands for the man in his hole, which no one but the player can feel; he says with
        the press that both are done (D.2.3).
        """
        pending = self.memory.pending
        if pending and self.setup.person(pending.side).blind and self.course.made < pending.ply:
            move = pending.move.uci()
            self.course.rule({"at": at, "do": "place", "side": pending.side, "move": move}, tell=False)

    def _press_due(self, now: float) -> float | None:
        """Return when Hector presses for the player, if that time has come."""
        if self.setup.press != "auto" or self.memory.pending is None or self.memory.asked is not None:
            return None
        if self.memory.correcting:
            return None
        due = max(self.course.voice.silent_since(now), self._heard_at) + GRACE
        return due if due <= now else None

    # Commands

    def _command(self, command: Command, at: float, side: Side) -> None:
        if command.name in ("yes", "no"):
            self._answered(command.name == "yes", at)
        elif command.confirm:
            self._confirm(command, at, side)
        else:
            self._carry_out(command, at, side)

    def _answered(self, yes: bool, at: float) -> None:
        asked, self.memory.asked = self.memory.asked, None
        if asked is None:
            self.course.say(self._say_in.nothing_to_answer())
        elif not yes:
            self.course.say(self._say_in.dropped())
        elif asked.command is not None:
            self._carry_out(asked.command, at, asked.side or self._speaker())
        elif len(asked.moves) == 1:
            self._announcement(asked.moves[0], at, {"confirmed": asked.text, "heard_at": asked.heard_at})
        else:
            self.course.say(self._say_in.nothing_to_answer())
        self._listen()

    def _carry_out(self, command: Command, at: float, side: Side) -> None:
        match command.name:
            case "press":
                self._press(at)
            case "correction":
                self._begin_correction()
            case "times" | "moves-completed" | "last-move":
                self._ask_referee(command.name, side, at)
            case "position" | "square" | "piece":
                # In a rated game the board itself is there to be felt.
                in_club = self.setup.mode == "club"
                self.course.say(
                    self._wording.about_the_board(command, self.board)
                    if in_club
                    else self._say_in.not_available()
                )
            case "repeat":
                self.course.say(self.course.last_said or self._say_in.nothing_to_repeat())
            case "stop":
                self.course.voice.cancel()
            case "help":
                self.course.say(self._wording.help())
            case "arbiter":
                self.course.say(self._say_in.arbiter_called())
            case "claim" if command.of is None:
                self._question(Asked("claim", at), self._wording.which_claim())
            case "claim":
                self.course.rule({"at": at, "do": "claim", "side": side, "of": command.of})
                self._finish()
            case "resign" | "offer-draw":
                self.course.rule({"at": at, "do": command.name, "side": side})
                self._finish()
            case "accept-draw" | "decline-draw":
                self.course.rule({"at": at, "do": command.name, "side": self._offered_to(side)})
                self._finish()
            case name if name == REPETITION and self.memory.repeatable is not None:
                self._repetition(self.memory.repeatable, at, {})

    def _speaker(self) -> Side:
        """Return whose words a spoken command is: the blind player's; of two, the one's whose turn it is."""
        blind = [side for side in SIDES if self.setup.person(side).blind]
        return blind[0] if len(blind) == 1 else self.floor

    def _typist(self) -> Side:
        """Return whose a key of the opponent's is: the sighted player's; of two, the one's on the move."""
        sighted = [side for side in SIDES if not self.setup.person(side).blind]
        return sighted[0] if len(sighted) == 1 else self.floor

    def _offered_to(self, side: Side) -> Side:
        """Return who can answer the draw offer; without one, whoever wants to."""
        offered_by = self.course.referee.status().keys.get("draw_offer")
        return _other(offered_by) if offered_by in SIDES else side

    def _begin_correction(self) -> None:
        if self.memory.pending is None:
            self.course.say(self._say_in.nothing_to_correct())
            return
        self.memory.correcting = True
        self.course.say(self._say_in.ask_for_correction())

    def _ask_referee(self, about: str, side: Side, at: float) -> None:
        events = self.course.rule({"at": at, "do": "ask", "side": side, "about": about}, tell=False)
        self.course.tell(events, at, self.memory.last.text if self.memory.last else None)

    def _finish(self) -> None:
        """Bring everything up to date that hangs on the position."""
        self.course.write_sheets()
        self._listen()

    def _listen(self) -> None:
        replies = self.setup.press == "auto"
        self._expected = expected(self.board, self.memory, self.vocabulary, replies=replies)
        if self._ear is not None:
            self._ear.expect(self._expected.book)


_KEYS = {
    "": Command("press"),
    "?": Command("help"),
    "t": Command("times"),
    "m": Command("moves-completed"),
    "l": Command("last-move"),
    "r": Command("repeat"),
    "k": Command("correction"),
    "s": Command("stop"),
    "y": Command("yes"),
    "n": Command("no"),
    "draw": Command("offer-draw"),
    "accept": Command("accept-draw"),
    "decline": Command("decline-draw"),
    "resign": Command("resign", confirm=True),
}

_OPPONENTS_KEYS = frozenset({"offer-draw", "accept-draw", "decline-draw", "resign"})
"""Keys of the sighted player; the others ask for what only a blind player is told (D.2.10.4)."""


def _other(side: str) -> Side:
    return "black" if side == "white" else "white"


def _evidence(decision: Decision) -> dict[str, Any]:
    """Return what the journal keeps about how a move was heard."""
    return {"heard": " ".join(decision.words), "confidence": round(decision.confidence, 3)}


def _is_almost_speech(decision: Decision, thresholds: Thresholds) -> bool:
    """Return whether an utterance was nearly understood: worth asking for, unlike the talk of the hall."""
    limit = thresholds.announcement.foreign
    return decision.words != () and decision.margins.foreign <= ALMOST_SPEECH * limit


def _heard_line(floor: Side, decision: Decision) -> str:
    what = decision.text or "nothing"
    if decision.kind == "accept":
        return f"{floor.capitalize()}: {what}"
    return f"{floor.capitalize()}: {what} ({decision.kind}: {decision.code})"

"""Whatever anybody types, in any order: the referee never breaks, and what must hold always holds."""

from __future__ import annotations

import json
from typing import Any

import chess
import pytest
from exploring import examples
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from assistant.laws import Referee, edition_names
from assistant.laws.script import CLAIMS, PENALTIES
from assistant.moves import read_move

POSITIONS = (
    None,
    None,
    "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1",
    "8/4P1k1/8/8/8/8/8/4K2Q w - - 0 1",
    "8/8/8/4k3/8/3NK3/5p2/8 b - - 0 60",
    "k7/8/8/8/8/8/1q6/7K w - - 148 100",
    "4k3/P7/8/8/8/8/7p/4K3 w - - 0 1",
)
CONTROLS = ("5400+30", "60", "30+2", "3/40:30", "300d3", "-", "2/20+1:10d2", "1/10:60", "0.5")
SIDES = ("white", "black")
PEOPLE = ("white", "black", "arbiter")
PAUSES = (0, 0, 0.25, 1, 1, 3, 20)
QUESTIONS = ("times", "moves-completed", "moves-to-control", "last-move", "position", "law", "best-move")
SCRAPS = ("e9", "Nf3", "0-0", "xx", "e7e8", "K?x?", "a7a8", "h2h1", "e2e4", "e1g1")

sides = st.sampled_from(SIDES)
people = st.sampled_from(PEOPLE)
pauses = st.sampled_from(PAUSES)
squares = st.sampled_from(chess.SQUARE_NAMES)
players = st.fixed_dictionaries(
    {"blind": st.booleans(), "present": st.sampled_from((True, True, True, False))}
)
games = st.fixed_dictionaries(
    {
        "laws": st.sampled_from(edition_names()),
        "time_control": st.sampled_from(CONTROLS),
        "mode": st.sampled_from(("rated", "club")),
        "supervised": st.booleans(),
        "quickplay_finish": st.booleans(),
        "fen": st.sampled_from(POSITIONS),
        "white": players,
        "black": players,
        "draw_offers": st.sampled_from(("free", "free", "forbidden", 3)),
    }
)


class AnyGame(RuleBasedStateMachine):
    """One game; every rule is one line of a script."""

    @initialize(game=games, started=st.sampled_from((True, True, True, True, False)))
    def begin(self, game: dict[str, Any], started: bool) -> None:
        self.game = game
        self.referee = Referee(game, read_move)
        self.at = 0.0
        self.lines: list[dict[str, Any]] = []
        self.said: list[list[str]] = []
        self.status = self.referee.status().as_dict()
        self.stopped = False
        if started:
            self.apply(0, "start")

    def apply(self, pause: float, verb: str, **keys: Any) -> None:
        before = self.status
        self.at += pause
        line = {"at": self.at, "do": verb, **keys}
        foreseen = self.foreseen(line) if len(self.lines) % 4 == 3 else None
        down = self.flags_down()
        events = self.referee.apply(line)
        assert foreseen is None or foreseen == [event.as_json() for event in events]
        self.lines.append(line)
        self.said.append([event.as_json() for event in events])
        self.status = after = self.referee.status().as_dict()
        told = [event.as_dict() for event in events]
        if before["result"] != "*":
            assert [each["event"] for each in told] == ["refused"]
            assert {**after, "at": 0} == {**before, "at": 0}, "a finished game stays finished"
        if len(told) == 1 and told[0]["event"] == "refused":
            for name in ("fen", "ply", "moves", "draw_offer", "result"):
                assert before[name] == after[name], "what is refused changes nothing"
        assert [each["at"] for each in told] == sorted(each["at"] for each in told), "events in time order"
        self.check_time(before, after, told, pause)
        self.check_stop(verb, before["running"], after["running"])
        if verb in ("press", "announce", "place"):
            assert down <= self.flags_down() or after["result"] != "*", "no move takes a fallen flag back"

    def flags_down(self) -> set[str]:
        clock = self.referee._game.clock
        return {side for side in SIDES if clock.display(side).fallen is not None}

    def check_stop(self, verb: str, before: str, after: str) -> None:
        """What was stopped by `stop-clock` no ruling starts, nor does one while a claim stops the clocks."""
        if after != "none":
            assert verb != "rule" or before != "none" or not self.stopped
            assert verb != "rule" or before != "none" or not any(q.stops for q in self.referee._game.waiting)
            self.stopped = False
        elif before != "none":
            self.stopped = verb == "stop-clock"

    def foreseen(self, line: dict[str, Any]) -> list[str]:
        """Look ahead, which judges every line again that counted: a refused one has left nothing behind."""
        foreseen = self.referee.foresee(line)
        assert self.referee.status().as_dict() == self.status, "who looks ahead changes nothing"
        return [event.as_json() for event in foreseen]

    def check_time(
        self, before: dict[str, Any], after: dict[str, Any], told: list[dict[str, Any]], pause: float
    ) -> None:
        """No time is created out of nothing, and what passes is taken from one clock at most."""
        if after["white"] is None:
            return
        reasons = {"move-completed", "penalty", "clock-set", "claim-wrong", "claim-right", "period-reached"}
        reasons |= {"position-restored", "clock-started", "illegal-move"}
        lost = (before["white"] + before["black"]) - (after["white"] + after["black"])
        if not reasons & {each["event"] for each in told}:
            assert -1e-9 <= lost <= pause + 1e-9
            if before["running"] == "none":
                assert lost == 0

    @property
    def turn(self) -> str:
        return str(self.status["turn"])

    def some_move(self, pick: int, scrap: str | None) -> str:
        if scrap is not None:
            return scrap
        board = chess.Board(self.status["fen"])
        legal = [move.uci() for move in board.legal_moves]
        return legal[pick % len(legal)] if legal else "e2e4"

    @rule(
        pause=pauses,
        verb=st.sampled_from(("announce", "announce", "place", "correct", "repeat", "seal")),
        pick=st.integers(0, 300),
        scrap=st.one_of(
            st.none(), st.none(), st.sampled_from(SCRAPS), st.tuples(squares, squares).map("".join)
        ),
        wrong=st.sampled_from((False, False, False, False, True)),
    )
    def move(self, pause: float, verb: str, pick: int, scrap: str | None, wrong: bool) -> None:
        side = self.turn if not wrong else SIDES[self.turn == "white"]
        self.apply(pause, verb, side=side, move=self.some_move(pick, scrap))

    @rule(pause=pauses, side=sides, running=st.booleans())
    def press(self, pause: float, side: str, running: bool) -> None:
        side = self.status["running"] if running and self.status["running"] != "none" else side
        self.apply(pause, "press", side=side)

    @rule(pause=pauses, pick=st.integers(0, 300))
    def ordinary_move(self, pause: float, pick: int) -> None:
        side = self.turn
        move = self.some_move(pick, None)
        if self.game[side]["blind"]:
            self.apply(pause, "place", side=side, move=move)
        self.apply(0, "announce", side=side, move=move)
        self.apply(pause, "press", side=side)

    @rule(
        pause=pauses, verb=st.sampled_from(("touch", "adjust")), side=sides, men=st.lists(squares, min_size=1)
    )
    def touch(self, pause: float, verb: str, side: str, men: list[str]) -> None:
        self.apply(pause, verb, side=side, squares=men[:4])

    @rule(
        pause=pauses,
        verb=st.sampled_from(("offer-draw", "accept-draw", "decline-draw", "arrive")),
        side=sides,
    )
    def speak(self, pause: float, verb: str, side: str) -> None:
        self.apply(pause, verb, side=side)

    @rule(
        pause=pauses,
        side=people,
        of=st.sampled_from(CLAIMS),
        move=st.one_of(st.none(), st.integers(0, 300)),
        wait=st.booleans(),
    )
    def claim(self, pause: float, side: str, of: str, move: int | None, wait: bool) -> None:
        keys: dict[str, Any] = {} if move is None else {"move": self.some_move(move, None)}
        self.apply(pause, "claim", side=side, of=of, wait=wait, **keys)

    @rule(pause=pauses, side=people, about=st.sampled_from(QUESTIONS))
    def ask(self, pause: float, side: str, about: str) -> None:
        self.apply(pause, "ask", side=side, about=about, article="9.2")

    @rule(pause=pauses, verb=st.sampled_from(("stop-clock", "resume", "start", "undo")), by=people)
    def clock(self, pause: float, verb: str, by: str) -> None:
        self.apply(pause, verb, **({"by": by} if verb in ("stop-clock", "resume") else {}))

    @rule(
        pause=pauses,
        claim=st.sampled_from(("accept", "reject", "postpone")),
        seconds=st.sampled_from((None, 0, 60)),
    )
    def rule_on(self, pause: float, claim: str, seconds: int | None) -> None:
        self.apply(pause, "rule", claim=claim, seconds=seconds)

    @rule(
        pause=pauses,
        white=st.sampled_from((None, 0, 5, 100)),
        black=st.sampled_from((0, 5, 100)),
        moves=st.sampled_from((None, 0, 3)),
    )
    def set_clock(self, pause: float, white: int | None, black: int, moves: int | None) -> None:
        self.apply(pause, "set-clock", white=white, black=black, moves=moves)

    @rule(
        pause=pauses,
        side=sides,
        kind=st.sampled_from(PENALTIES),
        seconds=st.sampled_from((0, 10, 60)),
        points=st.sampled_from((0, 0.5, 1)),
    )
    def penalty(self, pause: float, side: str, kind: str, seconds: int, points: float) -> None:
        self.apply(pause, "penalty", side=side, kind=kind, seconds=seconds, points=points)

    @rule(pause=pauses, ply=st.integers(0, 6))
    def restore(self, pause: float, ply: int) -> None:
        self.apply(pause, "restore", ply=ply)

    @rule(pause=pauses, reply=st.sampled_from(("e5", "c5", "zz")))
    def sheets(self, pause: float, reply: str) -> None:
        self.apply(pause, "sheets", white=["e4", "e5"], black=["e4", reply])

    @rule(pause=pauses, verb=st.sampled_from(("adjourn", "open-envelope", "envelope-lost")))
    def adjourn(self, pause: float, verb: str) -> None:
        self.apply(pause, verb)

    @rule(pause=pauses, side=sides)
    def adjourn_in_order(self, pause: float, side: str) -> None:
        sealer = self.turn
        self.apply(pause, "adjourn")
        self.apply(0, "seal", side=sealer, move=self.some_move(0, None))
        self.apply(pause, "stop-clock", by=sealer)
        self.apply(pause, "arrive", side=side)
        self.apply(pause, "resume")

    @rule(pause=pauses, claim=st.sampled_from(("accept", "reject")), pick=st.integers(0, 300))
    def press_idly_in_order(self, pause: float, claim: str, pick: int) -> None:
        side = self.turn
        self.apply(pause, "press", side=side)
        self.apply(0, "claim", side=SIDES[side == "white"], of="illegal-move", wait=True)
        self.apply(pause, "rule", claim=claim)
        self.apply(0, "announce", side=side, move=self.some_move(pick, None))

    @rule(pause=pauses, stops=st.booleans(), claim=st.sampled_from(("accept", "reject")))
    def claim_in_order(self, pause: float, stops: bool, claim: str) -> None:
        if stops:
            self.apply(pause, "stop-clock")
        self.apply(pause, "claim", side=self.turn, of="threefold", wait=True)
        self.apply(0, "claim", side=SIDES[self.turn == "white"], of="flag", wait=True)
        self.apply(pause, "rule", claim=claim)

    @rule(pause=st.sampled_from((15, 50)), pick=st.integers(0, 300))
    def press_late(self, pause: float, pick: int) -> None:
        side = self.turn
        self.apply(0, "announce", side=side, move=self.some_move(pick, None))
        self.apply(pause, "ask", side="arbiter", about="times")
        self.apply(0, "press", side=side)

    @precondition(lambda self: len(self.lines) > 12)
    @rule(pause=pauses, side=sides, how=st.sampled_from(("resign", "result")))
    def finish(self, pause: float, side: str, how: str) -> None:
        if how == "resign":
            self.apply(pause, "resign", side=side)
        else:
            self.apply(pause, "result", white=0.5, black=0)

    @invariant()
    def what_is_shown_agrees(self) -> None:
        if not hasattr(self, "status"):
            return
        status = self.status
        assert status["ply"] == len(status["moves"])
        assert status["turn"] == ("white" if " w " in status["fen"] else "black")
        assert status["running"] in ("white", "black", "none")
        if status["white"] is not None:
            assert status["white"] >= 0 and status["black"] >= 0
        if status["result"] != "*":
            assert status["running"] == "none"

    @invariant()
    def a_clock_that_runs_can_be_pressed(self) -> None:
        """Whose clock runs has the move, or has made it and not pressed; or the other has pressed idly."""
        if not hasattr(self, "status") or self.referee.is_adjourned:
            return
        game, running, turn = self.referee._game, self.status["running"], self.turn
        if running in ("none", turn) or game.second_envelope is not None:
            return
        idle = game.idle_press is not None and game.idle_press.side == turn
        assert idle or (game.plies and not game.plies[-1].completed)

    def teardown(self) -> None:
        """Played again, the game is the same, byte for byte."""
        if not hasattr(self, "lines"):
            return
        again = Referee(self.game, read_move)
        assert [[event.as_json() for event in again.apply(line)] for line in self.lines] == self.said
        assert json.loads(again.status().as_json()) == json.loads(self.referee.status().as_json())


TestAnyGame = pytest.mark.slow(AnyGame.TestCase)
TestAnyGame.settings = settings(
    max_examples=examples(2000),
    stateful_step_count=10,
    suppress_health_check=list(HealthCheck),
)

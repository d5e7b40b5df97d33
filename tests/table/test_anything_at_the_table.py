"""Players, arbiter and an adjournment in any order: the game stays what its journal tells."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import pytest
from exploring import examples
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from spoken import uttered
from typed import VOCABULARY, HeardVoice

from assistant.announcements import Thresholds
from assistant.arbiter import Desk
from assistant.journal import read
from assistant.laws import Referee
from assistant.moves import read_move
from assistant.sealing import Work, new_key, public_key
from assistant.table import Person, Setup, Table, open_record, reopen_record
from assistant.table.adjourning import keep_key
from assistant.table.commands import KEYS
from assistant.table.secretary import Secretary

PHRASE = "drei kleine Springer"
KEY = new_key(PHRASE, Work(passes=1, memory=8192))
LINES = [
    *KEYS,
    *("Qh9", "e2e5", "Ke4", "O-O", "springer", "1... e5", "\x00", "x" * 300),
    *("adjourn So 10", "seal", "seal dictate", "close", "here white", "here black", "resumption"),
    *("open", PHRASE, "lost"),
]
ARBITER = [
    *("arbiter", "arbiter start", "arbiter stop-clock", "arbiter resume", "arbiter answer-call"),
    *("arbiter set-clock white=2:00 black=0:10", "arbiter set-clock moves=3", "arbiter undo"),
    *("arbiter rule accept", "arbiter rule reject", "arbiter rule postpone", "arbiter note about=x"),
    *("arbiter penalty white warning", "arbiter penalty black add-opponent seconds=2:00"),
    *("arbiter penalty white reduce seconds=0:30", "arbiter penalty black loss", "arbiter result 1/2-1/2"),
    *("arbiter claim arbiter flag", "arbiter claim white threefold", "arbiter claim black two-hands"),
    *("arbiter claim white mating-potential", "arbiter restore ply=0", "arbiter restore ply=2"),
    *("arbiter touch white squares=e2", "arbiter touch black squares=d7", "arbiter adjust white squares=e1"),
    *("arbiter arrive white", "arbiter arrive black", "arbiter adjourn", "arbiter envelope-lost"),
    *("arbiter ask times", "arbiter press white", "arbiter press black", "arbiter offer-draw black"),
    *("arbiter accept-draw white", "arbiter resign black"),
]
WORDS = ["ja", "nein", "korrektur", "gedrueckt", "zeit", "remis", "aufgeben", "wiederholen", "eva fuenf"]
STARTS = [None, "8/P6k/8/8/8/8/p6K/8 w - - 98 120", "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1"]
STEPS = st.tuples(
    st.sampled_from(["move", "move", "move", "say", "say", "line", "arbiter", "words", "wait", "again"]),
    st.integers(0, 999),
)


class Hall:
    """A table with a keyboard at which everybody types, and a microphone into which everybody speaks."""

    def __init__(self, folder: Path, setup: Setup) -> None:
        self.folder = folder
        self._key = folder.parent / "key.json"
        self._key.write_bytes(KEY)
        keep_key(folder, public_key(KEY))
        self.shown: list[str] = []
        self.at = 0.0
        self._sit(open_record(folder, self.shown.append), setup)
        self.table.start()

    def _sit(self, record: Any, setup: Setup) -> None:
        self.record = record
        self.table = Table(setup, VOCABULARY, Thresholds(), HeardVoice(), record, show=self.shown.append)
        self._desk = Desk()
        self._desk.open(self.table, record.locate, self.shown.append)
        self._secretary = Secretary(self.table, record.locate, self.shown.append, now=lambda: self.at)

    def do(self, kind: str, number: int) -> None:
        self._wait(number % 90 if kind == "wait" else 3)
        moves = [*self.table.course.board.legal_moves]
        book = self.table._expected.book
        match kind:
            case "move" if moves:
                self._type(self.table.course.board.san(moves[number % len(moves)]))
            case "say" if book.phrases:
                self._say(" ".join([*book.phrases][number % len(book.phrases)]))
            case "words":
                self._say(WORDS[number % len(WORDS)])
            case "line":
                line = LINES[number % len(LINES)]
                self._type(f"open {self._key}" if line == "open" else line)
            case "arbiter":
                self._type(ARBITER[number % len(ARBITER)])
                self._type("arbiter y")
            case "again":
                self._take_up()

    def _wait(self, seconds: float) -> None:
        self.at += seconds
        self.table.tick(self.at)

    def _type(self, line: str) -> None:
        if not self._desk.take(line, self.at) and not self._secretary.take(line, self.at):
            self.table.type(line, self.at)

    def _say(self, text: str) -> None:
        self.table.hear(uttered({text: -90.0}, self.table._expected.book, self.at))

    def _take_up(self) -> None:
        self.record.close()
        record, setup, lines = reopen_record(self.folder, self.shown.append)
        self._sit(record, setup)
        self.table.resume(lines, self.at)
        self._secretary.welcome()


def state(referee: Referee) -> list[Any]:
    """All but the times, which go on."""
    keys = referee.status().keys
    return [keys[key] for key in ("fen", "moves", "running", "draw_offer", "result")]


@pytest.mark.parametrize("laws", ["2023", "2014", "1997"])
@settings(max_examples=examples(8), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    steps=st.lists(STEPS, min_size=5, max_size=40),
    press=st.sampled_from(["auto", "word", "key"]),
    mode=st.sampled_from(["rated", "club"]),
    blind=st.sampled_from(["white", "black", "both"]),
    language=st.sampled_from(["de", "en", "es", "fr", "pl"]),
    control=st.sampled_from(["5400", "60", "180+2"]),
    fen=st.sampled_from(STARTS),
)
def test_whatever_anybody_does_the_journal_tells_the_game(
    laws: str, steps: list[tuple[str, int]], press: Any, mode: Any, blind: str, language: str, control: str,
    fen: str | None,
) -> None:  # fmt: skip
    with tempfile.TemporaryDirectory() as parent:
        people = [Person(side, blind in (side, "both")) for side in ("white", "black")]
        setup = Setup(
            *people, laws=laws, press=press, mode=mode, language=language, time_control=control, fen=fen
        )
        hall = Hall(Path(parent) / "game", setup)
        for step in steps:
            hall.do(*step)
            game, *lines = read(hall.folder).lines
            referee = Referee(game["game"], read_move=read_move)
            for line in lines:
                referee.apply(line)
            assert state(referee) == state(hall.table.course.referee)
            assert [ply.move for ply in hall.table.sheet.plies] == list(referee.moves)
            assert not [line for line in hall.shown if "{" in line or "None" in line]
        hall.record.close()

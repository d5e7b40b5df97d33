"""An engine as the opponent at home: it plays, presses and answers; when it fails, the game goes on."""

from __future__ import annotations

import contextlib
import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from pathlib import Path

import pytest
from live_game import LiveGame, at_terminal, type_only
from typed import VOCABULARY, Typed

from assistant.announcements import Thresholds
from assistant.cli import build_parser, main
from assistant.cli.play import setup_of
from assistant.errors import HectorError, UsageError
from assistant.journal import read
from assistant.sealing import Work, new_key, public_key, unlock
from assistant.sides import SIDES
from assistant.table import PaperVoice, Table, reopen_record
from assistant.table.adjourning import keep_key, stopped_game
from assistant.table.engine import PATIENCE, WITHOUT_CLOCK, EnginePlayer
from assistant.table.secretary import Secretary
from assistant.table.setup import Opponent, Setup
from assistant.table.uci import GAMES, Thought, start_engine

TINY = Path(__file__).with_name("uci_engine.py")
STOCKFISH = shutil.which("stockfish") or shutil.which("stockfish", path=GAMES)


def tiny(*answers: str) -> str:
    return shlex.join([sys.executable, str(TINY), *answers])


class AtHome(Typed):
    """A club game against an engine; time passes only when it is let pass."""

    def __init__(self, folder: Path, *answers: str, resigns: bool = False, **setup: object) -> None:
        opponent = Opponent(tiny(*answers), resigns=resigns)
        agreed = {"mode": "club", "time_control": "300+5", "engine": opponent}
        super().__init__(folder, pace=1, **{**agreed, **setup})
        self.told: list[str] = []
        self.engine = EnginePlayer(opponent, self.told.append)
        self.engine.open(self.table, lambda: folder, lambda: self.at)

    def attend(self, is_done: Callable[[], object]) -> None:
        """Attend to the engine, as a live game does all the time, until something is so."""
        until = time.monotonic() + 30
        while not is_done():
            self.engine.attend()
            assert time.monotonic() < until, self.shown
            time.sleep(0.002)

    def attend_for(self, seconds: float) -> None:
        """Let time pass as it does in a live game, in which the engine is attended to all the time."""
        until = self.at + seconds
        while self.at < until:
            self.engine.attend()
            self.pass_time(1)
        self.engine.attend()

    def answered(self, *lines: str) -> list[str]:
        """Type lines, then wait for the engine's move, and return the moves of the game."""
        self.type(*lines)
        plies = len(self.moves)
        self.attend(lambda: len(self.moves) > plies or self.told or self.table.over)
        return self.moves

    @property
    def running(self) -> str:
        return str(self.table.course.referee.status().keys["running"])


@pytest.fixture
def at_home(tmp_path: Path) -> Iterator[Callable[..., AtHome]]:
    games: list[AtHome] = []

    def start(*answers: str, **setup: object) -> AtHome:
        games.append(AtHome(tmp_path / f"game-{len(games)}", *answers, **setup))  # type: ignore[arg-type]
        return games[-1]

    yield start
    for game in games:
        game.engine.close()


def test_it_announces_its_move_and_presses_its_clock(at_home: Callable[..., AtHome]) -> None:
    game = at_home("e7e5")
    assert game.answered("e4", "") == ["e2e4", "e7e5"]
    assert game.said[-1] == "Eva fünf"
    assert game.voice.sentences[-1].audience == "room"
    assert game.running == "white"
    done = [(line["do"], line["side"]) for line in read(game.folder).lines[-2:]]
    assert done == [("announce", "black"), ("press", "black")]


def test_it_does_not_think_before_the_press(at_home: Callable[..., AtHome]) -> None:
    game = at_home("e7e5")
    game.type("e4")
    for _ in range(50):
        game.engine.attend()
    assert game.engine._thought is None


def test_it_thinks_on_its_own_clock(at_home: Callable[..., AtHome], monkeypatch: pytest.MonkeyPatch) -> None:
    game = at_home("hang")
    game.type("e4", "")
    game.engine.attend()
    game.pass_time(10)
    status = game.table.course.referee.status().keys
    assert status["black"] == 305 - 10
    assert game.running == "black"


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ("crash", "The engine has ended by itself."),
        *((each, "The engine has answered with no move that is possible here.")
          for each in ("rubbish", "illegal", "none", "null")),
    ],
)  # fmt: skip
def test_when_it_fails_the_game_goes_on_by_keyboard(
    at_home: Callable[..., AtHome], answer: str, told: str
) -> None:
    """In mid-game: told once aloud and once in detail, and its side's moves are typed."""
    game = at_home("e7e5", answer)
    game.answered("e4", "")
    game.type("Nf3", "")
    game.attend(lambda: game.told)
    assert game.told == [told]
    assert game.said[-1] == "Engine ausgefallen. Züge der Engine bitte tippen."
    assert read(game.folder).lines[-1]["do"] == "press"
    game.type("Nc6", "")
    assert game.moves == ["e2e4", "e7e5", "g1f3", "b8c6"]
    game.engine.attend()
    assert len(game.told) == 1


def test_when_it_hangs_the_game_goes_on_by_keyboard(at_home: Callable[..., AtHome]) -> None:
    game = at_home("hang")
    game.type("e4", "")
    game.attend_for(149)
    assert game.told == []
    game.attend_for(10)
    assert len(game.told) == 1
    game.type("e5", "")
    assert game.moves == ["e2e4", "e7e5"]


def test_an_engine_that_does_not_answer_within_its_time_is_told_to_hang(
    at_home: Callable[..., AtHome],
) -> None:
    game = at_home("hang", time_control="-")
    game.type("e4", "")
    game.attend_for(WITHOUT_CLOCK + PATIENCE + 1)
    assert game.told[0].endswith("has not moved for too long.")
    assert game.said[-1] == "Engine ausgefallen. Züge der Engine bitte tippen."


def test_an_engine_for_whose_thought_there_is_no_room_has_failed(
    at_home: Callable[..., AtHome], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    game = at_home("e7e5")
    game.type("e4", "")
    with monkeypatch.context() as patch:
        patch.setattr(threading.Thread, "start", full)
        game.engine.attend()
    assert game.told == ["The engine has failed: can't start new thread."]
    game.type("e5", "")
    assert game.moves == ["e2e4", "e7e5"]


def test_an_engine_is_not_taken_to_hang_while_hector_stood_still(at_home: Callable[..., AtHome]) -> None:
    game = at_home("hang", time_control="-")
    game.type("e4", "")
    game.attend_for(1)
    game.pass_time(60)
    game.attend_for(WITHOUT_CLOCK + PATIENCE - 2)
    assert game.told == []
    game.attend_for(3)
    assert len(game.told) == 1


def test_an_engine_whose_move_is_refused_has_failed(at_home: Callable[..., AtHome]) -> None:
    """Article 4.3: it would announce the same move for ever, and each time would stand in the journal."""
    game = at_home("e7e5", "e7e5", "e7e5")
    game.type("e4", "")
    game.table.act({"do": "touch", "side": "black", "squares": ["g8"]}, game.at)
    game.attend(lambda: game.told)
    assert game.told == ["The engine's move is refused: a touched man must be moved or captured."]
    assert [line["do"] for line in read(game.folder).lines[-2:]] == ["touch", "announce"]
    game.type("Nf6", "")
    assert game.moves == ["e2e4", "g8f6"]


def test_while_the_clocks_are_stopped_it_does_not_press(tmp_path: Path) -> None:
    """A power failure came between its announcement and its press, and then the arbiter."""
    before = Typed(tmp_path / "before", mode="club", time_control="300+5")
    before.type("e4", "")
    before.table.act({"do": "announce", "side": "black", "move": "e7e5"}, before.at)
    after = Typed(tmp_path / "after", mode="club", time_control="300+5")
    after.table.resume(read(before.folder).lines[1:], before.at)
    after.table.act({"do": "stop-clock", "by": "arbiter"}, before.at)
    told: list[str] = []
    with contextlib.closing(EnginePlayer(Opponent(tiny()), told.append)) as engine:
        engine.open(after.table, lambda: tmp_path, lambda: before.at)
        engine.attend()
        assert (read(after.folder).lines[-1]["do"], told) == ("stop-clock", [])
        after.table.act({"do": "resume"}, before.at)
        engine.attend()
        assert read(after.folder).lines[-1]["do"] == "press"


def test_a_missing_engine_is_told_and_the_game_goes_on(tmp_path: Path) -> None:
    told: list[str] = []
    game = Typed(tmp_path / "game", mode="club")
    engine = EnginePlayer(Opponent("no-such-engine"), told.append)
    engine.open(game.table, lambda: tmp_path, lambda: game.at)
    assert "no-such-engine" in told[0]
    assert game.said[-1].startswith("Engine ausgefallen")
    game.type("e4", "", "e5", "")
    engine.attend()
    assert [ply.move.uci() for ply in game.table.sheet.plies] == ["e2e4", "e7e5"]


def test_nobody_is_asked_to_play_for_a_missing_engine_when_the_game_is_over(tmp_path: Path) -> None:
    game = Typed(tmp_path / "game", mode="club")
    game.table.act({"do": "resign", "side": "black"}, game.at)
    with contextlib.closing(EnginePlayer(Opponent("no-such-engine"), game.shown.append)) as engine:
        engine.open(game.table, lambda: tmp_path, lambda: game.at)
    assert "Engine" not in game.said[-1]


def test_a_program_that_is_no_engine_is_told(tmp_path: Path) -> None:
    told: list[str] = []
    EnginePlayer(Opponent("true"), told.append).close()
    assert "UCI" in told[0]


ENGINE_ONLY = """
import sys, time
from assistant.table import engine, uci
from assistant.table.secretary import Secretary
from assistant.table.setup import Opponent
import chess, chess.engine
uci.START = float(sys.argv[3])
player = engine.EnginePlayer(Opponent(sys.argv[1]), print)
if player._engine is not None:
    thought = uci.Thought(player._engine, chess.Board(), chess.engine.Limit(time=9), "", 9.0)
    player._thought = thought
    time.sleep(float(sys.argv[2]))
    player.close()
    assert thought.is_done
    print("closed")
"""


@pytest.mark.parametrize("seconds", [0, 0.5])
@pytest.mark.parametrize("answer", ["hang", "crash"])
def test_who_leaves_while_it_thinks_is_told_nothing_of_its_insides(answer: str, seconds: float) -> None:
    left = subprocess.run(
        [sys.executable, "-c", ENGINE_ONLY, tiny(answer), str(seconds), "30"], capture_output=True, text=True
    )
    assert (left.stdout, left.stderr, left.returncode) == ("closed\n", "", 0)


@pytest.mark.parametrize("program", ["cat", "true", "sleep 5"])
def test_of_a_program_that_is_no_engine_nothing_else_is_told(program: str) -> None:
    tried = subprocess.run(
        [sys.executable, "-c", ENGINE_ONLY, program, "0", "1"], capture_output=True, text=True
    )
    assert ("UCI" in tried.stdout, tried.stderr, tried.returncode) == (True, "", 0)


def test_an_engine_that_has_ended_between_two_moves_is_told_and_nothing_else(
    at_home: Callable[..., AtHome], recwarn: pytest.WarningsRecorder
) -> None:
    game = at_home("e7e5")
    engine = game.engine._engine
    assert engine is not None
    os.kill(engine.transport.get_pid(), signal.SIGKILL)
    engine.returncode.result(10)
    game.type("e4", "")
    game.attend(lambda: game.told)
    assert game.told == ["The engine has ended by itself."]
    assert [str(each.message) for each in recwarn] == []


def test_an_engine_that_refuses_its_strength_is_told_with_the_options_that_ask_for_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("assistant.table.uci._options", lambda *_arguments: {"Unheard Of": 1})
    with pytest.raises(HectorError, match="leave out --engine-elo, --engine-skill"):
        start_engine(Opponent(tiny(), elo=1500, skill=3))


def test_nobody_at_the_table_moves_for_it(at_home: Callable[..., AtHome]) -> None:
    """While it thinks, talk about the position is no move of its side."""
    game = at_home("hang")
    game.type("e4", "")
    game.engine.attend()
    assert game.type("e5") == "Hector: Der Gegner ist am Zug."
    assert game.type("Eva fünf") == "Hector: Der Gegner ist am Zug."
    assert game.moves == ["e2e4"]
    assert ("eva", "fuenf") not in game.table._expected.book.phrases
    assert ("zeit",) in game.table._expected.book.phrases


@pytest.mark.parametrize("text", ["e3", "Eva drei", "d4", "Eva vier", "e2e4"])
def test_while_it_thinks_nobody_repeats_for_it(at_home: Callable[..., AtHome], text: str) -> None:
    """D.2.1: the repetition is its own, and it repeats nothing; the record must not say so."""
    game = at_home("hang")
    game.type("e4", "")
    game.engine.attend()
    assert game.type(text) == "Hector: Der Gegner ist am Zug."
    assert [line["do"] for line in read(game.folder).lines[-2:]] == ["place", "press"]


def test_nobody_moves_for_it_in_a_game_that_goes_on(tmp_path: Path) -> None:
    before = Typed(tmp_path / "before", mode="club", time_control="300+5")
    before.type("e4", "")
    after = Typed(tmp_path / "after", mode="club", time_control="300+5")
    after.table.resume(read(before.folder).lines[1:], before.at)
    engine = EnginePlayer(Opponent(tiny("hang")), after.shown.append)
    engine.open(after.table, lambda: tmp_path, lambda: after.at)
    assert ("eva", "fuenf") not in after.table._expected.book.phrases
    engine.close()


def test_its_announcement_is_repeated(at_home: Callable[..., AtHome]) -> None:
    """D.2.1, by the player: the repetition is on record and no move."""
    game = at_home("e7e5")
    game.answered("e4", "")
    game.type("Eva sieben Eva fünf")
    last = read(game.folder).lines[-1]
    assert (last["do"], last["side"]) == ("repeat", "white")


@pytest.mark.parametrize(
    ("score", "result"),
    [("-50", "1/2-1/2"), ("0", "1/2-1/2"), ("20", "1/2-1/2"), ("80", "*")],
)
def test_it_takes_a_draw_only_where_it_is_no_better(
    at_home: Callable[..., AtHome], score: str, result: str
) -> None:
    game = at_home(f"e7e5={score}", f"b8c6={score}")
    game.answered("e4", "")
    game.answered("Nf3", "draw", "")
    assert game.table.sheet.result == result
    if result == "*":
        assert game.moves[-1] == "b8c6"
        assert game.table.course.referee.status().keys["draw_offer"] == "none"


@pytest.mark.parametrize(("score", "result"), [("0", "1/2-1/2"), ("80", "*")])
def test_an_offer_in_the_players_own_time_is_answered_too(
    at_home: Callable[..., AtHome], score: str, result: str
) -> None:
    game = at_home(f"e7e5={score}")
    game.answered("e4", "")
    game.type("draw")
    game.attend(lambda: game.table.course.referee.status().keys["draw_offer"] == "none" or game.table.over)
    assert game.table.sheet.result == result


def test_the_players_words_are_his_own(at_home: Callable[..., AtHome]) -> None:
    """There is no sighted opponent at the keyboard: who resigns is the player."""
    game = at_home("e7e5")
    game.answered("e4", "")
    game.type("resign", "y")
    assert game.table.sheet.result == "0-1"


def test_it_resigns_a_lost_game_only_where_it_was_told_to(at_home: Callable[..., AtHome]) -> None:
    lost = ("e7e5=-1500", "b8c6=-1500", "g8f6=-1500")
    for resigns, result in ((False, "*"), (True, "1-0")):
        game = at_home(*lost, resigns=resigns)
        game.answered("e4", "")
        game.answered("Nf3", "")
        assert game.table.sheet.result == "*"
        game.answered("Nc3", "")
        assert game.table.sheet.result == result


Adjourned = Callable[..., tuple[AtHome, Secretary]]
KEY = new_key("drei kleine Springer", Work(passes=1, memory=8192))


@pytest.fixture
def adjourned(at_home: Callable[..., AtHome]) -> Adjourned:
    """A game in which the move of the engine is to be sealed, and who takes what is typed."""

    def order(*answers: str) -> tuple[AtHome, Secretary]:
        game = at_home(*answers)
        keep_key(game.folder, public_key(KEY))
        secretary = Secretary(game.table, lambda: game.folder, game.shown.append)
        game.type("e4", "")
        secretary.take("adjourn", game.at)
        return game, secretary

    return order


def has_sealed(game: AtHome) -> bool:
    return game.table.course.referee.has_sealed


def test_it_seals_its_move_itself_and_nobody_hears_it(adjourned: Adjourned) -> None:
    """Guideline I.1.1: the player having the move seals it."""
    game, secretary = adjourned("e7e5")
    game.attend(lambda: has_sealed(game))
    assert game.said[-1] == "Der Zug ist abgegeben."
    assert game.moves == ["e2e4"]
    assert "e7e5" not in json.dumps(read(game.folder).lines[1:])
    secretary.take("close", game.at)
    assert secretary.adjournment.read(unlock(KEY, "drei kleine Springer")) == "e7e5"


def test_an_order_to_seal_that_comes_while_it_thinks_takes_what_it_has_found(
    at_home: Callable[..., AtHome],
) -> None:
    game = at_home("e7e5", "hang")
    keep_key(game.folder, public_key(KEY))
    game.type("e4", "")
    game.engine.attend()
    game.table.act({"do": "adjourn", "by": "arbiter"}, game.at)
    game.attend(lambda: has_sealed(game))
    assert game.moves == ["e2e4"]


@pytest.mark.parametrize("line", ["seal", "seal dictate", "e5"])
def test_nobody_at_the_table_seals_for_it(adjourned: Adjourned, line: str) -> None:
    game, secretary = adjourned("hang")
    how = "Schwarz gibt den Zug selbst ab. close: die Uhren werden angehalten."
    assert game.shown[-1] == how
    assert secretary.take(line, game.at)
    assert game.shown[-2:] == [how, how]


def test_an_engine_that_fails_while_it_is_to_seal_leaves_that_to_the_keyboard(
    adjourned: Adjourned,
) -> None:
    game, secretary = adjourned("crash")
    game.attend(lambda: game.told)
    secretary.take("seal", game.at)
    secretary.take("e5", game.at)
    assert has_sealed(game)


def test_the_move_that_it_sealed_in_a_lost_envelope_it_declares_itself(
    adjourned: Adjourned,
) -> None:
    """I.12.1: the one it sealed, whatever it would find now."""
    game, secretary = adjourned("e7e5", "d7d5")
    game.attend(lambda: has_sealed(game))
    for line in ("close", "here white", "resumption", "lost"):
        secretary.take(line, game.at)
    game.attend(lambda: len(game.moves) == 2 or game.told)
    assert (game.moves, game.told, game.running) == (["e2e4", "e7e5"], [], "white")


def test_who_takes_up_an_adjourned_game_is_not_asked_whether_the_engine_is_there(
    adjourned: Adjourned,
) -> None:
    game, secretary = adjourned("e7e5")
    game.attend(lambda: has_sealed(game))
    secretary.take("close", game.at)
    secretary.welcome()
    assert game.shown[-1].startswith("here white: Ein Spieler kommt. resumption: ")


def test_an_engine_is_there_though_the_power_failed_as_the_clocks_were_stopped(
    adjourned: Adjourned, tmp_path: Path
) -> None:
    game, secretary = adjourned("e7e5")
    game.attend(lambda: has_sealed(game))
    secretary.take("close", game.at)
    begun, again = read(game.folder).lines[:-1], tmp_path / "again"
    assert begun[-1]["do"] == "stop-clock"
    again.mkdir()
    (again / "journal.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in begun), encoding="utf-8")
    record, setup, lines = reopen_record(again, game.shown.append)
    table = Table(setup, VOCABULARY, Thresholds(), PaperVoice(), record)
    table.resume(lines, game.at)
    record.close()
    is_there = [table.course.referee.is_present(side) for side in SIDES]
    assert is_there == [False, True]
    with stopped_game(again) as (adjournment, _course):
        assert adjournment.is_present("black")
    assert [line["do"] for line in read(again).lines[len(begun) :]] == ["arrive"]


def test_a_move_for_another_position_is_dropped(at_home: Callable[..., AtHome]) -> None:
    """The game went back while it was thinking: it thinks again about what stands there now."""
    game = at_home("e7e5", "d7d5")
    game.type("e4", "")
    game.engine.attend()
    thought = game.engine._thought
    assert thought is not None
    thought._thread.join(30)
    game.table.act({"do": "restore", "ply": 0}, game.at)
    game.engine.attend()
    assert game.moves == []
    game.table.act({"do": "resume"}, game.at)
    assert game.answered("d4", "") == ["d2d4", "d7d5"]


def test_it_knows_the_moves_that_led_to_the_position(at_home: Callable[..., AtHome]) -> None:
    """Or it would not see a repetition."""
    game = at_home("g8f6", "f6g8")
    game.answered("Nf3", "")
    game.answered("Ng1", "")
    board = game.engine._board()
    assert [move.uci() for move in board.move_stack] == ["g1f3", "g8f6", "f3g1", "f6g8"]
    assert board.is_repetition(2)


def test_the_time_that_it_is_given(at_home: Callable[..., AtHome]) -> None:
    game = at_home("e7e5", time_control="40/600+5:300+3")
    limit, longest = game.engine._limit()
    assert (limit.white_clock, limit.black_clock, limit.black_inc, limit.remaining_moves) == (605, 605, 5, 40)
    assert longest > 20
    game.answered("e4", "")
    limit, _ = game.engine._limit()
    assert limit.remaining_moves == 39


def test_without_a_clock_it_still_moves(at_home: Callable[..., AtHome]) -> None:
    game = at_home("e7e5", time_control="-")
    assert game.answered("e4", "") == ["e2e4", "e7e5"]


@pytest.mark.parametrize("press", ["word", "auto"])
def test_it_plays_however_the_clock_is_pressed(at_home: Callable[..., AtHome], press: str) -> None:
    game = at_home("e7e5", press=press)
    game.type("e4")
    if press == "word":
        game.type("gedrückt")
    else:
        game.pass_time(5)
    game.attend(lambda: len(game.moves) == 2)
    assert game.running == "white"


@pytest.mark.parametrize(
    ("options", "word"),
    [
        (["--engine", "stockfish", "--mode", "rated"], "11.3"),
        (["--engine", "stockfish", "--blind", "both"], "--blind"),
        (["--engine", "stockfish", "--listen", "x.wav"], "--listen"),
        (["--engine-elo", "1500"], "--engine"),
        (["--engine", ""], "--engine"),
        (["--engine", "'stockfish"], "a program, then its arguments"),
        (["--engine", "stockfish", "--engine-time", "0"], "--engine-time"),
    ],
)
def test_what_an_engine_may_not_do_is_said(options: list[str], word: str) -> None:
    with pytest.raises(UsageError, match=word):
        setup_of(build_parser().parse_args(["play", *options]), "word")


def test_an_engine_named_by_a_path_plays_on_wherever_its_game_is_taken_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "my engine"
    program.write_text(f"#!/bin/sh\nexec {tiny()}\n")
    program.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    setup = setup_of(build_parser().parse_args(["play", "--engine", "'./my engine' a b"]), "word")
    assert setup.black.name == "My engine"
    monkeypatch.chdir("/")
    resumed = Setup.from_journal(setup.game(), setup.table()).engine
    assert resumed is not None
    start_engine(resumed).close()


def test_a_game_against_an_engine_is_a_club_game() -> None:
    setup = setup_of(build_parser().parse_args(["play", "--engine", "stockfish", "--blind", "black"]), "word")
    assert (setup.mode, setup.white.name, setup.engine) == (
        "club",
        "Stockfish",
        Opponent("stockfish", "white"),
    )
    assert Setup.from_journal(setup.game(), setup.table()) == setup


@pytest.mark.parametrize(
    ("opponent", "word"),
    [(Opponent(tiny(), elo=900), "1000 to 2000"), (Opponent(tiny(), skill=3), "--engine-skill")],
)
def test_a_strength_that_it_does_not_have_is_refused(opponent: Opponent, word: str) -> None:
    with pytest.raises(UsageError, match=word):
        EnginePlayer(opponent, print, is_asked_for=True)


def test_a_strength_that_it_has_no_more_does_not_end_a_game_that_goes_on() -> None:
    """Nothing can be said of the strength when a game goes on: it would never go on again."""
    told: list[str] = []
    EnginePlayer(Opponent(tiny(), elo=900), told.append).close()
    assert "1000 to 2000" in told[0]


@pytest.mark.parametrize(
    "engine",
    [[tiny(), "--engine-elo", "9"], [tiny(), "--chess960", "0"], ["stokfish"], ["/"], ["true"]],
)
def test_a_game_without_the_engine_that_was_asked_for_does_not_begin(
    tmp_path: Path, engine: list[str]
) -> None:
    """Or the folder would be taken when the command is put right."""
    folder = tmp_path / "game"
    assert main(["play", "--engine", *engine, "--keyboard", "--save", str(folder)]) == 2
    assert not folder.exists()


def test_an_engine_that_knows_no_chess960_is_told_where_a_game_of_it_goes_on() -> None:
    told: list[str] = []
    EnginePlayer(Opponent(tiny()), told.append, is_chess960=True).close()
    assert told[0].endswith("does not play Chess960. Name another one, for example stockfish.")


@pytest.mark.skipif(STOCKFISH is None, reason="Stockfish is not installed: apt install stockfish")
def test_stockfish_plays_chess960() -> None:
    start_engine(Opponent("stockfish"), is_chess960=True).close()


def test_an_engine_ends_with_a_game_that_cannot_begin(tmp_path: Path) -> None:
    """The program would not end before it."""
    Typed(tmp_path)
    command = [sys.executable, "-m", "assistant", "play", "--keyboard", "--engine", tiny()]
    refused = subprocess.run([*command, "--save", str(tmp_path)], capture_output=True, text=True, timeout=30)
    assert ("hector resume" in refused.stderr, refused.returncode) == (True, 1)


def test_a_game_against_an_engine_that_nobody_begins_leaves_nothing_behind(tmp_path: Path) -> None:
    """Or its folder would be taken when the game is begun after all."""
    folder = tmp_path / "game"
    with at_terminal(folder, "--engine", tiny("hang")) as (game, controller, _end):
        os.write(controller, b"q\n")
        assert game.wait() == 0
    assert not folder.exists()


def test_an_engine_that_crashes_in_a_live_game(tmp_path: Path) -> None:
    """The whole program: one line on the standard error, and the game is played to its end by keyboard."""
    folder = tmp_path / "game"
    options = ["--engine", tiny("e7e5", "crash"), "--press", "key"]
    with type_only(folder, "play", "--save", str(folder), *options) as game:
        plays_until_it_is_lost(game)
        game.type("Nc6", "", "resign", "j")
        game.expect("^Hector: Springer Cesar sechs")
        game.type("resign", "y")
        assert game.wait() == 0
        assert game.errors.count("\n") == 1
        assert game.errors.startswith("hector: Die Engine hat sich beendet.")


def plays_until_it_is_lost(game: LiveGame) -> None:
    game.expect("^Hector: Die Uhr von Weiß")
    game.type("e4", "")
    game.expect("^Hector: Eva fünf$")
    game.type("Nf3", "")
    game.expect("^Hector: Engine ausgefallen")


def test_a_game_against_an_engine_is_resumed(tmp_path: Path) -> None:
    folder = tmp_path / "game"
    options = ["--engine", tiny("e7e5"), "--press", "key"]
    with type_only(folder, "play", "--save", str(folder), *options) as game:
        game.expect("^Hector: ")
        game.type("e4", "")
        game.expect("^Hector: Eva fünf$")
        game.kill()
    with type_only(folder, "resume", str(folder)) as game:
        game.expect("^Hector: ")
        game.type("Nf3", "")
        game.expect("^Hector: Eva fünf|Engine|nicht")
        game.type("q")
        assert game.wait() == 0


@pytest.mark.skipif(STOCKFISH is None, reason="Stockfish is not installed: apt install stockfish")
def test_stockfish_plays_a_game(tmp_path: Path) -> None:
    """Weak and quick, to a legal end of some moves; nothing goes to the standard error."""
    folder = tmp_path / "game"
    options = ["--engine", "stockfish", "--engine-skill", "0", "--engine-time", "0.05", "--press", "key"]
    with type_only(folder, "play", "--save", str(folder), *options) as game:
        game.expect("^Hector: Die Uhr von Weiß")
        for number, move in enumerate(("e4", "Sf3", "Sc3")):
            since = len(game.lines)
            game.type(move, "")
            game.wait_for(lambda line: line.startswith("Hector: "), since)
            assert moves_in(folder, 2 * number + 2)
        game.type("resign", "y")
        assert game.wait() == 0
        assert game.errors == ""
    assert '[Black "Stockfish"]' in (folder / "game.pgn").read_text()


def moves_in(folder: Path, plies: int) -> bool:
    """Return whether so many half-moves come to be on record."""
    until = time.monotonic() + 30
    while time.monotonic() < until:
        lines = read(folder).lines
        if sum(line.get("do") == "press" for line in lines) >= plies:
            return True
        time.sleep(0.02)
    return False


def test_a_thought_that_cannot_be_thought_says_so() -> None:
    """Whatever the library raises, the table hears a sentence and no exception."""

    class Broken:
        returncode: Future[int] = Future()

        @property
        def protocol(self) -> object:
            raise RuntimeError("boom")

    thought = Thought(Broken(), None, None, "", 0.0)  # type: ignore[arg-type]
    thought._thread.join(30)
    assert str(thought.error) == "The engine has failed: boom."

"""An adjourned game at the table: the move is hidden from everybody until the envelope is opened."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from assistant.announcements import load_vocabulary
from assistant.errors import HectorError, UsageError
from assistant.journal import read
from assistant.laws import referee_stream
from assistant.moves import read_move
from assistant.sealing import SealError, SecretKey, Work, new_key, public_key, unlock
from assistant.table import PaperVoice, Person, Setup, open_record, reopen_record
from assistant.table.adjourning import Adjournment, arbiter_key, keep_key
from assistant.table.course import Course

VOCABULARY = load_vocabulary("de")
CHEAP = Work(passes=1, memory=8192)
PHRASE = "drei kleine Springer"
KEY = new_key(PHRASE, CHEAP)
PUBLIC = public_key(KEY)
MARK = r"[a-h][1-8](?:,? [a-h][1-8]){11}"
"""Twelve squares, by which a seal or a key is told from others."""


@pytest.fixture(scope="module")
def secret() -> SecretKey:
    return unlock(KEY, PHRASE)


class Adjourned:
    """A game on the disk that can be left and taken up again, as a program that ends and starts anew does."""

    def __init__(self, folder: Path, **setup: Any) -> None:
        self.folder = folder
        people = {"white": Person("Ana", blind=True), "black": Person("Tom")}
        self.setup = Setup(**{"time_control": "5400", **people, **setup})
        self.shown: list[str] = []
        self._record = open_record(folder, self.shown.append)
        self._course(self._record)
        self.course.begin(0.0)
        keep_key(folder, PUBLIC)

    def _course(self, record: Any) -> None:
        self.course = Course(self.setup, VOCABULARY, PaperVoice(), record, self.shown.append)
        self.adjournment = Adjournment(self.course, record.locate)

    def play(self, *moves: str) -> Adjourned:
        for at, move in enumerate(moves, 1):
            side = self.course.side_to_move
            self.course.rule({"at": at * 10, "do": "announce", "side": side, "move": move})
            self.course.rule({"at": at * 10, "do": "place", "side": side, "move": move})
            self.course.rule({"at": at * 10, "do": "press", "side": side})
        return self

    def closed(self, move: str = "Sf3", at: float = 100.123456) -> Adjourned:
        self.adjournment.order(at, "morgen 10 Uhr, Raum 2")
        self.adjournment.seal(move, at + 10)
        self.adjournment.close(at + 20)
        self.adjournment.write_sheets()
        return self

    def again(self) -> Adjourned:
        """Take the game up from the disk."""
        self._record.close()
        record, self.setup, lines = reopen_record(self.folder, self.shown.append)
        self._record = record
        self._course(record)
        for line in lines:
            self.course.apply(line)
        return self

    def both_back(self, at: float = 200) -> Adjourned:
        self.adjournment.arrive("white", at)
        self.adjournment.arrive("black", at)
        self.adjournment.resume(at)
        return self

    @property
    def status(self) -> Any:
        return self.course.referee.status().keys


@pytest.fixture
def game(tmp_path: Path) -> Adjourned:
    return Adjourned(tmp_path / "game").play("e2e4", "e7e5")


def everything_written(folder: Path) -> str:
    return "\n".join(path.read_bytes().decode("utf-8") for path in folder.rglob("*") if path.is_file())


def test_nothing_that_is_written_or_shown_tells_the_sealed_move(game: Adjourned) -> None:
    game.closed("Sg1-f3")
    traces = everything_written(game.folder) + "\n".join(game.shown)
    assert re.search(r"hector-seal-1:[\w=-]+", traces)
    # The box, the key and the mark of the seal are random: the move stands in some of them.
    told = re.sub(rf"hector-(seal|key)-1:[\w=-]+|{MARK}", "", traces.replace(game.status["fen"], ""))
    assert not re.search(r"\b(g1.?f3|[SN]f3|drei)\b", told)
    assert "Hector: Der Zug ist abgegeben." in game.shown


def test_the_sealed_move_is_made_when_the_envelope_is_opened(game: Adjourned, secret: SecretKey) -> None:
    game.closed().again().both_back()
    game.adjournment.open(205, secret)
    assert game.status["moves"] == ["e4", "e5", "Nf3"]
    assert game.status["running"] == "black"
    assert "Hector: Springer Felix drei" in game.shown
    assert game.course.memory.last is not None and game.course.memory.last.move.uci() == "g1f3"


def test_the_journal_of_an_adjourned_game_replays_to_the_same_position(
    game: Adjourned, secret: SecretKey
) -> None:
    game.closed().both_back()
    game.adjournment.open(205, secret)
    script = (game.folder / "journal.jsonl").read_text().splitlines()
    status = list(referee_stream(script, read_move))[-1]
    assert '"moves": ["e4", "e5", "Nf3"]' in status
    assert game.again().status["moves"] == ["e4", "e5", "Nf3"]


def test_the_last_move_before_the_clock_is_stopped_counts(game: Adjourned, secret: SecretKey) -> None:
    """I.1.1: until the clock has been stopped the sealed move may be changed."""
    game.adjournment.order(100)
    for at, move in enumerate(("Sf3", "Lc4", "Sc3"), 101):
        game.adjournment.seal(move, at)
    game.adjournment.close(110)
    with pytest.raises(HectorError):
        game.adjournment.read(unlock(new_key(PHRASE, CHEAP), PHRASE))
    assert game.adjournment.read(secret) == "Sc3"
    assert [event.event for event in game.adjournment.seal("Sf3", 111)] == ["refused"]


def test_the_envelope_has_its_seven_items(game: Adjourned) -> None:
    """I.2.1 to I.2.7."""
    game.course.rule({"at": 30, "do": "offer-draw", "side": "black"})
    game.closed()
    envelope = game.adjournment.envelope
    assert envelope is not None
    assert (envelope.white, envelope.black) == ("Ana", "Tom")
    assert envelope.fen == "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"
    assert (envelope.white_used, envelope.black_used) == (110.123, 10.0)
    assert (envelope.white_left, envelope.black_left) == (5289.877, 5390)
    assert (envelope.name(envelope.sealer), envelope.number) == ("Ana", 2)
    assert envelope.draw_offer == "black"
    assert envelope.resumption == "morgen 10 Uhr, Raum 2"


def test_the_sheets_of_the_envelope_are_in_the_folder(game: Adjourned) -> None:
    game.closed()
    envelope = game.adjournment.envelope
    assert envelope is not None
    page = (game.folder / "envelope.html").read_text(encoding="utf-8")
    assert all(item in page for item in ("Ana", "Tom", "morgen 10 Uhr, Raum 2", envelope.mark, "FIDE"))
    assert (game.folder / "envelope.brf").read_bytes().isascii()


def test_a_sheet_that_cannot_be_written_leaves_the_others(game: Adjourned) -> None:
    (game.folder / "envelope.html").mkdir()
    with pytest.raises(HectorError, match=r"envelope\.html \("):
        game.closed()
    assert game.adjournment.envelope is not None
    assert (game.folder / "envelope.brf").exists()


def test_an_envelope_stays_closed_while_the_player_who_must_reply_is_absent(
    game: Adjourned, secret: SecretKey
) -> None:
    """I.7 and I.9.2: the clock of the player who must reply runs, and the envelope waits for him."""
    game.closed().again()
    game.adjournment.arrive("white", 200)
    game.adjournment.resume(200)
    assert game.status["running"] == "black"
    [refused] = game.adjournment.open(260, secret)
    assert (refused.event, str(refused.article)) == ("refused", "2023 I.7")
    assert game.adjournment.envelope is not None


def test_a_box_that_was_changed_is_not_opened_and_the_game_goes_on_as_with_a_lost_envelope(
    game: Adjourned, secret: SecretKey
) -> None:
    """I.12.1: the sealer makes the move that he declares he sealed."""
    game.closed()
    journal = game.folder / "journal.jsonl"
    lines = journal.read_text().splitlines(keepends=True)
    place = next(number for number, line in enumerate(lines) if '"do": "seal"' in line)
    at = lines[place].index("hector-seal-1:") + 300
    lines[place] = lines[place][:at] + ("A" if lines[place][at] != "A" else "B") + lines[place][at + 1 :]
    journal.write_text("".join(lines))
    game.again().both_back()
    with pytest.raises(SealError, match="changed"):
        game.adjournment.open(205, secret)
    assert game.status["moves"] == ["e4", "e5"]
    restored = game.adjournment.lost(206)
    assert str(restored[0].article) == "2023 I.12.1"
    game.course.rule({"at": 207, "do": "announce", "side": "white", "move": "g1f3"})
    assert game.status["moves"] == ["e4", "e5", "Nf3"]


def test_after_the_declared_move_of_a_lost_envelope_nothing_waits_for_a_press(game: Adjourned) -> None:
    """It has been made and its clock pressed before: the opponent replies to it."""
    game.closed().again().both_back()
    game.adjournment.lost(206)
    game.course.rule({"at": 207, "do": "announce", "side": "white", "move": "g1f3"})
    assert game.course.memory.pending is None
    game.course.rule({"at": 208, "do": "announce", "side": "black", "move": "b8c6"})
    assert game.status["moves"] == ["e4", "e5", "Nf3", "Nc6"]


def test_a_move_made_after_the_order_is_noted_as_his_who_made_it(tmp_path: Path) -> None:
    """His opponent's move, whose clock nobody has pressed, is another one."""
    game = Adjourned(tmp_path / "game", white=Person("Ana"), black=Person("Tom", blind=True))
    game.course.rule({"at": 1, "do": "announce", "side": "white", "move": "e4"})
    game.adjournment.order(2)
    game.course.rule({"at": 3, "do": "announce", "side": "black", "move": "e5"})
    line = game.course.steps[-1].line
    assert line is not None and line["move"] == "e7e5"


def test_a_sealed_move_that_the_arbiter_rules_is_announced_like_any_other(
    tmp_path: Path, secret: SecretKey
) -> None:
    """I.1.1: the move that was made on the board after the order is made, whatever the envelope holds."""
    people = {"white": Person("Ana"), "black": Person("Tom", blind=True)}
    game = Adjourned(tmp_path / "game", **people).play("e2e4", "e7e5")
    game.adjournment.order(100)
    game.course.carry_out({"at": 101, "do": "announce", "side": "white", "move": "g1f3"})
    game.adjournment.seal("Sc3", 110)
    game.adjournment.close(120)
    game.both_back()
    game.adjournment.open(205, secret)
    assert "Hector: Der Umschlag ist geöffnet." in game.shown
    game.course.carry_out({"at": 210, "do": "rule", "claim": "accept"})
    assert game.shown[-2:] == ["Hector: Springer Felix drei", "Hector: Die Uhr von Schwarz läuft."]
    assert game.course.memory.last is not None and game.course.memory.last.move.uci() == "g1f3"


def test_an_announcement_that_gave_way_to_the_sealed_move_may_still_be_repeated(tmp_path: Path) -> None:
    game = Adjourned(tmp_path / "game")
    game.course.rule({"at": 1, "do": "announce", "side": "white", "move": "e4"})
    game.closed("e4")
    told = game.course.rule({"at": 200, "do": "repeat", "side": "black", "move": "e4"})
    assert [event.event for event in told] == ["repeated"]
    assert not game.course.memory.repeated


def test_the_box_of_another_game_opens_nothing(tmp_path: Path, secret: SecretKey) -> None:
    """The same people, the same position, the same key: another game all the same."""
    one = Adjourned(tmp_path / "one").play("e2e4", "e7e5").closed("Lc4")
    other = Adjourned(tmp_path / "other").play("e2e4", "e7e5").closed("Sf3", at=101)
    boxes = [
        next(line["envelope"] for line in read(game.folder).lines if line.get("do") == "seal")
        for game in (one, other)
    ]
    journal = other.folder / "journal.jsonl"
    journal.write_text(journal.read_text().replace(boxes[1], boxes[0]))
    with pytest.raises(SealError, match="another game"):
        other.again().adjournment.read(secret)


def test_an_arrival_that_is_refused_leaves_the_move_in_its_box(game: Adjourned) -> None:
    game.closed().both_back()
    assert [event.event for event in game.adjournment.arrive("black", 205, "Sf3")] == ["refused"]
    assert "Sf3" not in (game.folder / "journal.jsonl").read_text()
    assert not any("text" in (step.line or {}) for step in game.course.steps)


@pytest.mark.parametrize("text", ["e6\x08e5", "\x1b[De5", "e5\x7f", "\x00"])
def test_a_key_that_is_no_letter_is_not_sealed(game: Adjourned, text: str) -> None:
    """Unseen it would spoil the move, which nobody could read at the resumption."""
    game.adjournment.order(100)
    with pytest.raises(UsageError, match="Write it again"):
        game.adjournment.seal(text, 110)
    assert "seal" not in [line.get("do") for line in read(game.folder).lines]


@pytest.mark.parametrize("text", ["Sd4", "Sd", "der Springer"])
def test_a_club_game_seals_only_what_is_one_legal_move(tmp_path: Path, text: str) -> None:
    game = Adjourned(tmp_path / "game", mode="club").play("e2e4", "e7e5")
    game.adjournment.order(100)
    with pytest.raises(UsageError, match="one legal move"):
        game.adjournment.seal(text, 110)
    assert text not in "\n".join(game.shown)


@pytest.mark.parametrize(("text", "article"), [("Sd4", "2023 I.8.3"), ("Ng1-g3", "2023 I.8.3")])
def test_a_rated_game_seals_what_is_written_and_an_illegal_move_loses(
    game: Adjourned, secret: SecretKey, text: str, article: str
) -> None:
    game.closed(text).both_back()
    events = game.adjournment.open(205, secret)
    assert events[-1].keys["result"] == "0-1"
    assert str(events[-1].article) == article


def undo(game: Adjourned, at: float) -> None:
    assert [event.event for event in game.course.rule({"at": at, "do": "undo"})] == ["position-restored"]


@pytest.mark.parametrize("again", [False, True])
def test_after_the_order_is_withdrawn_no_move_is_to_be_sealed(game: Adjourned, again: bool) -> None:
    game.adjournment.order(100)
    undo(game, 110)
    if again:
        game.again()
    assert not game.course.sealing
    assert not game.adjournment.has_been
    assert game.status["running"] == "white"


@pytest.mark.parametrize("again", [False, True])
def test_a_closing_is_not_withdrawn(game: Adjourned, secret: SecretKey, again: bool) -> None:
    """I.1.1: the sealed move may be changed until the clock has been stopped."""
    game.closed()
    if again:
        game.again()
    assert [event.event for event in game.course.rule({"at": 130, "do": "undo"})] == ["refused"]
    assert [event.event for event in game.adjournment.seal("Lc4", 140)] == ["refused"]
    assert not game.course.sealing
    assert game.adjournment.envelope is not None
    assert game.adjournment.read(secret) == "Sf3"


def test_a_sealed_move_that_is_withdrawn_is_not_in_the_envelope(game: Adjourned, secret: SecretKey) -> None:
    game.adjournment.order(100)
    game.adjournment.seal("Sf3", 110)
    game.adjournment.seal("Lc4", 120)
    undo(game, 130)
    game.adjournment.close(140)
    assert game.adjournment.read(secret) == "Sf3"
    game.both_back()
    game.adjournment.open(205, secret)
    assert game.status["moves"] == ["e4", "e5", "Nf3"]


def test_who_came_back_and_when_can_be_withdrawn(game: Adjourned) -> None:
    game.closed()
    game.adjournment.arrive("black", 200)
    assert game.adjournment.is_present("black")
    undo(game, 201)
    assert not game.adjournment.is_present("black")
    game.adjournment.resume(210)
    assert game.adjournment.is_resumed
    undo(game, 211)
    assert not game.adjournment.is_resumed


def test_an_opening_that_is_withdrawn_leaves_the_envelope_closed(game: Adjourned, secret: SecretKey) -> None:
    game.closed().both_back()
    game.adjournment.open(205, secret)
    assert game.adjournment.envelope is None
    undo(game, 206)
    assert game.adjournment.envelope is not None
    game.adjournment.open(207, secret)
    assert game.status["moves"] == ["e4", "e5", "Nf3"]


def test_without_a_key_nothing_is_sealed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: Adjourned
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "nobody"))
    (game.folder / "arbiter-key.pub").unlink()
    game.adjournment.order(100)
    with pytest.raises(HectorError, match="hector arbiter-key"):
        game.adjournment.seal("Sf3", 110)
    assert game.course.sealing


def test_the_arbiters_own_key_is_used_where_the_game_has_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    own = tmp_path / "hector" / "arbiter-key.json"
    own.parent.mkdir()
    own.write_bytes(KEY)
    assert arbiter_key(tmp_path / "game") == PUBLIC


def test_who_adjourns_early_has_used_the_time_to_the_end_of_the_session(game: Adjourned) -> None:
    """I.1.2."""
    game.course.rule({"at": 60, "do": "adjourn", "session_end": 600})
    game.adjournment.seal("Sf3", 70)
    game.adjournment.close(80)
    envelope = game.adjournment.envelope
    assert envelope is not None
    assert (envelope.white_used, envelope.black_used) == (590, 10)


def test_the_time_used_and_the_time_left_are_the_players_time(game: Adjourned) -> None:
    """Whatever stood still, was withdrawn or began a second session in between."""
    game.course.rule({"at": 50, "do": "stop-clock", "by": "arbiter"})
    undo(game, 60)
    game.closed().both_back().course.rule({"at": 210, "do": "envelope-lost"})
    game.course.rule({"at": 215, "do": "announce", "side": "white", "move": "g1f3"})
    game.closed("Sc6", at=300)
    envelope = game.adjournment.envelope
    assert envelope is not None and envelope.sealer == "black"
    assert (envelope.white_used, envelope.black_used) == (100.123, 115)
    assert (envelope.white_left, envelope.black_left) == (5299.877, 5285)


@pytest.mark.parametrize("present", [("white",), ("white", "black")])
def test_an_opening_that_is_refused_leaves_the_move_in_its_box(
    game: Adjourned, secret: SecretKey, present: tuple[str, ...]
) -> None:
    """I.7: before the replier is there, and before the agreed hour, nobody reads it."""
    game.closed("Laeufer Cesar vier")
    for side in present:
        game.adjournment.arrive(side, 200)  # type: ignore[arg-type]
    assert [event.event for event in game.adjournment.open(205, secret)] == ["refused"]
    journal = (game.folder / "journal.jsonl").read_text()
    assert "Cesar vier" not in journal and '"Lc4"' not in journal
    assert not any("text" in (step.line or {}) for step in game.course.steps)
    game.again().both_back(210)
    if "black" in present:
        game.adjournment.open(215, secret)
        assert game.status["moves"] == ["e4", "e5", "Bc4"]

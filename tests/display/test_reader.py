"""What of a game comes to the display of the player who reads it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, get_args

import chess
import pytest

from assistant.announcements import Thresholds, load_vocabulary
from assistant.scoresheet import Game
from assistant.speaking import Audience, Sentence
from assistant.table import PaperVoice, Person, Setup, Table
from assistant.table.braille import Reader
from assistant.table.record import NoRecord

VOCABULARY = load_vocabulary("de")


class Slate:
    """A display that only notes what comes to it."""

    def __init__(self) -> None:
        self.told: list[str] = []
        self.game = Game()
        self.announced: chess.Move | None = None
        self.clocks: list[tuple[int, int]] = []
        self.wanted = False
        self.lost: list[bool] = []
        self.is_read = True

    def show_game(self, game: Game, announced: chess.Move | None = None) -> None:
        self.game, self.announced = game, announced

    def tell(self, text: str, key: str | None = None) -> None:
        self.told.append(text)

    def show_clocks(self, milliseconds: tuple[int, int]) -> None:
        self.clocks.append(milliseconds)

    def clocks_are_wanted(self) -> bool:
        wanted, self.wanted = self.wanted, False
        return wanted

    def changes(self) -> list[bool]:
        lost, self.lost = self.lost, []
        return lost

    def wait_until_read(self, seconds: float) -> bool:
        assert seconds == 0, "nobody waits for the reader"
        return self.is_read

    def close(self) -> None:
        pass


class Played:
    """A table with a keyboard and a slate; each line is typed five seconds after the one before it."""

    def __init__(self, **setup: Any) -> None:
        agreed = Setup(**{"press": "key", **setup})
        self.slate = Slate()
        self.spoken: list[str] = []
        self.reader = Reader(agreed, self.slate)  # type: ignore[arg-type]
        voice = self.reader.beside(PaperVoice())
        self.table = Table(agreed, VOCABULARY, Thresholds(), voice, NoRecord(), show=self.spoken.append)
        self.at = 0.0
        self.table.start()
        self.reader.attend(self.table, 0.0)

    def type(self, *lines: str) -> None:
        for line in lines:
            self.at += 5
            self.table.type(line, self.at)
            self.reader.attend(self.table, self.at)

    def press_for_clocks(self) -> None:
        self.at += 5
        self.slate.wanted = True
        self.reader.attend(self.table, self.at)


@pytest.fixture
def game() -> Played:
    return Played()


def test_of_two_blind_players_the_one_whose_settings_count_reads_what_is_his_alone() -> None:
    game = Played(white=Person("Ana", True), black=Person("Bo", True), player="Bo")
    game.type("t")
    assert (game.slate.told, game.slate.clocks) == ([], [])
    game.type("e4", "", "t")
    assert len(game.slate.told) == len(game.slate.clocks) == 1


def test_an_announced_move_comes_at_once_and_is_no_message(game: Played) -> None:
    game.type("Nf3")
    assert game.slate.announced == chess.Move.from_uci("g1f3")
    assert game.slate.told == []


def test_a_move_that_is_made_comes_with_the_game(game: Played) -> None:
    game.type("Nf3", "")
    assert [ply.move.uci() for ply in game.slate.game.plies] == ["g1f3"]
    assert game.slate.announced is None


def test_a_slip_that_is_mended_is_mended_on_the_display(game: Played) -> None:
    game.type("Nf3", "k", "Nc3")
    assert game.slate.announced == chess.Move.from_uci("b1c3")


def test_questions_and_rulings_are_messages(game: Played) -> None:
    game.type("resign")
    assert game.slate.told == [game.spoken[-1].removeprefix("Hector: ")]


def test_the_clocks_never_come_by_themselves(game: Played) -> None:
    game.type("e4", "", "e5", "", "Nf3", "")
    assert game.slate.clocks == []
    assert game.slate.told == []


def test_the_key_asks_as_the_voice_does_and_the_reader_comes_first(game: Played) -> None:
    game.type("e4", "")
    game.press_for_clocks()
    # Five and ten seconds have passed; White has his increment twice, Black the first one.
    assert game.slate.clocks == [(5_450_000, 5_425_000)]
    assert game.spoken[-1].startswith("Hector: Weiß: ")


def test_a_reader_who_plays_black_has_his_own_time_first() -> None:
    game = Played(white=Person("Tom"), black=Person("Ana", blind=True))
    game.type("e4", "")
    game.press_for_clocks()
    assert game.slate.clocks == [(5_425_000, 5_450_000)]


def test_the_times_that_the_voice_is_asked_for_come_too(game: Played) -> None:
    game.type("t")
    assert game.slate.clocks == [(5_425_000, 5_430_000)]


def test_what_others_alone_may_know_does_not_come(game: Played) -> None:
    for audience in get_args(Audience):
        game.table.course.teller.say(Sentence(f"For {audience}.", "en", audience=audience))
    assert game.slate.told == ["For white.", "For room."]


def test_a_lost_display_is_told_and_the_game_goes_on(game: Played) -> None:
    game.slate.lost = [True]
    game.type("e4")
    assert "Hector: Braillezeile weg." in game.spoken
    game.slate.lost = [False]
    game.type("", "e5", "")
    assert "Hector: Braillezeile wieder da." in game.spoken
    assert len(game.table.sheet.plies) == 2


def test_without_a_display_the_voice_is_the_voice() -> None:
    voice = PaperVoice()
    reader = Reader(Setup(), None)
    assert reader.beside(voice) is voice
    reader.close()


def test_a_man_that_is_placed_before_the_press_stands_on_the_display_once(game: Played) -> None:
    """As after a power failure between the two: the sheet has the move, the clock is not pressed yet."""
    game.type("Nf3")
    game.table.course.rule({"at": game.at, "do": "place", "side": "white", "move": "g1f3"}, tell=False)
    game.reader.attend(game.table, game.at)
    assert [ply.move.uci() for ply in game.slate.game.plies] == ["g1f3"]
    assert game.slate.announced is None


def test_whether_all_is_read_is_known_without_waiting(game: Played) -> None:
    assert game.reader.has_read
    game.slate.is_read = False
    assert not game.reader.has_read
    assert Reader(Setup(), None).has_read


def test_the_key_for_the_clocks_waits_for_its_turn(game: Played) -> None:
    waiting: list[Callable[[], None]] = []
    game.slate.wanted = True
    game.reader.attend(game.table, 5.0, lambda _at, act: waiting.append(act))
    assert game.table.now == 0.0
    waiting.pop()()
    game.reader.attend(game.table, 6.0)
    assert game.slate.clocks == [(5_425_000, 5_430_000)]

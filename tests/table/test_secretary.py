"""The formalities of an adjournment, typed at the table of a live game."""

from __future__ import annotations

import os
import pty
import re
import termios
from pathlib import Path

import chess
import numpy as np
import pytest
from full_disk import full_disk
from spoken import uttered
from typed import VOCABULARY, HeardVoice, Typed

from assistant.announcements import Thresholds, build_phrasebook, decide, spoken_forms
from assistant.journal import read
from assistant.moves import read_move
from assistant.scoresheet import Style, languages, write
from assistant.sealing import SecretKey, Work, new_key, public_key, unlock
from assistant.table import Person, Setup, Table, open_record, reopen_record
from assistant.table.adjourning import keep_key
from assistant.table.commands import KEYS
from assistant.table.keyboard import Keyboard
from assistant.table.lineeditor import ESCAPE
from assistant.table.secretary import VERBS, Secretary, is_of_table
from assistant.table.setup import Opponent
from assistant.table.storage import Evidence
from assistant.utterance import Transcript, Utterance

PHRASE = "drei kleine Springer"
KEY = new_key(PHRASE, Work(passes=1, memory=8192))
DECISION = decide(
    Utterance(0.0, 1.0, (), (), 0.0, 0, 0.0), build_phrasebook(chess.Board(), VOCABULARY), Thresholds()
)


class Desk:
    """A table with a keyboard and somebody who speaks; each line comes five seconds after the one before."""

    def __init__(self, folder: Path, **setup: object) -> None:
        self.folder = folder
        self.key = folder.parent / "key.json"
        self.key.write_bytes(KEY)
        keep_key(folder, public_key(KEY))
        self.shown: list[str] = []
        self.voice = HeardVoice()
        people = {"white": Person("Ana", blind=True), "black": Person("Tom")}
        self._record = open_record(folder, self.shown.append)
        self.table = Table(
            Setup(**{"press": "key", "time_control": "5400", **people, **setup}),  # type: ignore[arg-type]
            VOCABULARY, Thresholds(), self.voice, self._record,
            show=self.shown.append,
        )  # fmt: skip
        self.hidden: list[bool] = []
        self.hears = True
        self.at = 0.0
        self._sit()
        self.table.start()
        self.type("e4", "", "e5", "")

    def _sit(self) -> None:
        self.secretary = Secretary(
            self.table,
            self._record.locate,
            self.shown.append,
            self.hidden.append,
            now=lambda: self.at,
            hears=lambda: self.hears,
        )

    def again(self) -> None:
        """Take the game up from the disk, with nothing shown or said yet."""
        self._record.close()
        self._record, setup, lines = reopen_record(self.folder, self.shown.append)
        self.voice = HeardVoice()
        self.shown.clear()
        self.table = Table(setup, VOCABULARY, Thresholds(), self.voice, self._record, show=self.shown.append)
        self.table.resume(lines, self.at)
        self._sit()
        self.secretary.welcome()

    def type(self, *lines: str) -> str:
        for line in lines:
            self.at += 5
            self.table.tick(self.at)
            if not self.secretary.take(line, self.at):
                self.table.type(line, self.at)
        return self.shown[-1]

    def spend_reserve(self) -> None:
        self._record.make_room()

    @property
    def status(self) -> dict[str, object]:
        return dict(self.table.course.referee.status().keys)

    @property
    def verbs(self) -> list[str]:
        return [str(line["do"]) for line in read(self.folder).lines[1:]]


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path / "game")


def test_the_squares_of_the_key_are_said_to_those_who_cannot_read_them(desk: Desk) -> None:
    """The players compare them with what the arbiter has read out."""
    desk.type("adjourn")
    words = "Schlüssel des Siegels: "
    [sentence] = [each.text for each in desk.voice.sentences if words in each.text]
    [line] = [each for each in desk.shown if words in each]
    ranks = ("eins", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht")
    said = [
        f"{file[0].lower()}{ranks.index(rank) + 1}" for file, rank in re.findall(r"(\w+) (\w+)[,.]", sentence)
    ]
    assert said == re.findall("[a-h][1-8]", line) and len(said) == 12


def test_a_move_that_is_sealed_already_is_told_when_the_game_is_taken_up_and_how_one_is_sealed(
    desk: Desk,
) -> None:
    how = "seal: den Zug ungesehen tippen. seal dictate: ihn sprechen. close: die Uhren werden angehalten."
    desk.type("adjourn", "seal", "")
    desk.again()
    assert desk.shown[-2:] == ["Hector: Hängepartie: Weiß gibt einen Zug ab.", how]
    desk.type("seal", "Nf3")
    desk.again()
    assert desk.shown[-3:] == [
        "Hector: Hängepartie: Weiß gibt einen Zug ab.",
        "Hector: Der Zug ist abgegeben.",
        how,
    ]


def test_a_game_is_adjourned_sealed_and_resumed_by_typing(desk: Desk) -> None:
    desk.type("adjourn Sonntag 10 Uhr", "seal", "Sf3", "seal", "Lc4", "close")
    assert desk.verbs[-4:] == ["adjourn", "seal", "seal", "stop-clock"]
    assert desk.status["running"] == "none"
    desk.type("here white", "here black", "resumption", f"open {desk.key}", PHRASE)
    assert desk.status["moves"] == ["e4", "e5", "Bc4"]
    assert desk.status["running"] == "black"
    assert desk.shown[-2:] == ["Hector: Läufer Cesar vier", "Hector: Die Uhr von Schwarz läuft."]
    desk.type("Sc6", "")
    assert desk.status["moves"] == ["e4", "e5", "Bc4", "Nc6"]


@pytest.mark.parametrize("before", [(), ("seal", "Lc4")])
def test_the_sealed_move_that_a_full_disk_has_not_taken_is_the_one_that_is_made(
    desk: Desk, before: tuple[str, ...]
) -> None:
    """The last move before the clock is stopped counts (I.1.1), wherever its line still waits."""
    desk.type("adjourn", *before)
    desk.spend_reserve()
    with full_disk((desk.folder / "journal.jsonl").stat().st_size):
        desk.type("seal", "Sf3", "close", "here white", "here black", "resumption")
        desk.type(f"open {desk.key}", PHRASE)
    assert desk.status["moves"] == ["e4", "e5", "Nf3"]
    desk.again()
    assert desk.status["moves"] == ["e4", "e5", "Nf3"]


def test_the_line_of_the_move_and_of_the_passphrase_is_hidden_and_no_other(desk: Desk) -> None:
    desk.type("adjourn")
    desk.hidden.clear()
    desk.type("seal")
    assert desk.hidden[-1] is True
    desk.type("Sf3")
    assert desk.hidden[-1] is False
    assert not any("Sf3" in line or "Felix" in line for line in desk.shown)
    assert desk.voice.sentences[-1].text == "Der Zug ist abgegeben."


def test_escape_seals_nothing_and_what_is_typed_next_is_still_hidden(desk: Desk) -> None:
    desk.type("adjourn", "seal", ESCAPE)
    assert desk.hidden[-1] is True
    desk.type("Sf3")
    assert desk.verbs[-1] == "seal"
    desk.type("close", "here white", "here black", "resumption", f"open {desk.key}", PHRASE)
    assert desk.status["moves"] == ["e4", "e5", "Nf3"]


@pytest.mark.parametrize(
    "line", ["close", "seal", "Seal dictate", "?", " T ", "here white", "open key.json", "resign", "draw"]
)
def test_a_line_that_steers_the_table_is_not_sealed_as_the_move(desk: Desk, line: str) -> None:
    desk.type("adjourn", "seal")
    said = desk.type(line)
    assert said.startswith("Erst der Zug (nicht gezeigt)")
    assert desk.hidden[-1] is True
    assert desk.verbs[-1] == "adjourn"
    desk.type("Sf3")
    assert desk.verbs[-1] == "seal"


MANY_MOVES = (
    chess.STARTING_FEN,
    "r3k2r/1P4P1/8/2n2b2/3Qq3/5PpR/1pP2p2/R3K2R w KQkq - 0 1",
    "r3k2r/1P4P1/8/2n2b2/3Qq3/5PpR/1pP2p2/R3K2R b KQkq - 0 1",
)


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("fen", MANY_MOVES)
def test_no_move_in_words_or_letters_steers_the_table(fen: str, language: str) -> None:
    board = chess.Board(fen)
    for move in board.legal_moves:
        words = [" ".join(form) for form in spoken_forms(board, move, VOCABULARY)]
        letters = [write(board, move, Style(language, form=form)) for form in ("short", "long")]
        assert not [text for text in (*words, *letters, move.uci()) if is_of_table(text)]
    assert not [key for key in KEYS if read_move(board, key, language)]


def test_the_verbs_of_an_adjournment_are_told_from_moves_whatever_they_mean_now(desk: Desk) -> None:
    known = set(desk.secretary._verbs())
    for line in ("adjourn", "seal", "Sf3", "close"):
        desk.type(line)
        known |= set(desk.secretary._verbs())
    assert known == VERBS


def test_escape_is_no_yes_to_dictation(desk: Desk) -> None:
    desk.type("adjourn", "seal dictate", ESCAPE)
    assert not desk.secretary._dictating
    desk.type("y")
    assert desk.secretary._dictating


@pytest.mark.parametrize("word", ["y", "ja", "sí", "oui", "tak"])
def test_dictation_begins_with_yes_in_any_language(desk: Desk, word: str) -> None:
    desk.type("adjourn", "seal dictate", word)
    assert desk.secretary._dictating


@pytest.mark.parametrize("key", ["s", "o", "t"])
def test_a_key_of_the_table_is_no_yes_to_dictation(desk: Desk, key: str) -> None:
    desk.type("adjourn", "seal dictate", key)
    assert not desk.secretary._dictating


@pytest.mark.parametrize("line", ["adjourn morgen", "here white", "resumption", "open", "lost"])
def test_a_word_that_comes_before_the_envelope_is_closed_tells_how_it_is(desk: Desk, line: str) -> None:
    desk.type("adjourn")
    assert desk.type(line).startswith("seal: den Zug ungesehen tippen.")
    assert desk.verbs[-1] == "adjourn"


@pytest.mark.parametrize("line", ["Sf3", "Kd3", "König David drei"])
def test_a_move_typed_without_the_verb_is_neither_made_nor_said_legal_or_not(desk: Desk, line: str) -> None:
    desk.type("adjourn")
    said = list(desk.voice.sentences)
    assert desk.type(line).startswith("Ein Zug ist abzugeben.")
    assert desk.status["ply"] == 2
    assert desk.voice.sentences == said


def test_closing_a_closed_envelope_tells_that_it_is_and_stops_nothing(desk: Desk) -> None:
    desk.type("adjourn", "seal", "Sf3", "close", "here white", "resumption")
    assert desk.type("close").startswith("Der Umschlag ist geschlossen.")
    assert desk.status["running"] == "black"


def test_after_the_order_is_withdrawn_moves_are_played_again(desk: Desk) -> None:
    desk.type("adjourn")
    desk.table.act({"do": "undo"}, desk.at)
    desk.type("Sf3", "")
    assert desk.status["moves"] == ["e4", "e5", "Nf3"]


@pytest.mark.parametrize("line", ["ich spiele Springer f3", "Springer f", "Sf3 danke", "castles"])
def test_what_may_be_half_the_move_to_be_sealed_is_not_read_aloud_in_a_club_game(
    tmp_path: Path, line: str
) -> None:
    desk = Desk(tmp_path / "game", mode="club")
    desk.type("adjourn")
    assert desk.type(line) == "Hector: Wie bitte?"


def test_after_the_sealing_is_withdrawn_a_move_is_not_read_aloud(desk: Desk) -> None:
    desk.type("adjourn", "seal", "Lc4")
    desk.table.act({"do": "undo"}, desk.at)
    said = list(desk.voice.sentences)
    assert desk.type("Sf3").startswith("Ein Zug ist abzugeben.")
    assert desk.voice.sentences == said


def test_times_may_be_asked_for_while_a_move_is_sealed(desk: Desk) -> None:
    desk.type("adjourn")
    assert desk.type("t").startswith("Hector: Weiß:")


def test_a_move_placed_after_the_order_is_told_to_be_sealed_and_is_not_pressed_for(desk: Desk) -> None:
    """I.1.1: it is the move to be written; the one that was sealed before does not count."""
    desk.type("Sf3", "adjourn", "seal", "Sc3")
    shown, verbs = len(desk.shown), len(desk.verbs)
    desk.type("")
    assert desk.shown[shown:] == [
        "Hector: Hängepartie: Weiß gibt den auf dem Brett ausgeführten Zug ab.",
        "Hector: Was vorher abgegeben wurde, zählt nicht.",
    ]
    assert desk.verbs[verbs:] == ["place"]
    assert desk.type("close").startswith("Abgelehnt: erst wird der Zug abgegeben")


def test_a_move_that_the_arbiter_enters_after_the_order_waits_for_no_press(desk: Desk) -> None:
    desk.type("Sf3", "", "adjourn")
    desk.table.act({"do": "announce", "side": "black", "move": "b8c6"}, desk.at)
    assert [sentence.text for sentence in desk.voice.sentences[-2:]] == [
        "Springer Cesar sechs",
        "Hängepartie: Schwarz gibt den auf dem Brett ausgeführten Zug ab.",
    ]
    assert desk.table.memory.pending is None


def test_a_blind_players_move_that_the_arbiter_enters_after_the_order_waits_for_his_man(desk: Desk) -> None:
    """D.2.3, D.2.8: until then it can be corrected."""
    desk.type("adjourn")
    for verb, move in (("announce", "b1c3"), ("correct", "g1f3"), ("place", "g1f3")):
        desk.table.act({"do": verb, "side": "white", "move": move}, desk.at)
    assert [sentence.text for sentence in desk.voice.sentences[-3:]] == [
        "Springer Cesar drei",
        "Korrektur: Springer Felix drei.",
        "Hängepartie: Weiß gibt den auf dem Brett ausgeführten Zug ab.",
    ]
    assert desk.table.memory.pending is None


def test_the_arbiters_press_for_a_move_that_is_to_be_sealed_is_its_placing(desk: Desk) -> None:
    desk.type("Sf3", "adjourn")
    events = desk.table.act({"do": "press", "side": "white"}, desk.at)
    assert [event.event for event in events] == ["adjourned"]
    assert desk.verbs[-1] == "place"


def test_the_closing_of_the_envelope_announces_no_earlier_move(desk: Desk) -> None:
    """What was announced and not made gives way to the sealed move; the last one before it is no news."""
    desk.type("Sf3", "adjourn", "seal", "Sc3")
    said = len(desk.voice.sentences)
    desk.type("close")
    assert [sentence.text for sentence in desk.voice.sentences[said:]] == ["Die Uhren stehen."]


def test_an_order_to_seal_that_cannot_be_given_asks_for_no_key(tmp_path: Path) -> None:
    desk = Desk(tmp_path / "game", time_control="-")
    (desk.folder / "arbiter-key.pub").unlink()
    assert desk.type("adjourn") == "Abgelehnt: keine Uhr läuft (2023 I.1.1)."


def test_without_a_key_no_game_is_adjourned(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "nobody"))
    (desk.folder / "arbiter-key.pub").unlink()
    assert "hector arbiter-key" in desk.type("adjourn")
    assert not desk.table.course.sealing


def test_the_clock_is_stopped_only_when_the_move_is_sealed(desk: Desk) -> None:
    """I.1.1."""
    desk.type("adjourn")
    assert desk.type("close").startswith("Abgelehnt: erst wird der Zug abgegeben")
    assert desk.status["running"] == "white"


def test_the_clock_of_an_absent_replier_runs_until_he_comes(desk: Desk) -> None:
    """I.9.2."""
    desk.type("adjourn", "seal", "Sf3", "close", "here white", "resumption")
    assert desk.status["running"] == "black"
    assert "(2023 I.7)" in desk.type(f"open {desk.key}")
    assert desk.hidden[-1] is False
    desk.type("here black", f"open {desk.key}", PHRASE)
    assert desk.status["moves"] == ["e4", "e5", "Nf3"]


def test_the_envelope_of_an_absent_player_whose_flag_has_fallen_is_opened(desk: Desk) -> None:
    """6.9: the sealed move may have ended the game before."""
    desk.type("adjourn", "seal", "Sf3", "close", "here white", "resumption")
    desk.at += 6000
    desk.type("t")
    assert desk.table.course.referee.result == "*"
    desk.type(f"open {desk.key}", PHRASE)
    assert desk.status["moves"] == ["e4", "e5", "Nf3"]
    assert desk.table.course.referee.result == "1-0"


def test_what_the_arbiter_is_asked_in_an_adjourned_game_is_told_when_it_is_taken_up(desk: Desk) -> None:
    """6.9: until he has ruled on the fallen flag, the game may be over."""
    desk.type("adjourn", "seal", "Sf3", "close", "here white", "resumption")
    desk.at += 6000
    desk.type("t")
    desk.again()
    assert desk.shown[:4] == [
        "Hector: Die Partie ist vertagt.",
        "Hector: Das Blättchen von Schwarz ist gefallen.",
        "Hector: Der Schiedsrichter entscheidet.",
        "Hector: Schiedsrichter: Wie wird die Partie gewertet?",
    ]


def test_who_is_late_is_named_when_the_arbiter_is_asked_and_when_the_game_is_taken_up(tmp_path: Path) -> None:
    desk = Desk(tmp_path / "game", laws="2009", language="en")
    desk.type("adjourn", "seal", "Nf3", "close", "resumption")
    desk.at += 4000
    desk.type("here white", "here black")
    late = [f"Hector: Arbiter: {side} is late. Is the game lost?" for side in ("White", "Black")]
    assert sorted(line for line in desk.shown if "is late" in line) == sorted(late)
    desk.again()
    assert sorted(line for line in desk.shown if "is late" in line) == sorted(late)


def test_before_the_agreed_hour_no_passphrase_is_asked_for(desk: Desk) -> None:
    desk.type("adjourn", "seal", "Sf3", "close", "here white", "here black")
    said = desk.type(f"open {desk.key}")
    assert said == "Abgelehnt: die vereinbarte Stunde der Wiederaufnahme ist noch nicht da (2023 I.7)."
    assert desk.hidden[-1] is False
    desk.type("resumption", f"open {desk.key}", PHRASE)
    assert desk.status["moves"] == ["e4", "e5", "Nf3"]


@pytest.mark.parametrize("name", ["none.json", "no\0ne.json"])
def test_a_key_file_that_there_cannot_be_is_told_and_asks_for_no_passphrase(desk: Desk, name: str) -> None:
    desk.type("adjourn", "seal", "Sf3", "close", "here white", "here black", "resumption")
    said = desk.type(f"open {name}")
    assert said is not None and "open FILE" in said and desk.hidden[-1] is False
    desk.type(f"open {desk.key}", PHRASE)
    assert desk.status["moves"] == ["e4", "e5", "Nf3"]


def test_nobody_pays_for_the_time_that_the_deciphering_takes(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """I.8: the replier's clock starts when the sealed move is made on the board."""
    desk.type("adjourn", "seal", "Sf3", "close", "here white", "here black", "resumption", f"open {desk.key}")
    before = desk.status["black"]

    def slow(data: bytes, passphrase: str) -> SecretKey:
        desk.at += 1.6
        return unlock(data, passphrase)

    monkeypatch.setattr("assistant.table.secretary.unlock", slow)
    desk.type(PHRASE)
    desk.table.tick(desk.at)
    assert (desk.status["running"], desk.status["black"]) == ("black", before)


def test_the_reply_is_sealed_while_the_sealer_is_absent(desk: Desk) -> None:
    """I.9.3."""
    desk.type("adjourn", "seal", "Sf3", "close", "here black", "resumption", f"open {desk.key}", PHRASE)
    assert desk.status["running"] == "black"
    desk.type("seal", "Sc6")
    assert desk.status["running"] == "white"
    desk.type("here white", f"open {desk.key}", PHRASE)
    assert desk.status["moves"] == ["e4", "e5", "Nf3", "Nc6"]


def test_a_wrong_passphrase_opens_nothing_and_the_next_one_is_not_shown_either(desk: Desk) -> None:
    desk.type("adjourn", "seal", "Sf3", "close", "here white", "here black", "resumption")
    desk.type(f"open {desk.key}", "wrong")
    assert "Passphrase ist falsch" in desk.shown[-2]
    assert desk.shown[-1] == "Passphrase (nicht gezeigt): "
    assert (desk.status["ply"], desk.hidden[-1]) == (2, True)
    desk.type(PHRASE)
    assert (desk.status["ply"], desk.hidden[-1]) == (3, False)


def test_enter_alone_opens_nothing_and_asks_no_more(desk: Desk) -> None:
    desk.type("adjourn", "seal", "Sf3", "close", "here white", "here black", "resumption")
    assert desk.type(f"open {desk.key}", "") == "Nichts wurde geöffnet."
    assert (desk.status["ply"], desk.hidden[-1]) == (2, False)


def test_without_a_key_that_can_be_read_no_passphrase_is_asked_for(desk: Desk, tmp_path: Path) -> None:
    desk.type("adjourn", "seal", "Sf3", "close", "here white", "here black", "resumption")
    assert desk.type(f"open {tmp_path / 'none.json'}").startswith("hector: Es gibt keinen Schlüssel ")
    assert desk.type(f"open {tmp_path}").startswith(f"hector: Der Schlüssel {tmp_path} lässt sich nicht")
    # No clock runs on while somebody is waited for who writes into a pipe.
    os.mkfifo(tmp_path / "pipe")
    why = "Das ist keine gewöhnliche Datei"
    assert desk.type(f"open {tmp_path / 'pipe'}").endswith(f" lässt sich nicht lesen: {why}.")
    assert desk.hidden[-1] is False


def test_what_a_club_game_does_not_seal_is_followed_by_a_move_that_is_not_shown_either(
    tmp_path: Path,
) -> None:
    desk = Desk(tmp_path / "game", mode="club")
    desk.type("adjourn", "seal", "Sf6")
    assert desk.shown[-1] == "Der Zug (nicht gezeigt): "
    assert (desk.verbs[-1], desk.hidden[-1]) == ("adjourn", True)
    desk.type("Sf3")
    assert (desk.verbs[-1], desk.hidden[-1]) == ("seal", False)


def test_nobody_types_a_move_to_be_sealed_when_none_is(desk: Desk) -> None:
    desk.type("adjourn", "seal", "Sf3", "close")
    assert desk.type("seal") == "Abgelehnt: der Umschlag ist geschlossen (2023 I.1.1)."
    desk.type("here white", "here black", "resumption", f"open {desk.key}", PHRASE)
    assert desk.type("seal") == "Abgelehnt: es ist kein Zug abzugeben (2023 I.1.1)."
    assert desk.hidden[-1] is False


def test_after_a_lost_envelope_the_declared_move_is_announced(desk: Desk) -> None:
    """I.12.1."""
    desk.type("adjourn", "seal", "Sf3", "close", "here white", "here black", "resumption", "lost", "Sf3")
    assert desk.status["moves"] == ["e4", "e5", "Nf3"]


@pytest.mark.parametrize("has_come", [False, True])
def test_what_was_sealed_in_a_position_that_is_taken_back_is_told_to_be_void(
    desk: Desk, has_come: bool
) -> None:
    desk.type("adjourn", "seal", "Sf3", "close", *(["here black", "resumption"] if has_come else []))
    said = len(desk.voice.sentences)
    desk.table.act({"do": "restore", "ply": 1}, desk.at)
    assert [sentence.text for sentence in desk.voice.sentences[said:]] == [
        "Zurück zur Stellung nach Zug eins von Weiß.",
        "Was vorher abgegeben wurde, zählt nicht.",
    ]


DECLARES_WHITE = "Weiß sagt an, welcher Zug abgegeben wurde."


def test_no_envelope_is_lost_before_the_agreed_hour(desk: Desk) -> None:
    """It would count as the hour, by which whoever comes later may have lost (6.7.1)."""
    desk.type("adjourn", "seal", "Sf3", "close")
    refused = "Abgelehnt: die vereinbarte Stunde der Wiederaufnahme ist noch nicht da"
    assert desk.type("lost").startswith(refused)
    assert not desk.secretary.adjournment.is_resumed


def test_who_sealed_what_is_lost_hears_that_he_declares_it(desk: Desk) -> None:
    """I.12.1; the one who sealed may be the blind player."""
    desk.type("adjourn", "seal", "Sf3", "close", "here black", "resumption", "lost")
    said = desk.voice.sentences[-2:]
    assert [sentence.text for sentence in said] == [
        "Zurück zur Stellung nach Zug eins von Schwarz.",
        DECLARES_WHITE,
    ]
    assert {sentence.audience for sentence in said} == {"room"}


def test_a_game_whose_envelope_is_lost_tells_when_it_is_taken_up_what_it_waits_for(desk: Desk) -> None:
    desk.type("adjourn", "seal", "Sf3", "close", "here black", "resumption", "lost")
    desk.again()
    assert desk.shown == ["Hector: Die Partie ist vertagt.", f"Hector: {DECLARES_WHITE}"]


def test_a_game_whose_declared_move_is_made_waits_for_no_other(desk: Desk) -> None:
    desk.type("adjourn", "seal", "Sf3", "close", "here white", "here black", "resumption", "lost", "Sf3")
    desk.again()
    assert DECLARES_WHITE not in desk.voice.sentences[-1].text


def test_the_words_for_an_envelope_are_told_when_a_game_is_taken_up_that_has_one(desk: Desk) -> None:
    desk.type("adjourn", "seal", "Sf3", "close")
    desk.again()
    assert desk.shown[0] == "Hector: Die Partie ist vertagt."
    assert desk.shown[1].startswith("Kennzeichen des Siegels: ")
    assert desk.shown[2].startswith("here white, here black")


def sealed_reply(desk: Desk) -> Desk:
    """White's sealed move is made in his absence, and Black's reply lies in the second envelope (I.9.3)."""
    desk.type("adjourn", "seal", "Sf3", "close", "here black", "resumption", f"open {desk.key}", PHRASE)
    desk.type("seal", "Sc6")
    return desk


def test_a_game_whose_reply_is_sealed_tells_when_it_is_taken_up_what_it_waits_for(desk: Desk) -> None:
    sealed_reply(desk).again()
    assert desk.shown[0] == "Hector: Partie fortgesetzt. Schwarz hat die Antwort abgegeben."
    assert all(word in desk.shown[-1] for word in ("here white", "open:", "lost:"))


SCRAWL = ("adjourn", "seal", "ein guter Zug", "close", "here white", "here black", "resumption")


def test_a_game_whose_envelope_lies_open_tells_when_it_is_taken_up_how_it_is_opened_again(desk: Desk) -> None:
    desk.type(*SCRAWL, f"open {desk.key}", PHRASE)
    desk.table.act({"do": "penalty", "side": "white", "kind": "warning"}, desk.at)
    desk.again()
    assert desk.shown[-1] == "Der Umschlag ist offen. open: noch einmal, was darin steht."
    desk.type(f"open {desk.key}", PHRASE)
    assert [question.what for question in desk.table.course.referee.questions] == ["which-move"]


def test_an_envelope_that_has_been_ruled_on_is_not_opened_again(desk: Desk) -> None:
    desk.type(*SCRAWL, f"open {desk.key}", PHRASE)
    desk.table.act({"do": "rule", "claim": "reject"}, desk.at)
    desk.again()
    assert not any("open:" in line for line in desk.shown)
    assert desk.secretary.adjournment.sealer is None


def test_a_game_whose_reply_is_lost_waits_for_no_opening(desk: Desk) -> None:
    sealed_reply(desk).type("lost")
    desk.again()
    assert desk.shown[-1] == "Hector: Schwarz sagt an, welcher Zug abgegeben wurde."


def test_a_game_whose_envelope_is_void_waits_for_the_agreed_hour(desk: Desk) -> None:
    desk.type("adjourn", "seal", "Sf3", "close")
    desk.table.act({"do": "restore", "ply": 1}, desk.at)
    desk.again()
    assert "Was vorher abgegeben wurde, zählt nicht." in desk.shown
    assert "resumption" in desk.shown[-1] and "open" not in desk.shown[-1]
    desk.type("here white", "here black", "resumption")
    assert desk.status["running"] == "black"


def test_a_sealed_reply_that_no_key_opens_is_declared_by_its_player(desk: Desk) -> None:
    """I.9.3, I.12.1."""
    desk.type("adjourn", "seal", "Sf3", "close", "here black", "resumption", f"open {desk.key}", PHRASE)
    desk.type("seal", "Sc6", "here white")
    other = desk.folder.parent / "other.json"
    other.write_bytes(new_key(PHRASE, Work(passes=1, memory=8192)))
    assert "(2023 I.12.1): lost" in desk.type(f"open {other}", PHRASE)
    assert desk.type("lost") == "Hector: Schwarz sagt an, welcher Zug abgegeben wurde."
    assert desk.status["running"] == "none"
    desk.type("Sc6")
    assert (desk.status["moves"], desk.status["running"]) == (["e4", "e5", "Nf3", "Nc6"], "white")


def test_who_waits_for_a_lost_reply_is_told_when_he_comes(desk: Desk) -> None:
    desk.type("adjourn", "seal", "Sf3", "close", "here black", "resumption", f"open {desk.key}", PHRASE)
    desk.type("seal", "Sc6", "lost")
    assert desk.type("here white") == "Hector: Schwarz sagt an, welcher Zug abgegeben wurde."


def test_the_declared_move_of_a_lost_envelope_is_what_is_said_again(desk: Desk) -> None:
    desk.type("adjourn", "seal", "Sf3", "close", "here white", "here black", "resumption", "lost", "Sf3")
    assert desk.type("r") == "Hector: Springer Felix drei"


def test_after_an_unreadable_envelope_nobody_goes_back_to_a_position_that_was_never_left(desk: Desk) -> None:
    desk.type("adjourn", "seal", "blub", "close", "here white", "here black", "resumption")
    desk.type(f"open {desk.key}", PHRASE)
    said = len(desk.voice.sentences)
    desk.table.act({"do": "rule", "claim": "reject"}, desk.at)
    assert desk.voice.sentences[said:] == []


def test_whose_clock_runs_is_told_when_an_unreadable_sealed_move_is_entered(desk: Desk) -> None:
    """I.9.1: nobody has pressed."""
    desk.type("adjourn", "seal", "xyz", "close", "here white", "here black", "resumption")
    desk.type(f"open {desk.key}", PHRASE)
    desk.table.act({"do": "rule", "claim": "reject"}, desk.at)
    desk.type("Sf3")
    assert desk.shown[-2:] == ["Hector: Springer Felix drei", "Hector: Die Uhr von Schwarz läuft."]


def test_the_words_of_the_table_mean_nothing_special_in_a_game_that_goes_on(desk: Desk) -> None:
    for word in ("seal", "close", "open", "lost", "here white", "resumption"):
        assert not desk.secretary.take(word, desk.at)


def test_a_terminal_hides_a_line_and_shows_again_what_is_typed() -> None:
    controller, terminal = pty.openpty()

    def echoes() -> bool:
        return bool(termios.tcgetattr(terminal)[3] & termios.ECHO)

    with Keyboard(terminal) as keyboard:
        keyboard.hide(True)
        assert not echoes()
    assert echoes()
    os.close(controller)


# -- Dictated ------------------------------------------------------------------------------------------


def speak(desk: Desk, *words: str) -> None:
    """Let words be understood at this table, as the recogniser passes them on."""
    for each in words:
        desk.at += 5
        best = Transcript(tuple(each.split()), -100.0)
        desk.table.hear(Utterance(desk.at - 2, desk.at - 1, (best,), (best,), -100.0, 50, 300.0))


def test_a_dictated_move_is_read_back_to_the_sealing_player_alone(desk: Desk) -> None:
    desk.type("adjourn", "seal dictate", "y")
    shown = len(desk.shown)
    speak(desk, "springer felix drei")
    assert desk.voice.sentences[-1].text == "Springer Felix drei? Ja oder nein?"
    assert desk.voice.sentences[-1].audience == "white"
    speak(desk, "ja")
    assert desk.shown[shown:] == ["Hector: Der Zug ist abgegeben."]
    assert "Felix" not in (desk.folder / "said.txt").read_text(encoding="utf-8")
    desk.type("close", "here white", "here black", "resumption", f"open {desk.key}", PHRASE)
    assert desk.status["moves"] == ["e4", "e5", "Nf3"]


def test_an_envelope_whose_sheets_cannot_be_written_is_closed_and_tells_how_they_are(desk: Desk) -> None:
    (desk.folder / "envelope.html").mkdir()
    desk.type("adjourn", "seal", "Sf3", "close")
    assert desk.shown[-3].startswith("Der Umschlag ist geschlossen. Kennzeichen des Siegels: ")
    assert "envelope.html (" in desk.shown[-2]
    assert desk.shown[-2].endswith(f"und schreiben Sie die Blätter neu mit: hector seal {desk.folder}")
    assert desk.shown[-1] == "q und Eingabetaste: aufhören bis zur Wiederaufnahme."


def test_what_is_typed_while_a_key_is_deciphered_is_not_shown(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.type("adjourn", "seal", "Sf3", "close", "here white", "here black", "resumption", f"open {desk.key}")
    before = len(desk.hidden)

    def looked_at(data: bytes, passphrase: str) -> SecretKey:
        assert len(desk.hidden) == before
        return unlock(data, passphrase)

    monkeypatch.setattr("assistant.table.secretary.unlock", looked_at)
    desk.type(PHRASE)
    assert desk.hidden[before:] == [False]


def test_nobody_is_asked_to_dictate_a_move_that_nobody_would_hear(desk: Desk) -> None:
    """He would speak, hear nothing, and his clock would run."""
    desk.hears = False
    assert desk.type("adjourn", "seal dictate") == "Kein Mikrofon. seal: den Zug ungesehen tippen."
    assert desk.type("seal", "Sf3", "close")
    assert desk.verbs.count("seal") == 1


def test_a_dictated_move_that_was_misheard_is_said_again(desk: Desk) -> None:
    desk.type("adjourn", "seal dictate", "y")
    speak(desk, "springer felix drei", "nein", "springer cesar drei", "ja")
    assert desk.verbs.count("seal") == 1
    desk.type("close", "here white", "here black", "resumption", f"open {desk.key}", PHRASE)
    assert desk.status["moves"] == ["e4", "e5", "Nc3"]


def test_hector_presses_for_nobody_who_is_to_seal(tmp_path: Path) -> None:
    """D.2.3, I.1.1: what he had only announced is not made, and takes nothing from what he seals."""
    typed = Typed(tmp_path / "game", pace=0.1, press="auto")
    typed.type("e4")
    for line in (
        {"do": "adjourn", "by": "arbiter"},
        {"do": "seal", "side": "white", "text": "d4"},
        {"do": "announce", "side": "black", "move": "e7e5", "desk": "opponent"},
    ):
        typed.table.act(line, typed.at)
    typed.table.hear(uttered({"eva fuenf": -90.0}, typed.table._expected.book, typed.at))
    typed.pass_time(60)
    assert typed.table.course.referee.has_sealed
    typed.table.act({"do": "stop-clock", "by": "arbiter"}, typed.at)
    assert typed.table.course.referee.has_envelope and typed.moves == []


def test_dictation_ends_with_the_order_that_it_was_for(desk: Desk) -> None:
    """Only whoever was asked for headphones may hear Hector; an older move is none of this position."""
    desk.type("adjourn", "seal dictate", "y")
    speak(desk, "springer felix drei")
    desk.table.act({"do": "undo"}, desk.at)
    desk.type("Lc4", "", "Sc6", "", "adjourn")
    said = len(desk.voice.sentences)
    speak(desk, "ja", "springer felix drei")
    assert (desk.verbs.count("seal"), len(desk.voice.sentences)) == (0, said)


def test_the_sheets_of_an_envelope_go_where_the_game_was_moved(desk: Desk) -> None:
    desk.type("adjourn", "seal", "Sf3")
    moved = desk.folder.rename(desk.folder.with_name("elsewhere"))
    desk.type("close")
    assert any(str(moved / "envelope.html") in line for line in desk.shown)
    assert (moved / "envelope.html").exists()
    assert not desk.folder.exists()


@pytest.mark.parametrize("lines", [["adjourn"], ["adjourn", "seal dictate", "n"]])
def test_a_move_that_is_said_in_the_room_is_neither_made_nor_repeated_nor_kept(
    desk: Desk, lines: list[str]
) -> None:
    """Somebody thinks aloud after the order to seal."""
    evidence = Evidence(desk.table, lambda: desk.folder)
    keep = (Utterance(0.0, 1.0, (), (), 0.0, 0, 0.0), DECISION, np.ones(16_000, np.int16))
    evidence(*keep)
    assert len(list(desk.folder.glob("heard/*"))) == 1
    desk.type(*lines)
    said, shown, verbs = len(desk.voice.sentences), len(desk.shown), desk.verbs
    speak(desk, "springer felix drei", "ja")
    evidence(*keep)
    assert (len(desk.voice.sentences), len(desk.shown), desk.verbs) == (said, shown, verbs)
    assert len(list(desk.folder.glob("heard/*"))) == 1


def test_the_spoken_question_for_the_times_is_answered_while_a_move_is_sealed(desk: Desk) -> None:
    desk.type("adjourn")
    speak(desk, "zeit")
    assert desk.shown[-1].startswith("Hector: Weiß:")


@pytest.mark.parametrize(("side", "told"), [("white", "Weiß ist da."), ("black", "Schwarz ist da.")])
def test_who_comes_back_is_told_to_be_there(desk: Desk, side: str, told: str) -> None:
    desk.type("adjourn", "seal", "Sf3", "close")
    assert desk.type(f"here {side}") == f"Hector: {told}"


def test_an_engine_never_leaves_an_adjourned_game(tmp_path: Path) -> None:
    desk = Desk(tmp_path / "game", mode="club", engine=Opponent("stockfish"))
    desk.type("adjourn", "seal", "Sf3", "close")
    assert not [line for line in desk.shown if "ist da" in line]
    desk.again()
    desk.type("here white", "resumption", f"open {desk.key}", PHRASE)
    assert desk.status["moves"] == ["e4", "e5", "Nf3"]


def test_the_envelope_and_the_move_in_it_are_recalled_together(desk: Desk) -> None:
    desk.type("adjourn", "seal", "Sf3", "close", "here white", "here black", "resumption")
    desk.type(f"open {desk.key}", PHRASE)
    said = len(desk.voice.sentences)
    desk.type("wiederholen")
    again = [sentence.text for sentence in desk.voice.sentences[said:]]
    assert again == ["Der Umschlag ist geöffnet.", "Springer Felix drei"]


def test_a_player_without_a_name_is_named_by_his_side_in_the_language(tmp_path: Path) -> None:
    desk = Desk(tmp_path / "game", white=Person("White", blind=True))
    desk.type("adjourn", "seal dictate")
    assert desk.shown[-1].startswith("Nur Weiß darf")

"""Asked, and only asked: what a blind player is told of his game, by words and by keys, and to whom."""

from __future__ import annotations

from pathlib import Path

import pytest
from typed import VOCABULARY, HeardVoice, Typed

from assistant.announcements import Thresholds
from assistant.journal import read
from assistant.table import Person, Table, reopen_record


@pytest.fixture
def typed(tmp_path: Path) -> Typed:
    return Typed(tmp_path / "game", time_control="40/5400+30:1800+30")


def answer(typed: Typed, *lines: str) -> str:
    """Type lines and return what Hector said to the last of them."""
    said = len(typed.said)
    typed.type(*lines[:-1])
    said = len(typed.said)
    typed.type(lines[-1])
    assert len(typed.said) == said + 1, typed.said[said:]
    return typed.said[-1]


@pytest.mark.parametrize("words", ["zugzahl zeit", "c"])
def test_moves_to_the_control(typed: Typed, words: str) -> None:
    """By voice and by key, and with the number of moves completed already taken off."""
    assert answer(typed, words) == "Vierzig Züge bis zur Zeitkontrolle."
    assert answer(typed, "e4", "", words) == "Neununddreißig Züge bis zur Zeitkontrolle."


def test_in_the_last_period_no_control_is_to_come(tmp_path: Path) -> None:
    typed = Typed(tmp_path / "game", time_control="5400+30")
    assert answer(typed, "zugzahl zeit") == "Keine weitere Zeitkontrolle."


@pytest.mark.parametrize("words", ["zugzahl", "m"])
def test_moves_completed(typed: Typed, words: str) -> None:
    assert answer(typed, "e4", "", "e5", "", "Nf3", words) == "Ein Zug abgeschlossen."


@pytest.mark.parametrize("words", ["zeit", "t"])
def test_the_times_of_both_the_askers_first(tmp_path: Path, words: str) -> None:
    typed = Typed(tmp_path / "game", time_control="600", white=Person("W"), black=Person("B", blind=True))
    said = answer(typed, "e4", "", words)
    assert said.startswith("Schwarz: neun Minuten fünfundfünfzig Sekunden. Weiß: neun Minuten")


@pytest.mark.parametrize("words", ["letzter zug", "l"])
def test_the_last_move_is_the_last_announced(typed: Typed, words: str) -> None:
    assert answer(typed, words) == "Noch kein Zug."
    assert answer(typed, "e4", words) == "Eva vier"
    assert answer(typed, "", "e5", words) == "Eva fünf"


@pytest.mark.parametrize("words", ["zug wiederholen", "o"])
def test_the_opponents_last_move(typed: Typed, words: str) -> None:
    assert answer(typed, words) == "Noch kein Zug."
    assert answer(typed, "e4", words) == "Der Gegner hat noch nicht gezogen."
    assert answer(typed, "", words) == "Der Gegner hat noch nicht gezogen."
    assert answer(typed, "e5", words) == "Eva fünf"
    assert answer(typed, "", "Nf3", words) == "Eva fünf"
    assert answer(typed, "", words) == "Eva fünf"


def test_the_last_move_of_a_position_that_was_restored(tmp_path: Path) -> None:
    typed = Typed(tmp_path / "game", mode="club")
    typed.type("e4", "", "e5", "", "Nf3", "")
    typed.table.act({"do": "restore", "ply": 2}, typed.at)
    assert answer(typed, "letzter zug") == "Eva fünf"
    assert answer(typed, "zug wiederholen") == "Eva fünf"


@pytest.mark.parametrize(("number", "words"), [(1, "zwei"), (20, "einundzwanzig")])
def test_a_position_of_a_game_that_black_began_is_numbered_as_on_its_sheet(
    tmp_path: Path, number: int, words: str
) -> None:
    fen = f"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 {number}"
    typed = Typed(tmp_path / "game", fen=fen, mode="rated")
    typed.type("e5", "", "Nf3", "")
    typed.table.act({"do": "announce", "side": "black", "move": "a8a5"}, typed.at)
    typed.type("")
    typed.table.act({"do": "claim", "side": "white", "of": "illegal-move"}, typed.at)
    typed.table.act({"do": "restore", "ply": 2}, typed.at)
    assert "Regelwidriger Zug Nummer eins von Schwarz. Weiß bekommt zwei Minuten dazu." in typed.said
    assert typed.said[-1] == f"Zurück zur Stellung nach Zug {words} von Weiß."


def test_repeat_is_what_was_said_last(typed: Typed) -> None:
    assert answer(typed, "e4", "", "e5", "zugzahl", "wiederholen") == "Ein Zug abgeschlossen."


@pytest.mark.parametrize("words", ["stellung", "was steht auf eva zwei", "wo steht dame", "p"])
def test_a_rated_game_tells_nothing_of_the_board(typed: Typed, words: str) -> None:
    assert answer(typed, words) == "In dieser Partie nicht."
    assert not [line for line in read(typed.folder).lines if line.get("about") == "position"]


@pytest.mark.parametrize("setup", [{"mode": "club"}, {"reads_board": True}])
def test_the_board_is_told_where_the_event_allows_it(tmp_path: Path, setup: dict[str, object]) -> None:
    """In a rated game only as it was agreed before the game; each question is on record."""
    typed = Typed(tmp_path / "game", **setup)
    assert answer(typed, "was steht auf eva zwei") == "Bauer, weiß, auf Eva zwei."
    assert answer(typed, "wo steht dame") == "Dame. Weiß: David eins. Schwarz: David acht."
    assert answer(typed, "p").startswith("Weiß: König Eva eins, Dame David eins")
    asked = [line for line in read(typed.folder).lines if line.get("do") == "ask"]
    assert [(line["side"], line["about"]) for line in asked] == [("white", "position")] * 3


def test_the_board_is_told_as_it_stands_after_the_last_move_made(tmp_path: Path) -> None:
    """Not as it would after an announcement that can still be mended."""
    typed = Typed(tmp_path / "game", mode="club")
    assert answer(typed, "e4", "was steht auf eva vier") == "Eva vier ist leer."
    assert answer(typed, "", "was steht auf eva vier") == "Bauer, weiß, auf Eva vier."


@pytest.mark.parametrize(
    "words", ["zeit", "zugzahl", "zugzahl zeit", "letzter zug", "zug wiederholen", "hilfe", "xyzzy"]
)
@pytest.mark.parametrize("side", ["white", "black"])
def test_an_answer_is_for_the_one_who_asked(tmp_path: Path, words: str, side: str) -> None:
    """Requests have to be audible to him alone: the room hears announcements and rulings (11.5)."""
    people = {"white": Person("W", side == "white"), "black": Person("B", side == "black")}
    typed = Typed(tmp_path / "game", **people)
    answer(typed, "e4", "", words)
    assert typed.voice.sentences[-1].audience == side


def test_moves_and_rulings_are_for_the_room(typed: Typed) -> None:
    typed.type("e4", "Korrektur", "d4", "", "d5", "")
    told = [each.audience for each in typed.voice.sentences if "Welcher" not in each.text]
    assert set(told) == {"room"}


def test_unasked_nothing_is_told(typed: Typed) -> None:
    """Neither who has pressed, nor the number of the move, nor a time, nor whose turn it is."""
    typed.type("e4", "", "e5", "", "Nf3", "", "Nc6", "", "Lb5", "")
    typed.pass_time(1000)
    assert typed.said[1:] == [
        "Eva vier",
        "Eva fünf",
        "Springer Felix drei",
        "Springer Cesar sechs",
        "Läufer Bella fünf",
    ]


SCHOLAR = "r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 0 1"


@pytest.mark.parametrize("asked", ["letzter zug", "wiederholen"])
def test_which_move_gives_check_or_mate_is_not_told_before_it_is_completed(
    tmp_path: Path, asked: str
) -> None:
    """11.3.1: whoever may mend his move could try them all, and learn which one mates."""
    typed = Typed(tmp_path / "game", fen=SCHOLAR)
    assert answer(typed, "Dh5xe5") == "Dame schlägt Eva fünf"
    assert answer(typed, asked) == "Dame schlägt Eva fünf"
    assert answer(typed, "Dh5xf7") == "Korrektur: Dame schlägt Felix sieben."
    assert answer(typed, "k", "Dh5xe5", "", "letzter zug") == "Dame schlägt Eva fünf Schach"


def test_a_club_game_tells_at_once_which_move_gives_check(tmp_path: Path) -> None:
    typed = Typed(tmp_path / "game", fen=SCHOLAR, mode="club")
    assert answer(typed, "Dh5xe5") == "Dame schlägt Eva fünf Schach"


def test_an_illegal_move_is_read_back_without_check_before_it_is_completed(tmp_path: Path) -> None:
    typed = Typed(tmp_path / "game", fen="4k3/8/8/8/8/8/4r3/R3K3 w - - 0 1")
    assert answer(typed, "Ta1a8") == "Turm Anna acht"


def test_two_blind_players_share_what_is_said(tmp_path: Path) -> None:
    typed = Typed(tmp_path / "game", white=Person("W", True), black=Person("B", True))
    typed.type("resign")
    assert typed.voice.sentences[-1].audience == "room"


def test_that_the_arbiter_decides_is_said_once_whatever_he_is_asked_together(tmp_path: Path) -> None:
    """Both players have an assistant, and he is asked about each (the wording of 2009, 6.7.d)."""
    blind = {"white": Person("Ana", blind=True), "black": Person("Tom", blind=True)}
    typed = Typed(tmp_path / "game", time_control="600", laws="2005", mode="rated", **blind)
    typed.type("e4")
    assert typed.said.count("Der Schiedsrichter entscheidet.") == 1
    assert sum("Schiedsrichter: " in line for line in typed.shown) == 2
    typed.record.close()
    record, setup, lines = reopen_record(typed.folder, typed.shown.append)
    voice = HeardVoice()
    table = Table(setup, VOCABULARY, Thresholds(), voice, record, show=typed.shown.append)
    table.resume(lines, typed.at)
    assert [sentence.text for sentence in voice.sentences].count("Der Schiedsrichter entscheidet.") == 1
    assert sum("Schiedsrichter: " in line for line in typed.shown) == 4


def test_a_claim_that_waits_in_a_game_without_a_clock_speaks_of_none(tmp_path: Path) -> None:
    typed = Typed(tmp_path / "game", mode="club", time_control="-")
    typed.type("e4", "", "e5", "")
    typed.table.act({"do": "claim", "side": "white", "of": "two-hands", "wait": True}, typed.at)
    assert typed.type("Nf3") == "Hector: Eine Reklamation wartet auf den Schiedsrichter."
    typed.table.act({"do": "rule", "claim": "reject"}, typed.at)
    assert not any("Uhr" in sentence for sentence in typed.said)
    assert typed.type("Nf3") == "Hector: Springer Felix drei"

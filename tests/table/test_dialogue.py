"""The dialogue under attack: wrong repetitions, answers to questions nobody put, any keys in any order."""

from __future__ import annotations

from pathlib import Path

import pytest
from exploring import examples
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from spoken import Spoken, uttered
from typed import VOCABULARY, HeardVoice, Typed

from assistant.announcements import Thresholds
from assistant.journal import read
from assistant.speaking import Priority
from assistant.table import NoRecord, PaperVoice, Person, Setup, Table
from assistant.table.setup import EventRules
from assistant.utterance import Transcript, Utterance


@pytest.fixture
def typed(tmp_path: Path) -> Typed:
    return Typed(tmp_path / "game")


# Who presses


def test_where_the_key_alone_presses_a_word_does_not_and_whoever_says_it_is_told() -> None:
    spoken = Spoken(press="key")
    assert spoken.say("eva vier", "gedrueckt") == "In dieser Partie nicht."
    assert spoken.table.course.made == 0
    spoken.table.type("", spoken.at)
    assert spoken.table.course.made == 1


@pytest.mark.parametrize(("press", "is_named"), [("key", False), ("word", True), ("auto", True)])
def test_the_word_that_presses_is_named_where_it_does(press: str, is_named: bool) -> None:
    assert ("gedrückt" in Spoken(press=press).say("hilfe")) == is_named


# The opponent's repetition


@pytest.mark.parametrize("text", ["Eva drei", "Eva zwei Eva drei", "d4", "e3"])
def test_a_repetition_that_differs_is_told_at_once(typed: Typed, text: str) -> None:
    """D.2.1: the opponent has to repeat the announcement; a difference is cleared up at once."""
    typed.type("e4", "")
    assert typed.type(text) == "Hector: Eva vier war angesagt."
    assert (typed.voice.sentences[-1].priority, typed.voice.sentences[-1].audience) == (
        Priority.ALARM,
        "room",
    )
    last = read(typed.folder).lines[-1]
    assert (last["do"], last["side"]) == ("repeat", "black")
    assert [ply.move.uci() for ply in typed.table.sheet.plies] == ["e2e4"]


def test_a_repetition_that_differs_is_heard_too() -> None:
    spoken = Spoken()
    spoken.say("eva vier", "gedrueckt")
    assert spoken.say("eva drei") == "Eva vier war angesagt."
    assert spoken.done[-1] == ("repeat", "e2e3")
    spoken.say("eva vier")
    assert spoken.done[-1] == ("repeat", "e2e4")
    assert spoken.table.course.side_to_move == "black"


def test_a_reply_is_no_repetition(typed: Typed) -> None:
    """What the player who has the move can play is his move, whatever it sounds like."""
    typed.type("e4", "")
    assert typed.type("e5") == "Hector: Eva fünf"


def test_another_man_is_no_repetition(typed: Typed) -> None:
    typed.type("e4", "")
    assert "war angesagt" not in typed.type("Sf3")


def test_a_square_that_shares_neither_file_nor_rank_is_no_repetition() -> None:
    spoken = Spoken(fen="4k3/p7/8/8/4N3/8/8/4K3 w - - 0 1")
    spoken.say("springer gustav drei", "gedrueckt")
    assert spoken.say("springer cesar fuenf") == "Nicht notiert: Springer Cesar fünf."
    assert spoken.done == [("announce", "e4g3"), ("place", "e4g3")]


def test_a_reply_before_the_press_is_no_repetition(typed: Typed) -> None:
    """The clock of e5 is not pressed yet: what White says is about it, not about e4."""
    typed.type("e4", "", "e5")
    assert "war angesagt" not in typed.type("d4")


@pytest.mark.parametrize("words", ["eva drei", "eva vier"])
def test_nobody_is_heard_repeating_for_an_opponent_who_plays_from_elsewhere(words: str) -> None:
    spoken = Spoken(mode="club")
    spoken.table.course.absent = "black"
    spoken.say("eva vier", "gedrueckt")
    said = len(spoken.voice.sentences)
    spoken.say(words)
    assert len(spoken.voice.sentences) == said
    assert [do for do, _move in spoken.done] == ["announce", "place"]


def test_who_says_the_difference_twice_means_it(typed: Typed) -> None:
    typed.type("e4", "", "Eva drei")
    assert "war angesagt" not in typed.type("Eva drei")


CASTLING = "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1"
EXCHANGE = "r1bqkb1r/pppp1ppp/2n2n2/4p3/3PP3/5N2/PPP2PPP/RNBQKB1R w KQkq - 0 4"


@pytest.mark.parametrize(
    ("fen", "words", "question"),
    [
        (CASTLING, "kurze rochade", "Kurze Rochade? Ja oder nein?"),
        (EXCHANGE, "springer schlaegt eva fuenf", "Springer schlägt Eva fünf? Ja oder nein?"),
    ],
)
def test_words_that_repeat_a_move_or_answer_it_are_asked_about_before_hector_presses(
    fen: str, words: str, question: str
) -> None:
    """D.2.1: to repeat it is the opponent's duty; as his own move nobody could mend it any more."""
    spoken = Spoken(press="auto", fen=fen)
    assert spoken.say(words, words) == question
    spoken.say("nein")
    assert spoken.table.course.made == 1
    assert spoken.done[-1][0] == "repeat"
    spoken.say(words)
    assert spoken.table.course.made == 2, "once repeated it is the answer"


def test_yes_makes_the_answer_of_words_that_may_have_been_a_repetition() -> None:
    spoken = Spoken(press="auto", fen=CASTLING)
    spoken.say("kurze rochade", "kurze rochade", "ja")
    assert spoken.done == [("announce", "e1g1"), ("place", "e1g1"), ("announce", "e8g8")]


def test_a_move_said_again_before_its_press_is_not_the_opponents() -> None:
    spoken = Spoken(press="auto", fen=CASTLING)
    spoken.say("kurze rochade")
    spoken.pace = 0.3
    spoken.say("kurze rochade")
    assert spoken.done == [("announce", "e1g1"), ("repeat", "e1g1")]


def test_the_answer_still_waits_when_the_move_that_it_answers_is_pressed_for(tmp_path: Path) -> None:
    """6.2.1: who has made a move may press although his opponent has replied to it."""
    typed = Typed(tmp_path / "game", white=Person("Ana"), black=Person("Tom", blind=True))
    typed.table.act({"do": "announce", "side": "white", "move": "e2e4"}, 1.0)
    typed.table.act({"do": "announce", "side": "black", "move": "e7e5"}, 2.0)
    typed.table.act({"do": "press", "side": "white"}, 3.0)
    assert typed.type("l") == "Hector: Eva fünf"
    typed.type("")
    assert typed.moves == ["e2e4", "e7e5"]


@pytest.mark.parametrize("is_black_blind", [False, True])
def test_a_spoken_answer_presses_for_nobody_who_is_still_asked(is_black_blind: bool) -> None:
    """9.2.1: a draw is claimed with the move that is announced, before its press; it is asked for again."""
    spoken = Spoken(press="auto", black=Person("Black", blind=is_black_blind))
    spoken.pace = 1.0
    question = spoken.say("eva vier", "reklamation stellungswiederholung")
    assert spoken.say("eva fuenf") == question
    assert spoken.table.course.made == 0
    spoken.say("nein", "eva fuenf")
    assert spoken.done == [("announce", "e2e4"), ("place", "e2e4"), ("announce", "e7e5")]


def test_a_corrected_move_has_not_been_repeated_yet() -> None:
    spoken = Spoken(press="auto", fen=CASTLING)
    spoken.pace = 0.3
    spoken.say("kurze rochade", "kurze rochade", "korrektur", "lange rochade", "lange rochade")
    assert spoken.done[-2:] == [("correct", "e1c1"), ("repeat", "e1c1")]


def test_an_undone_move_has_not_been_repeated_yet() -> None:
    spoken = Spoken(press="auto", fen=CASTLING)
    spoken.say("kurze rochade")
    spoken.table.tick(spoken.at + 3)
    repeated = {"do": "repeat", "side": "black", "move": "e1g1"}
    spoken.table.act(repeated, spoken.at + 4)
    assert spoken.table.memory.repeated
    spoken.table.act({"do": "restore", "ply": 1}, spoken.at + 4.5)
    assert not spoken.table.memory.repeated


# The blind player answers before his opponent has pressed

TAKES = "r1bqk2r/ppp2ppp/2n1bn2/3P4/2B1p3/2N5/PPP2PPP/R1BQK2R b KQkq - 0 1"


@pytest.mark.parametrize("press", ["word", "key", "auto"])
def test_what_a_blind_player_types_answers_the_move_that_is_not_pressed(tmp_path: Path, press: str) -> None:
    """1.1: he has the move when his opponent's has been made; that he answers shows that it is."""
    typed = Typed(tmp_path / "game", pace=0.3, fen=TAKES, press=press)
    typed.type("Nxd5")
    assert typed.type("Läufer schlägt David fünf") == "Hector: Läufer schlägt David fünf"
    assert (typed.table.floor, typed.table.course.referee.running) == ("white", "white")
    typed.type("")
    assert typed.moves == ["f6d5", "c4d5"]
    assert typed.table.course.referee.running == "black"


def test_what_a_blind_player_says_answers_the_move_that_is_not_pressed() -> None:
    spoken = Spoken(fen=TAKES)
    spoken.table.type("Nxd5", 1.0)
    assert spoken.say("laeufer schlaegt david fuenf") == "Läufer schlägt David fünf"
    spoken.say("gedrueckt")
    assert spoken.done == [("announce", "f6d5"), ("announce", "c4d5"), ("place", "c4d5")]
    assert spoken.table.course.referee.running == "black"


def test_what_may_have_been_talk_presses_nobodys_clock() -> None:
    spoken = Spoken(fen=TAKES)
    spoken.table.type("Nxd5", 1.0)
    spoken.hear({"laeufer schlaegt david fuenf": -140.0})
    assert spoken.table.course.referee.running == "black"
    assert spoken.done == [("announce", "f6d5")]


def test_what_is_asked_about_an_early_answer_is_about_the_answer() -> None:
    spoken = Spoken(fen="r5k1/8/8/8/8/5N2/8/1N2KR2 b - - 0 1")
    spoken.table.type("Ra7", 1.0)
    assert spoken.say("springer david zwei") == "Springer von Felix oder von Bella?"
    assert spoken.say("von felix") == "Springer Felix drei David zwei"
    assert spoken.done == [("announce", "a8a7"), ("announce", "f3d2")]


def test_who_corrects_while_he_is_asked_about_his_answer_leaves_his_opponents_move() -> None:
    spoken = Spoken(fen="r3k2r/pppp1ppp/8/8/8/5N2/PPP2PPP/RN2K2R b KQkq - 0 1")
    spoken.table.type("d6", 1.0)
    spoken.say("springer david zwei")
    assert spoken.say("korrektur") == "Korrektur. Welcher Zug?"
    assert spoken.say("kurze rochade") == "Kurze Rochade"
    assert spoken.done == [("announce", "d7d6"), ("announce", "e1g1")]


def test_after_an_early_answer_the_game_goes_on_as_usual(tmp_path: Path) -> None:
    typed = Typed(tmp_path / "game", fen=TAKES, press="auto", time_control="300+3")
    typed.pace = 0.3
    typed.type("Nxd5", "Läufer schlägt David fünf")
    typed.pace = 5.0
    typed.type("Dxd5", "Dame schlägt David fünf", "ja", "Lxd5")
    typed.pass_time(5)
    presses = [
        step.line["side"] for step in typed.table.course.steps if step.line and step.line["do"] == "press"
    ]
    assert presses == ["black", "white", "black", "white", "black"]


def test_letters_of_the_opponent_mend_his_own_announcement(tmp_path: Path) -> None:
    typed = Typed(tmp_path / "game", fen=TAKES)
    typed.type("Nxd5")
    assert typed.type("Lxd5") == "Hector: Korrektur: Läufer schlägt David fünf."
    assert typed.table.floor == "black"


@pytest.mark.parametrize(
    ("language", "slip", "right", "answer"),
    [
        ("de", "Dd1+", "Dg1 matt", "Hector: Korrektur: Dame Gustav eins."),
        ("en", "Qd1+", "Qg1 mate", "Hector: Correction: Dame Gustav eins."),
        ("es", "Dd1+", "Dg1 jaque", "Hector: Corrección: Dame Gustav eins."),
        ("pl", "Hd1+", "Hg1 szach", "Hector: Poprawka: Dame Gustav eins."),
    ],
)
def test_letters_with_a_word_about_check_are_the_opponents_too(
    tmp_path: Path, language: str, slip: str, right: str, answer: str
) -> None:
    typed = Typed(tmp_path / "game", fen="4k3/8/8/8/3q4/8/8/6K1 w - - 0 1", language=language)
    typed.type("König Felix eins", "", slip)
    assert typed.type(right) == answer


def done(typed: Typed) -> list[tuple[str, str, str | None]]:
    """What was announced, repeated, corrected and pressed, without the first move and what was placed."""
    lines = [step.line for step in typed.table.course.steps if step.line is not None]
    wanted = ("announce", "correct", "repeat", "press")
    return [(line["do"], line["side"], line.get("move")) for line in lines if line["do"] in wanted][2:]


@pytest.mark.parametrize("press", ["word", "key"])
@pytest.mark.parametrize(
    ("text", "heard_as"),
    [
        ("Eva sechs", "e7e6"),
        ("Eva sieben Eva sechs", "e7e6"),
        ("David fünf", "d7d5"),
        ("Springer Gustav acht Gustav sechs", "g8g6"),
    ],
)
def test_words_of_the_blind_player_never_change_what_his_opponent_has_announced(
    tmp_path: Path, press: str, text: str, heard_as: str
) -> None:
    """D.2.1, D.2.8: he repeats the announcement; a slip in it is his opponent's to mend."""
    typed = Typed(tmp_path / "game", press=press)
    typed.type("Eva vier", "", "e5")
    assert typed.type(text) == "Hector: Eva fünf war angesagt."
    typed.type(text, "")
    assert typed.moves == ["e2e4", "e7e5"]
    wrong = ("repeat", "white", heard_as)
    assert done(typed) == [("announce", "black", "e7e5"), wrong, wrong, ("press", "black", None)]


@pytest.mark.parametrize("correction", ["k", "Korrektur"])
def test_a_correction_is_not_of_the_opponents_move(typed: Typed, correction: str) -> None:
    typed.type("Eva vier", "", "e5")
    assert typed.type(correction) == "Hector: Kein Zug angesagt."
    assert typed.type("David vier") == "Hector: David vier"
    assert done(typed)[-2:] == [("press", "black", None), ("announce", "white", "d2d4")]


def test_a_move_is_repeated_too_while_the_answer_to_it_waits_for_its_press() -> None:
    spoken = Spoken()
    spoken.say("eva vier", "gedrueckt", "eva fuenf", "eva vier")
    assert spoken.done[-1] == ("repeat", "e2e4")


def test_words_that_nobody_knows_repeat_nothing(typed: Typed) -> None:
    typed.type("e4", "", "Eva vier xyzzy")
    assert typed.said[-1] == "Wie bitte?"
    assert done(typed) == []


def test_a_repetition_of_the_opponents_move_is_recognised_in_any_form(tmp_path: Path) -> None:
    typed = Typed(tmp_path / "game", fen="r5k1/8/2n5/5n2/8/8/8/1N2K2R b - - 0 1")
    typed.type("Nfd4")
    said = len(typed.said)
    typed.type("Springer Felix fünf David vier", "Springer David vier")
    assert typed.said[said:] == []
    assert [line["do"] for line in read(typed.folder).lines[-2:]] == ["repeat", "repeat"]


@pytest.mark.parametrize(
    ("mode", "answer"),
    [
        ("rated", "Nicht notiert: Springer Gustav eins Gustav drei."),
        ("club", "Nicht möglich: Springer von Gustav eins nach Gustav drei."),
    ],
)
def test_an_illegal_answer_presses_nobodys_clock(tmp_path: Path, mode: str, answer: str) -> None:
    typed = Typed(tmp_path / "game", mode=mode)
    typed.type("Eva vier", "", "e5")
    assert typed.type("Springer Gustav eins Gustav drei") == f"Hector: {answer}"
    assert typed.type("xyzzy abc") == "Hector: Wie bitte?"
    assert done(typed) == [("announce", "black", "e7e5")]


PINNED_KNIGHT = "4k3/4n3/8/8/1b6/2N5/7P/4K3 b - - 0 1"
"""White's knight may not move; without the bishop it may."""


@pytest.mark.parametrize("fen", [PINNED_KNIGHT, PINNED_KNIGHT.replace("1b6", "b7")])
@pytest.mark.parametrize("words", ["Springer Cesar drei Eva vier", "Springer Eva vier"])
def test_whether_an_early_answer_is_legal_nobody_learns_in_a_rated_game(
    tmp_path: Path, fen: str, words: str
) -> None:
    typed = Typed(tmp_path / "game", fen=fen)
    typed.type("Nd5")
    assert typed.type(words) == "Hector: Springer Eva vier"
    lines = [step.line for step in typed.table.course.steps if step.line is not None]
    did = [(line["do"], line["side"], line.get("move")) for line in lines if "side" in line]
    assert did == [("announce", "black", "e7d5"), ("press", "black", None), ("announce", "white", "c3e4")]


def test_an_early_answer_that_is_not_legal_is_asked_about_and_a_yes_presses_for_the_move_it_answers() -> None:
    spoken = Spoken(fen=PINNED_KNIGHT)
    spoken.table.type("Nd5", 1.0)
    assert spoken.say("springer cesar drei eva vier") == "Springer Cesar drei Eva vier? Ja oder nein?"
    spoken.table.tick(spoken.at + 1)
    assert spoken.done == [("announce", "e7d5")]
    assert spoken.say("ja") == "Springer Eva vier"
    assert spoken.done == [("announce", "e7d5"), ("announce", "c3e4")]


def test_the_opponents_press_leaves_open_whether_his_move_was_answered() -> None:
    spoken = Spoken(fen=PINNED_KNIGHT)
    spoken.table.type("Nd5", 1.0)
    spoken.say("springer cesar drei eva vier")
    spoken.table.type("", spoken.at + 1)
    assert spoken.say("ja") == "Springer Eva vier"


def test_a_no_to_an_early_answer_leaves_the_opponents_move_as_it_is() -> None:
    spoken = Spoken(fen=PINNED_KNIGHT)
    spoken.table.type("Nd5", 1.0)
    spoken.say("springer cesar drei eva vier", "nein")
    assert spoken.done == [("announce", "e7d5")]
    assert spoken.table.memory.pending is not None


@pytest.mark.parametrize(
    "line", [{"do": "announce", "side": "black", "move": "e7e5", "desk": "opponent"}, None]
)
def test_what_a_blind_player_says_repeats_a_move_that_was_not_spoken(line: dict[str, str] | None) -> None:
    spoken = Spoken()
    spoken.say("eva vier", "gedrueckt")
    if line is None:
        spoken.table.type("e5", spoken.at)
    else:
        spoken.table.act(line, spoken.at)
    assert spoken.say("eva sechs") == "Eva fünf war angesagt."
    assert spoken.say("springer gustav acht gustav sechs") == "Eva fünf war angesagt."
    assert spoken.say("korrektur") == "Kein Zug angesagt."
    assert spoken.done[2:] == [("announce", "e7e5"), ("repeat", "e7e6"), ("repeat", "g8g6")]
    assert spoken.table.course.referee.running == "black"


def test_what_was_not_heard_clearly_is_not_asked_about_as_if_it_were_the_opponents() -> None:
    spoken = Spoken()
    spoken.say("eva vier", "gedrueckt")
    spoken.table.type("e5", spoken.at)
    assert spoken.hear({"eva sechs": -90.0, "felix sechs": -91.0}) == "Wie bitte?"
    assert spoken.table.memory.asked is None


def test_an_opponent_who_speaks_mends_his_own_slip() -> None:
    """D.2.8: nobody can hear who says it, and the move was spoken by whoever may mend it."""
    spoken = Spoken()
    spoken.say("eva vier", "gedrueckt", "eva fuenf")
    assert spoken.say("eva sechs") == "Korrektur: Eva sechs."
    assert spoken.say("korrektur") == "Korrektur. Welcher Zug?"
    spoken.say("david fuenf")
    assert spoken.done[2:] == [("announce", "e7e5"), ("correct", "e7e6"), ("correct", "d7d5")]


@pytest.mark.parametrize("press", ["word", "key", "auto"])
@pytest.mark.parametrize(
    ("fen", "moved", "words"),
    [
        (CASTLING.replace(" w ", " b "), "0-0", "Kurze Rochade"),
        ("3rk3/8/8/8/3R4/8/8/2KR4 b - - 0 1", "Rxd4", "Turm schlägt David vier"),
    ],
)
def test_the_same_words_before_the_press_are_asked_about_too(
    tmp_path: Path, press: str, fen: str, moved: str, words: str
) -> None:
    """1.1, D.2.1: they answer the move or repeat it, and an answer presses for the opponent."""
    typed = Typed(tmp_path / "game", pace=0.3, press=press, fen=fen)
    typed.type(moved)
    assert typed.type(words) == f"Hector: {words}? Ja oder nein?"
    typed.type("nein")
    assert (typed.table.course.made, typed.table.memory.repeated) == (1, True)
    assert typed.type(words) == f"Hector: {words}"
    typed.pace = 5.0
    typed.type("")
    assert len(typed.moves) == 2, "once repeated it is the answer"


@pytest.mark.parametrize("pressed_meanwhile", [False, True])
def test_yes_makes_the_answer_although_the_opponent_presses_meanwhile(
    tmp_path: Path, pressed_meanwhile: bool
) -> None:
    typed = Typed(tmp_path / "game", fen=CASTLING.replace(" w ", " b "))
    typed.type("0-0", "Kurze Rochade", *([""] if pressed_meanwhile else []))
    assert typed.type("ja") == "Hector: Kurze Rochade"
    assert (typed.table.floor, typed.table.course.referee.running) == ("white", "white")
    typed.type("")
    assert typed.moves == ["e8g8", "e1g1"]


def test_the_same_words_said_before_the_press_are_asked_about() -> None:
    spoken = Spoken(fen=CASTLING.replace(" w ", " b "))
    spoken.table.type("0-0", 1.0)
    assert spoken.say("kurze rochade") == "Kurze Rochade? Ja oder nein?"
    spoken.say("ja")
    assert spoken.done == [("announce", "e8g8"), ("announce", "e1g1")]


def test_hector_presses_for_the_opponent_while_he_asks_whether_it_was_answered(tmp_path: Path) -> None:
    typed = Typed(tmp_path / "game", pace=0.3, press="auto", fen=CASTLING.replace(" w ", " b "))
    typed.type("0-0", "Kurze Rochade")
    typed.pass_time(5)
    assert typed.table.course.referee.running == "white"
    assert typed.type("ja") == "Hector: Kurze Rochade"


def test_a_typed_answer_that_hector_would_press_for_is_asked_about_as_a_spoken_one(tmp_path: Path) -> None:
    typed = Typed(tmp_path / "game", press="auto", fen=CASTLING.replace(" w ", " b "))
    typed.type("0-0")
    typed.pass_time(5)
    assert typed.type("Kurze Rochade") == "Hector: Kurze Rochade? Ja oder nein?"
    typed.type("n", "Kurze Rochade")
    assert typed.said[-1] == "Kurze Rochade"
    assert typed.table.plies == 2


@pytest.mark.parametrize("press", ["word", "key", "auto"])
@pytest.mark.parametrize("answer", ["Nf3", "Sf3", "g1f3", "Ng1-f3"])
def test_letters_that_can_only_be_the_answer_are_it(tmp_path: Path, press: str, answer: str) -> None:
    """1.1: whoever the letters are from, they cannot mend the move that waits."""
    typed = Typed(tmp_path / "game", pace=0.3, press=press, fen="4k3/4p3/8/8/8/8/8/4K1N1 b - - 0 1")
    typed.type("e5")
    assert typed.type(answer) == "Hector: Springer Felix drei"
    typed.type("")
    assert typed.moves == ["e7e5", "g1f3"]


AFTER_BOTH_PAWNS = "rnbqkbnr/ppp1pppp/8/3p4/8/5N2/PPPPPPPP/RNBQKB1R w KQkq - 0 2"
FIRST = {
    "key": "Hector: Erst Korrektur oder die Taste, dann der Zug.",
    **dict.fromkeys(("word", "auto"), "Hector: Erst Korrektur oder gedrückt, dann der Zug."),
}


@pytest.mark.parametrize("press", ["word", "key", "auto"])
def test_letters_that_mend_a_blind_players_move_or_answer_it_change_nothing(
    tmp_path: Path, press: str
) -> None:
    """D.2.7: only he who announced it mends it, and the letters may be his sighted opponent's answer."""
    typed = Typed(tmp_path / "game", pace=0.3, press=press, fen=AFTER_BOTH_PAWNS)
    typed.type("Gustav drei")
    assert typed.type("d4") == typed.type("d4 Schach") == FIRST[press]
    assert typed.table.memory.pending.move.uci() == "g2g3"
    typed.type("", "d4")
    typed.pace = 5.0
    typed.type("")
    assert typed.moves == ["g2g3", "d5d4"]


@pytest.mark.parametrize("correction", ["Korrektur", "k"])
def test_after_the_word_for_it_the_same_letters_mend_the_move(tmp_path: Path, correction: str) -> None:
    typed = Typed(tmp_path / "game", fen=AFTER_BOTH_PAWNS)
    assert typed.type("Gustav drei", "d4", correction, "d4") == "Hector: Korrektur: David vier."


@pytest.mark.parametrize("press", ["word", "key"])
@pytest.mark.parametrize("answer", ["e5", "e7e5"])
def test_an_answer_in_letters_waits_for_the_blind_players_own_press(
    tmp_path: Path, press: str, answer: str
) -> None:
    """D.2.3: his move is made with it; nobody presses for him because his opponent was quick."""
    typed = Typed(tmp_path / "game", press=press)
    typed.type("Eva vier")
    assert typed.type(answer) == FIRST[press]
    assert (typed.table.floor, typed.table.course.made) == ("white", 0)
    typed.type("gedrückt", answer, "")
    assert typed.moves == ["e2e4", "e7e5"]


def test_words_that_fit_both_players_mend_the_blind_players_move(tmp_path: Path) -> None:
    typed = Typed(tmp_path / "game", fen=AFTER_BOTH_PAWNS)
    assert typed.type("Gustav drei", "David vier") == "Hector: Korrektur: David vier."


def test_whose_opponent_is_elsewhere_mends_his_move_in_letters(tmp_path: Path) -> None:
    typed = Typed(tmp_path / "game", fen=AFTER_BOTH_PAWNS)
    typed.table.course.absent = "black"
    assert typed.type("g3", "d4") == "Hector: Korrektur: David vier."


def test_of_two_blind_players_a_typed_answer_waits_for_the_press(tmp_path: Path) -> None:
    """D.2.3: the move of the first is not made before he has placed it, and says so by his press."""
    typed = Typed(tmp_path / "game", white=Person("Ana", True), black=Person("Tom", True))
    typed.type("Eva vier")
    assert typed.type("Nf6") == "Hector: Nicht notiert: Springer Felix sechs."
    typed.type("", "Nf6", "")
    assert typed.moves == ["e2e4", "g8f6"]


# Announcements that are no moves


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("eva drei eva vier", "Nicht notiert: Eva drei Eva vier."),
        ("eva sieben eva fuenf", "Nicht notiert: Eva sieben Eva fünf."),
        ("lange rochade", "Nicht notiert: Lange Rochade."),
        ("springer gustav eins felix vier", "Springer Gustav eins Felix vier? Ja oder nein?"),
    ],
)
def test_what_cannot_be_recorded_is_not_asked_about(text: str, answer: str) -> None:
    assert Spoken().say(text) == answer


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("eva drei eva vier", "Nicht notiert: Eva drei Eva vier."),
        ("Eva sieben Eva fünf", "Nicht notiert: Eva sieben Eva fünf."),
        ("lange rochade", "Nicht notiert: Lange Rochade."),
        ("e3e4", "Nicht notiert: Eva drei Eva vier."),
    ],
)
def test_an_announcement_that_is_typed_is_answered_as_one_that_is_said(
    typed: Typed, text: str, answer: str
) -> None:
    assert typed.type(text) == f"Hector: {answer}"


@pytest.mark.parametrize("mode", ["rated", "club"])
def test_who_names_another_man_than_the_one_who_stands_there_has_announced_nothing(
    tmp_path: Path, mode: str
) -> None:
    typed = Typed(tmp_path / "game", mode=mode)
    typed.type("Dame Gustav eins Felix drei")
    assert typed.moves == [] and typed.table.memory.pending is None
    refused = {
        "rated": "Nicht notiert: Dame Gustav eins Felix drei.",
        "club": "Springer steht auf Gustav eins.",
    }
    assert typed.said[-1] == refused[mode]


@pytest.mark.parametrize("words", ["Eva fünf", "Dame Hector fünf", "Springer Gustav drei"])
@pytest.mark.parametrize("is_typed", [False, True])
def test_what_is_clear_and_cannot_be_is_told_to_be_understood(words: str, is_typed: bool) -> None:
    """Without a reason: in a rated game nobody is told of the position. No other move is offered instead."""
    spoken = Spoken()
    if is_typed:
        spoken.table.type(words, 5.0)
    else:
        spoken.hear({words.lower().replace("ü", "ue"): -90.0, "eva vier": -130.0})
    assert spoken.voice.sentences[-1].text == f"Nicht notiert: {words}."
    assert spoken.table.memory.asked is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Dame Eva fünf Eva sechs", "Dame Eva fünf Eva sechs"),
        ("Springer von Eva fünf schlägt Eva sieben", "Springer von Eva fünf schlägt Eva sieben"),
        ("Nf6xe4", "Springer Felix sechs schlägt Eva vier"),
        ("König Eva eins schlägt Eva zwei Schach", "König Eva eins schlägt Eva zwei"),
        ("Lange Rochade", "Lange Rochade"),
    ],
)
def test_what_is_not_recorded_is_told_as_it_was_said(tmp_path: Path, text: str, said: str) -> None:
    """But not whether it would have given check."""
    typed = Typed(tmp_path / "game", fen="4k3/8/8/8/8/8/P3P2P/4K3 w - - 0 1")
    assert typed.type(text) == f"Hector: Nicht notiert: {said}."


def test_what_cannot_be_and_may_have_been_misheard_is_asked_about() -> None:
    assert Spoken().hear({"eva fuenf": -90.0, "eva vier": -105.0}) == "Eva vier? Ja oder nein?"


def test_the_word_for_a_correction_and_the_right_move_may_be_typed_in_one_line(typed: Typed) -> None:
    typed.type("Springer Felix drei")
    assert typed.type("Korrektur Springer Cesar drei") == "Hector: Korrektur: Springer Cesar drei."
    typed.type("")
    assert typed.type("Korrektur Eva vier") == "Hector: Zu spät zum Korrigieren."
    assert typed.moves == ["b1c3"]


def test_the_word_for_a_correction_and_the_right_move_may_be_said_in_one_breath() -> None:
    """D.2.8; the journal keeps what was said."""
    spoken = Spoken()
    spoken.say("springer felix drei")
    assert spoken.say("korrektur springer cesar drei") == "Korrektur: Springer Cesar drei."
    assert spoken.done == [("announce", "g1f3"), ("correct", "b1c3")]
    line = spoken.table.course.steps[-1].line
    assert line is not None and line["heard"] == "korrektur springer cesar drei"
    assert spoken.say("gedrueckt", "korrektur eva vier") == "Zu spät zum Korrigieren."
    assert [move for _, move in spoken.done][-1] == "b1c3"


def test_before_anything_was_announced_there_is_nothing_to_correct_with_a_move_either() -> None:
    spoken = Spoken()
    assert spoken.say("korrektur eva vier") == "Kein Zug angesagt."
    assert spoken.done == []


def test_with_the_word_for_a_correction_a_slip_is_mended_where_the_words_alone_would_answer_it() -> None:
    """What both could say is the opponent's reply."""
    both = "4k3/8/8/p7/8/8/P7/4K3 w - - 0 1"
    mended, answered = (Spoken(fen=both, press="auto") for _ in range(2))
    mended.pace = answered.pace = 0.3
    mended.say("anna drei")
    assert mended.say("korrektur anna vier") == "Korrektur: Anna vier."
    assert mended.done == [("announce", "a2a3"), ("correct", "a2a4")]
    answered.say("anna drei", "anna vier")
    assert answered.done[-1] == ("announce", "a5a4")


def test_who_is_asked_about_a_move_may_say_the_right_one_behind_the_word_for_a_correction() -> None:
    spoken = Spoken()
    assert spoken.hear({"eva vier": -90.0, "eva drei": -91.0}) == "Bauer nach vier oder nach drei?"
    assert spoken.say("korrektur david vier") == "David vier"
    assert spoken.done == [("announce", "d2d4")]
    assert spoken.table.memory.asked is None


@pytest.mark.parametrize(
    "answer", ["nein springer cesar drei", "ja springer cesar drei", "springer cesar drei"]
)
def test_with_the_answer_to_a_question_the_right_move_may_be_said(answer: str) -> None:
    spoken = Spoken()
    assert spoken.hear({"springer felix drei": -90.0, "springer cesar drei": -91.0}).endswith("?")
    assert spoken.say(answer) == "Springer Cesar drei"
    assert spoken.done == [("announce", "b1c3")]
    assert spoken.table.memory.asked is None


def test_an_illegal_move_behind_a_no_is_told_without_it() -> None:
    spoken = Spoken()
    spoken.hear({"springer felix drei": -90.0, "springer cesar drei": -91.0})
    said = spoken.hear({"nein turm anna eins anna vier": -90.0, "nein springer felix drei": -190.0})
    assert said == "Turm Anna eins Anna vier? Ja oder nein?"
    assert spoken.say("ja") == "Turm Anna vier"


def test_nobody_answers_with_a_move_where_nothing_was_asked() -> None:
    spoken = Spoken()
    spoken.say("nein springer cesar drei")
    assert spoken.done == []


@pytest.mark.parametrize("answer", ["Nein, Springer Cesar drei", "ja springer cesar drei"])
def test_the_right_move_may_be_typed_behind_the_answer_to_a_question(typed: Typed, answer: str) -> None:
    typed.table.hear(
        uttered({"springer felix drei": -90.0, "springer cesar drei": -91.0}, typed.table._expected.book, 2.0)
    )
    assert typed.table.memory.asked is not None
    assert typed.type(answer) == "Hector: Springer Cesar drei"


def test_a_correction_that_cannot_be_is_asked_about_as_any_move_and_no_press_goes_before_the_answer() -> None:
    """The announcement before it is taken back all the same: nobody's clock is pressed for it unheard."""
    spoken = Spoken(press="auto")
    spoken.pace = 0.3
    spoken.say("springer felix drei")
    heard = {"korrektur springer gustav eins felix vier": -90.0, "korrektur springer felix drei": -140.0}
    assert spoken.hear(heard) == "Springer Gustav eins Felix vier? Ja oder nein?"
    spoken.table.tick(spoken.at + 60)
    assert spoken.table.memory.pending is not None and spoken.table.memory.correcting
    assert spoken.say("korrektur springer cesar drei") == "Korrektur: Springer Cesar drei."
    assert spoken.done == [("announce", "g1f3"), ("correct", "b1c3")]


def test_an_unclear_correction_is_never_asked_about_as_the_opponents_answer() -> None:
    """Where Hector presses, his answers may be said as well."""
    spoken = Spoken(press="auto")
    spoken.say("david vier")
    spoken.pace = 0.3
    said = spoken.hear({"korrektur turm anna eins anna vier": -90.0, "bella fuenf": -105.0})
    assert said == "Turm Anna eins Anna vier? Ja oder nein?"
    spoken.say("nein")
    said = spoken.hear({"korrektur turm anna vier": -90.0, "bella fuenf": -105.0})
    assert said == "Nicht notiert: Turm Anna vier."
    assert spoken.done == [("announce", "d2d4")]


def test_a_correction_that_was_not_clear_is_asked_about_without_the_word() -> None:
    spoken = Spoken()
    spoken.say("springer felix drei")
    said = spoken.hear({"korrektur springer cesar drei": -90.0, "korrektur springer anna drei": -91.0})
    assert said == "Springer nach Cesar oder nach Anna?"
    assert spoken.say("nach anna") == "Korrektur: Springer Anna drei."
    assert spoken.done[-1] == ("correct", "b1a3")


def test_who_corrects_his_opponents_move_is_told_that_it_is_not_his() -> None:
    spoken = Spoken(fen="r3k2r/pppp1ppp/8/8/8/5N2/PPP2PPP/RN2K2R b KQkq - 0 1")
    spoken.table.type("d6", 1.0)
    assert spoken.say("korrektur david fuenf") == "Kein Zug angesagt."
    assert spoken.done == [("announce", "d7d6")]


def test_a_correction_that_was_talk_changes_nothing() -> None:
    """Far from every move of the position, and nearly foreign."""
    spoken = Spoken()
    spoken.say("springer felix drei")
    told = len(spoken.voice.sentences)
    spoken.hear({"korrektur dame hector fuenf": -135.0, "korrektur eva vier": -190.0})
    assert len(spoken.voice.sentences) == told
    assert not spoken.table.memory.correcting


def test_the_press_that_is_typed_as_a_correction_ends_is_the_press_for_it() -> None:
    spoken = Spoken()
    spoken.say("springer felix drei")
    book = spoken.table._expected.book
    assert not spoken.table.is_command(uttered({"korrektur springer cesar drei": -90.0}, book, 8.0))
    assert spoken.table.is_command(uttered({"korrektur": -90.0}, book, 8.0))


def test_what_is_refused_is_said_again_when_it_is_asked_for() -> None:
    spoken = Spoken()
    spoken.say("eva vier")
    assert spoken.say("stellung", "wiederholen") == "In dieser Partie nicht."


def test_nothing_was_announced_is_not_too_late(typed: Typed) -> None:
    assert typed.type("Korrektur") == "Hector: Kein Zug angesagt."
    typed.type("e4", "")
    assert typed.type("Korrektur") == "Hector: Zu spät zum Korrigieren."
    typed.type("e5", "")
    assert typed.type("Korrektur") == "Hector: Kein Zug angesagt."


# What may be said to a question about an answer

ONE_BLIND = {"white": Person("Ana", blind=True), "black": Person("Tom")}
CASTLES = "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R b KQkq - 0 1"


@pytest.mark.parametrize("head", ["korrektur", "nein"])
def test_a_correction_of_an_answer_is_the_answer_and_never_the_opponents_move(head: str) -> None:
    spoken = Spoken(fen=CASTLES, **ONE_BLIND)
    spoken.table.type("O-O", 1.0)
    assert spoken.say("kurze rochade") == "Kurze Rochade? Ja oder nein?"
    assert spoken.say(f"{head} lange rochade") == "Lange Rochade"
    assert spoken.done == [("announce", "e8g8"), ("announce", "e1c1")]


@pytest.mark.parametrize("press", ["auto", "word", "key"])
def test_whether_early_letters_are_legal_nobody_learns_in_a_rated_game(tmp_path: Path, press: str) -> None:
    """The knight leaves the king in check; the pawn stands in between."""
    fen = "rnbqkbnr/ppppp1pp/8/8/8/4P3/PPPP1PPP/RNBQKBNR w KQkq - 0 1"
    said = []
    for number, letters in enumerate(("Sf6", "g6")):
        typed = Typed(tmp_path / str(number), pace=0.3, press=press, fen=fen, **ONE_BLIND)
        typed.type("Dame Hector fünf")
        said.append(typed.type(letters))
    if press == "auto":
        assert said == ["Hector: Springer Felix sechs", "Hector: Gustav sechs"]
    else:
        assert said == [FIRST[press]] * 2


def test_an_illegal_answer_may_be_mended_before_it_counts() -> None:
    spoken = Spoken(fen=PINNED_KNIGHT, **ONE_BLIND)
    spoken.table.type("Nd5", 1.0)
    spoken.say("springer cesar drei eva vier")
    assert spoken.say("korrektur hector vier") == "Hector vier"
    assert spoken.done == [("announce", "e7d5"), ("announce", "h2h4")]


def test_a_typed_answer_that_is_illegal_repeats_nothing(tmp_path: Path) -> None:
    """A pinned knight, and a move that its opponent could have made as well."""
    typed = Typed(tmp_path / "game", fen="1n2rkn1/8/8/8/4N3/8/8/4K3 b - - 0 1", press="word", **ONE_BLIND)
    typed.type("Sc6")
    assert typed.type("Springer f6") == "Hector: Springer Felix sechs"
    lines = [step.line for step in typed.table.course.steps if step.line is not None]
    assert [line["do"] for line in lines][-2:] == ["press", "announce"]


def test_a_question_about_a_correction_that_nobody_answers_asks_for_it_again() -> None:
    """The move that was taken back does not stand again, and its clock is not pressed."""
    spoken = Spoken(press="auto", **ONE_BLIND)
    spoken.say("eva vier")
    spoken.pace = 0.5
    spoken.hear({"korrektur springer felix drei": -90.0, "springer felix drei": -90.2})
    for second in range(1, 60):
        spoken.table.tick(spoken.at + second)
    assert spoken.voice.sentences[-1].text == "Korrektur. Welcher Zug?"
    spoken.at += 60
    assert spoken.say("springer felix drei") == "Korrektur: Springer Felix drei."


@pytest.mark.parametrize(
    ("setup", "heard"),
    [
        # The duty to repeat (D.2.1), and the mover's own correction.
        ({"press": "word", **ONE_BLIND}, {"david vier": -90.0, "david fuenf": -91.0}),
        ({"press": "auto", "white": Person("Ana", True), "black": Person("Tom", True)},
         {"david fuenf": -90.0, "david vier": -91.0}),
    ],
)  # fmt: skip
def test_nobodys_clock_is_pressed_for_what_may_be_no_answer(
    setup: dict[str, object], heard: dict[str, float]
) -> None:
    spoken = Spoken(**setup)
    spoken.say("eva vier")
    if setup["press"] == "word":
        spoken.say("gedrueckt")
        spoken.table.type("d5", spoken.at + 1)
    spoken.pace = 0.4
    pending = spoken.table.memory.pending
    assert spoken.hear(heard) == "Wie bitte?"
    assert spoken.table.memory.pending is pending is not None


def test_where_the_clocks_stand_an_answer_is_refused_once_and_asked_about_never() -> None:
    spoken = Spoken(**ONE_BLIND)
    spoken.say("eva vier", "gedrueckt")
    spoken.table.type("e5", spoken.at + 1)
    spoken.table.act({"do": "stop-clock", "by": "arbiter"}, spoken.at + 2)
    told = len(spoken.voice.sentences)
    spoken.say("springer felix drei")
    assert [each.text for each in spoken.voice.sentences[told:]] == ["Die Uhren stehen."]
    assert spoken.table.memory.asked is None


def test_a_claim_with_a_move_ends_with_the_move_that_is_taken_back() -> None:
    """The yes would claim something else, and a wrong claim has its price."""
    spoken = Spoken(white=Person("Ana", True), black=Person("Tom", True))
    for text in 2 * (
        "springer felix drei",
        "springer felix sechs",
        "springer gustav eins",
        "springer gustav acht",
    ):
        spoken.say(text, "gedrueckt")
    asked = spoken.say("springer felix drei", "reklamation stellungswiederholung")
    assert asked.startswith("Stellungswiederholung mit Springer Felix drei reklamieren?")
    assert spoken.say("korrektur", "ja") == "Korrektur. Welcher Zug?"
    assert not spoken.table.over


@pytest.mark.parametrize(
    "typed_answer",
    ["nein Springer Felix drei", "Nein, Sf3", "Korrektur: Sf3", "no, Nf3", "Oui Sf3", "nie Sf3"],
)
def test_the_right_move_may_be_typed_behind_the_answer_while_another_one_waits(
    tmp_path: Path, typed_answer: str
) -> None:
    typed = Typed(tmp_path / "game", **ONE_BLIND)
    typed.type("eva vier")
    book = typed.table._expected.book
    heard = {"springer felix drei": -90.0, "springer cesar drei": -90.5}
    typed.table.hear(uttered(heard, book, typed.at + 4))
    assert typed.table.memory.asked is not None
    assert typed.type(typed_answer) == "Hector: Korrektur: Springer Felix drei."


@pytest.mark.parametrize("line", ["Korrektur Sf6", "ja e5", "Korrektur Springer Felix sechs"])
def test_a_line_with_a_move_behind_a_word_is_like_a_move(typed: Typed, line: str) -> None:
    """While a move is to be sealed it is not read aloud."""
    assert typed.table.is_like_a_move(line)
    assert not typed.table.is_like_a_move(line.split()[0])


# Questions and answers

KNIGHTS = "5k2/8/8/8/8/5N2/8/1N2KR2 w - - 0 1"


@pytest.mark.parametrize(
    ("language", "letter", "man"),
    [("de", "T", "r"), ("de", "S", "n"), ("de", "L", "b"), ("de", "Q", "q"), ("en", "N", "n"),
     ("es", "C", "n"), ("pl", "W", "r"), ("fr", "D", "q"), ("de", "R", "r")],
)  # fmt: skip
def test_a_capital_names_the_man_that_a_pawn_becomes(
    tmp_path: Path, language: str, letter: str, man: str
) -> None:
    """A small letter is a key, as ever; and Q ends no program while it is an answer."""
    typed = Typed(tmp_path / "game", fen="7k/P7/8/8/8/8/8/K7 w - - 0 1", language=language)
    assert not typed.table.is_answer(letter)
    typed.type("a8")
    assert typed.table.is_answer(letter) and not typed.table.is_answer(letter.lower())
    typed.type(letter)
    pending = typed.table.memory.pending
    assert pending is not None and pending.move.uci() == f"a7a8{man}"


@pytest.mark.parametrize("language", ["es", "fr"])
def test_a_capital_that_names_a_king_names_no_rook(tmp_path: Path, language: str) -> None:
    typed = Typed(tmp_path / "game", fen="7k/P7/8/8/8/8/8/K7 w - - 0 1", language=language)
    typed.type("a8", "R")
    assert typed.table.memory.pending is None


def test_a_file_that_is_asked_for_is_answered_by_its_letter_although_it_is_a_key(tmp_path: Path) -> None:
    typed = Typed(tmp_path / "game", fen="4k3/8/8/8/8/8/2N1N3/7K w - - 0 1")
    typed.type("Springer David vier", "b")
    assert typed.table.memory.pending is None
    assert typed.type("c") == "Hector: Springer Cesar zwei David vier"
    assert typed.type("c") == "Hector: Keine weitere Zeitkontrolle."


def test_only_what_differs_is_asked_and_answered_by_it() -> None:
    spoken = Spoken(fen=KNIGHTS)
    assert spoken.say("springer david zwei") == "Springer von Felix oder von Bella?"
    assert spoken.say("von bella") == "Springer Bella eins David zwei"
    assert spoken.done == [("announce", "b1d2")]


@pytest.mark.parametrize("answer", ["nein bella", "nein von bella", "ja von bella eins"])
def test_what_differs_may_be_said_behind_a_yes_or_no(answer: str) -> None:
    spoken = Spoken(fen=KNIGHTS)
    spoken.say("springer david zwei")
    assert spoken.say(answer) == "Springer Bella eins David zwei"


def test_a_whole_move_behind_a_no_is_another_one_than_those_that_are_asked_about() -> None:
    spoken = Spoken()
    assert spoken.hear({"springer felix drei": -90.0, "springer hector drei": -91.0})
    assert spoken.say("nein felix drei") == "Felix drei"


@pytest.mark.parametrize(
    "answer", ["nein, Bella", "Nein, von Bella", "no, b", "non, Bella eins", "ja, B", "nein, b1"]
)
def test_what_differs_may_be_typed_behind_a_yes_or_no(tmp_path: Path, answer: str) -> None:
    typed = Typed(tmp_path / "game", fen=KNIGHTS)
    typed.type("Springer David zwei")
    assert typed.type(answer) == "Hector: Springer Bella eins David zwei"


@pytest.mark.parametrize("answer", ["nein, keine Bella", "nein, Eva", "Korrektur Bella"])
def test_what_chooses_nothing_behind_a_no_leaves_the_question_open(tmp_path: Path, answer: str) -> None:
    typed = Typed(tmp_path / "game", fen=KNIGHTS)
    typed.type("Springer David zwei", answer)
    assert typed.table.memory.pending is None
    assert typed.type("Bella") == "Hector: Springer Bella eins David zwei"


def test_the_question_is_answered_by_saying_the_whole_again() -> None:
    spoken = Spoken(fen=KNIGHTS)
    spoken.say("springer david zwei")
    spoken.say("springer felix drei david zwei")
    assert spoken.done == [("announce", "f3d2")]


TWO_PAWNS = "4r2k/3P1P2/8/8/8/8/8/4K3 w - - 0 1"


def test_which_pawn_it_is_is_asked_before_what_it_becomes() -> None:
    spoken = Spoken(fen=TWO_PAWNS)
    assert spoken.say("bauer schlaegt eva acht") == "Bauer von Felix oder von David?"
    assert spoken.say("von felix") == "Dame, Turm, Läufer oder Springer?"
    spoken.say("turm")
    assert spoken.done == [("announce", "f7e8r")]


def test_which_pawn_it_is_may_be_typed_before_what_it_becomes(tmp_path: Path) -> None:
    typed = Typed(tmp_path / "game", fen=TWO_PAWNS)
    typed.type("Bauer schlägt Eva acht", "von Felix")
    assert typed.said[-1] == "Dame, Turm, Läufer oder Springer?"
    typed.type("Turm", "")
    assert typed.moves == ["f7e8r"]


def test_the_square_that_was_asked_about_is_no_pawns_move() -> None:
    """ "Nach Felix oder nach Hector?": there is a pawn that can go to Felix drei."""
    spoken = Spoken()
    heard = {"springer felix drei": -90.0, "springer hector drei": -91.0}
    assert spoken.hear(heard) == "Springer nach Felix oder nach Hector?"
    assert spoken.say("felix drei") == "Springer Felix drei"
    assert spoken.done == [("announce", "g1f3")]


def test_yes_to_this_or_that_is_no_answer_and_the_question_stands() -> None:
    spoken = Spoken(fen=KNIGHTS)
    spoken.say("springer david zwei")
    assert spoken.say("ja") == "Springer von Felix oder von Bella?"
    spoken.say("von felix")
    assert spoken.done == [("announce", "f3d2")]


def test_yes_to_which_claim_asks_again() -> None:
    spoken = Spoken()
    question = spoken.say("reklamation")
    assert spoken.say("ja") == question
    assert spoken.say("reklamation fuenfzig zuege").endswith("Ja oder nein?")


@pytest.mark.parametrize(
    ("answer", "question"),
    [
        ("stellungswiederholung", "Stellungswiederholung reklamieren? Ja oder nein?"),
        ("fuenfzig zuege", "Fünfzig Züge reklamieren? Ja oder nein?"),
        ("zeitueberschreitung", "Zeitüberschreitung reklamieren? Ja oder nein?"),
        ("regelwidriger zug", "Regelwidrigen Zug reklamieren? Ja oder nein?"),
    ],
)
@pytest.mark.parametrize("is_typed", [False, True])
def test_what_is_claimed_is_answered_by_the_words_that_differ(
    answer: str, question: str, is_typed: bool
) -> None:
    spoken = Spoken()
    asked = spoken.say("reklamation")
    assert asked.endswith("? Stellungswiederholung, fünfzig Züge, Zeitüberschreitung oder regelwidriger Zug?")
    if is_typed:
        spoken.table.type(answer, spoken.at + 1)
    else:
        spoken.say(answer)
    assert spoken.voice.sentences[-1].text == question


def test_the_words_of_a_claim_alone_are_none_unless_it_is_asked_what_is_claimed() -> None:
    spoken = Spoken()
    said = len(spoken.voice.sentences)
    spoken.say("stellungswiederholung")
    assert not any("reklamieren" in each.text for each in spoken.voice.sentences[said:])


BACK_RANK = "6k1/5ppp/8/8/8/8/8/R2QK3 w - - 0 1"


@pytest.mark.parametrize("mode", ["rated", "club"])
def test_a_question_between_moves_does_not_tell_which_one_mates(mode: str) -> None:
    spoken = Spoken(fen=BACK_RANK, mode=mode)
    question = spoken.hear({"turm anna acht": -90.0, "dame david sieben": -91.0})
    assert question == "Turm Anna acht oder Dame David sieben?"


@pytest.mark.parametrize(("mode", "shown"), [("rated", "Turm Anna acht"), ("club", "Turm Anna acht Schach")])
def test_what_is_shown_does_not_tell_either_which_move_gives_check(mode: str, shown: str) -> None:
    """A true "Schach" is heard, a false one is not."""
    spoken = Spoken(fen="6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", mode=mode)
    spoken.say("turm anna acht schach")
    assert f"Weiß: {shown}" in spoken.shown


PINNED = "4k3/8/8/8/1b6/8/3N1P2/4K3 w - - 0 1"


def test_a_pinned_mans_move_is_recorded_as_announced_whether_its_square_is_named_or_not() -> None:
    """7.5: whether it is legal is not told unasked; it is read back and recorded like any other."""
    spoken = Spoken(fen=PINNED)
    assert spoken.say("springer felix drei") == "Springer Felix drei? Ja oder nein?"
    spoken.say("ja")
    assert spoken.done == [("announce", "d2f3")]


def test_a_pinned_mans_move_that_is_typed_in_words_is_recorded_too(tmp_path: Path) -> None:
    typed = Typed(tmp_path / "game", fen=PINNED)
    typed.type("Springer Felix drei")
    assert typed.said[-1] == "Springer Felix drei"


@pytest.mark.parametrize(
    ("fen", "words", "question", "answer", "move"),
    [
        ("7k/rPK5/8/8/8/8/8/8 w - - 0 1", "bella acht", "Dame, Turm, Läufer oder Springer?", "turm", "b7b8r"),
        ("7k/rPK5/8/8/8/8/8/8 w - - 0 1", "bella sieben bella acht",
         "Dame, Turm, Läufer oder Springer?", "dame", "b7b8q"),
        ("4r2k/8/8/8/8/8/8/1N2KN2 w - - 0 1", "springer david zwei",
         "Springer von Felix oder von Bella?", "von felix", "f1d2"),
    ],
)  # fmt: skip
def test_which_of_several_moves_is_meant_is_asked_where_all_leave_the_king_in_check(
    fen: str, words: str, question: str, answer: str, move: str
) -> None:
    """7.5: as of lawful moves; who is told that nothing was recorded knows that none of them is one."""
    spoken = Spoken(fen=fen)
    assert spoken.say(words) == question
    spoken.say(answer)
    assert spoken.done == [("announce", move)]


def test_of_the_moves_that_sound_alike_no_more_are_asked_between_than_anybody_keeps_in_mind() -> None:
    spoken = Spoken()
    heard = {"eva vier": -90.0, "eva drei": -91.0, "david vier": -92.0, "david drei": -93.0}
    assert spoken.hear(heard) == "Eva vier, Eva drei oder David vier?"


def test_a_question_about_one_move_does_not_tell_that_it_mates() -> None:
    spoken = Murmured(fen=BACK_RANK)
    assert spoken.murmur("dame david acht", 0.95) == ["Dame David acht? Ja oder nein?"]


def test_mate_that_was_said_and_asked_back_needs_no_press() -> None:
    """5.1.1: the question leaves the word out, and what was said had it."""
    spoken = Murmured(fen="2rkr3/2p1p3/8/8/8/8/8/R3K3 w Q - 0 1")
    assert spoken.murmur("lange rochade matt", 0.95) == ["Lange Rochade? Ja oder nein?"]
    spoken.say("ja")
    spoken.table.tick(spoken.at + 10)
    assert spoken.table.over


def test_no_drops_the_question() -> None:
    spoken = Spoken(fen=KNIGHTS)
    spoken.say("springer david zwei")
    spoken.say("nein")
    assert spoken.say("ja") == "Keine Frage offen."
    assert spoken.done == []


def test_a_move_that_was_not_heard_clearly_is_asked_for_and_confirmed() -> None:
    spoken = Spoken()
    assert spoken.hear({"springer felix drei": -90.0, "springer hector drei": -91.0}).endswith("?")
    spoken.say("springer felix drei")
    assert spoken.done == [("announce", "g1f3")]


def test_a_command_in_between_leaves_the_question_standing() -> None:
    spoken = Spoken(fen=KNIGHTS)
    spoken.say("springer david zwei", "zeit")
    assert spoken.say("von bella") == "Springer Bella eins David zwei"


def test_who_asks_something_in_between_has_not_forgotten_the_question() -> None:
    """Whatever time the answers take, as long as he goes on talking to Hector."""
    spoken = Spoken(fen=KNIGHTS)
    spoken.pace = 15.0
    spoken.say("springer david zwei", "wiederholen", "zeit", "von bella")
    assert spoken.done == [("announce", "b1d2")]


UNSURE = {"david vier": -90.0, "david drei": -91.0}


@pytest.mark.parametrize("answer", ["ja", "von david", "david vier"])
def test_a_question_about_a_move_ends_with_its_press(answer: str) -> None:
    """Its answer must not become the opponent's move."""
    spoken = Spoken()
    spoken.say("eva vier")
    assert spoken.hear(UNSURE).endswith("?")
    spoken.say("gedrueckt", answer)
    announced = [move for do, move in spoken.done if do in ("announce", "correct")]
    assert (announced, spoken.table.memory.asked) == (["e2e4"], None)


def test_a_question_about_a_move_ends_when_it_is_made_elsewhere() -> None:
    spoken = Spoken()
    spoken.hear(UNSURE)
    spoken.table.act({"do": "announce", "side": "white", "move": "g1f3"}, spoken.at + 1)
    assert spoken.say("ja") == "Keine Frage offen."


def test_a_resignation_that_is_asked_back_outlives_the_press() -> None:
    spoken = Spoken()
    spoken.say("eva vier", "aufgabe", "gedrueckt", "ja")
    assert spoken.table.over


def test_what_the_blind_player_was_asked_is_put_again_when_his_opponent_does_not_resign() -> None:
    spoken = Spoken()
    spoken.say("eva vier", "gedrueckt")
    question = spoken.say("aufgabe")
    spoken.table.type("resign", spoken.at + 1)
    spoken.table.type("resign", spoken.at + 2)
    assert spoken.voice.sentences[-1].text == "Schwarz gibt auf? Ja oder nein?"
    spoken.table.type("n", spoken.at + 3)
    assert [each.text for each in spoken.voice.sentences[-2:]] == ["Abgebrochen.", question]
    spoken.say("ja")
    assert spoken.table.course.referee.status().keys["result"] == "0-1"


def test_a_question_between_moves_is_put_again_only_as_long_as_the_move_is_to_be_made() -> None:
    spoken = Spoken(fen=KNIGHTS)
    spoken.say("springer felix david zwei")
    question = spoken.say("springer david zwei")
    spoken.table.type("resign", spoken.at + 1)
    spoken.table.type("n", spoken.at + 2)
    assert spoken.voice.sentences[-1].text == question
    spoken.table.type("resign", spoken.at + 3)
    spoken.say("gedrueckt")
    assert spoken.done[0] == ("announce", "f3d2")
    spoken.table.type("n", spoken.at + 1)
    assert spoken.voice.sentences[-1].text == "Abgebrochen."


def test_correction_drops_a_question_about_the_move() -> None:
    spoken = Spoken(fen=KNIGHTS)
    spoken.say("springer david zwei")
    assert spoken.say("korrektur") == "Korrektur. Welcher Zug?"
    assert spoken.table.memory.asked is None
    spoken.say("springer cesar drei", "gedrueckt")
    assert spoken.done[0] == ("announce", "b1c3")


def test_an_old_question_is_forgotten() -> None:
    spoken = Spoken()
    spoken.say("aufgabe")
    spoken.at += 30
    spoken.table.tick(spoken.at)
    spoken.say("ja")
    assert not spoken.table.over


PROMOTION = "8/4P3/7k/8/8/8/8/K7 w - - 0 1"


@pytest.mark.parametrize(
    ("fen", "words", "answer", "move"),
    [(PROMOTION, "eva acht", "dame", "e7e8q"), (KNIGHTS, "springer david zwei", "von bella", "b1d2")],
)
@pytest.mark.parametrize("is_typed", [False, True])
def test_between_several_moves_a_player_may_think_as_long_as_he_likes(
    fen: str, words: str, answer: str, move: str, is_typed: bool
) -> None:
    spoken = Spoken(fen=fen)
    spoken.say(words)
    spoken.at += 600
    spoken.table.tick(spoken.at)
    if is_typed:
        spoken.table.type(answer, spoken.at)
    else:
        spoken.say(answer)
    assert spoken.done == [("announce", move)]


def test_what_is_claimed_may_be_answered_after_a_while() -> None:
    spoken = Spoken()
    spoken.say("reklamation")
    spoken.at += 60
    spoken.table.tick(spoken.at)
    assert spoken.say("fuenfzig zuege") == "Fünfzig Züge reklamieren? Ja oder nein?"


def test_a_question_what_is_claimed_does_not_keep_the_clock_running() -> None:
    spoken = Spoken(press="auto")
    spoken.pace = 0.2
    spoken.say("eva vier", "reklamation")
    spoken.table.tick(spoken.at + 10)
    assert spoken.table.course.referee.running == "white"
    spoken.table.tick(spoken.at + 40)
    spoken.table.tick(spoken.at + 41)
    assert spoken.table.course.referee.running == "black"


def test_a_question_about_a_move_keeps_the_clock_running_until_it_is_answered() -> None:
    spoken = Spoken(press="auto", fen=KNIGHTS)
    spoken.pace = 0.2
    spoken.say("koenig eva zwei", "springer david zwei")
    for later in (25, 60):
        spoken.table.tick(spoken.at + later)
    assert spoken.table.course.referee.running == "white"
    spoken.at += 60
    spoken.say("von bella")
    spoken.table.tick(spoken.at + 10)
    assert spoken.table.course.referee.running == "black"


@pytest.mark.parametrize("answer", ["ja", "nein"])
def test_yes_and_no_of_the_hall_answer_no_question_that_waits_long(answer: str) -> None:
    spoken = Spoken(fen=KNIGHTS)
    spoken.say("springer david zwei")
    spoken.at += 120
    said = len(spoken.voice.sentences)
    spoken.say(answer)
    assert len(spoken.voice.sentences) == said
    assert spoken.say("von bella") == "Springer Bella eins David zwei"


def test_a_yes_that_comes_too_late_is_told_so() -> None:
    spoken = Spoken()
    spoken.say("remis")
    spoken.at += 30
    assert spoken.say("ja") == "Keine Frage offen."


def test_what_is_murmured_long_after_a_question_is_not_asked_for_again() -> None:
    murmured = Murmured(fen=KNIGHTS)
    murmured.say("springer david zwei")
    assert murmured.murmur("zeit", 1.5, after=60) == []


def test_an_order_to_adjourn_ends_what_is_asked() -> None:
    """What is said from then on is about the move to be sealed."""
    spoken = Spoken(fen=KNIGHTS)
    spoken.say("springer david zwei")
    spoken.table.act({"do": "adjourn"}, spoken.at + 1)
    assert spoken.table.memory.asked is None


class Murmured(Spoken):
    """A table near which somebody speaks less clearly; shares of the limits of the decision."""

    def murmur(self, words: str, foreign: float, illegal: float = 0.0, after: float = 1.0) -> list[str]:
        """Let words be heard, and return what Hector says."""
        before, limits, frames = len(self.voice.sentences), Thresholds().announcement, 50
        self.at += after
        self.table.tick(self.at)
        spoken = tuple(words.split())
        top = -100.0 - frames * limits.foreign * foreign
        low = top - limits.illegal * illegal
        if spoken in self.table._expected.book.phrases:
            legal = Transcript(spoken, low)
            best = Transcript(("turm", "anna", "sechs"), top) if illegal else legal
        else:
            best, legal = Transcript(spoken, top), Transcript(("anna", "drei"), low)
        found = (best, legal)
        self.table.hear(Utterance(self.at - 1, self.at, (legal,), found, -100.0, frames, 300.0))
        return [each.text for each in self.voice.sentences[before:]]


def test_pardon_is_said_once_in_a_while_and_ever_more_rarely() -> None:
    murmured = Murmured()
    at = [second for second in range(3600) if murmured.murmur("springer felix drei", 1.5)]
    assert at == [0, 15, 105, 645]


def test_whoever_is_understood_is_asked_again_as_soon_as_before() -> None:
    murmured = Murmured()
    for _ in range(60):
        murmured.murmur("springer felix drei", 1.5)
    murmured.say("zeit")
    assert murmured.murmur("springer felix drei", 1.5, after=16) == ["Wie bitte?"]
    assert murmured.murmur("springer felix drei", 1.5, after=16) == ["Wie bitte?"]


@pytest.mark.parametrize(
    ("words", "foreign", "illegal"),
    [
        ("springer felix drei", 2.1, 0.0),
        ("springer felix drei", 1.5, 2.0),
        ("zeit", 1.5, 0.0),
        ("turm gustav acht anna eins", 0.95, 5.0),
        ("turm gustav acht anna eins", 0.65, 2.0),
    ],
)
def test_talk_gets_no_answer(words: str, foreign: float, illegal: float) -> None:
    assert Murmured().murmur(words, foreign, illegal) == []


@pytest.mark.parametrize(("foreign", "illegal"), [(0.45, 2.0), (0.65, 6.0), (0.95, 15.0)])
def test_the_farther_something_is_from_every_move_the_stranger_it_may_sound(
    foreign: float, illegal: float
) -> None:
    """Who announces what is not possible says words that nothing else fits; talk fits none."""
    [answer] = Murmured().murmur("turm gustav acht anna eins", foreign, illegal)
    assert answer.startswith("Nicht notiert")


def test_a_word_that_has_no_sense_now_gets_no_answer() -> None:
    spoken = Spoken()
    before = len(spoken.voice.sentences)
    spoken.say("weiter")
    assert len(spoken.voice.sentences) == before


def test_an_answer_that_is_awaited_is_asked_for_again() -> None:
    murmured = Murmured()
    murmured.say("aufgabe")
    assert murmured.murmur("ja", 1.5) == ["Wie bitte?"]


@pytest.mark.parametrize(
    ("words", "foreign", "illegal"), [("springer felix drei", 0.8, 0.7), ("eva vier", 0.9, 0.0)]
)
def test_a_move_near_the_limits_is_asked_back(words: str, foreign: float, illegal: float) -> None:
    """Talk that sounds like a move comes near several limits at once, a short move by little."""
    murmured = Murmured()
    [question] = murmured.murmur(words, foreign, illegal)
    assert question.endswith("? Ja oder nein?")
    murmured.say("ja")
    assert [do for do, _move in murmured.done] == ["announce"]


@pytest.mark.parametrize(
    ("words", "foreign", "illegal"), [("springer felix drei", 0.7, 0.0), ("eva vier", 0.6, 0.0)]
)
def test_a_move_within_the_limits_counts_unasked(words: str, foreign: float, illegal: float) -> None:
    murmured = Murmured()
    murmured.murmur(words, foreign, illegal)
    assert [do for do, _move in murmured.done] == ["announce"]


def test_an_unclear_yes_to_nothing_is_not_asked_about() -> None:
    spoken = Spoken()
    before = len(spoken.voice.sentences)
    spoken.hear({"ja": -90.0, "zeit": -91.0})
    assert len(spoken.voice.sentences) == before


def test_yes_and_no_are_said_to_others_all_the_time() -> None:
    spoken = Spoken()
    before = len(spoken.voice.sentences)
    spoken.pace = 61.0
    spoken.say("ja", "nein")
    assert len(spoken.voice.sentences) == before
    # About the move that was read back he is answered.
    spoken.say("eva vier")
    assert spoken.say("nein") == "Keine Frage offen."


def test_correction_by_word_and_by_move_until_the_press() -> None:
    spoken = Spoken()
    spoken.say("eva vier")
    assert spoken.say("korrektur") == "Korrektur. Welcher Zug?"
    assert spoken.say("david vier") == "Korrektur: David vier."
    assert spoken.say("cesar vier") == "Korrektur: Cesar vier."
    spoken.say("gedrueckt")
    assert spoken.say("korrektur") == "Zu spät zum Korrigieren."
    assert [ply.move.uci() for ply in spoken.table.sheet.plies] == ["c2c4"]


def test_correction_and_then_the_press_leaves_the_move_as_it_was() -> None:
    spoken = Spoken()
    spoken.say("eva vier", "korrektur", "gedrueckt")
    assert [ply.move.uci() for ply in spoken.table.sheet.plies] == ["e2e4"]


def test_after_the_press_no_correction_is_awaited_any_more(typed: Typed) -> None:
    typed.type("e4", "korrektur", "")
    assert typed.type("n") == "Hector: Keine Frage offen."


def test_a_correction_that_is_refused_is_still_awaited() -> None:
    """D.2.8: what was taken back is not pressed for."""
    spoken = Spoken(press="auto")
    spoken.pace = 0.5
    spoken.say("eva vier", "korrektur")
    spoken.table.type("Ta1a2", spoken.at + 0.5)
    spoken.table.tick(spoken.at + 60)
    assert spoken.table.course.made == 0 and spoken.table.memory.correcting


def test_who_presses_while_he_corrects_hears_what_stands(typed: Typed) -> None:
    typed.type("e4", "Korrektur", "")
    assert typed.said[-1] == "Eva vier"
    assert typed.moves == ["e2e4"]


def test_the_press_does_not_complete_what_was_taken_back_for_a_question(tmp_path: Path) -> None:
    """D.2.8: he has taken the queen back, and is asked for the man instead of it."""
    typed = Typed(tmp_path / "game", fen="4k3/P7/8/8/8/8/8/4K3 w - - 0 1")
    typed.type("a8=D", "Korrektur", "Anna acht")
    assert typed.type("") == "Hector: Dame, Turm, Läufer oder Springer?"
    typed.type("Turm", "")
    assert typed.moves == ["a7a8r"]


def test_an_answer_that_comes_back_to_the_same_move_is_read_back(tmp_path: Path) -> None:
    typed = Typed(tmp_path / "game", fen=KNIGHTS)
    typed.type("Sbd2", "Sd2")
    assert typed.type("bella") == "Hector: Springer Bella eins David zwei"
    assert [step.line["do"] for step in typed.table.course.steps if step.line] == ["start", "announce"]


def test_who_says_the_same_again_after_all_is_read_back_and_not_refused() -> None:
    spoken = Spoken()
    assert spoken.say("eva vier", "korrektur", "eva vier") == "Eva vier"
    assert spoken.done == [("announce", "e2e4")]


def test_no_ends_a_correction_and_the_move_stands() -> None:
    spoken = Spoken(press="auto")
    spoken.pace = 0.5
    assert spoken.say("eva vier", "korrektur", "nein") == "Abgebrochen."
    spoken.table.tick(spoken.at + 10)
    assert [ply.move.uci() for ply in spoken.table.sheet.plies] == ["e2e4"]


def test_yes_is_no_correction() -> None:
    spoken = Spoken()
    assert spoken.say("eva vier", "korrektur", "ja") == "Korrektur. Welcher Zug?"


@pytest.mark.parametrize("words", ["jadoube", "ich ruecke zurecht"])
def test_who_adjusts_is_on_record_and_nothing_is_said(words: str) -> None:
    """4.2.1: he has to say so first; the opponent has heard it himself."""
    spoken = Spoken()
    before = len(spoken.voice.sentences)
    spoken.say(words)
    assert len(spoken.voice.sentences) == before
    line = spoken.table.course.steps[-1].line
    assert line is not None
    assert (line["do"], line["about"], line["side"]) == ("note", "adjust", "white")


def test_what_was_silenced_goes_on_when_asked_for() -> None:
    spoken = Spoken()
    spoken.say("zeit", "stopp")
    assert "weiter" in {" ".join(words) for words in spoken.table._expected.book.phrases}
    before = len(spoken.voice.sentences)
    spoken.say("weiter")
    assert len(spoken.voice.sentences) == before + 1
    assert spoken.voice.sentences[-1].text.startswith("Weiß: ")
    assert "weiter" not in {" ".join(words) for words in spoken.table._expected.book.phrases}


def test_the_clock_is_not_pressed_while_a_correction_is_awaited() -> None:
    spoken = Spoken(press="auto")
    spoken.pace = 0.5
    spoken.say("eva vier", "korrektur")
    spoken.table.tick(spoken.at + 60)
    assert spoken.table.course.side_to_move == "white"


def test_talk_of_the_hall_does_not_keep_the_clock_running() -> None:
    """Its pauses are shorter than what Hector waits for a correction."""
    spoken = Spoken(press="auto")
    spoken.say("eva vier")
    spoken.pace = 0.5
    for _ in range(10):
        spoken.hear({"felix acht": -260.0})
    assert spoken.table.course.side_to_move == "black"


@pytest.mark.parametrize("scores", [{"korrektur": -90.0}, {"korrektur": -140.0}])
def test_a_correction_has_its_time_even_if_it_was_hardly_understood(scores: dict[str, float]) -> None:
    spoken = Spoken(press="auto")
    spoken.say("eva vier")
    spoken.pace = spoken.table.course.teller.voice.silent_since(0.0) + 0.6 - spoken.at
    spoken.hear(scores)
    spoken.table.tick(spoken.at + 0.5)
    assert spoken.table.course.side_to_move == "white"


def test_a_correction_that_hector_was_nearly_deaf_to_is_one() -> None:
    """Nothing longer ends in this word; without it the wrong move would be pressed."""
    spoken = Spoken(press="auto")
    spoken.say("eva vier")
    at = spoken.table.course.teller.voice.silent_since(0.0) + 0.6
    said = (Transcript(("korrektur",), -90.0),)
    spoken.table.miss(Utterance(at - 0.5, at, said, said, -100.0, 17, 300.0))
    assert spoken.voice.sentences[-1].text == "Korrektur. Welcher Zug?"
    spoken.table.tick(at + 60)
    assert spoken.table.course.side_to_move == "white"


def test_what_is_for_the_arbiter_alone_is_neither_spoken_nor_repeated(tmp_path: Path) -> None:
    typed = Typed(tmp_path / "game", white=Person("Ana", blind=True))
    typed.type("e4", "")
    touched = {"do": "touch", "side": "black", "squares": ["g8"], "by": "assistant"}
    typed.table.act(touched, typed.at)
    assert typed.said[-1] == "Der Schiedsrichter entscheidet."
    told = [sentence.audience for sentence in typed.voice.sentences]
    assert "arbiter" not in told
    typed.type("r")
    assert typed.voice.sentences[-1].audience != "arbiter"


@pytest.mark.parametrize("move", ["springer felix drei", "springer bella drei"])
def test_after_a_touch_that_forbids_what_was_announced_the_touched_man_is_announced(move: str) -> None:
    """4.3: the clock runs, and no correction is asked of a move that waits no more."""
    spoken = Spoken(fen="4k3/p7/8/2b5/8/8/3N1P2/4K2R w - - 0 1")
    spoken.say("felix drei")
    spoken.table.act({"do": "touch", "side": "white", "squares": ["d2"], "by": "arbiter"}, spoken.at)
    said = spoken.say(move)
    assert said.lower() == move
    spoken.say("gedrueckt")
    assert spoken.table.course.side_to_move == "black"


PINNED, FREE = "4k3/p7/8/8/1b6/8/3N1P2/4K2R w - - 0 1", "4k3/p7/8/2b5/8/8/3N1P2/4K2R w - - 0 1"
"""White's knight may not move, and may."""
STOP = {"do": "stop-clock", "by": "arbiter", "reason": "arbiter"}


def test_an_illegal_move_that_waits_is_repeated_and_read_back_like_any_other() -> None:
    """D.2.1: who repeats it aloud, as he has to, betrays nothing."""
    spoken = Spoken(fen=PINNED)
    spoken.say("springer felix drei", "ja", "springer felix drei")
    assert [line.get("do") for line in lines_of(spoken)[-2:]] == ["announce", "repeat"]
    assert spoken.say("korrektur") == "Korrektur. Welcher Zug?"
    assert spoken.say("springer felix drei") == "Springer Felix drei"
    spoken.say("gedrueckt")
    assert [do for do, _move in spoken.done][-1] == "place"


def lines_of(spoken: Spoken) -> list[dict[str, object]]:
    return [step.line for step in spoken.table.course.steps if step.line is not None]


@pytest.mark.parametrize("fen", [PINNED, FREE])
@pytest.mark.parametrize(
    ("before", "refusal"),
    [
        (STOP, "Die Uhren stehen."),
        (
            {"do": "touch", "side": "white", "squares": ["f2"], "by": "arbiter"},
            "Die berührte Figur muss gezogen oder geschlagen werden.",
        ),
    ],
)
def test_a_move_that_cannot_be_recorded_is_refused_in_the_same_words_whether_legal_or_not(
    fen: str, before: dict[str, object], refusal: str
) -> None:
    spoken = Spoken(fen=fen)
    spoken.table.act(dict(before), spoken.at)
    assert spoken.say("springer felix drei") == refusal


@pytest.mark.parametrize("fen", [PINNED, FREE])
def test_a_slip_can_be_mended_by_keyboard_while_the_clocks_stand(tmp_path: Path, fen: str) -> None:
    typed = Typed(tmp_path / "game", fen=fen)
    typed.type("Felix drei")
    typed.table.act(dict(STOP), typed.at)
    assert typed.type("korrektur Springer Felix drei") == "Hector: Korrektur: Springer Felix drei."


@pytest.mark.parametrize("bishop", ["1b6", "8"])
def test_an_early_answer_while_the_clocks_stand_is_refused_in_the_same_words(bishop: str) -> None:
    spoken = Spoken(
        fen=f"4k3/4n3/8/8/{bishop}/2N5/7P/4K3 b - - 0 1",
        white=Person("Ana", blind=True),
        black=Person("Tom"),
    )
    spoken.table.type("Nd5", spoken.at)
    spoken.table.act(dict(STOP), spoken.at)
    assert spoken.say("springer eva vier") == "Die Uhren stehen."


@pytest.mark.parametrize("mode", ["club", "rated"])
def test_nobody_makes_the_move_of_an_opponent_who_plays_from_elsewhere(mode: str) -> None:
    spoken = Spoken(mode=mode)
    spoken.table.course.absent = "black"
    spoken.say("eva vier", "gedrueckt")
    said = len(spoken.voice.sentences)
    spoken.say("springer felix sechs")
    assert len(spoken.voice.sentences) == said
    spoken.say("ja")
    assert spoken.table.course.made == 1


@pytest.mark.parametrize("way", ["spoken", "typed"])
def test_a_mate_that_was_said_ends_the_game_though_hector_had_to_ask_which_man(way: str) -> None:
    spoken = Spoken(fen="6rk/6pp/8/4N1N1/8/8/6PP/6K1 w - - 0 1")
    asked = spoken.say("springer felix sieben matt")
    assert asked == "Springer von Gustav oder von Eva?"
    if way == "spoken":
        spoken.say("eva")
    else:
        spoken.table.type("e", spoken.at)
    spoken.table.tick(spoken.at + 10)
    assert spoken.table.over


def test_a_draw_that_is_agreed_leaves_no_offer_standing(typed: Typed) -> None:
    typed.type("e4", "", "e5", "draw", "", "angenommen", "ja")
    status = typed.table.course.referee.status().keys
    assert (status["result"], status["draw_offer"]) == ("1/2-1/2", "none")


@pytest.mark.parametrize("text", ["e1e1", "a1a1", "\0", "%s {move}", "💥", "0000", "--", "e9", "x" * 5000])
def test_nothing_that_is_typed_ends_the_program(typed: Typed, text: str) -> None:
    typed.type("e4", "", text)
    assert [ply.move.uci() for ply in typed.table.sheet.plies] == ["e2e4"]


# Anything in any order

LINES = [
    *(
        "",
        "?",
        *"tmclloprksyn",
        "draw",
        "accept",
        "decline",
        "resign",
        "korrektur",
        "gedrückt",
        "remis",
        "ja",
    ),
    *("angenommen", "abgelehnt", "reklamation", "reklamation stellungswiederholung", "aufgabe", "nein"),
    *("reklamation fünfzig züge", "reklamation zeitüberschreitung", "reklamation regelwidriger zug"),
    *("schiedsrichter", "e4", "e5", "Sf3", "Sc6", "Lb5", "a6", "O-O", "Dh5", "Dame Felix sieben", "g1g3"),
    *("e8e1", "Eva drei", "Springer David zwei", "xyzzy", "e1e1", "wo steht dame", "von bella"),
]


@settings(max_examples=examples(60), suppress_health_check=[HealthCheck.too_slow])
@given(
    lines=st.lists(st.sampled_from(LINES), max_size=25),
    press=st.sampled_from(["auto", "word", "key"]),
    mode=st.sampled_from(["rated", "club"]),
    blind=st.sampled_from(["white", "black", "both"]),
)
def test_any_lines_in_any_order_leave_a_game_that_its_journal_tells(
    lines: list[str], press: str, mode: str, blind: str
) -> None:
    people = [Person(side, blind in (side, "both"), (60,)) for side in ("white", "black")]
    setup = Setup(*people, press=press, mode=mode, time_control="300+5")  # type: ignore[arg-type]
    voice = HeardVoice()
    table = Table(setup, VOCABULARY, Thresholds(), voice, NoRecord())
    table.start()
    at = 0.0
    for line in lines:
        at += 3
        table.tick(at)
        if table.over:
            break
        table.type(line, at)
    assert not [each.text for each in voice.sentences if "{" in each.text or "None" in each.text]
    told = [step.line for step in table.course.steps if step.line is not None]
    again = Table(setup, VOCABULARY, Thresholds(), PaperVoice(), NoRecord())
    again.resume(told, max(at, table.now))
    assert again.course.referee.status().keys["moves"] == table.course.referee.status().keys["moves"]
    assert again.board.fen() == table.board.fen()
    assert [again.memory.last, again.memory.pending] == [table.memory.last, table.memory.pending]


# The end


@pytest.mark.parametrize("unclear", [False, True])
def test_a_draw_that_nobody_offered_is_not_asked_about_but_told_to_be_none(unclear: bool) -> None:
    spoken = Spoken()
    spoken.say("eva vier", "gedrueckt")
    heard = {"angenommen": -90.0, **({"abgelehnt": -90.5} if unclear else {})}
    assert spoken.hear(heard) == "Kein Remis angeboten."
    assert spoken.table.memory.asked is None


@pytest.mark.parametrize("answer", ["ja", "gedrueckt", "eva vier", "remis"])
def test_a_flag_that_falls_while_something_is_asked_ends_the_game(answer: str) -> None:
    """What comes after the flag, an answer too, changes nothing."""
    spoken = Spoken(time_control="12")
    spoken.say("eva drei", "aufgabe", answer)
    status = spoken.table.course.referee.status().keys
    assert (spoken.table.over, status["result"]) == (True, "0-1")
    assert "Schwarz gewinnt: Zeitüberschreitung." in [each.text for each in spoken.voice.sentences]


def test_whoever_drops_a_question_while_he_corrects_is_asked_for_the_correction(typed: Typed) -> None:
    """Else the announcement would wait for a correction of which nothing more is heard."""
    typed.type("Sf3", "k", "resign")
    assert typed.type("n") == "Hector: Korrektur. Welcher Zug?"
    assert typed.type("n") == "Hector: Abgebrochen."
    assert not typed.table.memory.correcting


BLIND = Person("Ana", blind=True)


def test_of_two_blind_players_the_one_who_resigns_is_named_and_then_the_other() -> None:
    """Whose voice it was, nobody can hear: White resigns on Black's time."""
    spoken = Spoken(white=BLIND, black=BLIND)
    spoken.say("eva vier", "gedrueckt")
    assert spoken.say("aufgabe") == "Schwarz gibt auf? Ja oder nein?"
    assert spoken.say("nein") == "Weiß gibt auf? Ja oder nein?"
    spoken.say("ja")
    assert spoken.table.course.referee.status().keys["result"] == "0-1"


def test_of_two_blind_players_nobody_resigns_who_does_not_say_so() -> None:
    spoken = Spoken(white=BLIND, black=BLIND)
    spoken.say("aufgabe", "nein")
    assert spoken.say("nein") == "Abgebrochen."
    assert not spoken.table.over


@pytest.mark.parametrize(
    ("lines", "first", "second"),
    [
        ((), "Weiß", "Schwarz"),
        (("eva vier",), "Weiß", "Schwarz"),
        (("eva vier", "gedrueckt"), "Weiß", "Schwarz"),
        (("eva vier", "gedrueckt", "eva fuenf"), "Schwarz", "Weiß"),
    ],
)
def test_of_two_blind_players_the_one_who_has_moved_offers_a_draw_or_else_the_other(
    lines: tuple[str, ...], first: str, second: str
) -> None:
    """9.1.2.1: a draw is offered after the own move and before the press; whose voice it is, nobody hears."""
    spoken = Spoken(white=BLIND, black=BLIND)
    spoken.say(*lines)
    assert spoken.say("remis") == f"{first} bietet Remis an? Ja oder nein?"
    assert spoken.say("nein") == f"{second} bietet Remis an? Ja oder nein?"
    spoken.say("ja")
    assert spoken.table.course.referee.draw_offer == {"Weiß": "white", "Schwarz": "black"}[second]


def test_of_two_blind_players_a_typed_offer_is_asked_about_as_a_spoken_one(tmp_path: Path) -> None:
    typed = Typed(tmp_path / "game", white=BLIND, black=BLIND)
    typed.type("e4", "")
    assert typed.type("draw") == "Hector: Weiß bietet Remis an? Ja oder nein?"
    typed.type("y")
    assert typed.table.course.referee.draw_offer == "white"


def test_of_two_blind_players_an_offer_that_stands_is_not_asked_about_again() -> None:
    spoken = Spoken(white=BLIND, black=BLIND)
    spoken.say("eva vier", "gedrueckt", "remis", "ja")
    assert spoken.say("remis") == "Das Remisangebot gilt noch."


def test_of_two_blind_players_the_one_whose_clock_stands_claims_the_flag() -> None:
    spoken = Spoken(white=BLIND, black=BLIND)
    spoken.say("eva vier", "gedrueckt", "reklamation zeitueberschreitung", "ja")
    [line] = [step.line for step in spoken.table.course.steps if step.line and step.line["do"] == "claim"]
    assert line["side"] == "white"


def test_of_two_blind_players_an_uncertain_claim_of_the_flag_is_the_same_ones() -> None:
    spoken = Spoken(white=BLIND, black=BLIND)
    spoken.say("eva vier", "gedrueckt")
    spoken.hear({"reklamation zeitueberschreitung": -90, "reklamation": -90.1})
    spoken.say("ja")
    [line] = [step.line for step in spoken.table.course.steps if step.line and step.line["do"] == "claim"]
    assert line["side"] == "white"


def test_an_illegal_announcement_may_be_repeated_aloud_as_hector_read_it_back(typed: Typed) -> None:
    spoken = Spoken(white=Person("Ana"), black=Person("Bert"))
    spoken.table.type("g1f4", 1.0)
    spoken.table.type("", 2.0)
    spoken.say("springer felix vier")
    assert spoken.done[-1] == ("repeat", "g1f4")


@pytest.mark.parametrize("words", ["turm anna acht", "turm anna acht schach"])
@pytest.mark.parametrize("is_typed", [False, True])
def test_an_illegal_announcement_is_repeated_with_check_or_without(words: str, is_typed: bool) -> None:
    spoken = Spoken(fen="4k3/8/8/8/8/8/4r3/R3K3 w - - 0 1", white=Person("Ana"), black=Person("Bert"))
    spoken.table.type("Ta1a8", 1.0)
    spoken.table.type("", 2.0)
    if is_typed:
        spoken.table.type(words, 5.0)
    else:
        spoken.say(words)
    assert spoken.done[-1] == ("repeat", "a1a8")


def test_a_draw_may_be_claimed_with_the_move_that_is_announced_and_not_yet_placed() -> None:
    """9.2.1: the move that would bring the position for the third time is declared, not made."""
    spoken = Spoken(white=Person("Ana"), black=BLIND, mode="rated")
    for white, black in (
        ("springer felix drei", "springer felix sechs"),
        ("springer gustav eins", "springer gustav acht"),
    ):
        spoken.say(white, "gedrueckt", black, "gedrueckt")
    spoken.say("springer felix drei", "gedrueckt", "springer felix sechs", "gedrueckt")
    spoken.say("springer gustav eins", "gedrueckt", "springer gustav acht")
    assert spoken.say("reklamation stellungswiederholung") == (
        "Stellungswiederholung mit Springer Gustav acht reklamieren? Ja oder nein?"
    )
    spoken.say("ja")
    assert spoken.table.course.referee.status().keys["result"] == "1/2-1/2"


def test_the_arbiter_finds_on_record_that_he_was_called() -> None:
    spoken = Spoken()
    spoken.say("schiedsrichter", "ja")
    notes = [step.line for step in spoken.table.course.steps if step.line and step.line["do"] == "note"]
    assert [(note["about"], note["side"]) for note in notes] == [("arbiter", "white")]


def test_without_an_arbiter_a_flag_is_claimed_and_not_told() -> None:
    """A.5 and B.3 by A.4 and B.2: nobody but the players may call it."""
    spoken = Spoken(time_control="20", rules=EventRules(supervised=False))
    spoken.say("eva vier", "gedrueckt", "eva fuenf")
    spoken.at += 60
    spoken.table.tick(spoken.at)
    assert "überschritten" not in spoken.voice.sentences[-1].text
    assert not spoken.table.over
    before = len(spoken.voice.sentences)
    spoken.say("reklamation zeitueberschreitung", "ja")
    assert spoken.table.course.referee.status().keys["result"] == "1-0"
    assert [each.text for each in spoken.voice.sentences[before + 1 :]] == [
        "Reklamation von Weiß richtig: Zeitüberschreitung.",
        "Weiß gewinnt: Zeitüberschreitung.",
    ]

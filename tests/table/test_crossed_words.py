"""Words that cross: an offer over a question, a press over an answer, letters that fit two positions."""

from __future__ import annotations

from pathlib import Path

import pytest
from spoken import Spoken
from typed import Typed

from assistant.table import Person

KNIGHTS = "7k/8/8/8/8/5N2/8/1N2KR2 w - - 0 1"
CAPTURE = "3r3k/4P3/8/8/8/8/8/4K3 w - - 0 1"


@pytest.fixture
def typed(tmp_path: Path) -> Typed:
    return Typed(tmp_path / "game")


def offered(typed: Typed) -> Typed:
    """White, who is blind, has the move, and Black's draw offer stands."""
    typed.type("Eva vier", "", "e5", "", "draw")
    assert typed.said[-1] == "Remisangebot von Schwarz."
    return typed


# -- Offers --------------------------------------------------------------------------------------------------


def test_a_yes_after_an_offer_is_not_the_answer_to_what_was_asked_before_it(typed: Typed) -> None:
    typed.type("Eva vier", "", "e5", "", "aufgabe", "draw", "ja")
    assert not typed.table.over
    assert typed.said[-1] == "Remis angenommen oder Remis abgelehnt?"


@pytest.mark.parametrize("answer", ["ja", "nein"])
def test_who_is_offered_a_draw_and_says_yes_or_no_hears_how_it_is_answered(typed: Typed, answer: str) -> None:
    offered(typed).type(answer)
    assert typed.said[-1] == "Remis angenommen oder Remis abgelehnt?"
    assert typed.table.course.referee.draw_offer == "black"


@pytest.mark.parametrize("way", ["page", "engine"])
def test_a_question_about_a_claim_ends_with_the_move_that_it_would_be_made_with(way: str) -> None:
    """A yes would claim another draw, without a move, and be fined for it."""
    spoken = Spoken()
    black = {"side": "black"} | ({"desk": "opponent"} if way == "page" else {})
    spoken.say("springer felix drei", "gedrueckt")
    spoken.table.act({"do": "announce", "move": "g8f6", **black}, spoken.at)
    spoken.table.act({"do": "press", **black}, spoken.at)
    spoken.say("springer gustav eins")
    asked = spoken.say("reklamation stellungswiederholung")
    assert asked == "Stellungswiederholung mit Springer Gustav eins reklamieren? Ja oder nein?"
    spoken.say("gedrueckt")
    spoken.table.act({"do": "announce", "move": "f6g8", **black}, spoken.at)
    spoken.table.act({"do": "press", **black}, spoken.at)
    assert spoken.say("ja") == "Keine Frage offen."


@pytest.mark.parametrize("answer", ["ja", "nein"])
def test_two_blind_players_hear_how_an_offer_is_answered(answer: str) -> None:
    spoken = Spoken(white=Person("Ana", blind=True), black=Person("Tom", blind=True))
    spoken.say("eva vier", "gedrueckt", "eva fuenf", "gedrueckt", "springer felix drei", "remis", "ja")
    assert spoken.say("gedrueckt", answer) == "Remis angenommen oder Remis abgelehnt?"


def test_a_yes_said_long_after_an_offer_is_somebody_else_s() -> None:
    spoken = Spoken()
    spoken.say("eva vier", "gedrueckt")
    spoken.table.type("e5", spoken.at)
    spoken.table.type("draw", spoken.at)
    spoken.table.type("", spoken.at)
    spoken.pace = 70.0
    assert spoken.say("ja") == "Remisangebot von Schwarz."


def test_who_offers_a_draw_while_one_is_offered_to_him_is_asked_whether_he_accepts(typed: Typed) -> None:
    offered(typed).type("remis")
    assert typed.said[-1] == "Remis annehmen? Ja oder nein?"
    typed.type("ja")
    assert typed.table.course.referee.status().as_dict()["result"] == "1/2-1/2"


def test_a_sighted_player_who_types_draw_while_one_is_offered_to_him_is_asked_whether_he_accepts(
    typed: Typed,
) -> None:
    typed.type("Eva vier", "", "e5", "", "remis", "ja", "draw")
    assert typed.said[-1] == "Schwarz nimmt Remis an? Ja oder nein?"
    assert not typed.table.over
    typed.type("y")
    assert typed.table.course.referee.status().as_dict()["result"] == "1/2-1/2"


def test_the_offer_stands_for_a_sighted_player_who_did_not_mean_to_accept_it(typed: Typed) -> None:
    typed.type("Eva vier", "", "e5", "", "remis", "ja", "draw", "n")
    assert typed.said[-1] == "Abgebrochen."
    assert typed.table.course.referee.draw_offer == "white"


def test_a_blind_player_s_yes_does_not_accept_his_own_offer() -> None:
    spoken = Spoken()
    spoken.say("eva vier", "gedrueckt")
    spoken.table.type("e5", spoken.at)
    spoken.table.type("", spoken.at)
    spoken.say("remis", "ja")
    spoken.table.type("draw", spoken.at + 1)
    assert spoken.voice.sentences[-1].text == "Schwarz nimmt Remis an? Ja oder nein?"
    spoken.say("ja")
    assert not spoken.table.over
    spoken.table.type("y", spoken.at + 1)
    assert spoken.table.over


def test_a_no_to_a_spoken_acceptance_brings_no_question_back_that_was_asked_before_it() -> None:
    spoken = Spoken()
    spoken.say("eva vier", "gedrueckt")
    spoken.table.type("e5", spoken.at)
    spoken.table.type("", spoken.at)
    spoken.say("remis", "ja", "aufgabe")
    assert spoken.say("angenommen") == "Remis annehmen? Ja oder nein?"
    assert spoken.say("nein") == "Abgebrochen."


def test_of_two_blind_players_a_typed_acceptance_is_asked_about_as_a_spoken_one(tmp_path: Path) -> None:
    blind = {"white": Person("Ana", blind=True), "black": Person("Tom", blind=True)}
    typed = Typed(tmp_path / "game", **blind)
    typed.type("e4", "", "e5", "draw", "y", "", "accept")
    assert typed.said[-1] == "Weiß nimmt Remis an? Ja oder nein?"
    assert not typed.table.over
    typed.type("n")
    assert typed.table.course.referee.draw_offer == "black"
    typed.type("accept", "y")
    assert typed.table.course.referee.status().as_dict()["result"] == "1/2-1/2"


def test_a_blind_player_does_not_accept_his_own_offer_by_typing(typed: Typed) -> None:
    typed.type("Eva vier", "", "e5", "", "remis", "ja", "remis angenommen")
    assert typed.said[-1] == "Kein Remis angeboten."
    assert not typed.table.over


def test_help_names_the_answers_to_an_offer_while_one_stands(typed: Typed) -> None:
    typed.type("?")
    assert "Remis angenommen" not in typed.said[-1]
    offered(typed).type("?")
    assert "Remis angenommen" in typed.said[-1] and "Remis abgelehnt" in typed.said[-1]


@pytest.mark.parametrize(("mode", "told"), [("club", True), ("rated", False)])
def test_help_names_the_position_where_it_is_told(tmp_path: Path, mode: str, told: bool) -> None:
    typed = Typed(tmp_path / mode, mode=mode)
    typed.type("?")
    assert ("Stellung" in typed.said[-1].replace("Stellungs", "")) == told


# -- The press -----------------------------------------------------------------------------------------------


def test_a_press_over_a_question_about_another_move_names_the_one_that_is_made(tmp_path: Path) -> None:
    typed = Typed(tmp_path / "game", fen=CAPTURE)
    typed.type("Eva acht Dame", "Eva schlägt David acht")
    assert typed.said[-1] == "Dame, Turm, Läufer oder Springer?"
    typed.type("")
    assert (typed.moves, typed.said[-1]) == (["e7e8q"], "Eva acht Dame")


def test_a_press_over_a_question_after_a_correction_puts_it_again(tmp_path: Path) -> None:
    typed = Typed(tmp_path / "game", fen=KNIGHTS)
    typed.type("Turm Felix zwei", "Korrektur", "Springer David zwei", "")
    assert (typed.moves, typed.said[-1]) == ([], "Springer von Felix oder von Bella?")


def test_a_question_that_nobody_answers_leaves_the_move_that_waits_and_says_so() -> None:
    spoken = Spoken(press="auto")
    spoken.say("eva vier")
    spoken.pace = 0.5
    spoken.say("springer gustav eins gustav drei")
    for second in range(30):
        spoken.table.tick(spoken.at + second)
    assert [each.text for each in spoken.voice.sentences[-2:]] == [
        "Springer Gustav eins Gustav drei? Ja oder nein?",
        "Eva vier",
    ]
    assert spoken.table.course.side_to_move == "black"


# -- A command over a question -------------------------------------------------------------------------------

BETWEEN_KNIGHTS = "4k3/7p/8/8/8/2N5/P7/4K1N1 w - - 0 1"


def later(spoken: Spoken, seconds: int) -> None:
    """Let time pass in which nobody speaks."""
    for _half in range(2 * seconds):
        spoken.at += 0.5
        spoken.table.tick(spoken.at)


@pytest.mark.parametrize("command", ["remis", "aufgabe", "reklamation fuenfzig zuege", "reklamation"])
@pytest.mark.parametrize("answer", ["nein", "nobody answers"])
@pytest.mark.parametrize("press", ["auto", "word"])
def test_a_question_between_moves_is_put_again_when_one_about_a_command_is_closed(
    press: str, answer: str, command: str
) -> None:
    """Until then nobody presses for the move that was to be mended."""
    spoken = Spoken(press=press, fen=BETWEEN_KNIGHTS)
    spoken.pace = 0.6
    spoken.say("anna vier")
    question = spoken.say("springer eva zwei")
    spoken.say(command)
    if answer == "nein":
        spoken.say(answer)
    elif command == "reklamation":
        # What is claimed may be answered as late as what is moved.
        spoken.say("fuenfzig zuege")
    later(spoken, 60)
    assert spoken.voice.sentences[-1].text == question
    spoken.say("gustav")
    assert spoken.done == [("announce", "a2a4"), ("correct", "g1e2")]


@pytest.mark.parametrize("press", ["auto", "word"])
def test_a_yes_to_a_command_puts_again_what_was_asked_before_it(press: str) -> None:
    spoken = Spoken(press=press, fen=BETWEEN_KNIGHTS)
    spoken.pace = 0.6
    spoken.say("anna vier")
    question = spoken.say("springer eva zwei")
    assert spoken.say("remis", "ja") == question
    assert spoken.table.course.referee.draw_offer == "white"
    later(spoken, 10)
    spoken.say("gustav")
    assert spoken.done == [("announce", "a2a4"), ("correct", "g1e2")]


def test_what_is_asked_about_no_move_that_waits_is_put_again_too() -> None:
    spoken = Spoken(fen="4k3/P6p/8/8/8/8/8/4K3 w - - 0 1")
    question = spoken.say("anna acht")
    assert spoken.say("remis", "nein") == question
    assert spoken.say("remis", "gedrueckt") == "Remis anbieten? Ja oder nein?"
    spoken.say("nein", "dame")
    assert spoken.done == [("announce", "a7a8q")]


def test_what_is_claimed_is_asked_again_after_a_question_about_something_else() -> None:
    spoken = Spoken()
    question = spoken.say("reklamation")
    assert spoken.say("remis", "nein") == question
    assert spoken.say("fuenfzig zuege") == "Fünfzig Züge reklamieren? Ja oder nein?"
    assert spoken.say("nein") == "Abgebrochen."
    assert spoken.table.memory.asked is None


def test_a_press_over_a_command_over_a_question_names_the_move_that_is_made(tmp_path: Path) -> None:
    typed = Typed(tmp_path / "game", fen=BETWEEN_KNIGHTS, press="word")
    typed.type("Anna vier", "Springer Eva zwei", "Remis", "")
    assert (typed.moves, typed.said[-1]) == (["a2a4"], "Anna vier")
    assert typed.type("nein") == "Hector: Abgebrochen."


def test_who_offers_a_draw_leaves_open_what_his_opponent_was_asked(tmp_path: Path) -> None:
    typed = Typed(tmp_path / "game", fen=BETWEEN_KNIGHTS, press="auto")
    typed.pace = 0.6
    typed.type("Anna vier", "Springer Eva zwei", "Aufgabe", "draw")
    typed.pass_time(10)
    typed.type("Gustav")
    assert typed.said[-1] == "Korrektur: Springer Gustav eins Eva zwei."


# -- What is recalled ----------------------------------------------------------------------------------------


def test_a_question_that_was_answered_is_not_recalled(typed: Typed) -> None:
    typed.type("Eva vier", "aufgabe", "nein", "wiederholen")
    assert typed.said[-1] == "Abgebrochen."


def test_a_question_that_has_lapsed_is_not_recalled(typed: Typed) -> None:
    typed.type("Eva vier", "aufgabe")
    typed.pass_time(30)
    typed.type("wiederholen")
    assert typed.said[-1] == "Eva vier"


def test_a_question_that_is_open_is_recalled(typed: Typed) -> None:
    typed.type("Eva vier", "aufgabe", "wiederholen")
    assert typed.said[-1] == "Aufgeben? Ja oder nein?"
    typed.type("ja")
    assert typed.table.over


# -- Claims --------------------------------------------------------------------------------------------------


def test_a_draw_is_not_claimed_with_a_move_that_was_taken_back(typed: Typed) -> None:
    for white, black in (("Nf3", "Nf6"), ("Ng1", "Ng8"), ("Nf3", "Nf6"), ("Ng1", "Ng8")):
        typed.type(white, "", black, "")
    typed.type("Springer Felix drei", "korrektur", "reklamation stellungswiederholung")
    assert typed.said[-1] == "Stellungswiederholung reklamieren? Ja oder nein?"
    typed.type("ja")
    assert typed.table.course.referee.status().as_dict()["result"] == "1/2-1/2"


@pytest.mark.parametrize(
    ("words", "setup", "told"),
    [
        ("reklamation stellungswiederholung", {}, "Der Gegner ist am Zug."),
        ("reklamation fünfzig züge", {}, "Der Gegner ist am Zug."),
        ("reklamation zeitüberschreitung", {"time_control": "-"}, "Keine Uhr."),
    ],
)
def test_a_claim_that_may_not_be_made_now_is_refused_without_a_question(
    tmp_path: Path, words: str, setup: dict[str, str], told: str
) -> None:
    typed = Typed(tmp_path / "game", **setup)
    typed.type("Eva vier", "", words)
    assert (typed.said[-2:], typed.table.memory.asked) == (["Eva vier", told], None)
    spoken = Spoken(**setup)
    spoken.say("eva vier", "gedrueckt")
    assert spoken.say(words.replace("ü", "ue")) == told


def test_a_claim_that_is_refused_answers_what_is_claimed() -> None:
    spoken = Spoken()
    spoken.say("eva vier", "gedrueckt", "reklamation")
    assert spoken.say("stellungswiederholung") == "Der Gegner ist am Zug."
    assert spoken.table.memory.asked is None


def test_a_claim_that_is_refused_puts_again_what_was_asked_before_it() -> None:
    spoken = Spoken(fen=BETWEEN_KNIGHTS, time_control="-")
    question = spoken.say("springer eva zwei")
    assert spoken.say("reklamation", "zeitueberschreitung") == question
    spoken.say("gustav")
    assert spoken.done == [("announce", "g1e2")]


def test_whether_an_illegal_move_may_be_claimed_is_not_told_before_it_is(typed: Typed) -> None:
    """An answer without the question would tell of a move that can still be mended."""
    typed.type("Eva vier", "", "e5", "reklamation regelwidriger zug")
    assert typed.said[-1] == "Regelwidrigen Zug reklamieren? Ja oder nein?"
    typed.type("ja")
    assert typed.said[-1] == "Der Zug ist noch nicht abgeschlossen."


def test_who_claims_again_before_he_makes_the_move_of_his_claim_hears_that_he_has_to(typed: Typed) -> None:
    typed.type("Eva vier", "", "e5", "", "Springer Felix drei")
    typed.type("reklamation stellungswiederholung", "ja", "reklamation fünfzig züge")
    assert typed.said[-1] == "Der Zug der Reklamation muss ausgeführt werden."


def test_whose_clock_runs_as_his_opponent_pressed_without_a_move_hears_what_he_can_do(typed: Typed) -> None:
    typed.type("Eva vier", "")
    typed.table.act({"do": "press", "side": "black"}, typed.at)
    typed.type("")
    assert typed.said[-1] == "Der Gegner ist am Zug; der Schiedsrichter kann gerufen werden."


# -- Letters and words ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", ["de", "en", "es", "fr", "pl"])
def test_a_bishop_s_answer_changes_no_move_of_the_opponent_s(tmp_path: Path, language: str) -> None:
    """ "B" is a pawn to some Germans: before Black's move was answered, b7-b5 could have been meant."""
    typed = Typed(tmp_path / "game", language=language, press="auto")
    typed.type("e4", "e5", "Nf3", "Nc6", "Bb5")
    assert typed.said[-1] == "Läufer Bella fünf"
    typed.type("a6")
    assert typed.moves[:5] == ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5"]


@pytest.mark.parametrize("text", ["Nf3", "Springer Felix drei", "e5", "Eva fünf"])
def test_while_the_clocks_stand_every_move_is_told_that_they_do(typed: Typed, text: str) -> None:
    typed.type("Eva vier", "")
    typed.table.act({"do": "stop-clock", "by": "arbiter"}, typed.at)
    typed.type(text)
    assert typed.said[-1] == "Die Uhren stehen."


@pytest.mark.parametrize(
    ("language", "queen"),
    [("en", "queen"), ("es", "dama"), ("pl", "hetman"), ("fr", "Dame"), ("de", "queen")],
)
def test_the_new_man_may_be_named_in_the_player_s_language(tmp_path: Path, language: str, queen: str) -> None:
    typed = Typed(
        tmp_path / "game",
        fen="4k3/8/8/8/8/8/4p3/K7 b - - 0 1",
        language=language,
        white=Person("Ana", blind=True),
        black=Person("Tom"),
    )
    typed.type("e1", queen, "")
    assert typed.moves == ["e2e1q"]


def test_who_answers_while_the_clocks_stand_is_told_so_once(tmp_path: Path) -> None:
    """His answer shows that the move is made, and its press is refused as the answer would be."""
    typed = Typed(tmp_path / "game", white=Person("Ana"), black=Person("Tom", blind=True))
    typed.type("e4")
    typed.table.act({"do": "stop-clock", "by": "arbiter"}, typed.at)
    before = len(typed.said)
    typed.type("Sf6")
    assert typed.said[before:] == ["Die Uhren stehen."]


# -- Whose move it is ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("Turm Hector eins Gustav eins", "Schwarz: Turm Hector eins gehört dem Gegner."),
        ("Turm Gustav eins", "Schwarz: Nicht erreichbar für Turm: Gustav eins."),
        ("Kurze Rochade", "Schwarz: Rochade nicht möglich."),
        ("Turm Cesar sieben", "Nicht erreichbar für Turm: Cesar sieben."),
    ],
)
def test_what_is_true_of_one_player_s_men_alone_names_him_if_the_other_may_have_spoken(
    tmp_path: Path, words: str, told: str
) -> None:
    """White, who has moved, would hear of his own rook that it is his opponent's."""
    fen = "4k2r/p6p/8/8/8/8/4PPPP/4K2R w K - 0 1"
    typed = Typed(tmp_path / "game", mode="club", fen=fen)
    typed.type("Eva vier", "", words)
    assert typed.said[-1] == told
    spoken = Spoken(mode="club", fen=fen)
    spoken.say("eva vier", "gedrueckt")
    assert spoken.say(words.lower()) == told


def test_an_answer_before_the_press_that_is_none_is_not_refused_as_the_answer(tmp_path: Path) -> None:
    typed = Typed(tmp_path / "game", mode="club")
    typed.type("Eva vier", "Springer Felix sechs")
    assert typed.said[-1] == "Weiß: Nicht erreichbar für Springer: Felix sechs."


def test_where_one_alone_can_have_spoken_no_player_is_named(tmp_path: Path) -> None:
    typed = Typed(tmp_path / "game", mode="club")
    typed.table.course.absent = "black"
    typed.type("Springer Gustav acht Felix sechs")
    assert typed.said[-1] == "Springer Gustav acht gehört dem Gegner."

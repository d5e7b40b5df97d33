"""The line of the terminal about what was heard: whose words they are, in the game's own language."""

from __future__ import annotations

import pytest
from spoken import Spoken

from assistant.table import Person


def last_heard(spoken: Spoken) -> str:
    return [line for line in spoken.shown if not line.startswith("Hector: ")][-1]


@pytest.mark.parametrize(("words", "shown"), [("zeit", "Zeit"), ("aufgabe", "Aufgabe"), ("ja", "ja")])
def test_the_blind_players_words_in_his_opponents_time_are_his(words: str, shown: str) -> None:
    spoken = Spoken(white=Person("Ana", blind=True), black=Person("Tom"))
    spoken.say("eva vier", "gedrueckt", words)
    assert last_heard(spoken).startswith(f"Weiß: {shown}")


def test_a_move_is_that_of_the_player_whose_turn_it_is() -> None:
    spoken = Spoken(white=Person("Ana", blind=True), black=Person("Tom", blind=True))
    spoken.say("eva vier", "gedrueckt", "eva fuenf")
    assert last_heard(spoken) == "Schwarz: Eva fünf"


def test_the_sides_are_named_in_the_games_language() -> None:
    spoken = Spoken(language="es")
    spoken.say("eva vier")
    assert last_heard(spoken).startswith("Blancas: ")


@pytest.mark.parametrize(("mode", "why"), [("rated", "ask"), ("club", "ask: illegal")])
def test_the_line_does_not_tell_in_a_rated_game_that_a_move_is_illegal(mode: str, why: str) -> None:
    spoken = Spoken(mode=mode)
    spoken.say("springer gustav eins gustav drei")
    assert last_heard(spoken) == f"Weiß: Springer Gustav eins Gustav drei ({why})"


@pytest.mark.parametrize(("language", "line"), [("de", "Weiß: nichts"), ("fr", "Blancs: rien")])
def test_where_no_word_was_heard_the_line_says_so_in_the_games_language(language: str, line: str) -> None:
    spoken = Spoken(language=language)
    spoken.say("")
    assert last_heard(spoken).startswith(line)

"""Who looks at the board in mid-announcement goes on with the rest of it, which is no move of its own."""

from __future__ import annotations

import chess
import pytest
from spoken import Spoken, uttered

from assistant.announcements import (
    Decision,
    Thresholds,
    build_phrasebook,
    decide,
    load_vocabulary,
    spoken_forms,
)
from assistant.table import Person
from assistant.table.broken_off import CONTINUES, BrokenOff

VOCABULARY = load_vocabulary("de")
PINNED = "r1bqkb1r/pppp1ppp/2n2n2/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 4 4"
PROMOTES = "2n5/1P6/8/3Pp3/8/8/k7/4K2R w K e6 0 1"


def test_the_rest_after_a_long_pause_is_asked_about_with_its_beginning() -> None:
    spoken = Spoken()
    spoken.say("springer")
    assert spoken.say("felix drei") == "Springer Felix drei? Ja oder nein?"
    spoken.say("ja")
    assert spoken.done == [("announce", "g1f3")]


def test_a_pawn_is_not_moved_by_the_rest_of_a_knights_announcement() -> None:
    spoken = Spoken()
    spoken.say("springer", "felix drei", "nein")
    assert spoken.done == []


def test_long_after_the_beginning_the_rest_is_a_move_of_its_own() -> None:
    spoken = Spoken()
    spoken.say("springer")
    spoken.at += CONTINUES
    spoken.say("felix drei")
    assert spoken.done == [("announce", "f2f3")]


def test_a_whole_announcement_after_a_beginning_counts_at_once() -> None:
    spoken = Spoken()
    spoken.say("springer", "springer felix drei")
    assert spoken.done == [("announce", "g1f3")]


@pytest.mark.parametrize(
    ("fen", "before", "whole", "asked"),
    [
        ("8/4P2k/8/8/1b6/2N5/8/4K3 w - - 0 1", "eva acht", "cesar drei eva vier", "Cesar drei Eva vier"),
        ("r5k1/8/8/8/8/P7/8/R3K2R w KQ - 0 1", "turm anna", "anna eins anna sieben", "Anna eins Anna sieben"),
    ],
)
def test_a_whole_announcement_that_is_not_possible_is_asked_about_after_a_beginning(
    fen: str, before: str, whole: str, asked: str
) -> None:
    spoken = Spoken(fen=fen)
    spoken.say(before)
    assert spoken.say(whole) == f"{asked}? Ja oder nein?"


def test_who_changes_his_mind_is_asked_whether_the_other_move_is_meant() -> None:
    spoken = Spoken()
    assert spoken.say("springer", "eva vier") == "Eva vier? Ja oder nein?"
    spoken.say("ja")
    assert spoken.done == [("announce", "e2e4")]


def test_the_rest_of_what_is_not_possible_moves_no_pawn() -> None:
    """The knight is pinned: with its beginning the announcement is no legal move."""
    spoken = Spoken(fen="4k3/8/8/8/1b6/8/3N1P2/4K3 w - - 0 1")
    assert spoken.say("springer", "felix drei") == "Felix drei? Ja oder nein?"
    assert spoken.done == []


def test_a_question_for_the_times_comes_between_a_beginning_and_its_rest() -> None:
    spoken = Spoken()
    spoken.pace = 3.0
    assert spoken.say("springer", "zugzahl", "felix drei") == "Springer Felix drei? Ja oder nein?"


def test_a_beginning_may_break_off_twice() -> None:
    spoken = Spoken()
    assert spoken.say("springer von", "gustav", "eins felix drei") == ("Springer Felix drei? Ja oder nein?")


def test_what_is_only_a_beginning_is_not_told_to_be_impossible() -> None:
    spoken = Spoken()
    assert spoken.say("springer bella eins") == "Wie bitte?"
    assert spoken.say("cesar drei") == "Springer Cesar drei? Ja oder nein?"


def test_the_rest_never_changes_the_opponents_move() -> None:
    spoken = Spoken(white=Person("Ana"), black=Person("Tom", blind=True))
    spoken.table.type("e4", spoken.at)
    spoken.say("springer", "felix drei", "ja")
    assert spoken.done == [("announce", "e2e4")]


def test_the_journal_keeps_what_was_confirmed_with_its_beginning() -> None:
    spoken = Spoken()
    spoken.say("springer", "felix drei", "ja")
    [line] = [step.line for step in spoken.table.course.steps if step.line and "move" in step.line]
    assert line["confirmed"] == "Springer Felix drei"


def test_what_is_the_same_move_with_its_beginning_and_without_counts_at_once() -> None:
    spoken = Spoken()
    spoken.say("eva zwei", "eva vier")
    assert spoken.done == [("announce", "e2e4")]


def test_a_beginning_that_was_said_in_another_position_has_no_rest() -> None:
    spoken = Spoken(press="word")
    spoken.pace = 2.0
    spoken.say("eva vier", "springer", "gedrueckt", "felix sechs")
    assert spoken.done[-1] == ("announce", "f7f6")


class Heard:
    """One utterance after another, each a second long, in a position."""

    def __init__(self, fen: str = chess.STARTING_FEN) -> None:
        self.book = build_phrasebook(chess.Board(fen), VOCABULARY)
        self.broken_off = BrokenOff()

    def say(self, text: str, start: float, *, is_talk: bool = False) -> Decision:
        decision = decide(uttered({text: -90.0}, self.book, start + 1), self.book, Thresholds())
        return self.broken_off.whole(decision, self.book, start, start + 1, is_talk=is_talk)


def test_what_was_said_to_somebody_else_begins_nothing() -> None:
    heard = Heard()
    heard.say("springer", 0, is_talk=True)
    assert heard.say("felix drei", 4).kind == "accept"


@pytest.mark.parametrize("talk", ["dame", "dame hector fuenf"])
def test_talk_comes_between_a_beginning_and_its_rest(talk: str) -> None:
    heard = Heard()
    heard.say("springer", 0)
    heard.say(talk, 2, is_talk=True)
    assert heard.say("felix drei", 4).text == "Springer Felix drei"


def test_who_names_another_man_has_begun_with_that_one() -> None:
    """The queen cannot go to f3 yet: the pawn is not moved in her place."""
    heard = Heard()
    heard.say("springer", 0)
    heard.say("dame", 2)
    assert heard.say("felix drei", 4).kind == "ask"


def test_the_man_named_last_makes_the_move() -> None:
    heard = Heard()
    heard.say("turm", 0)
    heard.say("springer", 2)
    assert heard.say("felix drei", 4).text == "Springer Felix drei"


def test_what_makes_a_move_of_its_beginning_is_no_talk() -> None:
    heard = Heard()
    heard.say("springer", 0)
    assert heard.say("felix drei", 4, is_talk=True).text == "Springer Felix drei"


def test_a_beginning_has_one_rest() -> None:
    heard = Heard()
    assert [heard.say(text, at).kind for at, text in ((0, "springer"), (2, "felix drei"))] == ["ask", "ask"]
    assert heard.say("felix drei", 4).kind == "accept"


def test_a_beginning_and_its_rest_may_be_several_moves() -> None:
    heard = Heard("4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1")
    heard.say("springer", 0)
    asked = heard.say("david zwei", 2)
    assert (asked.code, len(asked.candidates)) == ("ambiguous", 2)


@pytest.mark.parametrize(("start", "kind"), [(CONTINUES + 0.9, "ask"), (CONTINUES + 1.1, "accept")])
def test_a_rest_has_to_be_begun_in_time_and_not_to_be_over(start: float, kind: str) -> None:
    heard = Heard()
    heard.say("springer", 0)
    assert heard.say("felix drei", start).kind == kind


def test_more_of_a_beginning_is_known_as_one() -> None:
    heard = Heard()
    for at, words in enumerate(("springer von", "gustav")):
        heard.say(words, at * 2)
        assert heard.broken_off.begins_with(tuple(words.split()))


@pytest.mark.parametrize("fen", [chess.STARTING_FEN, PINNED, PROMOTES])
def test_no_form_of_a_move_becomes_another_move_wherever_it_breaks_off(fen: str) -> None:
    board = chess.Board(fen)
    book = build_phrasebook(board, VOCABULARY)
    broken = 0
    for move in board.legal_moves:
        for form in spoken_forms(board, move, VOCABULARY):
            for length in range(1, len(form)):
                broken_off, thresholds = BrokenOff(), Thresholds()
                begun, rest = (
                    decide(uttered({" ".join(words): -90.0}, book, 0.0), book, thresholds)
                    for words in (form[:length], form[length:])
                )
                if begun.kind != "ask" or rest.kind == "reject":
                    continue
                broken += 1
                assert broken_off.whole(begun, book, 0.0, 1.0) is begun
                whole = broken_off.whole(rest, book, 4.0, 5.0)
                assert whole.move == move or move in [each.move for each in whole.candidates]
    assert broken > 500


@pytest.mark.parametrize(
    ("fen", "begun", "heard_as"),
    [
        (chess.STARTING_FEN, "springer gustav eins felix", "anna drei"),
        ("4k3/8/8/3q4/8/5n2/8/4K3 b - - 0 1", "springer", "dame felix fuenf"),
    ],
)
def test_a_rest_with_a_word_that_nobody_said_is_asked_about(fen: str, begun: str, heard_as: str) -> None:
    """ "Springer Gustav eins Felix", a pause, "drei": no announcement begins with "drei"."""
    heard = Heard(fen)
    assert heard.say(begun, 0).kind == "ask"
    assert (heard.say(heard_as, 4).kind, heard.say(heard_as, 6).kind) == ("ask", "accept")


def test_who_begins_anew_with_the_same_word_is_not_asked() -> None:
    heard = Heard()
    heard.say("springer gustav eins felix", 0)
    assert heard.say("springer gustav eins felix drei", 4).kind == "accept"

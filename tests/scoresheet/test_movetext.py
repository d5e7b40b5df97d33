"""The words of a movetext beside its moves: what is let through, and what would make another game of it."""

from __future__ import annotations

import pytest

from assistant.scoresheet.movetext import Movetext, scan


def scanned(text: str) -> Movetext:
    return scan(text, 1, white=True, is_free=False)


def test_a_remark_in_brackets_is_none_of_pgn_though_a_variation_stands_before_it():
    found = scanned("1. e4 (1. d4 d5) e5 (was played at once) 2. Nf3 *")
    assert (found.unread, found.moves) == ("(was played at once)", 2)


@pytest.mark.parametrize(
    "variation", ["(1. d4 (1. c4 or so) with the centre)", "(1. d4 (or so))", "((or so) 1. d4)"]
)
def test_what_stands_in_a_variation_is_left_out_with_it(variation):
    found = scanned(f"1. e4 {variation} e5 *")
    assert (found.unread, found.moves, found.result) == ("", 2, "*")


def test_signs_behind_the_result_leave_it_as_it_is():
    found = scanned("1. e4 e5 1-0 +- $18")
    assert (found.unread, found.result, found.signs) == ("", "1-0", 2)


def test_a_move_behind_the_result_belongs_to_no_game():
    found = scanned("1. e4 1-0 e5")
    assert (found.unread, found.moves, found.misplaced) == ("e5", 1, "after the result")


def test_a_digit_that_no_number_has_makes_no_move_of_the_one_before_it():
    assert scanned("1.² e4 *").unread == "1.²"

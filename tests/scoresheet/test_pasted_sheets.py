"""A whole sheet that the arbiter pastes to compare it: its moves are found among all that stands there."""

from __future__ import annotations

import pytest
from scoresheet_games import random_game

from assistant.scoresheet import Style, languages, moves_in, render, signs_of, write_moves


def test_a_time_behind_a_move_is_no_move() -> None:
    assert moves_in("1. e4 1:29 e5 1:28:30\n2. Nf3 [0:12] Nc6 0:11:59.5 1:0") == ["e4", "e5", "Nf3", "Nc6"]


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("layout", ["columns", "running"])
def test_header_remarks_and_signatures_are_no_moves(language: str, layout: str) -> None:
    game = random_game(40, seed=3)
    sheet = render(game, "text", language, layout=layout).decode()
    assert moves_in(sheet) == list(write_moves(game, Style(language, signs=signs_of(game.edition))))


def test_below_a_label_indented_moves_are_moves() -> None:
    assert moves_in("White: Ana\nBlack: Tom\n  e4 d5\n  ed5: Qd5:\n") == ["e4", "d5", "ed5:", "Qd5:"]


def test_a_label_within_a_comment_takes_no_moves_away() -> None:
    assert moves_in("1. e4 {He said\nof this: nothing} e5\n2. Nf3 Nc6\n") == ["e4", "e5", "Nf3", "Nc6"]
    assert moves_in("1. e4 {He said\nNote: nothing} e5 {\n} 2. Nf3\n") == ["e4", "e5", "Nf3"]

"""What a writer has rubbed out among the moves, by filling its cells with all six dots, is passed over."""

from __future__ import annotations

import pytest
from exploring import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from scoresheet_games import random_game

from assistant.scoresheet import new_game, profile, profile_names, read_sheet, render
from assistant.scoresheet.louis import BLANK

FULL = "⠿"
GAME = new_game({"White": "Ana", "Black": "Tom"}, random_game(30, clocks=False).plies[:8], "1-0")
PROFILES = [(name, profile(name).languages[0]) for name in profile_names()]


@pytest.mark.parametrize(("name", "language"), PROFILES)
@settings(max_examples=examples(30), deadline=None)
@given(data=st.data())
def test_filled_cells_anywhere_among_the_moves_change_nothing(
    name: str, language: str, data: st.DataObject
) -> None:
    header, rows, end = render(GAME, "unicode", language, profile=name).decode().split("\n\n")
    lines = rows.split("\n")
    for _ in range(data.draw(st.integers(1, 4))):
        row = data.draw(st.integers(0, len(lines) - 1))
        place = data.draw(st.integers(1, len(lines[row])))
        filled = data.draw(st.sampled_from([FULL, FULL * 3, f"{BLANK}{FULL * 2}{BLANK}"]))
        if filled.startswith(BLANK):
            # A move is not cut in two.
            place = lines[row].rfind(BLANK, 0, place)
        if place > 0:
            lines[row] = lines[row][:place] + filled + lines[row][place:]
    sheet = "\n\n".join((header, "\n".join(lines), end))
    assert read_sheet(sheet.encode(), language, name) == GAME


@pytest.mark.parametrize(("name", "language"), PROFILES)
def test_a_line_may_begin_with_what_is_rubbed_out_or_be_nothing_else(name: str, language: str) -> None:
    header, rows, end = render(GAME, "unicode", language, profile=name).decode().split("\n\n")
    first, *others = rows.split("\n")
    rows = "\n".join((FULL * 5, f"{FULL * 3}{first}", f"{FULL * 4}{BLANK}{FULL}", *others))
    assert read_sheet("\n\n".join((header, rows, end)).encode(), language, name) == GAME

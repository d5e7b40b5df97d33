"""A sheet in plain letters is not taken for braille, whose cells know no capitals; nor braille for print."""

from __future__ import annotations

import pytest
from exploring import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from scoresheet_games import random_game

from assistant.errors import UsageError
from assistant.scoresheet import FORMS, from_pgn, languages, new_game, read_sheet, render

KNIGHTS = from_pgn('[White "Rossi"]\n[Black "Verdi"]\n\n1. e4 e5 2. Nc3 Nc6 3. g3 g6 1-0\n')


@settings(max_examples=examples(60), deadline=None)
@given(
    seed=st.integers(0, 10**6),
    half_moves=st.integers(0, 60),
    language=st.sampled_from(languages()),
    notation=st.sampled_from(FORMS),
    layout=st.sampled_from(["columns", "running"]),
)
def test_every_printed_sheet_reads_back_exactly(
    seed: int, half_moves: int, language: str, notation: str, layout: str
) -> None:
    game = new_game({"White": "Rossi, P.", "Black": "Bos & Co"}, random_game(half_moves, seed).plies, "1-0")
    sheet = render(game, "text", language, notation, layout=layout)
    assert read_sheet(sheet, language) == game


def test_a_braille_cell_in_a_name_makes_no_braille_of_a_printed_sheet() -> None:
    game = new_game({"White": "Louis ⠃", "Event": "⠠⠃⠗"}, KNIGHTS.plies)
    for language in ("", "en"):
        assert read_sheet(render(game, "text", "en"), language) == game


def test_capitals_of_a_printed_sheet_are_kept() -> None:
    assert read_sheet(render(KNIGHTS, "text", "it"), "it") == KNIGHTS


@pytest.mark.parametrize(
    "sheet",
    [
        "1.  e4  e5\n2.  Cc3  Cc6\n",
        "e4 e5\nCc3 Cc6\n",
        "1.\te4\te5\n2.\tCc3\tCc6\n",
        "1 e4 e5\n2 Cc3 Cc6\n",
    ],
)
@pytest.mark.parametrize("language", ["es", "fr", "it", "pt", ""])
def test_a_typed_knight_does_not_become_a_pawn(sheet: str, language: str) -> None:
    moves = [ply.move.uci() for ply in read_sheet(sheet.encode(), language).plies]
    assert moves == ["e2e4", "e7e5", "b1c3", "b8c6"]


@pytest.mark.parametrize("sheet", ["White: Smith, Jan\nBlack: Bos & Co\n", "Blancs: Dupont, J. 2\n\n1. e4\n"])
def test_a_typed_name_is_kept_as_it_is(sheet: str) -> None:
    values = {value for _name, value in read_sheet(sheet.encode()).tags}
    assert values & {"Smith, Jan", "Dupont, J. 2"}


def test_print_that_cannot_be_read_is_not_read_as_braille() -> None:
    with pytest.raises(UsageError):
        read_sheet(b"1) e4 e5\n2) Cc3 Cc6\n")


def test_a_sheet_in_small_letters_is_tried_as_print_first() -> None:
    assert read_sheet(b"white: ana\n\ne4 e5 nf3\n").tag("White") == "ana"


@pytest.mark.parametrize("format", ["brf", "eurobraille"])
@pytest.mark.parametrize("language", languages())
def test_braille_in_small_letters_is_still_braille(format: str, language: str) -> None:
    assert read_sheet(render(KNIGHTS, format, language).lower(), language) == KNIGHTS


@pytest.mark.parametrize("language", languages())
def test_a_line_of_brf_in_the_other_case_is_still_braille(language: str) -> None:
    lines = render(KNIGHTS, "brf", language).splitlines(keepends=True)
    for number, line in enumerate(lines):
        sheet = b"".join([*lines[:number], line.lower(), *lines[number + 1 :]])
        assert read_sheet(sheet, language) == KNIGHTS


def test_a_line_of_brf_in_the_other_case_is_found_out_without_a_language() -> None:
    lines = render(KNIGHTS, "brf", "en").splitlines(keepends=True)
    assert read_sheet(b"".join([*lines[:3], lines[3].lower(), *lines[4:]])) == KNIGHTS


@pytest.mark.parametrize("language", languages())
def test_eurobraille_in_capitals_is_read_where_it_is_named(language: str) -> None:
    sheet = render(KNIGHTS, "eurobraille", language)
    lines = sheet.splitlines(keepends=True)
    assert read_sheet(sheet.upper(), language, format="eurobraille") == KNIGHTS
    some = b"".join([*lines[:3], lines[3].upper(), *lines[4:]])
    assert read_sheet(some, language, format="eurobraille") == KNIGHTS


@pytest.mark.parametrize("sheet", ["ANA\n1. e4 e5\n2. Cc3 Cc6\n", "WHITE: ANA\n1. e4 e5\n2. CC3 CC9\n"])
def test_print_with_a_line_of_capitals_does_not_become_braille(sheet: str) -> None:
    with pytest.raises(UsageError) as raised:
        read_sheet(sheet.encode())
    assert "braille" not in str(raised.value)


@pytest.mark.parametrize("profile", ["chess-sheet", "de-comp6"])
def test_eurobraille_of_every_profile_is_still_braille(profile: str) -> None:
    assert read_sheet(render(KNIGHTS, "eurobraille", "it", profile=profile), "it") == KNIGHTS


def test_a_capital_is_no_eurobraille() -> None:
    with pytest.raises(UsageError, match="'C' stands for no cell"):
        read_sheet(b"1. e4\n2. Cc3\n", "it", format="eurobraille")

"""Moves that stand further to the right than the header are moves, or it is said that they are not read."""

from __future__ import annotations

import pytest

from assistant.scoresheet import from_pgn, parse_sheet, profile, profile_names, read_sheet, render
from assistant.scoresheet.louis import BLANK

GAME = from_pgn('[White "Ana"]\n[Black "Tom"]\n\n1. e4 e5 2. Nf3 Nc6 1-0\n')


@pytest.mark.parametrize("margin", [" ", "  ", "    ", "\t", " " * 9])
@pytest.mark.parametrize("layout", ["columns", "running"])
def test_below_an_empty_line_typed_moves_may_be_indented_however_far(margin: str, layout: str) -> None:
    lines = render(GAME, "text", "en", layout=layout).decode().splitlines()
    typed = "\n".join(margin + line if line[:1].isdigit() else line for line in lines)
    assert read_sheet(typed.encode(), "en") == GAME


PROFILES = [(name, profile(name).languages[0]) for name in profile_names()]


def indented(cells: int, language: str, profile: str) -> bytes:
    """Return a sheet in braille whose rows of moves begin some cells to the right."""
    before, rows, after = render(GAME, "unicode", language, profile=profile).decode().split("\n\n")
    moved = "\n".join(BLANK * cells + row for row in rows.split("\n"))
    return "\n\n".join((before, moved, after)).encode()


@pytest.mark.parametrize("cells", [1, 3])
@pytest.mark.parametrize(("name", "language"), PROFILES)
def test_below_an_empty_line_moves_in_braille_may_be_indented_less_than_a_line_that_goes_on(
    cells: int, name: str, language: str
) -> None:
    assert read_sheet(indented(cells, language, name), language, name) == GAME


@pytest.mark.parametrize(("name", "language"), PROFILES)
def test_moves_in_braille_that_are_taken_for_a_name_are_told(name: str, language: str) -> None:
    game, [note] = parse_sheet(indented(4, language, name), language, name)
    assert not game.plies
    assert "goes on with moves, which are not read: begin them on a line of their own" in str(note)


def test_typed_moves_that_are_taken_for_a_name_are_told() -> None:
    game, [note] = parse_sheet(b"White: Ana\nBlack: Tom\n\t1. e4 e5\n\t2. Nf3 Nc6\n\nResult: 1-0\n", "en")
    assert not game.plies
    assert str(note).startswith("The line 'Black' goes on with moves, which are not read:")

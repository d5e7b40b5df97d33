"""A result or castling is one word although somebody has set blanks around its hyphens."""

from __future__ import annotations

import pytest

from assistant.scoresheet import moves_in, read_sheet

OPENING = "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5"


@pytest.mark.parametrize(
    ("written", "result"),
    [
        ("1 - 0", "1-0"),
        ("0 : 1", "0-1"),
        ("½ – ½", "1/2-1/2"),
        ("1/2 - 1/2", "1/2-1/2"),
        ("0.5 - 0.5", "1/2-1/2"),
    ],
)
@pytest.mark.parametrize("apart", [" ", "\n"])
def test_a_result_with_blanks_is_a_result(written: str, result: str, apart: str) -> None:
    sheet = f"{OPENING}{apart}{written}\n"
    assert read_sheet(sheet.encode(), "en", format="text").result == result
    assert moves_in(sheet) == moves_in(OPENING)


@pytest.mark.parametrize(("castling", "move"), [("0 - 0", "e1g1"), ("O – O", "e1g1")])
def test_castling_with_blanks_is_castling(castling: str, move: str) -> None:
    sheet = f"{OPENING} 4. {castling} Nf6\n"
    game = read_sheet(sheet.encode(), "en", format="text")
    assert [ply.move.uci() for ply in game.plies][6:] == [move, "g8f6"]
    assert len(moves_in(sheet)) == 8


def test_long_castling_with_blanks_is_no_short_one() -> None:
    sheet = "1. d4 d5 2. Nc3 Nc6 3. Bf4 Bf5 4. Qd2 Qd7 5. 0 - 0 - 0 0 - 0 - 0 6. e3\n"
    game = read_sheet(sheet.encode(), "en", format="text")
    assert [ply.move.uci() for ply in game.plies][8:] == ["e1c1", "e8c8", "e2e3"]
    assert moves_in(sheet)[8:] == ["0-0-0", "0-0-0", "e3"]


def test_a_hyphen_between_two_moves_makes_no_move_of_them() -> None:
    assert moves_in("1. e2 - e4\n") == ["e2", "e4"]
    assert moves_in("1. e4 - e5\n2. Nf3 – Nc6\n") == ["e4", "e5", "Nf3", "Nc6"]

"""hector compare where an illegal move stood: rated blind play keeps it on the sheet (7.5, D.2.8)."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from types import SimpleNamespace

import chess
import pytest

from assistant.cli import main
from assistant.scoresheet import Ply, new_game, render

STOOD = new_game(
    {"White": "Ana", "Black": "Tom"},
    [Ply(chess.Move.from_uci(uci)) for uci in ["e2e4", "e7e5", "g1g4", "d7d5", "d2d4"]],
)
"""White's second move is not legal; Black replied to it."""
TYPED = "Weiß: Ana\nSchwarz: Tom\n1. e4 e5\n2. {} d5\n3. {}\n"


@pytest.fixture
def compared(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """Compare two sheets, each in either place, and return the status and the lines for both ways."""

    def compare(one: bytes | str, other: bytes | str, *options: str) -> list[tuple[int, list[str]]]:
        names = []
        for name, sheet in (("one", one), ("other", other)):
            (tmp_path / name).write_bytes(sheet if isinstance(sheet, bytes) else sheet.encode())
            names.append(str(tmp_path / name))
        found = []
        for way in (names, names[::-1]):
            status = main(["--lang", "en", "compare", *way, *options])
            found.append((status, "".join(capsys.readouterr()).splitlines()))
        return found

    return compare


@pytest.mark.parametrize("move", ["Sg4", "Sg1-g4", "Sg1g4", "Sgg4", "S1g4+!?", "Sg4 (!)", "Sg1-g4 (!)"])
@pytest.mark.parametrize("format", ["pgn", "brf", "text"])
def test_the_illegal_move_that_stood_is_known_however_the_opponent_wrote_it(compared, move, format) -> None:
    recorded = render(STOOD, format, "de")
    for status, said in compared(recorded, TYPED.format(move, "d4")):
        assert (status, said) == (0, ["The scoresheets agree."])


def test_behind_the_illegal_move_the_sheets_are_compared_on(compared) -> None:
    one, other = compared(render(STOOD, "pgn"), TYPED.format("Sg4", "d3"))
    assert (one[0], one[1][:3]) == (1, ["First difference: 3.", "First sheet: d4", "Second sheet: d3"])
    assert (other[0], other[1][:3]) == (1, ["First difference: 3.", "First sheet: d3", "Second sheet: d4"])


@pytest.mark.parametrize("move", ["Sg5", "Lg4", "Sbg4", "S2g4", "Sh4 (!)", "0-0"])
def test_another_move_that_is_not_legal_is_where_the_sheets_part(compared, move) -> None:
    one, other = compared(render(STOOD, "pgn"), TYPED.format(move, "d4"))
    written = move.removesuffix(" (!)")
    assert (one[0], one[1][:3]) == (
        1,
        ["First difference: 2.", "First sheet: Ng1-g4", f"Second sheet: {written}"],
    )
    assert (other[0], other[1][1:3]) == (1, [f"First sheet: {written}", "Second sheet: Ng1-g4"])


def test_a_move_that_is_not_legal_differs_from_a_legal_one_and_from_none(compared) -> None:
    legal = "Weiß: Ana\n1. e4 e5\n2. Sf3\n"
    (status, said), _ = compared(legal, TYPED.format("Sg4", "d4"))
    assert (status, said[:3]) == (1, ["First difference: 2.", "First sheet: Nf3", "Second sheet: Sg4"])
    (status, said), _ = compared("Weiß: Ana\n1. e4 e5\n", TYPED.format("Sg4", "d4"))
    assert (status, said[:3]) == (1, ["First difference: 2.", "First sheet: no move", "Second sheet: Sg4"])


def test_what_differs_before_the_move_that_is_not_legal_is_found_first(compared) -> None:
    (status, said), _ = compared("Weiß: Ana\n1. e4 c5\n", TYPED.format("Sg4", "d4"))
    assert (status, said[:3]) == (1, ["First difference: 1...", "First sheet: c5", "Second sheet: e5"])


def test_where_both_sheets_stop_at_the_same_words_they_are_refused(compared) -> None:
    for status, said in compared(TYPED.format("Sg4", "d4"), TYPED.format("Sg4", "d3")):
        assert status == 2
        assert len(said) == 1 and "At move 2 of White 'Sg4' is not legal there." in said[0]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("White: Ana\n1. e4 e5\n2. Ng4 d5\n", "Weiß: Ana\n1. e4 e5\n2. Sg4 d5\n"),
        ("White: Ana\n1. e4 e5\n2. Ng4 d5\n", "White: Ana\n1. e4 e5\n2. Ng1-g4 d5\n"),
        ("White: Ana\n1. e4 e5\n2. Ng4 d5\n", "White: Ana\n1. e4 e5\n2. Ng4+ d5\n"),
        ("White: Ana\n1. e4 e5\n2. g1g4 d5\n", "Weiß: Ana\n1. e4 e5\n2. Sgg4 d5\n"),
        ("White: Ana\n1. e4 e5\n2. 0-0 d5\n", "Weiß: Ana\n1. e4 e5\n2. Ke1-g1 d5\n"),
        ("White: Ana\n1. e4 e5\n2. exd5 d5\n", "White: Ana\n1. e4 e5\n2. ed d5\n"),
        # Without a header R is a rook in English and the king in French.
        ("1. e4 e5\n2. Rg4 d5\n", "Weiß: Ana\n1. e4 e5\n2. Kg4 d5\n"),
    ],
)
def test_one_illegal_move_in_two_spellings_is_no_difference(compared, one, other) -> None:
    for status, said in compared(one, other):
        assert status == 2
        assert len(said) == 1 and "At move 2 of White" in said[0] and "is not legal there." in said[0]
    first_said = compared(one, other)[0][1][0]
    assert repr(one.split()[-2]) in first_said


@pytest.mark.parametrize(
    ("one", "other"),
    [("Ng4", "Ng5"), ("Ng4", "Kg4"), ("Nbg4", "Ngg4"), ("0-0", "0-0-0"), ("0-0", "Kg3"), ("g1g4", "Qg4")],
)
def test_two_illegal_moves_are_where_the_sheets_part(compared, one, other) -> None:
    sheets = [f"White: Ana\n1. e4 e5\n2. {word} d5\n" for word in (one, other)]
    (status, said), _ = compared(*sheets)
    assert (status, said[:3]) == (
        1,
        ["First difference: 2.", f"First sheet: {one}", f"Second sheet: {other}"],
    )


@pytest.mark.parametrize("move", ["Sg9", "Qg4", "xyz"])
def test_what_is_no_move_at_all_is_refused(compared, move) -> None:
    for status, said in compared(render(STOOD, "pgn"), TYPED.format(move, "d4")):
        assert (status, len(said)) == (2, 1)


def test_the_language_of_a_sheet_without_a_header_is_found_by_the_illegal_move(compared) -> None:
    for status, said in compared(render(STOOD, "pgn"), "1. e4 e5\n2. Ng4 d5\n3. d4\n"):
        assert (status, said) == (0, ["The scoresheets agree."])


def test_castling_that_was_not_legal_is_known_by_its_sign(compared) -> None:
    played = "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 e1e2 d7d6 e2e1 g8f6 e1g1 c8g4"
    stood = new_game({}, [Ply(chess.Move.from_uci(uci)) for uci in played.split()])
    typed = "1. e4 e5 2. Sf3 Sc6 3. Lc4 Lc5 4. Ke2 d6 5. Ke1 Sf6 6. {} Lg4\n"
    for status, said in compared(render(stood, "pgn"), typed.format("0-0")):
        assert (status, said) == (0, ["The scoresheets agree."])
    assert [status for status, _ in compared(render(stood, "pgn"), typed.format("0-0-0"))] == [1, 1]


def test_a_sheet_of_standard_input_is_read_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "game.pgn").write_bytes(render(STOOD, "pgn"))
    typed = SimpleNamespace(buffer=io.BytesIO(TYPED.format("Sg4", "d4").encode()))
    monkeypatch.setattr(sys, "stdin", typed)
    assert main(["--lang", "en", "compare", "-", str(tmp_path / "game.pgn")]) == 0
    assert capsys.readouterr().out == "The scoresheets agree.\n"


def test_only_one_sheet_comes_from_standard_input(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    typed = io.BytesIO(b"1. e4 e5")
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=typed))
    assert main(["--lang", "en", "compare", "-", "-"]) == 2
    [said] = capsys.readouterr().err.splitlines()
    assert "Only one of the two sheets can come from standard input" in said
    assert typed.tell() == 0


def test_an_illegal_first_move_is_where_the_sheets_part(compared) -> None:
    stood = new_game({}, [Ply(chess.Move.from_uci("g1g4"))])
    assert [status for status, _ in compared(render(stood, "pgn"), "1. Sg4\n")] == [0, 0]
    (status, said), _ = compared(render(stood, "pgn"), "1. Sg5\n")
    assert (status, said[:3]) == (1, ["First difference: 1.", "First sheet: Ng1-g4", "Second sheet: Sg5"])

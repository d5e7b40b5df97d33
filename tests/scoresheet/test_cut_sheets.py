"""A sheet of Hector's ends with its result, be that unknown: where it is missing, so may be more."""

from __future__ import annotations

import pytest

from assistant.errors import UsageError
from assistant.scoresheet import from_pgn, parse_sheet, render
from assistant.speaking import told

GAME = from_pgn(
    '[White "Ana"]\n[Black "Tom"]\n\n1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. Nc3 Nc6 5. d3 d6 6. Be3 Be6 7. Qd2 '
    "Qd7 8. O-O-O O-O-O 1-0\n"
)


def notes(sheet: bytes, language: str = "") -> list[str]:
    return [str(note) for note in parse_sheet(sheet, language)[1]]


@pytest.mark.parametrize("format", ["text", "unicode", "brf", "eurobraille"])
@pytest.mark.parametrize("layout", ["columns", "running"])
def test_a_sheet_that_is_cut_after_its_moves_says_so(format: str, layout: str) -> None:
    sheet = render(GAME, format, "en", layout=layout)
    whole = sheet.decode().rstrip("\f\r\n").splitlines(keepends=True)
    cut = "".join(whole[:-4]).encode()
    assert notes(cut, "en") == [
        "The sheet has no result and ends after move 8 of Black: its end may be missing."
    ]


def test_a_sheet_that_is_cut_within_a_move_names_the_move_it_ends_after() -> None:
    sheet = render(GAME, "brf", "de", layout="running")
    game, [note] = parse_sheet(sheet[: sheet.index(b"0-0-0") + len(b"0-0")])
    assert (game.plies[-1].move.uci(), len(game.plies)) == ("e1g1", 15)
    assert str(note).startswith("The sheet has no result and ends after move 8 of White:")


def test_the_move_that_a_cut_sheet_ends_after_has_its_article_in_french() -> None:
    sheet = render(GAME, "brf", "de", layout="running")
    _game, [note] = parse_sheet(sheet[: sheet.index(b"0-0-0") + len(b"0-0")])
    assert "s'arrête après le coup 8 des Blancs" in told(note, "fr")


def test_a_sheet_whose_last_pages_are_missing_says_so() -> None:
    pages = render(GAME, "brf", "de", cells=18, lines=6).split(b"\f")
    moves = [page for page in pages if b"UNTERSCHRIFT" not in page and b"ERGEBNIS" not in page]
    assert len(moves) > 2
    [note] = notes(b"\f".join(moves[:2]))
    assert "its end may be missing" in note


def test_a_header_alone_says_that_moves_are_missing() -> None:
    sheet = render(GAME, "text", "de").decode()
    assert notes(sheet[: sheet.index("1.")].encode()) == [
        "The sheet has neither moves nor a result: its end may be missing."
    ]


@pytest.mark.parametrize("format", ["text", "brf", "eurobraille"])
def test_wherever_a_sheet_is_cut_it_is_the_same_game_or_something_is_said(format: str) -> None:
    sheet = render(GAME, format, "de")
    for end in range(len(sheet)):
        try:
            game, told = parse_sheet(sheet[:end], "de")
        except UsageError:
            continue
        assert told or game == GAME, sheet[:end]


@pytest.mark.parametrize("format", ["text", "brf", "eurobraille"])
@pytest.mark.parametrize("moves", ["", "1. e4 e5"])
def test_a_whole_sheet_of_an_unfinished_game_is_read_without_a_word(format: str, moves: str) -> None:
    assert notes(render(from_pgn(f'[White "Ana"]\n\n{moves} *\n'), format, "de")) == []


@pytest.mark.parametrize(
    "sheet", ["1. e4 e5 2. Nf3\n", "White: Ana\n\n1. e4 e5 1-0\n", "white: Ana\n\n1. e4\n"]
)
def test_a_typed_sheet_is_read_without_a_word(sheet: str) -> None:
    assert notes(sheet.encode(), "en") == []

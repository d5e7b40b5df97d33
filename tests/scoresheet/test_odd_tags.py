"""A tag that a sheet cannot hold is left out with a word; it costs neither the sheet nor another line."""

from __future__ import annotations

import pytest

from assistant.scoresheet import from_pgn, languages, left_out, read_sheet, render

PGN = '[Event "Open"]\n[White "A"]\n[ECO "C50"]\n{tag}\n1. e4 e5 1-0\n'
PLAIN = from_pgn(PGN.format(tag=""))

ODD = [
    ("de", '[White-Elo "2000"]'),
    ("de", '[Runde "3"]'),
    ("de", '[weiss "B"]'),
    ("de", '[Ergebnis "0-1"]'),
    ("es", '[Resultado "x"]'),
    ("en", '[sign_white "B"]'),
    ("en", '[Arbiter "-----"]'),
    ("fr", '[a=b "1"]'),
]


@pytest.mark.parametrize(("language", "tag"), ODD)
@pytest.mark.parametrize("format", ["text", "unicode", "brf", "eurobraille", "pef"])
def test_a_tag_that_a_sheet_cannot_hold_is_left_out(format: str, language: str, tag: str) -> None:
    game = from_pgn(PGN.format(tag=f"{tag}\n"))
    assert read_sheet(render(game, format, language), language) == PLAIN


@pytest.mark.parametrize("format", ["text", "brf"])
def test_a_tag_that_is_left_out_is_named(format: str) -> None:
    game = from_pgn(PGN.format(tag='[White-Elo "2000"]\n[Runde "3"]\n'))
    assert [str(note) for note in left_out(game, format, "de")] == [
        "The tag White-Elo is left out: 'White-Elo: 2000' would not be read back from a sheet in de.",
        "The tag Runde is left out: 'Runde: 3' would not be read back from a sheet in de.",
    ]


def test_a_pgn_keeps_every_tag() -> None:
    game = from_pgn(PGN.format(tag='[White-Elo "2000"]\n'))
    assert left_out(game, "pgn") == ()
    assert '[White-Elo "2000"]' in render(game, "pgn").decode()


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("format", ["text", "brf"])
def test_a_tag_of_any_usual_name_stays(format: str, language: str) -> None:
    game = from_pgn(PGN.format(tag='[Foo_1 "z"]\n[e4 "q"]\n[1 "2"]\n[WhiteTitle "GM"]\n'))
    assert left_out(game, format, language) == ()
    assert read_sheet(render(game, format, language), language) == game


@pytest.mark.parametrize("format", ["text", "brf"])
def test_a_tag_with_a_long_value_stays_whole(format: str) -> None:
    game = from_pgn(PGN.format(tag=f'[Sponsors "{" ".join(f"house {n}" for n in range(50))}"]\n'))
    assert left_out(game, format, "en") == ()
    assert read_sheet(render(game, format, "en"), "en") == game

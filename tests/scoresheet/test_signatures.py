"""The arbiter's name and what stands on the lines for the signatures (Laws 8.7) are never passed over."""

from __future__ import annotations

import pytest

from assistant.scoresheet import FORMATS, Game, from_pgn, languages, parse_sheet, read_sheet, render

ARBITER = from_pgn('[White "A"]\n[Arbiter "K. Meier"]\n\n1. e4 e5 1-0\n')


def read(sheet: str, language: str = "de") -> tuple[Game, list[str]]:
    game, notes = parse_sheet(sheet.encode(), language)
    return game, [str(note) for note in notes]


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("format", FORMATS)
def test_the_name_of_the_arbiter_survives(format: str, language: str) -> None:
    assert read_sheet(render(ARBITER, format, language), language) == ARBITER


@pytest.mark.parametrize("name", ["", "-", "?", "N. N. ...", "O___O"])
@pytest.mark.parametrize("moves", ["", "1. e4 "])
@pytest.mark.parametrize("format", ["text", "brf"])
def test_an_odd_name_of_the_arbiter_survives(format: str, moves: str, name: str) -> None:
    game = from_pgn(f'[Arbiter "{name}"]\n\n{moves}*\n')
    assert read_sheet(render(game, format, "en"), "en") == game


def test_the_name_of_the_arbiter_has_the_word_of_the_language() -> None:
    assert "Schiedsrichter: K. Meier\n" in render(ARBITER, "text", "de").decode()


@pytest.mark.parametrize("line", ["Schiedsrichter: K. Meier", "Schiedsrichter: ____ K. Meier ____"])
def test_an_arbiter_who_has_signed_is_the_arbiter(line: str) -> None:
    game, notes = read(f"Weiß: A\n\n1. e4 e5\n\nErgebnis: 1-0\n{line}\n")
    assert (game.tag("Arbiter"), notes) == ("K. Meier", [])


def test_a_signature_of_the_arbiter_beside_his_name_is_told() -> None:
    game, notes = read("Schiedsrichter: K. Meier\n\n1. e4 e5\n\nErgebnis: 1-0\nSchiedsrichter: gez. M.\n")
    assert game.tag("Arbiter") == "K. Meier"
    assert notes == ["The line 'Schiedsrichter: gez. M.' is left out: a signature is no part of the game."]


def test_a_signature_of_a_player_is_told() -> None:
    _, notes = read("1. e4 e5\n\nErgebnis: 1-0\nUnterschrift Weiß: gez. Müller\n")
    assert notes == [
        "The line 'Unterschrift Weiß: gez. Müller' is left out: a signature is no part of the game."
    ]


@pytest.mark.parametrize("rule", ["", "________", "- - - -", "-", "..........", "————"])
def test_an_empty_line_to_sign_on_is_no_signature(rule: str) -> None:
    game, notes = read(f"1. e4 e5\n\nErgebnis: 1-0\nUnterschrift Weiß: {rule}\nSchiedsrichter: {rule}\n")
    assert (game.tag("Arbiter"), notes) == ("", [])
    assert not any(name == "Arbiter" for name, _value in game.tags)

"""Lines of prose in a language's own braille: signs that share cells are told apart by where they stand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import chess
import pytest
from exploring import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.scoresheet import Ply, languages, literary, louis, new_game, read_sheet, render, render_prose
from assistant.scoresheet.louis import BLANK
from assistant.scoresheet.profiles import GRADES, literary_table, literary_tables, marks
from assistant.scoresheet.typography import plain, plain_game

WORDS = {
    "de": ("Zug", "Schiedsrichter", "möglich", "Über", "hält", "groß"),
    "en": ("move", "Arbiter", "offered", "IBCA", "café"),
    "es": ("jugada", "Árbitro", "¿Tablas?", "¡Jugada!", "él", "ajedrez", "niño", "ONCE"),
    "fr": ("échec", "Échec", "égalité", "été", "coup", "Arbitre", "à", "épreuve", "éditée", "FFE"),
    "it": ("mossa", "Perché", "è", "éra", "arbitro", "FSI"),
    "nl": ("zet", "één", "Arbiter", "écht", "KNSB"),
    "pl": ("ruch", "Sędzia", "żądanie", "éra", "źle", "PZN"),
    "pt": ("lance", "Árbitro", "época", "não", "é", "FPX"),
    "ru": ("ход", "Судья", "ёлка", "этот", "ВОС"),
}
PLACES = (
    *("{}", "{}.", "{},", "{}:", "{}?", "{}!", "{}!!", "{}?!", "({})", "({}", "{})", "({}),", "({}!)", "{}…"),
    *("{}...", "– {}", "— {}", "(3)", "(30 {})", "12", "12.", "e4", "e4!", "e4?"),
)
QUOTED = ("“{}”", "„{}“", "„{}”", "«{}»", '"{}"', "“{}!”", "({} “{}”)")


def own_cells(text: str, language: str, grade: str = "basic") -> str:
    return BLANK.join(louis.to_cells(literary_table(language, grade), word) for word in text.split())


def is_own(text: str, language: str, grade: str = "basic") -> bool:
    cells = literary.to_cells(text, language, grade)
    if cells == own_cells(plain(text), language, grade):
        return True
    return text != plain(text) and cells == own_cells(text, language, grade)


def read_back(text: str, language: str, grade: str = "basic") -> str:
    return literary.to_text(literary.to_cells(text, language, grade), language, grade)


@st.composite
def usual_lines(draw: st.DrawFn, language: str) -> str:
    """Some words of a language where they usually stand."""
    # In Russian the plain quotes have the cells of « », in Italian those of brackets.
    places = PLACES + (() if language in ("it", "ru") else QUOTED)
    word = st.sampled_from(WORDS[language])
    chosen = draw(st.lists(st.sampled_from(places), min_size=1, max_size=5))
    return " ".join(place.format(draw(word), draw(word)) for place in chosen)


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("grade", GRADES)
@settings(max_examples=examples(60))
@given(st.data())
def test_a_usual_line_is_in_its_own_braille_and_reads_back(
    language: str, grade: str, data: st.DataObject
) -> None:
    line = data.draw(usual_lines(language))
    assert is_own(line, language, grade)
    assert plain(read_back(line, language, grade)) == plain(line)


@pytest.mark.parametrize("language", languages())
@settings(max_examples=examples(100))
@given(st.text("aé éB3+-!?¿¡()[]{}.,:'\"/’‘“”„«»…–—4d", min_size=1, max_size=12))
def test_signs_in_any_order_read_back_and_plain_ones_exactly(language: str, text: str) -> None:
    text = " ".join(text.split()) or "x"
    back = read_back(text, language)
    assert back == text or text != plain(text) == plain(back)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        *(
            ("es", text)
            for text in ("¿Tablas?", "(¿Sí?)", "¡Jaque!", "¡¿Qué?!", "¿5 o 6?", "Cc3 era mejor!", "(+30)")
        ),
        *(
            ("pl", text)
            for text in ("Dobry ruch!", "(ruch)", "ruch (3)", "(ruch!)", "Elo 2000+", "3,5", "2026.11.21")
        ),
        *(
            ("it", "Scacco!"),
            ("it", "(+30)"),
            ("pt", "Boa!"),
            ("pt", "(30 s)"),
            ("fr", "e4!"),
            ("fr", "exd5!"),
            ("fr", "Dh4+ gagne"),
            ("pl", "Lepsze Hxh4+"),
            ("fr", "égalité"),
        ),
        *(("de", text) for text in ("Zug (3)", "Zeit (30 s) vorbei", "Zug...", "Nicht 'Zug'.")),
    ],
)
def test_a_sign_is_what_it_usually_is_in_its_place(language: str, text: str) -> None:
    assert is_own(text, language)
    assert read_back(text, language) == text


@pytest.mark.parametrize(
    ("text", "cells"),
    [
        ("16:30", "⠼⠁⠋⠈⠒⠉⠚"),
        ("Zeit 0:59:30.", "⠨⠵⠑⠊⠞⠀⠼⠚⠈⠒⠑⠊⠈⠒⠉⠚⠄"),
        ("2:1 (1:0)", "⠼⠃⠈⠒⠁⠀⠶⠼⠁⠈⠒⠚⠠⠶"),
        ("Weiß:Schwarz", "⠨⠺⠑⠊⠮⠠⠒⠨⠎⠉⠓⠺⠁⠗⠵"),
        ("90+30", "⠼⠊⠚⠀⠈⠖⠼⠉⠚"),
        ("60+30+5 Min.", "⠼⠋⠚⠀⠈⠖⠼⠉⠚⠀⠈⠖⠼⠑⠀⠨⠍⠊⠝⠄"),
        ("Elo 2000 (+30)", "⠨⠑⠇⠕⠀⠼⠃⠚⠚⠚⠀⠶⠈⠖⠼⠉⠚⠠⠶"),
        ("---", "⠤⠤⠤"),
        ("Zug -- ja", "⠨⠵⠥⠛⠀⠤⠤⠀⠚⠁"),
        ("mit --page", "⠍⠊⠞⠀⠤⠤⠏⠁⠛⠑"),
        ("Müller (GER), Eva", "⠨⠍⠳⠇⠇⠑⠗⠀⠶⠘⠛⠑⠗⠶⠂⠀⠨⠑⠧⠁"),
        ("(FM) Ott", "⠶⠘⠋⠍⠶⠀⠨⠕⠞⠞"),
        ("(A)", "⠶⠘⠁⠶"),
        ("(A und B)", "⠶⠘⠁⠀⠥⠝⠙⠀⠘⠃⠶"),
        ("(Ott)", "⠶⠨⠕⠞⠞⠶"),
        ("O'Brien", "⠨⠕⠠⠨⠃⠗⠊⠑⠝"),
        ("(D'Oro-Ott)", "⠶⠨⠙⠠⠨⠕⠗⠕⠤⠨⠕⠞⠞⠶"),
        ("O'BRIEN", "⠘⠕⠠⠃⠗⠊⠑⠝"),
        ("Tim O'B", "⠨⠞⠊⠍⠀⠨⠕⠠⠘⠃"),
        ("D'A., G.", "⠨⠙⠠⠘⠁⠄⠂⠀⠘⠛⠄"),
    ],
)
@pytest.mark.parametrize("grade", GRADES)
def test_german_signs_beside_letters_and_digits_are_german_braille(text: str, cells: str, grade: str) -> None:
    if grade == "basic":
        assert literary.to_cells(text, "de", grade) == cells
    assert not literary.to_cells(text, "de", grade).startswith(marks().foreign)
    assert read_back(text, "de", grade) == text


@pytest.mark.parametrize("language", ["de", "en", "es", "it", "pl", "pt"])
@pytest.mark.parametrize("text", ["½", "2½", "10½.", "½-½", "(2½-1½)", "4½:3½", "a ½, b"])
def test_a_half_is_in_the_languages_own_braille(language: str, text: str) -> None:
    assert is_own(text, language)
    assert read_back(text, language) == text


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("text", ["1/2", "1;", "3ª", "n.º 5", "½", "日\\41;"])
def test_what_may_be_read_as_a_half_or_a_letter_reads_back(language: str, text: str) -> None:
    assert read_back(text, language) == text


def test_a_sign_with_a_blank_before_it_is_not_read_as_one_without() -> None:
    assert read_back("90 +30", "de") == "90 +30"


@pytest.mark.parametrize(("language", "text"), [("es", "Dxf7!"), ("pl", "e4+"), ("es", "?a"), ("es", "a¿")])
def test_a_sign_in_an_unusual_place_is_in_another_braille(language: str, text: str) -> None:
    assert not is_own(text, language)
    assert read_back(text, language) == text


@pytest.mark.parametrize("language", ["fr", "pl", "nl", "pt", "it"])
@pytest.mark.parametrize("mark", ["foreign", "remark"])
def test_a_word_with_the_cells_of_a_mark_does_not_begin_a_line(language: str, mark: str) -> None:
    cells = {"foreign": f"{marks().foreign}{own_cells('es', language)}", "remark": marks().remark}[mark]
    word = louis.to_text(literary_table(language), cells)
    assert literary.to_cells(f"{word} a", language, "basic").partition(BLANK)[0] != cells
    assert read_back(f"{word} a", language) == f"{word} a"


@pytest.mark.parametrize(
    ("language", "text", "back"),
    [
        ("en", "O’Kelly, Sean", "O'Kelly, Sean"),
        ("en", "a “good” move…", 'a "good" move...'),
        ("en", "Smith–Jones", "Smith-Jones"),
        ("en", "2024–25", "2024–25"),
        ("en", "a—b", "a—b"),
        ("en", "a — b", "a – b"),
        ("de", "a „guter“ Zug…", 'a "guter" Zug...'),
        ("de", "O’Neill", "O’Neill"),
        ("es", "«buena»", '"buena"'),
        ("ru", "„Пешка“", "«Пешка»"),
    ],
)
def test_signs_of_a_printer_stay_in_their_language(language: str, text: str, back: str) -> None:
    assert is_own(text, language)
    assert read_back(text, language) == back


@pytest.mark.parametrize("sign", [".", ",", ";", ":", "!", "?", ")", "…"])
def test_a_closing_quote_of_english_print_closes_before_punctuation_as_well(sign: str) -> None:
    text = f"He said “Yes”{sign}"
    assert "⠦⠠⠽⠑⠎⠴" in literary.to_cells(text, "en", "basic")
    assert plain(read_back(text, "en")) == plain(text)


def test_a_closing_quote_of_german_print_closes_in_braille() -> None:
    assert literary.to_cells("„a“", "de", "basic") == literary.to_cells('"a"', "de", "basic")


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("value", ["O’Kelly “X”", "–", "—", "…", "’", "–––", "————————"])
def test_a_game_with_signs_of_a_printer_is_the_same_but_for_those(language: str, value: str) -> None:
    ply = Ply(chess.Move.from_uci("e2e4"), remark=f"a “good” move… {value}")
    game = new_game({"White": value, "Round": value, "Arbiter": "A’s"}, [ply], remark=value)
    back = read_sheet(render(game, "brf", language), language)
    assert plain_game(back) == plain_game(game)


def test_a_game_in_plain_signs_is_the_same() -> None:
    game = new_game({"White": 'O\'Kelly - "X"...'}, remark="'a' -- b")
    assert plain_game(game) == game
    assert plain_game(replace(game, remark="‘a’ — b")).remark == "'a' - b"


def test_prose_may_have_signs_of_a_printer() -> None:
    assert render_prose(["O’Kelly…"], "unicode", "en") == render_prose(["O'Kelly..."], "unicode", "en")


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("cell", ["⠶", "⠖", "⠢", "⠄", "⠦", "⠁"])
def test_cells_that_nobody_writes_are_read_all_the_same(language: str, cell: str) -> None:
    assert literary.to_text(cell * 3000, language, "basic")


# What a finger reads that comes from the left


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("grade", GRADES)
@pytest.mark.parametrize("write", [literary.to_cells, literary.shown_cells])
@pytest.mark.parametrize(
    ("text", "number"),
    [
        *(("e4e5", "e45"), ("Cb1d2", "Cb14"), ("10h30", "108"), ("5b", "52")),
        *(
            ("12.e4", "12.5"),
            ("12,e4", "12,5"),
            ("1.e4!", "1.5"),
            ("a 3.bis", "a 3.2"),
            ("12...e5", "12...5"),
        ),
    ],
)
def test_a_letter_behind_a_number_is_not_felt_as_its_next_digit(
    text: str, number: str, write: Callable[[str, str, str], str], grade: str, language: str
) -> None:
    assert not write(text, language, grade).startswith(own_cells(number, language, grade))
    assert read_back(text, language, grade) == text


@pytest.mark.parametrize(
    ("language", "text"), [("es", "12.e4"), ("es", "12,e4"), ("es", "jugada 1.d4"), ("it", "12.e4")]
)
def test_a_letter_is_no_digit_of_a_number_that_goes_on_behind_its_point(language: str, text: str) -> None:
    """These tables repeat the sign for numbers behind a point; no reader need expect that."""
    assert not is_own(text, language)
    assert read_back(text, language) == text


@pytest.mark.parametrize(
    "text", ["1.5", "2.Lb5", "3. Runde", "12.Sf3", "12. e4", "e4 e5", "12-e4", "1:0", "6 e"]
)
@pytest.mark.parametrize("language", ["de", "en", "es", "pl", "pt", "ru"])
def test_a_number_is_in_the_languages_own_braille_before_what_is_no_digit(language: str, text: str) -> None:
    assert is_own(text, language)
    assert read_back(text, language) == text


@pytest.mark.parametrize("text", ["24h", "1990er", "b1d2", "5b", "1/2d"])
def test_a_letter_behind_a_digit_stays_where_it_has_its_sign(text: str) -> None:
    assert is_own(text, "de")


# What is only shown


@pytest.mark.parametrize(
    ("language", "text"), [("es", "No hay 'Eva'."), ("es", "Dxf7!"), ("pl", "e4+"), ("pl", "O'Kelly")]
)
def test_what_is_only_shown_is_in_the_languages_own_cells(language: str, text: str) -> None:
    assert not is_own(text, language)
    assert literary.shown_cells(text, language, "basic") == own_cells(text, language)


@pytest.mark.parametrize(
    ("language", "text"), [("pl", "¿Qué?"), ("it", "¿Qué?"), ("es", "№ 5"), ("de", "日本")]
)
def test_what_a_table_has_no_cells_for_is_shown_as_written(language: str, text: str) -> None:
    assert literary.shown_cells(text, language, "basic") == literary.to_cells(text, language, "basic")


def test_a_word_of_any_length_is_shown() -> None:
    word = "x'" * 60
    assert literary.shown_cells(word, "es", "basic") == literary.to_cells(word, "es", "basic")


@pytest.mark.parametrize(("sign", "is_there"), [("é", True), ("!", True), ("¿", False), ("日", False)])
def test_a_sign_that_liblouis_writes_by_its_number_is_not_in_the_table(sign: str, is_there: bool) -> None:
    assert louis.has(literary_table("pl"), sign) is is_there


def test_signs_that_open_a_sentence_have_the_cells_of_those_that_close_it() -> None:
    for language, table in literary_tables().items():
        for sign in table.get("opening", ""):
            closing = {"¿": "?", "¡": "!"}[sign]
            assert own_cells(sign, language) == own_cells(closing, language)

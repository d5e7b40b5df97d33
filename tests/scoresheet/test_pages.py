"""Pages of cells: their size, their numbers and what stands where."""

from __future__ import annotations

import pytest
from exploring import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from scoresheet_games import random_game

from assistant.errors import UsageError
from assistant.scoresheet import (
    PageSize,
    Style,
    braille_pages,
    from_pgn,
    literary,
    new_game,
    read_sheet,
    render,
)
from assistant.scoresheet.files import from_brf, from_unicode
from assistant.scoresheet.louis import BLANK
from assistant.scoresheet.prose import render_prose

PRESETS = {"a4": PageSize(32, 28), "letter": PageSize(40, 25)}
SIZES = [*PRESETS.values(), PageSize(18, 6), PageSize(20, 12), PageSize(30, 27), PageSize(80, 60)]


@pytest.mark.parametrize("half_moves", [126, 600])
@pytest.mark.parametrize("size", SIZES)
def test_no_line_and_no_page_is_longer_than_asked(half_moves, size):
    for layout in (True, False):
        pages = braille_pages(random_game(half_moves), Style("de"), size, two_columns=layout)
        assert all(len(page) <= size.lines for page in pages)
        assert all(len(line) <= size.cells for page in pages for line in page)
        assert all(len(page) >= size.lines * 3 // 4 for page in pages[:-1] if size.lines > 10)


@settings(max_examples=examples(30))
@given(st.integers(18, 90), st.integers(6, 60), st.sampled_from(["de", "en", "ru"]))
def test_any_page_size_from_the_smallest_holds_the_game(cells, lines, language):
    size = PageSize(cells, lines)
    pages = braille_pages(random_game(30), Style(language), size)
    assert all(len(line) <= cells for page in pages for line in page)
    assert all(0 < len(page) <= lines for page in pages)


def test_the_result_and_its_signatures_stand_on_one_page():
    for half_moves in range(100, 130):
        pages = braille_pages(random_game(half_moves, clocks=False), Style("de"), PRESETS["a4"])
        assert any(line.startswith("⠨⠑⠗⠛⠑⠃⠝⠊⠎⠒") for line in pages[-1])
        assert sum(line.endswith("⠤⠤⠤⠤") for line in pages[-1]) == 3


def test_a_move_with_its_reply_and_clock_times_is_not_cut_by_the_end_of_a_page():
    for page in braille_pages(random_game(600), Style("de"), PRESETS["a4"]):
        assert not page[1].startswith(BLANK)


def test_each_page_has_its_number_at_the_right_of_its_first_line():
    pages = braille_pages(random_game(600), Style("de"), PRESETS["a4"])
    dropped = dict(zip("1234567890", "⠂⠆⠒⠲⠢⠖⠶⠦⠔⠴", strict=True))
    for number, page in enumerate(pages, 1):
        cells = "".join(dropped[digit] for digit in str(number))
        assert page[0] == BLANK * (32 - len(cells)) + cells


@pytest.mark.parametrize("format", ["unicode", "brf", "eurobraille"])
def test_an_empty_line_that_an_editor_has_filled_with_blanks_hides_no_number_of_a_page(format):
    game = random_game(126)
    sheet = b"        \r\n" + render(game, format, "de").replace(b"\f", b"\f        \r\n")
    assert read_sheet(sheet, format=format) == game


@pytest.mark.parametrize("format", ["unicode", "brf", "eurobraille"])
@pytest.mark.parametrize("lines", [6, 7, 9, 12])
def test_a_sheet_that_has_lost_its_form_feeds_is_the_same_game(format, lines):
    tags = {
        "Event": "Meisterschaft Meisterschaft",
        "White": "Freiherr von und zu Schachenstein genannt der Ältere",
        "Site": "Köln " * 20,
    }
    game = new_game(tags, random_game(126).plies)
    sheet = render(game, format, "de", lines=lines)
    assert sheet.count(b"\f") > 9
    assert read_sheet(sheet.replace(b"\f", b"")) == game


@pytest.mark.parametrize(("number", "is_page"), [("⠆", True), ("⠶", False), ("⠂", False)])
def test_only_the_number_that_is_due_begins_a_page_without_a_form_feed(number, is_page):
    game = new_game({"White": "Freiherr von und zu Schachenstein genannt der Ältere"})
    lines = render(game, "unicode", "de").decode().splitlines()
    lines.insert(2, number.rjust(len(lines[0]), BLANK))
    assert (read_sheet("\n".join(lines).encode(), "de") == game) is is_page


def test_white_and_black_stand_at_fixed_places_in_two_columns():
    pages = braille_pages(random_game(60, clocks=False), Style("en"), PageSize(40, 25))
    rows = [line for page in pages for line in page[1:] if line[:2] in ("⠂⠄", "⠆⠄", "⠒⠄", "⠲⠄")]
    assert len(rows) == 4
    assert {row[:22].rstrip(BLANK)[4] != BLANK and row[22] != BLANK and row[21] == BLANK for row in rows} == {
        True
    }


def test_a_continued_line_is_indented_and_words_are_whole():
    game = new_game({"White": "Freiherr von und zu Schachenstein genannt der Ältere"})
    [page] = braille_pages(game, Style("de"), PageSize(20, 25))
    start = next(index for index, line in enumerate(page) if line.startswith("⠨⠺⠑⠊⠮⠒"))
    assert [line.startswith(BLANK * 4) for line in page[start : start + 3]] == [False, True, True]
    assert not any(line.endswith("⠐") for line in page)


def test_a_word_longer_than_the_line_is_broken_with_a_mark():
    game = new_game({"White": "Wolfeschlegelsteinhausenbergerdorff"})
    [page] = braille_pages(game, Style("de"), PageSize(18, 25))
    assert any(line.endswith("⠐") and len(line) == 18 for line in page)


def test_a_word_longer_than_the_line_stays_whole_in_print():
    game = new_game({"White": "Wolfeschlegelsteinhausenbergerdorff"})
    sheet = render(game, "text", "de", cells=20)
    assert "Weiß:\n    Wolfeschlegelsteinhausenbergerdorff\n" in sheet.decode()
    assert read_sheet(sheet, "de") == game


def test_brf_has_crlf_after_each_line_and_a_form_feed_after_each_page():
    brf = render(random_game(126), "brf", "de")
    pages = braille_pages(random_game(126), Style("de"), PRESETS["a4"])
    assert brf.count(b"\f") == len(pages)
    assert brf.endswith(b"\r\n\f")
    assert brf.replace(b"\r\n", b"").count(b"\n") == 0
    assert brf.decode("ascii") == brf.decode("ascii").upper()
    assert b" \r\n" not in brf


@pytest.mark.parametrize(("cells", "lines"), [(17, 28), (32, 5), (0, 0), (-1, 28)])
def test_a_page_too_small_is_refused_with_the_smallest_size(cells, lines):
    with pytest.raises(UsageError, match="18 cells and 6 lines or more"):
        render(random_game(4), "brf", "de", cells=cells or 1, lines=lines)


def test_the_text_sheet_has_two_columns_and_lines_for_signatures():
    text = render(random_game(6, clocks=False), "text", "de").decode().splitlines()
    rows = [line for line in text if line[:2] in ("1.", "2.", "3.")]
    assert len({line.index(line.split()[2], 8) for line in rows}) == 1
    assert sum("____" in line for line in text) == 3
    assert "Ergebnis: 1/2-1/2" in text


@pytest.mark.parametrize(("format", "line"), [("text", "1. e4 e5 2. Sf3"), ("unicode", "⠂⠄⠀⠑⠲⠀⠑⠢⠀⠆⠄⠀⠨⠎⠋⠒")])
def test_moves_run_on_in_one_line_where_that_is_asked_for(format, line):
    game = from_pgn("1. e4 e5 2. Nf3 *")
    assert line in render(game, format, "de", layout="running").decode().splitlines()
    assert line not in render(game, format, "de").decode().splitlines()


@pytest.mark.parametrize(("cells", "width"), [(None, 64), (40, 40)])
def test_a_line_of_text_is_as_wide_as_is_asked_and_else_as_paper_is(cells, width):
    game = from_pgn(f"1. e4 {{{'ab ' * 60}}} *")
    text = render(game, "text", "de", cells=cells).decode().splitlines()
    assert width - 3 < max(map(len, text)) <= width


def test_a_no_break_space_is_a_space_in_braille():
    plain = render_prose(["Nulle : accord mutuel, 3 h"], "brf", "fr")
    assert render_prose(["Nulle\u00a0: accord mutuel, 3\u202fh"], "brf", "fr") == plain


def test_lines_of_text_stand_below_the_number_of_their_page_with_the_empty_line_between_them():
    page = render_prose(["Eins", "", "Zwei"], "unicode", "de").decode().splitlines()
    assert [line.strip(BLANK) for line in page] == [
        "⠂",
        literary.to_cells("Eins", "de", "basic"),
        "",
        literary.to_cells("Zwei", "de", "basic"),
    ]


def test_one_line_of_text_may_take_several_pages():
    line = "Zug " * 600
    pages = render_prose([line], "unicode", "de").decode().split("\f")
    assert len(pages) > 2
    words = [word for page in pages for row in page.splitlines()[1:] for word in row.split(BLANK) if word]
    assert words == [literary.to_cells("Zug", "de", "basic")] * 600


def test_lines_of_text_as_print_end_each_with_a_line_end():
    assert render_prose(["Eins", "", "Zwei"], "text", "de") == b"Eins\n\nZwei\n"


def test_lines_of_text_say_in_pef_what_they_are_and_in_which_language():
    head = render_prose(["Eins"], "pef", "de", title="Umschlag").decode()
    assert "<dc:title>Umschlag</dc:title>" in head
    assert "<dc:language>de</dc:language>" in head


def test_lines_of_text_for_an_embosser_of_eurobraille_are_in_its_character_set():
    shown, embossed = (render_prose(["Zug 12: ja"], each, "de") for each in ("unicode", "eurobraille"))
    assert from_brf(embossed, "eurobraille") == from_unicode(shown.decode())


def test_lines_of_text_in_a_format_that_does_not_exist_are_refused():
    with pytest.raises(UsageError, match="There is no format 'odt': choose text, unicode, brf"):
        render_prose(["Eins"], "odt", "de")


@pytest.mark.parametrize("format", ["text", "pgn", "brf"])
def test_a_profile_or_a_grade_that_does_not_exist_is_refused_whatever_is_written(format):
    game = random_game(4)
    with pytest.raises(UsageError, match="braille profile 'nonsense'"):
        render(game, format, profile="nonsense")
    with pytest.raises(UsageError, match="braille grade 'half'"):
        render(game, format, grade="half")

"""Braille profiles: no two moves alike, six dots only, everything back as it was written."""

from __future__ import annotations

import itertools
from functools import cache

import chess
import pytest
from exploring import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.errors import HectorError, UsageError
from assistant.resources import data_path
from assistant.scoresheet import languages, literary, louis, profile, profile_names
from assistant.scoresheet.braille import LossError, braille_code
from assistant.scoresheet.notation import notation
from assistant.scoresheet.profiles import GRADES, literary_table, literary_tables, marks, spelled_table
from assistant.scoresheet.typography import plain

PAIRS = [(name, language) for name in profile_names() for language in profile(name).languages]
SQUARES = chess.SQUARE_NAMES[::3]
SHEET_TOKENS = [
    *("1.", "9.", "12.", "100.", "300.", "1...", "12...", "(=)", "(!)", "e.p.", "a.p.", "--", "3.1", "300"),
    *("1-0", "0-1", "1/2-1/2", "*", "0-0", "1/2-0", "0-1/2", "1-1/2", "1/2-1", "1-1", "+/-", "-/+", "-/-"),
    *("[1:32:05]", "[0:00:00]", "[0:00:59.9]", "[12:00:00.125]"),
    *("5400+30", "40/7200:3600", "2026.11.21", "????.??.??"),
]


@cache
def moves_in(language: str) -> tuple[str, ...]:
    """Over eight thousand moves: every piece, every way to name its origin, captures, promotions, signs."""
    letters = notation(language).letters
    origins = ("", "a", "e", "h", "1", "4", "8", "b1", "g7")
    plain = [
        f"{letter}{origin}{capture}{square}"
        for letter, origin, capture, square in itertools.product(
            letters.values(), origins, ("", "x"), SQUARES
        )
    ]
    plain += SQUARES
    plain += [f"{file}x{square}" for file, square in itertools.product("abcdefgh", SQUARES)]
    promoted = [letters[kind] for kind in (chess.QUEEN, chess.ROOK, chess.BISHOP, chess.KNIGHT)]
    plain += [f"{a}{b}{p}" for a, b, p in itertools.product(("", "dx"), ("c8", "e1", "a8", "h1"), promoted)]
    plain += [f"{letter}{square}" for letter in letters.values() for square in chess.SQUARE_NAMES]
    plain += ["0-0", "0-0-0"]
    return tuple(dict.fromkeys(move + sign for move in plain for sign in ("", "+", "#", "++")))


def test_there_are_more_than_eight_thousand_moves():
    assert all(len(moves_in(language)) > 8000 for language in languages())


@pytest.mark.parametrize(("name", "language"), PAIRS)
def test_no_two_moves_look_alike_and_every_move_reads_back(name, language):
    shown = profile(name)
    code = braille_code(shown, language)
    # The British code has one sign of mate for the two of print.
    moves = [move for move in moves_in(language) if not (shown.rewriting and move.endswith("++"))]
    seen: dict[str, str] = {}
    for move in moves:
        [cells] = code.tokens([move])
        assert all("\u2801" <= cell <= "\u283f" for cell in cells)
        assert seen.setdefault(cells, move) == move, f"{move} looks like {seen[cells]}"
        assert code.read_tokens([cells]) == (move,)


@pytest.mark.parametrize(("name", "language"), PAIRS)
def test_every_other_sign_of_a_sheet_reads_back(name, language):
    code = braille_code(profile(name), language)
    for token in SHEET_TOKENS:
        tokens = (token, "e5") if token.endswith("...") else (token,)
        words = code.tokens(tokens)
        assert code.read_tokens(words) == tokens
        assert all("\u2801" <= cell <= "\u283f" for word in words for cell in word)


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("grade", GRADES)
def test_every_label_is_in_the_literary_braille_of_its_own_language(language, grade):
    labels = notation(language).labels
    cells = {name: literary.to_cells(f"{label}:", language, grade) for name, label in labels.items()}
    # The arbiter's name and the line on which he signs have one word.
    assert len(set(cells.values())) == len(labels) - 1
    assert cells["Arbiter"] == cells["sign_arbiter"]
    for name, label in labels.items():
        assert not cells[name].startswith(marks().foreign), label
        assert cells[name] == louis.to_cells(literary_table(language, grade), f"{label}:")
        assert literary.to_text(cells[name], language, grade) == f"{label}:"


@pytest.mark.parametrize("language", languages())
def test_the_names_of_its_own_language_are_not_spelled(language):
    names = {
        "de": "Müller-Lüdenscheidt, Jürgen",
        "en": "O'Neil, Sean",
        "es": "José Núñez García",
        "fr": "François Hénin",
        "it": "Niccolò Porpora",
        "nl": "Jan van der Wiel",
        "pl": "Łukasz Żółć",
        "pt": "João Gonçalves",
        "ru": "Щербаков Пётр",
    }
    cells = literary.to_cells(names[language], language, "basic")
    assert not cells.startswith(marks().foreign)
    assert literary.to_text(cells, language, "basic") == names[language]


def test_a_foreign_name_is_in_its_own_braille_and_says_so():
    cells = literary.to_cells("Łukasz Żółć", "de", "basic")
    assert cells.startswith("⠿⠏⠇⠀")
    assert cells[4:] == literary.to_cells("Łukasz Żółć", "pl", "basic")


@pytest.mark.parametrize(
    ("language", "text"),
    [
        *(
            ("de", text)
            for text in ("O’Neill", "Championnat de l’Île-de-France", "Kasparow – Karpow", "2024–25")
        ),
        *(
            ("en", text)
            for text in ("Šahović", "Dvořák, Antonín", "Łukasz", "Šahović – Dvořák", "¡Hola!", "¿Qué?", "«a»")
        ),
        *(("fr", "São Tomé"), ("nl", "île"), ("pl", "Müller"), ("pt", "Niñe"), ("ru", "«Пешка»")),
    ],
)
def test_letters_and_signs_that_liblouis_reads_back_are_in_the_languages_own_braille(language, text):
    cells = literary.to_cells(text, language, "basic")
    assert not cells.startswith(marks().foreign)
    assert literary.to_text(cells, language, "basic") == text


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("text", ["Île-de-France", "l’Île", "Šahović", "Dvořák", "A – B", "¡Hola!", "¿Qué?"])
def test_what_one_language_has_is_spelled_in_none(language, text):
    cells = literary.to_cells(text, language, "basic")
    assert not cells.startswith(marks().spelled)
    assert literary.to_text(cells, language, "basic") in (text, plain(text))


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("grade", GRADES)
def test_more_letters_are_those_that_liblouis_itself_reads_back(language, grade):
    table = literary_table(language, grade)
    for sign in literary_tables()[language].get("more", ""):
        for word in (f"a{sign}b", f"{sign}b", f"a{sign}"):
            if language == "ru":
                word = word.replace("a", "а").replace("b", "б")
            assert louis.to_text(table, louis.to_cells(table, word)) == word


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("grade", GRADES)
def test_capitals_of_more_letters_read_back_whatever_liblouis_makes_of_them(language, grade):
    """Some releases forget that a letter with an accent was a capital: then it is another language's."""
    for sign in filter(str.isalpha, literary_tables()[language].get("more", "").upper()):
        name = f"{sign}б" if language == "ru" else f"{sign}b"
        assert literary.to_text(literary.to_cells(name, language, grade), language, grade) == name


@pytest.mark.parametrize("text", ["'Anna'-Cup", "(-0.5)", '30"', "Wann?", "§ 9"])
def test_signs_with_the_cells_of_a_typographic_one_read_back(text):
    assert literary.to_text(literary.to_cells(text, "de", "basic"), "de", "basic") == text


def test_a_cell_is_a_cell_whatever_a_table_notes_beside_its_dots(tmp_path):
    """Newer Dutch tables mark with dots that no cell has which letter it was."""
    table = tmp_path / "marked.utb"
    table.write_text("display a 1a\nspace \\s 0\nlowercase a 1a\n", encoding="ascii")
    assert louis.to_cells(str(table), "a") == "⠁"


def test_the_number_of_a_letter_stands_between_a_backslash_and_a_semicolon():
    number = louis.to_cells(spelled_table(), r"\150;")
    assert literary.spelled_cells("Ő") == f"{marks().spelled}\u2800{number}"


def test_what_no_table_has_is_spelled_by_number():
    assert literary.to_cells("日本", "de", "basic").startswith("⠿⠿⠀")
    assert literary.to_text(literary.to_cells("日本", "de", "basic"), "de", "basic") == "日本"


@pytest.mark.parametrize("text", ["  a", "a  b", "b "])
def test_blanks_that_would_be_lost_are_spelled_by_number(text):
    """A line that is folded keeps no blanks at its ends, and one where there were several."""
    cells = literary.spelled_cells(text)
    assert "\u2800\u2800" not in cells and not cells.endswith("\u2800")
    assert literary.to_text(cells, "de", "basic") == text


def test_single_blanks_of_a_spelled_text_stay_blanks():
    spelled = literary.spelled_cells
    mark = f"{marks().spelled}\u2800"
    words = [spelled(word).removeprefix(mark) for word in ("日", "ab")]
    assert spelled("日 ab") == mark + "\u2800".join(words)


@pytest.mark.parametrize("language", languages())
@settings(max_examples=examples(25))
@given(
    st.text(st.characters(exclude_categories=("Cc", "Cs", "Zl", "Zp", "Co", "Cn")), min_size=1, max_size=30)
)
def test_any_line_of_prose_reads_back_in_six_dots(language, text):
    text = " ".join(text.split()) or "x"
    cells = literary.to_cells(text, language, "basic")
    assert all("\u2800" <= cell <= "\u283f" for cell in cells)
    back = literary.to_text(cells, language, "basic")
    assert back == text or text != plain(text) == plain(back)


def test_every_table_that_is_named_exists_and_compiles():
    tables = {literary_table(name, grade) for name in literary_tables() for grade in GRADES}
    tables |= {profile(name).table_for(language) for name, language in PAIRS} | {spelled_table()}
    for table in tables:
        assert louis.to_cells(table, "a")
    own = {path.name for path in data_path("locales", "braille").glob("*.utb")}
    assert own == {f"chess-sheet-{language}.utb" for language in languages()}


def test_the_british_code_writes_the_examples_of_its_publication():
    code = braille_code(profile("uk"), "en")
    examples = {"2. Nf3": "⠆ ⠎⠋⠒", "Rf4": "⠗⠋⠲", "cxd5": "⠉⠰⠙⠢", "f5+": "⠘⠋⠢", "Rxf4+": "⠗⠸⠋⠲"} | {
        "Nce5": "⠎⠉⠑⠢",
        "N1c3": "⠎⠂⠉⠒",
        "Re8#": "⠗⠑⠦⠜⠍",
    }
    for text, cells in examples.items():
        assert " ".join(code.tokens(text.split())) == cells


def test_a_token_that_a_table_would_lose_is_refused():
    code = braille_code(profile("en-ueb-g1"), "en")
    with pytest.raises(LossError, match="no sheet is written"):
        code.tokens(["a…b"])


def test_a_text_without_six_dot_cells_is_refused():
    with pytest.raises(louis.UntranslatableError, match="no six-dot cells"):
        louis.to_cells(spelled_table(), "日")


def test_a_profile_language_or_grade_that_does_not_exist_is_named():
    with pytest.raises(UsageError, match="no braille profile 'moon'"):
        profile("moon")
    with pytest.raises(UsageError, match="profile uk is not made for de"):
        braille_code(profile("uk"), "de")
    with pytest.raises(UsageError, match="no braille grade 'three'"):
        braille_code(profile(), "de", "three")


def test_a_missing_library_is_named_with_its_package(monkeypatch):
    louis._library.cache_clear()
    monkeypatch.setattr(louis.ctypes, "CDLL", _not_installed)
    try:
        with pytest.raises(HectorError, match="apt-get install liblouis20"):
            louis.to_cells("unicode.dis", "e4")
    finally:
        louis._library.cache_clear()


def _not_installed(name: str) -> None:
    raise OSError(name)


def test_a_missing_table_is_told():
    with pytest.raises(HectorError, match=r"no-such-table.*cannot be loaded"):
        louis.to_cells("no-such-table.utb", "e4")


def test_liblouis_may_be_called_from_many_threads():
    from concurrent.futures import ThreadPoolExecutor

    tables = [profile().table_for(language) for language in languages()]
    work = [(table, f"e{number}") for number in range(200) for table in tables]
    with ThreadPoolExecutor(8) as pool:
        cells = list(pool.map(lambda job: louis.to_cells(*job), work))
    assert [louis.to_text(table, cell) for (table, _), cell in zip(work, cells, strict=True)] == [
        text for _, text in work
    ]

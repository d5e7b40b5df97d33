"""A sheet that cannot be read is refused in one sentence that names the place."""

from __future__ import annotations

from itertools import product

import chess
import pytest
from scoresheet_games import random_game

from assistant.errors import HectorError, UsageError
from assistant.scoresheet import braille, from_pgn, left_out, louis, new_game, read_sheet, render
from assistant.scoresheet.braille import LossError
from assistant.scoresheet.profiles import spelled_table


@pytest.mark.parametrize(
    ("sheet", "reason"),
    [
        ("1. e4 e5\n2. Yf3 Sc6\n", "At move 2 of White: 'Yf3' cannot be read as a move"),
        ("1. e4 e5\n2. Sf6\n", "At move 2 of White 'Sf6' is not legal there"),
        ("1. e4 e5\n3. Sf3\n", "has the number '3.' where move 2 of White must come"),
        ("1. e4 e5\n2. Sf3 Sc6\n3. Sc3 Sf6\n4. Se2 Lb4\n5. d3 d6\n6. Sd4 0-0 7. Sd2\n", "several|not legal"),
        ("[1:20] 1. e4", "cannot be read"),
        ("1. (=) e4", "before the first move"),
        ("1. e4 e5\nErgebnis: verloren\n", "result that cannot be read: 'verloren'"),
        ("Dear Sir,\nI lost my sheet.\n", "cannot be read"),
        ("Weiß: A\nAusgangsstellung: nowhere\n\n1. e4\n", "not a position: 'nowhere'"),
        *(
            (
                f"Weiß: A\n1. e4 e5\nAusgangsstellung: {fen}\n{more}",
                "start position '.*' stands below the moves",
            )
            for fen in ("8/8/8/8/8/8/4K2k/8 w - - 0 1", "nowhere", chess.STARTING_FEN, "")
            for more in ("", "2. Sf3\n", "Ergebnis: 1-0\n")
        ),
        ("1. Sg1-g9 (!)", "illegal move 'Sg1-g9' cannot be read"),
        ("1. e2-e2 (!)", "illegal move 'e2-e2' cannot be read"),
        (
            "1. e4 e5\n2. a5-a6 (!)\n",
            "At move 2 of White the illegal move 'a5-a6' begins on a5, where no man",
        ),
        (
            "Weiß: Ana\nPrüfer: Karl\n\n1. e4 e5\n",
            "label of the line 'Prüfer: Karl' .* correct it, or write it",
        ),
        ("Wei3ß: Ana\n\n1. e4 e5\n", "label of the line 'Wei3ß: Ana'"),
        ("_Weiss: Ana\n\n1. e4 e5\n", "label of the line '_Weiss: Ana'"),
        (f"1. e4 e5\n{'2' * 5000}. Sf3\n", "cannot be read"),
    ],
)
def test_a_text_sheet_says_what_it_could_not_read(sheet, reason):
    with pytest.raises(UsageError, match=reason) as error:
        read_sheet(sheet.encode(), "de", format="text")
    assert "\n" not in str(error.value)


def test_words_that_are_no_move_stand_on_no_square():
    game = read_sheet(b"1. e4 -- (!)\n2. d4\n", "de", format="text")
    assert [ply.move.uci() for ply in game.plies] == ["e2e4", "0000", "d2d4"]


def test_a_label_in_another_alphabet_is_named_in_the_sheets_own_language():
    with pytest.raises(UsageError, match="'Prüfer: Karl' is unknown on a sheet in de "):
        read_sheet("Weiß: Ana\nSchwarz: Tom\nPrüfer: Karl\n\n1. e4 e5\n".encode())


def test_what_a_person_writes_by_hand_is_read():
    sheet = "1.e4 e5 2. S f3 (=)\n"
    with pytest.raises(UsageError):
        read_sheet(sheet.encode(), "de", format="text")
    sheet = "1.e4 e5\n2.Sf3(=) Sc6 [0:01:20]\n3. Lb5 a6\n4. 0-0 ½-½\n".replace(
        "4. 0-0", "4. Lxc6 dxc6 5. 0-0"
    )
    game = read_sheet(sheet.encode(), "de", format="text")
    assert [ply.move.uci() for ply in game.plies][-1] == "e1g1"
    assert game.plies[2].offer and game.plies[3].clock_ms == 80_000
    assert game.result == "1/2-1/2"


def test_a_sheet_without_numbers_is_read():
    game = read_sheet(b"e4 e5 Nf3 Nc6", "en", format="text")
    assert len(game.plies) == 4


def test_the_error_is_the_one_of_the_language_that_comes_furthest():
    sheet = render(random_game(40, clocks=False), "text", "fr").decode()
    lines = sheet.splitlines()
    row = next(index for index, line in enumerate(lines) if line.startswith("15."))
    lines[row] = "15. Zz9 Zz9"
    with pytest.raises(UsageError, match=r"move 15 of White.*letters of fr"):
        read_sheet("\n".join(lines).encode())


@pytest.mark.parametrize(
    "data", [b"\x89PNG\r\n\x1a\n\0\0", b"", b"\0\0\0", b"PK\x03\x04zip", "日本".encode(), b"<html></html>"]
)
def test_a_file_that_is_no_sheet_is_refused_in_one_sentence(data):
    with pytest.raises(UsageError) as error:
        read_sheet(data)
    assert "\n" not in str(error.value) and len(str(error.value)) < 200


def test_a_brf_that_is_a_letter_and_no_sheet_is_refused():
    with pytest.raises(UsageError, match="cannot be read"):
        read_sheet(b",DE> ,MR ,SM?1\r\n  ,? IS A LR4\r\n\x0c")


def test_one_word_as_long_as_a_book_is_refused_before_the_player_has_given_up():
    # In pieces it is a moment; as a whole it would be minutes, liblouis' and the search's for likelier signs.
    with pytest.raises(UsageError, match="cannot be read: '!!!"):
        read_sheet(b"6" * 100_000, format="brf")


def test_of_a_line_as_long_as_a_book_only_what_is_told_is_read():
    words = " ".join("".join(each) for each in product("BCDFGHJKLMNP", repeat=4))
    before = louis.to_cells.cache_info().misses
    with pytest.raises(UsageError, match="cannot be read: 'bbbb bbbc"):
        read_sheet(words.encode(), "en", "uk", "basic", "brf")
    # Each word that is read in a language is found by writing it.
    assert louis.to_cells.cache_info().misses - before < len(words.split()) / 2


def test_a_cut_brf_is_still_read_as_far_as_it_goes():
    game = random_game(60, clocks=False)
    brf = render(game, "brf", "de")
    cut = brf[: brf.index(b"\r\n20'")]
    assert read_sheet(cut, "de").plies == game.plies[:38]


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"format": "doc"}, "no sheet format 'doc'"),
        ({"format": "brf", "language": "xx"}, "no chess notation for 'xx'"),
        ({"format": "brf", "profile": "moon"}, "no braille profile 'moon'"),
        ({"format": "brf", "language": "de", "profile": "uk"}, "profile uk is not made for de"),
        ({"format": "brf", "grade": "three"}, "no braille grade 'three'"),
        ({"format": "text", "notation": "tiny"}, "no notation 'tiny'"),
        ({"format": "brf", "notation": "figurine"}, "Figurines have no braille cells"),
        ({"format": "text", "layout": "spiral"}, "no layout 'spiral'"),
    ],
)
def test_an_option_that_does_not_exist_is_named(options, reason):
    with pytest.raises(UsageError, match=reason):
        render(random_game(4), **options)


def test_a_sheet_that_would_not_read_back_is_not_written(monkeypatch):
    monkeypatch.setattr(braille, "_token", lambda table, word: "e4")
    with pytest.raises(LossError, match="no sheet is written"):
        render(new_game({"White": "unique"}, random_game(5, seed=77).plies), "brf", "de")


@pytest.mark.parametrize("number", ["110000", "ffffff", "d83d", "dfff", "f" * 40])
def test_a_spelled_number_of_no_sign_is_left_as_it_stands(number):
    sheet = render(new_game({"White": "😀"}), "unicode", "de", cells=80).decode()
    cells = [louis.to_cells(spelled_table(), f"{each};") for each in ("1f600", number)]
    game = read_sheet(sheet.replace(*cells).encode(), "de")
    assert game.tag("White") == f"\\{number};"
    assert from_pgn(render(game, "pgn")) == game


def test_without_liblouis_print_and_pgn_still_work(monkeypatch):
    from assistant.scoresheet import louis

    def missing() -> None:
        raise HectorError("Braille needs liblouis, which is not installed: apt-get install liblouis20.")

    monkeypatch.setattr(louis, "_library", missing)
    louis.to_cells.cache_clear()
    game = new_game({"White": "without"}, random_game(6, seed=78).plies)
    for format in ("text", "pgn"):
        assert read_sheet(render(game, format, "de"), "de") == game
        assert left_out(game, format, "de") == ()
    with pytest.raises(HectorError, match="apt-get install liblouis20"):
        render(game, "brf", "de")
    with pytest.raises(HectorError, match="apt-get install liblouis20"):
        read_sheet(b"1' E4 E5", "de")


def test_a_board_is_never_changed_by_what_reads_or_writes_it():
    from assistant.scoresheet import Style, read, write

    board = chess.Board()
    read("e4", board, "de")
    write(board, chess.Move.from_uci("e2e4"), Style("de", "long"))
    assert board == chess.Board() and not board.move_stack


@pytest.mark.parametrize(
    ("sheet", "language"), [("1. e4 e5 2. Bd3 d6\n", "en"), ("1. d4 d5 2. Pf3 Pf6\n", "nl")]
)
def test_letters_of_two_languages_are_asked_about(sheet, language):
    with pytest.raises(UsageError, match=r"another with those of .*--language"):
        read_sheet(sheet.encode())
    assert len(read_sheet(sheet.encode(), language).plies) == 4


@pytest.mark.parametrize("sheet", ["Ana - Tom\n1. e4 e5 2. Sf3 Sc6\n", "1. Sf3 Sc6 2. Sc3 Sf6 Schluss\n"])
def test_a_sheet_that_fails_as_text_does_not_become_another_game(sheet):
    with pytest.raises(UsageError):
        read_sheet(sheet.encode())


def test_tabs_part_words():
    assert len(read_sheet(b"1.\te4\te5\n2. Sf3\tSc6\n").plies) == 4


def test_a_grade_and_a_language_that_do_not_exist_are_named_when_reading():
    for options in ({"grade": "zz"}, {"language": "xx"}):
        with pytest.raises(UsageError, match=r"zz|xx"):
            read_sheet(b"1. e4 e5\n", **options)


@pytest.mark.parametrize("format", ["text", "unicode", "pgn"])
def test_a_sheet_that_was_saved_in_utf_16_is_read(format):
    game = from_pgn("1. e4 e5 2. Nf3 Nc6 *")
    saved = render(game, format, "de").decode().encode("utf-16")
    assert read_sheet(saved).plies == game.plies


@pytest.mark.parametrize("format", ["pef", "text", "pgn", "brf"])
def test_control_characters_in_a_name_reach_no_sheet(format):
    game = from_pgn('[White "Max\a Muster\x1b[31m"]\n\n1. e4 {b\x07ad} *\n')
    sheet = render(game, format, "de")
    assert not [byte for byte in sheet if byte < 32 and byte not in b"\r\n\f"]
    assert read_sheet(sheet, "de").plies[0].move == game.plies[0].move

"""What the reader of a PGN tells of it: letters that were guessed, what a sheet has no room for, numbers."""

from __future__ import annotations

import pytest

from assistant.errors import UsageError
from assistant.scoresheet import from_pgn, parse_pgn, parse_sheet, render, to_pgn


def told(notes):
    return [str(note) for note in notes]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_that_a_file_was_taken_for_windows_1252_is_told(encoding):
    data = '[White "Müller"]\n\n1. e4 {Δ €} *\n'.replace("Δ ", "" if encoding == "cp1252" else "Δ ")
    game, notes = parse_pgn(data.encode(encoding))
    assert game.tag("White") == "Müller"
    assert ["Windows-1252" in str(note) for note in notes] == [True] * (encoding == "cp1252")


def test_letters_of_a_typed_sheet_that_were_guessed_are_told():
    data = "Weiß: Jürgen\n1. e4 e5 1-0\n".encode("cp1252")
    game, notes = parse_sheet(data)
    assert game.tag("White") == "Jürgen"
    assert len(notes) == 1 and "was read as Windows-1252" in str(notes[0])


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_wrong_byte_in_utf_8_is_named_and_spoils_no_name(end):
    text = '[White "Ławniczak"]\n[Black "Müller"]\n\n1. e4 {ok#} *\n'.replace("\n", end)
    with pytest.raises(UsageError, match=r"in UTF-8 but for the byte 0xFC in line 4"):
        from_pgn(text.encode().replace(b"#", b"\xfc"))


def test_a_letter_that_is_cut_off_is_named():
    """The file ends within the two bytes of a letter."""
    with pytest.raises(UsageError, match=r"in UTF-8 but for the byte 0xC3 in line 3"):
        from_pgn('[White "Müller"]\n\n1. e4 * ; ü'.encode()[:-1])


def test_a_byte_that_no_encoding_knows_is_named_and_never_replaced():
    with pytest.raises(UsageError, match=r"The byte 0x81 in line 1 stands for no letter"):
        from_pgn(b'[White "M\x81ller"]\n\n1. e4 *\n')


FROM_MOVE_ONE = '[FEN "8/5k2/8/8/8/8/5K2/8 {} - - 0 1"]\n\n'


@pytest.mark.parametrize(
    ("text", "number", "rows"),
    [
        (FROM_MOVE_ONE.format("w") + "40. Kf3 Kf6 41. Kf4 *", 40, ["40. Kf3 Kf6", "41. Kf4"]),
        (FROM_MOVE_ONE.format("b") + "40... Kf6 41. Kf3 Ke6 *", 40, ["40... Kf6", "41. Kf3 Ke6"]),
        (FROM_MOVE_ONE.format("w") + "Kf3 Kf6 *", 1, ["1. Kf3 Kf6"]),
        (FROM_MOVE_ONE.format("w") + "*", 1, []),
    ],
)
def test_the_moves_of_a_position_without_a_count_keep_their_numbers(text, number, rows):
    game = from_pgn(text)
    assert game.board().fullmove_number == number
    sheet = render(game, "text", "en").decode()
    assert [" ".join(line.split()) for line in sheet.splitlines() if " K" in line] == rows
    assert from_pgn(to_pgn(game)) == game


def test_a_wrong_move_is_named_by_the_number_that_stands_before_it():
    with pytest.raises(UsageError, match="wrong at move 41 of White: 'Ka1' is not legal"):
        from_pgn(FROM_MOVE_ONE.format("w") + "40. Kf3 Kf6 41. Ka1 *")


def test_moves_that_are_numbered_from_one_against_their_fen_are_told():
    game, notes = parse_pgn('[FEN "4k3/8/8/8/8/8/4P3/4K3 b - - 0 12"]\n\n1... Kd7 2. e4 *')
    assert game.board().fullmove_number == 12
    assert told(notes) == [
        "The PGN numbers its moves from 1, its FEN from 12: the sheet has the FEN's numbers."
    ]


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("1. e4! e5?? $6 2. Nf3!? $14 *", 5),
        ("1. e4 = e5 2. Nf3 +- Nc6 3. Bb5$1$14 a6 *", 4),
        ("1. e4 +0.35 e5 0.35/12 2. Nf3+/= Nc6 -0.5 *", 4),
        ("1.e4!e5 2.Qh5 (2. Nf3! Nc6?) Nc6 *", 1),
        ("1. e4 { ! $1 } e5 *", 0),
        ("1.e4 1...e5 2.Bc4,Nc6 3.Qh5 1. ... Nf6 4.Qxf7# 1-0".replace("1. ... ", "3... "), 0),
        ("1.e4 e5 2.Nf3 Nf6 3.Bc4 Bc5 4.0-0 4...0-0 5.1-0", 0),
        ("1.e4 2.1/2-1/2", 0),
        ("1. e4 d5 2. e5 f5 3. exf6e.p. Kf7 4. fxg7+ Kg6 5. gxh8=Q Nf6 6. Qg8+ + *", 0),
    ],
)
def test_signs_of_annotators_are_counted_and_those_of_moves_are_none(text, count):
    notes = told(parse_pgn(text)[1])
    notes = [note for note in notes if not note.startswith("Variations")]
    sentence = f"Annotators' signs such as ! and $14 are left out ({count}): a sheet has none."
    assert notes == [sentence] * bool(count)


@pytest.mark.parametrize("sign", ["(e.p.)", "(ep)", "e.p.", "ep"])
def test_the_sign_of_en_passant_is_neither_a_variation_nor_a_sign_of_an_annotator(sign):
    game, notes = parse_pgn(f"1. e4 d5 2. e5 f5 3. exf6 {sign} exf6 *")
    assert (len(game.plies), notes) == (6, ())


def test_what_other_programs_write_into_comments_is_told_once():
    """As Lichess and ChessBase export a game."""
    text = "{[%clk 1:30:00]} 1. e4 {[%eval 0.17] [%clk 1:29:00]} e5 {[%eval 0.2] [%emt 0:00:05]}"
    text += " 2. Nf3 {book [%cal Gg1f3][%csl Ga1]} Nc6 {[%egt 0:10:00]} *"
    game, notes = parse_pgn(text)
    assert [ply.clock_ms for ply in game.plies] == [5_340_000, None, None, None]
    assert game.plies[2].remark == "book"
    assert told(notes) == [
        "What other programs noted in comments is left out (6): [%eval], [%emt], [%cal], [%csl], [%egt]."
    ]


def test_the_time_that_a_player_begins_with_is_nothing_to_tell():
    game, notes = parse_pgn("{[%clk 1:30:00]} 1. e4 {[%clk 1:29:55]} *")
    assert (game.plies[0].clock_ms, game.remark, notes) == (5_395_000, "", ())


@pytest.mark.parametrize(("clock", "seconds"), [("0:60:00", 3600), ("0:99:59", 5999), ("00:90:00", 5400)])
def test_a_clock_may_count_in_minutes_where_it_has_no_hours(clock, seconds):
    game, notes = parse_pgn(f"1. e4 {{[%clk {clock}]}} *")
    assert (game.plies[0].clock_ms, notes) == (seconds * 1000, ())


@pytest.mark.parametrize(
    "clock", ["1:30", "90:00", "1:75:99", "1:60:00", "10:75:00", "0:100:00", "1:29:60", "-0:00:01", "?"]
)
def test_a_clock_time_that_cannot_be_read_is_told_and_not_guessed(clock):
    game, notes = parse_pgn(f"1. e4 {{[%clk {clock}]}} e5 {{[%clk {clock}]}} *")
    assert [ply.clock_ms for ply in game.plies] == [None, None]
    assert told(notes) == [
        f"Clock times that cannot be read are left out (2), the first is '[%clk {clock}]': they are written "
        "[%clk 1:29:55]."
    ]


def test_a_clock_time_may_have_a_comma():
    game, notes = parse_pgn("1. e4 {[%clk 1:29:55,3]} *")
    assert (game.plies[0].clock_ms, notes) == (5_395_300, ())


@pytest.mark.parametrize(
    "comments", ["{[%clk 1:30:00] [%clk 1:29:55]}", "{[%clk 1:30:00]} {one} {[%clk 1:29:55]}"]
)
def test_of_two_clock_times_of_a_move_the_last_one_counts_with_a_word(comments):
    game, notes = parse_pgn(f"1. e4 {comments} e5 {{[%clk 1:00:00]}} {{[%clk 1:00:00]}} *")
    assert [ply.clock_ms for ply in game.plies] == [5_395_000, 3_600_000]
    assert told(notes) == ["Where a move has two clock times in the PGN, the last one counts (1)."]

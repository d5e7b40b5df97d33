"""Sheets as people type, indent and mend them: nothing of them is passed over in silence."""

from __future__ import annotations

import pytest

from assistant.errors import UsageError
from assistant.scoresheet import Game, from_pgn, moves_in, new_game, parse_pgn, read_sheet, render

ITALIAN = ["e2e4", "e7e5", "g1f3", "b8c6"]


def ucis(data: str, language: str = "en", format: str = "") -> list[str]:
    return [ply.move.uci() for ply in read_sheet(data.encode(), language, format=format).plies]


# Small letters


@pytest.mark.parametrize(
    ("sheet", "language"),
    [
        ("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 b5 5. bb3 d6\n", "en"),
        ("1. e4 e5 2. Cf3 Cc6 3. cc3 Cf6\n", "es"),
    ],
)
def test_a_file_that_is_written_twice_may_be_a_mans_small_letter(sheet: str, language: str) -> None:
    """A wrong move in the record is worse than a question."""
    with pytest.raises(UsageError, match="fits several moves"):
        ucis(sheet, language)
    if language == "en":
        with pytest.raises(UsageError, match="fits more than one move"):
            parse_pgn(sheet)


def test_where_no_such_man_can_go_there_it_is_a_pawns_move() -> None:
    assert ucis("1. e4 e5 2. bb3 dd6\n") == ["e2e4", "e7e5", "b2b3", "d7d6"]


# The margin


@pytest.mark.parametrize("empty", ["", "   ", "\t"])
def test_a_line_begins_a_row_at_the_number_of_a_move_and_below_an_empty_line(empty: str) -> None:
    sheet = f"{empty}\nWhite: Ana\n{empty}\n Black: Tom\n{empty}\n 1. e4 e5\n 2. Nf3 Nc6\n{empty}\n1-0\n"
    game = read_sheet(sheet.encode(), "en")
    assert [ply.move.uci() for ply in game.plies] == ITALIAN
    assert (game.tag("Black"), game.result) == ("Tom", "1-0")


def test_a_remark_ends_where_the_next_number_stands() -> None:
    game = read_sheet("1. e4\n— a remark\n    that goes on\n 1... e5\n 2. Nf3 Nc6\n".encode(), "en")
    assert [ply.move.uci() for ply in game.plies] == ITALIAN
    assert game.plies[0].remark == "a remark that goes on"


def test_lines_that_go_on_may_begin_with_a_digit_or_stand_far_apart() -> None:
    wrapped = (
        "White: Ana\nDate:\n  2024.05.01\n\n1. e4\n— claims a draw because\n\t50 moves are made\n1... e5\n"
    )
    game = read_sheet(wrapped.encode(), "en")
    assert (game.tag("Date"), game.plies[0].remark) == (
        "2024.05.01",
        "claims a draw because 50 moves are made",
    )
    apart = "".join(f"{line}\n\n" for line in wrapped.replace("  2024", "    2024").splitlines())
    assert read_sheet(apart.encode(), "en") == game


def test_what_is_surely_a_sheet_is_not_taken_for_braille() -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        read_sheet(b"White: Ana\nBlack: Tom\nEvent: Open of the city\n2024 group A\n\n1. e4 e5 1-0\n")


@pytest.mark.parametrize("format", ["text", "unicode", "brf"])
def test_a_left_margin_changes_nothing(format: str) -> None:
    game = from_pgn('[White "Weiß, Anna"]\n[Black "B"]\n\n1. e4 e5 2. Nf3 {gut gespielt} Nc6 1-0\n')
    sheet = render(game, format, "de").decode()
    moved = "".join(f"  {line}\n" for line in sheet.splitlines())
    assert read_sheet(moved.encode(), format=format) == read_sheet(sheet.encode(), format=format) == game


# The variant

KING_BESIDE_HIS_ROOK = "Ausgangsstellung: rbbqn1kr/pppppppp/8/8/8/8/PPPPPPPP/RBBQN1KR w KQkq - 0 1\n"


SPELLINGS = (
    *("Chess960", "Chess 960", "chess960", "Schach 960", "Chess-960", "960"),
    *("Fischerandom", "Fischer Random Chess", "Freestyle Chess"),
)


def is_castling_with_the_rook_beside(game: Game) -> bool:
    return game.chess960 and [ply.move.uci() for ply in game.plies] == ["g1h1", "g8h8"]


@pytest.mark.parametrize("line", [*(f"Variant: {name}" for name in SPELLINGS), "VARIANT: 960"])
def test_chess960_is_known_in_its_usual_spellings(line: str) -> None:
    game = read_sheet(f"Weiß: Ana\n{line}\n{KING_BESIDE_HIS_ROOK}\n1. 0-0 0-0\n".encode(), "de")
    assert is_castling_with_the_rook_beside(game)
    assert [name for name, _value in game.tags if "ariant" in name] == []


@pytest.mark.parametrize("line", ["", "Variant: Standard\n"])
def test_a_start_position_in_which_only_chess960_castles_is_chess960(line: str) -> None:
    game = read_sheet(f"Weiß: Ana\n{line}{KING_BESIDE_HIS_ROOK}\n1. 0-0 0-0\n".encode(), "de")
    assert is_castling_with_the_rook_beside(game)


@pytest.mark.parametrize("name", SPELLINGS)
def test_a_pgn_may_spell_chess960_as_a_sheet_may(name: str) -> None:
    fen = KING_BESIDE_HIS_ROOK.strip().partition(": ")[2]
    assert is_castling_with_the_rook_beside(from_pgn(f'[Variant "{name}"]\n[FEN "{fen}"]\n\n1. O-O O-O *'))


@pytest.mark.parametrize(
    ("language", "word"),
    [
        *(("de", "Remis"), ("en", "draw"), ("es", "Tablas"), ("fr", "nulle"), ("it", "patta")),
        *(("nl", "remise"), ("pl", "remis"), ("pt", "empate"), ("ru", "ничья")),
    ],
)
def test_a_draw_may_be_written_as_a_word_of_the_sheets_language(language: str, word: str) -> None:
    assert read_sheet(f"1. e4 e5 {word}\n".encode(), language, format="text").result == "1/2-1/2"


@pytest.mark.parametrize("line", ["Variant: Standard", "Variant: chess", "Variant:"])
def test_usual_chess_may_be_named(line: str) -> None:
    game = read_sheet(f"Weiß: Ana\n{line}\n\n1. e4 e5\n".encode(), "de")
    assert not game.chess960 and len(game.plies) == 2


@pytest.mark.parametrize("moves", ["1. e4 e5\n", ""])
@pytest.mark.parametrize("variant", ["Atomic", "atomic", "King of the Hill", "Räuberschach"])
def test_another_variant_is_refused(variant: str, moves: str) -> None:
    with pytest.raises(UsageError, match=f"not the variant '{variant}'"):
        read_sheet(f"Weiß: Ana\nVariant: {variant}\n\n{moves}".encode())


# What would contradict itself


SURELY_A_SHEET = [
    ("1. e4 e5 1-0\n\nResult: 0-1\n", "results 1-0 and 0-1"),
    ("1. e4 e5\nResult: 1-0\n2. Nf3\n", "goes on at move 2 of White after its result"),
    ("White: Ana\nWhite: Eva\n\n1. e4\n", "'Ana' and then 'Eva'"),
    ("White: A\nStart position: foo\n", "not a position: 'foo'"),
    ("White: A\n1. e4\nResult: won\n", "result that cannot be read: 'won'"),
    ("White: A\n1) e4 e5\n", r"A line of the sheet cannot be read: '1\) e4 e5'"),
]
A_SHEET_IN_A_LANGUAGE = [
    ("1. e4 1-0 e5\n2. Nf3\n", "goes on at move 1 of Black after its result 1-0: 'e5'"),
    ("1. e4 e5 [1:30:00] [1:29:00]\n", "At move 1 of Black there are two clock times"),
]
"""Nothing in them says that they are sheets."""


@pytest.mark.parametrize(
    ("language", "sheet", "reason"),
    [("en", *case) for case in SURELY_A_SHEET + A_SHEET_IN_A_LANGUAGE]
    + [("", *case) for case in SURELY_A_SHEET],
)
def test_a_sheet_that_contradicts_itself_is_refused_as_a_sheet(
    language: str, sheet: str, reason: str
) -> None:
    with pytest.raises(UsageError, match=reason):
        read_sheet(sheet.encode(), language)


@pytest.mark.parametrize(
    ("language", "moves"),
    [("de", "1. e4 e5 2. Dh5 Sc6 3. Lc4 Sf6 4. Df7: matt"), ("de", "1. e4 d6 2. Lb5 sch. c6"),
     ("de", "1. e4 d6 2. Lb5 + c6"), ("en", "1. f3 e5 2. g4 Qh4 mate"), ("fr", "1. e4 d6 2. Fb5 éch c6")],
)  # fmt: skip
def test_check_and_mate_may_stand_apart_from_their_move(language: str, moves: str) -> None:
    signs = {"matt", "mate", "sch.", "éch", "+"}
    bare = " ".join(word for word in moves.split() if word not in signs)
    assert read_sheet(moves.encode(), language).plies == read_sheet(bare.encode(), language).plies


def test_check_before_any_move_is_none() -> None:
    with pytest.raises(UsageError):
        read_sheet(b"1. matt e4\n", "de")


def test_the_result_may_stand_in_the_header_too() -> None:
    game = read_sheet(b"White: A\nResult: 1-0\n\n1. e4 e5 1-0\n", "en")
    assert (len(game.plies), game.result) == (2, "1-0")


def test_two_remarks_after_one_move_are_both_kept() -> None:
    game = read_sheet("1. e4\n— one\n— two\n1... e5\n".encode(), "en")
    assert game.plies[0].remark == "one two"


# Whose letters


def test_the_language_that_knows_the_header_reads_the_sheet() -> None:
    sheet = "Tournoi: Open de Lyon\nBlancs: Ana\nNoirs: Tom\n\n1. e4 c5\n2. Cf3 d6\n1-0\n"
    game = read_sheet(sheet.encode())
    assert (game.tag("Event"), game.tag("White"), game.tag("Black")) == ("Open de Lyon", "Ana", "Tom")


@pytest.mark.parametrize("language", ["fr", "es", "pl", "de"])
def test_a_name_in_another_languages_braille_reads_back_in_the_full_grade(language: str) -> None:
    game = new_game({"Event": "Straßenturnier", "White": "Müller, Jürgen", "Black": "Weiß, Peter"})
    sheet = render(game, "brf", language, grade="full")
    assert read_sheet(sheet, language) == game


@pytest.mark.parametrize("language", ["de", ""])
@pytest.mark.parametrize("label", ["weiß: ", "Weiß:", "Weiß : ", "WEISS : ", "Weiss: "])
def test_a_label_is_known_however_its_letters_and_blanks_are(label: str, language: str) -> None:
    game = read_sheet(f"{label}Ana Müller\nRunde : 3\n\n1. e4 e5\n".encode(), language)
    assert (game.tag("White"), game.tag("Round"), len(game.tags)) == ("Ana Müller", "3", 6)


def test_a_label_of_three_words_is_known_with_its_colon_apart() -> None:
    game = read_sheet(b"Bianco: Ana\ntempo di riflessione : 90+30\n\n1. e4 e5\n", "it")
    assert game.tag("TimeControl") == "90+30"


def test_the_start_position_may_stand_again_below_the_moves() -> None:
    fen = "Start position: 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\n"
    sheet = f"{fen}\n1. e4 Ke7\n"
    assert read_sheet(f"{sheet}{fen}".encode(), "en") == read_sheet(sheet.encode(), "en")


# Moves


@pytest.mark.parametrize(
    "sheet",
    [
        "1. e4 e5; 2. Sf3 Sc6",
        "1. e4 e5;\n2. Sf3; Sc6 ;\n",
        "1. e4\n1. ... e5\n2. Sf3\n2. … Sc6\n",
    ],
)
def test_semicolons_and_dots_between_moves_are_no_moves(sheet: str) -> None:
    assert ucis(sheet, "") == ITALIAN


@pytest.mark.parametrize("sheet", ["1 e4 e5\n2 Sf3 Sc6\n", "1 e4 e5 2 Sf3 Sc6\n", "1 e4; e5; 2 Sf3; Sc6\n"])
@pytest.mark.parametrize("language", ["de", ""])
def test_a_number_may_go_without_its_dot(sheet: str, language: str) -> None:
    assert ucis(sheet, language) == ITALIAN


def test_a_number_without_its_dot_is_that_of_its_move_all_the_same() -> None:
    with pytest.raises(UsageError, match=r"The sheet has the number '3\.' where move 2 of White must come"):
        read_sheet(b"1 e4 e5\n3 Sf3 Sc6\n", "de")


@pytest.mark.parametrize(
    "sheet",
    [
        "1. e4 e5; 2. Springer f3 Sc6\n",
        "1. e4 e5\n2. Springer f3 Sc6\n",
        "weiß: Ana\n1. e4 e5; 2. Springer f3\n",
        "weiß: Ana\n1. e4 e5\n2. Springer f3\n",
    ],
)
def test_a_sheet_that_is_no_pgn_is_refused_as_a_sheet(sheet: str) -> None:
    with pytest.raises(UsageError, match=r"^At move 2 of White: 'Springer' cannot be read as a move"):
        read_sheet(sheet.encode())


def test_a_pgn_without_tags_keeps_its_comments_and_is_refused_as_a_pgn() -> None:
    game = read_sheet(b"1. e4 e5 ; White took ten minutes\n2. Nf3\n")
    assert [ply.remark for ply in game.plies] == ["", "White took ten minutes", ""]
    with pytest.raises(UsageError, match="The PGN is wrong at move 3 of White: 'Bb4'"):
        read_sheet(b"1. e4 e5 {x; 2. Nc3} 2. Nf3 Nc6 3. Bb4")


# PGN


def test_the_sign_of_an_offer_outside_a_comment_is_an_offer() -> None:
    game = from_pgn("1. e4 (=) e5 2. Nf3 Nc6 *")
    assert [ply.move.uci() for ply in game.plies] == ITALIAN
    assert [ply.offer for ply in game.plies] == [True, False, False, False]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("1. e4 [90] e5 *", r"'\[90\]' cannot be read"),
        ("1. e4 (1:30) e5 *", r"'\(1:30\)' cannot be read"),
        ("1. e4 1:30:00 e5 *", "the number '1:30:00' where move 1 of Black must come"),
        ("1. e4 1:30 e5 1:29 *", "the number '1:30' where move 1 of Black must come"),
        ("1. e4 e5 2. Nf3 0:02:03.5 Nc6 *", "the number '0:02:03.5' where move 2 of Black must come"),
        ("1. e4 12345678901 e5 *", "the number '12345678901' where"),
        ("1. e4 e5 2. Nf3 4915112345678. Nc6 *", "the number '4915112345678.' where"),
        ("1. e4 e5 (!) *", r"'\(!\)' cannot be read"),
        ("1. e4 e5 {good 2. Nf3 Nc6 *", "move 2 of White: '{' begins there and is never closed"),
        ('1. e4 {x *\n\n[White "B"]\n\n1. d4 *', "'{' begins there and is never closed"),
        ("1. e4 e5 (1... c5 2. Nf3 *", r"'\(' begins there and is never closed"),
        ("1. e4 e5 ) 2. Nf3 *", r"'\)' cannot be read"),
        ("1. e4 e5 } 2. Nf3 *", "'}' cannot be read"),
        ('[Black "B\n\n1. e4 *', r"tag that cannot be read: '\[Black \"B'\. "),
        ("[White A]\n\n1. e4 *", r"tag that cannot be read: '\[White A\]'"),
        (f"[White A{'9' * 3000}]\n\n1. e4 *", r"tag that cannot be read: '\[White A9+\.{4} A tag is"),
        (f"{'9' * 3000}. e4 *", r"has the number '9{99}\.\.\. where"),
        ('[Événement "A"]\n\n1. e4 *', "tag that cannot be read"),
        ('[White "A"] 1. e4 e5 *', "tag that cannot be read"),
    ],
)
def test_what_pgn_does_not_know_is_named_and_never_passed_over(text: str, reason: str) -> None:
    with pytest.raises(UsageError, match=reason):
        from_pgn(text)


@pytest.mark.parametrize("sign", ["+0.35", "0.35/12", "-1.20/9", "$14", "+-"])
def test_a_sign_of_an_annotator_is_told_and_left_out(sign: str) -> None:
    game, (note,) = parse_pgn(f"1. e4 {sign} e5 2. Nf3 Nc6 *")
    assert [ply.move.uci() for ply in game.plies] == ITALIAN
    assert note.template.startswith("Annotators' signs")


def test_tags_may_share_a_line_or_be_indented() -> None:
    game = from_pgn('[White "Ana" ] [ Black"Tom"]\n  [Event "a [b] c"]\n[Site "x\u2028y"]\n\n1. e4 *')
    assert (game.tag("White"), game.tag("Black"), game.tag("Event")) == ("Ana", "Tom", "a [b] c")


@pytest.mark.parametrize("sign", ["(e.p.)", "(ep)", "($1)", "( = )"])
def test_signs_in_parentheses_are_let_through(sign: str) -> None:
    game = from_pgn(f"1. e4 d5 2. e5 f5 3. exf6 {sign} exf6 *")
    assert len(game.plies) == 6


def test_a_bracket_in_a_comment_is_no_tag() -> None:
    game = from_pgn("1. e4 {see\n[White here] and (=)} e5 2. Nf3 (2. d4 {a (b) c}) Nc6 *")
    assert [ply.move.uci() for ply in game.plies] == ITALIAN


# The page


@pytest.mark.parametrize("format", ["text", "brf"])
@pytest.mark.parametrize("cells", [0, 3, -7, 201, 10**11])
def test_a_line_of_no_sensible_length_is_refused(format: str, cells: int) -> None:
    with pytest.raises(UsageError, match=r"too (small|large)"):
        render(new_game(), format, "en", cells=cells)


def test_white_stands_at_the_same_place_in_every_row() -> None:
    sheet = render(from_pgn("1. e4 e5 2. Nf3 *"), "text", "en").decode()
    rows = [line for line in sheet.splitlines() if line[:1].isdigit()]
    assert [row.index(move) for row, move in zip(rows, ("e4", "Nf3"), strict=True)] == [4, 4]


# The moves alone, for the arbiter who compares two sheets


def test_of_a_sheet_or_a_pgn_the_moves_alone_are_found() -> None:
    sheet = '[White "A"]\n[Result "1-0"]\n\n1.e4 e5 {a remark} 2. Nf3 $1 Nc6 (=) 3... [0:12:30] 1-0'
    assert moves_in(sheet) == ["e4", "e5", "Nf3", "Nc6"]


@pytest.mark.parametrize("variation", ["(1. d4 d5)", "(1. d4 (1. c4 e5 (1... c5)) d5)", "(1. d4 {a (b} )"])
def test_the_variations_of_a_pgn_are_no_moves_of_the_game(variation: str) -> None:
    assert moves_in(f"1. e4 {variation} 1... e5 (=) 2. exd6 (e.p.) Nf6 (!)") == ["e4", "e5", "exd6", "Nf6"]


@pytest.mark.parametrize("result", ["½–½", "1–0", "1:0", "1/2", "½", "*", "0-1"])
def test_numbers_and_results_may_have_the_signs_of_a_printer(result: str) -> None:
    assert moves_in(f"1. e4 e5\n2… Nc6 3 … O-O (!) 0-0 {result}") == ["e4", "e5", "Nc6", "O-O", "0-0"]


@pytest.mark.parametrize("sign", ["e.p.", "ep", "(e.p.)", "a.p."])
def test_the_sign_of_en_passant_is_no_move_of_its_own(sign: str) -> None:
    assert moves_in(f"3. exd6 {sign} Qxd6") == ["exd6", "Qxd6"]


def test_semicolons_part_moves_where_moves_come_behind_them_and_begin_a_comment_of_a_pgn_otherwise() -> None:
    assert moves_in("1. e4 e5; 2. Nf3 Nc6;") == ["e4", "e5", "Nf3", "Nc6"]
    assert moves_in("1. e4 e5 ; best by test\n2. Nf3") == ["e4", "e5", "Nf3"]


def test_a_header_alone_that_a_person_has_typed_is_a_sheet():
    game = read_sheet(b"white: Anna\nblack: Bert\n", "en")
    assert (game.tag("White"), game.tag("Black"), game.plies) == ("Anna", "Bert", ())

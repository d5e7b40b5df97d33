"""PGN: what a sheet keeps of it, what it refuses, and that nothing is lost on the way out and back."""

from __future__ import annotations

import textwrap

import chess
import pytest
from exploring import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from scoresheet_games import chess960_game, game_with_illegal_moves, random_game

from assistant.errors import UsageError
from assistant.scoresheet import Ply, clock_text, from_pgn, new_game, parse_pgn, to_pgn


@pytest.mark.parametrize(
    "game", [random_game(126), random_game(41, 7), chess960_game(3), game_with_illegal_moves(), new_game()]
)
def test_a_game_goes_to_pgn_and_back_unchanged(game):
    assert from_pgn(to_pgn(game)) == game


def test_pgn_has_the_seven_tags_in_order_the_clock_and_the_offer():
    game = new_game(
        {"White": "A", "TimeControl": "5400+30"}, [Ply(chess.Move.from_uci("e2e4"), 5_430_500, offer=True)]
    )
    lines = to_pgn(game).splitlines()
    names = ["Event", "Site", "Date", "Round", "White", "Black", "Result"]
    assert [line.split()[0] for line in lines[:7]] == [f"[{name}" for name in names]
    assert '[TimeControl "5400+30"]' in lines
    assert lines[-1] == "1. e4 { [%clk 1:30:30.5] (=) } *"


def test_a_result_that_pgn_does_not_know_survives():
    game = new_game({}, [], "0-0")
    assert '[Result "*"]' in to_pgn(game)
    assert from_pgn(to_pgn(game)).result == "0-0"


def test_comments_become_remarks_and_variations_are_left_out_with_a_word():
    text = "1. e4 {best by test [%eval 0.3]} (1. d4 d5 (1... Nf6)) e5 $1 {draw offer} 2. Nf3 *"
    game, notes = parse_pgn(text)
    assert [ply.remark for ply in game.plies] == ["best by test", "", ""]
    assert [ply.offer for ply in game.plies] == [False, True, False]
    assert "left out" in str(notes[0])


def test_a_game_is_chosen_by_its_number_where_there_are_several():
    text = '[White "A"]\n\n1. e4 *\n\n[White "B"]\n\n1. d4 *\n'
    assert from_pgn(text, 2).tag("White") == "B"
    with pytest.raises(UsageError, match="more than one game"):
        from_pgn(text)
    with pytest.raises(UsageError, match="no game number 3"):
        from_pgn(text, 3)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "latin-1"])
def test_a_name_is_read_in_every_encoding_pgn_is_found_in(encoding):
    assert from_pgn('[White "Müller, Jürgen"]\n\n1. e4 *\n'.encode(encoding)).tag("White") == "Müller, Jürgen"


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_may_end_as_on_any_system(end: str) -> None:
    text = '[White "A"]\n[Black "B"]\n\n1. e4 ; one\ne5\n\n2. Nf3 *\n'.replace("\n", end)
    game = from_pgn(text.encode())
    assert (game.tag("Black"), len(game.plies), game.plies[0].remark) == ("B", 3, "one")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (b"", "no game"),
        (b"hello world", "no game"),
        (b"1. e4 e5 2. Nf6 *", "move 2 of White: 'Nf6' is not legal"),
        (b"1. e4 e5 2. Nf3 Nc6 3. Qh5 Nf6 *", "move 3 of White: 'Qh5' is not legal"),
        (b"1. e2-e5 *", "move 1 of White: 'e2-e5' is not legal"),
        (b"1.e4e5 *", "move 1 of White: 'e4e5' is not legal"),
        (b"1. e4 e5 2. e1g1 *", "move 2 of White: 'e1g1' is not legal"),
        (b"1. e4 d5 2. e4xd6! *", "move 2 of White: 'e4xd6' is not legal"),
        (b"1. a1a1 *", "move 1 of White: 'a1a1' is not legal"),
        (b"1. Nf3 d5 2. d3 d4 3. Nd2 *", "move 3 of White: 'Nd2' fits more than one move"),
        ("1. e4 e5 2\u2026 Nf3 *".encode(), "the number '2\u2026' where move 2 of White must come"),
        (b"1. e4 \0", "NUL byte in line 1"),
        (b"\xff\xfe1", "save it again as UTF-8"),
        (b'[FEN "8/8 w"]\n\n1. e4 *', "starting position of the PGN is not a position"),
        (b'[Variant "Atomic"]\n\n1. e4 *', "not the variant 'Atomic'"),
        ('[Variant "R\xe4uberschach"]\n\n1. e4 *'.encode(), "not the variant 'R\xe4uberschach'"),
        (b"1. e4 {[%beyond e7xx]} *", "cannot be read: e7xx"),
        (b"1. e4 {[%beyond e7e7]} *", "cannot be read: e7e7"),
        (b"1. e4 {[%beyond a5a6]} *", "move 1 of Black: the illegal move a5a6 begins on a5, where no man"),
        (b"1. e4 {[%beyond e7e4 e4e5 e4d5]} *", "move 2 of Black: the illegal move e4d5 begins on e4"),
        (b"1. e4 {[%beyond e7e4 d2d3]} e5 *", "move 2 of Black: .* the move e7e5 outside it"),
        (b"1. e4 {[%beyond e7e4]} {[%beyond e7e5]} *", "move 2 of White: the illegal move e7e5 begins on e7"),
    ],
)
def test_bad_pgn_is_refused_in_one_clear_sentence(text, reason):
    with pytest.raises(UsageError, match=reason) as error:
        from_pgn(text)
    assert "\n" not in str(error.value)


def test_an_offer_may_stand_among_the_moves_without_a_comment():
    game = from_pgn("1. e4 (=) e5 2. Nf3 (2. f4 (=)) Nc6 (=) *")
    assert [ply.offer for ply in game.plies] == [True, False, False, True]


def test_words_that_were_no_move_come_back_wherever_the_men_stand():
    null = Ply(chess.Move.null(), remark="unclear")
    game = new_game({}, [null], start_fen="4k3/8/8/8/8/8/8/4K3 w - - 0 1")
    assert from_pgn(to_pgn(game)) == game


def test_a_game_far_behind_the_last_is_told_at_once_not_to_be_there():
    with pytest.raises(UsageError, match="no game number 99999999999999999999"):
        from_pgn("1. e4 e5 *", 99_999_999_999_999_999_999)


def test_remarks_on_illegal_moves_outlive_a_program_that_breaks_lines():
    made = [Ply(chess.Move.from_uci("e2e4")), Ply(chess.Move.from_uci("e7e4"), None, False, "a word " * 20)]
    game = from_pgn(to_pgn(new_game({}, made)))
    tags, moves = to_pgn(game).split("\n\n", 1)
    broken = "\n".join(textwrap.wrap(moves, 80))
    assert "\n" in broken and from_pgn(f"{tags}\n\n{broken}\n") == game


def test_a_number_without_end_in_a_comment_is_no_number():
    long = "9" * 5000
    game = from_pgn(f"1. e4 {{[%clk {long}:00:00] [%beyond e7e4] ({long}) x}} *")
    assert [ply.move.uci() for ply in game.plies] == ["e2e4", "e7e4"]
    assert game.plies[0].clock_ms is None


@given(st.integers(0, 100 * 3_600_000))
def test_a_clock_time_reads_back_to_the_millisecond(milliseconds):
    game = new_game({}, [Ply(chess.Move.from_uci("e2e4"), milliseconds)])
    assert clock_text(milliseconds).count(":") == 2
    assert from_pgn(to_pgn(game)) == game


@pytest.mark.parametrize(
    ("first", "second", "offers", "remarks"),
    [
        ("Black declined the draw offer", "White offers draw", [False, False], None),
        ("the draw offer came late", "no draw offer", [False, False], None),
        ("White offers a draw.", "black offered a draw", [True, True], ["", ""]),
        ("(=) with a smile", "[%clk 1:00:00] Draw offered", [True, True], ["with a smile", ""]),
    ],
)
def test_an_offer_is_the_sign_or_words_of_the_mover_that_say_nothing_else(first, second, offers, remarks):
    """8.1.5: each offer of a draw is recorded with the symbol (=)."""
    game = from_pgn(f"1. e4 {{{first}}} e5 {{{second}}} *")
    assert [ply.offer for ply in game.plies] == offers
    assert [ply.remark for ply in game.plies] == (remarks or [first, second])


ONE_LINE = st.text(st.characters(exclude_categories=("Cc", "Cs", "Zl", "Zp"), exclude_characters="{}"))
MOVES = ("e2e4", "e7e5", "g1g3", "a7a6", "h2h4")
"""Two legal moves, an illegal one, and two more."""
LIKE_SIGNS = st.sampled_from(
    [
        *("draw offer", "White offers a draw.", "black offers draw", "declined the", "(=)", "(", "=", ")"),
        *("[%clk 1:00:00]", "[%beyond e7e4]", "[%eval 0.3]", "[", "[%", "%", "(0)", "(1) x", "(2)", "\u2060"),
    ]
)
REMARKS = st.lists(ONE_LINE | LIKE_SIGNS, max_size=4).flatmap(
    lambda parts: st.sampled_from([" ".join(" ".join(parts).split()), " ".join("".join(parts).split())])
)


@settings(max_examples=examples(200))
@given(
    REMARKS, st.lists(st.tuples(REMARKS, st.booleans(), st.none() | st.just(5000)), min_size=5, max_size=5)
)
def test_any_remark_survives_pgn_whatever_it_resembles(before, notes):
    plies = [
        Ply(chess.Move.from_uci(move), clock, offer, remark)
        for move, (remark, offer, clock) in zip(MOVES, notes, strict=True)
    ]
    game = new_game({}, plies, remark=before)
    assert from_pgn(to_pgn(game)) == game


@settings(max_examples=examples(120))
@given(ONE_LINE | st.text('"\\]a ', max_size=8))
def test_any_name_survives_pgn(text):
    game = new_game({"White": text}, [Ply(chess.Move.from_uci("e2e4"))])
    assert from_pgn(to_pgn(game)) == game


def test_quotation_marks_and_backslashes_of_a_name_are_escaped():
    """Section 7 of the PGN standard: a backslash stands before each within a string token."""
    lines = to_pgn(new_game({"White": 'Ana "Fritz" B\\C'})).splitlines()
    assert lines[4] == r'[White "Ana \"Fritz\" B\\C"]'


def test_quotation_marks_that_another_program_has_not_escaped_are_read():
    assert from_pgn('[White "Ana "Fritz" B"]\n\n1. e4 *\n').tag("White") == 'Ana "Fritz" B'


@pytest.mark.parametrize(
    ("movetext", "where"),
    [
        ("1. Sf3 Sc6 2. Sc3 Sf6 *", "move 1 of White: 'Sf3'"),
        ("1. ♘f3 d5 2. g3 ♞c6 *", "move 1 of White: '♘f3'"),
        ("1. e4 e5 2. Ke2 Ke7 3. Zz9 Kd3 4. Kd6 *", "move 3 of White: 'Zz9'"),
        ("1. e4 e5 2. Nf3 Nc6 3. Bb", "move 3 of White: 'Bb'"),
        ("1. e4 e5 2. Nf3 (2. Sf3) Sc6 *", "move 2 of Black: 'Sc6'"),
        ("1. e4 {Sf3} O–O *", "move 1 of Black: 'O–O'"),
    ],
)
def test_a_word_that_is_no_move_is_named_and_never_passed_over(movetext, where):
    with pytest.raises(UsageError, match=f"wrong at {where} cannot be read"):
        from_pgn(f'[White "A"]\n\n{movetext}\n')


def test_signs_that_annotators_add_are_no_moves():
    text = "1.e4!? {c} e5 $14 2. Nf3+/= Nc6 ± (2... d6 3. Sc3) 3.Bb5 a6 4.Bxc6 dxc6 5. O-O ; Sf3"
    text += "\n% Sf3\nf6 ∞ *"
    assert len(from_pgn(text).plies) == 10
    assert len(from_pgn("1. e4 d5 2. e5 f5 3. exf6 e.p. e5 4. fxg7 e4 5. gxh8=Q *").plies) == 9


ITALIAN = "1.e4 e5 2.Nf3 Nc6 3.Bc4 Bc5"
FROM_MOVE_TWELVE = '[FEN "4k3/8/8/8/8/8/4P3/4K3 b - - 0 12"]\n\n'


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("1. e4 e5 5. Nf3 Nc6 *", r"has the number '5\.' where move 2 of White must come"),
        ("1. e4 e5 1. Nf3 Nc6 *", r"has the number '1\.' where move 2 of White must come"),
        ("1. e4 2... e5 *", r"has the number '2\.\.\.' where move 1 of Black must come"),
        ("1. e4 e5 2... Nf3 *", r"has the number '2\.\.\.' where move 2 of White must come"),
        ("1. e4 (1. d4 d5) e5 {c} 4.Nf3 *", r"has the number '4\.' where move 2 of White must come"),
        (f"{FROM_MOVE_TWELVE}14... Kd7 *", r"has the number '14\.\.\.' where move 12 of Black must come"),
        ("1. e4 e5\n\n3. Nf3 Nc6 *", r"has the number '3\.' where move 2 of White must come"),
        (f"{ITALIAN} 9. 0-0 d6 *", r"has the number '9\.' where move 4 of White must come"),
        (f"{ITALIAN} 9.0-0 d6 *", r"has the number '9\.' where move 4 of White must come"),
        ("1. e4 e5 3.0000 Nf6 *", r"has the number '3\.' where move 2 of White must come"),
    ],
)
def test_a_number_that_is_not_the_moves_own_is_named(text, problem):
    with pytest.raises(UsageError, match=problem):
        from_pgn(text)


@pytest.mark.parametrize(
    ("text", "plies"),
    [
        ("e4 e5 Nf3 Nc6 *", 4),
        ("1. e4 1... e5 2. Nf3 2... Nc6 *", 4),
        ("1. e4 {c} 1. ... e5 2.Nf3 (2. f4 exf4 3. Nf3) 2...Nc6 (2... d6) 3 Bb5 *", 5),
        ("1.e4 1…e5 2.Nf3 +0.35 Nc6 *", 4),
        (f"{FROM_MOVE_TWELVE}12... Kd7 13. e4 *", 2),
        (f"{FROM_MOVE_TWELVE}1... Kd7 2. e4 *", 2),
        ("1.Nf3 Nf6 2.g3 g6 3.Bg2 Bg7 4.0-0 d6 5.d3 c5 6.h3 b6 7.a3 Bb7 8.Ra2 a6 9.b3 h6 10.Rb2 0-0 *", 20),
        ("1.Nf3 d5 2.g3 c5 3.Bg2 Nc6 4.d3 e5 5.h3 Be7 6.h4 a6 7.a3 h6 8.a4 b6 9.h5 b5 10.0-0 *", 19),
    ],
)
def test_moves_are_numbered_in_every_way_that_is_usual_or_not_at_all(text, plies):
    assert len(from_pgn(text).plies) == plies


@pytest.mark.parametrize(
    "text",
    [
        "1. e4 e5 2. Nf3 Nc6 1-0\n1. d4 d5 1-0\n",
        "1. e4 e5 1-0 Nf3 Nc6",
        '1. e4 *\n[White "B"]',
        "1. e4 * {adjourned} 1... e5 *",
    ],
)
def test_what_follows_the_result_is_no_part_of_the_game(text):
    with pytest.raises(UsageError, match=r"goes on after the result .* parted by an empty line"):
        from_pgn(text)


@pytest.mark.parametrize(
    "text",
    [
        "1. e4 e5 2. Nf3\n\n2... Nc6 3. Bb5 1-0\n",
        "1. e4 e5\n \n\n(1... c5 1-0)\n\n2. Nf3 {a remark\n\n1-0} Nc6\n\n3. Bb5\n\n1-0\n",
        "1. e4 e5 2. Nf3 Nc6 3. Bb5\n\n1-0\n\n\n",
        "\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 1-0\n",
    ],
)
def test_a_game_ends_with_its_result_and_not_at_an_empty_line(text: str) -> None:
    """Section 8.2.6: the termination marker is the last element of the movetext."""
    game = from_pgn(f'[White "A"]\n\n{text}')
    assert (len(game.plies), game.result) == (5, "1-0")


def test_a_game_without_a_result_ends_where_the_next_has_its_tags() -> None:
    text = '[White "A"]\n\n1. e4\n\ne5\n\n; the second\n[White "B"]\n\n1. d4 *\n'
    assert [len(from_pgn(text, number).plies) for number in (1, 2)] == [2, 1]


def test_a_comment_up_to_the_end_of_its_line_is_kept() -> None:
    text = """; of the file
[White "A"]
; of the header
[Black "B"]

; before the moves
1. e4 e5; ten minutes {or more}
2. Nf3 (2. f4 ; bold
exf4) Nc6 ; (=)
; and more
*
"""
    game = from_pgn(text)
    assert game.remark == "before the moves"
    assert [ply.remark for ply in game.plies] == ["", "ten minutes (or more)", "", "and more"]
    assert game.plies[3].offer


@pytest.mark.parametrize("opened", ["{ never closed", "(", "; {\n\n", "{[%a "])
def test_a_pgn_of_brackets_alone_is_told(opened: str) -> None:
    """A reader whose time grows with the square of the brackets would not come to the end of these."""
    with pytest.raises(UsageError, match=r"never closed|no game"):
        from_pgn(f'[Event "o"]\n\n1. e4 {opened * 200_000} (')


def test_games_without_tags_are_parted_by_an_empty_line():
    text = "1. e4 e5 1-0\n\n1. d4 d5 0-1\n"
    assert from_pgn(text, 1).result == "1-0"
    assert [ply.move.uci() for ply in from_pgn(text, 2).plies] == ["d2d4", "d7d5"]


@pytest.mark.parametrize(
    ("tag", "written", "result"),
    [
        ("1/2", "1/2-1/2", "1/2-1/2"),
        ("½-½", "", "1/2-1/2"),
        ("1:0", "", "1-0"),
        ("*", "0-1", "0-1"),
        ("*", "½:½", "1/2-1/2"),
        ("?", "1:0", "1-0"),
        ("1-0", "*", "1-0"),
    ],
)
def test_a_result_is_read_however_it_is_written(tag, written, result):
    assert from_pgn(f'[Result "{tag}"]\n\n1. e4 e5 {written}\n').result == result


def test_two_results_that_contradict_are_refused():
    with pytest.raises(UsageError, match="1-0 in its tag and 0-1 after its moves"):
        from_pgn('[Result "1-0"]\n\n1. e4 e5 0-1\n')


@pytest.mark.parametrize(
    ("tags", "said", "problem"),
    [
        ('[Result "1-0"]\n[FinalScore "0-1"]', "1-0", "1-0 in its tag Result and 0-1 in its tag FinalScore"),
        ('[Result "1-0"]\n[FinalScore "0-1"]', "*", "1-0 in its tag Result and 0-1 in its tag FinalScore"),
        ('[Result "*"]\n[FinalScore "0-0"]', "1-0", "0-0 in its tag and 1-0 after its moves"),
        ('[FinalScore "0-0"]', "1-0", "0-0 in its tag and 1-0 after its moves"),
    ],
)
def test_a_final_score_that_contradicts_is_refused(tags: str, said: str, problem: str) -> None:
    with pytest.raises(UsageError, match=f"{problem}: correct one of them"):
        from_pgn(f"{tags}\n\n1. e4 e5 {said}\n")


@pytest.mark.parametrize(
    ("tags", "said", "result"),
    [
        ('[Result "*"]\n[FinalScore "0-0"]', "*", "0-0"),
        ('[FinalScore "½-0"]', "", "1/2-0"),
        ('[Result "1-0"]\n[FinalScore "1:0"]', "1-0", "1-0"),
        ('[Result "1-0"]\n[FinalScore "*"]', "*", "1-0"),
        ('[FinalScore "*"]', "0-1", "0-1"),
        ('[Result "?"]\n[FinalScore "-/-"]', "*", "-/-"),
        ('[Result "1-0"]\n[FinalScore "2-0"]', "1-0", "1-0"),
    ],
)
def test_a_final_score_counts_where_it_says_a_result(tags: str, said: str, result: str) -> None:
    assert from_pgn(f"{tags}\n\n1. e4 e5 {said}\n").result == result


def test_two_values_of_a_tag_that_contradict_are_refused():
    with pytest.raises(UsageError, match="says 'Ana' and then 'Eva' in its tag White: leave one out"):
        from_pgn('[White "Ana"]\n[White "Eva"]\n\n1. e4 e5 *\n')
    assert from_pgn('[White "Ana"]\n[White "Ana"]\n\n1. e4 e5 *\n').tag("White") == "Ana"


@pytest.mark.parametrize("name", ["Result", "FinalScore"])
def test_a_tag_that_is_no_result_is_left_out_with_a_word(name: str) -> None:
    game, notes = parse_pgn(f'[{name} "adjourned"]\n\n1. e4 *\n')
    assert game.result == "*"
    assert [str(note) for note in notes] == [
        f"The PGN's tag {name} says 'adjourned', which is no result: left out."
    ]


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ('[SetUp "1"]\n[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]\n\n23. e4 Kd7 24. e5 *', 3),
        ("1. e4 e5 2. Nf3 3. 1-0", 3),
        ("1. e4 0.35/12 e5 *", 2),
    ],
)
def test_numbers_that_other_programs_write_are_read(text: str, moves: int) -> None:
    assert len(from_pgn(text).plies) == moves

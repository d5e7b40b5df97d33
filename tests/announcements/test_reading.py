"""Texts read as moves and commands: what decides, what does not, and why a text is no legal move."""

from __future__ import annotations

import chess
import pytest
from exploring import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.announcements import Command, Reason, load_vocabulary, parse
from assistant.announcements.reading import Reading
from assistant.announcements.reasons import _SENTENCES as REASONS

DE = load_vocabulary("de")
START = chess.STARTING_FEN
TWO_KNIGHTS = "4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1"


def read(text: str, fen: str = START, *, chess960: bool = False) -> Reading:
    return parse(chess.Board(fen, chess960=chess960), text, DE)


def moves(text: str, fen: str = START, *, chess960: bool = False) -> list[str]:
    return sorted(move.uci() for move in read(text, fen, chess960=chess960).moves)


def reason(text: str, fen: str = START) -> Reason:
    found = read(text, fen)
    assert found.reason is not None and found.move is None
    return found.reason


def test_a_form_that_fits_two_moves_names_both() -> None:
    found = read("Springer David zwei", TWO_KNIGHTS)
    assert moves("Springer David zwei", TWO_KNIGHTS) == ["b1d2", "f3d2"]
    assert found.move is None and found.reason == Reason("ambiguous", target=chess.D2, moves=2)


@pytest.mark.parametrize(
    "text", ["Springer Bella David zwei", "Springer eins David zwei", "b1 d2", "von b1 nach d2"]
)
def test_the_from_file_or_rank_or_square_tells_two_moves_apart(text: str) -> None:
    assert moves(text, TWO_KNIGHTS) == ["b1d2"]


def test_a_word_about_check_does_not_tell_two_moves_apart() -> None:
    # Only the knight on f3 would give check, by leaving the rook's file; but no law asks for "Schach".
    fen = "5k2/8/8/8/8/5N2/8/1N2KR2 w - - 0 1"
    found = read("Springer David zwei Schach", fen)
    assert {move.uci() for move in found.moves} == {"b1d2", "f3d2"}


@pytest.mark.parametrize(
    "text",
    [
        "Springer Felix drei",
        "Springer Felix drei Schach",
        "Springer Felix drei Schachmatt",
        "Springer schlägt Felix drei",
        "g1 schlägt auf f3 en passant",
    ],
)
def test_a_wrong_word_that_no_law_prescribes_leaves_the_move_legal(text: str) -> None:
    assert read(text).move == chess.Move.from_uci("g1f3")


def test_a_missing_word_about_capture_check_and_mate_is_no_fault() -> None:
    fen = "r5k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1"
    assert read("Turm Anna acht", fen).move == chess.Move.from_uci("a1a8")


def test_a_capture_word_tells_a_capture_en_passant_from_an_advance() -> None:
    fen = "4k3/8/8/2Pp4/3P4/8/8/4K3 w - d6 0 1"
    assert moves("Bauer schlägt David sechs", fen) == ["c5d6"]
    assert moves("Bauer David sechs", fen) == ["c5d6"]
    assert moves("Cesar David sechs", fen) == ["c5d6"]


def test_a_square_alone_is_a_pawns_advance_and_no_capture_there() -> None:
    fen = "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1"
    found = read("David fünf", fen)
    assert found.moves == ()
    assert found.reason == Reason("capture-unnamed", target=chess.D5)


@pytest.mark.parametrize(
    "text", ["Turm von eins nach Anna vier", "Turm von eins Anna vier", "Turm eins Anna vier"]
)
def test_a_rank_alone_tells_where_a_man_comes_from_with_and_without_its_connector(text: str) -> None:
    assert moves(text, "R7/8/8/8/8/8/4k3/R6K w - - 0 1") == ["a1a4"]


@pytest.mark.parametrize("text", ["Anna acht Umwandlung in Turm", "a8, Umwandlung: Turm", "a8 wird Turm"])
def test_a_promotion_may_be_called_one(text: str) -> None:
    assert moves(text, "8/P3k3/8/8/8/8/8/4K3 w - - 0 1") == ["a7a8r"]


def test_who_takes_a_man_does_not_accept_a_draw() -> None:
    assert moves("Bauer Eva vier nehme David fünf", "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1") == ["e4d5"]


@pytest.mark.parametrize("text", ["ab4", "Ab4", "axb4", "Bauer ab4"])
def test_two_letters_before_a_rank_are_files_though_they_are_a_word(text: str) -> None:
    assert moves(text, "4k3/8/8/8/1p6/P7/8/4K3 w - - 0 1") == ["a3b4"]


def test_a_promotion_without_its_man_is_all_four_and_says_so() -> None:
    fen = "8/P3k3/8/8/8/8/8/4K3 w - - 0 1"
    found = read("Anna acht", fen)
    assert {move.promotion for move in found.moves} == {chess.QUEEN, chess.ROOK, chess.BISHOP, chess.KNIGHT}
    assert found.reason == Reason("promotion-missing", target=chess.A8, moves=4)
    assert read("a7 a8", fen).stated == chess.Move.from_uci("a7a8")


@pytest.mark.parametrize("text", ["Eva vier Dame", "Springer Felix drei wird Dame", "e2e4 Turm"])
def test_nothing_but_a_pawn_on_its_last_rank_becomes_something(text: str) -> None:
    assert reason(text).code == "promotion-not-due"


@pytest.mark.parametrize("man", ["König", "Bauer"])
def test_a_pawn_becomes_neither_king_nor_pawn(man: str) -> None:
    found = read(f"a7 a8 {man}", "8/P3k3/8/8/8/8/8/4K3 w - - 0 1")
    assert found.reason is not None and found.reason.code == "no-such-promotion"
    assert found.stated is None


def test_chess960_castling_by_squares_is_king_takes_rook_and_a_king_step_stays_one() -> None:
    fen = "4k3/8/8/8/8/8/8/5K1R w H - 0 1"
    assert moves("kurze Rochade", fen, chess960=True) == ["f1h1"]
    assert moves("f1 h1", fen, chess960=True) == ["f1h1"]
    assert moves("König Gustav eins", fen, chess960=True) == ["f1g1"]


def test_in_standard_chess_king_takes_rook_is_no_castling() -> None:
    fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1"
    assert moves("e1 g1", fen) == ["e1g1"]
    assert moves("e1 h1", fen) == []


@pytest.mark.parametrize(
    ("text", "fen", "expected"),
    [
        ("", START, Reason("empty")),
        ("äh", START, Reason("empty")),
        ("Springer Xaver drei", START, Reason("unknown-words", words=("xaver",))),
        ("Springer", START, Reason("no-announcement", words=("springer",))),
        (
            "Springer Springer f3",
            START,
            Reason("no-announcement", words=("springer", "springer", "felix", "drei")),
        ),
        ("e4 e5", START, Reason("empty-square", square=chess.E4, target=chess.E5)),
        ("e7 e5", START, Reason("opponents-man", square=chess.E7, target=chess.E5, piece=chess.PAWN)),
        ("Läufer g1 f3", START, Reason("other-man", square=chess.G1, target=chess.F3, piece=chess.KNIGHT)),
        ("g1 f4", START, Reason("cannot-move-so", square=chess.G1, target=chess.F4, piece=chess.KNIGHT)),
        ("Springer f4", START, Reason("cannot-reach", target=chess.F4, piece=chess.KNIGHT)),
        ("Springer Cesar f3", START, Reason("no-such-man", target=chess.F3, piece=chess.KNIGHT)),
        ("Eva fünf", START, Reason("cannot-reach", target=chess.E5, piece=chess.PAWN)),
        (
            "Springer c3",
            "4r1k1/8/8/8/4N3/8/8/4K3 w - - 0 1",
            Reason("king-in-check", target=chess.C3, piece=chess.KNIGHT),
        ),
        (
            "e4 c3",
            "4r1k1/8/8/8/4N3/8/8/4K3 w - - 0 1",
            Reason("king-in-check", square=chess.E4, target=chess.C3, piece=chess.KNIGHT),
        ),
        ("0-0", START, Reason("castling", wing="short")),
    ],
)
def test_the_reason_says_why_a_text_is_no_legal_move(text: str, fen: str, expected: Reason) -> None:
    assert reason(text, fen) == expected


PINNED_PAWN = "7k/rPK5/8/8/8/8/8/8 w - - 0 1"
PINNED_AND_MEETING_A_PAWN = "7k/8/8/8/7b/4p3/5P2/4K3 w - - 0 1"


@pytest.mark.parametrize(
    ("text", "fen", "moves"),
    [
        ("Springer David fünf", "4k3/8/8/8/1b6/2N5/8/4K3 w - - 0 1", "c3d5"),
        ("Springer David fünf", "4k3/4r3/8/8/1b6/2N1N3/8/4K3 w - - 0 1", "c3d5 e3d5"),
        ("Springer David zwei", "4r2k/8/8/8/8/8/8/1N2KN2 w - - 0 1", "b1d2 f1d2"),
        ("Felix schlägt Eva drei", PINNED_AND_MEETING_A_PAWN, "f2e3"),
        ("Eva drei", PINNED_AND_MEETING_A_PAWN, ""),
        ("Bella acht Dame", PINNED_PAWN, "b7b8q"),
        ("Bella acht", PINNED_PAWN, "b7b8q b7b8r b7b8b b7b8n"),
    ],
)
def test_the_moves_that_the_words_can_mean_and_that_leave_the_king_in_check_are_told(
    text: str, fen: str, moves: str
) -> None:
    found = read(text, fen)
    assert found.reason is not None and found.reason.code == "king-in-check"
    assert {move.uci() for move in found.but_for_check} == set(moves.split())
    assert (found.as_said is None) == (len(found.but_for_check) != 1)


def test_an_illegal_move_said_from_square_to_square_is_still_told() -> None:
    found = read("Springer Gustav eins Felix vier")
    assert found.stated == chess.Move.from_uci("g1f4")
    assert found.said is not None
    assert (found.said.piece, found.said.from_square, found.said.to_square) == (
        chess.KNIGHT,
        chess.G1,
        chess.F4,
    )


def test_what_was_said_from_square_to_square_is_a_move_legal_or_not() -> None:
    legal, illegal = read("g1 f3"), read("g1 f4")
    assert (legal.as_said, legal.move, legal.reason) == (legal.stated, chess.Move.from_uci("g1f3"), None)
    assert (illegal.as_said, illegal.move) == (chess.Move.from_uci("g1f4"), None)


def test_an_illegal_promotion_is_told_with_its_man() -> None:
    assert read("a7 a8 Turm", "r3k3/P7/8/8/8/8/8/4K3 w - - 0 1").stated == chess.Move.from_uci("a7a8r")


def test_an_illegal_move_said_without_its_from_square_tells_man_and_target() -> None:
    found = read("Dame Hector fünf")
    assert found.stated is None and found.said is not None
    assert (found.said.piece, found.said.to_square) == (chess.QUEEN, chess.H5)


@pytest.mark.parametrize(
    ("text", "fen", "chess960", "stated"),
    [
        ("kurze Rochade", START, False, "e1g1"),
        ("lange Rochade", START, False, "e1c1"),
        ("große Rochade", "r3k3/8/8/8/8/8/8/1RK4R b - - 0 1", False, "e8c8"),
        ("große Rochade", "4k3/8/8/8/8/8/8/1RK4R b - - 0 1", False, None),
        ("kurze Rochade", "4k3/8/8/8/8/8/8/R3K1NN w - - 0 1", False, None),
        ("kurze Rochade", "4k3/8/8/8/8/8/8/7K w - - 0 1", False, None),
        ("kurze Rochade", "4k3/8/8/8/8/8/8/1RK4R w - - 0 1", True, "c1h1"),
        ("kurze Rochade", "4k3/8/8/8/8/8/8/1RK5 w - - 0 1", True, None),
        ("kurze Rochade", "4r1k1/8/8/8/8/8/8/4KR1R w F - 0 1", True, "e1f1"),
        ("lange Rochade", "4r1k1/8/8/8/8/8/8/RR2K3 w - - 0 1", True, "e1a1"),
        ("kurze Rochade", "4k3/8/8/8/8/8/4K3/7R w - - 0 1", False, None),
    ],
)
def test_illegal_castling_is_told_as_squares_where_king_and_rook_allow_it(
    text: str, fen: str, chess960: bool, stated: str | None
) -> None:
    found = read(text, fen, chess960=chess960)
    assert found.moves == () and found.reason is not None
    assert found.stated == (None if stated is None else chess.Move.from_uci(stated))


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("Wiederholen!", Command("repeat")),
        ("nochmal", Command("repeat")),
        ("Noch mal, bitte.", Command("repeat")),
        ("Zeit?", Command("times")),
        ("Was steht auf Eva vier?", Command("square", square=chess.E4)),
        ("was steht auf b zwo", Command("square", square=chess.B2)),
        ("Wo steht die Dame?", Command("piece", piece=chess.QUEEN)),
        ("Ich gebe auf.", Command("resign", confirm=True)),
        ("Aufgegeben", Command("resign", confirm=True)),
        ("Ich gebe die Partie auf", Command("resign", confirm=True)),
        ("Ich biete Remis an.", Command("offer-draw", confirm=True)),
        ("Remis", Command("offer-draw", confirm=True)),
        ("Ich nehme an.", Command("accept-draw", confirm=True)),
        ("Remis abgelehnt", Command("decline-draw")),
        ("Ich lehne ab.", Command("decline-draw")),
        ("Reklamation", Command("claim")),
        ("Ich reklamiere", Command("claim")),
        ("Ich reklamiere: fünfzig Züge", Command("claim", of="fifty-moves", confirm=True)),
        ("Reklamation: fünfzig Züge", Command("claim", of="fifty-moves", confirm=True)),
        ("Uhr gedrückt", Command("press")),
        ("J'adoube", Command("adjust")),
    ],
)
def test_commands_are_read_with_their_arguments(text: str, command: Command) -> None:
    found = read(text)
    assert found.command == command and found.moves == () and found.reason is None


def test_every_reason_makes_a_sentence() -> None:
    for code in REASONS:
        assert Reason(code).text.endswith(".")


WORDS = st.lists(st.sampled_from(sorted(DE.tokens)), max_size=8).map(" ".join)
PIECES_OF_TEXT = st.lists(st.sampled_from([*DE.spellings, *DE.fillers, "xyz", "e9", "?", "0"]), max_size=8)


@settings(max_examples=examples(300))
@given(text=st.one_of(st.text(max_size=60), WORDS, PIECES_OF_TEXT.map(" ".join), PIECES_OF_TEXT.map("".join)))
def test_no_text_raises_an_error_and_each_is_exactly_one_thing(text: str) -> None:
    for fen in (START, "r3k2r/P6P/8/3pP3/8/8/p6p/R3K2R w KQkq d6 0 1"):
        board = chess.Board(fen)
        found = parse(board, text, DE)
        assert board.fen() == chess.Board(fen).fen()
        assert [found.move is not None, found.command is not None, found.reason is not None].count(True) == 1
        assert all(move in board.legal_moves for move in found.moves)
        assert found.reason is None or found.reason.code in REASONS


def test_positions_without_kings_or_men_raise_no_error() -> None:
    for board in (chess.Board(None), chess.Board("8/8/8/8/4N3/8/8/8 w - - 0 1")):
        for text in ("kurze Rochade", "e4 e5", "Springer f6", "König e1", "e1 g1"):
            parse(board, text, DE)

"""The one form that Hector speaks, the forms that players use, and that parsing turns them back."""

from __future__ import annotations

import chess
import pytest
from announcement_positions import acceptor, accepts, random_positions

from assistant.announcements import announce, load_vocabulary, open_grammar, parse, spoken_forms
from assistant.announcements.reading import read_words
from assistant.errors import HectorError

DE = load_vocabulary("de")


def spoken(fen: str, uci: str, *, chess960: bool = False) -> str:
    board = chess.Board(fen, chess960=chess960)
    return DE.written(announce(board, chess.Move.from_uci(uci), DE))


@pytest.mark.parametrize(
    ("fen", "uci", "words"),
    [
        (chess.STARTING_FEN, "e2e4", "Eva vier"),
        (chess.STARTING_FEN, "g1f3", "Springer Felix drei"),
        ("4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1", "b1d2", "Springer Bella eins David zwei"),
        ("4k3/8/8/1q6/8/8/8/RQ2K2R w KQ - 0 1", "b1b5", "Dame schlägt Bella fünf Schach"),
        ("3rk3/4P3/8/8/8/8/8/4K3 w - - 0 1", "e7d8q", "Eva sieben schlägt David acht Dame Schach"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "Eva fünf schlägt David sechs en passant"),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8n", "Anna acht Springer"),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1", "Kurze Rochade"),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1c1", "Lange Rochade"),
        ("3k4/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1", "Lange Rochade Schach"),
        ("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", "a1a8", "Turm Anna acht matt"),
        ("4k3/8/8/8/8/8/8/1KR5 w - - 0 1", "b1b2", "König Bella zwei"),
    ],
)
def test_hector_speaks_the_shortest_complete_announcement(fen: str, uci: str, words: str) -> None:
    assert spoken(fen, uci) == words


def test_the_from_square_is_not_named_for_a_rival_that_is_pinned() -> None:
    # 2014 D.2.1 asks for it where both men "could go"; the knight on e4 may not leave the e-file.
    assert spoken("4r1k1/8/8/8/4N3/8/8/1N2K3 w - - 0 1", "b1c3") == "Springer Cesar drei"


def test_the_from_square_is_named_where_a_pawn_can_advance_and_another_capture_en_passant() -> None:
    # No word but the from-square is prescribed, and two identical men can go to d6.
    fen = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"
    both = "4k3/8/8/2Pp4/3P4/8/8/4K3 w - d6 0 1"
    assert spoken(fen, "e5d6").startswith("Eva fünf")
    assert spoken(both, "c5d6") == "Cesar fünf schlägt David sechs en passant"


def test_chess960_castling_is_announced_by_its_side_wherever_king_and_rook_stand() -> None:
    assert spoken("4k3/8/8/8/8/8/8/1RK4R w HB - 0 1", "c1h1", chess960=True) == "Kurze Rochade"
    assert spoken("4k3/8/8/8/8/8/8/1RK4R w HB - 0 1", "c1b1", chess960=True) == "Lange Rochade"


@pytest.mark.parametrize(
    ("fen", "uci", "words"),
    [
        (chess.STARTING_FEN, "g1f4", "Springer Felix vier"),
        (chess.STARTING_FEN, "e2e5", "Eva fünf"),
        (chess.STARTING_FEN, "e2d3", "Eva zwei David drei"),
        ("4k3/8/8/3pP3/8/1P6/8/1K6 w - d6 0 1", "b3d6", "Bella drei David sechs"),
        ("k7/7p/8/8/8/5KR1/1R6/8 w - - 0 1", "f3g3", "König Gustav drei"),
        ("4k3/8/8/8/8/5r2/8/R3K2R w KQ - 0 1", "e1g1", "Kurze Rochade"),
        ("3rk3/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1", "Lange Rochade"),
        ("4k3/8/8/8/8/8/8/4K2r w - - 0 1", "e1h1", "König schlägt Hector eins"),
        ("4r1k1/8/8/8/4N3/8/8/1N2K3 w - - 0 1", "e4c3", "Springer Eva vier Cesar drei"),
        ("4rk2/8/8/8/8/8/4R3/4K3 w - - 0 1", "e2f2", "Turm Felix zwei Schach"),
        ("4r2k/8/8/8/8/8/8/1N2KN2 w - - 0 1", "f1d2", "Springer Felix eins David zwei"),
    ],
)
def test_nobody_can_tell_from_the_announcement_that_a_move_is_illegal(fen: str, uci: str, words: str) -> None:
    # in a rated game the laws let nobody be told; the same man's lawful moves have the same form
    assert chess.Move.from_uci(uci) not in chess.Board(fen).legal_moves
    assert spoken(fen, uci) == words


def test_a_move_from_an_empty_square_cannot_be_announced() -> None:
    with pytest.raises(HectorError, match="no man on e4"):
        announce(chess.Board(), chess.Move.from_uci("e4e5"), DE)


def forms(fen: str, uci: str, *, chess960: bool = False) -> set[str]:
    board = chess.Board(fen, chess960=chess960)
    return {" ".join(words) for words in spoken_forms(board, chess.Move.from_uci(uci), DE)}


def test_a_knight_move_may_be_said_short_or_long_with_and_without_connectors() -> None:
    found = forms(chess.STARTING_FEN, "g1f3")
    assert {
        "springer felix drei",
        "springer nach felix drei",
        "springer auf felix drei",
        "springer gustav felix drei",
        "springer von gustav nach felix drei",
        "springer eins felix drei",
        "springer gustav eins felix drei",
        "springer von gustav eins nach felix drei",
        "gustav eins felix drei",
        "von gustav eins nach felix drei",
    } <= found
    assert "felix drei" not in found
    assert not any("schach" in form or "schlaegt" in form for form in found)


def test_the_second_rank_may_be_zwei_or_zwo_in_either_place() -> None:
    found = forms("4k3/8/8/8/8/8/2R5/4K3 w - - 0 1", "c2d2")
    assert {"cesar zwei david zwo", "cesar zwo david zwei", "turm david zwo"} <= found


def test_a_pawn_capture_may_be_said_by_its_file_and_with_either_word() -> None:
    found = forms("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5")
    assert {
        "eva schlaegt david fuenf",
        "eva nimmt david fuenf",
        "eva david fuenf",
        "bauer schlaegt david fuenf",
        "eva vier schlaegt david fuenf",
        "bauer eva vier nimmt auf david fuenf",
    } <= found
    assert "david fuenf" not in found, "a square alone is an advance"


def test_a_promotion_always_names_the_new_man() -> None:
    found = forms("8/P3k3/8/8/8/8/8/4K3 w - - 0 1", "a7a8q")
    assert {"anna acht dame", "anna acht wird dame", "anna sieben anna acht dame"} <= found
    assert all(form.endswith("dame") for form in found)


def test_check_and_mate_are_said_only_where_they_are_true() -> None:
    check = forms("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "a1a8")
    mate = forms("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "a1a8")
    assert {"turm anna acht", "turm anna acht schach"} <= check
    assert not any("matt" in form for form in check)
    assert {
        "turm anna acht",
        "turm anna acht schach",
        "turm anna acht matt",
        "turm anna acht schach matt",
    } <= mate


def test_castling_may_be_said_by_its_names_or_as_the_kings_long_move() -> None:
    assert {
        "kurze rochade",
        "kleine rochade",
        "rochade kurze",
        "eva eins gustav eins",
        "koenig eva eins gustav eins",
        "koenig von eva eins nach gustav eins",
    } <= forms("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1")
    assert {"lange rochade", "grosse rochade", "rochade lange"} <= forms(
        "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1c1"
    )


def test_in_chess960_castling_by_squares_is_king_takes_rook() -> None:
    found = forms("4k3/8/8/8/8/8/8/5KR1 w G - 0 1", "f1g1", chess960=True)
    assert {"kurze rochade", "felix eins gustav eins"} <= found
    assert not any("schlaegt" in form for form in found)


def check_that_announcements_come_back(positions: int, seed: int) -> None:
    for board in random_positions(positions, seed):
        before = board.fen()
        for move in list(board.legal_moves):
            words = announce(board, move, DE)
            reading = parse(board, DE.written(words), DE)
            assert reading.moves == (move,), (before, move.uci(), words)
            assert reading.words == words
        assert board.fen() == before


def test_announce_then_parse_gives_the_move_back() -> None:
    check_that_announcements_come_back(400, seed=1)


@pytest.mark.slow
def test_announce_then_parse_gives_the_move_back_in_ten_thousand_positions() -> None:
    check_that_announcements_come_back(10_000, seed=2)


def test_every_spoken_form_is_read_as_its_move_and_belongs_to_the_open_grammar() -> None:
    grammatical = acceptor(open_grammar(DE))
    for board in random_positions(60, seed=3):
        for move in list(board.legal_moves):
            seen = set()
            for words in spoken_forms(board, move, DE):
                assert words not in seen, "each form once"
                seen.add(words)
                reading = read_words(board, words, DE)
                assert move in reading.moves, (board.fen(), move.uci(), words)
                assert grammatical(words), words
            assert announce(board, move, DE) in seen


def test_the_open_grammar_has_illegal_announcements_and_commands_but_no_fragments() -> None:
    grammar = open_grammar(DE)
    for phrase in (
        "springer hector acht",
        "dame von anna eins nach hector drei matt",
        "was steht auf eva vier",
    ):
        assert accepts(grammar, tuple(phrase.split())), phrase
    for phrase in (
        "",
        "springer",
        "eva",
        "eva vier dame",
        "turm eva acht dame",
        "rochade",
        "noch",
        "vier eva",
    ):
        assert not accepts(grammar, tuple(phrase.split())), phrase


def test_a_capture_en_passant_that_comes_too_late_is_announced_as_one() -> None:
    """From the words nobody can tell that the right to it has gone."""
    fens = ("4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1")
    move = chess.Move.from_uci("e5d6")
    late, lawful = (announce(chess.Board(fen), move, DE) for fen in fens)
    assert late == lawful == ("eva", "fuenf", "schlaegt", "david", "sechs", "enpassant")


def test_a_king_who_stands_beside_the_other_one_gives_no_check() -> None:
    """It is his own move that is illegal; a man who gives check beside him is another matter."""
    beside = chess.Board("8/5K1k/6p1/8/8/8/8/8 w - - 0 1")
    move = chess.Move.from_uci("f7g6")
    assert announce(beside, move, DE) == ("koenig", "schlaegt", "gustav", "sechs")
    uncovered = chess.Board("8/5K1k/6p1/8/8/8/8/1R6 w - - 0 1")
    uncovered.set_piece_at(chess.H1, chess.Piece.from_symbol("R"))
    assert announce(uncovered, move, DE)[-1] == "schach"

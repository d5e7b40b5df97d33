"""Every move of many positions, as the players of each language write it."""

from __future__ import annotations

import random
from collections.abc import Iterator

import chess
import pytest

from assistant.announcements import load_vocabulary, parse
from assistant.moves import announcement_of, in_letters, read_move
from assistant.scoresheet import Style, languages, write
from assistant.scoresheet.notation import notation


def positions() -> Iterator[chess.Board]:
    """Yield positions of random games, and some in which one square has many ways to it."""
    chance = random.Random(20)
    for _ in range(6):
        board = chess.Board()
        for ply in range(120):
            moves = list(board.legal_moves)
            if not moves:
                break
            board.push(chance.choice(moves))
            if ply % 12 == 0:
                yield board.copy(stack=False)
    for fen in (
        "4k3/8/8/1p6/P7/3B4/8/4K3 w - - 0 1",
        "4k3/8/8/3p4/2P5/2N5/8/4K3 w - - 0 1",
        "r3k2r/1P1P4/8/8/8/3B4/4P3/R3K2R w KQkq - 0 1",
        "4k3/8/8/2pP4/8/B2P4/8/R3K3 w - c6 0 1",
    ):
        yield chess.Board(fen)


POSITIONS = tuple(positions())


@pytest.mark.parametrize("form", ["short", "long"])
@pytest.mark.parametrize("language", languages())
def test_every_move_is_read_as_it_is_written_in_the_players_language(language: str, form: str) -> None:
    style = Style(language, form)
    wrong = [
        (board.fen(), text, language)
        for board in POSITIONS
        for move in board.legal_moves
        if read_move(board, text := write(board, move, style), language) != [move]
    ]
    assert wrong == []


@pytest.mark.parametrize("language", languages())
def test_no_move_in_english_is_silently_another_one(language: str) -> None:
    """Save where the letter is a man's in the player's own language: then it is that man's move, or none."""
    own = {letter for letter, man in notation(language).readable.items() if man != chess.PAWN}
    wrong = []
    for board in POSITIONS:
        for move in board.legal_moves:
            text = write(board, move, Style("en"))
            read = read_move(board, text, language)
            if read and move not in read and text[0] not in own and text[-1] not in own:
                wrong.append((board.fen(), text))
    assert wrong == []


@pytest.mark.parametrize("language", languages())
def test_a_move_that_is_not_legal_has_the_words_of_its_man(language: str) -> None:
    vocabulary = load_vocabulary("de")
    letters = notation(language).letters
    wrong = []
    for board in POSITIONS:
        for move in board.pseudo_legal_moves:
            man = board.piece_type_at(move.from_square)
            if move in board.legal_moves or man is None or board.is_castling(move):
                continue
            start, end = chess.square_name(move.from_square), chess.square_name(move.to_square)
            promoted = letters[move.promotion] if move.promotion else ""
            text = letters.get(man, "") + start + end + promoted
            announced = announcement_of(board, text, language, vocabulary)
            if parse(board, announced, vocabulary).but_for_check != (move,):
                wrong.append((board.fen(), text))
    assert wrong == []


def test_a_letter_that_other_languages_disagree_on_has_no_words() -> None:
    """R: the rook of the English, the king of the French and the Spanish."""
    assert announcement_of(chess.Board(), "Re3", "de", load_vocabulary("de")) == "Re3"


@pytest.mark.parametrize("language", languages())
def test_a_small_letter_is_its_man_or_the_file_of_a_pawn(language: str) -> None:
    style = Style(language)
    wrong = []
    for board in POSITIONS:
        for move in board.legal_moves:
            text = write(board, move, style)
            if text[0] in "abcdefgh0":
                small = text[:-1] + text[-1].lower()
                fits = read_move(board, small, language) == [move]
            else:
                small = text[0].lower() + text[1:]
                if small[0] in "abcdefgh" and small[1] in "12345678":
                    # A square: two of them are a move by themselves.
                    continue
                pawns = board.pieces_mask(chess.PAWN, board.turn)
                of_file = pawns & chess.BB_FILES["abcdefgh".index(small[0])] if small[0] in "abcdefgh" else 0
                read = read_move(board, small, language)
                fits = read == [move] or all(1 << each.from_square & of_file for each in read)
            if not fits:
                wrong.append((board.fen(), small))
    assert wrong == []


def in_words(board: chess.Board, move: chess.Move, language: str, squares: bool) -> str:
    """Return a move as somebody types it who writes out the names of the men."""
    names, phrases = notation(language).men, notation(language).phrases
    if board.is_castling(move):
        return phrases["long" if board.is_queenside_castling(move) else "short"][-1]
    man = board.piece_type_at(move.from_square)
    assert man is not None
    start = chess.square_name(move.from_square)
    parts = [names[man][-1].capitalize()]
    if squares:
        parts += [phrases["origin"][0], start]
    elif man == chess.PAWN and board.is_capture(move):
        parts += [start[0]]
    if board.is_capture(move):
        parts += [phrases["capture"][0]]
    elif squares:
        parts += [phrases["target"][0]]
    parts += [chess.square_name(move.to_square)]
    if move.promotion:
        parts += ([phrases["promotion"][0]] if squares else []) + [names[move.promotion][0]]
    if board.gives_check(move):
        parts += [phrases["check"][0]]
    return " ".join(parts)


WORDED = [language for language in languages() if notation(language).men]


def test_every_language_but_that_of_the_announcements_has_words() -> None:
    assert set(languages()) - set(WORDED) == {"de"}


@pytest.mark.parametrize("player", ["own", "en", "es"])
@pytest.mark.parametrize("language", WORDED)
def test_every_move_is_read_in_the_words_of_every_language(language: str, player: str) -> None:
    wrong = [
        (board.fen(), text)
        for board in POSITIONS
        for move in board.legal_moves
        if read_move(
            board, text := in_words(board, move, language, True), language if player == "own" else player
        )
        != [move]
    ]
    assert wrong == []


@pytest.mark.parametrize("language", WORDED)
def test_a_man_and_a_square_in_words_are_as_good_as_in_letters(language: str) -> None:
    wrong = [
        (board.fen(), text)
        for board in POSITIONS
        for move in board.legal_moves
        if move not in read_move(board, text := in_words(board, move, language, False), language)
    ]
    assert wrong == []


@pytest.mark.parametrize(
    "text, language, fen, move",
    [
        ("Caballo f3", "es", chess.STARTING_FEN, "g1f3"),
        ("3. caballo a f3", "es", chess.STARTING_FEN, "g1f3"),
        ("KNIGHT F3", "de", chess.STARTING_FEN, "g1f3"),
        ("N to f3", "en", chess.STARTING_FEN, "g1f3"),
        ("e8=dama", "es", "8/4P1k1/8/8/8/8/8/4K3 w - - 0 1", "e7e8q"),
        ("e8 reina", "es", "8/4P1k1/8/8/8/8/8/4K3 w - - 0 1", "e7e8q"),
        ("e por d5 jaque", "es", "8/2k5/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5"),
        ("peon d5", "es", "8/2k5/8/8/3P4/8/8/4K3 w - - 0 1", "d4d5"),
        ("torre a a1", "es", "8/2k5/8/8/8/8/4K3/7R w - - 0 1", "h1a1"),
        ("Wieża na h8 szach", "pl", "2k5/8/8/8/8/8/4K3/7R w - - 0 1", "h1h8"),
        ("wieza h8", "pl", "2k5/8/8/8/8/8/4K3/7R w - - 0 1", "h1h8"),
        ("Petit roque", "fr", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1"),
        ("dame à e4", "fr", "4k3/8/8/8/8/8/4q3/7K b - - 0 1", "e2e4"),
        ("dame a e7", "fr", "3qk3/8/8/8/8/8/8/4K3 b - - 0 1", "d8e7"),
        ("dame d8 a e8", "fr", "3qk3/8/8/8/8/8/8/4K3 b - - 0 1", "d8e8"),
        ("Roszada krótka", "pl", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1"),
        ("short castle", "en", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1"),
        ("Rochade lang", "de", "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1"),
        ("pawn takes d6 en passant", "en", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 3", "e5d6"),
        ("peón e por d6 al paso", "es", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 3", "e5d6"),
        ("exd6 al paso", "de", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 3", "e5d6"),
        ("d6 en passant", "de", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 3", "e5d6"),
        ("castles queenside", "en", "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1"),
    ],
)
def test_words_as_somebody_types_them(text: str, language: str, fen: str, move: str) -> None:
    assert [each.uci() for each in read_move(chess.Board(fen), text, language)] == [move]


@pytest.mark.parametrize(
    ("text", "language", "fen", "move"),
    [
        ("pion na b5", "en", "4k3/8/8/8/1P6/N7/8/4K3 w - - 0 1", "b4b5"),
        ("re a e3", "en", "4k3/8/8/8/8/8/4RK2/8 w - - 0 1", "f2e3"),
    ],
)
def test_a_small_word_of_another_language_is_no_man_with_his_file(
    text: str, language: str, fen: str, move: str
) -> None:
    assert [each.uci() for each in read_move(chess.Board(fen), text, language)] == [move]


def test_a_rook_from_the_a_file_and_one_to_a_square_are_both_meant() -> None:
    board = chess.Board("8/2k5/8/8/8/8/4K3/R6R w - - 0 1")
    assert {move.uci() for move in read_move(board, "torre a d1", "es")} == {"a1d1", "h1d1"}


@pytest.mark.parametrize(
    ("text", "language"),
    [
        *[(f"Dg1 {said}", "de") for said in ("Schach", "matt", "Schachmatt", "Schach, matt!", "sch", "sch.")],
        *[(f"Qg1 {said}", "en") for said in ("check", "CHECKMATE", "mate", "ch", "dis ch")],
        *[(f"Dg1 {said}", "es") for said in ("jaque", "jaque mate", "mate", "j")],
        *[(f"Dg1 {said}", "fr") for said in ("échec", "echec et mat", "mat", "éch")],
        *[(f"Hg1 {said}", "pl") for said in ("szach", "szach i mat", "mat", "sz")],
        *[("Qg1 check", language) for language in ("de", "es", "fr", "pl")],
    ],
)
def test_what_is_said_of_check_behind_letters_changes_nothing_in_them(text: str, language: str) -> None:
    board = chess.Board("4k3/8/8/8/3q4/8/8/5K2 b - - 0 1")
    assert [move.uci() for move in read_move(board, text, language)] == ["d4g1"]
    assert in_letters(text, language) == text[:3]


@pytest.mark.parametrize("said", ["Schach", "matt", "schachmatt"])
def test_a_queen_who_gives_check_is_no_pawn_of_the_d_file(said: str) -> None:
    board = chess.Board("4k3/8/8/8/4p2Q/3P4/8/4K3 w - - 0 1")
    assert [move.uci() for move in read_move(board, f"De4 {said}", "de")] == ["h4e4"]


@pytest.mark.parametrize(
    "text", ["also De4", "De4 bitte", "Äh, De4 dann.", "nun De4 Schach", "Dann De4, bitte!"]
)
def test_words_that_say_nothing_make_no_pawns_move_of_the_queens(text: str) -> None:
    board = chess.Board("4k3/8/8/8/4p2Q/3P4/8/4K3 w - - 0 1")
    assert [move.uci() for move in read_move(board, text, "de")] == ["h4e4"]


@pytest.mark.parametrize(
    "text",
    ["Eva vier Schach", "e8 Dame matt", "Schach", "matt", "Springer f3 Schach", "also Eva vier", "bitte"],
)
def test_what_is_said_beside_words_stays(text: str) -> None:
    assert in_letters(text, "de") == text


def test_letters_that_are_somebodys_word_remain_letters() -> None:
    board = chess.Board("4r1k1/8/8/8/8/8/8/4K3 b - - 0 1")
    assert [move.uci() for move in read_move(board, "Re d8", "en")] == ["e8d8"]


def test_an_illegal_move_in_words_is_that_mans() -> None:
    board = chess.Board()
    assert [move.uci() for move in read_move(board, "caballo g1 g4", "es")] == ["g1g4"]
    words = announcement_of(board, "caballo g1 g4", "es", load_vocabulary("de"))
    assert parse(board, words, load_vocabulary("de")).stated == chess.Move.from_uci("g1g4")


@pytest.mark.parametrize("text", ["mate", "dama", "caballo", "por", "jaque mate", "rook and roll", "a d1"])
def test_words_that_name_no_move_are_none(text: str) -> None:
    assert read_move(chess.Board(), text, "es") == []


@pytest.mark.parametrize("language", WORDED)
@pytest.mark.parametrize(
    ("rights", "moves"), [("KQ", {"e1g1", "e1c1"}), ("K", {"e1g1"}), ("Q", {"e1c1"}), ("-", set())]
)
def test_castling_without_its_side_is_every_castling_that_is_legal(
    language: str, rights: str, moves: set[str]
) -> None:
    board = chess.Board(f"4k3/8/8/8/8/8/8/R3K2R w {rights} - 0 1")
    for word in notation(language).phrases["castling"]:
        assert {move.uci() for move in read_move(board, f"12. {word.capitalize()}", "es")} == moves


def test_castling_to_a_square_is_none() -> None:
    assert read_move(chess.Board(), "enroque e4", "es") == []

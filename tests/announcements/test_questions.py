"""Asking back between moves by voice alone."""

from __future__ import annotations

import random
from itertools import combinations

import chess
import pytest
from announcement_positions import random_positions

from assistant.announcements import announce, answer_phrasebook, claim_answers, load_vocabulary, what_differs
from assistant.errors import HectorError

DE = load_vocabulary("de")


def asked(fen: str, *moves: str) -> tuple[str, str, list[str]]:
    question = what_differs(chess.Board(fen), [chess.Move.from_uci(move) for move in moves], DE)
    return (
        question.difference,
        DE.written(question.common),
        [DE.written(words) for _, words in question.choices],
    )


@pytest.mark.parametrize(
    ("fen", "moves", "expected"),
    [
        (
            "4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1",
            ("b1d2", "f3d2"),
            ("from", "Springer", ["von Bella", "von Felix"]),
        ),
        (
            "4k3/8/8/1N6/8/8/8/1N2K3 w - - 0 1",
            ("b1c3", "b5c3"),
            ("from", "Springer", ["von eins", "von fünf"]),
        ),
        (
            "4k3/8/8/1N6/8/8/8/1N1NK3 w - - 0 1",
            ("b1c3", "b5c3", "d1c3"),
            ("from", "Springer", ["von Bella eins", "von Bella fünf", "von David eins"]),
        ),
        (
            "4k3/8/8/1N6/8/8/N7/1N2K3 w - - 0 1",
            ("b1c3", "b5c3", "a2c3"),
            ("from", "Springer", ["von eins", "von fünf", "von zwei"]),
        ),
        (chess.STARTING_FEN, ("e2e3", "e2e4"), ("to", "Bauer", ["nach drei", "nach vier"])),
        (chess.STARTING_FEN, ("g1f3", "g1h3"), ("to", "Springer", ["nach Felix", "nach Hector"])),
        (
            "4k3/8/8/8/8/8/8/RN2K3 w Q - 0 1",
            ("b1c3", "b1d2"),
            ("to", "Springer", ["nach Cesar drei", "nach David zwei"]),
        ),
        ("4k3/8/8/8/8/8/8/1NB1K3 w - - 0 1", ("b1d2", "c1d2"), ("piece", "", ["Springer", "Läufer"])),
        ("8/P3k3/8/8/8/8/8/4K3 w - - 0 1", ("a7a8q", "a7a8r"), ("promotion", "", ["Dame", "Turm"])),
        (
            "4r2k/3P1P2/8/8/8/8/8/4K3 w - - 0 1",
            ("d7e8q", "f7e8r"),
            ("move", "", ["David sieben schlägt Eva acht Dame", "Felix sieben schlägt Eva acht Turm"]),
        ),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", ("e1g1", "e1c1"), ("castling", "", ["Kurze", "Lange"])),
        (chess.STARTING_FEN, ("e2e4", "g1f3"), ("move", "", ["Eva vier", "Springer Felix drei"])),
        (
            "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
            ("e1g1", "e1f1"),
            ("move", "", ["Kurze Rochade", "König Felix eins"]),
        ),
    ],
)
def test_a_question_names_only_what_differs(
    fen: str, moves: tuple[str, ...], expected: tuple[str, str, list[str]]
) -> None:
    assert asked(fen, *moves) == expected


@pytest.mark.parametrize("moves", [(), ("e2e4",), ("e2e4", "e2e4"), ("e2e4", "e2e5")])
def test_only_between_different_legal_moves_can_be_asked(moves: tuple[str, ...]) -> None:
    with pytest.raises(HectorError):
        asked(chess.STARTING_FEN, *moves)


def test_the_answer_is_the_differing_word_or_the_whole_move_or_yes_or_no() -> None:
    board = chess.Board("4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1")
    first, second = chess.Move.from_uci("b1d2"), chess.Move.from_uci("f3d2")
    book = answer_phrasebook(board, what_differs(board, [first, second], DE), DE)

    def meant(text: str) -> list[chess.Move | None]:
        return [meaning.move for meaning in book.phrases.get(tuple(text.split()), ())]

    for text in (
        "bella",
        "von bella",
        "springer bella",
        "springer von bella",
        "springer bella eins david zwei",
    ):
        assert meant(text) == [first], text
    for text in (
        "bella eins",
        "von bella eins",
        "springer von bella eins",
        "springer von bella nach david zwei",
    ):
        assert meant(text) == [first], f"{text}: the whole square is an answer (D.2.1)"
    for text in ("felix", "von felix", "felix drei david zwo"):
        assert meant(text) == [second], text
    assert len(meant("springer david zwei")) == 2, "saying it again in the same words does not answer"
    assert meant("koenig eva zwei") == []
    for text in ("ja", "nein", "wiederholen", "korrektur", "stopp"):
        assert book.phrases[(text,)][0].command is not None, text
    assert ("zeit",) not in book.phrases


def test_the_words_of_a_question_and_the_rest_of_the_announcement_are_an_answer() -> None:
    board = chess.Board("R7/8/8/8/8/8/4k3/R6K w - - 0 1")
    rooks = [chess.Move.from_uci(move) for move in ("a8a4", "a1a4")]
    book = answer_phrasebook(board, what_differs(board, rooks, DE), DE)
    for text in ("turm von acht anna vier", "von acht nach anna vier", "anna acht", "turm von anna acht"):
        assert [each.move for each in book.phrases[tuple(text.split())]] == rooks[:1], text


@pytest.mark.parametrize(
    ("fen", "moves", "text"),
    [
        (chess.STARTING_FEN, ("g1f3", "g1h3"), "felix drei"),
        (chess.STARTING_FEN, ("g1f3", "g1h3"), "nach felix drei"),
        (chess.STARTING_FEN, ("g1f3", "g1h3"), "springer auf felix"),
        ("4k3/8/8/2R5/8/8/8/4K3 w - - 0 1", ("c5c2", "c5c3"), "auf cesar zwo"),
        ("8/P3k3/8/8/8/8/8/4K3 w - - 0 1", ("a7a8q", "a7a8r"), "wird dame"),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", ("e1g1", "e1c1"), "kleine"),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", ("e1c1", "e1g1"), "grosse"),
    ],
)
def test_a_question_is_answered_by_the_whole_square_and_by_other_words_for_the_same(
    fen: str, moves: tuple[str, ...], text: str
) -> None:
    board, first, *others = chess.Board(fen), *map(chess.Move.from_uci, moves)
    book = answer_phrasebook(board, what_differs(board, [first, *others], DE), DE)
    assert [each.move for each in book.phrases[tuple(text.split())]] == [first]


def test_the_word_for_castling_alone_chooses_no_side() -> None:
    board = chess.Board("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1")
    sides = [chess.Move.from_uci(move) for move in ("e1g1", "e1c1")]
    assert ("rochade",) not in answer_phrasebook(board, what_differs(board, sides, DE), DE).phrases


def test_what_is_claimed_is_answered_without_the_word_for_a_claim() -> None:
    claims = {DE.written(words): command.of for words, command in claim_answers(DE).items()}
    assert claims["Zeitüberschreitung"] == "flag"
    assert set(claims.values()) == {"threefold", "fifty-moves", "flag", "illegal-move"}


def test_any_two_moves_can_be_asked_about_and_each_choice_is_an_answer_that_means_one_move() -> None:
    rng = random.Random(21)
    for board in random_positions(60, seed=21):
        pairs = list(combinations(list(board.legal_moves), 2))
        for pair in rng.sample(pairs, min(8, len(pairs))):
            question = what_differs(board, pair, DE)
            book = answer_phrasebook(board, question, DE)
            for move, words in question.choices:
                for answer in (words, question.common + words, announce(board, move, DE)):
                    assert [m.move for m in book.phrases[answer]] == [move], (board.fen(), pair, answer)

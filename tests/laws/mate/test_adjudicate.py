"""A position as text in, a ruling as plain data out; what is no position is said in one sentence."""

from __future__ import annotations

import itertools

import chess
import pytest

from assistant.errors import UsageError
from assistant.laws.mate import CHEAP, FULL, adjudicate, adjudicate_lines, proves_mate
from assistant.laws.mate.adjudicate import shorten

DEAD = "4k3/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/4K3 w - - 0 1"
ALIVE = "8/8/4k3/8/8/4K3/4P3/8 w - - 0 1"


def test_a_dead_position() -> None:
    ruling = adjudicate(DEAD)
    assert ruling.dead is True
    data = ruling.as_dict()
    assert (data["white_can_mate"], data["black_can_mate"], data["proof"]) == (False, False, [])
    assert data["white_reason"] and data["black_reason"]


def test_a_living_position_has_a_line_that_mates() -> None:
    ruling = adjudicate(ALIVE)
    data = ruling.as_dict()
    assert (data["dead"], data["white_can_mate"], data["black_can_mate"]) == (False, True, False)
    assert data["proof"] == data["white_proof"] == [move.uci() for move in ruling.white.line]
    assert proves_mate(chess.Board(ALIVE), chess.WHITE, ruling.white.line)


def test_the_proof_is_the_shorter_of_two_lines() -> None:
    data = adjudicate("8/8/4k3/4p3/8/4K3/4N3/8 w - - 0 1").as_dict()
    lines = [data["white_proof"], data["black_proof"]]
    assert all(isinstance(line, list) and line for line in lines)
    assert data["proof"] == min(lines, key=lambda line: len(line) if isinstance(line, list) else 0)


def test_what_was_not_proved_is_neither_true_nor_false() -> None:
    data = adjudicate(chess.STARTING_FEN, CHEAP).as_dict()
    assert (data["dead"], data["white_can_mate"], data["black_can_mate"]) == (None, None, None)


def test_the_ruling_as_text_is_one_fact_a_line() -> None:
    assert str(next(adjudicate(DEAD).as_text())) == "The position is dead."
    lines = [str(fact) for fact in adjudicate(ALIVE).as_text()]
    assert lines[0] == "The position is not dead."
    assert lines[1].startswith("White can checkmate: 1. ") and lines[1].endswith("#.")
    assert lines[2].startswith("Black cannot checkmate: ")


def test_a_shortened_line_ends_in_the_same_position() -> None:
    board = chess.Board("8/8/5k2/8/8/4K3/8/Q7 b - - 0 1")
    end = board.copy()
    walk = "Ke7 Qa2 Kf6 Qa1+ Ke6 Ke4 Kf7 Kf5 Ke7 Ke5 Kf8 Kf6"
    line = [end.push_san(san) for san in walk.split()]
    short = shorten(board, tuple(line))
    replay = board.copy()
    for move in short:
        assert replay.is_legal(move)
        replay.push(move)
    assert replay.epd() == end.epd()
    assert len(short) <= len(line) - 4


@pytest.mark.parametrize(
    ("fen", "why"),
    [
        ("", "no position"),
        ("nonsense", "not a FEN"),
        ("8/8/8/8/8/8/8/8 w - - 0 1", "the board is empty"),
        ("4k3/8/8/8/8/8/8/8 w - - 0 1", "White has no king"),
        ("8/8/8/8/8/8/8/4K3 w - - 0 1", "Black has no king"),
        ("4k3/8/8/8/8/8/8/K3K3 w - - 0 1", "more than one king"),
        ("P3k3/8/8/8/8/8/8/4K3 w - - 0 1", "a pawn stands on the first or last rank"),
        ("4k3/4R3/8/8/8/8/8/4K3 w - - 0 1", "not to move is in check"),
        ("4k3/8/8/8/8/8/8/4K3 w KQ - 0 1", "castling rights"),
        ("4k3/8/8/8/8/8/8/4K3 w - e6 0 1", "en passant"),
        ("4k3/pppppppp/p7/8/8/8/8/4K3 w - - 0 1", "more than eight pawns"),
        ("4k3/4R3/8/8/8/8/4r3/4K3 w - - 0 1", "not to move is in check"),
        (f"{'QQQQQQQQ/' * 4}{'qqqqqqqq/' * 3}kKqqqqqq w - - 0 1", "not to move is in check"),
        (f"kKQQQQQQ/{'QQQQQQQQ/' * 6}QQQQQQQQ w - - 0 1", "not to move is in check"),
        (f"kQ6/{'8/' * 6}7K b - - 0 1 w", "more than six parts"),
        ("4k3/8/8/8/8/8/8/4K3 x - - 0 1", "is not a FEN: the second part is w or b, the player to move."),
        ("4k3/8/8/8/8/8/8/4K3 w - - -5 1", "the fifth and sixth parts are whole numbers."),
    ],
)
def test_what_is_no_position_is_said_in_one_sentence(fen: str, why: str) -> None:
    with pytest.raises(UsageError) as error:
        adjudicate(fen)
    sentence = str(error.value)
    assert why in sentence and sentence.endswith(".") and "\n" not in sentence
    assert error.value.status == 2


def test_a_sentence_about_a_very_long_line_stays_short() -> None:
    with pytest.raises(UsageError) as error:
        adjudicate("x" * 100_000)
    assert len(str(error.value)) < 300


def test_in_a_stream_the_bad_line_is_named_and_the_others_go_on() -> None:
    ticks = itertools.count()
    results = list(adjudicate_lines([DEAD, "\n", "nonsense\n", ALIVE], lambda: next(ticks) / 1000))
    assert [result.get("dead") for result in results] == [True, None, False]
    assert results[1]["line"] == 3
    assert str(results[1]["error"]).startswith("Line 3: ")
    assert results[0]["ms"] == 1.0


def test_thousands_of_lines_good_and_bad_are_answered_one_by_one() -> None:
    """Every line that has text gets one answer, in order, whatever stands in the others."""
    kinds = [DEAD, "", "\ufeff" + DEAD, "junk\0", "k" * 3000, "8/8/8/8/8/8/8/8 w - - 0 1", DEAD + "\r\n"]
    lines = [kinds[number % len(kinds)] for number in range(3500)]
    results = list(adjudicate_lines(lines, lambda: 0.0))
    assert len(results) == 3000
    assert [result["line"] for result in results if "error" in result] == [
        number + 1 for number in range(3500) if number % 7 in (3, 4, 5)
    ]
    assert sum(result.get("dead") is True for result in results) == 1500


def test_chess960_castling_rights_are_understood() -> None:
    fen = "bqnbnrkr/pppppppp/8/8/8/8/PPPPPPPP/BQNBNRKR w HFhf - 0 1"
    assert adjudicate(fen, FULL).dead is False

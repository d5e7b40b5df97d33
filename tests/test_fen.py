"""What is told of a FEN that is none, or of a position that cannot arise: in words of our own."""

from __future__ import annotations

import chess
import pytest

from assistant.cli import main
from assistant.fen import why_impossible, why_no_fen

KINGS = "4k3/8/8/8/8/8/8/4K3"


@pytest.mark.parametrize(
    ("fen", "reason"),
    [
        ("", "a board has 8 ranks, not 1"),
        ("4k3/8/8/8/8/8/4K3 w - - 0 1", "a board has 8 ranks, not 7"),
        ("4k3/8/8/8/8/8/8/4K2X w - - 0 1", "'X' is no man and no number of empty squares"),
        ("4k3/8/8/8/8/8/9/4K3 w - - 0 1", "'9' is no man and no number of empty squares"),
        ("4k3/7/8/8/8/8/8/4K3 w - - 0 1", "rank 7 has 8 squares, not 7"),
        ("4k3/8/8/8/8/8/44/4K3 w - - 0 1", "in rank 2 two numbers stand side by side: add them"),
        (f"{KINGS} x - - 0 1", "the second part is w or b, the player to move"),
        (f"{KINGS} w KX - 0 1", "the third part is -, or the castling rights in the letters K, Q, k, q"),
        (f"{KINGS} w - e9 0 1", "the fourth part is -, or the square that a pawn has passed, such as e3"),
        (f"{KINGS} w - - x 1", "the fifth and sixth parts are whole numbers"),
        (f"{KINGS} w - - 0 -1", "the fifth and sixth parts are whole numbers"),
        (f"{KINGS} w - - 0 1 more", "it has more than six parts"),
    ],
)
def test_what_is_no_fen_is_told_by_its_first_fault(fen: str, reason: str) -> None:
    with pytest.raises(ValueError):
        chess.Board(fen)
    assert str(why_no_fen(fen)) == reason


def test_every_kind_of_impossible_position_has_a_reason() -> None:
    kinds = [flag for flag in chess.Status if flag and flag not in _OF_OTHER_GAMES]
    assert [flag for flag in kinds if why_impossible(flag) is None] == []
    assert why_impossible(chess.STATUS_VALID) is None


_OF_OTHER_GAMES = (chess.Status.RACE_CHECK, chess.Status.RACE_OVER, chess.Status.RACE_MATERIAL)


@pytest.mark.parametrize(
    ("command", "fen", "told"),
    [
        (("play", "--keyboard", "--fen"), "x", "ein Brett hat 8 Reihen, nicht 1."),
        (("diagram",), f"{KINGS} x", "der zweite Teil ist w oder b, der Spieler am Zug."),
        (("diagram",), "8/8/8/8/8/8/8/4K3 w", "Schwarz hat keinen König."),
        (
            ("announce", "e4", "--fen"),
            "P3k3/8/8/8/8/8/8/4K3 w",
            "ein Bauer steht auf der ersten oder letzten Reihe.",
        ),
    ],
)
def test_a_command_tells_it_in_the_language_of_the_messages(
    command: tuple[str, ...], fen: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--lang", "de", *command, fen]) == 2
    assert told in capsys.readouterr().err

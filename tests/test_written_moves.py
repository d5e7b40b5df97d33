"""Every move of many positions, as the players of each language write it."""

from __future__ import annotations

import random
from collections.abc import Iterator

import chess
import pytest

from assistant.announcements import load_vocabulary, parse
from assistant.moves import announcement_of, read_move
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
            if (
                parse(board, announcement_of(board, text, language, vocabulary), vocabulary).but_for_check
                != move
            ):
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

"""hector announce: moves as they are announced, in words, aloud, or into a file."""

from __future__ import annotations

import argparse
from typing import Any

import chess

from assistant.cli.common import language_of, read_board, sound_file
from assistant.errors import UsageError


def add_parser(commands: Any) -> None:
    parser = commands.add_parser("announce", help="the announcement of a move in words")
    parser.add_argument("moves", nargs="+", metavar="MOVE", help="moves of one game, in any notation")
    parser.add_argument("--fen", help="the position before the first move")
    parser.add_argument("--to-wav", metavar="FILE", help="speak into a WAV file")
    parser.add_argument("--silent", action="store_true", help="only print")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from assistant.announcements import announce, load_vocabulary
    from assistant.moves import is_number

    board = read_board(args.fen)
    to_wav = sound_file(args.to_wav)
    vocabulary = load_vocabulary("de")
    announcements = []
    for text in [each for each in args.moves if not is_number(each)] or args.moves:
        moves = _legal(board, text, language_of(args))
        if len(moves) != 1:
            raise _not_one(text, moves, board)
        announcements.append(announce(board, moves[0], vocabulary))
        print(vocabulary.written(announcements[-1]))
        board.push(moves[0])
    if to_wav is not None or not args.silent:
        from assistant.table.aloud import say_announcements

        say_announcements(announcements, vocabulary, to_wav)
    return 0


def _not_one(text: str, moves: list[chess.Move], board: chess.Board) -> UsageError:
    if not moves:
        return UsageError("{text!r} is no legal move in the position {fen}", text=text, fen=board.fen())
    count = len(moves)
    if len({(move.from_square, move.to_square) for move in moves}) == 1:
        return UsageError(
            "{text!r} fits {count} moves; name the man that the pawn becomes.", text=text, count=count
        )
    return UsageError("{text!r} fits {count} moves; name the square it comes from.", text=text, count=count)


def _legal(board: chess.Board, text: str, language: str | None) -> list[chess.Move]:
    """Return the legal moves that a text fits; nobody said whose letters, so English goes before German."""
    from assistant.moves import read_move

    for name in (language,) if language else ("en", "de"):
        moves = [move for move in read_move(board, text, name) if move in board.legal_moves]
        if moves:
            return moves
    return []

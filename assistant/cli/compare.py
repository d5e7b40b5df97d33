"""hector compare: where two scoresheets part."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from assistant.cli.common import read_game
from assistant.errors import UsageError

if TYPE_CHECKING:
    from assistant.scoresheet import Difference, Game


def add_parser(commands: Any) -> None:
    parser = commands.add_parser("compare", help="where two scoresheets part")
    parser.add_argument(
        "first", metavar="A", help="a sheet of any format: PGN, text, braille; or a game's folder"
    )
    parser.add_argument("second", metavar="B")
    parser.add_argument("--language", default="", help="whose piece letters, where the sheets do not tell")
    parser.add_argument("--game", type=int, metavar="N", dest="number", help="which game of a PGN of several")
    parser.set_defaults(run=run)


@dataclass(frozen=True, slots=True)
class _Sheet:
    """A sheet as far as it can be read."""

    game: Game
    by_number: bool = False
    """Whether its number chose it."""
    illegal: str = ""
    """The move that is not legal there and ends the reading."""
    languages: tuple[str, ...] = ()
    """Those whose letters that move may have."""
    error: UsageError | None = None
    """What is wrong with it."""


def _read(name: str, data: bytes, language: str, number: int | None, beside: Game | None = None) -> _Sheet:
    """Read the sheet of a file up to its first move that is not legal, unless the one beside it has the same.

    :raises UsageError: if anything else cannot be read.
    """
    from assistant.scoresheet import UnreadSheetError, formats_of, from_pgn, read_sheet

    try:
        try:
            return _Sheet(read_sheet(data, language, beside=beside))
        except UsageError as error:
            if number is not None and "pgn" in formats_of(data):
                return _Sheet(from_pgn(data, number), by_number=True)
            if not isinstance(error, UnreadSheetError) or error.stopped is None:
                raise
            game, illegal = error.stopped
            return _Sheet(game, False, illegal, error.languages, _told_of(name, error))
    except UsageError as error:
        raise _told_of(name, error) from error


def _told_of(name: str, error: UsageError) -> UsageError:
    return UsageError("{name}: {reason}", name=name, reason=error)


def _may_be_one_move(first: _Sheet, second: _Sheet, found: Difference) -> bool:
    """Return whether both sheets stop where they differ, at a move that may be the same in other words."""
    import chess

    from assistant.scoresheet import may_be_one

    stop_there = len(first.game.plies) == len(second.game.plies) == found.ply
    if not (stop_there and first.illegal and second.illegal):
        return False
    board = chess.Board(found.fen, chess960=first.game.chess960)
    return any(
        may_be_one((first.illegal, one), (second.illegal, other), board)
        for one in first.languages
        for other in second.languages
    )


def run(args: argparse.Namespace) -> int:
    from assistant.scoresheet import compare_games, comparison_text
    from assistant.speaking import choose_language

    if args.number is not None and args.number < 1:
        raise UsageError("--game chooses a game of a PGN by its number, from 1 on.")
    if args.first == args.second == "-":
        raise UsageError(
            "Only one of the two sheets can come from standard input: name a file for the other."
        )
    one, other = read_game(args.first), read_game(args.second)
    first = _read(args.first, one, args.language, args.number)
    second = _read(args.second, other, args.language, args.number, first.game)
    if first.error:
        first = _read(args.first, one, args.language, args.number, second.game)
    if args.number is not None and not (first.by_number or second.by_number):
        raise UsageError("Neither file holds several games: leave out --game.")
    written = (first.illegal, second.illegal)
    found = compare_games(first.game, second.game, written=written)
    if first.error and (found is None or found.kind != "move" or _may_be_one_move(first, second, found)):
        # Both stop at words that may be one move or two: nobody can tell where the sheets part.
        raise first.error
    language = choose_language(args.lang)
    print(comparison_text(first.game, second.game, language, written), end="")
    return 0 if found is None else 1

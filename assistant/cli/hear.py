"""hector hear: the announcements in recordings, recognised against a position."""

from __future__ import annotations

import argparse
import csv
import io
import json
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assistant.cli.common import read_board, read_input
from assistant.errors import HectorError, UsageError, marked
from assistant.quiet import report

if TYPE_CHECKING:
    from assistant.table.hearing import Hearer


def add_parser(commands: Any) -> None:
    parser = commands.add_parser("hear", help="recognises the announcements in recordings")
    parser.add_argument("files", nargs="*", metavar="FILE", help="WAV, FLAC, any rate and channels")
    parser.add_argument("--fen", help="the position (default: the start)")
    parser.add_argument("--game", action="store_true", help="each accepted move changes the position")
    parser.add_argument("--manifest", metavar="FILE.tsv", help="columns file and fen, many recordings")
    parser.add_argument("--words", action="store_true", help="every recording is one single word")
    parser.add_argument("--json", action="store_true", help="JSON Lines (they are the default)")
    parser.add_argument("--model", metavar="DIR", help="another Vosk model than the embedded one")
    parser.add_argument("--player", metavar="NAME", help="whose voice it is, if Hector has learnt it")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from assistant.speaking import told
    from assistant.table.hearing import Hearer, hear_word
    from assistant.table.players import known_player
    from assistant.table.taught import choice_of

    if not args.files and args.manifest is None:
        raise UsageError("Name a recording, or a --manifest of recordings.")
    if args.words and (args.game or args.fen is not None):
        raise UsageError("A single word is no move of a game: leave out --words, or --game and --fen.")
    if args.fen is not None:
        read_board(args.fen)
    failed = False
    if args.player is not None:
        known_player(args.player)
    hearer = Hearer(choice_of(args.model, args.player))
    unknown: HectorError | None = None
    """Why nobody knows the position of the game that a recording goes on with."""
    for file, fen in _recordings(args):
        try:
            if fen is not None and not args.words:
                unknown = _why_unknown(hearer, fen)
            if unknown is not None:
                raise unknown
            is_silent = True
            for line in hear_word(hearer, file) if args.words else hearer.hear(file, game=args.game):
                is_silent = False
                print(json.dumps(line, ensure_ascii=False), flush=True)
            if is_silent:
                report(told(marked("No speech was heard in {file}.", file=file)))
        except HectorError as error:
            if args.manifest is None and len(args.files) == 1:
                raise
            failed = True
            print(json.dumps({"file": str(file), "error": told(error)}, ensure_ascii=False), flush=True)
    return 1 if failed else 0


def _why_unknown(hearer: Hearer, fen: str) -> HectorError | None:
    """Let a position be listened for; return why it is none, if it is none."""
    try:
        hearer.expect(read_board(fen))
    except HectorError as error:
        return error
    return None


def _recordings(args: argparse.Namespace) -> Iterator[tuple[Path, str | None]]:
    """Yield each recording with the position it is about, `None` for the one before.

    A game goes on from one to the next, and begins anew at a line of the manifest with a position of its own.
    """
    begin = args.fen or read_board(None).fen()
    is_first = True
    for path, fen in chain(((Path(name), None) for name in args.files), _listed(args)):
        yield path, fen or (begin if is_first or not args.game else None)
        is_first = False


def _listed(args: argparse.Namespace) -> Iterator[tuple[Path, str | None]]:
    """Yield the manifest's recordings, each with its position if one is written."""
    if args.manifest is None:
        return
    try:
        text = read_input(args.manifest).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UsageError("{manifest} is not UTF-8 text.", manifest=args.manifest) from None
    # A quotation mark belongs to a file's name.
    reader = csv.DictReader(io.StringIO(text, newline=""), delimiter="\t", quoting=csv.QUOTE_NONE)
    try:
        rows, columns = list(reader), reader.fieldnames
    except csv.Error as error:
        raise UsageError(
            "{manifest}, line {line_num}, cannot be read: {reason}.",
            manifest=args.manifest,
            line_num=reader.line_num + 1,
            reason=error,
        ) from None
    if not columns or "file" not in columns:
        raise UsageError(
            "{manifest} needs the columns file and fen, separated by tabs.", manifest=args.manifest
        )
    folder = Path(args.manifest).parent
    for number, row in enumerate(rows, 2):
        if not row["file"]:
            raise UsageError(
                "{manifest}, line {number}: there is no file.", manifest=args.manifest, number=number
            )
        path = Path(row["file"])
        yield path if path.is_absolute() or _exists(path) else folder / path, row.get("fen")


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:
        # A name that is too long, for one: it is told when its turn comes.
        return False

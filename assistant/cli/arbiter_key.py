"""hector arbiter-key: the key that sealed moves are opened with."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from assistant.called import command
from assistant.cli.common import print_told
from assistant.cli.passphrase import add_passphrase, read_passphrase
from assistant.errors import HectorError, UsageError
from assistant.files import create_file


def add_parser(commands: Any) -> None:
    parser = commands.add_parser(
        "arbiter-key",
        help="makes the arbiter's key, that sealed moves are opened with",
        description="Makes the arbiter's key pair; the secret part is kept under a passphrase.",
    )
    parser.add_argument(
        "file", metavar="FILE", nargs="?", help="the key's file (default: in the user's data)"
    )
    parser.add_argument("--public", action="store_true", help="only print the public key of a file")
    add_passphrase(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from assistant.sealing import PublicKey, new_key, public_key
    from assistant.table.adjourning import own_key_file

    if args.file == "":
        raise UsageError("{option} is empty: name a file or folder, or leave it out.", option="FILE")
    if args.file == "-" and not args.public:
        raise UsageError("{option} does not write to standard output: name a file.", option="arbiter-key")
    path = own_key_file() if args.file is None else Path(args.file)
    if args.public:
        key: PublicKey = public_key(read_key_file(path))
    else:
        if path.exists():
            raise UsageError(
                "{path} exists already; a key is never replaced. Choose another name.", path=path
            )
        _make_folder(path)
        data = new_key(read_passphrase(args.passphrase_file, new=True))
        _write(path, data)
        key = public_key(data)
        print_told(
            "The arbiter's key is in {path}. Without its passphrase nobody can open an envelope: keep both.",
            path=path,
        )
    print_told("Public key: {key}", key=key.text)
    print_told("Fingerprint: {mark}", mark=key.fingerprint)
    return 0


def read_key_file(path: Path) -> bytes:
    """Return the content of a key's file.

    :raises UsageError: if there is no such file.
    """
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise UsageError(
            "There is no key {path}. Make one with: {command}",
            path=path,
            command=command("arbiter-key", path),
        ) from None
    except OSError as error:
        raise UsageError("The key {path} cannot be read: {reason}.", path=path, reason=error) from error


def _make_folder(path: Path) -> None:
    """Make the folder of the key's file, before anybody is asked for a passphrase."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _cannot_write(path, error) from error


def _cannot_write(path: Path, error: OSError) -> HectorError:
    return HectorError("The key cannot be written to {path}: {reason}.", path=path, reason=error)


def _write(path: Path, data: bytes) -> None:
    try:
        create_file(path, data, 0o600)
    except FileExistsError:
        raise UsageError(
            "{path} exists already; a key is never replaced. Choose another name.", path=path
        ) from None
    except OSError as error:
        raise _cannot_write(path, error) from error

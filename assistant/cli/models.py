"""hector models: the acoustic models, and the words that they lack."""

from __future__ import annotations

import argparse
from typing import Any

from assistant.errors import HectorError


def add_parser(commands: Any) -> None:
    parser = commands.add_parser("models", help="acoustic models: which there are, what they lack")
    actions = parser.add_subparsers(dest="action", metavar="ACTION")
    actions.add_parser("list", help="the model that is used (default)")
    check = actions.add_parser("check", help="names every word of the vocabulary that a model does not know")
    check.add_argument("directory", metavar="DIR")
    parser.set_defaults(run=run, action="list")


def run(args: argparse.Namespace) -> int:
    return _check(args.directory) if args.action == "check" else _list()


def _list() -> int:
    from assistant.hearing import find_model, load_model

    path = find_model()
    size = sum(file.stat().st_size for file in path.rglob("*") if file.is_file())
    print(f"{path}")
    print(f"Size: {size / 1e6:.1f} MB.")
    print(f"Words: {len(load_model(path).words)}.")
    return 0


def _check(directory: str) -> int:
    from assistant.announcements import load_vocabulary
    from assistant.hearing import check_model

    vocabulary = load_vocabulary("de")
    written = {token: (form,) for token, form in vocabulary.written_forms.items()}
    try:
        missing = check_model(directory, vocabulary.tokens, written)
    except HectorError as error:
        print(error)
        return error.status
    if not missing:
        print(f"{directory} knows all {len(vocabulary.tokens)} words.")
        return 0
    print(f"{directory} lacks {len(missing)} of {len(vocabulary.tokens)} words:")
    for word in missing:
        print(vocabulary.written((word,)))
    return 1

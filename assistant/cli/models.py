"""hector models: the acoustic models, and the words that they lack."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from assistant.cli.common import print_told
from assistant.errors import HectorError, Phrase, UsageError
from assistant.quiet import report


def add_parser(commands: Any) -> None:
    parser = commands.add_parser("models", help="acoustic models: which there are, what they lack")
    actions = parser.add_subparsers(dest="action", metavar="ACTION")
    actions.add_parser("list", help="the model that is used and those that were fetched (default)")
    check = actions.add_parser("check", help="names every word of the vocabulary that a model does not know")
    check.add_argument("directory", metavar="DIR", help="a model's folder, or the name of a fetched one")
    fetch = actions.add_parser("fetch", help="brings another Vosk model; needs a network, or its archive")
    fetch.add_argument("source", metavar="NAME", help="a published model's name, an address, or a ZIP file")
    parser.set_defaults(run=run, action="list")


def run(args: argparse.Namespace) -> int:
    if args.action == "check":
        return _check(args.directory)
    return _fetch(args.source) if args.action == "fetch" else _list()


def _list() -> int:
    from assistant.hearing import fetched_models, find_model
    from assistant.speaking import told
    from assistant.table.terminal import warn

    used: Path | None = None
    hears = False
    try:
        used = find_model()
        hears = _print_model(used)
    except HectorError as error:
        warn(told(error))
    for path in fetched_models():
        if path != used:
            print_told("Fetched:")
            _print_model(path)
    return 0 if hears else 1


def _print_model(path: Path) -> bool:
    """Print what is known of a model, and whether it can hear; return that."""
    from assistant.hearing import load_model
    from assistant.speaking import told

    size = sum(file.stat().st_size for file in path.rglob("*") if file.is_file())
    print(f"{path}")
    print_told("Size: {size:.1f} MB.", size=size / 1e6)
    try:
        print_told("Words: {count}.", count=len(load_model(path).words))
    except HectorError as error:
        print(told(error))
        return False
    return True


def _fetch(source: str) -> int:
    from assistant.announcements import load_thresholds
    from assistant.hearing import AcousticModel, fetch_model
    from assistant.speaking import told

    def check_thresholds(model: AcousticModel) -> None:
        load_thresholds(model.thresholds)

    def tell(line: Phrase) -> None:
        report(told(line))

    place = fetch_model(source, tell, check_thresholds)
    print(f"{place}")
    return _check(str(place))


def _check(directory: str) -> int:
    from assistant.announcements import load_vocabulary
    from assistant.ears import ears_of, written_in
    from assistant.hearing import load_model
    from assistant.speaking import told

    if not directory:
        raise UsageError("The name of the model's folder is empty.")
    vocabulary = load_vocabulary("de")
    try:
        model = load_model(directory)
        missing = model.missing(vocabulary.tokens, written_in(vocabulary))
        if not missing:
            # A model that is praised is one that Vosk has taken.
            ears_of(model, vocabulary)
    except UsageError:
        raise
    except HectorError as error:
        print(told(error))
        return error.status
    if not missing:
        print_told("{name} knows all {count} words.", name=directory, count=len(vocabulary.tokens))
        return 0
    count = len(vocabulary.tokens)
    print_told("{name} lacks {missing} of {count} words:", name=directory, missing=len(missing), count=count)
    for word in missing:
        print(vocabulary.written((word,)))
    return 1

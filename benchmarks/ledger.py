"""Which rows of the ledger a test shows: by area and edition, covered, excepted and open.

    python -m benchmarks.ledger            the table
    python -m benchmarks.ledger --open     the ids without a test

A test carries the rows it shows: `@pytest.mark.ledger("L23-7.5.3", ...)`. A test that is skipped or
expected to fail shows nothing. Rows that only a person can follow are excepted, with the reason, in
tests/laws/exceptions.toml. Only rows marked engine, arbiter-action or record need a test.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import tomllib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assistant.laws import ledger
from benchmarks.measured import test_extra

ROOT = Path(__file__).resolve().parent.parent
TESTS = ROOT / "tests"
EXCEPTIONS = TESTS / "laws" / "exceptions.toml"
_OUT = "HECTOR_LEDGER_OUT"


@dataclass(frozen=True, slots=True)
class Coverage:
    """What the tests show of the ledger."""

    tests: dict[str, tuple[str, ...]]
    """Id of a row to the names of the tests that carry it; ids that are no rows are in it too."""
    exceptions: dict[str, str]
    """Id of a row to the reason why it has no test."""

    @property
    def needed(self) -> tuple[ledger.Row, ...]:
        return tuple(row for row in ledger.rows() if row.tested)

    @property
    def open(self) -> tuple[ledger.Row, ...]:
        """The rows that have neither a test nor a reason."""
        return tuple(row for row in self.needed if self.state(row) == "open")

    def state(self, row: ledger.Row) -> str:
        """Return `covered`, `excepted` or `open`."""
        return "covered" if row.id in self.tests else "excepted" if row.id in self.exceptions else "open"


def pytest_collection_modifyitems(items: Iterable[Any]) -> None:
    """Write the ids that the collected tests carry to the file that the environment names."""
    target = os.environ.get(_OUT)
    if target is None:
        return
    found: dict[str, list[str]] = {}
    for item in items:
        if any(item.get_closest_marker(name) for name in ("skip", "skipif", "xfail")):
            continue
        for mark in item.iter_markers("ledger"):
            for id in mark.args:
                found.setdefault(id, []).append(item.nodeid)
    Path(target).write_text(json.dumps(found), encoding="utf-8")


def collected() -> dict[str, tuple[str, ...]]:
    """Return the rows that the tests of the project carry, each with its tests.

    The tests are collected, not run.

    :raises RuntimeError: if they cannot be collected.
    """
    with test_extra():
        import pytest  # noqa: F401
    files = [str(path) for path in sorted(TESTS.rglob("test_*.py")) if "ledger" in path.read_text("utf-8")]
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "ids.json"
        command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "benchmarks.ledger"]
        command += ["-p", "no:cacheprovider", "-p", "no:xdist", *files]
        paths = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
        environment = {**os.environ, _OUT: str(target), "PYTHONPATH": paths}
        environment.pop("PYTEST_ADDOPTS", None)
        run = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
        if run.returncode != 0 or not target.exists():
            raise RuntimeError(f"The tests could not be collected:\n{run.stdout[-3000:]}{run.stderr[-1000:]}")
        found: dict[str, list[str]] = json.loads(target.read_text("utf-8"))
    return {id: tuple(names) for id, names in found.items()}


def excepted() -> dict[str, str]:
    """Return the rows without a test that have a reason, each with it."""
    with EXCEPTIONS.open("rb") as file:
        table = tomllib.load(file)
    return {id: entry["reason"] for entry in table.get("exception", []) for id in entry["ids"]}


def coverage() -> Coverage:
    """Collect the tests and read the exceptions."""
    return Coverage(collected(), excepted())


def table(found: Coverage, key: str) -> list[str]:
    """Return the lines of a table of the needed rows by `area` or `edition`."""
    counts: dict[str, Counter[str]] = {}
    for row in found.needed:
        for name in (getattr(row, key), "all"):
            counts.setdefault(name, Counter())[found.state(row)] += 1
    total = counts.pop("all")
    lines = [f"{key:18}   rows  covered  excepted   open"]
    for name, count in [*sorted(counts.items()), ("all", total)]:
        cells = f"{count.total():7}{count['covered']:9}{count['excepted']:10}{count['open']:7}"
        lines.append(f"{name:18}{cells}")
    return lines


def main() -> int:
    parser = argparse.ArgumentParser(description="Which rows of the ledger of the Laws a test shows.")
    parser.add_argument("--open", action="store_true", help="print the ids without a test")
    only_open = parser.parse_args().open
    found = coverage()
    if only_open:
        print(*(row.id for row in found.open), sep="\n")
        return 0
    print(*table(found, "edition"), "", *table(found, "area"), sep="\n")
    share = len(found.exceptions) / len(found.needed)
    print(f"\n{len(ledger.rows())} rows, {len(found.needed)} to show; exceptions {share:.1%}")
    return 1 if found.open else 0


if __name__ == "__main__":
    sys.exit(main())

"""Marks for tests that show rows of the ledger, one run for each edition."""

from __future__ import annotations

import pytest

from assistant.laws import ledger


def family(*roots: str, but: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Return the rows named and every row that the ledger says is the same in another edition."""
    return tuple(
        row.id for row in ledger.rows() if (row.id in roots or row.same_as in roots) and row.id not in but
    )


def editions(*ids: str) -> pytest.MarkDecorator:
    """Run a test with `edition` set to the edition of each row, carrying the rows of that edition."""
    edition_of = {row.id: row.edition for row in ledger.rows()}
    by_edition: dict[str, list[str]] = {}
    for id in ids:
        by_edition.setdefault(edition_of[id], []).append(id)
    runs = [
        pytest.param(edition, id=edition, marks=pytest.mark.ledger(*own))
        for edition, own in by_edition.items()
    ]
    return pytest.mark.parametrize("edition", runs)

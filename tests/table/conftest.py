"""Games that are taken up, for every test of how they are."""

from __future__ import annotations

import pytest

from assistant.table import live
from assistant.table.sitting import Room


@pytest.fixture
def rooms(monkeypatch: pytest.MonkeyPatch) -> list[Room]:
    """The rooms of the games that were taken up; nobody plays on."""
    found: list[Room] = []

    def sit(room: Room, *_more: object, **_options: object) -> int:
        found.append(room)
        return 0

    monkeypatch.setattr(live, "_sit", sit)
    return found

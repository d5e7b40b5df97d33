"""A room with a page, for every test of the page."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from page_game import Room

from assistant.arbiter import pins


@pytest.fixture(scope="session", autouse=True)
def cheap_pins() -> Iterator[None]:
    """Let the PINs of the tests cost next to nothing; what a real one costs is shown by a test of its own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(pins._COST, "n", 16)
        yield


@pytest.fixture
def rooms(tmp_path: Path) -> Iterator[Callable[..., Room]]:
    """Make rooms; with the same folder the game goes on where it ended."""
    made: list[Room] = []

    def make(folder: str = "game", *, start: bool = True, **options: object) -> Room:
        room = Room(tmp_path / folder, **options)  # type: ignore[arg-type]
        made.append(room)
        if start and not room.table.course.steps:
            room.start()
        return room

    yield make
    for room in made:
        room.close()


@pytest.fixture
def room(rooms: Callable[..., Room]) -> Room:
    """A rated game of today's Laws: White is blind and types at the table, Black is on the page."""
    return rooms()

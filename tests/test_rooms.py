"""The rooms of the house: each knows those that are named here, and what all of them may use."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "assistant"

COMMON = frozenset(
    {
        "__version__", "board", "called", "errors", "fen", "files", "interrupts", "offers", "portaudio",
        "quiet", "resources", "sides", "sound", "threads", "time_control", "utterance",
    }
)  # fmt: skip
"""What knows no room, and so may be used in all."""

ROOMS = {
    "announcements": set(),
    "hearing": set(),
    "laws": set(),
    "scoresheet": set(),
    "speaking": set(),
    "journal": set(),
    "display": {"scoresheet"},
    "sealing": {"scoresheet", "speaking"},
    # Where words and letters meet, and where the ear is made that hears the words.
    "worded": {"announcements", "scoresheet"},
    "moves": {"announcements", "scoresheet", "worded"},
    "ears": {"announcements", "hearing"},
    "table": {
        "announcements", "display", "ears", "hearing", "journal", "laws", "moves", "scoresheet", "sealing",
        "speaking", "worded",
    },
    "arbiter": {"announcements", "laws", "moves", "scoresheet", "sealing", "speaking", "table"},
    "demonstration": {"announcements", "ears", "hearing", "speaking", "table"},
}  # fmt: skip
"""Each room, and the rooms that it may use. The commands may use all."""

SILENT = ("announcements", "laws", "scoresheet")
"""They have nothing to do with sound."""
OF_SOUND = frozenset({"portaudio", "sound"})


@cache
def imported(room: str) -> frozenset[str]:
    """Return the names of the modules that a room imports, anywhere in it."""
    paths = sorted((PACKAGE / room).rglob("*.py")) or [PACKAGE / f"{room}.py"]
    return frozenset(name for path in paths for name in _imports(ast.parse(path.read_text(encoding="utf-8"))))


def _imports(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.module is not None and not node.level, "the package is named whole"
            if node.module == "assistant":
                yield from (f"assistant.{each.name}" for each in node.names)
            else:
                yield node.module


def used_by(room: str) -> set[str]:
    """Return the other rooms, and what is common, that a room uses."""
    names = (name.split(".") for name in imported(room))
    return {parts[1] for parts in names if parts[0] == "assistant" and len(parts) > 1} - {room}


def libraries_of(room: str) -> set[str]:
    """Return what a room uses beside the program and Python's own."""
    return {name.partition(".")[0] for name in imported(room)} - sys.stdlib_module_names - {"assistant"}


def test_every_part_of_the_program_has_its_place() -> None:
    there = {path.name.removesuffix(".py") for path in PACKAGE.iterdir() if (path / "__init__.py").exists()}
    there |= {path.stem for path in PACKAGE.glob("*.py") if not path.stem.startswith("__")}
    assert there == (COMMON | set(ROOMS) | {"cli"}) - {"__version__"}


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_knows_only_the_rooms_that_it_may_use(room: str) -> None:
    assert used_by(room) - COMMON <= ROOMS[room]


@pytest.mark.parametrize("module", sorted(COMMON - {"__version__"}))
def test_what_all_may_use_knows_no_room(module: str) -> None:
    assert used_by(module) <= COMMON


@pytest.mark.parametrize("room", SILENT)
def test_announcements_laws_and_scoresheet_have_nothing_to_do_with_sound(room: str) -> None:
    assert not used_by(room) & OF_SOUND
    assert libraries_of(room) == {"chess"}

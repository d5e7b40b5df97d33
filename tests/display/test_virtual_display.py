"""BRLTTY's virtual driver as the display: real cells, real keys, a daemon that really dies."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from virtual_display import VirtualDisplay

from assistant.display import BrailleDisplay, Screen, check_display
from assistant.errors import HectorError
from assistant.scoresheet import braille_code, from_pgn, profile

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "table"))
from live_game import type_only

CODE = braille_code(profile(), "de")
GAME = from_pgn("1. e4 e5 2. Nf3 Nc6 *")

pytestmark = pytest.mark.device


def cells(*words: str) -> str:
    return "⠀".join(words)


LAST = cells(*CODE.tokens(["2...", "Sc6"]))


@pytest.fixture
def virtual(monkeypatch: pytest.MonkeyPatch) -> Iterator[VirtualDisplay]:
    display = VirtualDisplay(cells=40)
    for name, value in display.environment.items():
        monkeypatch.setenv(name, value)
    for name in ("WINDOWID", "WINDOWPATH", "CONTROLVT"):
        # A terminal window that this BRLTTY knows nothing of.
        monkeypatch.delenv(name, raising=False)
    try:
        display.start()
        yield display
    finally:
        display.remove()


@pytest.fixture
def display(virtual: VirtualDisplay) -> Iterator[BrailleDisplay]:
    display = BrailleDisplay(Screen(CODE), patience=0.05)
    try:
        yield display
    finally:
        display.close()


def is_(cells: str) -> Callable[[str], bool]:
    return lambda window: window.rstrip("⠀") == cells


def test_cells_go_out_and_keys_come_in(virtual: VirtualDisplay, display: BrailleDisplay) -> None:
    display.show_game(GAME)
    virtual.wait_for(is_(LAST))
    virtual.press("top")
    virtual.wait_for(is_(cells(*CODE.tokens(["1.", "e4", "e5"]))))
    virtual.press("lndn")
    virtual.wait_for(is_(cells(*CODE.tokens(["2.", "Sf3", "Sc6"]))))
    virtual.press("ROUTE 3")
    virtual.wait_for(is_(cells(*CODE.tokens(["2.", "Sg1-f3"]))))
    virtual.press("home")
    virtual.wait_for(is_(cells(*CODE.tokens(["2.", "Sf3", "Sc6"]))))
    virtual.press("home")
    virtual.wait_for(is_(LAST))


def test_the_cells_come_back_when_another_program_has_gone(
    virtual: VirtualDisplay, display: BrailleDisplay
) -> None:
    """BRLTTY itself leaves those of the other program there."""
    display.show_game(GAME)
    virtual.wait_for(is_(LAST))
    other = importlib.import_module("brlapi").Connection()
    other.enterTtyModeWithPath([])
    other.writeDots(bytes([1] * 40))
    virtual.wait_for(is_("⠁" * 40))
    other.closeConnection()
    virtual.wait_for(is_(LAST))


def test_a_message_stays_until_a_key_takes_it_away(virtual: VirtualDisplay, display: BrailleDisplay) -> None:
    display.show_game(GAME)
    virtual.wait_for(is_(LAST))
    display.tell("Remis angeboten.")
    virtual.wait_for(is_(cells(*CODE.prose("Remis angeboten."))))
    display.show_game(from_pgn("1. e4 e5 2. Nf3 Nc6 3. Bb5 *"))
    virtual.press("return")
    virtual.wait_for(is_(cells(*CODE.tokens(["3.", "Lb5"]))))


def test_the_game_can_wait_until_all_is_read(virtual: VirtualDisplay, display: BrailleDisplay) -> None:
    display.show_game(GAME)
    virtual.wait_for(is_(LAST))
    display.tell("Matt.")
    display.wait_until_read(0.05)
    virtual.wait_for(is_(cells(*CODE.prose("Matt."))))
    virtual.press("home")
    display.wait_until_read(20)
    virtual.wait_for(is_(LAST))


def test_a_daemon_that_dies_is_found_again(virtual: VirtualDisplay, display: BrailleDisplay) -> None:
    display.show_game(GAME)
    virtual.wait_for(is_(LAST))
    virtual.stop()
    display.tell("Was now is said", None)
    virtual.start()
    virtual.wait_for(is_(cells(*CODE.prose("Was now is said"))))
    virtual.press("home")
    virtual.wait_for(is_(LAST))
    assert display.changes() == [True, False]


def test_brltty_has_its_display_back_afterwards(virtual: VirtualDisplay, display: BrailleDisplay) -> None:
    display.show_game(GAME)
    virtual.wait_for(is_(LAST))
    display.close()
    virtual.press("time")
    virtual.wait_for(lambda window: window.rstrip("⠀") != LAST)


def test_the_doctor_finds_the_display(virtual: VirtualDisplay) -> None:
    assert "40 cells" in str(check_display())


def test_the_doctor_says_what_to_do_without_one(virtual: VirtualDisplay) -> None:
    virtual.stop()
    with pytest.raises(HectorError, match="systemctl start brltty"):
        check_display()


def test_a_game_is_played_with_the_display(virtual: VirtualDisplay, tmp_path: Path) -> None:
    """The last move, the clocks on request and only then, and a daemon that dies in the middle."""
    with type_only(tmp_path / "game", "play", "--press", "key") as game:
        virtual.wait_for(is_(cells(*CODE.tokens(["1."]))))
        game.type("e4")
        virtual.wait_for(is_(cells(*CODE.tokens(["1.", "e4"]))))
        game.type("")
        virtual.press("info")
        game.expect("Hector: Weiß: .*Schwarz: ")
        clocks = virtual.wait_for(lambda window: window.count(CODE.tokens(["1:"])[0]) == 2)
        for time in CODE.read_tokens(clocks.rstrip("⠀").split("⠀")):
            assert "1:29:00" < time <= "1:31:00"
        virtual.press("home")
        virtual.wait_for(is_(cells(*CODE.tokens(["1.", "e4"]))))
        virtual.stop()
        game.expect("Hector: Braillezeile")
        game.type("e5", "")
        game.expect("Hector: Eva fünf")
        game.type("q")
        assert game.wait() == 0
    assert "Traceback" not in game.errors

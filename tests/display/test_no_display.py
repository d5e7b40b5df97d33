"""No display, no daemon, no module, a module gone mad: the game never notices."""

from __future__ import annotations

import importlib.util
import sys
import threading
import types

import pytest

from assistant.display import BrailleDisplay, Screen, check_display
from assistant.errors import HectorError, UsageError
from assistant.scoresheet import braille_code, from_pgn, profile
from assistant.scoresheet.profiles import GRADES
from assistant.table import Setup, braille
from assistant.table.braille import open_display
from assistant.table.setup import SheetStyle

CODE = braille_code(profile(), "de")
PATIENCE = 20.0


class StrangeError(Exception):
    """An error that only the module knows."""


class _Module(types.ModuleType):
    """A stand-in for brlapi whose connections fail."""

    OperationError = ConnectionError = StrangeError

    def __init__(self, failure: BaseException) -> None:
        super().__init__("brlapi")
        self._failure = failure
        self.tries = threading.Semaphore(0)

    def Connection(self) -> None:  # noqa: N802
        self.tries.release()
        raise self._failure


@pytest.mark.parametrize("failure", [StrangeError(), OSError(), RuntimeError(), TypeError(), MemoryError()])
def test_an_error_of_brlapi_stays_in_its_thread_and_it_is_tried_again(
    failure: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = _Module(failure)
    monkeypatch.setitem(sys.modules, "brlapi", module)
    display = BrailleDisplay(Screen(CODE), patience=0.01)
    display.show_game(from_pgn("1. e4 *"))
    display.tell("Matt.")
    for _ in range(3):
        assert module.tries.acquire(timeout=PATIENCE)
    display.wait_until_read(PATIENCE)
    assert not display.is_there
    assert display.changes() == [] and not display.clocks_are_wanted()
    display.close()


def test_without_the_module_there_is_no_display(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert open_display(Setup()) is None


def test_a_profile_that_is_not_made_for_the_language_gives_way_to_one_that_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: name)
    monkeypatch.setitem(sys.modules, "brlapi", _Module(StrangeError()))
    display = open_display(Setup(language="de", sheet=SheetStyle(profile="uk")))
    assert display is not None
    display.close()


def test_the_display_has_the_grade_that_the_player_has_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: name)
    monkeypatch.setattr(braille, "BrailleDisplay", lambda screen: screen)
    shown = {}
    for grade in GRADES:
        screen = open_display(Setup(language="de", sheet=SheetStyle(grade=grade)))
        assert isinstance(screen, Screen)
        screen.tell("Schach")
        shown[grade] = screen.window
        assert shown[grade].startswith("".join(braille_code(profile(), "de", grade).prose("Schach")))
    assert shown["full"] != shown["basic"]


def test_a_language_without_braille_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: name)
    with pytest.raises(UsageError, match="not made for xx"):
        open_display(Setup(language="xx"))


def test_without_liblouis_there_is_no_display(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(*_: object) -> None:
        raise HectorError("Braille needs liblouis, which is not installed.")

    monkeypatch.setattr(importlib.util, "find_spec", lambda name: name)
    monkeypatch.setattr(braille, "braille_code", missing)
    assert open_display(Setup()) is None


def test_without_the_module_the_doctor_names_the_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "brlapi", None)
    with pytest.raises(HectorError, match="apt install brltty python3-brlapi"):
        check_display()


def test_without_the_daemon_the_doctor_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "brlapi", _Module(StrangeError()))
    with pytest.raises(HectorError, match="systemctl start brltty"):
        check_display()


def test_a_daemon_without_a_display_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    connection = types.SimpleNamespace(displaySize=(0, 0), closeConnection=lambda: None)
    module = types.SimpleNamespace(
        Connection=lambda: connection, ConnectionError=StrangeError, OperationError=StrangeError
    )
    monkeypatch.setitem(sys.modules, "brlapi", module)
    with pytest.raises(HectorError, match="Plug one in"):
        check_display()

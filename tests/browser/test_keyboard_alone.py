"""A whole game without a mouse: everything is reached with Tab, and its focus can be seen."""

from __future__ import annotations

import pytest
from people import PINS, Club, faults, see, see_move
from playwright.sync_api import Page, expect

pytestmark = [pytest.mark.browser, pytest.mark.slow]

_WHERE = """() => {
  const at = document.activeElement;
  const style = getComputedStyle(at);
  const seen = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2;
  return {id: at.id || at.dataset.square || at.parentElement.querySelector("form")?.id || at.tagName, seen};
}"""


class Keys:
    """Somebody who has only a keyboard."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def go(self, name: str, most: int = 90) -> None:
        """Press Tab until the focus is on an element, seeing the focus all the way."""
        for _step in range(most):
            where = self.page.evaluate(_WHERE)
            if where["id"] == name:
                assert where["seen"], f"the focus on {name} cannot be seen"
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"{name} is not reached with Tab")

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def write(self, name: str, text: str) -> None:
        self.go(name)
        self.page.keyboard.type(text)

    def sign_in(self, role: str) -> None:
        self.go("signin-role")
        while self.page.eval_on_selector("#signin-role", "each => each.value") != role:
            self.press("ArrowDown")
        self.write("signin-pin", PINS[role])
        self.press("Enter")
        expect(self.page.locator("#signout")).to_be_visible()

    def form(self, verb: str) -> None:
        """Open one of the arbiter's forms."""
        self.go(f"form-{verb}")
        self.press("Enter")

    def confirm(self) -> None:
        """Agree to what is asked back."""
        expect(self.page.locator("#confirm")).to_be_visible()
        self.go("confirm-do")
        self.press("Enter")
        expect(self.page.locator("#confirm")).to_be_hidden()

    def choose(self, square: str) -> None:
        """Go to a square of the board with the arrows and press it."""
        at = self.page.evaluate("() => document.activeElement.dataset.square")
        black_below = self.page.locator("#board tbody tr").first.locator("th").inner_text() == "1"
        way = -1 if black_below else 1
        across, up = (ord(square[0]) - ord(at[0])) * way, (int(square[1]) - int(at[1])) * way
        self.press(*(["ArrowRight" if across > 0 else "ArrowLeft"] * abs(across)))
        self.press(*(["ArrowUp" if up > 0 else "ArrowDown"] * abs(up)))
        assert self.page.evaluate("() => document.activeElement.dataset.square") == square
        self.press("Enter")


def test_a_game_is_played_ruled_on_and_signed_without_a_mouse(club: Club) -> None:
    game = club.serve("--press", "key", "--time-control", "300+5")
    arbiter, opponent = Keys(club.visitor()), Keys(club.visitor())
    arbiter.sign_in("arbiter")
    opponent.sign_in("opponent")

    arbiter.form("start")
    arbiter.go("start-next")
    arbiter.press("Enter")
    assert faults(arbiter.page) == []
    arbiter.confirm()
    assert arbiter.page.evaluate(_WHERE)["id"] == "start-next"
    expect(opponent.page.locator("#clock-white")).to_have_class("running")

    game.type("f3", "")
    see_move(opponent.page, 1, "f2-f3")
    opponent.go("e7")
    opponent.choose("e7")
    see(opponent.page, "#result", "e7")
    assert faults(opponent.page) == []
    opponent.choose("e5")
    see_move(opponent.page, 2, "e7-e5")
    opponent.go("press")
    opponent.press("Enter")
    expect(opponent.page.locator("#clock-white")).to_have_class("running")

    # The focus stays where it is while the game goes on.
    opponent.go("move-text")
    game.type("g4", "")
    see_move(opponent.page, 3, "g2-g4")
    assert opponent.page.evaluate(_WHERE)["id"] == "move-text"
    opponent.write("move-text", "a6")
    opponent.press("Enter")
    see_move(opponent.page, 4, "a7-a6")
    opponent.go("offer-draw")
    opponent.press("Enter")
    see(opponent.page, "#status", "draw")
    opponent.go("press")
    opponent.press("Enter")
    expect(opponent.page.locator("#clock-white")).to_have_class("running")
    game.type("decline", "Nc3", "")
    see_move(opponent.page, 5, "Nb1-c3")

    opponent.go("resign")
    opponent.press("Enter")
    expect(opponent.page.locator("#confirm")).to_be_visible()
    opponent.press("Escape")
    assert opponent.page.evaluate(_WHERE)["id"] == "resign"
    opponent.press("Enter")
    opponent.confirm()
    see(opponent.page, "#status", "1-0")
    opponent.go("sign")
    opponent.press("Enter")
    opponent.confirm()
    for _side in range(2):
        if not arbiter.page.locator("#sign-next").is_visible():
            arbiter.form("sign")
        arbiter.go("sign-side")
        if _side:
            arbiter.press("ArrowDown")
        arbiter.go("sign-next")
        arbiter.press("Enter")
        arbiter.confirm()
    arbiter.form("close")
    arbiter.go("close-next")
    arbiter.press("Enter")
    arbiter.confirm()
    assert game.wait() == 0
    assert club.moves() == ["f2f3", "e7e5", "g2g4", "a7a6", "b1c3"]
    assert (club.folder / "game.pgn").read_text(encoding="utf-8").rstrip().endswith("1-0")

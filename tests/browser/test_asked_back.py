"""What cannot be taken back is asked back: one question at a time, and never answered before it can be heard."""

from __future__ import annotations

import pytest
from people import Club, see, see_move, start
from playwright.sync_api import Page, expect

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture
def opponent(club: Club) -> Page:
    """The opponent's page in a game after 1 e4."""
    game = club.serve("--press", "key")
    arbiter, opponent = club.visitor("arbiter"), club.visitor("opponent")
    start(arbiter)
    game.type("e4", "")
    see_move(opponent, 1, "e2-e4")
    return opponent


def test_enter_pressed_twice_does_not_answer_the_question(opponent: Page) -> None:
    opponent.focus("#resign")
    opponent.keyboard.press("Enter")
    expect(opponent.locator("#confirm")).to_be_visible()
    expect(opponent.locator("#confirm-heading")).to_be_focused()
    opponent.keyboard.press("Enter")
    opponent.keyboard.press("Escape")
    see(opponent, "#result", "Cancelled; nothing has happened.")


def test_enter_held_down_does_not_answer_the_question(opponent: Page) -> None:
    opponent.focus("#resign")
    opponent.keyboard.down("Enter")
    expect(opponent.locator("#confirm")).to_be_visible()
    opponent.focus("#confirm-do")
    opponent.keyboard.down("Enter")
    opponent.keyboard.up("Enter")
    opponent.keyboard.press("Escape")
    see(opponent, "#result", "Cancelled; nothing has happened.")

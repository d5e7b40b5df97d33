"""Whoever was in a part of the page that is gone is led to where he goes on, and hears why."""

from __future__ import annotations

import pytest
from people import Club, form, see
from playwright.sync_api import Page, expect

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture
def pages(club: Club) -> tuple[Page, Page]:
    """The arbiter's page, and the opponent's, in a game after 1 e4."""
    _, arbiter, opponent = club.after_e4()
    return arbiter, opponent


def test_the_order_to_seal_leads_from_the_move_to_the_field_for_it_and_back(pages: tuple[Page, Page]) -> None:
    arbiter, opponent = pages
    opponent.focus("#move-text")
    form(arbiter, "adjourn")
    expect(opponent.locator("#seal-move")).to_be_focused()
    see(opponent, "#result", "Seal your move")
    opponent.keyboard.type("e6")
    opponent.keyboard.press("Enter")
    see(opponent, "#result", "The move is sealed.")
    expect(opponent.locator("#seal-move")).to_be_focused()
    form(arbiter, "stop-clock")
    expect(opponent.locator("#status-heading")).to_be_focused()
    see(opponent, "#result", "The game is adjourned.")


def test_the_end_of_the_game_leads_to_the_signature(pages: tuple[Page, Page]) -> None:
    arbiter, opponent = pages
    opponent.focus("#move-text")
    form(arbiter, "result", result="1-0")
    expect(opponent.locator("#sign")).to_be_focused()
    see(opponent, "#result", "The game is over: 1-0")


def test_the_end_of_the_game_behind_a_question_leads_to_the_signature_after_it(
    pages: tuple[Page, Page],
) -> None:
    arbiter, opponent = pages
    opponent.click("#resign")
    expect(opponent.locator("#confirm")).to_be_visible()
    form(arbiter, "result", result="1-0")
    see(opponent, "#status", "The game is over: 1-0")
    opponent.click("#confirm-cancel")
    expect(opponent.locator("#sign")).to_be_focused()


def test_who_reads_the_board_stays_there_when_the_game_ends(pages: tuple[Page, Page]) -> None:
    arbiter, opponent = pages
    opponent.focus("#sq-e7 button")
    form(arbiter, "result", result="1-0")
    see(opponent, "#result", "The game is over: 1-0")
    expect(opponent.locator("#sq-e7 button")).to_be_focused()

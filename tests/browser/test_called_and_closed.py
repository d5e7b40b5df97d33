"""The arbiter's page shows who calls him, and tells everybody when he has closed it."""

from __future__ import annotations

import pytest
from people import Club, faults, form, see, start
from playwright.sync_api import expect

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_who_calls_stands_before_the_open_questions_until_the_clocks_run_again(club: Club) -> None:
    game = club.serve("--press", "key")
    arbiter, opponent = club.visitor("arbiter"), club.visitor("opponent")
    start(arbiter)
    form(arbiter, "claim", side="black", of="colours-reversed")
    see(arbiter, "#questions li", "Black claims: colours reversed.")
    opponent.click("#call-arbiter")
    expect(arbiter.locator("#questions li")).to_have_count(2)
    called = arbiter.locator("#questions li").first
    expect(called).to_have_text("Black has stopped the clocks and calls the arbiter.")
    assert faults(arbiter) == []
    form(arbiter, "resume")
    expect(arbiter.locator("#questions li")).to_have_count(1)
    game.type("Schiedsrichter")
    expect(called).to_have_text("White calls the arbiter.")
    form(arbiter, "answer-call")
    expect(arbiter.locator("#questions li")).to_have_count(1)
    see(arbiter, "#log li:first-child", "The arbiter has come.")


def test_a_page_that_the_arbiter_has_closed_says_so_and_waits_for_nothing(club: Club) -> None:
    game = club.serve("--press", "key")
    arbiter, spectator = club.visitor("arbiter"), club.visitor()
    opponent = club.visitor("opponent", locale="de-DE")
    start(arbiter)
    form(arbiter, "result", result="1/2-1/2")
    form(arbiter, "close")
    for page in (arbiter, spectator):
        for part in ("#result", "#connection"):
            see(page, part, "The arbiter has closed the page.")
    see(opponent, "#connection", "Der Schiedsrichter hat die Seite geschlossen.")
    see(opponent, "#result", "Der Schiedsrichter hat die Seite geschlossen.")
    game.process.wait(15)
    opponent.wait_for_timeout(3000)
    see(opponent, "#result", "Der Schiedsrichter hat die Seite geschlossen.")
    expect(opponent.locator("#sign")).to_be_hidden()
    expect(arbiter.locator("#arbiter")).to_be_hidden()
    expect(arbiter.locator("#status-heading")).to_be_focused()


def test_the_arbiter_hears_once_whose_time_becomes_short(club: Club) -> None:
    game = club.serve("--press", "key", "--category", "standard", "--time-control", "301")
    arbiter, opponent = club.visitor("arbiter"), club.visitor("opponent")
    start(arbiter)
    see(arbiter, "#result", "White has less than five minutes.")
    see(arbiter, "#status", "White has less than five minutes.")
    expect(opponent.locator("#status")).not_to_contain_text("five minutes")
    game.type("Schiedsrichter")
    see(arbiter, "#result", "White calls the arbiter.")
    expect(arbiter.locator("#result")).not_to_contain_text("five minutes")

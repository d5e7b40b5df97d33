"""A slow line: what is done one after the other counts in that order, though nothing is shown yet."""

from __future__ import annotations

import pytest
from people import Club, fill, form, see, see_move, start
from playwright.sync_api import Page, Route, expect

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def on_a_slow_line(club: Club) -> tuple[Page, Page, list[Route]]:
    """Return the arbiter's page and the opponent's after 1 e4, and what the opponent sends and waits for."""
    game = club.serve("--press", "key")
    arbiter, opponent = club.visitor("arbiter"), club.visitor("opponent")
    start(arbiter)
    game.type("e4", "")
    see_move(opponent, 1, "e2-e4")
    held: list[Route] = []
    opponent.route("**/act?*", lambda route: held.append(route), times=1)
    return arbiter, opponent, held


def send_move_and(opponent: Page, move: str, *buttons: str) -> None:
    opponent.fill("#move-text", move)
    with opponent.expect_request("**/act?*"):
        opponent.click("#move-do")
    for button in buttons:
        opponent.click(button)


def test_who_offers_and_presses_before_his_move_is_answered_has_moved_offered_and_pressed(club: Club) -> None:
    """9.1.2.1: a draw is offered after the move and before the press; his clock runs until he is believed."""
    arbiter, opponent, held = on_a_slow_line(club)
    send_move_and(opponent, "e5", "#offer-draw", "#press")
    held[0].continue_()
    see(opponent, "#m-2", "e7-e5")
    see(opponent, "#result", "Your clock is stopped.")
    expect(arbiter.locator("#clock-white")).to_have_class("running")
    done = [line["do"] for line in club.journal if line.get("desk") == "opponent"]
    assert done == ["announce", "offer-draw", "press"]


def test_who_presses_and_whose_move_cannot_be_read_has_not_pressed_without_a_move(club: Club) -> None:
    arbiter, opponent, held = on_a_slow_line(club)
    send_move_and(opponent, "e", "#press")
    held[0].continue_()
    see(opponent, "#move-form", "That could not be read as one move.")
    opponent.wait_for_timeout(500)
    expect(arbiter.locator("#clock-black")).to_have_class("running")
    opponent.fill("#move-text", "e5")
    opponent.click("#move-do")
    opponent.click("#press")
    see(opponent, "#result", "Your clock is stopped.")
    assert [line["do"] for line in club.journal if line.get("desk") == "opponent"] == ["announce", "press"]


def test_another_move_meanwhile_is_not_lost_without_a_word(club: Club) -> None:
    arbiter, opponent, held = on_a_slow_line(club)
    send_move_and(opponent, "e5")
    opponent.fill("#move-text", "d5")
    opponent.press("#move-text", "Enter")
    see(opponent, "#result", "Another action is still under way.")
    held[0].continue_()
    see(opponent, "#result", "Announced: e7-e5.")
    expect(opponent.locator("#move-text")).to_have_value("d5")
    opponent.click("#move-do")
    see_move(arbiter, 2, "d5")


def test_another_move_to_be_sealed_meanwhile_is_not_lost_without_a_word(club: Club) -> None:
    arbiter, opponent, held = on_a_slow_line(club)
    form(arbiter, "adjourn")
    expect(opponent.locator("#seal-move")).to_be_visible()
    opponent.fill("#seal-move", "c5")
    with opponent.expect_request("**/act?*"):
        opponent.press("#seal-move", "Enter")
    opponent.press("#seal-move", "Enter")
    expect(opponent.locator("#result")).not_to_contain_text("Another action")
    opponent.fill("#seal-move", "e6")
    opponent.press("#seal-move", "Enter")
    see(opponent, "#result", "Another action is still under way.")
    expect(opponent.locator("#seal-move")).to_have_value("e6")
    held[0].continue_()
    expect(opponent.locator("#seal-do")).not_to_have_attribute("aria-disabled", "true")
    expect(opponent.locator("#seal-move")).to_have_value("e6")
    opponent.click("#seal-do")
    expect(opponent.locator("#seal-move")).to_have_value("")
    assert [line.get("do") for line in club.journal].count("seal") == 2


def test_another_ruling_in_the_same_form_meanwhile_is_not_lost_without_a_word(club: Club) -> None:
    arbiter, _, _ = on_a_slow_line(club)
    held: list[Route] = []
    arbiter.route("**/act?*", lambda route: held.append(route), times=1)
    with arbiter.expect_request("**/act?*"):
        fill(arbiter, "penalty", side="white", kind="warning")
    arbiter.press("#penalty-reason", "Enter")
    expect(arbiter.locator("#result")).not_to_contain_text("Another action")
    arbiter.select_option("#penalty-side", "black")
    arbiter.press("#penalty-reason", "Enter")
    see(arbiter, "#result", "Another action is still under way.")
    held[0].continue_()
    see(arbiter, "#confirm-text", "White will be penalised: warning.")

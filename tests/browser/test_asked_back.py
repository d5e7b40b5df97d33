"""What cannot be taken back is asked back: one question at a time, none answered before it can be heard."""

from __future__ import annotations

import pytest
from people import Club, fill, form, see, see_move, start
from playwright.sync_api import Page, Route, expect

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture
def opponent(club: Club) -> Page:
    """The opponent's page in a game after 1 e4."""
    _, _, opponent = club.after_e4()
    return opponent


def test_do_it_carries_out_what_the_dialog_tells_and_nothing_beside_it(club: Club) -> None:
    club.serve("--press", "key")
    arbiter = club.visitor("arbiter")
    start(arbiter)
    held: list[Route] = []
    arbiter.route("**/act?*", lambda route: held.append(route))
    fill(arbiter, "penalty", side="white", kind="warning")
    fill(arbiter, "note", about="a telephone rang")
    see(arbiter, "#result", "Another action is still under way.")
    for route in held:
        route.continue_()
    see(arbiter, "#confirm-text", "warning")
    arbiter.unroute_all()
    arbiter.click("#confirm-do")
    expect(arbiter.locator("#confirm")).to_be_hidden()
    form(arbiter, "note", about="it was silenced")
    expect(arbiter.locator("#log")).to_contain_text("it was silenced")
    done = [line["do"] for line in club.journal if line.get("do") in ("penalty", "note")]
    assert done == ["penalty", "note"]
    assert "a telephone rang" not in (arbiter.locator("#log").text_content() or "")


def test_what_is_filled_in_while_an_answer_is_under_way_stays(club: Club) -> None:
    club.serve("--press", "key")
    arbiter = club.visitor("arbiter")
    start(arbiter)
    fill(arbiter, "note", about="a telephone rang")
    expect(arbiter.locator("#confirm")).to_be_visible()
    held: list[Route] = []
    with arbiter.expect_request("**/act?*"):
        arbiter.route("**/act?*", lambda route: held.append(route))
        arbiter.click("#confirm-do")
    expect(arbiter.locator("#note-next")).to_have_attribute("aria-disabled", "true")
    arbiter.fill("#note-about", "it was silenced")
    held[0].continue_()
    expect(arbiter.locator("#note-next")).not_to_have_attribute("aria-disabled", "true")
    expect(arbiter.locator("#note-about")).to_have_value("it was silenced")


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


def test_who_presses_again_the_moment_the_dialog_is_gone_is_asked_again(opponent: Page) -> None:
    opponent.click("#resign")
    expect(opponent.locator("#confirm")).to_be_visible()
    opponent.evaluate(
        "() => { document.getElementById('confirm').close(); document.getElementById('resign').click(); }"
    )
    expect(opponent.locator("#confirm")).to_be_visible()


def test_the_half_move_of_two_hands_stays_the_one_that_the_arbiter_saw(club: Club) -> None:
    """7.5.4: while he fills the form in, the reply is made and pressed."""
    _, arbiter, opponent = club.after_e4()
    see_move(arbiter, 1, "e4")
    arbiter.locator("details:has(#form-claim) > summary").click()
    expect(arbiter.locator("#claim-ply")).to_be_hidden()
    arbiter.select_option("#claim-side", "arbiter")
    arbiter.select_option("#claim-of", "two-hands")
    expect(arbiter.locator("#claim-ply")).to_have_value("1")
    opponent.fill("#move-text", "e5")
    opponent.click("#move-do")
    see(opponent, "#result", "Announced: e7-e5.")
    opponent.click("#press")
    see(opponent, "#result", "Your clock is stopped.")
    see_move(arbiter, 2, "e5")
    arbiter.click("#claim-next")
    see(arbiter, "#confirm-text", "White used two hands for half-move 1, 1. e4.")
    arbiter.click("#confirm-do")
    see(arbiter, "#result", "Illegal move number one by White.")
    expect(arbiter.locator("#claim-ply")).to_be_hidden()

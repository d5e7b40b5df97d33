"""What the page answers is seen and heard wherever somebody is on it, and covers nothing that he is at."""

from __future__ import annotations

import re
from typing import Any

import pytest
from people import PINS, Club, do_it, faults, fill, see, see_move, start
from playwright.sync_api import Page, Route, expect

pytestmark = [pytest.mark.browser, pytest.mark.slow]

_PLACE = """() => {
  const at = document.activeElement, region = document.getElementById("result");
  const [a, r] = [at, region].map(each => each.getBoundingClientRect());
  return {id: at.id || at.dataset.square || at.tagName, top: r.top, height: r.height, all: innerHeight,
          covered: region.textContent && !region.contains(at) && a.bottom > r.top && a.top < r.bottom};
}"""

SCREENS = {
    "laptop": {"viewport": {"width": 1280, "height": 720}},
    "telephone": {"viewport": {"width": 360, "height": 640}, "has_touch": True},
    "400 %": {"viewport": {"width": 320, "height": 256}, "locale": "de-DE"},
}


def test_an_answer_stays_in_view_and_covers_nothing_that_has_the_focus(club: Club) -> None:
    """2.4.11: what gets the focus is not entirely hidden by what stays in view."""
    game = club.serve("--press", "key")
    start(club.visitor("arbiter"))
    game.type("e4", "")
    for name, settings in SCREENS.items():
        opponent = club.visitor("opponent", **settings)
        see_move(opponent, 1, "e2-e4")
        opponent.select_option("#own-claim-of", "flag")
        opponent.click("#claim-do")
        do_it(opponent)
        expect(opponent.locator("#result p")).to_be_visible()
        opponent.evaluate("() => scrollTo(0, document.body.scrollHeight)")
        place = opponent.evaluate(_PLACE)
        assert place["top"] == 0, name
        assert place["height"] <= place["all"] * (0.15 if name != "400 %" else 0.4), name
        assert faults(opponent) == [], name
        hidden = [where["id"] for where in walked(opponent) if where["covered"]]
        assert hidden == [], name


def walked(page: Page) -> list[dict[str, Any]]:
    """Go through everything with Tab, back from the end, as far as the skip link; return where one was."""
    found: list[dict[str, Any]] = []
    while not found or found[-1]["id"] not in ("skip", "BODY"):
        page.keyboard.press("Shift+Tab")
        found.append(page.evaluate(_PLACE))
        assert len(found) < 60
    return found


def test_a_field_that_is_wrong_gets_the_focus_and_the_sentence_about_it(club: Club) -> None:
    game = club.serve("--press", "key")
    arbiter, opponent = club.visitor("arbiter"), club.visitor("opponent")
    start(arbiter)
    see(arbiter, "#result", "Done.")
    fill(arbiter, "penalty", side="white", kind="reduce")
    field = arbiter.locator("#penalty-seconds")
    expect(field).to_be_focused()
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(field).to_have_accessible_description("Time, m:ss: please fill this in.")
    # It is heard on the way to the field, and so not in the live region as well.
    expect(arbiter.locator("#result")).to_be_empty()
    assert faults(arbiter) == []
    arbiter.keyboard.type("1:00")
    expect(field).not_to_have_attribute("aria-invalid", "true")
    expect(field).to_have_accessible_description("")

    game.type("e4", "")
    see_move(opponent, 1, "e2-e4")
    move = opponent.locator("#move-text")
    hint = "For example Nf3, g1f3, e2-e4 or Springer Felix drei."
    unclear = "That could not be read as one move. Write it from square to square, for example g1f3."
    move.fill("x9")
    move.press("Enter")
    # Where the focus is in the field already, the region tells it.
    see(opponent, "#result", unclear)
    expect(move).to_be_focused()
    expect(move).to_have_attribute("aria-invalid", "true")
    expect(move).to_have_accessible_description(f"{unclear} {hint}")

    # The move that he intends is asked for where a claim may rest on one, and is meant for that claim alone.
    intended = opponent.locator("#own-claim-move")
    opponent.select_option("#own-claim-of", "flag")
    expect(intended).to_be_hidden()
    opponent.select_option("#own-claim-of", "threefold")
    intended.fill("x9")
    opponent.click("#claim-do")
    expect(intended).to_be_focused()
    label = "With the move I intend, if the claim rests on it"
    expect(intended).to_have_accessible_description(f"{label}: {unclear}")
    intended.fill("e5")
    opponent.click("#claim-do")
    see(opponent, "#confirm-text", "You claim: threefold repetition, with the move e7-e5.")
    do_it(opponent)
    see(opponent, "#result", "Black's claim is incorrect: threefold repetition.")
    expect(intended).to_have_value("")

    move.fill("e5")
    expect(move).to_have_accessible_description(hint)
    opponent.click("#move-do")
    see(opponent, "#result", "Announced: e7-e5.")


def test_what_is_left_empty_is_told_in_the_language_of_the_page(club: Club) -> None:
    """And not in the browser's; who has forgotten his PIN is not made to wait as one who guesses it."""
    club.serve("--press", "key")
    opponent = club.visitor("opponent", locale="en-GB")
    opponent.goto(f"{club.url}?lang=de")
    opponent.click("#move-do")
    see(opponent, "#move-text-wrong", "Bitte ausfüllen.")
    guest = club.visitor(locale="en-GB")
    guest.goto(f"{club.url}?lang=de")
    guest.click("#signin-do")
    expect(guest.locator("#signin-pin")).to_have_accessible_description("PIN: Bitte ausfüllen.")
    arbiter = club.visitor("arbiter", locale="en-GB")
    refused = arbiter.locator("#security-list li").first
    expect(refused.locator("[lang=de]")).to_have_text("Zug, in beliebiger Schreibweise: Bitte ausfüllen.")
    # The time is the reader's.
    expect(refused.locator("time")).to_have_text(re.compile(r"\d\d/\d\d/\d{4}, \d\d:\d\d:\d\d"))
    assert faults(arbiter) == []


def test_after_a_wrong_pin_the_next_one_takes_its_place(club: Club) -> None:
    club.serve("--press", "key")
    guest = club.visitor()
    guest.select_option("#signin-role", "opponent")
    guest.click("#signin-pin")
    guest.keyboard.type("0000")
    guest.keyboard.press("Enter")
    see(guest, "#signin-form", "The PIN is wrong.")
    guest.keyboard.type(PINS["opponent"])
    expect(guest.locator("#signin-pin")).to_have_value(PINS["opponent"])


def test_who_signs_in_is_asked_when_what_stands_above_has_found_its_lines(club: Club) -> None:
    """Nothing that comes later moves the button away from under a click."""
    club.serve("--press", "key")
    page = club.visitor()
    held: list[Route] = []
    page.route("**/events*", lambda route: held.append(route))
    with page.expect_request("**/events*"):
        page.reload()
    expect(page.locator("#role")).not_to_be_empty()
    expect(page.locator("#signin-do")).to_be_hidden()
    held[0].continue_()
    expect(page.locator("#signin-do")).to_be_visible()
    assert page.inner_text("#laws")

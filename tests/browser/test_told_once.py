"""The live region: what others do and what waits for the arbiter is told once, and not on when it is over."""

from __future__ import annotations

from typing import Any

import pytest
from people import Club, do_it, faults, fill, form, see, see_move, start
from playwright.sync_api import Page, expect

pytestmark = [pytest.mark.browser, pytest.mark.slow]

_LISTEN = """() => {
  window.heard = [];
  const region = document.getElementById("result");
  new MutationObserver(() => { if (region.textContent) window.heard.push(region.textContent.trim()); })
    .observe(region, {childList: true, subtree: true, characterData: true});
}"""


def heard(page: Page) -> list[str]:
    """Return what a screen reader has read by itself since the last time."""
    found: list[str] = page.evaluate("() => window.heard.splice(0)")
    return found


def test_what_others_do_is_told_once_and_what_is_over_is_not_told_on(club: Club) -> None:
    game = club.serve("--press", "key")
    arbiter, opponent = club.visitor("arbiter"), club.visitor("opponent")
    opponent.evaluate(_LISTEN)
    start(arbiter)
    game.type("e4", "")
    see_move(opponent, 1, "e2-e4")
    opponent.fill("#move-text", "e5")
    opponent.click("#move-do")
    see(opponent, "#result", "Announced: e7-e5.")
    opponent.click("#press")
    see(opponent, "#result", "Your clock is stopped.")
    game.type("Sf3", "")
    expect(opponent.locator("#clock-black")).to_have_class("running")
    # His clock runs again: nothing says that it is stopped.
    expect(opponent.locator("#result")).to_be_empty()
    opponent.click("#sq-b8 button")
    opponent.click("#sq-c6 button")
    see(opponent, "#result", "Announced: Nb8-c6.")
    opponent.click("#press")
    see(opponent, "#result", "Your clock is stopped.")
    announced = "Announced: {}. Press the clock when it stands on the board."
    assert heard(opponent) == [
        announced.format("e7-e5"),
        "Your clock is stopped.",
        "b8, black knight: choose the square it goes to.",
        announced.format("Nb8-c6"),
        "Your clock is stopped.",
    ]

    game.type("Remis angeboten", "y")
    see(opponent, "#result", "Draw offer by White.")
    opponent.click("#decline-draw")
    see(opponent, "#result", "Draw offer declined by Black.")
    form(arbiter, "stop-clock")
    see(opponent, "#result", "The clocks are stopped.")
    form(arbiter, "penalty", side="black", kind="warning")
    see(opponent, "#result", "Warning to Black.")
    form(arbiter, "restore", ply="2")
    see(opponent, "#result", "Back to the position after Black's move one.")
    form(arbiter, "resume")
    see(opponent, "#result", "White's clock is running.")
    form(arbiter, "adjourn")
    see(opponent, "#result", "Adjournment: White seals a move.")
    assert heard(opponent) == [
        "Draw offer by White.",
        "Draw offer declined by Black.",
        "The clocks are stopped.",
        "Warning to Black.",
        "Back to the position after Black's move one.",
        "White's clock is running.",
        "Adjournment: White seals a move.",
    ]
    # What was told before a page was opened is in its log, and not told to it again.
    opponent.reload()
    see(opponent, "#status", "White seals a move.")
    expect(opponent.locator("#result")).to_be_empty()


def test_what_comes_to_wait_for_the_arbiter_is_told_him_once_and_no_move(club: Club) -> None:
    """WCAG 2.2, 4.1.3: a message is heard without a look at the place where it stands."""
    game = club.serve("--press", "key")
    arbiter, opponent = club.visitor("arbiter"), club.visitor("opponent")
    start(arbiter)
    see(arbiter, "#result", "Done.")
    arbiter.evaluate(_LISTEN)
    game.type("e4", "")
    see_move(arbiter, 1, "e4")
    opponent.select_option("#own-claim-of", "two-hands")
    opponent.click("#claim-do")
    do_it(opponent)
    see(arbiter, "#questions li", "Black claims: two hands used.")
    opponent.click("#call-arbiter")
    expect(arbiter.locator("#questions li")).to_have_count(2)
    form(arbiter, "answer-call")
    see(arbiter, "#result", "Done.")
    form(arbiter, "claim", side="black", of="colours-reversed")
    see(arbiter, "#result", "Black's claim: colours reversed.")
    claimed, called, *own = heard(arbiter)
    assert claimed.startswith("Black claims: two hands used.")
    assert called == "Black calls the arbiter."
    assert own == ["Done.", "Black's claim: colours reversed. The arbiter decides."]


def read_by_itself(page: Page) -> list[str]:
    """Return what a screen reader finds in live regions: nothing that lies behind a dialog."""
    shown = page.context.new_cdp_session(page).send("Accessibility.getFullAXTree")["nodes"]
    nodes = {node["nodeId"]: node for node in shown}

    def words(node: Any) -> str:
        if node["role"]["value"] == "StaticText":
            return str(node["name"]["value"])
        return "".join(words(nodes[each]) for each in node.get("childIds", ()) if each in nodes)

    live = [node for node in shown if not node["ignored"] and node["role"]["value"] == "status"]
    return [found.strip() for node in live if (found := words(node))]


def test_what_comes_while_something_is_asked_back_is_told_in_the_dialog(club: Club) -> None:
    game = club.serve("--press", "key")
    arbiter, opponent = club.visitor("arbiter"), club.visitor("opponent")
    start(arbiter)
    opponent.click("#resign")
    expect(opponent.locator("#confirm")).to_be_visible()
    fill(arbiter, "note", about="a telephone rang")
    expect(arbiter.locator("#confirm")).to_be_visible()
    before = opponent.locator("#confirm-do").bounding_box()
    game.type("Schiedsrichter", "e4", "Remis angeboten", "y")
    see(opponent, "#confirm", "Draw offer by White.")
    see(arbiter, "#confirm", "White calls the arbiter.")
    assert read_by_itself(opponent) == ["Draw offer by White."]
    assert read_by_itself(arbiter) == ["White calls the arbiter."]
    assert opponent.locator("#confirm-do").bounding_box() == before
    assert faults(opponent) == []
    opponent.click("#confirm-cancel")
    see(opponent, "#result", "Cancelled; nothing has happened.")
    assert read_by_itself(opponent) == ["Cancelled; nothing has happened."]
    arbiter.click("#confirm-do")
    see(arbiter, "#result", "Done.")
    opponent.click("#resign")
    expect(opponent.locator("#confirm")).to_be_visible()
    assert read_by_itself(opponent) == []


def test_what_comes_while_the_line_is_cut_and_the_server_starts_anew_is_told_when_it_is_back(
    club: Club,
) -> None:
    game = club.serve("--press", "key")
    arbiter, opponent = club.visitor("arbiter"), club.visitor("opponent")
    start(arbiter)
    game.type("e4", "")
    see_move(opponent, 1, "e2-e4")
    game.kill()
    back = "Connected again; everything is up to date. "
    told = {arbiter: f"{back}White calls the arbiter.", opponent: f"{back}White has offered a draw."}
    for page in told:
        see(page, "#result", "No connection.")
        page.context.set_offline(True)
    club.serve_again().type("Schiedsrichter", "remis", "y")
    arbiter.wait_for_timeout(500)
    for page, sentence in told.items():
        page.context.set_offline(False)
        see(page, "#result", sentence)

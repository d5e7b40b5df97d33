"""A game is adjourned on the pages: the opponent seals unseen, the arbiter opens with his passphrase."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from people import PHRASE, Club, faults, form, see, see_move, start
from playwright.sync_api import Page, expect

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_a_move_is_sealed_on_the_page_and_made_when_its_envelope_is_opened(
    club: Club, screen: Callable[[Page, str], None]
) -> None:
    game = club.serve("--press", "key")
    arbiter, opponent, spectator = club.visitor("arbiter"), club.visitor("opponent"), club.visitor()
    start(arbiter)
    game.type("e4", "")
    see_move(opponent, 1, "e2-e4")
    opponent.focus("#sq-e7 button")
    form(arbiter, "adjourn", resumption="Sunday 10:00, room 2")

    expect(opponent.locator("#sealing")).to_be_visible()
    expect(opponent.locator("#opponent")).to_be_hidden()
    assert opponent.get_attribute("#seal-move", "type") == "password"
    expect(opponent.locator("#board button")).to_have_count(0)
    expect(opponent.locator("#seal-move")).to_be_focused()
    expect(opponent.locator("#board-help")).to_be_hidden()
    assert faults(opponent) == []
    screen(opponent, "page-sealing")
    for move in ("c5", "e6"):
        opponent.fill("#seal-move", move)
        opponent.click("#seal-do")
        expect(opponent.locator("#seal-move")).to_have_value("")
        expect(opponent.locator("#seal-do")).not_to_have_attribute("aria-disabled", "true")
    form(arbiter, "stop-clock")
    expect(arbiter.locator("#envelope-sheets")).to_be_visible()
    for page in (arbiter, opponent, spectator):
        for part in ("#status", "#result", "#log", "#moves"):
            assert "e6" not in (page.locator(part).text_content() or "")

    sheet = arbiter.context.new_page()
    sheet.goto(f"{club.url}envelope.html")
    see(sheet, "main", "Sunday 10:00, room 2")
    assert faults(sheet) == []
    screen(sheet, "envelope")
    printed = sheet.pdf(prefer_css_page_size=True)
    assert len(re.findall(rb"/Type\s*/Page\b", printed)) == 1
    sheet.close()

    form(arbiter, "arrive", side="white")
    form(arbiter, "arrive", side="black")
    form(arbiter, "resume")
    sent: list[str] = []
    arbiter.on("request", lambda request: sent.append(request.post_data or ""))
    form(arbiter, "open-envelope", passphrase="somebody guesses")
    see(arbiter, "#result", "passphrase")
    # The request of the form before may still have been under way.
    opening = [each for each in sent if "open-envelope" in each]
    assert ["guesses" in each for each in opening] == [False, True]
    expect(arbiter.locator("#open-envelope-passphrase")).to_have_value("")
    form(arbiter, "open-envelope", passphrase=PHRASE)
    see_move(spectator, 2, "e7-e6")
    expect(opponent.locator("#clock-white")).to_have_class("running")
    expect(opponent.locator("#board button")).to_have_count(64)
    expect(opponent.locator("#board-help")).to_be_visible()
    journal = (club.folder / "journal.jsonl").read_text(encoding="utf-8")
    assert PHRASE not in journal and "guesses" not in journal
    assert [line.get("text") for line in club.journal if line.get("do") == "open-envelope"] == ["e6"]

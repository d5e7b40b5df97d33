"""A page that comes back to its address may find another game, or another way to show it: it becomes that."""

from __future__ import annotations

import os

import pytest
from live_game import LiveGame
from people import Club, see, see_move, sign_in_anew, start
from playwright.sync_api import expect

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_who_watches_a_game_sees_the_next_one_at_that_address_under_its_own_names(club: Club) -> None:
    game = club.serve("--press", "key")
    arbiter, spectator = club.visitor("arbiter"), club.visitor()
    start(arbiter)
    game.type("e4", "")
    see_move(spectator, 1, "e2-e4")
    game.kill()
    expect(spectator.locator("#connection")).to_be_visible()
    club.folder = club.folder.with_name("next")
    club.serve("--white", "Eva", "--black", "Jan")
    see(spectator, "#heading", "Eva")
    expect(spectator).to_have_title("\u2068Eva\u2069 against \u2068Jan\u2069 – Hector, the chess table")
    expect(spectator.locator("#m-1")).to_have_count(0)
    expect(arbiter.locator("#signing")).to_be_visible()


def test_an_arbiter_who_followed_a_game_has_his_forms_when_it_is_played_at_that_address(club: Club) -> None:
    game = club.serve("--press", "key")
    start(club.visitor("arbiter"))
    game.type("e4", "")
    game.kill()
    command = ["serve", str(club.folder), "--follow", "--speak-to", os.devnull, "--page-port", str(club.port)]
    following = LiveGame(club.folder, command, club.environment)
    following.expect("^Die Seite: ")
    arbiter = club.visitor("arbiter")
    expect(arbiter.locator("#followed")).to_be_visible()
    following.kill()
    expect(arbiter.locator("#connection")).to_be_visible()
    club.serve_again()
    expect(arbiter.locator("#form-penalty")).to_have_count(1)
    expect(arbiter.locator("#followed")).to_be_hidden()


def test_a_page_that_slept_while_its_session_was_made_anew_still_acts(club: Club) -> None:
    _, arbiter, opponent = club.after_e4()
    opponent.evaluate("() => { dispatchEvent(new PageTransitionEvent('pagehide')); }")
    sign_in_anew(club, opponent)
    with opponent.expect_response("**/session?*"):
        opponent.evaluate(
            "() => { dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })); }"
        )
    opponent.fill("#move-text", "e5")
    opponent.click("#move-do")
    see_move(arbiter, 2, "e5")
